"""Hold'em tables by the hundred thousand hands: people come, go, sit out, time out, rebuy, show and play at random.

    python -m proofs.verify_table --hands 100000

At every step the table is held to the contract (deciding changes nothing, the fold of the log is the live state, a
snapshot brings it back), chips are conserved, one seat at most is waited for, what is offered is accepted, and no view
or event shows a card that was not shown. It prints the number of hands, and fails at the first fault with its seed.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import msgspec

from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem.events import HandStarted
from parlour.games.poker.holdem.state import State
from parlour.games.testing import Lots, Trial

HANDS_PER_TABLE = 40


class Evening:
    """One table with restless people."""

    habits = (0.80, 0.90, 0.92, 0.935)
    """How often people act, ask, come and go, one upon the other; else they wait."""

    def __init__(self, seed: int) -> None:
        self.dice = dice = random.Random(seed)
        self.seats = dice.randint(2, 10)
        self.table = Trial(Holdem(), self._settings(), Lots(seed))
        self.brought = 0
        for seat in range(self.seats):
            self._join(seat)
        self._count(self.table.start())

    def _settings(self) -> dict[str, Any]:
        dice = self.dice
        variant = dice.choice(["holdem"] * 4 + ["omaha", "short-deck"])
        return {
            "seats": self.seats,
            "min_buy_in": 10,
            "buy_in": 100,
            "max_buy_in": 300,
            "small_blind": 1,
            "big_blind": dice.choice([1, 2, 3]),
            "ante": dice.choice([0, 0, 1, 2]),
            "ante_type": dice.choice(["each", "big_blind"]),
            "variant": variant,
            "limit": dice.choice(["no-limit"] * 3 + ["pot-limit", "fixed-limit"]),
            "hand_delay": dice.choice([0, 4]),
            "time_bank": dice.choice([0, 30]),
            "rebuy": dice.random() < 0.8,
            "levels": dice.choice([[], [], [[2, 1, 2, 0], [2, 2, 5, 1], [2, 5, 10, 1]]]),
        }

    @property
    def state(self) -> State:
        state = self.table.state
        assert isinstance(state, State)
        return state

    def _count(self, happened: Any) -> None:
        for event in happened:
            stake = self.table.game.stakes(event)
            if stake is not None:
                self.brought += stake[1]

    def _join(self, seat: int) -> None:
        """Somebody who is not there sits down; one who returns, with as many chips as the table says."""
        here = {player.id for player in self.state.record.players if player}
        who = self.dice.choice([name for name in (f"player {i}" for i in range(2 * self.seats)) if name not in here])
        chips = self.dice.randint(10, 300)
        left = self.table.public["departed"].get(who)
        if left and (left["until"] is None or self.table.now < left["until"]):
            chips = min(max(chips, left["least"]), left["most"])
        if not chips:  # lost them, and nobody buys more
            return
        self._count(self.table.join(seat, who, buy_in=chips, post=self.dice.random() < 0.5))

    def play(self, hands: int) -> int:
        """Play on; the number of hands that were dealt."""
        steps: list[tuple[float, Callable[[], None]]] = [
            *zip(self.habits, (self._act, self._ask, self._come, self._go), strict=True),
            (1.0, self._wait),
        ]
        idle = 0
        while self.state.record.hand < hands and idle < 500:
            before = len(self.table.log)
            roll = self.dice.random()
            next(step for limit, step in steps if roll < limit)()
            idle = idle + 1 if len(self.table.log) == before else 0
            self._check()
        return self.state.record.hand

    def _act(self) -> None:
        table, dice = self.table, self.dice
        for seat in table.game.actors(table.state):
            legal = table.game.legal(table.state, seat) or {}
            word = dice.choice([*legal["actions"], *legal["actions"][:2]])
            fields = {}
            if word in ("bet", "raise"):
                least, most = legal["min"], legal["max"]
                fields["amount"] = min(most, least + int(dice.expovariate(1 / 20)))
            self._count(table.act(seat, word, **fields))
            return
        self._wait()

    def _ask(self) -> None:
        seat = self.dice.randrange(self.seats)
        offered = self.table.game.options(self.table.state, seat) if self.state.record.players[seat] else []
        if offered:
            self._count(self.table.act(seat, self.dice.choice(list(offered))))

    def _come(self) -> None:
        free = [seat for seat, player in enumerate(self.state.record.players) if player is None]
        if free:
            self._join(self.dice.choice(free))

    def _go(self) -> None:
        taken = [seat for seat, player in enumerate(self.state.record.players) if player and not player.leaving]
        if taken:
            self._count(self.table.leave(self.dice.choice(taken)))

    def _wait(self) -> None:
        before = len(self.table.log)
        self.table.wait(self.dice.choice([100, 4000, 31_000, 70_000]))
        self._count(event for _, event in self.table.log[before:])

    def _check(self) -> None:
        public = self.table.public
        assert sum(player["stack"] for player in public["players"]) + public["pot"] == self.brought, "chips"
        actors = self.table.game.actors(self.state)
        assert len(actors) == (1 if self.state.record.live else 0), "one decision at a time"
        if self.state.record.live:
            self._check_secrets(public)

    def _check_secrets(self, public: dict[str, Any]) -> None:
        log, game, record = self.table.log, self.table.game, self.state.record
        began = next(at for at in range(len(log) - 1, -1, -1) if isinstance(log[at][1], HandStarted))
        view = msgspec.json.encode([public, [event for _, event in log[began:] if event.audience() is None]])
        for seat in record.order:
            private = game.private(self.state, seat)
            if private is not None and seat not in record.shown:
                seen = [card for card in private["cards"] if f'"{card}"'.encode() in view]
                assert not seen, f"{seen} of seat {seat} can be seen"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    played, steps, seed, began = 0, 0, options.seed, time.perf_counter()
    while played < options.hands:
        evening = Evening(seed)
        try:
            played += evening.play(HANDS_PER_TABLE)
        except Exception as fault:
            raise SystemExit(
                f"seed {seed}, hand {evening.state.record.hand}: {type(fault).__name__}: {fault}"
            ) from fault
        steps += len(evening.table.log)
        seed += 1
    seconds = time.perf_counter() - began
    print(f"{played:,} hands, {steps:,} events at {seed - options.seed:,} tables in {seconds:.0f} s: no fault")


if __name__ == "__main__":
    main()
