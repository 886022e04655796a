"""Who may read an event is settled when it is written, by who sits where at that point of the log."""

import msgspec
import pytest

from parlour.games.contract import NOBODY, Event, Seat
from parlour.games.registry import Registry
from parlour.storage.seal import AesSeal
from parlour.tables.errors import Unreadable
from parlour.tables.records.log import Log, may_read
from parlour.tables.room.events import SeatTaken, Unseated
from parlour.tables.room.state import SeatHolder, TableState


class Secret(Event, frozen=True):
    seats: tuple[Seat, ...]

    def audience(self):
        return self.seats


@pytest.fixture
def listing():
    return Registry()["holdem"]


@pytest.fixture
def log(listing):
    return Log("here", listing, AesSeal(bytes(32)))


@pytest.fixture
def state(listing):
    state = TableState(listing)
    state.room.seq = 7
    state.room.seats = [SeatHolder("ann", "Ann"), None, SeatHolder("bob", "Bob"), SeatHolder("ann", "Ann")]
    return state


@pytest.mark.parametrize(
    ("seats", "readers"),
    [
        (NOBODY, ""),
        ((0,), "ann"),
        ((1,), ""),
        ((2, 0), "bob ann"),
        ((0, 1, 2, 3), "ann bob"),
    ],
    ids=["nobody", "one seat", "an empty seat", "two people", "each person once"],
)
def test_the_readers_are_those_who_sit_there(log, state, seats, readers):
    (row,) = log.write(state, [Secret(seats)], 1, None, None)
    assert row.readers == readers
    assert {name for name in ("ann", "bob", "eve", None) if may_read(row, name)} == set(readers.split())


def test_what_is_hidden_is_sealed_for_its_place_and_the_rest_is_open(log, state):
    rows = log.write(state, [Unseated(2, "bob", "left"), Secret((0,)), Secret(NOBODY)], 1, "ann", "k")
    assert [row.seq for row in rows] == [8, 9, 10]
    assert [row.key for row in rows] == [None, None, "k"]
    assert [b"type" in row.body for row in rows] == [True, False, False]
    assert log.clear(rows[1]) == b'{"type":"secret","seats":[0]}'
    with pytest.raises(Unreadable):
        log.clear(msgspec.structs.replace(rows[1], seq=10))


def test_who_sits_down_or_gets_up_in_the_same_step_reads_what_follows_or_does_not(log, state):
    everyone = Secret((0, 1, 2))
    moves = [everyone, SeatTaken(1, "eve", "Eve"), everyone, Unseated(2, "bob", "left"), everyone]
    rows = log.write(state, moves, 1, None, None)
    assert [row.readers for row in rows] == ["ann bob", None, "ann eve bob", None, "ann eve"]
    assert state.room.seats[1] is None, "the state follows only what is durable"
    assert state.room.seats[2] is not None
