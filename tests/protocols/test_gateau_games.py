"""Every Gateau game ends, whatever becomes of its clients: real processes, killed, frozen and started again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from harness.processes import UNLIMITED, AsyncServerProcess, serve
from tests.patience import until_found

from parlour.protocols.callbacks import CallbackGuard
from parlour.protocols.gateau import Gateau
from parlour.protocols.gateau.games import GameTimeouts
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity

from .conftest import Serve, Spawn, admit
from .test_gateau import OK, config, post


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[AsyncServerProcess]:
    async with AsyncServerProcess(serve(tmp_path / "data", *UNLIMITED)) as server:
        yield server


@pytest.mark.parametrize(
    ("games", "server_dies_in"), [(2, (1,)), pytest.param(20, (6, 13), marks=pytest.mark.slow, id="twenty games")]
)
async def test_games_in_a_row_with_clients_killed_restarted_and_frozen(
    server: AsyncServerProcess, spawn: Spawn, tmp_path: Path, games: int, server_dies_in: tuple[int, ...]
) -> None:
    url = f"{server.url}/gateau"
    steady = await spawn(url, "Steady", "slow")
    for number in range(games):
        if number:
            await steady.say("join")
            assert (await steady.until_info("registered"))["status"] == "ok", (
                "the name is free as soon as a game is over"
            )
        phoenix, dead, frozen = await asyncio.gather(*(spawn(url, name) for name in ("Phoenix", "Dead", "Frozen")))
        for option, value in {"action_seconds": 1, "starting_stack": 60, "small_blind": 5, "big_blind": 10}.items():
            assert await config(url, option, value) == OK
        assert await config(url, "start") == OK
        for bot in (steady, phoenix, dead, frozen):
            await bot.until_info("HoleCardInfo")
        frozen.freeze()
        await dead.kill()
        await phoenix.kill()
        before = phoenix.told("PlayerPrivateInfo")[0]
        phoenix = await spawn(url, "Phoenix", "allin", port=phoenix.port)
        assert phoenix.told("registered")[0]["status"] == "ok"
        again = await phoenix.once_told("PlayerPrivateInfo")
        assert again["ingame_id"] == before["ingame_id"]
        assert again["secret_id"] != before["secret_id"]
        if number in server_dies_in:
            await server.kill()
            await server.start()
        await steady.say("hurry")
        ends = [await bot.until_info("GameOverInfo") for bot in (steady, phoenix)]
        assert ends[0] == ends[1]
        await phoenix.kill()
        await frozen.kill()
    assert len(steady.told("GameOverInfo")) == games
    assert "courier" not in server.log()


@pytest.fixture
async def gateau(parlour: Parlour, serve: Serve) -> str:
    return await serve(Gateau(parlour, admit, CallbackGuard()))


async def test_a_client_that_starts_again_is_introduced_and_told_the_hand_being_played(
    gateau: str, spawn: Spawn
) -> None:
    assert await config(gateau, "action_seconds", 3600) == OK
    bots = [await spawn(gateau, name, "idle") for name in ("Ann", "Bob")]
    assert await config(gateau, "start") == OK
    firsts = {(await bot.until_info("ToMoveInfo"))["player_id"] for bot in bots}
    first = bots[firsts.pop()]
    assert not firsts
    await first.kill()
    again = await spawn(gateau, first.name, "call", port=first.port)
    await again.until_true(lambda: any(push["info"] == "ToMoveInfo" for push in again.since_introduced()))
    told_before, told_again = first.since_introduced(), again.since_introduced()
    asked = next(push for push in told_again if push["info"] == "ToMoveInfo")
    secrets = {private.pop("secret_id") for private in (told_before[0], told_again[0])}
    assert len(secrets) == 2
    assert told_again[: len(told_before)] == told_before, (
        "the introduction, the own cards, the blinds, the street and the question"
    )
    other = bots[1 - asked["player_id"]]
    moved = await other.until(lambda push: push.get("move_type") == "Bet")
    assert moved["player_id"] == asked["player_id"], "and its move counts"


async def test_a_client_that_comes_back_later_is_told_the_board_and_asked_nothing_that_has_passed(
    gateau: str, spawn: Spawn
) -> None:
    assert await config(gateau, "action_seconds", 3600) == OK
    bots = [await spawn(gateau, name, "idle") for name in ("Ann", "Bob")]
    assert await config(gateau, "start") == OK
    first = bots[(await bots[0].until_info("ToMoveInfo"))["player_id"]]
    other = bots[1 - bots.index(first)]
    for bot in (first, other):
        secret = (await bot.once_told("PlayerPrivateInfo"))["secret_id"]
        assert (await post(gateau, "/game", {"secret_id": secret, "action": "call", "value": 0}))[1] == OK
    await first.until(lambda push: push.get("street") == "Flop")
    await first.kill()
    again = await spawn(gateau, first.name, "idle", port=first.port)

    def told(info: str) -> list[dict[str, Any]]:
        return [push for push in again.since_introduced() if push["info"] == info]

    await again.until_true(lambda: len(told("StreetInfo")) == 2 and bool(told("ToMoveInfo")))
    assert [len(push["board_cards_revealed"]) for push in told("StreetInfo")] == [0, 3]
    me = told("PlayerPrivateInfo")[0]["ingame_id"]
    assert me not in [push["player_id"] for push in told("ToMoveInfo")], "its turn before the flop has passed"


async def test_registering_again_before_the_start_takes_no_second_place(gateau: str, spawn: Spawn) -> None:
    ann = await spawn(gateau, "Ann")
    await ann.say("join")
    assert (await ann.until_info("registered"))["status"] == "ok"
    await spawn(gateau, "Bob")
    assert await config(gateau, "start") == OK
    assert (await ann.until_info("GameTableInfo"))["display_names"] == [[0, "Ann"], [1, "Bob"]]


async def test_heads_up_a_client_that_answers_but_never_moves_is_asked_hand_after_hand(
    gateau: str, spawn: Spawn
) -> None:
    assert await config(gateau, "action_seconds", 1) == OK
    idle, _ = await spawn(gateau, "Idle", "idle"), await spawn(gateau, "Bob")
    assert await config(gateau, "start") == OK

    def asked(_: dict[str, Any]) -> bool:
        return len({push["hand_number"] for push in idle.told("ToMoveInfo") if push["player_id"] == 0}) == 3

    await idle.until(asked)


async def test_a_frozen_client_is_dealt_in_again_when_it_answers(gateau: str, spawn: Spawn) -> None:
    assert await config(gateau, "action_seconds", 1) == OK
    assert await config(gateau, "starting_stack", 100_000) == OK
    ann, bob = await spawn(gateau, "Ann"), await spawn(gateau, "Bob", "slow")
    assert await config(gateau, "start") == OK
    await ann.until_info("HoleCardInfo")
    ann.freeze()
    await bob.until(lambda push: push.get("move_type") == "Fold" and push["player_id"] == 0)
    ann.thaw()
    await bob.until(lambda push: push.get("move_type") == "Bet" and push["player_id"] == 0)


async def test_everybody_hears_the_end_and_nothing_is_logged_as_an_error(gateau: str, spawn: Spawn) -> None:
    with structlog.testing.capture_logs() as logs:
        bots = [await spawn(gateau, name, "allin") for name in ("Ann", "Bob", "Cy", "Dee")]
        assert await config(gateau, "start") == OK
        winners = {(await bot.until_info("GameOverInfo"))["winning_player"] for bot in bots}
        assert len(winners) == 1
        for bot in bots:
            for info in ("PlayerEliminatedInfo", "PlayerEliminationInfo"):  # a client knows one of the two
                assert {push["eliminated_player"] for push in bot.told(info)} == {0, 1, 2, 3} - winners
        await until_found(lambda: is_free(gateau))
    assert not [entry for entry in logs if entry["log_level"] == "error"]


async def is_free(url: str, **game: str) -> bool:
    answer: Any = await config(url, "max_players", 9, **game)
    return bool(answer == OK)


async def shelf(parlour: Parlour) -> list[str]:
    return [key for name in ("gateau-games", "gateau-players") for key, _ in await parlour.store.documents(name)]


async def test_a_game_whose_clients_are_all_gone_ends_and_frees_its_name_and_table(
    parlour: Parlour, serve: Serve, spawn: Spawn
) -> None:
    url = await serve(Gateau(parlour, admit, CallbackGuard(), GameTimeouts(deserted=0.2, last_word=0.2)))
    assert await config(url, "action_seconds", 1) == OK
    bots = [await spawn(url, name, "idle") for name in ("Ann", "Bob")]
    assert await config(url, "start") == OK
    for bot in bots:
        await bot.until_info("HoleCardInfo")
        await bot.kill()
    await until_found(lambda: is_free(url))

    async def is_clear() -> bool:
        return not await shelf(parlour) and not await parlour.lobby()

    await until_found(is_clear)


async def test_a_game_that_is_never_started_frees_its_name(parlour: Parlour, serve: Serve, spawn: Spawn) -> None:
    url = await serve(Gateau(parlour, admit, CallbackGuard(), GameTimeouts(unstarted=0.001)))
    ann = await spawn(url, "Ann")
    assert ann.pushes[-1]["status"] == "ok"

    async def is_clear() -> bool:
        return not await shelf(parlour)

    await until_found(is_clear)
    await spawn(url, "Bob")
    answer = await config(url, "start")
    assert answer["reason"] == "At least two players must register first", "Ann is not among them any more"


@pytest.mark.slow
async def test_a_game_in_which_nobody_moves_any_more_is_won_by_whoever_has_the_most(
    parlour: Parlour, serve: Serve, spawn: Spawn
) -> None:
    url = await serve(Gateau(parlour, admit, CallbackGuard(), GameTimeouts(unmoved=0.001)))
    assert await config(url, "action_seconds", 1) == OK
    bots = [await spawn(url, name, "idle") for name in ("Ann", "Bob", "Cy")]
    assert await config(url, "start") == OK
    chips = dict.fromkeys(range(3), 200)
    ends = [await bot.until_info("GameOverInfo") for bot in bots]
    for push in bots[0].pushes:
        if push["info"] == "MoveInfo":
            chips[push["player_id"]] -= push["value"]
        for player, paid in push.get("payouts", ()):
            chips[player] += paid
    assert ends[0] == ends[1] == ends[2]
    assert chips[ends[0]["winning_player"]] >= max(chips.values()) - 2, "blinds of the last hand aside"


async def left_behind(parlour: Parlour) -> tuple[Table, list[Identity], Identity]:
    """A game that a server left in the store as 0.1.0 wrote it: its table, which is not started, players and host."""
    host, _ = await parlour.create_identity("Gateau", bot=True)
    info = await parlour.create_table(host, "holdem", {"rebuy": False, "hand_delay": 0, "grace": 0})
    table = await parlour.open(info.code)
    players = []
    for seat, name in enumerate(("Ann", "Bob")):
        player, _ = await parlour.create_identity(name, bot=True)
        await table.sit(player, seat, {}, invited=True)
        players.append(player)
        callback = {"url": "http://127.0.0.1:1025", "host": "127.0.0.1", "port": 1025, "address": "127.0.0.1"}
        client = {"player": player.id, "game": "", "name": name, "callback": callback, "table": info.code, "seat": seat}
        await parlour.store.keep("gateau-players", player.id, json.dumps(client).encode())
    ids = [player.id for player in players]
    game = {"id": "", "owner": "127.0.0.1", "config": {}, "host": host.id, "table": info.code, "clients": ids}
    await parlour.store.keep("gateau-games", "", json.dumps(game).encode())
    return table, players, host


async def test_a_game_that_an_earlier_version_left_stuck_ends_and_frees_its_name(
    parlour: Parlour, serve: Serve
) -> None:
    table, players, host = await left_behind(parlour)
    await table.start(host)
    for player in players:
        await table.act(player, {"type": "sit_out"}, None)
    await table.act(players[table.state.rules.actors(table.state.play)[0]], {"type": "fold"}, None)
    assert table.state.status() == "waiting"
    url = await serve(Gateau(parlour, admit, CallbackGuard(), GameTimeouts(deserted=0.2, last_word=0.2)))
    await until_found(lambda: is_free(url))

    async def is_clear() -> bool:
        return not await shelf(parlour)

    await until_found(is_clear)


async def test_a_game_that_was_about_to_begin_when_the_server_died_begins(parlour: Parlour, serve: Serve) -> None:
    table, _, _ = await left_behind(parlour)
    await serve(Gateau(parlour, admit, CallbackGuard()))
    assert table.state.status() == "playing"


async def test_a_program_that_was_not_introduced_plays_for_nobody(gateau: str, spawn: Spawn) -> None:
    assert await config(gateau, "action_seconds", 1) == OK
    assert await config(gateau, "starting_stack", 20) == OK
    ann, bob = await spawn(gateau, "Ann"), await spawn(gateau, "Bob", "idle")
    assert await config(gateau, "start") == OK
    await bob.until_info("HoleCardInfo")
    await bob.kill()
    stranger = await spawn(gateau, "Bob", "stranger", port=bob.port)
    await ann.until_info("GameOverInfo")
    assert not stranger.told("PlayerPrivateInfo"), "only who registers is told a secret"


async def test_at_a_table_of_the_house_a_client_is_taken_back_and_told_no_more_once_it_is_closed(
    gateau: str, parlour: Parlour, spawn: Spawn
) -> None:
    host, _ = await parlour.create_identity("Host")
    info = await parlour.create_table(host, "holdem", {"action_seconds": 0})
    table = await parlour.open(info.code)
    await table.sit(host, 0, {})
    ann = await spawn(gateau, "Ann", "idle", info.code)
    await table.start(host)
    await ann.until_info("HoleCardInfo")
    await ann.kill()
    again = await spawn(gateau, "Ann", "idle", info.code, port=ann.port)
    await again.until_true(lambda: bool(again.told("HoleCardInfo")))
    assert again.told("HoleCardInfo") == ann.told("HoleCardInfo")
    await table.host(host, "close", {})

    async def is_clear() -> bool:
        return not await shelf(parlour)

    await until_found(is_clear)


async def test_a_game_with_a_lost_client_ends_after_a_restart_as_well(
    parlour: Parlour, serve: Serve, spawn: Spawn
) -> None:
    first = Gateau(parlour, admit, CallbackGuard())
    url = await serve(first)
    assert await config(url, "action_seconds", 1) == OK
    assert await config(url, "starting_stack", 20) == OK
    ann, bob = await spawn(url, "Ann", "idle"), await spawn(url, "Bob", "idle")
    assert await config(url, "start") == OK
    for bot in (ann, bob):
        await bot.until_info("HoleCardInfo")
    await ann.kill()
    await first.stop()
    url = await serve(Gateau(parlour, admit, CallbackGuard()))
    await bob.kill()
    bob = await spawn(url, "Bob", "call", port=bob.port)
    assert (await bob.until_info("GameOverInfo"))["winning_player"] == 1
    assert await is_free(url)
