"""Files in the Poker Hand History format, read by pokerkit, and PokerStars text by pokerkit's own parser.

pokerkit reads a file as it is where the format has a code for the game; for the other games, for two boards and for
several runs its State is built by hand from the file. Where pokerkit plays by another rule than the table, the hand is
counted under the letter of `verify_engine.py`, and replayed with pokerkit's limits of a raise taken away: turns, chips
and pots are still its own.

B  the big blind is short, or in pot-limit the small blind is dead: the price and the pot count it as full
D  odd chips of a pot that three or more share
E  a raise after short all-ins that together make a full raise
F  fixed limit: an all-in that is no whole bet
G  fixed limit: more than four bets between two players
H  hi-lo: pokerkit halves a side pot that nobody has a low for, where somebody has one for another pot
"""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Iterable
from typing import Any

import pokerkit
from pokerkit import Automation, BettingStructure, Mode, Opening, State, Street

from parlour.games.contract import Event, Round
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.settings import HOLE_CARDS
from proofs.verify_engine import remembered

LIMITS = {
    "no-limit": BettingStructure.NO_LIMIT,
    "pot-limit": BettingStructure.POT_LIMIT,
    "fixed-limit": BettingStructure.FIXED_LIMIT,
}
OMAHA = remembered(pokerkit.OmahaHoldemHand)
HILO = (OMAHA, remembered(pokerkit.OmahaEightOrBetterLowHand))
HAND_TYPES = {
    "holdem": (remembered(pokerkit.StandardHighHand),),
    "short-deck": (remembered(pokerkit.ShortDeckHoldemHand),),
    "omaha-hilo": HILO,
    "omaha5-hilo": HILO,
}
for code, game in (("NT", "holdem"), ("FT", "holdem"), ("NS", "short-deck"), ("PO", "omaha"), ("FO/8", "omaha-hilo")):
    stock = pokerkit.HandHistory.game_types[code]
    quick = type(stock.__name__, (stock,), {"hand_types": HAND_TYPES.get(game, (OMAHA,))})  # the same, with a memory
    pokerkit.HandHistory.game_types[code] = quick
    pokerkit.HandHistory.variants[quick] = code
BY_HAND = (
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.RUNOUT_COUNT_SELECTION,
)
AUTOMATIONS = tuple(automation for automation in Automation if automation not in BY_HAND)


class AnyRaise(State):
    """pokerkit's state for which every raise is right: what is left of it are turns, chips, pots and cards."""

    def _verify_completion_betting_or_raising(self) -> None:
        if not self.actor_indices:
            raise ValueError("nobody is to act")

    def verify_completion_betting_or_raising_to(self, amount: int | None = None) -> int:
        self._verify_completion_betting_or_raising()
        assert amount is not None
        return amount


def state_of(fields: dict[str, Any], kind: type[State]) -> State:
    """pokerkit's state, built by hand from what the file says."""
    variant, limit = fields["_game"], fields["_limit"]
    fixed = limit == "fixed-limit"
    small, big = (fields["small_bet"], fields["big_bet"]) if fixed else (fields["min_bet"], fields["min_bet"])

    def street(holes: int, board: int, bet: int) -> Street:
        return Street(False, (False,) * holes, board, False, Opening.POSITION, bet, 4 if fixed else None)

    return kind(
        AUTOMATIONS,
        pokerkit.Deck.SHORT_DECK_HOLDEM if variant == "short-deck" else pokerkit.Deck.STANDARD,
        HAND_TYPES.get(variant, (OMAHA,)),
        (street(HOLE_CARDS[variant], 0, small), street(0, 3, small), street(0, 1, big), street(0, 1, big)),
        LIMITS[limit],
        fields["ante_trimming_status"],
        fields["antes"],
        fields["blinds_or_straddles"],
        0,
        fields["starting_stacks"],
        len(fields["starting_stacks"]),
        mode=Mode.CASH_GAME,
        starting_board_count=fields.get("_boards", 1),
    )


def replayed(fields: dict[str, Any], kind: type[State]) -> list[int]:
    state = state_of(fields, kind)
    for action in fields["actions"]:
        if action.startswith("d db"):
            select_runs(state, fields)
        pokerkit.notation.parse_action(state, action)
    select_runs(state, fields)
    return finished(state)


def select_runs(state: State, fields: dict[str, Any]) -> None:
    """The format has no word for how often the board is dealt."""
    while state.can_select_runout_count():
        state.select_runout_count(fields.get("_runs", 1))


def finished(state: State) -> list[int]:
    if state.status:
        raise ValueError("the hand is not over")
    return list(state.stacks)


def read(text: str, fields: dict[str, Any]) -> list[int]:
    """The stacks to which pokerkit comes by its own rules."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pokerkit warns about unusual but legal play, such as a fold for nothing
        if fields["variant"] in pokerkit.HandHistory.game_types and not {"_boards", "_runs"} & fields.keys():
            *_, state = pokerkit.HandHistory.loads(text)
            return finished(state)
        return replayed(fields, State)


def odd_chips(happened: Iterable[Event]) -> int:
    ended = next(event for event in happened if isinstance(event, events.HandEnded))
    parts = [part for pot in ended.pots for part in pot.parts]
    whole = [pot for pot in ended.pots if not pot.parts]
    odd = sum(part.amount % len(part.winners) for part in parts) + sum(pot.amount % len(pot.winners) for pot in whole)
    return len(parts) + odd


def reasons(happened: list[Event]) -> str:
    """The letters of the rules for which pokerkit may play this hand differently."""
    opening = next(event for event in happened if isinstance(event, events.HandStarted))
    fixed = opening.limit == "fixed-limit"
    blinds: dict[str, int] = {event.kind: event.amount for event in happened if isinstance(event, events.Posted)}
    found = set()
    if not opening.bomb:
        due = {"button_blind": opening.blinds[1]} if opening.button_blind else {"big_blind": opening.blinds[1]}
        if opening.limit == "pot-limit" and not opening.button_blind:
            due["small_blind"] = opening.blinds[0]
        if any(blinds.get(kind, 0) < amount for kind, amount in due.items()):
            found.add("B")
    price = size = opening.straddle or opening.blinds[1]
    raises = short = 0
    for event in happened:
        if isinstance(event, events.StreetDealt):
            size = opening.blinds[1] * (2 if fixed and event.street in ("turn", "river") else 1)
            price = raises = short = 0
        if isinstance(event, events.Acted) and event.action in ("bet", "raise"):
            raises += 1
            added = event.total - price
            if fixed and event.total % size:
                found.add("F")
            if fixed and raises > 4:
                found.add("G")
            short = short + 1 if added < size and event.all_in else 0
            if short >= 2:
                found.add("E")
            price, size = event.total, size if fixed else max(size, added)
    return "".join(sorted(found))


def check(text: str, played: Round) -> str:
    """How pokerkit reads the file: nothing where by its own rules, else the letters that say why not."""
    fields = tomllib.loads(text)
    happened = [event for _, event in played.events]
    try:
        stacks = read(text, fields)
        letters = ""
    except (ValueError, AssertionError):
        stacks, letters = [], reasons(happened)
        if not letters:
            raise
    if stacks != fields["finishing_stacks"] and "B" in reasons(happened):
        letters = letters or "B"
    if letters:
        stacks = replayed(fields, AnyRaise)
    expected = fields["finishing_stacks"]
    moved = sum(abs(here - there) for here, there in zip(expected, stacks, strict=True)) // 2
    return letters + where_chips_differ(moved, happened, f"stacks {expected}, pokerkit {stacks}")


def where_chips_differ(moved: int, happened: list[Event], what: str) -> str:
    """The letter for so many chips that pokerkit has elsewhere; an AssertionError where there is none."""
    if moved <= odd_chips(happened):
        return "D" * (moved > 0)
    if moved <= odd_chips(happened) + _halved(happened):
        return "H"
    raise AssertionError(what)


def _halved(happened: list[Event]) -> int:
    """The chips that lie elsewhere where pots are halved that nobody has a low for, since another pot has one."""
    ended = next(event for event in happened if isinstance(event, events.HandEnded))
    chips = 0
    for board in {part.board for pot in ended.pots for part in pot.parts}:
        parts = [[part for part in pot.parts if part.board == board] for pot in ended.pots]
        lows = [any(part.side == "low" for part in here) for here in parts]
        if any(lows):
            amounts = [sum(part.amount for part in here) for here in parts]
            whole = [0 if pot.parts else pot.amount for pot in ended.pots]
            chips += sum(max(amounts[at], whole[at]) for at, low in enumerate(lows) if not low) // 2
    return chips


def read_by_parser(text: str, fields: dict[str, Any]) -> bool:
    """Whether pokerkit's own PokerStars parser knows the game; then it must come to the stacks of the file."""
    extras = ("posts dead", "posts straddle", "posts button", "FIRST")
    plain = not any(fields["antes"]) and not any(words in text for words in extras)
    if len(fields["seats"]) == 2 and len(set(map(abs, fields["blinds_or_straddles"]))) == 1:
        plain = False  # of two equal blinds it lets the wrong one begin
    if fields["variant"] != "NT" or not plain:
        return False
    histories = list(pokerkit.HandHistory.from_pokerstars(text, error_status=True))
    (history,) = histories
    *_, state = history
    by_seat = dict(zip(history.seats or (), finished(state), strict=True))
    if by_seat != dict(zip(fields["seats"], fields["finishing_stacks"], strict=True)):
        raise ValueError(f"pokerkit's parser comes to {by_seat}")
    return True
