"""A case on the native engine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from parlour._core import Hand, choice_json
from parlour.games.poker.holdem.state import texts

from .cases import POSTS, STREETS, Case, Refused, Won


def posts(case: Case) -> dict[str, Any]:
    """What a hand needs to know where more, or less, is posted than the two blinds."""
    options = case.options
    if not options.keys() & POSTS:
        return {}
    small, big = case.blinds
    blinds = [(0, big, 0)] if options.get("dead_small_blind") else [(0, small, 0), (1, big, 0)]
    missed = [(seat, big, small) for seat in options.get("missed", ())]
    new = [(seat, big, 0) for seat in options.get("newcomers", ())]
    return {"posts": blinds + missed + new, "big_blind_seat": len(blinds) - 1}


class Engine:
    def __init__(self, case: Case) -> None:
        options = {name: value for name, value in case.options.items() if name not in POSTS}
        deck = case.deck() if case.cards else None
        self.hand = Hand(case.stacks, button=case.button, deck=deck, **options, **posts(case))
        self.chips = sum(case.stacks)

    def act(self, word: str, amount: int) -> None:
        before = self.hand.copy()
        try:
            self.hand.act(word, amount)
        except ValueError as refusal:
            if self.hand != before or self.reason(word, amount) not in str(refusal):
                raise
            raise Refused(str(refusal)) from None
        self.check()

    def reason(self, word: str, amount: int) -> str:
        """What a refusal has to name."""
        legal = self.hand.legal()
        if word != "raise" or legal is None:
            return ""
        if not legal.max_raise_to:
            return "only call or fold"
        least, most = legal.min_raise_to, legal.max_raise_to
        return f"less than {least}" if amount < least else f"more than {most}"

    def run(self, times: int) -> None:
        self.hand.run(times)
        self.check()

    def show(self, seat: int) -> None:
        assert self.hand.unclaimed_bounty in (None, seat)
        if self.hand.unclaimed_bounty == seat:
            self.hand.claim_bounty()
        self.check()

    def check(self) -> None:
        hand = self.hand
        assert Hand.from_bytes(hand.to_bytes()) == hand
        assert sum(hand.stacks) + (0 if hand.done else hand.pot) == self.chips

    def offer(self) -> tuple[int, int, int, int] | None:
        legal, seat = self.hand.legal(), self.hand.actor
        if legal is None or seat is None:
            return None
        assert (legal.fold, legal.check) == (True, not legal.call)
        return seat, legal.call, legal.min_raise_to, legal.max_raise_to

    def words(self) -> Sequence[str]:
        words: list[str] = json.loads(choice_json(self.hand))["actions"]
        return words

    def bets(self) -> Sequence[int]:
        return self.hand.bets

    def stacks(self) -> Sequence[int]:
        return self.hand.stacks

    def pot(self) -> int:
        return self.hand.pot

    def street(self) -> str:
        return STREETS[self.hand.street]

    def boards(self) -> Sequence[Sequence[str]]:
        return [texts(board) for board in self.hand.boards]

    def pots(self) -> Sequence[tuple[int, Sequence[int]]]:
        if self.hand.done:
            return [(pot.amount, pot.contestants) for pot in self.hand.pots()]
        return self.hand.pots_before()

    def won(self) -> Sequence[Won]:
        return [dict(zip(pot.winners, pot.shares, strict=True)) for pot in self.hand.pots()]

    def parts(self) -> Sequence[Sequence[tuple[int, str, Won]]]:
        return [
            [(board, side, dict(zip(winners, shares, strict=True))) for board, side, _, winners, shares in pot.parts]
            for pot in self.hand.pots()
        ]

    def returned(self) -> tuple[int, int] | None:
        return self.hand.returned

    def showdown(self) -> tuple[Sequence[int], Sequence[int]]:
        order = self.hand.showdown()
        return [seat for seat, must in order if must], [seat for seat, must in order if not must]

    def bounty(self) -> tuple[int, Won] | None:
        if self.hand.bounty is None:
            return None
        winner, paid = self.hand.bounty
        return winner, {seat: chips for seat, chips in enumerate(paid) if chips}

    def rabbit(self) -> Sequence[Sequence[str]]:
        return [texts(cards) for cards in self.hand.rabbit()]
