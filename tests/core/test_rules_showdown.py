"""Pots, odd chips and the showdown: each test is named by the rule that it proves.

A letter in brackets names the difference from pokerkit that the test decides; see proofs/verify_engine.py.
"""

from collections.abc import Callable

import pytest

from parlour._core import Hand, parse_cards

Play = Callable[[Hand, str], Hand]
Stacked = Callable[..., list[int]]

BOARD_PLAYS = "Ac Kc Qc Jc Tc"


def amounts(hand: Hand) -> list[tuple[int, list[int], list[int]]]:
    return [(pot.amount, pot.contestants, pot.winners) for pot in hand.pots()]


# --- uncalled bets ---


def test_an_uncalled_bet_goes_back_before_the_pot_is_won(play: Play) -> None:
    """Nobody called 50: it was never in the pot."""
    hand = play(Hand([100] * 3), "c c k r50 f f")
    assert hand.returned == (0, 50)
    assert hand.payouts() == [6, 0, 0]
    assert hand.stacks == [104, 98, 98]


def test_what_an_all_in_cannot_match_goes_back(play: Play, stacked: Stacked) -> None:
    """A bet of 100 called all-in for 30: 70 go back, whoever wins."""
    hand = play(Hand([30, 100], deck=stacked(["AhAd", "KhKd"])), "a c")
    assert hand.returned == (1, 70)
    assert hand.stacks == [60, 70]


def test_the_part_of_a_bet_that_a_folded_seat_matched_is_not_uncalled(play: Play) -> None:
    """Seat 2 makes it 20, seat 0 calls, seat 1 makes it 60 and all fold: 40 go back, 60 are won."""
    hand = play(Hand([100] * 3), "r20 c r60 f f")
    assert hand.returned == (1, 40)
    assert hand.payouts() == [0, 60, 0]


# --- side pots ---


def test_tda_21_wsop_149_each_pot_is_split_by_itself(play: Play, stacked: Stacked) -> None:
    """TDA 21, WSOP Live 149: pots of 21 and 29 give the first seat an odd chip each; mixed they
    would be 25 and 25 (D)."""
    deck = stacked(["4c4d", "AhKs", "QhQd", "AsKh", "5c5d"], "Ad Kd 7c 7s 2h")
    hand = play(Hand([100, 100, 5, 100, 100], blinds=(1, 2), deck=deck), "a r8 c f c k r10 f c k k k k")
    assert amounts(hand) == [(21, [1, 2, 3], [1, 3]), (29, [1, 3], [1, 3])]
    assert [pot.shares for pot in hand.pots()] == [[11, 10], [15, 14]]
    assert hand.payouts() == [0, 26, 0, 24, 0]


def test_tda_21_three_all_ins_make_a_main_and_a_side_pot_and_a_return(play: Play, stacked: Stacked) -> None:
    """All-in for 25, 50 and 100: 75 for all, 50 for two, 50 go back."""
    deck = stacked(["AhAd", "KhKd", "QhQd"])
    hand = play(Hand([25, 50, 100], blinds=(1, 2), deck=deck), "a c c")
    assert amounts(hand) == [(75, [0, 1, 2], [0]), (50, [1, 2], [1])]
    assert hand.returned == (2, 50)
    assert hand.stacks == [75, 50, 50]


def test_tda_21_the_worked_case_of_three_stacks(play: Play, stacked: Stacked) -> None:
    """A 3350, B 1650, C 400; C and B all-in, A calls; best is C, then B: C 1200, B 2500, A 1700."""
    deck = stacked(["5d4h", "QhQd", "AhAd"])
    hand = play(Hand([3350, 1650, 400], blinds=(10, 20), deck=deck), "a c a c")
    assert hand.stacks == [1700, 2500, 1200]


def test_tda_21_a_short_winner_takes_only_the_main_pot(play: Play, stacked: Stacked) -> None:
    """All-in 100 against 1000 and 1000: 300 to the best, 1800 to the better of the others."""
    deck = stacked(["AhAd", "KhKd", "QhQd"])
    hand = play(Hand([100, 1000, 1000], blinds=(5, 10), deck=deck), "a c c")
    assert amounts(hand) == [(300, [0, 1, 2], [0]), (1800, [1, 2], [1])]


def test_tda_21_folded_chips_stay_in_the_pots_that_they_were_paid_into(play: Play, stacked: Stacked) -> None:
    """A seat that folds after a side pot began has chips in both."""
    deck = stacked(["AhAd", "KhKd", "QhQd"])
    hand = play(Hand([50, 500, 500], blinds=(5, 10), deck=deck), "r50 c c r100 c r100 f")
    assert hand.done
    assert amounts(hand) == [(150, [0, 1], [0]), (200, [1], [1])]
    assert hand.returned == (1, 100)


def test_side_pots_are_shown_while_the_hand_runs(play: Play) -> None:
    """Above what somebody is all-in for a side pot begins, and it grows with the bets."""
    hand = play(Hand([50, 500, 500], blinds=(5, 10)), "r50 c c r100")
    assert amounts(hand) == [(150, [0, 1, 2], []), (100, [1, 2], [])]


def test_bets_of_100_200_200_200_and_a_tie_of_two(play: Play, stacked: Stacked) -> None:
    """B and C tie for best: 350 each."""
    deck = stacked(["4h5d", "AhKd", "AsKc", "6h4d"])
    hand = play(Hand([100, 200, 200, 200], blinds=(5, 10), deck=deck), "a c c c")
    assert hand.stacks == [0, 350, 350, 0]


def test_bets_of_100_200_200_and_a_tie_of_all(play: Play, stacked: Stacked) -> None:
    """Everybody has what they had."""
    deck = stacked(["4h5d", "AhKd", "AsKs"], BOARD_PLAYS)
    hand = play(Hand([100, 200, 200], blinds=(5, 10), deck=deck), "a c c")
    assert hand.stacks == [100, 200, 200]


# --- odd chips ---


@pytest.mark.parametrize(("button", "payouts"), [(0, [2, 3, 0]), (1, [3, 2, 0]), (2, [3, 2, 0])])
def test_tda_20_the_odd_chip_goes_to_the_first_winner_left_of_the_button(
    button: int, payouts: list[int], play: Play, stacked: Stacked
) -> None:
    """TDA 20-A: a pot of 5 between two, whoever has the button."""
    holes = ["2h3h", "2d3d", "2s3s"]
    deck = stacked(holes, BOARD_PLAYS, button)
    posts = [(0, 2, 0), (1, 2, 0), (2, 1, 0)]
    hand = Hand([100] * 3, button=button, deck=deck, posts=posts, big_blind_seat=1)
    play(hand, "f k k")
    while not hand.done:
        hand.act("check")
    assert hand.payouts() == payouts


def test_tda_20_no_player_gets_more_than_one_odd_chip_of_a_pot(play: Play, stacked: Stacked) -> None:
    """TDA 20: eleven chips among three winners are 4, 4 and 3, from the left of the button."""
    deck = stacked(["2h3h", "2d3d", "2s3s", "9h9d"], BOARD_PLAYS)
    hand = play(Hand([100] * 4, blinds=(1, 3), posts=[(0, 3, 0), (1, 3, 0), (3, 2, 0)], deck=deck), "c f k k")
    while not hand.done:
        hand.act("check")
    assert hand.payouts() == [4, 4, 3, 0]


def test_tda_20_heads_up_the_big_blind_is_left_of_the_button(play: Play, stacked: Stacked) -> None:
    """TDA 20-A with 34: heads-up the odd chip is the big blind's."""
    deck = stacked(["2h3h", "2d3d"], BOARD_PLAYS)
    hand = Hand([100, 100], deck=deck, posts=[(0, 2, 1), (1, 2, 0)], big_blind_seat=0)
    while not hand.done:
        hand.act("check")
    assert hand.payouts() == [3, 2]


# --- cards speak ---


def test_tda_12_cards_speak_the_best_hand_wins_without_a_claim(play: Play, stacked: Stacked) -> None:
    """TDA 12: the hands are read, not declared."""
    hand = play(Hand([100, 100], deck=stacked(["2h2d", "AhKd"], "2c 7d 9h Jc 3s")), "c k k k k k k k")
    assert hand.payouts() == [4, 0]
    assert hand.rank(0) > hand.rank(1)


def test_tda_19_who_plays_the_board_shares_with_those_who_do(play: Play, stacked: Stacked) -> None:
    """TDA 19: the board is everybody's hand."""
    hand = play(Hand([100, 100], deck=stacked(["2h2d", "AhKd"], BOARD_PLAYS)), "c k k k k k k k")
    assert hand.payouts() == [2, 2]


def test_omaha_plays_two_of_the_hand_and_three_of_the_board(play: Play, stacked: Stacked) -> None:
    """Four clubs on the board and one in the hand are no flush."""
    deck = stacked(["AcKd2h3h", "9c8c2d3d"], "Tc 7c 4c Jc Qs")
    hand = play(Hand([100, 100], deck=deck, variant="omaha", limit="pot-limit"), "c k k k k k k k")
    assert hand.payouts() == [0, 4]


def test_short_deck_a_flush_beats_a_full_house_and_the_ace_is_low_below_six(play: Play, stacked: Stacked) -> None:
    """Short deck: nine cards of a suit make flushes rarer than full houses; A-6-7-8-9 is a straight."""
    deck = stacked(["AcKc", "7h9d"], "7c 7d 9c Jc 6s")
    hand = play(Hand([100, 100], deck=deck, variant="short-deck"), "c k k k k k k k")
    assert hand.payouts() == [4, 0]
    deck = stacked(["Ac9d", "KhKd"], "6c 7d 8h Jc Qs")
    hand = play(Hand([100, 100], deck=deck, variant="short-deck"), "c k k k k k k k")
    assert hand.payouts() == [4, 0]


def test_the_rank_is_known_from_the_flop_on(play: Play, stacked: Stacked) -> None:
    hand = Hand([100, 100], deck=stacked(["2h2d", "AhKd"], "2c 7d 9h Jc 3s"))
    with pytest.raises(ValueError, match="board"):
        hand.rank(0)
    play(hand, "c k")
    assert hand.board == parse_cards("2c 7d 9h")
    assert hand.rank(0) > hand.rank(1)


# --- showing ---


def test_tda_16_all_hands_are_shown_when_somebody_is_all_in(play: Play, stacked: Stacked) -> None:
    """TDA 16: with an all-in and the betting over nobody may muck."""
    hand = play(Hand([100, 100, 50], deck=stacked(["AhAd", "KhKd", "QhQd"])), "a c c k k k k k k")
    assert [must for _, must in hand.showdown()] == [True, True, True]


def test_tda_16_the_board_is_run_out_when_no_betting_is_left(play: Play) -> None:
    """TDA 16: all-in and call before the flop, and the hand is over with five cards on the board."""
    hand = play(Hand([100, 100]), "a c")
    assert hand.done
    assert (hand.street, len(hand.board)) == (3, 5)
    assert hand.all_in == [True, True]


def test_tda_17_the_last_aggressor_of_the_last_round_shows_first(play: Play, stacked: Stacked) -> None:
    """TDA 17: a bet on the river was called: the bettor shows, then clockwise."""
    deck = stacked(["QhQd", "KhKd", "AhAd"])
    hand = play(Hand([100] * 3, deck=deck), "c c k k k k k k k k r10 c c")
    assert hand.showdown() == [(1, True), (2, True), (0, False)]


def test_tda_17_without_a_bet_on_the_river_the_first_seat_left_of_the_button_shows_first(
    play: Play, stacked: Stacked
) -> None:
    """TDA 17: aggression on earlier streets does not count."""
    deck = stacked(["QhQd", "KhKd", "AhAd"])
    hand = play(Hand([100] * 3, deck=deck), "c c k k k r10 c c k k k k k k")
    assert hand.showdown() == [(0, True), (1, True), (2, True)]


def test_tda_17_a_later_hand_that_cannot_win_may_be_mucked(play: Play, stacked: Stacked) -> None:
    """TDA 17: only a hand that beats or ties what has been shown must be."""
    deck = stacked(["AhAd", "KhKd", "AsAc"])
    hand = play(Hand([100] * 3, deck=deck), "c c k k k k k k k k k k")
    assert hand.showdown() == [(0, True), (1, False), (2, True)]


def test_tda_17_nobody_shows_where_all_others_folded(play: Play) -> None:
    """The winner of an uncontested pot keeps the cards down."""
    hand = play(Hand([100] * 3), "f f")
    assert hand.showdown() == []


def test_tda_17_a_folded_aggressor_does_not_show(play: Play, stacked: Stacked) -> None:
    """Who left after the last bet is out: the first seat left of the button begins."""
    deck = stacked(["QhQd", "KhKd", "AhAd"])
    hand = play(Hand([100] * 3, deck=deck), "c c k k k k k k k k r10 c")
    hand.fold_out_of_turn(1)
    hand.act("call")
    assert [seat for seat, _ in hand.showdown()] == [0, 2]


def test_there_is_no_showdown_before_the_end() -> None:
    hand = Hand([100] * 3)
    assert hand.showdown() == []
    assert hand.payouts() is None
    assert hand.returned is None
