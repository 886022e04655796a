"""What the operator's page asks and does. Every route here needs the operator's secret."""

from __future__ import annotations

import asyncio
import heapq
import os
import platform
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from aiohttp import web

import parlour
from parlour.server.access.addresses import shortened
from parlour.server.access.limits import UNLIMITED, Rate
from parlour.server.api.problems import Fault
from parlour.server.api.routing import BACKUP_COST, CODE, PUBLIC_ID, STORE_READ, STORE_WRITE, Access, ApiCall, Routes
from parlour.server.api.schema import (
    Committed,
    ConnectedPerson,
    LiveTable,
    Operations,
    PersonDevices,
    ServerFacts,
    SignedOut,
    Versions,
    WhoQuery,
)
from parlour.server.api.tournament_schema import TournamentInfo
from parlour.server.monitoring.monitor import SAMPLE_SECONDS
from parlour.storage import outages
from parlour.tables import Identity, Table
from parlour.tables.errors import Busy, NotFound, Refused

routes = Routes("operator")

LISTED = 100
"""Tables, people and refusals in one answer."""
TABLES_EACH = 5
"""Codes of tables that are named for one person."""
PEOPLE_FOUND = 20
"""People of one name whose devices are looked up."""
PIECE = 256 * 1024
"""Bytes of a backup that are read and sent at a time."""


# How the server is doing


@routes.add("GET", "/api/v1/operator", access=Access.OPERATOR, answer=Operations, cost=STORE_READ)
async def operations(call: ApiCall) -> Operations:
    """How the server is doing: load of the last minutes, tables in memory, who is connected, the last refusals."""
    site = call.site
    live = [table for table in site.parlour.live() if not table.state.room.closed]
    people = _connected(live)
    return Operations(
        now=site.parlour.clock.now(),
        started=site.monitor.started,
        outage=await _outage(call),
        load=site.monitor.series(),
        interval=SAMPLE_SECONDS,
        sockets=site.metrics.sockets,
        database=await site.monitor.census(),
        live_tables=len(live),
        tables=[_live_table(table) for table in heapq.nlargest(LISTED, live, key=lambda table: table.state.room.at)],
        connected_people=len(people),
        people=people[:LISTED],
        refusals=site.admission.refusals.newest(LISTED),
        nodes=[] if site.peers is None else site.peers.nodes(),
    )


async def _outage(call: ApiCall) -> str | None:
    try:
        await call.site.readiness.check()
    except Refused as refusal:
        return refusal.code
    away = call.site.readiness.away()
    return away.get("bus") or ("part_away" if away else None)


def _live_table(table: Table) -> LiveTable:
    state, presence = table.state, table.presence
    holders = {holder.id: holder for holder in state.room.seats if holder is not None}
    people = [holder for holder in holders.values() if not holder.bot]
    return LiveTable(
        code=table.code,
        game=state.rules.name,
        name=state.room.settings.get("name", ""),
        host_name=state.room.host_name,
        status=state.status(),
        private=state.settings.private,
        paused=state.room.paused_at is not None,
        people=len(people),
        bots=len(holders) - len(people),
        connected=sum(presence.connected(holder.id) for holder in people),
        spectators=presence.watching(set(holders)),
        round=state.room.round,
        events=state.room.seq,
        created=table.created,
        updated=state.room.at,
    )


def _connected(tables: list[Table]) -> list[ConnectedPerson]:
    """Who has one of these tables open, by name; the bots of the house are part of the server."""
    found: dict[str, tuple[Identity, list[str]]] = {}
    for table in tables:
        for subscription in table.subscriptions:
            identity = subscription.identity
            if identity is not None and subscription.keeps:
                found.setdefault(identity.id, (identity, []))[1].append(table.code)
    people = [
        ConnectedPerson(one.id, one.name, one.bot, len(codes), list(dict.fromkeys(codes))[:TABLES_EACH])
        for one, codes in found.values()
    ]
    return sorted(people, key=lambda person: (person.name.casefold(), person.id))


@routes.add("GET", "/api/v1/operator/server", access=Access.OPERATOR, answer=ServerFacts, cost=STORE_READ)
async def server(call: ApiCall) -> ServerFacts:
    """What does not change while the server runs: versions, the settings in force, the limits."""
    census = await call.site.monitor.census()
    if census is None:
        raise outages.silent()
    limits = call.site.config.limits
    return ServerFacts(
        versions=Versions(
            parlour=parlour.__version__,
            python=platform.python_version(),
            system=f"{platform.system()} {platform.release()}",
            database=f"{census.database} {census.version}",
            schema=census.schema,
        ),
        backup="download" if call.site.parlour.store.copies else "pg_dump",
        settings=list(call.site.config.settings),
        limits={name: _limit(getattr(limits, name)) for name in limits.__struct_fields__},
    )


def _limit(value: Rate | int) -> str:
    return "off" if value == UNLIMITED else str(value)


# Tables


@routes.add(
    "DELETE",
    f"/api/v1/operator/tables/{{code:{CODE}}}",
    access=Access.OPERATOR,
    answer=Committed,
    refusals=(409,),
    cost=STORE_WRITE,
)
async def close_table(call: ApiCall) -> Committed:
    """Close a table, whoever its host is. Everybody gets up with their chips; the history stays."""
    return Committed(await (await call.table()).close())


@routes.add("GET", "/api/v1/operator/tournaments", access=Access.OPERATOR, answer=list[TournamentInfo], cost=STORE_READ)
async def tournaments(call: ApiCall) -> object:
    """The newest 200 tournaments, private ones too: those open for entries or running first, then those that ended."""
    return await call.site.tournaments.list(private=True)


@routes.add(
    "DELETE",
    f"/api/v1/operator/tournaments/{{code:{CODE}}}",
    access=Access.OPERATOR,
    answer=Committed,
    refusals=(409,),
    cost=STORE_WRITE,
)
async def close_tournament(call: ApiCall) -> Committed:
    """End a tournament, whoever its host is. Those who are still in it share what is left, as when the host ends it."""
    with call.site.admission.guess(call.address):
        return Committed(await call.site.tournaments.end(call.request.match_info["code"].upper()))


# People


@routes.add(
    "GET",
    "/api/v1/operator/people",
    access=Access.OPERATOR,
    query=WhoQuery,
    answer=list[PersonDevices],
    cost=STORE_READ,
)
async def people(call: ApiCall) -> list[PersonDevices]:
    """Everybody of that id or name, with the devices on which they are signed in; at most 20."""
    store, who = call.site.parlour.store, call.query.who.strip()
    by_id = await store.identity(who)
    found = [by_id] if by_id is not None else await store.identities_named(who)
    return [
        PersonDevices(
            identity.id,
            identity.name,
            identity.bot,
            identity.created,
            await call.site.parlour.people.devices(identity.id),
        )
        for identity in found[:PEOPLE_FOUND]
    ]


@routes.add(
    "DELETE",
    f"/api/v1/operator/people/{{person:{PUBLIC_ID}}}/tokens",
    access=Access.OPERATOR,
    answer=SignedOut,
    cost=STORE_WRITE,
)
async def sign_out(call: ApiCall) -> SignedOut:
    """Sign somebody out on all devices: their tokens are void and their sockets are closed."""
    person = call.request.match_info["person"]
    whose = await call.site.parlour.store.identity(person)
    if whose is None:
        raise NotFound("no_such_person", "There is nobody with this id.")
    devices = await call.site.parlour.people.devices(person)
    await call.site.parlour.people.revoke_others(person)
    call.site.parlour.security.note("signed out", shortened(call.address), whose, "by the operator, on all devices")
    return SignedOut(len(devices))


# Backup


@routes.add(
    "GET",
    "/api/v1/operator/backup",
    access=Access.OPERATOR,
    media="application/vnd.sqlite3",
    refusals=(409,),
    cost=BACKUP_COST,
)
async def backup(call: ApiCall) -> web.StreamResponse:
    """A consistent copy of the SQLite database, made while the server goes on. The key is not in it."""
    site = call.site
    if site.copying.locked():
        raise Busy("backup_under_way", "A backup is being made already.")
    async with site.copying:
        with tempfile.TemporaryDirectory(prefix="parlour-") as folder:
            target = Path(folder, "backup.db")
            await _check_room(call, folder)
            await asyncio.to_thread(site.parlour.store.backup, target)
            return await _send(call.request, target)


async def _check_room(call: ApiCall, folder: str) -> None:
    """A disk that a backup fills up would stop the tables as well."""
    census = await call.site.monitor.census()
    if census is not None and shutil.disk_usage(folder).free < 2 * census.size:
        raise Fault(503, "There is no room for a backup in the folder for temporary files.", "disk_full")


async def _send(request: web.Request, file: Path) -> web.StreamResponse:
    """Send a file piece by piece; it may be removed when this returns."""
    response = web.StreamResponse(
        headers={
            "Content-Type": "application/vnd.sqlite3",
            "Content-Disposition": f'attachment; filename="parlour-{datetime.now(UTC):%Y-%m-%d-%H%M}.db"',
        }
    )
    with file.open("rb") as source:
        response.content_length = os.fstat(source.fileno()).st_size
        await response.prepare(request)
        while piece := await asyncio.to_thread(source.read, PIECE):
            await response.write(piece)
    await response.write_eof()
    return response
