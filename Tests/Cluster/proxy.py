"""docker/proxy/nginx.conf in front of two nodes: what it has to pass on, and what it has to make good."""

import os
import signal
import threading
import time

import postgres
from nginx import nginx
from nodes import Nodes
from phones import Client, Stream
from server import Failure

CLIENTS = 8


def run(folder, seed, is_long, report):
    place = folder / "proxy"
    place.mkdir()
    ports = [postgres.free_port() for _ in range(4)]
    database = postgres.Server([])
    try:
        with Nodes(place, database.uri(), 2, ports[:2]) as nodes, nginx(place, ports) as tls:
            client = Client(tls, ports[3])
            _game(client, seed)
            report.say("proxy: HTTP leads to HTTPS; a whole game by TLS, by a certificate of a CA of ours")
            report.say(f"proxy: an event comes {_events(client, seed) * 1000:.0f} ms after the write behind it, while its stream stays open")
            _addresses(client)
            report.say("proxy: wrong PINs are counted by the client's own address, whatever it says of itself")
            cycles = 5 if is_long else 1
            for cycle in range(cycles):
                for number, how in [(0, signal.SIGKILL), (1, signal.SIGTERM), (1, signal.SIGKILL), (0, signal.SIGTERM)]:
                    counts = _loss(nodes, client, number, how, f"{seed}-{cycle}-{number}-{how.name}")
                    report.say(f"proxy: {how.name} to a node: {counts.words()}")
            report.ran("node behind the proxy killed or stopped under load", 4 * cycles, "no GET and no PUT failed; what was under a key was done once")
            _nobody(nodes, client)
            log = (place / "nginx.log").read_text()
            if "/v1/game" not in log or "/group" in log:
                raise Failure(f"nginx logs no failures, or those with tokens in their addresses: {log[-1000:]}")
            report.say("proxy: where no node is left the answer is a 503 that says when to come again; no address with a token is logged")
    finally:
        database.remove()


def _game(client, seed):
    tokens = [f"proxied-{seed}-member-{number}" for number in range(3)]
    connection = client.connect()
    path = f"/v1/rooms/{client.expect(201, connection, 'POST', '/v1/rooms', tokens[0], {})['pin']}"
    for token in tokens:
        client.expect(201, connection, "PUT", f"{path}/submission", token, {"answers": {"spicy": "like"}, "vetoes": ["seafood"]})
    result = client.expect(200, connection, "POST", f"{path}/reveal", tokens[0])
    # Of several, so of both nodes.
    for _ in range(4):
        if client.expect(200, client.connect(), "GET", f"{path}/result") != result:
            raise Failure("two nodes give two results")
    decided = client.expect(200, connection, "POST", f"{path}/decision", tokens[0], {"menuId": result["menus"][0]["id"]})
    if decided["phase"] != "decided" or result["playerCount"] != 3:
        raise Failure(f"the game ends like this: {result} {decided}")
    client.expect(204, connection, "DELETE", path, tokens[0])
    # A body that is too large is refused by the node and in its words.
    status, body, _ = client.ask(connection, "POST", "/v1/solo", body={"answers": {}, "x": "x" * 70_000})
    if status != 413 or body["code"] != "body-too-large":
        raise Failure(f"a large body is answered {status} {body}")


def _events(client, seed):
    """The median time from sending a write to having its event, of streams through either node. With a buffer it would not come at all."""
    token = f"streamed-{seed}-member-0"
    connection = client.connect()
    room = client.expect(201, connection, "POST", "/v1/rooms", token, {})
    path = f"/v1/rooms/{room['pin']}"
    streams = [Stream(client, path) for _ in range(4)]
    for stream in streams:
        stream.wait_for(room["sequence"])
    times = []
    for number in range(20):
        began = time.monotonic()
        room = client.expect(200, connection, "PUT", f"{path}/members/me", token, {"nickname": f"name-{number}"})
        times += [stream.wait_for(room["sequence"]) - began for stream in streams]
    if not all(stream.is_open for stream in streams):
        raise Failure("a stream was closed")
    client.expect(204, connection, "DELETE", path, token)
    return sorted(times)[len(times) // 2]


def _addresses(client):
    def wrong(source, number):
        return client.ask(client.connect(source), "GET", f"/v1/rooms/{number:06d}", fields={"X-Forwarded-For": f"192.0.2.{number}"})[0]

    statuses = [wrong("127.0.0.7", number) for number in range(100)]
    # Each node counts for itself.
    if statuses[0] != 404 or statuses[-1] != 429:
        raise Failure(f"wrong PINs of one address are answered {statuses}")
    if wrong("127.0.0.8", 1) != 404:
        raise Failure("somebody else's wrong PINs are held against a client")


class Counts:
    def __init__(self):
        self.gets = self.puts = self.posts = self.repeated = 0
        self.slowest = 0.0

    def words(self):
        return (f"{self.gets} GET and {self.puts} PUT, none failed; {self.posts} POST, {self.repeated} times repeated for want of an answer;"
                f" the slowest five requests in a row took {self.slowest * 1000:.0f} ms")


def _loss(nodes, client, number, how, seed):
    """Takes a node away under load and starts it again. Streams end there, and their clients open others."""
    counts, faults, is_over = Counts(), [], threading.Event()
    lock = threading.Lock()
    token = f"lost-{seed}-member"
    room = client.expect(201, client.connect(), "POST", "/v1/rooms", token, {})
    path = f"/v1/rooms/{room['pin']}"
    streams = [Stream(client, path) for _ in range(4)]

    def play(player):
        try:
            _play(client, path, f"{seed}-{player}", is_over, counts, lock)
        except Exception as error:
            faults.append(f"{type(error).__name__}: {error}")

    players = [threading.Thread(target=play, args=(player,), daemon=True) for player in range(CLIENTS)]
    for player in players:
        player.start()
    try:
        time.sleep(0.5)
        node = nodes.all[number]
        os.kill(node.pid, how)
        node.process.wait(30)
        time.sleep(0.5)
        nodes.start(number)
        time.sleep(0.5)
    finally:
        is_over.set()
        for player in players:
            player.join()
    if faults:
        raise Failure(f"{how.name}: {faults[:3]}")
    _, room, _ = client.ask(client.connect(), "GET", path, token)
    for stream in streams:
        if not stream.is_open:
            stream = Stream(client, path, last=stream.events[-1][1])
        stream.wait_for(room["sequence"])
    client.expect(204, client.connect(), "DELETE", path, token)
    return counts


def _play(client, path, seed, is_over, counts, lock):
    token, number = f"lost-{seed}-token", 0
    connection = client.connect()
    while not is_over.is_set():
        number += 1
        began = time.monotonic()
        client.expect(200, connection, "GET", path, token)
        put, body, _ = client.ask(connection, "PUT", f"{path}/submission", token, {"answers": {"spicy": ["like", "dislike"][number % 2]}})
        if put not in (200, 201):
            raise Failure(f"a PUT is answered {put} {body}")
        # Opened once, however often it is asked for.
        answer, repeats = _post(client, connection, f"{token}-{number}", number)
        again, more = _post(client, connection, f"{token}-{number}", number)
        if answer != again:
            raise Failure(f"a POST and its repeat are answered {answer} and {again}")
        # The proxy asks another node where one has gone, which may have done it before.
        closed, _, _ = client.ask(connection, "DELETE", f"/v1/rooms/{answer['pin']}", f"{token}-{number}")
        if closed not in (204, 404):
            raise Failure(f"a DELETE is answered {closed}")
        with lock:
            counts.gets += 1
            counts.puts += 1
            counts.posts += 1
            counts.repeated += repeats + more
            counts.slowest = max(counts.slowest, time.monotonic() - began)


def _post(client, connection, token, number):
    """The room that is opened under a key, and how often it had to be asked for again."""
    deadline, repeats = time.monotonic() + 20, 0
    while True:
        status, body, _ = client.ask(connection, "POST", "/v1/rooms", token, {}, [("Idempotency-Key", f"key-{number}")])
        if status == 201:
            return body, repeats
        if status != 503 or time.monotonic() > deadline:
            raise Failure(f"a POST is answered {status} {body}")
        repeats += 1
        time.sleep(0.05)


def _nobody(nodes, client):
    for number in range(len(nodes.all)):
        nodes.kill(number)
    for method, path in [("GET", "/v1/game"), ("POST", "/v1/rooms"), ("GET", "/group/123456?token=a-token-of-the-app")]:
        status, body, response = client.ask(client.connect(), method, path, "a-token-of-sixteen", None if method == "GET" else {})
        said = (status, body and body["code"], response.getheader("Retry-After"), response.getheader("Content-Type"))
        if said != (503, "store-unavailable", "1", "application/problem+json"):
            raise Failure(f"without a node {method} is answered {said}")
