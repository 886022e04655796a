"""TDA 43, 47, 48, 54, WSOP Live 150 and 171 at the table: what is offered is what the rule book allows."""

import pytest

from parlour.games.contract import Illegal
from parlour.games.poker.holdem import events as ev

from ..test_table import acts, deck, kinds, player, stacks, table
from .told import offer, turns


def test_tda_43_a_raise_is_at_least_the_largest_bet_or_raise_of_the_round():
    trial = acts(table([500] * 4), 10)
    assert offer(trial) == (3, 10, 18, 500)
    acts(trial, 40, "fold")
    assert offer(trial) == (1, 38, 70, 500)


def test_tda_47_wsop_live_171_a_short_all_in_does_not_reopen_the_betting():
    """Seat 3 raises to 20, seat 0 is all-in for 25: seat 1 may raise, seat 3 may only call."""
    trial = acts(table([25, 500, 500, 500]), "fold", 20, "allin")
    assert offer(trial) == (1, 23, 43, 500)
    acts(trial, "call")
    assert offer(trial) == (3, 5, 0, 0)
    with pytest.raises(Illegal):
        trial.act(3, "raise", amount=60)


def test_tda_47_wsop_tournament_96a_short_all_ins_that_add_up_reopen_it():
    """20, all-in 30, all-in 40: whoever bet 20 faces 20 more, which is more than the raise of 18."""
    trial = acts(table([30, 40, 500, 500, 500]), 20, "call", "fold", "allin", "allin")
    assert offer(trial) == (2, 20, 58, 500)


def test_wsop_live_150_a_big_blind_all_in_for_less_does_not_lower_the_price():
    """The ante leaves 3 of 5 for the blind."""
    trial = table([500, 5, 500], small_blind=2, big_blind=5, ante=2, min_buy_in=5)
    assert player(trial, 1)["bet"] == 3
    assert offer(trial) == (2, 5, 10, 498)


def test_tda_48_fixed_limit_is_capped_after_a_bet_and_three_raises():
    trial = acts(table([500] * 3, limit="fixed-limit"), 4, 6, 8)
    assert offer(trial) == (2, 4, 0, 0)
    acts(trial, "call", "call")
    acts(trial, 2, 4, 6, 8)
    assert offer(trial)[2:] == (0, 0)


def test_wsop_a_cap_of_four_raises_is_the_hosts_choice():
    trial = acts(table([500] * 3, limit="fixed-limit", raise_cap=4), 4, 6, 8)
    assert offer(trial) == (2, 4, 10, 10)
    acts(trial, 10)
    assert offer(trial)[2:] == (0, 0)


def test_the_host_may_choose_no_cap():
    trial = acts(table([500] * 3, limit="fixed-limit", raise_cap=0), *range(4, 40, 2))
    assert offer(trial)[2:] == (40, 40)


def test_roberts_rules_two_players_are_never_capped():
    trial = acts(table([500] * 2, limit="fixed-limit"), *range(4, 40, 2))
    assert offer(trial)[2:] == (40, 40)


def test_roberts_rules_a_capped_round_stays_capped_when_two_are_left():
    trial = acts(table([500] * 3, limit="fixed-limit"), 4, 6, 8, "fold")
    assert offer(trial) == (0, 2, 0, 0)


@pytest.mark.parametrize("variant", ["holdem", "omaha", "omaha6", "omaha-hilo", "short-deck"])
def test_fixed_limit_bets_double_on_the_turn_in_every_variant(variant):
    trial = acts(table([500] * 2, variant=variant, limit="fixed-limit"), "call", "check")
    sizes = []
    for _ in range(3):
        sizes.append(offer(trial)[2:])
        acts(trial, "check", "check")
    assert sizes == [(2, 2), (4, 4), (4, 4)]


@pytest.mark.parametrize("variant", ["holdem", "omaha5", "omaha-hilo", "short-deck"])
def test_tda_54_a_pot_limit_raise_is_at_most_the_pot_after_the_call(variant):
    """Blinds 1/2: call 2, and raise by the 5 that are in then."""
    trial = table([500] * 3, variant=variant, limit="pot-limit")
    assert offer(trial) == (2, 2, 4, 7)
    acts(trial, 7)
    assert offer(trial) == (0, 6, 12, 23)


def test_tda_54_antes_are_in_the_pot_of_pot_limit():
    trial = table([500] * 3, limit="pot-limit", ante=1)
    assert offer(trial) == (2, 2, 4, 10)


def test_tda_34_heads_up_the_button_acts_first_before_and_last_after_the_flop():
    trial = table([500] * 2)
    assert turns(trial, "call", "check", "check", "check") == [1, 0, 0, 1]


def test_wsop_live_149_each_pot_is_split_by_itself():
    """Everybody plays the board. Main pot of 44 for three: 15, 15, 14. Side pot of 21 for two: 11, 10.

    The chips of both in one heap would give seat 3 another odd chip.
    """
    cards = deck("2c3c", "2d3d", "2h3h", "2s3s", board="Th Jc Qd Ks Ah")
    trial = acts(table([100, 100, 11, 100], cards), "allin", "call", "call", "call")
    acts(trial, 3, 9, "call", "fold", "check", "check", "check", "check")
    assert stacks(trial) == [100 - 14, 100 - 20 + 15 + 11, 15, 100 - 20 + 14 + 10]


def test_tda_17_without_a_bet_on_the_river_the_first_left_of_the_button_shows_first():
    """Whoever bet on the turn does not matter any more."""
    cards = deck("QcQd", "KcKd", "AcAd", board="2h 7s 9d 4c 3s")
    trial = acts(table([100] * 3, cards), "call", "call", "check", "check", "check", "check")
    acts(trial, "check", "check", 10, "call", "call", "check", "check", "check")
    assert [event.seat for event in kinds(trial, ev.Shown)] == [0, 1, 2]


def test_tda_17_the_last_to_bet_on_the_river_shows_first_and_worse_hands_are_mucked():
    cards = deck("QcQd", "KcKd", "AcAd", board="2h 7s 9d 4c 3s")
    trial = acts(table([100] * 3, cards), "call", "call", "check", *["check"] * 6)
    acts(trial, "check", 10, "call", "call")
    assert [event.seat for event in kinds(trial, ev.Shown)] == [1, 2]
    assert [event.seat for event in kinds(trial, ev.Mucked)] == [0]


def test_tda_16_where_somebody_is_all_in_every_hand_is_shown():
    """Also the losing one of a caller who has chips left."""
    cards = deck("QcQd", "KcKd", "AcAd", board="2h 7s 9d 4c 3s")
    trial = acts(table([100, 100, 20], cards), "allin", "call", "call", *["check"] * 6)
    assert {event.seat for event in kinds(trial, ev.Shown)} == {0, 1, 2}
    assert not kinds(trial, ev.Mucked)
