"""Whole games over the API, as a program plays them."""

from __future__ import annotations

import msgspec
import pytest

from parlour.client import ApiError, AsyncTable, Client
from parlour.server.api.schema import View

SCHOLARS_MATE = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]


async def play_chess(tables: list[AsyncTable], moves: list[str]) -> None:
    for ply, uci in enumerate(moves):
        await tables[ply % 2].act({"type": "move", "uci": uci})


async def check_down(tables: list[AsyncTable]) -> None:
    """Everybody checks or calls until the hand ends."""
    while True:
        views = [await table.view() for table in tables]
        if views[0]["state"]["result"]:
            return
        for table, view in zip(tables, views, strict=True):
            if view["legal"]:
                kind = "check" if "check" in view["legal"]["actions"] else "call"
                await table.act({"type": kind}, view["turn"])
                break


async def test_a_chess_game_to_mate(house) -> None:
    tables = await house.table("chess", "Ann", "Ben", side="white")
    await play_chess(tables, SCHOLARS_MATE)
    view = await tables[1].view()
    assert view["state"]["result"] == {"winner": "white", "reason": "checkmate"}
    assert view["legal"] is None
    (game,) = await tables[0].history()
    assert game["number"] == 1
    pgn = await tables[0].export(1, "pgn")
    assert "Qxf7#" in pgn
    assert '[White "Ann"]' in pgn


async def test_those_who_watch_later_are_not_told_of_a_game_before_it_is_over_for_them(house) -> None:
    tables = await house.table("chess", "Ann", "Ben", side="white", spectator_delay=600)
    await play_chess(tables, SCHOLARS_MATE)
    assert len(await tables[0].history()) == 1
    watching = (await house.client("Cora")).table(tables[0].code)
    assert await watching.history() == []


async def test_those_who_watch_later_do_not_read_the_result_in_the_ledger(house) -> None:
    tables = await house.table("holdem", "Ann", "Ben", spectator_delay=600)
    watching = (await house.client("Cora")).table(tables[0].code)
    with pytest.raises(ApiError, match="delay") as refused:
        await watching.ledger()
    assert refused.value.code == "delayed"
    assert len(await tables[0].ledger()) == 2


async def test_a_holdem_hand_to_showdown(house) -> None:
    tables = await house.table("holdem", "Ann", "Ben", hand_delay=30)
    before = [await table.view() for table in tables]
    assert sum(view["legal"] is not None for view in before) == 1, "one player acts"
    await check_down(tables)
    after = await tables[0].view()
    result = after["state"]["result"]
    assert result["reason"] == "showdown"
    assert len(after["state"]["board"]) == 5
    stacks = [player["stack"] for player in after["state"]["players"]]
    assert sum(stacks) == sum(line["brought"] for line in await tables[0].ledger())
    assert "Parlour" in await tables[0].export(1, "phh") or "variant" in await tables[0].export(1, "phh")


@pytest.mark.parametrize("game", ["chess", "holdem"])
async def test_every_view_is_as_documented(house, game: str) -> None:
    """The struct in the OpenAPI document knows every field, and no other."""
    tables = await house.table(game, "Ann", "Ben")
    watcher = (await house.client("Cora")).table(tables[0].code)
    nobody = (await house.client()).table(tables[0].code)
    await tables[0].chat("good luck")
    for table in [*tables, watcher, nobody]:
        view = msgspec.json.decode(msgspec.json.encode(await table.view()), type=View)
        assert view.code == tables[0].code
    assert (await nobody.view())["you"] is None


async def test_commands_carry_their_key_and_are_done_once(house) -> None:
    tables = await house.table("chess", "Ann", "Ben", side="white")
    first = await tables[0].act({"type": "move", "uci": "e2e4"}, key="move-1")
    again = await tables[0].act({"type": "move", "uci": "e2e4"}, key="move-1")
    assert first == again
    assert (await tables[0].view())["state"]["moves"] == ["e2e4"]


async def test_a_late_action_is_refused_and_nothing_changes(house) -> None:
    tables = await house.table("chess", "Ann", "Ben", side="white")
    turn = (await tables[0].view())["turn"]
    await play_chess(tables, ["e2e4", "e7e5"])
    before = await tables[0].view()
    with pytest.raises(ApiError) as refusal:
        await tables[0].act({"type": "move", "uci": "d2d4"}, turn)
    assert (refusal.value.status, refusal.value.code) == (409, "stale_turn")
    after = await tables[0].view()
    assert {**before, "now": 0} == {**after, "now": 0}


async def test_events_are_numbered_without_a_gap_for_everybody(house) -> None:
    tables = await house.table("holdem", "Ann", "Ben", hand_delay=30)
    await check_down(tables)
    watcher = (await house.client()).table(tables[0].code)
    for table in [*tables, watcher]:
        events = [event async for event in table.events()]
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    ann = [event async for event in tables[0].events()]
    seen = {event["seat"] for event in ann if event["type"] == "dealt"}
    assert seen == {0}, "a player sees their own cards dealt and no others"
    assert "deck" not in {event["type"] for event in ann}


async def test_a_stream_follows_what_happens(house) -> None:
    tables = await house.table("chess", "Ann", "Ben", side="white")
    since = (await tables[0].view())["seq"]
    stream = tables[1].events(since, follow=True)
    await play_chess(tables, ["e2e4", "e7e5"])
    seen = [await anext(stream) for _ in range(2)]
    assert [event["seq"] for event in seen] == [since + 1, since + 2]
    await stream.aclose()


async def test_the_lobby_lists_open_tables_and_no_private_ones(house) -> None:
    ann = await house.client("Ann")
    listed = await ann.create_table("chess", name="for all")
    private = await ann.create_table("chess", private=True)
    codes = {table["code"] for table in await (await house.client()).lobby()}
    assert codes == {listed.code}
    assert {table["code"] for table in await ann.my_tables()} == {listed.code, private.code}
    assert len(private.code) >= 9


async def test_host_powers(house) -> None:
    tables = await house.table("chess", "Ann", "Ben")
    await tables[0].host("pause")
    assert (await tables[1].view())["paused"]
    with pytest.raises(ApiError) as refusal:
        await tables[1].host("resume")
    assert refusal.value.status == 403
    await tables[0].host("resume")
    await tables[0].host("close")
    assert (await tables[1].view())["status"] == "closed"


async def test_people_rename_themselves(house) -> None:
    ann = await house.client("Ann")
    assert (await ann.rename(name="Anna", avatar="🦊"))["name"] == "Anna"
    me = await ann.me()
    assert (me["name"], me["avatar"]) == ("Anna", "🦊")
    assert (await ann.rename(name="Anne"))["avatar"] == "🦊", "what is left out stays"


async def test_games_carry_the_schema_of_their_settings(house) -> None:
    games = {game["name"]: game for game in await (await house.client()).games()}
    assert {"holdem", "chess"} <= set(games)
    assert games["holdem"]["settings"]["properties"]["big_blind"]
    assert "pgn" in games["chess"]["exports"]


async def test_statistics_count_finished_rounds(house) -> None:
    tables = await house.table("chess", "Ann", "Ben", side="white")
    await play_chess(tables, SCHOLARS_MATE)
    statistics = await tables[0]._client.statistics()
    assert statistics["chess"]


async def test_a_table_has_a_qr_code(house) -> None:
    ann = await house.client("Ann")
    table = await ann.create_table("chess")
    svg = await ann.request("GET", f"/api/v1/tables/{table.code}/qr.svg")
    assert svg.startswith("<svg")
    assert f"/t/{table.code}" in svg


async def test_suggestions_are_kept(house) -> None:
    ann = await house.client("Ann")
    await ann.request("POST", "/api/v1/suggestions", {"title": "Sound", "suggestion": "A bell on my turn"})
    (found,) = await ann.request("GET", "/api/v1/suggestions")
    assert (found["title"], found["suggestion"]) == ("Sound", "A bell on my turn")


async def test_the_synchronous_client_plays_too(house) -> None:
    import asyncio

    def play() -> dict[str, object]:
        with Client(house.url) as ann, Client(house.url) as ben:
            ann.register("Ann")
            ben.register("Ben")
            table = ann.create_table("chess", side="white")
            other = ben.table(table.code)
            table.sit(0)
            other.sit(1)
            with other.connect() as news:
                table.start()
                for ply, uci in enumerate(SCHOLARS_MATE):
                    (table, other)[ply % 2].act({"type": "move", "uci": uci})
                for update in news:
                    if update.view and update.view["state"]["result"]:
                        return update.view["state"]["result"]
        return {}

    assert await asyncio.to_thread(play) == {"winner": "white", "reason": "checkmate"}


async def test_an_all_in_shows_everybody_the_same_chances_and_so_does_the_history(house) -> None:
    tables = await house.table("holdem", "Ann", "Ben", hand_delay=30)
    for _ in range(2):
        for table in tables:
            view = await table.view()
            if view["legal"]:
                assert view["state"]["run_out"] is None
                await table.act({"type": "allin"}, view["turn"])
    watcher = (await house.client("Cora")).table(tables[0].code)
    told = [(await table.view())["state"]["run_out"] for table in [*tables, watcher]]
    assert [step["board"] for step in told[0]] == [0, 3, 4, 5]
    assert set(told[0][0]["chances"]) == {"0", "1"}
    assert told[1:] == told[:1] * 2
    nobody = await house.client()
    played = await nobody.request("GET", f"/api/v1/tables/{tables[0].code}/history/1")
    assert played["run_out"] == told[0]
    assert "street" in {event["type"] for event in played["events"]}
    chess = await house.table("chess", "Dan", "Eve", side="white")
    await play_chess(chess, SCHOLARS_MATE)
    assert "run_out" not in await nobody.request("GET", f"/api/v1/tables/{chess[0].code}/history/1")


async def test_the_list_of_ones_tables_says_where_it_is_ones_turn(house) -> None:
    ann, ben = await house.table("chess", "Ann", "Ben", side="white", days=2)
    until = (await ann.view())["deadline"]["at"]
    for mover, waiting in ((ann, ben), (ben, ann)):
        (mine,), (theirs,) = await mover._client.my_tables(), await waiting._client.my_tables()
        assert (mine["code"], mine["your_turn"], theirs["your_turn"]) == (ann.code, True, False)
        assert mine["deadline"] == theirs["deadline"] >= until
        await mover.act({"type": "move", "uci": "e2e4" if mover is ann else "e7e5"})
    await ann.act({"type": "resign"})
    for table in (ann, ben):
        (mine,) = await table._client.my_tables()
        assert (mine["status"], mine["your_turn"], mine["deadline"]) == ("finished", False, None)


async def test_people_whose_names_look_alike_are_told_apart_wherever_they_are_named(house) -> None:
    ann, *_ = await house.table("holdem", "Ann", "Ben", start=False, seats=3)
    fake, third, late = [await house.client(name) for name in ("Аnn", "ann", "ANN")]  # the first is Cyrillic
    for one in (fake, third):
        await one.table(ann.code).chat("hello")
    await fake.table(ann.code).sit()
    await fake.table(ann.code).chat("it is me")
    await late.table(ann.code).wait()
    view = await ann.view()
    assert [seat["player"]["name"] for seat in view["seats"]] == ["Ann", "Ben", "Аnn (2)"]
    assert [line["name"] for line in view["chat"]] == ["Аnn (2)", "ann (2)", "Аnn (2)"]
    assert [one["name"] for one in view["waiting"]] == ["ANN (3)"]
    await ann.leave()
    await ann.sit(0)
    names = [seat["player"]["name"] for seat in (await ann.view())["seats"]]
    assert names == ["Ann", "Ben", "Аnn (2)"], "the host keeps the name"
