"""Which faults bring each planted bug to light, and what the checker then calls it."""

from __future__ import annotations

from typing import NamedTuple

from proofs.chaos.losing import RESTORED
from proofs.chaos.plan import Fault


class Planted(NamedTuple):
    plan: tuple[Fault, ...]
    kinds: frozenset[str]
    """At least one of these is found. That no other rule finds the bug is shown by tests with histories made up."""
    nodes: int = 1
    endings: tuple[str, ...] = ()


def _only(kind: str, *plan: Fault) -> Planted:
    """A bug that one rule alone can find for certain; others may see what follows from it."""
    return Planted(plan, frozenset({kind}))


CUT = Fault(1.0, "clients cut", 0, 0)
KILLS = (Fault(2.0, "node killed", 0, 0.1), Fault(3.0, "database killed", 0, 0.1), Fault(4.0, "node killed", 0, 0.1))
FREEZES = tuple(Fault(1.0 + at, "node frozen longer than its lease", 0, 4.0) for at in range(3))
CUTS = tuple(Fault(1.0 + node, "clients cut", node, 0) for node in range(3))

PLANTED = {
    "ack-before-commit": Planted(KILLS, frozenset({"lost"})),
    "broadcast-before-commit": Planted(KILLS, frozenset({"told, but not in the log", "told otherwise"})),
    # Who is refused for another may come before who acts for another, and end the play at a table.
    "act-for-another": Planted((CUT,), frozenset({"actor", "refused"})),
    "pot-to-the-wrong-seat": _only("rules", CUT),
    "view-of-before": _only("view", CUT),
    "records-twice": _only("records", CUT),
    "deck-in-the-view": _only("hidden", CUT),
    "turn-forgotten": _only("refused", CUT),
    "unknown-error": Planted((Fault(1.0, "database killed", 0, 0.5),), frozenset({"refused"})),
    "credit-nothing": _only("clock", Fault(1.0, "node frozen longer than its lease", 0, 4.0)),
    "prize-too-small": _only("tournament", CUT),
    "write-past-a-hole": Planted((CUT,), frozenset({"lost tail"}), endings=(RESTORED,)),
    "no-fence": Planted(FREEZES, frozenset({"numbers"}), nodes=3),
    "two-owners": Planted(CUTS, frozenset({"stands still", "not told", "told otherwise"}), nodes=3),
    "courier-on-each-node": Planted(CUTS, frozenset({"gateau"}), nodes=3),
}
