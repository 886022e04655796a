"""The games of the competition, and which of them is played at a port."""

from __future__ import annotations

import re
from typing import NamedTuple


class GameDefinition(NamedTuple):
    """What both sides know beforehand. Chips are set anew for each hand."""

    players: int
    limit: str
    blinds: tuple[int, int]
    stack: int
    cap: int = 4
    """Bets and raises in a round of fixed limit, the big blind counted."""

    @property
    def fixed(self) -> bool:
        return self.limit == "fixed-limit"


GAMES = {
    f"{players}p-{word}": GameDefinition(players, limit, blinds, stack)
    for players in (2, 3, 6)
    for word, limit, blinds, stack in (
        ("limit", "fixed-limit", (5, 10), 100_000),
        ("nolimit", "no-limit", (50, 100), 20_000),
    )
}
MOST_HANDS = 10_000_000


class PortOffer(NamedTuple):
    """What a port offers: `PORT[:GAME[:HANDS]]`."""

    port: int
    game: str
    hands: int


def read_offer(text: str) -> PortOffer:
    """`9000`, `9000:6p-limit` or `9000:2p-nolimit:3000`. ValueError where it is none of these."""
    found = re.fullmatch(r"(\d{1,5})(?::([\w-]+)(?::(\d{1,8}))?)?", text)
    if found is None:
        raise ValueError(f"{text!r}: a port, and perhaps a game and a number of hands, as in 9000:2p-nolimit:3000")
    port, game, hands = int(found[1]), found[2] or "2p-nolimit", int(found[3] or 3000)
    if port > 65_535:
        raise ValueError(f"there is no port {port}")
    if game not in GAMES:
        raise ValueError(f"there is no game {game!r}; there are {', '.join(GAMES)}")
    if not 1 <= hands <= MOST_HANDS:
        raise ValueError(f"a match has from 1 to {MOST_HANDS} hands")
    return PortOffer(port, game, hands)
