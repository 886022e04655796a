"""The capacity model: its sums, its measurements, and that docs/capacity.md says what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from benchmarks.capacity.__main__ import Kept, pages
from benchmarks.capacity.machines import Counts
from benchmarks.capacity.measure import Entry, Run, solve
from benchmarks.capacity.model import (
    Assumptions,
    BusCosts,
    Costs,
    Six,
    need,
    players_of_one_core,
    players_of_one_database,
    players_of_one_directory,
)

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
COSTS = Costs(
    action=100, settle=50, log=40, directory=80, settles=0.2, rows=2, log_bytes=500, log_wal=700,
    directory_wal=300, received=60, sent=1000, table=10_000, socket=20_000,
    six=Six(action=1.4, log=0.5, log_bytes=0.8, log_wal=0.9),
)  # fmt: skip


def test_the_sums_for_a_hundred_thousand_players() -> None:
    """50,000 tables of two, an action every five seconds at each: 10,000 actions and as many entries a second."""
    found = need(100_000, COSTS, Assumptions())
    assert (found.tables, found.actions) == (50_000, 10_000)
    assert found.node_cores == 4, "100,000 sockets at 30,000 each; 1 + 0.5 busy cores would be 3 nodes"
    assert need(20_000, msgspec.structs.replace(COSTS, action=300), Assumptions()).node_cores == 2
    assert found.log_cores == pytest.approx(0.4)
    assert found.directory_cores == pytest.approx(0.8)
    assert found.databases == 1
    assert found.disk == pytest.approx(10_000 * 500 * 86_400 / 1e9)
    assert found.network == pytest.approx(160)
    assert found.node_memory == pytest.approx(2.5)
    assert found.broker_cores is None, "nothing is said of what was not measured"


def test_a_table_of_six_has_costs_of_its_own_and_relayed_actions_do_where_there_are_several_nodes() -> None:
    six = Assumptions(seats=6)
    assert players_of_one_core(COSTS, six) == int(0.5 * 6 / (140 / 5 + 10) * 1e6)
    assert need(600_000, COSTS, six).log_cores == pytest.approx(need(200_000, COSTS, Assumptions()).log_cores / 2)
    relayed = msgspec.structs.replace(COSTS, bus=BusCosts(front=200, owner=100, broker=30))
    assert need(1_000, relayed, Assumptions()).node_cores == 1
    assert need(1_000, relayed, Assumptions()).broker_cores == 0
    many = need(100_000, relayed, Assumptions())
    assert (many.node_cores, many.broker_cores) == (7, pytest.approx(0.3))


def test_the_limits_are_where_the_needs_pass_them() -> None:
    assumed = Assumptions()
    for limit, share in (
        (players_of_one_database, lambda one: one.log_cores + one.directory_cores),
        (players_of_one_directory, lambda one: one.directory_cores),
    ):
        assert share(need(limit(COSTS, assumed), COSTS, assumed)) == pytest.approx(4, rel=1e-3)


def test_the_log_and_the_directory_are_told_apart() -> None:
    """An action takes 100 µs of the server and 40 of PostgreSQL, an entry 50 and 80; one database has the log alone."""

    def run(actions: int, entries: int) -> Run:
        half = actions // 2
        log, directory = half * 40e-6, entries * 80e-6
        first = Counts(half * 700 + entries * 300, half * 2, half * 500, entries)
        second = Counts(half * 700, half * 2, half * 500, 0)
        server = actions * 100e-6 + entries * 50e-6
        return Run(1000, actions, 10.0, server, (log + directory, log), (first, second))

    found = solve(run(5_000, 2_000), run(50_000, 2_000), Entry(50e-6, 80e-6, 300))
    for name in ("action", "settle", "log", "directory", "settles", "rows", "log_bytes", "log_wal", "directory_wal"):
        assert found[name] == pytest.approx(getattr(COSTS, name)), name


def test_the_page_has_the_tables_of_the_kept_run() -> None:
    kept = msgspec.json.decode((ROOT / "docs" / "capacity.json").read_bytes(), type=Kept)
    page = (ROOT / "docs" / "capacity.md").read_text(encoding="utf-8")
    for table in pages(kept.costs):
        assert table in page, "run python -m benchmarks.capacity --read docs/capacity.json"


def test_everything_is_measured_in_a_short_run(tmp_path: Path) -> None:
    target = tmp_path / "costs.json"
    command = [sys.executable, "-m", "benchmarks.capacity", "--small", "--write", str(target)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    costs = msgspec.json.decode(target.read_bytes(), type=Kept).costs
    for name in ("action", "log", "settles", "rows", "log_bytes", "log_wal", "received", "sent"):
        assert getattr(costs, name) > 0, name
    assert "| actions a second | 100 | 1,000 | 10,000 | 100,000 |" in done.stdout
