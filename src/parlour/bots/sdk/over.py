"""How a hand or a game ended, as a bot is told by its method `over`: nothing that its seat may not see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from parlour.bots.sdk.holdem import Step

LONGEST_HEARING = 5.0
"""Seconds to learn how a round ended, and for the bot to take it in: meanwhile it may be its turn in the next."""
OVER = "over"
"""What a line to a Python bot has that tells a result; and what its greeting has where it wants to be told."""


class WonPot(NamedTuple):
    """A pot: who contested it, who won it, and each winner's share."""

    amount: int
    seats: list[int]
    winners: list[int]
    shares: list[int]


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand that is over, as somebody in it saw it. Dicts are by seat; only those who were dealt in are in them."""

    number: int
    seat: int
    """The own seat."""
    variant: str
    limit: str
    names: dict[int, str]
    stacks_before: dict[int, int]
    """Before the posts."""
    stacks_after: dict[int, int]
    """With what was won; of somebody who has left, what they left with."""
    pots: list[WonPot]
    """The main pot first."""
    boards: list[list[str]]
    """As far as they were dealt: several for a double board, and where the board was run several times."""
    shown: dict[int, list[str]]
    """The own cards, and those that others have shown."""
    showdown: bool
    actions: list[Step]

    @property
    def game(self) -> str:
        return "holdem"

    @property
    def board(self) -> list[str]:
        """The cards on the table; of several boards the first."""
        return self.boards[0]

    @property
    def cards(self) -> list[str]:
        """The own cards."""
        return self.shown[self.seat]

    @property
    def won(self) -> int:
        """The chips that the bot has won; below 0 where it has lost."""
        return self.stacks_after[self.seat] - self.stacks_before[self.seat]


@dataclass(frozen=True, slots=True)
class GameOver:
    """A game of chess that is over."""

    number: int
    seat: int
    color: Literal["white", "black"]
    """The own colour."""
    names: dict[str, str]
    """By colour."""
    variant: str
    result: str
    """`1-0`, `0-1`, `1/2-1/2`, or `*` where it was not played."""
    winner: Literal["white", "black"] | None
    reason: str
    """`checkmate`, `time` and so on."""
    pgn: str

    @property
    def game(self) -> str:
        return "chess"


Over: TypeAlias = HandOver | GameOver
Hook: TypeAlias = Callable[[Any], Any]
"""The method `over` of a bot; it may be a coroutine."""


def hook_of(bot: object) -> Hook | None:
    """The method that a bot has for results; None where it has none of its own."""
    from parlour.bots.sdk.loading import Bot

    hook = getattr(bot, OVER, None)
    return hook if callable(hook) and getattr(hook, "__func__", None) is not Bot.over else None


def write(result: Over) -> dict[str, Any]:
    """A result as JSON, on its way to a bot in another process."""
    return {"game": result.game, **asdict(result)}


def read(told: dict[str, Any]) -> Over:
    """What `write` wrote, read from a line."""
    fields = dict(told)
    if fields.pop("game") == "chess":
        return GameOver(**fields)
    for name in ("names", "stacks_before", "stacks_after", "shown"):
        fields[name] = _by_seat(fields[name])
    fields["pots"] = [WonPot(*pot) for pot in fields["pots"]]
    fields["actions"] = [Step(*step) for step in fields["actions"]]
    return HandOver(**fields)


def hand_over(record: dict[str, Any]) -> HandOver:
    """A hand from the server's record, as the server tells it to the one who played it."""
    summary, you, events = record["summary"], record["you"], record["events"]
    opening = next(event for event in events if event["type"] == "hand_started")
    ended = next(event for event in events if event["type"] == "hand_ended")
    before, net, bounty = _by_seat(opening["stacks"]), _by_seat(summary["net"]), _by_seat(summary.get("bounty", {}))
    names, seat = _by_seat(record["names"]), you["seats"][0]
    return HandOver(
        number=record["number"],
        seat=seat,
        variant=summary["variant"],
        limit=summary["limit"],
        names={seat: names.get(seat, "") for seat in before},
        stacks_before=before,
        stacks_after={seat: stack + net[seat] + bounty.get(seat, 0) for seat, stack in before.items()},
        pots=[WonPot(pot["amount"], pot["seats"], pot["winners"], pot["shares"]) for pot in ended["pots"]],
        boards=summary.get("boards") or [summary["board"]],
        shown=_by_seat(summary["shown"]) | {seat: you["cards"]},
        showdown=summary["showdown"],
        actions=_actions(events),
    )


def _actions(events: list[dict[str, Any]]) -> list[Step]:
    """What was posted and done, as `HoldemView.actions` has it."""
    steps, street = [], "preflop"
    for event in events:
        if event["type"] == "posted":
            steps.append(Step(event["seat"], "preflop", event["kind"], event["amount"]))
        elif event["type"] == "acted":
            steps.append(Step(event["seat"], street, event["action"], event.get("total", 0)))  # type: ignore[arg-type]
        elif event["type"] == "street":
            street = event["street"]
    return steps


def game_over(record: dict[str, Any], pgn: str) -> GameOver:
    """A game from the server's record."""
    summary, seat = record["summary"], record["you"]["seats"][0]
    names = _by_seat(record["names"])
    return GameOver(
        number=record["number"],
        seat=seat,
        color="white" if summary["white"] == seat else "black",
        names={color: names.get(summary[color], "") for color in ("white", "black")},
        variant=summary["variant"],
        result=summary["result"],
        winner=summary["winner"],
        reason=summary["reason"],
        pgn=pgn,
    )


def _by_seat(rows: dict[str, Any]) -> dict[int, Any]:
    return {int(seat): row for seat, row in rows.items()}
