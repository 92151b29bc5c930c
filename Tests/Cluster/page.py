"""Runs the commands of docker/cluster.md that need nothing but a database."""

import os
import re
import signal
import subprocess

import postgres
from server import PROGRAM, ROOT, Failure

PAGE = ROOT / "docker/cluster.md"
HEADING = "On one machine"


def run(folder, seed, is_long, report):
    place = folder / "page"
    place.mkdir()
    found = re.search(rf"^## {HEADING}$.*?^```sh$(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    if found is None:
        raise Failure(f"{PAGE} has no commands under '{HEADING}'")
    database = postgres.Server([])
    environment = {**os.environ, "DATABASE": database.uri(), "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
    said = place / "said"
    try:
        with open(said, "wb") as output:
            # A group of its own, with the nodes that it leaves behind.
            shell = subprocess.Popen(["bash", "-euo", "pipefail", "-c", found.group(1)], cwd=place, env=environment, stdin=subprocess.DEVNULL,
                                     stdout=output, stderr=output, start_new_session=True)
        try:
            status = shell.wait(120)
        finally:
            os.killpg(shell.pid, signal.SIGKILL)
        text = said.read_text()
        if status != 0 or '"memberCount":2' not in text or ": 1 room" not in text:
            raise Failure(f"the commands of {PAGE.name} end with {status}:\n{text[-2000:]}")
    finally:
        database.remove()
    report.ran("docker/cluster.md, as it stands", 1, "two nodes at one database, opened at one, joined at the other")
