"""Kills the server at any moment and holds what the next one has to what was acknowledged."""

import random
import shutil
import time

from look import look
from players import start_playing
from server import Failure, Server, check
from world import World

CLIENTS = 32


def run(folder, seed, is_long, report):
    _control(folder, seed)
    cycles = 1000 if is_long else 100
    chance = random.Random(f"kill-{seed}")
    world = World(seed)
    store = folder / "kill.sqlite"
    at_start = 0
    server = Server(store)
    try:
        _serve(server)
        for cycle in range(cycles):
            # From one answer to about as many as it gives in half a second, and anywhere within what comes next.
            _play(world, server, f"{seed}-{cycle}", int(2 ** chance.uniform(0, 10)), chance.uniform(0, 0.02))
            if chance.random() < 0.25:
                # Also in the middle of finding its feet again.
                early = Server(store)
                time.sleep(chance.uniform(0, 0.15))
                early.kill()
                at_start += 1
            server = Server(store)
            _serve(server)
            look(world, server.port, chance)
            found = check(store)
            if found != len(world.live):
                raise Failure(f"{found} rooms are stored where {len(world.live)} are known")
            if (cycle + 1) % 100 == 0:
                report.say(f"kill: {cycle + 1} cycles, {world.words()}")
    except Failure as failure:
        raise Failure(f"after {world.words()}: {failure}") from None
    finally:
        server.kill()
    report.ran("SIGKILL under load", cycles, world.words())
    report.ran("SIGKILL while it starts", at_start, "the next start has it all")


def _serve(server):
    if not server.wait_until_it_serves():
        raise Failure(f"it does not start again: {server.words()}")


def _play(world, server, seed, answers, pause, clients=CLIENTS):
    play, players = start_playing(world, server.port, seed, clients, answers)
    play.moment.wait(30)
    time.sleep(pause)
    server.kill()
    play.stopped.set()
    for player in players:
        player.join()


def _control(folder, seed):
    """That a loss is seen: a store is put back as it was some answers ago."""
    chance, world, store, old = random.Random(seed), World(f"{seed}-control", rooms=2), folder / "control.sqlite", folder / "old.sqlite"
    for turn in range(3):
        with Server(store) as server:
            if turn:
                look(world, server.port, chance)
            if turn < 2:
                _play(world, server, f"{seed}-control-{turn}", 200, 0, clients=8)
        if turn == 0:
            _copy(store, old)
    _copy(old, store)
    with Server(store) as server:
        try:
            look(world, server.port, chance)
        except Failure:
            return
    raise Failure("control: a store from before is taken for one that has it all")


def _copy(store, other):
    for suffix in ("", "-wal"):
        source, target = (store.with_name(store.name + suffix), other.with_name(other.name + suffix))
        target.unlink(missing_ok=True)
        if source.exists():
            shutil.copy(source, target)
