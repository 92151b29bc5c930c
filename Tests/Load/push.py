#!/usr/bin/env python3
"""`make bench-push`: ten thousand phones at one reveal, and how long everybody else waits meanwhile.

In each of `--rounds` rounds, one after the other: nothing is sent; a room of `--members` times `--devices` devices is revealed and the server tells
them all; and h2load(1) sends as many of the same messages at the same rate, while the server has nothing to tell. That control says what it
costs others on this machine that those messages are sent and taken at all, whoever sends them. Meanwhile somebody reads a room and somebody
else submits, again and again.

Prints what those two saw, how long it took until the stand-ins for the services (Tests/Push) had accepted the last message, and the memory of
the server. Ends with another status than 0 where a message is missing or came twice, never because a figure is low: other work may
share the cores.
"""

import argparse
import http.client
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from servers import HOST, Server, tied

PROJECT = Path(__file__).resolve().parents[2]
# The number of who opens the rooms, who is one of the members, and of who looks on.
OPENER, ONLOOKER = 0, 99_999
# Seconds after which nobody waits any longer for the last message.
PATIENCE = 300


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


class Replay:
    """The last message that a service has taken, by h2load(1), again and again."""

    def __init__(self, stand_in, name, request):
        self.body = stand_in.folder / f"{name}.json"
        self.body.write_text(request["body"])
        fields = {name: value for name, value in request["fields"].items() if not name.startswith(":") and name != "content-length"}
        self.url = stand_in.origin + request["fields"][":path"]
        self.fields = [word for name, value in fields.items() for word in ("-H", f"{name}: {value}")]

    def start(self, count, rate):
        return subprocess.Popen(
            tied("h2load", "-n", count, "-c", 1, "-m", 100, f"--rps={max(1, round(rate))}", "-d", self.body, *self.fields, self.url),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


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


class Onlooker(threading.Thread):
    """Does the same request again and again, with a pause, and notes how long each takes."""

    def __init__(self, port, *request):
        super().__init__(daemon=True)
        self.client, self.request = Client(port, ONLOOKER), request
        self.durations, self.is_done = [], threading.Event()

    def run(self):
        while not self.is_done.wait(0.005):
            began = time.perf_counter()
            self.client.send(*self.request)
            self.durations.append(time.perf_counter() - began)

    def take(self):
        """In seconds, since it was last asked."""
        durations, self.durations = self.durations, []
        return durations


class Stage:
    """What was seen while one thing went on, over all rounds."""

    def __init__(self, name):
        self.name = name
        self.durations = {}
        self.seconds = self.cpu = self.messages = 0

    def percentile(self, request, share):
        durations = sorted(self.durations.get(request, []))
        return durations[min(int(len(durations) * share), len(durations) - 1)] if durations else math.nan


class Bench:
    def __init__(self, server, stand_in, options):
        self.server, self.stand_in, self.options = server, stand_in, options
        self.count = options.members * options.devices
        self.stages = self.quiet, self.others, self.ours = Stage("quiet"), Stage("h2load sends"), Stage("we send")
        self.reveals, self.lasts, self.faults = [], [], []
        pin = Client(server.port, ONLOOKER).send("POST", "/v1/rooms", token(ONLOOKER), {})["pin"]
        self.onlookers = {
            "GET room": Onlooker(server.port, "GET", f"/v1/rooms/{pin}"),
            "PUT submission": Onlooker(server.port, "PUT", f"/v1/rooms/{pin}/submission", token(ONLOOKER), ANSWERS),
        }

    def run(self):
        self.by_everybody(self.register)
        for onlooker in self.onlookers.values():
            onlooker.start()
        for _ in range(self.options.rounds):
            self.during(self.quiet, lambda: time.sleep(self.options.seconds))
            self.memory = self.server.memory("VmRSS")
            self.send()
            self.have_sent()
        for onlooker in self.onlookers.values():
            onlooker.is_done.set()

    def by_everybody(self, work):
        """`work(client, number)` for each member, by a few at a time."""
        def some(part):
            for number in range(part, self.options.members, self.options.threads):
                work(Client(self.server.port, number), number)

        with ThreadPoolExecutor(self.options.threads) as pool:
            for done in [pool.submit(some, part) for part in range(self.options.threads)]:
                done.result()

    def register(self, client, number):
        for device in range(self.options.devices):
            platform = "fcm" if device % 2 else "apns"
            client.send("PUT", "/v1/devices/me", token(number), {"platform": platform, "pushToken": f"{number:06x}{device:02x}"})

    def during(self, stage, work):
        """Does `work`, and notes for `stage` what the onlookers saw meanwhile."""
        for onlooker in self.onlookers.values():
            onlooker.take()
        began, cpu = time.monotonic(), self.server.cpu_seconds()
        work()
        stage.seconds += time.monotonic() - began
        stage.cpu += self.server.cpu_seconds() - cpu
        for request, onlooker in self.onlookers.items():
            stage.durations.setdefault(request, []).extend(onlooker.take())

    def send(self):
        client = Client(self.server.port, OPENER)
        pin = client.send("POST", "/v1/rooms", token(OPENER), {})["pin"]
        self.by_everybody(lambda client, number: client.send("PUT", f"/v1/rooms/{pin}/submission", token(number), ANSWERS))
        # The host is told that everybody has answered; let it settle down.
        time.sleep(2)
        self.stand_in.tell(forgetAccepted=True)

        def reveal():
            began = time.monotonic()
            client.send("POST", f"/v1/rooms/{pin}/reveal", token(OPENER))
            self.reveals.append(time.monotonic() - began)
            while self.stand_in.tell()["acceptedCount"] < self.count:
                if time.monotonic() > began + PATIENCE:
                    sys.exit("waited in vain for all to be accepted")
                time.sleep(0.02)
            self.lasts.append(time.monotonic() - began)

        self.during(self.ours, reveal)
        self.ours.messages += self.count
        time.sleep(1)
        seen = self.stand_in.tell()
        if not seen["acceptedCount"] == seen["distinct"] == self.count:
            self.faults.append(f"{seen['acceptedCount']} of {self.count} accepted, {seen['distinct']} without repeats")
        client.send("DELETE", f"/v1/rooms/{pin}", token(OPENER))

    def have_sent(self):
        seen = self.stand_in.tell(last=True)["last"]
        senders = [Replay(self.stand_in, service, seen[service]) for service in SERVICES]
        self.stand_in.tell(forgetAccepted=True)

        def send():
            processes = [sender.start(self.count // len(senders), self.count / self.lasts[-1] / len(senders)) for sender in senders]
            for process in processes:
                process.wait()

        self.during(self.others, send)
        accepted = self.stand_in.tell()["acceptedCount"]
        self.others.messages += accepted
        if accepted != self.count // len(senders) * len(senders):
            self.faults.append(f"of h2load's {self.count} messages {accepted} were accepted")

    def report(self):
        for stage in self.stages:
            print(f"  {stage.name}: {stage.seconds:.1f} s, {stage.messages / stage.seconds:.0f} messages/s,"
                  f" {stage.cpu / stage.seconds:.2f} cores of the server")
        for request in self.onlookers:
            for share in (0.5, 0.99):
                quiet, others, ours = (stage.percentile(request, share) * 1e3 for stage in self.stages)
                print(f"  {request:15} {share * 100:2.0f} % within {quiet:7.2f} ms quiet, {others:7.2f} ms while h2load sends,"
                      f" {ours:7.2f} ms while we send: {ours / others:.2f} times")
        seconds = sorted(self.lasts)
        print(f"  reveals answered within {max(self.reveals) * 1e3:.0f} ms; the last of {self.count} accepted after {seconds[0]:.1f} to"
              f" {seconds[-1]:.1f} s, on {self.stand_in.tell()['opened']} connections in all")
        print(f"  memory: {self.memory >> 20} MiB before the last round, {self.server.memory('VmHWM') >> 20} MiB at most")


ANSWERS = {"answers": {"hangover": "like"}}
# By the first part of the paths of their requests.
SERVICES = ("v1", "3")


def token(number):
    return f"device-token-of-number-{number}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--members", type=int, default=500)
    options.add_argument("--devices", type=int, default=20, help="of each member")
    options.add_argument("--threads", type=int, default=8, help="that register and submit")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=float, default=5, help="that are quiet in each round")
    options = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    print(f"{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f} at the start")
    with tempfile.TemporaryDirectory(prefix="push-") as folder, tempfile.TemporaryDirectory(prefix="push-") as files:
        stand_in = StandIn(files)
        try:
            with Hansang(folder, stand_in) as server:
                bench = Bench(server, stand_in, options)
                bench.run()
                bench.report()
        finally:
            stand_in.close()
    print(f"load {os.getloadavg()[0]:.1f} at the end")
    for fault in bench.faults:
        print(fault)
    sys.exit(bool(bench.faults))


main()
