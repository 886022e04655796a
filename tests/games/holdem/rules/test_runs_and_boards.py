"""Running it twice or three times, and two boards: each pot is divided by boards, and each part is won by itself."""

import pytest

from parlour.games.contract import Illegal
from parlour.games.poker.holdem import events as ev

from ..test_table import acts, deck, kinds, stacks, table
from .told import parts, pot_shares

ACES, KINGS, QUEENS = "AcAd", "KcKd", "QcQd"
KINGS_BOARD, ACES_BOARD = "Kh 7s 9d 4c 3s", "2h 8s 9c 4d 3h"


def agree(trial, *times):
    """Everybody who is asked says how often, in the order of the seats."""
    asked = sorted(trial.game.actors(trial.state))
    for seat, often in zip(asked, times, strict=True):
        if seat in trial.game.actors(trial.state):  # after a refusal nobody else is asked
            trial.act(seat, "run", times=often)
    return trial


def streets(trial):
    return [(event.board, event.street, event.cards) for event in kinds(trial, ev.StreetDealt)]


def test_run_it_twice_each_board_is_worth_half_of_the_pot():
    cards = deck(ACES, KINGS, board=KINGS_BOARD + ACES_BOARD)
    trial = agree(acts(table([100, 100], cards, run_it=2), "allin", "call"), 2, 2)
    assert parts(trial) == [[(0, "high", 100, {1: 100}), (1, "high", 100, {0: 100})]]
    assert stacks(trial) == [100, 100]


def test_run_it_twice_the_odd_chip_goes_to_the_first_board():
    """The small blind folded 1 chip into a pot of 201."""
    cards = deck(QUEENS, ACES, KINGS, board=KINGS_BOARD + ACES_BOARD)
    trial = agree(acts(table([100, 100, 100], cards, run_it=2), "allin", "fold", "call"), 2, 2)
    assert parts(trial) == [[(0, "high", 101, {2: 101}), (1, "high", 100, {1: 100})]]


def test_run_it_three_times_the_odd_chips_go_one_each_to_the_first_boards():
    """101 and 100 and 100, or 10 as 4, 3, 3: here 200 are 67, 67, 66."""
    cards = deck(ACES, KINGS, board=KINGS_BOARD + ACES_BOARD + "2s 8d 9h 5c 3d")
    trial = agree(acts(table([100, 100], cards, run_it=3), "allin", "call"), 3, 3)
    assert [part[2] for part in parts(trial)[0]] == [67, 67, 66]
    assert pot_shares(trial) == [{0: 133, 1: 67}]


def test_wsop_live_149_main_and_side_pot_are_divided_by_themselves():
    """Main pot 33 (17 + 16), side pot 180 (90 + 90)."""
    cards = deck(QUEENS, ACES, KINGS, board=KINGS_BOARD + ACES_BOARD)
    trial = agree(acts(table([11, 101, 101], cards, run_it=2), "allin", "allin", "call"), 2, 2, 2)
    assert parts(trial) == [
        [(0, "high", 17, {2: 17}), (1, "high", 16, {1: 16})],
        [(0, "high", 90, {2: 90}), (1, "high", 90, {1: 90})],
    ]


def test_run_it_twice_cards_that_lie_are_shared_and_no_card_comes_twice():
    cards = deck(ACES, KINGS, board="7s 9d 4c Kh 3s 2h 8s")
    trial = acts(table([100, 100], cards, run_it=2), "call", "check")
    agree(acts(trial, "allin", "call"), 2, 2)
    assert streets(trial) == [
        (0, "flop", ["7s", "9d", "4c"]),
        (0, "turn", ["Kh"]),
        (0, "river", ["3s"]),
        (1, "turn", ["2h"]),
        (1, "river", ["8s"]),
    ]
    assert trial.public["boards"] == [["7s", "9d", "4c", "Kh", "3s"], ["7s", "9d", "4c", "2h", "8s"]]


@pytest.mark.parametrize(("answers", "times"), [((2, 1), 1), ((3, 2), 2), ((1, 3), 1), ((3, 3), 3)])
def test_run_it_as_often_as_everybody_agrees_to(answers, times):
    trial = agree(acts(table([100, 100], run_it=3), "allin", "call"), *answers)
    assert [event.times for event in kinds(trial, ev.RunsAgreed)] == [times]
    assert len({board for board, _, _ in streets(trial)}) == times


def test_one_who_says_nothing_runs_it_once():
    trial = acts(table([100, 100], run_it=2), "allin", "call")
    trial.act(trial.game.actors(trial.state)[0], "run", times=2)
    trial.wait(60_000)
    assert [event.times for event in kinds(trial, ev.RunsAgreed)] == [1]
    assert sum(stacks(trial)) + trial.public["pot"] == 200


def test_nobody_is_asked_more_often_than_the_host_allows():
    trial = acts(table([100, 100], run_it=2), "allin", "call")
    with pytest.raises(Illegal):
        trial.act(trial.game.actors(trial.state)[0], "run", times=3)


def test_nobody_is_asked_on_the_river_or_while_two_can_bet():
    trial = acts(table([100, 100, 20], run_it=2), "allin", "call", "call")
    assert trial.game.legal(trial.state, trial.actor) is not None
    trial = acts(table([100, 100], run_it=2), "call", "check", *["check"] * 4, "allin", "call")
    assert not kinds(trial, ev.RunsOffered)
    assert kinds(trial, ev.HandEnded)


def test_an_uncalled_bet_goes_back_before_the_pot_is_divided():
    cards = deck(ACES, KINGS, board=KINGS_BOARD + ACES_BOARD)
    trial = acts(table([60, 100], cards, run_it=2), "allin", "call")
    assert [(event.seat, event.amount) for event in kinds(trial, ev.Returned)] == [(1, 40)]
    agree(trial, 2, 2)
    assert parts(trial) == [[(0, "high", 60, {1: 60}), (1, "high", 60, {0: 60})]]


def test_tda_16_the_hands_lie_open_before_anybody_says_how_often():
    trial = acts(table([100, 100], run_it=2), "allin", "call")
    assert {event.seat for event in kinds(trial, ev.Shown)} == {0, 1}
    assert kinds(trial, ev.RunsOffered)
    assert not kinds(trial, ev.StreetDealt)


def test_run_it_twice_high_low_each_board_is_split_into_high_and_low():
    """100 on each board: on the first nobody has a low, on the second seven-four has it."""
    cards = deck("KhKdQsQc", "As2s9h9d", board="Kc 7d Jh Jc Ts 3h 4c 7h Ks Jd")
    trial = acts(table([50, 50], cards, variant="omaha-hilo", run_it=2), "allin", "call")
    agree(trial, 2, 2)
    assert parts(trial) == [
        [(0, "high", 50, {0: 50}), (1, "high", 25, {0: 25}), (1, "low", 25, {1: 25})],
    ]


def test_two_boards_each_is_worth_half_of_each_pot():
    cards = deck(ACES, KINGS, board=KINGS_BOARD + ACES_BOARD)
    trial = acts(table([100, 100], cards, double_board="always", run_it=2), "allin", "call")
    assert parts(trial) == [[(0, "high", 100, {1: 100}), (1, "high", 100, {0: 100})]]
    assert not kinds(trial, ev.RunsOffered)


def test_two_boards_one_who_wins_both_has_everything():
    cards = deck(ACES, KINGS, board=ACES_BOARD + "2s 8d 9h 5c 3d")
    trial = acts(table([100, 100], cards, double_board="always"), "allin", "call")
    assert stacks(trial) == [200, 0]


def test_tda_17_on_two_boards_a_hand_that_wins_one_is_not_mucked():
    cards = deck(KINGS, ACES, QUEENS, board=ACES_BOARD + "Qh 7h 9s 5d 6c")
    trial = acts(table([100] * 3, cards, double_board="always"), "call", "call", "check", *["check"] * 9)
    assert [event.seat for event in kinds(trial, ev.Shown)] == [0, 1, 2]
    trial = acts(table([100] * 3, cards, double_board="always"), "call", "call", "check", *["check"] * 6)
    acts(trial, "check", 10, "call", "call")
    assert [event.seat for event in kinds(trial, ev.Shown)] == [1, 2]
    assert [event.seat for event in kinds(trial, ev.Mucked)] == [0]
