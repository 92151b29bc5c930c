"""Twelve hours of life, by a clock that is put forwards: what a server takes of memory, descriptors and disk comes back to where it was.

Rooms live an hour. Every ten minutes groups come, play in all the ways there are, listen, hang up in the middle of things and go. After six
hours, in which caches fill, and twice again after six more, everybody is given the time to end, and what the server holds then is compared.
The stretches are of one length, for rooms are cleared away by a timer that knows nothing of the clock: until then they are all there.
"""

import random
import sqlite3
import time
from pathlib import Path

from clocks import Clock
from report import Skipped
from server import Failure, Server, check
from wire import Connection

#: Ten minutes, in hours, and how many at a stretch.
STEP, STRETCH = 1 / 6, 6
GROUPS, MEMBERS = 30, 6
#: How many times as much memory there may be in the end: an allocator keeps some of what it was given back.
MEMORY = 1.15
#: Bytes by which the file may be longer: it is cut down when more than 256 pages of it, and more than a quarter, are empty.
SLACK = 2 * 256 * 4096


def run(folder, seed, is_long, report):
    if not is_long:
        raise Skipped("twelve hours take some minutes: make soak, or --soak --only life")
    clock, chance = Clock(folder), random.Random(f"life-{seed}")
    store = folder / "life.sqlite"
    with Server(store, environment=clock.environment, arguments=["--room-hours", "1"]) as server:
        games, holdings = 0, []
        for _ in range(3):
            end = clock.hours + STRETCH
            while clock.hours < end:
                games += _groups(server, chance)
                clock.set(clock.hours + STEP)
            # All rooms have ended, and so have the answers that were kept under keys.
            clock.set(clock.hours + 2)
            _wait_until_it_is_empty(server, store, clock)
            holdings.append(_holdings(server, store))
        before, _, now = holdings
        if now["descriptors"] > before["descriptors"]:
            raise Failure(f"{before['descriptors']} descriptors became {now['descriptors']}")
        if now["memory"] > before["memory"] * MEMORY or now["file"] > before["file"] + SLACK:
            raise Failure(f"in bytes: {before} became {now}")
        if server.stop() != 0 or check(store) != 0:
            raise Failure("it does not end well")
    words = ", ".join(f"{what} {before[what]:,} and then {now[what]:,}" for what in now)
    report.ran("twelve hours of life by a clock that is put forwards", games, f"games; after six hours and twelve hours later: {words}")


def _groups(server, chance):
    """As many games as fit into ten minutes, each by people who behave in another way."""
    for group in range(GROUPS):
        people = [Connection(server.port, address=f"10.0.0.{chance.randrange(256)}") for _ in range(MEMBERS)]
        tokens = [f"device-token-{chance.randrange(10 ** 12)}" for _ in people]
        keyed = [("Idempotency-Key", f'"{chance.randrange(10 ** 12)}"')]
        room = people[0].ask("POST", "/v1/rooms", tokens[0], {"nickname": "민지"}, keyed).body
        path = f"/v1/rooms/{room['pin']}"
        listener = Connection(server.port)
        listener.socket.sendall(
            f"GET {path}/events HTTP/1.1\r\nHost: hansang\r\nAuthorization: Bearer {tokens[1]}\r\n\r\n".encode())
        for person, token in zip(people, tokens):
            taste = {"answers": {"spicy": chance.choice(["like", "dislike"])}, "vetoes": chance.sample(["meat", "seafood"], 1)}
            _expect(person.ask("PUT", f"{path}/submission", token, taste), 200, 201)
        if chance.random() < 0.8:
            _expect(people[0].ask("POST", f"{path}/reveal", tokens[0], None, [("Idempotency-Key", f'"reveal-{tokens[0]}"')]), 200)
            _expect(people[2].ask("GET", f"{path}/result", tokens[2]), 200)
        if chance.random() < 0.2:
            _expect(people[0].ask("DELETE", path, tokens[0]), 204)
        elif chance.random() < 0.3:
            # Held, and hung up on.
            people[3].socket.sendall(
                f"GET {path}?after=999999&wait=20 HTTP/1.1\r\nHost: hansang\r\nAuthorization: Bearer {tokens[3]}\r\n\r\n".encode())
        _expect(people[1].ask("POST", "/v1/solo", tokens[1], {"answers": {"spicy": "like"}}), 200)
        _expect(people[4].ask("GET", "/v1/rooms/000000", tokens[4]), 404, 200, 429)
        # Half of them go in the middle of a request.
        if group % 2:
            people[5].socket.sendall(b"PUT /v1/rooms/123456/submission HTTP/1.1\r\nHost: hans")
        for connection in [listener, *people]:
            connection.close()
    return GROUPS


def _expect(answer, *statuses):
    if answer.status not in statuses:
        raise Failure(f"answered {answer.status}: {answer.content.decode(errors='replace')[:300]}")


def _wait_until_it_is_empty(server, store, clock):
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as look:
            left = sum(look.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("room", "member", "submission", "receipt"))
        look.close()
        if left == 0:
            return
        time.sleep(0.5)
    raise Failure(f"{left} rows are still there, long after everything has ended")


def _holdings(server, store):
    """In bytes, but for the descriptors. The connections were closed by us; that the server has seen it takes a moment."""
    process = Path(f"/proc/{server.pid}")
    descriptors, deadline = 10 ** 9, time.monotonic() + 20
    while time.monotonic() < deadline:
        now = len(list((process / "fd").iterdir()))
        if now >= descriptors:
            break
        descriptors = now
        time.sleep(2)
    memory = next(int(line.split()[1]) * 1024 for line in (process / "status").read_text().splitlines() if line.startswith("VmRSS"))
    return {"memory": memory, "descriptors": now, "file": store.stat().st_size}
