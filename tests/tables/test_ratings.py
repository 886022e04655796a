"""Ratings of games that were played, and statistics as they are read; on both stores."""

from __future__ import annotations

import random

import msgspec
import pytest

from parlour.games.chess import events
from parlour.games.contract import RatedRound
from parlour.games.glicko2 import Strength, play
from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.tables import Parlour
from parlour.tables.counted import RatedOutcome, RatingPool
from parlour.tables.errors import NotFound
from parlour.tables.people import Privacy
from parlour.tables.records.ratings import LISTED_FOR, Ratings, rate
from parlour.tables.records.statistics import DAY, RoundFilter
from parlour.tables.testing import HighCard

BLITZ = RatingPool("chess", "standard", "blitz")
WEEK = 7 * DAY


async def game(parlour, one, other, *, winner=None, rated=True, table=None):
    """A game of chess with a result: the first has White. Whoever is not the winner resigns."""
    if table is None:
        settings = {"minutes": 3, "increment": 2, "side": "white", "rated": rated}
        info = await parlour.create_table(one, "chess", settings)
        table = await parlour.open(info.code)
        for person in (one, other):
            await table.sit(person, None, {})
        await table.start(one)
    for person, uci in ((one, "e2e4"), (other, "e7e5")):
        await table.act(person, {"type": "move", "uci": uci}, None)
    if winner is None:
        await table.act(one, {"type": "offer_draw"}, None)
        await table.act(other, {"type": "accept_draw"}, None)
    else:
        await table.act(other if winner is one else one, {"type": "resign"}, None)
    return table


async def test_a_rated_game_changes_both_ratings_soon(parlour, people):
    ada, bo, _ = people
    await game(parlour, ada, bo, winner=bo)
    await parlour.keep_house()
    ((pool, ada_now),) = await parlour.store.ratings_of(ada.id)
    ((_, bo_now),) = await parlour.store.ratings_of(bo.id)
    assert pool == BLITZ
    bo_expected, ada_expected = play(Strength(), Strength(), 1)
    assert (ada_now.rating, ada_now.deviation, ada_now.losses) == (ada_expected.rating, ada_expected.deviation, 1)
    assert (bo_now.rating, bo_now.volatility, bo_now.wins) == (bo_expected.rating, bo_expected.volatility, 1)


async def test_a_casual_game_and_one_that_was_called_off_change_none(parlour, people):
    ada, bo, _ = people
    await game(parlour, ada, bo, winner=ada, rated=False)
    info = await parlour.create_table(ada, "chess", {"rated": True})
    table = await parlour.open(info.code)
    for person in (ada, bo):
        await table.sit(person, None, {})
    await table.start(ada)
    await table.act(ada, {"type": "abort"}, None)
    await parlour.keep_house()
    assert await parlour.ratings.of(ada.id) == []
    counted = await parlour.statistics_in(ada, "chess", RoundFilter())
    assert (counted.total.rounds, counted.total.counts["wins"]) == (1, 1)
    assert [part.key for part in counted.stakes] == ["casual"]


async def test_ratings_are_the_same_when_all_records_are_derived_again(parlour, people, evening):
    dice = random.Random(4)
    for _ in range(12):
        one, other = dice.sample(people, 2)
        await game(parlour, one, other, winner=dice.choice([one, other, None]))
        await evening.pass_time(parlour, dice.choice([1000, DAY]))
        if dice.random() < 0.5:
            await parlour.keep_house()
    await parlour.keep_house()
    before = [await parlour.store.ratings_of(person.id) for person in people]
    counts = [await parlour.statistics_in(person, "chess", RoundFilter()) for person in people]
    assert sum(standings[0][1].wins for standings in before) == sum(standings[0][1].losses for standings in before)
    await parlour.archive.rebuild()
    assert [await parlour.store.ratings_of(person.id) for person in people] == before
    assert [await parlour.statistics_in(person, "chess", RoundFilter()) for person in people] == counts


def results(count, seed):
    """Games of five people at three tables, in the order of their end."""
    dice = random.Random(seed)
    found = []
    for number in range(1, count + 1):
        one, other = dice.sample("abcde", 2)
        points, place = dice.choice([0, 1, 2]), (number * DAY // 2, f"t{dice.randrange(3)}", number)
        found.append(
            [RatedOutcome(*BLITZ, *place, one, other, points), RatedOutcome(*BLITZ, *place, other, one, 2 - points)]
        )
    return found


@pytest.mark.parametrize("batch", [1, 3, 250])
async def test_the_order_in_which_results_come_in_does_not_matter(new_store, evening, monkeypatch, batch):
    monkeypatch.setattr("parlour.tables.records.ratings.AT_ONCE", batch)
    store = new_store()
    await store.open()
    games = results(14, seed=batch)
    standings = rate([result for pair in games for result in sorted(pair, key=lambda one: one.player)], {})
    expected = {
        result.player: standing
        for pair, afters in zip(games, zip(standings[::2], standings[1::2], strict=True), strict=True)
        for result, standing in zip(sorted(pair, key=lambda one: one.player), afters, strict=True)
    }
    ratings = Ratings(store, evening.clock)
    shuffled = random.Random(batch).sample(games, len(games))
    for pair in shuffled:
        await ratings.add(pair)
        await ratings.add(pair)  # whoever died before the records moved on tells it again
        if pair is not shuffled[-2]:
            await ratings.catch_up()
    found = {player: (await store.ratings_of(player))[0][1] for player in expected}
    assert found == expected
    await store.close()


async def test_two_processes_that_rate_at_once_rate_every_game_once(new_store, evening):
    import asyncio

    stores = [new_store(), new_store()]
    for store in stores:
        await store.open()
    games = results(20, seed=9)
    raters = [Ratings(store, evening.clock) for store in stores]

    async def bring(rater, pairs):
        for pair in pairs:
            await rater.add(pair)
            await rater.catch_up()

    await asyncio.gather(bring(raters[0], games[::2]), bring(raters[1], games[::-1]))
    in_order = [result for pair in games for result in sorted(pair, key=lambda one: one.player)]
    expected = {one.player: after for one, after in zip(in_order, rate(in_order, {}), strict=True)}
    assert {player: (await stores[0].ratings_of(player))[0][1] for player in expected} == expected
    for store in stores:
        await store.close()


async def test_leaders_are_settled_and_have_played_lately(parlour, people, evening):
    ada, bo, cy = people
    for number in range(1, 31):
        place = (*BLITZ, parlour.clock.now() - 60_000 + number, "elsewhere", number)
        points = 2 if number % 3 else 0
        mine, theirs = RatedOutcome(*place, ada.id, bo.id, points), RatedOutcome(*place, bo.id, ada.id, 2 - points)
        await parlour.ratings.add([mine, theirs])
    await game(parlour, cy, bo, winner=cy)
    await parlour.keep_house()
    leaders = await parlour.ratings.leaders(BLITZ, 10)
    assert [(leader.place, leader.name, leader.games) for leader in leaders] == [(1, "Ada", 30), (2, "Bo", 31)]
    assert leaders[0].rating > leaders[1].rating
    assert (await parlour.ratings.of(cy.id))[0].provisional, "one game says little"
    history = await parlour.ratings.history(bo.id, BLITZ, 3)
    assert [(one.opponent_name, one.points) for one in history.history] == [("Ada", 0), ("Ada", 1), ("Cy", 0)]
    assert history.rating == history.history[-1].rating
    evening.clock.time += 12 * WEEK
    assert (await parlour.ratings.of(ada.id))[0].deviation > leaders[0].deviation, "less is known by now"
    assert len(await parlour.ratings.leaders(BLITZ, 10)) == 2
    evening.clock.time += LISTED_FOR
    assert await parlour.ratings.leaders(BLITZ, 10) == []
    with pytest.raises(NotFound):
        await parlour.ratings.history(ada.id, RatingPool("chess", "atomic", "blitz"), 3)


async def hand_of_highcard(parlour, evening, table, *people):
    turn = table.state.play.turn
    for offset, person in enumerate(people):
        await table.act(person, {"type": "stay"}, turn + offset)
    await evening.pass_time(parlour, 1_000)


async def test_statistics_are_kept_by_opponent_and_day(parlour, people, new_table, evening):
    ada, bo, cy = people
    together = await new_table(sitting=3)
    for _ in range(2):
        await hand_of_highcard(parlour, evening, together, ada, bo, cy)
    evening.clock.time += DAY
    pair = await new_table(sitting=2)
    await hand_of_highcard(parlour, evening, pair, ada, bo)
    read = await parlour.statistics_in(ada, "highcard", RoundFilter())
    totals = (await parlour.statistics(ada))["highcard"]
    assert read.total.rounds == totals["rounds"] == 3
    assert {name: amount for name, amount in totals.items() if amount} == read.total.counts
    assert [(other.name, other.rounds) for other in read.opponents] == [("Bo", 3), ("Cy", 2)]
    assert [day.rounds for day in read.series] == [2, 1]
    assert [day.at % DAY for day in read.series] == [0, 0]
    lately = RoundFilter(since=read.series[1].at)
    assert (await parlour.statistics_in(ada, "highcard", lately)).total.rounds == 1
    assert (await parlour.statistics_in(ada, "highcard", RoundFilter(until=read.series[0].at))).total.rounds == 2
    with_cy = await parlour.statistics_in(ada, "highcard", RoundFilter(), cy.id)
    assert (with_cy.total.rounds, [other.name for other in with_cy.opponents]) == (2, ["Cy"])
    with pytest.raises(NotFound):
        await parlour.statistics_in(ada, "whist", RoundFilter())


async def test_of_others_one_sees_the_rounds_that_both_played_unless_they_hide_them(
    parlour, people, new_table, evening
):
    ada, bo, cy = people
    table = await new_table(sitting=3)
    await hand_of_highcard(parlour, evening, table, ada, bo, cy)
    pair = await new_table(sitting=2)
    await hand_of_highcard(parlour, evening, pair, ada, bo)
    compared = await parlour.compare(cy, bo)
    assert (compared["highcard"].mine.rounds, compared["highcard"].theirs.rounds) == (1, 1)
    assert (await parlour.compare(ada, bo))["highcard"].theirs.rounds == 2
    await parlour.people.set_privacy(bo.id, Privacy("nobody"))
    assert (await parlour.compare(cy, bo))["highcard"].theirs is None
    assert (await parlour.compare(cy, bo))["highcard"].mine.rounds == 1
    stranger, _ = await parlour.create_identity("Dee")
    assert await parlour.compare(stranger, ada) == {}


class Rated(HighCard):
    """Every round between two is rated."""

    name = "highcard"
    rates = True

    def rated(self, played):
        seats = sorted(self.tally(played))
        return RatedRound("plain", "fast", {seats[0]: 2, seats[1]: 0}) if len(seats) == 2 else None


async def test_a_result_is_told_again_where_the_records_could_not_be_written(new_store, evening, monkeypatch):
    """The process dies between the two: the result is there, and counts once when the records are written."""
    parlour = Parlour(new_store(), evening.clock, evening.entropy, AesSeal(bytes(32)), Registry(Rated()))
    await parlour.start()
    parlour._beating.cancel()
    ada, bo = [(await parlour.create_identity(name))[0] for name in ("Ada", "Bo")]
    table = await parlour.open((await parlour.create_table(ada, "highcard", {})).code)
    for person in (ada, bo):
        await table.sit(person, None, {})
    await table.start(ada)
    await hand_of_highcard(parlour, evening, table, ada, bo)
    with monkeypatch.context() as broken:

        async def dies(*_):
            raise ConnectionError

        broken.setattr(parlour.store, "record", dies)
        with pytest.raises(ConnectionError):
            await parlour.archive.catch_up(table)
    assert len(await parlour.store.unrated_pools()) == 1
    await parlour.archive.catch_up(table)
    ((_, standing),) = await parlour.store.ratings_of(ada.id)
    assert (standing.wins, standing.draws, standing.losses) == (1, 0, 0)
    await parlour.stop()


def test_events_of_older_logs_are_casual():
    old = b'{"type":"game_started","game":1,"white":0,"black":1,"variant":"standard","fen":""}'
    assert not msgspec.json.decode(old, type=events.GameStarted).rated
