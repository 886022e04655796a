"""A bot whose seat ends in the middle of a hand: it says what it won when its chips have left the table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.patience import time_limit

from parlour.bots.sdk.playing import Playing, Wishes
from parlour.bots.sdk.program import Program
from parlour.client import ApiError, Update

BOUGHT, LEFT = 200, 193


def view(hand: int, *, holds: bool = True, plays: bool = True, turn: bool = False, kicked: bool = False) -> Any:
    """What the bot in seat 0 of three sees: `holds` its seat or not, and whether its chips are still in play."""
    seats = [{"player": {"id": name} if number or holds else None} for number, name in enumerate(("bot", "ada", "bo"))]
    rows = [{"seat": seat, "stack": LEFT, "contributed": 0, "status": "active"} for seat in range(3) if seat or plays]
    place = {"seats": [0] if holds else [], "waiting": None, "request": None, "options": []}
    return {
        "code": "ABCD",
        "game": "holdem",
        "status": "playing",
        "turn": hand,
        "settings": {},
        "seats": seats,
        "state": {"hand": hand, "players": rows, "result": None},
        "you": {"id": "bot", "host": False, "kicked": kicked, "kick_reason": ""} | place,
        "legal": {"fold": True, "check": False, "call": 2, "raise": None} if turn else None,
        "private": None,
        "deadline": None,
    }


class Table:
    """A table that shows these views, and whose ledger knows what the bot took when its row is gone."""

    code = "ABCD"

    def __init__(self, *views: Any) -> None:
        self._views = views
        self.shown: list[Any] = []
        self.commands: list[str] = []

    def table(self, code: str) -> Table:
        return self

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[Table]:
        yield self

    async def __aiter__(self) -> AsyncIterator[Update]:
        for shown in self._views:
            self.shown.append(shown)
            yield Update([], shown, fresh=True)

    async def command(self, kind: str, key: str, **fields: Any) -> int:
        self.commands.append(kind)
        return 1

    async def act(self, action: Any, turn: Any = None, key: str | None = None) -> int:
        return 1

    async def view(self) -> Any:
        return self.shown[-1]

    async def ledger(self) -> list[dict[str, Any]]:
        if not self.commands:
            return []
        gone = all(row["seat"] for row in self.shown[-1]["state"]["players"])
        return [{"player": "bot", "brought": BOUGHT, "taken": LEFT if gone else 0}]


class Refusing(Table):
    """A table that gives nobody a seat whose last hand is still being played there."""

    async def command(self, kind: str, key: str, **fields: Any) -> int:
        await super().command(kind, key, **fields)
        if kind == "sit" and self.shown[-1]["state"]["hand"] == 1:
            raise ApiError(409, "leaving", "your last hand is still being played")
        return 1


async def test_a_bot_started_again_sits_down_when_the_hand_is_over_that_it_left(tmp_path: Path) -> None:
    (tmp_path / "folder.py").write_text("def act(view): return view.fold()")
    program = Program(str(tmp_path / "folder.py"), quiet=True)
    left, over = view(1, holds=False), view(2, holds=False, plays=False)
    table = Refusing(left, left, over, view(3), view(3, holds=False, plays=False))
    said: list[str] = []
    playing = Playing(table, "ABCD", program, Wishes(), said.append)  # type: ignore[arg-type]
    try:
        async with time_limit():
            assert await playing.play() == "the bot has no seat any more"
    finally:
        program.stop()
    assert table.commands == ["sit", "sit", "sit"]
    assert said == ["your last hand is still being played", "the bot sits in seat 0 at ABCD"], "told once"


PLAYED = [view(1, turn=True), view(2)]


@pytest.mark.parametrize(
    ("views", "why"),
    [
        ([*PLAYED, view(2, holds=False), view(2, holds=False)], "played what it should"),
        ([view(1), view(1, holds=False), view(1, holds=False)], "the bot has no seat any more"),
        ([view(1), view(1, holds=False, kicked=True)], "the host has sent the bot away"),
    ],
)
async def test_the_chips_of_a_hand_that_is_still_played_are_waited_for(
    views: list[Any], why: str, tmp_path: Path
) -> None:
    (tmp_path / "folder.py").write_text("def act(view): return view.fold()")
    program = Program(str(tmp_path / "folder.py"), quiet=True)
    kicked = views[-1]["you"]["kicked"]
    over = view(2, holds=False, plays=False, kicked=kicked)
    table = Table(view(0, holds=False, plays=False), *views, over, view(3, holds=False, plays=False, kicked=kicked))
    playing = Playing(table, "ABCD", program, Wishes(rounds=1), lambda line: None)  # type: ignore[arg-type]
    try:
        async with time_limit():
            assert await playing.play() == why
            assert table.shown[-1] is over, "it stays until its chips have left the table, and no longer"
            assert await playing.outcome() == {"chips": LEFT - BOUGHT}
    finally:
        program.stop()
    assert table.commands == ["sit"] + ["leave"] * why.startswith("played")
