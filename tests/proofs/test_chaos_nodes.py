"""The short form of `make chaos` on three nodes, and that it finds bugs which only several nodes can have."""

from __future__ import annotations

import pytest
from proofs.chaos.__main__ import carry_out, is_found, planted
from proofs.chaos.checker import summary
from proofs.chaos.plan import Fault
from proofs.chaos.planted import PLANTED
from proofs.chaos.run import Options

pytestmark = pytest.mark.slow

FAULTS = [
    Fault(1.0, "bus cut", 0, 0),
    Fault(1.5, "node killed", 0, 0.1),
    Fault(2.0, "clients cut", 1, 0),
    Fault(2.5, "node frozen longer than its lease", 0, 4.0),
    Fault(3.0, "bus killed", 0, 0.2),
    Fault(3.0, "clock skewed", 1, -600),
    Fault(3.5, "node restarted", 0, 0),
    Fault(4.0, "bus held", 1, 1.0),
    Fault(4.5, "database cut", 2, 0),
    Fault(5.0, "bus frozen", 0, 0.5),
]


def test_nothing_is_lost_doubled_or_shown_while_nodes_and_bus_fail() -> None:
    outcome = carry_out(Options(nodes=3, tables=6, seed=1, seconds=6.0, plan=FAULTS))
    assert not outcome.violations, "\n".join(summary(outcome.violations))
    assert len(outcome.history.faults) == len(FAULTS)
    assert outcome.recovered, "the node that was killed owned tables"
    assert outcome.seen["acknowledged by socket"] > 50
    assert outcome.seen["acknowledged to Gateau clients"] > 0
    assert outcome.seen["acknowledged to Chess Mate"] > 0


@pytest.mark.parametrize("plant", [plant for plant, bug in PLANTED.items() if bug.nodes > 1])
def test_a_planted_bug_is_found_on_three_nodes(plant: str) -> None:
    outcome = carry_out(planted(plant))
    assert is_found(plant, outcome), "\n".join(summary(outcome.violations))
