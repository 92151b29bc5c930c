"""What is known of the rooms that there are, and what was answered in all."""

import collections
import itertools
import threading
import time

from model import opened

#: Players of a room.
TOKENS = 8


class Room:
    """One room over all its cycles: the states that it can be in, and what its players remember."""

    def __init__(self, token, opening, strangers):
        self.pin = opening["pin"]
        self.path = f"/v1/rooms/{self.pin}"
        self.id = opening["id"]
        self.states = {opened(token, opening["members"][0]["nickname"])}
        #: When it was known to be open.
        self.since = time.monotonic_ns()
        self.tokens = [token, *strangers]
        #: Who was removed, and tries all the same.
        self.removed = []
        #: By round, byte for byte.
        self.results = {}
        self.latest = opening
        self.host = token
        self.revisions = {}
        self.is_gone = False
        #: What happened since the room was looked at last, by client.
        self.histories = []
        #: Commands under keys, with their requests.
        self.keyed = []

    def history(self):
        history = []
        self.histories.append(history)
        return history


class Play:
    """When the players stop, and what they have counted."""

    def __init__(self, answers=None):
        self.stopped = threading.Event()
        #: Set after so many answers.
        self.moment = threading.Event()
        self.answers = answers
        self.numbers = itertools.count(1)

    def count(self):
        if next(self.numbers) == self.answers:
            self.moment.set()


class World:
    """All rooms, and every answer that was given under a key."""

    def __init__(self, seed, rooms=8):
        self.seed = seed
        self.slots = [None] * rooms
        self.locks = [threading.Lock() for _ in range(rooms)]
        #: Every room that may be there.
        self.live = []
        self.numbers = itertools.count()
        #: (token, key) -> (status, content) of the first answer; `None` where there was none yet.
        self.keyed = {}
        #: Openings that were answered: (token, key, body).
        self.openings = []
        #: Openings whose answer did not come.
        self.unanswered = []
        self.counts = collections.Counter()
        #: Whether hosts have phones that are to be told.
        self.has_phones = False
        self.faults = []

    def token(self):
        return f"durable-{self.seed}-{next(self.numbers):08d}"

    def add(self, slot, token, body):
        room = Room(token, body, [self.token() for _ in range(TOKENS - 1)])
        self.live.append(room)
        self.counts["rooms"] += 1
        if slot is not None:
            self.slots[slot] = room
        return room

    def claim(self, token, key, answer):
        """Holds every answer under a key to the first one, byte for byte."""
        known = self.keyed.get((token, key))
        if answer is None or answer.status in (503, 429, 403):
            self.keyed.setdefault((token, key), None)
        elif known is None:
            self.keyed[token, key] = (answer.status, answer.content)
        # A room that is gone took its answers with it.
        elif (answer.status, answer.content) != known and answer.status != 404:
            self.faults.append(f"another answer under the same key: {known} and then {answer.status} {answer.content}")

    def words(self):
        counts = self.counts
        return (
            f"{counts['acknowledged']} acknowledged, {counts['unanswered']} cut off, {counts['refused']} refused, {counts['503']} put off,"
            f" {counts['repeats']} repeated under keys, in {counts['rooms']} rooms"
            + (f", {counts['messages to phones']} messages to phones" if counts["messages to phones"] else ""))

    def is_kept(self, command):
        """Whether there is an answer under a command's key."""
        return self.keyed.get((command.token, command.key)) is not None

    def count(self, answer):
        if answer is None:
            self.counts["unanswered"] += 1
        elif answer.status == 503:
            self.counts["503"] += 1
        else:
            self.counts["acknowledged" if answer.status < 300 else "refused"] += 1
