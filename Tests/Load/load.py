"""One round of requests against one server, by wrk, and what it and the server say of it."""

import json
import os
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from servers import HOST, tied

HERE = Path(__file__).parent
CONNECTIONS = 64


@dataclass
class Round:
    requests: int
    rate: float
    p50: float
    p99: float
    #: Server CPU seconds per 10,000 requests: the honest figure where client and server share the cores.
    cpu: float
    #: Whole games, where the script counts them.
    games: float = 0


def run(server, seconds, path="/", token=None, script="report.lua", arguments=(), threads=None):
    """Runs wrk for so many seconds. A request that is refused, late or lost makes the run worthless and ends it.

    A server that is several has `ports`; then a thread of wrk asks each.
    """
    ports = getattr(server, "ports", [server.port])
    command = ["wrk", f"-t{threads or len(ports)}", f"-c{threads or CONNECTIONS}", f"-d{seconds}s", "--timeout", "30s", "-s", HERE / script]
    if token:
        command += ["-H", f"Authorization: Bearer {token}"]
    command += [f"http://{HOST}:{server.port}{path}"]
    if arguments:
        command += ["--", *arguments]
    before = server.cpu_seconds()
    environment = {**os.environ, "PORTS": " ".join(map(str, ports))}
    with subprocess.Popen(tied(*command), stdout=subprocess.PIPE, text=True, env=environment) as wrk:
        try:
            output, _ = wrk.communicate(timeout=seconds + 60)
        except BaseException:
            wrk.kill()
            raise
    cpu = server.cpu_seconds() - before
    server.forget_log()
    line = next((line for line in output.splitlines() if line.startswith("RESULT ")), None)
    if wrk.returncode != 0 or line is None:
        raise SystemExit(f"wrk failed against {server.name} with status {wrk.returncode}:\n{output}")
    result = json.loads(line.removeprefix("RESULT "))
    faults = {kind: result[kind] for kind in ("refused", "broken", "late") if result[kind]}
    if faults or not result["requests"]:
        raise SystemExit(f"{server.name}: of {result['requests']} requests {faults or 'none'} went wrong:\n{output}")
    return Round(
        requests=result["requests"], rate=result["requests"] / (result["microseconds"] / 1e6), p50=result["p50"] / 1000,
        p99=result["p99"] / 1000, cpu=cpu / result["requests"] * 10_000, games=result["games"] / (result["microseconds"] / 1e6))


def set_in_redis(server, seconds, keys, value):
    """Has redis-benchmark SET random ones of so many keys, each time to another value, for about so many seconds."""
    random = "__rand_int__"
    arguments = ["-h", HOST, "-p", server.port, "-c", CONNECTIONS, "-r", keys, "--csv"]
    command = ["SET", f"member:{random}", f"{value} {random}"]
    # It takes a number and no time: how many that is, is tried.
    trial = redis_benchmark([*arguments, "-n", 4000, *command])
    requests = max(4000, int(trial["rps"] * seconds))
    before = server.cpu_seconds()
    result = redis_benchmark([*arguments, "-n", requests, *command])
    cpu = server.cpu_seconds() - before
    return Round(
        requests=requests, rate=result["rps"], p50=result["p50_latency_ms"], p99=result["p99_latency_ms"], cpu=cpu / requests * 10_000)


def get_in_redis(redis, seconds, length):
    """Has redis-benchmark GET a value of so many bytes for about so many seconds."""
    arguments = ["-h", HOST, "-p", redis.port, "-c", CONNECTIONS, "--csv"]
    redis_benchmark([*arguments, "-n", 1, "SET", "room", "x" * length])
    trial = redis_benchmark([*arguments, "-n", 20_000, "GET", "room"])
    requests = max(20_000, int(trial["rps"] * seconds))
    before = redis.cpu_seconds()
    result = redis_benchmark([*arguments, "-n", requests, "GET", "room"])
    cpu = redis.cpu_seconds() - before
    return Round(
        requests=requests, rate=result["rps"], p50=result["p50_latency_ms"], p99=result["p99_latency_ms"], cpu=cpu / requests * 10_000)


def redis_benchmark(arguments):
    """Its line of figures by the names in its heading."""
    output = subprocess.run(tied("redis-benchmark", *arguments), capture_output=True, text=True, timeout=300)
    lines = [line.strip('"') for line in output.stdout.splitlines() if line.startswith('"')]
    if output.returncode != 0 or len(lines) != 2:
        raise SystemExit(f"redis-benchmark failed:\n{output.stdout}{output.stderr}")
    # The first column is the command as it is, quotation marks and all; the figures behind it have none.
    names = lines[0].split('","')[1:]
    return {name: float(figure) for name, figure in zip(names, lines[1].rsplit('","', len(names))[1:], strict=True)}


def middle(rounds, figure):
    return median(getattr(round, figure) for round in rounds)


def syncs(server, seconds, load):
    """How many submissions one sync of the disk serves."""
    requests, count = traced(server, seconds, load, "fdatasync,fsync")
    if not count:
        raise SystemExit(f"strace has seen no sync while {requests} submissions were acknowledged")
    return requests / count


def calls(server, seconds, load):
    """System calls of the server for each request."""
    requests, count = traced(server, seconds, load, "all")
    return count / requests


def traced(server, seconds, load, calls):
    """Requests, and how often the server made one of these system calls meanwhile: `load` under strace, which stops it at every one.

    That makes everything slower, so such a round says nothing about speed.
    """
    report = server.folder / "strace.txt"
    processes = [option for process in server.processes() for option in ("-p", process)]
    with subprocess.Popen(tied("strace", "-qq", "-f", "-c", "-e", f"trace={calls}", "-o", report, *processes)) as strace:
        time.sleep(0.5)
        try:
            requests = load(seconds).requests
        finally:
            strace.terminate()
    # A line a call: "% time, seconds, usecs/call, calls, [errors,] syscall".
    rows = [line.split() for line in report.read_text().splitlines()]
    return requests, sum(int(row[3]) for row in rows if len(row) >= 5 and row[3].isdigit() and row[-1] != "total")


def idle_memory(server, path, count=3000):
    """Bytes of the server's memory for a connection that was used once and is kept open."""
    before = server.resident()
    connections = [ask(server.port, f"GET {path}") for _ in range(count)]
    more = server.resident() - before
    for connection in connections:
        connection.close()
    return more / count


def ask(port, request):
    """A connection that stays open, on which a request was answered or its answer begun."""
    connection = socket.create_connection((HOST, port), 10)
    connection.sendall(f"{request} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
    if not connection.recv(65536).startswith(b"HTTP/1.1 200"):
        raise SystemExit(f"{request} is refused")
    return connection
