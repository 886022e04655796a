"""A hold'em table's events in Gateau's words, for one client, in the order that Gateau's clients expect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Push = dict[str, Any]

REASONS = {"showdown": "Showdown", "fold": "All others folded"}
MOVES = {"fold": "Fold", "check": "Check", "call": "Bet", "bet": "Bet", "raise": "Bet"}
POSTS = ("ante", "small_blind", "big_blind", "post", "dead")
STREETS = {"flop": "Flop", "turn": "Turn", "river": "River"}
OUT = frozenset({"eliminated", "removed"})
"""Why a tournament takes a seat from somebody for whom it is over, while others play on."""


class Translator:
    """Follows what one client may see. A player's id is the seat: seats are given in order of registration."""

    def __init__(self, seat: int, secret: str, since: int = 0, ends: bool = True, in_tournament: bool = False) -> None:
        self._seat = seat
        self._secret = secret
        self._since = since
        """The number after which the client takes part: what was before is known, but not told."""
        self._ends = ends
        """Whether the game is over when one player has all the chips."""
        self._in_tournament = in_tournament
        """Whether the table is one of a tournament, which moves players from table to table."""
        self.introduced = False
        """Whether the client has been told its secret."""
        self.over = False
        """Whether the client has been told that the game is over."""
        self.question: Push | None = None
        """The client's own turn, to be announced when all that has happened is told: a turn that has passed is not."""
        self._names: dict[int, str] = {}
        self._stacks: dict[int, int] = {}
        self._starting_stack = 0
        self._hand: dict[str, Any] = {}
        self._posts: list[dict[str, Any]] | None = None
        """What waits for the client's own cards at the start of a hand."""
        self._dealt_in = False
        self._returned: dict[int, int] = {}
        self._shown: dict[int, list[str]] = {}

    def read(self, event: dict[str, Any]) -> list[Push]:
        """What the client is told of this event."""
        if self.over:
            return []
        if event["seq"] > self._since and event["type"] == "hand_started":
            introduction = [] if self.introduced else self._introduce(event)
            self.introduced = True
            self._begin(event)
            return introduction
        reader = getattr(self, f"_on_{event['type']}", None)
        pushes: list[Push] = []
        if self._posts is not None and not self._dealt_in and event["type"] == "skip":
            # The posts are over, and no card of the client's own will release them.
            pushes += self._open(None)
        if reader is not None:
            pushes += reader(event)
        if not self.introduced:
            self.question = None
            return []
        return pushes

    # People

    def _on_seated(self, event: dict[str, Any]) -> list[Push]:
        self._names[event["seat"]] = event["name"]
        return []

    def _on_bought_in(self, event: dict[str, Any]) -> list[Push]:
        self._stacks[event["seat"]] = self._stacks.get(event["seat"], 0) + event["chips"]
        if event["seat"] == self._seat and not event.get("rebuy"):
            self._starting_stack = event["chips"]
        return []

    def _on_cashed_out(self, event: dict[str, Any]) -> list[Push]:
        """Whoever gets up with chips is out of the game; in a tournament `unseated` says why they do."""
        if self._in_tournament or not self._stacks.pop(event["seat"], 0):
            return []
        return [*_eliminated(event["seat"]), *self._game_over()]

    def _on_unseated(self, event: dict[str, Any]) -> list[Push]:
        """At a table of the house there is nothing more to tell to one who has no seat, but that the game is over. For
        one who is out of a tournament it is, whoever wins that; the dialect has no other word for it."""
        if self._ends:
            return []
        reason = event.get("reason")
        if not self._is_own(event):
            stays = not self._in_tournament or reason == "finished"  # the winner may get up before the client does
            return _eliminated(event["seat"]) if not stays and self._stacks.pop(event["seat"], 0) else []
        self.over = True
        if self._in_tournament and reason in OUT:
            self._stacks.pop(self._seat, None)
        elif reason != "finished":
            return []
        if not self._stacks:
            return []
        return [{"info": "GameOverInfo", "winning_player": max(self._stacks, key=self._stacks.__getitem__)}]

    def _is_own(self, event: dict[str, Any]) -> bool:
        """Whether the event is about the client, and not about somebody who had the seat before."""
        return bool(event["seat"] == self._seat and event["seq"] > self._since)

    # A hand

    def _on_hand_started(self, event: dict[str, Any]) -> list[Push]:
        self._begin(event)
        self._posts = None
        return []

    def _begin(self, event: dict[str, Any]) -> None:
        self._hand = event
        self._returned, self._shown = {}, {}
        self._posts = []
        self._dealt_in = str(self._seat) in event["stacks"]

    def _introduce(self, event: dict[str, Any]) -> list[Push]:
        """Those who are out already are named as well: the button may lie where they sat."""
        return [
            {"info": "PlayerPrivateInfo", "ingame_id": self._seat, "secret_id": self._secret},
            {
                "info": "GameTableInfo",
                "starting_stack": self._starting_stack,
                "seat_order": sorted(self._stacks),
                "button_player": event["button"],
                "display_names": [[seat, name] for seat, name in sorted(self._names.items())],
            },
        ]

    def _on_posted(self, event: dict[str, Any]) -> list[Push]:
        if self._posts is not None:
            self._posts.append(event)
        return []

    def _on_dealt(self, event: dict[str, Any]) -> list[Push]:
        return self._open(event["cards"]) if event["seat"] == self._seat else []

    def _open(self, cards: list[str] | None) -> list[Push]:
        own = [] if cards is None else [{"info": "HoleCardInfo", "hole_cards": cards, "hand_number": self._number}]
        posts, self._posts = sorted(self._posts or [], key=lambda post: POSTS.index(post["kind"])), None
        blinds = [self._move(post["seat"], "Blind", post["amount"]) for post in posts]
        return [*own, *blinds, self._street("PreFlop", []), *self._to_move(self._hand.get("to_act"))]

    def _on_acted(self, event: dict[str, Any]) -> list[Push]:
        move = self._move(event["seat"], MOVES[event["action"]], event.get("amount", 0))
        return [move, *self._to_move(event.get("to_act"))]

    def _on_street(self, event: dict[str, Any]) -> list[Push]:
        return [self._street(STREETS[event["street"]], event["cards"]), *self._to_move(event.get("to_act"))]

    def _on_returned(self, event: dict[str, Any]) -> list[Push]:
        self._returned[event["seat"]] = self._returned.get(event["seat"], 0) + event["amount"]
        return []

    def _on_shown(self, event: dict[str, Any]) -> list[Push]:
        self._shown[event["seat"]] = event["cards"]
        return []

    def _on_hand_ended(self, event: dict[str, Any]) -> list[Push]:
        paid = {int(seat): chips for seat, chips in event["payouts"].items()}
        before = set(self._stacks)
        payout = {
            "info": "PayoutInfo",
            "reason": REASONS[event["reason"]],
            "payouts": [[seat, paid.get(seat, 0) + self._returned.get(seat, 0)] for seat in sorted(before)],
            "hole_cards": [[seat, cards] for seat, cards in sorted(self._shown.items())],
        }
        dealt_in = {int(seat) for seat in self._hand["stacks"]}
        left = {int(seat): chips for seat, chips in event["stacks"].items()}
        for seat in dealt_in & before:
            self._stacks[seat] = left.get(seat, 0)
        broke = sorted(seat for seat in dealt_in & before if not self._stacks[seat])
        for seat in broke:
            del self._stacks[seat]
        self.question = None
        return [payout, *(push for seat in broke for push in _eliminated(seat)), *self._game_over()]

    # Parts

    @property
    def _number(self) -> int:
        return int(self._hand["hand"])

    def _move(self, seat: int, kind: str, value: int) -> Push:
        info = {"info": "MoveInfo", "player_id": seat, "move_type": kind, "value": value}
        return {**info, "hand_number": self._number}

    def _street(self, street: str, cards: list[str]) -> Push:
        info = {"info": "StreetInfo", "street": street, "button_player": self._hand["button"]}
        return {**info, "board_cards_revealed": cards, "hand_number": self._number}

    def _to_move(self, seat: int | None) -> Iterator[Push]:
        self.question = None
        if seat is None:
            return
        push = {"info": "ToMoveInfo", "player_id": seat, "hand_number": self._number}
        if seat == self._seat:
            self.question = push
        else:
            yield push

    def _game_over(self) -> Iterator[Push]:
        if self._ends and self.introduced and len(self._stacks) == 1:
            self.over = True
            yield {"info": "GameOverInfo", "winning_player": next(iter(self._stacks))}


def _eliminated(seat: int) -> list[Push]:
    """Gateau's text has one name in its heading, which its published client knows, and another in its example."""
    return [{"info": info, "eliminated_player": seat} for info in ("PlayerEliminatedInfo", "PlayerEliminationInfo")]
