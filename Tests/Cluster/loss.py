"""Promotes a standby that lacks the last commits, under nodes that have shown them: what they remember must not outlive what is stored.

One node goes on with what it has in memory, another is started anew and knows nothing but the database. Both have to show the same from
then on, and what is acknowledged after the promotion has to stay.
"""

import threading
import time

from database import Pair
from nodes import Nodes
from server import Failure
from wire import Connection, Lost

#: The node that remembers, and the one that is started anew.
OLD, FRESH = 0, 1
HOST, PLAYERS = "loss-host-of-the-room", [f"loss-player-{number:04}" for number in range(200)]


def run(folder, seed, is_long, report):
    place = folder / "loss"
    place.mkdir()
    drills = 4 if is_long else 1
    for number in range(drills):
        _drill(place / f"{number}", seed + number)
    report.ran("standby promoted that lacked the last commits, under a node that had shown them", drills,
               "it shows and changes what is stored, also where that had come as far again")


def _drill(place, seed):
    place.mkdir()
    with Pair(is_synchronous=False) as pair, Nodes(place, pair.uri, 2) as nodes:
        pair.attach()
        with Connection(nodes.all[OLD].port) as old:
            # One that is behind when it is next asked for, one that has come as far again by then, and one that is gone.
            behind, equal = _open(old), _open(old)
            last = pair.query(pair.primary, "SELECT pg_current_wal_lsn()")
            pair.wait_for(pair.standby, f"SELECT pg_last_wal_replay_lsn() >= '{last}'", "t")
            pair.cut_off()
            for pin in (behind, equal):
                for player in PLAYERS[2:3 + seed % 3]:
                    _submit(old, pin, player)
                _expect(old.ask("POST", f"/v1/rooms/{pin}/reveal", HOST), 200)
            lost = _read(old, equal)["sequence"]
            gone = _open(old)
        held = Held(nodes.all[OLD].port, behind, lost)
        pair.kill_primary()
        pair.promote()
        nodes.kill(FRESH)
        nodes.start(FRESH)
        with Connection(nodes.all[OLD].port) as old, Connection(nodes.all[FRESH].port) as fresh:
            _wait_for_writes(old)
            _go_on(nodes, old, fresh, behind, equal, lost)
            _expect(old.ask("GET", f"/v1/rooms/{gone}"), 404)
            held.expect("open")
        if nodes.check() < 2:
            raise Failure("rooms are missing")


def _go_on(nodes, old, fresh, behind, equal, lost):
    shown, stored = _read(old, behind), _read(fresh, behind)
    if shown["phase"] != "open" or _content(shown) != _content(stored):
        raise Failure(f"a node shows {_content(shown)} where {_content(stored)} is stored")
    _expect(old.ask("GET", f"/v1/rooms/{behind}/result"), 404, 409)
    _submit(old, behind, PLAYERS[100])
    if _content(_read(old, behind)) != _content(_read(fresh, behind)):
        raise Failure("after a change through one node another shows something else")

    # Joining is one step each, so that it comes exactly as far.
    joined = iter(PLAYERS[100:])
    while _read(fresh, equal)["sequence"] < lost:
        _expect(fresh.ask("PUT", f"/v1/rooms/{equal}/members/me", next(joined), {}), 200, 201)
    acknowledged = _read(fresh, equal)
    if acknowledged["sequence"] != lost:
        raise Failure(f"the room came past {lost}, to {acknowledged['sequence']}")
    # By what the old node remembers the room is revealed, and another round may begin.
    _expect(old.ask("POST", f"/v1/rooms/{equal}/rounds", HOST), 409)
    for connection in (old, fresh):
        if _content(_read(connection, equal)) != _content(acknowledged):
            raise Failure(f"{_content(_read(connection, equal))} where {_content(acknowledged)} was acknowledged")
    for room in (behind, equal):
        identifier = _read(fresh, room)["id"]
        said = sum("has lost what it had acknowledged" in line and f"room {identifier} " in line
                   for line in nodes.all[OLD].words().splitlines())
        if said != 1:
            raise Failure(f"that {identifier} was lost was said {said} times")


class Held:
    """A read that waits for more than a node has shown, asked before the primary is killed."""

    def __init__(self, port, pin, sequence):
        self.answer = None
        self.thread = threading.Thread(target=self._ask, args=(port, f"/v1/rooms/{pin}?after={sequence}&wait=25"), daemon=True)
        self.thread.start()

    def _ask(self, port, path):
        try:
            with Connection(port, "10.254.0.2") as connection:
                self.answer = connection.ask("GET", path)
        except Lost:
            # Whoever expects an answer says that there was none.
            pass

    def expect(self, phase):
        self.thread.join(60)
        if self.answer is None or self.answer.status != 200 or self.answer.body["phase"] != phase:
            raise Failure(f"who waited is answered {self.answer and self.answer.content}")


def _open(connection):
    pin = _expect(connection.ask("POST", "/v1/rooms", HOST, {}), 201).body["pin"]
    for player in PLAYERS[:2]:
        _submit(connection, pin, player)
    return pin


def _submit(connection, pin, token):
    _expect(connection.ask("PUT", f"/v1/rooms/{pin}/submission", token, {"answers": {"spicy": "like"}}), 200, 201)


def _read(connection, pin):
    return _expect(connection.ask("GET", f"/v1/rooms/{pin}", HOST), 200).body


def _content(room):
    return {name: room[name] for name in ("sequence", "phase", "round", "memberCount", "submissionCount")}


def _wait_for_writes(connection):
    deadline = time.monotonic() + 60
    while connection.ask("POST", "/v1/rooms", HOST, {}).status != 201:
        if time.monotonic() > deadline:
            raise Failure("no write flows 60 s after the promotion")
        time.sleep(0.05)


def _expect(answer, *statuses):
    if answer.status not in statuses:
        raise Failure(f"answered {answer.status} and not {statuses}: {answer.content[:300]}")
    return answer
