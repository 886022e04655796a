"""Cells of statistics, and results that are rated once; on every store."""

from __future__ import annotations

import pytest

from parlour.tables.counted import Cell, RatedOutcome, RatingPool, RatingStanding
from parlour.tables.errors import Conflict
from parlour.tables.ports import DirectoryEntry, Identity, Records, Row, Snapshot, Token

POOL = RatingPool("chess", "standard", "blitz")
A, B = "a", "b.1"


@pytest.fixture
async def store(new_store):
    store = new_store()
    await store.open()
    yield store
    await store.close()


async def table(store, name, status="playing"):
    entry = DirectoryEntry(name, name.upper().replace(".", ""), "chess", "h", "H", {}, False, status, (), 2, 1, 1, 1)
    await store.add_table(entry, [Row(name, 1, 1, None, None, None, b"{}")])


def cell(player="p", opponent="", day=1, name=A, position="BTN", **counts):
    return Cell(player, opponent, "holdem", day, name, "omaha", "no-limit", "1/2", position, counts)


def result(player, opponent, points, ended=10, name=A, number=1):
    return RatedOutcome(*POOL, ended, name, number, player, opponent, points)


def pair(one, other, points, **place):
    return [result(one, other, points, **place), result(other, one, 2 - points, **place)]


def standing(rating, last, wins=0):
    return RatingStanding(rating, 80.5, 0.06, wins, 0, 0, last)


async def test_cells_are_added_up_name_by_name(store):
    for name in (A, B):
        await table(store, name)
    await store.record(A, 0, Snapshot(1, 1, b""), Records(cells=[cell(net=-3, hands=1), cell(day=2, hands=1)]))
    await store.record(A, 1, Snapshot(2, 1, b""), Records(cells=[cell(net=5, hands=2, squares=2**40)]))
    other = cell(name=B, hands=7)
    await store.record(
        B, 0, Snapshot(1, 1, b""), Records(cells=[other, cell(opponent="q", position="", name=B, net=1)])
    )
    assert sorted(await store.cells("p", "holdem")) == sorted(
        [cell(net=2, hands=3, squares=2**40), cell(day=2, hands=1), other], key=lambda one: one[:-1]
    )
    assert await store.cells("p", "holdem", "q") == [cell(opponent="q", position="", name=B, net=1)]
    assert await store.cells("p", "holdem", None) == [cell(opponent="q", position="", name=B, net=1)]
    assert await store.cells("p", "chess") == await store.cells("q", "holdem") == []


async def test_cells_of_a_removed_log_stay_and_are_whole(store):
    await table(store, A, "closed")
    await table(store, B, "closed")
    for name in (A, B):
        await store.record(name, 0, Snapshot(1, 1, b""), Records(cells=[cell(name=name, hands=1)]))
    await store.remove_log(B, 1, 100, {}, [cell(name=B, hands=1, net=4)])
    assert await store.cells("p", "holdem") == [cell(hands=1), cell(name=B, hands=1, net=4)]
    await store.forget_records()
    assert await store.cells("p", "holdem") == [cell(name=B, hands=1, net=4)]


async def test_a_result_is_kept_once_and_rated_in_the_order_of_the_rounds(store):
    await store.add_results(pair("p", "q", 2, ended=30, name=B, number=2))
    await store.add_results(pair("p", "q", 0, ended=20))
    await store.add_results(pair("p", "q", 0, ended=20))
    await store.add_results(pair("p", "r", 1, ended=30, name=A, number=9))
    assert await store.unrated_pools() == [POOL]
    unrated = await store.unrated(POOL, 10)
    assert [one.place for one in unrated.results] == [(20, A, 1)] * 2 + [(30, A, 9)] * 2 + [(30, B, 2)] * 2
    assert [one.player for one in unrated.results] == ["p", "q", "p", "r", "p", "q"]
    assert (unrated.standings, unrated.more) == ({}, False)


async def test_of_two_processes_that_rate_a_pool_one_begins_anew(store):
    await store.add_results(pair("p", "q", 2))
    unrated = await store.unrated(POOL, 10)
    await store.rate(POOL, unrated, [standing(1600.25, 10, wins=1), standing(1400, 10)])
    with pytest.raises(Conflict):
        await store.rate(POOL, unrated, [standing(1, 10), standing(2, 10)])
    assert await store.unrated(POOL, 10) is None
    assert await store.unrated_pools() == []
    assert await store.ratings_of("p") == [(POOL, standing(1600.25, 10, wins=1))]


async def test_a_result_that_comes_in_late_has_those_after_it_rated_again(store):
    await store.add_results(pair("p", "q", 2, ended=10))
    await store.rate(POOL, await store.unrated(POOL, 9), [standing(1600, 10), standing(1400, 10)])
    await store.add_results(pair("p", "q", 2, ended=30, number=3))
    await store.rate(POOL, await store.unrated(POOL, 9), [standing(1700, 30), standing(1300, 30)])
    await store.add_results(pair("q", "r", 2, ended=20, number=2))
    unrated = await store.unrated(POOL, 9)
    assert [one.ended for one in unrated.results] == [20, 20, 30, 30]
    assert unrated.standings == {"p": standing(1600, 10), "q": standing(1400, 10)}
    part = await store.unrated(POOL, 1)
    assert part.more
    await store.rate(POOL, part, [standing(1450, 20), standing(1350, 20)])
    rest = await store.unrated(POOL, 9)
    assert [one.ended for one in rest.results] == [30, 30], "what was rated too early waits again"
    assert rest.standings == {"p": standing(1600, 10), "q": standing(1450, 20)}


async def test_ratings_are_forgotten_and_results_of_removed_logs_are_not(store):
    for name in (A, B):
        await table(store, name, "closed")
        await store.record(name, 0, Snapshot(1, 1, b""), Records())
    await store.add_results(pair("p", "q", 2, ended=10) + pair("p", "q", 2, ended=20, name=B))
    await store.rate(POOL, await store.unrated(POOL, 9), [standing(1600, 10)] * 4)
    await store.remove_log(B, 1, 100, {})
    await store.forget_records()
    assert await store.ratings_of("p") == []
    assert [one.table for one in (await store.unrated(POOL, 9)).results] == [B, B]


async def test_leaders_are_people_who_have_played_lately(store):
    for name, bot in (("p", False), ("q", False), ("r", True), ("s", False)):
        token = Token(name.encode(), name, "", 1, 1)
        await store.add_identity(Identity(name, name.upper(), None, bot, 1), token)
    await store.add_results(pair("p", "q", 2, ended=50) + pair("r", "s", 2, ended=60, number=2))
    await store.add_results(pair("q", "s", 2, ended=70, number=3))
    standings = [standing(1600, 50), standing(1400, 50), standing(1900, 60), standing(1500, 60)]
    await store.rate(POOL, await store.unrated(POOL, 9), [*standings, standing(1450, 70), standing(1500, 70)])
    assert [person.name for person, _ in await store.leaders(POOL, 0, 10)] == ["P", "S", "Q"]
    assert [person.name for person, _ in await store.leaders(POOL, 60, 1)] == ["S"]
    assert await store.pools("chess") == [(POOL, 4)]
    history = await store.rating_history("q", POOL, 10)
    assert [(one.opponent, one.points, after.rating) for one, after in history] == [("s", 2, 1450), ("p", 0, 1400)]
    assert [person.id for person in await store.identities(["p", "nobody"])] == ["p"]
