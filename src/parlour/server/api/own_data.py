"""Everything about oneself, to take along."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec
from aiohttp import web

from parlour.server.api.history import ROUND_COST
from parlour.server.api.routing import BACKUP_COST, ApiCall, Routes
from parlour.tables.errors import Busy
from parlour.tables.ports import RoundSearch
from parlour.tables.presets import Presets
from parlour.tables.records.messages import messages_of
from parlour.tables.records.reading import file_suffixes

routes = Routes("people")

AT_ONCE = 4
"""Exports on the whole server; a person has one."""
LONGEST_SECONDS = 600
"""For so long an export may take."""
UNDISTURBED_SECONDS = 60
"""After so long an export makes room for somebody else's where all places are taken, the slowest first: who reads
slowly would keep everybody waiting."""
PIECE = 64 * 1024
"""Bytes that are sent together."""

README = b"""Everything that this server keeps about you:

me.json         name, devices, privacy, presets, open tables, statistics, ratings, entries of the security log
messages.jsonl  what you wrote at tables where you played, one message a line
rounds.*        every hand and game that you played and whose log is kept, in the notations of the games;
                as you may know it: other people's hidden cards are not in it
"""


class _Sent:
    """What a zip file is written to: it gathers the bytes until they are sent."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self.size = 0

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        self.size += len(data)
        return len(data)

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces.clear()
        self.size = 0
        return taken


class Export:
    """One that is under way."""

    def __init__(self, timeout: asyncio.Timeout, now: float) -> None:
        self.timeout = timeout
        self.begun = now
        self.sent = 0
        """Bytes that its reader took."""

    def speed(self, now: float) -> float:
        """Bytes a second."""
        return self.sent / (now - self.begun)


@routes.add("GET", "/api/v1/me/export", media="application/zip", refusals=(409,), cost=BACKUP_COST)
async def export(call: ApiCall) -> web.StreamResponse:
    """Everything that is kept about you, as a zip file: identity, devices, hands and games, statistics, messages."""
    exporting, who = call.site.exporting, call.caller.id
    now = asyncio.get_running_loop().time()
    if who in exporting or not _has_place(exporting, now):
        raise Busy("export_under_way", "another export is under way; try again in a minute")
    own = exporting[who] = Export(asyncio.timeout(LONGEST_SECONDS), now)
    try:
        async with own.timeout:
            return await _send(call, own)
    finally:
        if exporting.get(who) is own:
            del exporting[who]


def _has_place(exporting: dict[str, Export], now: float) -> bool:
    """Whether one more may begin. The slowest of those that have had their time is ended for it."""
    if len(exporting) < AT_ONCE:
        return True
    late = {who: export.speed(now) for who, export in exporting.items() if export.begun <= now - UNDISTURBED_SECONDS}
    if not late:
        return False
    slowest = exporting.pop(min(late, key=late.__getitem__))
    if not slowest.timeout.expired():
        slowest.timeout.reschedule(now)
    return True


async def _send(call: ApiCall, own: Export) -> web.StreamResponse:
    about = msgspec.json.format(msgspec.json.encode(await _about(call)), indent=2)
    response = web.StreamResponse(
        headers={"Content-Type": "application/zip", "Content-Disposition": 'attachment; filename="parlour.zip"'}
    )
    await response.prepare(call.request)
    sent = _Sent()
    with ZipFile(sent, "w", ZIP_DEFLATED) as archive:  # type: ignore[call-overload]  # the stub wants more of a file
        archive.writestr("README.txt", README)
        archive.writestr("me.json", about)
        for name, texts in await _files(call):
            with archive.open(name, "w", force_zip64=True) as file:
                async for text in texts:
                    await call.site.admission.pace(call.request, ROUND_COST)
                    file.write(text.encode())
                    if sent.size >= PIECE:
                        size = sent.size
                        await response.write(sent.take())
                        own.sent += size
    await response.write(sent.take())
    await response.write_eof()
    return response


async def _about(call: ApiCall) -> dict[str, Any]:
    parlour, who = call.site.parlour, call.caller
    hosted = await parlour.store.tournaments_hosted(who.id, 1_000)
    return {
        "identity": who,
        "devices": await parlour.people.devices(who.id),
        "privacy": await parlour.people.privacy(who.id),
        "presets": await Presets(parlour.store, parlour.games).of(who),
        "tables": await parlour.tables_of(who),
        "tournaments_hosted": [{"code": entry.code, "settings": entry.settings} for entry in hosted],
        "statistics": await parlour.statistics(who),
        "ratings": [{"pool": pool, "standing": standing} for pool, standing in await parlour.store.ratings_of(who.id)],
        "security_log": await parlour.security.of(who.id),
    }


async def _files(call: ApiCall) -> list[tuple[str, AsyncIterator[str]]]:
    parlour, who = call.site.parlour, call.caller
    suffixes = sorted({suffix for listing in parlour.games.values() for suffix in file_suffixes(listing)})
    rounds = [(f"rounds.{suffix}", await parlour.rounds_file(who, RoundSearch(), suffix)) for suffix in suffixes]
    return [("messages.jsonl", _messages(call)), *rounds]


async def _messages(call: ApiCall) -> AsyncIterator[str]:
    async for messages in messages_of(call.site.parlour.store, call.caller.id):
        yield "".join(f"{msgspec.json.encode(message).decode()}\n" for message in messages)
