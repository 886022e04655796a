"""The older evaluator's scores, as its documentation works them out."""

import pytest

from parlour import legacy_score

BOARD = "Ac Kc Jc 5c Th"


@pytest.mark.parametrize(
    ("cards", "score"),
    [
        (f"8c 7h {BOARD}", 500.851),
        (f"9h 5h {BOARD}", 261.593),
        (f"Ad 4s {BOARD}", 280.813),
        (f"As 3h {BOARD}", 280.813),
        ("As Ks Qs Js Ts 2d 3c", 900.0),
        ("Ah 2c 3d 4s 5h Kd Kc", 435.357),  # the ace is low
        ("9s Ts Js Qs Kh Ac 2d", 499.0),  # T-J-Q-K-A
        ("5s 4s 3s 2s As Kd Kc", 835.357),
        ("9s 8s 7s 6s 5s Kd Kc", 863.643),
        ("Kc Kd Kh 2s 2c 9h 4d", 613.143),
        ("Kc Kd Kh 2s 2c 2h 4d", 613.143),  # two sets: the better full house
        ("Kc Kd Kh 2s 2c 9h 9d", 613.643),  # the higher pair
    ],
)
def test_documented_scores(cards: str, score: float) -> None:
    assert legacy_score(cards) == score


def test_kickers_weigh_all_seven_cards() -> None:
    """13^6 for the highest kicker, down from the number of cards given, over 433175."""
    fours = "8c 8d 8h 8s Kc 4d 2h"
    assert legacy_score(fours) == round(700 + 8 / 14 * 50 + 11 * 13**6 / 433175, 3)
    threes = "8c 8d 8h Ks 9c 4d 2h"
    kickers = 11 * 13**6 + 7 * 13**5 + 2 * 13**4
    assert legacy_score(threes) == round(300 + 8 / 14 * 50 + kickers / 433175, 3)
    pairs = "8c 8d 5h 5s Kc 4d 2h"
    kickers = 11 * 13**6 + 2 * 13**5
    assert legacy_score(pairs) == round(200 + (64 + 25) / 392 * 50 + kickers / 433175, 3)
    nothing = "Ac Jd 9h 7s 5c 3d 2h"
    kickers = 12 * 13**6 + 9 * 13**5 + 7 * 13**4 + 5 * 13**3 + 3 * 13**2
    assert legacy_score(nothing) == round(kickers / 433175, 3)


def test_five_and_six_cards() -> None:
    assert legacy_score("8c 8d Kh 4s 2c") == round(100 + 8 / 14 * 50 + (11 * 13**4 + 2 * 13**3) / 433175, 3)
    with pytest.raises(ValueError, match="cards"):
        legacy_score("As Ks")
