"""Runs tests against a mutant: in a fork of a process that has loaded pytest and all packages but our own.

The fork imports the changed text in place of the module, and so does every process that a test starts. It ends at the
first failure. A test that takes ten times as long as usual hangs, which is a failure too.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import psutil
import pytest
from harness.postgres import execute

from proofs.mutants.recording import FOLDER
from proofs.mutants.sites import Mutant

OWN = ("parlour", "tests", "proofs", "harness", "benchmarks", "fuzz", "conftest", "tools", "sitecustomize")
PATIENCE = 20.0
"""Seconds that any test may take, besides ten times its usual time: the machine may be busy."""
SLOW_TEST = 200.0
"""Seconds that are taken for a test whose time nobody knows."""
MEMORY = 8 << 30
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
DATABASES = ("tests", "one", "two", "three")
"""What the tests of a worker name their databases, before its own name."""
FIRST = 25
"""As many tests are tried first; most mutants live no longer, and fewer files are imported."""

Tier = Literal["not slow", "slow"]


class _Told:
    """A plugin: only these tests, in this order, each with its own limit; the parent is told of each."""

    def __init__(self, tests: Sequence[str], limit: Callable[[str], float], pipe: int, servers: dict[str, str]) -> None:
        self._order = {test: number for number, test in enumerate(tests)}
        self._limit, self._pipe, self._servers = limit, pipe, servers

    def pytest_configure(self, config: pytest.Config) -> None:
        """The servers are given as to a worker of xdist: one PostgreSQL and one Redis serve all mutants."""
        config.workerinput = self._servers  # type: ignore[attr-defined]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self._order:
            items[:] = sorted(
                (item for item in items if item.nodeid in self._order), key=lambda item: self._order[item.nodeid]
            )
        for item in items:
            item.add_marker(pytest.mark.timeout(self._limit(item.nodeid), method="thread"), append=False)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._tell("begun", nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._tell("failed", report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._tell("failed", report.nodeid)

    def _tell(self, what: str, nodeid: str) -> None:
        os.write(self._pipe, f"{what}\t{nodeid}\n".encode())


class Arena:
    """Where mutants are run."""

    def __init__(self, seconds: dict[str, float], servers: dict[str, str]) -> None:
        self._seconds, self._servers = seconds, servers
        self._worker = f"mutant{os.getpid()}"
        self._sound: dict[str, bool] = {}
        self._folder = FOLDER / f"run-{os.getpid()}"
        _end_with_parent()
        _adopt_orphans()

    def kill(self, mutant: Mutant, tests: Sequence[str]) -> str | None:
        """Run these quick tests in order until one fails that passes without the mutant: that one."""
        left = list(tests)
        size = FIRST
        while left:
            part, size = left[:size], size * 8
            begun, failed = self._run(mutant, _files(part), part, "not slow")
            if failed is None:
                left = left[len(part) :]
            elif self._passes(failed, "not slow"):
                return failed
            elif failed not in left:
                raise RuntimeError(f"{failed} fails without a mutant too")
            else:
                left = [test for test in left if test not in begun]
        return None

    def kill_in(self, mutant: Mutant, paths: Sequence[str]) -> str | None:
        """Run the slow tests that stand there: the first that fails."""
        _, failed = self._run(mutant, paths, (), "slow")
        return failed if failed and self._passes(failed, "slow") else None

    def _passes(self, test: str, tier: Tier) -> bool:
        if test not in self._sound:
            failed = self._run(None, _files([test]), [test], tier)[1]
            self._sound[test] = failed is None
        return self._sound[test]

    def _limit(self, test: str) -> float:
        return PATIENCE + 10 * self._seconds.get(test, SLOW_TEST)

    def _run(
        self, mutant: Mutant | None, paths: Sequence[str], tests: Sequence[str], tier: Tier
    ) -> tuple[list[str], str | None]:
        """The tests that were begun, and the first that failed."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            code = 3
            try:
                os.close(reading)
                self._be_the_mutant(mutant)
                options = ["-q", "-x", "-n0", "-m", tier, "-p", "no:cacheprovider", "--hypothesis-seed=0"]
                options += ["-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"]
                options.append(f"--basetemp={self._folder.absolute() / 'tmp'}")
                code = int(pytest.main([*options, *paths], [_Told(tests, self._limit, writing, self._servers)]))
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        os.close(writing)
        begun, failed, hung = self._listen(reading)
        if hung:
            os.kill(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        _end_children()
        execute(self._servers["postgres"], *(f"DROP DATABASE IF EXISTS {name}_{self._worker}" for name in DATABASES))
        if failed is None and (hung or code not in (0, 5)):
            failed = begun[-1] if begun else paths[0]
        return begun, failed

    def _listen(self, reading: int) -> tuple[list[str], str | None, bool]:
        begun: list[str] = []
        failed, rest, ends_at = None, b"", time.monotonic() + PATIENCE * 4
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            while select.select([pipe], [], [], max(0.0, ends_at - time.monotonic()))[0]:
                if not (text := pipe.read(65536)):
                    return begun, failed, False
                *lines, rest = (rest + text).split(b"\n")
                for line in lines:
                    what, _, test = line.decode().partition("\t")
                    if what == "begun":
                        begun.append(test)
                        ends_at = time.monotonic() + 2 * self._limit(test)  # its own limit comes first
                    elif failed is None:
                        failed, ends_at = test, time.monotonic() + PATIENCE  # to stop what it has started
        return begun, failed, True

    def _be_the_mutant(self, mutant: Mutant | None) -> None:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _end_with_parent()
        _output_to(self._folder / "output")
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os.environ["PYTEST_XDIST_WORKER"] = self._worker
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(self._folder.absolute() / "hypothesis")
        if mutant is None:
            return
        text = self._folder.absolute() / "mutant.py"
        text.write_text(mutant.source())
        os.environ["PARLOUR_MUTANT"] = f"{mutant.module}\n{Path(mutant.file).absolute()}\n{text}"
        hook = str(Path(__file__).parent / "hook")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [hook, os.environ.get("PYTHONPATH")]))
        sys.path.insert(0, hook)
        sys.modules.pop("sitecustomize", None)
        __import__("sitecustomize")


def _files(tests: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(test.partition("::")[0] for test in tests))


def _output_to(file: Path) -> None:
    output = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)


def _adopt_orphans() -> None:
    """What a killed test leaves running becomes a child of this process, which can end it."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _end_children() -> None:
    for _ in range(2):  # once more for those that were started meanwhile
        children = psutil.Process().children(recursive=True)
        for process in children:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(children)


def warm() -> None:
    """Load what the tests load, but for our own modules: a fork does not need to do it again."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        try:
            _output_to(Path(os.devnull))
            pytest.main(
                ["-q", "-n0", "--collect-only", "-p", "no:cacheprovider", "tests/games", "tests/tables", "tests/server"]
            )
            names = [name for name in sys.modules if name.partition(".")[0] not in OWN]
            os.write(writing, "\n".join(names)[:60000].encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        names = pipe.read().split()
    os.waitpid(child, 0)
    for name in names:
        if name not in sys.modules:
            with suppress(Exception):
                __import__(name)
    if any(name.partition(".")[0] == "parlour" for name in sys.modules):
        raise RuntimeError("a package of others has loaded our own modules, so that no change would be seen")
