"""Statistics against an independent count: every hand is exported as PHH, and counted from that file alone.

    python -m proofs.verify_statistics --hands 10000

People come, go, return, sit out, time out, rebuy and play at random, in every variant, limit and option of the host.
The counter reads the file as text, keeps stacks and bets in plain numbers, and knows neither the table's events nor its
engine. Positions are found in the same hand's PokerStars text. What those would have won on average who were all-in
on the flop or later is found by dealing every rest of the boards and comparing the hands (`plain_ranks.py`). At the end
of an evening the sums by player, position and opponent, and the figures that are made of them, are counted again.

Three things that the file says otherwise than the table are read as the table means them: a check of somebody who has
nobody left to bet against is no decision, nor is one before the flop of a bomb pot, and a call of the whole price where
the big blind is short is no raise.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import re
import statistics
import time
import tomllib
from collections import Counter, defaultdict
from typing import Any

from parlour.games.contract import Facets
from parlour.games.poker.holdem import events
from parlour.tables.ports import RoundRecord
from parlour.tables.records.statistics import Cells
from proofs.evening import HANDS_PER_TABLE, EveningFault, Hosted, QuickTrial, in_parallel
from proofs.plain_ranks import DECKS, shares

SEATED = re.compile(r"^Seat (?P<seat>\d+): .+? \((?P<place>button|small blind|big blind)\)", re.MULTILINE)
PLACES = {"button": "BTN", "small blind": "SB", "big blind": "BB"}
EARLY, LATE = ("UTG", "UTG1", "UTG2", "UTG3", "UTG4", "UTG5"), ("LJ", "HJ", "CO")
MOST_DEALS = 2500
"""Rests of the boards that are dealt for one all-in, at most: two boards on the flop have a million."""


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
        self.big_blind: int = fields["_blinds"][1]
        self.bomb = bool(fields.get("_bomb"))
        self.counts = [Counter[str](hands=1) for _ in self.players]
        self.bets = [0] * len(self.stacks)
        self.staked = [0] * len(self.stacks)
        self.antes = [0] * len(self.stacks)
        for player in self.players:
            self.antes[player] = min(antes[player], self.stacks[player])
            self.stacks[player] -= self.antes[player]
            self.pay(player, min(blinds[player], self.stacks[player]))
        self.live = set(self.players)
        self.boards: list[list[str]] = [[] for _ in range(fields.get("_boards", 1))]
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
                self.deal(pairs(cards))
            case [_, "sm", *_]:
                self.open_at = len(self.board) if self.open_at is None else self.open_at
            case [player, "f"]:
                self.decide(int(player[1:]) - 1, "fold", 0)
            case [player, "cc"]:
                caller = int(player[1:]) - 1
                due = min(self.stacks[caller], max(self.bets) - self.bets[caller])
                if due or self.could_bet(caller):
                    self.decide(caller, "call" if due else "check", due)
            case [player, "cbr", total]:
                raiser, more = int(player[1:]) - 1, int(total)
                whole_price = not self.board and not self.raised and more <= self.big_blind
                self.decide(raiser, "call" if whole_price else "raise", more - self.bets[raiser])
            case _:
                raise ValueError(f"an action that no table plays: {words}")

    @property
    def board(self) -> list[str]:
        return self.boards[0]

    def deal(self, cards: list[str]) -> None:
        """Two boards lie street by street; a board that is run again counts for nothing but its chips."""
        board = min(self.boards, key=len)
        if len(board) == 5:
            return
        if not self.board:
            self.preflop_raised = self.raised
            for player in self.live:
                self.counts[player]["flops"] = 1
        board += cards
        self.bets, self.raised = [0] * len(self.bets), []

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

    def could_bet(self, player: int) -> bool:
        return any(self.stacks[other] for other in self.live - {player}) and not (self.bomb and not self.board)

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
        stakes = self.staked
        if self.fields["ante_trimming_status"]:  # an ante of each has to be matched like a bet
            stakes = [stake + ante for stake, ante in zip(self.staked, self.antes, strict=True)]
        *_, second, first = sorted(stakes)
        return first - second if stakes[player] == first else 0

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
        if self.open_at not in (3, 4) or len(self.live) < 2 or not whole:
            return None
        variant: str = self.fields["_game"]
        boards = [board[: self.open_at] for board in self.boards]
        hands = {player: self.hole[player] for player in self.live}
        seen = {*itertools.chain(*boards), *itertools.chain.from_iterable(hands.values())}
        unseen = [card for card in DECKS[variant] if card not in seen]
        won = dict.fromkeys(self.live, 0.0)
        deals = list(itertools.combinations(unseen, 5 - self.open_at))
        if len(deals) * len(boards) > MOST_DEALS:
            return None
        for board, rest in itertools.product(boards, deals):
            for amount, contesting in self.pots():
                for player, share in shares(variant, {one: hands[one] for one in contesting}, [*board, *rest]).items():
                    won[player] += share * amount / len(boards)
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


def pairs(cards: str) -> list[str]:
    return [cards[at : at + 2] for at in range(0, len(cards), 2)]


def positions(text: str, bomb: bool, seats: list[int]) -> dict[int, str]:
    """The positions of a PokerStars text, by seat; `seats` from the left of the button."""
    named = {int(match["seat"]): PLACES[match["place"]] for match in SEATED.finditer(text.split("*** SUMMARY ***")[1])}
    if bomb:
        named = {seat: name for seat, name in named.items() if name == "BTN"}
    between = [seat for seat in seats if seat not in named]
    late = min(len(between), len(LATE))
    return {**named, **dict(zip(between, (*EARLY[: len(between) - late], *LATE[len(LATE) - late :]), strict=True))}


class Counted(Hosted):
    """An evening after whose hands the statistics are counted again."""

    habits = (0.76, 0.84, 0.92, 0.95)
    trial = QuickTrial

    def __init__(self, seed: int, all_ins: int) -> None:
        self._all_ins = all_ins
        self._at = 0
        self._cells = Cells()
        self._sums: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
        """By player, opponent and position: counts out of the files alone."""
        self._nets: dict[str, list[float]] = defaultdict(list)
        """What each player won in each hand, in big blinds."""
        super().__init__(seed)

    def play(self, hands: int) -> int:
        played = super().play(hands)
        self._check_sums()
        self._check_figures()
        return played

    def _check(self) -> None:
        log = self.table.log
        for event in [event for _, event in log[self._at :] if isinstance(event, events.HandEnded)]:
            self.check(event.hand)
        self._at = len(log)

    def _act(self) -> None:
        """Fold seldom, and go all-in now and then: all that is counted is to happen."""
        table, dice = self.table, self.dice
        for seat in table.game.actors(table.state):
            legal = table.game.legal(table.state, seat)
            if legal is None:  # how often the board is dealt, or which game
                self._choose(seat)
                return
            words = [word for word in legal["actions"] if word != "fold" or dice.random() < 0.3]
            word, fields = dice.choice(words or legal["actions"]), {}
            if word in ("bet", "raise"):
                least, most = legal["min"], legal["max"]
                fields["amount"] = most if dice.random() < 0.1 else min(most, least + int(dice.expovariate(1 / 10)))
            self._count(table.act(seat, word, **fields))
            return
        self._wait()

    # One hand

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
            self.seen.update(theirs)
        self.seen["runs and boards"] += len(plain.boards) > 1 or plain.fields.get("_runs", 1) > 1
        self.seen["bomb pots"] += plain.bomb
        facets = self.table.game.facets(played)
        places = positions(self.table.game.export("txt", played), plain.bomb, plain.fields["seats"])
        found = {seat + 1: name for seat, name in facets.positions.items()}
        assert found == places, f"positions {found}, in the text {places}"
        self._check_average(plain, tally, seats, text)
        self._add(number, plain, tally, facets)

    def _check_average(self, plain: PlainCount, tally: Any, seats: list[int], text: str) -> None:
        adjusted = sum(counts["adjusted_net"] for counts in tally.values())
        assert abs(adjusted) <= len(tally) / 2, f"the adjusted results come to {adjusted}\n{text}"
        if self.seen["all-ins counted again"] >= self._all_ins or (average := plain.average()) is None:
            return
        self.seen["all-ins counted again"] += 1
        self.seen["all-ins on two boards or with a low"] += len(plain.boards) > 1 or "hilo" in plain.fields["_game"]
        for player, won in average.items():
            net = won - plain.staked[player] - plain.antes[player] + plain.returned(player)
            found = tally[seats[player]]
            if not found["all_ins"] or abs(found["adjusted_net"] - net) > 0.501:
                raise AssertionError(f"seat {seats[player]}: adjusted {found['adjusted_net']}, {net}\n{text}")

    # The whole evening

    def _add(self, number: int, plain: PlainCount, tally: Any, facets: Facets) -> None:
        """Take the hand down twice: as the server sums it up, and from the file. Who has a seat now is its player."""
        seats: list[int] = plain.fields["seats"]
        players = {seat - 1: f"player at {seat}" for seat in seats}
        record = RoundRecord(number, 0, 0, 0, 0, dict(players), players, {})
        self._cells.add("table", "holdem", record, tally, facets)
        places = positions(self.table.game.export("txt", self.table.played(number)), plain.bomb, seats)
        for place, seat in enumerate(seats):
            player, counts = players[seat - 1], Counter(plain.counts[place])
            counts["rounds"] = 1
            self._nets[player].append(counts["net"] / plain.big_blind)
            for opponent in ["", *(other for other in players.values() if other != player)]:
                self._sums[player, opponent, "" if opponent else places[seat]].update(counts)

    def _check_sums(self) -> None:
        found: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
        for cell in self._cells.summed():
            found[cell.player, cell.opponent, cell.position].update(cell.counts)
        assert found.keys() == self._sums.keys(), "other players, opponents or positions"
        for place, counts in self._sums.items():
            for name, amount in counts.items():
                assert found[place][name] == amount, f"{place}: {name} {found[place][name]}, in the files {amount}"
        self.seen["sums by player, position and opponent"] += len(found)

    def _check_figures(self) -> None:
        """The figures of each player, by the textbook from the hands one by one."""
        totals: dict[str, Counter[str]] = defaultdict(Counter)
        for cell in self._cells.summed():
            if not cell.opponent:
                totals[cell.player].update(cell.counts)
        for player, nets in self._nets.items():
            of = Counter[str]()
            for (who, opponent, _), counts in self._sums.items():
                if who == player and not opponent:
                    of.update(counts)
            figures = self.table.game.figures(totals[player])
            for name, made, chances in (
                ("vpip", "vpip", "vpip_chances"),
                ("pfr", "pfr", "vpip_chances"),
                ("three_bet", "three_bets", "three_bet_chances"),
                ("fold_to_three_bet", "folds_to_three_bet", "faced_three_bets"),
                ("cbet", "cbets", "cbet_chances"),
                ("fold_to_cbet", "folds_to_cbet", "faced_cbets"),
                ("wtsd", "showdowns", "flops"),
                ("wsd", "showdowns_won", "showdowns"),
                ("won_when_saw_flop", "flops_won", "flops"),
            ):
                due = 100 * of[made] / of[chances] if of[chances] else None
                assert figures[name].value == due, f"{player}: {name} {figures[name].value}, in the files {due}"
            self._check_rate(player, nets, figures["bb_per_100"])

    def _check_rate(self, player: str, nets: list[float], figure: Any) -> None:
        mean = 100 * statistics.fmean(nets)
        assert math.isclose(figure.value, mean, abs_tol=1), f"{player}: {figure.value} bb/100, in the files {mean}"
        if len(nets) > 1:
            error = 1.959964 * 100 * statistics.stdev(nets) / math.sqrt(len(nets))
            low, high = mean - error, mean + error
            near = math.isclose(figure.low, low, rel_tol=0.01, abs_tol=2) and math.isclose(
                figure.high, high, rel_tol=0.01, abs_tol=2
            )
            assert near, f"{player}: from {figure.low} to {figure.high} bb/100, in the files from {low} to {high}"
        self.seen["players with figures"] += 1


def play_table(seed: int, all_ins: int = 1) -> Counter[str]:
    """What was counted in one evening; so many all-ins, at most, are dealt out again."""
    try:
        evening = Counted(seed, all_ins)
        evening.play(HANDS_PER_TABLE + 1)  # the last one is not over
    except Exception as fault:
        raise EveningFault(f"seed {seed}: {type(fault).__name__}: {fault}") from fault
    seen = evening.seen
    seen["counts of players"] = seen.pop("hands")
    seen["hands"] = evening.state.record.hand - 1
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="how many processes share the work")
    options = parser.parse_args()
    began = time.perf_counter()
    try:
        total = in_parallel(play_table, options.hands, options.seed, options.workers)
    except EveningFault as fault:
        raise SystemExit(str(fault)) from None
    for what, count in sorted(total.items()):
        print(f"{what:40} {count:,}")
    print(f"{total['hands']:,} hands in {time.perf_counter() - began:.0f} s: every count is the same")


if __name__ == "__main__":
    main()
