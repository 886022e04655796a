"""A hold'em tournament, sit-and-go or multi-table: what follows from its state by itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

import structlog

from parlour.games.contract import Event, Illegal, Millis, Seat
from parlour.tables.ports import Entropy
from parlour.tables.room.state import TableState
from parlour.tournaments import events as ev
from parlour.tournaments.formats import TablePlan
from parlour.tournaments.poker import deals, eliminations, fold, levels, money, moves, races, reports, seating
from parlour.tournaments.poker.placing import hand_for_hand
from parlour.tournaments.settings import LevelSetting
from parlour.tournaments.state import DirectedTable, Entry, TournamentState

logger = structlog.get_logger(__name__)

ALL = (
    ev.Began,
    ev.Finished,
    ev.Halted,
    ev.WentOn,
    ev.LevelBegan,
    ev.BreakBegan,
    ev.SeatsGiven,
    ev.TablesNamed,
)
"""Events that may change what every table should be."""


class HoldemFormat:
    """The `Format` of hold'em."""

    # Entries

    def refuse_late(self, state: TournamentState) -> None:
        if not moves.late_open(state):
            raise Illegal("no_late_entry", "nobody can enter this tournament any more")

    def entered(self, state: TournamentState, entry: int, now: Millis, entropy: Entropy) -> Sequence[Event]:
        return moves.late(state, entry, entropy)

    def withdraw(self, state: TournamentState, entry: Entry) -> Sequence[Event]:
        return [ev.RebuyLapsed(entry.number)] if entry.number in state.p.offers else []

    def remove(self, state: TournamentState, entry: Entry) -> Sequence[Event]:
        table = None if entry.table is None else state.tables[entry.table]
        chips = 0 if table is not None and table.ordered else entry.chips
        return [ev.Removed(entry.number, entry.table, chips)]

    # The course

    def begin(self, state: TournamentState, now: Millis, entropy: Entropy) -> Sequence[Event]:
        entries = [entry.number for entry in state.entries if entry.status == "entered"]
        happened: list[Event] = []
        for index, seats in enumerate(seating.draw(entries, state.holdem.seats, entropy)):
            number = state.opened + 1 + index
            happened += [ev.TableOpened(number), ev.SeatsGiven(number, seats)]
        return [*happened, levels.begin(state, 1, now)]

    def plan(self, state: TournamentState, now: Millis, entropy: Entropy) -> Sequence[Event]:
        tables, poker = state.open_tables(), state.p
        if events := eliminations.plan(state, tables, now):
            return events
        if poker.left < 2 or (_deserted(tables) and not any(table.ordered for table in tables)):
            return [ev.Finished("played", self.final(state, "played"))]
        if events := deals.plan(state, tables, now) or levels.plan(state, now):
            return events
        wanted = state.holdem.hand_for_hand and not money.is_open(state)
        together = wanted and hand_for_hand(poker.left, len(money.prizes(state)), len(tables))
        if together != poker.hand_for_hand:
            return [ev.HandForHand(together)]
        return moves.plan(state, tables, entropy) or self._races(state, tables, entropy) or self._deal(state, tables)

    def _races(self, state: TournamentState, tables: Sequence[DirectedTable], entropy: Entropy) -> Sequence[Event]:
        chosen = state.holdem
        if chosen.races == "none" or state.p.deal is not None:  # shares were proposed for the stacks as they are
            return ()
        needed = _needed(chosen.levels, chosen.chips, state.p.level)
        happened: list[Event] = []
        for table in tables:
            old = table.chip or chosen.chips[0]
            if table.ordered or needed <= old or state.status != "running":
                continue
            chip = min(one for one in chosen.chips if one > old)  # one denomination after another
            stacks = {entry: state.entry(entry).chips for _, entry in sorted(table.seats.items())}
            done = races.race(stacks, old, chip, entropy) if chosen.races == "race" else races.round_up(stacks, chip)
            cards = {entry: list(cards) for entry, cards in done.cards.items()}
            happened.append(ev.Raced(table.number, chip, dict(done.changes), cards))
        return happened

    def _deal(self, state: TournamentState, tables: Sequence[DirectedTable]) -> Sequence[Event]:
        """The tables that may begin their next hand."""
        poker = state.p
        if state.paused or state.status != "running" or poker.deal is not None or moves.final_due(state, tables):
            return ()
        if poker.hand_for_hand and (poker.waiting or any(table.ordered for table in tables)):
            return ()
        if _deserted(tables):  # the end waits for the hands that are being played
            return ()
        held = moves.busy(state)
        largest = max((len(table.seats) for table in tables), default=0)
        ready = [
            table.number
            for table in tables
            if not table.ordered
            and len(table.seats) > 1
            and table.number not in held
            and largest - len(table.seats) < SHORT
        ]
        return [ev.RoundOrdered(ready)] if ready else ()

    def due(self, state: TournamentState) -> Millis | None:
        times = (state.clock.ends_at, eliminations.due(state), deals.due(state))
        return min((time for time in times if time is not None), default=None)

    def shift(self, state: TournamentState, length: Millis) -> None:
        fold.shift(state, length)

    def apply(self, state: TournamentState, event: Event, at: Millis) -> bool:
        return fold.apply(state, event, at)

    # Tables

    def order(self, state: TournamentState, table: DirectedTable) -> TablePlan:
        going = state.status == "running" and not state.paused
        return TablePlan(
            table.number,
            _settings(state),
            table.seats,
            {entry: state.entry(entry).chips for entry in table.seats.values()},
            deal=table.ordered and going,
            paused=state.deserted_at is not None,
            closed=table.closed,
            reported=table.reported,
        )

    def touched(self, state: TournamentState, event: Event) -> Collection[int] | None:
        match event:
            case ev.SeatGiven() | ev.Raced() | ev.TableOpened() | ev.TableClosing():
                return (event.table,)
            case ev.Eliminated() | ev.RoundHeld():
                return (event.table,)
            case ev.RoundOrdered():
                return event.tables
            case ev.EntryMoved():
                return event.source, event.table
            case ev.Removed():
                return () if event.table is None else (event.table,)
            case ev.Rebought() | ev.AddedOn() | ev.Withdrawn() | ev.EntryReturned():
                table = state.entry(event.entry).table
                return () if table is None else (table,)
        return None if isinstance(event, ALL) else ()

    def report(self, state: TournamentState, table: DirectedTable, seen: TableState) -> Sequence[Event]:
        found = reports.report(state, table, seen)
        if sum(found.stacks.values()) != sum(state.entry(entry).chips for entry in found.stacks):
            # Chips came or went that the tournament knows nothing of: the hand counts for nothing.
            logger.error("chips at a table of a tournament are not accounted for", table=table.number)
            return [ev.TableClosing(table.number, lost=True)]
        return [found]

    def overdue(
        self, state: TournamentState, table: DirectedTable, seen: TableState, now: Millis, away: Collection[Seat]
    ) -> None:
        return None

    def prepare(self, state: TournamentState) -> None:
        return None

    # The end

    def standings(self, state: TournamentState) -> Sequence[ev.FinalStanding]:
        return list(money.standings(state))

    def final(self, state: TournamentState, reason: str) -> list[ev.FinalStanding]:
        return money.final(state, reason)


DESERTED = 100
"""After so many hands in which everybody who is left was away, the tournament ends: they would pass the blinds to each
other for ever. Places are then those of the chips."""
SHORT = 3
"""A table with so many players fewer than another waits for more (TDA 11-D)."""


def _deserted(tables: Sequence[DirectedTable]) -> bool:
    """Whether everybody has been away for so long at every table that can play."""
    playing = [table for table in tables if len(table.seats) > 1]
    return bool(playing) and all(table.deserted >= DESERTED for table in playing)


def _settings(state: TournamentState) -> Mapping[str, Any]:
    """What the tables of the tournament play now."""
    chosen, level = state.holdem, levels.level_of(state, state.p.level)
    return {
        **chosen.table,
        "seats": chosen.seats,
        "small_blind": level.small_blind,
        "big_blind": level.big_blind,
        "ante": level.ante,
        "ante_type": chosen.ante_type,
        "action_seconds": chosen.action_seconds,
        "time_bank": chosen.time_bank,
        "hand_delay": chosen.hand_delay,
        "chat": chosen.chat,
        "spectators": chosen.spectators,
        "spectator_delay": chosen.spectator_delay,
        "grace": chosen.grace,
    }


@lru_cache(maxsize=16)
def _needed(steps: tuple[LevelSetting, ...], chips: tuple[int, ...], level: int) -> int:
    """The smallest chip that is needed from that level on."""
    rest = steps[max(level, 1) - 1 :]
    return races.smallest_needed(
        [amount for one in rest for amount in (one.small_blind, one.big_blind, one.ante)], chips
    )
