"""The server under test, as a process of its own."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("DURABILITY_PROGRAM", ROOT / ".build/release/hansang"))


class Server:
    """`hansang serve`, on a port that was free unless one is given, with its store in a folder that outlives it."""

    def __init__(self, store, prefix=(), environment=None, arguments=(), log=None, patience=30, port=0):
        self.store = Path(store)
        self.log = log or self.store.with_suffix(".log")
        self.began = self.log.stat().st_size if self.log.exists() else 0
        # All clients are one address here, so each says which it is.
        command = [*prefix, PROGRAM, "serve", "--port", port, *self.location(), "--trust-proxy", "--rooms-per-hour", "1000000",
                   "--rooms-per-token", "1000000", *arguments]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                # It ends with us even where we are killed.
                ["setpriv", "--pdeathsig", "KILL", "--", *map(str, command)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log,
                env={**os.environ, **(environment or {})}, start_new_session=True)
        self.port = None
        self.patience = patience

    def location(self):
        return ["--store", f"sqlite:{self.store}"]

    def wait_until_it_serves(self):
        """Whether it does; it may as well end."""
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline:
            ended = self.process.poll() is not None
            for line in self.lines():
                if line.get("event") == "started":
                    self.port = line["port"]
                    return True
            if ended:
                return False
            time.sleep(0.002)
        raise Failure(f"the server neither serves nor ends:\n{self.words()}")

    def words(self):
        """What it has logged since it was started."""
        with open(self.log, "rb") as log:
            log.seek(self.began)
            return log.read().decode(errors="replace")

    def lines(self):
        for line in self.words().splitlines(keepends=True):
            if line.startswith("{") and line.endswith("\n"):
                yield json.loads(line)

    @property
    def pid(self):
        """Of the server itself, which a tracer may have started."""
        for child in children(self.process.pid):
            if name(child) == "hansang":
                return child
        return self.process.pid

    def kill(self):
        pid = self.pid
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        # Where a tracer started it, it may still be on its way, with its lock.
        while is_running(pid):
            time.sleep(0.002)

    def stop(self):
        """Asks it to end, and returns its status."""
        os.kill(self.pid, signal.SIGTERM)
        return self.process.wait(30)

    def __enter__(self):
        if not self.wait_until_it_serves():
            raise Failure(f"the server does not start: status {self.process.returncode}\n{self.words()}")
        return self

    def __exit__(self, *_):
        self.kill()


def check(store):
    """What `hansang check` finds: how many rooms there are. A fault is a failure."""
    return check_at({"HANSANG_STORE": f"sqlite:{store}"})


def check_at(environment):
    """The same of a store that is named by the variables that a server has."""
    done = subprocess.run([PROGRAM, "check"], env={**os.environ, **environment}, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"hansang check: {done.stderr}{done.stdout}")
    return int(done.stdout.rsplit(": ", 1)[1].split()[0])


def children(pid):
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def is_running(pid):
    """Whether any thread of it is left: the first may have ended long before the last, which closes the files."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return len(threads) > 1 or state not in ("Z", "X")


def name(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


class Failure(Exception):
    """Something that must not be: a promise is broken, or a server does not do what it should."""
