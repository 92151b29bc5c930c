"""Cuts the power: what a disk holds at one moment, and nothing of what the kernel still had in memory.

An ext4 file system lies in a file, on a loop device that writes through to it. The file lies on XFS, which can copy it at one moment whatever
is written meanwhile (`cp --reflink`). The copy is mounted, as after a power cut, and a server is started on it.

That the method sees losses is tried first, with a program that syncs what it acknowledges and one that does not.
"""

import os
import random
import time
from contextlib import contextmanager

import disks
from look import look
from phones import phones
from players import start_playing
from server import Failure, Server, check
from world import World

CLIENTS = 32


def run(folder, seed, is_long, report):
    disks.require("mkfs.xfs", "mkfs.ext4", "losetup", "mount", "umount")
    cuts = 200 if is_long else 20
    outer = folder / "xfs.image"
    # As small as mkfs.xfs lets it be; only what is written takes space.
    disks.run("truncate", "-s", "1G", outer)
    disks.run("mkfs.xfs", "-q", "-m", "reflink=1", outer)
    with disks.mounted("-o", "loop", outer, at=folder / "xfs") as xfs:
        image = xfs / "ext4.image"
        disks.run("truncate", "-s", "200M", image)
        disks.run("mkfs.ext4", "-q", image)
        with disks.loop(image, "--direct-io=on") as device, disks.mounted(device, at=folder / "disk") as disk:
            lost = _control(folder, image, disk)
            report.say(f"power: without a sync {lost} of {LINES} acknowledged lines are lost in a cut, with one none")
            world = World(f"{seed}-power")
            _cut(folder, image, disk, seed, cuts, world, report)
    report.ran("power cut under load (ext4)", cuts, f"{world.words()}; control: {lost} of {LINES} unsynced lines lost, 0 synced")


def _cut(folder, image, disk, seed, cuts, world, report):
    chance = random.Random(f"power-{seed}")
    with phones(folder, world) as flags, Server(disk / "rooms.sqlite", log=folder / "power.log", arguments=flags) as server:
        for cut in range(cuts):
            play, players = start_playing(world, server.port, f"{seed}-power-{cut}", CLIENTS)
            time.sleep(chance.uniform(0.02, 0.4))
            with _copied(folder, image) as (copy, began, ended):
                play.stopped.set()
                for player in players:
                    player.join()
                store = copy / "rooms.sqlite"
                if store.exists() or world.live:
                    with Server(store, log=folder / "copy.log") as other:
                        try:
                            look(world, other.port, chance, cut=(began, ended))
                            check(store)
                        except Failure as failure:
                            raise Failure(f"cut {cut}: {failure}") from None
            # The server itself has lost no power.
            look(world, server.port, chance)
            if (cut + 1) % 50 == 0:
                report.say(f"power: {cut + 1} cuts, {world.words()}")


@contextmanager
def _copied(folder, image):
    """What is left after a cut, mounted, and the moments between which that was."""
    copy = image.with_name("cut.image")
    copy.unlink(missing_ok=True)
    began = time.monotonic_ns()
    disks.run("cp", "--reflink=always", image, copy)
    ended = time.monotonic_ns()
    # Mounting it plays the journal back, as after any cut.
    with disks.loop(copy) as device, disks.mounted(device, at=folder / "copy") as mount:
        yield mount, began, ended


LINES = 500


def _control(folder, image, disk):
    """How many acknowledged lines are lost by a program that does not sync. One that does must lose none."""
    paths = {name: disk / name for name in ("synced", "unsynced")}
    files = {name: os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND) for name, path in paths.items()}
    for file in files.values():
        os.fsync(file)
    os.sync()
    for number in range(LINES):
        for name, file in files.items():
            os.write(file, b"%015d\n" % number)
            if name == "synced":
                os.fdatasync(file)
    with _copied(folder, image) as (copy, _, _):
        kept = {name: len((copy / name).read_bytes().splitlines()) for name in paths}
    for file in files.values():
        os.close(file)
    if kept["synced"] != LINES or kept["unsynced"] >= LINES:
        raise Failure(f"control: of {LINES} lines {kept['synced']} that were synced and {kept['unsynced']} that were not are there")
    return LINES - kept["unsynced"]
