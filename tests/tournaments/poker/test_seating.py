"""Seats: each test is named by the rule that it proves (TDA: Poker Tournament Directors Association, 2024)."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.games.poker.holdem.blinds import BlindsPlayer, arrange
from parlour.tournaments.poker import seating
from parlour.tournaments.poker.seating import SeatingTable

from .drawn import Lot

LOT = Lot()


def table(number, seats, blinds=None, size=9, **more):
    """`blinds`: the seats of button, small blind and big blind. Entries are a hundred times the table and the seat."""
    button, small, big = blinds or (None, None, None)
    return SeatingTable(number, size, {seat: 100 * number + seat for seat in seats}, button, small, big, **more)


def sizes(tables, moves):
    count = {one.number: len(one.seats) for one in tables}
    for move in moves:
        count[move.source] -= 1
        count[move.target] += 1
    return {number: players for number, players in count.items() if players}


# The draw


@pytest.mark.parametrize(("players", "expected"), [(2, [2]), (9, [9]), (10, [5, 5]), (19, [7, 6, 6]), (180, [9] * 20)])
def test_tda_7_seats_are_drawn_at_the_fewest_tables_evenly(players, expected):
    drawn = seating.draw(range(1, players + 1), 9, Lot())
    assert [len(seats) for seats in drawn] == expected
    assert sorted(entry for seats in drawn for entry in seats.values()) == list(range(1, players + 1))
    assert all(0 <= seat < 9 for seats in drawn for seat in seats)


def test_tda_7_every_seat_comes_by_chance():
    """Entry 1 of 18 gets every seat of both tables about equally often."""
    where = {}
    for seed in range(1800):
        drawn = seating.draw(range(1, 19), 9, Lot(seed))
        spot = next((number, seat) for number, seats in enumerate(drawn) for seat, entry in seats.items() if entry == 1)
        where[spot] = where.get(spot, 0) + 1
    assert len(where) == 18
    assert min(where.values()) > 60
    assert max(where.values()) < 150


def test_tda_8_a_late_entry_draws_a_seat_at_a_table_with_the_fewest_players():
    tables = [table(1, range(8)), table(2, range(6)), table(3, range(6))]
    drawn = {seating.late_seat(tables, Lot(seed)) for seed in range(100)}
    assert drawn == {(number, seat) for number in (2, 3) for seat in (6, 7, 8)}


def test_tda_8_a_late_entry_is_dealt_in_except_between_button_and_small_blind():
    """The next button lies at seat 3 and the next small blind at seat 5: in seat 4 one would have to wait."""
    one = table(1, [0, 1, 2, 3, 5, 6], blinds=(2, 3, 5))
    assert {seating.late_seat([one], Lot(seed)) for seed in range(100)} == {(1, 7), (1, 8)}


def test_tda_8_a_full_house_opens_a_table_and_fills_it_from_the_others():
    full = [table(1, range(9), (0, 1, 2)), table(2, range(9), (3, 4, 5))]
    assert seating.late_seat(full, LOT) is None
    moves = seating.plan([*full, SeatingTable(3, 9, {4: 999})], LOT)
    assert sizes([*full, SeatingTable(3, 9, {4: 999})], moves) == {1: 7, 2: 6, 3: 6}
    assert len(moves) == 5


# Broken tables


def test_tda_10_a_table_breaks_when_its_players_fit_at_the_others():
    tables = [table(1, range(9)), table(2, range(6)), table(3, range(3))]
    assert seating.breaking(tables) == [3]
    assert seating.breaking([table(1, range(9)), table(2, range(6)), table(3, range(4))]) == []


def test_tda_10_players_of_a_broken_table_draw_tables_and_seats():
    tables = [table(1, range(7), (0, 1, 2)), table(2, range(7), (0, 1, 2)), table(3, [0, 1, 2, 3], (0, 1, 2))]
    drawn = set()
    for seed in range(50):
        moves = seating.plan(tables, Lot(seed))
        assert {move.why for move in moves} == {"broken"}
        assert sizes(tables, moves) == {1: 9, 2: 9}
        drawn |= {(move.entry, move.target, move.seat) for move in moves if move.entry == 300}
    assert drawn == {(300, number, seat) for number in (1, 2) for seat in (7, 8)}


def test_tda_10_a_broken_player_may_get_the_small_blind_the_big_blind_or_the_button():
    """The button comes to seat 1, the small blind to seat 2, the big blind to seat 3: all three are empty."""
    one = table(1, [0, 4, 5, 6, 7, 8], (0, 1, 2))
    broken = table(2, [0], (0, 0, 1))
    seats = {seating.plan([one, broken], Lot(seed))[0].seat for seed in range(100)}
    assert seats == {1, 2, 3}


def test_tda_10_nobody_is_drawn_between_the_button_and_the_small_blind_while_another_seat_is_free():
    one = table(1, [0, 1, 5, 6, 7, 8], (0, 1, 4))  # the next button at 1, the next small blind at 4
    seats = {seating.plan([one, table(2, [0])], Lot(seed))[0].seat for seed in range(100)}
    assert seats == {4}
    crowded = table(1, [0, 1, 4, 5, 6, 7, 8], (0, 1, 4))
    assert {seating.plan([crowded, table(2, [0])], Lot(seed))[0].seat for seed in range(100)} == {2, 3}


def test_tda_10_whoever_has_just_paid_the_big_blind_does_not_draw_the_next_one():
    one = table(1, [0, 1, 2, 4, 5, 6], (0, 1, 2))  # in seat 3 one is the next big blind
    broken = table(2, [5, 6], (5, 5, 6), paid=(206,))
    for seed in range(100):
        moves = {move.entry: move for move in seating.plan([one, broken], Lot(seed))}
        seat = moves[206].seat
        assert seat != 3 or moves[205].seat == 3


def test_tda_10_a_table_breaks_between_two_hands_only():
    tables = [table(1, range(8)), table(2, [0], playing=True)]
    assert seating.breaking(tables) == [2]
    assert seating.plan(tables, LOT) == []


def test_tda_10_the_table_that_breaks_is_the_one_that_costs_the_fewest_moves():
    tables = [table(1, range(6)), table(2, range(2)), table(3, range(6)), table(4, range(7))]
    assert seating.breaking(tables) == [2]
    equal = [table(1, range(4)), table(2, range(4)), table(3, range(4), playing=True), table(4, range(9))]
    assert seating.breaking(equal) == [2]


def test_tda_10_several_tables_break_at_once_where_there_are_too_many():
    tables = [table(number, range(3), (0, 1, 2)) for number in range(1, 7)]
    moves = seating.plan(tables, LOT)
    assert sizes(tables, moves) == {1: 9, 2: 9}
    assert len(moves) == 12


# Balance


def test_tda_11a_the_next_big_blind_is_moved_to_the_worst_position():
    """At table 1 seat 6 pays next. At table 2 the big blind lies at 2, so a newcomer in seat 3 pays the next one."""
    large = table(1, range(8), (3, 4, 5))
    small = table(2, [0, 1, 2, 5, 6, 8], (0, 1, 2))
    assert seating.plan([large, small], LOT) == [seating.SeatMove(106, 1, 2, 3, "balance")]


def test_tda_11a_the_worst_position_is_the_single_big_blind_even_if_the_seat_has_it_twice():
    """The big blind of seat 2 went out and the seat is free, but it is the small blind; seat 3 is taken and pays."""
    large = table(1, range(7), (3, 4, 5))
    small = table(2, [0, 1, 3, 5], (0, 1, 2))
    assert seating.plan([large, small], LOT)[0].seat == 4


def test_tda_11a_the_worst_position_is_never_the_small_blind():
    """Free are the next small blind, seat 2, and seat 1, where the button comes to."""
    large = table(1, range(9), (3, 4, 5))
    small = table(2, [0, 3, 4, 5, 6, 7, 8], (0, 1, 2))
    assert seating.plan([large, small], LOT)[0].seat == 1


def test_tda_11a_where_all_else_is_taken_the_moved_player_waits_and_does_not_get_the_small_blind():
    """Free are seat 3, the next small blind, and seat 2, between it and the button."""
    large = table(1, range(9), (3, 4, 5))
    small = table(2, [0, 1, 4, 5, 6, 7, 8], (0, 1, 3))
    assert seating.plan([large, small], LOT)[0].seat == 2


def test_tda_11a_two_who_are_moved_are_the_next_two_big_blinds():
    large = table(1, range(9), (6, 7, 8))
    small = table(2, [0, 1, 2, 3, 4], (2, 3, 4))
    assert [(move.entry, move.seat) for move in seating.plan([large, small], LOT)] == [(100, 5), (101, 6)]


def test_tda_11a_whoever_has_just_paid_the_big_blind_is_the_last_to_be_moved():
    for big in range(9):
        blinds = ((big - 2) % 9, (big - 1) % 9, big)
        assert seating.next_big_blinds(table(1, range(9), blinds))[-1] == 100 + big


def test_tda_11a_before_the_first_hand_the_first_seat_is_the_next_big_blind():
    assert seating.next_big_blinds(table(1, [0, 3, 5])) == [100, 103, 105]


def test_tda_11c_the_table_that_gives_a_player_is_settled_beforehand():
    """The largest; of equal ones one between two hands, then the one with the highest number."""
    short = table(4, range(6), (0, 1, 2))
    tables = [table(1, range(8), (0, 1, 2)), table(2, range(8), (0, 1, 2)), table(3, range(8), (0, 1, 2), playing=True)]
    assert [move.source for move in seating.plan([*tables, short], LOT)] == [2]


def test_tda_11_a_player_leaves_between_hands_only():
    tables = [table(1, range(8), (0, 1, 2), playing=True), table(2, range(6), (0, 1, 2))]
    assert seating.plan(tables, LOT) == []


def test_tda_11_a_player_may_arrive_while_a_hand_is_played():
    tables = [table(1, range(8), (0, 1, 2)), table(2, range(6), (0, 1, 2), playing=True)]
    assert [move.seat for move in seating.plan(tables, LOT)] == [6]


def test_tda_11_a_table_between_hands_gives_its_players_while_a_larger_one_plays():
    tables = [table(1, range(9), (0, 1, 2), playing=True), table(2, range(8), (0, 1, 2)), table(3, range(5), (0, 1, 2))]
    assert [(move.source, move.target) for move in seating.plan(tables, LOT)] == [(2, 3)]


def test_tda_11d_play_halts_at_a_table_three_players_short():
    tables = [table(1, range(9)), table(2, range(7)), table(3, range(6))]
    assert seating.halted(tables) == {3}


def test_tda_12_the_last_tables_become_one_when_all_fit_at_it():
    tables = [table(1, range(5), (0, 1, 2)), table(2, range(4), (0, 1, 2))]
    moves = seating.plan(tables, LOT)
    assert sizes(tables, moves) == {1: 9}


# A table that is known by the hand before the one that it plays


@settings(max_examples=200, deadline=None)
@given(st.sets(st.integers(0, 8), min_size=2, max_size=9), st.integers(0, 8), st.lists(st.integers(0, 8), max_size=4))
def test_button_and_blinds_of_the_hand_being_played_follow_from_the_one_before(seats, first, gone):
    """As the hold'em table itself has it, over some hands in which players go out."""
    players = [BlindsPlayer(100) if seat in seats else None for seat in range(9)]
    last = arrange(players, None, (1, 2), [first, *range(9)]).positions
    for leaves in [None, *gone]:
        if leaves is not None and sum(player is not None for player in players) > 2:
            players[leaves] = None
        here = [seat for seat, player in enumerate(players) if player is not None]
        later = seating.one_hand_later(table(1, here, (last.button, last.small, last.big)))
        last = arrange(players, last, (1, 2), range(9)).positions
        assert (later.button, later.small, later.big) == (last.button, last.small, last.big)


def test_tda_11a_nobody_gets_the_small_blind_of_a_hand_that_is_ordered_and_may_not_have_begun():
    """Table 2 was reported with the big blind at 4, and both in 4 and 5 went out: in seat 4 one would be the small
    blind of the hand that is about to begin, in seat 5 the big blind."""
    known = table(2, [0, 1, 2, 3], (2, 3, 4), size=6, playing=True)
    large = table(1, range(6), (0, 1, 2), size=6)
    assert seating.plan([large, seating.one_hand_later(known)], LOT)[0].seat == 5


# Whatever the tables look like


@st.composite
def halls(draw, most=7):
    tables = []
    for number in range(1, draw(st.integers(1, most)) + 1):
        seats = draw(st.sets(st.integers(0, 8), min_size=1, max_size=9))
        blinds = None
        if draw(st.booleans()):
            big = draw(st.integers(0, 8))
            small = (big - draw(st.integers(1, 3))) % 9
            blinds = ((small - draw(st.integers(0, 2))) % 9, small, big)
        tables.append(table(number, sorted(seats), blinds, playing=draw(st.booleans())))
    return tables


def between_hands(tables):
    return [SeatingTable(one.number, one.size, one.seats, one.button, one.small, one.big) for one in tables]


@settings(max_examples=150, deadline=None)
@given(halls(), st.integers(0, 1000))
def test_after_the_moves_no_table_has_two_players_more_than_another(tables, seed):
    tables = between_hands(tables)
    players = sum(len(one.seats) for one in tables)
    moves = seating.plan(tables, Lot(seed))
    after = sizes(tables, moves)
    assert max(after.values()) - min(after.values()) <= 1
    assert len(after) == seating.fewest_tables(players, 9)
    assert len({move.entry for move in moves}) == len(moves)
    gone = {move.entry for move in moves}
    seated = {(one.number, seat) for one in tables for seat, entry in one.seats.items() if entry not in gone}
    arrived = [(move.target, move.seat) for move in moves]
    assert len(set(arrived)) == len(arrived)
    assert not seated & set(arrived)
    assert seating.plan(between_hands(applied(tables, moves)), Lot(seed)) == []


def applied(tables, moves):
    seats = {one.number: dict(one.seats) for one in tables}
    for move in moves:
        seats[move.source] = {seat: entry for seat, entry in seats[move.source].items() if entry != move.entry}
    for move in moves:
        seats[move.target][move.seat] = move.entry
    return [
        SeatingTable(one.number, one.size, seats[one.number], one.button, one.small, one.big)
        for one in tables
        if seats[one.number]
    ]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=6))
def test_balancing_takes_the_fewest_moves_that_there_can_be(counts):
    """Every target in which tables differ by one at most is tried; none can be reached with fewer moves."""
    tables = [table(number, range(count), (0, 1, 2)) for number, count in enumerate(counts, start=1)]
    if seating.breaking(tables):
        return
    least, more = divmod(sum(counts), len(counts))
    fewest = min(
        sum(max(0, count - least - (index in larger)) for index, count in enumerate(counts))
        for larger in combinations(range(len(counts)), more)
    )
    assert len(seating.plan(tables, LOT)) == fewest


@settings(max_examples=100, deadline=None)
@given(halls(), st.integers(0, 1000))
def test_nobody_leaves_a_table_that_plays_and_nobody_is_moved_twice(tables, seed):
    playing = {one.number for one in tables if one.playing}
    moves = seating.plan(tables, Lot(seed))
    assert not playing & {move.source for move in moves}
    assert len({move.entry for move in moves}) == len(moves)


@settings(max_examples=100, deadline=None)
@given(halls(), st.integers(0, 1000))
def test_tda_11a_nobody_moved_to_balance_gets_the_small_blind(tables, seed):
    tables = between_hands(tables)
    big = {one.number: one.big for one in tables}
    for move in seating.plan(tables, Lot(seed)):
        if move.why == "balance":
            assert move.seat != big[move.target]
