#!/usr/bin/env python3
"""`make durability` and `make soak`: faults of every kind, and what a server had acknowledged before them.

Prints what was tried, how often, and what was lost. Ends with another status than 0 where anything was. What this machine does not allow
is said and counted as skipped; `--must` names parts that have to run.
"""

import argparse
import random
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import clocks
import cuts
import full
import injections
import kill
import life
import power
import slow
from report import Report, Skipped
from server import PROGRAM, Failure
from wire import Lost

PARTS = {
    "kill": kill.run, "calls": injections.calls, "reopening": injections.reopening, "first-start": injections.first_start,
    "strace": injections.strace, "full": full.run, "power": power.run, "cuts": cuts.run, "slow": slow.run, "clocks": clocks.run,
    "life": life.run,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--soak", action="store_true", help="all of it, for about an hour")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000), help="replays a run's choices")
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(PARTS), help=f"some of {','.join(PARTS)}")
    parser.add_argument("--must", type=lambda text: text.split(","), default=[], help="parts that may not be skipped")
    parser.add_argument("--keep", action="store_true", help="leaves the stores behind")
    options = parser.parse_args()
    if unknown := set(options.only + options.must) - set(PARTS):
        parser.error(f"no such part: {', '.join(unknown)}")
    if not PROGRAM.exists():
        raise SystemExit(f"{PROGRAM} is missing: make durability builds it")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = Path(tempfile.mkdtemp(prefix="durability-"))
    report = Report(folder)
    report.say(f"seed {options.seed}; the same choices again: Tests/Durability/durability.py --seed {options.seed}")
    try:
        for part in options.only:
            try:
                PARTS[part](folder, options.seed, options.soak, report)
            except Skipped as skipped:
                (report.fail if part in options.must else report.skip)(part, str(skipped))
            except (Failure, Lost) as failure:
                report.fail(part, str(failure) or "a connection was lost")
    finally:
        if options.keep or report.failures:
            report.say(f"the stores are in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if report.close() else 1)


if __name__ == "__main__":
    main()
