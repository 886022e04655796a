"""What is kept of a Gateau game, and how its configuration becomes a table's settings."""

from __future__ import annotations

from typing import Any

import msgspec

from parlour.protocols.callbacks import Callback
from parlour.tables.ports import Store

GAMES = "gateau-games"
CLIENTS = "gateau-players"

LIMITS = {
    "starting_stack": (2, 10**9),
    "max_players": (2, 10),
    "small_blind": (1, 10**9),
    "big_blind": (1, 10**9),
    "ante": (0, 10**9),
    "action_seconds": (1, 3600),
    "level_minutes": (0, 1440),
}
"""What can be configured before the start, and within which limits."""
LEVELS = 20
MAX_CHIPS = 10**12
"""The greatest blind that a table takes."""
LONGEST = (1440, 60)
"""Where the blinds are to stay, they stay for a day and then double every hour, so that every game ends."""


class GateauConfig(msgspec.Struct):
    starting_stack: int = 200
    max_players: int = 10
    small_blind: int = 1
    big_blind: int = 2
    ante: int = 0
    action_seconds: int = 30
    level_minutes: int = 0
    """The blinds double every so many minutes; 0 for blinds that stay."""

    def settings(self, name: str) -> dict[str, Any]:
        """The table's settings: a freeze-out, at which whoever is lost is blinded out."""
        stack = self.starting_stack
        first, then = (self.level_minutes, self.level_minutes) if self.level_minutes else LONGEST
        levels = [
            [then if n else first, *(min(bet << n, MAX_CHIPS) for bet in (self.small_blind, self.big_blind, self.ante))]
            for n in range(LEVELS)
        ]
        return {
            "name": name[:40],
            "seats": self.max_players,
            "small_blind": self.small_blind,
            "big_blind": self.big_blind,
            "ante": self.ante,
            "min_buy_in": stack,
            "max_buy_in": stack,
            "buy_in": stack,
            "rebuy": False,
            "absent": "blind_out",
            "action_seconds": self.action_seconds,
            "time_bank": 0,
            "hand_delay": 0,
            "grace": 0,
            "levels": levels,
        }


class GateauGame(msgspec.Struct):
    """Before the start a game is a list of clients; from then on it is a table. It is kept once somebody registers."""

    id: str
    """The name that clients know it by. It is free for the next game as soon as this one is over."""
    owner: str
    """The network address that created it, which may configure it."""
    config: GateauConfig
    host: str = ""
    """The identity in whose name the table is kept."""
    table: str = ""
    over: bool = False
    """Whether all that is left to do is to tell the clients so."""
    clients: list[str] = []
    key: str = ""
    """What it is kept under: several games have the same name, one after another."""

    @property
    def started(self) -> bool:
        return bool(self.table)


class GateauClient(msgspec.Struct):
    """A registered client."""

    player: str
    game: str
    """The key of its game; of a table of the house that it sat down at, the code."""
    name: str
    callback: Callback
    table: str = ""
    seat: int = -1
    """Where the client sits, once the game has started."""
    secret_hash: str = ""
    ends: bool = True
    """Whether the game ends when one player has all the chips."""
    since: int = 0
    """The table's number when the client sat down, or came back: it is introduced with the next hand after that."""
    told: int = 0
    """The number up to which the client has been told everything; `RETURNED` before it is introduced again."""
    address: str = ""
    """The network address that it registered from."""
    tournament: str = ""
    """The code of the tournament of the house that it plays in: that says at which table it sits."""


RETURNED = -1


class GateauRecords:
    """Games and clients in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def games(self) -> list[GateauGame]:
        found = []
        for key, raw in await self._store.documents(GAMES):
            game = msgspec.json.decode(raw, type=GateauGame)
            game.key = game.key or key
            found.append(game)
        return found

    async def clients(self) -> list[GateauClient]:
        return [msgspec.json.decode(raw, type=GateauClient) for _, raw in await self._store.documents(CLIENTS)]

    async def keep_game(self, game: GateauGame) -> None:
        await self._store.keep(GAMES, game.key, msgspec.json.encode(game))

    async def keep_client(self, client: GateauClient) -> None:
        await self._store.keep(CLIENTS, client.player, msgspec.json.encode(client))

    async def drop_game(self, game: GateauGame) -> None:
        await self._store.drop(GAMES, game.key)

    async def drop_client(self, player: str) -> None:
        await self._store.drop(CLIENTS, player)
