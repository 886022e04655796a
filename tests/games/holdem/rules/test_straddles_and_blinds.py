"""Straddles, the button blind and bomb pots: who pays, who acts first, and where the button goes."""

import contextlib

import pytest

from parlour.games.contract import Illegal
from parlour.games.poker.holdem import events as ev

from ..test_table import acts, deck, kinds, player, stacks, table
from .told import offer, parts, pot_shares, turns


def straddled(where, seat, chips=(200,) * 5, **settings):
    """The second hand of a table at which that seat has said before the deal that it straddles.

    Of five seats the button is seat 0, the blinds are 1 and 2, and seat 3 is under the gun.
    """
    trial = table(list(chips), straddle=where, hand_delay=4, **settings)
    trial.act(seat, "straddle", on=True)
    while trial.game.actors(trial.state):
        acts(trial, "fold")
    trial.wait(10_000)
    return trial


def posts(trial):
    """What was posted in the last hand."""
    log = [event for _, event in trial.log]
    began = max(at for at, event in enumerate(log) if isinstance(event, ev.HandStarted))
    return [(event.seat, event.kind, event.amount) for event in log[began:] if isinstance(event, ev.Posted)]


def test_roberts_rules_a_straddle_is_the_new_bring_in_and_no_raise():
    """Blinds 1/2, straddle 4: a call costs 4, and the least raise is by 4, to 8."""
    trial = straddled("utg", 3)
    assert (3, "straddle", 4) in posts(trial)
    assert offer(trial) == (4, 4, 8, player(trial, 4)["stack"])


def test_a_straddle_under_the_gun_acts_last_before_the_flop_and_has_the_option():
    trial = straddled("utg", 3)
    assert turns(trial, "call", "call", "call", "call") == [4, 0, 1, 2]
    assert offer(trial)[:3] == (3, 0, 8)
    acts(trial, "check")
    assert trial.public["street"] == "flop"
    assert trial.actor == 1


def test_mississippi_straddle_on_the_button_the_small_blind_acts_first_and_the_button_last():
    trial = straddled("button", 0)
    assert (0, "straddle", 4) in posts(trial)
    assert turns(trial, "call", "call", "call", "call") == [1, 2, 3, 4]
    assert offer(trial)[:3] == (0, 0, 8)


def test_mississippi_straddle_after_the_flop_the_order_is_as_always():
    trial = straddled("button", 0)
    acts(trial, "call", "call", "call", "call", "check")
    assert turns(trial, *["check"] * 5) == [1, 2, 3, 4, 0]


def test_tda_54_a_straddle_is_in_the_pot_of_pot_limit():
    """1 + 2 + 4 are in: call 4, and raise by 11."""
    assert offer(straddled("utg", 3, limit="pot-limit"))[1:] == (4, 8, 15)


def test_tda_48_a_straddle_is_the_second_of_the_four_bets_of_fixed_limit():
    trial = straddled("utg", 3, limit="fixed-limit")
    assert offer(trial)[1:] == (4, 6, 6)
    acts(trial, 6, 8)
    assert offer(trial)[2:] == (0, 0)


def test_a_straddle_from_another_seat_than_the_host_allows_is_not_posted():
    """Seat 4 said so, and is not under the gun."""
    assert not [kind for _, kind, _ in posts(straddled("utg", 4)) if kind == "straddle"]


def test_a_straddle_is_posted_whole_or_not_at_all():
    trial = straddled("utg", 3, chips=(200, 200, 200, 3, 200))
    assert not [kind for _, kind, _ in posts(trial) if kind == "straddle"]


@pytest.mark.parametrize("where", ["utg", "button"])
def test_between_two_players_there_is_no_straddle(where):
    trial = table([200, 200], straddle=where, hand_delay=4)
    for seat in (0, 1):
        with contextlib.suppress(Illegal):  # it may be said, for when there are three
            trial.act(seat, "straddle", on=True)
    acts(trial, "fold")
    trial.wait(10_000)
    assert [kind for _, kind, _ in posts(trial)] == ["big_blind", "small_blind"]


def test_a_straddle_is_voluntary():
    trial = table([200] * 4, straddle="utg")
    assert [kind for _, kind, _ in posts(trial)] == ["small_blind", "big_blind"]


# The button blind


def button_blind(chips, **settings):
    return table(chips, button_blind=True, ante=1, big_blind=2, variant="short-deck", **settings)


def test_short_deck_the_button_posts_the_only_blind_and_everybody_an_ante():
    trial = button_blind([100] * 4)
    assert sorted(posts(trial)) == sorted([(seat, "ante", 1) for seat in range(4)] + [(3, "button_blind", 2)])
    assert trial.public["pot"] == 6


def test_short_deck_the_action_begins_left_of_the_button_on_every_street():
    trial = button_blind([100] * 4)
    assert turns(trial, "call", "call", "call", "check") == [0, 1, 2, 3]
    assert turns(trial, *["check"] * 4) == [0, 1, 2, 3]


def test_short_deck_the_least_raise_doubles_the_button_blind():
    assert offer(button_blind([100] * 4)) == (0, 2, 4, 99)


def test_short_deck_heads_up_the_button_acts_last_before_the_flop_too():
    trial = button_blind([100, 100])
    assert turns(trial, "call", "check", "check", "check") == [0, 1, 0, 1]


def test_the_button_blind_moves_to_the_next_player_with_every_hand():
    trial = button_blind([100] * 3, hand_delay=4)
    blinds = []
    for _ in range(4):
        blinds += [seat for seat, kind, _ in posts(trial) if kind == "button_blind"]
        acts(trial, "fold", "fold")
        trial.wait(10_000)
    assert blinds == [2, 0, 1, 2]


# Bomb pots


def bomb(chips, cards=None, **settings):
    return table(chips, cards, bomb_ante=5, bomb_every=1, **settings)


def test_a_bomb_pot_has_an_ante_from_everybody_no_blinds_and_a_flop_at_once():
    trial = bomb([100] * 4)
    assert posts(trial) == [(seat, "ante", 10) for seat in range(4)]
    assert trial.public["street"] == "flop"
    assert len(trial.public["board"]) == 3
    assert trial.public["pot"] == 40


def test_a_bomb_pot_is_opened_left_of_the_button_for_at_least_a_big_blind():
    trial = bomb([100] * 4)
    assert offer(trial) == (0, 0, 2, 90)
    assert turns(trial, *["check"] * 4) == [0, 1, 2, 3]


def test_tda_21_one_who_cannot_pay_the_whole_bomb_ante_plays_for_its_part():
    cards = deck("AcAd", "KcKd", "QcQd", board="2h 7s 9d 4c 3s")
    trial = bomb([4, 100, 100], cards, min_buy_in=2)
    while trial.game.actors(trial.state):
        acts(trial, "check")
    assert pot_shares(trial) == [{0: 12}, {1: 12}]
    assert stacks(trial) == [12, 102, 90]


def test_a_bomb_pot_in_between_moves_no_blinds():
    """Every second hand is a bomb pot: the big blind of the hands around it goes on as if it had not been."""
    trial = table([200] * 4, bomb_ante=1, bomb_every=2, hand_delay=4)
    for _ in range(6):
        while trial.game.actors(trial.state):
            acts(trial, "fold")
        trial.wait(10_000)
    played = kinds(trial, ev.HandStarted)
    assert [event.big_blind for event in played if not event.bomb][:3] == [1, 2, 3]
    assert [bool(event.bomb) for event in played[:6]] == [False, True] * 3
    assert [event.button for event in played[:6]] == [3, 3, 0, 0, 1, 1]


def test_a_bomb_pot_on_two_boards_is_halved_with_the_odd_chip_to_the_first():
    """Three antes of 5 are 15: the first board is worth 8, the second 7."""
    cards = deck("AcAd", "KcKd", "QcQd", board="2h 7s 9d 4c 3s Kh 2s 8d 5c 6s")
    trial = bomb([100] * 3, cards, double_board="bombs", big_blind=1, small_blind=1)
    assert [len(board) for board in trial.public["boards"]] == [3, 3]
    while trial.game.actors(trial.state):
        acts(trial, "check")
    assert parts(trial) == [[(0, "high", 8, {0: 8}), (1, "high", 7, {1: 7})]]


def test_a_fold_to_a_bet_in_a_bomb_pot_gives_up_both_boards():
    trial = acts(bomb([100] * 3, double_board="bombs"), 20, "fold", "fold")
    assert pot_shares(trial) == [{0: 30}]
