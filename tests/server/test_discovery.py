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
from contextlib import AsyncExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from tests.patience import until_found
from zeroconf.asyncio import AsyncZeroconf

from parlour.server import discovery, multicast, run
from parlour.server.discovery import Neighbourhood
from parlour.server.multicast import Announcer, browse
from parlour.server.run import Doors

LOOPBACK = "127.0.0.1"


def port() -> int:
    """Another one in each run: other tests may be announcing servers at the same time."""
    return random.randint(20_000, 60_000)


@pytest.mark.slow
async def test_an_announced_server_is_found_and_gone_when_it_closes() -> None:
    names: dict[int, tuple[str, str]] = {port(): ("Friday. Night", "1.2.3"), port(): ("Club", "0.1")}
    first, second = (Announcer(name, port, version, LOOPBACK) for port, (name, version) in names.items())
    found: dict[str, tuple[str, str]] = {}

    async def look() -> None:
        found.update({server.url: (server.name, server.version) for server in await browse(0.3, LOOPBACK)})

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


async def test_two_machines_with_the_usual_name_and_port_do_not_exclude_each_other(monkeypatch) -> None:
    """Each would refuse the name of a service that it has heard from the other, and take the other's address for a host
    of its own name."""
    other = Announcer("Parlour", 8080, "0.1", "192.0.2.7")._info

    class Hearing(AsyncZeroconf):
        """One that has heard of the other machine."""

        def __init__(self, **options) -> None:
            super().__init__(**options)
            self.zeroconf.cache.async_add_records([other.dns_pointer(), other.dns_service(), *other.dns_addresses()])

    monkeypatch.setattr(multicast, "AsyncZeroconf", Hearing)
    announcer = Announcer("Parlour", 8080, "0.1", LOOPBACK)
    await announcer.start()
    assert announcer._info.server != other.server
    await announcer.close()
    taken = Announcer("Parlour", 8080, "0.1", LOOPBACK)
    taken._info.name = other.name
    with pytest.raises(OSError, match="NonUniqueNameException"):
        await taken.start()
    assert taken._zeroconf is None, "nothing is left open"


def test_a_name_of_any_length_can_be_announced() -> None:
    assert Announcer("🎲" * 80, 65_535, "0.1", "192.168.100.200")._info.properties[b"name"] == ("🎲" * 60).encode()


@pytest.mark.parametrize(("host", "announced"), [("localhost", True), ("::1", False), ("no-such-host.invalid", False)])
async def test_a_server_starts_whatever_its_host_is_called(host: str, announced: bool) -> None:
    """It is announced under an IPv4 address: a name has one, mostly, and an IPv6 address none."""
    site: Any = SimpleNamespace(neighbourhood=None)
    async with AsyncExitStack() as open_doors:
        await run._say_hello(open_doors, site, Doors(host, 8080), port())
        assert (site.neighbourhood is not None) == announced


async def test_the_command_lists_servers() -> None:
    told = port()

    async def listed() -> bool:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "parlour", "servers", "--json", "--seconds", "0.5", "--interface", LOOPBACK),
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


async def test_a_server_lists_the_others_and_not_itself(monkeypatch) -> None:
    monkeypatch.setattr(discovery, "LISTEN_SECONDS", 0.3)
    mine, others = random.sample(range(20_000, 60_000), 2)
    own = Announcer("Own", mine, "0.1", address=LOOPBACK)
    other = Announcer("Other", others, "0.1", address=LOOPBACK)
    await own.start()
    await other.start()
    found: set[str] = set()

    async def the_other() -> bool:
        found.update(server.url for server in await Neighbourhood(LOOPBACK, mine).servers())
        return f"http://{LOOPBACK}:{others}" in found

    try:
        await until_found(the_other)
    finally:
        await own.close()
        await other.close()
    assert f"http://{LOOPBACK}:{mine}" not in found


async def test_a_server_is_found_where_other_programs_listen_at_the_port_of_the_service() -> None:
    """An answer to one address and port reaches only one of the sockets that share the port."""
    others = [AsyncZeroconf(interfaces=[LOOPBACK]) for _ in range(3)]
    told = port()
    announcer = Announcer("Club", told, "0.1", address=LOOPBACK)
    await announcer.start()

    async def listed() -> bool:
        return f"http://{LOOPBACK}:{told}" in {server.url for server in await browse(0.3, LOOPBACK)}

    try:
        await until_found(listed)
    finally:
        await announcer.close()
        for one in others:
            await one.async_close()
