"""What the betting tells of the cards: for each opponent a range, narrowed by every action of the hand so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.bots.holdem_ranges import (
    Weights,
    cards_of,
    kind_of_pair,
    order_before_flop,
    pair_index,
    place_in,
    sample_board,
    without,
)
from parlour.bots.holdem_shoves import sensible_shoves

BOARD_SIZE = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}
OPENS = (0.0, 0.0, 0.65, 0.42, 0.33, 0.28, 0.25, 0.22, 0.20, 0.18, 0.17)
"""The part of all hands with which a table of so many opens the betting, on average over the seats."""
COMMITTED = 14.0
"""Whoever raises with no more big blinds than this has raised with all of them, whatever the size."""
FLOOR = 0.015
"""No hand is ruled out."""
SENSIBLE, WILD, STICKY = 0.92, 0.02, 0.06
"""How many players go by their cards, raise with anything, or call with anything, before one has seen them act."""

PRIZES = ((0.65, 0.35), (0.5, 0.3, 0.2))
"""Of a tournament at one table: up to seven seats, and more."""


class LiveOpponent(NamedTuple):
    """Somebody who can still win the pot."""

    seat: int
    weights: Weights
    """What the player may hold, as whoever decides sees it: own cards and the board are nobody else's."""
    public: Weights
    """The same as everybody sees it."""
    stack: int
    bet: int
    acted: bool
    """Whether the player has put chips in by choice, or checked, on this street."""
    sticky: float = 0.0
    """How likely it is that the player calls with anything."""


class Spot(NamedTuple):
    """A decision, as whoever makes it sees it."""

    own: int
    """The pair of cards; -1 where they are not known."""
    seat: int
    board: tuple[int, ...]
    short: bool
    street: str
    pot: int
    call: int
    least: int
    most: int
    """The least and the greatest total to raise to; 0 where no raise is allowed."""
    bet: int
    stack: int
    raising: str | None
    may_check: bool
    blind: int
    dealt: int
    """How many players were dealt in."""
    opponents: list[LiveOpponent]
    """In the order in which they are asked after this player."""
    behind: int
    """How many of them act after this player on this street, if nobody raises."""
    last: bool
    """Whether this player acts last of all on later streets."""
    raises: int
    """Raises on this street; before the flop the blinds are none."""
    callers: int
    """Players who have called the present bet."""
    others: tuple[int, ...] = ()
    """The chips of those at the table who cannot win this pot."""
    prizes: tuple[float, ...] = ()
    """What the places of a tournament are worth in which chips are not all that counts; else none."""


def read(view: Mapping[str, Any]) -> Spot:
    """The decision that this view of a hand of two cards asks for."""
    state, legal = view["state"], view["legal"]
    me, players = state["actor"], state["players"]
    short = state["game"]["variant"] == "short-deck"
    board = tuple(cards_of((state.get("boards") or [state["board"]])[0]))
    own_cards = cards_of(view["private"]["cards"])
    dealt = [row["seat"] for row in players if row["position"] is not None]
    order = _from_the_left(dealt, state["button"])
    story = _Story(len(order), state["blinds"][1], board, short)
    story.stacks = {row["seat"]: row["stack"] + row.get("contributed", row["bet"]) for row in players}
    for seat, street, kind, amount in state["actions"]:
        story.follow(seat, street, kind, amount, known=seat != me)
    story.turn_to(state["street"])
    rows = {row["seat"]: row for row in players}
    live = [seat for seat in order if rows[seat]["status"] in ("active", "allin")]
    opponents = [
        LiveOpponent(
            seat,
            without(story.range_of(seat), (*own_cards, *board)),
            story.range_of(seat),
            rows[seat]["stack"],
            rows[seat]["bet"],
            seat in story.acted,
            story.habits_of(seat).sticky_part(),
        )
        for seat in (*live[live.index(me) + 1 :], *live[: live.index(me)])
    ]
    active = [seat for seat in live if rows[seat]["status"] == "active"]
    raising = next((kind for kind in ("bet", "raise") if kind in legal["actions"]), None)
    return Spot(
        own=pair_index(own_cards) if own_cards else -1,
        seat=me,
        board=board,
        short=short,
        street=state["street"],
        pot=legal["pot"],
        call=legal["call"],
        least=legal["min"] if raising else 0,
        most=legal["max"] if raising else 0,
        bet=legal["bet"],
        stack=legal["stack"],
        raising=raising,
        may_check="check" in legal["actions"],
        blind=max(1, state["blinds"][1]),
        dealt=len(order),
        opponents=opponents,
        behind=sum(1 for opponent in opponents if opponent.stack and not opponent.acted),
        last=bool(active) and active[-1] == me,
        raises=story.raises,
        callers=story.callers,
        others=tuple(row["stack"] for row in players if row["seat"] != me and row["seat"] not in live and row["stack"]),
        prizes=_prizes(view, sum(1 for row in players if row["stack"] or row["seat"] in live)),
    )


def _prizes(view: Mapping[str, Any], left: int) -> tuple[float, ...]:
    """The prizes of a tournament near its end.

    A table does not tell them, nor what happens at other tables, and a bot looks nowhere else. The tables of a
    tournament are kept full, so one with two empty seats is taken for the last one, and its prizes for those that are
    proposed for a tournament of one table.
    """
    seats = view.get("settings", {}).get("seats", 0)
    if view.get("tournament") is None or not 2 < left <= seats - 2:
        return ()
    return PRIZES[0] if seats <= 7 else PRIZES[1]


def _from_the_left(seats: list[int], button: int | None) -> list[int]:
    """Seats in the order in which they act after the flop."""
    start = -1 if button is None else button
    return sorted(seats, key=lambda seat: (seat <= start, seat))


class Habits:
    """What one player may hold, by Bayes' rule: as somebody sensible, or as one of two kinds who play anything."""

    def __init__(self, pairs: Weights) -> None:
        self._pairs = pairs
        self.sensible = SENSIBLE * pairs
        self._wild = WILD
        self._sticky = STICKY

    def saw(self, kind: str, likely: Weights) -> None:
        self.sensible = self.sensible * likely
        raised = kind in ("bet", "raise")
        self._wild *= 0.75 if raised else 0.2
        self._sticky *= 0.06 if raised else 0.85

    def weights(self) -> Weights:
        return self.sensible + (self._wild + self._sticky) * self._pairs

    def sticky_part(self) -> float:
        pairs = float(self._pairs.sum())
        everything = float(self.sensible.sum()) + (self._wild + self._sticky) * pairs
        return self._sticky * pairs / everything


class _Story:
    """Follows a hand action by action, and keeps a range for each player, as everybody at the table can."""

    def __init__(self, dealt: int, blind: int, board: tuple[int, ...], short: bool) -> None:
        self._dealt = dealt
        self._blind = max(1, blind)
        self._board = board
        self._short = short
        self._pairs = np.where(kind_of_pair(short) >= 0, 1.0, 0.0)
        self._habits: dict[int, Habits] = {}
        self._street = "preflop"
        self._pot = 0
        self._bets: dict[int, int] = {}
        self._order: NDArray[np.intp] | None = None
        self.stacks: dict[int, int] = {}
        """The chips that everybody had before the hand."""
        self.raises = 0
        self.callers = 0
        self.acted: set[int] = set()

    def habits_of(self, seat: int) -> Habits:
        found = self._habits.get(seat)
        if found is None:
            found = self._habits[seat] = Habits(self._pairs)
        return found

    def range_of(self, seat: int) -> Weights:
        return self.habits_of(seat).weights()

    def turn_to(self, street: str) -> None:
        if street != self._street:
            self._street = street
            self._bets = {}
            self.raises = self.callers = 0
            self.acted = set()
            size = BOARD_SIZE[street]
            self._order = sample_board(self._board[:size], self._short).order if size else None

    def follow(self, seat: int, street: str, kind: str, amount: int, known: bool) -> None:
        self.turn_to(street)
        if kind not in ("fold", "check", "call", "bet", "raise"):  # a post
            self._pot += amount
            if kind not in ("ante", "dead"):
                self._bets[seat] = self._bets.get(seat, 0) + amount
            return
        before = max(self._bets.values(), default=0)
        had = self._bets.get(seat, 0)
        added = max(0, amount - had) if kind in ("call", "bet", "raise") else 0
        if known and kind != "fold":
            weigh = self._before_flop if self._order is None else self._on_board
            habits = self.habits_of(seat)
            habits.saw(kind, weigh(habits.sensible, kind, before - had, added, seat))
        self.acted.add(seat)
        self._bets[seat] = had + added
        self._pot += added
        if kind in ("bet", "raise"):
            self.raises += 1
            self.callers = 0
            self.acted = {seat}
        elif kind == "call":
            self.callers += 1

    def _before_flop(self, weights: Weights, kind: str, owed: int, added: int, seat: int) -> Weights:
        """How likely each pair is to be played like this before the flop."""
        place = order_before_flop(self._short)
        opens = OPENS[min(self._dealt, 10)]
        if kind == "check":
            return 1 - 0.6 * _up_to(place, 0.5 * opens)
        if kind == "call":
            if self.raises == 0:
                return FLOOR + _up_to(place, min(0.9, 2.2 * opens)) * (1 - 0.6 * _up_to(place, 0.4 * opens))
            wide = (1.0 if self.raises == 1 else 0.4) * max(0.12, opens)
            return FLOOR + _up_to(place, wide) * (1 - 0.6 * _up_to(place, 0.15 * opens))
        part = (0.65 * opens, max(0.05, 0.22 * opens), 0.035, 0.02)[min(self.raises, 3)]
        size, stack = (self._bets.get(seat, 0) + added) / self._blind, self.stacks.get(seat, 0) / self._blind
        if self.raises == 0 and (size > 5 or stack <= COMMITTED):
            size = stack if stack <= COMMITTED else size
            behind = max(1, self._dealt - len(self.acted) - 1)
            number = kind_of_pair(self._short)
            shoves = sensible_shoves(behind, min(30, round(size)), self._short)
            return FLOOR + np.where(number >= 0, shoves[number], 0.0)
        return FLOOR + _up_to(place, part)

    def _on_board(self, weights: Weights, kind: str, owed: int, added: int, seat: int) -> Weights:
        """The same on a board: by the part of the player's own range that a hand is ahead of."""
        assert self._order is not None
        place = place_in(weights, self._order)
        if kind == "check":
            return 1 - 0.45 * _above(place, 0.72)
        pot = max(1, self._pot)
        if kind == "call":
            price = owed / (pot + owed)
            return FLOOR + _above(place, 0.9 * price + 0.08) * (1 - 0.5 * _above(place, 0.92))
        if kind == "bet" or self.raises == 0:
            part = max(0.25, 0.5 - 0.12 * added / pot)
            return FLOOR + 0.14 * (1 - _above(place, 0.4)) + _above(place, 1 - part)
        return FLOOR + 0.03 + _above(place, 0.84 if self.raises == 1 else 0.92)


def _up_to(place: Weights, part: float) -> Weights:
    """Near 1 for the best part of all hands, near 0 for the others."""
    found: Weights = 1 / (1 + np.exp((place - part) / (0.02 + 0.12 * part)))
    return found


def _above(place: Weights, part: float) -> Weights:
    found: Weights = 1 / (1 + np.exp((part - place) / 0.06))
    return found
