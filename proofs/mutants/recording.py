"""Which tests execute which lines, and how long each takes: recorded once, by coverage with a context for each test."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from coverage import CoverageData

FOLDER = Path("build/mutants")
LONG = 2.0
"""Seconds."""
PACKAGES = ("games", "tables", "tournaments", "storage", "nodes", "server/access")
# Lines of processes that a test starts are its own too: they inherit the name of the test that pytest is at. What is
# killed tells nothing.
SETTINGS = """
[run]
data_file = {data}
source = {sources}
parallel = true
sigterm = true
context = ${{PYTEST_CURRENT_TEST-}}
disable_warnings = no-data-collected,module-not-measured,module-not-imported,couldnt-parse
"""


def record(workers: int, folders: Sequence[str]) -> None:
    """Run the quick tests of these folders of tests, each folder by itself."""
    for folder in folders:
        place = FOLDER / folder
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree("src/parlour", place / "src/parlour", ignore=_all_but_sources)
        settings = place / "coveragerc"
        sources = ",".join(str(Path("src/parlour", name).absolute()) for name in PACKAGES)
        settings.write_text(SETTINGS.format(data=(place / "contexts").absolute(), sources=sources))
        command = [sys.executable, "-m", "pytest", "-q", "-n", str(workers), "--dist", "worksteal", "-m", "not slow"]
        command += ["-p", "proofs.mutants.times", "--cov", f"--cov-config={settings}", "--cov-context=test"]
        command += ["--cov-report=", f"tests/{folder}"]
        told = {"PARLOUR_TEST_TIMES": str(place / "times.json"), "COVERAGE_PROCESS_START": str(settings.absolute())}
        subprocess.run(command, env=os.environ | told, check=False)


def _all_but_sources(_: str, names: list[str]) -> list[str]:
    return [name for name in names if "." in name and not name.endswith(".py")]


class Recording:
    """What was recorded of one folder of tests, with the sources as they were then."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.seconds: dict[str, float] = json.loads((folder / "times.json").read_text())
        self._data = CoverageData(str(folder / "contexts"))
        self._data.read()
        self._of_file: dict[str, list[str]] = defaultdict(list)
        for test in self.seconds:
            self._of_file[test.partition("::")[0]].append(test)

    def tests(self, file: str, first: int, last: int) -> set[str]:
        """The tests that execute one of these lines."""
        recorded, tests = self._recorded_lines(file), self._tests_of_lines(file)
        lines = {line for now in range(first, last + 1) for line in recorded[now]}
        return {test for line in lines for test in tests.get(line, ())}

    @cache  # noqa: B019  there are few, which live as long as the run
    def _recorded_lines(self, file: str) -> dict[int, range]:
        """For each line where it was when the tests were recorded; for a new one, those around it."""
        recorded = self._folder / file
        then = recorded.read_text().splitlines() if recorded.exists() else []
        now = Path(file).read_text().splitlines()
        lines: dict[int, range] = {}
        for kind, begin, end, first, last in SequenceMatcher(None, then, now, autojunk=False).get_opcodes():
            for line in range(first, last):
                same = begin + line - first + 1
                lines[line + 1] = range(same, same + 1) if kind == "equal" else range(begin, end + 2)
        return lines

    @cache  # noqa: B019
    def _tests_of_lines(self, file: str) -> dict[int, set[str]]:
        lines = self._data.contexts_by_lineno(str(Path(file).absolute()))
        return {line: {test for one in contexts for test in self._of_context(one)} for line, contexts in lines.items()}

    @cache  # noqa: B019
    def _of_context(self, context: str) -> list[str]:
        """The tests that a context stands for. A process that a fixture has started may serve all tests of its file."""
        test, _, phase = context.rpartition("|")
        if phase in ("setup", "run", "teardown"):
            return [test] if test in self.seconds else []
        test, _, phase = context.rpartition(" ")
        if phase == "(setup)":
            return self._of_file[test.partition("::")[0]]
        return [test] if test in self.seconds else []


class Recordings:
    """All that was recorded."""

    def __init__(self) -> None:
        self._parts = [Recording(times.parent) for times in sorted(FOLDER.glob("*/times.json"))]
        if not self._parts:
            raise SystemExit("nothing is recorded: python -m proofs.mutants --record")
        self.seconds = {test: seconds for part in self._parts for test, seconds in part.seconds.items()}

    def tests(self, file: str, first: int, last: int) -> list[str]:
        """The tests that execute one of these lines: the quickest of each file, then the second of each, and so on.

        Those of one file are much alike, and those of one function more so: its further parameters come later, and
        last what takes long.
        """
        found = {test for part in self._parts for test in part.tests(file, first, last)}
        of_function, of_file = Counter[str](), Counter[tuple[str, int]]()
        order: dict[str, tuple[bool, int, int, float]] = {}
        for test in sorted(found, key=lambda test: (self.seconds[test], test)):
            path, function = test.partition("::")[0], test.partition("[")[0]
            repeated = of_function[function]
            seconds = self.seconds[test]
            order[test] = seconds > LONG, repeated, of_file[path, repeated], seconds
            of_function[function] += 1
            of_file[path, repeated] += 1
        return sorted(found, key=lambda test: order[test])
