#!/usr/bin/env python3
"""`make bench`: how fast hansang is on this machine, beside nginx in the same run.

A single figure says little where other work shares the cores, so what is compared runs in turn, round by round, and the ratios count.
Ends with another status than 0 where something did not work, never because a figure is low.
"""

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median

import load
from game import Client, Players, Room, in_parallel
from servers import Hansang, Nginx, Redis

PROJECT = Path(__file__).resolve().parents[2]
PROGRAM = PROJECT / ".build/release/hansang"
CATALOGUE = PROJECT / "Resources/catalogue.json"
SEED = 20260101

#: Rooms, and members in each: what a lunch looks like, and the largest crowds that many would make.
SUBMISSION_ROOMS = {"groups of 8": (500, 8), "crowds of 400": (20, 400)}
#: Bodies to take turns. A prime, so that no member is given the same again.
ANSWERS = 997
#: Members, and rooms of that size to take the median of.
REVEALS = {5: 15, 50: 15, 500: 5}


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=int, default=5, help="of each round")
    options = options.parse_args()
    # So that what has been started is also ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.stdout.reconfigure(line_buffering=True)
    describe_machine()
    # Beside the build and not in /tmp, which may be memory: there a sync would cost nothing.
    with tempfile.TemporaryDirectory(prefix="bench-", dir=PROJECT / ".build") as folder:
        with Hansang(folder, PROGRAM) as hansang:
            players = Players(json.loads(CATALOGUE.read_text()), SEED)
            room = reads(hansang, folder, players, options)
            submissions(hansang, folder, players, options)
            reveals(hansang, players, room)
        # Last, for so many closed connections make the loopback slower for a minute.
        idle_connections(folder)


def reads(hansang, folder, players, options):
    """GET /v1/rooms/{pin} beside nginx with the same body."""
    with Client(hansang.port) as client:
        room = Room(client, "read", 3)
        for nickname, token in zip(["민지", "하니", "Danielle"], room.tokens):
            client.call("PUT", f"{room.path}/members/me", token, json.dumps({"nickname": nickname}))
        for token in room.tokens[:2]:
            room.submit(client, token, players.answers([]))
        body = client.call("GET", room.path, room.tokens[1])
        content_type = client.content_type
    with Nginx(folder, body, content_type) as nginx:
        with Client(nginx.port) as client:
            if client.call("GET", room.path, room.tokens[1]) != body or client.content_type != content_type:
                raise SystemExit("nginx does not answer with the same body")
        servers = [hansang, nginx]
        rounds = in_turn(options, {
            server.name: lambda seconds, server=server: load.run(server, seconds, room.path, room.tokens[1]) for server in servers})
        calls = {server.name: load.calls(server, 2, partial(load.run, server, path=room.path, token=room.tokens[1])) for server in servers}
    heading(f"GET /v1/rooms/{{pin}}: a room of 3, {len(body)} bytes, beside nginx `return 200` with the same body", options)
    table("requests/s", rounds, {"calls each": calls})
    ratios(rounds, "hansang", "nginx")
    note("hansang logs every request to a file, nginx none")
    note("calls each: system calls a request, counted under strace in further rounds")
    return room


def idle_connections(folder):
    """Memory of a connection that waits, in servers that have done nothing else."""
    print("\nMemory of an idle connection, on which a request was answered")
    fresh = Path(folder, "fresh")
    fresh.mkdir()
    for server in (Hansang(fresh, PROGRAM), Nginx(fresh, b"{}", "application/json")):
        with server:
            print(f"{server.name:16}{load.idle_memory(server, '/healthz') / 1024:>11.1f} KiB")


def submissions(hansang, folder, players, options):
    """Durable PUT /v1/rooms/{pin}/submission, in small rooms and in large ones, beside SET in a Redis that syncs each."""
    answers = Path(folder, "answers")
    answers.write_text("\n".join(players.answers(players.group_vetoes()) for _ in range(ANSWERS)))
    crowds = {name: Crowd(hansang, folder, answers, name, *sizes) for name, sizes in SUBMISSION_ROOMS.items()}
    with Redis(folder) as redis:
        keys, value = SUBMISSION_ROOMS["groups of 8"][0] * SUBMISSION_ROOMS["groups of 8"][1], players.answers([])
        rounds = in_turn(options, {name: crowd.submit for name, crowd in crowds.items()} | {
            "redis": lambda seconds: load.set_in_redis(redis, seconds, keys, value)})
    syncs = {name: load.syncs(hansang, 3, crowd.submit) for name, crowd in crowds.items()}
    for crowd in crowds.values():
        crowd.check()
    heading("PUT /v1/rooms/{pin}/submission: durable, with other tokens and answers each time", options)
    table("submissions/s", rounds, {"a sync": syncs})
    ratios(rounds, "groups of 8", "redis")
    for name, (count, size) in SUBMISSION_ROOMS.items():
        note(f"{name}: {count} rooms, {count * size} tokens; an answer brings the room's whole snapshot along")
    note("redis: appendfsync always, SET of as many keys to values as long as answers, by redis-benchmark with as many connections")
    note("all were 2xx, and the revisions and counts of the rooms add up to them")
    note("a sync: fdatasync and fsync counted under strace in further rounds, which it slows down: real batches are larger")


class Crowd:
    """Rooms of one size, whose members submit again and again."""

    def __init__(self, server, folder, answers, name, count, size, shares=1):
        self.server = server
        self.shares = shares
        self.answers = answers
        self.rooms = in_parallel(
            server.port, lambda client, number: Room(client, f"{name.replace(' ', '-')}-{number}", size), range(count))
        self.members = Path(folder, f"members of {name}")
        # Neighbours in the file are in different rooms, so that one batch of the server's touches many.
        self.members.write_text("\n".join(
            f"{room.pin} {room.tokens[number]}" for number in range(size) for room in self.rooms))
        self.runs = self.acknowledged = 0

    def submit(self, seconds):
        start = self.runs * 1_000_003
        self.runs += 1
        round = load.run(self.server, seconds, script="submissions.lua", arguments=[self.members, self.answers, str(start), str(self.shares)])
        self.acknowledged += round.requests
        return round

    def check(self):
        """Holds what was acknowledged against what is there: a room counts every submission taken, and its last has the number."""
        members = [(room, token) for room in self.rooms for token in room.tokens]
        revisions = in_parallel(self.server.port, lambda client, member: self.revision(client, *member), members)
        counts = in_parallel(
            self.server.port, lambda client, room: room.snapshot(client, room.host)["submissionCount"], self.rooms)
        # At its end wrk hangs up on the requests that are still on their way; they may have been taken or not.
        unanswered = self.runs * load.CONNECTIONS
        latest = {}
        for (room, _), revision in zip(members, revisions):
            latest[room.path] = max(revision, latest.get(room.path, 0))
        taken = sum(latest.values())
        if not self.acknowledged <= taken <= self.acknowledged + unanswered:
            raise SystemExit(f"{self.acknowledged} submissions were acknowledged, but {taken} are there")
        if sum(counts) != sum(revision > 0 for revision in revisions):
            raise SystemExit(f"the rooms count {sum(counts)} submissions, but {sum(map(bool, revisions))} members have one")

    @staticmethod
    def revision(client, room, token):
        submission = client.call("GET", f"{room.path}/submission", token, missing_is_fine=True)
        return json.loads(submission)["revision"] if submission else 0


def reveals(hansang, players, room):
    """POST …/reveal of rooms of several sizes, while nothing else goes on and while others read."""
    rooms = {(size, busy): [] for size in REVEALS for busy in (False, True)}
    with Client(hansang.port) as client:
        for (size, busy), group in rooms.items():
            group += [Room(client, f"reveal-{size}-{busy}-{number}", size) for number in range(REVEALS[size])]
    sheets = []
    for group in rooms.values():
        for one in group:
            vetoes = players.group_vetoes()
            sheets += [(one, token, players.answers(vetoes)) for token in one.tokens]
    in_parallel(hansang.port, lambda client, sheet: sheet[0].submit(client, *sheet[1:]), sheets)

    with Client(hansang.port) as client:
        idle = {size: [reveal(client, one) for one in rooms[size, False]] for size in REVEALS}
        with ThreadPoolExecutor(1) as aside:
            reading = aside.submit(load.run, hansang, 6, room.path, room.tokens[1])
            time.sleep(0.5)
            busy = {size: [reveal(client, one) for one in rooms[size, True]] for size in REVEALS}
            if reading.done():
                raise SystemExit("the reveals under load took longer than the load")
            reading.result()

    print("\nPOST /v1/rooms/{pin}/reveal: median (slowest), in milliseconds")
    print(f"{'members':>16}{'rooms':>8}{'idle':>20}{'under the GETs above':>28}")
    for size in REVEALS:
        cells = [f"{median(times):.1f} ({max(times):.1f})" for times in (idle[size], busy[size])]
        print(f"{size:>16}{REVEALS[size]:>8}{cells[0]:>20}{cells[1]:>28}")


def reveal(client, room):
    """Milliseconds from asking to having the result."""
    began = time.perf_counter()
    content = client.call("POST", f"{room.path}/reveal", room.host)
    took = (time.perf_counter() - began) * 1000
    result = json.loads(content)
    if result["playerCount"] != len(room.tokens) or len(result["menus"]) != 3:
        raise SystemExit(f"not the result of a room of {len(room.tokens)}: {content.decode()}")
    return took


def in_turn(options, contestants):
    """Rounds of each, one after the other and again; one short round each before that, which does not count."""
    for run in contestants.values():
        run(1)
    rounds = {name: [] for name in contestants}
    for _ in range(options.rounds):
        for name, run in contestants.items():
            rounds[name].append(run(options.seconds))
    return rounds


def heading(text, options):
    print(f"\n{text}")
    print(f"{load.CONNECTIONS} connections, the median of {options.rounds} rounds of {options.seconds} s, in turn")


def table(unit, rounds, more={}):
    titles = [unit, "p50 ms", "p99 ms", "CPU s/10k", *more]
    print(f"{'':16}" + "".join(f"{title:>15}" for title in titles))
    for name, of in rounds.items():
        cells = [f"{load.middle(of, 'rate'):.0f}", f"{load.middle(of, 'p50'):.2f}", f"{load.middle(of, 'p99'):.2f}",
                 f"{load.middle(of, 'cpu'):.3f}", *(f"{column[name]:.1f}" if name in column else "-" for column in more.values())]
        print(f"{name:16}" + "".join(f"{cell:>15}" for cell in cells))


def ratios(rounds, ours, theirs):
    """Within a round both have met the same neighbours, so the ratio is taken there."""
    cells = []
    for figure in ("rate", "p50", "p99", "cpu"):
        each = [getattr(a, figure) / getattr(b, figure) for a, b in zip(rounds[ours], rounds[theirs]) if getattr(b, figure)]
        cells.append(f"{median(each):.2f}" if each else "-")
        if figure == "rate":
            span = f"{min(each):.2f} to {max(each):.2f}"
    print(f"{ours + '/' + theirs:16}" + "".join(f"{cell:>15}" for cell in cells))
    note(f"{ours}/{theirs} requests/s in the single rounds: {span}")


def note(text):
    print(f"  · {text}")


def describe_machine():
    def said(*command):
        # wrk tells its version with status 1.
        result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin"})
        return (result.stdout + result.stderr).strip()

    def word(text, start):
        return next((line.split(":", 1)[-1].strip() for line in text.splitlines() if line.startswith(start)), "?")

    revision = said("git", "-C", str(PROJECT), "describe", "--always", "--dirty") if (PROJECT / ".git").exists() else "no repository"
    cpu = word(Path("/proc/cpuinfo").read_text(), "model name")
    system = word(Path("/etc/os-release").read_text().replace("=", ":", 1).replace('"', ""), "PRETTY_NAME")
    print(f"{os.cpu_count()} cores, {cpu}; load {os.getloadavg()[0]:.1f} at the start")
    print(f"Linux {platform.release()}, {system}; the store is on {said('stat', '-f', '-c', '%T', str(PROJECT / '.build'))}")
    print(f"{said(str(PROGRAM), '--version')} ({revision}), "
          f"{said('nginx', '-v').removeprefix('nginx version: ')}, {' '.join(said('wrk', '-v').split()[:2])}, "
          f"{said('swift', '--version').splitlines()[0]}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
