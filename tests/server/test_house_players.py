"""House players cost whoever adds them: a budget for host, address and server, and no rows for nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.patience import until, until_found

from parlour.bots.house import ALONE
from parlour.bots.players import ChessPlayer
from parlour.client import ApiError
from parlour.server import Config, parse_limits
from parlour.server.config import Bots
from parlour.server.extensions import employ_bots
from parlour.tables.testing import HandClock

from .conftest import Running, Serve
from .test_tournaments_api import refusal

CHESS = {"side": "white", "minutes": 10}


async def club(serve: Serve, *limits: str, clock: HandClock | None = None) -> Running:
    """A server with house players, and no limits but these."""
    config = Config(limits=parse_limits(["all=off", *limits]), bots=Bots(pause=0))
    return await serve(config, extensions=[employ_bots], clock=clock)


def rows(data: Path) -> dict[str, int]:
    """How many identities and tokens the database has."""
    with closing(sqlite3.connect(data / "parlour.db")) as database:
        return {
            table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("identities", "tokens", "shelves")
        }


async def test_to_add_and_remove_house_players_again_and_again_makes_no_rows(serve: Serve) -> None:
    running = await club(serve)
    (ann,) = await running.table("holdem", "Ann", start=False)
    await ann.host("add_bot", style="tight")
    before = rows(running.data)
    for _ in range(30):
        await ann.host("remove_bot", seat=1)
        await ann.host("add_bot", style="tight")
    assert rows(running.data) == before
    assert before["tokens"] == 1, "nobody can be a house player"
    cup = await (await running.client("Ben")).create_tournament("holdem", "Cup", "mtt")
    assert cup.code
    before = rows(running.data)
    for number in range(1, 6):
        await cup.host("add_bot", style="tight", count=1)
        await cup.host("remove", entry=1)
        assert len((await cup.view())["entries"]) == 1, number
    assert rows(running.data) == before, "the same bot plays in the tournament"


async def test_a_house_player_sits_at_several_tables_under_one_name(serve: Serve) -> None:
    running = await club(serve)
    seen = set()
    for name in ("Ann", "Ben"):
        (own,) = await running.table("chess", name, start=False, **CHESS)
        await own.host("add_bot", style="easy")
        await own.start()
        player = (await own.view())["seats"][1]["player"]
        seen.add((player["id"], player["name"]))
    assert len(seen) == 1


async def test_a_host_has_so_many_house_players_at_tables_and_in_tournaments_together(serve: Serve) -> None:
    running = await club(serve, "house_players_per_identity=5")
    person = await running.client("Ann")
    ann = await person.create_table("holdem")
    for _ in range(2):
        await ann.host("add_bot")
    cup = await person.create_tournament("holdem", "Cup", "mtt")
    refused = await refusal(cup.host("add_bot", count=4))
    assert (refused.status, refused.code) == (429, "too_many_house_players")
    assert "at most 5" in refused.detail
    assert not (await cup.view())["entries"], "all of them or none"
    await cup.host("add_bot", count=3)
    assert (await refusal(ann.host("add_bot"))).code == "too_many_house_players"
    (ben,) = await running.table("holdem", "Ben", start=False)
    await ben.host("add_bot")
    await cup.host("close")
    await ann.host("add_bot")


async def test_all_hosts_together_have_what_the_server_has(serve: Serve) -> None:
    running = await club(serve, "house_players_at_once=3")
    (ann,) = await running.table("holdem", "Ann", start=False)
    (ben,) = await running.table("holdem", "Ben", start=False)
    for own in (ann, ann, ben):
        await own.host("add_bot")
    refused = await refusal(ben.host("add_bot"))
    assert (refused.status, refused.code) == (429, "no_house_player_free")
    await ann.host("close")
    await ben.host("add_bot")


async def test_an_address_has_so_many_over_every_way_in(serve: Serve) -> None:
    running = await club(serve, "house_players_per_address=4")
    (ann,) = await running.table("holdem", "Ann", start=False)
    await ann.host("add_bot")
    async with ann.connect() as socket:
        await socket.host("add_bot")
        cup = await (await running.client("Ben")).create_tournament("holdem", "Cup", "mtt")
        assert "For your address at most 4" in (await refusal(cup.host("add_bot", count=3))).detail
        await cup.host("add_bot", count=2)
        for again in (ann.host("add_bot"), cup.host("add_bot")):
            assert (await refusal(again)).code == "too_many_house_players"
        with pytest.raises(ApiError, match="For your address"):
            await socket.host("add_bot")
        await cup.host("remove", entry=1)
        await socket.host("add_bot")


async def test_those_that_play_on_after_a_restart_count(serve: Serve) -> None:
    running = await club(serve, "house_players_at_once=1")
    (ann,) = await running.table("chess", "Ann", start=False, **CHESS)
    await ann.host("add_bot", style="easy")
    await ann.start()
    await running.runner.cleanup()
    again = await club(serve, "house_players_at_once=1")
    await again.parlour.open(ann.code)
    (ben,) = await again.table("chess", "Ben", start=False, **CHESS)
    assert (await refusal(ben.host("add_bot", style="easy"))).code == "no_house_player_free"


# Left behind


async def waiting(running: Running) -> str:
    """A tournament that has not begun."""
    cup = await (await running.client("Eve")).create_tournament("holdem", "Cup", "mtt")
    await cup.host("add_bot", count=3)
    return f"/api/v1/tournaments/{cup.code}"


async def paused(running: Running) -> str:
    path = await begun(running)
    cup = await running.site.tournaments.open(path.rpartition("/")[2])
    host = await running.parlour.store.identity(cup.state.room.host)
    assert host is not None
    await running.site.tournaments.host(cup.code, host, "pause", {})
    return path


async def begun(running: Running) -> str:
    cup = await (await running.client("Eve")).create_tournament("holdem", "Cup", "mtt")
    await cup.host("add_bot", count=3)
    await cup.start()
    return f"/api/v1/tournaments/{cup.code}"


async def at_a_table(running: Running) -> str:
    (own,) = await running.table("holdem", "Eve", start=False)
    for _ in range(3):
        await own.host("add_bot")
    return f"/api/v1/tables/{own.code}"


@pytest.mark.parametrize("left", [waiting, paused, begun, at_a_table])
async def test_others_have_the_house_players_that_somebody_left_behind(
    serve: Serve, left: Callable[[Running], Awaitable[str]]
) -> None:
    clock = HandClock()
    running = await club(serve, "house_players_at_once=3", "house_players_per_address=4", clock=clock)
    path = await left(running)
    ben = await (await running.client("Ben")).create_table("holdem")
    server, address = running.site.admission.house_players.of_server, running.site.admission.house_players.of_address
    clock.time += ALONE - 1_000
    await running.parlour.keep_house()
    assert (await refusal(ben.host("add_bot"))).code == "no_house_player_free"
    clock.time += 1_000
    await running.parlour.keep_house()
    assert server.held() == {}
    assert address.held() == {"127.0.0.1": 3}, "who left them behind can make no more of them"
    await ben.host("add_bot")
    assert (await refusal(ben.host("add_bot"))).code == "too_many_house_players"
    await (await running.client("Eve")).request("GET", path)
    await running.parlour.keep_house()
    assert server.held() == {"server": 4}, "whoever comes back finds theirs there"
    await ben.host("remove_bot", seat=0)
    await until(lambda: server.held() == {"server": 3})
    assert (await refusal(ben.host("add_bot"))).code == "no_house_player_free"


@pytest.mark.parametrize("left", [waiting, paused, begun, at_a_table])
async def test_those_who_come_back_wait_until_the_server_has_room(
    serve: Serve, left: Callable[[Running], Awaitable[str]]
) -> None:
    clock = HandClock()
    running = await club(serve, "house_players_at_once=3", clock=clock)
    path = await left(running)
    server = running.site.admission.house_players.of_server
    clock.time += ALONE
    await running.parlour.keep_house()
    log = running.parlour.live()[0]  # without a visit

    async def is_deserted() -> bool:
        await running.parlour.keep_house()
        return log.state.play.deserted_at is not None

    async def goes_on() -> bool:
        clock.time += 1_000
        return not await is_deserted()

    if left is begun:
        assert log.state.rules.directs
        await until_found(is_deserted)
    ben = await (await running.client("Ben")).create_table("holdem")
    for _ in range(3):
        await ben.host("add_bot")
    eve = await running.client("Eve")
    for _ in range(2):
        await eve.request("GET", path)
        await running.parlour.keep_house()
        assert server.held() == {"server": 3}
    if left is begun:
        assert log.state.play.deserted_at is not None, "no clock plays for those that wait"
    await ben.host("remove_bot", seat=0)
    await until(lambda: server.held() == {"server": 2})
    await running.parlour.keep_house()
    assert server.held() == {"server": 5}, "all that play at one table, or in one tournament, go on together"
    if left is begun:
        await until_found(goes_on)


async def test_bots_for_which_there_is_no_room_do_not_play(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    bots_move = asyncio.Event()
    choose = ChessPlayer.choose

    async def noted(self: ChessPlayer, view: dict[str, Any], style: str, left: float | None) -> dict[str, Any]:
        bots_move.set()
        return await choose(self, view, style, left)

    monkeypatch.setattr(ChessPlayer, "choose", noted)
    clock = HandClock()
    running = await club(serve, "house_players_at_once=1", clock=clock)
    (eve,) = await running.table("chess", "Eve", start=False, **CHESS)
    await eve.host("add_bot", style="easy")
    clock.time += ALONE
    await running.parlour.keep_house()
    (ben,) = await running.table("chess", "Ben", start=False, **CHESS)
    await ben.host("add_bot", style="easy")
    await eve.start()
    await eve.act({"type": "move", "uci": "e2e4"})
    await running.parlour.keep_house()
    assert running.site.admission.house_players.of_server.held() == {"server": 1}
    assert not bots_move.is_set()
    await ben.host("close")
    await until(lambda: running.site.admission.house_players.of_server.held() == {})
    await running.parlour.keep_house()
    await until(bots_move.is_set)


async def test_tables_that_are_opened_again_have_no_more_bots_play_than_the_server_has(serve: Serve) -> None:
    running = await club(serve)
    codes = []
    for name in ("Ann", "Ben", "Eve"):
        (own,) = await running.table("holdem", name, start=False)
        for _ in range(2):
            await own.host("add_bot")
        codes.append(own.code)
    await running.runner.cleanup()
    again = await club(serve, "house_players_at_once=3")
    players = again.site.admission.house_players
    for code in codes:
        await again.parlour.open(code)
    await until(lambda: sum(players.of_identity.held().values()) == 6)
    assert players.of_server.held() == {"server": 3}


async def test_a_connection_keeps_the_house_players_of_a_table(serve: Serve) -> None:
    clock = HandClock()
    running = await club(serve, "house_players_at_once=1", clock=clock)
    (own,) = await running.table("holdem", "Eve", start=False)
    await own.host("add_bot")
    async with own.connect():
        clock.time += 3 * ALONE
        await running.parlour.keep_house()
        assert running.site.admission.house_players.of_server.held() == {"server": 1}


async def test_house_players_that_leave_while_they_stand_still_are_counted_once(serve: Serve) -> None:
    clock = HandClock()
    running = await club(serve, "house_players_at_once=3", clock=clock)
    players = running.site.admission.house_players
    path = await waiting(running)
    clock.time += ALONE
    await running.parlour.keep_house()
    await running.site.tournaments.end(path.rpartition("/")[2])
    await running.parlour.keep_house()
    assert (players.of_server.held(), players.of_identity.held(), players.of_address.held()) == ({}, {}, {})
