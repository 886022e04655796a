"""Clients of older systems in the middle of it: two Gateau bots with their callbacks, and a Chess Mate browser."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

import aiohttp
from aiohttp import web

from proofs.chaos.hall import ANSWER_SECONDS, Hall
from proofs.chaos.history import ChessMateRecord, GateauRecord, Push

UNREACHABLE = (aiohttp.ClientError, OSError, TimeoutError)
STACK = 10**6
"""Chips for each, at blinds of 1 and 2: the game lasts for the run."""
SETTLED = 3.0
"""Seconds without a push after which nothing more is to come."""
LONGEST_GAME = 150
"""Moves after which a browser begins a new game: the dialect sends the whole game with each."""


class Unanswered(Exception):
    """Nobody knows whether it was done."""


async def ask(hall: Hall, method: str, path: str, body: object = None, headers: dict[str, str] | None = None) -> Any:
    """Ask any node once."""
    try:
        async with (
            asyncio.timeout(ANSWER_SECONDS),
            hall.session.request(method, hall.node() + path, json=body, headers=headers) as answer,
        ):
            found = await answer.json(content_type=None)
            if answer.status >= 400:
                raise Unanswered(str(answer.status))
            return found
    except (*UNREACHABLE, ValueError) as error:
        raise Unanswered(type(error).__name__) from None


class GateauBot:
    """A client that is called back, and calls or checks whenever it is asked."""

    def __init__(self, hall: Hall, name: str, game: str) -> None:
        self.hall = hall
        self.record = GateauRecord(name, game)
        self._secret = ""
        self._asked = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self._url = ""

    async def start(self) -> None:
        app = web.Application()
        app.router.add_post("/player", self._told)
        app.router.add_get("/player", self._hello)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self._url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def register(self) -> None:
        body = {"name": self.record.name, "address": self._url, "game_id": self.record.table}
        answer = await ask(self.hall, "POST", "/gateau/reg", body)
        assert answer == {"status": "ok"}, answer

    async def close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _hello(self, request: web.Request) -> web.Response:
        return web.Response()

    async def _told(self, request: web.Request) -> web.Response:
        info = await request.json()
        match info["info"]:
            case "PlayerPrivateInfo":
                self._secret, self.record.seat = info["secret_id"], info["ingame_id"]
            case "MoveInfo" if info["move_type"] != "Blind":
                push = Push(time.monotonic(), info["hand_number"], info["player_id"], info["move_type"], info["value"])
                self.record.pushes.append(push)
                self.hall.seen["told to Gateau clients"] += 1
            case "ToMoveInfo" if info["player_id"] == self.record.seat:
                self._asked.set()
        return web.Response()

    async def run(self) -> None:
        """Answer each question once; a repeated question may ask for a move that was made."""
        while True:
            await self._asked.wait()
            await self.hall.open.wait()
            self._asked.clear()
            await asyncio.sleep(self.hall.chance.expovariate(1 / self.hall.think))
            body = {"secret_id": self._secret, "action": "Call", "value": 0, "game_id": self.record.table}
            try:
                answer = await ask(self.hall, "POST", "/gateau/game", body)
            except Unanswered:
                self.record.unknown += 1
                self.hall.seen["Gateau moves without an answer"] += 1
                await asyncio.sleep(self.hall.pause())
                self._asked.set()
            else:
                if answer.get("status") == "ok":
                    self.record.acknowledged += 1
                    self.hall.seen["acknowledged to Gateau clients"] += 1


class GateauGame:
    """Two bots at a game of their own."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.name = "chaos"
        self.bots = [GateauBot(hall, name, self.name) for name in ("Ann", "Ben")]

    async def start(self) -> None:
        for option, value in (("starting_stack", STACK), ("action_seconds", 60)):
            await self._configure(option, value)
        for bot in self.bots:
            await bot.start()
            await bot.register()
        await self._configure("start", 0)

    async def _configure(self, option: str, value: int) -> None:
        body = {"config": option, "value": value, "game_id": self.name}
        answer = await ask(self._hall, "POST", "/gateau/config", body)
        assert answer == {"status": "ok"}, answer

    @property
    def idle(self) -> bool:
        """Whether both bots have been told the same last move, some time ago."""
        last = [bot.record.pushes[-1] for bot in self.bots if bot.record.pushes]
        return len({push[1:] for push in last}) <= 1 and all(time.monotonic() - push.time > SETTLED for push in last)

    async def close(self) -> None:
        for bot in self.bots:
            await bot.close()


class ChessMateBrowser:
    """Plays both colours, game after game, each under a `browser_id` of its own."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.games: dict[str, ChessMateRecord] = {}
        """By `browser_id`."""
        self._browser = ""

    async def run(self) -> None:
        while True:
            await self._hall.open.wait()
            await asyncio.sleep(5 * self._hall.think)
            with suppress(Unanswered):
                await self._play()

    async def _play(self) -> None:
        if not self._browser:
            await self._new_game()
        loaded = await self._ask("GET", "/load-game")
        board, record = loaded["board"], self.games[self._browser]
        if board["checkmate"] or board["draw"] or board["winner"] or board["move_number"] > LONGEST_GAME:
            self._browser = ""
            return
        squares = [f"{file}{rank}" for file in "abcdefgh" for rank in "12345678"]
        self._hall.chance.shuffle(squares)
        for origin in squares:
            targets = await self._ask("GET", f"/legal-moves/{origin}")
            if targets:
                await self._move(record, origin, self._hall.chance.choice(targets))
                return

    async def _move(self, record: ChessMateRecord, origin: str, target: str) -> None:
        try:
            await self._ask("GET", f"/make-move/{origin}/{target}")
        except Unanswered:
            record.unknown.append(origin + target)
            self._hall.seen["Chess Mate moves without an answer"] += 1
            raise
        record.acknowledged.append(origin + target)
        self._hall.seen["acknowledged to Chess Mate"] += 1

    async def _new_game(self) -> None:
        browser = f"chaos-{len(self.games)}-{self._hall.chance.getrandbits(32):x}"
        await ask(self._hall, "POST", "/chessmate/new-game", {"browser_id": browser})
        self._browser, self.games[browser] = browser, ChessMateRecord("")

    async def _ask(self, method: str, path: str) -> Any:
        return await ask(self._hall, method, "/chessmate" + path, headers={"browser_id": self._browser})
