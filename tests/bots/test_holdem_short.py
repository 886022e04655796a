"""Short stacks: who shoves and who calls is near the known equilibrium, and in a tournament the prizes count."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from parlour import Hand
from parlour._core import take
from parlour.bots.holdem_ranges import COUNT, cards_of, kind_of_pair, kinds, pair_index
from parlour.bots.holdem_reading import read
from parlour.bots.holdem_search import choose
from parlour.bots.holdem_short import prize_shares, shove_at
from parlour.bots.holdem_shoves import Rival, by_kind, sensible_shoves, shove_earns
from parlour.bots.sdk.hand_view import HandContext, HandView, posts_of
from parlour.tournaments.poker.icm import equities

FULL = by_kind(np.ones(COUNT))


def part(shoves: Any) -> float:
    """The part of all hands that is shoved."""
    kind = kind_of_pair()
    return float(np.mean(shoves[kind]))


def test_heads_up_the_shoves_are_those_of_the_equilibrium() -> None:
    # The solution of push or fold heads-up is known: the small blind shoves 58 % with ten big blinds, 72 % with five.
    assert part(sensible_shoves(1, 10)) == pytest.approx(0.58, abs=0.03)
    assert part(sensible_shoves(1, 5)) == pytest.approx(0.72, abs=0.03)


def test_shoves_are_fewer_with_more_players_behind_and_with_more_chips() -> None:
    behind = [part(sensible_shoves(number, 10)) for number in range(1, 10)]
    deeper = [part(sensible_shoves(2, blinds)) for blinds in (4, 8, 12, 16)]
    assert behind == sorted(behind, reverse=True)
    assert deeper == sorted(deeper, reverse=True)
    for number in range(1, 10):
        assert sensible_shoves(number, 10)[kinds().index("AA")] > 0.99


def test_against_somebody_all_in_a_shove_is_worth_its_equity() -> None:
    rival = Rival(FULL, 0.0, 0.0, 0.0, 12.0, -8.0, in_already=True)
    earns = shove_earns((rival,), 0.0, 4.0)
    aces = kinds().index("AA")
    chance = 0.852  # of aces against any two
    assert earns[aces] == pytest.approx(chance * 12 - (1 - chance) * 8, abs=0.05)


def test_more_who_are_all_in_leave_less_to_win_with_a_weak_hand() -> None:
    one = Rival(FULL, 0.0, 0.0, 0.0, 10.0, -10.0, in_already=True)
    weak, strong = kinds().index("72o"), kinds().index("AA")
    alone, crowd = shove_earns((one,), 0.0, 0.0), shove_earns((one, one, one), 0.0, 0.0)
    assert crowd[weak] < alone[weak]
    assert crowd[strong] > alone[strong]


@pytest.mark.parametrize("prizes", [(0.65, 0.35), (0.5, 0.3, 0.2), (1.0,)], ids=str)
def test_prizes_are_shared_as_at_a_deal(prizes: tuple[float, ...]) -> None:
    dice = random.Random(1)
    for players in (3, 4, 6, 9):
        stacks = [dice.randint(1, 5000) for _ in range(players)]
        whole = [round(1000 * prize) for prize in prizes]
        expected = np.array(equities(stacks, whole)) / 1000
        assert prize_shares(np.array(stacks, dtype=float), prizes) == pytest.approx(expected, abs=1e-6)


def test_who_has_lost_all_has_the_last_prize_that_is_left() -> None:
    assert prize_shares(np.array([0.0, 500.0, 500.0]), (0.5, 0.3, 0.2)) == pytest.approx([0.2, 0.4, 0.4], abs=1e-6)


def after(stacks: list[int], cards: str, *answers: object, **room: Any) -> dict[str, Any]:
    """The view of whoever is to act after these answers, with these cards; the blinds are 50 and 100."""
    hand = Hand(stacks, blinds=(50, 100))
    steps = posts_of(hand)
    for answer in answers:
        take(hand, answer, steps)
    assert hand.actor is not None
    view: dict[str, Any] = HandView(HandContext(hand, steps, (50, 100)), hand.actor).raw
    view["private"]["cards"] = cards.split()
    view["settings"]["seats"] = room.pop("seats", 9)
    return view | room


BUBBLE = [300, 1500, 5000, 2000]
"""The small blind has next to nothing, and three of nine are paid."""
SHOVED = (("raise", 5000), "fold", "fold")


def test_on_the_bubble_a_call_needs_more_than_for_chips() -> None:
    chips = choose(after(BUBBLE, "As 9d", *SHOVED), random.Random(1))
    prizes = choose(after(BUBBLE, "As 9d", *SHOVED, tournament="T"), random.Random(1))
    assert (chips["type"], prizes["type"]) == ("call", "fold")
    assert choose(after(BUBBLE, "As Ad", *SHOVED, tournament="T"), random.Random(1))["type"] == "call"


def test_a_full_table_of_a_tournament_is_not_taken_for_the_last() -> None:
    assert read(after(BUBBLE, "As 9d", *SHOVED, tournament="T", seats=5)).prizes == ()
    assert read(after(BUBBLE, "As 9d", *SHOVED, tournament="T", seats=6)).prizes == (0.65, 0.35)
    assert read(after(BUBBLE, "As 9d", *SHOVED, tournament="T")).prizes == (0.5, 0.3, 0.2)
    assert read(after(BUBBLE, "As 9d", *SHOVED)).prizes == ()


def test_the_chips_of_all_at_the_table_are_known_where_prizes_count() -> None:
    spot = read(after(BUBBLE, "As 9d", *SHOVED, tournament="T"))
    assert spot.stack + spot.opponents[0].bet + spot.opponents[0].stack + sum(spot.others) + spot.bet + 50 == 8800


def test_a_shove_of_a_raiser_who_is_short_is_read_as_one() -> None:
    view = after([1000] * 6, "Ks Qd", ("raise", 250), "fold", "fold", "fold", "fold")
    (raiser,) = read(view).opponents
    strong, weak = pair_index(cards_of(["As", "Ah"])), pair_index(cards_of(["9h", "3c"]))
    assert raiser.weights[strong] > 10 * raiser.weights[weak]


def test_with_several_in_the_pot_rags_are_folded() -> None:
    view = after([1000] * 6, "Js 2d", ("raise", 300), ("call", 0), ("call", 0), "fold", "fold")
    assert choose(view, random.Random(1))["type"] == "fold"
    aces = after([1000] * 6, "As Ad", ("raise", 300), ("call", 0), ("call", 0), "fold", "fold")
    assert choose(aces, random.Random(1)) == {"type": "raise", "amount": 1000}


def test_what_is_shoved_first_in_earns_more_than_a_fold() -> None:
    aces, rags = after([1000] * 9, "As Ad"), after([1000] * 9, "7s 2d")
    assert shove_at(read(aces)) > 1 > 0 > shove_at(read(rags))
