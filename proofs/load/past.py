"""A table with a long past: played in this process first, then served and played at over sockets."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.server.load.build import built
from benchmarks.server.load.handshake import Link
from benchmarks.server.load.seating import SETTINGS, post
from benchmarks.server.processes import parlour

from parlour.games.registry import Registry
from parlour.storage.seal import find_key
from parlour.storage.sqlite import SqliteStore
from parlour.tables import Parlour, SystemClock, SystemEntropy
from proofs.load.houses import House
from proofs.load.steps import Step, measured


class LongTable:
    """A hold'em table for two on SQLite, whose log grows from one measurement to the next."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._code = ""
        self._tokens: list[str] = []

    def grow(self, events: int) -> None:
        """Play on until the log has so many events."""
        asyncio.run(self._grow(events))

    async def _grow(self, events: int) -> None:
        seal = find_key(self._folder / "parlour.key")
        house = Parlour(SqliteStore(self._folder / "parlour.db"), SystemClock(), SystemEntropy(), seal, Registry())
        await house.start()
        if not self._code:
            await self._open(house)
        table = await house.open(self._code)
        people = [await house.authenticate(token) for token in self._tokens]
        while table.seq < events:
            rules, play = table.state.rules, table.state.play
            actors = rules.actors(play)
            if not actors:
                await house.tick()
                continue
            legal: dict[str, Any] = rules.legal(play, actors[0]) or {}
            kind = "check" if "check" in legal["actions"] else "call"
            identity = people[actors[0]]
            assert identity is not None
            await table.act(identity, {"type": kind}, None)
        await house.stop()

    async def _open(self, house: Parlour) -> None:
        made = [await house.create_identity(name) for name in ("Ann", "Ben")]
        self._tokens = [token for _, token in made]
        info = await house.create_table(made[0][0], "holdem", SETTINGS)
        self._code = info.code
        table = await house.open(info.code)
        for seat, (identity, _) in enumerate(made):
            await table.sit(identity, seat, {})
        await table.start(made[0][0])

    def play(self, seconds: float) -> Step:
        """Play at it as fast as that goes."""
        with parlour(self._folder) as server:
            api = f"{server.url}/api/v1/tables/{self._code}"
            headers = [{"Authorization": f"Bearer {token}"} for token in self._tokens]
            with ExitStack() as stack:
                links = [Link(f"{api}/socket?view=1", each) for each in headers]
                for link in links:
                    stack.callback(link.socket.close)
                    link.until(b'{"type":"welcome"')
                self._begin(api, headers)
                sockets = tuple(link.socket.fileno() for link in links)
                command = [str(built()), "parlour", str(seconds), "0", *map(str, sockets)]
                return measured(House([server]), 1, command, sockets)

    def _begin(self, api: str, headers: list[dict[str, str]]) -> None:
        """Whoever's turn it is acts once: the load goes on when it is told of that."""
        for each in headers:
            with urllib.request.urlopen(urllib.request.Request(api, headers=each), timeout=60) as answer:
                legal = json.load(answer)["legal"]
            if legal:
                kind = "check" if "check" in legal["actions"] else "call"
                post(f"{api}/actions", {"action": {"type": kind}}, each)
                return
        raise RuntimeError("it is nobody's turn")
