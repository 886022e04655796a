"""A household behind one router: what one of them guesses keeps no other from a table that they belong to."""

from __future__ import annotations

from contextlib import suppress

import aiohttp
import pytest

from parlour.client import ApiError, AsyncTable
from parlour.server import Config, parse_limits

from .conftest import Running, Serve

WRONG = ("AAAAAAAAA", "BBBBBBBBB", "CCCCCCCCC", "DDDDDDDDD")


@pytest.fixture
async def house(serve: Serve) -> Running:
    return await serve(Config(limits=parse_limits(["all=off", "guesses=0.0001/3"])))


@pytest.fixture
async def game(house: Running) -> list[AsyncTable]:
    """A private game of two, at whose address somebody has guessed all codes that they may."""
    tables = await house.table("chess", "Ann", "Ben", private=True, side="white")
    stranger = await house.client("Eve")
    for code in WRONG:
        with suppress(ApiError):
            await stranger.table(code).view()
    return tables


async def refused(table: AsyncTable) -> int:
    with pytest.raises(ApiError) as refusal:
        await table.view()
    return refusal.value.status


async def test_those_who_play_go_on(house: Running, game: list[AsyncTable]) -> None:
    ann, ben = game
    await ann.act({"type": "move", "uci": "e2e4"})
    await ben.act({"type": "move", "uci": "e7e5"})
    assert (await ben.view())["you"]["seats"] == [1]
    url = f"{house.url}/api/v1/tables/{ann.code.lower()}/socket"
    ticket = (await ben._client.request("POST", "/api/v1/me/ticket"))["ticket"]
    for query, headers in (("", ann._client._headers()), (f"?ticket={ticket}", {})):
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(url + query, headers=headers) as socket,
        ):
            assert (await socket.receive_json())["type"] == "welcome"
    await ann.act({"type": "resign"})


async def test_a_host_without_a_seat_goes_on(house: Running, game: list[AsyncTable]) -> None:
    host = await house.client("Hal")
    table = await host.create_table("chess", private=True)
    assert (await table.view())["you"]["host"]


async def test_everybody_else_is_slowed_down_and_learns_nothing(house: Running, game: list[AsyncTable]) -> None:
    """Also somebody who plays, at a table that is not theirs; and once they have got up."""
    nobody, stranger, player = await house.client(), await house.client("Eve"), game[1]._client
    another = await (await house.client("Dan")).create_table("chess", private=True)
    for client in (nobody, stranger, player):
        for code in (another.code, WRONG[0]):
            assert await refused(client.table(code)) == 429, "a right guess is not told from a wrong one"
    for client in (nobody, stranger):
        assert await refused(client.table(game[0].code)) == 429
    await game[1].act({"type": "resign"})
    await game[1].leave()
    assert await refused(game[1]) == 429
