"""The short form of `make chaos`, and that it finds bugs which were put there."""

from __future__ import annotations

import pytest
from proofs.chaos.__main__ import PLANTED_PATIENCE, carry_out
from proofs.chaos.checker import summary
from proofs.chaos.plan import BY_NAME, KINDS, Fault, draw
from proofs.chaos.report import of
from proofs.chaos.run import Options


def test_the_same_seed_is_the_same_plan() -> None:
    plan = draw(7, 1200, nodes=3, every=3.5)
    assert plan == draw(7, 1200, nodes=3, every=3.5) != draw(8, 1200, nodes=3, every=3.5)
    assert len(plan) >= 300, "as many as twenty minutes are to have"
    assert {fault.kind for fault in plan} == set(BY_NAME)
    assert {fault.target for fault in plan} == {0, 1, 2}
    assert not [fault for fault in draw(7, 1200, nodes=1, every=3.5, bus=False) if fault.kind.startswith("bus")]
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


KILLS = [Fault(2.0, "node killed", 0, 0.1), Fault(3.0, "database killed", 0, 0.1), Fault(4.0, "node killed", 0, 0.1)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plant", "kinds"),
    [
        ("ack-before-commit", {"lost"}),
        ("broadcast-before-commit", {"told, but not in the log", "told otherwise"}),
    ],
)
def test_a_planted_bug_is_found_on_one_node(plant: str, kinds: set[str]) -> None:
    options = Options(
        nodes=1, bus=False, tables=4, seed=1, seconds=5.0, plant=plant, plan=KILLS, patience=PLANTED_PATIENCE
    )
    outcome = carry_out(options)
    assert kinds & {violation.kind for violation in outcome.violations}, outcome.seen


def test_every_kind_of_fault_can_be_carried_out() -> None:
    from proofs.chaos.faults import _WAYS

    assert set(_WAYS) == {kind.name for kind in KINDS}
