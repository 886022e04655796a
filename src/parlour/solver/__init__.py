"""Heads-up hold'em solved from a flop, a turn or a river: strategies that are computed, with their error.

`Subgame` is a spot with two ranges; `solve` plays it against itself until neither player could gain much by playing
otherwise, and `at` tells what is played and what it is worth. `Solver` does the work for any small game of two.
"""

from __future__ import annotations

from parlour.lazy import names_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from parlour.solver.betting import ALL_IN as ALL_IN
    from parlour.solver.betting import BetSizes as BetSizes
    from parlour.solver.blueprint import Blueprint as Blueprint
    from parlour.solver.solving import Solution as Solution
    from parlour.solver.solving import Solver as Solver
    from parlour.solver.subgame import Decision as Decision
    from parlour.solver.subgame import Subgame as Subgame

_HOMES = {
    "betting": ("ALL_IN", "BetSizes"),
    "blueprint": ("Blueprint",),
    "solving": ("Solution", "Solver"),
    "subgame": ("Decision", "Subgame"),
}
__getattr__, __dir__, __all__ = names_of(__name__, globals(), _HOMES)
