"""The short form of `make load`: it plays on real servers, and what it prints is what it measured."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from proofs.load.__main__ import costs, crowd, new_folder, ramp
from proofs.load.houses import KINDS, house
from proofs.load.past import LongTable
from proofs.load.steps import Step, step
from rich.console import Console

pytestmark = pytest.mark.slow

ON_ONE_NODE = [kind for kind in KINDS if kind.startswith("one")]


@pytest.fixture
def page() -> Console:
    return Console(file=io.StringIO(), width=160)


def printed(page: Console) -> str:
    assert isinstance(page.file, io.StringIO)
    return page.file.getvalue()


@pytest.mark.parametrize("kind", ON_ONE_NODE)
def test_a_step_plays_at_its_pace_and_tells_what_it_took(kind: str) -> None:
    with new_folder() as folder, house(kind, folder) as servers:
        found = step(servers, tables=4, seconds=3.0, rate=40)
    assert 0 < found.per_second < 120, "at a pace, and not as fast as it goes"
    assert found.refusals == 0
    assert 0 < found.p50 <= found.p99
    assert set(found.cpu) == {"node 0"} | ({"PostgreSQL"} if "PostgreSQL" in kind else set())
    assert all(memory > 20 for memory in found.memory)
    assert found.cost > 0


def test_the_ramp_ends_when_moves_take_too_long(page: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = {10: 5.0, 20: 99.0, 40: 101.0, 80: 102.0}
    played = []

    def measured(servers: object, tables: int, seconds: float, rate: float) -> Step:
        played.append((tables, rate))
        return Step(tables, rate, 1.0, steps[tables], {"node 0": 0.5}, [50.0], 0, 0.1)

    monkeypatch.setattr("proofs.load.__main__.step", measured)
    ramp(page, ON_ONE_NODE[0], tuple(steps), seconds=1.0, pause=0.5)
    assert played == [(10, 20), (20, 40), (40, 80)]
    assert re.search(r"40 +80 +80 +1\.0 +101\.0", printed(page))


def test_a_crowd_is_played_at_a_human_pace(page: Console) -> None:
    found = crowd(page, tables=10, seconds=5.0)
    assert 0 < found.per_second < 10
    assert "sockets" in printed(page)


def test_costs_are_told_for_tables_and_for_the_past(page: Console) -> None:
    costs(page, tables=(3,), events=(100, 200), seconds=2.0)
    assert re.search(r"^ *3 +3 +\d+", printed(page), re.MULTILINE)
    assert re.search(r"^ *100 +[\d,]+ +\d+", printed(page), re.MULTILINE)
    assert re.search(r"^ *200 +[\d,]+ +\d+", printed(page), re.MULTILINE)


def test_a_long_table_grows_and_is_played_on(tmp_path: Path) -> None:
    table = LongTable(tmp_path)
    table.grow(300)
    first = table.play(2.0)
    table.grow(2000)
    again = table.play(2.0)
    assert first.per_second > 0
    assert again.per_second > 0
