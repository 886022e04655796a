"""Statistics: what finished rounds add to them, and how they are read, by position, opponent, day and so on.

The game counts and divides (`tally`, `facets`, `figures`); here the counts are only sorted and summed. People see their
own counts, and of others only those of rounds that both played: all of it was seen at the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from parlour.games.contract import Facets, Figure, Millis, Seat
from parlour.games.registry import AnyGame
from parlour.tables.counted import Cell
from parlour.tables.errors import NotFound
from parlour.tables.ports import Games, RoundRecord, Store

DAY: Millis = 24 * 3600 * 1000
OPPONENTS = 100
"""How many opponents are told of at most."""
DAYS = 400
"""How many days, the last ones."""

CellPlace = tuple[str, str, str, int, str, str, str, str, str]
Kind = tuple[int, str, str, str, str]
"""Of a round: day, table, variant, format and stakes."""


class Cells:
    """Adds rounds up.

    The same people play round after round, and with each opponent somebody has the same counts. So the counts of rounds
    with the same people are only put together, and are added up and told apart by opponent at the end.
    """

    def __init__(self) -> None:
        self._counts: dict[CellPlace, dict[str, int]] = {}
        self._rounds: dict[tuple[str, frozenset[str], str, Kind, str], list[Mapping[str, int]]] = {}
        """The counts of rounds, by player, all who played, game, kind of round and position."""

    def add(
        self, table: str, game: str, record: RoundRecord, tally: Mapping[Seat, Mapping[str, int]], facets: Facets
    ) -> None:
        """What a finished round adds: for each player one cell, and one with each opponent."""
        holders, positions = record.players, facets.positions
        kind = record.ended // DAY, table, facets.variant, facets.format, facets.stakes
        players = frozenset([holders[seat] for seat in tally if seat in holders])
        for seat, counts in tally.items():
            if seat in holders:
                key = holders[seat], players, game, kind, positions.get(seat, "")
                self._rounds.setdefault(key, []).append(counts)

    def include(self, cells: Iterable[Cell]) -> None:
        for cell in cells:
            add_counts(self._counts.setdefault(cell[:-1], {}), cell.counts)

    def totals(self) -> dict[str, dict[str, int]]:
        """Player → what all rounds that were added come to, also what is 0."""
        rounds: dict[str, list[Mapping[str, int]]] = {}
        for (player, *_), some in self._rounds.items():
            rounds.setdefault(player, []).extend(some)
        return {player: _added_up(all_of_them) for player, all_of_them in rounds.items()}

    def summed(self) -> list[Cell]:
        """Each cell once, without what is 0, in an order of their own: writers then never wait for one another."""
        found = {place: dict(counts) for place, counts in self._counts.items()}
        together: dict[tuple[str, frozenset[str], str, Kind], dict[str, int]] = {}
        for (player, players, game, kind, position), rounds in self._rounds.items():
            counts = {name: amount for name, amount in _added_up(rounds).items() if amount}
            counts["rounds"] = len(rounds)
            add_counts(found.setdefault((player, "", game, *kind, position), {}), counts)
            add_counts(together.setdefault((player, players, game, kind), {}), counts)
        for (player, players, game, kind), counts in together.items():
            for opponent in players - {player}:
                add_counts(found.setdefault((player, opponent, game, *kind, ""), {}), counts)
        return [
            Cell(*place, {name: amount for name, amount in sorted(counts.items()) if amount})
            for place, counts in sorted(found.items())
        ]


def _added_up(rounds: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """The sums of counts. A game mostly counts the same things in the same order, so whole columns are added."""
    names = list(rounds[0])
    if all(list(counts) == names for counts in rounds):
        columns = zip(*(counts.values() for counts in rounds), strict=True)
        return dict(zip(names, map(sum, columns), strict=True))
    sums: dict[str, int] = {}
    for counts in rounds:
        add_counts(sums, counts)
    return sums


def add_counts(sums: dict[str, int], counts: Mapping[str, int]) -> None:
    """A Counter takes three times as long."""
    for name, amount in counts.items():
        sums[name] = sums.get(name, 0) + amount


class RoundFilter(msgspec.Struct, frozen=True):
    """Which rounds somebody asks for; None or empty for all."""

    variant: str | None = None
    format: str | None = None
    stakes: str | None = None
    position: str | None = None
    since: Millis | None = None
    until: Millis | None = None

    def takes(self, cell: Cell) -> bool:
        return (
            self.variant in (None, cell.variant)
            and self.format in (None, cell.format)
            and self.stakes in (None, cell.stakes)
            and self.position in (None, cell.position)
            and (self.since is None or cell.day >= self.since // DAY)
            and (self.until is None or cell.day <= self.until // DAY)
        )


class Sum(msgspec.Struct, frozen=True):
    """Counts of some rounds, and the figures that are made of them."""

    rounds: int
    counts: dict[str, int]
    figures: dict[str, Figure]


class Part(Sum, frozen=True):
    """The rounds that have something in common, such as a position."""

    key: str


class Opponent(Sum, frozen=True):
    """One's own counts in the rounds with somebody else."""

    id: str
    name: str
    avatar: str | None
    bot: bool


class Day(msgspec.Struct, frozen=True):
    at: Millis
    """When the day began, in UTC."""
    rounds: int
    counts: dict[str, int]
    """Those that are worth a chart."""


class Statistics(msgspec.Struct, frozen=True):
    """Somebody's statistics in a game: as a whole, and by everything that they are kept apart by."""

    game: str
    total: Sum
    variants: list[Part]
    formats: list[Part]
    stakes: list[Part]
    positions: list[Part]
    opponents: list[Opponent]
    """Those with the most rounds; none where a position is asked for."""
    series: list[Day]
    """Day by day, the oldest first; days without a round are left out."""


class Compared(msgspec.Struct, frozen=True):
    """Rounds that two people played together."""

    mine: Sum
    theirs: Sum | None
    """None where they let nobody see them."""


class StatisticsReader:
    """Reads statistics."""

    def __init__(self, store: Store, games: Games) -> None:
        self._store = store
        self._games = games

    def _game(self, name: str) -> AnyGame:
        listing = self._games.get(name)
        if listing is None:
            raise NotFound("no_such_game", f"the games here are {', '.join(sorted(self._games))}")
        return listing.game

    async def read(self, player: str, name: str, choice: RoundFilter, opponent: str | None = None) -> Statistics:
        """Somebody's statistics in the rounds that are asked for, with an opponent or with whomever."""
        game = self._game(name)
        cells = [cell for cell in await self._store.cells(player, name, opponent or "") if choice.takes(cell)]
        return Statistics(
            game=name,
            total=_sum(game, cells),
            variants=_parts(game, cells, lambda cell: cell.variant),
            formats=_parts(game, cells, lambda cell: cell.format),
            stakes=_parts(game, cells, lambda cell: cell.stakes),
            positions=[] if opponent else _parts(game, cells, lambda cell: cell.position, game.positions),
            opponents=await self._opponents(player, game, choice, opponent),
            series=_series(game, cells),
        )

    async def _opponents(self, player: str, game: AnyGame, choice: RoundFilter, opponent: str | None) -> list[Opponent]:
        if choice.position is not None:
            return []
        by_opponent: dict[str, list[Cell]] = {}
        for cell in await self._store.cells(player, game.name, opponent):
            if choice.takes(cell):
                by_opponent.setdefault(cell.opponent, []).append(cell)
        sums = {other: _sum(game, cells) for other, cells in by_opponent.items()}
        most = sorted(sums.items(), key=lambda one: (-one[1].rounds, one[0]))[:OPPONENTS]
        people = {person.id: person for person in await self._store.identities([other for other, _ in most])}
        return [
            Opponent(total.rounds, total.counts, total.figures, person.id, person.name, person.avatar, person.bot)
            for other, total in most
            if (person := people.get(other)) is not None
        ]

    async def compare(self, player: str, other: str, hidden: bool) -> dict[str, Compared]:
        """Game → what both made of the rounds that they played together; `hidden` where the other's is not told."""
        compared = {}
        for name in sorted(self._games):
            game = self._game(name)
            if mine := await self._store.cells(player, name, other):
                theirs = None if hidden else _sum(game, await self._store.cells(other, name, player))
                compared[name] = Compared(_sum(game, mine), theirs)
        return compared


def _sum(game: AnyGame, cells: Iterable[Cell]) -> Sum:
    counts = Counter[str]()
    for cell in cells:
        counts.update(cell.counts)
    return Sum(counts["rounds"], dict(sorted(counts.items())), dict(game.figures(counts)))


def _parts(game: AnyGame, cells: Iterable[Cell], key: Callable[[Cell], str], order: Sequence[str] = ()) -> list[Part]:
    """The cells by what they have in common: in that order, or those with the most rounds first."""
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(key(cell), []).append(cell)
    parts = []
    for name, group in groups.items():
        total = _sum(game, group)
        parts.append(Part(total.rounds, total.counts, total.figures, name))
    ranks = {name: rank for rank, name in enumerate(order)}
    return sorted(parts, key=lambda part: (ranks.get(part.key, len(ranks)), -part.rounds, part.key))


def _series(game: AnyGame, cells: Iterable[Cell]) -> list[Day]:
    days: dict[int, Counter[str]] = {}
    for cell in cells:
        days.setdefault(cell.day, Counter()).update(cell.counts)
    return [
        Day(day * DAY, counts["rounds"], {name: counts[name] for name in game.charted})
        for day, counts in sorted(days.items())[-DAYS:]
    ]
