"""What clients asked of one room and were told, and the search for an order in which all of that can have happened.

Acknowledged ⊆ stored ⊆ attempted, taken exactly: there has to be an order of the commands, none of them before it was sent or after it was
answered, in which the model (`model.py`) gives every answer that was given and ends in the state that was found. A command without an
answer may have its place in it or not. A command with 503 may come into force later, too: the server says that it does not know.
"""

from dataclasses import dataclass
from typing import NamedTuple, Optional

from model import apply
from state import Receipt, sheet

#: States that a search may see. Hardly any comes near, and only where many commands met an outage; one that does is a failure and not a pass.
LIMIT = 400_000


@dataclass(frozen=True, eq=False)
class Asked:
    """One request of one client, itself and no other like it, and its answer if there was one. Times are of one monotonic clock."""

    command: object
    sent: int
    answered: Optional[int] = None
    status: Optional[int] = None
    body: object = None

    @property
    def is_certain(self):
        """Whether it is known to have happened, or to have been refused."""
        return self.status is not None and self.status != 503


class Undecided(Exception):
    """The search saw too many states."""


class _Step(NamedTuple):
    asked: Asked
    #: Whether it has to have a place in the order.
    is_certain: bool
    #: Whether this is the look at the room that the answer shows, which may be one that came later in the same batch.
    is_look: bool = False
    #: The sequence of the room in the answer that is looked at.
    sequence: Optional[int] = None
    #: The revision that was made.
    revision: Optional[int] = None


def states_after(states, clients, last_sequence=None, furthest=None, until=None):
    """Every state that the room can be in after what `clients`, each a list of `Asked` in order, have seen; none if that is impossible.

    - last_sequence: the sequence that the room turned out to have; `None` where it is gone or was not looked at.
    - until: a moment after which what was answered need not have come into force: a client's history may end anywhere from there on.
    - furthest: a list that gets the state in which the search had explained most, and what each client was answered next.
    """
    clients = [_steps(client, float("inf") if until is None else until) for client in clients]
    # Neither a room's sequence nor its revisions must be past what any client is still going to be told.
    bounds = [_bounds(steps, lambda step: step.sequence) for steps in clients]
    revisions = [_bounds(steps, lambda step: step.revision) for steps in clients]
    most = 0
    #: By place and state, what may still come into force: whoever has more of it can get wherever others with less can.
    seen = {}
    count = 0
    ends = set()
    todo = [((0,) * len(clients), frozenset(), state) for state in states]
    while todo:
        places, floating, state = todo.pop()
        others = seen.setdefault((places, state), [])
        if any(floating <= other for other in others):
            continue
        others.append(floating)
        count += 1
        if count > LIMIT:
            raise Undecided()
        if last_sequence is not None and (state.sequence > last_sequence or state.is_closed):
            continue
        if any(state.sequence > bound[place] for bound, place in zip(bounds, places)):
            continue
        if any(state.last_submission >= bound[place] for bound, place in zip(revisions, places)):
            continue
        deadline = min(
            (steps[place].asked.answered for steps, place in zip(clients, places) if place < len(steps) and steps[place].is_certain),
            default=None)
        next_nodes = []
        is_forced = False
        open_steps = False
        for client, (steps, place) in enumerate(zip(clients, places)):
            if place == len(steps):
                continue
            step = steps[place]
            open_steps = open_steps or step.is_certain
            if deadline is not None and step.asked.sent > deadline:
                continue
            further = places[:client] + (place + 1,) + places[client + 1:]
            if step.asked.is_certain and not step.is_certain:
                # The history of this client ends here.
                next_nodes.append((places[:client] + (len(steps),) + places[client + 1:], floating, state))
            elif not step.is_certain:
                # It never happened, or not yet.
                next_nodes.append((further, _put_off(step.asked, floating, state), state))
            after = _taken(step, state)
            # What is not certain and changes nothing here is as if it had not happened, or not yet.
            if after is None or after is state and not step.asked.is_certain:
                continue
            if after is state and (step.is_look or step.asked.is_certain and step.asked.status >= 400):
                # What can change nothing and is right now need not wait: nothing is lost by having it first.
                next_nodes = [(further, floating, state)]
                is_forced = True
                break
            next_nodes.append((further, floating, after))
        if not is_forced:
            for asked in floating:
                after, _ = apply(state, asked.command)
                if after != state:
                    next_nodes.append((places, floating - {asked}, after))
            if not open_steps:
                ends.add(state)
        # The last is taken up first, and those that come first have most that may still come into force.
        todo.extend(reversed(next_nodes))
        if furthest is not None and sum(places) >= most:
            most = sum(places)
            furthest[:] = [state, *(steps[place].asked for steps, place in zip(clients, places) if place < len(steps))]
    return {state for state in ends if last_sequence is None or state.sequence == last_sequence}


def _put_off(asked, floating, state):
    """What may come into force later, with a command that did not when it was asked for: under a key only one of all that were tried."""
    if asked.status != 503:
        return floating
    command = asked.command
    if command.key is not None:
        is_done = any(known == (command.token, command.key) for known, _ in state.receipts)
        if is_done or any(other.command == command for other in floating):
            return floating
    return floating | {asked}


def _steps(client, until):
    steps = []
    for asked in client:
        is_certain = asked.is_certain and asked.answered < until
        if asked.command.kind == "read" and not asked.is_certain:
            continue
        body = asked.body if isinstance(asked.body, dict) else {}
        room = body.get("room", body)
        sequence = room.get("sequence") if asked.status in (200, 201) and "phase" in room else None
        if asked.command.kind != "read":
            is_made = asked.command.kind == "submit" and asked.status in (200, 201)
            steps.append(_Step(asked, is_certain, revision=body["submission"]["revision"] if is_made else None))
        # Under a key the answer is written when the command is carried out, and compared there.
        if asked.command.kind == "read" or sequence is not None and asked.command.key is None:
            steps.append(_Step(asked, is_certain, is_look=True, sequence=sequence))
    return steps


def _bounds(steps, number):
    """By place, the least of the numbers that are still to come."""
    bounds = [float("inf")]
    for step in reversed(steps):
        own = number(step) if step.is_certain else None
        bounds.append(bounds[-1] if own is None else min(own, bounds[-1]))
    return bounds[::-1]


def _taken(step, state):
    """The state after a step, `state` itself where it changes nothing; `None` where the step cannot have its answer there."""
    asked = step.asked
    if step.is_look:
        # Whoever did something shortly before a room was closed sees it as it was then.
        seen = state if asked.command.kind == "read" else state._replace(is_closed=False)
        return state if shows(seen, asked) else None
    after, answer = apply(state, asked.command)
    if asked.is_certain and not _is_answer(answer, after, asked):
        return None
    return state if after == state else after


def _is_answer(answer, after, asked):
    body = asked.body if isinstance(asked.body, dict) else {}
    # Whoever names unknown rooms too often is turned away, and a room that is gone is unknown.
    if asked.status == 429 and answer.code == "room-not-found":
        return True
    if answer.status != asked.status or answer.code != (body.get("code") if asked.status >= 400 else None):
        return False
    if isinstance(answer, Receipt):
        return answer.sequence is None or answer.sequence == body.get("sequence")
    if answer.submission is not None:
        return submission_shows(answer.submission, body.get("submission"))
    if answer.code == "revision-mismatch":
        return "submission" not in body
    if answer.revealed is not None:
        return result_shows(answer.revealed, body)
    return True


def submission_shows(submission, body):
    return body is not None and (submission.id, submission.revision, submission.answers) == (body["id"], body["revision"], sheet(body))


def result_shows(result, body):
    return (result.sequence, result.players) == (body["sequence"], body["playerCount"])


def shows(state, asked):
    """Whether an answer shows the room as it is in `state`."""
    if asked.status in (404, 429):
        return state.is_closed
    room = asked.body.get("room", asked.body)
    if state.is_closed or state.sequence != room["sequence"]:
        return False
    result = state.result
    decision = {"menuId": result.decision} if result and result.decision else None
    members = [(f"m_{member.number}", member.nickname, member.number == state.host, member.submission is not None) for member in state.members]
    caller = state.member(asked.command.token)
    return (
        (state.round, state.phase, decision, len(members), state.submission_count, members)
        == (
            room["round"], room["phase"], room["decision"], room["memberCount"], room["submissionCount"],
            [(member["id"], member["nickname"], member["isHost"], member["hasSubmitted"]) for member in room["members"]])
        and (room["isMember"], room["isHost"], room["hasSubmitted"])
        == (
            caller is not None, caller is not None and caller.number == state.host,
            caller is not None and caller.submission is not None))
