"""Seats that leave in the middle of a hand, at the engine: a table folds them when their turn comes."""

from collections.abc import Callable

import pytest

from parlour._core import Hand

Play = Callable[[Hand, str], Hand]
Stacked = Callable[..., list[int]]

LIMITS = ["no-limit", "pot-limit", "fixed-limit"]
VARIANTS = ["holdem", "omaha", "omaha5", "omaha6", "short-deck"]


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


def test_tda_17_a_folded_aggressor_does_not_show(play: Play, stacked: Stacked) -> None:
    """Who left after the last bet is out: the first seat left of the button begins."""
    deck = stacked(["QhQd", "KhKd", "AhAd"])
    hand = play(Hand([100] * 3, deck=deck), "c c k k k k k k k k r10 c")
    hand.fold_out_of_turn(1)
    hand.act("call")
    assert [seat for seat, _ in hand.showdown()] == [0, 2]


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
