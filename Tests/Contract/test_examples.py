"""What stands in the document as an example is what the server takes and gives."""

import itertools
import json

import pytest

from calls import BY_ID, call
from document import OPERATIONS, PROJECT, check_headers, examples, faults
from table import Room

RESPONSES = [
    pytest.param(schema, value, id=f"{operation.id}-{status}-{name}")
    for operation in OPERATIONS for status, response in operation.responses.items()
    for _, schema, name, value in examples(response.get("content", {}))
]
BODIES = [
    pytest.param(operation, media_type, schema, value, id=f"{operation.id}-{name}")
    for operation in OPERATIONS for media_type, schema, name, value in examples(operation.bodies)
]


@pytest.mark.parametrize("schema, value", RESPONSES)
def test_a_response_example_is_of_its_schema(schema, value):
    assert not faults(value, schema)


@pytest.mark.parametrize("operation, media_type, schema, value", BODIES)
def test_a_request_example_is_of_its_schema_and_succeeds(operation, media_type, schema, value):
    assert not faults(value, schema)
    request = call(operation)
    if "menuId" in value:
        # The one of the example is of another room.
        value = {"menuId": request.room.menus[0]}
    request.headers["Content-Type"] = media_type
    request.body = None
    check(operation, request.send(data=json.dumps(value)))


@pytest.mark.parametrize("operation", [pytest.param(o, id=o.id) for o in OPERATIONS if o.id != "watchRoom"])
def test_an_operation_succeeds_as_it_is_described(operation):
    check(operation, call(operation).send())


def check(operation, answer):
    """Expects the first success that the operation has, as it is described."""
    success = min(status for status in operation.responses if status < 300)
    if operation.id in ("joinRoom", "submitAnswers"):
        success = 201
    assert answer.status_code == success, answer.text
    response = operation.responses[success]
    check_headers(answer, response)
    if "content" not in response:
        assert not answer.content
        return
    media_type = answer.headers["Content-Type"].split(";")[0]
    schema = response["content"][media_type]["schema"]
    if media_type == "application/json":
        assert not faults(answer.json(), schema)


def test_the_first_event_is_the_room_as_it_is():
    room = Room().submit()
    watch = call(BY_ID["watchRoom"])
    watch.room = room
    with watch.send(stream=True) as answer:
        response = watch.operation.responses[200]
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] in response["content"]
        check_headers(answer, response)
        lines = list(event(answer))
    fields = dict(line.split(": ", 1) for line in lines)
    snapshot = json.loads(fields["data"])
    assert fields["event"] == "room"
    assert not faults(snapshot, {"$ref": "#/components/schemas/RoomSnapshot"})
    assert fields["id"] == str(snapshot["sequence"])
    assert snapshot["submissionCount"] == 1


def event(answer):
    """The lines of the first event."""
    lines = answer.iter_lines(decode_unicode=True)
    # What is said before has no event in it.
    yield next(line for line in lines if line.startswith("event:"))
    yield from itertools.takewhile(bool, lines)


def test_the_documents_are_the_files():
    for operation, file in (("readContract", "openapi.yaml"), ("readDocs", "web/docs.html"), ("readDocsStyle", "web/docs.css")):
        assert call(BY_ID[operation]).send().content == (PROJECT / "Resources" / file).read_bytes()


def test_the_page_of_the_web_client_is_its_file_and_loads_what_is_there():
    page = call(BY_ID["readWebPage"]).send().text
    version = call(BY_ID["readWebAsset"]).names["version"]
    assert page == (PROJECT / "Resources/web/index.html").read_text("utf-8").replace("/assets/version/", f"/assets/{version}/")
    asset = call(BY_ID["readWebAsset"]).send()
    assert asset.content == (PROJECT / "Resources/web/assets/app.js").read_bytes()
