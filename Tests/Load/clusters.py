"""Nodes at one PostgreSQL, as one server that has several ports."""

import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "Support"))

import postgres  # noqa: E402
from servers import HOST, Hansang, children, cpu_seconds  # noqa: E402


def folder_for(place):
    """`place`, where a sync costs what it costs, which it may not in /tmp; unless PostgreSQL's user cannot get there."""
    is_reachable = subprocess.run([*postgres.unprivileged(), "test", "-x", place]).returncode == 0
    return str(place) if is_reachable else tempfile.gettempdir()


class Database(postgres.Server):
    """One PostgreSQL, with a database for each cluster: notices stay within one."""

    name = "postgres"

    def __init__(self):
        super().__init__([])

    def query(self, sql):
        done = subprocess.run([f"{self.bin}/psql", "-XAtq", "-d", self.uri(), "-c", sql], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"psql: {done.stderr}")
        return done.stdout.strip()

    def cpu_seconds(self):
        total = cpu_seconds(self.process.pid, with_ended_children=True)
        for child in children(self.process.pid):
            try:
                total += cpu_seconds(child)
            except OSError:
                # Its background processes come and go; what this one took is its parent's from now on.
                continue
        return total

    def counts(self, name):
        """(transactions of a database, syncs of all), with what backends have not reported for a second."""
        time.sleep(1.5)
        return [int(number) for number in self.query(
            f"SELECT xact_commit, (SELECT wal_sync FROM pg_stat_wal) FROM pg_stat_database WHERE datname = '{name}'").split("|")]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


class Node(Hansang):
    def __init__(self, folder, program, uri):
        folder.mkdir()
        super().__init__(folder, program)
        self.uri = uri

    def command(self):
        # Not a flag, for its address has a password in it.
        return ["env", f"HANSANG_STORE={self.uri}", f"HANSANG_TOKEN_KEY={self.folder.parent}/token.key", self.program, "serve", "--host", HOST,
                "--port", self.port, "--rooms-per-hour", 1_000_000]


class Cluster:
    """Nodes at a database of their own, as one server that has several ports."""

    def __init__(self, folder, program, database, size):
        self.name = f"{size} node{'s' * (size > 1)}"
        self.folder = folder / f"cluster-{size}"
        self.folder.mkdir()
        self.database = f"cluster_{size}"
        self.postgres = database
        database.query(f"CREATE DATABASE {self.database}")
        self.nodes = [Node(self.folder / str(number), program, database.uri(self.database)) for number in range(size)]
        self.stack = ExitStack()

    def __enter__(self):
        with ExitStack() as stack:
            for node in self.nodes:
                stack.enter_context(node)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *exception):
        return self.stack.__exit__(*exception)

    @property
    def ports(self):
        return [node.port for node in self.nodes]

    @property
    def port(self):
        return self.nodes[0].port

    def cpu_seconds(self):
        """Of the nodes and of the database."""
        return sum(node.cpu_seconds() for node in self.nodes) + self.postgres.cpu_seconds()

    def forget_log(self):
        for node in self.nodes:
            node.forget_log()
