"""Every state that a disk can be in after a power cut, made from a journal of what was written to it and when it was synced.

What was synced is there. Of what was not, each write may be there, or missing, or torn between two sectors, whatever came after it: that is
what a disk with a cache of its own may do. It takes no root and no device, and a cut can be anywhere, also between two writes of a
checkpoint.
"""

import random
import shutil
import struct
from pathlib import Path

from look import look
from phones import phones
from players import start_playing
from server import Failure, Server, check
from shims import shim
from world import World

CLIENTS = 32
SECTOR = 512
RECORD = struct.Struct("<QQQII")
CREATE, WRITE, TRUNCATE, SYNC_BEGINS, SYNC_ENDS, UNLINK, LINK = range(7)


def run(folder, seed, is_long, report):
    place = folder / "journal"
    place.mkdir()
    chance, world, journal = random.Random(f"cuts-{seed}"), World(f"{seed}-cuts"), folder / "journal.bytes"
    environment = {"LD_PRELOAD": str(shim(folder, "journal")), "JOURNAL_FOLDER": f"{place}/", "JOURNAL": str(journal)}
    with (
        phones(folder, world) as flags,
        Server(place / "rooms.sqlite", environment=environment, log=folder / "journal.log", arguments=flags) as server,
    ):
        play, players = start_playing(world, server.port, f"{seed}-cuts", CLIENTS)
        # Long enough for the log to be brought home more than once.
        play.stopped.wait(4 if is_long else 3)
        play.stopped.set()
        for player in players:
            player.join()
    records = list(_records(journal))
    names = {inode: name for _, kind, inode, _, name in records if kind == CREATE}
    homes = [index for index, (_, kind, inode, *_) in enumerate(records) if kind in (WRITE, TRUNCATE) and names.get(inode, b"") == b"rooms.sqlite"]
    if len(homes) < 10:
        raise Failure(f"the journal has {len(records)} records, and of the database itself only {len(homes)}")
    _control(folder, world, records, place, chance)
    cuts = sorted(
        chance.choice(homes) if number % 2 else chance.randrange(len(records)) for number in range(400 if is_long else 25))
    disk, at = Disk(place.stat().st_ino), 0
    for number, cut in enumerate(cuts):
        for record in records[at:cut + 1]:
            disk.apply(record)
        at = cut + 1
        how = chance.choice(["nothing more", "all of it", "some of it", "some of it"])
        try:
            _start(folder, world, disk.state(how, chance), records[cut][0], chance)
        except Failure as failure:
            raise Failure(f"cut after record {cut} of {len(records)}, {how} unsynced: {failure}") from None
        if number % 100 == 99:
            report.say(f"cuts: {number + 1} states")
    report.ran("power cut by journal, any unsynced writes lost", len(cuts), f"{len(records)} records; {world.words()}")


def _start(folder, world, files, moment, chance):
    """Starts a server on what is left, and holds it to what was told before the moment of the cut."""
    copy = folder / "cut"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for name, content in files.items():
        (copy / name).write_bytes(content)
        (copy / name).chmod(0o600)
    store = copy / "rooms.sqlite"
    with Server(store, log=folder / "cut.log") as server:
        look(world, server.port, chance, cut=(moment, moment))
        check(store)


def _control(folder, world, records, place, chance):
    """That a loss is seen: a disk that has said of the last half of all syncs what was not so."""
    disk = Disk(place.stat().st_ino)
    for record in records[:len(records) // 2]:
        disk.apply(record)
    try:
        _start(folder, world, disk.state("all of it", chance), records[-1][0], chance)
    except Failure:
        return
    raise Failure("control: half of all that was written is missing, and nobody notices")


def _records(path):
    """(nanoseconds, kind, inode, offset, bytes)"""
    content = memoryview(path.read_bytes())
    place = 0
    while place + RECORD.size <= len(content):
        nanoseconds, inode, offset, kind, length = RECORD.unpack_from(content, place)
        place += RECORD.size
        data = bytes(content[place:place + length])
        place += length
        yield nanoseconds, kind, inode, offset, Path(data.decode()).name.encode() if kind in (CREATE, UNLINK, LINK) else data


class Disk:
    """What is on the disk for sure, and what may be."""

    def __init__(self, folder):
        self.folder = folder
        #: By inode.
        self.contents = {}
        self.names = {}
        #: By inode, the changes since it was synced; those of names are the folder's own. Each with its number.
        self.pending = {}
        #: By thread and inode, the number of the first change that a sync which has begun does not cover.
        self.begun = {}
        self.number = 0

    def apply(self, record):
        _, kind, inode, offset, data = record
        self.number += 1
        if kind in (WRITE, TRUNCATE):
            self.pending.setdefault(inode, []).append((self.number, kind, offset, data))
        elif kind in (CREATE, LINK, UNLINK):
            if kind == CREATE and inode not in self.names.values():
                # Its number may have been that of another file.
                self.contents.pop(inode, None)
            self.pending.setdefault(self.folder, []).append((self.number, kind, inode, data))
        elif kind == SYNC_BEGINS:
            self.begun[offset, inode] = self.number
        elif kind == SYNC_ENDS:
            covered = self.begun.pop((offset, inode))
            changes = self.pending.get(inode, [])
            for change in changes:
                if change[0] < covered:
                    self._make(self.names, self.contents, inode, change)
            self.pending[inode] = [change for change in changes if change[0] >= covered]

    def state(self, how, chance):
        """By name, the contents of the files that a cut may leave."""
        names = dict(self.names)
        contents = {inode: bytearray(content) for inode, content in self.contents.items()}
        for inode, changes in self.pending.items():
            if inode == self.folder:
                # A file system journals its names in order.
                changes = changes[:{"nothing more": 0, "all of it": len(changes)}.get(how, chance.randint(0, len(changes)))]
            for change in changes:
                if inode != self.folder and (how == "nothing more" or how == "some of it" and chance.random() < 0.5):
                    continue
                if how == "some of it" and change[1] == WRITE and chance.random() < 0.3:
                    change = _torn(change, chance)
                self._make(names, contents, inode, change)
        # The index of the log is memory that is shared, and is made anew.
        return {name.decode(): bytes(contents.get(inode, b"")) for name, inode in names.items() if not name.endswith(b"-shm")}

    def _make(self, names, contents, inode, change):
        _, kind, place, data = change
        if kind in (CREATE, LINK):
            names[data] = place
        elif kind == UNLINK:
            names.pop(data, None)
        else:
            content = contents.setdefault(inode, bytearray())
            if kind == TRUNCATE and place < len(content):
                del content[place:]
            elif len(content) < place:
                content.extend(bytes(place - len(content)))
            if kind == WRITE:
                content[place:place + len(data)] = data


def _torn(change, chance):
    """Only up to a sector, or only from one on."""
    number, kind, offset, data = change
    sectors = [place for place in range(len(data)) if (offset + place) % SECTOR == 0]
    place = chance.choice(sectors or [0])
    return (number, kind, offset, data[:place]) if chance.random() < 0.5 else (number, kind, offset + place, data[place:])
