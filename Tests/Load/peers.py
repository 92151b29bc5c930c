#!/usr/bin/env python3
"""`make bench-peers`: the same work on hansang and on what else people would take, in turn, round by round.

The work: to read a room of eight, and to take a durable submission of one of its members. Leaves `peers.md` and `peers.svg` in the build
folder. Like `make bench` it judges nothing by its figures.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import load
from bench import ANSWERS, CATALOGUE, PROGRAM, PROJECT, SEED, describe_machine, heading, in_turn, note, table
from game import Client, Players, Room, in_parallel
from servers import HOST, Hansang, Nginx, Redis, Server

BUILD = PROJECT / ".build"
PEERS = Path(__file__).parent / "peers"
ROOMS, MEMBERS = 500, 8


class FastAPI(Server):
    """FastAPI on uvicorn, a process a core, over SQLite."""

    name = "FastAPI"

    def command(self):
        environment = BUILD / "peers-venv"
        if not (environment / "bin/uvicorn").exists():
            subprocess.run([sys.executable, "-m", "venv", environment], check=True)
            subprocess.run([environment / "bin/pip", "install", "-q", "-r", PEERS / "requirements.txt"], check=True)
        return ["env", f"PEER_DATABASE={self.folder}/fastapi.sqlite", environment / "bin/uvicorn", "peer:app", "--app-dir", PEERS, "--host", HOST,
                "--port", self.port, "--workers", os.cpu_count(), "--no-access-log", "--log-level", "warning"]


class Go(Server):
    """net/http of Go, over SQLite."""

    name = "Go"

    def command(self):
        program = BUILD / "peer-go"
        # Debian's libraries for Go, and nothing from elsewhere.
        environment = os.environ | {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": str(BUILD / "go-cache")}
        subprocess.run(["go", "build", "-o", program, PEERS / "peer.go"], check=True, env=environment)
        return [program, f"{HOST}:{self.port}", f"{self.folder}/go.sqlite"]


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=int, default=5, help="of each round")
    options = options.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    describe_machine()
    with tempfile.TemporaryDirectory(prefix="peers-", dir=BUILD) as folder:
        players = Players(json.loads(CATALOGUE.read_text()), SEED)
        answers = Path(folder, "answers")
        answers.write_text("\n".join(players.answers(players.group_vetoes()) for _ in range(ANSWERS)))
        with Hansang(folder, PROGRAM) as hansang, FastAPI(folder) as fastapi, Go(folder) as go, Redis(folder) as redis:
            crowds = [Crowd(server, folder, answers) for server in (hansang, go, fastapi)]
            with Client(hansang.port) as client:
                body = client.call("GET", crowds[0].room.path, crowds[0].room.host)
                content_type = client.content_type
            with Nginx(folder, body, content_type) as nginx:
                work = {"hansang": crowds[0].read, "nginx": lambda seconds: load.run(nginx, seconds, crowds[0].room.path)}
                work |= {"Redis": lambda seconds: load.get_in_redis(redis, seconds, len(body))}
                reads = in_turn(options, work | {crowd.server.name: crowd.read for crowd in crowds[1:]})
            value = players.answers([])
            work = {"hansang": crowds[0].submit, "Redis": lambda seconds: load.set_in_redis(redis, seconds, ROOMS * MEMBERS, value)}
            writes = in_turn(options, work | {crowd.server.name: crowd.submit for crowd in crowds[1:]})
    heading(f"A room of {MEMBERS} is read ({len(body)} bytes)", options)
    table("requests/s", reads)
    note("nginx answers with the same bytes each time, Redis with a value of as many")
    heading("A submission is taken, and on disk before it is answered", options)
    table("requests/s", writes)
    note("Redis: appendfsync always; Go and FastAPI: a transaction of SQLite's each, in WAL mode, synchronous = FULL, as hansang's batches")
    write_files(reads, writes)


class Crowd:
    """The rooms of one server, whose members submit again and again."""

    def __init__(self, server, folder, answers):
        self.server = server
        self.answers = answers
        self.rooms = in_parallel(server.port, lambda client, number: Room(client, f"peer-{number}", MEMBERS), range(ROOMS))
        self.members = Path(folder, f"members of {server.name}")
        self.members.write_text("\n".join(f"{room.pin} {room.tokens[number]}" for number in range(MEMBERS) for room in self.rooms))
        self.runs = 0
        self.room = self.rooms[0]
        with Client(server.port) as client:
            for token in self.room.tokens:
                self.room.submit(client, token, '{"answers":{},"vetoes":[]}')
            snapshot = self.room.snapshot(client, self.room.host)
            if snapshot["submissionCount"] != MEMBERS or len(snapshot["members"]) != MEMBERS:
                raise SystemExit(f"{server.name} does other work: {snapshot}")

    def read(self, seconds):
        return load.run(self.server, seconds, self.room.path, self.room.host)

    def submit(self, seconds):
        self.runs += 1
        return load.run(
            self.server, seconds, script="submissions.lua", arguments=[self.members, self.answers, str(self.runs * 1_000_003)])


def write_files(reads, writes):
    names = sorted({*reads, *writes}, key=lambda name: -load.middle(reads[name], "rate"))
    rate = {name: [load.middle(of[name], "rate") if name in of else None for of in (reads, writes)] for name in names}
    lines = ["| | reads a second | durable submissions a second |", "|---|---|---|"]
    lines += [f"| {name} | " + " | ".join("–" if figure is None else f"{figure:.0f}" for figure in rate[name]) + " |" for name in names]
    (BUILD / "peers.md").write_text("\n".join(lines) + "\n")
    (BUILD / "peers.svg").write_text(picture(names, rate))
    print(f"\n{BUILD / 'peers.md'}, {BUILD / 'peers.svg'}")


def picture(names, rate):
    """Bars, a panel for each kind of work."""
    width, bar, left = 720, 26, 90
    parts, y = [], 10
    for column, title in enumerate(["Reads a second", "Durable submissions a second"]):
        figures = [(name, rate[name][column]) for name in names if rate[name][column] is not None]
        largest = max(figure for _, figure in figures)
        y += 24
        parts.append(f'<text x="{left}" y="{y}" font-weight="bold">{title}</text>')
        y += 10
        for name, figure in sorted(figures, key=lambda pair: -pair[1]):
            length = max(1, round((width - left - 90) * figure / largest))
            color = "#c8412b" if name == "hansang" else "#9aa5b1"
            parts.append(f'<text x="{left - 8}" y="{y + 18}" text-anchor="end">{name}</text>'
                         f'<rect x="{left}" y="{y + 4}" width="{length}" height="{bar - 8}" rx="2" fill="{color}"/>'
                         f'<text x="{left + length + 6}" y="{y + 18}">{figure:,.0f}</text>')
            y += bar
        y += 16
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" font-family="sans-serif" font-size="14">'
            f'<rect width="{width}" height="{y}" fill="#fff"/>{"".join(parts)}</svg>\n')


if __name__ == "__main__":
    main()
