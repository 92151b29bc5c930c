#!/usr/bin/env python3
"""`make bench-push`: ten thousand phones at one reveal.

Registers as many devices as `--members` times `--devices`, has all members answer, and reveals. Measures how long it takes until the stand-ins for the
services (Tests/Push) have accepted the last message, how long other requests take before and meanwhile, and the memory of the server.

Ends with another status than 0 where a message is missing or came twice, never because a figure is low: other work may share the cores.
"""

import argparse
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from servers import HOST, Server

PROJECT = Path(__file__).resolve().parents[2]


class Hansang(Server):
    name = "hansang"

    def __init__(self, folder, stand_in):
        super().__init__(folder)
        self.stand_in = stand_in

    def command(self):
        files, origin = self.stand_in.folder, self.stand_in.origin
        return [
            PROJECT / ".build/release/hansang", "serve", "--port", self.port, "--store", f"sqlite:{self.folder}/rooms.sqlite",
            "--trust-proxy", "--push-fcm", files / "account.json", "--push-fcm-url", origin, "--push-apns-key", files / "key.p8",
            "--push-apns-key-id", "ABC123DEFG", "--push-apns-team", "TEAM123456", "--push-apns-topic", "com.example.hansang",
            "--push-apns-url", origin, "--push-ca", files / "authority.pem", "--log-level", "warning",
        ]

    def memory(self, name):
        """In bytes; `name` as in proc(5)."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1]) * 1024


class StandIn:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.process = subprocess.Popen(
            [PROJECT / "Tests/Push/stand-in.sh", self.folder], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True)
        ports = json.loads(self.process.stdout.readline())
        self.origin = f"https://localhost:{ports['port']}"
        self.control = http.client.HTTPConnection(HOST, ports["control"])

    def tell(self, **command):
        body = json.dumps({"limit": 0, **command})
        self.control.request("POST", "/", body, {"Content-Length": str(len(body))})
        return json.loads(self.control.getresponse().read())

    def close(self):
        self.process.terminate()
        self.process.wait()


class Client:
    """One connection, from an address of its own."""

    def __init__(self, port, number):
        self.connection = http.client.HTTPConnection(HOST, port)
        self.address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"

    def send(self, method, path, token=None, body=None):
        fields = {"X-Forwarded-For": self.address}
        if token:
            fields["Authorization"] = f"Bearer {token}"
        if body is not None:
            fields["Content-Type"] = "application/json"
        self.connection.request(method, path, None if body is None else json.dumps(body), fields)
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.status >= 300:
            sys.exit(f"{method} {path}: {answer.status} {data.decode()}")
        return json.loads(data) if data else None


def token(number):
    return f"device-token-of-number-{number}"


def prepare(port, options):
    """The devices and a room in which all have answered; its PIN."""
    pin = Client(port, 0).send("POST", "/v1/rooms", token(0), {})["pin"]

    def members(part):
        for number in range(part, options.members, options.threads):
            client = Client(port, number)
            for device in range(options.devices):
                platform = "fcm" if device % 2 else "apns"
                client.send("PUT", "/v1/devices/me", token(number), {"platform": platform, "pushToken": f"{number:06x}{device:02x}"})
            client.send("PUT", f"/v1/rooms/{pin}/submission", token(number), {"answers": {"hangover": "like"}})

    threads = [threading.Thread(target=members, args=(part,)) for part in range(options.threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return pin


class Onlooker(threading.Thread):
    """Reads and writes in a room of its own, now and then, and notes how long it takes."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.client, self.port = Client(port, 99_999), port
        self.pin = self.client.send("POST", "/v1/rooms", token(99_999), {})["pin"]
        self.reads, self.writes, self.is_done = [], [], threading.Event()

    def run(self):
        while not self.is_done.wait(0.005):
            for durations, request in (
                (self.reads, ("GET", f"/v1/rooms/{self.pin}")),
                (self.writes, ("PUT", f"/v1/rooms/{self.pin}/submission", token(99_999), {"answers": {"hangover": "like"}})),
            ):
                began = time.monotonic()
                self.client.send(*request)
                durations.append(time.monotonic() - began)

    def report(self, when):
        for name, durations in (("GET room", self.reads), ("PUT submission", self.writes)):
            durations.sort()
            if durations:
                median, late = durations[len(durations) // 2], durations[int(len(durations) * 0.99)]
                print(f"  {when}: {name:15} {len(durations):5} requests, median {median * 1e3:6.2f} ms, 99 % within {late * 1e3:6.2f} ms")
        self.reads, self.writes = [], []


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--members", type=int, default=500)
    options.add_argument("--devices", type=int, default=20, help="of each member")
    options.add_argument("--threads", type=int, default=8, help="that register")
    options = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    count = options.members * options.devices
    print(f"{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f} at the start")
    with tempfile.TemporaryDirectory(prefix="push-") as folder, tempfile.TemporaryDirectory(prefix="push-") as files:
        stand_in = StandIn(files)
        try:
            with Hansang(folder, stand_in) as server:
                measure(server, stand_in, options, count)
        finally:
            stand_in.close()


def measure(server, stand_in, options, count):
    began = time.monotonic()
    pin = prepare(server.port, options)
    print(f"{count} devices of {options.members} members registered in {time.monotonic() - began:.1f} s")
    # The host has heard that everybody has answered.
    wait_until(lambda: stand_in.tell()["acceptedCount"] >= options.devices, "the host's messages")
    time.sleep(1)
    before, memory = stand_in.tell()["acceptedCount"], server.memory("VmRSS")
    onlooker = Onlooker(server.port)
    onlooker.start()
    time.sleep(3)
    onlooker.report("before")
    began = time.monotonic()
    Client(server.port, 0).send("POST", f"/v1/rooms/{pin}/reveal", token(0))
    answered = time.monotonic() - began
    wait_until(lambda: stand_in.tell()["acceptedCount"] - before >= count, "all to be accepted", 300)
    took = time.monotonic() - began
    onlooker.report("meanwhile")
    onlooker.is_done.set()
    seen = stand_in.tell()
    print(f"reveal answered in {answered * 1e3:.0f} ms; the last of {count} accepted after {took:.1f} s ({count / took:.0f}/s),"
          f" on {seen['opened']} connections")
    print(f"memory: {memory >> 20} MiB before, {server.memory('VmHWM') >> 20} MiB at most")
    time.sleep(1)
    seen = stand_in.tell()
    if seen["acceptedCount"] - before != count or seen["distinct"] != seen["acceptedCount"]:
        sys.exit(f"{seen['acceptedCount'] - before} accepted, {seen['acceptedCount'] - seen['distinct']} of all that were twice")


def wait_until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"waited in vain for {what}")
        time.sleep(0.02)


main()
