"""Mutation testing: is nothing lost where `make test` runs only the quick tests?

    python -m proofs.mutants --record                 once: which tests execute which lines, and how long they take
    python -m proofs.mutants --seed 1 --mutants 200   change one place at a time, and see whether a test fails

The mutants are drawn with a fixed seed from the modules in `areas.py`. Each runs against the quick tests that execute
its line, quickest first, until one fails; if none does, against the slow tests of its area. What came of each is
appended to build/mutants.jsonl, so a run that was stopped goes on where it was. `--again` runs the survivors once more.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

import msgspec
from harness.postgres import PostgresServer
from harness.redis import RedisServer

from proofs.mutants.areas import AREAS, RECORDED, modules
from proofs.mutants.killing import Arena, warm
from proofs.mutants.recording import Recordings, record
from proofs.mutants.sites import Mutant, draw

RESULTS = Path("build/mutants.jsonl")
BY_QUICK, BY_SLOW = "make test", "the rest"
ENOUGH = 0.9

Case = tuple[Mutant, Sequence[str]]
"""A mutant, and the quick tests that execute its line."""


class Result(msgspec.Struct, frozen=True):
    key: str
    killed_by: str
    """`make test`, `the rest`, or nothing."""
    test: str | None
    tests: int
    """How many quick tests execute the line."""
    seconds: float


def results() -> dict[str, Result]:
    """What is known of mutants, by their keys; what was written later counts."""
    lines = RESULTS.read_bytes().splitlines() if RESULTS.exists() else []
    return {result.key: result for result in (msgspec.json.decode(line, type=Result) for line in lines)}


def judge(mutant: Mutant, tests: Sequence[str], arena: Arena, glance: bool) -> Result:
    """Let the quick tests that execute its line have a go at it, then the slow ones of its area."""
    began = time.monotonic()
    killed_by = BY_QUICK
    failed = arena.kill(mutant, tests)
    if failed is None and not glance:
        killed_by = BY_SLOW
        failed = arena.kill_in(mutant, AREAS[mutant.area][1])
    if failed is None:
        killed_by = ""
    return Result(mutant.key, killed_by, failed, len(tests), round(time.monotonic() - began, 1))


def work(cases: Sequence[Case], arena: Arena, glance: bool) -> None:
    for mutant, tests in cases:
        result = judge(mutant, tests, arena, glance)
        with RESULTS.open("ab", buffering=0) as file:
            file.write(msgspec.json.encode(result) + b"\n")
        fate = f"killed by {result.killed_by}: {result.test}" if result.test else "SURVIVED"
        print(f"{mutant.file}:{mutant.line} {mutant.operator}, {result.seconds} s, {fate}", flush=True)


def _stop(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def in_processes(workers: int, cases: Sequence[Case], seconds: dict[str, float], glance: bool) -> None:
    signal.signal(signal.SIGTERM, _stop)  # so that the servers are ended
    warm()
    sys.stdout.flush()  # or each fork would print it again
    with PostgresServer("max_connections=500", "fsync=off") as postgres, RedisServer() as redis:
        servers = {"postgres": postgres.url, "redis": redis.url}
        children = []
        for worker in range(workers):
            if (child := os.fork()) == 0:
                code = 1
                try:
                    work(cases[worker::workers], Arena(seconds, servers), glance)
                    code = 0
                except Exception:
                    traceback.print_exc()
                finally:
                    os._exit(code)
            children.append(child)
        failed = [child for child in children if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])]
    if failed:
        raise SystemExit("a worker has failed; what was found is kept, so run this again")


def report(mutants: Sequence[Mutant], known: dict[str, Result]) -> bool:
    """Print the table and the survivors; whether `make test` killed as many as it should."""
    print(f"\n| {'modules':12} | mutants | killed by `make test` | by the rest | survivors |\n|---|--:|--:|--:|--:|")
    for area in [*AREAS, "all"]:
        fates = [
            known[mutant.key].killed_by for mutant in mutants if area in (mutant.area, "all") and mutant.key in known
        ]
        print(f"| {area:12} | {len(fates)} | {fates.count(BY_QUICK)} | {fates.count(BY_SLOW)} | {fates.count('')} |")
    for mutant in mutants:
        result = known.get(mutant.key)
        if result and result.killed_by != BY_QUICK:
            fate = f"killed by {result.test}" if result.test else f"survived {result.tests} quick tests"
            print(f"\n{mutant.key} {mutant.file}:{mutant.line} in {mutant.function}, {mutant.operator}: {fate}")
            print(mutant.diff())
    return len(fates) == len(mutants) and fates.count(BY_QUICK) >= ENOUGH * len(fates)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m proofs.mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("--record", nargs="*", metavar="FOLDER", choices=RECORDED, help="record these folders of tests")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="run the survivors again")
    parser.add_argument("--glance", type=int, metavar="TESTS", help="so many tests each; `--again` then runs all")
    parser.add_argument("--also", nargs="*", default=[], metavar="TEST", help="quick tests newer than the recording")
    parser.add_argument("--report", action="store_true", help="only print what is known")
    options = parser.parse_args()
    if options.record is not None:
        record(options.workers, options.record or RECORDED)
        return 0
    mutants = list(draw(modules(), options.mutants, options.seed))
    known = results()
    if not options.report:
        fates = {key: result.killed_by for key, result in known.items()}
        left = [m for m in mutants if m.key not in fates or (options.again and fates[m.key] != BY_QUICK)]
        recorded = Recordings()
        cases = [(m, [*options.also, *recorded.tests(m.file, *m.lines)]) for m in left]
        if options.glance:
            cases = [(mutant, tests[: options.glance]) for mutant, tests in cases]
        in_processes(options.workers, cases, recorded.seconds, bool(options.glance))
    return 0 if report(mutants, results()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
