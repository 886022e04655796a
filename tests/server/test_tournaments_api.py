"""Tournaments over the API: the shapes, the course of each format, and a clear refusal for whatever does not fit."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
import pytest
from tests import patience
from tests.patience import time_limit, until_found

from parlour.client import ApiError, AsyncTournament
from parlour.server import Config
from parlour.server.api.tournament_schema import TournamentInfo, TournamentView
from parlour.server.config import Bots
from parlour.server.extensions import employ_bots
from parlour.tables.live.making import TABLES_EACH

from .conftest import NO_LIMITS, Running, Serve

QUICK = {
    "stack": 200,
    "level_by": "hands",
    "levels": [[3, 5, 10, 0], [3, 25, 50, 0], [3, 100, 200, 0]],
    "hand_delay": 0,
}
FORMATS = {
    "sitngo": "holdem",
    "mtt": "holdem",
    "round_robin": "chess",
    "swiss": "chess",
    "knockout": "chess",
    "arena": "chess",
}


@pytest.fixture
async def club(serve: Serve) -> Running:
    """A server whose house plays without pauses."""
    return await serve(Config(limits=NO_LIMITS, bots=Bots(pause=0)), extensions=[employ_bots])


async def tournament(
    house: Running, *names: str, form: str = "sitngo", name: str = "Friday", **settings: Any
) -> list[AsyncTournament]:
    """A tournament with these people entered, the first of them its host; as each of them sees it."""
    people = [await house.client(person) for person in names]
    created = await people[0].create_tournament(FORMATS[form], name, form, **settings)
    own = [person.tournament(created.code) for person in people]
    for one in own:
        await one.enter()
    return own


async def refusal(asked: Awaitable[Any], what: object = "") -> ApiError:
    """The refusal of what is asked, which is the caller's fault."""
    try:
        await asked
    except ApiError as refused:
        if 400 <= refused.status < 500:
            return refused
        raise
    raise AssertionError(f"it was not refused: {what}")


def checked(view: dict[str, Any]) -> TournamentView:
    """The view as the OpenAPI document describes it, with nothing missing and nothing besides."""
    return msgspec.convert(view, TournamentView)


async def until(one: AsyncTournament, *statuses: str) -> dict[str, Any]:
    async with time_limit():
        async for view in one.follow(0.02):
            checked(view)
            if view["status"] in statuses:
                return view
    raise AssertionError(f"it ended without being {statuses}")


# The shapes


async def test_each_format_can_be_announced_and_is_listed(house) -> None:
    for form, game in FORMATS.items():
        (ann,) = await tournament(house, "Ann", form=form, name="Club night")
        view = await ann.view()
        checked(view)
        me = (await ann._client.me())["id"]
        assert (view["game"], view["format"], view["name"], view["status"]) == (game, form, "Club night", "registering")
        assert view["host"] == {"id": me, "name": "Ann"}
        assert [entry["player"]["name"] for entry in view["entries"]] == ["Ann"]
        assert view["you"] == {"entry": 1, "host": True, "can": ["withdraw"]}
        assert view["table"] is None
        (line,) = [line for line in await ann._client.tournaments() if line["code"] == ann.code]
        msgspec.convert(line, TournamentInfo)
        assert (line["format"], line["players"], line["status"]) == (form, 1, "registering")


async def test_a_private_tournament_is_found_by_its_code_alone(house) -> None:
    (ann,) = await tournament(house, "Ann", private=True)
    stranger = await house.client()
    assert await stranger.tournaments() == []
    view = await stranger.tournament(ann.code.lower()).view()
    assert view["you"] is None
    checked(view)


async def test_ones_own_private_tournaments_are_in_the_list_and_in_nobody_elses(house) -> None:
    ann, ben = await tournament(house, "Ann", "Ben", private=True)
    (other,) = await tournament(house, "Cy")

    async def listed(who: AsyncTournament) -> dict[str, bool]:
        lines = [msgspec.convert(line, TournamentInfo) for line in await who._client.tournaments()]
        return {line.code: line.yours for line in lines}

    assert await listed(ann) == await listed(ben) == {other.code: False, ann.code: True}
    assert await listed(other) == {other.code: True}
    await ben.withdraw()
    assert await listed(ben) == {other.code: False}
    await ann.host("close")
    await until(ann, "finished")
    assert (await listed(ann))[ann.code]  # its host finds it when it is over, too


async def test_the_list_says_until_when_what_runs_takes_entries(house) -> None:
    ann, _ = await tournament(house, "Ann", "Ben", form="mtt", stack=1000, late_until=3)
    (single, _) = await tournament(house, "Cy", "Dee", form="sitngo", entries_max=2)

    async def late() -> dict[str, int | None]:
        return {line["code"]: line["late_until"] for line in await ann._client.tournaments()}

    assert await late() == {ann.code: None, single.code: None}
    await ann.start()
    assert await late() == {ann.code: 3, single.code: None}


async def test_a_table_has_no_number_where_there_is_only_one(house) -> None:
    single, _ = await tournament(house, "Ann", "Ben", form="sitngo", name="Duel", entries_max=2)
    several, _ = await tournament(house, "Cy", "Dee", form="mtt", name="Night", stack=1000)
    await several.start()
    for one, name in ((single, "Duel"), (several, "Night 1")):
        async with time_limit():
            async for view in one.follow(0.02):
                if view["table"]:
                    break
        assert (await one._client.table(view["table"]).view())["settings"]["name"] == name


async def test_a_tournament_is_no_table_and_its_tables_are_not_in_the_lobby(club) -> None:
    own = await tournament(club, "Ann", "Ben", entries_max=2, **QUICK)
    await until(own[0], "running")
    client = own[0]._client
    assert await client.lobby() == []
    assert "tournament" not in {card["name"] for card in await client.games()}
    refused = await refusal(client.create_table("tournament"))
    assert refused.code == "no_such_game"
    for code in (own[0].code,):
        for asked in (client.table(code).view(), client.table(code).sit(), client.table(code).host("close")):
            assert (await refusal(asked)).status == 404
    async with time_limit(), own[0].play() as seat:
        seen = (await anext(seat)).view
    view = await own[0].view()
    assert (view["table"], seen["tournament"]) == (seen["code"], own[0].code)
    assert [table["code"] for table in view["tables"]] == [seen["code"]]


# Whoever may not


async def test_only_the_host_starts_and_uses_powers(house) -> None:
    ann, ben = await tournament(house, "Ann", "Ben", form="mtt")
    eve = (await house.client("Eve")).tournament(ann.code)
    before = (await ann.view())["seq"]
    for one in (ben, eve):
        assert (await refusal(one.start())).code == "not_host"
        for power, args in POWERS.items():
            refused = await refusal(one.host(power, **args))
            assert (refused.status, refused.code) == (403, "not_host"), power
    assert (await ann.view())["seq"] == before


POWERS: dict[str, dict[str, Any]] = {
    "pause": {},
    "resume": {},
    "add_bot": {"count": 1},
    "remove": {"entry": 1},
    "level": {"number": 2},
    "close": {},
}


async def test_a_power_that_there_is_not_is_refused(house) -> None:
    (ann,) = await tournament(house, "Ann", form="mtt")
    for power in ("kick", "settings", "hand_over", "x"):
        assert (await refusal(ann.host(power))).status in (400, 404, 422), power


async def test_entries_are_made_once_and_taken_back_once(house) -> None:
    ann, ben = await tournament(house, "Ann", "Ben", form="mtt")
    assert (await refusal(ben.enter())).code == "already_entered"
    await ben.withdraw()
    assert (await refusal(ben.withdraw())).code == "not_entered"
    assert [entry["status"] for entry in (await ann.view())["entries"]].count("entered") == 1
    assert await ben.enter() >= 1
    stranger = await house.client()
    for asked in (
        stranger.tournament(ann.code).enter(),
        stranger.tournament(ann.code).withdraw(),
        stranger.tournament(ann.code).start(),
    ):
        assert (await refusal(asked)).status == 401


async def test_nobody_starts_alone(house) -> None:
    for form in ("mtt", "round_robin", "swiss", "knockout", "arena"):
        (ann,) = await tournament(house, "Ann", form=form)
        refused = await refusal(ann.start())
        assert (refused.status, refused.code) == (409, "too_few"), form


async def test_a_full_tournament_takes_nobody_else(house) -> None:
    ann, _ = await tournament(house, "Ann", "Ben", form="mtt", entries_max=2)
    eve = (await house.client("Eve")).tournament(ann.code)
    assert (await refusal(eve.enter())).code == "full"


async def test_after_the_end_everything_is_refused(house) -> None:
    ann, ben = await tournament(house, "Ann", "Ben", form="mtt")
    await ann.host("close")
    view = await ann.view()
    checked(view)
    assert view["status"] == "finished"
    eve = (await house.client("Eve")).tournament(ann.code)
    for asked in (eve.enter, ben.withdraw, ann.start, ben.rebuy, ben.add_on, partial(ben.deal, "icm")):
        assert (await refusal(asked())).code == "finished"
    for power, args in POWERS.items():
        assert (await refusal(ann.host(power, **args))).code == "finished"
    after = [event["type"] async for event in ann.events(view["seq"])]
    assert after in ([], ["closed"]), "its log is closed behind it"


async def test_the_operator_ends_a_tournament_and_a_table_that_is_closed_is_replaced(serve) -> None:
    house = await serve(Config(limits=NO_LIMITS, operator_secret="secret"))
    own = await tournament(house, "Ann", "Ben", entries_max=2, **QUICK)
    async with time_limit(), own[0].play() as seat:
        table = (await anext(seat)).view["code"]
        path, secret = f"/api/v1/operator/tournaments/{own[0].code}", {"X-Parlour-Operator": "secret"}
        assert (await house.ask("DELETE", path)).status == 403
        assert (await house.ask("DELETE", f"/api/v1/operator/tables/{table}", headers=secret)).status == 200
        async for view in own[0].follow(0.02):
            if view["table"] not in (None, table):
                break
    assert sum(entry["chips"] for entry in view["entries"]) == 400
    assert (await house.ask("DELETE", path, headers=secret)).status == 200
    end = await until(own[1], "finished")
    assert sum(line["prize"] for line in end["standings"]) == end["pool"] == 20
    assert (await house.ask("DELETE", path, headers=secret)).status == 409


async def test_the_operator_lists_private_tournaments_too(serve) -> None:
    house = await serve(Config(limits=NO_LIMITS, operator_secret="secret"))
    (secret,) = await tournament(house, "Ann", private=True, **QUICK)
    (public,) = await tournament(house, "Ben", **QUICK)
    path = "/api/v1/operator/tournaments"
    assert (await house.ask("GET", path)).status == 403
    found = await (await house.ask("GET", path, headers={"X-Parlour-Operator": "secret"})).json()
    assert {line["code"]: line["private"] for line in found} == {secret.code: True, public.code: False}


async def test_what_is_not_sold_cannot_be_bought(house) -> None:
    ann, ben = await tournament(house, "Ann", "Ben", form="mtt", stack=1000)
    assert (await refusal(ben.rebuy())).code in ("not_playing", "no_rebuy")
    await ann.start()
    assert (await refusal(ben.rebuy())).code == "no_rebuy"
    assert (await refusal(ben.add_on())).code == "no_add_on"
    eve = (await house.client("Eve")).tournament(ann.code)
    for asked in (eve.rebuy(), eve.add_on(), eve.deal("chips"), eve.withdraw()):
        assert (await refusal(asked)).code == "not_entered"


# Repeats


async def test_a_repeat_under_the_same_key_gets_the_first_answer(house) -> None:
    ann, ben = await tournament(house, "Ann", "Ben", form="mtt")
    cora = (await house.client("Cora")).tournament(ann.code)
    first = await cora._ask("POST", "/entries", None, "k1")
    assert await cora._ask("POST", "/entries", None, "k1") == first
    assert (await refusal(cora._ask("DELETE", "/entries/me", None, "k1"))).code == "key_reused"
    seq = await ann.start(key="k2")
    assert await ann.start(key="k2") == seq
    assert (await refusal(ann.start(key="k3"))).code == "started"
    assert len((await ben.view())["entries"]) == 3
    assert (await refusal(ben.withdraw(key="x" * 65))).code == "bad_key"


async def test_bots_of_the_house_enter_all_or_none_and_once(club) -> None:
    (ann,) = await tournament(club, "Ann", form="mtt", entries_max=5)
    assert (await refusal(ann.host("add_bot", count=5))).code == "full"
    seq = await ann.host("add_bot", count=4, key="four")
    assert await ann.host("add_bot", count=4, key="four") == seq
    assert (await refusal(ann.host("add_bot", count=3, key="four"))).code == "key_reused"
    players = [entry["player"] for entry in (await ann.view())["entries"]]
    assert len({player["name"] for player in players}) == 5
    assert sum(player["bot"] for player in players) == 4


async def test_events_are_numbered_without_a_gap_and_can_be_followed(house) -> None:
    ann, ben = await tournament(house, "Ann", "Ben", form="mtt")
    events = [event async for event in ann.events()]
    assert [event["seq"] for event in events] == list(range(1, (await ann.view())["seq"] + 1))
    followed: list[dict[str, Any]] = []

    async def follow() -> None:
        async for event in ben.events(len(events), follow=True):
            followed.append(event)
            return

    following = asyncio.create_task(follow())
    await asyncio.sleep(0)
    await (await house.client("Cora")).tournament(ann.code).enter()
    async with time_limit():
        await following
    assert followed[0]["seq"] == len(events) + 1
    assert [event async for event in ann.events(len(events))] == followed


@pytest.mark.slow
async def test_a_stream_that_follows_ends_with_closed(club) -> None:
    """Of a tournament, of a table of it and of any other; while they are closed, and when they are."""
    (ann,) = await tournament(club, "Ann", entries_max=3, **QUICK)
    await ann.host("add_bot", count=2)

    async def table() -> str | None:
        code: str | None = (await ann.view())["table"]
        return code

    code = await patience.until_found(table)
    assert code
    ben = await club.client("Ben")
    late = await ben.create_table("chess", spectator_delay=1)
    cora = await club.client("Cora")
    logs = [ann, cora.table(code), late, cora.table(late.code)]

    async def last(log: Any) -> str:
        return [event["type"] async for event in log.events(follow=True)][-1]

    async with time_limit():
        following = [asyncio.create_task(last(log)) for log in logs]
        await patience.until(lambda: len(club.site.streams) == len(logs))
        await ann.host("close")
        await late.host("close")
        assert await asyncio.gather(*following) == ["closed"] * 4
        assert [await last(log) for log in logs] == ["closed"] * 4


async def test_tournaments_count_among_the_tables_of_a_host_until_they_are_closed(house) -> None:
    ann = await house.client("Ann")
    announce = partial(ann.create_tournament, "holdem", "Friday", "mtt")
    open_ones = [await announce() for _ in range(TABLES_EACH)]
    refused = await refusal(announce())
    assert (refused.code, "tournaments" in refused.detail) == ("too_many_tables", True)
    await open_ones[0].host("close")

    async def admitted() -> bool:
        """Once the directory knows, a tournament that is closed counts no longer."""
        with suppress(ApiError):
            await announce()
            return True
        return False

    await until_found(admitted)


# What does not fit

COMMON = [
    {"entries_max": 1},
    {"entries_max": 10_001},
    {"entries_max": "9"},
    {"entries_max": 2**70},
    {"entries_min": 1},
    {"entries_min": 50, "entries_max": 40},
    {"private": "yes"},
    {"start_at": "tomorrow"},
    {"start_at": -5},
    {"start_at": 2**70},
    {"table": []},
    {"table": {"no_such": 1}},
    {"table": {"seats": 40}},
    {"there_is_no_such_setting": 1},
    {"name": "a second name"},
]
HOLDEM = [
    {"seats": 1},
    {"seats": 11},
    {"stack": 0},
    {"stack": -1},
    {"stack": 1.5},
    {"stack": 2**63},
    {"buy_in": -1},
    {"levels": [[0, 10, 20, 0]]},
    {"levels": [[5, 20, 10, 0]]},
    {"levels": [[5, 0, 0, 0]]},
    {"levels": [["a", 1, 2, 0]]},
    {"levels": [[5, 1, 2, 0]] * 101},
    {"levels": {"5": 1}},
    {"level_by": "moons"},
    {"breaks": [[0, 5]]},
    {"breaks": [[3, 0]]},
    {"payouts": [50, 40]},
    {"payouts": [150, -50]},
    {"payouts": [float(2)] * 2000},
    {"bounty": 11, "buy_in": 10},
    {"reentries": -1},
    {"rebuys": -1},
    {"races": "horse"},
    {"chips": [25, 5]},
    {"action_seconds": 0},
    {"late_until": 99},
    {"rebuys": 1, "rebuy_until": 99},
    {"rounds": 5},
    {"table": {"rebuy": True}},
    {"table": {"levels": [[5, 1, 2, 0]]}},
    {"table": {"absent": "sit_out"}},
    {"table": {"min_buy_in": 5}},
    {"table": {"approve_seats": True}},
    {"table": {"variant": "bridge"}},
]
CHESS = [
    {"rounds": -1},
    {"rounds": 1000},
    {"rounds": 1.5},
    {"round_pause": -1},
    {"forfeit": -1},
    {"late_until": -1},
    {"cycles": 2},
    {"games": 2},
    {"minutes": 30},
    {"tie_breaks": ["luck"]},
    {"tie_breaks": "buchholz"},
    {"stack": 1500},
    {"levels": [[5, 1, 2, 0]]},
    {"table": {"minutes": -5}},
    {"table": {"variant": "draughts"}},
    {"table": {"rated": "yes"}},
]


@pytest.mark.parametrize(("form", "odd"), [("mtt", COMMON + HOLDEM), ("swiss", COMMON + CHESS)], ids=["mtt", "swiss"])
async def test_settings_that_do_not_fit_are_refused(house, form: str, odd: list[dict[str, Any]]) -> None:
    ann = await house.client("Ann")
    for settings in odd:
        body = {"game": FORMATS[form], "name": "Friday", "format": form, "settings": settings}
        refused = await refusal(ann.request("POST", "/api/v1/tournaments", body), settings)
        assert refused.code == "bad_settings", (settings, refused)
        assert len(refused.detail) > 10, settings
    assert await ann.tournaments() == []
