"""Every problem that the document names at an operation is provoked there."""

import pytest

from calls import call
from document import DOCUMENT, OPERATIONS, check_headers, faults
from provocations import OF_A_ROOM, PROVOKE

CASES = [
    pytest.param(operation, status, code, schema, id=f"{operation.id}-{code}")
    for operation in OPERATIONS for status, response in operation.responses.items()
    for schema in [response.get("content", {}).get("application/problem+json", {}).get("schema")] if schema
    for code in schema.get("properties", {}).get("code", {}).get("enum", [])
]
# These need a full disk, a server that stops, a million rooms or five thousand members; the tests in Swift have them.
ELSEWHERE = {"store-unavailable", "shutting-down", "no-free-pin", ("removeMember", "room-full")}
# The app's cards are in every catalogue but one's own; and it has no header in which to be the same device again and again.
ELSEWHERE |= {("legacySubmit", "unknown-card"), ("legacySolo", "unknown-card"), ("legacyOpen", "too-many-attempts")}


@pytest.mark.parametrize("operation, status, code, schema", CASES)
def test_a_documented_problem(operation, status, code, schema):
    if code in ELSEWHERE or (operation.id, code) in ELSEWHERE:
        pytest.skip("needs more than a client")
    request = call(operation)
    answer = PROVOKE[code](request)
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["code"] == code
    assert not faults(problem, schema)
    check_headers(answer, operation.responses[status])


@pytest.mark.parametrize("operation", [pytest.param(operation, id=operation.id) for operation in OPERATIONS])
@pytest.mark.parametrize("wrong", PROVOKE)
def test_whatever_is_wrong_the_answer_is_documented(operation, wrong):
    request = call(operation)
    if request.room is None and wrong in OF_A_ROOM:
        pytest.skip("has no room")
    answer = PROVOKE[wrong](request)
    response = operation.responses[answer.status_code]
    if answer.status_code >= 400:
        assert not faults(answer.json(), response["content"]["application/problem+json"]["schema"])


def test_every_code_stands_at_an_operation():
    named = {case.values[2] for case in CASES}
    # No operation can be asked with a method that its address does not have.
    assert named | {"method-not-allowed"} == set(DOCUMENT["components"]["schemas"]["Code"]["enum"])
    assert set(DOCUMENT["components"]["examples"]) == set(DOCUMENT["components"]["schemas"]["Code"]["enum"])
