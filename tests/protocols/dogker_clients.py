"""The official Socket.IO client in Node, as the tests see it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
from tests import node_packages
from tests.node_packages import NODE
from tests.patience import time_limit

HERE = Path(__file__).parent / "dogker_client"
ORIGINAL = "socket.io-client-2.3"
"""What the original front end carries: Engine.IO 3."""
VERSIONS = (ORIGINAL, "socket.io-client-2.5", "socket.io-client-3", "socket.io-client")


def installed() -> Path:
    """The folder with the client and its locked dependencies."""
    return node_packages.installed(HERE)


class Clients:
    """All sockets of one Node process, by name, and the newest room that each was sent."""

    @classmethod
    async def start(
        cls, home: Path, url: str, prefix: str = "", version: str = ORIGINAL, transports: str = "polling,websocket"
    ) -> Clients:
        """Start Node for the dialect at this address; `prefix` where it is not at the root."""
        process = await asyncio.create_subprocess_exec(
            *(NODE, "client.mjs", url, f"{prefix}/socket.io/", version, transports),
            cwd=home,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=2**20,
        )
        return cls(process, url + prefix)

    def __init__(self, process: asyncio.subprocess.Process, url: str) -> None:
        self._process = process
        self.url = url
        self.users: dict[str, dict[str, Any]] = {}
        self.rooms: dict[str, dict[str, Any]] = {}
        self.heard: list[dict[str, Any]] = []
        self._news = asyncio.Condition()
        self._listening = asyncio.get_running_loop().create_task(self._listen())

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            told = json.loads(line)
            async with self._news:
                self.heard.append(told)
                if told["event"].endswith("Room"):
                    self.rooms[told["name"]] = told["payload"]
                self._news.notify_all()

    async def until(self, done: Callable[[], bool]) -> None:
        async with time_limit(), self._news:
            await self._news.wait_for(done)

    async def until_err(self, name: str, after: int) -> str:
        return str(await self.until_heard(name, "err", after))

    def send(self, name: str, event: str, **payload: Any) -> None:
        """Let a socket emit an event."""
        self.order(name, "emit", [event, payload])

    def order(self, name: str, command: str, payload: object = None) -> None:
        """Tell Node what to do with a socket."""
        assert self._process.stdin is not None
        line = {"name": name, "command": command, "payload": payload}
        self._process.stdin.write(json.dumps(line).encode() + b"\n")

    async def until_heard(self, name: str, event: str, after: int = 0) -> Any:
        """Wait for an event at this socket; its payload."""

        def found() -> list[dict[str, Any]]:
            return [h for h in self.heard[after:] if h["name"] == name and h["event"] == event]

        await self.until(lambda: bool(found()))
        return found()[0].get("payload")

    async def user(self, name: str, again: bool = False) -> dict[str, Any]:
        """Open the app: a new user, or the one that the page has stored."""
        asking = {"json": {"userId": self.id(name) if again else None}}
        async with aiohttp.ClientSession() as session, session.post(self.url + "/users", **asking) as answer:
            body = await answer.json()
        assert body["success"]
        self.users[name] = body["payload"]
        return self.users[name]

    async def enter(self, name: str, code: str, username: str | None = None) -> None:
        """Open the page of a room: connect and join at once, as the original front end does."""
        after = len(self.heard)
        self.order(name, "connect")
        self.send(name, "createOrJoinRoom", **self.joining(name, code, name if username is None else username))
        await self.until_heard(name, "joinedRoom", after)

    def joining(self, name: str, code: str, username: str) -> dict[str, Any]:
        return {"userId": self.id(name), "gameCode": code, "username": username, "avatarId": len(self.users)}

    def id(self, name: str) -> str:
        return str(self.users[name]["_id"])

    def me(self, name: str) -> dict[str, Any]:
        """The player's own entry in the newest room."""
        return next(p for p in self.rooms[name]["players"] if p["_id"] == self.id(name))

    def on_turn(self) -> str | None:
        return next(
            (
                name
                for name in self.rooms
                if any(p["turn"] and p["_id"] == self.id(name) for p in self.rooms[name]["players"])
            ),
            None,
        )

    def winners(self, name: str) -> list[str]:
        """Who has won the hand that this socket sees, by their public names."""
        return [p["name"] for p in self.rooms[name]["players"] if p["winner"]]

    def sees(self, name: str, state: Callable[[dict[str, Any]], bool]) -> Callable[[], bool]:
        """Whether the newest room of this socket is so."""
        return lambda: name in self.rooms and state(self.rooms[name])

    async def turn(self) -> str:
        await self.until(lambda: self.on_turn() is not None)
        name = self.on_turn()
        assert name is not None
        return name

    def default(self, name: str) -> int:
        """What the original front end sends where no amount was typed, whatever the stack is."""
        return int(self.rooms[name]["actualMaxBet"] - self.me(name)["betAmount"])

    async def bet(self, name: str, amount: int | None, code: str) -> None:
        """Press 'Apostar' with an amount, or without one."""
        added = self.default(name) if amount is None else amount
        await self._move(name, "bet", userId=self.id(name), amount=added, gameCode=code)

    async def fold(self, name: str, code: str) -> None:
        await self._move(name, "fold", userId=self.id(name), gameCode=code)

    async def _move(self, name: str, command: str, **payload: Any) -> None:
        """Send a move, and wait until it has changed the mover's room and everybody has been sent the same.

        How many updates come says nothing: one that is late may be of the move before, and a busy socket is sent the
        newest room alone. A move that is refused changes nothing: who waited for it would wait in vain.
        """
        before, heard = self._standing(name), len(self.heard)

        def refusals() -> list[dict[str, Any]]:
            return [h for h in self.heard[heard:] if h["name"] == name and h["event"] == "err"]

        self.send(name, command, **payload)
        try:
            await self.until(lambda: bool(refusals()) or (self._standing(name) != before and self._agreed()))
        except TimeoutError:
            raise AssertionError(f"{command} of {name} {payload}, then heard: {self.heard[heard:]}") from None
        assert not refusals(), f"{command} of {name} {payload} was refused: {refusals()}"

    def _standing(self, name: str) -> tuple[object, ...]:
        """What every move of the player changes."""
        me = self.me(name)
        return me["turn"], me["chips"], me["betAmount"], me["cards"], self.rooms[name]["round"]

    def _agreed(self) -> bool:
        """Whether all sockets were last sent the same state of the game."""
        states = [
            (room["round"], room["totalBetAmount"], room["hand"], [p["site"] for p in room["players"] if p["turn"]])
            for room in self.rooms.values()
        ]
        return all(state == states[0] for state in states)

    async def close(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._listening
