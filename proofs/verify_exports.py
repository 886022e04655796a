"""Every hand that a hold'em table plays is exported in each notation, read by others, and replayed to its own stacks.

    python -m proofs.verify_exports --hands 10000

PHH is read by pokerkit; Open Hand History is held to its published specification, PokerStars text is read by the
patterns of pokerkit's parser, and both are played again by pokerkit (`retelling.py`). pokerkit's PokerStars parser also
reads the whole text by itself wherever it knows the game: no-limit hold'em without antes, dead blinds and equal
blinds of two players.

People come, go, return, sit out, time out, rebuy and play at random, in every variant and limit. pokerkit reads a file
as it is where the format has a code for the game (NT, FT, NS, PO); for the other games its State is built by hand from
the file. Where pokerkit plays by another rule than the table, the hand is counted under the letter of
`verify_engine.py`, and replayed with pokerkit's limits of a raise taken away: turns, chips and pots are still its own.

B  the big blind is short, or in pot-limit the small blind is dead: the price and the pot count it as full
D  odd chips of a pot that three or more share
E  a raise after short all-ins that together make a full raise
F  fixed limit: an all-in that is no whole bet
G  fixed limit: more than four bets between two players
H  hi-lo: pokerkit halves a side pot that nobody has a low for, where somebody has one for another pot
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import time
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any

import pokerkit
from pokerkit import Automation, BettingStructure, Mode, Opening, State, Street

from parlour.games.contract import Round
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.settings import DECK_SIZE, HOLE_CARDS
from proofs import retelling
from proofs.verify_table import HANDS_PER_TABLE, Evening

VARIANTS = ("holdem", "omaha", "omaha5", "omaha6", "omaha-hilo", "omaha5-hilo", "short-deck")
LIMITS = {
    "no-limit": BettingStructure.NO_LIMIT,
    "pot-limit": BettingStructure.POT_LIMIT,
    "fixed-limit": BettingStructure.FIXED_LIMIT,
}
HILO = (pokerkit.OmahaHoldemHand, pokerkit.OmahaEightOrBetterLowHand)
HAND_TYPES = {
    "holdem": (pokerkit.StandardHighHand,),
    "short-deck": (pokerkit.ShortDeckHoldemHand,),
    "omaha-hilo": HILO,
    "omaha5-hilo": HILO,
}
BY_HAND = (
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.RUNOUT_COUNT_SELECTION,
)
AUTOMATIONS = tuple(automation for automation in Automation if automation not in BY_HAND)


class AnyRaise(State):  # type: ignore[misc]  # pokerkit's class is a dataclass without types for subclasses
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
        HAND_TYPES.get(variant, (pokerkit.OmahaHoldemHand,)),
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
    if fields["variant"] in pokerkit.HandHistory.game_types and not {"_boards", "_runs"} & fields.keys():
        *_, state = pokerkit.HandHistory.loads(text)
        return finished(state)
    return replayed(fields, State)


def odd_chips(happened: Iterable[events.Event]) -> int:
    ended = next(event for event in happened if isinstance(event, events.HandEnded))
    parts = [part for pot in ended.pots for part in pot.parts]
    whole = [pot for pot in ended.pots if not pot.parts]
    return len(parts) + sum(part.amount % len(part.winners) for part in (*parts, *whole))


def reasons(happened: list[events.Event]) -> str:
    """The letters of the rules for which pokerkit may play this hand differently."""
    opening = next(event for event in happened if isinstance(event, events.HandStarted))
    fixed = opening.limit == "fixed-limit"
    blinds = {event.kind: event.amount for event in happened if isinstance(event, events.Posted)}
    found = set()
    if blinds.get("big_blind", 0) < opening.blinds[1]:
        found.add("B")
    if opening.limit == "pot-limit" and blinds.get("small_blind", 0) < opening.blinds[0]:
        found.add("B")
    price, raises, size, short = opening.blinds[1], 0, opening.blinds[1], 0
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


def check_retold(told: retelling.Told, fields: dict[str, Any], names: list[Any], happened: list[events.Event]) -> str:
    """Hold another notation of the same hand to the stacks; D where pokerkit has the odd chips elsewhere."""
    assert told.order == names, f"the players are {names}, the file has {told.order}"
    expected = dict(zip(names, fields["finishing_stacks"], strict=True))
    assert told.finished == expected, f"stacks {expected}, the file comes to {told.finished}"
    seats = list(next(event for event in happened if isinstance(event, events.HandStarted)).stacks)
    shown = {names[seats.index(event.seat)] for event in happened if isinstance(event, events.Shown)}
    stacks = retelling.replayed(told, retold_state(told, fields), shown, fields.get("_runs", 1))
    moved = sum(abs(stacks[name] - chips) for name, chips in expected.items()) // 2
    return where_chips_differ(moved, happened, f"stacks {expected}, pokerkit {stacks}")


def where_chips_differ(moved: int, happened: list[events.Event], what: str) -> str:
    """The letter for so many chips that pokerkit has elsewhere; an AssertionError where there is none."""
    if moved <= odd_chips(happened):
        return "D" * (moved > 0)
    ended = next(event for event in happened if isinstance(event, events.HandEnded))
    lows = [any(part.side == "low" for part in pot.parts) for pot in ended.pots]
    if any(lows) and moved <= sum(pot.amount for pot, low in zip(ended.pots, lows, strict=True) if not low) // 2:
        return "H"
    raise AssertionError(what)


def retold_state(told: retelling.Told, fields: dict[str, Any]) -> State:
    """pokerkit's state with the stacks and posts of the file, and the game of the hand."""
    antes = [told.dead[player] for player in told.order]
    blinds = [told.live[player] * (1 if player in told.in_turn else -1) for player in told.order]
    if len(blinds) == 2:
        if blinds[0] == blinds[1]:  # readers begin behind the later of two equal blinds
            blinds[1] = -blinds[1]
        antes.reverse()
        blinds.reverse()
    posts = {
        "antes": fields["antes"] if fields["ante_trimming_status"] else antes,
        "blinds_or_straddles": blinds,
        "starting_stacks": [told.stacks[player] for player in told.order],
    }
    return state_of(fields | posts, AnyRaise)


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
    by_seat = dict(zip(history.seats, finished(state), strict=True))
    if by_seat != dict(zip(fields["seats"], fields["finishing_stacks"], strict=True)):
        raise ValueError(f"pokerkit's parser comes to {by_seat}")
    return True


class Exported(Evening):
    """An evening of people who leave often, after whose hands the exports are read."""

    habits = (0.72, 0.82, 0.87, 0.93)

    def __init__(self, seed: int, variant: str, limit: str) -> None:
        self.variant, self.limit = variant, limit
        self.read: Counter[str] = Counter()
        self._seen = 0
        super().__init__(seed)

    def _settings(self) -> dict[str, Any]:
        self.seats = min(self.seats, 7 if self.variant == "omaha6" else 9)
        extras = self._extras()
        return {
            **super()._settings(),
            "seats": self.seats,
            "variant": self.variant,
            "limit": self.limit,
            "ante_first": self.dice.random() < 0.5,
            "raise_cap": self.dice.choice([3, 3, 4, 0]),
            **extras,
        }

    def _extras(self) -> dict[str, Any]:
        """What a host may choose besides; at most tables a little of it."""
        dice = self.dice
        button_blind = dice.random() < 0.15
        extras = {
            "button_blind": button_blind,
            "straddle": "off" if button_blind else dice.choice(["off", "off", "utg", "button"]),
            "bomb_ante": (bomb := dice.choice([0, 0, 1, 3])),
            "bomb_every": dice.choice([0, 3]) if bomb else 0,
            "double_board": dice.choice(["never", "never", "bombs", "always"]),
            "run_it": dice.choice([1, 2, 3]),
            "rabbit": dice.random() < 0.2,
            "seven_deuce": dice.choice([0, 0, 5]) if self.variant == "holdem" else 0,
        }
        if extras["double_board"] != "never":
            most = (DECK_SIZE[self.variant] - 10) // HOLE_CARDS[self.variant]
            self.seats = min(self.seats, most)
        return extras

    def _act(self) -> None:
        table = self.table
        for seat in table.game.actors(table.state):
            if table.game.legal(table.state, seat) is None:  # how often the board is dealt
                most = table.public["run"]["most"]
                self._count(table.act(seat, "run", times=self.dice.choice([1, *range(2, most + 1), most])))
                return
        super()._act()

    def _ask(self) -> None:
        seat = self.dice.randrange(self.seats)
        words = self.table.game.options(self.table.state, seat) if self.state.record.players[seat] else []
        word = self.dice.choice([word for word in words if word != "run"] or [""])
        if word:
            self._count(self.table.act(seat, word))

    def _check(self) -> None:
        public = self.table.public
        assert sum(player["stack"] for player in public["players"]) + public["pot"] == self.brought, "chips"
        log = self.table.log
        for event in [event for _, event in log[self._seen :] if isinstance(event, events.HandEnded)]:
            reader = self.dice.choice([(), (), (self.dice.randrange(self.seats),)])
            played = self.table.played(event.hand, None, *reader)
            text = self.table.game.export("phh", played)
            try:
                letters = check(text, self.table.played(event.hand))
            except Exception as fault:
                raise AssertionError(f"{type(fault).__name__} {fault}\n{text}") from fault
            self.read["hands"] += 1
            gone = any(isinstance(other, events.CashedOut | events.Leaving) for _, other in played.events)
            self.read["with somebody leaving"] += gone
            opening = next(one for _, one in played.events if isinstance(one, events.HandStarted))
            self.read["run several times"] += "_runs" in text
            self.read["on two boards"] += opening.boards > 1
            self.read["bomb pots"] += opening.bomb > 0
            self.read["straddled"] += opening.straddle > 0
            self.read["with a blind of the button"] += opening.button_blind
            stock = tomllib.loads(text)["variant"] in pokerkit.HandHistory.game_types
            self.read["with a code of the format"] += stock
            self.read["replayed by pokerkit's own rules"] += not letters.strip("DH")
            for letter in letters:
                self.read[letter] += 1
            self._check_others(event.hand, played, tomllib.loads(text), letters)
        self._seen = len(log)

    def _check_others(self, hand: int, played: Round, fields: dict[str, Any], letters: str) -> None:
        """The same hand as Open Hand History and as PokerStars text."""
        game, happened = self.table.game, [event for _, event in self.table.played(hand).events]
        seats = [seat - 1 for seat in fields["seats"]]
        text = game.export("ohh", played)
        try:
            self.read["D in OHH"] += bool(check_retold(retelling.from_ohh(text), fields, seats, happened))
            text = game.export("txt", played)
            names = [f"Player {seat + 1}" for seat in seats]
            self.read["D in text"] += bool(check_retold(retelling.from_pokerstars(text), fields, names, happened))
            try:
                self.read["read by pokerkit's own PokerStars parser"] += read_by_parser(text, fields)
            except (ValueError, KeyError):
                if not reasons(happened) and not odd_chips(happened):
                    raise
        except Exception as fault:
            raise AssertionError(f"{type(fault).__name__} {fault}\n{text}") from fault


def verify_game(hands: int, seed: int, game: tuple[str, str]) -> Counter[str]:
    """So many hands of one game and limit, or what is wrong with one of them."""
    warnings.simplefilter("ignore")  # pokerkit warns about unusual but legal play
    variant, limit = game
    seed += 100_000 * (VARIANTS.index(variant) * len(LIMITS) + list(LIMITS).index(limit))
    total: Counter[str] = Counter()
    while total["hands"] < hands:
        evening = Exported(seed, variant, limit)
        try:
            evening.play(min(HANDS_PER_TABLE, hands - total["hands"] + 1))  # the last one is not over
        except Exception as fault:
            raise SystemExit(f"seed {seed}, {limit} {variant}: {type(fault).__name__}: {fault}") from fault
        total += evening.read
        seed += 1
    return total


def verify(hands: int, seed: int, jobs: int = 1) -> Counter[str]:
    games = list(itertools.product(VARIANTS, LIMITS))
    each = partial(verify_game, -(-hands // len(games)), seed)
    if jobs == 1:
        return sum(map(each, games), Counter[str]())
    with multiprocessing.Pool(jobs) as pool:
        return sum(pool.imap_unordered(each, games), Counter[str]())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many processes share the work")
    options = parser.parse_args()
    began = time.perf_counter()
    total = verify(options.hands, options.seed, options.jobs)
    for what, count in total.items():
        print(f"{what:34} {count:,}")
    print(f"{total['hands']:,} hands in {time.perf_counter() - began:.0f} s: every file replays to its own stacks")


if __name__ == "__main__":
    main()
