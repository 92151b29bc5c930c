#!/usr/bin/env python3
"""`make slow`: what slow clients can do to the server, and what the others feel of it.

Runs slowhttptest in its four modes, 2,000 connections each, against the stream server with its limits as they are. Meanwhile another
process asks for /healthz on a few connections. Prints a table, and ends with another status than 0 where an attacker is still
connected 15 seconds after the last one came, a healthy request is not answered, or memory or descriptors do not come back.

Then takes the descriptors away from the server, which has to live on with those it has.
"""

import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from servers import HOST
from streams import StreamServer, ask, connect, figures, keep_probing, request

CONNECTIONS = 2000
#: An attacker is allowed so long, counted from the last arrival.
PATIENCE = 15
#: What may stay behind after an attack, in bytes: the allocator keeps some.
LEFTOVER = 48 << 20

MODES = {
    "slow heads": ["-H", "-i", "5", "-x", "24", "-t", "GET", "-u", "/healthz"],
    "slow bodies": ["-B", "-i", "5", "-s", "8192", "-x", "10", "-t", "POST", "-u", "/echo"],
    "ranges": ["-R", "-a", "10", "-b", "3000", "-u", "/healthz"],
    "slow reading": ["-X", "-w", "512", "-y", "1024", "-n", "5", "-z", "32", "-k", "3", "-u", "/big"],
}


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.stdout.reconfigure(line_buffering=True)
    if not shutil.which("slowhttptest"):
        raise SystemExit("slowhttptest is missing: make slow installs it")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(f"{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f} at the start; {CONNECTIONS} connections in each mode\n")
    print(f"{'':14}{'at once':>8}{'all gone after':>16}{'MiB before':>12}{'most':>6}{'after':>7}   GET /healthz meanwhile")
    with tempfile.TemporaryDirectory(prefix="slow-") as folder, StreamServer(folder) as server:
        request(server, "GET", "/healthz")
        failures = [failure for mode, options in MODES.items() for failure in attack(server, mode, options)]
        failures += exhaust(server)
    for failure in failures:
        print(f"slow: {failure}", file=sys.stderr)
    sys.exit(1 if failures else 0)


def attack(server, mode, options):
    receiver, sender = multiprocessing.Pipe(False)
    going = multiprocessing.Event()
    prober = multiprocessing.Process(target=keep_probing, args=(server.port, going, sender), daemon=True)
    prober.start()
    time.sleep(0.5)
    base, before = server.descriptors(), server.memory()
    going.set()
    options = [f"http://{HOST}:{server.port}{option}" if option.startswith("/") else option for option in options]
    attacker = subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", "--", "slowhttptest", "-c", str(CONNECTIONS), "-r", "1000", "-l", "60", "-p", "5", *options],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    began = time.monotonic()
    most, memory, came, gone = 0, before, began, None
    while gone is None and time.monotonic() < came + 2 * PATIENCE:
        time.sleep(0.1)
        now, there = time.monotonic(), server.descriptors() - base
        memory = max(memory, server.memory())
        if there > most:
            most, came = there, now
        # slowhttptest asks for itself now and then whether the server is still there. It takes a moment to begin.
        if there <= 3 and (now > began + 3 or attacker.poll() is not None):
            gone = now
    if attacker.poll() is None:
        attacker.terminate()
    attacker.communicate()
    going.clear()
    probes = [took for _, took in receiver.recv()] if receiver.poll(10) else []
    prober.terminate()
    prober.join()
    time.sleep(2)
    after, left = server.memory(), server.descriptors()
    print(f"{mode:14}{most:>8}{f'{gone - came:.1f} s' if gone else 'not':>16}{before >> 20:>12}{memory >> 20:>6}{after >> 20:>7}   {figures(probes)}")
    if not probes:
        yield f"{mode}: healthy requests were not answered"
    if gone is None or gone - came > PATIENCE:
        yield f"{mode}: attackers were still there after {PATIENCE} s"
    if after > before + LEFTOVER:
        yield f"{mode}: {(after - before) >> 20} MiB have not come back"
    if left > base:
        yield f"{mode}: {left - base} descriptors have not come back"


def exhaust(server):
    """More clients than the process may have descriptors, though the server had been told otherwise when it started."""
    with connect(server.port) as steady:
        ask(steady)
        subprocess.run(["prlimit", "--pid", str(server.process.pid), f"--nofile={server.descriptors() + 20}"], check=True)
        crowd = [connect(server.port) for _ in range(100)]
        for one in crowd:
            one.sendall(b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
        spent = server.cpu_seconds()
        time.sleep(2)
        spent = server.cpu_seconds() - spent
        took = max(ask(steady)[1] for _ in range(100)) / 1e6
        answered = sum(is_answered(one) for one in crowd)
    for one in crowd:
        one.close()
    time.sleep(0.5)
    print(f"\n20 descriptors for 100 clients: {answered} answered, {spent:.2f} s of CPU in 2 s, the others' slowest {took:.1f} ms")
    # Some were still closing when the limit was set.
    if not 0 < answered <= 60:
        yield f"{answered} of 100 clients were answered with 20 descriptors"
    if spent > 1:
        yield f"without descriptors the server spent {spent:.2f} s of CPU in 2 s"
    request(server, "GET", "/healthz")


def is_answered(one):
    one.setblocking(False)
    try:
        return one.recv(4096).endswith(b"ok")
    except OSError:
        return False


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
