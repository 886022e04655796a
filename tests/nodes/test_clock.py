"""Nodes go by the database's clock."""

from __future__ import annotations

import time

import pytest

from parlour.nodes.clock import NodeClock

SECOND = 10**9


class Steady:
    """A monotonic clock that the test moves; the machine's own clock is years away from the database's."""

    def __init__(self, monkeypatch):
        self.ns = 5 * SECOND
        monkeypatch.setattr(time, "monotonic_ns", lambda: self.ns)
        monkeypatch.setattr(time, "time_ns", lambda: 42)

    def pass_time(self, clock, ms):
        self.ns += ms * 1_000_000
        clock.tick()


@pytest.fixture
def steady(monkeypatch):
    return Steady(monkeypatch)


@pytest.fixture
def clock(steady):
    clock = NodeClock()
    clock.compare(1_000_000, steady.ns, steady.ns)
    clock.tick()
    return clock


def test_it_tells_the_time_of_the_database_whatever_the_machine_thinks(clock, steady):
    assert clock.now() == 1_000_000
    for _ in range(10):
        steady.pass_time(clock, 500)
    assert clock.now() == 1_005_000
    assert clock.outages.until == 0


def test_a_database_clock_that_runs_faster_is_followed(clock, steady):
    for second in range(1, 11):
        steady.pass_time(clock, 1_000)
        clock.compare(1_000_000 + second * 1_010, steady.ns, steady.ns)
    assert abs(clock.now() - 1_010_100) <= 1
    assert clock.outages.until == 0, "so slowly that nobody lost anything"


def test_a_clock_that_is_ahead_waits_and_never_goes_back(clock, steady):
    steady.pass_time(clock, 1_000)
    seen = [clock.now()]
    for _ in range(50):
        clock.compare(seen[-1] - 30, steady.ns, steady.ns)
        seen.append(clock.now())
        steady.ns += 1_000_000
    assert seen == sorted(seen)
    steady.pass_time(clock, 500)
    assert clock.now() == 1_001_500, "fifty milliseconds passed, and as many were taken off"


def test_what_a_slow_answer_leaves_in_doubt_changes_nothing(clock, steady):
    steady.pass_time(clock, 1_000)
    clock.compare(1_000_900, steady.ns - SECOND, steady.ns)
    assert clock.now() == 1_001_000


def test_a_database_clock_that_was_set_ahead_is_an_outage(clock, steady):
    steady.pass_time(clock, 1_000)
    clock.compare(1_061_000, steady.ns, steady.ns)
    assert clock.now() == 1_061_000
    assert clock.outages.after(0) == 60_000
