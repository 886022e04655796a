"""Gateau clients in tournaments of the house: they enter by its code, and are introduced at every table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.patience import until_found

from parlour.games.registry import Registry
from parlour.protocols.callbacks import CallbackGuard
from parlour.protocols.gateau import Gateau
from parlour.storage.seal import AesSeal
from parlour.storage.sqlite import SqliteStore
from parlour.tables.live.service import Parlour
from parlour.tables.system import SystemClock, SystemEntropy
from parlour.tournaments.service import Tournaments

from .conftest import Serve, Spawn, admit
from .test_gateau import config, post

QUICK = {
    "stack": 200,
    "level_by": "hands",
    "levels": [[3, 5, 10, 0], [3, 25, 50, 0], [3, 100, 200, 0]],
    "hand_delay": 0,
}


class Club:
    """A host, and the tournaments of a house."""

    def __init__(self, parlour: Parlour, tournaments: Tournaments, dialect: Gateau, url: str) -> None:
        self.parlour = parlour
        self.tournaments = tournaments
        self.dialect = dialect
        self.url = url

    async def announce(self, form: str, **settings: Any) -> str:
        self.host, _ = await self.parlour.create_identity("Host")
        return await self.tournaments.create(self.host, "holdem", "Friday", form, {**QUICK, **settings})

    async def view(self, code: str) -> dict[str, Any]:
        view: dict[str, Any] = msgspec.json.decode(await self.tournaments.view(code, None))
        return view

    async def finished(self, code: str) -> dict[str, Any]:
        view: dict[str, Any] = {}

        async def over() -> bool:
            nonlocal view
            view = await self.view(code)
            return bool(view["status"] == "finished")

        await until_found(over)
        return view


@pytest.fixture
async def parlour(tmp_path: Path) -> AsyncIterator[Parlour]:
    """A house that is not open yet: tournaments are set up before."""
    store, seal = SqliteStore(tmp_path / "parlour.db"), AesSeal(bytes(32))
    house = Parlour(store, SystemClock(), SystemEntropy(), seal, Registry())
    yield house
    await house.stop()


@pytest.fixture
async def club(parlour: Parlour, serve: Serve) -> AsyncIterator[Club]:
    tournaments = Tournaments(parlour)
    await parlour.start()
    dialect = Gateau(parlour, admit, CallbackGuard(), tournaments=tournaments)
    yield Club(parlour, tournaments, dialect, await serve(dialect))
    await tournaments.close()


async def test_clients_play_a_sit_and_go_and_one_of_them_wins(club: Club, spawn: Spawn) -> None:
    code = await club.announce("sitngo", entries_max=3)
    bots = [await spawn(club.url, name, "allin", game=code.lower()) for name in ("Ann", "Bob", "Cid")]
    view = await club.finished(code)
    assert sorted(entry["player"]["name"] for entry in view["entries"]) == ["Ann", "Bob", "Cid"]
    assert all(entry["player"]["bot"] for entry in view["entries"])
    winner = view["entries"][view["standings"][0]["entry"] - 1]["player"]["name"]
    for bot in bots:
        told = await bot.once_told("PlayerPrivateInfo")
        over = await bot.once_told("GameOverInfo")
        assert (over["winning_player"] == told["ingame_id"]) == (bot.name == winner)
        if bot.name != winner:
            out = bot.told("PlayerEliminatedInfo")
            if told["ingame_id"] not in [push["eliminated_player"] for push in out]:
                await bot.until(lambda push, own=told["ingame_id"]: push.get("eliminated_player") == own)
    assert (await club.view(code))["status"] == "finished"


async def test_a_client_that_is_moved_is_introduced_at_the_new_table(club: Club, spawn: Spawn) -> None:
    code = await club.announce("mtt", entries_max=4, seats=2)
    bots = [await spawn(club.url, name, "call", game=code) for name in ("Ann", "Bob", "Cid", "Dee")]
    await club.tournaments.start(code, club.host)
    view = await club.finished(code)
    for bot in bots:
        await bot.once_told("GameOverInfo")
    # The two who are left at different tables meet: at one of these, or while nobody can enter any more at a new one.
    introduced = [bot.told("PlayerPrivateInfo") for bot in bots]
    moved = [told for told in introduced if len(told) == 2]
    assert moved
    assert all(first["secret_id"] != second["secret_id"] for first, second in moved)
    prizes = [line["prize"] for line in view["standings"]]
    assert sum(prizes) == view["pool"] == 40


async def test_the_dialect_begins_again_and_its_clients_play_on(club: Club, spawn: Spawn) -> None:
    code = await club.announce("sitngo", entries_max=2)
    bots = [await spawn(club.url, name, "call", game=code) for name in ("Ann", "Bob")]
    for _ in range(3):
        await bots[0].until_info("PayoutInfo")
        await club.dialect.stop()
        await club.dialect.start()
    view = await club.finished(code)
    assert [line["prize"] for line in view["standings"]] == [20, 0]
    winner = bots[view["standings"][0]["entry"] - 1]
    await winner.once_told("GameOverInfo")
    assert len(winner.told("PlayerPrivateInfo")) == 1, "it knows its secret, and is not introduced again"


async def test_what_is_full_or_not_there_takes_nobody_and_nobody_configures_it(club: Club, spawn: Spawn) -> None:
    code = await club.announce("mtt", entries_max=2)
    bots = [await spawn(club.url, name, "idle", game=code) for name in ("Ann", "Bob", "Cid")]
    answers = [bot.told("registered")[0] for bot in bots]
    assert [answer["status"] for answer in answers] == ["ok", "ok", "error"]
    assert answers[2]["reason"] == "No space to join this game"
    assert (await config(club.url, "start", game_id=code))["reason"] == "This game is not yours to configure!"
    move = {"secret_id": "0" * 32, "action": "call", "value": 0, "game_id": code}
    assert (await post(club.url, "/game", move))[1]["reason"] == "Not your turn!"
    assert [entry["player"]["name"] for entry in (await club.view(code))["entries"]] == ["Ann", "Bob"]
