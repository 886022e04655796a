"""The clock of the tables: it runs on the monotonic clock, never goes back, and knows when nobody could play."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
from tests.patience import time_limit

from parlour.tables import system
from parlour.tables.live.timers import Timers
from parlour.tables.outages import KEPT, Outages
from parlour.tables.system import SystemClock
from parlour.tables.testing import HandClock

HOUR = 3_600_000
START = 1_700_000_000_000


class Machine:
    """The clocks of a machine, in milliseconds."""

    def __init__(self):
        self.wall = START
        self.steady = 5_000

    def run(self, ms):
        self.wall += ms
        self.steady += ms


@pytest.fixture
def machine(monkeypatch):
    machine = Machine()
    clocks = SimpleNamespace(time_ns=lambda: machine.wall * 1_000_000, monotonic_ns=lambda: machine.steady * 1_000_000)
    monkeypatch.setattr(system, "time", clocks)
    monkeypatch.setattr(system, "GAP", 2_000_000_000)
    return machine


def live(machine, clock, ms):
    """The process runs for a while: its event loop ticks twice a second."""
    for _ in range(ms // 500):
        machine.run(500)
        clock.tick()


def test_it_starts_at_the_wall_clock_time_and_runs_at_its_pace(machine):
    clock = SystemClock()
    assert clock.now() == START
    live(machine, clock, 10_000)
    assert clock.now() == START + 10_000
    assert clock.outages.until == 0


@pytest.mark.parametrize("back", [HOUR, 1, 400 * 24 * HOUR])
def test_a_wall_clock_that_is_set_back_changes_nothing(machine, back):
    clock = SystemClock()
    live(machine, clock, 10_000)
    machine.wall -= back
    assert clock.now() == START + 10_000
    live(machine, clock, 10_000)
    assert clock.now() == START + 20_000
    assert clock.outages.until == 0


def test_a_wall_clock_that_is_set_forward_is_followed_in_one_step_that_counts_for_nobody(machine):
    clock = SystemClock()
    live(machine, clock, 10_000)
    machine.wall += HOUR
    assert clock.now() == START + 10_000, "nothing moves before the step is known as an outage"
    live(machine, clock, 500)
    assert clock.now() == START + 10_500 + HOUR
    assert clock.outages.after(START) == HOUR
    live(machine, clock, 60_000)
    assert clock.outages.after(START) == HOUR, "once"


def test_a_machine_that_slept_is_one_whose_wall_clock_has_jumped(machine):
    """Asleep, the monotonic clock of Linux and macOS stands still."""
    clock = SystemClock()
    live(machine, clock, 1_000)
    machine.wall += 8 * HOUR
    live(machine, clock, 1_000)
    assert clock.now() == machine.wall
    assert clock.outages.after(START) == 8 * HOUR


def test_a_process_that_stood_still_is_noticed_by_whoever_asks_first(machine):
    clock = SystemClock()
    live(machine, clock, 1_000)
    machine.run(60_000)
    assert clock.now() == START + 61_000
    assert clock.outages.after(START) == 60_000
    live(machine, clock, 10_000)
    assert clock.outages.after(START) == 60_000


def test_a_busy_machine_is_not_taken_for_one_that_stood_still(machine):
    clock = SystemClock()
    clock.tick()
    for _ in range(50):
        machine.run(700)  # 200 ms late
        clock.tick()
    machine.run(1_900)
    clock.tick()
    assert clock.outages.until == 0


def test_before_the_first_tick_nobody_plays(machine):
    clock = SystemClock()
    machine.run(30_000)
    assert clock.now() == START + 30_000
    assert clock.outages.until == 0


def test_it_goes_on_from_where_the_log_has_come_to(machine):
    clock = SystemClock()
    clock.advance(START + HOUR)
    assert clock.now() == START + HOUR
    clock.advance(START)
    assert clock.now() == START + HOUR
    clock.advance(START + HOUR + 1_000)
    assert clock.now() == START + HOUR, "clocks of two machines may differ a little"


def test_no_moment_is_lost_twice():
    outages = Outages()
    outages.add(100, 200)
    outages.add(150, 250)
    outages.add(0, 240)
    assert [outages.after(at) for at in (0, 120, 200, 249, 250, 300)] == [150, 130, 50, 1, 0, 0]
    for number in range(2 * KEPT):
        outages.add(1_000 + 10 * number, 1_001 + 10 * number)
    assert outages.after(500) == KEPT


def test_an_outage_that_runs_counts_up_to_now_and_once():
    outages = Outages()
    part = outages.branch()
    outages.begin("store", 100)
    part.begin("part", 150)
    outages.begin("store", 120)
    assert outages.after(0, 130, running=True) == 30
    assert outages.after(0, 130) == 0
    outages.add(110, 140)  # the process stood still meanwhile
    outages.end("store", 200)
    assert (outages.after(0), outages.after(150), outages.latest) == (100, 50, 200)
    assert (part.after(0), part.after(0, 250, running=True)) == (0, 150), "its own goes on"
    part.end("part", 300)
    part.end("part", 400)
    assert (part.after(0), part.after(0, 170), part.latest) == (200, 70, 300)


async def test_a_table_whose_clock_cannot_ring_stops_no_other(monkeypatch):
    clock, rung, told = HandClock(START), asyncio.Queue(), []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context["exception"]))

    def ring(table):
        if table == "a":
            raise RuntimeError
        rung.put_nowait(table)

    timers = Timers(clock, ring)
    timers.set("a", START)
    timers.set("b", START)
    timers.start()
    async with time_limit():
        assert await rung.get() == "b"
    assert [type(error) for error in told] == [RuntimeError], "it is not passed over in silence"
    timers.stop()
