"""The pot calculator and the showdown: the worked cases of the documentation, odd chips, fractions, faults."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games.poker.pots import Amount, pots, showdown


def layers(stakes: list[Amount], folded: tuple[int, ...] = ()) -> list[tuple[Amount, list[int]]]:
    return [(pot.amount, pot.contestants) for pot in pots(stakes, folded)]


def test_three_all_in_for_different_amounts() -> None:
    result = pots([25, 50, 100])
    assert [(pot.amount, pot.contestants) for pot in result] == [(75, [0, 1, 2]), (50, [1, 2])]
    assert result.returned == (2, 50)


def test_the_worked_example_of_four_players() -> None:
    board, hands, stakes = "Ac Kc Jc 5c Th", ["8c7h", "9h5h", "Ad4s", "As3h"], [25, 50, 100, 100]
    halves = showdown(board, hands, stakes, smallest_chip=0.5)
    assert [(pot.amount, pot.contestants, pot.winners) for pot in halves.pots] == [
        (100, [0, 1, 2, 3], [0]),
        (75, [1, 2, 3], [2, 3]),
        (100, [2, 3], [2, 3]),
    ]
    assert [pot.shares for pot in halves.pots] == [[100], [37.5, 37.5], [50, 50]]
    assert halves.payouts == [100, 0, 87.5, 87.5]
    assert halves.returned is None


@pytest.mark.parametrize(("button", "payouts"), [(3, [100, 0, 88, 87]), (2, [100, 0, 87, 88]), (0, [100, 0, 88, 87])])
def test_the_odd_chip_goes_to_the_first_seat_left_of_the_button(button: int, payouts: list[int]) -> None:
    board, hands = "Ac Kc Jc 5c Th", ["8c7h", "9h5h", "Ad4s", "As3h"]
    assert showdown(board, hands, [25, 50, 100, 100], button=button).payouts == payouts


def test_all_in_100_against_1000_and_1000() -> None:
    assert layers([100, 1000, 1000]) == [(300, [0, 1, 2]), (1800, [1, 2])]


def test_short_stack_best_then_middle_then_deep() -> None:
    # A 3350, B 1650, C 400; C and B all-in, A calls 1650; best is C, then B, then A.
    result = showdown("2c 7d 9h Jc 3s", ["4h 5d", "Qh Qd", "Ah Ad"], [1650, 1650, 400])
    assert result.payouts == [0, 2500, 1200]


def test_two_winners_of_four_stakes() -> None:
    board = "2c 7d 9h Jc 3s"
    assert showdown(board, ["4h 5d", "Ah Kd", "As Kc", "6h 4d"], [100, 200, 200, 200]).payouts == [0, 350, 350, 0]
    everybody = showdown("Ac Kc Qc Jc Tc", ["4h 5d", "Ah Kd", "As Ks"], [100, 200, 200])
    assert everybody.payouts == [100, 200, 200]


def test_folded_seats_pay_but_do_not_contest() -> None:
    assert layers([100, 50, 100], (1,)) == [(250, [0, 2])]
    result = showdown("2c 7d 9h Jc 3s", ["Ah Ad", None, "Kh Kd"], [100, 50, 100], folded=[1])
    assert result.payouts == [250, 0, 0]


def test_the_last_one_in_needs_no_cards() -> None:
    result = showdown("", [None, None], [5, 10], folded=[0])
    assert result.payouts == [0, 10]
    assert result.returned == (1, 5)


def test_chips_of_folded_seats_above_every_all_in_stay_in_the_pot_beneath() -> None:
    assert layers([50, 100, 100], (1, 2)) == [(250, [0])]


def test_no_player_gets_two_odd_chips() -> None:
    result = showdown("Ac Kc Qc Jc Tc", ["2h 3h", "2d 3d", "2s 3s", None], [100, 100, 100, 50], folded=[3])
    assert result.payouts == [117, 117, 116, 0]


def test_other_games() -> None:
    assert showdown("6c 7d 8h Jc Js", ["As 9d", "Jd 8c"], [9, 9], variant="short-deck").payouts == [0, 18]
    assert showdown("Ac Kc Qc Jc Tc", ["2h 3h 4h 5h", "2d 3d 9c 8c"], [9, 9], variant="omaha").payouts == [0, 18]


@pytest.mark.parametrize(
    ("stakes", "chip", "payouts"),
    [
        ([37.5, 37.5], 0.5, [37.5, 37.5]),
        ([0.1, 0.1, 0.1], 0.1, [0.1, 0.1, 0.1]),
        ([Decimal("0.10"), Decimal("0.10")], Decimal("0.05"), [Decimal("0.1"), Decimal("0.1")]),
        ([Fraction(1, 3), Fraction(1, 3)], Fraction(1, 3), [Fraction(1, 3), Fraction(1, 3)]),
        ([75, 75], 25, [75, 75]),
    ],
)
def test_fractions_of_a_chip_are_exact(stakes: list[Amount], chip: Amount, payouts: list[Amount]) -> None:
    hands = ["2h 3h", "2d 3d", "2s 3s"][: len(stakes)]
    result = showdown("Ac Kc Qc Jc Tc", hands, stakes, smallest_chip=chip)
    assert result.payouts == payouts
    assert {type(payout) for payout in result.payouts} == {type(payouts[0])}


def test_pots_of_fractions() -> None:
    assert layers([0.1, 0.2, 0.7]) == [(0.3, [0, 1, 2]), (0.2, [1, 2])]
    assert pots([0.1, 0.2, 0.7]).returned == (2, 0.5)
    assert layers([Decimal("0.1"), Decimal("0.2"), 1]) == [(Decimal("0.3"), [0, 1, 2]), (Decimal("0.2"), [1, 2])]


@pytest.mark.parametrize(
    ("stakes", "fault"),
    [
        ([float("nan"), 1], "finite"),
        ([float("inf"), 1], "finite"),
        ([Decimal("sNaN"), 1], "finite"),
        ([-1, 1], "negative"),
        ([-0.5, 1], "negative"),
        ([10**18, 1], "10\\*\\*15"),
        ([1e300, 1], "10\\*\\*15"),
        ([Decimal("1e999999"), 1], "10\\*\\*15"),
        ([Decimal("1e-999999"), 1], "finer"),
        ([5e-324, 1], "finer"),
        ([Fraction(1, 10**30), 1], "finer"),
        ([10**15, 10**15], "10\\*\\*15 chips in all"),
        ([], "1 to 10 seats"),
        ([1] * 11, "1 to 10 seats"),
    ],
)
def test_faulty_stakes_are_named(stakes: list[Amount], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        pots(stakes)


@pytest.mark.parametrize("stakes", ["12", [None, 1], ["5", 1], [True, 1], 5, [1j, 1]])
def test_wrong_types_are_named(stakes: object) -> None:
    with pytest.raises(TypeError):
        pots(stakes)  # type: ignore[arg-type]  # the wrong types are the point


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"folded": [2]}, "not there"),
        ({"folded": [0, 1]}, "everybody has folded"),
        ({"button": 2}, "button"),
        ({"smallest_chip": 0}, "more than nothing"),
        ({"smallest_chip": 3}, "cannot be made of"),
        ({"hands": ["AhKh"]}, "1 hands for 2 stakes"),
        ({"hands": ["AhKh", None]}, "missing"),
        ({"hands": ["AhKh", "AhKd"]}, "twice"),
        ({"hands": ["AhKh", "2cKd"]}, "twice"),
        ({"hands": ["AhKhQh", "2hKd"]}, "2 cards"),
        ({"hands": ["AhXh", "2hKd"]}, "not a card"),
        ({"board": "2c7d"}, "five cards"),
        ({"board": "2c 7d 9h Jc"}, "five cards"),
        ({"variant": "stud"}, "variant"),
    ],
)
def test_faults_of_a_showdown_are_named(arguments: dict, fault: str) -> None:
    good = {"board": "2c 7d 9h Jc 3s", "hands": ["AhKh", "AdKd"], "stakes": [10, 10]}
    with pytest.raises(ValueError, match=fault):
        showdown(**(good | arguments))


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=10), st.data())
def test_every_chip_is_in_a_pot_or_goes_back(stakes: list[int], data: st.DataObject) -> None:
    folded = data.draw(st.sets(st.integers(0, len(stakes) - 1), max_size=len(stakes) - 1))
    result = pots(stakes, folded)
    assert sum(pot.amount for pot in result) + (result.returned or (0, 0))[1] == sum(stakes)
    for pot in result:
        assert pot.contestants
        assert not folded & set(pot.contestants)


def test_a_showdown_of_hi_lo_is_refused() -> None:
    """It would give the low half to the high."""
    with pytest.raises(ValueError, match="hi-lo"):
        showdown("3c 4d 7h Kc Qs", ["KdKhJsTs", "As2sJdTh"], [10, 10], variant="omaha-hilo")
