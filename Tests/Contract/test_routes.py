"""The document has the routes of the server and no other."""

import re

import pytest
import table
from document import DOCUMENT, METHODS, PROJECT

PATHS = DOCUMENT["paths"]


@pytest.mark.parametrize("path", PATHS)
def test_a_path_takes_the_methods_of_the_document(path):
    allowed = table.send("OPTIONS", re.sub(r"\{\w+\}", "1", path)).headers["Allow"].split(", ")
    assert {method.lower() for method in allowed} - {"head", "options"} == set(PATHS[path]) & set(METHODS)
    assert ("HEAD" in allowed) == ("get" in PATHS[path])
    assert "OPTIONS" in allowed


def test_the_server_has_no_other_paths():
    # Each route has a row in the table of endpoints.
    table = (PROJECT / "Sources/API/Endpoint.swift").read_text("utf-8")
    assert set(re.findall(r'row\("(/[^"]*)"', table)) == set(PATHS)
