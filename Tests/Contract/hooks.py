"""Tells schemathesis what a schema cannot say: names out of the catalogue, instants in the future, who a device token is."""

import itertools
import json
import re
import time
import uuid

import schemathesis
from hypothesis import strategies
from schemathesis.specs.openapi import _auth_retry

import table
from document import PROJECT, close

CATALOGUE = json.loads((PROJECT / "Resources/catalogue.json").read_text("utf-8"))
TOKEN = "device-token-of-the-contract"
numbers = itertools.count(1)
# Of the rooms that were opened on the way.
pins = set()

# Whoever sends 16 visible characters is somebody, so only a malformed token is an invalid one.
_auth_retry.INVALID_AUTH_HEADERS["_bearer_auth"] = "Bearer too-short"

# Characters that can be seen, each of which is one grapheme.
VISIBLE = strategies.text("민지준소라 abcXYZ0189-_!ñéß寿司🍜", min_size=1, max_size=20).filter(str.strip)
schemathesis.openapi.format("nickname", VISIBLE)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    close(raw_schema["components"])
    schemas = raw_schema["components"]["schemas"]
    # With the catalogue at hand it is known which names there are, and that all others are refused.
    schemas["VetoID"] = {"enum": [veto["id"] for veto in CATALOGUE["vetoes"]]}
    cards = {card["id"]: answer(card) for card in CATALOGUE["cards"]}
    schemas["Answers"]["properties"]["answers"] = {"type": "object", "properties": cards, "additionalProperties": False}
    nullable = {card: {"anyOf": [schema, {"type": "null"}]} for card, schema in cards.items()}
    schemas["AnswersPatch"]["properties"]["answers"] = {
        "type": ["object", "null"], "properties": nullable, "additionalProperties": False}
    # A stream is a string to OpenAPI 3.1; schemathesis takes it apart and holds each event to what stands here.
    stream = raw_schema["paths"]["/v1/rooms/{pin}/events"]["get"]["responses"]["200"]["content"]["text/event-stream"]
    stream["schema"] = {
        "type": "object", "required": ["event", "id", "data"],
        "properties": {"event": {"const": "room"}, "id": {"type": "string", "pattern": "^[1-9][0-9]*$"}, "data": {"type": "string"}}}
    # Graphemes cannot be counted by a schema; of what is generated here each is one code point.
    schemas["Nickname"]["maxLength"] = 20


def answer(card):
    """The schema of the answers to a card."""
    if card["kind"] == "trait":
        return {"enum": ["like", "dislike", "skip"]}
    options = card.get("options") or [cuisine["id"] for cuisine in CATALOGUE["cuisines"]]
    choices = [{"const": "skip"}, {"type": "array", "maxItems": 64, "items": {"enum": options}}]
    return {"anyOf": choices + ([{"const": ["none"]}] if "none" in card else [])}


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(numbers)
    case.headers = headers(dict(case.headers or {}), number)
    if isinstance(case.body, (dict, list)):
        case.body = representable(case.body)
    operation = case.operation.definition.raw.get("operationId")
    if operation in ("openRoom", "startRound") and isinstance(case.body, dict):
        case.body = playable(case.body)
    if isinstance(case.query, dict) and case.query.get("wait") in range(2, 61):
        # It would wait for somebody else to move.
        case.query = {**case.query, "wait": 1}
    if operation == "legacySubmit" and isinstance(case.body, dict) and case.body.get("pinNumber") is not None:
        # It could only be the one of the path.
        case.body = {**case.body, "pinNumber": None}
    # A PIN out of thin air finds no room: then there is one to be found. One that was given out stays what it is.
    pin = str((case.path_parameters or {}).get("pin"))
    if re.fullmatch("[0-9]{6,9}", pin) and pin not in pins:
        room = room_in_some_state(number)
        case.path_parameters = {**case.path_parameters, "pin": room.pin}
        if operation == "decideMenu" and isinstance(case.body, dict) and isinstance(case.body.get("menuId"), str) and room.menus:
            case.body = {**case.body, "menuId": room.menus[number % 3]}


@schemathesis.hook
def after_call(context, case, response):
    if case.operation.definition.raw.get("operationId") in ("openRoom", "legacyOpen") and response.status_code == 201:
        room = response.json()
        pins.add(str(room["pin"] if isinstance(room, dict) else room))


def headers(fields, number):
    # Wrong PINs are counted by address, and here are many: each request comes from somewhere else (`--trust-proxy`).
    fields["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    # A key that comes again with another request is refused, so none does.
    if re.fullmatch("[!-~]{1,128}", fields.get("Idempotency-Key", "")):
        fields["Idempotency-Key"] = str(uuid.uuid4())
    # Hardly any condition holds, so not every request has one.
    if number % 3:
        fields.pop("If-Match", None)
    # Somebody else is at the table.
    if number % 5 == 0 and "Authorization" in fields:
        fields["Authorization"] = "Bearer device-token-of-another"
    return fields


def room_in_some_state(number):
    """A room of the contract's own device: new, answered, revealed or decided."""
    room = table.Room(host=TOKEN)
    step = number % 4
    if step == 1:
        room.submit()
    if step >= 2:
        room.reveal()
    if step == 3:
        room.decide(room.menus[0])
    return room


def representable(value):
    """JSON as it is taken: integers fit into 64 bits, else it is no JSON here (400), and are written without a fraction."""
    if isinstance(value, dict):
        return {name: representable(member) for name, member in value.items()}
    if isinstance(value, list):
        return [representable(element) for element in value]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return max(-(1 << 63), min(value, (1 << 63) - 1))
    return value


def playable(wish):
    """A room or a round as it was asked for, with a deadline that is to come and a way to be revealed."""
    wish = dict(wish)
    if isinstance(wish.get("deadlineAt"), int) and wish["deadlineAt"] >= 0:
        wish["deadlineAt"] = int(time.time() * 1000) + 3_600_000
    when = wish.get("revealWhen")
    if isinstance(when, dict):
        when = dict(when)
        if when.get("deadline") is True and not wish.get("deadlineAt"):
            when["deadline"] = False
        if not any(when.get(way) for way in ("anyMember", "deadline", "submissions")):
            when["host"] = True
        wish["revealWhen"] = when
    return wish
