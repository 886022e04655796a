"""Who plays on the ladder: the ways in which the house plays, and bots that somebody registered."""

from __future__ import annotations

import msgspec

from parlour.tables.ports import Store

HOUSE, BOT = "house:", "bot:"
"""What the id of an entrant begins with; a style of the house, or the public id of a bot, follows."""
SHELF = "ladder-entrants"
NOT_RATED = frozenset({"engine"})
"""Styles whose strength is whatever the operator has installed."""


class Entrant(msgspec.Struct, frozen=True):
    """Somebody who has a rating, or is about to have one, in one game."""

    id: str
    game: str
    name: str = ""
    """Of a bot; those of the house are known by their style."""

    @property
    def style(self) -> str | None:
        """How the house plays; None of a registered bot."""
        return self.id.removeprefix(HOUSE) if self.id.startswith(HOUSE) else None

    @property
    def identity(self) -> str | None:
        """The public id of a registered bot."""
        return self.id.removeprefix(BOT) if self.id.startswith(BOT) else None


def of_the_house(game: str, styles: list[str]) -> list[Entrant]:
    """The ways in which the house plays a game."""
    return [Entrant(HOUSE + style, game) for style in styles if style not in NOT_RATED]


async def enlist(store: Store, entrants: list[Entrant]) -> None:
    """Keep these for good: whoever has played stays on the ladder."""
    known = {(entrant.game, entrant.id): entrant for entrant in await enlisted(store)}
    for entrant in entrants:
        if known.get((entrant.game, entrant.id)) != entrant:
            await store.keep(SHELF, f"{entrant.game} {entrant.id}", msgspec.json.encode(entrant))


async def enlisted(store: Store) -> list[Entrant]:
    """All who were ever enlisted."""
    return [msgspec.json.decode(body, type=Entrant) for _, body in await store.documents(SHELF)]
