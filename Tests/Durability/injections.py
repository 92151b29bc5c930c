"""Calls of the operating system that fail: one, some, or all until the fault is over.

The server has to answer 503 to what it cannot write, go on reading from memory, and heal by itself within five seconds once it can; or,
where it cannot even start, end with a status and one line that says why. Nothing that it acknowledged is missing afterwards.
"""

import errno
import random
import shutil
import time

from bench import Bench, require_healing, require_refusals, require_word
from report import Skipped
from server import Failure, Server, check
from shims import KINDS, SHORT, Faults
from wire import Connection, Lost

FIRST = 300
ALWAYS = 1 << 40

#: What each call can fail with.
ERRORS = {
    "open": [errno.EIO, errno.ENOSPC, errno.EMFILE, errno.EINTR],
    "pwrite": [errno.EIO, errno.ENOSPC, errno.EINTR, SHORT],
    "pread": [errno.EIO, errno.EINTR, SHORT],
    "fdatasync": [errno.EIO, errno.ENOSPC, errno.EINTR],
    "fsync": [errno.EIO, errno.ENOSPC, errno.EINTR],
    "ftruncate": [errno.EIO, errno.ENOSPC, errno.EINTR],
    "mmap": [errno.EIO, errno.ENOMEM],
    "unlink": [errno.EIO],
    "lock": [errno.EIO, errno.EINTR, errno.ENOLCK],
}
#: The calls as the kernel knows them.
STRACED = [
    ("fdatasync", "fdatasync", ["EIO", "ENOSPC", "EINTR"]), ("pwrite64", "pwrite", ["EIO", "ENOSPC", "EINTR"]),
    ("openat", "open", ["EIO", "EINTR"]), ("ftruncate", "ftruncate", ["EIO"]), ("mmap", "mmap", ["ENOMEM"]),
]
#: These are tried again for ever by whoever is told so, as POSIX wants it: to say it always would be no fault but a standstill.
PASSING = (errno.EINTR, SHORT)


def _bench(folder, seed, name):
    """A store of its own, its room, and what steers the faults."""
    bench = Bench(folder / name, seed)
    faults = Faults(folder, bench.store)
    server, _ = bench.serve()
    bench.look(server)
    server.kill()
    return bench, faults


def calls(folder, seed, is_long, report):
    """Any call, the n-th once or from it on until the fault is over, from the start of the process."""
    bench, faults = _bench(folder, seed, "calls")
    chance = random.Random(f"calls-{seed}")
    reached = _reached(bench, faults)
    plan = []
    for kind, errors in ERRORS.items():
        for error in errors:
            last = min(FIRST, reached[kind])
            if not last:
                continue
            plan += [(kind, error, number, 1) for number in (range(1, last + 1) if is_long else {1, chance.randint(1, last)})]
            if error not in PASSING:
                # Few calls come late enough for a high number to be certain.
                plan += [(kind, error, chance.randint(1, max(1, last // 2)), ALWAYS) for _ in range(20 if is_long else 1)]
    tried = {}
    for number, (kind, error, first, times) in enumerate(plan):
        faults.reset()
        faults.arm(kind, error, first, times)
        try:
            hit, is_refused = _cycle(bench, faults, lambda server: _live_through(bench, faults, server, kind, times))
        except (Failure, Lost) as failure:
            raise Failure(f"{kind} {_name(error)} from call {first} on, {times} times: {failure}") from None
        row = tried.setdefault((kind, "for good" if times > 1 else "once"), [0, 0])
        row[0] += hit
        row[1] += hit and is_refused
        if number % 500 == 499:
            report.say(f"calls: {number + 1} of {len(plan)}")
    for (kind, way), (hit, refused) in tried.items():
        if hit:
            report.ran(f"{kind} fails {way}", hit, f"{refused} times it did not start and said why")
        else:
            report.skip(f"{kind} fails {way}", "the call with the number that was drawn was never made")


def _name(error):
    return "short" if error == SHORT else errno.errorcode[error]


def reopening(folder, seed, is_long, report):
    """After a failed sync the store is opened anew, and then that fails, too."""
    bench, faults = _bench(folder, seed, "reopening")
    chance = random.Random(f"reopening-{seed}")
    times = 0
    for kind in ("open", "mmap", "pread", "pwrite", "ftruncate", "lock"):
        for error in [error for error in ERRORS[kind] if error not in PASSING]:
            for _ in range(10 if is_long else 1):
                faults.reset()
                # Some of what is called before there are players.
                faults.arm("fdatasync", errno.EIO, 15 + chance.randint(0, 40), ALWAYS)
                try:
                    hit, _ = _cycle(bench, faults, lambda server: _fail_twice(bench, faults, server, kind, error, chance))
                except (Failure, Lost) as failure:
                    raise Failure(f"{kind} {_name(error)} while it reopens: {failure}") from None
                times += hit
    report.ran("a sync fails, and then what it takes to reopen", times, "it healed within 5 s each time")


def _fail_twice(bench, faults, server, kind, error, chance):
    play, players = bench.play(server, 1.5, until=lambda: faults.hits() > 0)
    faults.arm(kind, error, faults.count(kind) + chance.randint(1, 5), ALWAYS, place=1)
    time.sleep(0.1)
    faults.clear()
    time.sleep(0.1)
    bench.end(play, players)
    faults.clear(place=1)
    require_healing(bench, server)


def strace(folder, seed, is_long, report):
    """The same from outside: whatever makes the call, it is the kernel's answer that is another. Calls are counted by thread."""
    if not shutil.which("strace"):
        raise Skipped("strace is missing")
    bench, faults = _bench(folder, seed, "strace")
    chance = random.Random(f"strace-{seed}")
    log, times = folder / "strace.log", 0
    paths = [option for suffix in ("", "-wal", "-shm", ".key", ".lock") for option in ("-P", f"{bench.store}{suffix}")]
    for call, kind, errors in STRACED:
        for error in errors:
            for _ in range(10 if is_long else 1):
                number = chance.randint(1, 30 if kind in ("fdatasync", "pwrite") else 6)
                prefix = ["strace", "-f", "-qq", "-o", log, *paths, "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={number}"]
                faults.reset()
                log.write_text("")
                try:
                    _cycle(bench, faults, lambda server: _live_through(bench, faults, server, kind, 1), prefix=prefix, environment=None)
                except (Failure, Lost) as failure:
                    raise Failure(f"strace: {call} {error} at call {number}: {failure}") from None
                times += "(INJECTED)" in log.read_text(errors="replace")
    report.ran("the same by strace, from outside", times, "EIO, ENOSPC, EINTR and ENOMEM")


def first_start(folder, seed, is_long, report):
    """The first start of all: half a store must not be left behind, nor a store without its key."""
    path = folder / "new"
    chance = random.Random(f"first-start-{seed}")
    times = refused = 0
    for kind, errors in ERRORS.items():
        for error in errors:
            for number in (range(1, 61) if is_long else {1, 2, chance.randint(3, 20)}):
                shutil.rmtree(path, ignore_errors=True)
                path.mkdir()
                store = path / "rooms.sqlite"
                faults = Faults(folder, store)
                faults.arm(kind, error, number, 1)
                server = Server(store, environment=faults.environment)
                is_serving = server.wait_until_it_serves()
                if not is_serving:
                    require_word(server)
                    refused += 1
                elif not faults.hits():
                    server.kill()
                    break
                server.kill()
                times += faults.hits() > 0
                with Server(store) as server, Connection(server.port) as connection:
                    if connection.ask("POST", "/v1/rooms", "token-of-a-new-store", {}).status != 201:
                        raise Failure(f"{kind} {_name(error)} at call {number} of a first start: no room afterwards")
                check(store)
    report.ran("a call fails in the first start of all", times, f"{refused} times it did not start and said why")


def _reached(bench, faults):
    """How many calls of each kind there are in a cycle without a fault."""
    faults.reset()
    server, is_serving = bench.serve(environment=faults.environment)
    if not is_serving:
        raise Failure(f"it does not start under the shim: {server.words()}")
    bench.end(*bench.play(server, 0.5))
    server.stop()
    reached = {kind: faults.count(kind) for kind in KINDS}
    if not reached["fdatasync"] or not reached["pwrite"]:
        raise Failure(f"the shim sees no writes: {reached}")
    server, _ = bench.serve()
    bench.look(server)
    server.kill()
    return reached


def _cycle(bench, faults, live, **options):
    """One fault, `live` while there is a server, and what comes after it. Whether it came about, and whether the server did not start."""
    server, is_serving = bench.serve(**{"environment": faults.environment, **options})
    is_refused = not is_serving
    try:
        if is_serving:
            live(server)
            if server.process.poll() is not None:
                raise Failure(f"it ended with status {server.process.returncode}: {server.words()[-500:]}")
        else:
            require_word(server)
    finally:
        hit = faults.hits() > 0
        server.kill()
        faults.reset()
    server, is_serving = bench.serve()
    try:
        if not is_serving:
            raise Failure(f"it does not start once the fault is over: {server.words()}")
        bench.look(server)
    finally:
        server.kill()
    return hit, is_refused


def _live_through(bench, faults, server, kind, times):
    # Brings the room into memory, unless the fault is there already.
    with Connection(server.port) as connection:
        is_in_memory = connection.ask("GET", f"/v1/rooms/{bench.pin}").status == 200
    play, players = bench.play(server, 1, until=lambda: faults.hits() > 0)
    if times == ALWAYS and faults.hits():
        time.sleep(0.1)
        if kind in ("fdatasync", "pwrite"):
            require_refusals(bench, server, is_in_memory)
    bench.end(play, players)
    faults.clear()
    require_healing(bench, server)
