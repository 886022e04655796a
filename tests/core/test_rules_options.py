"""Straddles, button blind, bomb pots, the 7-2 game and the rabbit: each test is named by the rule that it proves."""

from collections.abc import Callable

import pytest

from parlour._core import Hand, parse_cards

Play = Callable[[Hand, str], Hand]
Stacked = Callable[..., list[int]]


def offer(hand: Hand) -> tuple[int | None, int, int]:
    """Who is to act, what a call costs, and the least raise."""
    legal = hand.legal()
    assert legal is not None
    return hand.actor, legal.call, legal.min_raise_to


# --- straddles ---


def test_mississippi_straddle_the_action_begins_left_of_the_straddler(play: Play) -> None:
    """The button straddles 4 on 1/2: the small blind acts first and the button last; the least raise doubles it."""
    hand = Hand([100] * 4, blinds=(1, 2), straddle=4, straddle_seat=3)
    assert hand.bets == [1, 2, 0, 4]
    assert offer(hand) == (0, 3, 8)
    play(hand, "c c c")
    assert offer(hand) == (3, 0, 8)
    play(hand, "k")
    assert (hand.street, hand.actor) == (1, 0)


def test_a_straddle_goes_with_posts_and_a_live_post_is_part_of_it() -> None:
    posts = [(0, 1, 0), (1, 2, 0), (2, 2, 1)]
    hand = Hand([100] * 4, blinds=(1, 2), posts=posts, big_blind_seat=1, straddle=4, straddle_seat=2)
    assert hand.bets == [1, 2, 4, 0]
    assert hand.stacks == [99, 98, 95, 100]
    assert offer(hand) == (3, 4, 8)


def test_a_straddle_with_posts_is_by_default_left_of_the_big_blind() -> None:
    hand = Hand([100] * 4, blinds=(1, 2), posts=[(3, 1, 0), (0, 2, 0)], big_blind_seat=0, straddle=4)
    assert hand.bets == [2, 4, 0, 1]
    assert hand.actor == 2


def test_who_cannot_pay_the_straddle_does_not_straddle() -> None:
    hand = Hand([100, 100, 100, 3], blinds=(1, 2), straddle=4, straddle_seat=3)
    assert hand.bets == [1, 2, 0, 0]
    assert hand.actor == 2


@pytest.mark.parametrize("seat", [0, 1])
def test_the_blinds_do_not_straddle(seat: int) -> None:
    with pytest.raises(ValueError, match="blinds cannot straddle"):
        Hand([100] * 4, blinds=(1, 2), straddle=4, straddle_seat=seat)


def test_a_straddler_without_a_straddle_is_refused() -> None:
    with pytest.raises(ValueError, match="goes with a straddle"):
        Hand([100] * 4, straddle_seat=3)
    for seat in (4, -1):
        with pytest.raises(ValueError, match="not a seat"):
            Hand([100] * 4, straddle=4, straddle_seat=seat)


# --- the button blind ---


def test_button_blind_the_button_posts_alone_and_the_seat_on_its_left_acts_first(play: Play) -> None:
    """Short deck as it is played: an ante from everybody and one blind, by the button, who acts last."""
    hand = Hand([100] * 3, blinds=(1, 2), ante=1, button_blind=True, variant="short-deck")
    assert (hand.bets, hand.pot) == ([0, 0, 2], 5)
    assert offer(hand) == (0, 2, 4)
    play(hand, "c c")
    assert offer(hand) == (2, 0, 4)
    play(hand, "k")
    assert (hand.street, hand.actor) == (1, 0)


def test_button_blind_heads_up_the_other_seat_acts_first_on_every_street(play: Play) -> None:
    hand = Hand([100, 100], blinds=(1, 2), ante=1, button_blind=True)
    assert (hand.bets, hand.actor) == ([0, 2], 0)
    play(hand, "c k")
    assert hand.actor == 0


def test_button_blind_no_small_blind_counts_in_pot_limit() -> None:
    """The pot is the button's 2 and the call of 2: a raise goes to 6 at most."""
    for posts in (None, [(2, 2, 0)]):
        seat = None if posts is None else 2
        hand = Hand([100] * 3, blinds=(1, 2), button_blind=True, limit="pot-limit", posts=posts, big_blind_seat=seat)
        legal = hand.legal()
        assert legal is not None
        assert (hand.actor, legal.max_raise_to) == (0, 6)


def test_button_blind_a_straddle_is_left_of_the_button() -> None:
    hand = Hand([100] * 3, blinds=(0, 2), button_blind=True, straddle=4)
    assert hand.bets == [4, 0, 2]
    assert hand.actor == 1


# --- bomb pots ---


def test_bomb_pot_everybody_antes_and_the_betting_begins_on_the_flop(play: Play) -> None:
    """No blinds, no betting before the flop; the first to act is left of the button, the least bet the big blind."""
    hand = Hand([100] * 4, blinds=(1, 2), bomb=10, button=1)
    assert (hand.street, hand.actor, hand.pot, hand.bets) == (1, 2, 40, [0] * 4)
    assert len(hand.board) == 3
    assert offer(hand) == (2, 0, 2)
    play(hand, "k k k k")
    assert hand.street == 2


def test_bomb_pot_a_short_ante_is_all_in_for_its_part(play: Play, stacked: Stacked) -> None:
    deck = stacked(["QhQd", "KhKd", "AhAd"], "2c 8c 9d Jd 3s")
    hand = play(Hand([100, 100, 4], blinds=(1, 2), bomb=10, deck=deck), "k k k k k k")
    assert [(pot.amount, pot.winners) for pot in hand.pots()] == [(12, [2]), (12, [1])]
    assert hand.stacks == [90, 102, 12]


def test_bomb_pot_where_fewer_than_two_have_chips_left_the_board_runs_out() -> None:
    hand = Hand([10, 5, 100], blinds=(1, 2), bomb=10)
    assert hand.done
    assert len(hand.board) == 5
    assert Hand([10, 5, 100], blinds=(1, 2), bomb=10, runs=2).awaits_runs


def test_bomb_pot_with_two_boards(play: Play, stacked: Stacked) -> None:
    deck = stacked(["AhAd", "KhKd"], "Ac 8c 9d Jd 3s Kc 8s 9h Js 2c")
    hand = Hand([100, 100], bomb=7, boards=2, deck=deck)
    assert [len(board) for board in hand.boards] == [3, 3]
    play(hand, "k k k k k k")
    assert hand.payouts() == [7, 7]


@pytest.mark.parametrize("option", ["ante", "big_blind_ante", "straddle", "button_blind", "posts"])
def test_bomb_pot_there_are_no_other_posts(option: str) -> None:
    value = {"straddle": 4, "button_blind": True, "posts": []}.get(option, 1)
    with pytest.raises(ValueError, match="in a bomb pot"):
        Hand([100] * 3, bomb=5, **{option: value})  # type: ignore[arg-type]


# --- the 7-2 game ---

SEVEN_DEUCE = ["7h2d", "AhKd", "QcQs"]


def test_seven_deuce_everybody_dealt_in_pays_whoever_wins_with_it(play: Play, stacked: Stacked) -> None:
    """At a showdown at once, after the pots are paid."""
    deck = stacked(SEVEN_DEUCE, "7c 7s 2h 9d Jc")
    hand = play(Hand([100] * 3, seven_deuce=5, deck=deck), "c c k k k k k k k k k k")
    assert hand.payouts() == [6, 0, 0]
    assert hand.bounty == (0, [0, 5, 5])
    assert hand.stacks == [114, 93, 93]
    assert hand.contributed == [2, 2, 2]
    assert hand.settlement([0, 1, 2])[2] == {0: 104, 1: 98, 2: 98}
    assert Hand.from_bytes(hand.to_bytes()) == hand


def test_seven_deuce_where_all_folded_it_is_claimed_by_showing(play: Play, stacked: Stacked) -> None:
    hand = play(Hand([100] * 3, seven_deuce=5, deck=stacked(SEVEN_DEUCE)), "f r10 f")
    assert (hand.bounty, hand.unclaimed_bounty, hand.stacks) == (None, 0, [102, 98, 100])
    hand.claim_bounty()
    assert (hand.bounty, hand.unclaimed_bounty, hand.stacks) == ((0, [0, 5, 5]), None, [112, 93, 95])
    assert Hand.from_bytes(hand.to_bytes()) == hand
    with pytest.raises(ValueError, match="no bounty"):
        hand.claim_bounty()


def test_seven_deuce_nobody_pays_more_than_the_stack_that_is_left(play: Play, stacked: Stacked) -> None:
    """Seat 1 has lost everything, seat 2 has folded and has 3 left."""
    deck = stacked(SEVEN_DEUCE, "7c 7s 2h 9d Jc")
    hand = play(Hand([100, 50, 5], seven_deuce=5, deck=deck), "c r50 c f")
    assert hand.bounty == (0, [0, 0, 3])
    assert hand.stacks == [155, 0, 0]


@pytest.mark.parametrize(
    ("holes", "board"),
    [
        pytest.param(["7h2d", "7c2c"], "Ac Kc Qh Jd 9s", id="a pot that is shared"),
        pytest.param(["7h6d", "AcKs"], "7c 7s 2h 9d Jc", id="another hand"),
        pytest.param(["7h2d", "AcKs"], "Ah 3s 4h 9d Jc", id="a hand that loses"),
    ],
)
def test_seven_deuce_is_for_who_takes_the_main_pot_alone(
    play: Play, stacked: Stacked, holes: list[str], board: str
) -> None:
    hand = play(Hand([100, 100], seven_deuce=5, deck=stacked(holes, board)), "a c")
    assert hand.bounty is None
    assert hand.unclaimed_bounty is None


def test_seven_deuce_is_a_game_of_holdem() -> None:
    with pytest.raises(ValueError, match="hold'em"):
        Hand([100, 100], seven_deuce=5, variant="omaha")


# --- the rabbit ---


def test_rabbit_the_cards_that_would_have_come(play: Play, stacked: Stacked) -> None:
    board = "2c 8c 9d Jd 3s"
    deck = stacked(["QhQd", "KhKd"], board)
    hand = Hand([100, 100], deck=deck)
    with pytest.raises(ValueError, match="not over"):
        hand.rabbit()
    assert play(hand, "f").rabbit() == [parse_cards(board)]
    assert play(Hand([100, 100], deck=deck), "c k r2 f").rabbit() == [parse_cards(board)[3:]]
    assert play(Hand([100, 100], deck=deck), "a c").rabbit() == [[]]


def test_rabbit_of_two_boards(play: Play, stacked: Stacked) -> None:
    first, second = "2c 8c 9d Jd 3s", "2d 8d 9h Jh 3h"
    hand = play(Hand([100, 100], boards=2, deck=stacked(["QhQd", "KhKd"], f"{first} {second}")), "c k r2 f")
    assert hand.rabbit() == [parse_cards(first)[3:], parse_cards(second)[3:]]


# --- pot-limit and fixed-limit caps ---


def test_roberts_rules_the_cap_holds_in_hi_lo_and_after_a_bomb(play: Play) -> None:
    """Fixed limit: a bet and three raises where three have chips, on the flop of a bomb pot as anywhere."""
    hand = Hand([100] * 3, blinds=(1, 2), bomb=5, limit="fixed-limit", variant="omaha-hilo")
    play(hand, "r2 r4 r6 r8")
    legal = hand.legal()
    assert legal is not None
    assert (legal.call, legal.max_raise_to) == (4, 0)


def test_a_button_straddle_is_one_of_the_four_bets_of_fixed_limit(play: Play) -> None:
    hand = play(Hand([100] * 4, straddle=4, straddle_seat=3, limit="fixed-limit"), "r6 r8")
    legal = hand.legal()
    assert legal is not None
    assert (hand.actor, legal.max_raise_to) == (2, 0)
