"""A local best response to the top level of the house, heads-up: what it wins is a lower bound of what can be won.

After Lisý and Bowling, "Equilibrium approximation quality of current no-limit poker bots" (2016). The response knows
how the bot plays. It keeps the probability of each of the bot's hands by Bayes' rule, with what the bot would do with
each of them, and takes the best of fold, call, a bet of the pot and all-in, as if it only checked and called from then
on.

It is approximate in two ways, neither of which can make the bound too high, since the hands are played against the bot
itself: when it looks at all of the bot's hands at once, it leaves out that cards in them cannot be in its own; and it
softens what the bot does for sure into what it does nearly always. Its equities come from the bot's own samples of
run-outs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from parlour._core import Hand, take
from parlour.bots import HoldemView
from parlour.bots.arena import BotStanding, arena
from parlour.bots.holdem_blueprint import actions_at, bucket_of_pair, follow
from parlour.bots.holdem_board import earnings
from parlour.bots.holdem_ranges import (
    COUNT,
    BoardSample,
    Showdowns,
    Weights,
    cards_of,
    equity_before_flop,
    kind_of_pair,
    kinds,
    pair_index,
    sample_board,
    without,
)
from parlour.bots.holdem_reading import Spot as Reading
from parlour.bots.holdem_reading import read
from parlour.bots.holdem_search import by_blueprint, decide, raised_to
from parlour.bots.sdk.hand_view import STREETS, Done, HandContext, HandView, posts_of
from parlour.bots.sdk.view import Action

STACK, BLINDS = 2_000, (10, 20)
SURELY = 0.01
"""In parts of the pot: how much more an action must earn to be taken nearly always."""
NEVER = 0.002
"""The least chance that is given to what the bot is seen to do."""
Chances = dict[tuple[str, int], Weights]
"""For each action, a word and a total, the chance of it with each pair."""


class AllPairs:
    """All pairs of cards on a board at once."""

    def __init__(self, sample: BoardSample) -> None:
        self._ranks = sample.ranks
        self._live = sample.ranks > 0
        self._counted = np.maximum(self._live.sum(axis=0), 1)

    def share(self, weights: Weights) -> Weights:
        found = np.empty(self._ranks.shape)
        for row, ranks in enumerate(self._ranks):
            here = np.bincount(ranks, weights, 7463)
            here[0] = 0.0
            upto = np.cumsum(here)
            found[row] = ((upto - here / 2) / max(float(upto[-1]), 1e-12))[ranks]
        return found

    def equity(self, shares: Sequence[Weights]) -> Weights:
        together: Weights = np.prod(shares, axis=0) * self._live
        found: Weights = together.sum(axis=0) / self._counted
        return found


def chances_by(view: dict[str, Any]) -> Chances:
    """What the bot does in this place with each pair that it may hold."""
    here = follow(view) if by_blueprint(view) else None
    if here is None:
        return chances(read(view))
    played = here.plan.played(here.node)[bucket_of_pair(here.plan, view)]
    found: Chances = {}
    for number, action in enumerate(actions_at(here, view["legal"])):
        key = _key(action)
        found[key] = found.get(key, NEVER) + played[:, number]
    return found


def chances(spot: Reading) -> Chances:
    """The same where it searches."""
    return _before_flop(spot) if spot.street == "preflop" else _on_board(spot)


def _before_flop(spot: Reading) -> Chances:
    kind, dice = kind_of_pair(), random.Random(1)
    found: Chances = {}
    for number in range(len(kinds())):
        pairs = np.flatnonzero(kind == number)
        action = decide(spot._replace(own=int(pairs[0])), dice)
        key = _key(action)
        found.setdefault(key, np.full(COUNT, NEVER))[pairs] = 1.0
    return found


def _on_board(spot: Reading) -> Chances:
    sample = sample_board(spot.board)
    passive, raises = earnings(spot, sample, AllPairs(sample))
    rows: list[tuple[tuple[str, int], Weights]] = [(("call", 0), passive)]
    if not spot.may_check:
        rows.append((("fold", 0), np.zeros(COUNT)))
    rows += [(("raise", raised_to(spot, total)), np.broadcast_to(earned, COUNT)) for total, earned in raises]
    values = np.stack([row for _, row in rows]) / (SURELY * max(1, spot.pot))
    likely = np.exp(values - values.max(axis=0))
    likely /= likely.sum(axis=0)
    found: Chances = {}
    for (key, _), chance in zip(rows, likely, strict=True):
        found[key] = found.get(key, NEVER) + chance
    return found


def _key(action: Action | dict[str, Any]) -> tuple[str, int]:
    kind = str(action["type"])
    if kind in ("bet", "raise"):
        return "raise", int(action["amount"])
    return ("fold" if kind == "fold" else "call"), 0


class Response:
    """Plays heads-up against the top level, and sees no more of the hand than a player does."""

    name = "local best response"

    def __init__(self) -> None:
        self._number = 0
        self._followed = 0
        self._weights: Weights = np.ones(COUNT)
        self._before: dict[tuple[Any, ...], Chances] = {}

    def act(self, view: HoldemView) -> Action:
        own = cards_of(view.cards)
        hand, steps = self._follow(view, own)
        board = cards_of(view.board)
        weights = without(self._weights, (*own, *board))
        asked, pot = view.to_call, view.pot
        chance = _equity(own, board, weights)
        best, action = chance * pot - (1 - chance) * asked, view.call()
        if best < 0:
            best, action = 0.0, view.check_or_fold()
        if not view.can_raise:
            return action
        for total in sorted({int(view.raise_pot(1.0)["amount"]), view.max_raise}):
            raised, done = hand.copy(), list(steps)
            take(raised, ("raise", total), done)
            folds = self._chances(raised, done).get(("fold", 0), np.zeros(COUNT))
            all_folds = float(weights @ folds / weights.sum())
            stays = weights * (1 - np.minimum(folds, 1.0))
            ahead = _equity(own, board, stays) if stays.sum() > 0 else 0.0
            more = total - view.bet - asked
            earns = all_folds * pot + (1 - all_folds) * (ahead * (pot + more) - (1 - ahead) * (asked + more))
            if earns > best:
                best, action = earns, view.raise_to(total)
        return action

    def _follow(self, view: HoldemView, own: list[int]) -> tuple[Hand, list[Done]]:
        """Play the hand again as it is known here, and weigh the bot's hands by what it did."""
        if view.hand_number != self._number:
            self._number, self._followed, self._weights = view.hand_number, 0, np.ones(COUNT)
        hand = _dealt(view, own)
        steps = posts_of(hand)
        for number, step in enumerate(view.actions[len(steps) :]):
            if step.seat != view.seat and number >= self._followed:
                told = self._chances(hand, steps)
                key = _key({"type": step.type, "amount": step.amount})
                self._weights = self._weights * np.maximum(told.get(key, np.full(COUNT, NEVER)), NEVER)
            self._followed = max(self._followed, number + 1)
            word = "raise" if step.type == "bet" else step.type
            take(hand, (word, step.amount) if word == "raise" else word, steps)
        return hand, steps

    def _chances(self, hand: Hand, steps: list[Done]) -> Chances:
        """What the bot does with each hand where it is to act."""
        if hand.actor is None:
            return {}
        raw = dict(HandView(HandContext(hand, steps, BLINDS), hand.actor).raw)
        raw["private"] = {"cards": []}
        if STREETS[hand.street] != "preflop":
            return chances_by(raw)
        key = (hand.button, hand.actor, *steps)
        if key not in self._before:
            self._before[key] = chances_by(raw)
        return self._before[key]


def _dealt(view: HoldemView, own: list[int]) -> Hand:
    """The hand from its beginning, with any cards in the place of those that are not known."""
    board = cards_of(view.board)
    rest = iter([card for card in range(52) if card not in own and card not in board])
    theirs = [next(rest), next(rest)]
    first, second = (theirs, own) if view.seat == view.button else (own, theirs)
    deck = [first[0], second[0], first[1], second[1], *board, *(next(rest) for _ in range(5 - len(board)))]
    return Hand([STACK] * 2, blinds=BLINDS, button=view.button, deck=deck)


def _equity(own: list[int], board: list[int], weights: Weights) -> float:
    if not board:
        return equity_before_flop(pair_index(own), [weights])
    pair = Showdowns(pair_index(own), sample_board(tuple(board)))
    return float(pair.equity([pair.share(weights)])[0])


def exploit(hands: int, seed: int, workers: int, level: str = "house:level5") -> BotStanding:
    """What the response wins from the bot; duplicate deals, and all-ins with their expectation."""
    result = arena(
        {"local best response": Response, "bot": level}, hands, stack=STACK, blinds=BLINDS, seed=seed, workers=workers
    )
    return result.players[0]
