"""What was tried, how often, and what was lost."""

import sys
import time


class Skipped(Exception):
    """A part cannot run on this machine, for the reason given."""


class Report:
    def __init__(self, folder, name="durability"):
        self.folder = folder
        self.name = name
        self.rows = []
        self.skipped = []
        self.failures = []
        self.began = time.monotonic()

    def ran(self, fault, times, words):
        """A fault that was tried so many times with nothing lost."""
        self.rows.append((fault, times, words))
        self.say(f"{fault}: {times} times, nothing lost; {words}")

    def skip(self, fault, why):
        self.skipped.append((fault, why))
        self.say(f"SKIPPED, NOT PASSED: {fault}: {why}")

    def fail(self, fault, why):
        self.failures.append((fault, why))
        # All of it may be a long story.
        (self.folder / f"{fault}.failure").write_text(why)
        self.say(f"FAILED: {fault}: {why.splitlines()[0][:500]}")

    def say(self, text):
        print(f"[{time.monotonic() - self.began:5.0f} s] {text}", flush=True)

    def close(self):
        """The closing lines; whether all is well."""
        print()
        for fault, times, words in self.rows:
            print(f"  {fault:44}{times:>7} x   lost 0   {words}")
        for fault, why in self.skipped:
            print(f"  {fault:44}SKIPPED     {why}")
        for fault, why in self.failures:
            print(f"  {fault:44}FAILED      {why.splitlines()[0][:200]}")
        total = sum(times for _, times, _ in self.rows)
        failed = f"{len(self.failures)} FAILED" if self.failures else "nothing acknowledged was lost"
        print(f"{self.name}: {total} faults of {len(self.rows)} kinds, {failed}, {len(self.skipped)} skipped")
        sys.stdout.flush()
        return not self.failures
