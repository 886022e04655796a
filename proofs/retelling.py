"""Hands as Open Hand History and as PokerStars text, read line by line and played again by the plain referee.

Open Hand History is held to its published specification (`ohh.schema.json`). The lines of a PokerStars text are found
by the patterns of pokerkit's own parser where it has one; it knows neither antes and dead blinds nor several boards, so
these have patterns here. What is read is played again by `tests/referee`, which is told nothing but what the file
says: it has to ask the same players in the same order for the same chips, and to come to the stacks of the file.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema_rs
from pokerkit.notation import PokerStarsParser
from tests.referee import pots, ranks
from tests.referee.betting import FLOP, Betting, Terms

_schema = jsonschema_rs.validator_for(json.loads((Path(__file__).parent / "ohh.schema.json").read_text("utf-8")))

POSTED = re.compile(
    r"^(?P<player>.+): posts (?P<kind>the ante|dead blind|small blind|big blind|straddle|button blind) "
    r"\$?(?P<amount>\d+)"
)
CALLED = re.compile(r"calls \$?(?P<amount>\d+)")
RAISED = re.compile(r"raises \$?\d+ to \$?(?P<total>\d+)|bets \$?(?P<bet>\d+)")
RETURNED = re.compile(r"^Uncalled bet \(\$?(?P<amount>\d+)\) returned to (?P<player>.+)$")
COLLECTED = re.compile(r"^(?P<player>.+) collected \$?(?P<amount>\d+) from ")
GAME = re.compile(
    r"^PokerStars Hand #\d+:  (?P<game>.+?) (?P<limit>No Limit|Pot Limit|Limit) \(\$?(?P<low>\d+)/\$?(?P<high>\d+)\) - "
)
BOARD = re.compile(
    r"^\*\*\* ((?P<which>FIRST|SECOND|THIRD) )?(?P<street>FLOP|TURN|RIVER) \*\*\*(?: \[(?P<lies>[^\]]+)\])?"
    r" \[(?P<cards>[^\]]+)\]$"
)
GAMES = {
    "Hold'em": "holdem",
    "6+ Hold'em": "short-deck",
    "Omaha": "omaha",
    "5 Card Omaha": "omaha5",
    "6 Card Omaha": "omaha6",
    "Omaha Hi/Lo": "omaha-hilo",
    "5 Card Omaha Hi/Lo": "omaha5-hilo",
}
LIMITS = {
    "No Limit": "no-limit",
    "NL": "no-limit",
    "Pot Limit": "pot-limit",
    "PL": "pot-limit",
    "Limit": "fixed-limit",
    "FL": "fixed-limit",
}
STREETS = ("Preflop", "Flop", "Turn", "River")
LIES_BEFORE = {"Flop": 0, "Turn": 3, "River": 4}

Seat = int
"""Players are known by the numbers of their seats, from 1 on."""


@dataclass
class Told:
    """What a file says of a hand."""

    variant: str
    limit: str
    small_blind: int
    big_blind: int
    button: Seat
    stacks: dict[Seat, int]
    """From the left of the button."""
    posts: list[tuple[Seat, str, int]] = field(default_factory=list)
    """Who posted what: `ante`, `dead`, `small`, `big`, `post` or `straddle`."""
    hole: dict[Seat, list[str]] = field(default_factory=dict)
    deeds: list[tuple[str, Seat, int]] = field(default_factory=list)
    """`fold`, or `chips` with those that were added; `street` with its number, before what is done there."""
    boards: list[list[str]] = field(default_factory=lambda: [[]])
    adjusted: dict[Seat, int] = field(default_factory=dict)
    """What was paid beside the pots."""
    finished: dict[Seat, int] = field(default_factory=dict)
    """The stacks at the end, by the file's own account of chips."""

    def post(self, seat: Seat, kind: str, amount: int) -> None:
        self.posts.append((seat, kind, amount))

    def open_street(self, number: int) -> None:
        """Several boards of one street lie there before anybody acts, and runs come after the last decision."""
        opened = [at for kind, _, at in self.deeds if kind == "street"]
        if not opened or number > opened[-1]:
            self.deeds.append(("street", 0, number))


def _from_the_left(stacks: dict[Seat, int], button: Seat) -> dict[Seat, int]:
    return dict(sorted(stacks.items(), key=lambda of: (of[0] - button - 1) % 100))


# Open Hand History


def from_ohh(text: str) -> Told:
    """A hand of Open Hand History. An exception where it is not as the specification wants it."""
    document = json.loads(text)
    _schema.validate(document)
    hand = document["ohh"]
    seats = {player["id"]: player["seat"] for player in hand["players"]}
    stacks = {player["seat"]: player["starting_stack"] for player in hand["players"]}
    told = Told(
        variant=hand["_variant"],
        limit=LIMITS[hand["bet_limit"]["bet_type"]],
        small_blind=hand["small_blind_amount"],
        big_blind=hand["big_blind_amount"],
        button=hand["dealer_seat"],
        stacks=_from_the_left(stacks, hand["dealer_seat"]),
    )
    told.boards = _boards_of(hand["rounds"])
    left, put_in, street = dict(stacks), 0, dict.fromkeys(stacks, 0)
    for number, step in enumerate(hand["rounds"]):
        assert step["id"] == number
        if step["street"] in STREETS[1:]:
            told.open_street(STREETS.index(step["street"]))
            if step["actions"]:
                street = dict.fromkeys(stacks, 0)
        for action in step["actions"]:
            seat, amount = seats[action["player_id"]], action.get("amount", 0)
            if action["action"] == "Player Adjustment":  # a bounty, beside the pots
                told.adjusted[seat] = told.adjusted.get(seat, 0) + amount
                continue
            left[seat] -= amount
            put_in += amount
            if _ohh_action(told, seat, action) == "live":
                street[seat] += amount
    won = sum(pot["amount"] for pot in hand["pots"])
    if put_in > won:  # nobody called the highest bet of the last street that had any, or all of an ante
        last = street if any(street.values()) else _paid(told, "ante")
        left[max(last, key=last.__getitem__)] += put_in - won
    for pot in hand["pots"]:
        assert pot["amount"] == sum(win["win_amount"] for win in pot["player_wins"])
        for win in pot["player_wins"]:
            left[seats[win["player_id"]]] += win["win_amount"]
    told.finished = left
    return told


def _ohh_action(told: Told, seat: Seat, action: dict[str, Any]) -> str:
    """Take down one action; `live` where its chips are a bet of the street."""
    kinds = {
        "Post Ante": "ante",
        "Post Dead": "dead",
        "Post SB": "small",
        "Post BB": "big",
        "Post Extra Blind": "post",
        "Straddle": "straddle",
    }
    what = action["action"]
    if "cards" in action:
        told.hole[seat] = action["cards"]
    if what in kinds:
        told.post(seat, kinds[what], action["amount"])
        return "dead" if kinds[what] in ("ante", "dead") else "live"
    if what in ("Fold", "Check", "Call", "Bet", "Raise"):
        told.deeds.append(("fold" if what == "Fold" else "chips", seat, action.get("amount", 0)))
        return "live"
    return ""


def _boards_of(rounds: list[dict[str, Any]]) -> list[list[str]]:
    """Two boards are dealt street by street, runs one after another from where the first one began."""
    dealt = [(step["street"], step["cards"]) for step in rounds if step.get("cards")]
    streets = [street for street, _ in dealt]
    if streets[:2] == ["Flop", "Flop"]:
        return [[card for _, cards in dealt[board::2] for card in cards] for board in range(2)]
    boards: list[list[str]] = [[]]
    for street, cards in dealt:
        if len(boards[-1]) > LIES_BEFORE[street]:
            boards.append(boards[0][: LIES_BEFORE[street]])
        boards[-1] = [*boards[-1], *cards]
    return boards


# PokerStars text


def from_pokerstars(text: str) -> Told:
    """A hand of PokerStars text."""
    parser = PokerStarsParser
    lines = text.split("*** SUMMARY ***")[0].splitlines()
    game = GAME.match(lines[0])
    assert game is not None, lines[0]
    seats, stacks = {}, {}
    for line in lines:
        if match := parser.STARTING_STACKS.search(line):
            seats[match["player"]] = int(_found(parser.SEATS, line)["seat"])
            stacks[seats[match["player"]]] = int(match["starting_stack"])
    button, limit = int(_found(parser.FINAL_SEAT, text)["final_seat"]), LIMITS[game["limit"]]
    low, high = int(game["low"]), int(game["high"])
    told = Told(
        variant=GAMES[game["game"]],
        limit=limit,
        small_blind=0 if limit == "fixed-limit" else low,  # the stakes of fixed limit are its bets
        big_blind=low if limit == "fixed-limit" else high,
        button=button,
        stacks=_from_the_left(stacks, button),
    )
    _Lines(told, seats).read(lines)
    return told


def _found(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.search(text)
    assert match is not None, text
    return match


class _Lines:
    """Reads the lines of a PokerStars text after those of the seats."""

    def __init__(self, told: Told, seats: dict[str, Seat]) -> None:
        self.told = told
        self.seats = seats
        self.left = dict(told.stacks)
        self.bets = dict.fromkeys(told.stacks, 0)
        self.button_blind = False

    def read(self, lines: list[str]) -> None:
        self.button_blind = any(": posts button blind " in line for line in lines)
        for line in lines:
            self._line(line)
        self.told.finished = self.left

    def _line(self, line: str) -> None:
        told, parser = self.told, PokerStarsParser
        if match := POSTED.match(line):
            self._post(self.seats[match["player"]], match["kind"], int(match["amount"]))
        elif match := BOARD.match(line):
            self._board(match)
        elif match := parser.FOLDING.search(line):
            told.deeds.append(("fold", self.seats[match["player"]], 0))
        elif match := parser.CHECKING_OR_CALLING.search(line):
            amount = CALLED.search(line)
            self._add(self.seats[match["player"]], int(amount["amount"]) if amount else 0)
        elif match := parser.COMPLETION_BETTING_OR_RAISING.search(line):
            raised = RAISED.search(line)
            assert raised is not None
            seat = self.seats[match["player"]]
            self._add(seat, int(raised["total"] or raised["bet"]) - self.bets[seat])
        elif match := parser.HOLE_DEALING.search(line) or parser.HOLE_CARDS_SHOWING.search(line):
            told.hole[self.seats[match["player"]]] = match["cards"].split()
        elif match := RETURNED.match(line) or COLLECTED.match(line):
            self.left[self.seats[match["player"]]] += int(match["amount"])

    def _post(self, seat: Seat, words: str, amount: int) -> None:
        kinds = {
            "the ante": "ante",
            "dead blind": "dead",
            "small blind": "small",
            "straddle": "straddle",
            "button blind": "big",
        }
        kind = kinds.get(words, "big")
        if words == "big blind" and (self.button_blind or any(posted == "big" for _, posted, _ in self.told.posts)):
            kind = "post"  # a newcomer's: the blind itself comes first
        self.told.post(seat, kind, amount)
        self.left[seat] -= amount
        if kind not in ("ante", "dead"):
            self.bets[seat] += amount

    def _add(self, seat: Seat, amount: int) -> None:
        self.told.deeds.append(("chips", seat, amount))
        self.left[seat] -= amount
        self.bets[seat] += amount

    def _board(self, match: re.Match[str]) -> None:
        told = self.told
        number = 0 if match["which"] is None else ("FIRST", "SECOND", "THIRD").index(match["which"])
        lies = (match["lies"] or "").split()
        while len(told.boards) <= number:
            told.boards.append(told.boards[0][: len(lies)])
        assert told.boards[number] == lies, "a street begins with other cards than those that lie there"
        told.boards[number] += match["cards"].split()
        told.open_street(STREETS.index(match["street"].capitalize()))
        self.bets = dict.fromkeys(self.bets, 0)


# Playing it again


def replayed(told: Told) -> dict[Seat, int]:
    """The stacks to which the rules come with what the file says. An AssertionError or `Refused` where they cannot."""
    betting = _opened(told)
    for kind, seat, amount in told.deeds:
        if kind == "street":
            assert betting.actor is None or (betting.street, amount) == (FLOP, FLOP), "somebody has yet to act"
            assert len(betting.alive) > 1, "cards are dealt after all but one have folded"
            if not betting.over and amount > betting.street:
                betting.next_street()
            continue
        assert seat == betting.actor, f"seat {seat} acts in the file, seat {betting.actor} by the rules"
        if kind == "fold":
            betting.fold()
        elif amount == betting.choice().call:
            betting.check_or_call()
        else:
            betting.raise_to(betting.bets[seat] + amount)
    assert betting.over, "the hand is not over"
    return _paid_out(told, betting)


def _opened(told: Told) -> Betting:
    """The hand after the posts."""
    by_kind = {kind: seat for seat, kind, _ in told.posts}
    live = any(kind in by_kind for kind in ("small", "big", "straddle"))
    button_blind = by_kind.get("big") == told.button
    terms = Terms(told.stacks, told.big_blind, told.limit, cap=0)
    if live or not _bomb(told):
        terms.last_blind = by_kind.get("straddle", by_kind.get("big", _before_the_first(told)))
        terms.blind_price = told.big_blind
        if straddler := by_kind.get("straddle"):
            terms.blind_price = sum(
                amount for seat, kind, amount in told.posts if seat == straddler and kind not in ("ante", "dead")
            )
            terms.counted = 2
        paid = sum(amount for _, kind, amount in told.posts if kind in ("small", "big"))
        terms.missing = told.big_blind + (0 if button_blind else told.small_blind) - paid
    else:
        terms.first_street = FLOP
    betting = Betting(terms)
    antes = _paid(told, "ante")
    for seat, kind, amount in told.posts:
        if kind == "ante":  # one ante for all is a dead one
            kind = "ante" if len(antes) == len(told.stacks) else "dead"
        elif kind != "dead":
            kind = "live"
        assert betting.post(seat, amount, kind) == amount, f"seat {seat} posts more than it has"
    betting.begin()
    return betting


def _paid(told: Told, kind: str) -> dict[Seat, int]:
    return {seat: amount for seat, posted, amount in told.posts if posted == kind}


def _bomb(told: Told) -> bool:
    """Whether everybody pays an ante, and the first decision is on the flop."""
    return told.deeds[:1] != [] and told.deeds[0][0] == "street" and len(_paid(told, "ante")) == len(told.stacks)


def _before_the_first(told: Told) -> Seat | None:
    """The seat of a big blind that had no chips left to post: right of whoever decides first."""
    order = list(told.stacks)
    first = next((seat for kind, seat, _ in told.deeds if kind != "street"), None)
    return None if first is None else order[order.index(first) - 1]


def _paid_out(told: Told, betting: Betting) -> dict[Seat, int]:
    """The stacks after the pots are paid to the best of the hands that the file tells: who mucks has lost."""
    stacks = dict(betting.stacks)
    back = pots.uncalled(betting.stakes, betting.alive)
    if back is not None:
        seat, chips = back
        betting.stakes[seat] -= chips
        stacks[seat] += chips
    hilo = told.variant.endswith("hilo")
    known = [seat for seat in betting.alive if len(told.hole.get(seat, [])) > 1]
    worths = []
    if len(betting.alive) > 1:
        assert all(len(board) == 5 for board in told.boards), "a showdown without the whole board"
        for cards in told.boards:
            board = ranks.cards(cards)
            holes = {seat: ranks.cards(told.hole[seat]) for seat in known}
            worths.append(
                {
                    seat: pots.Worth(
                        ranks.best_high(told.variant, hole, board),
                        ranks.best_low(told.variant, hole, board) if hilo else None,
                    )
                    for seat, hole in holes.items()
                }
            )
    for pot in pots.side_pots(betting.stakes, betting.alive, betting.dead):
        contesting = [seat for seat in pot.seats if seat in known] if len(pot.seats) > 1 else pot.seats
        for part in pots.award(pots.Pot(pot.amount, contesting), worths):
            for seat, chips in part.shares.items():
                stacks[seat] += chips
    return stacks
