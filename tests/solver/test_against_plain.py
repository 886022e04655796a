"""What the solver says of its strategies, a plain reckoning in Python says too."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solver.plain import DECK, Plain, Spot, as_played, at_best, make

SIZES = ["50% / 100%", "33% 75% / all-in", "all-in", "100% all-in / 50%", {"river": "50%", "river:1": "all-in"}]


def agree(plain: Plain, ev: tuple[float, float], best: tuple[float, float]) -> None:
    tolerance = 1e-5 * (plain.spot.pot + 2 * plain.spot.stack)  # of 32-bit numbers
    for player in (0, 1):
        assert plain.worth(player, as_played) == pytest.approx(ev[player], abs=tolerance)
        assert plain.worth(player, at_best) == pytest.approx(best[player], abs=tolerance)


@st.composite
def spots(draw: st.DrawFn) -> Spot:
    """A river with a few hands, many of which share cards."""
    cards = draw(st.permutations(DECK))
    pile = sorted(cards[5 : 5 + draw(st.integers(4, 8))], key=DECK.index)
    pairs = [pile[i] + pile[j] for i in range(len(pile)) for j in range(i)]
    some = st.dictionaries(st.sampled_from(pairs), st.floats(0.1, 1), min_size=1, max_size=8)
    ranges = draw(st.tuples(some, some).filter(lambda two: any(meet(a, b) for a in two[0] for b in two[1])))
    rake = draw(st.sampled_from([0.0, 0.05]))
    cap = draw(st.sampled_from([float("inf"), 3.0]))
    return Spot(ranges, cards[:5], draw(st.integers(1, 200)), draw(st.integers(1, 400)), rake, cap)


def meet(one: str, other: str) -> bool:
    return not {one[:2], one[2:]} & {other[:2], other[2:]}


@settings(max_examples=25, deadline=None)
@given(spots(), st.sampled_from(SIZES), st.integers(1, 20))
def test_a_river(spot: Spot, sizes: str, iterations: int) -> None:
    game, plain = make(spot, sizes=sizes, most_raises=2)
    found = game.solve(0, iterations=iterations)
    agree(plain, found.ev, found.best)
    total, most = sum(found.ev), spot.pot * (1 + 1e-5)
    taken = min(spot.rake * (spot.pot + 2 * spot.stack), spot.rake_cap)
    assert spot.pot - taken - 1e-4 * (spot.pot + spot.stack) <= total <= most + 1e-4 * spot.stack
    for player in (0, 1):
        assert all(-spot.stack * 1.0001 <= ev <= (spot.pot + spot.stack) * 1.0001 for ev in game.ev(player))
        assert found.best[player] >= found.ev[player] - 1e-4


RIVER = Spot(
    (
        {"AsJs": 1, "QhQd": 1, "7s6s": 0.5, "AcQc": 1, "Td9d": 0.75},
        {"KdKc": 0.5, "AcQc": 1, "AsTs": 1, "Td9d": 1, "8h8d": 1},
    ),
    ["Ks", "Qs", "8s", "3d", "2c"],
    100,
    150,
    rake=0.05,
    rake_cap=6,
)
TURN = replace(RIVER, board=["Ks", "Qs", "8s", "3d"], stack=120)
SUITS_ALIKE = replace(
    RIVER,
    ranges=(
        {"AhAc": 1, "JhTh": 0.5, "JcTc": 0.5, "AsTs": 1},
        {"KhKc": 1, "9h8h": 1, "9c8c": 1, "AdQd": 0.25},
    ),
    board=["Ks", "Qs", "8s", "3d"],
    stack=120,
)
"""Hearts and clubs may change their names, so that half of the cards of one are not played."""
FLOP = Spot(({"AsJs": 1, "7h7d": 1}, {"AcKh": 0.5, "JsTs": 1, "7h6h": 1}), ["Ks", "Qs", "7c"], 40, 30)


FLOP_ALIKE = Spot(({"7h7d": 1, "7h7c": 1, "7d7c": 1}, {"AsTs": 0.5, "6s5s": 1}), ["Ks", "Qs", "8s"], 40, 30)


@pytest.mark.parametrize("spot", [TURN, SUITS_ALIKE], ids=["suits differ", "suits alike"])
def test_a_turn_with_cards_to_come(spot: Spot) -> None:
    game, plain = make(spot, sizes={"turn": "50% / all-in", "river": "75%"}, most_raises=1)
    found = game.solve(0, iterations=5)
    agree(plain, found.ev, found.best)


@pytest.mark.slow
@pytest.mark.parametrize("spot", [FLOP, FLOP_ALIKE], ids=["suits differ", "suits alike"])
def test_a_flop_with_two_cards_to_come(spot: Spot) -> None:
    game, plain = make(spot, sizes="all-in", most_raises=0)
    found = game.solve(0, iterations=5)
    agree(plain, found.ev, found.best)


@pytest.mark.parametrize("fault", [{"rake": 0.0}, {"rake_cap": float("inf")}, {"removal": False}, {"pot": 101}])
def test_a_fault_would_be_noticed(fault: dict[str, float]) -> None:
    """Who forgets the rake, its cap or that both cannot have one card arrives at other figures."""
    game, plain = make(RIVER)
    found = game.solve(0, iterations=20)
    agree(plain, found.ev, found.best)
    with pytest.raises(AssertionError):
        agree(Plain(replace(RIVER, **fault), game), found.ev, found.best)


def test_solved_spots_cannot_be_exploited_by_the_plain_reckoning() -> None:
    spot = replace(RIVER, rake=0.0)
    game, plain = make(spot)
    found = game.solve(0.001, iterations=5000)
    gained = sum(plain.worth(player, at_best) - plain.worth(player, as_played) for player in (0, 1))
    assert found.exploitability <= 0.1
    assert gained / 2 == pytest.approx(found.exploitability, abs=0.005)
