"""Servers find each other on the network; the network here is the loopback interface.

A busy machine may be slow to answer, so a test looks again until it has seen what it waits for. Nobody listens at the
ports: they are only told.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys

from tests.patience import until_found

from parlour.server.discovery import Announcer, Neighbourhood, browse

LOOPBACK = "127.0.0.1"


def port() -> int:
    """Another one in each run: other tests may be announcing servers at the same time."""
    return random.randint(20_000, 60_000)


async def test_an_announced_server_is_found_and_gone_when_it_closes() -> None:
    names: dict[int, tuple[str, str]] = {port(): ("Friday. Night", "1.2.3"), port(): ("Club", "0.1")}
    first, second = (Announcer(name, port, version, LOOPBACK) for port, (name, version) in names.items())
    found: dict[str, tuple[str, str]] = {}

    async def look() -> None:
        found.update({server.url: (server.name, server.version) for server in await browse(2, LOOPBACK)})

    def known(number: int) -> bool:
        told = list(names)[number]
        return found.get(f"http://{LOOPBACK}:{told}") == names[told]

    async def both() -> bool:
        await look()
        return known(0) and known(1)

    async def only_the_second() -> bool:
        found.clear()
        await look()
        return known(1) and not known(0)

    await first.start()
    await second.start()
    try:
        await until_found(both)
        await first.close()
        await until_found(only_the_second)
    finally:
        await first.close()
        await second.close()


async def test_the_command_lists_servers() -> None:
    told = port()

    async def listed() -> bool:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "parlour", "servers", "--json", "--seconds", "2", "--interface", LOOPBACK),
            stdout=subprocess.PIPE,
        )
        out, _ = await process.communicate()
        assert process.returncode == 0
        return f"http://{LOOPBACK}:{told}" in [server["url"] for server in json.loads(out)]

    announcer = Announcer("Club", told, "0.1", address=LOOPBACK)
    await announcer.start()
    try:
        await until_found(listed)
    finally:
        await announcer.close()


async def test_a_server_lists_the_others_and_not_itself() -> None:
    mine, others = port(), port()
    own = Announcer("Own", mine, "0.1", address=LOOPBACK)
    other = Announcer("Other", others, "0.1", address=LOOPBACK)
    await own.start()
    await other.start()
    found: set[str] = set()
    try:
        while f"http://{LOOPBACK}:{others}" not in found:
            found |= {server.url for server in await Neighbourhood(LOOPBACK, mine).servers()}
    finally:
        await own.close()
        await other.close()
    assert f"http://{LOOPBACK}:{mine}" not in found
