"""What is changed: the modules that move chips, decide turns, append, fold, take over, admit and hide."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path("src/parlour")

# An area: its modules, and where the tests of the second tier for it stand.
AREAS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "hold'em": (
        ("games/poker/holdem/*.py", "games/poker/pots.py"),
        ("tests/games/holdem", "tests/core", "tests/rules"),
    ),
    "chess": (
        tuple(f"games/chess/{name}.py" for name in ("offers", "clock", "decisions", "endings", "dead", "fold", "game")),
        ("tests/games/chess",),
    ),
    "rooms": (("tables/room/*.py",), ("tests/tables",)),
    "live tables": (("tables/live/*.py", "tables/outages.py"), ("tests/tables", "tests/faults")),
    "records": (("tables/records/*.py",), ("tests/tables", "tests/storage")),
    "storage": (("storage/*.py",), ("tests/storage", "tests/faults", "tests/nodes")),
    "nodes": (
        tuple(f"nodes/{name}.py" for name in ("ownership", "clock", "handover", "leading", "limits", "bus")),
        ("tests/nodes",),
    ),
    "access": (("server/access/*.py",), ("tests/server",)),
    "tournaments": (
        ("tournaments/decisions.py", "tournaments/plan.py", "tournaments/fold.py", "tournaments/poker/*.py"),
        ("tests/tournaments",),
    ),
}
# What writes hands down for other programs moves no chips.
LEFT_OUT = {"ohh.py", "phh_import.py", "pokerstars.py", "history_actions.py", "naming.py", "page.py", "__init__.py"}
RECORDED = ("rules", "games", "tables", "tournaments", "storage", "nodes", "faults", "server")
"""The folders of tests that are recorded, the quickest first."""


def modules() -> dict[str, list[Path]]:
    """The files of each area."""
    found = {
        area: sorted({file for pattern in patterns for file in PACKAGE.glob(pattern) if file.name not in LEFT_OUT})
        for area, (patterns, _) in AREAS.items()
    }
    assert all(found.values())
    return found
