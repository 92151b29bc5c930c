"""Players: rooms, members and their answers, over HTTP and the same in every run."""

import http.client
import json
import random
from concurrent.futures import ThreadPoolExecutor

from servers import HOST


class Client:
    """One connection that stays open."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection(HOST, port, timeout=30)

    def call(self, method, path, token, body=None, missing_is_fine=False):
        """The body of the answer, which has to be a 2xx; `None` where nothing or nobody of that kind is there and that is no fault."""
        fields = {"Authorization": f"Bearer {token}"}
        if body is not None:
            fields["Content-Type"] = "application/json"
        self.connection.request(method, path, body, fields)
        response = self.connection.getresponse()
        content = response.read()
        if response.status in (403, 404) and missing_is_fine:
            return None
        if response.status // 100 != 2:
            raise SystemExit(f"{method} {path}: {response.status} {content[:500].decode(errors='replace')}")
        self.content_type = response.getheader("Content-Type")
        return content

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()


class Players:
    """Draws answers from a catalogue, from a fixed seed."""

    def __init__(self, catalogue, seed):
        self.random = random.Random(seed)
        self.cards = catalogue["cards"]
        self.vetoes = [veto["id"] for veto in catalogue["vetoes"]]
        self.cuisines = [cuisine["id"] for cuisine in catalogue["cuisines"]]

    def group_vetoes(self):
        """What somebody in a group does not eat: at most two things, or a large group would rule out most of the menus."""
        return self.random.sample(self.vetoes, self.random.randint(0, 2))

    def answers(self, group_vetoes):
        answers = {}
        for card in self.cards:
            if card["kind"] == "trait":
                answers[card["id"]] = self.random.choice(["like", "dislike", "skip"])
            else:
                options = card.get("options", self.cuisines)
                answers[card["id"]] = self.random.sample(options, self.random.randint(0, min(3, len(options))))
        vetoes = [veto for veto in group_vetoes if self.random.random() < 0.3]
        return json.dumps({"answers": answers, "vetoes": vetoes}, separators=(",", ":"))


class Room:
    """A room by its PIN and the tokens of its members, the host's first. Nobody has submitted yet."""

    def __init__(self, client, name, size):
        self.tokens = [f"bench-{name}-member-{number:04d}" for number in range(size)]
        self.pin = json.loads(client.call("POST", "/v1/rooms", self.tokens[0]))["pin"]
        self.path = f"/v1/rooms/{self.pin}"

    @property
    def host(self):
        return self.tokens[0]

    def submit(self, client, token, answers):
        client.call("PUT", f"{self.path}/submission", token, answers)

    def snapshot(self, client, token):
        return json.loads(client.call("GET", self.path, token))


def in_parallel(port, work, items, connections=16):
    """`work(client, item)` for every item over several connections, so that they share syncs; the results in order."""

    def share(number):
        with Client(port) as client:
            return [work(client, item) for item in items[number::connections]]

    with ThreadPoolExecutor(connections) as pool:
        shares = list(pool.map(share, range(connections)))
    return [shares[index % connections][index // connections] for index in range(len(items))]
