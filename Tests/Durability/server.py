"""The server under test, as a process of its own, and one connection to it."""

import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

HOST = "127.0.0.1"
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("HANSANG_PROGRAM", ROOT / ".build/release/hansang"))


class Server:
    """`hansang serve` on a port that was free, with its store in a folder that outlives it."""

    def __init__(self, store, prefix=(), environment=None, arguments=(), log=None, patience=30):
        self.store = Path(store)
        self.log = log or self.store.with_suffix(".log")
        self.began = self.log.stat().st_size if self.log.exists() else 0
        # All clients are one address here, so each says which it is.
        command = [*prefix, PROGRAM, "serve", "--port", "0", "--store", f"sqlite:{store}", "--trust-proxy", "--rooms-per-hour", "1000000",
                   "--rooms-per-token", "1000000", *arguments]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                # It ends with us even where we are killed.
                ["setpriv", "--pdeathsig", "KILL", "--", *map(str, command)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log,
                env={**os.environ, **(environment or {})}, start_new_session=True)
        self.port = None
        self.patience = patience

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
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

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
    done = subprocess.run([PROGRAM, "check", "--store", f"sqlite:{store}"], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"hansang check: {done.stderr}{done.stdout}")
    return int(done.stdout.rsplit(": ", 1)[1].split()[0])


def children(pid):
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def name(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


class Failure(Exception):
    """Something that must not be: a promise is broken, or a server does not do what it should."""


class Lost(Exception):
    """The connection ended before there was an answer."""


class Answered:
    def __init__(self, status, fields, content):
        self.status = status
        self.fields = fields
        self.content = content

    @property
    def body(self):
        return json.loads(self.content) if self.content else None


class Connection:
    """One connection that stays open."""

    def __init__(self, port, address="10.0.0.1", patience=60):
        self.address = address
        try:
            self.socket = socket.create_connection((HOST, port), patience)
        except OSError as error:
            raise Lost(str(error)) from None
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.bytes = b""

    def ask(self, method, path, token=None, body=None, fields=()):
        head = [f"{method} {path} HTTP/1.1", "Host: hansang", f"X-Forwarded-For: {self.address}"]
        if token is not None:
            head.append(f"Authorization: Bearer {token}")
        content = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            head += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
        head += [f"{name}: {value}" for name, value in fields]
        try:
            self.socket.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + content)
            return self.answer()
        except OSError as error:
            raise Lost(str(error)) from None

    def answer(self):
        while b"\r\n\r\n" not in self.bytes:
            self.read()
        head, _, self.bytes = self.bytes.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines[1:])
        length = int(fields.get("Content-Length", 0))
        while len(self.bytes) < length:
            self.read()
        content, self.bytes = self.bytes[:length], self.bytes[length:]
        return Answered(int(lines[0].split()[1]), fields, content)

    def read(self):
        more = self.socket.recv(65536)
        if not more:
            raise Lost("closed")
        self.bytes += more

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
