"""What all clients of a run share: the nodes they may go to, whether they may act, and what they have asked for."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter, defaultdict
from typing import Any

import aiohttp
import msgspec

from proofs.chaos.history import Command, Frontier

ANSWER_SECONDS = 3.0
"""How long a client waits for an answer before it asks elsewhere."""
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 0.4
AGAIN = frozenset({429, 500, 502, 503, 504})
"""Answers after which the same request is sent again under the same key."""
NOTHING: dict[str, Any] = {}


class Refusal(Exception):
    """The server's final no."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code


class Hall:
    def __init__(self, urls: list[str], seed: int, think: float) -> None:
        self.urls = urls
        self.chance = random.Random(seed)
        self.think = think
        """Seconds that a player thinks on average."""
        self.open = asyncio.Event()
        """Whether new actions are chosen."""
        self.commands: list[Command] = []
        self.frontiers: dict[str, list[Frontier]] = defaultdict(list)
        self.seen: Counter[str] = Counter()
        self.put_off: Counter[tuple[int, str]] = Counter()
        """Status and code of answers after which the same is asked again."""
        self._acted: dict[str, float] = {}
        """Table → when the last command that was acknowledged there was sent."""
        timeout = aiohttp.ClientTimeout(total=None, connect=ANSWER_SECONDS)
        self.session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0), timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()
        )
        self._keys = 0

    async def close(self) -> None:
        await self.session.close()

    def node(self) -> str:
        """The address of any node."""
        return self.chance.choice(self.urls)

    def pause(self) -> float:
        return self.chance.uniform(SHORTEST_PAUSE, LONGEST_PAUSE)

    def command(self, table: str, actor: str, by: str, asked: dict[str, Any]) -> Command:
        """A new command, which is being sent."""
        self._keys += 1
        command = Command(table, actor, f"k{self._keys}", time.monotonic(), by=by, asked=asked)
        self.commands.append(command)
        return command

    def acknowledged(self, command: Command, seq: int) -> None:
        if command.answered is None:
            command.answered, command.seq, command.asked = time.monotonic(), seq, NOTHING
            self._acted[command.table] = max(command.sent, self._acted.get(command.table, 0.0))
            self.seen["acknowledged by " + command.by] += 1

    def refused(self, command: Command, code: str) -> None:
        if command.answered is None:
            command.answered, command.refused = time.monotonic(), code
            self.seen["refused: " + code] += 1

    def acted_since(self, when: float) -> set[str]:
        """The tables at which a command that was sent after that has been acknowledged."""
        return {table for table, sent in self._acted.items() if sent > when}

    def told(self, table: str, seq: int) -> None:
        known = self.frontiers[table]
        if not known or seq > known[-1].seq:
            known.append(Frontier(time.monotonic(), seq))

    async def ask(self, method: str, path: str, token: str | None, body: object = None, key: str | None = None) -> Any:
        """Ask any node, and another one until there is an answer that is final."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        if key is not None:
            headers["Idempotency-Key"] = key
        while True:
            try:
                async with (
                    asyncio.timeout(ANSWER_SECONDS),
                    self.session.request(method, self.node() + path, json=body, headers=headers) as answer,
                ):
                    raw = await answer.read()
                    if answer.status < 400:
                        return msgspec.json.decode(raw)
                    if answer.status not in AGAIN:
                        raise Refusal(answer.status, code_of(raw))
                    self.seen[f"answered {answer.status}"] += 1
                    self.put_off[answer.status, code_of(raw)] += 1
            except (aiohttp.ClientError, OSError, TimeoutError):
                self.seen["request lost"] += 1
            await asyncio.sleep(self.pause())


def code_of(raw: bytes) -> str:
    try:
        return str(msgspec.json.decode(raw)["code"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return "?"
