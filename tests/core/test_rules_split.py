"""Hi-lo, two boards, and a board that is run more than once: each test is named by the rule that it proves."""

from collections.abc import Callable
from typing import Literal

import pytest

from parlour._core import Hand, parse_cards

Play = Callable[[Hand, str], Hand]
Stacked = Callable[..., list[int]]

CHECKED_DOWN = "k k k k k k"


def parts(hand: Hand) -> list[list[tuple[int, Literal["high", "low"], int, list[int], list[int]]]]:
    return [pot.parts for pot in hand.pots()]


# --- hi-lo ---

LOW_BOARD = "3c 4d 7h Kc Qs"
KINGS, LOW, WORSE = "KdKhJsTs", "As2sJdTh", "Ah5h9c9d"


def test_tda_20c_the_odd_chip_between_high_and_low_goes_to_the_high(play: Play, stacked: Stacked) -> None:
    """TDA 20-C, Robert's Rules: a pot of 5 is 3 for the high and 2 for the low."""
    deck = stacked(["9h9sTc8s", KINGS, LOW], LOW_BOARD)
    hand = play(Hand([100] * 3, variant="omaha-hilo", deck=deck), f"c f k {CHECKED_DOWN}")
    assert parts(hand) == [[(0, "high", 3, [1], [3]), (0, "low", 2, [2], [2])]]
    assert hand.payouts() == [0, 3, 2]
    assert [(pot.amount, pot.winners, pot.shares) for pot in hand.pots()] == [(5, [1, 2], [3, 2])]


@pytest.mark.parametrize(
    "board",
    [
        pytest.param("Kc Qd 8h 7c 9d", id="two low cards on the board"),
        pytest.param("Kc Qd 8h 7c 7d", id="three, of which two are of one rank"),
    ],
)
def test_without_a_low_of_eight_or_better_the_high_takes_all(play: Play, stacked: Stacked, board: str) -> None:
    """A low is five different ranks of eight or less, three of them on the board."""
    hand = play(Hand([50, 50], variant="omaha-hilo", deck=stacked(["As2s3s4s", "KdKhJsTs"], board)), "a c")
    assert hand.low_rank(0) is None
    assert parts(hand) == [[(0, "high", 100, [1], [100])]]


def test_a_low_takes_two_cards_of_the_hand(play: Play, stacked: Stacked) -> None:
    """Four low cards on the board do not help a hand with one: Omaha is two of the hand and three of the board."""
    deck = stacked(["AsKsQdJd", "8s7sTcTh"], "2c 3d 4h 6c Kd")
    hand = play(Hand([50, 50], variant="omaha-hilo", deck=deck), "a c")
    assert hand.low_rank(0) is None
    assert hand.low_rank(1) is not None
    assert parts(hand) == [[(0, "high", 50, [0], [50]), (0, "low", 50, [1], [50])]]
    assert [(side, code) for _, side, _, _, code in hand.worths(1, 5)] == [("high", "pair:TK"), ("low", "low:87432")]
    assert hand.worths(1, 5)[1][2] == "8-7-4-3-2 low"


def test_tda_20d_identical_hands_split_the_whole_pot_as_evenly_as_possible(play: Play, stacked: Stacked) -> None:
    """TDA 20-D: two wheels share 66 as 33 and 33; halved first they would be 34 and 32."""
    deck = stacked(["As2sQdJd", "Ah2hQcJs"], "3c 4d 5h Kc Ks")
    hand = play(Hand([33, 33], variant="omaha-hilo", deck=deck), "a c")
    assert hand.payouts() == [33, 33]
    assert parts(hand) == [[(0, "high", 33, [0, 1], [17, 16]), (0, "low", 33, [0, 1], [16, 17])]]


def test_tda_20a_tied_lows_split_their_half_from_the_left_of_the_button(play: Play, stacked: Stacked) -> None:
    """TDA 20-A: 33 of 66 are the high's, the low's 33 are 17 and 16: the second hand is quartered."""
    deck = stacked(["As2sKdQd", "Ah2hQcJs"], "3c 4d 7h Kc Ks")
    hand = play(Hand([33, 33], variant="omaha-hilo", deck=deck), "a c")
    assert parts(hand) == [[(0, "high", 33, [0], [33]), (0, "low", 33, [0, 1], [17, 16])]]
    assert hand.payouts() == [50, 16]


def test_tda_21_each_pot_is_divided_by_itself_between_high_and_low(play: Play, stacked: Stacked) -> None:
    """TDA 21: the best low of all is all-in for the main pot; the side pot's low is the next one's."""
    deck = stacked([LOW, KINGS, WORSE], LOW_BOARD)
    hand = play(Hand([10, 20, 20], variant="omaha-hilo", deck=deck), "a a a")
    assert parts(hand) == [
        [(0, "high", 15, [1], [15]), (0, "low", 15, [0], [15])],
        [(0, "high", 10, [1], [10]), (0, "low", 10, [2], [10])],
    ]
    assert hand.stacks == [15, 25, 10]


def test_tda_17_who_beats_neither_the_high_nor_the_low_before_may_muck(play: Play, stacked: Stacked) -> None:
    """TDA 17: in order from the left of the button, a hand shows that is as good in one of the halves."""
    deck = stacked([KINGS, LOW, WORSE], LOW_BOARD)
    hand = play(Hand([100] * 3, variant="omaha-hilo", deck=deck), "c c k k k k k k k k k k")
    assert hand.showdown() == [(0, True), (1, True), (2, False)]


def test_five_card_omaha_is_played_hi_lo_too(play: Play, stacked: Stacked) -> None:
    deck = stacked([KINGS + "Jc", LOW + "Jh"], LOW_BOARD)
    hand = play(Hand([50, 50], variant="omaha5-hilo", limit="pot-limit", deck=deck), "c k " + CHECKED_DOWN)
    assert len(hand.hole(0)) == 5
    assert parts(hand) == [[(0, "high", 2, [0], [2]), (0, "low", 2, [1], [2])]]


# --- two boards ---

ACES, SIXES, TWO_KINGS = "AhAd", "7h6h", "KhKd"
ACE_BOARD, KING_BOARD = "Ac 8c 9d Jd 3s", "Kc 8s 9h Js 2c"


def test_two_boards_the_odd_chip_goes_to_the_first(play: Play, stacked: Stacked) -> None:
    """A pot of 5 is 3 for the first board and 2 for the second."""
    deck = stacked([SIXES, ACES, TWO_KINGS], f"{ACE_BOARD} {KING_BOARD}")
    hand = play(Hand([100] * 3, boards=2, deck=deck), f"c f k {CHECKED_DOWN}")
    assert hand.boards == [parse_cards(ACE_BOARD), parse_cards(KING_BOARD)]
    assert hand.board == hand.boards[0]
    assert parts(hand) == [[(0, "high", 3, [1], [3]), (1, "high", 2, [2], [2])]]
    assert hand.payouts() == [0, 3, 2]


def test_two_boards_are_dealt_street_by_street(play: Play, stacked: Stacked) -> None:
    """One round of betting belongs to both flops, both turns, both rivers."""
    deck = stacked([SIXES, ACES, TWO_KINGS], f"{ACE_BOARD} {KING_BOARD}")
    hand = Hand([100] * 3, boards=2, deck=deck)
    assert hand.boards == [[], []]
    for script, cards in (("c c k", 3), ("k k k", 4), ("k k k", 5)):
        play(hand, script)
        assert hand.boards == [parse_cards(ACE_BOARD)[:cards], parse_cards(KING_BOARD)[:cards]]


def test_two_boards_each_half_is_divided_between_high_and_low(play: Play, stacked: Stacked) -> None:
    """11 chips: boards of 6 and 5, halves of 3 and 3, 3 and 2."""
    deck = stacked(["QcQd9c9s", KINGS, LOW], "3c 4d 7h Kc Qs  3d 4h 8c Ks Qh")
    hand = play(Hand([100] * 3, variant="omaha-hilo", boards=2, deck=deck), f"r5 f c {CHECKED_DOWN}")
    assert parts(hand) == [
        [(0, "high", 3, [1], [3]), (0, "low", 3, [2], [3]), (1, "high", 3, [1], [3]), (1, "low", 2, [2], [2])]
    ]
    assert hand.payouts() == [0, 6, 5]


def test_two_boards_who_wins_one_of_them_shows(play: Play, stacked: Stacked) -> None:
    deck = stacked([TWO_KINGS, ACES, SIXES], f"{ACE_BOARD} {KING_BOARD}")
    hand = play(Hand([100] * 3, boards=2, deck=deck), f"c c k k k k {CHECKED_DOWN}")
    assert hand.showdown() == [(0, True), (1, True), (2, False)]
    assert hand.rank(0, on=1) > hand.rank(1, on=1)
    assert hand.rank(0) < hand.rank(1)
    with pytest.raises(ValueError, match="no such board"):
        hand.rank(0, on=2)


def test_two_boards_a_pot_that_nobody_contests_is_not_divided(play: Play) -> None:
    hand = play(Hand([100] * 3, boards=2), "f f")
    assert parts(hand) == [[(0, "high", 2, [1], [2])]]


def test_two_boards_need_the_cards_and_are_run_once() -> None:
    with pytest.raises(ValueError, match="too many seats for the deck"):
        Hand([100] * 9, variant="omaha5", boards=2)
    with pytest.raises(ValueError, match="two boards are run once"):
        Hand([100] * 2, boards=2, runs=2)
    with pytest.raises(ValueError, match="one board or two"):
        Hand([100] * 2, boards=3)


# --- run it twice, or three times ---

RUNS = f"{ACE_BOARD} {KING_BOARD} As 8d 9s Jh 4c"
DECK = [ACES, TWO_KINGS]


def test_a_hand_stops_for_the_runs_where_nobody_can_bet_any_more(play: Play, stacked: Stacked) -> None:
    hand = play(Hand([100, 100], runs=2, deck=stacked(DECK, RUNS)), "a c")
    assert hand.awaits_runs
    assert not hand.done
    assert (hand.actor, hand.legal(), hand.payouts(), hand.boards, hand.most_runs) == (None, None, None, [[]], 2)
    assert sum(hand.stacks) + hand.pot == 200
    assert Hand.from_bytes(hand.to_bytes()) == hand
    assert hand.sizes() == []
    assert (hand.all_in_to(), hand.to_call(0)) == (0, 0)
    assert "to be run" in repr(hand)


def test_run_it_twice_each_run_is_for_half_of_the_pot(play: Play, stacked: Stacked) -> None:
    hand = play(Hand([100, 100], runs=2, deck=stacked(DECK, RUNS)), "a c")
    hand.run(2)
    assert hand.done
    assert hand.boards == [parse_cards(ACE_BOARD), parse_cards(KING_BOARD)]
    assert parts(hand) == [[(0, "high", 100, [0], [100]), (1, "high", 100, [1], [100])]]
    assert hand.stacks == [100, 100]
    assert Hand.from_bytes(hand.to_bytes()) == hand


def test_run_it_twice_the_runs_share_the_cards_that_lie(play: Play, stacked: Stacked) -> None:
    """All-in on the turn: the second river is the next card of the deck."""
    hand = play(Hand([100, 100], runs=2, deck=stacked(DECK, RUNS)), "c k k k k r98 c")
    assert len(hand.board) == 4
    hand.run(2)
    assert hand.boards == [parse_cards(ACE_BOARD), parse_cards("Ac 8c 9d Jd Kc")]


def test_run_it_three_times_the_odd_chips_go_to_the_first_runs(play: Play, stacked: Stacked) -> None:
    """11 chips are 4, 4 and 3."""
    hand = play(Hand([100, 5, 5], runs=3, deck=stacked([SIXES, *DECK], RUNS)), "a f a")
    hand.run(3)
    assert parts(hand) == [[(0, "high", 4, [1], [4]), (1, "high", 4, [2], [4]), (2, "high", 3, [1], [3])]]
    assert hand.payouts() == [0, 7, 4]


def test_run_it_twice_main_and_side_pot_are_each_divided(play: Play, stacked: Stacked) -> None:
    """The short stack's queens win one run of the main pot; kings and aces share the side pot."""
    deck = stacked(["QhQd", *DECK], "Qc 8c 9d 2d 3s Kc 8s 9h Js 2c")
    hand = play(Hand([11, 30, 30], runs=2, deck=deck), "a a a")
    hand.run(2)
    assert parts(hand) == [
        [(0, "high", 17, [0], [17]), (1, "high", 16, [2], [16])],
        [(0, "high", 19, [1], [19]), (1, "high", 19, [2], [19])],
    ]
    assert hand.stacks == [17, 19, 35]


def test_run_it_twice_hi_lo_each_run_has_a_high_and_a_low(play: Play, stacked: Stacked) -> None:
    deck = stacked([KINGS, LOW], "3c 4d 7h Kc Qs  3d 9s 8c Ks 9h")
    hand = play(Hand([33, 33], variant="omaha-hilo", runs=2, deck=deck), "a c")
    hand.run(2)
    assert parts(hand) == [[(0, "high", 17, [0], [17]), (0, "low", 16, [1], [16]), (1, "high", 33, [0], [33])]]


def test_the_uncalled_bet_is_back_before_the_runs_are_agreed(play: Play, stacked: Stacked) -> None:
    hand = play(Hand([60, 100], runs=2, deck=stacked(DECK, RUNS)), "a c")
    assert hand.awaits_runs
    assert (hand.returned, hand.stacks, hand.pot) == ((1, 40), [0, 40], 120)
    hand.run(2)
    assert hand.stacks == [60, 100]


def test_run_once_is_the_hand_without_the_choice(play: Play, stacked: Stacked) -> None:
    hands = [play(Hand([60, 100], runs=runs, deck=stacked(DECK, RUNS)), "a c") for runs in (1, 3)]
    assert [hand.done for hand in hands] == [True, False]
    hands[1].run(1)
    assert hands[0].stacks == hands[1].stacks
    assert hands[0].pots() == hands[1].pots()
    assert hands[1].boards == [hands[0].board]


def test_no_more_runs_than_the_deck_has_cards_for(play: Play) -> None:
    """Nine hands of five cards leave seven cards: five before the flop run once, a river three times."""
    folds = "f f f f f f f"
    before_the_flop = play(Hand([100] * 9, variant="omaha5", runs=3), f"{folds} a c")
    assert before_the_flop.done
    on_the_turn = play(Hand([100] * 9, variant="omaha5", runs=3), f"{folds} c k k k a c")
    assert on_the_turn.most_runs == 3
    on_the_turn.run(3)
    assert len({tuple(board[:4]) for board in on_the_turn.boards}) == 1
    assert len({board[4] for board in on_the_turn.boards}) == 3


def test_two_who_can_still_bet_do_so_before_any_run(play: Play, stacked: Stacked) -> None:
    deck = stacked([SIXES, *DECK], RUNS)
    hand = play(Hand([100, 100, 5], runs=2, deck=deck), "a c c")
    assert not hand.awaits_runs
    assert (hand.street, hand.actor) == (1, 0)
    play(hand, "k k k k k k")
    assert hand.done
    assert len(hand.boards) == 1


def test_what_is_refused_while_the_runs_are_open(play: Play, stacked: Stacked) -> None:
    hand = play(Hand([100, 120], runs=2, deck=stacked(DECK, RUNS)), "c r100 c")
    before = hand.copy()
    for kind in ("fold", "check", "call", "allin", 1, 3):
        with pytest.raises(ValueError, match="betting is over"):
            hand.act(kind)
    for times in (0, 3, -1):
        with pytest.raises(ValueError, match="run 1 to 2 times"):
            hand.run(times)
    with pytest.raises(ValueError, match="plays on"):
        hand.fold_out_of_turn(1)
    with pytest.raises(ValueError, match="not over"):
        hand.rabbit()
    assert hand == before
    hand.run(2)
    with pytest.raises(ValueError, match="not to be run"):
        hand.run(1)
    with pytest.raises(ValueError, match="one to three times"):
        Hand([100, 100], runs=4)
