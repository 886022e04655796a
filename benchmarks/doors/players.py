"""`python -m benchmarks.doors.players URL TABLES SECONDS`: seated players, and how long their actions take.

Two people at each table play hold'em over sockets, at the pace of a quick table. It tells the code of a table when all
sit, and the milliseconds from each action to its acknowledgement at the end.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack
from typing import Any

import aiohttp

SETTINGS = {
    "seats": 2, "small_blind": 1, "big_blind": 2, "min_buy_in": 1000, "max_buy_in": 10**9, "buy_in": 10**6,
    "action_seconds": 0, "hand_delay": 0,
}  # fmt: skip
LAST_ANSWER_SECONDS = 30.0
THOUGHT = 0.01
"""Seconds between two actions at a table."""


class Player:
    def __init__(self, session: aiohttp.ClientSession, url: str, token: str) -> None:
        self._session = session
        self._url = url
        self.headers = {"Authorization": f"Bearer {token}"}
        self.waits: list[float] = []
        self.refused = 0
        self.acting_since: float | None = None
        """When the action was sent that is not acknowledged yet."""

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        async with self._session.post(f"{self._url}/api/v1{path}", json=body, headers=self.headers) as answer:
            answer.raise_for_status()
            told: dict[str, Any] = await answer.json()
            return told

    async def play(self, code: str, until: float) -> None:
        """Check or call whenever it is one's turn."""
        url = f"{self._url}/api/v1/tables/{code}/socket"
        view: dict[str, Any] = {}
        async with self._session.ws_connect(url, headers=self.headers, max_msg_size=0) as socket:
            async for message in socket:
                told = json.loads(message.data)
                view |= told.get("view") or told.get("patch") or {}
                if time.monotonic() > until:
                    return
                if told["type"] in ("welcome", "events") and view.get("legal"):
                    await asyncio.sleep(THOUGHT)
                    kind = "check" if "check" in view["legal"]["actions"] else "call"
                    await self._act(socket, {"type": kind}, view, until)

    async def _act(
        self, socket: aiohttp.ClientWebSocketResponse, action: dict[str, Any], view: dict[str, Any], until: float
    ) -> None:
        name = str(time.monotonic_ns())
        self.acting_since = time.perf_counter()
        await socket.send_json({"type": "action", "id": name, "turn": view["turn"], "action": action})
        view["legal"] = None
        async for message in socket:
            told = json.loads(message.data)
            view |= told.get("patch") or {}
            if told["type"] in ("ack", "error") and told["id"] == name:
                self.stop_watch()
                self.refused += told["type"] == "error"
                break
        if view.get("legal") and time.monotonic() < until:  # one's turn again: the news came before the answer
            await asyncio.sleep(THOUGHT)
            kind = "check" if "check" in view["legal"]["actions"] else "call"
            await self._act(socket, {"type": kind}, view, until)

    def stop_watch(self) -> None:
        """Note how long the action took; one that is never acknowledged has taken so long at the least."""
        if self.acting_since is not None:
            self.waits.append(1000 * (time.perf_counter() - self.acting_since))
            self.acting_since = None


async def new_player(session: aiohttp.ClientSession, url: str) -> Player:
    async with session.post(f"{url}/api/v1/identities", json={"name": "Player"}) as answer:
        answer.raise_for_status()
        return Player(session, url, (await answer.json())["token"])


async def new_table(session: aiohttp.ClientSession, url: str) -> tuple[str, list[Player]]:
    players = [await new_player(session, url) for _ in range(2)]
    code = (await players[0].post("/tables", {"game": "holdem", "settings": SETTINGS}))["code"]
    for player in players:
        await player.post(f"/tables/{code}/seats", {})
    await players[0].post(f"/tables/{code}/start", {})
    return code, players


async def main(url: str, tables: int, seconds: float) -> None:
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(aiohttp.ClientSession())
        seated = [await new_table(session, url) for _ in range(tables)]
        print(json.dumps({"code": seated[0][0]}), flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)  # until the attack is under way
        until = time.monotonic() + seconds
        playing = [asyncio.ensure_future(player.play(code, until)) for code, players in seated for player in players]
        players = [player for _, players in seated for player in players]
        await asyncio.wait(playing, timeout=seconds)
        last = until + LAST_ANSWER_SECONDS
        while any(player.acting_since for player in players) and time.monotonic() < last:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)
        for task in playing:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
        if faults := [one for one in ended if isinstance(one, Exception)]:
            raise faults[0]
        for player in players:
            player.stop_watch()
        waits = [wait for player in players for wait in player.waits]
        print(json.dumps({"waits": waits, "refused": sum(player.refused for player in players)}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
