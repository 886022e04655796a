"""Servers find each other on the network; the network here is the loopback interface."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

from parlour.server.discovery import Announcer, browse

LOOPBACK = "127.0.0.1"


async def test_an_announced_server_is_found_and_gone_when_it_closes() -> None:
    announcer = Announcer("Friday. Night", 18_765, "1.2.3", address=LOOPBACK)
    await announcer.start()
    try:
        found = await browse(1.5, LOOPBACK)
    finally:
        await announcer.close()
    assert [(s.name, s.url, s.version) for s in found if s.url.endswith(":18765")] == [
        ("Friday. Night", "http://127.0.0.1:18765", "1.2.3")
    ]
    assert not [s for s in await browse(0.5, LOOPBACK) if s.url.endswith(":18765")]


async def test_the_command_lists_servers() -> None:
    announcer = Announcer("Club", 18_766, "0.1", address=LOOPBACK)
    await announcer.start()
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "parlour", "servers", "--json", "--seconds", "1.5", "--interface", LOOPBACK),
            stdout=subprocess.PIPE,
        )
        out, _ = await process.communicate()
    finally:
        await announcer.close()
    assert "http://127.0.0.1:18766" in [server["url"] for server in json.loads(out)]
