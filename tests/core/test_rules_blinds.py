"""Button, blinds, antes and straddles: each test is named by the rule that it proves.

A letter in brackets names the difference from pokerkit that the test decides; see proofs/verify_engine.py.
"""

from collections.abc import Callable

import pytest

from parlour._core import Hand

Play = Callable[[Hand, str], Hand]
Stacked = Callable[..., list[int]]


def offer(hand: Hand) -> tuple[int | None, int, int]:
    """Who is to act, what a call costs, and the least raise."""
    legal = hand.legal()
    assert legal is not None
    return hand.actor, legal.call, legal.min_raise_to


# --- heads-up ---


def test_tda_34_heads_up_the_button_is_the_small_blind_and_acts_first_before_the_flop() -> None:
    """TDA 34: heads-up the button posts the small blind and opens the betting."""
    hand = Hand([100, 100], blinds=(1, 2), button=0)
    assert hand.bets == [1, 2]
    assert hand.actor == 0


def test_tda_34_heads_up_the_button_acts_last_after_the_flop(play: Play) -> None:
    """TDA 34: on every later street the big blind acts first."""
    hand = play(Hand([100, 100], blinds=(1, 2), button=0), "c k")
    for _ in range(3):
        assert hand.actor == 1
        play(hand, "k")
        assert hand.actor == 0
        play(hand, "k")
    assert hand.done


def test_tda_34_heads_up_the_button_is_dealt_the_last_card() -> None:
    """TDA 34: the first card goes to the big blind."""
    hand = Hand([100, 100], button=0, deck=range(9))
    assert hand.hole(1) == [0, 2]
    assert hand.hole(0) == [1, 3]


# --- order ---


def test_three_seats_the_button_acts_first_before_and_last_after_the_flop(play: Play) -> None:
    """The seat left of the big blind opens; after the flop the first seat left of the button."""
    hand = Hand([100] * 3, button=0)
    assert hand.bets == [0, 1, 2]
    assert hand.actor == 0
    play(hand, "c c k")
    assert hand.actor == 1


def test_after_the_flop_the_first_seat_still_in_left_of_the_button_opens(play: Play) -> None:
    """Folded and all-in seats are passed over."""
    hand = play(Hand([100, 100, 100, 100]), "c c f k")
    assert (hand.street, hand.actor) == (1, 1)


# --- short blinds ---


def test_wsop_150_a_short_big_blind_does_not_lower_the_price() -> None:
    """WSOP Live 150: the big blind has 60 of 100; a call costs 100, a raise goes to 200 (B)."""
    assert offer(Hand([1000, 60, 1000], blinds=(50, 100))) == (2, 100, 200)


def test_wsop_150_the_small_blind_completes_to_the_full_big_blind(play: Play) -> None:
    """WSOP Live 150: with 50 posted it pays 50 more, whatever the big blind had."""
    hand = play(Hand([1000, 60, 1000], blinds=(50, 100)), "c")
    assert offer(hand)[:2] == (0, 50)
    play(hand, "c")
    assert hand.street == 1
    assert [(pot.amount, pot.contestants) for pot in hand.pots()] == [(180, [0, 1, 2]), (80, [0, 2])]


def test_wsop_150_a_short_small_blind_changes_nothing() -> None:
    """WSOP Live 150: the price is the big blind."""
    assert offer(Hand([20, 1000, 1000], blinds=(50, 100))) == (2, 100, 200)


def test_a_big_blind_that_posts_its_last_chip_has_no_option(play: Play) -> None:
    """All-in from posting: the hand goes on without it."""
    hand = play(Hand([1000, 100, 1000], blinds=(50, 100)), "c c")
    assert (hand.street, hand.actor) == (1, 0)


def test_no_decision_where_everybody_else_is_all_in_and_covered(play: Play) -> None:
    """The big blind faces a smaller all-in and folds of the rest: there is nobody to act against (C)."""
    hand = play(Hand([1000, 1000, 60], blinds=(50, 100)), "a f")
    assert hand.done
    assert hand.returned == (1, 40)
    assert len(hand.board) == 5


def test_no_decision_where_the_small_blind_covers_a_short_big_blind() -> None:
    """Heads-up, the big blind is all-in for less than the small blind has posted: the cards are run out."""
    hand = Hand([30, 1000], blinds=(50, 100))
    assert hand.done
    assert hand.returned == (1, 20)


def test_heads_up_a_small_blind_below_a_short_big_blind_may_still_fold() -> None:
    """Heads-up, the big blind is all-in for 80 of 100: the small blind has a decision."""
    hand = Hand([80, 1000], blinds=(50, 100))
    assert offer(hand) == (1, 50, 0)
    hand.act("call")
    assert hand.done
    assert hand.contributed == [80, 80]


def test_everybody_all_in_from_the_posts() -> None:
    """The cards are run out at once."""
    hand = Hand([3, 5, 1], blinds=(5, 10), ante=1)
    assert hand.done
    assert sum(hand.stacks) == 9
    assert [(pot.amount, pot.contestants) for pot in hand.pots()] == [(3, [0, 1, 2]), (4, [0, 1])]
    assert hand.returned == (1, 2)


# --- antes ---


def test_each_seat_pays_the_ante_and_it_does_not_count_towards_a_call() -> None:
    """An ante is not live: the price is the whole big blind."""
    hand = Hand([100] * 3, blinds=(5, 10), ante=2)
    assert hand.pot == 21
    assert hand.contributed == [7, 12, 2]
    assert offer(hand) == (2, 10, 20)


def test_a_seat_all_in_for_its_ante_contests_the_antes_alone(play: Play, stacked: Stacked) -> None:
    """TDA 21: the main pot holds one ante of each, the blinds are a side pot."""
    deck = stacked(["KhKd", "QhQd", "AhAd"])
    hand = play(Hand([100, 100, 2], blinds=(5, 10), ante=2, deck=deck), "c k k k k k k k")
    assert [(pot.amount, pot.winners) for pot in hand.pots()] == [(6, [2]), (20, [0])]


def test_a_short_ante_takes_only_as_much_from_the_others(play: Play, stacked: Stacked) -> None:
    """All-in for half an ante wins half an ante of each."""
    deck = stacked(["KhKd", "QhQd", "AhAd"])
    hand = play(Hand([100, 100, 1], blinds=(5, 10), ante=2, deck=deck), "c k k k k k k k")
    assert hand.payouts() == [22, 0, 3]


def test_the_big_blind_ante_is_paid_by_the_big_blind_and_contested_by_all(play: Play, stacked: Stacked) -> None:
    """The ante of one seat is dead: the winner of the main pot has it, even all-in for less."""
    deck = stacked(["KhKd", "QhQd", "AhAd"])
    hand = Hand([100, 100, 4], blinds=(5, 10), big_blind_ante=10, deck=deck)
    assert hand.contributed == [5, 20, 0]
    play(hand, "a c k k k k k k k")
    assert [(pot.amount, pot.winners) for pot in hand.pots()] == [(22, [2]), (12, [0])]


def test_the_dead_ante_does_not_come_back_with_an_uncalled_bet(play: Play) -> None:
    """Everybody folds: the big blind takes back what nobody called of its blind and wins the rest."""
    hand = play(Hand([100] * 3, blinds=(5, 10), big_blind_ante=10), "f f")
    assert hand.returned == (1, 5)
    assert hand.payouts() == [0, 20, 0]
    assert hand.stacks == [95, 105, 100]


@pytest.mark.parametrize(("stack", "bet", "pot"), [(12, 2, 17), (7, 0, 12), (30, 10, 25)])
def test_where_the_ante_comes_first_a_short_big_blind_pays_it_before_the_blind(stack: int, bet: int, pot: int) -> None:
    """A house rule, which is also how PHH has it; the price of a call stays the whole big blind."""
    hand = Hand([100, stack, 100], blinds=(5, 10), big_blind_ante=10, ante_first=True)
    assert (hand.bets[1], hand.pot) == (bet, pot)
    assert offer(hand) == (2, 10, 20)


def test_tda_2024_a_short_big_blind_pays_the_blind_before_the_ante() -> None:
    """TDA 2024: where the chips do not suffice for both, the big blind comes first."""
    hand = Hand([100, 12, 100], blinds=(5, 10), big_blind_ante=10)
    assert hand.bets[1] == 10
    assert hand.contributed[1] == 12
    hand = Hand([100, 7, 100], blinds=(5, 10), big_blind_ante=10)
    assert (hand.bets[1], hand.pot) == (7, 12)


# --- straddle ---


def test_the_least_raise_over_a_straddle_doubles_it() -> None:
    """House rule: a straddle is a third blind, so that 20 on 5/10 is raised to 40. (WSOP Live 161 has 30 for some.)"""
    assert offer(Hand([1000] * 4, blinds=(5, 10), straddle=20)) == (3, 20, 40)


def test_a_straddle_is_a_third_blind_and_acts_last_before_the_flop(play: Play) -> None:
    """Left of the big blind posts it; the seat after it opens, and the straddler has the option."""
    hand = Hand([100] * 4, blinds=(1, 2), straddle=4)
    assert hand.bets == [1, 2, 4, 0]
    assert offer(hand) == (3, 4, 8)
    play(hand, "c c c")
    assert hand.actor == 2
    assert offer(hand)[1:] == (0, 8)
    hand.act("check")
    assert (hand.street, hand.actor) == (1, 0)


def test_after_the_flop_a_straddle_leaves_the_least_bet_at_the_big_blind(play: Play) -> None:
    """The straddle is for the first round."""
    hand = play(Hand([100] * 4, blinds=(1, 2), straddle=4), "c c c k")
    assert offer(hand) == (0, 0, 2)


@pytest.mark.parametrize(("stacks", "bets"), [([9, 9, 3, 9], [1, 2, 0, 0]), ([9, 9], [2, 1])])
def test_a_straddle_is_posted_whole_or_not_at_all(stacks: list[int], bets: list[int]) -> None:
    """It is voluntary: a seat without the chips for it does not straddle, nor does anybody heads-up."""
    assert Hand(stacks, blinds=(1, 2), straddle=4).bets == bets


def test_a_straddle_is_one_of_the_four_bets_of_fixed_limit(play: Play) -> None:
    """The big blind is the first bet, the straddle the second: two raises are left."""
    hand = play(Hand([100] * 4, blinds=(1, 2), straddle=4, limit="fixed-limit"), "r6 r8")
    assert offer(hand)[2] == 0


# --- dead button and missed blinds ---


def test_tda_32_a_dead_small_blind_is_simply_not_posted() -> None:
    """TDA 32: with a dead button a hand may have a big blind only; the seat left of it opens."""
    hand = Hand([100] * 4, blinds=(5, 10), posts=[(0, 10, 0)], big_blind_seat=0)
    assert hand.bets == [10, 0, 0, 0]
    assert offer(hand) == (1, 10, 20)


def test_tda_32_after_the_flop_the_button_decides_who_opens(play: Play) -> None:
    """TDA 32: play after the flop starts left of the button, whoever posted."""
    hand = Hand([100] * 4, blinds=(5, 10), posts=[(0, 10, 0)], big_blind_seat=0, button=1)
    play(hand, "c c c k")
    assert (hand.street, hand.actor) == (1, 2)


def test_missed_blinds_the_big_one_is_live_the_small_one_dead() -> None:
    """Who makes up both blinds has a live big blind, and the small one goes to the pot."""
    hand = Hand([100] * 4, blinds=(5, 10), posts=[(0, 5, 0), (1, 10, 0), (3, 10, 5)], big_blind_seat=1)
    assert hand.bets == [5, 10, 0, 10]
    assert hand.contributed == [5, 10, 0, 15]
    assert hand.pot == 30


def test_missed_blinds_the_poster_may_check_or_raise_in_turn(play: Play) -> None:
    """A live post is like a blind: its owner has the option."""
    hand = Hand([100] * 4, blinds=(5, 10), posts=[(0, 5, 0), (1, 10, 0), (3, 10, 5)], big_blind_seat=1)
    play(hand, "c")
    assert offer(hand) == (3, 0, 20)
    play(hand, "r20 f f f")
    assert hand.returned == (3, 10)
    assert hand.payouts() == [0, 0, 0, 40]


def test_a_dead_post_is_not_called_back_and_not_matched(play: Play, stacked: Stacked) -> None:
    """Dead chips are no part of a stake: the pots do not split over them."""
    deck = stacked(["KhKd", "QhQd", "AhAd"])
    hand = Hand([100] * 3, blinds=(5, 10), posts=[(0, 5, 0), (1, 10, 0), (2, 10, 5)], big_blind_seat=1, deck=deck)
    play(hand, "k c k k k k k k k k k k")
    assert [(pot.amount, pot.contestants) for pot in hand.pots()] == [(35, [0, 1, 2])]
    assert hand.stacks == [90, 90, 120]


def test_a_short_poster_pays_live_chips_before_dead_ones() -> None:
    """As with the big blind ante: the live part comes first."""
    hand = Hand([100, 100, 12], blinds=(5, 10), posts=[(0, 5, 0), (1, 10, 0), (2, 10, 5)], big_blind_seat=1)
    assert (hand.bets[2], hand.pot) == (10, 27)


# --- leaving in mid-hand ---


def test_who_leaves_out_of_turn_is_folded_and_the_turn_stays() -> None:
    """The seat is passed over; the chips stay in the pot."""
    hand = Hand([100] * 3)
    hand.fold_out_of_turn(1)
    assert hand.actor == 2
    assert hand.folded == [False, True, False]
    hand.act("fold")
    assert hand.done
    assert hand.stacks == [102, 98, 100]


def test_who_leaves_in_turn_is_folded_and_the_turn_passes() -> None:
    hand = Hand([100] * 3)
    hand.fold_out_of_turn(2)
    assert hand.actor == 0


def test_a_called_bet_of_somebody_who_left_is_won(play: Play) -> None:
    """Seat 0 bets 10, seat 1 calls, seat 0 leaves, seat 2 folds: the bet is won."""
    hand = play(Hand([100] * 3), "c c k r10 c")
    hand.fold_out_of_turn(0)
    hand.act("fold")
    assert hand.done
    assert hand.stacks == [88, 114, 98]


LIMITS = ["no-limit", "pot-limit", "fixed-limit"]
VARIANTS = ["holdem", "omaha", "omaha5", "omaha6", "short-deck"]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("limit", LIMITS)
def test_a_bet_in_turn_belongs_to_the_pot_though_its_seat_leaves(play: Play, variant: str, limit: str) -> None:
    """Robert's Rules, betting: a wager in turn is binding. Leaving before anybody called does not take it back."""
    hand = play(Hand([100] * 2, variant=variant, limit=limit), "c k r2")
    hand.fold_out_of_turn(0)
    assert hand.done
    assert hand.returned is None
    assert hand.stacks == [96, 104]


def test_only_what_nobody_could_call_any_more_goes_back_to_a_seat_that_left(play: Play) -> None:
    """A bet of 150 against a stack of 98: 98 are won, 52 go back."""
    hand = play(Hand([100, 200]), "c k k r150")
    hand.fold_out_of_turn(1)
    assert hand.returned == (1, 52)
    assert hand.stacks == [200, 100]


def test_a_bet_out_of_reach_of_a_hand_all_in_is_won_by_the_one_that_could_call_it(play: Play, stacked: Stacked) -> None:
    """Seat 1 is all-in for the main pot; seat 0 bets 50 and leaves: the side pot is seat 2's, whatever the cards."""
    deck = stacked(["QhQd", "AhAd", "KhKd"])
    hand = play(Hand([100, 10, 100], deck=deck), "r10 c c r50")
    hand.fold_out_of_turn(0)
    assert hand.done
    assert hand.stacks == [40, 30, 140]
    assert Hand.from_bytes(hand.to_bytes()) == hand


def test_a_call_of_such_a_bet_with_the_last_chips_is_all_in(play: Play) -> None:
    """Seat 3 raises to 60 and leaves, seat 1 is all-in for 10: seat 2 calls with its 50, and the runs can be chosen."""
    hand = Hand([200, 10, 50, 200], blinds=(1, 2), button=3, runs=2)
    play(hand, "r20 r60 f a")
    hand.fold_out_of_turn(3)
    assert (hand.awaits_runs, hand.stacks[2], hand.all_in) == (True, 0, [False, True, True, False])
    assert Hand.from_bytes(hand.to_bytes()) == hand


def test_the_hand_of_somebody_all_in_plays_on() -> None:
    """TDA 16 keeps it face up: leaving cannot lose it."""
    hand = Hand([100] * 3)
    hand.act("allin")
    with pytest.raises(ValueError, match="all-in"):
        hand.fold_out_of_turn(2)
    hand.fold_out_of_turn(1)
    with pytest.raises(ValueError, match="folded already"):
        hand.fold_out_of_turn(1)
    with pytest.raises(ValueError, match="no such seat"):
        hand.fold_out_of_turn(3)
