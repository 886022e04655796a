"""Retention: what goes with the log of a table that finished long ago, and what stays; on both stores."""

from __future__ import annotations

import msgspec
import pytest

from parlour.games.chess import Chess
from parlour.games.poker.holdem import Holdem
from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.tables import Parlour, RoundSearch
from parlour.tables.errors import Gone, Unavailable, Unreadable
from parlour.tables.records.retention import DAY, TABLES_AT_ONCE
from parlour.tables.testing import HandClock, HighCard, SeededEntropy

KEEP = 30


class House:
    """A parlour that keeps logs for thirty days. The test itself takes the steps of the housekeeper."""

    def __init__(self, new_store):
        self.new_store = new_store
        self.clock = HandClock()
        self.entropy = SeededEntropy()

    async def open(self, keep_days=KEEP, records_days=None):
        games = Registry(HighCard(), Holdem(), Chess())
        self.parlour = Parlour(
            self.new_store(),
            self.clock,
            self.entropy,
            AesSeal(bytes(32)),
            games,
            keep_days=keep_days,
            keep_records_days=records_days,
        )
        await self.parlour.start()
        for task in (self.parlour._beating, self.parlour._removing):
            if task is not None:
                task.cancel()
        return self.parlour

    async def again(self, keep_days=KEEP, records_days=None):
        """After a restart: nothing is in memory."""
        await self.parlour.stop()
        return await self.open(keep_days, records_days)

    async def remove(self):
        """Take steps until there is nothing to do, with the housekeeping between them."""
        while await self.parlour.retention.step():
            await self.parlour.keep_house()
        return self.parlour


@pytest.fixture
async def house(new_store):
    house = House(new_store)
    await house.open()
    yield house
    await house.parlour.stop()


@pytest.fixture
async def people(house):
    return [(await house.parlour.create_identity(name))[0] for name in ("Ada", "Bo")]


async def game_of_chess(house, people, moves=("e2e4", "e7e5")):
    """Played to its end by a resignation."""
    parlour = house.parlour
    info = await parlour.create_table(people[0], "chess", {})
    table = await parlour.open(info.code)
    for person in people:
        await table.sit(person, None, {})
    await table.start(people[0])
    for uci in moves:
        (mover,) = [one for one in people if msgspec.json.decode(table.view(one))["legal"] is not None]
        await table.act(mover, {"type": "move", "uci": uci}, table.state.rules.turn(table.state.play))
    await table.act(people[0], {"type": "resign"}, None)
    await parlour._directory.settle(house.clock.now(), everything=True)
    return table


async def evening_of_highcard(house, people, close=True):
    """One round for chips; then the host closes the table."""
    parlour = house.parlour
    info = await parlour.create_table(people[0], "highcard", {})
    table = await parlour.open(info.code)
    for person in people:
        await table.sit(person, None, {})
    await table.start(people[0])
    while not await table.history():
        rules, play = table.state.rules, table.state.play
        await table.act(people[rules.actors(play)[0]], {"type": "stay"}, rules.turn(play))
    assert await table.history()
    if close:
        await table.host(people[0], "close", {})
    await parlour._directory.settle(house.clock.now(), everything=True)
    return table


def told(records):
    return msgspec.to_builtins(records)


async def test_after_so_many_days_the_events_go_and_the_records_stay(house, people):
    table = await evening_of_highcard(house, people)
    name, code, parlour = table.id, table.code, house.parlour
    rounds, ledger = told(await table.history()), told(await table.ledger())
    sums = await parlour.statistics(people[0])
    assert rounds
    assert sums
    house.clock.time += KEEP * DAY - 1
    await house.remove()
    assert len(await parlour.store.rows(name, 0)) == table.seq, "a day too early"
    house.clock.time += 2
    parlour = await house.again()
    await house.remove()
    assert await parlour.store.rows(name, 0) == []
    table = await parlour.open(code)
    assert table.state.status() == "closed"
    assert told(await table.history()) == [{**one, "kept": False} for one in rounds]
    (line, *_) = (await parlour.rounds_of(people[0], RoundSearch())).rounds
    assert (line.code, line.kept, line.you.net) == (code, False, rounds[0]["summary"]["net"]["0"])
    assert told(await table.ledger()) == ledger
    assert await parlour.statistics(people[0]) == sums
    for ask in (table.round(1, people[0]), table.events(people[0], 0), table.events(None, 0, limit=1)):
        with pytest.raises(Gone) as gone:
            await ask
        assert (gone.value.code, gone.value.status) == ("log_removed", 410)
    assert await table.events(people[0], table.seq) == []


async def test_a_game_that_is_over_has_finished_although_nobody_closed_the_table(house, people):
    table = await game_of_chess(house, people)
    name, code = table.id, table.code
    house.clock.time += KEEP * DAY + 1
    parlour = await house.again()
    await house.remove()
    assert await parlour.store.rows(name, 0) == []
    table = await parlour.open(code)
    assert table.state.status() == "closed"
    with pytest.raises(Gone):
        await table.export(1, "pgn", people[0])


async def test_a_table_that_is_played_at_or_waits_is_never_touched(house, people):
    playing = await evening_of_highcard(house, people, close=False)
    seq = playing.seq
    house.clock.time += 100 * KEEP * DAY
    await house.again()
    parlour = await house.remove()
    assert len(await parlour.store.rows(playing.id, 0)) >= seq
    assert (await parlour.open(playing.code)).state.status() != "closed"


async def test_without_the_setting_everything_is_kept(house, people):
    table = await evening_of_highcard(house, people)
    seq = table.seq
    house.clock.time += 100 * KEEP * DAY
    parlour = await house.again(keep_days=None)
    assert parlour.retention is None
    assert parlour._removing is None
    assert len(await parlour.store.rows(table.id, 0)) == seq


async def test_a_rebuild_keeps_what_no_log_can_tell_any_more(house, people):
    old = await evening_of_highcard(house, people)
    rounds = told(await old.history())
    house.clock.time += KEEP * DAY + 1
    await house.again()
    parlour = await house.remove()
    young = await evening_of_highcard(house, people)
    sums, ledger = await parlour.statistics(people[0]), told(await young.ledger())
    await parlour.archive.rebuild()
    assert await parlour.store.tallies(people[0].id) == sums
    left = [one.record for one in await parlour.store.rounds(old.id, None, RoundSearch(), None, 10)]
    assert [one.number for one in left] == [one["number"] for one in rounds]
    assert [one.summary for one in left] == [one["summary"] for one in rounds]
    assert told(await parlour.store.ledger(young.id)) == ledger


async def test_a_log_that_was_marked_when_the_process_died_is_deleted_by_the_next(house, people):
    table = await evening_of_highcard(house, people)
    house.clock.time += KEEP * DAY + 1
    await house.again()
    assert await house.parlour.retention.step()  # marked, not deleted
    assert await house.parlour.store.rows(table.id, 0)
    await house.again()
    parlour = await house.remove()
    assert await parlour.store.rows(table.id, 0) == []
    assert await parlour.store.rounds(table.id, None, RoundSearch(), None, 10)


async def test_a_store_that_is_away_costs_a_step_and_nothing_else(house, people, monkeypatch):
    table = await evening_of_highcard(house, people)
    house.clock.time += KEEP * DAY + 1
    parlour = await house.again()

    async def away(*_):
        raise Unavailable("database_silent", "away")

    with monkeypatch.context() as patch:
        patch.setattr(parlour.store, "remove_log", away)
        await house.remove()
    assert await parlour.store.rows(table.id, 0)
    await house.remove()
    assert await parlour.store.rows(table.id, 0) == []


async def test_a_log_that_cannot_be_followed_stays_and_holds_up_no_other(house, people, monkeypatch):
    broken, sound = await evening_of_highcard(house, people), await evening_of_highcard(house, people)
    house.clock.time += KEEP * DAY + 1
    parlour = await house.again()
    remove_log = parlour.archive.remove_log

    async def remove(table, listing, now):
        if table == broken.id:
            raise Unreadable("unreadable", "cannot be followed")
        await remove_log(table, listing, now)

    monkeypatch.setattr(parlour.archive, "remove_log", remove)
    await house.remove()
    assert await parlour.store.rows(broken.id, 0)
    assert await parlour.store.rows(sound.id, 0) == []


async def test_a_removed_log_cannot_stand_in_for_a_snapshot_of_another_version(house, people, monkeypatch):
    table = await evening_of_highcard(house, people)
    house.clock.time += KEEP * DAY + 1
    await house.again()
    parlour = await house.remove()

    def another_form(*_):
        raise ValueError("a snapshot of another version")

    monkeypatch.setattr("parlour.tables.room.state.TableState.thaw", another_form)
    with pytest.raises(Unreadable) as refused:
        await parlour.open(table.code)
    assert refused.value.code == "log_removed"


@pytest.mark.parametrize("at_once", [1, TABLES_AT_ONCE])
async def test_lists_of_rounds_go_later_where_that_is_wanted(house, people, monkeypatch, at_once):
    """Ledger, statistics and how the table stood at the end stay; a rebuild changes nothing of that."""
    monkeypatch.setattr("parlour.tables.records.retention.TABLES_AT_ONCE", at_once)
    table = await evening_of_highcard(house, people)
    young = await evening_of_highcard(house, people)
    house.clock.time += KEEP * DAY + 1
    await house.again(records_days=3 * KEEP)
    parlour = await house.remove()
    assert len(await parlour.store.rounds(table.id, None, RoundSearch(), None, 10)) > 0
    sums, ledger = await parlour.statistics(people[0]), await parlour.store.ledger(table.id)
    house.clock.time += 2 * KEEP * DAY
    await house.again(records_days=3 * KEEP)
    parlour = await house.remove()
    for gone in (table, young):
        assert await parlour.store.rounds(gone.id, None, RoundSearch(), None, 10) == []
        live = await parlour.open(gone.code)
        assert (live.state.status(), await live.history()) == ("closed", [])
    assert await parlour.store.rounds_of(people[0].id, RoundSearch(), None, 10) == []
    await parlour.archive.rebuild()
    assert await parlour.statistics(people[0]) == sums
    assert await parlour.store.ledger(table.id) == ledger
    assert not await parlour.retention.step(), "and it is done once"
