"""Statistics and ratings over HTTP: what everyone sees of everybody, and what only some may."""

from __future__ import annotations

import pytest

from parlour.client import ApiError, AsyncClient
from parlour.tables.counted import RatedOutcome

SCHOLARS_MATE = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]


async def play_chess(tables) -> None:
    for turn, uci in enumerate(SCHOLARS_MATE):
        await tables[turn % 2].act({"type": "move", "uci": uci})


async def rated_game(house, *names):
    tables = await house.table("chess", *names, side="white", rated=True, minutes=3, increment=0)
    await play_chess(tables)
    return [table._client for table in tables]


async def get(client: AsyncClient, path: str):
    return await client.request("GET", f"/api/v1{path}")


async def test_statistics_of_one_game_by_everything_that_they_are_kept_by(house) -> None:
    ann, ben = await rated_game(house, "Ann", "Ben")
    mine = await get(ann, "/me/statistics/chess")
    assert (mine["game"], mine["total"]["rounds"]) == ("chess", 1)
    assert mine["total"]["counts"]["wins"] == 1
    assert mine["total"]["figures"]["score"] == {"value": 100.0}
    assert mine["total"]["figures"]["losses"] == {"value": 0.0, "made": 0, "chances": 1}
    assert [part["key"] for part in mine["variants"] + mine["formats"] + mine["stakes"] + mine["positions"]] == [
        "standard", "blitz", "rated", "white",
    ]  # fmt: skip
    ((other,), (day,)) = mine["opponents"], mine["series"]
    assert (other["name"], other["rounds"], other["counts"]["wins"]) == ("Ben", 1, 1)
    assert (day["rounds"], day["counts"]) == (1, {"wins": 1, "draws": 0, "losses": 0})
    assert (await get(ann, "/me/statistics/chess?position=black"))["total"]["rounds"] == 0
    assert (await get(ann, f"/me/statistics/chess?opponent={other['id']}"))["total"]["rounds"] == 1
    assert (await get(ann, f"/me/statistics/chess?since={day['at'] + 2 * 86_400_000}"))["total"]["rounds"] == 0
    assert (await get(ben, "/me/statistics/chess"))["total"]["counts"]["losses"] == 1
    assert (await get(ann, "/me/statistics"))["chess"]["wins"] == 1


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/me/statistics/whist", 404, "no_such_game"),
        ("/me/statistics/chess?position=white&opponent=abcdefghijkl", 400, "bad_query"),
        ("/me/statistics/chess?speed=blitz", 400, "bad_query"),
        ("/people/abcdefghijkl", 404, "no_such_person"),
        ("/people/abcdefghijkl/against/me", 404, "no_such_person"),
        ("/ratings?limit=201", 400, "bad_query"),
    ],
)
async def test_what_there_is_not_is_refused(house, path, status, code) -> None:
    ann = await house.client("Ann")
    with pytest.raises(ApiError) as refusal:
        await get(ann, path)
    assert (refusal.value.status, refusal.value.code) == (status, code)


async def test_everyone_sees_ratings(house) -> None:
    ann, _ = await rated_game(house, "Ann", "Ben")
    me = (await ann.me())["id"]
    stranger = await house.client()
    await house.parlour.keep_house()
    person = await get(stranger, f"/people/{me}")
    (rating,) = person["ratings"]
    assert (person["name"], rating["variant"], rating["speed"]) == ("Ann", "standard", "blitz")
    assert (rating["games"], rating["wins"], rating["provisional"]) == (1, 1, True)
    assert rating["rating"] > 1500
    history = await get(stranger, f"/people/{me}/rating?variant=standard&speed=blitz")
    assert history["rating"] == rating["rating"]
    assert [(one["opponent_name"], one["points"]) for one in history["history"]] == [("Ben", 1.0)]
    with pytest.raises(ApiError) as refusal:
        await get(stranger, f"/people/{me}/rating?variant=atomic")
    assert (refusal.value.status, refusal.value.code) == (404, "not_rated")


async def test_the_leaders_are_those_whose_rating_is_settled(house) -> None:
    ann, ben = await rated_game(house, "Ann", "Ben")
    await house.parlour.keep_house()
    board = await get(ann, "/ratings?speed=blitz")
    assert (board["rows"], board["boards"]) == ([], [{"variant": "standard", "speed": "blitz", "players": 2}])
    store = house.parlour.store
    ids = [(await client.me())["id"] for client in (ann, ben)]
    for number in range(1, 31):
        place = ("chess", "standard", "blitz", house.parlour.clock.now() + number, "t", number)
        points = 2 * (number % 3 > 0)
        one, other = RatedOutcome(*place, *ids, points), RatedOutcome(*place, ids[1], ids[0], 2 - points)
        await store.add_results([one, other])
    rows = (await get(ann, "/ratings?speed=blitz&limit=1"))["rows"]
    assert [(row["place"], row["name"], row["games"], row["bot"]) for row in rows] == [(1, "Ann", 31, False)]
    assert rows[0]["deviation"] < 110


async def test_others_see_rounds_that_both_played_or_none_at_all(house) -> None:
    ann, ben = await rated_game(house, "Ann", "Ben")
    me, them = (await ann.me())["id"], (await ben.me())["id"]
    together = (await get(ann, f"/people/{them}/against/me"))["games"]["chess"]
    assert (together["mine"]["counts"]["wins"], together["theirs"]["counts"]["losses"]) == (1, 1)
    assert await get(ben, "/me/privacy") == {"statistics": "together"}
    assert await ben.request("PUT", "/api/v1/me/privacy", {"statistics": "nobody"}) == {"statistics": "nobody"}
    hidden = (await get(ann, f"/people/{them}/against/me"))["games"]["chess"]
    assert (hidden["mine"], hidden["theirs"]) == (together["mine"], None)
    assert (await get(ben, f"/people/{me}/against/me"))["games"]["chess"]["theirs"] is not None
    cat = await house.client("Cat")
    assert (await get(cat, f"/people/{me}/against/me"))["games"] == {}
    with pytest.raises(ApiError) as refusal:
        await get(await house.client(), f"/people/{me}/against/me")
    assert refusal.value.status == 401
