"""A case at a table, through the host's settings and what everybody at it sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parlour.games.contract import Illegal
from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem import events as ev
from parlour.games.poker.holdem.blinds import Positions
from parlour.games.testing import Lots, Trial

from .cases import POSTS, Case, Refused, Won

SAME = ("variant", "limit", "ante", "ante_first", "button_blind", "seven_deuce")


def settings(case: Case) -> dict[str, Any]:
    """What a host would choose to play this case."""
    options = dict(case.options)
    small, big = case.blinds
    found: dict[str, Any] = {"small_blind": small, "big_blind": big, "rabbit": True, "action_seconds": 0}
    found |= {"min_buy_in": big, "buy_in": big, "max_buy_in": big, "seats": len(case.stacks)}
    found |= {name: options.pop(name) for name in SAME if name in options}
    if ante := options.pop("big_blind_ante", 0):
        found |= {"ante": ante, "ante_type": "big_blind"}
    if "cap" in options:
        found["raise_cap"] = max(0, options.pop("cap") - 1)
    if straddle := options.pop("straddle", 0):
        assert straddle == 2 * big, "a table has straddles of twice the big blind"
        found["straddle"] = "button" if options.pop("straddle_seat", None) == case.dealer else "utg"
    if bomb := options.pop("bomb", 0):
        assert bomb % big == 0, "a table counts the ante of a bomb pot in big blinds"
        found |= {"bomb_ante": bomb // big, "bomb_every": 1}
    if options.pop("boards", 1) > 1:
        found["double_board"] = "always"
    found["run_it"] = options.pop("runs", 1)
    if options.get("dead_small_blind"):
        found["seats"] += 1
    unknown = options.keys() - POSTS - {"blinds"}
    assert not unknown, f"a table has no {', '.join(unknown)}"
    return found


class Table:
    def __init__(self, case: Case) -> None:
        chosen, seats = settings(case), len(case.stacks)
        button_first = [case.dealer, *(seat for seat in range(chosen["seats"]) if seat != case.dealer)]
        shuffles = [button_first]
        if case.cards:
            shuffles.append([card - case.lowest for card in case.deck()])
        self.trial = trial = Trial(Holdem(), chosen, Lots(1, shuffles))
        for seat, stack in enumerate(case.stacks):
            trial.join(seat)
            if stack != chosen["buy_in"]:
                trial.correct(seat, stack - chosen["buy_in"], "the stack of the case")
            if "straddle" in chosen:
                trial.act(seat, "straddle", on=True)
        if case.options.keys() & POSTS:
            self.play_before(case, seats)
        trial.start()
        if trial.public["result"] is None and not self.events(ev.BetReturned):
            assert sum(event.amount for event in self.events(ev.Posted)) == self.pot(), "what is told was posted"

    def play_before(self, case: Case, seats: int) -> None:
        """There was a hand before, so that blinds can be missed, and the last big blind have left."""
        record = self.trial.state.record
        dead = case.options.get("dead_small_blind", False)
        record.positions = Positions(seats - 2, seats - 1, seats if dead else 0)
        for seat, player in enumerate(record.players):
            if player is not None:
                player.new = seat in case.options.get("newcomers", ())
                player.missed_small = player.missed_big = seat in case.options.get("missed", ())
                player.post = not player.settled
        self.trial.resume(self.trial.game.freeze(self.trial.state), self.trial.now)

    def act(self, word: str, amount: int) -> None:
        trial = self.trial
        seats = trial.game.actors(trial.state)
        legal = trial.game.legal(trial.state, seats[0]) if seats else None
        if word == "raise" and legal is not None and "bet" in legal["actions"]:
            word = "bet"
        fields = {"amount": amount} if amount else {}
        try:
            trial.act(seats[0] if seats else 0, word, **fields)
        except Illegal as refusal:
            raise Refused(f"{refusal.code}: {refusal}") from None

    def run(self, times: int) -> None:
        for seat in sorted(self.trial.game.actors(self.trial.state)):
            if seat in self.trial.game.actors(self.trial.state):  # after a refusal nobody else is asked
                self.trial.act(seat, "run", times=times)

    def show(self, seat: int) -> None:
        self.trial.act(seat, "show")

    def events(self, kind: type[Any]) -> list[Any]:
        return [event for _, event in self.trial.log if isinstance(event, kind)]

    def offer(self) -> tuple[int, int, int, int] | None:
        legal = None
        for seat in self.trial.game.actors(self.trial.state):
            legal = self.trial.game.legal(self.trial.state, seat)
        if legal is None:
            return None
        return seat, legal["call"], legal["min"], legal["max"]

    def words(self) -> Sequence[str]:
        words: list[str] = self.trial.game.legal(self.trial.state, self.trial.actor)["actions"]
        return words

    def bets(self) -> Sequence[int]:
        return [row["bet"] for row in self.trial.public["players"]]

    def stacks(self) -> Sequence[int]:
        return [row["stack"] for row in self.trial.public["players"]]

    def pot(self) -> int:
        return self.trial.public["pot"]

    def street(self) -> str:
        return self.trial.public["street"]

    def boards(self) -> Sequence[Sequence[str]]:
        public = self.trial.public
        return public["boards"] if "boards" in public else [public["board"]]

    def pots(self) -> Sequence[tuple[int, Sequence[int]]]:
        public = self.trial.public
        pots = public["pots"] if public["result"] is None else public["result"]["pots"]
        return [(pot["amount"], pot["seats"]) for pot in pots]

    def ended(self) -> list[Any]:
        return self.events(ev.HandEnded)[-1].pots

    def won(self) -> Sequence[Won]:
        return [dict(zip(pot.winners, pot.shares, strict=True)) for pot in self.ended()]

    def parts(self) -> Sequence[Sequence[tuple[int, str, Won]]]:
        return [
            [(part.board, part.side, dict(zip(part.winners, part.shares, strict=True))) for part in pot.parts]
            or [(0, "high", dict(zip(pot.winners, pot.shares, strict=True)))]
            for pot in self.ended()
        ]

    def returned(self) -> tuple[int, int] | None:
        back = self.events(ev.BetReturned)
        return (back[0].seat, back[0].amount) if back else None

    def showdown(self) -> tuple[Sequence[int], Sequence[int]]:
        return [event.seat for event in self.events(ev.Shown)], [event.seat for event in self.events(ev.Mucked)]

    def bounty(self) -> tuple[int, Won] | None:
        paid = self.events(ev.Bounty)
        return (paid[0].seat, paid[0].paid) if paid else None

    def rabbit(self) -> Sequence[Sequence[str]]:
        self.trial.act(self.trial.public["players"][0]["seat"], "rabbit")
        return self.events(ev.RabbitAsked)[-1].boards
