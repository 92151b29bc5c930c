"""Clients of several nodes: who loses one goes on at another, and repeats what was under a key."""

import time
from dataclasses import replace

from players import Player
from server import Failure
from wire import Connection, Lost


class Guest(Player):
    """A player who changes nodes: now and then for no reason, and at once when one is gone."""

    #: Seconds to wait after a 503, at first and at most; twice as long each time.
    PATIENCE = (0.6, 5)
    patience = PATIENCE[0]

    def __init__(self, world, nodes, seed, number, play):
        super().__init__(world, None, seed, number, play)
        self.nodes = nodes
        #: What was asked under a key and not answered yet, and an opening likewise.
        self.unanswered = self.opening = None
        #: By node and room, the newest sequence that was shown.
        self.shown = {}

    def run(self):
        try:
            while not self.play.stopped.is_set():
                running = self.nodes.running
                self.node = self.random.choice(running) if running else None
                try:
                    if self.node is None:
                        raise Lost("no node is there")
                    with Connection(self.node.port, self.address) as connection:
                        while not self.play.stopped.is_set() and self.random.random() > 0.02:
                            self.act(connection)
                except Lost:
                    self.play.stopped.wait(0.05)
        except Exception as error:
            # A driver that breaks off has tried nothing.
            self.world.faults.append(f"{type(error).__name__}: {error}")
            raise

    def act(self, connection):
        if self.unanswered is None:
            return super().act(connection)
        self.world.counts["retries"] += 1
        self.ask(connection, *self.unanswered)

    def open(self, connection):
        if self.opening is not None:
            token, key, body = self.opening
            # It is asked again here and now, so nobody else has to.
            self.world.unanswered.remove(self.opening)
            self.world.counts["retries"] += 1
        else:
            token, key, body = self.world.token(), "open", {"nickname": "host"}
        self.opening = (token, key, body)
        answer = self.ask_once(connection, token, key, "/v1/rooms", body)
        if answer.status == 201:
            self.opening = None
            self.world.openings.append((token, key, body))
            self.world.add(self.slot, token, answer.body)
        elif answer.status != 503:
            raise Failure(f"no room: {answer.status} {answer.content}")

    def note(self, token, key, answer):
        super().note(token, key, answer)
        is_put_off = answer is not None and answer.status == 503
        self.patience = min(2 * self.patience, self.PATIENCE[1]) if is_put_off else self.PATIENCE[0]

    def ask(self, connection, room, command, *request):
        self.was_out = self.nodes.is_out.is_set()
        if command.key:
            self.unanswered = (room, command, *request)
        answer = super().ask(connection, room, command, *request)
        if answer.status != 503:
            self.unanswered = None
        return answer

    def record(self, room, asked):
        body = asked.body if isinstance(asked.body, dict) else {}
        snapshot = body.get("room", body)
        sequence = snapshot.get("sequence") if "phase" in snapshot else None
        is_read = asked.command.kind == "read"
        if is_read and (self.was_out or self.nodes.is_out.is_set()):
            # From memory, which may be behind what another node had acknowledged before: but never behind what this one has shown.
            newest = self.shown.get((self.node, room), 0)
            if sequence is not None and sequence < newest:
                self.world.faults.append(f"a node that had shown sequence {newest} of {room.id} shows {sequence}")
        else:
            # What a node had sent to the database when it was killed may be carried out after what its client asks of another.
            super().record(room, replace(asked, status=503) if asked.status is None else asked)
        if sequence is not None:
            self.shown[self.node, room] = max(sequence, self.shown.get((self.node, room), 0))


def stop(play, guests, world):
    play.stopped.set()
    for guest in guests:
        guest.join()
    if world.faults:
        raise Failure("; ".join(world.faults))


class Writer:
    """Makes durable writes to one room, through one node after the other, and notes when each was acknowledged."""

    def __init__(self, nodes, numbers, path, tokens):
        self.nodes = nodes
        self.numbers = numbers
        self.path = path
        self.tokens = tokens
        #: (moment, number of the node) of every write that was acknowledged.
        self.acknowledged = []
        self.sequence = 0
        self.refused = 0

    def run(self, is_over):
        """Until `is_over`; to be called on a thread of its own."""
        connections, count = {}, 0
        while not is_over():
            count += 1
            number = self.numbers[count % len(self.numbers)]
            try:
                if number not in connections:
                    connections[number] = Connection(self.nodes.all[number].port, "10.254.0.1")
                answer = connections[number].ask(
                    "PUT", f"{self.path}/submission", self.tokens[number], {"answers": {"spicy": ["like", "dislike"][count // 2 % 2]}})
            except Lost:
                connections.pop(number, None)
                continue
            if answer.status in (200, 201):
                self.acknowledged.append((time.monotonic(), number))
                self.sequence = max(self.sequence, answer.body["room"]["sequence"])
            elif answer.status == 503:
                self.refused += 1
            else:
                raise Failure(f"a submission is answered {answer.status} {answer.body}")
            time.sleep(0.01)
        for connection in connections.values():
            connection.close()

    def first_after(self, moment, number):
        return next((at for at, by in self.acknowledged if by == number and at > moment), None)
