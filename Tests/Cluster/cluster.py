#!/usr/bin/env python3
"""`make cluster`: several nodes at one PostgreSQL database, and what goes wrong there.

Prints what was tried, how often, and what was measured. Ends with another status than 0 where anything was lost, doubled or refused that
must not be.
"""

import argparse
import random
import shutil
import signal
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path[1:1] = [str(TESTS / folder) for folder in ("Durability", "Support")]

import bouncer  # noqa: E402: from here on the folders are known
import compose  # noqa: E402
import failover  # noqa: E402
import loss  # noqa: E402
import page  # noqa: E402
import proxy  # noqa: E402
from report import Report  # noqa: E402
from server import PROGRAM, Failure  # noqa: E402
from wire import Lost  # noqa: E402

PARTS = {
    "page": page.run, "compose": compose.run, "proxy": proxy.run, "bouncer": bouncer.run, "failover": failover.run,
    "loss": loss.run, "hanging": failover.run_with_hanging, "patroni": failover.run_with_patroni,
}
#: Those for which `make cluster` has no time.
LONG = ["patroni"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--soak", action="store_true", help="twenty drills and not two")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000), help="replays a run's choices")
    parser.add_argument("--only", type=lambda text: text.split(","), help=f"some of {','.join(PARTS)}")
    parser.add_argument("--keep", action="store_true", help="leaves the logs behind")
    options = parser.parse_args()
    options.only = options.only or [part for part in PARTS if options.soak or part not in LONG]
    if unknown := set(options.only) - set(PARTS):
        parser.error(f"no such part: {', '.join(unknown)}")
    if not PROGRAM.exists():
        raise SystemExit(f"{PROGRAM} is missing: make cluster builds it")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = Path(tempfile.mkdtemp(prefix="cluster-"))
    report = Report(folder, "cluster")
    report.say(f"seed {options.seed}; the same choices again: Tests/Cluster/cluster.py --seed {options.seed}")
    try:
        for part in options.only:
            try:
                PARTS[part](folder, options.seed, options.soak, report)
            except (Failure, Lost) as failure:
                report.fail(part, str(failure) or "a connection was lost")
    finally:
        if options.keep or report.failures:
            report.say(f"the logs are in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if report.close() else 1)


if __name__ == "__main__":
    main()
