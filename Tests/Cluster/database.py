"""A PostgreSQL primary and its synchronous standby. Which server is which changes with every fail-over; their two ports stay."""

import signal
import subprocess
import time

import postgres
from server import Failure

#: As Debian has it, but for what makes a start on a busy machine quick.
SETTINGS = ["checkpoint_timeout=1h"]


class Standby(postgres.Server):
    """A copy of a primary that follows it."""

    def __init__(self, primary, port):
        self.make_folder(primary.settings, primary.password)
        self.port = port
        self.run("pg_basebackup", "--write-recovery-conf", "--checkpoint", "fast", "--no-sync", "--pgdata", self.data,
                 "--dbname", primary.uri("postgres"))
        if not self.start():
            self.give_up("the standby does not start")


class Pair:
    """- is_synchronous: whether a commit waits for the standby's disk."""

    #: Seconds from the promotion until writes are to flow through every node, and how many clients there are meanwhile.
    flows_within, guests = 5, 32

    def __init__(self, is_synchronous=True):
        self.is_synchronous = is_synchronous
        self.primary = postgres.Server(SETTINGS)
        self.standby = self.dead = None
        self.spare = postgres.free_port()
        hosts = f"127.0.0.1:{self.primary.port},127.0.0.1:{self.spare}"
        #: Of both; a client finds out which of them takes writes.
        self.uri = (f"postgres://{postgres.USER}:{self.primary.password}@{hosts}/{postgres.DATABASE}?target_session_attrs=read-write")

    def attach(self):
        """Gives the primary a new standby, on the port that is free, and has it wait for it from then on."""
        self.standby = Standby(self.primary, self.spare)
        if not self.is_synchronous:
            return
        # Not before, or the copy would have it too and wait for a standby of its own once it is promoted.
        self.configure(self.primary, "synchronous_standby_names = '*'")
        self.wait_for(self.primary, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'", "1")

    def kill_primary(self):
        self.dead, self.primary = self.primary, None
        self.dead.kill()

    def decide(self, chance):
        """As long as it takes whoever watches over the pair to be sure."""
        time.sleep(chance.uniform(0.3, 2))

    def promote(self):
        """As whoever watches over the pair does it: `pg_ctl promote`."""
        self.standby.run("pg_ctl", "promote", "--pgdata", self.standby.data)
        self.primary, self.standby = self.standby, None

    def bury(self):
        """Its data would be in the way of nobody; its port is needed."""
        self.spare = self.dead.port
        self.dead.remove()
        self.dead = None

    def cut_off(self):
        """The standby hears nothing of its primary any more."""
        self.configure(self.standby, "primary_conninfo = ''")
        self.wait_for(self.primary, "SELECT count(*) FROM pg_stat_replication", "0")

    def configure(self, server, setting):
        self.query(server, f"ALTER SYSTEM SET {setting}")
        self.query(server, "SELECT pg_reload_conf()")

    def wait_for(self, server, sql, value):
        deadline = time.monotonic() + 60
        while self.query(server, sql) != value:
            if time.monotonic() > deadline:
                raise Failure(f"PostgreSQL: never {value}: {sql}")
            time.sleep(0.05)

    def query(self, server, sql):
        return self.query_at(server.uri(), sql)

    @staticmethod
    def query_at(uri, sql):
        done = subprocess.run(["psql", "-XAtq", "-d", uri, "-c", sql], capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"psql: {done.stderr}")
        return done.stdout.strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for server in (self.primary, self.standby, self.dead):
            if server is not None:
                server.remove()


class HangingPair(Pair):
    """The primary does not die: all of its processes are stopped where they are, with their connections open. Nobody brings it back."""

    #: That it hangs has to be noticed first, and each new connection tries it before its standby. The longer there is no answer, the more
    #: orders there are to be searched.
    flows_within, guests = 10, 8

    def kill_primary(self):
        self.dead, self.primary = self.primary, None
        self.dead.signal_all(signal.SIGSTOP)

    def bury(self):
        self.dead.kill()
        super().bury()
