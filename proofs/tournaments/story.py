"""What the logs of hold'em tables tell, as plain data: hands, seats, chips. It shares no code with the tournaments.

An event is a dictionary as the API gives it, with `seq`, `at` and `type`. The tables of a tournament are read together,
in the order of their times; those of one table are in the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import merge
from typing import Any

Event = Mapping[str, Any]


class Fault(AssertionError):
    """A tournament broke its word."""


def require(truth: bool, *told: object) -> None:
    if not truth:
        raise Fault(" ".join(map(str, told)))


@dataclass
class Hand:
    """One hand at one table, in players rather than seats."""

    table: str
    number: int
    began: int
    size: int
    """Players who sat there with chips when it began, those included who were not dealt in."""
    stacks: dict[str, int]
    """Before the posts, of those who were dealt in."""
    order: list[str]
    """Who would have the big blind next, and next, when this hand is over: all who sat there, by their seats."""
    big: str | None
    small: str | None
    button: str | None
    paid_big: str | None = None
    """Who in fact posted the big blind."""
    ended: int | None = None
    after: dict[str, int] = field(default_factory=dict)
    winners: dict[str, list[str]] = field(default_factory=dict)
    """For each who was eliminated: who won the last pot that they were in, from the left of the button on."""
    blinds: tuple[int, int] = (0, 0)
    ante: int = 0

    @property
    def out(self) -> list[str]:
        return [player for player, stack in self.after.items() if stack == 0]


@dataclass
class Stay:
    """One player's time at one table."""

    table: str
    player: str
    seat: int
    since: int
    came_with: int = 0
    until: int | None = None
    left_with: int | None = None
    reason: str = ""
    to: str | None = None
    adjusted: list[tuple[str, int]] = field(default_factory=list)


@dataclass
class Seated:
    """A table while its log is read."""

    code: str
    seats: int = 0
    players: dict[int, str] = field(default_factory=dict)
    chips: dict[int, int] = field(default_factory=dict)
    stays: dict[int, Stay] = field(default_factory=dict)
    hand: Hand | None = None
    hands: int = 0
    cashed: int = 0
    """Chips that left during the hand."""
    last_big: int = -1
    closed: bool = False
    opened: bool = False

    @property
    def alive(self) -> int:
        """Players with chips, or with chips in the pot."""
        dealt = self.hand.stacks if self.hand else {}
        return sum(1 for seat, player in self.players.items() if self.chips.get(seat, 0) or player in dealt)

    def at(self, seat: int) -> str | None:
        return self.players.get(seat)


@dataclass
class Told:
    """One event of one table, and what the table was like after it."""

    at: int
    code: str
    event: Event
    table: Seated
    hand: Hand | None = None
    """The hand that began or ended with it."""
    stay: Stay | None = None
    """The stay that began or ended with it."""


class Story:
    """All tables of one tournament."""

    def __init__(self, logs: Mapping[str, Sequence[Event]]) -> None:
        self.logs = logs
        self.tables = {code: Seated(code) for code in logs}
        self.hands: list[Hand] = []
        self.stays: list[Stay] = []

    def read(self, until: Callable[[int], None]) -> Iterator[Told]:
        """Tells of one event after another, and before each of its time."""
        streams = [[(event["at"], code, event["seq"], event) for event in log] for code, log in self.logs.items()]
        for code, log in self.logs.items():
            numbers = [event["seq"] for event in log]
            require(numbers == list(range(1, len(log) + 1)), code, "has a gap in its numbers")
            times = [event["at"] for event in log]
            require(times == sorted(times), code, "has times that go back")
        for at, code, _, event in merge(*streams, key=lambda one: one[:3]):
            until(at)
            yield self._follow(at, self.tables[code], event)

    def _follow(self, at: int, table: Seated, event: Event) -> Told:
        told = Told(at, table.code, event, table)
        match event["type"]:
            case "created":
                table.opened, table.seats = True, event["settings"]["seats"]
            case "seated":
                self._seated(told, table, event)
            case "bought_in":
                seat = event["seat"]
                table.chips[seat] = table.chips.get(seat, 0) + event["chips"]
                table.stays[seat].came_with += event["chips"]
            case "stack_corrected":
                table.chips[event["seat"]] += event["chips"]
                table.stays[event["seat"]].adjusted.append((event["reason"], event["chips"]))
            case "cashed_out":
                self._cashed_out(table, event)
            case "unseated":
                self._unseated(told, table, event)
            case "hand_started":
                self._hand_started(told, table, event)
            case "posted":
                if event["kind"] in ("big_blind", "button_blind") and table.hand is not None:
                    table.hand.paid_big = table.players[event["seat"]]
            case "hand_ended":
                self._hand_ended(told, table, event)
            case "closed":
                table.closed = True
        return told

    def _seated(self, told: Told, table: Seated, event: Event) -> None:
        seat, player = event["seat"], event["player"]
        require(seat not in table.players, table.code, "seat", seat, "is given twice")
        require(player not in table.players.values(), player, "has two seats at", table.code)
        table.players[seat] = player
        table.chips[seat] = 0
        told.stay = table.stays[seat] = Stay(table.code, player, seat, told.at)
        self.stays.append(told.stay)

    def _cashed_out(self, table: Seated, event: Event) -> None:
        seat, chips = event["seat"], event["chips"]
        if table.hand is None:
            require(table.chips[seat] == chips, table.code, "cashed out", chips, "of", table.chips[seat])
        else:
            table.cashed += chips
        table.chips[seat] = 0
        table.stays[seat].left_with = chips

    def _unseated(self, told: Told, table: Seated, event: Event) -> None:
        seat = event["seat"]
        require(table.players.get(seat) == event["player"], table.code, "nobody of that name in seat", seat)
        stay = table.stays.pop(seat)
        if stay.left_with is None:
            stay.left_with = 0
        stay.until, stay.reason, stay.to = told.at, event.get("reason", "left"), event.get("to")
        del table.players[seat]
        table.chips.pop(seat, None)
        told.stay = stay

    def _hand_started(self, told: Told, table: Seated, event: Event) -> None:
        require(table.hand is None, table.code, "began a hand in a hand")
        stacks = {int(seat): chips for seat, chips in event["stacks"].items()}
        for seat, chips in stacks.items():
            require(table.chips.get(seat) == chips, table.code, "deals in seat", seat, "with", chips, table.chips)
        big = event["big_blind"]
        after = sorted(table.players, key=lambda seat: (seat - big - 1) % table.seats)
        hand = Hand(
            table.code,
            event["hand"],
            told.at,
            sum(1 for chips in table.chips.values() if chips),
            {table.players[seat]: chips for seat, chips in stacks.items()},
            [table.players[seat] for seat in after],
            table.at(big),
            table.at(event["small_blind"]),
            table.at(event["button"]),
            blinds=tuple(event["blinds"]),
            ante=event.get("ante", 0),
        )
        table.hand, told.hand, table.last_big, table.cashed = hand, hand, big, 0
        table.hands += 1
        self.hands.append(hand)

    def _hand_ended(self, told: Told, table: Seated, event: Event) -> None:
        hand = table.hand
        require(hand is not None, table.code, "ended a hand that had not begun")
        assert hand is not None
        stacks = {int(seat): chips for seat, chips in event["stacks"].items()}
        before, after = sum(hand.stacks.values()), sum(stacks.values()) + table.cashed
        require(before == after, table.code, "hand", hand.number, "had", before, "chips and has", after)
        for seat, chips in stacks.items():
            table.chips[seat] = chips
            hand.after[table.players[seat]] = chips
        for loser in hand.out:
            seat = next(seat for seat, player in table.players.items() if player == loser)
            pots = [pot for pot in event["pots"] if seat in pot["seats"]]
            winners = pots[-1]["winners"] if pots else []
            hand.winners[loser] = [table.players[winner] for winner in winners if winner in table.players]
        hand.ended = told.at
        table.hand, told.hand = None, hand
