"""Who sits where: the draw, late entries, broken tables and tables out of balance (TDA 7 to 12).

Balancing (11-A) moves whoever would be the next big blind to the worst position at the smaller table: the one that
comes next to the big blind, and never the small blind. So nobody who has just paid the big blind pays it again for a
move. When a table breaks (10), tables and seats are drawn; the draw passes over seats between the button and the small
blind, where a hand would have to be waited for, as long as others are free, and whoever has just paid the big blind
does not draw the next one as long as another seat is free.

A player leaves a table between hands only, and may sit down while a hand is played, to be dealt in at the next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from parlour.games.contract import Chance, Seat


class SeatingTable(msgspec.Struct, frozen=True):
    """A table as seats are given out. Whoever is on the way to it is counted as sitting."""

    number: int
    size: int
    """Seats that it has."""
    seats: Mapping[Seat, int]
    """Who sits where: the number of the entry."""
    button: Seat | None = None
    small: Seat | None = None
    big: Seat | None = None
    """Where button and blinds lay in the hand that is being played, or in the last one; None before the first."""
    last_big: Seat | None = None
    """Where the big blind lay in the hand before, if it is not known whether that of `big` has begun: whoever sat down
    there now might be its small blind."""
    playing: bool = False
    """Whether a hand is being played, so that nobody can leave."""
    paid: Collection[int] = ()
    """Entries that have just paid the big blind: the one of the last hand, and perhaps of those before it."""
    held: Collection[int] = ()
    """Entries that cannot leave yet: they are still on their way to this table."""


class SeatMove(msgspec.Struct, frozen=True):
    entry: int
    source: int
    target: int
    seat: Seat
    why: Literal["broken", "balance"]


class _Hall:
    """Tables while moves are planned: the moves made so far have changed who sits where."""

    def __init__(self, tables: Iterable[SeatingTable]) -> None:
        self.tables = {table.number: table for table in tables}
        self.seats = {table.number: dict(table.seats) for table in self.tables.values()}

    def players(self, number: int) -> int:
        return len(self.seats[number])

    def now(self, number: int) -> SeatingTable:
        return msgspec.structs.replace(self.tables[number], seats=self.seats[number])

    def drop(self, number: int) -> None:
        del self.tables[number], self.seats[number]

    def move(self, entry: int, source: int, target: int, seat: Seat) -> None:
        self.seats[source] = {place: other for place, other in self.seats[source].items() if other != entry}
        self.seats[target][seat] = entry


# Seats at one table


def next_big_blinds(table: SeatingTable) -> list[int]:
    """The entries at a table in the order in which they will be big blind, the next first."""
    after = -1 if table.big is None else table.big
    return [table.seats[seat] for seat in sorted(table.seats, key=lambda seat: _steps(after, seat, table.size))]


def _steps(after: Seat, seat: Seat, size: int) -> int:
    """How many seats left of `after` a seat lies, from 1 to once around."""
    return (seat - after - 1) % size + 1


def one_hand_later(table: SeatingTable) -> SeatingTable:
    """The table with button and blinds where the next hand has them, if nobody comes or goes before it.

    For a table that is known by the last hand that was reported while the next one is being played: where the button
    lies in that follows, as the big blind moves to the next player, the small blind to where the big blind was, and the
    button to where the small blind was. Nothing follows for the first hand of all, whose button is drawn.
    """
    here = sorted(seat for seat, entry in table.seats.items() if entry not in table.held)
    if table.big is None or table.small is None or len(here) < 2:
        return table
    big = min(here, key=lambda seat: _steps(table.big or 0, seat, table.size))
    button, small = table.small, table.big
    if len(here) == 2:
        button = small = next(seat for seat in here if seat != big)
    elif not 0 < (button - big) % table.size < (small - big) % table.size:
        button = (small - 1) % table.size
    return msgspec.structs.replace(table, button=button, small=small, big=big, last_big=table.big)


def free_seats(table: SeatingTable) -> list[Seat]:
    return [seat for seat in range(table.size) if seat not in table.seats]


def next_big_seats(table: SeatingTable) -> set[Seat]:
    """The free seats in which a newcomer would be the next big blind."""
    if table.big is None:
        return set()
    nearest = min((_steps(table.big, seat, table.size) for seat in table.seats), default=table.size)
    return {seat for seat in free_seats(table) if _steps(table.big, seat, table.size) < nearest}


def waiting_seats(table: SeatingTable) -> set[Seat]:
    """The free seats in which a newcomer would not be dealt in at the next hand: between the button and the small
    blind. The small blind comes to where the big blind lies now, and the button to where the small blind lies."""
    if table.big is None or table.small is None:
        return set()
    last = _steps(table.small, table.big, table.size)
    return {seat for seat in free_seats(table) if _steps(table.small, seat, table.size) < last}


def worst_seat(table: SeatingTable, chance: Chance) -> Seat:
    """Where a player who is moved to balance sits down: the free seat that comes next to the big blind.

    The seat of the small blind is given to nobody as long as there is another, and those in which one would have to
    wait only before that. At a table that has not played yet the seat is drawn.
    """
    free = free_seats(table)
    if not free:
        raise ValueError(f"table {table.number} has no free seat")
    big = table.big
    if big is None:
        return free[chance.shuffle(len(free))[0]]
    waiting = waiting_seats(table)
    small = (big, table.last_big)
    return min(free, key=lambda seat: (seat in small, seat in waiting, _steps(big, seat, table.size)))


def drawn_seat(table: SeatingTable, chance: Chance, paid: bool = False) -> Seat:
    """A free seat by chance, one in which a hand would have to be waited for only where there is no other.

    Whoever has just paid the big blind does not draw the next one as long as there is another seat.
    """
    free = free_seats(table)
    if not free:
        raise ValueError(f"table {table.number} has no free seat")
    waiting = waiting_seats(table)
    dealt_in = [seat for seat in free if seat not in waiting] or free
    if paid:
        big = next_big_seats(table)
        dealt_in = [seat for seat in dealt_in if seat not in big] or [s for s in free if s not in big] or dealt_in
    return dealt_in[chance.shuffle(len(dealt_in))[0]]


# The draw and those who come late


def fewest_tables(players: int, size: int) -> int:
    return -(-players // size)


def draw(entries: Sequence[int], size: int, chance: Chance) -> list[dict[Seat, int]]:
    """Seat everybody by chance at the fewest tables, evenly: no table has two players more than another."""
    if not entries:
        return []
    number = fewest_tables(len(entries), size)
    drawn: list[dict[Seat, int]] = [{} for _ in range(number)]
    seats = [chance.shuffle(size) for _ in range(number)]
    for turn, index in enumerate(chance.shuffle(len(entries))):
        table = turn % number
        drawn[table][seats[table][turn // number]] = entries[index]
    return drawn


def late_seat(tables: Sequence[SeatingTable], chance: Chance) -> tuple[int, Seat] | None:
    """The table and the seat of somebody who enters late, drawn from the tables with the fewest players (TDA 8).

    None where every table is full: then a new table opens, and balancing fills it.
    """
    open_tables = [table for table in tables if len(table.seats) < table.size]
    if not open_tables:
        return None
    fewest = min(len(table.seats) for table in open_tables)
    among = [table for table in open_tables if len(table.seats) == fewest]
    table = among[chance.shuffle(len(among))[0]]
    return table.number, drawn_seat(table, chance)


# Breaking and balancing


def breaking(tables: Sequence[SeatingTable]) -> list[int]:
    """The tables that break next, where the players fit at fewer: the smallest, as that takes the fewest moves.

    Of tables of the same size, one between two hands goes before one that is playing, and then the highest number.
    """
    players = sum(len(table.seats) for table in tables)
    places = sum(table.size for table in tables)
    broken: list[int] = []
    for table in sorted(tables, key=lambda one: (len(one.seats), one.playing, -one.number)):
        places -= table.size
        if places < max(players, 1):
            break
        broken.append(table.number)
    return broken


def plan(tables: Sequence[SeatingTable], chance: Chance) -> list[SeatMove]:
    """The moves that are due now: of tables that break, then of those out of balance. The fewest that there can be.

    After them no table has two players more than another, but for players at tables where a hand is being played: they
    are moved when it is over, so ask again then. Tables are balanced when all that are to break have broken.
    """
    hall = _Hall(tables)
    broken = [hall.tables[number] for number in breaking(tables)]
    for table in broken:
        hall.drop(table.number)
    moves: list[SeatMove] = []
    ready = [table for table in broken if not (table.playing or table.held)]
    for table in ready:
        moves += _break(hall, table, chance)
    return moves if len(ready) < len(broken) else moves + _balance(hall, chance)


def _break(hall: _Hall, table: SeatingTable, chance: Chance) -> list[SeatMove]:
    """Draw new seats for everybody at a table, at the tables with the fewest players."""
    entries = list(table.seats.values())
    moves: list[SeatMove] = []
    for index in chance.shuffle(len(entries)):
        entry = entries[index]
        room = [number for number, other in hall.tables.items() if hall.players(number) < other.size]
        fewest = min(hall.players(number) for number in room)
        among = [number for number in room if hall.players(number) == fewest]
        target = among[chance.shuffle(len(among))[0]]
        seat = drawn_seat(hall.now(target), chance, paid=entry in table.paid)
        hall.seats[target][seat] = entry
        moves.append(SeatMove(entry, table.number, target, seat, "broken"))
    return moves


def _balance(hall: _Hall, chance: Chance) -> list[SeatMove]:
    """Move the next big blinds of tables with too many players to those with the fewest.

    Which tables give players up is settled beforehand (TDA 11-C): the largest ones; of equal ones those between two
    hands, and then those with the highest numbers.
    """
    if len(hall.tables) < 2:
        return []
    order = sorted(hall.tables, key=lambda one: (-hall.players(one), not hall.tables[one].playing, one))
    least, more = divmod(sum(map(hall.players, order)), len(order))
    quota = {number: least + (index < more) for index, number in enumerate(order)}
    moves: list[SeatMove] = []
    for source in order:
        table = hall.now(source)
        if table.playing:
            continue
        movers = [entry for entry in next_big_blinds(table) if entry not in table.held]
        for entry in movers[: max(0, len(table.seats) - quota[source])]:
            target = min(
                (one for one in order if hall.players(one) < quota[one]), key=lambda one: (hall.players(one), one)
            )
            seat = worst_seat(hall.now(target), chance)
            hall.move(entry, source, target, seat)
            moves.append(SeatMove(entry, source, target, seat, "balance"))
    return moves


def most_unbalanced(tables: Sequence[SeatingTable]) -> int:
    """How many players more the largest table has than the smallest."""
    sizes = [len(table.seats) for table in tables]
    return max(sizes) - min(sizes) if sizes else 0


def halted(tables: Sequence[SeatingTable]) -> set[int]:
    """Tables that wait for players (TDA 11-D): those three or more players short of the largest."""
    largest = max((len(table.seats) for table in tables), default=0)
    return {table.number for table in tables if largest - len(table.seats) >= 3}
