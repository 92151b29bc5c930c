"""A store of a million submissions in a hundred thousand rooms: what starting, loading and expiry cost beside a store of one room.

Rooms are copied in SQL from one that was played, so that it takes seconds and not hours.
"""

import argparse
import json
import sqlite3
import statistics
import tempfile
import threading
import time
from pathlib import Path

from game import Client
from servers import Hansang

PROGRAM = Path(__file__).resolve().parents[2] / ".build/release/hansang"
STORE = "rooms.sqlite"
MEMBERS = 10


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rooms", type=int, default=100_000)
    options.add_argument("--folder", help="where the store is; a folder of its own where it is left out")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        pin = play(folder)
        report("one room", folder, [pin])
        began = time.monotonic()
        pins = multiply(Path(folder, STORE), pin, arguments.rooms)
        print(f"{len(pins)} rooms of {MEMBERS} submissions: copied in {time.monotonic() - began:.0f} s")
        report(f"{len(pins)} rooms", folder, pins)
        expire(folder, pins)


def play(folder):
    with Hansang(folder, PROGRAM) as hansang, Client(hansang.port) as client:
        host = token(0)
        pin = json.loads(client.call("POST", "/v1/rooms", host, "{}"))["pin"]
        for number in range(MEMBERS):
            client.call("PUT", f"/v1/rooms/{pin}/submission", token(number), '{"answers":{"spicy":"like"},"vetoes":["meat"]}')
        return pin


def token(number):
    return f"device-token-of-member-{number}"


def multiply(path, pin, count):
    """Copies one room until there are so many, under PINs of seven digits, and returns all PINs."""
    pins = [pin] + [f"{number:07}" for number in range(1, count)]
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA synchronous = OFF")
        key = database.execute("SELECT key FROM room WHERE pin = ?", [pin]).fetchone()[0]
        columns = [row[1] for row in database.execute("PRAGMA table_info(room)") if row[1] not in ("key", "id", "pin")]
        rest = ", ".join(columns)
        database.execute("CREATE TEMP TABLE copy (key INTEGER PRIMARY KEY, pin TEXT)")
        database.executemany("INSERT INTO copy VALUES (?, ?)", [(key + number, pin) for number, pin in enumerate(pins) if number])
        database.execute(
            f"INSERT INTO room (key, id, pin, {rest}) SELECT copy.key, 'r_copy' || copy.key, copy.pin, {rest} FROM copy, room "
            "WHERE room.key = ?", [key])
        for table in ("member", "submission"):
            columns = ", ".join(row[1] for row in database.execute(f"PRAGMA table_info({table})") if row[1] != "room")
            database.execute(
                f"INSERT INTO {table} (room, {columns}) SELECT copy.key, {columns} FROM copy, {table} WHERE {table}.room = ?", [key])
    database.close()
    return pins


def report(name, folder, pins):
    size = sum(file.stat().st_size for file in Path(folder).glob(STORE + "*"))
    began = time.monotonic()
    with Hansang(folder, PROGRAM) as hansang, Client(hansang.port) as client:
        client.call("GET", "/readyz", token(0))
        started = time.monotonic() - began
        loads = [timed(lambda: client.call("GET", f"/v1/rooms/{pin}", token(0))) for pin in spread(pins, 200)]
        before = memory(hansang)
        for pin in pins:
            client.call("GET", f"/v1/rooms/{pin}", token(0))
        print(
            f"{name}: {size / 1e6:.1f} MB; from the start to the first answer {1000 * started:.0f} ms, to load a room "
            f"{1000 * statistics.median(loads):.2f} ms (slowest {1000 * max(loads):.2f}); {before:.0f} MB of memory, "
            f"{memory(hansang):.0f} MB when every room was read")


def expire(folder, pins):
    """All rooms but one expire within a few seconds, while that one is played in."""
    path = Path(folder, STORE)
    with sqlite3.connect(path) as database:
        now = int(time.time() * 1000)
        database.execute("UPDATE room SET expires_at = ? WHERE pin <> ?", [now + 5000, pins[0]])
    database.close()
    reads, writes, done = [], [], threading.Event()
    with Hansang(folder, PROGRAM) as hansang:
        def read():
            with Client(hansang.port) as client:
                while not done.wait(0.005):
                    reads.append(timed(lambda: client.call("GET", f"/v1/rooms/{pins[0]}", token(0))))

        def write():
            with Client(hansang.port) as client:
                while not done.wait(0.02):
                    body = json.dumps({"answers": {"rich": ["like", "dislike"][len(writes) % 2]}})
                    writes.append(timed(lambda: client.call("PUT", f"/v1/rooms/{pins[0]}/submission", token(1), body)))

        threads = [threading.Thread(target=body) for body in (read, write)]
        for thread in threads:
            thread.start()
        began = time.monotonic()
        while left(path) > 1 and time.monotonic() - began < 600:
            time.sleep(1)
        took = time.monotonic() - began
        done.set()
        for thread in threads:
            thread.join()
        remaining = left(path)
    for name, times in (("reads", reads), ("submissions", writes)):
        times.sort()
        print(
            f"{name} while {len(pins) - 1} rooms expired: {len(times)}, p50 {1000 * statistics.median(times):.1f} ms, "
            f"p99 {1000 * times[len(times) * 99 // 100]:.1f} ms, slowest {1000 * times[-1]:.1f} ms")
    print(f"{len(pins) - remaining} were gone after {took:.0f} s; the file is {path.stat().st_size / 1e6:.1f} MB")
    if remaining != 1:
        raise SystemExit("rooms that had expired are still there")


def left(path):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return database.execute("SELECT count(*) FROM room").fetchone()[0]
    finally:
        database.close()


def spread(pins, count):
    """Some of them, so far apart that no two share a page."""
    return pins[:: max(1, len(pins) // count)]


def timed(body):
    began = time.monotonic()
    body()
    return time.monotonic() - began


def memory(hansang):
    status = Path(f"/proc/{hansang.process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1000


if __name__ == "__main__":
    main()
