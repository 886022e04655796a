"""Tournaments for everybody who has to do with them: announce one, list them, look, enter, and the host's powers."""

from __future__ import annotations

import asyncio
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal
from weakref import WeakKeyDictionary

import msgspec

from parlour.games.chess.settings import settings_of as chess_settings
from parlour.games.contract import Event, Illegal, Millis
from parlour.games.registry import Registry
from parlour.tables.errors import Against, BadRequest, Busy, NotAllowed, NotFound
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import DirectoryEntry, Identity
from parlour.tables.room import repeats
from parlour.tables.room.directing import directed_settings
from parlour.tables.room.words import clean
from parlour.tournaments import decisions, view
from parlour.tournaments.director import TournamentDirectors
from parlour.tournaments.game import TournamentGame
from parlour.tournaments.settings import NAME_LENGTH, HoldemTournament, TournamentSettings, read
from parlour.tournaments.state import TournamentState

GAME = TournamentGame.name
LISTED = 200
OWN_LISTED = 20
SLICE_SECONDS = 0.001
"""How long a view is written before others have their turn."""
BOTS_AT_ONCE = 50
"""How many bots of the house a host adds with one command."""

_encode = msgspec.json.Encoder().encode


class Tournaments:
    """All tournaments of a process."""

    def __init__(self, parlour: Parlour) -> None:
        """Before the parlour is opened."""
        self._parlour = parlour
        self._directors = TournamentDirectors(parlour)
        self._written: WeakKeyDictionary[Table, tuple[int, bytes]] = WeakKeyDictionary()
        """What everybody sees of a tournament, as it was written last, and as of which number."""
        self._writing: WeakKeyDictionary[Table, asyncio.Lock] = WeakKeyDictionary()
        """Held while that is written."""
        parlour.direct_by(self._directors, Registry(TournamentGame()))

    async def close(self) -> None:
        """Before the parlour is closed. Every tournament goes on when a server is there again."""
        await self._directors.close()

    # Announce and look

    async def create(self, host: Identity, game: str, name: str, form: str, settings: Mapping[str, Any]) -> str:
        """Announce a tournament; its code."""
        title = clean(name, NAME_LENGTH)
        if not title or any(unicodedata.category(character) == "Cc" for character in name):
            raise BadRequest("bad_name", f"a tournament has a name of 1 to {NAME_LENGTH} characters")
        try:
            chosen = read(game, form, settings)
            self._check_tables(game, chosen)
        except Illegal as refusal:
            raise BadRequest(refusal.code, str(refusal)) from None
        if chosen.start_at is not None and chosen.start_at < self._parlour.clock.now():
            raise BadRequest("bad_settings", "the time of the start has passed")
        flat = {
            **msgspec.to_builtins(TournamentSettings(title, chosen, self._parlour.clock.now()), str_keys=True),
            "private": chosen.private,
            "chat": chosen.chat,
        }
        return (await self._parlour.create_log(host, GAME, flat)).code

    def _check_tables(self, game: str, chosen: Any) -> None:
        """Refuse settings that no table of the tournament could have."""
        listing = self._parlour.games.get(game)
        if listing is None:
            raise Illegal("no_such_game", f"{game} is not played here")
        tables: list[dict[str, Any]] = [dict(chosen.table)]
        if isinstance(chosen, HoldemTournament):
            tables = [
                {**chosen.table, "seats": chosen.seats, "small_blind": one.small_blind, "big_blind": one.big_blind}
                for one in (chosen.levels[0], chosen.levels[-1])
            ]
        try:
            for table in tables:
                directed_settings(listing, table)
        except BadRequest as refusal:
            raise Illegal("bad_settings", f"no table can be like that: {refusal.message}") from None

    async def list(self, private: bool = False, who: Identity | None = None) -> list[dict[str, Any]]:
        """The public ones and somebody's own, and with `private` all: those that are not over first, then those that
        ended lately. A private one that they have entered is found where it is at work in this process."""
        store = self._parlour.store
        entries = {entry.id: entry for entry in await store.tournaments(LISTED, private)}
        here = {table.id: table for table in self._parlour.live() if table.state.rules.directs}
        own: set[str] = set()
        if who is not None:
            hosted = await store.tournaments_hosted(who.id, OWN_LISTED)
            entered = [table for table in here.values() if _entered(table, who)]
            entries |= {entry.id: entry for entry in hosted} | {table.id: table.entry() for table in entered}
            own = {entry.id for entry in entries.values() if entry.host == who.id} | {table.id for table in entered}
        lines = [_line(entry, here.get(entry.id), entry.id in own) for entry in entries.values()]
        return sorted(lines, key=lambda line: line["status"] == "finished")

    async def open(self, code: str, *, here: bool = False) -> Table:
        """The log of a tournament. Where another node works for it, `OwnedElsewhere`, or with `here` it is handed over
        to this one, and its tables with it."""
        try:
            log = await self._parlour.open(code, here=here)
        except NotFound:
            raise _unknown() from None
        if not log.state.rules.directs:
            raise _unknown()
        return log

    async def view(self, code: str, who: Identity | None) -> bytes:
        """The tournament as somebody may see it, as JSON: as it is now, or later. What all see is written for all who
        wait for it together."""
        log = await self.open(code)
        log.owner.check()
        state, now = _state(log), log.owner.look()
        you, table = None, None
        if who is not None:
            entry = state.entry_of(who.id)
            host = who.id == log.state.room.host
            you = {
                "entry": None if entry is None else entry.number,
                "host": host,
                "can": decisions.can(state, who, host, now),
            }
            if entry is not None and state.status != "finished":
                table = view.code(state, entry.table)
        own = {"clock": view.clock(state, now), "you": you, "table": table}
        return b"".join((await self._shared(log), _encode(own)[1:]))

    async def _shared(self, log: Table) -> bytes:
        """What everybody sees of the tournament as it is now, or later: the beginning of an object."""
        seq = log.seq
        async with self._writing.setdefault(log, asyncio.Lock()):
            known = self._written.get(log)
            if known is None or known[0] < seq:
                known = self._written[log] = log.seq, await self._write(log)
            return known[1]

    async def _write(self, log: Table) -> bytes:
        """In slices: with ten thousand entries it is four megabytes."""
        state, room = _state(log).picture(), log.state.room
        head = {
            "code": log.code,
            "host": {"id": room.host, "name": room.host_name},
            "created": log.created,
            "settings": view.settings(state),
            "seq": log.seq,
        }
        await asyncio.sleep(0)
        written = [_encode(head)[:-1], b","]
        for name, value in view.whole(state).items():
            written += (_encode(name), b":")
            if isinstance(value, Iterator):
                await _in_slices(value, written)
            else:
                written.append(_encode(value))
            written.append(b",")
        return b"".join(written)

    # Commands

    async def enter(self, code: str, who: Identity, key: str | None = None) -> tuple[int, int]:
        """Enter, or enter again; the number of the entry, and of the last event."""
        log = await self.open(code)
        rating = await self._rating(log, who)
        entropy = self._parlour.entropy
        seq = await self._ask(
            log, who, key, ("enter",), lambda at: decisions.enter(_state(log), who, rating, at, entropy)
        )
        entry = _state(log).entry_of(who.id)
        assert entry is not None, "whoever has entered has an entry"
        return entry.number, seq

    async def withdraw(self, code: str, who: Identity, key: str | None = None) -> int:
        log = await self.open(code)
        return await self._ask(log, who, key, ("withdraw",), lambda at: decisions.withdraw(_state(log), who))

    async def start(self, code: str, who: Identity, key: str | None = None) -> int:
        """The host starts it."""
        log = await self.open(code)
        _require_host(log, who)
        entropy = self._parlour.entropy
        return await self._ask(log, who, key, ("start",), lambda at: decisions.start(_state(log), at, entropy))

    async def rebuy(self, code: str, who: Identity, key: str | None = None) -> int:
        log = await self.open(code)
        return await self._ask(log, who, key, ("rebuy",), lambda at: decisions.rebuy(_state(log), who, at))

    async def add_on(self, code: str, who: Identity, key: str | None = None) -> int:
        log = await self.open(code)
        return await self._ask(log, who, key, ("add_on",), lambda at: decisions.add_on(_state(log), who))

    async def deal(
        self, code: str, who: Identity, kind: Literal["chips", "icm"], agree: bool, key: str | None = None
    ) -> int:
        log = await self.open(code)
        asked = ("deal", kind, agree)
        return await self._ask(log, who, key, asked, lambda at: decisions.deal(_state(log), who, kind, agree))

    async def host(self, code: str, who: Identity, power: str, args: Mapping[str, Any], key: str | None = None) -> int:
        """One of the host's powers."""
        log = await self.open(code)
        _require_host(log, who)
        asked = ("host", power, dict(args))
        if power == "add_bot":
            return await self._add_bots(log, who, args, key, asked)
        return await self._ask(log, who, key, asked, lambda at: decisions.use(_state(log), power, args, at))

    async def end(self, code: str) -> int:
        """End a tournament for the operator, whoever its host is, as when the host closes it."""
        log = await self.open(code)
        return await self._ask(log, None, None, ("end",), lambda at: decisions.use(_state(log), "close", {}, at))

    async def _add_bots(
        self, log: Table, who: Identity, args: Mapping[str, Any], key: str | None, asked: tuple[Any, ...]
    ) -> int:
        """Bots of the house enter, together before the start; none where there is not enough room for all."""
        style, count = args.get("style"), args.get("count", 1)
        decisions.check_power(_state(log), "add_bot", args)
        if (
            not ("style" not in args or isinstance(style, str))
            or type(count) is not int
            or not 1 <= count <= BOTS_AT_ONCE
        ):
            raise BadRequest("bad_bot", f"'style' is a word, and 'count' a number from 1 to {BOTS_AT_ONCE}")
        if _state(log).status == "finished":
            raise Busy("finished", "the tournament is over")
        house = log.premises.house
        if house is None:
            raise NotFound("no_bots", "this server has no bots")
        if key is not None:
            answered = log.state.answered(who.id, repeats.sign(key, repeats.command(*asked)))
            if answered is not None:
                return answered
        state, entropy = _state(log), self._parlour.entropy
        decisions.require_room(state, count)
        taken = decisions.house_names_taken(state)
        seq = 0
        async with house.enter(log, who.id, state.settings.game, style, taken, count) as bots:
            for some in [bots] if state.status == "registering" else [[bot] for bot in bots]:
                last = some[-1] is bots[-1]
                seq = await self._ask(
                    log,
                    who,
                    key if last else None,
                    asked,
                    lambda at, some=some: decisions.enter_bots(_state(log), some, at, entropy),  # type: ignore[misc]
                )
        return seq

    async def _ask(
        self,
        log: Table,
        who: Identity | None,
        key: str | None,
        asked: tuple[Any, ...],
        decide: Callable[[Millis], Sequence[Event]],
    ) -> int:
        """Carry out what somebody asks for, once, however often it is sent under the same key."""

        def decided(at: Millis) -> Sequence[Event]:
            if log.state.room.closed:
                raise Busy("finished", "the tournament is over")
            try:
                return decide(at)
            except Illegal as refusal:
                raise Against(refusal.code, str(refusal)) from None

        return await log.owner.ask(who.id if who else None, key, repeats.command(*asked), decided)

    async def _rating(self, log: Table, who: Identity) -> int:
        """By which chess seeds the entries; 0 where there is none."""
        state = _state(log)
        if state.chess is None:
            return 0
        played = chess_settings({**state.settings.chosen.table})
        found = await self._parlour.ratings.of(who.id)
        own = [one.rating for one in found if (one.variant, one.speed) == (played.variant, played.speed)]
        return round(own[0]) if own else 0


async def _in_slices(values: Iterator[Any], written: list[bytes]) -> None:
    """Write a list. Others have their turn before each slice."""
    before = b"["
    while True:
        await asyncio.sleep(0)
        until, some = time.perf_counter() + SLICE_SECONDS, []
        for value in values:
            some.append(value)
            if time.perf_counter() >= until:
                break
        if not some:
            break
        written += (before, _encode(some)[1:-1])
        before = b","
    written.append(b"]" if before == b"," else b"[]")


def _entered(log: Table, who: Identity) -> bool:
    entry = _state(log).entry_of(who.id)
    return entry is not None and entry.status not in ("withdrawn", "removed")


def _line(entry: DirectoryEntry, log: Table | None, own: bool) -> dict[str, Any]:
    """A tournament in the list, as far as the directory knows it, and its log where that is open here."""
    if log is not None:
        entry = log.entry()
    chosen = entry.settings["chosen"]
    return {
        "code": entry.code,
        "name": entry.settings["title"],
        "game": chosen["game"],
        "format": chosen["format"],
        "status": "finished" if entry.status == "closed" else entry.status,
        "host": {"id": entry.host, "name": entry.host_name},
        "players": entry.seats,
        "entries_max": chosen["entries_max"],
        "start_at": chosen["start_at"],
        "created": entry.created,
        "private": entry.private,
        "yours": own,
        "late_until": None if log is None else decisions.late_until(_state(log)),
    }


def _state(log: Table) -> TournamentState:
    state: TournamentState = log.state.play
    return state


def _unknown() -> NotFound:
    return NotFound("no_such_tournament", "there is no tournament with this code")


def _require_host(log: Table, who: Identity) -> None:
    if who.id != log.state.room.host:
        raise NotAllowed("not_host", "only the host can do that")
