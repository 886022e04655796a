"""Statistics against an independent count: every hand is exported as PHH, and counted from that file alone.

    python -m proofs.verify_statistics --hands 10000

People come, go, return, sit out, time out, rebuy and play at random, in every variant and limit. The counter reads the
file as text, keeps stacks and bets in plain numbers, and knows neither the events of the table nor its engine. What
those would have won on average who were all-in on the flop or later is found by dealing every rest of the board and
comparing the hands with `phevaluator`.

Two things that the file says otherwise than the table are read as the table means them: a check of somebody who has
nobody left to bet against is no decision, and a call of the whole price where the big blind is short is no raise.
"""

from __future__ import annotations

import argparse
import itertools
import time
import tomllib
from collections import Counter
from typing import Any

import phevaluator

from parlour.games.poker.holdem import events
from proofs.verify_table import HANDS_PER_TABLE, Evening

VARIANTS = ("holdem", "omaha", "omaha5", "omaha6", "short-deck")
LIMITS = ("no-limit", "pot-limit", "fixed-limit")
SUITS, RANKS = "cdhs", "23456789TJQKA"


class PlainCount:
    """Counts one hand from its file. Players are numbered from 0 in the order of the file."""

    def __init__(self, text: str) -> None:
        self.fields = fields = tomllib.loads(text)
        self.stacks: list[int] = list(fields["starting_stacks"])
        self.players = range(len(self.stacks))
        antes, blinds = list(fields["antes"]), [abs(blind) for blind in fields["blinds_or_straddles"]]
        if len(self.stacks) == 2:
            antes.reverse()
            blinds.reverse()
        self.big_blind = max(blinds)
        self.counts = [Counter[str](hands=1) for _ in self.players]
        self.bets = [0] * len(self.stacks)
        self.staked = [0] * len(self.stacks)
        self.antes = [0] * len(self.stacks)
        for player in self.players:
            self.antes[player] = min(antes[player], self.stacks[player])
            self.stacks[player] -= self.antes[player]
            self.pay(player, min(blinds[player], self.stacks[player]))
        self.live = set(self.players)
        self.board: list[str] = []
        self.hole: dict[int, list[str]] = {}
        self.open_at: int | None = None
        """How many cards lay on the board when the hands were turned over."""
        self.raised: list[int] = []
        """Who bet and raised on this street, in turn."""
        self.preflop_raised: list[int] = []
        for action in fields["actions"]:
            self.read(action.split())
        self.settle()

    def pay(self, player: int, amount: int) -> None:
        self.stacks[player] -= amount
        self.bets[player] += amount
        self.staked[player] += amount

    def read(self, words: list[str]) -> None:
        match words:
            case ["d", "dh", player, cards]:
                self.hole[int(player[1:]) - 1] = pairs(cards)
            case ["d", "db", cards]:
                if not self.board:
                    self.preflop_raised = self.raised
                    for player in self.live:
                        self.counts[player]["flops"] = 1
                self.board += pairs(cards)
                self.bets, self.raised = [0] * len(self.bets), []
            case [_, "sm", *_]:
                self.open_at = len(self.board) if self.open_at is None else self.open_at
            case [player, "f"]:
                self.decide(int(player[1:]) - 1, "fold", 0)
            case [player, "cc"]:
                caller = int(player[1:]) - 1
                due = min(self.stacks[caller], max(self.bets) - self.bets[caller])
                if due or any(self.stacks[other] for other in self.live - {caller}):
                    self.decide(caller, "call" if due else "check", due)
            case [player, "cbr", total]:
                raiser, more = int(player[1:]) - 1, int(total)
                whole_price = not self.board and not self.raised and more <= self.big_blind
                self.decide(raiser, "call" if whole_price else "raise", more - self.bets[raiser])
            case _:
                raise ValueError(f"an action that no table plays: {words}")

    def decide(self, player: int, word: str, paid: int) -> None:
        count = self.counts[player]
        if not self.board:
            self.before_the_flop(player, word, count)
        else:
            for name, of in (("aggressive", "raise"), ("calls", "call"), ("folds", "fold")):
                count[f"postflop_{name}"] += word == of
            if len(self.board) == 3 and self.preflop_raised:
                leader = self.preflop_raised[-1]
                if not self.raised and player == leader:
                    count["cbet_chances"] += 1
                    count["cbets"] += word == "raise"
                if self.raised == [leader] and player != leader:
                    count["faced_cbets"] += 1
                    count["folds_to_cbet"] += word == "fold"
        count["aggressive"] += word == "raise"
        count["calls"] += word == "call"
        if word == "raise":
            self.raised.append(player)
        if word == "fold":
            self.live.discard(player)
        self.pay(player, paid)

    def before_the_flop(self, player: int, word: str, count: Counter[str]) -> None:
        count["vpip_chances"] = 1
        if word in ("call", "raise"):
            count["vpip"] = 1
        if word == "raise":
            count["pfr"] = 1
        price = max(self.big_blind, *self.bets) - self.bets[player]
        able = self.stacks[player] > price and any(self.stacks[other] for other in self.live - {player})
        if len(self.raised) == 1 and self.raised[0] != player and able:
            count["three_bet_chances"] = 1
            count["three_bets"] += word == "raise"
        if len(self.raised) == 2 and self.raised[0] == player:
            count["faced_three_bets"] = 1
            count["folds_to_three_bet"] += word == "fold"

    def returned(self, player: int) -> int:
        """What nobody called."""
        *_, second, first = sorted(self.staked)
        return first - second if self.staked[player] == first else 0

    def settle(self) -> None:
        fields = self.fields
        for player in self.players:
            count = self.counts[player]
            cost = self.staked[player] + self.antes[player] - self.returned(player)
            count["net"] = fields["finishing_stacks"][player] - fields["starting_stacks"][player]
            won = count["net"] + cost > 0
            showdown = len(self.live) > 1 and player in self.live
            count["hands_won"] = won
            count["flops_won"] = won and count["flops"]
            count["showdowns"] = showdown
            count["showdowns_won"] = showdown and won

    # All-ins

    def average(self) -> dict[int, float] | None:
        """What each player who was all-in on the flop or later would have won on average; None where that is not so, or
        where antes were short, so that a file does not tell who plays for which part of the pot."""
        nominal = max(self.fields["antes"])
        whole = not self.fields["ante_trimming_status"] or all(ante == nominal for ante in self.antes)
        omaha = self.fields["_game"] == "omaha"
        if self.open_at not in (3, 4) or not whole or not (omaha or self.fields["_game"] == "holdem"):
            return None
        board = self.board[: self.open_at]
        hands = {player: self.hole[player] for player in self.live}
        seen = {*board, *itertools.chain.from_iterable(hands.values())}
        unseen = [rank + suit for rank in RANKS for suit in SUITS if rank + suit not in seen]
        won = dict.fromkeys(self.live, 0.0)
        deals = list(itertools.combinations(unseen, 5 - len(board)))
        for rest in deals:
            ranks = {player: rank(hand, [*board, *rest], omaha) for player, hand in hands.items()}
            for amount, contesting in self.pots():
                best = min(ranks[player] for player in contesting)
                winners = [player for player in contesting if ranks[player] == best]
                for player in winners:
                    won[player] += amount / len(winners)
        return {player: total / len(deals) for player, total in won.items()}

    def pots(self) -> list[tuple[int, list[int]]]:
        """Amount and contestants, layer upon layer; antes are in the first one."""
        levels = sorted({self.staked[player] for player in self.live})
        found, below = [], 0
        for level in levels:
            amount = sum(max(0, min(stake, level) - below) for stake in self.staked)
            contesting = [player for player in self.live if self.staked[player] >= level]
            if len(contesting) == 1:
                amount -= self.returned(contesting[0])
            found.append((amount + (sum(self.antes) if not below else 0), contesting))
            below = level
        return found


def rank(hand: list[str], board: list[str], omaha: bool) -> int:
    """Lower is better."""
    if omaha:
        return int(phevaluator.evaluate_omaha_cards(*board, *hand))
    return int(phevaluator.evaluate_cards(*board, *hand))


def pairs(cards: str) -> list[str]:
    return [cards[at : at + 2] for at in range(0, len(cards), 2)]


class Counted(Evening):
    """An evening after whose hands the statistics are counted again."""

    habits = (0.76, 0.86, 0.90, 0.94)

    def __init__(self, seed: int, variant: str, limit: str, all_ins: int) -> None:
        self.variant, self.limit = variant, limit
        self.checked: Counter[str] = Counter()
        self._all_ins = all_ins
        self._seen = 0
        super().__init__(seed)

    def _settings(self) -> dict[str, Any]:
        self.seats = min(self.seats, 7 if self.variant == "omaha6" else 9)
        return {**super()._settings(), "seats": self.seats, "variant": self.variant, "limit": self.limit}

    def _check(self) -> None:
        log = self.table.log
        for event in [event for _, event in log[self._seen :] if isinstance(event, events.HandEnded)]:
            self.check(event.hand)
        self._seen = len(log)

    def _act(self) -> None:
        """Fold seldom, and go all-in now and then: all that is counted is to happen."""
        table, dice = self.table, self.dice
        for seat in table.game.actors(table.state):
            legal = table.game.legal(table.state, seat) or {}
            words = [word for word in legal["actions"] if word != "fold" or dice.random() < 0.3]
            word, fields = dice.choice(words or legal["actions"]), {}
            if word in ("bet", "raise"):
                least, most = legal["min"], legal["max"]
                fields["amount"] = most if dice.random() < 0.1 else min(most, least + int(dice.expovariate(1 / 10)))
            self._count(table.act(seat, word, **fields))
            return
        self._wait()

    def check(self, number: int) -> None:
        played = self.table.played(number)
        tally = self.table.game.tally(played)
        text = self.table.game.export("phh", played)
        plain = PlainCount(text)
        seats = [seat - 1 for seat in plain.fields["seats"]]
        names = {name for count in plain.counts for name in count}
        for player, seat in enumerate(seats):
            ours = {name: tally[seat][name] for name in names}
            theirs = {name: int(plain.counts[player][name]) for name in names}
            differing = {name: (ours[name], theirs[name]) for name in names if ours[name] != theirs[name]}
            if differing:
                raise AssertionError(f"seat {seat}: {differing} (table, file)\n{text}")
            self.checked.update(theirs)
        if self.checked["all-ins counted again"] < self._all_ins and (average := plain.average()) is not None:
            self.checked["all-ins counted again"] += 1
            for player, won in average.items():
                net = won - plain.staked[player] - plain.antes[player] + plain.returned(player)
                found = tally[seats[player]]
                if not found["all_ins"] or abs(found["adjusted_net"] - net) > 0.501:
                    raise AssertionError(f"seat {seats[player]}: adjusted {found['adjusted_net']}, {net}\n{text}")


def verify(hands: int, seed: int, all_ins: int) -> Counter[str]:
    """`all_ins`: so many of each evening, at most, are dealt out again."""
    total: Counter[str] = Counter()
    games = list(itertools.product(VARIANTS, LIMITS))
    per_game = -(-hands // len(games))
    for variant, limit in games:
        played = 0
        while played < per_game:
            evening = Counted(seed, variant, limit, all_ins)
            try:
                played += evening.play(min(HANDS_PER_TABLE, per_game - played + 1)) - 1  # the last one is not over
            except Exception as fault:
                raise SystemExit(f"seed {seed}, {limit} {variant}: {type(fault).__name__}: {fault}") from fault
            total += evening.checked
            total["hands played"] += evening.state.record.hand - 1
            seed += 1
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--all-ins", type=int, default=2)
    options = parser.parse_args()
    began = time.perf_counter()
    total = verify(options.hands, options.seed, options.all_ins)
    for what, count in sorted(total.items()):
        print(f"{what:24} {count:,}")
    print(f"{total['hands played']:,} hands in {time.perf_counter() - began:.0f} s: every count is the same")


if __name__ == "__main__":
    main()
