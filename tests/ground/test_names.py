"""A public class has a name of its own: whoever meets it knows which one is meant."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src/parlour"

# The classes that share a name, and why. The list is exact, and it may only get shorter.
SHARED = {
    # The OpenAPI document has one of them by this name, the documented library the other one.
    "Action": {"games.contract", "server.transport.frames"},
    "Part": {"games.contract", "tables.records.statistics"},
    "Pot": {"games.poker.holdem.page", "games.poker.pots"},
    "View": {"bots.sdk.view", "server.api.schema"},
    # The API tells both by this name: as schemas of different games, or as titles of actions and settings.
    "Move": {"games.chess.actions", "server.api.schema"},
    "Public": {"games.chess.page", "games.poker.holdem.page"},
    "Result": {"games.chess.state", "games.poker.holdem.page"},
    "Settings": {"games.chess.settings", "games.poker.holdem.settings"},
    "Straddle": {"games.poker.holdem.actions", "games.poker.holdem.page"},
    # Both are in the documented library: what a bot's program is given, and the JSON that a client is sent.
    "ChessView": {"bots.sdk.chess", "client.views"},
    "HoldemView": {"bots.sdk.holdem", "client.views"},
    # One is in the OpenAPI document or in the documented library; the other one is what most of the source works with.
    "Clock": {"games.chess.clock", "tables.ports"},
    "Table": {"client.synchronous", "tables.live.table"},
}


def shared_names(sources: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """The public classes that stand in more than one of these modules: name → modules."""
    homes = defaultdict(set)
    for module, text in sources:
        for part in ast.parse(text).body:
            if isinstance(part, ast.ClassDef) and not part.name.startswith("_"):
                homes[part.name].add(module)
    return {name: modules for name, modules in homes.items() if len(modules) > 1}


def test_a_public_class_name_stands_once() -> None:
    sources = (
        (".".join(path.relative_to(SOURCE).with_suffix("").parts), path.read_text(encoding="utf-8"))
        for path in SOURCE.rglob("*.py")
    )
    found = shared_names(sources)
    assert {name: modules for name, modules in found.items() if modules != SHARED.get(name)} == {}, "a name of its own"
    assert SHARED.keys() - found.keys() == set(), "not shared any more: take it off the list"


def test_a_name_that_stands_twice_is_noticed() -> None:
    two = [("a", "class Deck: ...\nclass _Own: ..."), ("b", "class Deck: ...\nclass _Own: ...\nclass Card: ...")]
    assert shared_names(two) == {"Deck": {"a", "b"}}
