"""The tables of a tournament in this process: opened and made, watched, and who sits where."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import structlog

from parlour.faults import traced
from parlour.games.contract import Event, Seat
from parlour.tables.errors import NotFound, Refused, Unreadable
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table as Live
from parlour.tables.room.state import SeatHolder
from parlour.tournaments.formats import TablePlan
from parlour.tournaments.settings import HoldemTournament
from parlour.tournaments.state import DirectedTable, Entry, TournamentState

logger = structlog.get_logger(__name__)

NAME_LENGTH = 40
AT_ONCE = 64
"""Tables that are opened together."""
FIND_AGAIN = 0.5
"""Seconds until a table that could not be opened is tried again."""


class Watched:
    """A table of the tournament in this process. The `Watcher` of it."""

    keeps = True

    def __init__(self, hall: Hall, number: int, live: Live) -> None:
        self.live = live
        self._hall = hall
        self._number = number
        self.players: tuple[str, ...] = ()
        self.note()

    def note(self) -> None:
        """Remember who sits here."""
        seats = self.live.state.room.seats
        players = tuple(holder.id for holder in seats if holder is not None)
        if players != self.players:
            left, self.players = set(self.players).difference(players), players
            for player in players:
                self._hall.where[player] = self._number
            for player in left:
                self._hall.left(player, self._number)

    def visited(self) -> None:
        self._hall.log.visit()

    def changed(self, events: Sequence[Event]) -> None:
        if self.live.dropped:  # it is opened again, wherever it is
            self._hall.look(self._number)
            return
        room = self.live.state.room
        same = len(self.players) == sum(one is not None for one in room.seats)
        if room.round_open and not room.closed and same and self._hall.abandoned(self.live) is None:
            return  # a hand is being played: it is looked at when it is over
        self.note()
        self._hall.look(self._number)


class Hall:
    """The tables of a tournament that are open in this process, and who sits where."""

    def __init__(self, parlour: Parlour, log: Live) -> None:
        self.parlour = parlour
        self.entropy = parlour.entropy
        self.log = log
        self.tables: dict[int, Watched] = {}
        self.where: dict[str, int] = {}
        """Player → the table at which they sit, as far as tables are open."""
        self.absent: set[str] = set()
        """Who was away at the table that they left: nobody waits for them at the next."""
        self.sat_out: set[int] = set()
        """Entries that have withdrawn and were made to sit out."""
        self.look: Callable[[int], None] = lambda number: None

    @property
    def state(self) -> TournamentState:
        play: TournamentState = self.log.state.play
        return play

    async def open(self, table: DirectedTable, order: TablePlan) -> Live | None:
        """The table, which is made if it is not there; None where there is none and it is to be closed."""
        watched = self.tables.get(table.number)
        if watched is not None and not watched.live.dropped:
            return watched.live
        try:
            live = await self.parlour.open_by_id(table.id, here=True)
        except NotFound:
            if order.closed:
                return None
            await self._make(table, order)
            live = await self.parlour.open_by_id(table.id, here=True)
        self._watch(table.number, live)
        return live

    def _watch(self, number: int, live: Live) -> None:
        self.forget(number)
        live.owner.watcher = self.tables[number] = Watched(self, number, live)

    async def _make(self, table: DirectedTable, order: TablePlan) -> None:
        settings = self.state.settings
        chosen = settings.chosen
        # One table needs no number to be told apart, and a sit-and-go for as many as sit there has no other.
        alone = (
            isinstance(chosen, HoldemTournament) and chosen.format == "sitngo" and chosen.entries_max <= chosen.seats
        )
        name = settings.title[:NAME_LENGTH] if alone else f"{settings.title[: NAME_LENGTH - 6]} {table.number}"
        await self.parlour.create_directed(
            table.id,
            table.code,
            settings.game,
            {**order.settings, "name": name},
            self.log.id,
            self.log.code,
            settings.title,
        )

    async def find(self, numbers: Sequence[int]) -> None:
        """Open the tables that there are already, before anybody is given a seat: somebody who was on the way to
        another table when a server was killed may still sit at one of them."""
        slots = asyncio.Semaphore(AT_ONCE)

        async def find(number: int) -> None:
            while True:
                table = self.state.tables[number]
                if not table.id:
                    return
                async with slots:
                    try:
                        self._watch(number, await self.parlour.open_by_id(table.id, here=True))
                        return
                    except (NotFound, Unreadable):  # `tend` sees to it
                        return
                    except Refused as refusal:
                        logger.info("a table of a tournament could not be opened", code=refusal.code)
                    except Exception as error:
                        logger.error("a table of a tournament could not be opened", **traced(error))
                await asyncio.sleep(FIND_AGAIN)

        await asyncio.gather(*map(find, numbers))

    def note_absence(self, live: Live, seat: Seat, holder: SeatHolder) -> None:
        """Remember whether somebody who gets up was away, without a connection."""
        players = getattr(getattr(live.state.play, "record", None), "players", None)
        player = None if players is None else players[seat]
        connected = live.owner.presence.connected(holder.id)
        if player is not None and (player.out or player.absent) and not connected and not holder.bot:
            self.absent.add(holder.id)

    def abandoned(self, live: Live) -> Entry | None:
        """Who is to act at the table, has withdrawn in the middle of this hand, and has not come back to it."""
        if not self.sat_out:
            return None
        rules, play = live.state.rules, live.state.play
        for seat in rules.actors(play):
            holder = live.state.room.seats[seat]
            entry = None if holder is None else self.state.entry_of(holder.id)
            if entry is None or not entry.away or entry.number not in self.sat_out:
                continue
            if play.record.players[seat].out and "fold" in (rules.legal(play, seat) or {}).get("actions", ()):
                return entry
        return None

    def left(self, player: str, number: int) -> None:
        """Somebody has got up there: a table that waits for them is looked at."""
        if self.where.get(player) == number:
            del self.where[player]
            entry = self.state.entry_of(player)
            if entry is not None and entry.table is not None:
                self.look(entry.table)

    def forget(self, number: int) -> None:
        """The table is not this process's any more, or is closed."""
        watched = self.tables.pop(number, None)
        if watched is None:
            return
        if watched.live.owner.watcher is watched:
            watched.live.owner.watcher = None
        for player in watched.players:  # whoever got up unseen may be waited for elsewhere
            self.left(player, number)

    def leave(self) -> None:
        for number in list(self.tables):
            self.forget(number)
