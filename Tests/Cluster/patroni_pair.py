"""A primary and its synchronous standby that Patroni watches over, with an etcd of one: nobody but Patroni decides which is which."""

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import postgres
from database import Pair
from server import Failure

HOST = "127.0.0.1"
#: As quick as it makes sense: the primary's lease, in seconds, and how often it is looked at.
DCS = {"ttl": 5, "loop_wait": 1, "retry_timeout": 2, "synchronous_mode": True, "maximum_lag_on_failover": 1048576}


class Member:
    """One machine: Patroni and its PostgreSQL."""

    def __init__(self, name, etcd, password, folder):
        self.name = name
        self.bin = postgres.binaries()
        self.password = password
        self.port = postgres.free_port()
        self.folder = f"{folder}/{name}"
        self.data = f"{self.folder}/data"
        self.process = None
        rest = f"{HOST}:{postgres.free_port()}"
        # YAML is what JSON is, too.
        self.settings = {
            "scope": "hansang", "name": name, "restapi": {"listen": rest, "connect_address": rest}, "etcd3": {"hosts": etcd},
            "bootstrap": {
                "dcs": DCS, "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}],
                "pg_hba": [f"host all all {HOST}/32 scram-sha-256", f"host replication all {HOST}/32 scram-sha-256"]},
            "postgresql": {
                "listen": f"{HOST}:{self.port}", "connect_address": f"{HOST}:{self.port}", "data_dir": self.data, "bin_dir": self.bin,
                "pgpass": f"{self.folder}/pgpass", "parameters": {"unix_socket_directories": "", "max_connections": 200},
                "basebackup": [{"checkpoint": "fast"}],
                "authentication": {
                    "superuser": {"username": postgres.USER, "password": password},
                    "replication": {"username": "replicator", "password": password}}}}

    def uri(self, database=postgres.DATABASE):
        return f"postgres://{postgres.USER}:{self.password}@{HOST}:{self.port}/{database}"

    def start(self):
        """On an empty disk: it takes all from the primary, if there is one."""
        os.makedirs(self.folder, 0o700)
        with open(f"{self.folder}/patroni.yml", "w") as file:
            json.dump(self.settings, file)
        if os.geteuid() == 0:
            for path in (self.folder, f"{self.folder}/patroni.yml"):
                shutil.chown(path, postgres.account())
        with open(f"{self.folder}.log", "ab") as log:
            # By this one it ends its PostgreSQL, too.
            self.process = subprocess.Popen([*postgres.unprivileged("TERM"), "/usr/bin/patroni", f"{self.folder}/patroni.yml"], cwd="/",
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def kill(self):
        """As if the machine had lost its power: nobody is left who could say anything."""
        try:
            with open(f"{self.data}/postmaster.pid") as file:
                first = int(file.readline())
        except OSError:
            first = None
        self.process.kill()
        self.process.wait()
        self.process = None
        if first is not None and postgres.is_alive(first):
            os.kill(first, signal.SIGSTOP)
            for process in [first, *postgres.children(first)]:
                os.kill(process, signal.SIGKILL)
            while postgres.is_alive(first):
                time.sleep(0.005)

    def remove(self):
        if self.process is not None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class PatroniPair(Pair):
    def __init__(self):
        if not shutil.which("patroni") or not shutil.which("etcd"):
            raise Failure("patroni and etcd-server are not installed")
        self.is_synchronous = True
        self.folder = tempfile.mkdtemp(prefix="hansang-patroni-")
        if os.geteuid() == 0:
            shutil.chown(self.folder, postgres.account())
        clients, peers = (f"{HOST}:{postgres.free_port()}" for _ in range(2))
        with open(f"{self.folder}/etcd.log", "ab") as log:
            self.etcd = subprocess.Popen(
                [*postgres.unprivileged(), "etcd", "--data-dir", f"{self.folder}/etcd", "--listen-client-urls", f"http://{clients}",
                 "--advertise-client-urls", f"http://{clients}", "--listen-peer-urls", f"http://{peers}",
                 "--initial-advertise-peer-urls", f"http://{peers}", "--initial-cluster", f"default=http://{peers}"],
                cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        _wait_for_port(clients)
        password = secrets.token_hex(16)
        self.primary, self.standby = (Member(name, clients, password, self.folder) for name in ("first", "second"))
        self.dead = None
        self.primary.start()
        self._wait_until_it_leads(self.primary)
        self.query_at(self.primary.uri("postgres"), f"CREATE DATABASE {postgres.DATABASE}")
        self.standby.start()
        hosts = f"{HOST}:{self.primary.port},{HOST}:{self.standby.port}"
        self.uri = f"postgres://{postgres.USER}:{password}@{hosts}/{postgres.DATABASE}?target_session_attrs=read-write"

    def attach(self):
        """Once: a pair is for one drill."""
        self.wait_for(self.primary, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'", "1")
        # Patroni has to know of it, too, or it would not promote it.
        time.sleep(2 * DCS["loop_wait"])

    def decide(self, chance):
        self._wait_until_it_leads(self.standby)

    def promote(self):
        self.primary, self.standby = self.standby, None

    def bury(self):
        """It stays as it was killed."""

    def _wait_until_it_leads(self, member):
        deadline = time.monotonic() + 120
        while True:
            try:
                if self.query_at(member.uri("postgres"), "SELECT pg_is_in_recovery()") == "f":
                    return
            except Failure:
                pass
            if time.monotonic() > deadline:
                with open(f"{member.folder}.log") as log:
                    raise Failure(f"Patroni promotes nobody: {''.join(log.readlines()[-20:])}")
            time.sleep(0.05)

    def __exit__(self, *exception):
        super().__exit__(*exception)
        self.etcd.kill()
        self.etcd.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _wait_for_port(address):
    host, _, port = address.rpartition(":")
    deadline = time.monotonic() + 30
    while True:
        try:
            return socket.create_connection((host, int(port)), 1).close()
        except OSError:
            if time.monotonic() > deadline:
                raise Failure("etcd does not start") from None
            time.sleep(0.05)
