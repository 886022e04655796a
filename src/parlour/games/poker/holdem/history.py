"""Hands in the Poker Hand History format, PHH: TOML that other programs read.

A reader's export has the cards that the reader may see; the others are `??`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from parlour.games.contract import Millis, Round
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.history_actions import Actions
from parlour.games.poker.holdem.naming import opening_of

LIMITS = {"no-limit": "N", "pot-limit": "P", "fixed-limit": "F"}
VARIANTS = {
    "holdem": "T",
    "short-deck": "S",
    "omaha": "O",
    "omaha5": "O5",
    "omaha6": "O6",
    "omaha-hilo": "O/8",
    "omaha5-hilo": "O5/8",
}


def phh(played: Round) -> str:
    """The hand as PHH. The format has codes for NT, FT, NS, PO and FO/8; the other games get theirs by that pattern."""
    began, opening = opening_of(played)
    fields = _fields(opening, played)
    fields["finishing_stacks"] = _array(_finishing_stacks(opening, played))
    fields |= _when_and_who(played, opening, began)
    fields["_game"] = _text(opening.variant)
    fields["_limit"] = _text(opening.limit)
    fields["_blinds"] = _array(opening.blinds)
    if opening.limit == "fixed-limit":
        fields["_bets_per_round"] = str(opening.cap)
    fields |= _extras(opening, played)
    return "".join(f"{name} = {value}\n" for name, value in fields.items())


def _fields(opening: events.HandStarted, played: Round) -> dict[str, str]:
    seats, stacks = list(opening.stacks), list(opening.stacks.values())
    posted = [event for _, event in played.events if isinstance(event, events.Posted)]
    antes, bets = [0] * len(seats), [0] * len(seats)
    for post in posted:
        (antes if post.kind in ("ante", "dead") else bets)[seats.index(post.seat)] += post.amount
    left = [stack - ante - bet for stack, ante, bet in zip(stacks, antes, bets, strict=True)]
    live = {seat: amount for seat, amount, _ in opening.posts}
    if opening.straddler is not None:
        live[opening.straddler] = opening.straddle
    # A post that is not in turn is written as a negative blind: the betting does not begin behind it. So is the small
    # blind of two players where both blinds are equal, since readers begin behind the later one.
    equal = len(seats) == 2 and opening.blinds[0] == opening.blinds[1]
    in_turn = {opening.big_blind, opening.straddler, *(() if equal else (opening.small_blind,))}
    blinds = [live.get(seat, 0) * (1 if seat in in_turn else -1) for seat in seats]
    actions = Actions(opening, list(bets), blinds, left).write([event for _, event in played.events])
    each = opening.bomb > 0 or opening.ante_type == "each"
    trimmed = each and not any(post.kind == "dead" for post in posted)
    if trimmed:  # an ante that is short makes a side pot; all else before the blinds is dead
        antes = [opening.bomb or opening.ante] * len(seats)
    if len(seats) == 2:  # the format names the button's blind first, though the button is the second player
        antes.reverse()
        blinds.reverse()
    fields = {
        "variant": _text(LIMITS[opening.limit] + VARIANTS[opening.variant]),
        "ante_trimming_status": "true" if trimmed else "false",
        "antes": _array(antes),
        "blinds_or_straddles": _array(blinds),
    }
    big_blind = opening.blinds[1]
    if opening.limit == "fixed-limit":
        fields["small_bet"] = str(big_blind)
        fields["big_bet"] = str(2 * big_blind)
    else:
        # Readers let a short big blind lower the price. A call of the whole price is a raise to them, of any size.
        fields["min_bet"] = str(big_blind if opening.bomb or max(bets) >= big_blind else 1)
    fields["starting_stacks"] = _array(stacks)
    fields["actions"] = "[" + ", ".join(map(_text, actions)) + "]"
    return fields


def _extras(opening: events.HandStarted, played: Round) -> dict[str, str]:
    """What the format has no field for. A bounty is paid beside the pots: the stacks of the file do not have it."""
    runs = next((event.times for _, event in played.events if isinstance(event, events.RunsAgreed)), 1)
    found = {"_boards": opening.boards, "_runs": runs, "_bomb": int(opening.bomb > 0)}
    fields = {name: str(value) for name, value in found.items() if value > (name != "_bomb")}
    for _, event in played.events:
        if isinstance(event, events.Bounty):
            fields["_bounty"] = _array([event.change(seat) for seat in opening.stacks])
    return fields


def _finishing_stacks(opening: events.HandStarted, played: Round) -> list[int]:
    """From what was paid and won, since one who has left has no stack any more."""
    stacks = dict(opening.stacks)
    for _, event in played.events:
        match event:
            case events.Posted() | events.Acted():
                stacks[event.seat] -= event.amount
            case events.BetReturned():
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
