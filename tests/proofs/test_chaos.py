"""The short form of `make chaos`, and that it finds bugs which were put there."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from proofs.chaos.__main__ import carry_out, is_found, planted
from proofs.chaos.checker import summary
from proofs.chaos.history import Happened, History, Row
from proofs.chaos.losing import FAILED_OVER, RESTORED
from proofs.chaos.machines import Disk
from proofs.chaos.plan import BY_NAME, KINDS, Fault, draw
from proofs.chaos.planted import PLANTED
from proofs.chaos.plants import PLANTS
from proofs.chaos.report import of
from proofs.chaos.run import Options, Outcome, Run


def test_the_same_seed_is_the_same_plan() -> None:
    plan = draw(1, 1200, nodes=3, every=3.5)
    assert plan == draw(1, 1200, nodes=3, every=3.5) != draw(8, 1200, nodes=3, every=3.5)
    assert len(plan) >= 300, "as many as twenty minutes are to have"
    assert {fault.kind for fault in plan} == set(BY_NAME)
    assert {fault.target for fault in plan} == {0, 1, 2}
    without = draw(7, 1200, nodes=1, every=3.5, bus=False, disk=False)
    assert not [fault for fault in without if fault.kind.startswith(("bus", "disk"))]
    for fault in plan:
        assert BY_NAME[fault.kind].shortest <= fault.size <= BY_NAME[fault.kind].longest


ONE_NODE = [
    Fault(1.0, "clients cut", 0, 0),
    Fault(1.5, "node killed", 0, 0.1),
    Fault(2.0, "database cut", 0, 0),
    Fault(2.5, "node frozen", 0, 0.8),
    Fault(3.0, "clock skewed", 0, 600),
    Fault(3.0, "clients delayed", 0, 0.5),
    Fault(3.5, "database killed", 0, 0.2),
    Fault(4.0, "node restarted", 0, 0),
    Fault(4.5, "database frozen", 0, 1.0),
    Fault(5.0, "database delayed", 0, 0.5),
    Fault(5.5, "database held", 0, 3.0),
    *([Fault(6.0, "disk full", 0, 2.0)] if Disk.can_be_had() else []),  # only root can have it filled
]


@pytest.mark.slow
def test_nothing_is_lost_doubled_or_shown_while_everything_fails_on_one_node() -> None:
    outcome = carry_out(Options(nodes=1, bus=False, tables=4, seed=1, seconds=6.0, plan=ONE_NODE))
    assert not outcome.violations, "\n".join(summary(outcome.violations))
    assert len(outcome.history.faults) == len(ONE_NODE)
    assert len(outcome.recovered) == 4
    assert outcome.seen["acknowledged by socket"] > 50
    assert outcome.seen["acknowledged to Gateau clients"] > 0
    assert outcome.seen["acknowledged to Chess Mate"] > 0
    assert "**0 violations**" in of(outcome)


@pytest.mark.slow
@pytest.mark.parametrize("ending", [RESTORED, FAILED_OVER])
def test_tables_are_closed_off_by_name_where_the_database_loses_their_last_rows(ending: str) -> None:
    outcome = carry_out(Options(nodes=1, bus=False, tables=3, seed=1, seconds=2.0, endings=(ending,)))
    assert not outcome.violations, "\n".join(summary(outcome.violations))
    lost = [loss for loss in outcome.history.losses if loss.head < loss.known]
    assert {loss.kind for loss in lost} == {ending}
    assert all((loss.answer, loss.named, loss.goes_on) == ("log_damaged", True, True) for loss in lost)


@pytest.mark.slow
@pytest.mark.parametrize("plant", [plant for plant, bug in PLANTED.items() if bug.nodes == 1])
def test_a_planted_bug_is_found_on_one_node(plant: str) -> None:
    outcome = carry_out(planted(plant))
    assert is_found(plant, outcome), "\n".join(summary(outcome.violations))


async def test_a_log_that_goes_on_while_the_rest_is_read_is_read_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """After an all-in the next hand begins some seconds later, and everybody is told of it."""
    run = Run(Options(), tmp_path)
    run.postgres = SimpleNamespace(url="")
    heads = {"T": 2, "U": 1}

    async def asked(url: str, tables: frozenset[str]) -> dict[str, int]:
        return heads

    monkeypatch.setattr("proofs.chaos.reading.heads", asked)
    logs = {table: [Row(1, 0, None, None, None, {})] for table in heads}
    assert not await run._is_all_read(logs)
    heads["T"] = 1
    assert await run._is_all_read(logs)


def test_every_planted_bug_is_looked_for() -> None:
    assert set(PLANTED) == set(PLANTS)


def test_every_kind_of_fault_can_be_carried_out() -> None:
    from proofs.chaos.faults import _WAYS

    assert set(_WAYS) == {kind.name for kind in KINDS}


def test_a_report_of_a_kill_that_hit_no_table_does_not_say_that_there_was_none() -> None:
    kill = Happened("node killed", "node 0", 1.0, 2.0, frozenset())
    outcome = Outcome(Options(), History({}, faults=[kill]), [], Counter(), [], {}, 60.0, [])
    assert "1 × node killed, none of which" in of(outcome)
    assert "no node was killed" not in of(outcome)
    outcome.history.faults.clear()
    assert "no node was killed" in of(outcome)
