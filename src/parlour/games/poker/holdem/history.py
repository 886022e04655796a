"""Hands in the Poker Hand History format, PHH: TOML that other programs read.

A reader's export has the cards that the reader may see; the others are `??`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from parlour.games.contract import Illegal, Millis, Round, Seat
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.dealing import open_hand
from parlour.games.poker.holdem.settings import DECK_SIZE, HOLE_CARDS

_CODES = {
    ("holdem", "no-limit"): "NT",
    ("holdem", "fixed-limit"): "FT",
    ("short-deck", "no-limit"): "NS",
    ("omaha", "pot-limit"): "PO",
}


def phh(played: Round) -> str:
    """The hand as PHH; `Illegal` where the format has no code for the game."""
    started = next(((at, event) for at, event in played.events if isinstance(event, events.HandStarted)), None)
    if started is None:
        raise ValueError("this round has no hand")
    began, opening = started
    code = _CODES.get((opening.variant, opening.limit))
    if code is None:
        raise Illegal("unknown_format", f"PHH has no code for {opening.limit} {opening.variant}")
    actions, complete = _Line(opening).read(played)
    fields = _fields(code, opening, actions)
    fields["finishing_stacks"] = _array(_finishing_stacks(opening, played))
    fields |= _when_and_who(played, opening, began)
    if not complete:
        fields["_left_out_of_turn"] = "true"
    return "".join(f"{name} = {value}\n" for name, value in fields.items())


def _fields(code: str, opening: events.HandStarted, actions: list[str]) -> dict[str, str]:
    seats = list(opening.stacks)
    live = {seat: amount for seat, amount, _ in opening.posts}
    dead = {seat: amount for seat, _, amount in opening.posts}
    each = opening.ante_type == "each"
    antes = [dead.get(seat, 0) + (opening.ante if each or seat == opening.big_blind else 0) for seat in seats]
    blinds = [live.get(seat, 0) for seat in seats]
    for place, seat in enumerate(seats):
        if seat not in (opening.small_blind, opening.big_blind):
            blinds[place] = -blinds[place]  # how the format writes the post of one who comes in between the blinds
    if len(seats) == 2:  # the format names the button's blind first, though the button is the second player
        antes.reverse()
        blinds.reverse()
    fields = {
        "variant": _text(code),
        "ante_trimming_status": "true" if len(set(antes)) == 1 else "false",
        "antes": _array(antes),
        "blinds_or_straddles": _array(blinds),
    }
    if code == "FT":
        fields["small_bet"] = str(opening.blinds[1])
        fields["big_bet"] = str(2 * opening.blinds[1])
    else:
        fields["min_bet"] = str(opening.blinds[1])
    fields["starting_stacks"] = _array(list(opening.stacks.values()))
    fields["actions"] = "[" + ", ".join(map(_text, actions)) + "]"
    return fields


class _Line:
    """The actions in the order that the format wants: somebody who left is written as folding when the turn comes."""

    def __init__(self, opening: events.HandStarted) -> None:
        self.player = {seat: f"p{place + 1}" for place, seat in enumerate(opening.stacks)}
        self.seats = list(opening.stacks)
        self.left: set[Seat] = set()
        self.actions: list[str] = []
        # Only the betting is followed, so that any cards will do.
        size = DECK_SIZE[opening.variant]
        self.hand = open_hand(opening, list(range(52 - size, 52)))
        self.hole = HOLE_CARDS[opening.variant]

    def read(self, played: Round) -> tuple[list[str], bool]:
        """The actions, and whether they lead to the end of the hand."""
        known = {event.seat: event.cards for _, event in played.events if isinstance(event, events.Dealt)}
        for seat, player in self.player.items():
            self.actions.append(f"d dh {player} {''.join(known.get(seat, ['??'] * self.hole))}")
        for _, event in played.events:
            match event:
                case events.Acted():
                    self._acted(event)
                case events.StreetDealt():
                    self._fold_leavers()
                    self.actions.append(f"d db {''.join(event.cards)}")
                case events.Shown():
                    self._fold_leavers()
                    self.actions.append(f"{self.player[event.seat]} sm {''.join(event.cards)}")
                case events.Mucked():
                    self._fold_leavers()
                    self.actions.append(f"{self.player[event.seat]} sm")
                case events.HandEnded():
                    self._fold_leavers()
                    break
        return self.actions, self.hand.done and not self.left

    def _acted(self, event: events.Acted) -> None:
        self._fold_leavers()
        place = self.seats.index(event.seat)
        player = self.player[event.seat]
        if self.hand.actor != place:
            self.left.add(event.seat)
        elif event.action in ("bet", "raise"):
            self.hand.act("raise", event.total)
            self.actions.append(f"{player} cbr {event.total}")
        else:
            self.hand.act(event.action)
            self.actions.append(f"{player} {'f' if event.action == 'fold' else 'cc'}")

    def _fold_leavers(self) -> None:
        while self.hand.actor is not None and (seat := self.seats[self.hand.actor]) in self.left:
            self.hand.act("fold")
            self.left.discard(seat)
            self.actions.append(f"{self.player[seat]} f")


def _finishing_stacks(opening: events.HandStarted, played: Round) -> list[int]:
    """From what was paid and won, since one who has left has no stack any more."""
    stacks = dict(opening.stacks)
    for _, event in played.events:
        match event:
            case events.Posted() | events.Acted():
                stacks[event.seat] -= event.amount
            case events.Returned():
                stacks[event.seat] += event.amount
            case events.HandEnded():
                for seat, won in event.payouts.items():
                    stacks[seat] += won
    return list(stacks.values())


def _when_and_who(played: Round, opening: events.HandStarted, began: Millis) -> dict[str, str]:
    when = datetime.fromtimestamp(began / 1000, UTC)
    fields = {
        "hand": str(opening.hand),
        "seats": _array([seat + 1 for seat in opening.stacks]),
        "players": "[" + ", ".join(_text(played.names.get(seat, f"Seat {seat + 1}")) for seat in opening.stacks) + "]",
        "time": when.strftime("%H:%M:%S"),
        "time_zone": _text("UTC"),
        "day": str(when.day),
        "month": str(when.month),
        "year": str(when.year),
    }
    if "seats" in played.settings:
        fields["seat_count"] = str(played.settings["seats"])
    if played.settings.get("name"):
        fields["table"] = _text(str(played.settings["name"]))
    return fields


def _array(numbers: Sequence[int]) -> str:
    return "[" + ", ".join(map(str, numbers)) + "]"


def _text(text: str) -> str:
    """A TOML string: JSON's escapes serve, but for one control character that JSON leaves alone."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
