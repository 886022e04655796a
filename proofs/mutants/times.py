"""A plugin of pytest that writes down how long each test took, with its setup, in the file of PARLOUR_TEST_TIMES."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

_seconds: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[report.nodeid] += report.duration  # type: ignore[assignment]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):  # a worker of xdist tells the process that started it
        Path(os.environ["PARLOUR_TEST_TIMES"]).write_text(json.dumps(_seconds))
