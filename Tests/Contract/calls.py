"""For every operation, a request that succeeds."""

import re
from dataclasses import dataclass, field

import table
from document import OPERATIONS
from table import LegacyRoom, Room, device


@dataclass
class Call:
    """A request, and the room that it is about."""

    operation: object
    room: Room | None = None
    token: str | None = None
    body: object = None
    # The variables of the path.
    names: dict = field(default_factory=dict)
    query: str = ""
    headers: dict = field(default_factory=dict)

    @property
    def is_legacy(self):
        return "Legacy" in self.operation.item["tags"]

    @property
    def path(self):
        return self.operation.path.format(pin=self.room.pin if self.room else "", **self.names) + self.query

    def send(self, **more):
        if self.body is not None:
            more.setdefault("json", self.body)
        # What has no end is not read to the end.
        more.setdefault("stream", self.operation.id == "watchRoom")
        return table.send(self.operation.method.upper(), self.path, self.token, headers=self.headers, **more)


def _of_host(operation, room, **more):
    return Call(operation, room, room.host, **more)


def _decision(operation):
    room = Room().reveal()
    return _of_host(operation, room, body={"menuId": room.menus[0]})


def _legacy(operation, room, body=None):
    """A request of the app, which says in the query who it is."""
    return Call(operation, room, query="" if body else f"?token={room.host if room else device()}", body=body)


def _asset(operation):
    """The page says where its assets are."""
    version = re.search("/assets/([0-9a-f]+)/", table.send("GET", "/").text)[1]
    return Call(operation, names={"version": version, "file": "app.js"})


def _legacy_answers(**more):
    return {"gameAnswer": {"spicy": True}, **more}


MAKE = {
    "openRoom": lambda operation: Call(operation, token=device(), body={}),
    "readRoom": lambda operation: Call(operation, Room()),
    "closeRoom": lambda operation: _of_host(operation, Room()),
    "watchRoom": lambda operation: Call(operation, Room()),
    "readQRCode": lambda operation: Call(operation, Room()),
    "readRoomGame": lambda operation: Call(operation, Room()),
    "joinRoom": lambda operation: Call(operation, Room(), device(), body={}),
    "leaveRoom": lambda operation: _of_host(operation, Room()),
    "removeMember": lambda operation: _of_host(operation, Room(), names={"id": "m_2"}),
    "handOverHost": lambda operation: _of_host(operation, Room(), body={"memberId": "m_2"}),
    "readSubmission": lambda operation: _of_host(operation, Room().submit()),
    "submitAnswers": lambda operation: Call(operation, Room(), device(), body={}),
    "amendAnswers": lambda operation: _of_host(operation, Room().submit(), body={}),
    "withdrawAnswers": lambda operation: _of_host(operation, Room().submit()),
    "revealResult": lambda operation: _of_host(operation, Room().submit()),
    "readResult": lambda operation: Call(operation, Room().reveal()),
    "decideMenu": _decision,
    "startRound": lambda operation: _of_host(operation, Room().reveal()),
    "registerDevice": lambda operation: Call(operation, token=device(), body={"platform": "fcm", "pushToken": device()}),
    "unregisterDevice": lambda operation: Call(operation, token=device()),
    "playSolo": lambda operation: Call(operation, token=device(), body={}),
    "legacyOpen": lambda operation: _legacy(operation, None),
    "legacySolo": lambda operation: _legacy(operation, None, _legacy_answers()),
    "legacyExists": lambda operation: Call(operation, Room()),
    "legacySubmit": lambda operation: _legacy(operation, Room(), _legacy_answers(token=device())),
    "legacyWithdraw": lambda operation: _legacy(operation, Room().submit()),
    "legacyWait": lambda operation: _legacy(operation, Room()),
    "legacyResult": lambda operation: Call(operation, LegacyRoom().submit()),
    "readWebRoom": lambda operation: Call(operation, Room()),
    "readWebAsset": _asset,
    "readMenu": lambda operation: Call(operation, names={"id": "bibimbap"}),
    "readMenuImage": lambda operation: Call(operation, names={"file": "bibimbap.svg"}),
}


def call(operation):
    """A request of this operation that succeeds, in a room of its own."""
    return MAKE.get(operation.id, Call)(operation)


BY_ID = {operation.id: operation for operation in OPERATIONS}
