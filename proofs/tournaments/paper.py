"""A tournament on paper: the course of it is decided by the tournament's own rules, and the hands by dice.

There is no table, no store and no clock: whatever the tournament orders is so at once, and what would stand in the logs
is written down for the referee. So thousands can be played while one is played at tables.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from parlour.games.contract import Event
from parlour.games.poker.holdem.blinds import BlindsPlayer, Positions, arrange
from parlour.tables.ports import Identity
from parlour.tournaments import decisions
from parlour.tournaments import events as ev
from parlour.tournaments.game import TournamentGame
from parlour.tournaments.plan import due, plan
from parlour.tournaments.settings import TournamentSettings, read
from parlour.tournaments.state import DirectedTable, TournamentState
from proofs.tournaments.field import Plan
from proofs.tournaments.story import require

GAME = TournamentGame()
STEPS_MOST = 200_000


class Chance:
    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def token(self, size: int) -> bytes:
        return self._dice.randbytes(size)

    def shuffle(self, n: int) -> Sequence[int]:
        return self._dice.sample(range(n), n)


class PaperTable:
    """One table: who sits there with how many chips, and what its log would say."""

    def __init__(self, number: int, code: str, seats: int, at: int) -> None:
        self.number, self.code = number, code
        self.players: list[tuple[str, int] | None] = [None] * seats
        self.positions: Positions | None = None
        self.log: list[dict[str, Any]] = []
        self.hand = 0
        self.playing = self.closed = False
        self.fresh: set[int] = set()
        """Seats of those who have come since the last hand began."""
        self.write(at, "created", settings={"seats": seats})

    def write(self, at: int, what: str, **fields: Any) -> None:
        self.log.append({"seq": len(self.log) + 1, "at": at, "type": what, **fields})

    def sit(self, at: int, seat: int, player: str, chips: int) -> None:
        self.players[seat] = (player, chips)
        self.fresh.add(seat)
        self.write(at, "seated", seat=seat, player=player)
        self.write(at, "bought_in", seat=seat, chips=chips)

    def rise(self, at: int, seat: int, reason: str, to: str | None = None) -> None:
        held = self.players[seat]
        assert held is not None
        self.write(at, "cashed_out", seat=seat, chips=held[1])
        self.write(at, "unseated", seat=seat, player=held[0], reason=reason, to=to)
        self.players[seat] = None

    def deal(self, at: int, lot: Sequence[int], blinds: tuple[int, int], ante: int) -> None:
        """Begin a hand. Whoever has just come between the button and the small blind waits."""
        self.hand += 1
        here = [None if held is None or not held[1] else BlindsPlayer(held[1]) for held in self.players]
        laid = arrange(here, self.positions, blinds, lot).positions
        dealt = [seat for seat, player in enumerate(here) if player is not None]
        size = len(here)
        between = {(laid.button + step) % size for step in range(1, (laid.small - laid.button) % size)}
        if len(dealt) > 2:
            dealt = [seat for seat in dealt if seat not in between & self.fresh]
        self.fresh &= between
        self.positions, self.playing, self.dealt = laid, True, dealt
        stacks = {seat: self.chips(seat) for seat in dealt}
        self.write(
            at, "hand_started", hand=self.hand, button=laid.button, small_blind=laid.small, big_blind=laid.big,
            blinds=list(blinds), ante=ante, stacks=stacks,
        )  # fmt: skip
        if self.players[laid.big] is not None:
            self.write(at, "posted", seat=laid.big, amount=min(blinds[1], self.chips(laid.big)), kind="big_blind")

    def chips(self, seat: int) -> int:
        held = self.players[seat]
        assert held is not None
        return held[1]

    def end(self, at: int, dice: random.Random, big_blind: int) -> dict[int, list[int]]:
        """End it: one wins a stake from each of some others. Who won from those who are out, by seat."""
        stakes = dict.fromkeys(self.dealt, 0)
        winner = dice.choice(self.dealt)
        for seat in self.dealt:
            if seat != winner:
                share = dice.choice([0, 0, 0, 1, 3, 1000]) * big_blind
                stakes[seat] = min(share or min(big_blind, dice.choice([0, big_blind])), self.chips(seat))
        most = self.chips(winner)
        won = {seat: min(stake, most) for seat, stake in stakes.items()}
        for seat, stake in won.items():
            held = self.players[seat]
            assert held is not None
            self.players[seat] = (held[0], held[1] - stake + (sum(won.values()) if seat == winner else 0))
        self.playing = False
        stacks = {seat: self.chips(seat) for seat in self.dealt}
        pots = [{"seats": self.dealt, "winners": [winner]}]
        self.write(at, "hand_ended", hand=self.hand, stacks=stacks, pots=pots)
        return {seat: [winner] for seat in self.dealt if not self.chips(seat)}


class Paper:
    """One tournament."""

    def __init__(self, asked: Plan) -> None:
        self.plan = asked
        self.dice = random.Random(asked.seed)
        self.chance = Chance(self.dice)
        chosen = read("holdem", asked.format, asked.settings)
        self.settings = TournamentSettings("on paper", chosen)
        self.state: TournamentState = GAME.setup(self.settings)
        self.at = 1_700_000_000_000
        self.log: list[dict[str, Any]] = []
        self.tables: dict[int, PaperTable] = {}
        self.late = [self._person(asked.on_time + number) for number in range(asked.late)]
        self._write("created", settings={"chosen": msgspec.to_builtins(chosen)})

    def _person(self, number: int) -> Identity:
        return Identity(f"p{number}", f"Person {number}")

    def play(self) -> None:
        host = self._person(0)
        for number in range(self.plan.on_time):
            self._follow(decisions.enter(self.state, self._person(number), 0, self.at, self.chance))
        if self.plan.format == "mtt":
            self._follow(decisions.start(self.state, self.at, self.chance))
        for _ in range(STEPS_MOST):
            self._settle()
            if self.state.status == "finished":
                return
            self._go_on()
        require(False, "the tournament does not end", host)

    def _write(self, kind: str, **fields: Any) -> None:
        self.at += 1
        self.log.append({"seq": len(self.log) + 1, "at": self.at, "type": kind, **fields})

    def _follow(self, events: Sequence[Event]) -> None:
        for event in events:
            self.at += 1
            GAME.apply(self.state, event, self.at)
            self.log.append({"seq": len(self.log) + 1, "at": self.at, **msgspec.to_builtins(event)})
            if isinstance(event, ev.TableOpened):
                name = ev.TableName(event.table, f"id{event.table}", f"T{event.table}")
                self._follow([ev.TablesNamed([name])])
            elif isinstance(event, ev.RebuyOffered) and self.dice.random() < self.plan.rebuy:
                self._ask(decisions.rebuy, event.entry, self.at)
            elif isinstance(event, ev.Eliminated) and self.dice.random() < self.plan.reenter:
                self._ask(decisions.enter, event.entry, 0, self.at, self.chance)
            elif isinstance(event, ev.BreakBegan) and event.add_on:
                for entry in list(self.state.entries):
                    if self.dice.random() < 0.5:
                        self._ask(decisions.add_on, entry.number)

    def _ask(self, decide: Any, entry: int, *args: Any) -> None:
        """What somebody asks for, if the tournament lets them, once the present step is done."""
        player = self.state.entry(entry)
        self._asked.append((decide, Identity(player.player, player.name), args))

    _asked: list[tuple[Any, Identity, tuple[Any, ...]]]

    def _settle(self) -> None:
        """Let everything happen that follows by itself, and the tables be as they should."""
        self._asked = []
        while True:
            events = plan(self.state, self.at, self.chance)
            self._follow(events)
            for decide, who, args in self._asked:
                self._try(decide, who, *args)
            self._asked = []
            self._reconcile()
            if not events:
                return

    def _try(self, decide: Any, who: Identity, *args: Any) -> None:
        from parlour.tables.errors import Refused

        try:
            self._follow(decide(self.state, who, *args))
        except Refused:
            return

    def _go_on(self) -> None:
        """Something happens: a hand ends, somebody comes late, or time passes."""
        if self.late and self.dice.random() < 0.05:
            self._try(decisions.enter, self.late.pop(), 0, self.at, self.chance)
            return
        playing = [table for table in self.tables.values() if table.playing]
        if playing:
            self._end_hand(self.dice.choice(playing))
            return
        next_time = due(self.state)
        require(next_time is not None, "nothing happens any more in", self.plan.seed)
        assert next_time is not None
        self.at = max(self.at, next_time)

    def _end_hand(self, table: PaperTable) -> None:
        self.at += 1
        level = self.settings.chosen.levels[max(self.state.p.level, 1) - 1]  # type: ignore[union-attr]
        seated = {seat: held[0] for seat, held in enumerate(table.players) if held is not None}
        won = table.end(self.at, self.dice, level.big_blind)
        number = {seat: self.state.players[player] for seat, player in seated.items()}
        laid = table.positions
        assert laid is not None
        stacks = {number[seat]: table.chips(seat) for seat in seated}
        winners = {number[seat]: [number[winner] for winner in those] for seat, those in won.items()}
        places = (laid.button, laid.small, laid.big)
        self._follow([ev.HandReported(table.number, table.hand, stacks, *places, winners)])

    def _reconcile(self) -> None:
        """Make the tables so."""
        state = self.state
        for table in state.tables.values():
            if table.number not in self.tables:
                self.at += 1
                size = state.holdem.seats
                self.tables[table.number] = PaperTable(table.number, f"T{table.number}", size, self.at)
        for table in state.tables.values():
            self._rise(table)
        for table in state.tables.values():
            self._sit(table)
        for table in state.tables.values():
            paper = self.tables[table.number]
            if table.ordered and not paper.playing and paper.hand == table.reported:
                self.at += 1
                level = state.holdem.levels[max(state.p.level, 1) - 1]
                blinds = (level.small_blind, level.big_blind)
                paper.deal(self.at, self.chance.shuffle(state.holdem.seats), blinds, level.ante)

    def _rise(self, table: DirectedTable) -> None:
        paper = self.tables[table.number]
        if paper.playing:
            return
        for seat, held in enumerate(paper.players):
            if held is None:
                continue
            entry = self.state.entry_of(held[0])
            assert entry is not None
            if entry.table == table.number and entry.seat == seat and self.state.status != "finished":
                continue
            self.at += 1
            to = None if entry.table is None else f"T{entry.table}"
            over = self.state.status == "finished"
            paper.rise(self.at, seat, "finished" if over else "eliminated" if to is None else "moved", to)
        if table.closed and not paper.closed and not any(paper.players):
            paper.closed = True
            paper.write(self.at, "closed")

    def _sit(self, table: DirectedTable) -> None:
        if self.state.status == "finished":
            return
        paper = self.tables[table.number]
        for seat, number in table.seats.items():
            entry = self.state.entry(number)
            held = paper.players[seat]
            if held is None:
                self.at += 1
                paper.sit(self.at, seat, entry.player, entry.chips)
            elif not paper.playing and held[1] != entry.chips:
                self.at += 1
                paper.write(self.at, "stack_corrected", seat=seat, chips=entry.chips - held[1], reason="so")
                paper.players[seat] = (held[0], entry.chips)

    def logs(self) -> tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]]]:
        return self.log, {table.code: table.log for table in self.tables.values()}
