"""The decisions of a bot that has a seat at a server: it is asked, and played for where it gives no good answer."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from parlour.bots.sdk.faults import BotFault
from parlour.bots.sdk.over import LONGEST_HEARING, Over, write
from parlour.bots.sdk.patience import patiently
from parlour.bots.sdk.program import Program
from parlour.bots.sdk.reading import view_of
from parlour.bots.sdk.replies import reply
from parlour.bots.sdk.view import Action, View, shortly
from parlour.client import ApiError, Update

LONGEST_THOUGHT = 30.0
"""Seconds for a decision, unless the clock leaves less or the user says otherwise."""


@dataclass
class Tally:
    """What came of it."""

    rounds: int = 0
    decisions: int = 0
    faults: dict[str, int] = field(default_factory=dict)


class ActingSeat(Protocol):
    """Where the bot acts: a table, or an entry in a tournament at whichever table it is."""

    async def act(
        self, action: dict[str, Any], turn: Update | int | None = None, key: str | None = None
    ) -> int | None: ...


class Deciding:
    """One bot, at any number of tables one after another."""

    def __init__(self, program: Program, seconds: float, report: Callable[[str], None], *, rebuy: bool = True) -> None:
        self._program = program
        self._seconds = seconds
        self._report = report
        self._rebuy = rebuy
        self._rounds: set[tuple[str, int]] = set()
        """The rounds in which the bot had a decision: the code of the table and the number."""
        self._refused: Action | None = None
        """The last answer to a question of the table, if it was refused: it is not given again and again."""
        self.tally = Tally()

    def has_played(self, raw: dict[str, Any]) -> bool:
        """Whether the bot had a decision in the round that the view is of."""
        return (raw["code"], round_of(raw)) in self._rounds

    @property
    def hears(self) -> bool:
        """Whether the bot wants to know how rounds end."""
        return self._program.hears

    async def hear(self, result: Over) -> None:
        """Tell the bot how a round ended that it was in."""
        seconds = min(self._seconds, LONGEST_HEARING)
        try:
            await asyncio.to_thread(self._program.tell, write(result), seconds)
        except BotFault as fault:
            self._count_fault(fault)
            self._report(f"round {result.number}, told of its end: the bot {fault}")
            await self._start_again()

    async def take_turn(self, seat: ActingSeat, update: Update, raw: dict[str, Any], *, again: bool = False) -> None:
        """Decide where it is the bot's turn, and answer what the table asks besides; `again` wants more rounds."""
        if raw["legal"] is not None:
            await self._decide(seat, update, raw)
        elif (answer := reply(raw, rebuy=self._rebuy, again=again)) is not None and answer != self._refused:
            await self._answer(seat, answer)

    async def _decide(self, seat: ActingSeat, update: Update, raw: dict[str, Any]) -> None:
        view = view_of(raw)
        try:
            action = _read(view, await asyncio.to_thread(self._program.ask, raw, self._time_for(view)))
            if await self._act(seat, action, update) is not None:
                self._count(raw)
            else:
                self._report(f"round {round_of(raw)}, turn {raw['turn']} had passed before the bot's answer arrived")
        except BotFault as fault:
            await self._stand_in(seat, update, view, fault)
        except ApiError as refusal:
            illegal = BotFault("illegal", f"{shortly(action)}: {refusal.detail}")
            await self._stand_in(seat, update, view, illegal)

    def _time_for(self, view: View) -> float:
        """How long the bot may think: less than its clock has, so that the action still arrives."""
        left = view.seconds
        if left is None:
            return self._seconds
        return min(self._seconds, max(0.05, left - max(0.2, min(1.0, left / 10))))

    async def _stand_in(self, seat: ActingSeat, update: Update, view: View, fault: BotFault) -> None:
        """Play for a bot that gave no good answer, and say so."""
        self._count_fault(fault)
        action = view.fallback()
        instead = "its clock decides" if action is None else f"{' '.join(map(str, action.values()))} in its place"
        self._report(f"round {round_of(view.raw)}, turn {view.raw['turn']}: the bot {fault}; {instead}")
        try:
            if action is not None and await self._act(seat, action, update) is not None:
                self._count(view.raw)
            elif action is not None:
                self._report(f"turn {view.raw['turn']} had passed by then")
        except ApiError as refusal:
            self._report(f"that was refused too: {refusal}")
        await self._start_again()

    def _count_fault(self, fault: BotFault) -> None:
        self.tally.faults[fault.kind] = self.tally.faults.get(fault.kind, 0) + 1

    async def _start_again(self) -> None:
        with suppress(BotFault):  # it is told when the bot is asked again
            await asyncio.to_thread(self._program.start)

    def _count(self, raw: dict[str, Any]) -> None:
        self._rounds.add((raw["code"], round_of(raw)))
        self.tally.rounds, self.tally.decisions = len(self._rounds), self.tally.decisions + 1

    async def _act(self, seat: ActingSeat, action: Action, update: Update) -> int | None:
        key = secrets.token_urlsafe(12)
        return await patiently(lambda: seat.act(action, update, key), self._report)

    async def _answer(self, seat: ActingSeat, answer: Action) -> None:
        try:
            await patiently(lambda: seat.act(answer), self._report)
            self._refused = None
        except ApiError as refusal:
            self._refused = answer
            self._report(f"the answer {answer['type']} was refused: {refusal.detail}")


def _read(view: View, answer: Action) -> Action:
    """What a program answered, as the server takes it."""
    try:
        return view.action(answer)
    except ValueError as garbage:
        raise BotFault("garbage", str(garbage)) from None


def round_of(raw: dict[str, Any]) -> int:
    """The number of the hand or game; 0 where the game does not tell it."""
    state = raw["state"] or {}
    number: int = state.get("hand", state.get("game", 0))
    return number if isinstance(number, int) else 0
