#!/usr/bin/env python3
"""`make bench-cluster`: one, two and four nodes at one PostgreSQL, beside one that keeps its rooms in a file, in the same run.

What is compared runs in turn, round by round. Prints tables; ends with another status than 0 where something did not work, never because
a figure is low. All of it shares the cores of one machine: database, nodes, and wrk.
"""

import argparse
import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import load
from bench import ANSWERS, CATALOGUE, PROGRAM, PROJECT, SEED, Crowd, describe_machine, heading, in_turn, note, table
from clusters import Cluster, Database, folder_for
from game import Players
from notices import notices
from servers import Hansang, tied

GAME_CONNECTIONS = 32


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=int, default=5, help="of each round")
    options.add_argument("--nodes", type=lambda text: [int(size) for size in text.split(",")], default=[1, 2, 4], help="of each cluster")
    options.add_argument("--rooms", type=int, default=500, help="of eight members each")
    options = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.stdout.reconfigure(line_buffering=True)
    describe_machine()
    tempfile.tempdir = folder_for(PROJECT / ".build")
    with tempfile.TemporaryDirectory(prefix="bench-cluster-") as folder, ExitStack() as stack:
        database = stack.enter_context(Database())
        print(f"PostgreSQL {database.query('SHOW server_version')}, synchronous_commit on, no standby, shared_buffers 32 MB, in {tempfile.tempdir}")
        file = Path(folder, "file")
        file.mkdir()
        clusters = [stack.enter_context(Cluster(Path(folder), PROGRAM, database, size)) for size in options.nodes]
        servers = {"SQLite": stack.enter_context(Hansang(file, PROGRAM)), **{cluster.name: cluster for cluster in clusters}}
        players = Players(json.loads(CATALOGUE.read_text()), SEED)
        answers = Path(folder, "answers")
        answers.write_text("\n".join(players.answers(players.group_vetoes()) for _ in range(ANSWERS)))
        submissions(servers, database, folder, answers, options)
        one_room(servers, folder, answers, options)
        games(servers, database, answers, options)
        notices(clusters[-1], folder, answers, options)


def submissions(servers, database, folder, answers, options):
    """Durable PUT …/submission into small rooms, whose members are spread over all nodes."""
    crowds = {}
    for name, server in servers.items():
        crowds[name] = Crowd(server, folder, answers, f"{name} groups", options.rooms, 8)
        if len(getattr(server, "ports", [])) > 1:
            crowds[f"{name}, by room"] = Crowd(server, folder, answers, f"{name} by room", options.rooms, 8, shares=len(server.ports))
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
    heading(f"PUT /v1/rooms/{{pin}}/submission: durable, {options.rooms} rooms of 8", options)
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


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
