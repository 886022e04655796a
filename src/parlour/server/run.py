"""Run the server as a process: store, tables, sockets, signals."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

from aiohttp import web

from parlour.server import logs, network
from parlour.server.app import create_app
from parlour.server.compose import open_parlour
from parlour.server.config import Config


def run(host: str, port: int, data: Path, database: str | None, config: Config, *, json_logs: bool) -> None:
    """Serve until the process is told to stop."""
    logs.configure(json_logs)
    serving = _serve(host, port, data, database, config)
    if sys.platform == "win32":
        asyncio.run(serving)
    else:
        import uvloop

        uvloop.run(serving)


async def _serve(host: str, port: int, data: Path, database: str | None, config: Config) -> None:
    parlour = open_parlour(data, database)
    runner = web.AppRunner(
        create_app(parlour, config),
        access_log=None,
        handle_signals=False,
        shutdown_timeout=5.0,
    )
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port, backlog=1024)
        await site.start()
        bound = runner.addresses[0][1]
        _announce(network.addresses(host, bound), config)
        await _told_to_stop()
    finally:
        await runner.cleanup()


def _announce(urls: list[str], config: Config) -> None:
    """Say where the house is, for people: on stdout, with a QR code where it is a terminal."""
    first = config.public_url or urls[0]
    if sys.stdout.isatty():
        print(network.qr_text(first))
    print(f"Parlour is open: {first}", *(url for url in urls if url != first), sep="\n                 ", flush=True)


async def _told_to_stop() -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows: Ctrl-C then raises KeyboardInterrupt, which ends the run as well
            break
    await stop.wait()
