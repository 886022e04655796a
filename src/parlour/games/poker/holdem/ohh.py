"""Hands as Open Hand History, version 1.4.7: JSON that trackers read.

The format has no line for a bet that nobody called: what was put in beyond the pots goes back to whoever made the last
bet. Where there are several boards, each has rounds of its own, and the betting stands with the first. A reader's
export has the cards that the reader may see, and no others.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec

from parlour.games.contract import Event, Round
from parlour.games.poker.holdem import events
from parlour.games.poker.holdem.naming import hand_id, opening_of

VERSION = "1.4.7"
PLAY_MONEY = "XPM"

_GAMES = {
    "omaha": "Omaha",
    "omaha5": "Omaha",
    "omaha6": "Omaha",
    "omaha-hilo": "OmahaHiLo",
    "omaha5-hilo": "OmahaHiLo",
}
_LIMITS = {"no-limit": "NL", "pot-limit": "PL", "fixed-limit": "FL"}
_STREETS = {"preflop": "Preflop", "flop": "Flop", "turn": "Turn", "river": "River"}
_POSTS = {
    "ante": "Post Ante",
    "small_blind": "Post SB",
    "big_blind": "Post BB",
    "post": "Post Extra Blind",
    "dead": "Post Dead",
    "straddle": "Straddle",
    "button_blind": "Post BB",
}
_ACTIONS = {"fold": "Fold", "check": "Check", "call": "Call", "bet": "Bet", "raise": "Raise"}


def ohh(played: Round) -> str:
    """The hand as one JSON object on one line."""
    began, opening = opening_of(played)
    happened = [event for _, event in played.events]
    dealt = [event.seat for event in happened if isinstance(event, events.Dealt)]
    several = opening.boards > 1 or any(isinstance(event, events.RunsAgreed) and event.times > 1 for event in happened)
    flags = ["Observed"] * (not dealt) + ["Run_It_Twice"] * several + ["Bomb_Pot"] * (opening.bomb > 0)
    hand = {
        "spec_version": VERSION,
        "site_name": "Parlour",
        "network_name": "Parlour",
        "internal_version": "1",
        "tournament": False,
        "game_number": str(hand_id(began, opening.hand)),
        "start_date_utc": datetime.fromtimestamp(began / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "table_name": str(played.settings.get("name") or "Parlour"),
        "game_type": _GAMES.get(opening.variant, "Holdem"),
        "bet_limit": {"bet_type": _LIMITS[opening.limit], "bet_cap": 0},
        "table_size": played.settings.get("seats", len(opening.stacks)),
        "currency": PLAY_MONEY,
        "dealer_seat": opening.button + 1,
        "small_blind_amount": opening.blinds[0],
        "big_blind_amount": opening.blinds[1],
        "ante_amount": opening.bomb or opening.ante,
        "hero_player_id": dealt[0] if len(dealt) == 1 else None,
        "flags": flags,
        "players": [
            {
                "id": seat,
                "seat": seat + 1,
                "name": played.names.get(seat, f"Player {seat + 1}"),
                "display": played.names.get(seat, f"Player {seat + 1}"),
                "starting_stack": chips,
            }
            for seat, chips in sorted(opening.stacks.items())
        ],
        "rounds": _rounds(happened),
        "pots": _pots(happened),
        "_variant": opening.variant,
    }
    return msgspec.json.encode({"ohh": hand}).decode() + "\n"


def _rounds(happened: list[Event]) -> list[dict[str, Any]]:
    rounds = [_round(0, "preflop", [])]
    betting = rounds[0]["actions"]
    shown: list[dict[str, Any]] = []
    count = 0
    for event in happened:
        action: dict[str, Any] | None = None
        match event:
            case events.Posted():
                action = {"player_id": event.seat, "action": _POSTS[event.kind], "amount": event.amount}
            case events.Dealt():
                action = {"player_id": event.seat, "action": "Dealt Cards", "cards": event.cards}
            case events.Acted():
                # the format knows no bet before the flop: whoever opens raises the blind
                word = "raise" if event.action == "bet" and len(rounds) == 1 else event.action
                action = {"player_id": event.seat, "action": _ACTIONS[word], "amount": event.amount}
                if event.all_in:
                    action["is_allin"] = True
            case events.StreetDealt():
                rounds.append(_round(len(rounds), event.street, event.cards))
                if event.board == 0:
                    betting = rounds[-1]["actions"]
            case events.Shown():
                shown.append({"player_id": event.seat, "action": "Shows Cards", "cards": event.cards})
            case events.Mucked():
                shown.append({"player_id": event.seat, "action": "Mucks Cards"})
            case events.Bounty():
                shown += [
                    {"player_id": seat, "action": "Player Adjustment", "amount": event.change(seat)}
                    for seat in (event.seat, *event.paid)
                ]
            case events.HandEnded():
                break
        if action is not None:
            count += 1
            betting.append({"action_number": count, **action})
    if shown:
        actions = [{"action_number": count + i, **action} for i, action in enumerate(shown, 1)]
        rounds.append({"id": len(rounds), "street": "Showdown", "actions": actions})
    return rounds


def _round(number: int, street: events.Street, cards: list[str]) -> dict[str, Any]:
    return {"id": number, "street": _STREETS[street], "cards": cards, "actions": []}


def _pots(happened: list[Event]) -> list[dict[str, Any]]:
    ended = next((event for event in happened if isinstance(event, events.HandEnded)), None)
    if ended is None:
        return []
    return [
        {
            "number": number,
            "amount": pot.amount,
            "rake": 0,
            "player_wins": [
                {"player_id": seat, "win_amount": share} for seat, share in zip(pot.winners, pot.shares, strict=True)
            ],
        }
        for number, pot in enumerate(ended.pots)
    ]
