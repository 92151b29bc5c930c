"""A disk without space, and one that may only be read."""

import os
import subprocess

import disks
from bench import Bench, require_healing, require_refusals, require_word
from report import Skipped
from server import PROGRAM, Failure, Server
from wire import Connection


def run(folder, seed, is_long, report):
    try:
        _full(folder, seed, 20 if is_long else 3, report)
    except Skipped as skipped:
        report.skip("a full tmpfs", str(skipped))
    _read_only(folder, report)


def _full(folder, seed, times, report):
    disks.require("mount")
    # More than a log that is brought home from 16 MB on: what is freed has to be room enough for that.
    with disks.mounted("-t", "tmpfs", "-o", "size=64m", "tmpfs", at=folder / "full"):
        bench = Bench(folder / "full", seed, is_there=True)
        server, _ = bench.serve(log=folder / "full.log")
        try:
            for _ in range(times):
                bench.look(server)
                with Connection(server.port) as connection:
                    connection.ask("GET", f"/v1/rooms/{bench.pin}")
                play, players = bench.play(server, 0.2)
                ballast = bench.folder / "ballast"
                _fill(ballast)
                bench.play_on(20, until=lambda: bench.world.counts["503"] > 0)
                # What is put off may come into force later, so a long time of that leaves too many ways to tell apart.
                bench.end(play, players)
                require_refusals(bench, server, again=lambda: _fill(ballast))
                ballast.unlink()
                require_healing(bench, server)
                server.kill()
                server, is_serving = bench.serve(log=folder / "full.log")
                if not is_serving:
                    raise Failure(f"it does not start: {server.words()}")
                bench.world.counts["503"] = 0
            bench.look(server)
        finally:
            server.kill()
    report.ran("a full tmpfs", times, f"it healed within 5 s each time; {bench.world.words()}")


def _fill(path):
    """All the space that there is."""
    with open(path, "ab", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass


def _read_only(folder, report):
    """A store that cannot be written is not served: it ends with a status and one line."""
    path = folder / "readonly"
    path.mkdir()
    store = path / "rooms.sqlite"
    with Server(store, log=folder / "readonly.log"):
        pass
    times = 0
    for name in ("a read-only file", "a read-only folder"):
        target = store if name == "a read-only file" else path
        mode = target.stat().st_mode
        # Root may write all the same, so the server is somebody else.
        prefix = []
        if os.geteuid() == 0:
            for file in [path, *path.iterdir()]:
                os.chown(file, 65534, 65534)
            os.chmod(folder, 0o755)
            prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
            if subprocess.run([*prefix, PROGRAM, "--help"], capture_output=True).returncode != 0:
                return report.skip("a read-only file, a read-only folder", f"{PROGRAM} is in a folder that root alone may read")
        target.chmod(mode & ~0o222)
        server = Server(store, prefix=prefix, log=folder / "readonly.log")
        try:
            if server.wait_until_it_serves():
                raise Failure(f"{name} is served")
            require_word(server)
        finally:
            server.kill()
            target.chmod(mode)
        times += 1
    with Server(store, prefix=prefix, log=folder / "readonly.log"):
        pass
    report.ran("a read-only file, a read-only folder", times, "it did not start, said why, and started when it could write")
