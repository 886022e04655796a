"""People in tournaments, while faults happen: each plays at the table at which the tournament has them sit."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, NamedTuple

from proofs.chaos.hall import Hall, Refusal
from proofs.chaos.history import Record
from proofs.chaos.players import Player
from proofs.tournaments.field import levels

AGAIN_AFTER = 1.0
"""Seconds after which somebody without a seat asks the tournament where to go."""
COMMON: dict[str, Any] = {
    "stack": 500, "buy_in": 11, "hand_delay": 0, "level_by": "hands", "levels": levels(3, ante=True), "breaks": [],
    "late_until": 0, "private": True, "grace": 60, "action_seconds": 30, "time_bank": 0,
}  # fmt: skip


class Plan(NamedTuple):
    """A kind of tournament."""

    format: str
    people: int
    settings: dict[str, Any]


SIT_AND_GO = Plan("sitngo", 3, {"entries_max": 3, "seats": 3})
SEVERAL_TABLES = Plan("mtt", 7, {"entries_max": 7, "seats": 3, "bounty": 4})


class Entrant(Player):
    """Somebody at one table of a tournament; `gone` is set when they are to look elsewhere."""

    def __init__(self, hall: Hall, record: Record, pool: dict[bytes, bytes], token: str) -> None:
        super().__init__(hall, record, pool, token, "holdem")
        self.gone = asyncio.Event()
        self._weights = {"fold": 3, "check": 6, "call": 4, "bet": 1, "raise": 1, "allin": 2}

    def _look(self, changed: dict[str, Any]) -> None:
        seats = ({**self.view, **changed}.get("you") or {}).get("seats")
        if seats:
            self.record.seat = seats[0]
        elif self.record.seat is not None:
            self.gone.set()
        super()._look(changed)


class Tournaments:
    """One tournament after another of each kind."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.records: list[Record] = []
        self.begun: list[str] = []
        self.people: set[str] = set()
        self.tokens: list[str] = []
        self._more = True
        self._pools: dict[str, dict[bytes, bytes]] = {}

    async def run(self) -> None:
        """Play until `finish`, and those that are under way to their end."""
        await asyncio.gather(self._keep_on(SIT_AND_GO), self._keep_on(SEVERAL_TABLES))

    def finish(self) -> None:
        self._more = False

    async def _keep_on(self, plan: Plan) -> None:
        try:
            await self._play(plan)
        except Refusal as refusal:  # nothing here is ever to be refused: the tournament does not come to its end then
            self._hall.seen[f"a tournament went wrong: {refusal}"] += 1

    async def _play(self, plan: Plan) -> None:
        hall, number = self._hall, 0
        people = [
            await hall.ask("POST", "/api/v1/identities", None, {"name": f"Entrant {plan.format} {seat}", "bot": True})
            for seat in range(plan.people)
        ]
        self.people |= {person["id"] for person in people}
        self.tokens += [person["token"] for person in people]
        while self._more:
            number += 1
            host = people[0]["token"]
            body = {
                "game": "holdem", "format": plan.format, "name": f"{plan.format} {number}",
                "settings": COMMON | plan.settings,
            }  # fmt: skip
            made = await hall.ask("POST", "/api/v1/tournaments", host, body, f"make-{plan.format}-{number}")
            path = f"/api/v1/tournaments/{made['code']}"
            self.begun.append(made["code"])
            for person in people:
                await hall.ask("POST", f"{path}/entries", person["token"], key="enter")
            if plan.format == "mtt":
                await hall.ask("POST", f"{path}/start", host, key="start")
            await asyncio.gather(*(self._enter(made["code"], person) for person in people))
            hall.seen[f"tournaments played ({plan.format})"] += 1

    async def _enter(self, code: str, person: dict[str, Any]) -> None:
        """Play one tournament to its end, at one table after another."""
        while True:
            found = await self._hall.ask("GET", f"/api/v1/tournaments/{code}", person["token"])
            if found["status"] == "finished":
                return
            own = [entry for entry in found["entries"] if entry["player"] == person["id"]]
            if own and own[0]["status"] in ("out", "removed", "withdrawn"):
                return
            if found["table"] is not None:
                with suppress(Refusal):  # it has a name, and is not there yet
                    await self._sit(code, found["table"], person)
            await asyncio.sleep(self._hall.pause())

    async def _sit(self, code: str, table: str, person: dict[str, Any]) -> None:
        record = Record(f"{person['name']} at {table}", table, person["id"], None, tournament=code)
        self.records.append(record)
        player = Entrant(self._hall, record, self._pools.setdefault(table, {}), person["token"])
        playing = asyncio.create_task(player.run())
        try:
            while not player.gone.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(player.gone.wait(), AGAIN_AFTER)
                if record.seat is None:
                    return
                if playing.done():
                    await playing
        finally:
            player.stop()
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
