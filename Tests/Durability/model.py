"""What each command makes of a room, and what it answers. Pure, and written from the contract and not from the server."""

from state import Answer, Member, Receipt, Result, State, Submission, patched

ROUNDS = 100


class Refused(Exception):
    def __init__(self, status, code, submission=None):
        self.answer = Answer(status, code, submission)


def opened(token, nickname):
    return _add(State(), token, nickname)


def apply(state, command):
    """The state after a command, and the answer to it. A command that is refused leaves the state as it is."""
    if state.is_closed:
        return state, Answer(404, "room-not-found")
    if command.key is not None:
        kept = dict(state.receipts).get((command.token, command.key))
        if kept is not None:
            return state, kept
    try:
        after, answer = _COMMANDS[command.kind](state, command)
    except Refused as refused:
        after, answer = state, refused.answer
    # Whom a room turns away at the door it has not listened to, and keeps nothing of.
    if command.key is not None and answer.status != 403:
        sequence = answer.revealed.sequence if answer.revealed else after.sequence if answer.status < 300 else None
        receipt = Receipt(answer.status, answer.code, sequence)
        after = after._replace(receipts=after.receipts | {((command.token, command.key), receipt)})
        answer = receipt
    return after, answer


# What each command does. The order of the checks is the contract's.


def _submit(state, command):
    if state.phase != "open":
        raise Refused(409, "already-revealed")
    before = state.member(command.token)
    if command.revision is not None:
        _may_join(state, command.token)
        _match(before, command.revision)
    state = _joined(state, command.token)
    return _put(state, command.token, command.value)


def _patch(state, command):
    if state.phase != "open":
        raise Refused(409, "already-revealed")
    member = state.member(command.token)
    if member is None:
        raise Refused(403, "not-member")
    if member.submission is None:
        raise Refused(404, "submission-not-found")
    _match(member, command.revision)
    new = patched(member.submission.answers, command.value)
    if new == member.submission.answers:
        return state, Answer(200, submission=member.submission)
    return _put(state, command.token, new)


def _put(state, token, answers):
    member = state.member(token)
    number = state.last_submission + 1
    is_new = member.submission is None
    submission = Submission(f"s_{number}" if is_new else member.submission.id, number, answers)
    state = _with(state, member._replace(submission=submission))._replace(last_submission=number, sequence=state.sequence + 1)
    return state, Answer(201 if is_new else 200, submission=submission)


def _withdraw(state, command):
    if state.phase != "open":
        raise Refused(409, "already-revealed")
    member = state.member(command.token)
    if member is not None and member.submission is not None:
        state = _with(state, member._replace(submission=None))._replace(sequence=state.sequence + 1)
    return state, Answer(204)


def _join(state, command):
    member = state.member(command.token)
    if member is None:
        _may_join(state, command.token)
        return _add(state, command.token, command.value), Answer(201)
    # A name that is not given stays.
    if command.value is not None and command.value != member.nickname:
        state = _with(state, member._replace(nickname=command.value))._replace(sequence=state.sequence + 1)
    return state, Answer(200)


def _leave(state, command):
    member = state.member(command.token)
    if member is None:
        raise Refused(403, "not-member")
    return _left(state, member), Answer(204)


def _left(state, member):
    members = tuple(other for other in state.members if other != member)
    state = state._replace(members=members, sequence=state.sequence + 1)
    if state.host == member.number:
        state = state._replace(host=members[0].number if members else None, sequence=state.sequence + 1)
    return state


def _remove(state, command):
    _require_host(state, command.token)
    if not 1 <= command.value <= state.last_member:
        raise Refused(404, "route-not-found")
    member = _numbered(state, command.value)
    if member is None:
        return state, Answer(204)
    if member.number == state.host:
        return _left(state, member), Answer(204)
    members = tuple(other for other in state.members if other != member)
    return state._replace(members=members, removed=state.removed | {member.token}, sequence=state.sequence + 1), Answer(204)


def _hand_over(state, command):
    _require_host(state, command.token)
    if _numbered(state, command.value) is None:
        raise Refused(422, "invalid-body")
    if state.host != command.value:
        state = state._replace(host=command.value, sequence=state.sequence + 1)
    return state, Answer(200)


def _reveal(state, command):
    member = state.member(command.token)
    if member is None:
        raise Refused(403, "not-host")
    if state.result is None:
        _require_host(state, command.token)
        if not state.submission_count:
            raise Refused(409, "no-submissions")
        result = Result(state.sequence + 1, state.submission_count)
        state = state._replace(results=state.results + ((state.round, result),), sequence=state.sequence + 1)
    return state, Answer(200, revealed=state.result)


def _decide(state, command):
    _require_host(state, command.token)
    result = state.result
    if result is None:
        raise Refused(409, "not-revealed")
    # The players choose among the menus of the round that they have seen; of which that is, they say too.
    round, menu = command.value
    if round != state.round:
        raise Refused(422, "invalid-body")
    if result.decision is None:
        decided = tuple((number, other._replace(decision=menu) if number == round else other) for number, other in state.results)
        state = state._replace(results=decided, sequence=state.sequence + 1)
    elif result.decision != menu:
        raise Refused(409, "already-decided")
    return state, Answer(200)


def _begin_round(state, command):
    _require_host(state, command.token)
    if state.phase == "open":
        raise Refused(409, "not-revealed")
    if state.round >= ROUNDS:
        raise Refused(409, "room-full")
    members = tuple(member._replace(submission=None) for member in state.members)
    return state._replace(round=state.round + 1, members=members, sequence=state.sequence + 1), Answer(201)


def _close(state, command):
    _require_host(state, command.token)
    return state._replace(is_closed=True, sequence=state.sequence + 1), Answer(204)


_COMMANDS = {
    "submit": _submit, "patch": _patch, "withdraw": _withdraw, "join": _join, "leave": _leave, "remove": _remove,
    "hand-over": _hand_over, "reveal": _reveal, "decide": _decide, "begin-round": _begin_round, "close": _close,
}


def _require_host(state, token):
    member = state.member(token)
    if member is None or member.number != state.host:
        raise Refused(403, "not-host")


def _may_join(state, token):
    if token in state.removed:
        raise Refused(403, "removed")


def _match(member, revision):
    current = member.submission if member else None
    if revision is not None and (current is None or current.revision != revision):
        raise Refused(412, "revision-mismatch", current)


def _joined(state, token):
    if state.member(token) is not None:
        return state
    _may_join(state, token)
    return _add(state, token, None)


def _add(state, token, nickname):
    number = state.last_member + 1
    state = state._replace(
        members=state.members + (Member(token, number, nickname),), last_member=number, sequence=state.sequence + 1)
    if state.host is None:
        # Who comes into an empty room is told to be its host; who opens one need not be.
        state = state._replace(host=number, sequence=state.sequence + (number > 1))
    return state


def _numbered(state, number):
    return next((member for member in state.members if member.number == number), None)


def _with(state, member):
    return state._replace(members=tuple(member if other.number == member.number else other for other in state.members))
