"""Evenings of hold'em for the proofs: people come, go, sit out, time out, rebuy, show and play at random."""

from __future__ import annotations

import multiprocessing
import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from parlour.games.contract import Event, Illegal, Millis, Round, Seat, World
from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem.events import HandStarted
from parlour.games.poker.holdem.settings import DECK_SIZE, HOLE_CARDS
from parlour.games.poker.holdem.state import HoldemState
from parlour.games.testing import Lots, Trial

HANDS_PER_TABLE = 40
LIMITS = ("no-limit", "no-limit", "pot-limit", "fixed-limit")
WEIGHTS = {"fold": 3, "check": 12, "call": 12, "bet": 5, "raise": 5, "allin": 2}
"""How often people do what: they fold seldom enough to see many boards."""


class QuickTrial(Trial):
    """A table that plays on without being held to the contract at each step, and keeps its rounds apart.

    `verify_table.py` checks the contract; where only the record matters, nine tenths of the time would go there.
    """

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.rounds: dict[int, list[tuple[Millis, Event]]] = {}

    def _step(self, decide: Callable[[World], Sequence[Event]]) -> Sequence[Event]:
        happened = decide(World(now=self.now, chance=self.chance, away=self.away, bots=self.bots))
        for event in happened:
            self.game.apply(self.state, event, self.now)
            self.log.append((self.now, event))
            self.rounds.setdefault(self.game.round(self.state), []).append((self.now, event))
        return happened

    def change(self, settings: Any) -> None:
        self.settings = settings
        self.state = self.game.thaw(settings, self.game.freeze(self.state))

    def played(self, number: int | None = None, names: Mapping[Seat, str] | None = None, *seats: Seat) -> Round:
        """One round as a server records it: from the event that begins it to the one that ends it."""
        number = self.game.round(self.state) if number is None else number
        events: list[tuple[Millis, Event]] = []
        for at, event in self.rounds[number]:
            audience = event.audience()
            if not seats or audience is None or set(seats) & set(audience):
                events.append((at, event))
            if event.ends_round:
                break
        return Round(number, msgspec.to_builtins(self.settings), names or {}, events)


class Evening:
    """One table with restless people."""

    habits = (0.80, 0.90, 0.92, 0.935)
    """How often people act, ask, come and go, one upon the other; else they wait."""

    trial: type[Trial] = Trial

    def __init__(self, seed: int) -> None:
        self.dice = dice = random.Random(seed)
        self.seats = dice.randint(2, 10)
        self.table = self.trial(Holdem(), self._settings(), Lots(seed))
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
    def state(self) -> HoldemState:
        state = self.table.state
        assert isinstance(state, HoldemState)
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


class Hosted(Evening):
    """An evening whose host uses every option, corrects stacks and changes the settings between hands."""

    def __init__(self, seed: int) -> None:
        self.seen: Counter[str] = Counter()
        super().__init__(seed)

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

    def _wait(self) -> None:
        record = self.state.record
        if not record.live and record.hand and self.dice.random() < 0.02:
            self._change()
        if not record.live and self.dice.random() < 0.05:
            self._correct()
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


class EveningFault(Exception):
    """What went wrong, and at which table."""


def in_parallel(play: Callable[[int], Counter[str]], hands: int, seed: int, workers: int) -> Counter[str]:
    """Tables of seeds from `seed` on, until there were so many hands; `play` counts its own under `hands`."""
    total: Counter[str] = Counter()
    if workers == 1:
        while total["hands"] < hands:
            total += play(seed)
            seed += 1
        return total
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        while total["hands"] < hands:
            tables = -(-(hands - total["hands"]) // HANDS_PER_TABLE)
            for seen in pool.imap_unordered(play, range(seed, seed + tables)):
                total += seen
                if sys.stderr.isatty():
                    print(f"\r{total['hands']:,} of {hands:,} hands", end="", file=sys.stderr, flush=True)
            seed += tables
    return total
