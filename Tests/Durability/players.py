"""Many clients at once that do whatever can be done with a few rooms."""

import json
import random
import threading
import time

from history import Asked
from server import Failure
from state import Command, sheet
from wire import Connection, Lost
from world import Play

TRAITS = ["hangover", "greasy", "health", "alcohol", "instant", "spicy", "rich"]
CUISINES = ["korean", "western", "japanese", "chinese", "snack"]
#: Few, so that no round runs out of menus that were not shown before: a menu belongs to one round.
VETOES = ["seafood", "intestine"]
ROUNDS = 20


class Player(threading.Thread):
    """One client: a connection, and one request after the other until it is told to stop or the server is gone."""

    #: Seconds to wait after a 503.
    patience = 0.05

    def __init__(self, world, port, seed, number, play):
        super().__init__(daemon=True)
        self.world = world
        self.port = port
        self.slot = number % len(world.slots)
        self.random = random.Random(f"{seed}-{number}")
        self.address = f"10.{number}.{self.random.randrange(256)}.{self.random.randrange(256)}"
        self.play = play
        self.histories = {}

    def run(self):
        try:
            with Connection(self.port, self.address) as connection:
                while not self.play.stopped.is_set():
                    self.act(connection)
        except Lost:
            pass
        except Exception as error:
            # A driver that breaks off has tried nothing.
            self.world.faults.append(f"{type(error).__name__}: {error}")
            raise

    def act(self, connection):
        with self.world.locks[self.slot]:
            room = self.world.slots[self.slot]
            if room is None or room.is_gone:
                return self.open(connection)
        if self.random.random() < 0.01:
            return self.solo(connection)
        command, method, path, body, fields = self.draw(room)
        if command.key:
            room.keyed.append((command, method, path, body))
        self.ask(connection, room, command, method, path, body, fields)

    def ask(self, connection, room, command, method, path, body, fields):
        """Asks, and keeps what came of it for `look`; the answer."""
        if room not in self.histories:
            self.histories[room] = room.history()
        answer, asked = None, None
        sent = time.monotonic_ns()
        try:
            answer = connection.ask(method, path, command.token, body, fields)
            asked = Asked(command, sent, time.monotonic_ns(), answer.status, answer.body)
        finally:
            self.record(room, asked or Asked(command, sent))
            self.note(command.token, command.key, answer)
        self.learn(room, command, answer, asked.body)
        return answer

    def record(self, room, asked):
        self.histories[room].append(asked)

    def open(self, connection):
        token, key, body = self.world.token(), "open", {"nickname": "host"}
        answer = self.ask_once(connection, token, key, "/v1/rooms", body)
        if answer.status == 201:
            self.world.openings.append((token, key, body))
            self.world.add(self.slot, token, answer.body)
            if self.world.has_phones:
                phone = {"platform": "apns", "pushToken": token.encode().hex()}
                connection.ask("PUT", "/v1/devices/me", token, phone)
        elif answer.status != 503:
            raise Failure(f"no room: {answer.status} {answer.content}")

    def solo(self, connection):
        self.ask_once(connection, self.world.token(), "solo", "/v1/solo", self.answers())

    def ask_once(self, connection, token, key, path, body):
        answer = None
        try:
            answer = connection.ask("POST", path, token, body, [("Idempotency-Key", key)])
            return answer
        finally:
            self.note(token, key, answer)
            if path == "/v1/rooms" and (answer is None or answer.status == 503):
                self.world.unanswered.append((token, key, body))

    def note(self, token, key, answer):
        if key:
            self.world.claim(token, key, answer)
        self.world.count(answer)
        if answer is not None:
            self.play.count()
            if answer.status == 503:
                # As a client should; the server says when.
                self.play.stopped.wait(self.patience)

    def learn(self, room, command, answer, body):
        if answer.status == 404 and body["code"] == "room-not-found":
            room.is_gone = True
        if command.kind == "close" and answer.status == 204:
            room.is_gone = True
        if answer.status >= 400:
            return
        if command.kind == "reveal":
            known = room.results.setdefault(body["round"], answer.content)
            if known != answer.content:
                self.world.faults.append(f"another result: {known} and then {answer.content}")
        elif body is not None:
            if "submission" in body:
                room.revisions[command.token] = body["submission"]["revision"]
            latest = body.get("room", body)
            if latest["sequence"] > room.latest["sequence"]:
                room.latest = latest
            if latest["isHost"]:
                room.host = command.token

    def answers(self):
        answers = {card: self.random.choice(["like", "dislike"]) for card in TRAITS if self.random.random() < 0.5}
        answers["cuisine"] = self.random.sample(CUISINES, self.random.randint(0, 2))
        return {"answers": answers, "vetoes": [veto for veto in VETOES if self.random.random() < 0.1]}

    def draw(self, room):
        """A command, and the request that it is."""
        latest, path = room.latest, room.path
        is_open = latest["phase"] == "open"
        weights = {
            "submit": 34, "patch": 16, "join": 6, "withdraw": 4, "leave": 3, "read": 10, "hand-over": 3, "remove": 1.5, "close": 0.15,
            "reveal": 5, "decide": 2, "begin-round": 1,
        }
        if not is_open:
            weights.update({"submit": 6, "patch": 3, "reveal": 8, "decide": 20, "begin-round": 20})
        if latest["round"] >= ROUNDS:
            weights["close"] = 20
        kind = self.random.choices(list(weights), list(weights.values()))[0]
        token = self.random.choice(room.tokens)
        if kind in ("hand-over", "remove", "close", "reveal", "decide", "begin-round") and self.random.random() < 0.8:
            token = room.host
        elif kind in ("submit", "join") and room.removed and self.random.random() < 0.1:
            token = self.random.choice(room.removed)
        fields, key = [], None
        if kind in ("reveal", "decide", "begin-round") and self.random.random() < 0.4:
            key = f"{kind}-{next(self.world.numbers)}"
            fields.append(("Idempotency-Key", key))
        revision = None
        if kind in ("submit", "patch") and token in room.revisions and self.random.random() < 0.4:
            revision = room.revisions[token]
            fields.append(("If-Match", f'"{revision}"'))
        member = self.random.randint(1, max((int(member["id"][2:]) for member in latest["members"]), default=1) + 1)
        if kind == "submit":
            body = self.answers()
            return Command(kind, token, sheet(body), revision), "PUT", f"{path}/submission", body, fields
        if kind == "patch":
            patch = (self.random.choice(TRAITS), self.random.choice(["like", "dislike", None]))
            return Command(kind, token, (patch,), revision), "PATCH", f"{path}/submission", {"answers": dict([patch])}, fields
        if kind == "withdraw":
            return Command(kind, token), "DELETE", f"{path}/submission", None, fields
        if kind == "join":
            nickname = self.random.choice([None, f"name-{self.random.randrange(1000)}"])
            return Command(kind, token, nickname), "PUT", f"{path}/members/me", {"nickname": nickname} if nickname else {}, fields
        if kind == "leave":
            return Command(kind, token), "DELETE", f"{path}/members/me", None, fields
        if kind == "remove":
            return Command(kind, token, member), "DELETE", f"{path}/members/m_{member}", None, fields
        if kind == "hand-over":
            return Command(kind, token, member), "PUT", f"{path}/host", {"memberId": f"m_{member}"}, fields
        if kind == "reveal":
            return Command(kind, token, key=key), "POST", f"{path}/reveal", None, fields
        if kind == "decide":
            round, menu = self.menu(room)
            return Command(kind, token, (round, menu), key=key), "POST", f"{path}/decision", {"menuId": menu}, fields
        if kind == "begin-round":
            return Command(kind, token, key=key), "POST", f"{path}/rounds", None, fields
        if kind == "close":
            return Command(kind, token), "DELETE", path, None, fields
        return Command(kind, token), "GET", path, None, fields

    def menu(self, room):
        """One of the menus of a round that has been seen, and of which."""
        if not room.results:
            return 0, "no-such-menu"
        round = max(room.results) if self.random.random() < 0.9 else self.random.choice(list(room.results))
        return round, self.random.choice(json.loads(room.results[round])["menus"])["id"]


def start_playing(world, port, seed, clients, answers=None, player=Player):
    """Starts so many players; join them when the play is stopped or the server is gone.

    - answers: after how many the play's moment has come.
    """
    play = Play(answers)
    players = [player(world, port, seed, number, play) for number in range(clients)]
    for player in players:
        player.start()
    return play, players
