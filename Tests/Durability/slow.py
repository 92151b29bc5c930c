"""A disk whose syncs take 20 ms, and one whose syncs take seconds while more commands come than may wait.

Speed is told and not required: machines are busy. What no load excuses is: many submissions share a sync, nothing that was acknowledged is
lost, and past the bound of the queue a write is refused at once while whoever was accepted is served.
"""

import json
import re
import resource
import threading
import time

from crowd import Crowd, request
from server import Failure, Server
from shims import Faults
from wire import Connection

CONNECTIONS = 128
ROOMS = 16
#: Commands that may wait, and those that are being written (UseCases/Bounds.swift).
QUEUE = 8192 + 1024


def run(folder, seed, is_long, report):
    place = folder / "slow"
    place.mkdir()
    store = place / "rooms.sqlite"
    faults = Faults(folder, store)
    revisions = {}
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with Server(store, environment=faults.environment, arguments=["--log-level", "info", "--max-connections", "20000"]) as server:
        members = _rooms(server, seed)
        _submit(server, faults, members, revisions, 0, 10 if is_long else 3, report)
        _submit(server, faults, members, revisions, 20, 10 if is_long else 3, report)
        if hard < QUEUE + 4000:
            report.skip("more commands than may wait", f"no process may have more than {hard} connections")
        else:
            _overrun(server, faults, members, revisions, report)
        server.kill()
    with Server(store) as server, Connection(server.port) as connection:
        for (path, token), revision in revisions.items():
            kept = connection.ask("GET", f"{path}/submission", token)
            if kept.status != 200 or kept.body["revision"] < revision:
                raise Failure(f"revision {revision} is lost: {kept.status} {kept.body}")
    report.say(f"slow: all of {len(revisions)} members have their last acknowledged revision after SIGKILL")


def _rooms(server, seed):
    """(path, token) of every member."""
    members = []
    with Connection(server.port) as connection:
        for room in range(ROOMS):
            tokens = [f"slow-{seed}-{room}-member-{number}" for number in range(CONNECTIONS // ROOMS)]
            pin = connection.ask("POST", "/v1/rooms", tokens[0], {}).body["pin"]
            members += [(f"/v1/rooms/{pin}", token) for token in tokens]
    return members


def _sheet(number):
    """Other answers every time: the same again might be written without a sync."""
    cards = ["hangover", "greasy", "health", "alcohol", "instant", "spicy", "rich"]
    answers = {card: "like" if number >> bit & 1 else "dislike" for bit, card in enumerate(cards)}
    return json.dumps({"answers": answers, "vetoes": []}).encode()


def _submit(server, faults, members, revisions, milliseconds, seconds, report):
    faults.delay(milliseconds * 1000)
    count, end = 0, time.monotonic() + seconds

    def next_request(number):
        nonlocal count
        if time.monotonic() > end:
            return None
        count += 1
        path, token = members[number]
        return request("PUT", f"{path}/submission", token, _sheet(count))

    syncs = faults.count("fdatasync")
    crowd = Crowd(server.port, CONNECTIONS, next_request)
    with Reader(server, members[0]) as reader:
        crowd.run()
    crowd.close()
    syncs = faults.count("fdatasync") - syncs
    faults.delay(0)
    for number, status, _, content, _ in crowd.answers:
        if status not in (200, 201):
            raise Failure(f"a submission is answered {status} {content}")
        _note(revisions, members[number], content)
    times = sorted(seconds for *_, seconds in crowd.answers)
    shared = len(times) / max(syncs, 1)
    report.say(
        f"slow: syncs {milliseconds} ms slower: {len(times) / seconds:.0f} submissions/s, p50 {_at(times, 0.5)}, p99 {_at(times, 0.99)},"
        f" {shared:.0f} a sync; reads p50 {_at(reader.times, 0.5)}, p99 {_at(reader.times, 0.99)}")
    if milliseconds:
        # Half of them come while one sync is under way, whatever else the machine does.
        if shared < CONNECTIONS / 4:
            raise Failure(f"only {shared:.1f} submissions share a sync")
        report.ran(f"a sync that takes {milliseconds} ms more", syncs, f"{len(times)} submissions, {shared:.0f} a sync, p99 {_at(times, 0.99)}")


def _at(times, share):
    return f"{sorted(times)[int(len(times) * share)] * 1000:.1f} ms" if times else "none"


def _note(revisions, member, content):
    # Only the beginning is looked at, for there are many.
    revision = int(re.search(rb'"revision":(\d+)', content).group(1))
    revisions[member] = max(revision, revisions.get(member, 0))


def _overrun(server, faults, members, revisions, report):
    crowd_size = QUEUE + 1500
    sent = [False] * crowd_size

    def next_request(number):
        if sent[number]:
            return None
        sent[number] = True
        path, token = members[number % len(members)]
        return request("PUT", f"{path}/submission", token, _sheet(number))

    crowd = Crowd(server.port, crowd_size, next_request)
    # All of them are there before the first is answered: when nobody has been refused for a while.
    faults.delay(100_000_000)

    def relieve():
        refused = 0
        while not refused or refused < len(crowd.answers):
            refused = len(crowd.answers)
            time.sleep(3)
        faults.delay(0)

    relief = threading.Thread(target=relieve, daemon=True)
    relief.start()
    with Reader(server, members[0]) as reader:
        crowd.run()
    relief.join()
    crowd.close()
    refused = 0
    for number, status, head, content, _ in crowd.answers:
        if status == 503:
            refused += 1
            if b"store-unavailable" not in content or b"\r\nretry-after: " not in head.lower():
                raise Failure(f"a write is refused with {head} {content}")
        elif status in (200, 201):
            _note(revisions, members[number % len(members)], content)
        else:
            raise Failure(f"a submission is answered {status} {content}")
    if not refused:
        raise Failure(f"all of {crowd_size} commands wait, and none is refused")
    # At once: before anybody's command had been written.
    order = [status for _, status, *_ in crowd.answers]
    if 503 in order[refused:]:
        raise Failure("a write that is refused had to wait until others were answered")
    if not reader.times:
        raise Failure("nobody could read meanwhile")
    report.ran(
        "more commands than may wait", refused,
        f"refused with Retry-After before any was answered, {len(order) - refused} taken; reads meanwhile p99 {_at(reader.times, 0.99)}")


class Reader(threading.Thread):
    """Reads one room again and again while others write."""

    def __init__(self, server, member):
        super().__init__(daemon=True)
        self.server = server
        self.member = member
        self.times = []
        self.is_over = threading.Event()
        self.fault = None

    def run(self):
        with Connection(self.server.port) as connection:
            while not self.is_over.wait(0.01):
                began = time.monotonic()
                answer = connection.ask("GET", *self.member)
                self.times.append(time.monotonic() - began)
                if answer.status != 200:
                    self.fault = f"a read is answered {answer.status} {answer.body}"

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.join()
        if self.fault:
            raise Failure(self.fault)
