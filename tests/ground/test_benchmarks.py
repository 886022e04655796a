"""The benchmark harness: fair rounds, honest gaps, ratios that point the right way."""

from __future__ import annotations

import argparse
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from benchmarks import disk
from benchmarks.footprint import Footprint
from benchmarks.report import document, figure, ratios, times, write_json
from benchmarks.rounds import Contestant, Row, Timing, measure
from benchmarks.server.against import Compared, by_turns


@pytest.mark.slow
def test_rounds_are_interleaved() -> None:
    order: list[str] = []
    row = Row("a row", "things", tuple(Contestant(name, lambda name=name: lambda: order.append(name)) for name in "ab"))  # type: ignore[misc]
    measure(row, rounds=3, slice_seconds=1e-9)
    assert "".join(order).endswith("ababab")


def test_a_peer_that_is_missing_or_fails_is_named_with_the_reason() -> None:
    def missing() -> object:
        raise ModuleNotFoundError("No module named 'peer'")

    def wrong() -> object:
        raise ValueError("no such game")

    row = Row("a row", "", (
        Contestant("ours", lambda: lambda: None, ours=True),
        Contestant("missing", missing),  # type: ignore[arg-type]
        Contestant("wrong", lambda: wrong),
    ))  # fmt: skip
    ours, *others = measure(row, rounds=1, slice_seconds=1e-6)
    assert ours.seconds is not None
    assert [(other.seconds, other.reason) for other in others] == [
        (None, "ModuleNotFoundError: No module named 'peer'"),
        (None, "ValueError: no such game"),
    ]


def test_what_a_peer_prints_is_not_in_the_report(capfd: pytest.CaptureFixture[str]) -> None:
    measure(Row("a row", "", (Contestant("loud", lambda: lambda: print("noise")),)), rounds=1, slice_seconds=1e-9)
    assert capfd.readouterr().out == ""


@pytest.mark.slow
def test_units_divide_the_time() -> None:
    passed = [0.0]

    def work() -> None:
        passed[0] += 2.0

    row = Row("a row", "things", (Contestant("worker", lambda: work, units=1000),))
    (timing,) = measure(row, rounds=3, slice_seconds=10.0, clock=lambda: passed[0])
    assert timing.seconds == 2.0 / 1000


def test_a_ratio_above_one_means_that_the_peer_takes_longer() -> None:
    assert ratios([Timing("ours", 0.25, ours=True), Timing("peer", 1.25), Timing("none", None)]) == [1, 5, None]


@pytest.mark.parametrize(
    ("seconds", "unit", "text"),
    [
        (5e-10, "hands", "2 G/s"),
        (5e-8, "hands", "20 M/s"),
        (0.01, "hands", "100 /s"),
        (2.5e-7, "", "250 ns"),
        (2, "", "2 s"),
    ],
)
def test_figures_read_well(seconds: float, unit: str, text: str) -> None:
    assert figure(seconds, unit) == text


def test_ratios_read_well() -> None:
    assert [times(ratio) for ratio in (0.35, 5.68, 48_300.4)] == ["0.35 ×", "5.7 ×", "48,300 ×"]


def test_the_document_keeps_versions_and_gaps(tmp_path: Path) -> None:
    row = Row("a row", "hands", ())
    data = document(
        [(row, [Timing("ours", 1e-6, ours=True), Timing("gone", None, reason="why")])], [Footprint("x", 1, 2)]
    )
    write_json(data, tmp_path / "out.json")
    kept = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert kept["versions"]["parlour"]
    assert [one["reason"] for one in kept["rows"][0]["contestants"]] == ["", "why"]


def test_two_checkouts_are_compared_round_by_round() -> None:
    """A round in which the machine was busy counts for both, and the best rounds are compared by themselves."""
    slow = Compared("µs", other=[10, 40, 11], ours=[11, 40, 11])
    assert (slow.ratio, slow.ratio_of_best) == (1, 1.1)
    quick = Compared("moves", other=[100, 50, 90], ours=[90, 60, 99], more_is_better=True)
    assert (round(quick.ratio, 9), quick.ratio_of_best) == (1.1, 0.99)
    asked: list[str] = []
    found = by_turns(2, ("other", "ours"), lambda python: float(len(asked.append(python) or asked)))
    assert (asked, found) == (["ours", "other", "other", "ours"], ([2, 3], [1, 4]))


async def test_the_disk_of_a_move_is_counted_to_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever tables there are in the database: their pages together are the file."""
    options = argparse.Namespace(moves=60, tables=2, players=2)
    await disk.on_sqlite(options, tmp_path)
    head, *lines, whole = capsys.readouterr().out.splitlines()
    moves = int(head.split()[1].replace(",", ""))
    assert moves >= options.moves
    told = float(whole.split()[0])
    with closing(sqlite3.connect(tmp_path / "parlour.db")) as database:
        counts = [database.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "freelist_count")]
    assert told == pytest.approx((counts[0] - counts[1]) * 4096 / moves, rel=0.001)
    assert sum(float(line.split()[0]) for line in lines) <= told + 1
