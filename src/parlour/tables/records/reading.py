"""Finished rounds for those who read them: in lists, one by one, and as files of many.

What a reader finds is what the log lets them read. Whoever played a round may read it afterwards, also where the host
lets nobody watch; with the delay of those who watch, once they have no seat there any more.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

import msgspec

from parlour.games.contract import Millis
from parlour.games.registry import Listing
from parlour.tables.errors import Against, BadRequest, Gone, Unreadable
from parlour.tables.ports import DirectoryEntry, Found, Games, Mark, Played, RoundRecord, RoundSearch, Seal, Store
from parlour.tables.records.archive import cards_place, check_kept, exported
from parlour.tables.records.log import Log

PAGE = 50
"""Rounds of a long file that are read at once."""

Sits = Callable[[DirectoryEntry], bool]
"""Whether the person has a seat at this table."""

_cards = msgspec.json.Decoder(list[str])
_MARK_NUMBER = re.compile(r"[0-9]{1,16}")
"""No more digits than a column of 64 bits has room for."""


class OwnPart(msgspec.Struct, frozen=True):
    """What a round was for the person who asks."""

    seats: Sequence[int]
    net: int
    """Chips won or lost."""
    result: str | None
    """`won`, `lost` or `even`; null where it counts for nothing, or the person held several seats."""
    showdown: bool
    """Whether the person had cards at a showdown."""
    cards: list[str]
    """The person's own cards, whoever else has seen them."""


class RoundLine(msgspec.Struct, frozen=True):
    """A finished hand or game in a list."""

    code: str
    """Of the table."""
    game: str
    name: str
    """Of the table; often empty."""
    number: int
    at: Millis
    ended: Millis
    names: dict[int, str]
    """By seat."""
    players: dict[int, str]
    """By seat: their ids."""
    summary: dict[str, Any]
    """What the game tells everyone in a line; empty where an older version recorded the round."""
    you: OwnPart | None
    """Null for somebody who did not play."""
    kept: bool
    """Whether its events are still there: not where the operator removes old logs."""


class TableRound(RoundLine, frozen=True):
    """The same in the list of one table."""

    first: int
    last: int
    """The numbers of its events."""
    settings: dict[str, Any]


class RoundPage(msgspec.Struct, frozen=True):
    """Some of the rounds that somebody played."""

    rounds: list[RoundLine]
    next: str | None
    """To ask for the rounds before these; null where there are none."""


def write_mark(mark: Mark) -> str:
    """A place in a list, for a caller to come back with."""
    return f"{mark.ended}.{mark.number}.{mark.table}"


def read_mark(text: str) -> Mark:
    """The place that `write_mark` wrote."""
    ended, _, rest = text.partition(".")
    number, _, table = rest.partition(".")
    if not (_MARK_NUMBER.fullmatch(ended) and _MARK_NUMBER.fullmatch(number) and table and len(text) <= 100):
        raise BadRequest("bad_cursor", "`before` is not the end of a page of this list")
    return Mark(int(ended), int(number), table)


class Reading:
    """Reads finished rounds, for one person at any table."""

    def __init__(self, store: Store, seal: Seal, games: Games) -> None:
        self._store = store
        self._seal = seal
        self._games = games

    def own_part(self, table: str, part: Played | None) -> OwnPart | None:
        if part is None:
            return None
        cards: list[str] = []
        if part.cards:
            place = cards_place(table, part.number, part.player)
            try:
                cards = _cards.decode(self._seal.open(b64decode(part.cards), place))
            except Unreadable:  # under a key that is lost: all else of the round can be told
                cards = []
        return OwnPart(part.seats, part.net, part.result, part.showdown, cards)

    def table_round(self, code: str, game: str, found: Found) -> TableRound:
        record = found.record
        return TableRound(
            **self._common(code, game, found), first=record.first, last=record.last, settings=record.settings
        )

    def _common(self, code: str, game: str, found: Found) -> dict[str, Any]:
        record = found.record
        return {
            "code": code,
            "game": game,
            "name": record.settings.get("name", ""),
            "number": record.number,
            "at": record.at,
            "ended": record.ended,
            "names": record.names,
            "players": record.players,
            "summary": record.summary,
            "you": self.own_part(found.table, found.part),
            "kept": found.kept,
        }

    async def page(
        self, player: str, search: RoundSearch, before: str | None, limit: int, now: Millis, sits: Sits
    ) -> RoundPage:
        """Some of the rounds that somebody played, the newest first."""
        mark = None if before is None else read_mark(before)
        found = await self._store.rounds_of(player, search, mark, limit)
        entries = await self._entries(found)
        lines = [
            RoundLine(**self._common(entries[one.table].code, entries[one.table].game, one))
            for one in found
            if one.table in entries and (sits(entries[one.table]) or delay_is_over(entries[one.table], one.record, now))
        ]
        return RoundPage(lines, write_mark(found[-1].mark) if len(found) == limit else None)

    async def _entries(self, found: Sequence[Found]) -> Mapping[str, DirectoryEntry]:
        return {entry.id: entry for entry in await self._store.entries({one.table for one in found})} if found else {}

    async def file(self, player: str, search: RoundSearch, suffix: str, now: Millis, sits: Sits) -> AsyncIterator[str]:
        """All rounds that somebody played as one file, round by round, the oldest first. Those of games without that
        notation are left out, and those whose log was removed."""
        mark, number = None, 0
        while found := await self._store.rounds_of(player, search, mark, PAGE, oldest_first=True):
            entries = await self._entries(found)
            for one in found:
                entry = entries.get(one.table)
                listing = None if entry is None else self._games.get(entry.game)
                if entry is None or listing is None or not one.kept or suffix not in file_suffixes(listing):
                    continue
                if not sits(entry) and not delay_is_over(entry, one.record, now):
                    continue
                try:
                    text = await self.exported(
                        Log(one.table, listing, self._seal), one.record, suffix, player, number + 1
                    )
                except (Gone, Unreadable):
                    continue
                number += 1
                yield text
            mark = found[-1].mark

    async def table_file(
        self, log: Log, search: RoundSearch, suffix: str, player: str | None, own: bool, upto: int
    ) -> AsyncIterator[str]:
        """The same of one table, up to a number of its log."""
        check_file_suffix(log.listing, suffix)
        beyond, number = None, 0
        while found := await self._store.rounds(log.table, player, search, beyond, PAGE, own=own, oldest_first=True):
            for one in found:
                if one.record.last <= upto and one.kept:
                    number += 1
                    yield await self.exported(log, one.record, suffix, player, number)
            beyond = found[-1].record.number

    async def exported(self, log: Log, record: RoundRecord, suffix: str, reader: str | None, number: int) -> str:
        """A round as the `number`th of a file."""
        rows = await self._store.rows(log.table, record.first - 1, record.last)
        check_kept(rows, record.first - 1, record.last)
        game = log.listing.game
        return game.collect(suffix, number, exported(log, record, game.collections.get(suffix, suffix), rows, reader))


def delay_is_over(entry: DirectoryEntry, record: RoundRecord, now: Millis) -> bool:
    """Whether those who watch with a delay have come to the end of the round."""
    return bool(record.ended <= now - 1000 * entry.settings.get("spectator_delay", 0))


def file_suffixes(listing: Listing) -> frozenset[str]:
    """The suffixes of files that hold many rounds of this game."""
    game = listing.game
    return frozenset(game.collections) | (frozenset(game.export_formats) - frozenset(game.collections.values()))


def check_file_suffix(listing: Listing, suffix: str) -> None:
    if suffix not in file_suffixes(listing):
        known = ", ".join(f".{known}" for known in sorted(file_suffixes(listing)))
        raise Against("unknown_format", f"many rounds of {listing.title} are written as {known or 'no file'}")
