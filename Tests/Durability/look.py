"""Holds every room of a server that was just started to what its players were told before."""

import time

from history import Asked, Undecided, result_shows, shows, states_after, submission_shows
from server import Failure
from state import Command
from wire import Connection

#: Answers under keys that are asked for again in each room, of those that were given earlier.
REPEATS = 3


def look(world, port, chance, cut=None):
    """Compares all that is there with all that can be there; what is found is what is known from now on.

    - cut: the moments between which a copy was made that this server runs on. Then only what was answered before the first is certain,
      nothing that was sent after the second is there, and what is found is known of the copy alone.
    """
    with Connection(port, f"10.255.{chance.randrange(256)}.{chance.randrange(256)}") as connection:
        if cut is None:
            _open_again(world, connection)
        for room in list(world.live):
            try:
                _look_at(world, connection, room, chance, cut)
            except Failure as failure:
                raise Failure(f"room {room.pin} ({room.id}): {failure}") from None
            except Undecided:
                raise Failure(f"room {room.pin}: the search for an order was given up") from None
        if cut is None:
            world.live = [room for room in world.live if not room.is_gone]
            for token, key, body in chance.sample(world.openings, min(len(world.openings), 5)):
                world.claim(token, key, connection.ask("POST", "/v1/rooms", token, body, [("Idempotency-Key", key)]))
    if world.faults:
        raise Failure("; ".join(world.faults))


def _open_again(world, connection):
    """Openings without an answer are asked for once more: each opens one room, whether it had done so before or not."""
    for token, key, body in world.unanswered:
        answer = connection.ask("POST", "/v1/rooms", token, body, [("Idempotency-Key", key)])
        world.claim(token, key, answer)
        if answer.status != 201:
            raise Failure(f"an opening is not repeated: {answer.status} {answer.content}")
        world.openings.append((token, key, body))
        free = next((slot for slot, room in enumerate(world.slots) if room is None or room.is_gone), None)
        room = world.add(free, token, answer.body)
        if free is None:
            closed = connection.ask("DELETE", room.path, token)
            room.history().append(Asked(Command("close", token), time.monotonic_ns(), time.monotonic_ns(), closed.status, closed.body))
    world.unanswered = []


def _look_at(world, connection, room, chance, cut):
    histories = room.histories
    if cut is not None:
        began, ended = cut
        if room.since > ended:
            return
        histories = [[asked for asked in history if asked.sent < ended] for history in histories]
    found = _ask(connection, "GET", room.path, room.host, Command("read", room.host))
    if found.status not in (200, 404, 429):
        raise Failure(f"cannot be read: {found.status} {found.body}")
    is_there = found.status == 200
    if cut is not None and not is_there and room.since >= began:
        # It was just being opened.
        return
    if is_there and found.body["id"] != room.id:
        # Its PIN was drawn again for another.
        is_there, found = False, Asked(found.command, found.sent, found.answered, 404)
    last = found.body["sequence"] if is_there else None
    furthest = []
    states = {state for state in states_after(room.states, histories, last, furthest, until=cut and cut[0]) if shows(state, found)}
    if not states:
        raise Failure(_difference(room, histories, found, furthest))
    if is_there:
        states = {state for state in states if _holds(connection, room, state, chance)}
        if not states:
            raise Failure(f"its submissions or results are no state that it can be in; it shows {found.body}")
    if cut is not None:
        return
    room.histories = []
    room.is_gone = not is_there
    if is_there:
        states = _repeat(world, connection, room, states, chance)
        room.latest = _ask(connection, "GET", room.path, room.host, Command("read", room.host)).body
        states = {state for state in states if state.sequence == room.latest["sequence"]}
        if not states:
            raise Failure("a repeat under a key has done something again")
        _settle(world, room, states)
    room.states = states


def _holds(connection, room, state, chance):
    """Whether the submissions and results that can be read are those of a state."""
    for token in room.tokens + room.removed:
        member = state.member(token)
        asked = _ask(connection, "GET", f"{room.path}/submission", token, None)
        if asked.status == 200:
            if member is None or member.submission is None or not submission_shows(member.submission, asked.body):
                return False
        elif asked.status != (403 if member is None else 404) or member is not None and member.submission is not None:
            return False
    rounds = [round for round, _ in state.results]
    for round in set(rounds[-2:] + chance.sample(rounds, min(len(rounds), 3))):
        answer = connection.ask("GET", f"{room.path}/result?round={round}")
        if answer.status != 200 or not result_shows(dict(state.results)[round], answer.body):
            return False
        if room.results.setdefault(round, answer.content) != answer.content:
            raise Failure(f"the result of round {round} is another: {room.results[round]} and then {answer.content}")
    return connection.ask("GET", f"{room.path}/result?round={state.round + (state.result is not None)}").status == 409


def _repeat(world, connection, room, states, chance):
    """Asks again under keys that were used: for all that had no answer, and for some that had."""
    history = []
    unanswered = [entry for entry in room.keyed if not world.is_kept(entry[0])]
    for command, method, path, body in unanswered + chance.sample(room.keyed, min(len(room.keyed), REPEATS)):
        sent = time.monotonic_ns()
        answer = connection.ask(method, path, command.token, body, [("Idempotency-Key", command.key)])
        history.append(Asked(command, sent, time.monotonic_ns(), answer.status, answer.body))
        world.claim(command.token, command.key, answer)
        world.counts["repeats"] += 1
        if command.kind == "reveal" and answer.status == 200:
            room.results.setdefault(answer.body["round"], answer.content)
    room.keyed = [entry for entry in room.keyed if world.is_kept(entry[0])]
    after = states_after(states, [history])
    if not after:
        lines = [f"could have been: {state}" for state in list(states)[:3]] + [_line(asked) for asked in history]
        raise Failure("\n".join(["repeats under keys are answered otherwise", *lines]))
    return after


def _settle(world, room, states):
    """Who was removed is replaced, so that there are always players."""
    state = next(iter(states))
    gone = [token for token in room.tokens if token in state.removed]
    room.removed = (room.removed + gone)[-4:]
    room.tokens = [token for token in room.tokens if token not in state.removed] + [world.token() for _ in gone]
    room.host = next((member.token for member in state.members if member.number == state.host), room.tokens[0])


def _ask(connection, method, path, token, command):
    sent = time.monotonic_ns()
    answer = connection.ask(method, path, token)
    return Asked(command, sent, time.monotonic_ns(), answer.status, answer.body)


def _difference(room, histories, found, furthest):
    lines = ["what is there cannot have come of what was asked and answered", f"found: {found.status} {found.body}"]
    lines += [f"could have been: {state}" for state in list(room.states)[:3]]
    everything = sorted((asked.sent, client, asked) for client, history in enumerate(histories) for asked in history)
    lines += [f"  client {client}: {_line(asked)}" for _, client, asked in everything[-60:]]
    if furthest:
        lines += ["explained so far as this:", f"  {furthest[0]}", "and none of these fits next:"]
        lines += [f"  {_line(asked)}" for asked in furthest[1:]]
    return "\n".join(lines)


def _line(asked):
    return f"{asked.sent}-{asked.answered} {asked.command} -> {asked.status} {asked.body}"
