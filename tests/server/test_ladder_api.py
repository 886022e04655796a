"""The ladder over the API: what it is without one, and how a bot registers for matches and is called to them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.patience import until_found

from parlour.client import ApiError, AsyncClient
from parlour.server import Config
from parlour.server.config import Bots, LadderRules
from parlour.server.extensions import employ_bots, keep_ladder

from .conftest import NO_LIMITS, Running, Serve

CALLS = "/api/v1/ladder/calls"


async def test_there_is_no_ladder_unless_the_operator_wants_it(house: Running) -> None:
    client = await house.client()
    assert await client.request("GET", "/api/v1/ladder?game=chess") == {"game": "chess", "state": "off", "entrants": []}
    assert await client.request("GET", "/api/v1/ladder/matches") == []
    await client.register("Bot", bot=True)
    with pytest.raises(ApiError) as refused:
        await client.request("POST", CALLS, {})
    assert (refused.value.status, refused.value.code) == (409, "no_ladder")


@pytest.mark.parametrize("query", ["?game=go", "?history=0", "?history=201", "/matches?limit=0", "/matches?game=x"])
async def test_a_question_that_makes_no_sense_is_refused(house: Running, query: str) -> None:
    answer = await house.ask("GET", f"/api/v1/ladder{query}")
    assert (answer.status, (await answer.json())["code"]) == (400, "bad_query")


@pytest.fixture
async def ladder(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Running:
    """A server whose ladder has chess, and of the house only its easy player: nobody plays until a bot comes."""
    monkeypatch.setattr(
        "parlour.ladder.entrants.NOT_RATED", {"medium", "hard", "engine"} | {f"level{n}" for n in range(9)}
    )
    rules = LadderRules(on=True, games=("chess",), after=0, pause=0)
    return await serve(Config(limits=NO_LIMITS, ladder=rules), extensions=[employ_bots, keep_ladder])


@pytest.fixture
async def holdem(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> AsyncClient:
    """A bot at a server whose ladder has hold'em, and of the house only its balanced player."""
    others = {"loose", "tight", "aggressive", *(f"level{number}" for number in range(9))}
    monkeypatch.setattr("parlour.ladder.entrants.NOT_RATED", others)
    rules = LadderRules(on=True, games=("holdem",), after=0, pause=0, hands=6)
    config = Config(limits=NO_LIMITS, ladder=rules, bots=Bots(pause=0))
    server = await serve(config, extensions=[employ_bots, keep_ladder])
    client = await server.client()
    await client.register("Bold", bot=True)
    return client


async def test_a_bot_that_leaves_its_table_has_lost(holdem: AsyncClient) -> None:
    call = await holdem.request("POST", CALLS, {})
    async with holdem.table(call["table"]).connect() as connection:
        await connection.sit(call["seat"])
        async for update in connection:
            if update.view and update.view["status"] == "closed":
                break
            if update.view and update.view["legal"]:
                await connection.leave()
    (match,) = [match for match in await holdem.request("GET", "/api/v1/ladder/matches") if match["ended"]]
    assert {side["name"]: side["result"] for side in match["sides"]} == {"Bold": 0.0, "": 1.0}


async def test_a_match_of_hold_em_is_as_many_freeze_outs_as_make_the_hands(holdem: AsyncClient) -> None:
    """And what it came to is what the hands of the table came to."""
    client = holdem
    call = await client.request("POST", CALLS, {})
    async with client.table(call["table"]).connect() as connection:
        await connection.sit(call["seat"])
        async for update in connection:
            if update.view and update.view["status"] == "closed":
                break
            if update.view and (legal := update.view["legal"]):
                word = next(word for word in ("allin", "call") if word in legal["actions"])
                await connection.act({"type": word}, update)
    (match,) = [match for match in await client.request("GET", "/api/v1/ladder/matches") if match["ended"]]
    hands = await client.table(call["table"]).history()
    own = next(side for side in match["sides"] if side["name"] == "Bold")
    assert match["rounds"] == len(hands) >= 6
    assert own["points"] == pytest.approx(500 * sum(hand["you"]["net"] for hand in hands) / len(hands), abs=0.1)
    assert own["result"] == (1 if own["points"] > 0 else 0.5 if own["points"] == 0 else 0)


async def standing(client: AsyncClient, name: str) -> dict[str, Any]:
    entrants = (await client.request("GET", "/api/v1/ladder?game=chess"))["entrants"]
    found: dict[str, Any] = next((one for one in entrants if one["name"] == name), {})
    return found


async def test_a_bot_is_called_to_a_game_of_chess_and_its_loss_counts(ladder: Running) -> None:
    client = await ladder.client()
    bot = await client.register("Pawn", bot=True)
    call = await client.request("POST", CALLS, {"game": "chess"})
    async with client.table(call["table"]).connect() as connection:
        await connection.sit(call["seat"])
        async for update in connection:
            view = update.view
            if not view or view["status"] == "closed":
                break
            if view["legal"]:
                played = len(view["state"]["moves"]) >= 2
                move = {"type": "resign"} if played else {"type": "move", "uci": view["legal"]["moves"][0]}
                await connection.act(move, update)

    async def counted() -> bool:
        return bool((await standing(client, "Pawn")).get("matches"))

    await until_found(counted)
    one = await standing(client, "Pawn")
    assert (one["id"], one["wins"], one["draws"], one["losses"]) == (f"bot:{bot['id']}", 0, 0, 1)
    (match, *_) = [match for match in await client.request("GET", "/api/v1/ladder/matches") if match["ended"]]
    assert {side["name"]: side["result"] for side in match["sides"]} == {"Pawn": 0.0, "": 1.0}
    assert match["table"] == call["table"]


async def test_a_bot_that_is_called_and_does_not_come_loses_nothing_and_is_left_alone(
    ladder: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.ladder.guests.NO_SHOW", 0.5)
    monkeypatch.setattr("parlour.server.api.ladder.WAIT", 0.2)
    client = await ladder.client()
    await client.register("Absent", bot=True)
    while (call := await client.request("POST", CALLS, {"game": "chess"}))["table"] is None:
        pass

    async def closed() -> bool:
        return bool((await client.table(call["table"]).view())["status"] == "closed")

    await until_found(closed)
    for _ in range(3):
        assert await client.request("POST", CALLS, {"game": "chess"}) == {"table": None, "seat": None}
    assert await client.request("GET", "/api/v1/ladder/matches") == []
    assert (await standing(client, "Absent"))["matches"] == 0
    assert not (await standing(client, "Absent"))["online"]


async def test_strangers_get_no_seat_at_a_table_of_the_ladder(ladder: Running) -> None:
    client, stranger = await ladder.client(), await ladder.client("Stranger")
    await client.register("Pawn", bot=True)
    call = await client.request("POST", CALLS, {"game": "chess"})
    await stranger.table(call["table"]).sit(call["seat"])
    own = client.table(call["table"])
    await own.sit(call["seat"])

    async def seated() -> bool:
        return bool((await own.view())["you"]["seats"])

    await until_found(seated)
    assert (await stranger.table(call["table"]).view())["you"]["seats"] == []


async def test_a_person_and_a_game_that_is_not_played_are_refused(ladder: Running) -> None:
    person = await ladder.client("Ann")
    bot = await ladder.client()
    await bot.register("Pawn", bot=True)
    for client, game, code in ((person, "chess", "only_bots"), (bot, "holdem", "no_ladder")):
        with pytest.raises(ApiError) as refused:
            await client.request("POST", CALLS, {"game": game})
        assert refused.value.code == code
