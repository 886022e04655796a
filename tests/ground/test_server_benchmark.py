"""The benchmark of the server: interleaved rounds, ratios within a round, and a load that plays by what it is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.server import processes
from benchmarks.server.processes import Figures
from benchmarks.server.rounds import interleaved, median, ratio
from tests.tiers import quick_first


def figures(per_second: float, refusals: int = 0) -> Figures:
    return Figures(
        moves=round(per_second * 3), per_second=per_second, p50=1.0, p99=2.0, cpu_per_move=100.0, refusals=refusals,
        load=0.5, load_per_move=30.0,
    )  # fmt: skip


def test_contestants_take_turns() -> None:
    order: list[str] = []

    def measure(name: str) -> Figures:
        order.append(name)
        return figures(float(len(order)))

    found = interleaved("ab", 2, measure)
    assert order == ["a", "b", "a", "b"]
    assert [one.per_second for one in found["b"]] == [2, 4]


def test_every_figure_is_a_median_and_no_refusal_is_hidden() -> None:
    found = median([figures(10), figures(1000, refusals=2), figures(30)])
    assert (found.per_second, found.moves, found.refusals) == (30, 90, 2)


def test_a_ratio_is_taken_within_each_round() -> None:
    ours = [figures(300), figures(40), figures(600)]
    theirs = [figures(100), figures(10), figures(300)]  # the machine was slow in the second round, for both
    assert ratio(ours, theirs) == 3


@pytest.mark.parametrize("kind", quick_first(["parlour", "events"]))
def test_the_load_reads_the_messages_of_the_server_right(kind: str, tmp_path: Path) -> None:
    """In its warm-up the load reads every message in full as well, and gives up where its glance saw something else."""
    with processes.parlour(tmp_path) as server:
        found = processes.load(kind, server, 2, 0.2)
    assert found.moves > 0
    assert found.refusals == 0
