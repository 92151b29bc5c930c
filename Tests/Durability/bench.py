"""A server whose disk fails, and what is required of it."""

import random
import time

from look import look
from players import start_playing
from server import Failure, Server, check
from wire import Connection
from world import World

CLIENTS = 16
HEALS_WITHIN = 5


class Bench:
    """A store that lives through all faults, its world, and one room more by which the server is felt."""

    def __init__(self, folder, seed, is_there=False):
        self.folder = folder
        self.folder.mkdir(exist_ok=is_there)
        self.store = self.folder / "rooms.sqlite"
        self.chance = random.Random(f"{folder.name}-{seed}")
        self.seed = seed
        self.world = World(f"{seed}-{folder.name}")
        self.token = f"probe-of-{seed}-and-no-other"
        self.pin = None
        self.revision = 0

    def serve(self, **options):
        server = Server(self.store, **options)
        return server, server.wait_until_it_serves()

    def probe(self, connection):
        """A durable write to a room that nobody else knows; the answer."""
        answer = connection.ask("PUT", f"/v1/rooms/{self.pin}/submission", self.token, {"answers": {"spicy": self.chance.choice(["like", "dislike"])}})
        if answer.status in (200, 201):
            self.revision = answer.body["submission"]["revision"]
        return answer

    def look(self, server):
        """That nothing is missing."""
        look(self.world, server.port, self.chance)
        with Connection(server.port) as connection:
            if self.pin is None:
                self.pin = connection.ask("POST", "/v1/rooms", self.token, {}).body["pin"]
            elif self.revision:
                kept = connection.ask("GET", f"/v1/rooms/{self.pin}/submission", self.token)
                if kept.status != 200 or kept.body["revision"] < self.revision:
                    raise Failure(f"the probe's revision {self.revision} is lost: {kept.status} {kept.body}")
            self.probe(connection)
        found = check(self.store)
        if found != len(self.world.live) + 1:
            raise Failure(f"{found} rooms are stored where {len(self.world.live) + 1} are known")

    def play(self, server, seconds, until=lambda: False):
        """Has players at it until something is so, or the time is over."""
        play, players = start_playing(self.world, server.port, f"{self.seed}-{self.chance.random()}", CLIENTS)
        self.play_on(seconds, lambda: until() or server.process.poll() is not None)
        return play, players

    def play_on(self, seconds, until):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not until():
            time.sleep(0.005)

    def end(self, play, players):
        play.stopped.set()
        for player in players:
            player.join()


def require_word(server):
    """A server that cannot start ends with a status and says why, in one line."""
    said = [line for line in server.words().splitlines() if not line.startswith("{")]
    if server.process.returncode <= 0 or len(said) != 1 or not said[0].startswith("hansang: "):
        raise Failure(f"it ended with status {server.process.returncode} and said {said}")


def require_refusals(bench, server, is_in_memory=True, again=lambda: None):
    """What a server says that cannot write: 503 to writes, what it has in memory to readers, and that it is not ready.

    - again: called before each write, to see to it that there is no way.
    """
    with Connection(server.port) as connection:
        deadline = time.monotonic() + 20
        answers = []
        # Once more, for what is opened anew may have brought the log home and found room for one write more.
        while [answer.status for answer in answers[-2:]] != [503, 503]:
            if time.monotonic() > deadline:
                raise Failure("it takes writes while none can be made durable")
            again()
            answers.append(bench.probe(connection))
        refusal = answers[-1]
        if refusal.body["code"] != "store-unavailable" or int(refusal.fields.get("Retry-After", 0)) < 1:
            raise Failure(f"a write is refused with {refusal.status} {refusal.body} {refusal.fields}")
        room = [f"/v1/rooms/{bench.pin}", f"/v1/rooms/{bench.pin}/submission"] if is_in_memory else []
        for path in [*room, "/healthz", "/v1/game"]:
            answer = connection.ask("GET", path, bench.token)
            if answer.status != 200:
                raise Failure(f"GET {path} is answered {answer.status} {answer.body}")
        # What was found last is told again for a second.
        while (answer := connection.ask("GET", "/readyz")).status != 503:
            again()
            if time.monotonic() > deadline:
                raise Failure("it calls itself ready while it cannot write")
            time.sleep(0.05)


def require_healing(bench, server):
    began = time.monotonic()
    with Connection(server.port) as connection:
        while bench.probe(connection).status not in (200, 201) or connection.ask("GET", "/readyz").status != 200:
            if time.monotonic() - began > HEALS_WITHIN:
                raise Failure(f"it does not heal within {HEALS_WITHIN} s: {server.words()[-1000:]}")
            time.sleep(0.02)
