"""The actions of a hand as a reader of PHH expects them.

Readers play the hand again by themselves, and not in all things as a table does: they take a call for as much as
somebody has really bet, and they ask a player with nobody left to bet against. So the betting is followed here as they
follow it, and what is written leads them to the same chips.
"""

from __future__ import annotations

from collections.abc import Iterable

from parlour.games.contract import Event, Seat
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.settings import HOLE_CARDS


class HistoryBetting:
    """Bets, stacks and the turn as a reader has them; a place is a player's number in the file, less one."""

    def __init__(self, stacks: list[int], bets: list[int], blinds: list[int]) -> None:
        self.stacks = stacks
        self.bets = bets
        self.live = [True] * len(stacks)
        self.queue: list[int] = []
        """Who has still to act on this street."""
        signed = [bet if blind > 0 else -bet for bet, blind in zip(bets, blinds, strict=True)]
        last = max(range(len(stacks)), key=lambda place: (signed[place], place))
        self._open(last + 1)

    def open_street(self) -> None:
        self.bets = [0] * len(self.bets)
        self._open(0)

    def _open(self, first: int) -> None:
        totals = sorted(bet + stack for bet, stack, live in zip(self.bets, self.stacks, self.live, strict=True) if live)
        self.queue = [place for place in self._from(first) if self.bets[place] < totals[-2]]
        if len(self.queue) == 1 and self.bets[self.queue[0]] >= max(self.bets):
            self.queue = []

    def _from(self, first: int) -> list[int]:
        """Those who have chips left, clockwise."""
        places = len(self.stacks)
        around = [(first + i) % places for i in range(places)]
        return [place for place in around if self.live[place] and self.stacks[place]]

    def fold(self) -> str:
        place = self.queue.pop(0)
        self.live[place] = False
        if sum(self.live) == 1:
            self.queue = []
        return f"p{place + 1} f"

    def bet(self, total: int) -> str:
        """Check, call, bet or raise to this total on the street."""
        place, highest = self.queue[0], max(self.bets)
        others = [other for other in range(len(self.stacks)) if other != place and self.live[other]]
        if total > highest and any(self.bets[other] + self.stacks[other] > highest for other in others):
            self._pay(place, total)
            self.queue = self._from(place + 1)
            if place in self.queue:
                self.queue.remove(place)
            return f"p{place + 1} cbr {total}"
        self.queue.pop(0)
        self._pay(place, highest)
        return f"p{place + 1} cc"

    def _pay(self, place: int, total: int) -> None:
        paid = min(self.stacks[place], total - self.bets[place])
        self.stacks[place] -= paid
        self.bets[place] += paid


class Actions:
    """Writes the events of a hand as actions."""

    def __init__(self, opening: events.HandStarted, bets: list[int], blinds: list[int], stacks: list[int]) -> None:
        self._seats = list(opening.stacks)
        self._hole = HOLE_CARDS[opening.variant]
        self._boards = opening.boards
        self._betting = HistoryBetting(stacks, bets, blinds)
        self._left: set[Seat] = set()
        self._written: list[str] = []

    def write(self, happened: Iterable[Event]) -> list[str]:
        known = {event.seat: event.cards for event in happened if isinstance(event, events.Dealt)}
        for place, seat in enumerate(self._seats):
            self._written.append(f"d dh p{place + 1} {''.join(known.get(seat, ['??'] * self._hole))}")
        for event in happened:
            match event:
                case events.Acted():
                    self._acted(event)
                case events.StreetDealt():
                    if event.board == 0 or self._boards == 1:
                        self._end_street()
                    self._written.append(f"d db {''.join(event.cards)}")
                    if event.board == 0:
                        self._betting.open_street()
                case events.Shown():
                    self._end_street()
                    self._written.append(f"{self._player(event.seat)} sm {''.join(event.cards)}")
                case events.Mucked():
                    self._end_street()
                    self._written.append(f"{self._player(event.seat)} sm")
                case events.HandEnded():
                    break
        return self._written

    def _player(self, seat: Seat) -> str:
        return f"p{self._seats.index(seat) + 1}"

    def _acted(self, event: events.Acted) -> None:
        betting = self._betting
        self._fold_leavers()
        if self._seats[betting.queue[0]] != event.seat:  # out of turn, in a log of version 0.1.0
            self._left.add(event.seat)
        elif event.action == "fold":
            self._written.append(betting.fold())
        else:
            self._written.append(betting.bet(event.total))

    def _fold_leavers(self) -> None:
        betting = self._betting
        while betting.queue and self._seats[betting.queue[0]] in self._left:
            self._written.append(betting.fold())

    def _end_street(self) -> None:
        """Let those check whom only readers ask."""
        while self._betting.queue:
            self._fold_leavers()
            if self._betting.queue:
                self._written.append(self._betting.bet(0))
