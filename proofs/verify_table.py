"""Hold'em tables by the hundred thousand hands: people come, go, sit out, time out, rebuy, show and play at random.

    python -m proofs.verify_table --hands 100000

Every variant, limit and option of the host is played, and the settings change between hands. At every step the table is
held to the contract (deciding changes nothing, the fold of the log is the live state, a snapshot brings it back), chips
are conserved, what is offered is accepted, and no view or event shows a card that was not shown. Besides,

- the whole log is followed by the plain referee of `tests/referee`, which says at each decision who acts and what is
  legal, and at the end who shows, which pots there are and who gets which chips;
- each hand is played again in pokerkit (`replay_pokerkit.py`), its known differences counted by their letters;
- hands are played twice with other cards in somebody's hand, and everybody else is told the same (`interference.py`).

It prints what there was to see, and fails at the first fault with its seed.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter

import msgspec
from tests.referee import ranks
from tests.referee.table import Table

from parlour.games.poker.holdem.events import HandEnded, HandStarted
from proofs.evening import HANDS_PER_TABLE, EveningFault, Hosted, in_parallel
from proofs.interference import told_the_same
from proofs.replay_pokerkit import replay


class Refereed(Hosted):
    """An evening with every option of the host, that both referees follow."""

    def __init__(self, seed: int) -> None:
        self.referee = Table()
        self._followed = 0
        self._began = 0
        super().__init__(seed)
        self._check()

    def play(self, hands: int) -> int:
        played = super().play(hands)
        self.seen += self.referee.seen
        return played

    def _wait(self) -> None:
        record = self.state.record
        if not record.live and record.next_hand_at is not None and self.dice.random() < 0.1:
            table = self.table
            told_the_same(table.settings, table.game.freeze(table.state), table.now, self.dice.getrandbits(32))
            self.seen["hands played twice"] += 1
        super()._wait()

    def _check(self) -> None:
        super()._check()
        log = self.table.log
        for at in range(self._followed, len(log)):
            event = log[at][1]
            if isinstance(event, HandStarted):
                self._began = at
            self.referee.follow(msgspec.to_builtins(event))
            if isinstance(event, HandEnded):
                self.seen += replay([msgspec.to_builtins(other) for _, other in log[self._began : at + 1]])
        self._followed = len(log)
        assert self.referee.brought == self.brought, "the referee counts other chips"
        self._check_choice()

    def _check_choice(self) -> None:
        """The table asks whom the referee would ask, and offers what the rules allow."""
        game, state = self.table.game, self.state
        actors = [seat for seat in game.actors(state) if game.legal(state, seat) is not None]
        choice = self.referee.choice()
        assert actors == ([] if choice is None else [choice[0]]), f"{actors} act, by the rules {choice}"
        if choice is None:
            return
        seat, rule = choice
        legal = game.legal(state, seat)
        assert legal is not None
        here = legal["call"], legal["min"] if legal["max"] else 0, legal["max"]
        assert here == (rule.call, rule.least, rule.most), f"seat {seat} is offered {here}, by the rules {rule}"
        words = set(legal["actions"]) - {"allin"}
        due = {"fold", "call" if rule.call else "check"}
        if rule.most:
            due.add("bet" if self.referee.live and not self.referee.live.betting.price else "raise")
        assert words == due, f"seat {seat} is offered {sorted(words)}, by the rules {sorted(due)}"
        self.seen["choices compared"] += 1


def play_table(seed: int) -> Counter[str]:
    """What was seen in one evening."""
    ranks.forget()
    evening = None
    try:
        evening = Refereed(seed)
        played = evening.play(HANDS_PER_TABLE)
    except Exception as fault:
        hand = evening.state.record.hand if evening else 0
        trace = "".join(traceback.format_exception(fault))
        raise EveningFault(f"seed {seed}, hand {hand}: {type(fault).__name__}: {fault}\n{trace}") from None
    seen = evening.seen + Counter(events=len(evening.table.log), tables=1)
    seen["hands"] = played  # the last one is not over
    return seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    began = time.perf_counter()
    try:
        total = in_parallel(play_table, options.hands, options.seed, options.workers)
    except EveningFault as fault:
        print(fault, file=sys.stderr)
        return 1
    for what, count in total.most_common():
        print(f"{what:34} {count:,}")
    print(
        f"{total['hands']:,} hands, {total['events']:,} events at {total['tables']:,} tables from seed {options.seed} "
        f"in {time.perf_counter() - began:.0f} s: no fault"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
