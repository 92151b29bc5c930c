"""PgBouncer between the nodes and PostgreSQL: a pool of sessions, which works, and one of transactions, which does not."""

import os
import shutil
import socket
import subprocess
import time

import postgres
from nodes import Node, Nodes
from server import Failure
from wire import Connection, Lost

HOST = "127.0.0.1"


class Bouncer:
    """PgBouncer in front of a server, on a port that stays."""

    def __init__(self, folder, database, mode):
        self.folder = folder
        self.port = postgres.free_port()
        self.process = None
        self.uri = f"postgres://{postgres.USER}:{database.password}@{HOST}:{self.port}/{postgres.DATABASE}"
        folder.mkdir()
        (folder / "users").write_text(f'"{postgres.USER}" "{database.password}"\n')
        (folder / "pgbouncer.ini").write_text(f"""\
[databases]
{postgres.DATABASE} = host={HOST} port={database.port}
[pgbouncer]
listen_addr = {HOST}
listen_port = {self.port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {folder}/users
pool_mode = {mode}
# Four sessions a node.
default_pool_size = 40
""")
        # It does not run as root either.
        for path in (folder, *folder.iterdir()):
            if os.geteuid() == 0:
                shutil.chown(path, postgres.account())
                folder.parent.chmod(0o711)
                folder.parent.parent.chmod(0o711)

    def start(self):
        path = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
        with open(self.folder.with_suffix(".log"), "ab") as log:
            self.process = subprocess.Popen(
                [*postgres.unprivileged(), path, self.folder / "pgbouncer.ini"], cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + 20
        while True:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Failure(f"pgbouncer does not start: {self.folder.with_suffix('.log').read_text()}")
            try:
                return socket.create_connection((HOST, self.port), 1).close()
            except OSError:
                time.sleep(0.02)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()


def run(folder, seed, is_long, report):
    place = folder / "bouncer"
    place.mkdir()
    version = subprocess.run(["pgbouncer", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    database = postgres.Server([])
    try:
        with Nodes(place, database.uri(), 1) as direct, Bouncer(place / "sessions", database, "session") as bouncer:
            with Nodes(place, bouncer.uri, 2) as pooled:
                heard = _games(direct.all[0], pooled.all, seed)
                bouncer.kill()
                time.sleep(0.5)
                bouncer.start()
                _heal(direct.all[0], pooled.all, seed)
                _games(direct.all[0], pooled.all, f"{seed}-again")
        report.ran(f"{version} with a pool of sessions", 1,
                   f"games over pooled and direct nodes, notices heard after {heard * 1000:.0f} ms; healed when it was killed and started again")
        with Bouncer(place / "transactions", database, "transaction") as bouncer:
            report.say(f"bouncer: {version} with a pool of transactions: {_refusal(place, bouncer.uri, seed)}")
    finally:
        database.remove()


def _games(direct, pooled, seed):
    """Members of one room at all nodes, and streams at those that are pooled; the slowest event."""
    slowest = 0
    tokens = [f"pooled-{seed}-member-{number}" for number in range(3)]
    with Connection(direct.port) as opener:
        room = opener.ask("POST", "/v1/rooms", tokens[0], {}).body
        path = f"/v1/rooms/{room['pin']}"
        streams = []
        for node in pooled:
            stream = Connection(node.port)
            stream.socket.sendall(f"GET {path}/events HTTP/1.1\r\nHost: h\r\n\r\n".encode())
            streams.append(stream)
            _wait(stream, room["sequence"])
        for token, node in zip(tokens, [direct, *pooled]):
            with Connection(node.port) as connection:
                submitted = connection.ask("PUT", f"{path}/submission", token, {"answers": {"spicy": "like"}})
                answered = time.monotonic()
                if submitted.status != 201:
                    raise Failure(f"a submission is answered {submitted.status} {submitted.content}")
                for stream in streams:
                    _wait(stream, submitted.body["room"]["sequence"])
                slowest = max(slowest, time.monotonic() - answered)
        results = {Connection(node.port).ask("POST", f"{path}/reveal", tokens[0]).content for node in [direct, *pooled]}
        if len(results) != 1:
            raise Failure(f"nodes give several results: {results}")
        opener.ask("DELETE", path, tokens[0])
    return slowest


def _wait(stream, sequence):
    stream.socket.settimeout(20)
    deadline = time.monotonic() + 20
    while f"id: {sequence}\n".encode() not in stream.bytes:
        if time.monotonic() > deadline:
            raise Failure(f"no event with sequence {sequence}: {stream.bytes[-500:]}")
        try:
            stream.read()
        except TimeoutError:
            raise Failure(f"no event with sequence {sequence}: {stream.bytes[-500:]}") from None


def _heal(direct, pooled, seed):
    """Waits until pooled nodes write again, and read what they do not have in memory."""
    deadline = time.monotonic() + 20
    with Connection(direct.port) as opener:
        pin = opener.ask("POST", "/v1/rooms", f"member-of-a-direct-node-{seed}", {}).body["pin"]
    for node in pooled:
        with Connection(node.port) as connection:
            while True:
                written = connection.ask("POST", "/v1/rooms", f"member-of-a-healed-node-{seed}-{node.port}", {})
                read = connection.ask("GET", f"/v1/rooms/{pin}")
                if (written.status, read.status) == (201, 200):
                    break
                if time.monotonic() > deadline:
                    raise Failure(f"a node does not find its database again: {written.status}, {read.status} {read.content}")
                time.sleep(0.05)


def _refusal(folder, uri, seed):
    """What becomes of a node whose transactions go to any session."""
    node = Node(folder, "pooled-by-transaction", uri)
    try:
        if not node.wait_until_it_serves():
            return f"it does not start: {node.words().strip()[-300:]}"
        answers = []
        for number in range(20):
            try:
                with Connection(node.port) as connection:
                    answers.append(connection.ask("POST", "/v1/rooms", f"pooled-by-transaction-{seed}-{number}", {}).status)
            except Lost:
                answers.append(None)
        return f"it starts, and opens rooms with {sorted(set(answers), key=str)}: {node.words().strip()[-300:]}"
    finally:
        node.kill()
