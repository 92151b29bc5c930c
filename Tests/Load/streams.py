#!/usr/bin/env python3
"""`make bench-streams`: what many open streams cost, and how long news takes to reach them.

Opens idle streams to the stream server, and compares its memory before and after. Then publishes again and again to all of them:
every snapshot carries the time at which it was published, on the clock that this process reads when it has the last byte of it.
Meanwhile another process asks for /healthz on a few connections, and notes how long that takes.

Ends with another status than 0 where something did not work, never because a figure is low: other work may share the cores.
"""

import argparse
import multiprocessing
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from servers import HOST, Server

PROJECT = Path(__file__).resolve().parents[2]
PROGRAM = PROJECT / ".build/release/stream-server"
#: Of one address there are not ports enough for all streams, where the system's range is small.
STREAMS_PER_ADDRESS = 5000


class StreamServer(Server):
    name = "stream-server"

    def command(self):
        return [PROGRAM, self.port]

    def memory(self):
        """Resident, in bytes."""
        return status(self.process.pid, "VmRSS") * 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def status(pid, name):
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith(f"{name}:"))
    return int(line.split()[1])


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--idle", type=int, default=15_000, help="streams whose memory is measured")
    options.add_argument("--streams", type=int, default=10_000, help="streams that are published to")
    options.add_argument("--rounds", type=int, default=20, help="publications")
    options.add_argument("--size", type=int, default=600, help="bytes of a snapshot")
    options = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.stdout.reconfigure(line_buffering=True)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    idle = min(options.idle, hard - 500)
    print(f"{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f} at the start; descriptors {hard}")
    with tempfile.TemporaryDirectory(prefix="streams-") as folder, StreamServer(folder) as server:
        request(server, "GET", "/healthz")
        empty = server.memory()
        streams = Streams(server, idle)
        filled = server.memory()
        time.sleep(2)
        print(f"\n{idle} idle streams, opened in {streams.opening:.1f} s: {(server.memory() - empty) / idle / 1024:.2f} KiB of RSS each"
              f" ({empty >> 20} MiB before, {server.memory() >> 20} MiB with them)")
        del filled
        streams.close(idle - min(idle, options.streams))
        publications(server, streams, options)
        streams.close(len(streams.sockets))
        wait_for(lambda: server.descriptors() < 60, "the streams to be gone")
        print(f"\nafter all have gone: {server.memory() >> 20} MiB of RSS, {server.descriptors()} descriptors")


def publications(server, streams, options):
    news = b"x" * options.size
    alone = probe(server, 2)
    delays, lasts, meanwhile = [], [], []
    server_spent = client_spent = 0
    receiver, sender = multiprocessing.Pipe(False)
    going = multiprocessing.Event()
    prober = multiprocessing.Process(target=keep_probing, args=(server.port, going, sender), daemon=True)
    prober.start()
    for _ in range(options.rounds):
        going.set()
        time.sleep(0.2)
        began, server_began, client_began = time.monotonic_ns(), server.cpu_seconds(), time.process_time()
        taken = streams.receive(server, news)
        ended = time.monotonic_ns()
        server_spent += server.cpu_seconds() - server_began
        client_spent += time.process_time() - client_began
        going.clear()
        meanwhile += [took for at, took in receiver.recv() if began <= at + took and at <= ended]
        delays += taken
        lasts.append(max(taken))
    prober.terminate()
    count = len(streams.sockets)
    print(f"\n{options.rounds} publications of {options.size} bytes to {count} streams, from publishing to the last byte received:")
    print(f"    all streams      {figures(delays)}")
    print(f"    the last one     {figures(lasts)}")
    print(f"    CPU of each      {server_spent / options.rounds * 1000:.0f} ms in the server, other requests included, "
          f"{client_spent / options.rounds * 1000:.0f} ms in this client")
    print("GET /healthz on 4 connections, one after the other:")
    print(f"    alone            {figures(alone)}")
    print(f"    while publishing {figures(meanwhile)}")


def figures(nanoseconds):
    ordered = sorted(nanoseconds)
    if not ordered:
        return "none"
    at = lambda share: ordered[min(len(ordered) - 1, int(len(ordered) * share))] / 1e6
    return f"p50 {at(.5):7.1f} ms   p99 {at(.99):7.1f} ms   most {ordered[-1] / 1e6:7.1f} ms   ({len(ordered)})"


class Streams:
    def __init__(self, server, count):
        began = time.monotonic()
        self.sockets = {}
        self.epoll = select.epoll()
        waiting = {}
        while len(self.sockets) < count:
            # A hundred at a time, as fast as the backlog of the server goes down.
            while len(waiting) < 100 and len(waiting) + len(self.sockets) < count:
                one = connect(server.port, (len(waiting) + len(self.sockets)) // STREAMS_PER_ADDRESS)
                one.sendall(b"GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
                waiting[one.fileno()] = one
                self.epoll.register(one.fileno(), select.EPOLLIN)
            for descriptor, _ in self.epoll.poll(10, 256) or [(None, None)]:
                if descriptor is None:
                    raise SystemExit(f"only {len(self.sockets)} streams opened")
                head = os.read(descriptor, 4096)
                if not head.startswith(b"HTTP/1.1 200 OK\r\n") or not head.endswith(b"\r\n\r\n"):
                    raise SystemExit(f"this is no stream: {head[:200]}")
                self.sockets[descriptor] = waiting.pop(descriptor)
        self.opening = time.monotonic() - began

    def receive(self, server, news):
        """Publishes, and waits until all have it; how long each took."""
        size = len(f"{time.monotonic_ns()} ") + len(news)
        length = len(f"{size:x}\r\n") + size + 2
        partial = {}
        arrivals = []
        published = int(request(server, "POST", "/publish", news))
        if published != len(self.sockets):
            raise SystemExit(f"published to {published} streams of {len(self.sockets)}")
        while len(arrivals) < len(self.sockets):
            events = self.epoll.poll(10, 1024)
            if not events:
                raise SystemExit(f"only {len(arrivals)} streams of {len(self.sockets)} have the news")
            for descriptor, _ in events:
                piece = os.read(descriptor, 65_536)
                arrivals.append(time.monotonic_ns())
                if len(piece) != length:
                    if piece == b"3\r\n:\n\n\r\n":  # a heartbeat
                        arrivals.pop()
                        continue
                    piece = partial[descriptor] = partial.get(descriptor, b"") + piece
                    if len(piece) < length:
                        arrivals.pop()
        # It is the same snapshot for all.
        stamp = int(piece.split(b"\r\n", 1)[1].split(b" ", 1)[0])
        return [arrival - stamp for arrival in arrivals]

    def close(self, count):
        for _ in range(count):
            _, one = self.sockets.popitem()
            one.close()


def connect(port, address=0):
    one = socket.socket()
    one.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT: the port is chosen with the peer in view
    one.bind((f"127.0.0.{address + 2}", 0))
    one.connect((HOST, port))
    return one


def request(server, method, path, body=b""):
    with connect(server.port) as one:
        one.sendall(f"{method} {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = b"".join(iter(lambda: one.recv(65_536), b""))
    head, _, content = answer.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200 "):
        raise SystemExit(f"{method} {path}: {head[:200]}")
    return content


def ask(connection):
    began = time.monotonic_ns()
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
    if not connection.recv(4096).endswith(b"ok"):
        raise SystemExit("GET /healthz went wrong")
    return began, time.monotonic_ns() - began


def probe(server, seconds):
    # Several, so that all loops have some.
    connections = [connect(server.port) for _ in range(4)]
    end = time.monotonic() + seconds
    taken = []
    while time.monotonic() < end:
        taken += [ask(one)[1] for one in connections]
        time.sleep(0.001)
    return taken


def keep_probing(port, going, sender):
    connections = [connect(port) for _ in range(4)]
    while True:
        going.wait()
        taken = []
        while going.is_set():
            taken += [ask(one) for one in connections]
            time.sleep(0.001)
        sender.send(taken)


def wait_for(condition, what):
    deadline = time.monotonic() + 20
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"waited in vain for {what}")
        time.sleep(0.05)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
