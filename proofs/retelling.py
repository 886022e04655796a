"""Hands as Open Hand History and as PokerStars text, read by others' rules and played again by pokerkit.

Open Hand History is held to its published specification (`ohh.schema.json`). The lines of a PokerStars text are found
by the patterns of pokerkit's own parser; those know no antes and no dead blinds, so these have patterns here. Both tell
every chip that was put in, so pokerkit only has to keep turns, pots and cards: where its own price of a call is another
one (letter B of `verify_exports.py`), the hand goes by the chips that the file names.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema_rs
from pokerkit import State
from pokerkit.notation import PokerStarsParser

_schema = jsonschema_rs.validator_for(json.loads((Path(__file__).parent / "ohh.schema.json").read_text("utf-8")))

DEAD = re.compile(r"^(?P<player>.+): posts (the ante|dead blind) (?P<amount>\d+)")
LIVE = re.compile(r"^(?P<player>.+): posts (small blind|big blind|straddle|button blind) (?P<amount>\d+)")
CALLED = re.compile(r"calls (?P<amount>\d+)")
RAISED = re.compile(r"raises \d+ to (?P<total>\d+)|bets (?P<bet>\d+)")
RETURNED = re.compile(r"^Uncalled bet \((?P<amount>\d+)\) returned to (?P<player>.+)$")
COLLECTED = re.compile(r"^(?P<player>.+) collected (?P<amount>\d+) from ")
GAME = re.compile(r"^PokerStars Hand #\d+:  (?P<game>.+?) \((?P<low>\d+)/(?P<high>\d+)\) - ")
BOARD = re.compile(r"^\*\*\* ((FIRST|SECOND|THIRD) )?(FLOP|TURN|RIVER) \*\*\* .*\[(?P<cards>[^\[\]]+)\]$")

Deed = tuple[str, Any, Any]
"""`("board", cards, None)`, or a player with `fold` or the chips that were added."""


class Told(NamedTuple):
    """What a file says of a hand; players are whatever it calls them by."""

    order: list[Any]
    """From the left of the button."""
    stacks: dict[Any, int]
    dead: dict[Any, int]
    live: dict[Any, int]
    in_turn: set[Any]
    """Those whose live chips are a blind or straddle, behind which the betting begins."""
    hole: dict[Any, str]
    deeds: list[tuple[str, Any, Any]]
    finished: dict[Any, int]
    """The stacks at the end, by the file's own account of chips."""


def from_ohh(text: str) -> Told:
    """A hand of Open Hand History. An exception where it is not as the specification wants it."""
    document = json.loads(text)
    _schema.validate(document)
    hand = document["ohh"]
    stacks = {player["id"]: player["starting_stack"] for player in hand["players"]}
    seats = {player["id"]: player["seat"] for player in hand["players"]}
    left, dead, live = dict(stacks), dict.fromkeys(stacks, 0), dict.fromkeys(stacks, 0)
    in_turn, hole, deeds = set(), {}, list[Deed]()
    put_in, street = 0, dict.fromkeys(stacks, 0)
    rounds = hand["rounds"]
    for number, step in enumerate(rounds):
        assert step["id"] == number
        if step.get("cards") and step["actions"]:
            street = dict.fromkeys(stacks, 0)
        if step["street"] != rounds[number - 1]["street"]:  # boards of one street lie there before anybody acts
            for other in rounds[number:]:
                if other["street"] != step["street"]:
                    break
                if other.get("cards"):
                    deeds.append(("board", "".join(other["cards"]), None))
        for action in step["actions"]:
            player, what, amount = action["player_id"], action["action"], action.get("amount", 0)
            if what == "Player Adjustment":  # a bounty, beside the pots
                continue
            left[player] -= amount
            put_in += amount
            if "cards" in action:
                hole[player] = "".join(action["cards"])
            if what in ("Post Ante", "Post Dead"):
                dead[player] += amount
            elif what in ("Post SB", "Post BB", "Post Extra Blind", "Straddle"):
                live[player] += amount
                if what != "Post Extra Blind":
                    in_turn.add(player)
                street[player] += amount
            elif what in ("Fold", "Check", "Call", "Bet", "Raise"):
                deeds.append(("fold" if what == "Fold" else "chips", player, amount))
                street[player] += amount
    won = sum(pot["amount"] for pot in hand["pots"])
    if put_in > won:  # nobody called the highest bet of the last street that had any, or all of an ante
        last = street if any(street.values()) else dead
        left[max(last, key=last.__getitem__)] += put_in - won
    for pot in hand["pots"]:
        assert pot["amount"] == sum(win["win_amount"] for win in pot["player_wins"])
        for win in pot["player_wins"]:
            left[win["player_id"]] += win["win_amount"]
    order = _from_the_left(seats, hand["dealer_seat"])
    return Told(order, stacks, dead, live, in_turn, hole, deeds, left)


def from_pokerstars(text: str) -> Told:
    """A hand of PokerStars text."""
    parser = PokerStarsParser
    lines = text.split("*** SUMMARY ***")[0].splitlines()
    assert GAME.match(lines[0]), lines[0]
    seats, stacks = {}, {}
    for line in lines:
        if match := parser.STARTING_STACKS.search(line):
            stacks[match["player"]] = int(match["starting_stack"])
            seats[match["player"]] = int(parser.SEATS.search(line)["seat"])
    left, dead, live = dict(stacks), dict.fromkeys(stacks, 0), dict.fromkeys(stacks, 0)
    in_turn, hole, deeds = set[str](), {}, list[Deed]()
    bets, posted = dict.fromkeys(stacks, 0), dict.fromkeys(("small blind", "big blind"), 0)
    for line in lines:
        added = 0
        player = ""
        if match := DEAD.match(line):
            player, added = match["player"], int(match["amount"])
            dead[player] += added
        elif match := LIVE.match(line):
            player, added = match["player"], int(match["amount"])
            live[player] += added
            bets[player] += added
            kind = match[2]
            if kind not in posted or not posted[kind]:
                in_turn.add(player)
            posted[kind] = 1
        elif match := BOARD.match(line):
            deeds.append(("board", match["cards"].replace(" ", ""), None))
            bets = dict.fromkeys(stacks, 0)
        elif match := parser.FOLDING.search(line):
            deeds.append(("fold", match["player"], 0))
        elif match := parser.CHECKING_OR_CALLING.search(line):
            player = match["player"]
            amount = CALLED.search(line)
            added = int(amount["amount"]) if amount else 0
            deeds.append(("chips", player, added))
            bets[player] += added
        elif match := parser.COMPLETION_BETTING_OR_RAISING.search(line):
            player = match["player"]
            raised = RAISED.search(line)
            assert raised is not None
            total = int(raised["total"] or raised["bet"])
            added = total - bets[player]
            deeds.append(("chips", player, added))
            bets[player] = total
        elif match := parser.HOLE_DEALING.search(line) or parser.HOLE_CARDS_SHOWING.search(line):
            hole[match["player"]] = match["cards"].replace(" ", "")
        elif match := RETURNED.match(line) or COLLECTED.match(line):
            player, added = match["player"], -int(match["amount"])
        if player:
            left[player] -= added
    button = int(parser.FINAL_SEAT.search(text)["final_seat"])
    return Told(_from_the_left(seats, button), stacks, dead, live, in_turn, hole, deeds, left)


def _from_the_left(seats: dict[Any, int], button: int) -> list[Any]:
    return sorted(seats, key=lambda player: (seats[player] - button - 1) % 100)


def replayed(told: Told, state: State, shown: set[Any], runs: int = 1) -> dict[Any, int]:
    """The stacks to which pokerkit comes when it plays the hand; `state` has the stacks and posts of the file."""
    places = {player: place for place, player in enumerate(told.order)}
    cards = 0
    while state.can_deal_hole():
        player = told.order[state.hole_dealee_index]
        count = len(state.hole_dealing_statuses[state.hole_dealee_index])
        state.deal_hole(told.hole.get(player, "??" * count))
        cards += 1
    for kind, who, amount in told.deeds:
        if kind == "board":
            _finish_street(state, told, shown, runs)
            state.deal_board(who)
            continue
        while state.actor_index is not None and state.actor_index != places[who]:
            assert not state.checking_or_calling_amount, "somebody acts out of turn"
            state.check_or_call()
        if state.actor_index is None:
            assert (kind, amount) == ("chips", 0), "nobody is to act"
        elif kind == "fold":
            state.fold()
        elif amount == state.checking_or_calling_amount or not _may_answer(state, places[who]):
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(state.bets[places[who]] + amount)
    _finish_street(state, told, shown, runs)
    assert not state.status, "the hand is not over"
    return {player: state.stacks[place] for player, place in places.items()}


def _may_answer(state: State, place: int) -> bool:
    """Whether anybody could call more than the highest bet: if not, what is put in beyond it goes back."""
    highest = max(state.bets)
    others = (other for other in state.player_indices if other != place and state.statuses[other])
    return any(state.bets[other] + state.stacks[other] > highest for other in others)


def _finish_street(state: State, told: Told, shown: set[Any], runs: int) -> None:
    """Let those check whom only pokerkit asks, and show what was shown."""
    while state.status:
        if state.actor_index is not None:
            assert not state.checking_or_calling_amount, "somebody has yet to act"
            state.check_or_call()
        elif state.can_select_runout_count():
            state.select_runout_count(runs)
        elif state.showdown_index is not None:
            state.show_or_muck_hole_cards(told.order[state.showdown_index] in shown)
        else:
            break
