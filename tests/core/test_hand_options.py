"""What only the engine says: which options go together, what it refuses, and what it tells while a hand runs.

The rules themselves are played in tests/rules.
"""

from collections.abc import Callable

import pytest

from parlour._core import Hand, parse_cards

Play = Callable[[Hand, str], Hand]
Stacked = Callable[..., list[int]]

DECK = ["AhAd", "KhKd"]
RUNS = "Ac 8c 9d Jd 3s Kc 8s 9h Js 2c As 8d 9s Jh 4c"


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


@pytest.mark.parametrize("option", ["ante", "big_blind_ante", "straddle", "button_blind", "posts"])
def test_bomb_pot_there_are_no_other_posts(option: str) -> None:
    value = {"straddle": 4, "button_blind": True, "posts": []}.get(option, 1)
    with pytest.raises(ValueError, match="in a bomb pot"):
        Hand([100] * 3, bomb=5, **{option: value})  # type: ignore[arg-type]


def test_seven_deuce_is_a_game_of_holdem() -> None:
    with pytest.raises(ValueError, match="hold'em"):
        Hand([100, 100], seven_deuce=5, variant="omaha")


def test_two_boards_need_the_cards_and_are_run_once() -> None:
    with pytest.raises(ValueError, match="too many seats for the deck"):
        Hand([100] * 9, variant="omaha5", boards=2)
    with pytest.raises(ValueError, match="two boards are run once"):
        Hand([100] * 2, boards=2, runs=2)
    with pytest.raises(ValueError, match="one board or two"):
        Hand([100] * 2, boards=3)


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


def test_side_pots_are_shown_while_the_hand_runs(play: Play) -> None:
    """Above what somebody is all-in for a side pot begins, and it grows with the bets."""
    hand = play(Hand([50, 500, 500], blinds=(5, 10)), "r50 c c r100")
    assert [(pot.amount, pot.contestants, pot.winners) for pot in hand.pots()] == [
        (150, [0, 1, 2], []),
        (100, [1, 2], []),
    ]


def test_the_rank_is_known_from_the_flop_on_and_on_each_board(play: Play, stacked: Stacked) -> None:
    hand = Hand([100, 100], deck=stacked(["2h2d", "AhKd"], "2c 7d 9h Jc 3s"))
    with pytest.raises(ValueError, match="board"):
        hand.rank(0)
    play(hand, "c k")
    assert hand.board == parse_cards("2c 7d 9h")
    assert hand.rank(0) > hand.rank(1)
    hand = play(Hand([100, 100], boards=2, deck=stacked(["KhKd", "AhAd"], RUNS)), "a c")
    assert hand.board == hand.boards[0]
    assert hand.rank(0) < hand.rank(1)
    assert hand.rank(0, on=1) > hand.rank(1, on=1)
    with pytest.raises(ValueError, match="no such board"):
        hand.rank(0, on=2)


def test_a_low_is_told_by_its_cards(play: Play, stacked: Stacked) -> None:
    deck = stacked(["AsKsQdJd", "8s7sTcTh"], "2c 3d 4h 6c Kd")
    hand = play(Hand([50, 50], variant="omaha-hilo", deck=deck), "a c")
    assert hand.low_rank(0) is None
    assert hand.low_rank(1) is not None
    assert [(side, code) for _, side, _, _, code in hand.worths(1, 5)] == [("high", "pair:TK"), ("low", "low:87432")]
    assert hand.worths(1, 5)[1][2] == "8-7-4-3-2 low"


def test_the_pots_and_what_seven_deuce_brings_are_told_apart(play: Play, stacked: Stacked) -> None:
    deck = stacked(["7h2d", "AhKd", "QcQs"], "7c 7s 2h 9d Jc")
    hand = play(Hand([100] * 3, seven_deuce=5, deck=deck), "c c k k k k k k k k k k")
    assert (hand.payouts(), hand.contributed) == ([6, 0, 0], [2, 2, 2])
    assert hand.settlement([0, 1, 2])[2] == {0: 104, 1: 98, 2: 98}
    with pytest.raises(ValueError, match="no bounty"):
        hand.claim_bounty()


def test_there_is_no_rabbit_before_the_end_nor_where_the_board_is_complete(play: Play) -> None:
    hand = Hand([100, 100])
    assert hand.payouts() is None
    with pytest.raises(ValueError, match="not over"):
        hand.rabbit()
    assert play(hand, "a c").rabbit() == [[]]
