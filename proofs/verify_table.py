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
import multiprocessing
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from tests.referee import ranks
from tests.referee.table import Table

from parlour.games.contract import Illegal
from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem.events import HandEnded, HandStarted
from parlour.games.poker.holdem.settings import DECK_SIZE, HOLE_CARDS
from parlour.games.poker.holdem.state import State
from parlour.games.testing import Lots, Trial
from proofs.interference import told_the_same
from proofs.replay_pokerkit import replay

HANDS_PER_TABLE = 40
LIMITS = ("no-limit", "no-limit", "pot-limit", "fixed-limit")
WEIGHTS = {"fold": 3, "check": 12, "call": 12, "bet": 5, "raise": 5, "allin": 2}
"""How often people do what: they fold seldom enough to see many boards."""


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
        """Settings in which anything may be on, few things at once, as at a real table."""
        dice = self.dice
        return {
            "seats": self.seats,
            "min_buy_in": 10,
            "buy_in": 100,
            "max_buy_in": 300,
            "small_blind": 1,
            "big_blind": dice.choice([1, 2, 3]),
            "ante": dice.choice([0, 0, 1, 2]),
            "ante_type": dice.choice(["each", "big_blind"]),
            "ante_first": dice.random() < 0.3,
            "variant": dice.choice(self._fitting(1)),
            "limit": dice.choice(LIMITS),
            "raise_cap": dice.choice([3, 3, 4, 0]),
            "hand_delay": dice.choice([0, 4]),
            "time_bank": dice.choice([0, 30]),
            "rebuy": dice.random() < 0.8,
            "levels": dice.choice([[], [], [], [[2, 1, 2, 0], [2, 2, 5, 1], [2, 5, 10, 1]]]),
        }

    def _fitting(self, boards: int) -> list[str]:
        """The variants whose deck suffices for every seat."""
        return [
            variant for variant, holes in HOLE_CARDS.items() if self.seats * holes + 5 * boards <= DECK_SIZE[variant]
        ]

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
            legal = table.game.legal(table.state, seat)
            if legal is None:  # asked for something else than a bet
                self._choose(seat)
                return
            (word,) = dice.choices(legal["actions"], [WEIGHTS[word] for word in legal["actions"]])
            fields = {}
            if word in ("bet", "raise"):
                least, most = legal["min"], legal["max"]
                fields["amount"] = min(most, least + int(dice.expovariate(1 / 20)))
            self._count(table.act(seat, word, **fields))
            return
        self._wait()

    def _choose(self, seat: int) -> None:
        """Do something that the table offers, whoever's turn it is."""
        table, dice = self.table, self.dice
        offered = list(table.game.options(table.state, seat))
        wanted = [word for word in offered if word in ("run", "choose")] or offered
        if wanted:
            (word,) = dice.choices(wanted, [1 if word in ("sit_out", "muck") else 4 for word in wanted])
            self._count(table.act(seat, word, **self._fields(seat, word)))

    def _fields(self, seat: int, word: str) -> dict[str, Any]:
        dice, state = self.dice, self.state
        if word in ("straddle", "bomb"):
            return {"on": dice.random() < 0.9}
        if word == "run":
            most = self.table.public["run"]["most"]
            return {"times": dice.choice([1, most, most])}
        if word == "choose":
            game = dice.choice(state.settings.games)
            return {"variant": game.variant, "limit": game.limit}
        if word == "show" and dice.random() < 0.5:
            private = self.table.game.private(state, seat)
            shown = state.record.shown.get(seat, [])
            hidden = [card for card in (private["cards"] if private else []) if card not in shown]
            return {"cards": [dice.choice(hidden)]} if hidden else {}
        return {}

    def _ask(self) -> None:
        seat = self.dice.randrange(self.seats)
        if self.state.record.players[seat]:
            self._choose(seat)

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
        if self.state.record.live:
            self._check_secrets(public)

    def _check_secrets(self, public: dict[str, Any]) -> None:
        log, game, record = self.table.log, self.table.game, self.state.record
        began = next(at for at in range(len(log) - 1, -1, -1) if isinstance(log[at][1], HandStarted))
        view = msgspec.json.encode([public, [event for _, event in log[began:] if event.audience() is None]])
        for seat in record.order:
            private = game.private(self.state, seat)
            if private is not None:
                hidden = [card for card in private["cards"] if card not in record.shown.get(seat, [])]
                seen = [card for card in hidden if f'"{card}"'.encode() in view]
                assert not seen, f"{seen} of seat {seat} can be seen"


class Refereed(Evening):
    """An evening with every option of the host, that both referees follow."""

    def __init__(self, seed: int) -> None:
        self.referee = Table()
        self.seen: Counter[str] = Counter()
        self._followed = 0
        self._began = 0
        super().__init__(seed)
        self._check()

    def _settings(self) -> dict[str, Any]:
        return {**super()._settings(), **self._options()}

    def _options(self) -> dict[str, Any]:
        """What a host may choose besides; each of it off at most tables."""
        dice = self.dice
        two_boards = dice.choice(["never", "never", "bombs", "always"])
        fitting = self._fitting(1 if two_boards == "never" else 2)
        button_blind = dice.random() < 0.15
        chosen: dict[str, Any] = {
            "variant": dice.choice(fitting),
            "button_blind": button_blind,
            "straddle": "off" if button_blind else dice.choice(["off", "off", "utg", "button"]),
            "bomb_ante": 0,
            "bomb_every": 0,
            "double_board": two_boards,
            "run_it": dice.choice([1, 2, 3]),
            "rabbit": dice.random() < 0.3,
            "seven_deuce": dice.choice([0, 0, 5]),
            "choice": dice.choice(["fixed", "fixed", "fixed", "rotation", "dealer"]),
            "games": [],
            "change_every": dice.choice([0, 1, 3]),
        }
        if two_boards == "bombs" or dice.random() < 0.3:
            chosen |= {"bomb_ante": dice.choice([1, 5]), "bomb_every": dice.choice([0, 2, 5])}
        if chosen["choice"] != "fixed":
            games = {(variant, limit) for variant in fitting for limit in LIMITS}
            chosen["games"] = dice.sample(sorted(games), dice.randint(2, 4))
            chosen["variant"], chosen["limit"] = chosen["games"][0]
        return chosen

    def play(self, hands: int) -> int:
        played = super().play(hands)
        self.seen += self.referee.seen
        return played

    def _wait(self) -> None:
        record = self.state.record
        if not record.live and record.hand and self.dice.random() < 0.02:
            self._change()
        if not record.live and self.dice.random() < 0.05:
            self._correct()
        if not record.live and record.next_hand_at is not None and self.dice.random() < 0.1:
            table = self.table
            told_the_same(table.settings, table.game.freeze(table.state), table.now, self.dice.getrandbits(32))
            self.seen["hands played twice"] += 1
        super()._wait()

    def _correct(self) -> None:
        """The host corrects a stack between two hands."""
        taken = [seat for seat, player in enumerate(self.state.record.players) if player and not player.leaving]
        if taken:
            seat = self.dice.choice(taken)
            least = -min(20, self.state.stack(seat))
            self._count(self.table.correct(seat, self.dice.randint(least, 20), "a miscount"))
            self.seen["stacks corrected"] += 1

    def _change(self) -> None:
        """The host changes the settings between two hands."""
        table = self.table
        wanted = {**msgspec.to_builtins(table.settings), **self._options(), "ante": self.dice.choice([0, 1])}
        if table.settings.levels:
            del wanted["ante"]
        try:
            settings = table.listing.settings(wanted)
        except Illegal:
            return
        table.change(settings)
        self.seen["settings changed"] += 1

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


def play_table(seed: int) -> tuple[int, Counter[str], str | None]:
    """One evening: the hands, what was seen, and the fault if there was one."""
    ranks.forget()
    evening = None
    try:
        evening = Refereed(seed)
        played = evening.play(HANDS_PER_TABLE)
    except Exception as fault:
        hand = evening.state.record.hand if evening else 0
        trace = "".join(traceback.format_exception(fault))
        return 0, Counter(), f"seed {seed}, hand {hand}: {type(fault).__name__}: {fault}\n{trace}"
    return played, evening.seen + Counter(events=len(evening.table.log), tables=1), None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    played, seed, began = 0, options.seed, time.perf_counter()
    total: Counter[str] = Counter()
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        while played < options.hands:
            tables = -(-(options.hands - played) // HANDS_PER_TABLE)
            for hands, seen, fault in pool.imap_unordered(play_table, range(seed, seed + tables)):
                if fault is not None:
                    print(fault, file=sys.stderr)
                    return 1
                played += hands
                total += seen
                if sys.stderr.isatty():
                    print(f"\r{played:,} of {options.hands:,} hands", end="", file=sys.stderr, flush=True)
            seed += tables
    for what, count in total.most_common():
        print(f"{what:34} {count:,}")
    print(
        f"{played:,} hands, {total['events']:,} events at {total['tables']:,} tables from seed {options.seed} "
        f"in {time.perf_counter() - began:.0f} s: no fault"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
