#!/usr/bin/env python3
"""A PostgreSQL server for tests, on a port of 127.0.0.1 that was free, with a folder of its own.

    postgres.py [SETTING=VALUE …]

Prints its URI when it takes connections. Then it does what it is told line by line and answers each with "done":

    stop, kill      ends it, in order or at once as a power cut would
    start           starts it again, on the same port and with what was kept
    freeze, thaw    stops all of its processes where they are, and lets them go on

When standard input ends, so does the server, and its folder is removed: it does not outlive whoever started it.
"""

import glob
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

USER = "hansang"
DATABASE = "hansang"


def binaries() -> str:
    """Where Debian keeps the newest version; else whatever is on the path."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    if found:
        return found[-1]
    path = shutil.which("postgres")
    if path is None:
        sys.exit("postgres.py: there is no PostgreSQL; install the Debian package postgresql")
    return os.path.dirname(os.path.realpath(path))


def unprivileged(ending: str = "QUIT") -> list[str]:
    """What runs a command as somebody other than root, as whom PostgreSQL does not run; and ends it with this process, by that signal."""
    command = ["setpriv", "--pdeathsig", ending]
    if os.geteuid() == 0:
        command += ["--reuid", account(), "--regid", account(), "--clear-groups"]
    return command


def account() -> str:
    """Debian's own account for it, which nothing else uses."""
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        return "nobody"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Server:
    def __init__(self, settings: list[str]) -> None:
        self.make_folder(settings, secrets.token_hex(16))
        with open(f"{self.folder}/password", "w") as file:
            file.write(self.password)
        if os.geteuid() == 0:
            shutil.chown(f"{self.folder}/password", account())
        # It is to be there soon; from its first start on it syncs as any server does.
        self.run("initdb", "--no-sync", "--username", USER, "--pwfile", f"{self.folder}/password", "--auth", "scram-sha-256",
                 "--encoding", "UTF8", "--locale", "C.UTF-8", "--pgdata", self.data)
        # A port may be taken between its being found and its being used.
        for _ in range(5):
            self.port = free_port()
            if self.start():
                break
        else:
            self.give_up("does not start")
        self.run("createdb", "--maintenance-db", self.uri("postgres"), DATABASE)

    def make_folder(self, settings: list[str], password: str) -> None:
        self.bin = binaries()
        self.settings = settings
        self.folder = tempfile.mkdtemp(prefix="hansang-postgres-")
        self.data = f"{self.folder}/data"
        self.log = f"{self.folder}/log"
        self.password = password
        self.process: subprocess.Popen[bytes] | None = None
        if os.geteuid() == 0:
            shutil.chown(self.folder, account())

    def uri(self, database: str = DATABASE) -> str:
        return f"postgres://{USER}:{self.password}@127.0.0.1:{self.port}/{database}"

    def run(self, program: str, *arguments: str) -> None:
        result = subprocess.run([*unprivileged(), f"{self.bin}/{program}", *arguments], cwd="/", stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            self.give_up(f"{program}: {result.stdout}")

    def start(self) -> bool:
        settings = ["listen_addresses=127.0.0.1", f"port={self.port}", "unix_socket_directories=", "max_connections=500",
                    "shared_buffers=32MB", "max_wal_size=256MB", "log_checkpoints=off", *self.settings]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*unprivileged(), f"{self.bin}/postgres", "-D", self.data, *(part for setting in settings for part in ("-c", setting))],
                cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        # It would be known to Ctrl-C, too, but is ended by this process.
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            ready = subprocess.run([f"{self.bin}/pg_isready", "-q", "-d", self.uri("postgres")], stdin=subprocess.DEVNULL)
            if ready.returncode == 0:
                return True
            time.sleep(0.02)
        return False

    def end(self, number: signal.Signals) -> None:
        if self.process is None:
            return
        # Somebody who has been stopped hears nothing.
        self.signal_all(signal.SIGCONT)
        self.process.send_signal(number)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def kill(self) -> None:
        """All at once: the others would outlive the first by a moment, and might still commit in that."""
        if self.process is None:
            return
        self.process.send_signal(signal.SIGSTOP)
        killed = children(self.process.pid)
        for process in [self.process.pid, *killed]:
            os.kill(process, signal.SIGKILL)
        self.process.wait()
        self.process = None
        # They share memory with it, without which another does not start.
        while any(map(is_alive, killed)):
            time.sleep(0.01)

    def signal_all(self, number: signal.Signals) -> None:
        """To the first process and then to those that it has started."""
        if self.process is None:
            return
        self.process.send_signal(number)
        for child in children(self.process.pid):
            try:
                os.kill(child, number)
            except ProcessLookupError:
                pass

    def obey(self, command: str) -> None:
        if command == "stop":
            self.end(signal.SIGINT)
        elif command == "kill":
            self.kill()
        elif command == "start":
            if not self.start():
                self.give_up("does not start again")
        elif command == "freeze":
            self.signal_all(signal.SIGSTOP)
        elif command == "thaw":
            self.signal_all(signal.SIGCONT)
        else:
            self.give_up(f"does not know '{command}'")

    def remove(self) -> None:
        self.end(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def give_up(self, reason: str) -> None:
        print(f"postgres.py: {reason}", file=sys.stderr)
        if os.path.exists(self.log):
            with open(self.log, errors="replace") as log:
                sys.stderr.writelines(log.readlines()[-20:])
        self.remove()
        sys.exit(1)


def state(process: int) -> list[str]:
    """Its state and its parent, and more; nothing of one that has ended."""
    try:
        with open(f"/proc/{process}/stat") as stat:
            # They stand after the name of the program, which may be anything in brackets.
            return stat.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def children(parent: int) -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and state(int(name))[1:2] == [str(parent)]]


def is_alive(process: int) -> bool:
    return state(process)[:1] not in ([], ["Z"], ["X"])


def main() -> None:
    # Ended like this it clears up as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    server = Server(sys.argv[1:])
    try:
        print(server.uri(), flush=True)
        for line in sys.stdin:
            server.obey(line.strip())
            print("done", flush=True)
    except KeyboardInterrupt:
        pass
    finally:
        server.remove()


if __name__ == "__main__":
    main()
