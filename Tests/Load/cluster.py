#!/usr/bin/env python3
"""`make bench-cluster`: one, two and four nodes at one PostgreSQL, beside one that keeps its rooms in a file, in the same run.

What is compared runs in turn, round by round. Prints tables; ends with another status than 0 where something did not work, never because
a figure is low. All of it shares the cores of one machine: database, nodes, and wrk.
"""

import argparse
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from statistics import median

sys.path.append(str(Path(__file__).resolve().parent.parent / "Support"))

import load  # noqa: E402
import postgres  # noqa: E402
from bench import ANSWERS, CATALOGUE, PROGRAM, PROJECT, SEED, Crowd, describe_machine, heading, in_turn, note, table  # noqa: E402
from game import Client, Players  # noqa: E402
from servers import HOST, Hansang, children, cpu_seconds, tied  # noqa: E402

SIZES = (1, 2, 4)
GAME_CONNECTIONS = 32


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=int, default=5, help="of each round")
    options = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.stdout.reconfigure(line_buffering=True)
    describe_machine()
    # Where a sync costs what it costs, which it does not in memory.
    tempfile.tempdir = PROJECT / ".build"
    with tempfile.TemporaryDirectory(prefix="bench-cluster-") as folder, ExitStack() as stack:
        database = stack.enter_context(Database())
        print(f"PostgreSQL {database.query('SHOW server_version')}, synchronous_commit on, no standby, shared_buffers 32 MB")
        file = Path(folder, "file")
        file.mkdir()
        clusters = {_name(size): stack.enter_context(Cluster(Path(folder), database, size)) for size in SIZES}
        servers = {"SQLite": stack.enter_context(Hansang(file, PROGRAM)), **clusters}
        players = Players(json.loads(CATALOGUE.read_text()), SEED)
        answers = Path(folder, "answers")
        answers.write_text("\n".join(players.answers(players.group_vetoes()) for _ in range(ANSWERS)))
        submissions(servers, database, folder, answers, options)
        one_room(servers, folder, answers, options)
        games(servers, database, answers, options)
        largest = clusters[_name(SIZES[-1])]
        notices(largest, folder, answers, options)


def _name(size):
    return f"{size} node{'s' * (size > 1)}"


class Database(postgres.Server):
    """One PostgreSQL, with a database for each cluster: notices stay within one."""

    name = "postgres"

    def __init__(self):
        super().__init__([])

    def query(self, sql):
        done = subprocess.run([f"{self.bin}/psql", "-XAtq", "-d", self.uri(), "-c", sql], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"psql: {done.stderr}")
        return done.stdout.strip()

    def cpu_seconds(self):
        return sum(map(cpu_seconds, [self.process.pid, *children(self.process.pid)]))

    def counts(self, name):
        """(transactions of a database, syncs of all), with what backends have not reported for a second."""
        time.sleep(1.5)
        return [int(number) for number in self.query(
            f"SELECT xact_commit, (SELECT wal_sync FROM pg_stat_wal) FROM pg_stat_database WHERE datname = '{name}'").split("|")]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


class Node(Hansang):
    def __init__(self, folder, uri):
        folder.mkdir()
        super().__init__(folder, PROGRAM)
        self.uri = uri

    def command(self):
        # Not a flag, for its address has a password in it.
        return ["env", f"HANSANG_STORE={self.uri}", f"HANSANG_TOKEN_KEY={self.folder.parent}/token.key", self.program, "serve", "--host", HOST,
                "--port", self.port, "--rooms-per-hour", 1_000_000]


class Cluster:
    """Nodes at a database of their own, as one server that has several ports."""

    def __init__(self, folder, database, size):
        self.name = _name(size)
        self.folder = folder / f"cluster-{size}"
        self.folder.mkdir()
        self.database = f"cluster_{size}"
        self.postgres = database
        database.query(f"CREATE DATABASE {self.database}")
        self.nodes = [Node(self.folder / str(number), database.uri(self.database)) for number in range(size)]
        self.stack = ExitStack()

    def __enter__(self):
        with ExitStack() as stack:
            for node in self.nodes:
                stack.enter_context(node)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *exception):
        return self.stack.__exit__(*exception)

    @property
    def ports(self):
        return [node.port for node in self.nodes]

    @property
    def port(self):
        return self.nodes[0].port

    def cpu_seconds(self):
        """Of the nodes and of the database."""
        return sum(node.cpu_seconds() for node in self.nodes) + self.postgres.cpu_seconds()

    def forget_log(self):
        for node in self.nodes:
            node.forget_log()


def submissions(servers, database, folder, answers, options):
    """Durable PUT …/submission into 500 rooms of 8, whose members are spread over all nodes."""
    crowds = {}
    for name, server in servers.items():
        crowds[name] = Crowd(server, folder, answers, f"{name} groups", 500, 8)
        if len(getattr(server, "ports", [])) > 1:
            crowds[f"{name}, by room"] = Crowd(server, folder, answers, f"{name} by room", 500, 8, shares=len(server.ports))
    rounds = in_turn(options, {name: crowd.submit for name, crowd in crowds.items()})
    columns = {"transactions": {}, "syncs": {}, "round trips": {}}
    for name, crowd in crowds.items():
        if isinstance(crowd.server, Cluster):
            before = database.counts(crowd.server.database)
            thousands = crowd.submit(options.seconds).requests / 1000
            for column, after, start in zip(columns, database.counts(crowd.server.database), before):
                columns[column][name] = (after - start) / thousands
            columns["round trips"][name] = round_trips(crowd.server, database, crowd)
    for crowd in crowds.values():
        crowd.check()
    heading("PUT /v1/rooms/{pin}/submission: durable, 500 rooms of 8", options)
    table("submissions/s", rounds, {"cores": cores(rounds), **columns})
    note("CPU and cores: of the nodes and of PostgreSQL; the last columns are per 1,000 submissions, in a further round")
    note("each room's members ask all nodes in turn; by room: all of a room ask one, as docker/proxy/nginx.conf has them do")
    note("round trips: from a node to PostgreSQL and back, seen by strace, which slows the nodes down")
    note("all were 2xx, and the revisions and counts of the rooms add up to them")


def round_trips(cluster, database, crowd):
    """How often per 1,000 submissions the nodes send to the database after having read from it."""
    report = cluster.folder / "strace.txt"
    processes = [f"--attach={node.process.pid}" for node in cluster.nodes]
    with subprocess.Popen(tied("strace", "-qq", "-f", "-yy", "-s", "0", "-e", "trace=sendto,recvfrom", "-o", report, *processes)) as strace:
        time.sleep(0.5)
        try:
            requests = crowd.submit(2).requests
        finally:
            strace.terminate()
    last, trips = {}, 0
    for call, connection in re.findall(rf"(sendto|recvfrom)\(\d+<TCP:\[[^>]*:(\d+)->[^>]*:{database.port}\]>", report.read_text()):
        trips += call == "sendto" and last.get(connection) != "sendto"
        last[connection] = call
    return trips / requests * 1000


def one_room(servers, folder, answers, options):
    """The same into one room of 500, which all nodes want at once."""
    crowds = {name: Crowd(server, folder, answers, f"{name} crowd", 1, 500) for name, server in servers.items()}
    rounds = in_turn(options, {name: crowd.submit for name, crowd in crowds.items()})
    for crowd in crowds.values():
        crowd.check()
    heading("The same into one room of 500, which all nodes want at once", options)
    table("submissions/s", rounds, {"cores": cores(rounds)})


def cores(rounds):
    """How many of the machine's the nodes and the database have had; wrk and strangers have the rest."""
    return {name: median(each.rate * each.cpu / 10_000 for each in of) for name, of in rounds.items()}


def games(servers, database, answers, options):
    number = 0

    def play(server, seconds):
        nonlocal number
        number += 1
        return load.run(server, seconds, script="games.lua", arguments=[answers, str(number)], threads=GAME_CONNECTIONS)

    rounds = in_turn(options, {name: lambda seconds, server=server: play(server, seconds) for name, server in servers.items()})
    columns = {"games/s": {name: median(each.games for each in of) for name, of in rounds.items()}, "cores": cores(rounds),
               "transactions": {}, "syncs": {}}
    for name, server in servers.items():
        if isinstance(server, Cluster):
            before = database.counts(server.database)
            requests = play(server, options.seconds).requests
            for column, after, start in zip(["transactions", "syncs"], database.counts(server.database), before):
                columns[column][name] = (after - start) / requests * 1000
    heading("Whole games: a room is opened, three join, four submit, the host reveals, four read the result (13 requests)", options)
    table("requests/s", rounds, columns)
    note(f"{GAME_CONNECTIONS} connections, each with one game after the other at one node; the last columns are per 1,000 requests")


def notices(cluster, folder, answers, options):
    """How long after it was sent to one node a write has come to a stream of another."""
    crowd = Crowd(cluster, folder, answers, "notices", 100, 8)
    idle = _notices(cluster, 200)
    with ThreadPoolExecutor(1) as aside:
        loading = aside.submit(crowd.submit, options.seconds + 2)
        time.sleep(1)
        busy = _notices(cluster, 200, until=time.monotonic() + options.seconds)
        loading.result()
    crowd.check()
    print(f"\nFrom a write sent to one node to its event at a stream of another, of {len(cluster.nodes)}: milliseconds")
    print(f"{'':16}{'writes':>10}{'answer p50':>12}{'event p50':>12}{'event p99':>12}{'after the answer p50':>22}")
    for name, times in {"idle": idle, "under load": busy}.items():
        cells = [at([answer for answer, _ in times], 0.5), at([event for _, event in times], 0.5), at([event for _, event in times], 0.99)]
        after = at([event - answer for answer, event in times], 0.5)
        print(f"{name:16}{len(times):>10}" + "".join(f"{cell * 1000:>12.1f}" for cell in cells) + f"{after * 1000:>22.1f}")


def at(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def _notices(cluster, count, until=float("inf")):
    """(seconds to the answer, seconds to the event) of writes, one after the other."""
    here, there = cluster.ports[0], cluster.ports[-1]
    token = "notices-member-0001"
    with Client(here) as client:
        room = json.loads(client.call("POST", "/v1/rooms", token))
        path = f"/v1/rooms/{room['pin']}"
        stream, writer = socket.create_connection((HOST, there)), socket.create_connection((HOST, here))
        with stream, writer:
            stream.sendall(f"GET {path}/events HTTP/1.1\r\nHost: h\r\n\r\n".encode())
            read_until(stream, rb"id: \d+\n")
            times = []
            while len(times) < count and time.monotonic() < until:
                body = json.dumps({"nickname": f"name-{len(times)}"}).encode()
                began = time.monotonic()
                writer.sendall(
                    f"PUT {path}/members/me HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
                    f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
                times.append(both(writer, stream, began))
        client.call("DELETE", path, token)
    return times


def both(writer, stream, began):
    texts, moments = {writer: b"", stream: b""}, {}
    ends = {writer: re.compile(rb'"sequence":(\d+)'), stream: re.compile(rb"id: (\d+)\n")}
    while len(moments) < 2:
        ready, _, _ = select.select([one for one in texts if one not in moments], [], [], 30)
        if not ready:
            raise SystemExit(f"a write is not heard of at the other node: {texts[writer]}")
        for one in ready:
            texts[one] += one.recv(1 << 16)
            if ends[one].search(texts[one]):
                moments[one] = time.monotonic() - began
    return moments[writer], moments[stream]


def read_until(connection, pattern):
    text = b""
    while not re.search(pattern, text):
        text += connection.recv(1 << 16)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
