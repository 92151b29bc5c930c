"""The wall clock is put two hours forwards and backwards while the server runs.

Time-outs, heartbeats and held answers do not care; deadlines and the ends of rooms follow it without a stall; sequences keep rising.
"""

import mmap
import random
import struct
import time

from look import look
from players import start_playing
from server import Failure, Server, check
from shims import shim
from wire import Connection, Lost
from world import World

HOUR = 3600
#: For what has to come soon on the busiest machine; a stall would be of hours.
SOON = 20


class Clock:
    def __init__(self, folder):
        path = folder / "clock.control"
        path.write_bytes(bytes(4096))
        with open(path, "r+b") as file:
            self.page = mmap.mmap(file.fileno(), 4096)
        self.environment = {"LD_PRELOAD": str(shim(folder, "clock")), "CLOCK_CONTROL": str(path)}
        self.hours = 0

    def set(self, hours):
        """So many hours from the system's."""
        self.hours = hours
        struct.pack_into("q", self.page, 0, int(hours * HOUR * 1_000_000_000))

    def now(self):
        """Milliseconds, as the server sees them."""
        return time.time_ns() // 1_000_000 + int(self.hours * HOUR * 1000)


def run(folder, seed, is_long, report):
    clock = Clock(folder)
    for hours in (2, -2):
        clock.set(0)
        (folder / f"clock{hours}").mkdir()
        with Server(folder / f"clock{hours}" / "rooms.sqlite", environment=clock.environment, arguments=["--room-hours", "3"]) as server:
            # A clock put back is what a timer by the wall would stall on.
            _held_answers(server, clock, hours, waits=is_long or hours < 0)
            _deadlines(server, clock)
            _ends(server, clock)
    report.ran("the wall clock two hours forwards, and backwards", 2, "held answers, heartbeats, deadlines and ends of rooms, each twice")
    _under_load(folder, clock, seed, 100 if is_long else 10, report)


class Stream:
    """The events of a room."""

    def __init__(self, server, path, token):
        self.connection = Connection(server.port, patience=SOON)
        self.connection.socket.sendall(
            f"GET {path}/events HTTP/1.1\r\nHost: hansang\r\nAuthorization: Bearer {token}\r\n"
            "Connection: close\r\n\r\n".encode())

    def next(self, what):
        """Waits for what makes `what` true, one block at a time, and returns it; `None` where the stream ends."""
        deadline = time.monotonic() + SOON
        while time.monotonic() < deadline:
            while b"\n\n" not in self.connection.bytes:
                try:
                    self.connection.read()
                except Lost:
                    return None
                except TimeoutError:
                    raise Failure("a stream says nothing") from None
            block, _, self.connection.bytes = self.connection.bytes.partition(b"\n\n")
            if what(block):
                return block
        raise Failure("a stream does not say what it should")


def _held_answers(server, clock, hours, waits):
    """A held answer is held as long as was asked for, a stream has its heartbeat, and sequences rise."""
    token = "token-of-who-waits"
    with Connection(server.port, patience=SOON) as connection, Connection(server.port, patience=SOON) as other:
        room = connection.ask("POST", "/v1/rooms", token, {}).body
        path = f"/v1/rooms/{room['pin']}"
        stream = Stream(server, path, token)
        stream.next(lambda block: b"event: room" in block)
        for jump in (hours, 0):
            began = time.monotonic()
            connection.socket.sendall(
                f"GET {path}?after={room['sequence']}&wait=2 HTTP/1.1\r\nHost: hansang\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
            time.sleep(0.3)
            clock.set(jump)
            if connection.answer().status != 200 or time.monotonic() - began < 1.9:
                raise Failure(f"an answer was held for {time.monotonic() - began} s where 2 were asked for")
            later = other.ask("PUT", f"{path}/submission", token, {"answers": {"spicy": "like" if jump else "dislike"}}).body["room"]
            if later["sequence"] <= room["sequence"]:
                raise Failure(f"the sequence went from {room['sequence']} to {later['sequence']}")
            if abs(later["serverTime"] - clock.now()) > SOON * 1000:
                raise Failure(f"the server's time is {later['serverTime']} where it is {clock.now()}")
            room = later
            if stream.next(lambda block: b"id: %d\n" % room["sequence"] in block) is None:
                raise Failure("a stream has ended with the clock")
            if jump and waits:
                # A comment every 15 seconds, before which stands the length of its chunk.
                stream.next(lambda block: b"\n:" in b"\n" + block)


def _deadlines(server, clock):
    """Whoever listens hears of a reveal when the clock has come to its deadline, and not before."""
    token = "token-of-who-has-a-deadline"
    clock.set(0)
    with Connection(server.port, patience=SOON) as connection:
        wish = {"deadlineAt": clock.now() + HOUR * 1000, "revealWhen": {"host": False, "deadline": True}}
        room = connection.ask("POST", "/v1/rooms", token, wish).body
        path = f"/v1/rooms/{room['pin']}"
        connection.ask("PUT", f"{path}/submission", token, {"answers": {"spicy": "like"}})
        stream = Stream(server, path, token)
        stream.next(lambda block: b"event: room" in block)
        for hours in (-2, 0.9):
            clock.set(hours)
            time.sleep(0.6)
            if connection.ask("GET", path, token).body["phase"] != "open":
                raise Failure("a room is revealed before its deadline")
        clock.set(2)
        if stream.next(lambda block: b'"phase":"revealed"' in block) is None:
            raise Failure("nobody heard of a deadline that the clock jumped over")
        result = connection.ask("GET", f"{path}/result", token)
        # Once revealed it stays so, wherever the clock goes.
        clock.set(-2)
        if result.status != 200 or connection.ask("GET", f"{path}/result", token).content != result.content:
            raise Failure("a result does not outlast the clock")


def _ends(server, clock):
    """A room ends when the clock says so, for whoever listens, too."""
    token = "token-of-who-stays-too-long"
    clock.set(0)
    with Connection(server.port, patience=SOON) as connection:
        room = connection.ask("POST", "/v1/rooms", token, {}).body
        path = f"/v1/rooms/{room['pin']}"
        stream = Stream(server, path, token)
        stream.next(lambda block: b"event: room" in block)
        clock.set(2)
        if connection.ask("GET", path, token).status != 200:
            raise Failure("a room has ended too early")
        clock.set(4)
        # Whatever it says, its end has to come.
        if stream.next(lambda block: False) is not None:
            raise Failure("a stream outlives its room")
        if connection.ask("GET", path, token).status != 404:
            raise Failure("a room has not ended")
        if connection.ask("POST", "/v1/rooms", token, {}).status != 201:
            raise Failure("no room is opened after the clock has jumped")


def _under_load(folder, clock, seed, cycles, report):
    """Clients at work while the clock goes anywhere, and kills between."""
    chance, world, store = random.Random(f"clock-{seed}"), World(f"{seed}-clock"), folder / "jumping.sqlite"
    jumps = 0
    clock.set(0)
    server = Server(store, environment=clock.environment)
    try:
        for _ in range(cycles):
            if not server.wait_until_it_serves():
                raise Failure(f"it does not start: {server.words()}")
            look(world, server.port, chance)
            play, players = start_playing(world, server.port, f"{seed}-{jumps}", 16)
            for _ in range(chance.randint(1, 4)):
                time.sleep(chance.uniform(0.01, 0.1))
                clock.set(chance.choice([-2, 0, 2]))
                jumps += 1
            server.kill()
            play.stopped.set()
            for player in players:
                player.join()
            server = Server(store, environment=clock.environment)
        if not server.wait_until_it_serves():
            raise Failure(f"it does not start: {server.words()}")
        look(world, server.port, chance)
        check(store)
    finally:
        server.kill()
        clock.set(0)
    report.ran("the clock jumps under load, and kills between", jumps, world.words())
