"""Run the server as a process: store, tables, sockets, signals."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack, nullcontext, suppress
from pathlib import Path

import msgspec
from aiohttp import web

import parlour
from parlour.faults import traced
from parlour.server import network
from parlour.server.access.admission import AdmissionAccounts
from parlour.server.acpc import dealing
from parlour.server.api import problems
from parlour.server.app import SITE, at_own_port, create_app
from parlour.server.compose import Alone, AsNode
from parlour.server.config import Config
from parlour.server.discovery import Neighbourhood
from parlour.server.extensions import DIALECTS, dialect_application, employ_bots, keep_ladder, speak_dialects
from parlour.server.monitoring import logs
from parlour.server.site import Site
from parlour.server.transport import entry
from parlour.storage.lock import sole_server
from parlour.storage.outages import RETRY_AFTER, TIME_LIMIT
from parlour.tables.errors import Unavailable
from parlour.tables.people import SESSION_DAYS, TOKEN_DAYS
from parlour.version import COMMIT, __version__

LOOPBACK = "127.0.0.1"
DESCRIPTORS = 65_536
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Seconds between two looks whether the database answers at the start."""
TURN = 0.05
"""Seconds that the event loop may take before another thread interrupts it."""


class Doors(msgspec.Struct, frozen=True):
    """Where the server listens."""

    host: str
    port: int
    dialects: dict[str, int] = {}
    """Dialect → a port at whose root it is served as well."""
    name: str = "Parlour"
    """What the server is called on the local network; empty where it is not announced."""
    acpc: Sequence[str] = ()
    """Where ACPC matches are dealt: `PORT[:GAME[:HANDS]]`."""


class Storage(msgspec.Struct, frozen=True):
    """Where everything is kept, and how."""

    data: Path
    databases: Sequence[str] = ()
    """URLs of PostgreSQL databases, in place of SQLite in the data folder."""
    time_limit: float = TIME_LIMIT
    """Seconds that the database may take to answer."""
    new_key: bool = False
    """Whether to go on without the key that the database was sealed under."""
    bus: str | None = None
    """A Redis URL, where the server is one of several nodes on the database."""
    token_days: int = TOKEN_DAYS
    """Days after which a token that nobody uses is void."""
    session_days: int = SESSION_DAYS
    """Days after which a person's token is void in any case."""
    keep_days: int | None = None
    """Days after which the log of a finished table is removed; None where it is kept."""
    keep_records_days: int | None = None
    """Days after which the list of its rounds is removed as well; None where it is kept."""


def run(doors: Doors, storage: Storage, config: Config, *, json_logs: bool) -> None:
    """Serve until the process is told to stop."""
    os.umask(0o077)  # what is written is for its owner alone
    logs.configure(json_logs)
    for name, nearest in config.unknown_variables.items():
        logs.log.warning("a variable of the environment is no setting", variable=name, nearest=nearest or None)
    _spare_the_collector()
    _let_turns_end()
    _allow_many_connections()
    storage.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with sole_server(storage.data) if not storage.databases else nullcontext():
        serving = _serve(doors, storage, config)
        try:
            if sys.platform == "win32":
                asyncio.run(serving)
            else:
                import uvloop

                uvloop.run(serving)
        except Unavailable as error:  # at the start, since later it is told to those who ask: a full disk, say
            raise OSError(str(error)) from error


def _spare_the_collector() -> None:
    """Let Python's cyclic garbage collector run less often: what a command allocates is freed by its reference count,
    and a collection that walks through every table finds nothing and stops the event loop. Its middle generation is
    collected after a few of the youngest, not after many: 10,000 sockets that had come at once took half a second."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 5, 50)


def _let_turns_end() -> None:
    """Let whoever waits for the interpreter have it when a turn of the event loop is over, not in the middle of one.
    The threads here need it for a moment at a time; to think long is for processes and for the native core."""
    sys.setswitchinterval(TURN)


def _allow_many_connections() -> None:
    """Take as many descriptors as the system gives: a player's connection has two, and often only 1,024 are usual."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if 0 <= soft < DESCRIPTORS:
            most = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


async def _serve(doors: Doors, storage: Storage, config: Config) -> None:
    asyncio.get_running_loop().set_exception_handler(logs.complaint)
    stop = _told_to_stop()
    lost = False

    def lose() -> None:
        nonlocal lost
        lost = True
        stop.set()

    place: Alone | AsNode
    if storage.bus is None:
        place = Alone(storage.databases, storage.time_limit, lose)
    else:
        place = AsNode(storage.databases, storage.time_limit, storage.bus)
    parlour = place.open(
        storage.data,
        new_key=storage.new_key,
        token_days=storage.token_days,
        session_days=storage.session_days,
        keep_days=storage.keep_days,
        keep_records_days=storage.keep_records_days,
    )
    app = create_app(parlour, config, extensions=[place.join, employ_bots, speak_dialects, keep_ladder])
    site = app[SITE]
    admission, port = site.admission, doors.port
    if storage.databases:
        port = await _wait_for_database(doors, storage, admission, stop)
        if stop.is_set():
            return
    async with AsyncExitStack() as open_doors:
        if doors.acpc:
            await open_doors.enter_async_context(dealing(doors.host, doors.acpc, config.limits))
        runner, bound = await _listen(open_doors, app, admission, doors.host, port)
        if site.peers is not None:
            site.peers.listen(await entry.listen_inside(runner, admission))
        for name, own_port in doors.dialects.items():
            dialect = at_own_port(dialect_application(app[DIALECTS][name], site), site)
            await _listen(open_doors, dialect, admission, doors.host, own_port, f"--{name}-port takes another")
        logs.log.info("open", version=__version__, commit=COMMIT)
        _announce(network.addresses(doors.host, bound), config)
        if doors.name:
            await _say_hello(open_doors, site, doors, bound)
        await stop.wait()
        site.readiness.open = False
        if site.peers is not None:
            await site.peers.drain()
    if lost:
        raise ConnectionError("another server has taken this database over")


async def _wait_for_database(doors: Doors, storage: Storage, admission: AdmissionAccounts, stop: asyncio.Event) -> int:
    """Wait until the database answers, or the process is told to stop; `/readyz` says meanwhile what it waits for. The
    port to listen on then. What waiting cannot mend, such as a wrong password, is raised at once."""
    from parlour.storage.membership import why_wait  # which needs the driver

    port, pause = doors.port, FIRST_PAUSE
    why = await why_wait(storage.databases, storage.time_limit)
    if why is None:
        return port
    logs.log.warning("waiting for the database", reason=str(why))
    async with AsyncExitStack() as open_doors:
        _, port = await _listen(open_doors, _waiting_room(), admission, doors.host, port)
        while why is not None and not stop.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await stop.wait()
            pause = min(2 * pause, LONGEST_PAUSE)
            why = await why_wait(storage.databases, storage.time_limit)
    return port


def _waiting_room() -> web.Application:
    """What is served while the database is away at the start: that the process lives, and that nobody can play."""
    refusal = Unavailable("database_silent", "the server is waiting for its database", RETRY_AFTER)

    async def health(request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def wait(request: web.Request) -> web.Response:
        return problems.response(problems.of(refusal), {"Retry-After": str(RETRY_AFTER)})

    app = web.Application()
    app.router.add_get("/healthz", health)
    app.router.add_route("*", "/{path:.*}", wait)
    return app


async def _listen(
    open_doors: AsyncExitStack,
    app: web.Application,
    admission: AdmissionAccounts,
    host: str,
    port: int,
    otherwise: str = "--port takes another (PORT=… of make serve)",
) -> tuple[web.AppRunner, int]:
    """Serve an application until the doors are closed; the port, where a free one was taken. `otherwise`: what to do
    where another program has the port."""
    runner = web.AppRunner(app, handle_signals=False, shutdown_timeout=5.0)
    await runner.setup()
    open_doors.push_async_callback(runner.cleanup)
    try:
        return runner, await entry.listen(runner, admission, host, port)
    except OSError as error:
        advice = f"; {otherwise}" if error.errno == errno.EADDRINUSE else ""
        raise OSError(f"cannot listen on {host}, port {port}: {error.strerror or error}{advice}") from None


async def _say_hello(open_doors: AsyncExitStack, site: Site, doors: Doors, port: int) -> None:
    """Announce the server on the local network, and find others there; on loopback only those of this machine."""
    wide = doors.host in network.ANY_HOST
    from parlour.server.multicast import Announcer  # zeroconf is loaded where a server is announced

    try:
        interface = (network.lan_address() or LOOPBACK) if wide else await network.ipv4_address(doors.host)
        announcer = Announcer(doors.name, port, parlour.__version__, interface)
        await announcer.start()
    except OSError as error:
        logs.log.warning("not announced on the local network", **traced(error))
        return
    open_doors.push_async_callback(announcer.close)
    site.neighbourhood = Neighbourhood(interface, port)


def _announce(urls: list[str], config: Config) -> None:
    """Print the addresses of the server for people, with a QR code where stdout is a terminal."""
    first = config.public_url or urls[0]
    if sys.stdout.isatty():
        print(network.qr_text(first))
    print(f"Parlour is open: {first}", *(url for url in urls if url != first), sep="\n                 ", flush=True)


def _told_to_stop() -> asyncio.Event:
    """Set when the process is told to stop."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows: Ctrl-C then raises KeyboardInterrupt, which ends the run as well
            break
    return stop
