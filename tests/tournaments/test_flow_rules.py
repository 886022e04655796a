"""Rules of tournament poker as the rule books have them (TDA, WSOP), on paper."""

from __future__ import annotations

import pytest
from msgspec import structs
from tests.tournaments.paper import MINUTE, Paper, person

from parlour.tables.errors import Against, Busy
from parlour.tournaments import decisions
from parlour.tournaments import events as ev
from parlour.tournaments.poker import eliminations
from parlour.tournaments.poker.eliminations import REBUY_TIME
from parlour.tournaments.state import TournamentState

LEVELS = [[10, 25, 50], [10, 50, 100], [10, 100, 200], [10, 200, 400]]
LATE_OVER = {"late_until": 0}


def moved(events):
    return [event for event in events if isinstance(event, ev.EntryMoved)]


def out(events):
    return [event for event in events if isinstance(event, ev.Eliminated)]


def even(state: TournamentState) -> bool:
    sizes = [len(table.seats) for table in state.open_tables()]
    return max(sizes) - min(sizes) < 2


def test_entries_whose_names_look_alike_are_told_apart():
    paper = Paper(entries=3)
    for number, name in ((4, "P2"), (5, "p2"), (6, "Р2")):  # the last is Cyrillic
        who = structs.replace(person(number), name=name)
        paper.tell(decisions.enter(paper.state, who, 0, paper.now, paper.entropy))
    assert [entry.name for entry in paper.state.entries] == ["P1", "P2", "P3", "P2 (2)", "p2 (3)", "Р2 (4)"]


# Seats


def test_tda_7_seats_are_drawn_and_tables_are_even():
    paper = Paper(entries=30)
    assert paper.sizes() == [7, 7, 8, 8]
    assert [paper.at(number) for number in (1, 2, 3, 4)] != sorted(paper.at(number) for number in (1, 2, 3, 4))


def test_tda_8_a_late_entry_gets_a_full_stack_at_the_table_with_the_fewest_players():
    paper = Paper(entries=24, seats=9, late_until=2)
    paper.hand(2, {paper.at(2)[1]: 0})
    fewest = min(paper.tables(), key=lambda table: len(table.seats)).number
    paper.enter(25)
    entry = paper.state.entry(25)
    assert (entry.table, entry.chips, entry.late) == (fewest, 10_000, True)


def test_tda_8_late_entries_end_with_their_level_and_the_break_after_it():
    paper = Paper(entries=4, levels=LEVELS, breaks=[[2, 5]], late_until=2)
    paper.wait(10 * MINUTE)
    paper.enter(5)
    paper.wait(10 * MINUTE)
    assert paper.state.status == "break"
    paper.enter(6)
    paper.wait(5 * MINUTE)
    with pytest.raises(Against) as refused:
        paper.enter(7)
    assert refused.value.code == "no_late_entry"


def test_a_new_table_opens_where_all_are_full_and_balancing_fills_it():
    paper = Paper(entries=18, seats=9, late_until=2)
    paper.enter(19)
    assert paper.sizes() == [1, 9, 9]
    assert 3 not in paper.playing()  # nobody plays alone
    paper.hand(1)
    paper.hand(2)
    assert paper.sizes() == [6, 6, 7]
    assert set(paper.playing()) == {1, 2, 3}


def test_tda_11_tables_differ_by_more_than_one_for_no_longer_than_a_hand():
    paper = Paper(entries=36, seats=9, **LATE_OVER)
    victims = iter(paper.at(1)[1:])
    paper.hand(1, {next(victims): 0})
    assert even(paper.state)
    paper.hand(1, {next(victims): 0, next(victims): 0})
    assert not even(paper.state)  # the other tables are in a hand
    paper.hand(2)
    paper.hand(3)
    assert even(paper.state)


def test_tda_11_a_whoever_would_be_the_next_big_blind_moves():
    paper = Paper(entries=36, seats=9, **LATE_OVER)
    paper.hand(2)
    paper.hand(1, dict.fromkeys(paper.at(1)[1:3], 0))
    seats = dict(paper.state.tables[2].seats)
    (move,) = moved(paper.hand(2))
    big = paper.state.tables[2].big
    following = min((seat for seat in seats if seat != big), key=lambda seat: (seat - big) % 9)
    assert (move.entry, move.source, move.table) == (seats[following], 2, 1)


def test_tda_11_d_a_table_three_players_short_waits():
    paper = Paper(entries=36, seats=9, **LATE_OVER)
    paper.hand(1, dict.fromkeys(paper.at(1)[1:4], 0))
    assert paper.sizes() == [6, 9, 9, 9]
    assert 1 not in paper.playing()
    paper.hand(2)
    assert 1 in paper.playing()


def test_nobody_is_moved_out_of_a_hand():
    paper = Paper(entries=36, seats=9, **LATE_OVER)
    for _ in range(200):
        if paper.state.status == "finished":
            break
        number = paper.chance.choice(paper.playing())
        before = set(paper.playing())
        for move in moved(paper.hand(number, *paper._outcome(number))):
            assert move.source == number or move.source not in before


def test_tda_10_a_table_is_broken_as_soon_as_the_players_fit_at_fewer():
    paper = Paper(entries=19, seats=9, **LATE_OVER)
    assert len(paper.tables()) == 3
    paper.hand(3, {paper.at(3)[1]: 0})
    assert len(paper.tables()) == 2
    assert paper.sizes() == [9, 9]
    assert paper.state.tables[3].closed


def test_the_final_table_is_drawn_anew_when_every_hand_is_over():
    paper = Paper(entries=10, seats=9, **LATE_OVER)
    happened = paper.hand(1, {paper.at(1)[1]: 0})
    assert paper.kinds(happened)[-1] == "Eliminated"
    assert len(paper.tables()) == 2
    happened = paper.hand(2)
    assert "SeatsGiven" in paper.kinds(happened)
    (final,) = paper.tables()
    assert (final.number, len(final.seats), final.final) == (3, 9, True)


def test_heads_up_goes_on_to_the_end():
    paper = Paper(entries=3, seats=2, **LATE_OVER)
    while paper.state.status != "finished":
        number = paper.playing()[0]
        paper.hand(number, {paper.at(number)[1]: 0})
    assert [one.place for one in paper.state.standings] == [1, 2, 3]


# Going out


def test_tda_two_who_go_out_in_one_hand_are_placed_by_the_stack_they_began_it_with():
    paper = Paper("sitngo", 4)
    paper.hand(1, {1: 1000, 2: 2000})
    paper.hand(1, {1: 0, 2: 0})
    places = paper.places()
    assert (places[2][:2], places[1][:2]) == ((3, 3), (4, 4))


def test_tda_equal_stacks_share_the_place_and_the_prizes():
    paper = Paper("sitngo", 4, payouts=[50, 25, 15, 10], buy_in=100)
    paper.hand(1, {1: 0, 2: 0})
    paper.hand(1, {3: 0})
    assert paper.places()[1] == (3, 4, 50)
    assert paper.places()[2] == (3, 4, 50)
    assert sum(place[2] for place in paper.places().values()) == 400


def test_hand_for_hand_begins_on_the_bubble_and_ends_with_the_money():
    paper = Paper(entries=20, seats=5, payouts=[30, 20, 15, 10, 10, 5, 5, 5], **LATE_OVER)
    while paper.state.p.left > 9:
        number = paper.playing()[0]
        paper.hand(number, {paper.at(number)[1]: 0} if paper.state.p.left > 9 else {})
    assert paper.state.p.hand_for_hand
    for number in paper.playing():
        paper.hand(number)
    assert len(paper.playing()) == 2
    first, second = paper.playing()
    paper.hand(first)
    assert paper.playing() == [second]  # nobody deals before everybody is done
    paper.hand(second, {paper.at(second)[1]: 0})
    assert not paper.state.p.hand_for_hand
    assert paper.state.p.left == 8


def test_hand_for_hand_everybody_who_goes_out_in_a_round_went_out_in_the_same_hand():
    paper = Paper(entries=20, seats=5, payouts=[30, 20, 15, 10, 10, 5, 5, 5], **LATE_OVER)
    while paper.state.p.left > 9 or len(paper.playing()) < len(paper.tables()):
        number = paper.playing()[0]
        paper.hand(number, {paper.at(number)[1]: 0} if paper.state.p.left > 9 else {})
    first, second = paper.playing()
    one, two = paper.at(first)[1], paper.at(second)[1]
    chips = {entry: paper.state.entry(entry).chips for entry in (one, two)}
    assert out(paper.hand(first, {one: 0})) == []  # not before the other table is done
    gone = out(paper.hand(second, {two: 0}))
    assert len({event.hand for event in gone}) == 1
    by_stack = sorted((one, two), key=lambda entry: -chips[entry])
    if chips[one] == chips[two]:
        assert [(event.place, event.place_to) for event in gone] == [(8, 9), (8, 9)]
    else:
        assert {event.entry: event.place for event in gone} == dict(zip(by_stack, (8, 9), strict=True))


def test_who_withdraws_is_blinded_off_and_may_come_back():
    paper = Paper(entries=4)
    paper.tell(decisions.withdraw(paper.state, person(2)))
    assert (paper.state.entry(2).status, paper.state.entry(2).away) == ("playing", True)
    paper.hand(1, {2: 9_000})
    paper.enter(2)
    assert not paper.state.entry(2).away
    assert paper.state.entry(2).chips == 9_000


# Chips and money


def test_re_entry_is_a_new_stack_and_one_place():
    paper = Paper(entries=4, late_until=2, reentries=1)
    paper.hand(1, {1: 0})
    assert paper.state.entry(1).status == "out"
    paper.enter(1)
    assert (paper.state.entry(1).chips, paper.pool()) == (10_000, 50)
    paper.hand(1, {1: 0})
    with pytest.raises(Busy) as refused:
        paper.enter(1)
    assert refused.value.code == "no_reentry"
    paper.hand(1, {2: 0})
    paper.hand(1, {3: 0})
    assert [(one.place, one.entry) for one in paper.state.standings] == [(1, 4), (2, 3), (3, 2), (4, 1)]
    assert sum(one.prize for one in paper.state.standings) == 50


def test_whoever_looks_may_enter_while_there_is_room_and_withdraw_who_has():
    def can(number):
        return decisions.can(paper.state, person(number), False, paper.now)

    paper = Paper(entries=2, start=False, entries_max=3)
    assert (can(1), can(3)) == (["withdraw"], ["enter"])
    paper.enter(3)
    assert (can(3), can(4)) == (["withdraw"], [])
    paper.tell(decisions.withdraw(paper.state, person(3)))
    assert (can(3), can(4)) == (["enter"], ["enter"])


def test_a_rebuy_is_offered_to_who_has_lost_all_and_the_table_waits():
    paper = Paper(entries=4, levels=LEVELS, rebuys=1, rebuy_until=2, rebuy_chips=5000, rebuy_price=7)
    paper.hand(1, {1: 0})
    assert paper.playing() == []
    assert "rebuy" in decisions.can(paper.state, person(1), False, paper.now)
    paper.tell(decisions.rebuy(paper.state, person(1), paper.now))
    assert (paper.state.entry(1).chips, paper.pool(), paper.playing()) == (5000, 47, [1])
    happened = paper.hand(1, {1: 0})
    assert len(out(happened)) == 1  # one rebuy and no more


def test_a_rebuy_that_nobody_wants_lapses():
    paper = Paper(entries=4, levels=LEVELS, rebuys=1, rebuy_until=2)
    paper.hand(1, {1: 0})
    paper.wait(REBUY_TIME - 1)
    assert paper.playing() == []
    assert len(out(paper.wait(1))) == 1
    with pytest.raises(Busy):
        decisions.rebuy(paper.state, person(1), paper.now)
    paper.hand(1, {2: 0})
    assert len(out(paper.tell(decisions.withdraw(paper.state, person(2))))) == 1  # and at once where one says so


def test_a_rebuy_that_is_offered_stands_when_the_level_of_rebuys_ends():
    paper = Paper(entries=4, levels=LEVELS, rebuys=1, rebuy_until=1)
    paper.wait(10 * MINUTE - 5_000)
    paper.hand(1, {1: 0})
    paper.wait(6_000)
    assert paper.state.p.level == 2
    assert "rebuy" in decisions.can(paper.state, person(1), False, paper.now)
    paper.tell(decisions.rebuy(paper.state, person(1), paper.now))
    assert paper.state.entry(1).chips == 10_000


def test_a_table_waits_for_the_last_of_those_who_are_asked_for_a_rebuy():
    paper = Paper(entries=30, levels=LEVELS, rebuys=1, rebuy_until=2, late_until=0, payouts=[50, 30, 20])
    first, second = paper.tables()[0].number, paper.tables()[1].number
    paper.hand(first, {paper.at(first)[0]: 0})
    paper.wait(5_000)
    paper.hand(second, dict.fromkeys(paper.at(second)[:2], 0))
    offers = sorted(offer.until for offer in paper.state.p.offers.values())
    assert eliminations.due(paper.state) == offers[0]
    assert len(out(paper.wait(REBUY_TIME - 5_000))) == 1
    assert eliminations.due(paper.state) == offers[-1]
    paper.state.p.hand_for_hand = True
    assert eliminations.due(paper.state) == offers[-1]


def test_hands_before_hand_for_hand_are_not_the_same_hand_although_their_rebuys_lapse_in_it():
    payouts = [40, 25, 15, 10, 10]
    paper = Paper(entries=6, seats=3, levels=LEVELS, rebuys=1, rebuy_until=1, late_until=0, payouts=payouts)
    first, second = paper.at(2)[0], paper.at(1)[0]
    paper.wait(10 * MINUTE - 5_000)
    paper.hand(2, {first: 0})
    paper.wait(1_000)
    paper.hand(1, {second: 0})
    paper.wait(5_000)
    assert paper.state.p.hand_for_hand
    placed = {event.entry: (event.place, event.place_to) for event in out(paper.wait(20_000))}
    assert placed == {first: (6, 6), second: (5, 5)}


def test_programs_are_not_asked_for_a_rebuy():
    paper = Paper(entries=3, start=False, rebuys=3, rebuy_until=3)
    paper.enter(4, bot=True)
    paper.start()
    assert len(out(paper.hand(1, {4: 0}))) == 1


def test_two_who_lose_all_in_one_hand_go_out_together_though_one_is_asked_for_a_rebuy():
    paper = Paper(entries=4, start=False, rebuys=1, rebuy_until=2, levels=LEVELS)
    paper.enter(5, bot=True)
    paper.start()
    paper.hand(1, {1: 9_000})
    assert out(paper.hand(1, {5: 0, 1: 0})) == []
    gone = out(paper.wait(REBUY_TIME))
    assert [event.entry for event in gone] == [1, 5]
    assert len({event.hand for event in gone}) == 1


def test_the_add_on_is_sold_once_in_the_break_after_the_rebuys():
    paper = Paper(
        entries=4, levels=LEVELS, breaks=[[1, 5], [2, 5]], rebuys=1, rebuy_until=2, add_on=3000, add_on_price=4
    )
    paper.wait(10 * MINUTE)
    with pytest.raises(Against):
        decisions.add_on(paper.state, person(1))  # rebuys go on
    paper.wait(5 * MINUTE)
    paper.wait(10 * MINUTE)
    paper.tell(decisions.add_on(paper.state, person(1)))  # the last hand before the break is still played
    paper.hand(1, {2: 8_000, 3: 12_000})
    assert [paper.state.entry(number).chips for number in (1, 2, 3)] == [13_000, 8_000, 12_000]
    paper.tell(decisions.add_on(paper.state, person(2)))
    assert paper.state.entry(2).chips == 11_000
    with pytest.raises(Against):
        decisions.add_on(paper.state, person(2))
    paper.wait(5 * MINUTE)
    with pytest.raises(Against):
        decisions.add_on(paper.state, person(3))
    assert paper.pool() == 48


def test_a_bounty_goes_to_who_won_the_pot_and_is_split_where_it_was():
    paper = Paper("sitngo", 5, bounty=5, buy_in=20)
    paper.hand(1, {1: 0}, won={1: [2]})
    paper.hand(1, {2: 0}, won={2: [3, 4]})
    bounties = {entry.number: (entry.bounty, entry.knockouts) for entry in paper.state.entries}
    assert (bounties[2], bounties[3], bounties[4]) == ((5, 1), (3, 1), (2, 1))
    paper.hand(1, {3: 0}, won={3: [4]})
    paper.hand(1, {4: 0}, won={4: [5]})
    assert {one.entry: one.bounty for one in paper.state.standings} == {5: 10, 4: 7, 3: 3, 2: 5, 1: 0}
    assert sum(one.bounty for one in paper.state.standings) == 25
    assert sum(one.prize for one in paper.state.standings) == 75


def test_a_bounty_that_nobody_won_goes_to_the_first_place():
    paper = Paper("sitngo", 3, bounty=6)
    paper.host("remove", entry=1)
    paper.tell([ev.HandReported(1, 1, {1: 1500, 2: 1500, 3: 1500})])
    paper.hand(1, {2: 0}, won={2: [3]})
    assert {one.entry: one.bounty for one in paper.state.standings} == {3: 18, 2: 0, 1: 0}


def test_tda_24_chips_too_small_are_raced_off_at_each_table_between_hands():
    paper = Paper(
        entries=12, seats=6, stack=1000, levels=[[10, 25, 50], [10, 100, 200]], breaks=[], races="race", chips=[25, 100]
    )
    paper.hand(1, {paper.at(1)[1]: 925, paper.at(1)[2]: 1050})
    paper.wait(10 * MINUTE)
    assert paper.state.p.level == 2
    happened = paper.hand(1)
    (raced,) = [event for event in happened if isinstance(event, ev.Raced)]
    assert paper.kinds(happened)[-1] == "RoundOrdered"
    assert (raced.table, raced.chip) == (1, 100)
    assert all(paper.state.entry(entry).chips % 100 == 0 for entry in paper.at(1))
    assert sum(raced.changes.values()) == paper.state.p.raced_chips


# Tables that are lost


def test_who_sat_at_a_table_that_somebody_closed_goes_on_elsewhere_with_the_chips_of_the_last_hand():
    paper = Paper(entries=18, seats=9, **LATE_OVER)
    paper.hand(1, {paper.at(1)[1]: 12_000})
    before = {entry: paper.state.entry(entry).chips for entry in paper.at(1)}
    happened = paper.tell([ev.TableClosing(1, lost=True)])
    assert len(moved(happened)) >= 9
    assert paper.at(1) == []
    assert {entry: paper.state.entry(entry).chips for entry in before} == before
    assert sum(paper.sizes()) == 18
    paper.play_on()
    assert paper.state.status == "finished"


def test_the_only_table_is_closed_by_hand_and_another_takes_its_place():
    paper = Paper("sitngo", 5)
    paper.tell([ev.TableClosing(1, lost=True)])
    assert paper.sizes() == [5]
    assert paper.playing() == [2]
