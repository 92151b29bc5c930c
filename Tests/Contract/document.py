"""The contract as it stands in Resources/openapi.yaml."""

import copy
from dataclasses import dataclass
from pathlib import Path

import jsonschema_rs
import yaml

PROJECT = Path(__file__).resolve().parents[2]
DOCUMENT = yaml.safe_load((PROJECT / "Resources/openapi.yaml").read_text("utf-8"))
METHODS = ("get", "put", "post", "delete", "patch")
# What clients send; members that are not described are ignored there.
REQUESTS = {"RoomWish", "RevealWish", "RoundWish", "MemberWish", "Handover", "DecisionWish", "Answers", "AnswersPatch"} | {
    "FCMDevice", "APNsDevice", "LiveActivity"} | {
    "LegacySoloAnswers", "LegacyAnswers", "LegacyGameAnswer"}


def resolved(value):
    """What a `$ref` stands for, with what stands beside it."""
    while isinstance(value, dict) and "$ref" in value:
        target = DOCUMENT
        for part in value["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        value = {**target, **{key: own for key, own in value.items() if key != "$ref"}}
    return value


def close(components):
    """Clients have to bear members that they do not know; but the server has to send none that are not in the document."""
    for name, schema in components["schemas"].items():
        if "properties" in schema and name not in REQUESTS:
            schema["additionalProperties"] = False


CLOSED = copy.deepcopy(DOCUMENT["components"])
close(CLOSED)


def faults(value, schema):
    """Where and how a value is not of a schema."""
    validator = jsonschema_rs.Draft202012Validator({**schema, "components": CLOSED})
    return [f"/{'/'.join(map(str, error.instance_path))}: {error.message}" for error in validator.iter_errors(value)]


@dataclass(frozen=True)
class Operation:
    path: str
    method: str
    item: dict

    @property
    def id(self):
        return self.item["operationId"]

    @property
    def responses(self):
        return {int(status): resolved(response) for status, response in self.item["responses"].items()}

    @property
    def parameters(self):
        return [resolved(parameter) for parameter in DOCUMENT["paths"][self.path].get("parameters", []) + self.item.get("parameters", [])]

    @property
    def bodies(self):
        """Media types of the body with what stands under them."""
        return self.item.get("requestBody", {}).get("content", {})


OPERATIONS = [
    Operation(path, method, item[method]) for path, item in DOCUMENT["paths"].items() for method in METHODS if method in item
]


def examples(content):
    """The examples of a body: media type, schema, name, value."""
    for media_type, media in content.items():
        for name, example in media.get("examples", {}).items():
            yield media_type, media["schema"], name, resolved(example)["value"]


# What goes with every message, or says how it is cut, is HTTP's own affair.
MESSAGE_HEADERS = {"date", "content-type", "content-length", "transfer-encoding", "connection"}


def check_headers(answer, response):
    """Expects the headers that a response is described with, and no other."""
    known = {name.lower() for name in response.get("headers", {})} | MESSAGE_HEADERS
    assert {name.lower() for name in answer.headers} <= known
    for name, header in response.get("headers", {}).items():
        header = resolved(header)
        value = answer.headers.get(name)
        if value is None:
            assert not header.get("required"), name
        else:
            assert not faults(int(value) if header["schema"].get("type") == "integer" else value, header["schema"]), name
