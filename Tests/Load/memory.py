#!/usr/bin/env python3
"""`make bench-memory`: what rooms, members, connections and streams take of the server's memory, and rooms of the disk.

Memory is what the process has in RAM, before and after; what the allocator keeps for itself is in it.
"""

import json
import sys
import tempfile
from pathlib import Path

from bench import CATALOGUE, PROGRAM, PROJECT, SEED, describe_machine
from game import Client, Players, Room, in_parallel
from load import ask
from servers import Hansang

#: Rooms, and members of each who have all answered.
SMALL, LARGE = (3000, 8), (150, 108)
OPEN = 3000


class Server(Hansang):
    def command(self):
        return [*super().command(), "--max-streams-per-address", OPEN]


def main():
    sys.stdout.reconfigure(line_buffering=True)
    describe_machine()
    with tempfile.TemporaryDirectory(prefix="memory-", dir=PROJECT / ".build") as folder:
        players = Players(json.loads(CATALOGUE.read_text()), SEED)
        with Server(folder, PROGRAM) as hansang:
            # What is made when it is first needed is not the rooms'.
            fill(hansang, players, "warm", 50, 8)
            empty = hansang.resident()
            say("the server, with next to nothing in it", empty)
            with Client(hansang.port) as client:
                room = Room(client, "watched", 1)
            # They stay until the end: what one leaves behind would be the next one's.
            sockets = []
            for name, request in {"an idle connection": "GET /healthz", "an open stream": f"GET {room.path}/events"}.items():
                before = hansang.resident()
                sockets += [ask(hansang.port, request) for _ in range(OPEN)]
                say(name, (hansang.resident() - before) / OPEN)
            before = hansang.resident()
            small = (fill(hansang, players, "small", *SMALL) - before) / SMALL[0]
            say(f"a room of {SMALL[1]} who have answered", small)
            before = hansang.resident()
            large = (fill(hansang, players, "large", *LARGE) - before) / LARGE[0]
            say("each further member", (large - small) / (LARGE[1] - SMALL[1]))
        # The log is home now.
        say(f"a room of {SMALL[1]} on disk, about",
            Path(folder, "rooms.sqlite").stat().st_size / (SMALL[0] + 50 + LARGE[0] * LARGE[1] / SMALL[1]))


def fill(hansang, players, name, count, size):
    """Opens rooms and has all their members answer; what the server then takes."""
    rooms = in_parallel(hansang.port, lambda client, number: Room(client, f"{name}-{number}", size), range(count))
    sheets = [(room, token, players.answers(players.group_vetoes())) for room in rooms for token in room.tokens]
    in_parallel(hansang.port, lambda client, sheet: sheet[0].submit(client, *sheet[1:]), sheets)
    return hansang.resident()


def say(what, count):
    print(f"{what:44}{count / 1024:>12.1f} KiB")


if __name__ == "__main__":
    main()
