"""The servers that are measured: each on a free port of its own, with all its files in one folder, and gone afterwards."""

import os
import socket
import subprocess
import time
from pathlib import Path

HOST = "127.0.0.1"


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def tied(*command):
    """A command that the kernel ends when we end, even where we are killed and cannot do it ourselves."""
    return ["setpriv", "--pdeathsig", "TERM", "--", *map(str, command)]


class Server:
    """A process that listens. To measure against another one: a name, a command, and what it needs in its folder."""

    name = ""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.port = free_port()
        self.errors = self.folder / f"{self.name}.log"

    def command(self):
        raise NotImplementedError

    def __enter__(self):
        # Appended to, so that `forget_log` can cut it while it is open.
        with open(self.errors, "ab") as errors:
            self.process = subprocess.Popen(
                tied(*self.command()), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        try:
            self.wait_until_it_listens()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def wait_until_it_listens(self):
        deadline = time.monotonic() + 10
        while True:
            self.check_alive()
            try:
                return socket.create_connection((HOST, self.port), 1).close()
            except OSError:
                if time.monotonic() > deadline:
                    raise SystemExit(f"{self.name} does not listen:\n{self.last_words()}") from None
            time.sleep(0.05)

    def check_alive(self):
        if self.process.poll() is not None:
            raise SystemExit(f"{self.name} ended with status {self.process.returncode}:\n{self.last_words()}")

    def last_words(self):
        return self.errors.read_text(errors="replace")[-2000:]

    def processes(self):
        """The process and its children."""
        self.check_alive()
        return [self.process.pid, *children(self.process.pid)]

    def cpu_seconds(self):
        """Of them all, in user space and in the kernel on their behalf."""
        return sum(map(cpu_seconds, self.processes()))

    def resident(self):
        """Bytes in RAM (proc(5)) of them all."""
        return sum(int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096 for process in self.processes())

    def forget_log(self):
        os.truncate(self.errors, 0)


class Hansang(Server):
    """The release build as shipped: it syncs every submission and logs every request."""

    name = "hansang"

    def __init__(self, folder, program):
        super().__init__(folder)
        self.program = program

    def command(self):
        # All clients are one address here.
        return [self.program, "serve", "--host", HOST, "--port", self.port, "--store", f"sqlite:{self.folder}/rooms.sqlite",
                "--rooms-per-hour", 1_000_000]


class Nginx(Server):
    """nginx that answers everything with the same bytes, with a worker a core and its log off."""

    name = "nginx"

    def __init__(self, folder, body, content_type):
        super().__init__(folder)
        self.configuration = self.folder / "nginx.conf"
        # A dollar sign would begin a variable, and there is no way to escape it.
        if b"$" in body:
            raise SystemExit("the body to compare with holds a '$'")
        quoted = body.decode().replace("\\", "\\\\").replace("'", "\\'")
        scratch = "".join(
            f"    {kind}_temp_path {self.folder}/nginx-{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        self.configuration.write_text(f"""\
daemon off;
{"user root;" if os.geteuid() == 0 else ""}
worker_processes {os.cpu_count()};
pid {self.folder}/nginx.pid;
error_log stderr;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    keepalive_timeout 1h;
    keepalive_requests 2000000000;
{scratch}
    server {{
        # A listening socket a worker, as hansang has one an event loop.
        listen {HOST}:{self.port} reuseport;
        default_type {content_type};
        location / {{ return 200 '{quoted}'; }}
    }}
}}
""")

    def command(self):
        # /usr/sbin is not on everybody's PATH.
        return ["env", f"PATH={os.environ['PATH']}:/usr/sbin", "nginx", "-e", "stderr", "-p", self.folder, "-c", self.configuration]


class Redis(Server):
    """Redis that syncs its log before it answers, as hansang does."""

    name = "redis"

    def command(self):
        return ["redis-server", "--bind", HOST, "--port", self.port, "--dir", self.folder, "--save", "", "--appendonly", "yes",
                "--appendfsync", "always", "--daemonize", "no", "--loglevel", "warning"]


def cpu_seconds(pid, with_ended_children=False):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15 if with_ended_children else 13]) / os.sysconf("SC_CLK_TCK")


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
