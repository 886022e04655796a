"""Real nodes, as processes on one PostgreSQL and one Redis, and players who speak to them as a browser does."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
from harness.processes import UNLIMITED, AsyncServerProcess, serve
from tests.patience import until


class NodeProcess(AsyncServerProcess):
    """One node as a process of its own."""

    def __init__(self, data: Path, database: str, bus: str, *options: str) -> None:
        super().__init__(serve(data, "--database", database, "--bus", bus, *(options or UNLIMITED)))


class Player:
    """Somebody at a table over a WebSocket, who plays whenever it is their turn: checks, calls, or moves at random."""

    def __init__(self, session: aiohttp.ClientSession, token: str, identity: str) -> None:
        self.session = session
        self.id = identity
        self.headers = {"Authorization": f"Bearer {token}"}
        self.view: dict[str, Any] = {}
        self.numbers: list[int] = []
        self.events: list[dict[str, Any]] = []
        self.answers: dict[str, dict[str, Any]] = {}
        self.connections = 0
        self.closed_with: list[int | None] = []
        self.plays = True
        self._sent = 0
        self._waiting: dict[str, dict[str, Any]] = {}
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._task: asyncio.Task[None] | None = None
        self._urls: list[str] = []
        self._code = ""
        self._played = -1
        """The turn that was last acted in: the answer may come before the view without it."""

    @classmethod
    async def register(cls, session: aiohttp.ClientSession, url: str, name: str) -> Player:
        async with session.post(f"{url}/api/v1/identities", json={"name": name}) as answer:
            body = await answer.json()
            assert answer.status == 201, body
        return cls(session, body["token"], body["id"])

    async def ask(self, method: str, url: str, **options: Any) -> Any:
        """An answer of the API, which must be a good one."""
        async with self.session.request(method, url, headers=self.headers, **options) as answer:
            body = await answer.json()
            assert answer.status < 300, body
            return body

    async def join(self, code: str, urls: list[str]) -> None:
        """Follow the table at the first of these nodes; at the next one where the connection is lost. The list may
        change meanwhile."""
        self._code = code
        self._urls = urls
        self._task = asyncio.get_running_loop().create_task(self._live())
        await until(lambda: bool(self.view))

    async def leave(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    @property
    def seq(self) -> int:
        return self.numbers[-1] if self.numbers else 0

    @property
    def is_asked(self) -> bool:
        """Whether the table waits for this player, and nothing of theirs is on its way."""
        return bool(self.view.get("legal")) and not self._waiting and self.view["turn"] != self._played

    @property
    def is_quiet(self) -> bool:
        return not self._waiting

    async def do(self, kind: str, **fields: Any) -> int:
        """Send a command until it is answered; the number of its last event."""
        key = self.send(kind, **fields)
        await until(lambda: key in self.answers)
        answer = self.answers[key]
        assert answer["type"] == "ack", answer
        return int(answer["seq"])

    def send(self, kind: str, **fields: Any) -> str:
        self._sent += 1
        key = f"{self.id}-{self._sent}"
        self._waiting[key] = {"type": kind, "id": key, **fields}
        self._push(key)
        return key

    def _push(self, key: str) -> None:
        if self._socket is not None and not self._socket.closed:
            asyncio.ensure_future(self._send(self._socket, self._waiting[key]))  # noqa: RUF006 - it ends by itself

    async def _send(self, socket: aiohttp.ClientWebSocketResponse, frame: dict[str, Any]) -> None:
        with suppress(ConnectionError, RuntimeError):
            await socket.send_json(frame)

    async def _live(self) -> None:
        while not self.session.closed:
            for url in list(self._urls):
                with suppress(aiohttp.ClientError, OSError, RuntimeError):  # the last where the session is closed
                    await self._follow(f"{url}/api/v1/tables/{self._code}/socket")
            await asyncio.sleep(0.05)

    async def _follow(self, url: str) -> None:
        query = {"view": "1", **({"since": str(self.seq)} if self.numbers else {})}
        async with self.session.ws_connect(url, params=query, headers=self.headers, autoping=True) as socket:
            self._socket = socket
            self.connections += 1
            async for message in socket:
                self._heard(json.loads(message.data))
            self.closed_with.append(socket.close_code)

    def _heard(self, frame: dict[str, Any]) -> None:
        kind = frame["type"]
        if kind == "welcome":
            self.view = frame["view"]
            if not frame["resumed"] and not self.numbers:
                self.numbers.append(frame["seq"])
            for key in self._waiting:
                self._push(key)
        elif kind == "events":
            self.view |= frame["patch"]
        elif kind in ("ack", "error"):
            retry = kind == "error" and frame["problem"]["status"] == 503
            if retry:
                asyncio.get_running_loop().call_later(0.2, self._push_again, frame["id"])
            else:
                self.answers[frame["id"]] = frame
                self._waiting.pop(frame["id"], None)
        for event in frame.get("events", ()):
            self.events.append(event)
            self.numbers.append(event["seq"])
        if self.plays:
            self.go_on()

    def go_on(self) -> None:
        """Play from now on."""
        self.plays = True
        if self.is_asked:
            self._play()

    def _push_again(self, key: str) -> None:
        if key in self._waiting:
            self._push(key)

    def _play(self) -> None:
        legal, turn = self.view["legal"], self.view["turn"]
        self._played = turn
        if "moves" in legal:
            action = {"type": "move", "uci": legal["moves"][turn % len(legal["moves"])]}
        else:
            action = {"type": "check" if "check" in legal["actions"] else "call"}
        self.send("action", action=action, turn=turn)

    def check_gapless(self) -> None:
        """Every event came once, in order."""
        assert self.numbers == list(range(self.numbers[0], self.numbers[-1] + 1))
