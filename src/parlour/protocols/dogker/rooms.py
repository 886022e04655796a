"""A hold'em table as a Dogker room, the way one of its people sees it."""

from __future__ import annotations

from typing import Any

from parlour.games.poker.hands import evaluate
from parlour.protocols.dogker.words import HAND_RANKS, HIDDEN_CARD, card, cards

STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}
"""The round by the number of cards on the board."""
RANKS = 7463
"""One more than there are ranks: a better hand has a lower value here."""


def room(view: dict[str, Any], secret: str) -> dict[str, Any]:
    """The room for the viewer whose view this is. Their own `_id` is their secret; everybody else's is public.

    The round stays until the next deal: the original front end draws board and players only while there is one.
    """
    state = view["state"] or _UNSEEN
    viewer = view["you"]["id"]
    dealt = STREETS[len(state["board"])] if state["hand"] else None

    def known_as(player: str) -> str:
        return secret if player == viewer else player

    holders = {seat["seat"]: seat["player"] for seat in view["seats"] if seat["player"]}
    ids = {seat: known_as(holder["id"]) for seat, holder in holders.items()}
    return {
        "owner": known_as(view["host"]),
        "gameStarted": state["hand"] > 0 and not _is_over(view),
        "round": dealt,
        "roundIndex": [*STREETS.values()].index(dealt) if dealt else 0,
        "totalBetAmount": state["pot"],
        "actualMaxBet": _price(view, state),
        "hand": cards(state["board"]),
        "options": _options(view["legal"]),
        "players": [
            _player(view, row, holders[row["seat"]], ids[row["seat"]])
            for row in state["players"]
            if row["seat"] in holders
        ],
        "sidePots": _side_pots(state, ids),
    }


_UNSEEN: dict[str, Any] = {"hand": 0, "street": None, "board": [], "pot": 0, "pots": [], "players": [], "result": None}
"""What somebody sees whom the host does not let watch."""


def _is_over(view: dict[str, Any]) -> bool:
    """Whether somebody has won the game, so that the owner may start the next."""
    return bool(view["settings"]["freeze_out"]) and view["status"] == "waiting"


def _options(legal: dict[str, Any] | None) -> list[str]:
    """The original front end has a button for `raise`, and none for `call`: it is offered whenever chips may go in."""
    return ["fold", "call" if legal["call"] else "check", "raise"] if legal else []


def _price(view: dict[str, Any], state: dict[str, Any]) -> int:
    """What a player has to have bet to stay in: more than any bet after a big blind that is all-in for less."""
    bets = [player["bet"] for player in state["players"]]
    legal = view["legal"]
    return max([*bets, legal["bet"] + legal["call"]] if legal else bets, default=0)


def _side_pots(state: dict[str, Any], ids: dict[int, str]) -> dict[str, Any]:
    pots = state["result"]["pots"] if state["result"] and not state["street"] else state["pots"]
    return {
        str(number): {"amount": pot["amount"], "playersId": [ids[seat] for seat in sorted(pot["seats"]) if seat in ids]}
        for number, pot in enumerate(pots, start=1)
    }


def _player(view: dict[str, Any], row: dict[str, Any], holder: dict[str, Any], known_as: str) -> dict[str, Any]:
    state, seat = view["state"], row["seat"]
    result = state["result"] if not state["street"] else None
    own = seat in view["you"]["seats"]
    face_up = _face_up(view, row, own)
    worth = _worth(face_up, state["board"])
    avatar = holder["avatar"] or ""
    return {
        "_id": known_as,
        "name": holder["name"],
        "chips": row["stack"],
        "betAmount": row["bet"],
        "betAmountAccumulated": row["contributed"],
        "cards": cards(face_up) if face_up else [HIDDEN_CARD] * row["holds"],
        "turn": state["actor"] == seat,
        "dealer": state["button"] == seat,
        "isAgressor": state["aggressor"] == seat,
        "winner": bool(result and str(seat) in result["payouts"]),
        "showingCards": row["cards"] is not None,
        **worth,
        "site": seat + 1,
        "avatarId": int(avatar) if avatar.isdecimal() else 0,
    }


def _face_up(view: dict[str, Any], row: dict[str, Any], own: bool) -> list[str]:
    """The cards of a player that this viewer may see: one's own until folded, others' once they are shown."""
    if row["cards"]:
        return list(row["cards"])
    if own and row["holds"] and view["private"]:
        return list(view["private"]["cards"])
    return []


def _worth(face_up: list[str], board: list[str]) -> dict[str, Any]:
    if len(face_up) != 2 or len(board) < 3:
        return {"handRank": None, "handRankValue": None, "handRankLabel": None, "bestHand": []}
    rank = evaluate([*face_up, *board])
    return {
        "handRank": HAND_RANKS[rank.category],
        "handRankValue": RANKS - rank.rank,
        "handRankLabel": rank.name,
        "bestHand": [card(str(one)) for one in rank.cards],
    }
