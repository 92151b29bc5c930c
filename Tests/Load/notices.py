"""How long after it was sent to one node a write has come to a stream of another."""

import json
import re
import select
import socket
import time
from concurrent.futures import ThreadPoolExecutor

from bench import Crowd
from game import Client
from servers import HOST


def notices(cluster, folder, answers, options):
    crowd = Crowd(cluster, folder, answers, "notices", 100, 8)
    idle = _notices(cluster, 200)
    with ThreadPoolExecutor(1) as aside:
        loading = aside.submit(crowd.submit, options.seconds + 2)
        time.sleep(1)
        busy = _notices(cluster, 200, until=time.monotonic() + options.seconds)
        loading.result()
    crowd.check()
    print(f"\nFrom a write sent to one node to its event at a stream of another, of {len(cluster.nodes)}: milliseconds")
    print(f"{'':16}{'writes':>10}{'answer p50':>12}{'event p50':>12}{'event p99':>12}{'after the answer p50':>22}")
    for name, times in {"idle": idle, "under load": busy}.items():
        cells = [at([answer for answer, _ in times], 0.5), at([event for _, event in times], 0.5), at([event for _, event in times], 0.99)]
        after = at([event - answer for answer, event in times], 0.5)
        print(f"{name:16}{len(times):>10}" + "".join(f"{cell * 1000:>12.1f}" for cell in cells) + f"{after * 1000:>22.1f}")


def at(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def _notices(cluster, count, until=float("inf")):
    """(seconds to the answer, seconds to the event) of writes, one after the other."""
    here, there = cluster.ports[0], cluster.ports[-1]
    token = "notices-member-0001"
    with Client(here) as client:
        room = json.loads(client.call("POST", "/v1/rooms", token))
        path = f"/v1/rooms/{room['pin']}"
        stream, writer = socket.create_connection((HOST, there)), socket.create_connection((HOST, here))
        with stream, writer:
            stream.sendall(f"GET {path}/events HTTP/1.1\r\nHost: h\r\n\r\n".encode())
            read_until(stream, rb"id: \d+\n")
            times = []
            while len(times) < count and time.monotonic() < until:
                body = json.dumps({"nickname": f"name-{len(times)}"}).encode()
                began = time.monotonic()
                writer.sendall(
                    f"PUT {path}/members/me HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
                    f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
                times.append(both(writer, stream, began))
        client.call("DELETE", path, token)
    return times


def both(writer, stream, began):
    texts, moments = {writer: b"", stream: b""}, {}
    ends = {writer: re.compile(rb'"sequence":(\d+)'), stream: re.compile(rb"id: (\d+)\n")}
    while len(moments) < 2:
        ready, _, _ = select.select([one for one in texts if one not in moments], [], [], 30)
        if not ready:
            raise SystemExit(f"a write is not heard of at the other node: {texts[writer]}")
        for one in ready:
            texts[one] += one.recv(1 << 16)
            if ends[one].search(texts[one]):
                moments[one] = time.monotonic() - began
    return moments[writer], moments[stream]


def read_until(connection, pattern):
    text = b""
    while not re.search(pattern, text):
        text += connection.recv(1 << 16)
