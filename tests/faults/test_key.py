"""The key is lost or another: the server does not start without a word, and what cannot be read is said to be so."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from tests.patience import until_found

from parlour.client import ApiError, AsyncClient
from parlour.storage.seal import KEY_VARIABLE


@pytest.fixture(autouse=True)
def no_key_around(monkeypatch):
    monkeypatch.delenv(KEY_VARIABLE, raising=False)


async def a_hand(server):
    """A hand of hold'em is dealt; its code and a player's token."""
    async with AsyncClient(server.url) as ann, AsyncClient(server.url) as ben:
        await ann.register("Ann")
        await ben.register("Ben")
        table = await ann.create_table("holdem", action_seconds=0)
        await table.sit(0)
        await ben.table(table.code).sit(1)
        await table.start()
        assert (await table.view())["private"]["cards"]
        return table.code, ann.token


async def test_a_missing_key_is_not_replaced_without_a_word(new_server):
    server = await new_server().start()
    await a_hand(server)
    server.end()
    key = server.data / "parlour.key"
    saved = key.rename(server.data / "saved")
    for _ in range(2):
        with pytest.raises(RuntimeError) as refused:
            await server.start()
        words = str(refused.value)
        assert words.startswith(f"parlour: {key} is missing, and the database holds cards")
        assert "backup" in words
        assert "--new-key" in words
        assert "Traceback" not in words
        assert not key.exists(), "the second start must say the same"
    saved.rename(key)
    await server.start()
    assert await server.is_ready()


async def test_another_key_is_refused_and_may_take_the_place_of_a_lost_one(new_server):
    server = await new_server().start()
    code, token = await a_hand(server)
    server.end()
    key = server.data / "parlour.key"
    right = key.read_text()
    key.write_text("A" * 43 + "=\n")
    with pytest.raises(RuntimeError, match=r"^parlour: the key in .+parlour.key is not the one"):
        await server.start()
    anew = await new_server("--new-key").start()
    async with AsyncClient(anew.url, token) as ann:
        assert (await ann.me())["name"] == "Ann", "people and directory are not sealed"
        with pytest.raises(ApiError) as closed:
            await ann.table(code).view()
        assert (closed.value.status, closed.value.code) == (503, "sealed_under_another_key")
        table = await ann.create_table("holdem")
        await table.sit(0)
        assert (await table.view())["seats"][0]["player"]["name"] == "Ann", "play goes on at other tables"
    assert '"fault"' not in anew.end()
    await server.start()  # the option is needed once
    server.end()
    key.write_text(right)
    with pytest.raises(RuntimeError, match="is not the one"):
        await server.start()
    again = await new_server("--new-key").start()
    async with AsyncClient(again.url, token) as ann:
        assert (await ann.table(code).view())["private"]["cards"], "with its key a table opens again"


async def test_a_database_from_before_fingerprints_is_tried_with_the_key(new_server):
    """Version 0.1 did not write down which key it had."""
    server = await new_server().start()
    await a_hand(server)
    server.end()
    with closing(sqlite3.connect(server.data / "parlour.db")) as database:
        database.execute("DELETE FROM shelves WHERE shelf = 'key'")
        database.commit()
    key = server.data / "parlour.key"
    right = key.rename(server.data / "saved")
    with pytest.raises(RuntimeError, match="is missing"):
        await server.start()
    right.rename(key)
    await server.start()
    await until_found(server.is_ready)


async def test_a_new_folder_gets_a_key(new_server):
    server = await new_server().start()
    assert (server.data / "parlour.key").stat().st_mode & 0o777 == 0o600
