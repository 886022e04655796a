"""Hands as the text that PokerStars writes, which every tracker and replayer reads.

Chips of a cash game are written as PokerStars writes money, since readers take such a hand without a currency for play
money and pass it over; those of tournaments and freeze-outs as it writes tournament chips. A reader's export has the
cards that the reader may see. Names are made safe for a line of text (`line_names`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from parlour._core import evaluate, evaluate_omaha, evaluate_short_deck, hand_name
from parlour.games.contract import Round, Seat
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.naming import hand_id, line_names, opening_of
from parlour.games.poker.holdem.settings import HILO, HOLE_CARDS

_GAMES = {
    "holdem": "Hold'em",
    "short-deck": "6+ Hold'em",
    "omaha": "Omaha",
    "omaha5": "5 Card Omaha",
    "omaha6": "6 Card Omaha",
    "omaha-hilo": "Omaha Hi/Lo",
    "omaha5-hilo": "5 Card Omaha Hi/Lo",
}
_LIMITS = {"no-limit": "No Limit", "pot-limit": "Pot Limit", "fixed-limit": "Limit"}
_POSTS = {
    "ante": "posts the ante",
    "small_blind": "posts small blind",
    "big_blind": "posts big blind",
    "post": "posts big blind",
    "dead": "posts dead blind",
    "straddle": "posts straddle",
    "button_blind": "posts button blind",
}
_LOW_FIRST = "A23456789TJQK"
_ORDINALS = ("FIRST", "SECOND", "THIRD")
_TIMES = {2: "twice", 3: "three times"}


def pokerstars(played: Round) -> str:
    """The hand as text, with the blank lines that divide hands in a file."""
    return "\n".join(_Text(played).lines()) + "\n\n\n"


class _Text:
    """Writes one hand line by line."""

    def __init__(self, played: Round) -> None:
        self._played = played
        self._began, self._opening = opening_of(played)
        self._names = line_names(played.names, self._opening.stacks)
        self._sign = "$" if _for_money(played.settings) else ""
        self._bets = dict.fromkeys(self._opening.stacks, 0)
        self._boards: list[list[str]] = [[] for _ in range(self._opening.boards)]
        self._runs = 1
        self._folded: dict[Seat, str] = {}
        self._shown: dict[Seat, events.Shown] = {}
        self._mucked: set[Seat] = set()
        self._out: list[str] = []
        self._street = "before Flop"

    def lines(self) -> list[str]:
        self._head()
        hole = False
        for _, event in self._played.events:
            if not hole and isinstance(event, events.Dealt | events.Acted | events.StreetDealt | events.HandEnded):
                self._out.append("*** HOLE CARDS ***")
                hole = True
            match event:
                case events.Posted():
                    self._posted(event)
                case events.Dealt():
                    self._out.append(f"Dealt to {self._names[event.seat]} {_cards(event.cards)}")
                case events.Acted():
                    self._acted(event)
                case events.StreetDealt():
                    self._dealt(event)
                case events.BetReturned():
                    self._out.append(
                        f"Uncalled bet ({self._chips(event.amount)}) returned to {self._names[event.seat]}"
                    )
                case events.Shown():
                    self._shown[event.seat] = event
                case events.Mucked():
                    self._mucked.add(event.seat)
                case events.RunsAgreed():
                    self._runs = event.times
                    self._boards = [list(self._boards[0]) for _ in range(event.times)]
                case events.HandEnded():
                    self._ended(event)
                    break
        return self._out

    def _head(self) -> None:
        opening, settings = self._opening, self._played.settings
        low, high = opening.blinds
        low, high = (high, 2 * high) if opening.limit == "fixed-limit" else (low, high)
        stakes = f"{self._chips(low)}/{self._chips(high)}"
        when = datetime.fromtimestamp(self._began / 1000, UTC).strftime("%Y/%m/%d %H:%M:%S")
        game = f"{_GAMES[opening.variant]} {_LIMITS[opening.limit]}"
        (table,) = line_names({0: str(settings.get("name") or "Parlour")}, {0: 0}).values()
        self._out += [
            f"PokerStars Hand #{hand_id(self._began, opening.hand)}:  {game} ({stakes}) - {when} UTC",
            f"Table '{table}' {settings.get('seats', 10)}-max Seat #{opening.button + 1} is the button",
        ]
        self._out += [
            f"Seat {seat + 1}: {self._names[seat]} ({self._chips(chips)} in chips)"
            for seat, chips in sorted(opening.stacks.items())
        ]

    def _posted(self, event: events.Posted) -> None:
        if event.kind not in ("ante", "dead"):
            self._bets[event.seat] += event.amount
        self._out.append(f"{self._names[event.seat]}: {_POSTS[event.kind]} {self._chips(event.amount)}")

    def _acted(self, event: events.Acted) -> None:
        highest = max(self._bets.values())
        match event.action:
            case "fold":
                self._folded[event.seat] = self._street
                what = "folds"
            case "check":
                what = "checks"
            case "call":
                what = f"calls {self._chips(event.amount)}"
            case "bet" if highest == 0:
                what = f"bets {self._chips(event.total)}"
            case _:
                what = f"raises {self._chips(event.total - highest)} to {self._chips(event.total)}"
        self._bets[event.seat] = event.total
        self._out.append(f"{self._names[event.seat]}: {what}" + " and is all-in" * event.all_in)

    def _dealt(self, event: events.StreetDealt) -> None:
        board = self._boards[event.board]
        lies = f" {_cards(board)}" if board else ""
        self._out.append(f"*** {self._which(event.board)}{event.street.upper()} ***{lies} {_cards(event.cards)}")
        board += event.cards
        self._street = f"on the {event.street.capitalize()}"
        self._bets = dict.fromkeys(self._bets, 0)

    def _which(self, board: int) -> str:
        """Which of several boards."""
        return f"{_ORDINALS[board]} " if len(self._boards) > 1 else ""

    def _ended(self, event: events.HandEnded) -> None:
        for board in range(len(self._boards)):
            if event.reason == "showdown":
                self._out.append(f"*** {self._which(board)}SHOW DOWN ***")
                self._show(board)
            for number in reversed(range(len(event.pots))):
                for seat, share in self._won(event.pots[number], board):
                    which = _pot_name(number, len(event.pots))
                    self._out.append(f"{self._names[seat]} collected {self._chips(share)} from {which}")
        self._summary(event)

    def _show(self, board: int) -> None:
        for seat, shown in self._shown.items():
            self._out.append(f"{self._names[seat]}: shows {_cards(shown.cards)} ({self._worth(shown, board)})")
        self._out += [f"{self._names[seat]}: mucks hand" for seat in self._mucked]

    def _worth(self, shown: events.Shown, board: int) -> str:
        return _worth(self._opening.variant, shown, self._boards[board], known=len(self._boards) == 1)

    def _won(self, pot: events.PotAward, board: int) -> list[tuple[Seat, int]]:
        """Who wins how much of a pot on this board; a pot that is not divided is won on the first."""
        parts = [(part.winners, part.shares) for part in pot.parts if part.board == board]
        if not pot.parts and board == 0:
            parts = [(pot.winners, pot.shares)]
        return [one for part in parts for one in zip(*part, strict=True) if one[1]]

    def _summary(self, event: events.HandEnded) -> None:
        total = sum(pot.amount for pot in event.pots)
        parts = ""
        if len(event.pots) > 1:
            names = [_pot_name(number, len(event.pots)).capitalize() for number in range(len(event.pots))]
            parts = "".join(f" {name} {self._chips(pot.amount)}." for name, pot in zip(names, event.pots, strict=True))
        self._out += ["*** SUMMARY ***", f"Total pot {self._chips(total)}{parts} | Rake {self._chips(0)}"]
        if self._runs > 1:
            self._out.append(f"Hand was run {_TIMES[self._runs]}")
        self._out += [
            f"{self._which(number)}Board {_cards(board)}" for number, board in enumerate(self._boards) if board
        ]
        for seat in sorted(self._opening.stacks):
            self._out.append(f"Seat {seat + 1}: {self._names[seat]}{self._position(seat)} {self._fate(event, seat)}")

    def _chips(self, chips: int) -> str:
        return f"{self._sign}{chips}"

    def _position(self, seat: Seat) -> str:
        opening = self._opening
        if seat == opening.button:
            return " (button)"
        return " (small blind)" if seat == opening.small_blind else " (big blind)" if seat == opening.big_blind else ""

    def _fate(self, event: events.HandEnded, seat: Seat) -> str:
        won = event.payouts.get(seat, 0)
        if seat in self._folded:
            return f"folded {self._folded[seat]}"
        if seat in self._shown:
            return f"showed {_cards(self._shown[seat].cards)} and {self._outcomes(event, seat)}"
        return f"collected ({self._chips(won)})" if won else "mucked"

    def _outcomes(self, event: events.HandEnded, seat: Seat) -> str:
        """What a shown hand won on each board."""
        found = []
        for board in range(len(self._boards)):
            shares = (share for pot in event.pots for winner, share in self._won(pot, board) if winner == seat)
            won = sum(shares)
            found.append(
                f"{f'won ({self._chips(won)})' if won else 'lost'} with {self._worth(self._shown[seat], board)}"
            )
        return ", and ".join(found)


def _for_money(settings: Mapping[str, Any]) -> bool:
    """Whether it is a cash game, in which chips can be bought, and not played until they are gone."""
    over_when_gone = settings.get("freeze_out") or settings.get("levels") or settings.get("absent") == "blind_out"
    return bool(settings.get("rebuy", True)) or not over_when_gone


def _worth(variant: str, shown: events.Shown, board: Sequence[str], *, known: bool) -> str:
    """What a shown hand is worth. The event knows it of a single board, but for hands that were turned over before the
    last card: these are named by the board as it came."""
    if known and shown.name is not None:
        high, low = shown.name, None if shown.low is None else shown.low.partition(":")[2]
    else:
        cards = [*shown.cards, *board]
        if HOLE_CARDS[variant] > 2:
            _, five = evaluate_omaha(shown.cards, board)
        else:
            _, five = evaluate_short_deck(cards) if variant == "short-deck" else evaluate(cards)
        high = hand_name(five)
        low = _low(shown.cards, board) if variant in HILO else None
    return high if low is None else f"HI: {high}; LO: {','.join(low)}"


def _low(hole: Sequence[str], board: Sequence[str]) -> str | None:
    """The ranks of the best low hand, where it is eight or better."""
    _, five = evaluate_omaha(hole, board, low=True)
    ranks = sorted({_LOW_FIRST.index("23456789TJQKA"[card // 4]) for card in five}, reverse=True)
    return (
        "".join(_LOW_FIRST[rank] for rank in ranks) if len(ranks) == 5 and ranks[0] <= _LOW_FIRST.index("8") else None
    )


def _pot_name(number: int, pots: int) -> str:
    if pots == 1:
        return "pot"
    if number == 0:
        return "main pot"
    return "side pot" if pots == 2 else f"side pot-{number}"


def _cards(cards: Sequence[str]) -> str:
    return f"[{' '.join(cards)}]"
