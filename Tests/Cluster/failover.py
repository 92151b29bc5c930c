"""Kills the primary under load and promotes its standby, while nodes are killed and started again, too.

What was acknowledged is held to what is there by the same search for an order as in `Tests/Durability`: whatever node a client asked, there
is one order of all commands. Only reads that were made while there was no database are left out of it: those are answered from memory.
"""

import collections
import json
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from statistics import median

from database import HangingPair, Pair
from guests import Guest, Writer, stop
from look import look
from nodes import Nodes
from patroni_pair import PatroniPair
from players import start_playing
from server import Failure
from wire import Connection
from world import World

ROOMS = 16
#: The nodes that are looked at, and the one that is killed.
STEADY, SHAKY = (0, 1), 2
STREAMS = 8


def run(folder, seed, is_long, report):
    place = folder / "failover"
    place.mkdir()
    _control(place, seed)
    _drills(place, seed, 1, Pair, 20 if is_long else 2, "primary killed, standby promoted", report)


def run_with_patroni(folder, seed, is_long, report):
    """The same where Patroni decides. The primary's lease has to run out first, so that it takes longer."""
    place = folder / "patroni"
    place.mkdir()
    _drills(place, f"{seed}-patroni", 5 if is_long else 1, PatroniPair, 1, "primary killed, standby promoted by Patroni", report)


def run_with_hanging(folder, seed, is_long, report):
    """The same where the primary hangs, so that nothing tells the nodes that it is gone."""
    place = folder / "hanging"
    place.mkdir()
    _drills(place, f"{seed}-hanging", 1, HangingPair, 5 if is_long else 1, "primary stopped and not dead, standby promoted", report)


def _drills(place, seed, pairs, new_pair, drills, title, report):
    """So many drills with each of so many pairs."""
    counts, figures = collections.Counter(), []
    for turn in range(pairs):
        world, chance = World(f"{seed}-failover-{turn}", rooms=ROOMS), random.Random(f"failover-{seed}-{turn}")
        world.counts = counts
        folder = place / f"{turn}"
        folder.mkdir()
        with new_pair() as pair, Nodes(folder, pair.uri, 3) as nodes:
            for _ in range(drills):
                number = len(figures)
                pair.attach()
                try:
                    figures.append(_drill(pair, nodes, world, chance, f"{seed}-{number}"))
                except Failure as failure:
                    raise Failure(f"drill {number} of seed {seed}: {failure}") from None
                figures[-1].say(number, report)
    report.ran(title, len(figures), f"{world.words()}; {counts['retries']} retried elsewhere under their keys")
    report.ran("node killed under load, twice a drill", 2 * len(figures), "its clients went on at the others")
    Figures.table(figures, report)


class Figures:
    """What one drill has measured, in seconds."""

    def __init__(self):
        self.outage = self.flows = self.worst_read = self.worst_usual = 0.0
        self.reads = 0

    def say(self, number, report):
        report.say(
            f"failover: drill {number}: no primary for {self.outage:.1f} s; writes flow {self.flows:.2f} s after the promotion began;"
            f" {self.reads} reads meanwhile, none refused, the slowest {self.worst_read * 1000:.0f} ms; all streams open and up to date")

    @staticmethod
    def table(figures, report):
        report.say(f"failover: {'of ' + str(len(figures)) + ' drills':30}{'median':>10}{'worst':>10}")
        for title, values in {
            "no primary, s": [each.outage for each in figures],
            "promotion to first write, s": [each.flows for each in figures],
            "slowest read meanwhile, ms": [each.worst_read * 1000 for each in figures],
            "slowest read before, ms": [each.worst_usual * 1000 for each in figures],
        }.items():
            report.say(f"failover: {title:30}{median(values):>10.2f}{max(values):>10.2f}")


def _drill(pair, nodes, world, chance, seed):
    figures = Figures()
    tokens = [f"watched-{seed}-member-{number}" for number in range(2)]
    with Connection(nodes.all[0].port) as connection:
        pin = connection.ask("POST", "/v1/rooms", tokens[0], {}).body["pin"]
    writer = Writer(nodes, STEADY, f"/v1/rooms/{pin}", tokens)
    is_over = threading.Event()
    with Onlooker(pin, tokens[0], [nodes.all[number].port for number in STEADY]) as onlooker:
        writing = threading.Thread(target=writer.run, args=(is_over.is_set,), daemon=True)
        writing.start()
        play, guests = start_playing(world, nodes, seed, pair.guests, player=Guest)
        try:
            killed, promoted = _fail_over(pair, nodes, chance)
            figures.outage = promoted - killed
            figures.flows = max(_wait_for_write(writer, promoted, number) for number in STEADY) - promoted
            nodes.start(SHAKY)
            _see_one_another(nodes, pin, tokens)
            nodes.is_out.clear()
            back = time.monotonic()
            time.sleep(chance.uniform(0.2, 1))
        finally:
            is_over.set()
            writing.join()
            stop(play, guests, world)
        seen = onlooker.end(writer.sequence)
    if figures.flows > pair.flows_within:
        raise Failure(f"writes flow {figures.flows:.1f} s after the promotion, and not within {pair.flows_within}")
    for port, each in seen.items():
        if each["faults"]:
            raise Failure(f"through port {port}: {each['faults'][:3]}")
        if each["behind"] < writer.sequence:
            raise Failure(f"a stream has sequence {each['behind']} where {writer.sequence} was acknowledged")
        during = [took for at, took in each["reads"] if at + took > killed and at < back]
        before = [took for at, took in each["reads"] if at + took < killed]
        figures.reads += len(during)
        figures.worst_read = max([figures.worst_read, *during])
        figures.worst_usual = max([figures.worst_usual, *before])
    with Connection(nodes.all[0].port) as connection:
        closed = connection.ask("DELETE", f"/v1/rooms/{pin}", tokens[0])
        if closed.status != 204:
            raise Failure(f"the watched room cannot be closed: {closed.status} {closed.body}")
    # By one node and then by another: both have it all, and the same.
    for number in chance.sample(range(len(nodes.all)), 2):
        look(world, nodes.all[number].port, chance)
    stored = nodes.check()
    if stored != len(world.live):
        raise Failure(f"{stored} rooms are stored where {len(world.live)} are known")
    pair.bury()
    return figures


def _fail_over(pair, nodes, chance):
    """The moments at which the primary was killed, and at which the promotion began."""
    time.sleep(chance.uniform(0.2, 1))
    nodes.kill(SHAKY)
    time.sleep(chance.uniform(0, 0.5))
    nodes.start(SHAKY)
    time.sleep(chance.uniform(0.2, 1))
    is_node_first = chance.random() < 0.5
    if is_node_first:
        nodes.kill(SHAKY)
    nodes.is_out.set()
    killed = time.monotonic()
    pair.kill_primary()
    pair.decide(chance)
    if not is_node_first:
        nodes.kill(SHAKY)
    promoted = time.monotonic()
    pair.promote()
    return killed, promoted


def _wait_for_write(writer, moment, number):
    while (at := writer.first_after(moment, number)) is None:
        if time.monotonic() > moment + 60:
            raise Failure(f"no write flows through node {number} 60 s after the promotion: {writer.nodes.all[number].words()[-1000:]}")
        time.sleep(0.01)
    return at


def _see_one_another(nodes, pin, tokens):
    """Waits until every node reads what another has written a moment before; until then they show what they have in memory."""
    deadline = time.monotonic() + 30
    for number in range(len(nodes.all)):
        with Connection(nodes.all[number - 1].port) as here, Connection(nodes.all[number].port) as there:
            while True:
                if time.monotonic() > deadline:
                    raise Failure(f"node {number} does not read what others write")
                written = here.ask("PUT", f"/v1/rooms/{pin}/members/me", tokens[0], {"nickname": f"name{time.monotonic_ns() % 1_000_000}"})
                if written.status == 200:
                    read = there.ask("GET", f"/v1/rooms/{pin}", tokens[0])
                    if read.status == 200 and read.body["sequence"] >= written.body["sequence"]:
                        break
                time.sleep(0.02)


class Onlooker:
    """`onlooker.py` as a process."""

    def __init__(self, pin, token, ports):
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", sys.executable, Path(__file__).with_name("onlooker.py"), pin, token, str(STREAMS),
             *map(str, ports)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise Failure("the streams did not open")

    def end(self, sequence):
        output, _ = self.process.communicate(f"sequence {sequence}\n", timeout=60)
        return json.loads(output)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def _control(folder, seed):
    """That a loss is seen: the standby is none that commits wait for, and has heard nothing of the last of them."""
    place = folder / "control"
    place.mkdir()
    world, chance = World(f"{seed}-control", rooms=4), random.Random(seed)
    with Pair(is_synchronous=False) as pair, Nodes(place, pair.uri, 2) as nodes:
        pair.attach()
        for turn in range(2):
            if turn:
                pair.cut_off()
            play, guests = start_playing(world, nodes, f"{seed}-control-{turn}", 8, answers=200, player=Guest)
            play.moment.wait(30)
            stop(play, guests, world)
            if turn == 0:
                look(world, nodes.all[0].port, chance)
        nodes.is_out.set()
        pair.kill_primary()
        pair.promote()
        # Nodes that remember nothing of it.
        for number in range(len(nodes.all)):
            nodes.kill(number)
            nodes.start(number)
        try:
            look(world, nodes.all[0].port, chance)
        except Failure:
            return
    raise Failure("control: a standby that has not heard of the last commits is taken for one that has")
