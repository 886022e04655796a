"""Statistics and ratings, in SQL that SQLite and PostgreSQL share.

A cell of statistics is a row, and its counts are a JSON object: counts can be added to a game without another column,
and most are zero and left out. Cells name their table, so they stay as they are when its log is removed.

Ratings depend on the order of the results, which may come in late and from several nodes. So every result is a row that
is kept once, under the table and the number of its round. A row without a rating is to be rated, and with it all that
come after it in its pool. The pool has a revision, so that of two processes that rate it at once one begins anew.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from parlour.games.contract import Millis
from parlour.storage.statements import Inserting, Statement
from parlour.tables.counted import Cell, RatedOutcome, RatingPool, RatingStanding, Unrated
from parlour.tables.ports import Identity

_json = msgspec.json.Encoder()
_counts = msgspec.json.Decoder(dict[str, int])

_CELLS = "player, opponent, game, day, table_id, variant, format, stakes, position, counts"
_CELL = {name: "BIGINT" if name == "day" else "TEXT" for name in _CELLS.split(", ")}
_IN_PLACE = """ON CONFLICT (player, game, opponent, day, table_id, variant, format, stakes, position)
    DO UPDATE SET counts = excluded.counts"""
_RESULT = "game, variant, speed, ended, table_id, number, player, opponent, points"
_STANDING = "rating, deviation, volatility, wins, draws, losses"
_POOL = "game = ? AND variant = ? AND speed = ?"
_PLACE = "(ended, table_id, number)"


class StatisticsAndRatings(Inserting, ABC):
    """The part of the port `Store` that keeps statistics and ratings, in terms of `_ask` and `_transact`."""

    @abstractmethod
    async def _ask(self, sql: str, *args: Any) -> list[tuple[Any, ...]]: ...

    @abstractmethod
    async def _transact(self, *statements: Statement) -> list[list[tuple[Any, ...]]]: ...

    # Statistics

    async def added(self, cells: Sequence[Cell]) -> list[Cell]:
        """These cells of one table, of which no two have the same place, with what is there already added to them.

        A database takes many times as long to add objects up. Whoever writes these cells makes sure in the same
        transaction that nobody else has recorded rounds of their table meanwhile.
        """
        if not cells:
            return []
        players, days = sorted({cell.player for cell in cells}), sorted({cell.day for cell in cells})
        opponents = sorted({cell.opponent for cell in cells})
        kept = await self._ask(
            f"SELECT {_CELLS} FROM statistics WHERE player IN ({_marks(players)}) AND game = ?"
            f" AND opponent IN ({_marks(opponents)}) AND day IN ({_marks(days)}) AND table_id = ?",
            *players, cells[0].game, *opponents, *days, cells[0].table,
        )  # fmt: skip
        before = {row[:-1]: _counts.decode(row[-1]) for row in kept}
        found = []
        for cell in cells:
            counts = before.get(cell[:-1], {})
            for name, amount in cell.counts.items():
                counts[name] = counts.get(name, 0) + amount
            found.append(cell._replace(counts=counts))
        return found

    def writing(self, cells: Iterable[Cell]) -> list[Statement]:
        """What puts these cells, of which no two have the same place, where they belong."""
        rows = [(*cell[:-1], _json.encode(cell.counts).decode()) for cell in cells]
        return self.inserting("statistics", _CELL, rows, _IN_PLACE)

    def replacing(self, table: str, cells: Iterable[Cell]) -> list[Statement]:
        """What puts these cells in place of all that a table has."""
        return [Statement("DELETE FROM statistics WHERE table_id = ?", (table,)), *self.writing(cells)]

    async def cells(self, player: str, game: str, opponent: str | None = "") -> list[Cell]:
        which = "opponent <> ''" if opponent is None else "opponent = ?"
        found = await self._ask(
            f"SELECT {_CELLS} FROM statistics WHERE player = ? AND game = ? AND {which}"
            " ORDER BY opponent, day, table_id, variant, format, stakes, position",
            *((player, game) if opponent is None else (player, game, opponent)),
        )
        return [Cell._make((*row[:-1], _counts.decode(row[-1]))) for row in found]

    # Ratings

    async def add_results(self, results: Sequence[RatedOutcome]) -> None:
        statements = [
            Statement(
                "INSERT INTO rating_pools (game, variant, speed, revision) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING",
                pool,
            )
            for pool in sorted({result.pool for result in results})
        ]
        values = ", ".join("?" * len(RatedOutcome._fields))
        statements += [
            Statement(f"INSERT INTO results ({_RESULT}) VALUES ({values}) ON CONFLICT DO NOTHING", tuple(result))
            for result in results
        ]
        await self._transact(*statements)

    async def unrated_pools(self) -> list[RatingPool]:
        return [
            RatingPool(*row)
            for row in await self._ask(
                "SELECT DISTINCT game, variant, speed FROM results WHERE rating IS NULL ORDER BY game, variant, speed"
            )
        ]

    async def unrated(self, pool: RatingPool, limit: int) -> Unrated | None:
        revisions = await self._ask(f"SELECT revision FROM rating_pools WHERE {_POOL}", *pool)
        first = await self._ask(
            f"SELECT ended, table_id, number FROM results WHERE {_POOL} AND rating IS NULL"
            " ORDER BY ended, table_id, number LIMIT 1",
            *pool,
        )
        if not revisions or not first:
            return None
        place = first[0]
        found = await self._ask(
            f"SELECT {_RESULT} FROM results WHERE {_POOL} AND {_PLACE} >= (?, ?, ?)"
            " ORDER BY ended, table_id, number, player LIMIT ?",
            *pool,
            *place,
            2 * limit,
        )
        results = [RatedOutcome(*row) for row in found]
        standings = {}
        for player in {result.player for result in results}:
            before = await self._ask(
                f"SELECT {_STANDING}, ended FROM results WHERE player = ? AND {_POOL} AND {_PLACE} < (?, ?, ?)"
                " AND rating IS NOT NULL"  # one that came in just now is rated next, and these again with it
                " ORDER BY ended DESC, table_id DESC, number DESC LIMIT 1",
                player,
                *pool,
                *place,
            )
            if before:
                standings[player] = RatingStanding(*before[0])
        return Unrated(revisions[0][0], results, standings, len(results) == 2 * limit)

    async def rate(self, pool: RatingPool, unrated: Unrated, standings: Sequence[RatingStanding]) -> None:
        statements = [
            Statement(
                f"UPDATE rating_pools SET revision = revision + 1 WHERE {_POOL} AND revision = ? RETURNING revision",
                (*pool, unrated.revision),
                must=True,
            )
        ]
        last: dict[str, RatingStanding] = {}
        for result, standing in zip(unrated.results, standings, strict=True):
            last[result.player] = standing
            statements.append(
                Statement(
                    "UPDATE results SET rating = ?, deviation = ?, volatility = ?, wins = ?, draws = ?, losses = ?"
                    " WHERE table_id = ? AND number = ? AND player = ?",
                    (*standing[:-1], result.table, result.number, result.player),
                )
            )
        if unrated.more:
            statements.append(
                Statement(
                    f"UPDATE results SET rating = NULL WHERE {_POOL} AND {_PLACE} > (?, ?, ?) AND rating IS NOT NULL",
                    (*pool, *unrated.results[-1].place),
                )
            )
        statements += [
            Statement(
                f"INSERT INTO ratings (game, variant, speed, player, {_STANDING}, last)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (game, variant, speed, player) DO UPDATE SET"
                " rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility,"
                " wins = excluded.wins, draws = excluded.draws, losses = excluded.losses, last = excluded.last",
                (*pool, player, *standing),
            )
            for player, standing in sorted(last.items())
        ]
        await self._transact(*statements)

    async def ratings_of(self, player: str) -> list[tuple[RatingPool, RatingStanding]]:
        found = await self._ask(
            f"SELECT game, variant, speed, {_STANDING}, last FROM ratings WHERE player = ?"
            " ORDER BY game, variant, speed",
            player,
        )
        return [(RatingPool(*row[:3]), RatingStanding(*row[3:])) for row in found]

    async def rating_history(
        self, player: str, pool: RatingPool, limit: int
    ) -> list[tuple[RatedOutcome, RatingStanding]]:
        found = await self._ask(
            f"SELECT {_RESULT}, {_STANDING}, ended FROM results WHERE player = ? AND {_POOL} AND rating IS NOT NULL"
            " ORDER BY ended DESC, table_id DESC, number DESC LIMIT ?",
            player,
            *pool,
            limit,
        )
        width = len(RatedOutcome._fields)
        return [(RatedOutcome(*row[:width]), RatingStanding(*row[width:])) for row in found]

    async def leaders(self, pool: RatingPool, since: Millis, limit: int) -> list[tuple[Identity, RatingStanding]]:
        found = await self._ask(
            f"SELECT id, name, avatar, bot, created, {_STANDING}, last FROM ratings"
            f" JOIN identities ON identities.id = ratings.player WHERE {_POOL} AND last >= ? AND NOT bot"
            " ORDER BY rating DESC, player LIMIT ?",
            *pool,
            since,
            limit,
        )
        return [
            (Identity(name, shown, avatar, bool(bot), created), RatingStanding(*standing))
            for name, shown, avatar, bot, created, *standing in found
        ]

    async def pools(self, game: str) -> list[tuple[RatingPool, int]]:
        found = await self._ask(
            "SELECT game, variant, speed, count(*) FROM ratings WHERE game = ? GROUP BY game, variant, speed"
            " ORDER BY variant, speed",
            game,
        )
        return [(RatingPool(*row[:3]), row[3]) for row in found]

    @staticmethod
    def unrating() -> list[Statement]:
        """Forget the ratings, and let whatever results are kept be rated again."""
        return [
            Statement("UPDATE results SET rating = NULL"),
            Statement("DELETE FROM ratings"),
            Statement("UPDATE rating_pools SET revision = revision + 1"),
        ]


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
