"""A tournament on paper: its log without tables. A test says how hands end; the rules say what follows."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from parlour.games.contract import Event
from parlour.tables.ports import Identity
from parlour.tables.testing import SeededEntropy
from parlour.tournaments import decisions
from parlour.tournaments import events as ev
from parlour.tournaments.game import TournamentGame
from parlour.tournaments.plan import format_of, plan
from parlour.tournaments.poker import money
from parlour.tournaments.settings import TournamentSettings, read
from parlour.tournaments.state import DirectedTable, TournamentState

MINUTE = 60_000
QUICK = {"hand_delay": 0}


def person(number: int, bot: bool = False) -> Identity:
    return Identity(f"p{number}", f"P{number}", None, bot)


class Paper:
    """A hold'em tournament; after every event chips and seats are checked."""

    def __init__(self, form: str = "mtt", entries: int = 0, start: bool = True, seed: int = 1, **settings: Any) -> None:
        self.game = TournamentGame()
        self.now = 1_000_000
        self.entropy = SeededEntropy(seed)
        self.chance = random.Random(seed)
        settings.setdefault("entries_max", max(2, entries) if form == "sitngo" else 1000)
        self.state: TournamentState = self.game.setup(TournamentSettings("Test", read("holdem", form, settings)))
        self.log: list[Event] = []
        for number in range(1, entries + 1):
            self.enter(number)
        if start and entries and form == "mtt":
            self.start()

    # What happens

    def tell(self, events: Sequence[Event]) -> list[Event]:
        """Let events happen, and what follows from them. All that happened."""
        before = len(self.log)
        self.follow(events)
        for _ in range(10_000):
            more = plan(self.state, self.now, self.entropy)
            if not more:
                return self.log[before:]
            self.follow(more)
        raise AssertionError("the plan never ends")

    def follow(self, events: Sequence[Event]) -> None:
        for event in events:
            read_back = msgspec.json.decode(msgspec.json.encode(event), type=type(event))
            assert read_back == event
            self.game.apply(self.state, event, self.now)
            self.log.append(event)
            self.check()

    def check(self) -> None:
        state, poker = self.state, self.state.p
        assert sum(entry.chips + entry.owed for entry in state.entries) == poker.chips
        settings = state.holdem
        entries = state.entries
        if state.started_at is not None:
            bought = sum(
                settings.stack * (1 + entry.reentries)
                + settings.rebuy_chips * entry.rebuys
                + settings.add_on * entry.added_on
                for entry in entries
                if entry.started
            )
            assert poker.chips == bought + poker.raced_chips - poker.removed_chips
            assert poker.left == sum(entry.status == "playing" for entry in entries)
        for table in state.tables.values():
            for seat, number in table.seats.items():
                assert (state.entry(number).table, state.entry(number).seat) == (table.number, seat)
            assert all(0 <= seat < settings.seats for seat in table.seats)
        seated = sum(len(table.seats) for table in state.tables.values())
        assert seated == sum(entry.table is not None for entry in entries)

    def enter(self, number: int, bot: bool = False) -> list[Event]:
        return self.tell(decisions.enter(self.state, person(number, bot), 0, self.now, self.entropy))

    def start(self) -> list[Event]:
        return self.tell(decisions.start(self.state, self.now, self.entropy))

    def host(self, power: str, **args: Any) -> list[Event]:
        return self.tell(decisions.use(self.state, power, args, self.now))

    def wait(self, ms: int) -> list[Event]:
        self.now += ms
        return self.tell(())

    def hand(self, number: int, stacks: Mapping[int, int] | None = None, **facts: Any) -> list[Event]:
        """A hand ends at a table: entries named have so many chips, the first of the others has what is missing."""
        return self.tell([self.report(number, stacks, **facts)])

    def report(self, number: int, stacks: Mapping[int, int] | None = None, **facts: Any) -> ev.HandReported:
        table = self.state.tables[number]
        assert table.ordered, "no hand was ordered at this table"
        before = {entry: self.state.entry(entry).chips for entry in (*table.seats.values(), *table.leaving)}
        after = {**before, **(stacks or {})}
        missing = sum(before.values()) - sum(after.values())
        if missing:
            winner = next(entry for entry in table.seats.values() if entry not in (stacks or {}))
            after[winner] += missing
        laid = self.laid(table)
        return ev.HandReported(number, table.reported + 1, after, *laid, **facts)

    def laid(self, table: DirectedTable) -> tuple[int, int, int]:
        """Where button and blinds lie next: they go round among those who sit there."""
        seats = sorted(table.seats)
        last = -1 if table.big is None else table.big
        big = next((seat for seat in seats if seat > last), seats[0])
        place = seats.index(big)
        return seats[place - 2], seats[place - 1], big

    # What is asked

    def tables(self) -> list[DirectedTable]:
        return self.state.open_tables()

    def playing(self) -> list[int]:
        """Tables where a hand is played."""
        return [table.number for table in self.tables() if table.ordered]

    def at(self, number: int) -> list[int]:
        """The entries at a table, by seat."""
        return [entry for _, entry in sorted(self.state.tables[number].seats.items())]

    def sizes(self) -> list[int]:
        return sorted(len(table.seats) for table in self.tables())

    def kinds(self, events: Sequence[Event]) -> list[str]:
        return [type(event).__name__ for event in events]

    def places(self) -> dict[int, tuple[int, int, int]]:
        """Entry → place, last of the shared places, prize."""
        standings = self.state.standings or format_of(self.state).standings(self.state)
        return {one.entry: (one.place, one.place_to, one.prize) for one in standings}

    def pool(self) -> int:
        return money.pool(self.state)

    # A course by chance

    def play_on(self, hands: int = 10_000) -> None:
        """Hands end by chance, one table after another, until it is over."""
        for _ in range(hands):
            if self.state.status == "finished":
                return
            playing = self.playing()
            if not playing:
                due = self.game.deadline(self.state)
                assert due is not None, "nothing can happen any more"
                self.wait(max(0, due.at - self.now))
                continue
            number = self.chance.choice(playing)
            self.hand(number, *self._outcome(number))
            self.now += self.chance.randrange(20_000)

    def _outcome(self, number: int) -> tuple[dict[int, int]]:
        """Somebody wins something of somebody, or all."""
        entries = [entry for entry in self.at(number) if self.state.entry(entry).chips]
        winner, loser = self.chance.sample(entries, 2)
        chips = {entry: self.state.entry(entry).chips for entry in entries}
        lost = min(chips[loser], max(1, round(chips[winner] * self.chance.choice([0.1, 0.5, 1]))))
        return ({winner: chips[winner] + lost, loser: chips[loser] - lost},)
