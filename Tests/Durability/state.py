"""A room and what is asked of it, as values: so a search can hold many of them."""

from typing import NamedTuple, Optional


class Submission(NamedTuple):
    id: str
    revision: int
    #: See `sheet`.
    answers: tuple


class Member(NamedTuple):
    token: str
    number: int
    nickname: Optional[str]
    submission: Optional[Submission] = None


class Result(NamedTuple):
    sequence: int
    players: int
    decision: Optional[str] = None


class Receipt(NamedTuple):
    """What was answered under an idempotency key; `sequence` is the one that a body shows."""

    status: int
    code: Optional[str]
    sequence: Optional[int]


class State(NamedTuple):
    sequence: int = 0
    round: int = 1
    members: tuple = ()
    #: The number of the member who is host.
    host: Optional[int] = None
    removed: frozenset = frozenset()
    #: One a revealed round: (round, Result).
    results: tuple = ()
    last_member: int = 0
    last_submission: int = 0
    is_closed: bool = False
    #: (key, Receipt)
    receipts: frozenset = frozenset()

    def member(self, token):
        return next((member for member in self.members if member.token == token), None)

    @property
    def result(self):
        return dict(self.results).get(self.round)

    @property
    def phase(self):
        result = self.result
        return "open" if result is None else "revealed" if result.decision is None else "decided"

    @property
    def submission_count(self):
        return sum(member.submission is not None for member in self.members)


class Command(NamedTuple):
    kind: str
    token: str
    #: What it is about: answers, a nickname, a member's number, a menu.
    value: object = None
    #: The revision that `If-Match` asks for.
    revision: Optional[int] = None
    key: Optional[str] = None


class Answer(NamedTuple):
    """What a command is to be answered."""

    status: int
    code: Optional[str] = None
    #: The caller's submission, where the answer has one.
    submission: Optional[Submission] = None
    #: The sequence of the result, where the answer is one.
    revealed: Optional[Result] = None


def sheet(body):
    """Answers in one form, whatever order they came in: a skipped card is left out."""
    answers = {card: tuple(sorted(value)) if isinstance(value, list) else value for card, value in body.get("answers", {}).items()}
    said = sorted((card, value) for card, value in answers.items() if value not in ("skip", ()))
    return (tuple(said), tuple(sorted(body.get("vetoes", []))))


def patched(answers, patch):
    """RFC 7396, as far as the players use it: cards that are set, or taken back with `None`."""
    said = dict(answers[0])
    for card, value in patch:
        said.pop(card, None)
        if value is not None:
            said[card] = value
    return (tuple(sorted(said.items())), answers[1])
