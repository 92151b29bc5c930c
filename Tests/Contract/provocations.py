"""For every problem, what to do wrong: each takes a request that would succeed, spoils it and sends it."""

import functools
import json

import table
from table import LegacyRoom, Room, device


def with_header(name, value):
    def provoke(request):
        request.headers[name] = value
        return request.send()
    return provoke


def with_body(body):
    def provoke(request):
        request.body = body
        return request.send()
    return provoke


def with_bytes(data, content_type="application/json"):
    def provoke(request):
        request.body = None
        request.headers["Content-Type"] = content_type
        return request.send(data=data)
    return provoke


def without_token(request):
    request.token = None
    if request.is_legacy:
        request.query = ""
        request.body = request.body and {**request.body, "token": None}
    return request.send()


def by_member(request):
    request.token = request.room.member
    return request.send()


def by_stranger(request):
    if request.operation.id == "revealResult":
        # In other rooms it is the host's.
        request.room = Room(revealWhen={"anyMember": True}).submit()
    request.token = device()
    return request.send()


def by_removed(request):
    request.room.send("DELETE", "/members/m_2")
    request.token = request.room.member
    if request.is_legacy and request.body:
        request.body["token"] = request.room.member
    return request.send()


def of_no_room(request):
    # A PIN of nine digits is drawn only where very many rooms are live.
    if request.operation.id == "registerDevice":
        request.body = {"platform": "apns-live-activity", "pushToken": "a1", "room": "999999999"}
        return request.send()
    request.room.pin = "999999999"
    return request.send()


def without_submission(request):
    request.token = request.room.member
    return request.send()


def of_unknown_name(request):
    request.names = {name: "nothing.svg" for name in request.names}
    return request.send()


def of_unknown_member(request):
    request.names = {name: "m_99" for name in request.names}
    return request.send()


def after_reveal(request):
    if not request.room.menus:
        request.room.reveal()
    return request.send()


def before_reveal(request):
    # A room of today, so that nobody but the host reveals it, to the app neither.
    request.room = Room().submit()
    request.token = request.room.host
    return request.send()


def before_submission(request):
    request.room = LegacyRoom() if request.is_legacy else Room()
    request.token = request.room.host
    return request.send()


def after_decision(request):
    room = request.room if request.room.menus else request.room.reveal()
    room.decide(room.menus[1])
    return request.send()


def with_unknown_option(request):
    if request.is_legacy:
        request.body = {**(request.body or {}), "gameAnswer": {"nation": ["NOWHERE"]}}
    else:
        request.body = {"answers": {"staple": ["sup"]}}
    return request.send()


def with_unknown_veto(request):
    if request.is_legacy:
        request.body = {"gameAnswer": {}, **(request.body or {}), "dislikedFoods": ["GLUTEN"]}
    elif request.body is None:
        request.query = "?veto=gluten"
    else:
        request.body = {"vetoes": ["gluten"]}
    return request.send()


def with_reused_key(request):
    request.headers["Idempotency-Key"] = device()
    request.send()
    request.query += "&another" if request.query else "?another"
    return request.send()


@functools.cache
def full_room():
    room = Room()
    for _ in range(498):
        room.send("PUT", "/members/me", device())
    return room


@functools.cache
def room_of_a_hundred_rounds():
    room = Room().submit()
    for _ in range(99):
        room.send("POST", "/reveal")
        room.send("POST", "/rounds")
        room.submit()
    return room.reveal()


def in_full_room(request):
    if request.operation.id == "startRound":
        request.room = room_of_a_hundred_rounds()
        request.token = request.room.host
    else:
        request.room = full_room()
    return request.send()


@functools.cache
def device_with_many_keys():
    token = device()
    # As many answers as fit into what is kept for one device: some two thousand.
    for _ in range(10_000):
        status = table.send("POST", "/v1/solo", token, {}, {"Idempotency-Key": device()}).status_code
        if status == 429:
            return token
        assert status == 200
    raise AssertionError("answers are kept without end")


def too_often(request):
    if request.operation.id == "registerDevice":
        request.headers["X-Forwarded-For"] = f"192.0.2.{next(table.numbers) % 256}"
        for _ in range(1001):
            answer = request.send()
        return answer
    if request.room is None:
        # The app has no header in which it would be the same device again and again.
        request.token = None if request.is_legacy else device_with_many_keys()
        return with_header("Idempotency-Key", device())(request)
    # One more than may be wrong in a row.
    request.headers["X-Forwarded-For"] = f"192.0.2.{next(table.numbers) % 256}"
    request.room.pin = "999999999"
    request.token = device() if request.token else None
    for _ in range(31):
        answer = request.send()
    return answer


class Refused:
    """What the protocol answers, in the shape of the client's answers."""

    def __init__(self, status, headers, body):
        self.status_code, self.text, self.headers = status, body.decode(), headers

    def json(self):
        return json.loads(self.text)


def with_line(line):
    def provoke(request):
        head = f"{request.operation.method.upper()} {request.path} HTTP/1.1\r\nHost: a\r\n{line}\r\n\r\n"
        return Refused(*table.send_raw(head.encode()))
    return provoke


PROVOKE = {
    "malformed-request": with_line("No Field: a"),
    "malformed-json": with_bytes(b"{"),
    "token-required": without_token,
    "not-host": by_member,
    "not-member": by_stranger,
    "removed": by_removed,
    "room-not-found": of_no_room,
    "submission-not-found": without_submission,
    "menu-not-found": of_unknown_name,
    "route-not-found": of_unknown_member,
    "not-acceptable": with_header("Accept", "application/x-nothing"),
    "already-revealed": after_reveal,
    "not-revealed": before_reveal,
    "no-submissions": before_submission,
    "room-full": in_full_room,
    "already-decided": after_decision,
    "revision-mismatch": with_header("If-Match", '"99"'),
    "body-too-large": with_bytes(b" " * 70_000),
    "unsupported-media-type": with_bytes(b"{}", "text/plain"),
    "invalid-body": with_body([]),
    "unknown-card": with_body({"answers": {"spicey": "like"}}),
    "unknown-option": with_unknown_option,
    "unknown-veto": with_unknown_veto,
    "idempotency-key-reused": with_reused_key,
    "too-many-attempts": too_often,
    "headers-too-large": with_line(f"Long: {'a' * 17_000}"),
}

# Those that go wrong with a room, and not with a request alone.
OF_A_ROOM = {
    "not-host", "not-member", "removed", "room-not-found", "submission-not-found", "already-revealed", "not-revealed", "no-submissions",
    "room-full", "already-decided",
}
