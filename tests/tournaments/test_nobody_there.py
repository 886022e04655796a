"""A tournament at which nobody is any more stands still, costs nothing, and goes on when somebody comes."""

from __future__ import annotations

import asyncio

import pytest
from tests.patience import until
from tests.tournaments.night import SEAL, Night

from parlour.games.registry import Registry
from parlour.tables import Parlour
from parlour.tables.live.table import Table
from parlour.tournaments.director import ALONE
from parlour.tournaments.service import Tournaments
from parlour.tournaments.state import TournamentState


@pytest.fixture
async def begun(night: Night) -> Night:
    """Four people at two tables, in the middle of a hand, with minutes to the next level."""
    await night.announce(
        4, enter=4, seats=2, level_by="minutes", levels=[[10, 5, 10, 0], [10, 10, 20, 0]], action_seconds=120
    )
    await night.tournaments.start(night.code, night.people[0])
    await night.play(
        lambda state: len(night.tables()) == 2 and all(one.state.room.round_open for one in night.tables())
    )
    return night


def log_of(night: Night) -> Table:
    """The log, without a visit."""
    return next(table for table in night.parlour.live() if table.state.rules.directs)


def state_of(night: Night) -> TournamentState:
    state: TournamentState = log_of(night).state.play
    return state


async def pass_time(night: Night, length: int) -> None:
    """Time passes while nobody asks for anything."""
    end = night.clock.time + length
    while night.clock.time < end:
        night.clock.time += min(10_000, end - night.clock.time)
        await night.parlour.tick()
        await night.parlour.keep_house()


async def stand_still(night: Night) -> None:
    await pass_time(night, ALONE + 1_000)
    await until(
        lambda: (
            state_of(night).deserted_at is not None
            and all(table.state.room.paused_at is not None for table in night.tables())
        )
    )


def written(night: Night) -> list[int]:
    return [table.seq for table in (log_of(night), *night.tables())]


async def test_it_stands_still_after_a_minute_and_not_before(begun: Night) -> None:
    await begun.log()
    await pass_time(begun, ALONE - 2_000)
    assert state_of(begun).deserted_at is None
    await stand_still(begun)
    before = written(begun)
    await pass_time(begun, 30 * 60_000)
    assert written(begun) == before, "nothing is written, no clock plays, no level begins"
    assert log_of(begun).state.status() == "running"


async def test_a_connection_to_one_of_its_tables_keeps_it_going(begun: Night) -> None:
    subscription = begun.tables()[1].subscribe(None, lambda message: None)
    await pass_time(begun, 3 * ALONE)
    assert state_of(begun).deserted_at is None
    subscription.close()
    await stand_still(begun)


async def test_it_goes_on_when_somebody_looks_and_nobody_is_charged_the_time(begun: Night) -> None:
    await stand_still(begun)
    table = begun.tables()[0]
    paused, halted = table.state.room.paused_at, state_of(begun).deserted_at
    deadline, remaining = table.state.rules.deadline(table.state.play), state_of(begun).clock.remaining
    assert paused is not None
    assert halted is not None
    assert deadline is not None
    assert remaining is not None
    begun.clock.time += 3_600_000
    now = begun.clock.time
    await begun.log()
    await until(lambda: table.state.room.paused_at is None)
    after = table.state.rules.deadline(table.state.play)
    assert after is not None
    assert after.at - now == deadline.at - paused, "the player to act has as much time as before"
    assert state_of(begun).clock.ends_at == now + remaining, "and the level lasts as long"
    await begun.play()
    await begun.audit()


async def test_a_new_server_lets_it_stand_still_and_go_on_at_a_visit_to_a_table(begun: Night) -> None:
    await stand_still(begun)
    code, before = begun.tables()[1].code, written(begun)
    await begun.close()
    begun.store = begun._new_store()
    begun.parlour = Parlour(begun.store, begun.clock, begun.entropy, SEAL, Registry())
    begun.tournaments = Tournaments(begun.parlour)
    begun.clock.time += 3_600_000
    await begun.parlour.start()
    await until(lambda: any(one.state.rules.directs for one in begun.parlour.live()) and len(begun.tables()) == 2)
    await pass_time(begun, 2 * ALONE)
    assert written(begun) == before
    table = await begun.parlour.open(code)
    await until(lambda: state_of(begun).deserted_at is None and table.state.room.paused_at is None)


async def test_a_pause_of_the_host_is_none_that_a_visitor_ends(begun: Night) -> None:
    await begun.tournaments.host(begun.code, begun.people[0], "pause", {})
    await pass_time(begun, 3 * ALONE)
    assert state_of(begun).deserted_at is None
    await begun.log()
    for _ in range(20):
        await asyncio.sleep(0)
    assert state_of(begun).paused
