"""Gateau over HTTP, with clients in processes of their own that know nothing but the dialect."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from tests.patience import until_found

from parlour.protocols.callbacks import CallbackGuard
from parlour.protocols.gateau import Gateau
from parlour.protocols.gateau.records import GateauRecords
from parlour.server import Config, parse_limits
from parlour.server.access.admission import AdmissionAccounts
from parlour.tables.live.service import Parlour

from .conftest import Serve, Spawn, admit
from .gateau_bots import Pushes


@pytest.fixture
async def gateau(parlour: Parlour, serve: Serve) -> str:
    return await serve(Gateau(parlour, admit, CallbackGuard()))


async def post(url: str, path: str, body: object) -> tuple[int, Any]:
    async with aiohttp.ClientSession() as session, session.post(url + path, json=body) as answer:
        return answer.status, await answer.json()


async def config(url: str, option: str, value: int = 0, **more: str) -> Any:
    return (await post(url, "/config", {"config": option, "value": value, **more}))[1]


OK = {"status": "ok"}


async def test_two_clients_play_ten_hands_in_the_dialects_order(gateau: str, spawn: Spawn) -> None:
    assert await config(gateau, "STARTING_STACK", 1000) == OK
    ann, bob = await spawn(gateau, "Ann"), await spawn(gateau, "Bob", "random")
    assert await config(gateau, "Start") == OK
    for bot in (ann, bob):
        await bot.until(lambda push: push["info"] == "PayoutInfo" and len(bot.told("PayoutInfo")) == 10)  # noqa: B023
    for number, bot in enumerate((ann, bob)):
        infos = [push["info"] for push in bot.pushes]
        assert infos[:4] == ["registered", "PlayerPrivateInfo", "GameTableInfo", "HoleCardInfo"]
        assert bot.pushes[1]["ingame_id"] == number
        table = bot.pushes[2]
        assert (table["starting_stack"], table["seat_order"]) == (1000, [0, 1])
        assert table["display_names"] == [[0, "Ann"], [1, "Bob"]]
        check_order(bot.pushes[3:])
        chips = {0: 1000, 1: 1000}
        for push in bot.pushes:
            if push["info"] == "MoveInfo":
                chips[push["player_id"]] -= push["value"]
            elif push["info"] == "PayoutInfo":
                for player, paid in push["payouts"]:
                    chips[player] += paid
                assert sum(chips.values()) == 2000
    held = [{p["hand_number"]: set(p["hole_cards"]) for p in bot.told("HoleCardInfo")} for bot in (ann, bob)]
    assert all(not held[0][hand] & held[1][hand] for hand in held[0].keys() & held[1].keys())


def check_order(pushes: Pushes) -> None:
    """A hand: own cards, two blinds, PreFlop, then moves, each followed by what the dialect allows to follow."""
    after = {
        "HoleCardInfo": {"MoveInfo"},
        "StreetInfo": {"ToMoveInfo", "StreetInfo", "PayoutInfo"},
        "ToMoveInfo": {"MoveInfo"},
        "MoveInfo": {"MoveInfo", "ToMoveInfo", "StreetInfo", "PayoutInfo"},
        "PayoutInfo": {"HoleCardInfo", "PlayerEliminatedInfo", "GameOverInfo"},
    }
    for push, following in pairwise(pushes):
        assert following["info"] in after[push["info"]], (push, following)
    for index, push in enumerate(pushes):
        if push["info"] == "HoleCardInfo" and index + 5 < len(pushes):
            opening = pushes[index + 1 : index + 5]
            assert [p.get("move_type") for p in opening[:2]] == ["Blind", "Blind"]
            assert [p["value"] for p in opening[:2]] == [1, 2]
            assert (opening[2]["info"], opening[2]["street"]) == ("StreetInfo", "PreFlop")
            assert opening[3]["info"] == "ToMoveInfo"
        if push["info"] == "MoveInfo" and push["move_type"] != "Blind":
            assert pushes[index - 1]["info"] == "ToMoveInfo"
            assert pushes[index - 1]["player_id"] == push["player_id"]


async def test_all_in_announces_every_street_and_ends_the_game(gateau: str, spawn: Spawn) -> None:
    bots = [await spawn(gateau, name, "allin", "g1") for name in ("Ann", "Bob", "Cy")]
    assert await config(gateau, "start", game_id="g1") == OK
    winners = set()
    for bot in bots:
        winners.add((await bot.until_info("GameOverInfo"))["winning_player"])
        streets = [push["street"] for push in bot.told("StreetInfo") if push["hand_number"] == 1]
        assert streets == ["PreFlop", "Flop", "Turn", "River"]
        assert len(bot.told("PlayerEliminationInfo")) == 2
        shown = bot.told("PayoutInfo")[0]
        assert shown["reason"] == "Showdown"
        assert len(shown["hole_cards"]) >= 2
    assert len(winners) == 1


async def test_config_answers(gateau: str, spawn: Spawn) -> None:
    bad = {"status": "error", "reason": "Bad config option!"}
    assert await config(gateau, "no_such_thing", 1) == bad
    assert await config(gateau, "max_players", 2) == OK
    await spawn(gateau, "Ann")
    second = await spawn(gateau, "Bob")
    full = await spawn(gateau, "Cy")
    assert full.pushes[0] == {"info": "registered", "status": "error", "reason": "No space to join this game"}
    assert len(second.pushes) == 1, "reaching max_players does not start the game"
    assert await config(gateau, "starting_stack", 500) == OK
    assert await config(gateau, "start") == OK
    assert (await second.until_info("GameTableInfo"))["starting_stack"] == 500
    started = {"status": "error", "reason": "Game already started!"}
    assert await config(gateau, "starting_stack", 300) == started
    assert await config(gateau, "start") == started
    late = await spawn(gateau, "Dee")
    assert late.pushes[0]["reason"] == "No space to join this game"


async def test_a_stranger_may_not_configure_or_start(parlour: Parlour, serve: Serve) -> None:
    addresses = iter(["192.0.2.1", "192.0.2.2", "192.0.2.1"])

    class Elsewhere(AdmissionAccounts):
        def address(self, request: web.BaseRequest) -> str:
            return next(addresses)

    url = await serve(Gateau(parlour, Elsewhere(Config(limits=parse_limits(["all=off"]))), CallbackGuard()))
    assert await config(url, "max_players", 4) == OK
    assert (await config(url, "max_players", 5))["status"] == "error"
    assert await config(url, "max_players", 6) == OK


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/config", {"config": "max_players", "value": -1}),
        ("/config", {"config": "max_players", "value": 1.5}),
        ("/config", {"value": 1}),
        ("/reg", {"name": "Ann"}),
        ("/reg", {"address": "http://127.0.0.1:5000"}),
        ("/game", {"secret_id": "nonsense", "action": "fold", "value": 0}),
        ("/game", {"secret_id": "123e4567-e89b-12d3-a456-426655440000", "action": "fold", "value": -3}),
        ("/game", {"action": "fold", "value": 0}),
        ("/game", []),
    ],
)
async def test_a_malformed_body_is_400_with_a_reason(gateau: str, path: str, body: object) -> None:
    status, answer = await post(gateau, path, body)
    assert status == 400
    assert answer["status"] == "error"
    assert answer["reason"]


async def test_moves_of_nobody_and_unknown_actions(gateau: str) -> None:
    for secret in ("123e4567-e89b-12d3-a456-426655440000", "123e4567e89b12d3a456426655440000"):
        body = {"secret_id": secret, "action": "fold", "value": 0}
        assert await post(gateau, "/game", body) == (200, {"status": "error", "reason": "Not your turn!"})
        assert (await post(gateau, "/game", {**body, "action": "dance"}))[1]["reason"] == "Bad action!"


async def test_an_unsafe_or_silent_address_is_refused(gateau: str) -> None:
    for address in ("http://10.0.0.1:80", "http://127.0.0.1:1", "http://127.0.0.1:1025", "nonsense"):
        status, answer = await post(gateau, "/reg", {"name": "Ann", "address": address})
        assert (status, answer["status"]) == (200, "error")
        assert answer["reason"]


async def test_a_client_that_never_answers_holds_up_nobody(gateau: str, spawn: Spawn) -> None:
    assert await config(gateau, "action_seconds", 1) == OK
    ann, dead, bob = await spawn(gateau, "Ann"), await spawn(gateau, "Dead", "silent"), await spawn(gateau, "Bob")
    assert await config(gateau, "start") == OK
    for bot in (ann, bob):
        await bot.until(lambda push: push["info"] == "PayoutInfo" and len(bot.told("PayoutInfo")) == 12)  # noqa: B023
    assert dead.process.returncode is None
    # The clock of a second played for the silent one at most once; from then on it was folded at once.
    later = [p for p in ann.told("MoveInfo") if p["player_id"] == 1 and p["hand_number"] > 2]
    assert {p["move_type"] for p in later} == {"Blind", "Fold"}


async def test_a_client_that_moves_too_late_once_plays_on(gateau: str, spawn: Spawn) -> None:
    assert await config(gateau, "action_seconds", 1) == OK
    late, _ = await spawn(gateau, "Late", "late"), await spawn(gateau, "Bob", "allin")
    assert await config(gateau, "start") == OK
    # Whoever is first, Late has a bet to call in the first hand: the clock folds for it and lets it sit out.
    assert (await late.until_info("PayoutInfo"))["reason"] == "All others folded"
    assert (await late.until_info("HoleCardInfo"))["hand_number"] == 2


async def test_what_clients_were_told_is_saved_also_while_the_game_never_pauses(
    gateau: str, parlour: Parlour, spawn: Spawn
) -> None:
    """Else a crash would repeat the game from the last pause on, and not the last half second."""
    assert await config(gateau, "starting_stack", 10**6) == OK
    await spawn(gateau, "Ann")
    await spawn(gateau, "Bob")
    assert await config(gateau, "start") == OK

    async def saved() -> bool:
        clients = await GateauRecords(parlour.store).clients()
        return len(clients) == 2 and all(client.told > 0 for client in clients)

    await until_found(saved)
