"""The games that browsers keep: one chess table for each `browser_id`, both seats in one hand."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from hashlib import sha256
from typing import Any

import msgspec

from parlour.protocols.chessmate.render import AnswerParts, PlayedMove, Replay
from parlour.tables.errors import NotFound
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity

SHELF = "chessmate"
COUNTER = "chessmate-count"
SETTINGS = {"untimed": True, "same_screen": True, "side": "white", "private": True, "name": "Chess Mate"}
BROWSER_ID_LIMIT = 128
REPLAYS = 64
"""Games that are kept as they were played through last: a long one takes some milliseconds."""


class BrowserRecord(msgspec.Struct):
    """What is kept for a browser. Its id is a key to the game, so only a hash of it names this document."""

    player: str
    table: str
    number: int
    created: int


class BrowserGame:
    """A browser's game, open."""

    def __init__(self, kept: BrowserRecord, table: Table, identity: Identity) -> None:
        self.kept = kept
        self.table = table
        self.identity = identity

    async def record(self) -> AnswerParts:
        """The game so far."""
        moves: list[PlayedMove] = []
        for raw in await self.table.events(self.identity, 0):
            event = msgspec.json.decode(raw)
            if event["type"] == "moved":
                moves.append(PlayedMove(event["uci"], event["at"]))
            elif event["type"] == "taken_back":
                del moves[len(moves) - event["plies"] :]
        state = self.view()["state"]
        return AnswerParts(self.kept.number, self.kept.created, state["start_fen"], moves, state["result"])

    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = msgspec.json.decode(self.table.view(self.identity))
        return view

    async def move(self, uci: str) -> None:
        """Play a move for the side to move; `Refused` where the rules refuse it."""
        await self.table.act(self.identity, {"type": "move", "uci": uci}, self.view()["turn"])


class BrowserGames:
    """Finds and makes the games of browsers."""

    def __init__(self, parlour: Parlour) -> None:
        self._parlour = parlour
        self._numbering = asyncio.Lock()
        self._replays: OrderedDict[int, Replay] = OrderedDict()
        """By the numbers of their games, the one that was asked for last at the end."""

    async def new(self, browser_id: str | None) -> tuple[str, BrowserGame]:
        """A new game for this browser, or for a new one. The one that it had is closed."""
        browser_id = browser_id or secrets.token_hex(20)
        try:
            before = await self.find(browser_id)
        except NotFound:
            identity, _ = await self._parlour.create_identity("Chess Mate")
        else:
            identity = before.identity
            if not before.table.state.room.closed:
                await before.table.host(identity, "close", {})
        info = await self._parlour.create_table(identity, "chess", SETTINGS)
        table = await self._parlour.open(info.code, here=True)
        for seat in (0, 1):
            await table.sit(identity, seat, {})
        await table.start(identity)
        kept = BrowserRecord(identity.id, info.code, await self._next_number(), info.created)
        await self._parlour.store.keep(SHELF, _key(browser_id), msgspec.json.encode(kept))
        return browser_id, BrowserGame(kept, table, identity)

    async def find(self, browser_id: str) -> BrowserGame:
        """The game of this browser; `NotFound` where it has none."""
        raw = await self._parlour.store.find(SHELF, _key(browser_id)) if len(browser_id) <= BROWSER_ID_LIMIT else None
        if raw is None:
            raise NotFound("no_such_game", "this browser has no game")
        kept = msgspec.json.decode(raw, type=BrowserRecord)
        identity = await self._parlour.store.identity(kept.player)
        if identity is None:
            raise NotFound("no_such_player", "there is no such player")
        return BrowserGame(kept, await self._parlour.open(kept.table, here=True), identity)

    async def replay(self, game: BrowserGame) -> Replay:
        """The game as it stands, to be used at once: it is played on when somebody asks again."""
        record = await game.record()
        replay = self._replays.pop(record.number, None)
        if replay is None or not replay.follow(record):
            replay = Replay(record)
        self._replays[record.number] = replay
        if len(self._replays) > REPLAYS:
            self._replays.popitem(last=False)
        return replay

    async def _next_number(self) -> int:
        async with self._numbering:
            number = int(await self._parlour.store.find(COUNTER, "games") or 0) + 1
            await self._parlour.store.keep(COUNTER, "games", str(number).encode())
            return number


def _key(browser_id: str) -> str:
    return sha256(browser_id.encode()).hexdigest()
