"""Every hand and game that a table plays is exported in each notation, read by others, and replayed to its own end.

    python -m proofs.verify_exports --hands 10000

People come, go, return, sit out, time out, rebuy and play at random, in every variant, limit and option of the host,
who changes the settings and corrects stacks between the hands. Each hand is written for one of its readers, who may
not know all cards, and

- PHH is read by pokerkit (`read_phh.py`), where it plays by another rule than the table under the letter of that rule;
  hands on one board are imported again by the server's own reader, and written again in the same words;
- Open Hand History is held to its published specification, PokerStars text is read by the patterns of pokerkit's
  parser, and both are played again by the plain referee of `tests/referee` (`retelling.py`), without any exception;
- PokerStars text is read as a whole by pokerkit's own parser wherever that knows the game: no-limit hold'em without
  antes, dead blinds, straddles, several boards, and equal blinds of two players;
- the chips between the hands are counted: what the files say each player won or lost is what the ledger lacks.

One evening's hands in one file are found again one by one. Games of chess in every variant are read by `chess`.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import tomllib
import warnings
from collections import Counter
from typing import Any

import pokerkit
from pokerkit.notation import PokerStarsParser
from tests.referee import ranks

from parlour.games.contract import Event, Illegal, Round, Seat
from parlour.games.poker.holdem import events
from proofs import read_phh, retelling
from proofs.chess_games import read_games
from proofs.evening import HANDS_PER_TABLE, EveningFault, Hosted, QuickTrial, in_parallel

NOT_IMPORTED = {"several_boards", "unknown_winner"}
"""Why a file of ours may be refused when it is imported again."""


class Exported(Hosted):
    """An evening of people who leave often, after whose hands the exports are read."""

    habits = (0.72, 0.80, 0.88, 0.93)
    trial = QuickTrial

    def __init__(self, seed: int) -> None:
        self._at = 0
        self.files: dict[str, list[str]] = {"phhs": [], "ohh": [], "txt": []}
        self.won: Counter[Seat] = Counter()
        """What the files and the ledger say of the chips of those who sit there now."""
        super().__init__(seed)

    def play(self, hands: int) -> int:
        played = super().play(hands)
        self._check_files()
        return played

    def _wait(self) -> None:
        """Where there is a bounty for it, somebody often has 7-2, which chance deals once in a hundred hands."""
        record, dice = self.state.record, self.dice
        ready = len(self.state.ready())
        if self.table.settings.seven_deuce and not record.live and ready > 1 and dice.random() < 0.3:
            deck = dice.sample(range(52), 52)
            for place, rank in ((0, 7), (ready, 2)):
                found = deck.index(4 * (rank - 2) + dice.randrange(4))
                deck[place], deck[found] = deck[found], deck[place]
            self.table.chance.stack(deck)
        super()._wait()

    def _check(self) -> None:
        log, state = self.table.log, self.state
        if len(log) == self._at:
            return
        for _, event in log[self._at :]:
            self._count_chips(event)
            if isinstance(event, events.HandEnded):
                self._read(event.hand)
        self._at = len(log)
        if not state.record.live:
            stacks = {seat: state.stack(seat) for seat, player in enumerate(state.record.players) if player}
            assert stacks == {seat: self.won[seat] for seat in stacks}, "the ledger and the files say other stacks"
            assert sum(stacks.values()) == self.brought, "chips were made or lost"

    def _count_chips(self, event: Event) -> None:
        match event:
            case events.BoughtIn() | events.StackCorrected():
                self.won[event.seat] += event.chips
            case events.CashedOut():
                self.won[event.seat] -= event.chips
            case events.Bounty():
                for seat in (event.seat, *event.paid):
                    self.won[seat] += event.change(seat)

    # One hand

    def _read(self, number: int) -> None:
        reader = self.dice.choice([(), (), (self.dice.randrange(self.seats),)])
        whole, played = self.table.played(number), self.table.played(number, None, *reader)
        texts = {suffix: self.table.game.export(suffix, played) for suffix in ("phh", "ohh", "txt")}
        happened = [event for _, event in whole.events]
        try:
            fields = tomllib.loads(texts["phh"])
            expected = dict(zip(fields["seats"], fields["finishing_stacks"], strict=True))
            self._check_stacks(happened, expected)
            self._count_kinds(happened, fields)
            self._by_pokerkit(texts, fields, whole, happened)
            self._by_the_referee(texts, expected, happened)
            if not reader:
                self._import(texts["phh"], fields)
        except Exception as fault:
            raise AssertionError(f"{type(fault).__name__} {fault}\n" + "\n".join(texts.values())) from fault
        self._keep(number, texts)
        for seat, chips in expected.items():
            self.won[seat - 1] += chips - fields["starting_stacks"][fields["seats"].index(seat)]

    def _check_stacks(self, happened: list[Event], expected: dict[int, int]) -> None:
        """The stacks of the file are those of the table; whoever has left during the hand has none there."""
        (ended,) = [event for event in happened if isinstance(event, events.HandEnded)]
        for seat, chips in ended.stacks.items():
            assert expected[seat + 1] == chips, f"seat {seat} has {chips} at the table, {expected} in the file"

    def _by_pokerkit(self, texts: dict[str, str], fields: dict[str, Any], whole: Round, happened: list[Event]) -> None:
        letters = read_phh.check(texts["phh"], whole)
        self.seen["PHH with a code of the format"] += fields["variant"] in pokerkit.HandHistory.game_types
        self.seen["PHH replayed by pokerkit's own rules"] += not letters.strip("DH")
        for letter in set(letters):
            self.seen[f"letter {letter}"] += 1
        try:
            self.seen["text read by pokerkit's own parser"] += read_phh.read_by_parser(texts["txt"], fields)
        except (ValueError, KeyError):
            if not read_phh.reasons(happened) and not read_phh.odd_chips(happened):
                raise

    def _by_the_referee(self, texts: dict[str, str], expected: dict[int, int], happened: list[Event]) -> None:
        bounty = next((event for event in happened if isinstance(event, events.Bounty)), None)
        for suffix, read in (("ohh", retelling.from_ohh), ("txt", retelling.from_pokerstars)):
            told = read(texts[suffix])
            assert told.finished == expected, f"stacks {expected}, .{suffix} tells {told.finished}"
            stacks = retelling.replayed(told)
            assert stacks == expected, f"stacks {expected}, .{suffix} leads to {stacks}"
            if suffix == "ohh":
                paid = {seat: 0 if bounty is None else bounty.change(seat - 1) for seat in expected}
                assert {seat: told.adjusted.get(seat, 0) for seat in expected} == paid, "another bounty"
        self.seen["OHH and text replayed by the referee"] += 1

    def _import(self, text: str, fields: dict[str, Any]) -> None:
        try:
            (read,) = self.table.game.read("phh", text)
        except Illegal as refusal:
            if refusal.code not in NOT_IMPORTED:
                raise
            self.seen[f"not imported again: {refusal.code}"] += 1
            return
        again = tomllib.loads(self.table.game.export("phh", read))
        for name in ("variant", "starting_stacks", "finishing_stacks", "seats"):
            assert again[name] == fields[name], f"`{name}` is {fields[name]}, and after an import {again[name]}"
        for here, there in zip(_in_order(fields["actions"]), _in_order(again["actions"]), strict=True):
            assert here == there, f"the actions are {here}, and after an import {there}"
        self.seen["imported again"] += 1

    def _count_kinds(self, happened: list[Event], fields: dict[str, Any]) -> None:
        (opening,) = [event for event in happened if isinstance(event, events.HandStarted)]
        kinds = {
            "hands": True,
            "showdowns": any(isinstance(event, events.HandEnded) and event.reason == "showdown" for event in happened),
            "with somebody leaving": any(isinstance(event, events.CashedOut | events.Leaving) for event in happened),
            "run twice": fields.get("_runs") == 2,
            "run three times": fields.get("_runs") == 3,
            "on two boards": opening.boards > 1,
            "bomb pots": opening.bomb > 0,
            "straddled": opening.straddle > 0,
            "with a blind of the button": opening.button_blind,
            "with a bounty for 7-2": any(isinstance(event, events.Bounty) for event in happened),
            "chosen by the dealer": self.table.settings.choice == "dealer",
            "in rotation": self.table.settings.choice == "rotation",
            f"{opening.limit} {opening.variant}": True,
        }
        self.seen.update(kind for kind, there in kinds.items() if there)

    # All hands of the evening

    def _keep(self, number: int, texts: dict[str, str]) -> None:
        for suffix, kept in self.files.items():
            kept.append(self.table.game.collect(suffix, len(kept) + 1, texts["phh" if suffix == "phhs" else suffix]))

    def _check_files(self) -> None:
        """In a file of many hands each is found as it was written."""
        hands = len(self.files["txt"])
        together = {suffix: "".join(texts) for suffix, texts in self.files.items()}
        assert list(tomllib.loads(together["phhs"])) == [str(number) for number in range(1, hands + 1)]
        read = [json.loads(line) for line in together["ohh"].split("\n\n") if line]
        assert [hand["ohh"]["game_number"] for hand in read] == [
            json.loads(text)["ohh"]["game_number"] for text in self.files["ohh"]
        ]
        found = PokerStarsParser.HAND.findall(together["txt"])
        assert [text.strip() for text in found] == [text.strip() for text in self.files["txt"]]
        self.seen["files of an evening"] += 3


def _in_order(actions: list[str]) -> tuple[list[str], list[str]]:
    """What was done, and who showed: those all-in show at once, and in another order where it may be run twice."""
    shows = [action for action in actions if " sm" in action]
    return [action for action in actions if " sm" not in action], sorted(shows)


def play_table(seed: int) -> Counter[str]:
    """What was read in one evening."""
    warnings.simplefilter("ignore")  # pokerkit warns about unusual but legal play
    ranks.forget()
    try:
        evening = Exported(seed)
        evening.play(HANDS_PER_TABLE + 1)  # the last one is not over
    except Exception as fault:
        raise EveningFault(f"seed {seed}: {type(fault).__name__}: {fault}") from fault
    return evening.seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=300, help="games of chess")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="how many processes share the work")
    options = parser.parse_args()
    began = time.perf_counter()
    try:
        total = in_parallel(play_table, options.hands, options.seed, options.workers)
        total += read_games(options.games, options.seed)
    except EveningFault as fault:
        raise SystemExit(str(fault)) from None
    for what, count in sorted(total.items()):
        print(f"{what:40} {count:,}")
    print(f"{total['hands']:,} hands in {time.perf_counter() - began:.0f} s: every file replays to its own stacks")


if __name__ == "__main__":
    main()
