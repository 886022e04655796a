"""The hand engine's plain mechanics: order of play, streets, what the state shows."""

import copy
import doctest
import inspect
import pickle

import pytest

import parlour
from parlour._core import Hand, HandBatch


def check_down(hand: Hand) -> None:
    while not hand.done:
        hand.act(1)


def test_what_a_hand_takes_can_be_asked_for() -> None:
    """By editors, through inspect.signature."""
    for thing, first, some in ((Hand, "stacks", {"blinds": (1, 2), "cap": 4}), (HandBatch, "n", {"seed": None})):
        parameters = inspect.signature(thing).parameters
        assert next(iter(parameters)) == first
        assert {name: parameters[name].default for name in some} == some
    assert str(inspect.signature(parlour.shuffle)) == "(seed: 'bytes | None' = None, n: 'int' = 52) -> 'list[int]'"


def test_blinds_and_first_actor_by_position() -> None:
    hand = Hand([100] * 6, blinds=(5, 10))
    assert hand.bets == [5, 10, 0, 0, 0, 0]
    assert hand.actor == 2
    assert hand.pot == 15


def test_cards_go_round_one_at_a_time_from_the_left_of_the_button() -> None:
    hand = Hand([100] * 3, button=0, deck=range(11))
    assert [hand.hole(seat) for seat in range(3)] == [[2, 5], [0, 3], [1, 4]]
    assert hand.board == []
    check_down(hand)
    assert hand.board == [6, 7, 8, 9, 10]


def test_a_hand_goes_from_street_to_street() -> None:
    hand = Hand([100] * 2)
    seen = []
    while not hand.done:
        seen.append((hand.street, hand.actor, len(hand.board)))
        hand.act(1)
    assert seen == [(0, 1, 0), (0, 0, 0), (1, 0, 3), (1, 1, 3), (2, 0, 4), (2, 1, 4), (3, 0, 5), (3, 1, 5)]


def test_state_survives_bytes_pickle_and_copies() -> None:
    hand = Hand([100, 50, 30], ante=1)
    hand.act("raise", 10)
    for other in (Hand.from_bytes(hand.to_bytes()), pickle.loads(pickle.dumps(hand)), hand.copy(), copy.deepcopy(hand)):
        assert other == hand
        other.act("fold")
        assert other != hand


def test_the_example_in_the_documentation_of_hand_runs() -> None:
    examples = doctest.DocTestParser().get_doctest(Hand.__doc__ or "", {"Hand": Hand}, "Hand", None, None)
    assert examples.examples
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_repr_shows_no_hole_card() -> None:
    hand = Hand([100, 100], deck="AsKsQsJsTs9s8s7s6s")
    assert repr(hand) == "<Hand no-limit holdem, 2 seats, preflop, pot 3, seat 1 to act>"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"stacks": [100]}, "2 to 10 seats"),
        ({"stacks": [100] * 11}, "2 to 10 seats"),
        ({"stacks": [100, 0]}, "at least one chip"),
        ({"stacks": [100, -5]}, "negative"),
        ({"stacks": [100, 10**18]}, "10\\*\\*15"),
        ({"stacks": [10**15, 1]}, "10\\*\\*15 chips in all"),
        ({"stacks": [9, 9], "blinds": (2, 1)}, "small blind is larger"),
        ({"stacks": [9, 9], "blinds": (0, 0)}, "at least one chip"),
        ({"stacks": [9, 9], "blinds": (1, 2, 4)}, "pair"),
        ({"stacks": [9, 9], "ante": 2**70}, "10\\*\\*15"),
        ({"stacks": [9, 9], "button": 2}, "button"),
        ({"stacks": [9, 9], "button": -1}, "button"),
        ({"stacks": [9, 9], "variant": "stud"}, "variant must be one of"),
        ({"stacks": [9, 9], "limit": "spread"}, "limit must be one of"),
        ({"stacks": [9] * 8, "variant": "omaha6"}, "too many seats"),
        ({"stacks": [9, 9], "deck": "AsKs"}, "too few cards"),
        ({"stacks": [9, 9], "deck": [0] * 9}, "twice"),
        ({"stacks": [9, 9], "deck": [*range(8), 52]}, "not a card"),
        ({"stacks": [9, 9], "deck": "AsKsQsJsTs9s8s7s1x"}, "not a card"),
        ({"stacks": [9, 9], "deck": range(9), "variant": "short-deck"}, "below the six"),
        ({"stacks": [9, 9], "posts": [(2, 1, 0)]}, "not a seat"),
        ({"stacks": [9, 9], "posts": [(0, 1)]}, "seat, live, dead"),
        ({"stacks": [9, 9], "posts": [(0, 1, 0), (0, 2, 0)]}, "two posts"),
        ({"stacks": [9, 9], "big_blind_seat": 0}, "goes with posts"),
        ({"stacks": [9] * 3, "straddle": 2}, "larger than the big blind"),
        ({"stacks": [9] * 3, "straddle": 5, "limit": "fixed-limit"}, "two big blinds"),
    ],
)
def test_faults_in_the_rules_are_named(arguments: dict, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        Hand(**arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"stacks": 5},
        {"stacks": "55"},
        {"stacks": [1.5, 2]},
        {"stacks": [float("nan"), 2]},
        {"stacks": [True, 2]},
        {"stacks": [9, 9], "blinds": 2},
        {"stacks": [9, 9], "deck": 5},
        {"stacks": [9, 9], "deck": [None] * 9},
        {"stacks": [9, 9], "variant": 1},
        {"stacks": [9, 9], "posts": [5]},
    ],
)
def test_wrong_types_are_named(arguments: dict) -> None:
    with pytest.raises(TypeError):
        Hand(**arguments)


@pytest.mark.parametrize(
    ("kind", "amount", "error"),
    [
        ("check", 0, ValueError),
        ("raise", 3, ValueError),
        ("raise", 101, ValueError),
        ("raise", -4, ValueError),
        ("raise", 10**30, ValueError),
        ("raise", 4.0, TypeError),
        ("jump", 0, ValueError),
        ("", 0, ValueError),
        ("\ud800", 0, ValueError),
        (7, 0, ValueError),
        (-1, 0, ValueError),
        (2**80, 0, ValueError),
        (None, 0, TypeError),
    ],
)
def test_a_refused_action_changes_nothing(kind: object, amount: object, error: type[Exception]) -> None:
    hand = Hand([100] * 3)
    before = hand.to_bytes()
    with pytest.raises(error):
        hand.act(kind, amount)  # type: ignore[arg-type]  # the wrong types are the point
    assert hand.to_bytes() == before


def test_nothing_is_left_to_do_when_the_hand_is_over() -> None:
    hand = Hand([100] * 2)
    hand.act("fold")
    assert hand.done
    assert hand.actor is None
    assert hand.legal() is None
    with pytest.raises(ValueError, match="over"):
        hand.act("check")
    with pytest.raises(ValueError, match="over"):
        hand.fold_out_of_turn(0)


def test_forged_bytes_are_refused() -> None:
    good = Hand([100] * 3).to_bytes()
    for bad in (b"", b"PH", good[:-1], good + b"\0", b"PH\x01" + good[3:], good[:3] + b"\xff" + good[4:]):
        with pytest.raises(ValueError, match="not a hand"):
            Hand.from_bytes(bad)


def test_what_a_hand_tells_can_be_pickled() -> None:
    hand = Hand([100, 100, 40], blinds=(1, 2))
    for action in ("allin", "allin", "allin"):
        assert pickle.loads(pickle.dumps(hand.legal())) == hand.legal()
        assert copy.copy(hand.legal()) == hand.legal()
        hand.act(action)
    pots = hand.pots()
    assert len(pots) == 2
    assert pickle.loads(pickle.dumps(pots)) == pots


VERSION_2 = (
    "5048020300020004010100ffff000200050005000000020000000000000000000000000000000200000000000000000000000000000000"
    "000000000000000000000000000000000000000000000064000000000000003c00000000000000c8000000000000005d00000000000000"
    "3900000000000000c100000000000000000000000000000000000000000000000000000000000000070000000000000003000000000000"
    "00070000000000000000000000000000000000000000000000000000000000000033302d2a2724211e1b1815"
)


def test_bytes_of_the_version_before_are_still_read() -> None:
    """A hand of three on the flop, as version 2 wrote it, is the hand that is played today."""
    deck = list(range(51, 0, -3))[:11]
    hand = Hand([100, 60, 200], blinds=(1, 2), ante=1, deck=deck)
    hand.act("raise", 6), hand.act("call"), hand.act("fold")
    old = Hand.from_bytes(bytes.fromhex(VERSION_2))
    assert old == hand
    old.act("allin"), old.act("call")
    assert old.stacks == [0, 57, 303]
