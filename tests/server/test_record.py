"""The record over the API: lists, searches, files of many rounds, hands of other programs."""

from __future__ import annotations

import csv
import io
import json
import tomllib
import warnings
from typing import Any

import chess.pgn
import pokerkit
import pytest

from parlour.client import ApiError, AsyncClient, AsyncTable
from parlour.tables.testing import HandClock

SCHOLARS_MATE = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
LOST = ["f2f3", "e7e5", "g2g4", "d8h4"]


async def play_chess(tables: list[AsyncTable], moves: list[str]) -> None:
    for ply, uci in enumerate(moves):
        await tables[ply % 2].act({"type": "move", "uci": uci})


async def play_hand(tables: list[AsyncTable], fold: bool = False) -> None:
    """Everybody checks or calls until the hand ends, or whoever is first folds."""
    number = (await tables[0].view())["state"]["hand"]
    while True:
        views = [await table.view() for table in tables]
        if views[0]["state"]["result"] or views[0]["state"]["hand"] > number:
            return
        for table, view in zip(tables, views, strict=True):
            if view["legal"]:
                words = view["legal"]["actions"]
                kind = "fold" if fold else "check" if "check" in words else "call"
                await table.act({"type": kind}, view["turn"])
                break


async def mine(client: AsyncClient, query: str = "") -> dict[str, Any]:
    return await client.request("GET", f"/api/v1/me/rounds{query}")


async def numbers(client: AsyncClient, query: str = "") -> list[tuple[str, int]]:
    return [(line["game"], line["number"]) for line in (await mine(client, query))["rounds"]]


async def text(client: AsyncClient, path: str) -> str:
    async with client.session.get(f"{client.url}{path}", headers=client._headers()) as answer:
        assert answer.status == 200, await answer.text()
        return await answer.text()


async def an_evening(house) -> tuple[list[AsyncTable], list[AsyncTable], list[AsyncClient]]:
    """Ann and Ben play two hands, one to a showdown and one that Ann or Ben gives up, and Ann beats Cora at chess."""
    hands = await house.table("holdem", "Ann", "Ben", hand_delay=0, name="Friday")
    await play_hand(hands)
    await play_hand(hands, fold=True)
    ann = hands[0]._client
    cora = await house.client("Cora")
    board = await ann.create_table("chess", side="white")
    games = [ann.table(board.code), cora.table(board.code)]
    for seat, table in enumerate(games):
        await table.sit(seat)
    await games[0].start()
    await play_chess(games, SCHOLARS_MATE)
    return hands, games, [ann, hands[1]._client, cora]


async def test_what_one_played_is_listed_with_cards_pot_net_and_result(house) -> None:
    hands, games, (ann, ben, cora) = await an_evening(house)
    game, folded, shown = (await mine(ann))["rounds"]
    assert (game["code"], game["game"], game["number"]) == (games[0].code, "chess", 1)
    assert game["summary"]["result"] == "1-0"
    assert game["summary"]["fen"].startswith("r1bqkb1r/pppp1Qpp/")
    assert game["you"] == {"seats": [0], "net": 0, "result": "won", "showdown": False, "cards": []}
    assert (shown["name"], shown["code"], shown["names"]) == ("Friday", hands[0].code, {"0": "Ann", "1": "Ben"})
    facts, you = shown["summary"], shown["you"]
    assert (facts["variant"], facts["limit"], facts["blinds"], facts["pot"]) == ("holdem", "no-limit", [1, 2], 4)
    assert (len(facts["board"]), facts["showdown"], you["showdown"]) == (5, True, True)
    assert (you["net"], len(you["cards"])) == (facts["net"]["0"], 2)
    assert you["result"] == {2: "won", 0: "even", -2: "lost"}[you["net"]]
    assert not folded["summary"]["board"]
    assert (folded["summary"]["shown"], folded["you"]["showdown"]) == ({}, False)
    of_ben = (await mine(ben))["rounds"]
    assert [line["number"] for line in of_ben] == [2, 1]
    assert of_ben[0]["you"]["cards"] != folded["you"]["cards"]
    assert of_ben[0]["you"]["net"] == -folded["you"]["net"]
    assert json.dumps(folded["you"]["cards"]) not in json.dumps(of_ben), "a hand that nobody showed"
    assert await numbers(cora) == [("chess", 1)]


async def test_rounds_are_searched(house) -> None:
    hands, _games, (ann, ben, cora) = await an_evening(house)
    everything = [("chess", 1), ("holdem", 2), ("holdem", 1)]
    assert await numbers(ann) == everything
    assert await numbers(ann, "?game=chess") == [("chess", 1)]
    assert await numbers(ann, "?variant=holdem") == [("holdem", 2), ("holdem", 1)]
    assert await numbers(ann, f"?table={hands[0].code.lower()}&showdown=1") == [("holdem", 1)]
    assert await numbers(ann, "?table=NOSUCHTABLE") == []
    assert await numbers(ann, "?with=BEN") == [("holdem", 2), ("holdem", 1)]
    assert await numbers(ann, f"?with={(await cora.request('GET', '/api/v1/me'))['id']}") == [("chess", 1)]
    assert await numbers(ann, "?pot=4") == [("holdem", 1)]
    won, lost = await numbers(ann, "?result=won&game=holdem"), await numbers(ben, "?result=lost")
    assert won == lost
    ended = (await mine(ann))["rounds"][0]["ended"]
    assert await numbers(ann, f"?since={ended}") == [("chess", 1)]
    assert await numbers(ann, f"?until={ended}") == everything[1:]
    page = await mine(ann, "?limit=2")
    assert len(page["rounds"]) == 2
    rest = await mine(ann, f"?limit=2&before={page['next']}")
    assert [(line["game"], line["number"]) for line in page["rounds"] + rest["rounds"]] == everything
    assert rest["next"] is None
    for wrong in ("?before=x", "?before=1.2", "?result=best", "?limit=0", "?pot=-1", "?since=-5", "?colour=red"):
        with pytest.raises(ApiError) as refused:
            await mine(ann, wrong)
        assert refused.value.status == 400


async def test_the_list_of_a_table_is_searched_too_and_tells_watchers_what_is_public(house) -> None:
    hands, _games, (ann, ben, cora) = await an_evening(house)
    path = f"/api/v1/tables/{hands[0].code}/history"
    both = await ann.request("GET", path)
    assert [line["number"] for line in both] == [2, 1]
    assert {"first", "last", "settings", "names", "players"} <= both[0].keys(), "as it always was"
    assert [line["number"] for line in await ann.request("GET", path + "?showdown=1")] == [1]
    assert [line["number"] for line in await ben.request("GET", path + "?pot=4&with=ann")] == [1]
    watched = await cora.request("GET", path)
    assert [line["you"] for line in watched] == [None, None]
    assert watched[0]["summary"] == both[0]["summary"]
    assert json.dumps(both[0]["you"]["cards"]) not in json.dumps(watched)
    page = await ann.request("GET", path + "/1")
    assert (page["code"], page["you"], page["summary"]) == (hands[0].code, both[1]["you"], both[1]["summary"])


async def test_whoever_played_a_round_reads_it_after_leaving_a_table_that_nobody_may_watch(house) -> None:
    hands = await house.table("holdem", "Ann", "Ben", hand_delay=30, spectators=False)
    await play_hand(hands)
    ben = hands[1]._client
    await hands[1].leave()
    await hands[0].host("close")
    path = f"/api/v1/tables/{hands[0].code}/history"
    assert [line["number"] for line in await ben.request("GET", path)] == [1]
    assert (await ben.request("GET", path + "/1"))["you"]["seats"] == [1]
    assert "Dealt to Ben" in await text(ben, path + "/1.txt")
    assert "Dealt to Ben" in await text(ben, path + ".txt")
    assert await numbers(ben) == [("holdem", 1)]
    stranger = await house.client("Dora")
    for part in ("", "/1", "/1.txt", "/9"):
        with pytest.raises(ApiError) as refused:
            await stranger.request("GET", path + part)
        assert (refused.value.status, refused.value.code) == (403, "no_spectators")


async def test_whoever_left_a_table_with_a_delay_reads_later_what_they_played(serve) -> None:
    house = await serve(clock=(clock := HandClock()))
    hands = await house.table("holdem", "Ann", "Ben", hand_delay=60, spectator_delay=300, action_seconds=0)
    await play_hand(hands)
    assert await numbers(hands[1]._client) == [("holdem", 1)]
    await hands[1].leave()
    assert await numbers(hands[1]._client) == []
    clock.time += 301_000
    assert await numbers(hands[1]._client) == [("holdem", 1)]


async def test_an_evening_and_all_that_is_mine_are_files_of_many_rounds(house) -> None:
    hands, _games, (ann, ben, cora) = await an_evening(house)
    evening = f"/api/v1/tables/{hands[0].code}/history"
    for path in (evening, "/api/v1/me/rounds"):
        sections = tomllib.loads(await text(ann, path + ".phhs"))
        assert [(number, hand["hand"]) for number, hand in sections.items()] == [("1", 1), ("2", 2)], "the oldest first"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read = list(pokerkit.HandHistory.loads_all(await text(ann, path + ".phhs")))
            assert [list(history)[-1].stacks for history in read] == [history.finishing_stacks for history in read]
            stars = list(pokerkit.HandHistory.from_pokerstars(await text(ann, path + ".txt"), error_status=True))
        assert [history.starting_stacks for history in stars] == [history.starting_stacks for history in read]
        objects = (await text(ann, path + ".ohh")).split("\n\n")
        assert objects.pop() == ""
        assert [json.loads(one)["ohh"]["hero_player_id"] for one in objects] == [0, 0]
    games = io.StringIO(await text(ann, "/api/v1/me/rounds.pgn"))
    game = chess.pgn.read_game(games)
    assert game is not None
    assert (game.headers["White"], game.end().board().is_checkmate()) == ("Ann", True)
    assert chess.pgn.read_game(games) is None
    assert len(tomllib.loads(await text(ann, "/api/v1/me/rounds.phhs?showdown=1"))) == 1
    assert await text(cora, "/api/v1/me/rounds.phhs") == ""
    own = (await mine(ben))["rounds"][0]["you"]["cards"]
    assert f"[{' '.join(own)}]" in await text(ben, evening + ".txt")
    assert f"[{' '.join(own)}]" not in await text(ann, evening + ".txt"), "nobody showed the second hand"
    for wrong in (evening + ".phh", evening + ".pgn", evening + ".zip", "/api/v1/me/rounds.zip"):
        with pytest.raises(ApiError) as refused:
            await ann.request("GET", wrong)
        assert (refused.value.status, refused.value.code) == (422, "unknown_format")


async def test_the_ledger_is_a_file_for_spreadsheets_without_formulas(house) -> None:
    hands = await house.table("holdem", "=1+1", 'Ben "B"', start=False)
    await hands[1].leave()
    rows = list(csv.reader(io.StringIO(await text(hands[0]._client, f"/api/v1/tables/{hands[0].code}/ledger.csv"))))
    assert rows[0] == ["name", "player", "brought", "taken", "taken minus brought"]
    by_name = {row[0]: row[2:] for row in rows[1:]}
    assert by_name == {"'=1+1": ["200", "0", "-200"], 'Ben "B"': ["200", "200", "0"]}


async def test_one_who_gets_up_finds_the_last_hand_while_the_others_play_on(house) -> None:
    hands = await house.table("holdem", "Ann", "Ben", "Cora", hand_delay=0)
    await play_hand(hands)
    await hands[2].leave()
    await play_hand(hands[:2])
    assert await numbers(hands[2]._client) == [("holdem", 2), ("holdem", 1)], "the second was dealt at once"


async def test_a_round_says_which_players_are_programs_and_which_face_they_chose(house) -> None:
    ann, robot = await house.client("Ann"), await house.client()
    await robot.register("Robot", bot=True)
    code = (await ann.create_table("holdem", hand_delay=30)).code
    hands = [one.table(code) for one in (ann, robot)]
    for seat, own in enumerate(hands):
        await own.sit(seat)
    await hands[0].start()
    await play_hand(hands)
    page = await ann.request("GET", f"/api/v1/tables/{code}/history/1")
    assert page["faces"] == {"0": {"avatar": None, "bot": False}, "1": {"avatar": None, "bot": True}}


async def test_a_hand_of_another_program_is_read_as_one_of_ours(house) -> None:
    hands = await house.table("holdem", "Ann", "Ben", hand_delay=30)
    await play_hand(hands)
    ann = hands[0]._client
    path = f"/api/v1/tables/{hands[0].code}/history/1"
    ours = await ann.request("GET", path)
    nobody = await house.client()
    (read,) = (await nobody.request("POST", "/api/v1/import", {"text": await text(ann, path + ".phh")}))["rounds"]

    def told(page: dict[str, Any]) -> list[dict[str, Any]]:
        other = ("skip", "seated", "bought_in", "started", "hand_started", "dealt")  # of the moment of the deal, too
        events = [event for event in page["events"] if event["type"] not in other]
        return [{key: value for key, value in event.items() if key not in ("seq", "at")} for event in events]

    assert told(read) == told(ours)
    assert (read["game"], read["code"], read["names"]) == ("holdem", "", {"0": "Ann", "1": "Ben"})
    assert read["summary"]["net"] == ours["summary"]["net"]
    with pytest.raises(ApiError) as refused:
        await nobody.request("POST", "/api/v1/import", {"text": "variant = 'F7S'"})
    assert (refused.value.status, refused.value.code) == (422, "unknown_game")
    with pytest.raises(ApiError) as refused:
        await nobody.request("POST", "/api/v1/import", {"text": "x" * 300_000})
    assert refused.value.status == 413
