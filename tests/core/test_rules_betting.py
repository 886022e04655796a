"""Bets and raises: each test is named by the rule that it proves (TDA: Poker Tournament Directors Association).

A letter in brackets names the difference from pokerkit that the test decides; see proofs/verify_engine.py.
"""

import json
from collections.abc import Callable

import pytest

from parlour._core import Hand, Legal, choice_json

Play = Callable[[Hand, str], Hand]


def raises(hand: Hand) -> tuple[int, int]:
    """The least and the greatest raise of the seat to act; (0, 0) where it may not raise."""
    legal = hand.legal()
    assert legal is not None
    return legal.min_raise_to, legal.max_raise_to


def call(hand: Hand) -> int:
    legal = hand.legal()
    assert legal is not None
    return legal.call


# --- the size of bets and raises ---


def test_tda_43_the_first_bet_is_at_least_the_big_blind(play: Play) -> None:
    """TDA 43: on a new street the least bet is one big blind."""
    hand = play(Hand([1000] * 3, blinds=(50, 100)), "c c k")
    assert raises(hand) == (100, 900)


def test_tda_43_a_raise_adds_at_least_the_largest_bet_or_raise_of_the_round(play: Play) -> None:
    """TDA 43: after a raise from 100 to 350 the next must add 250 more."""
    hand = play(Hand([5000] * 3, blinds=(50, 100)), "r350")
    assert raises(hand)[0] == 600


def test_tda_43_the_largest_raise_counts_not_the_last(play: Play) -> None:
    """TDA 43: a short all-in on top of a raise of 300 leaves 300 as the least raise."""
    hand = play(Hand([5000, 5000, 5000, 450], blinds=(50, 100)), "r400 a")
    assert hand.bets[3] == 450
    assert raises(hand)[0] == 750


def test_tda_43_the_least_raise_starts_anew_on_each_street(play: Play) -> None:
    """TDA 43 speaks of the current round: a big raise before the flop does not raise the least bet on it."""
    hand = play(Hand([5000] * 3, blinds=(50, 100)), "r900 c c")
    assert hand.street == 1
    assert raises(hand)[0] == 100


def test_tda_43_a_raise_below_the_least_is_refused(play: Play) -> None:
    """TDA 43: an online table asks for a legal amount instead of guessing which was meant."""
    hand = play(Hand([5000] * 3, blinds=(50, 100)), "r300")
    with pytest.raises(ValueError, match="less than 500"):
        hand.act("raise", 499)
    hand.act("raise", 500)


def test_tda_43_all_in_is_always_enough_for_a_raise(play: Play) -> None:
    """TDA 43 and 47: whoever has more than a call but less than a raise may put it all in."""
    hand = play(Hand([5000, 5000, 5000, 450], blinds=(50, 100)), "r300")
    assert raises(hand) == (450, 450)
    with pytest.raises(ValueError, match="less than 450"):
        hand.act("raise", 449)


def test_tda_48_no_cap_on_raises_in_no_limit(play: Play) -> None:
    """TDA 48: in no-limit and pot-limit the number of raises has no limit."""
    hand = play(Hand([100_000] * 2, blinds=(1, 2)), " ".join(f"r{2 * n}" for n in range(2, 40)))
    assert raises(hand)[1] == 100_000


# --- re-opening the bet ---


def test_tda_47_wsop_171_a_short_all_in_does_not_reopen_the_betting(play: Play) -> None:
    """TDA 47-A, WSOP Live 171: the bettor faces less than a full raise and may only call or fold."""
    hand = play(Hand([1000, 1000, 130], blinds=(5, 10)), "c c k r100 c a")
    assert hand.bets == [100, 100, 120]
    assert hand.actor == 0
    assert call(hand) == 20
    assert raises(hand) == (0, 0)
    with pytest.raises(ValueError, match="only call or fold"):
        hand.act("raise", 220)
    hand.act("call")
    assert raises(hand) == (0, 0)


def test_wsop_96_a_short_all_in_that_opens_a_street_does_not_reopen_it(play: Play) -> None:
    """WSOP Tournament 96, Live 171: an opening all-in below the least bet gives those who checked no raise (A)."""
    hand = play(Hand([1000, 1000, 160], blinds=(50, 100)), "c c k k k a")
    assert hand.bets == [0, 0, 60]
    assert (hand.actor, call(hand)) == (0, 60)
    assert raises(hand) == (0, 0)


def test_wsop_96_a_short_all_in_as_first_raise_before_the_flop_does_not_reopen(play: Play) -> None:
    """WSOP Tournament 96: limpers who face an all-in of less than a full raise may only call or fold (A)."""
    hand = play(Hand([1000, 1000, 1000, 150], blinds=(50, 100)), "c a")
    assert raises(hand) == (250, 1000)  # the small blind has not acted yet
    play(hand, "c c")
    assert (hand.actor, call(hand), raises(hand)) == (2, 50, (0, 0))


def test_tda_47_who_has_not_acted_may_raise_over_a_short_all_in(play: Play) -> None:
    """TDA 47-A closes the betting only to those who have acted already."""
    hand = play(Hand([1000, 1000, 160, 1000], blinds=(50, 100)), "c c c k k k a")
    assert hand.bets == [0, 0, 60, 0]
    assert (hand.actor, raises(hand)) == (3, (160, 900))


def test_tda_47_a_full_all_in_raise_reopens_the_betting(play: Play) -> None:
    """TDA 47-A: an all-in that adds a full raise is a raise like any other."""
    hand = play(Hand([1000, 1000, 210], blinds=(5, 10)), "c c k r100 c a")
    assert hand.bets[2] == 200
    assert (hand.actor, raises(hand)) == (0, (300, 990))


def test_tda_47_wsop_96a_short_all_ins_that_add_up_to_a_full_raise_reopen(play: Play) -> None:
    """TDA 47-A, WSOP Tournament 96a: two short all-ins together make a full raise for the first bettor (E)."""
    hand = play(Hand([2000, 170, 220, 2000], blinds=(5, 10)), "c c c k r100 a a c")
    assert hand.bets == [100, 160, 210, 210]
    assert (hand.actor, call(hand)) == (0, 110)
    assert raises(hand) == (310, 1990)


def test_tda_47_short_all_ins_reopen_for_one_and_not_for_another(play: Play) -> None:
    """TDA 47-A counts what each player faces: 110 reopens to the bettor, 50 does not to the caller between."""
    hand = play(Hand([2000, 170, 2000, 220], blinds=(5, 10)), "c c c k r100 a c a")
    assert hand.bets == [100, 160, 160, 210]
    assert (hand.actor, raises(hand)[0]) == (0, 310)
    hand.act("call")
    assert (hand.actor, call(hand), raises(hand)) == (2, 50, (0, 0))


def test_tda_47_after_a_reopening_the_least_raise_is_the_last_full_one(play: Play) -> None:
    """TDA 47-A with 43: short all-ins of 60 and 50 over a bet of 100 leave the least raise at 100."""
    hand = play(Hand([2000, 170, 220, 2000], blinds=(5, 10)), "c c c k r100 a a c")
    with pytest.raises(ValueError, match="less than 310"):
        hand.act("raise", 309)
    hand.act("raise", 310)


def test_tda_47_the_big_blind_keeps_its_option_over_a_short_all_in(play: Play) -> None:
    """TDA 47-A: posting is not acting, so the big blind may raise over a short all-in."""
    hand = play(Hand([1000, 1000, 150], blinds=(50, 100)), "a f")
    assert (hand.actor, call(hand)) == (1, 50)
    assert raises(hand) == (0, 0)  # nobody is left to raise
    hand = play(Hand([1000, 1000, 150, 1000], blinds=(50, 100)), "a c f")
    assert (hand.actor, raises(hand)) == (1, (250, 1000))


def test_wsop_96_a_raise_needs_somebody_who_could_call_it(play: Play) -> None:
    """With everybody else all-in there is nothing to raise for: call or fold."""
    hand = play(Hand([1000, 300, 200], blinds=(5, 10)), "a c")
    assert (hand.actor, call(hand), raises(hand)) == (1, 190, (300, 300))
    hand.act("raise", 300)
    assert (hand.actor, call(hand), raises(hand)) == (0, 100, (0, 0))


def test_all_in_where_no_raise_is_allowed_is_a_call(play: Play) -> None:
    """Whoever says all-in against players who are all-in for less has called them."""
    hand = play(Hand([1000, 300, 200], blinds=(5, 10)), "a f a")
    assert hand.done
    assert hand.contributed == [5, 200, 200]


# --- fixed limit ---


def test_tda_48_fixed_limit_allows_one_bet_and_three_raises(play: Play) -> None:
    """TDA 48: in limit the house's cap applies, here four bets, and a capped round can only be called."""
    hand = play(Hand([1000] * 3, blinds=(5, 10), limit="fixed-limit"), "c c k r10 r20 r30 r40")
    assert raises(hand) == (0, 0)
    with pytest.raises(ValueError, match="only call or fold"):
        hand.act("raise", 50)


def test_tda_48_the_big_blind_is_the_first_of_the_four_bets(play: Play) -> None:
    """TDA 48: before the flop the blind is a bet, and three raises are left."""
    hand = play(Hand([1000] * 3, blinds=(5, 10), limit="fixed-limit"), "r20 r30 r40")
    assert raises(hand) == (0, 0)


@pytest.mark.parametrize("cap", [4, 5, 0])
def test_fixed_limit_heads_up_has_no_cap(play: Play, cap: int) -> None:
    """Robert's Rules, betting and raising: unlimited raising is allowed in heads-up play."""
    script = " ".join(f"r{10 * n}" for n in range(2, 30))
    hand = play(Hand([1000] * 2, blinds=(5, 10), limit="fixed-limit", cap=cap), script)
    assert raises(hand) == (300, 300)


def test_fixed_limit_has_no_cap_where_two_are_left_before_it_is_reached(play: Play) -> None:
    """Robert's Rules: any time the action becomes heads-up before the raising has been capped."""
    hand = play(Hand([1000] * 3, blinds=(5, 10), limit="fixed-limit"), "r20 f r30 r40")
    assert raises(hand) == (50, 50)


def test_fixed_limit_stays_capped_where_two_are_left_after_it(play: Play) -> None:
    """Three players with chips made the fourth bet: that one of them folds then opens nothing."""
    hand = play(Hand([1000] * 3, blinds=(5, 10), limit="fixed-limit"), "r20 r30 r40 f")
    assert raises(hand) == (0, 0)


def test_wsop_fixed_limit_cap_of_four_raises_is_a_choice(play: Play) -> None:
    """WSOP: one bet and four raises."""
    hand = play(Hand([1000] * 3, blinds=(5, 10), limit="fixed-limit", cap=5), "c c k r10 r20 r30 r40")
    assert raises(hand) == (50, 50)
    hand.act("raise", 50)
    assert raises(hand) == (0, 0)


def test_tda_47b_an_all_in_of_half_a_bet_counts_as_a_bet(play: Play) -> None:
    """What the next raise comes to is a choice: on a 20 round, after an all-in bet of 15, it is the next whole bet, 40.
    Rule books differ here; present copies of Robert's Rules have 15 and a bet, 35."""
    hand = play(Hand([1000, 35, 1000], blinds=(10, 20), limit="fixed-limit"), "c c k k r15")
    assert raises(hand) == (40, 40)


def test_tda_47b_less_than_half_a_bet_can_be_completed(play: Play) -> None:
    """An all-in bet of 5 on a 20 round is completed to 20, and the completed bet is the first of the four."""
    hand = play(Hand([1000, 25, 1000, 1000], blinds=(10, 20), limit="fixed-limit"), "c c c k k r5")
    assert raises(hand) == (20, 20)
    play(hand, "r20 r40 r60 r80")
    assert raises(hand) == (0, 0)


def test_tda_47b_an_all_in_raise_of_less_than_half_reopens_nothing(play: Play) -> None:
    """Seat 0 bet 20 and faces 29: 9 more is less than half a bet. Seat 2 may complete to 40."""
    hand = play(Hand([1000, 49, 1000], blinds=(10, 20), limit="fixed-limit"), "c c k r20 r29")
    assert raises(hand) == (40, 40)
    play(hand, "c")
    assert hand.actor == 0
    assert raises(hand) == (0, 0)


def test_tda_47b_an_all_in_raise_of_half_a_bet_reopens_the_betting(play: Play) -> None:
    """Seat 0 bet 20 and faces 30: the raise counts, and the next one is to 60."""
    hand = play(Hand([1000, 50, 1000], blinds=(10, 20), limit="fixed-limit"), "c c k r20 r30")
    assert raises(hand) == (60, 60)
    play(hand, "c")
    assert hand.actor == 0
    assert raises(hand) == (60, 60)


def test_tda_47_small_all_ins_that_make_half_a_bet_together_reopen_the_betting(play: Play) -> None:
    """20, all-in 26, all-in 31: seat 0 faces 11 more, which is half a bet."""
    hand = play(Hand([1000, 46, 51, 1000], blinds=(10, 20), limit="fixed-limit"), "c c c k r20 r26 r31 c")
    assert hand.actor == 0
    assert raises(hand) == (60, 60)


def test_the_half_bet_rule_can_be_left_out(play: Play) -> None:
    """A house rule: an all-in raise counts with its own size."""
    hand = play(Hand([1000, 50, 1000], blinds=(10, 20), limit="fixed-limit", half_bet=False), "c c k r20 r30")
    assert raises(hand) == (50, 50)


def test_fixed_limit_bets_double_on_the_turn(play: Play) -> None:
    """Limit hold'em: small bets before and on the flop, big bets on the turn and the river."""
    hand = play(Hand([1000] * 2, blinds=(5, 10), limit="fixed-limit"), "c k")
    sizes = []
    while not hand.done:
        sizes.append(raises(hand))
        play(hand, "k k")
    assert sizes == [(10, 10), (20, 20), (20, 20)]


def test_fixed_limit_an_all_in_may_be_less_than_a_bet(play: Play) -> None:
    """TDA 47 and 48: a stack smaller than the bet goes in whole."""
    hand = play(Hand([1000, 17], blinds=(5, 10), limit="fixed-limit"), "c k k")
    assert raises(hand) == (7, 7)


# --- pot limit ---


def test_tda_54_the_pot_bet_is_the_pot_after_the_call(play: Play) -> None:
    """TDA 54: blinds 100-200, the first player may make it 700."""
    hand = Hand([10_000] * 3, blinds=(100, 200), limit="pot-limit", variant="omaha")
    assert raises(hand) == (400, 700)
    play(hand, "r700")
    assert raises(hand)[1] == 2300  # the call of 600 makes the pot 1600, and so much may go on top of 700


def test_tda_54b_a_short_big_blind_counts_as_full(play: Play) -> None:
    """TDA 54-B: small blind 100, big blind all-in for 100 of 200: the pot bet is still 700."""
    hand = Hand([10_000, 100, 10_000], blinds=(100, 200), limit="pot-limit", variant="omaha")
    assert raises(hand)[1] == 700


def test_tda_54b_a_short_small_blind_counts_as_full() -> None:
    """TDA 54-B: a small blind all-in for 30 of 100 does not lower the pot bet (B)."""
    assert raises(Hand([30, 10_000, 10_000], blinds=(100, 200), limit="pot-limit"))[1] == 700


def test_tda_54b_a_dead_small_blind_counts_as_full() -> None:
    """TDA 54-B: no small blind because the button is dead, big blind 200: the pot bet is 700."""
    hand = Hand([10_000] * 3, blinds=(100, 200), limit="pot-limit", posts=[(1, 200, 0)], big_blind_seat=1)
    assert (hand.actor, raises(hand)[1]) == (2, 700)


def test_tda_54b_a_post_of_as_many_chips_is_no_small_blind() -> None:
    """Both blinds are 1 and the small one is dead; seat 1 posts 1 to come in. The pot counts as 3: raise to 4."""
    hand = Hand([100] * 4, blinds=(1, 1), limit="pot-limit", posts=[(0, 1, 0), (1, 1, 0)], big_blind_seat=0)
    assert hand.actor == 1
    assert raises(hand) == (2, 4)


def test_a_blind_that_nobody_could_pay_is_raised_all_the_same() -> None:
    """The ante took the big blind's last chip: the others still have 5 to call, so that more is a raise, not a bet."""
    hand = Hand([100, 100, 1], blinds=(2, 5), ante=1, button=2, posts=[(2, 5, 0)], big_blind_seat=2)
    assert hand.bets == [0, 0, 0]
    actions = json.loads(choice_json(hand))["actions"]
    assert actions == ["fold", "call", "raise", "allin"]


def test_tda_54c_after_the_flop_the_actual_pot_counts(play: Play) -> None:
    """TDA 54-C: what a short blind lacked is not in the pot any more."""
    hand = play(Hand([10_000, 100, 10_000], blinds=(100, 200), limit="pot-limit"), "c c")
    assert hand.street == 1
    assert raises(hand)[1] == hand.pot == 500


def test_pot_limit_all_in_above_the_pot_is_refused() -> None:
    """Pot limit: an all-in that is more than the pot is not a legal raise."""
    hand = Hand([10_000] * 3, blinds=(100, 200), limit="pot-limit")
    with pytest.raises(ValueError, match="more than 700"):
        hand.act("allin")


# --- acting ---


def test_tda_58_folding_without_a_bet_is_a_fold(play: Play) -> None:
    """TDA 58: a fold in turn when a check was free is binding."""
    hand = play(Hand([100] * 3), "c c k f")
    assert hand.folded == [True, False, False]
    assert hand.actor == 1


def test_a_round_ends_when_all_have_acted_and_matched(play: Play) -> None:
    """The turn comes round until nobody owes chips; the big blind has its option."""
    hand = play(Hand([100] * 3), "c c")
    assert (hand.street, hand.actor) == (0, 1)
    hand.act("raise", 6)
    assert (hand.street, hand.actor) == (0, 2)
    play(hand, "c c")
    assert hand.street == 1


def test_legal_says_what_a_seat_may_do() -> None:
    """The three answers to a blind: fold, call its price, raise."""
    legal = Hand([100] * 3).legal()
    assert isinstance(legal, Legal)
    assert (legal.fold, legal.check, legal.call) == (True, False, 2)
