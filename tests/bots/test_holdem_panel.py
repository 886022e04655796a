"""The panel of simple policies: all play, some learn, and the search over their parameters finds what is there."""

from __future__ import annotations

import random
from typing import Any

import pytest
from proofs.holdem_policies import KINDS, PANEL, Blind, Counterpuncher, Kind

from parlour import arena
from parlour.bots import HandOver
from parlour.bots.arena import BotStanding
from parlour.bots.arena.score import Faults
from parlour.bots.sdk.holdem import Step
from proofs import holdem_panel


def test_the_panel_has_all_kinds() -> None:
    assert len(PANEL) >= 25
    assert {type(policy) for policy in PANEL.values()} == set(KINDS.values())


def test_every_policy_plays_without_a_fault() -> None:
    result = arena(PANEL, 300, seats=3, seed=1)
    assert [player.name for player in result.players if player.faults or not player.hands] == []


@pytest.mark.parametrize("kind", KINDS.values())
def test_random_and_changed_parameters_are_within_their_ranges(kind: type[Kind]) -> None:
    dice = random.Random(1)
    policy = kind.anywhere(dice)
    for _ in range(50):
        policy = policy.changed(dice, 0.5)
    for name, (low, high) in kind._ranges():
        assert low <= getattr(policy, name) <= high


def test_a_policy_against_the_house_is_measured_the_same_again() -> None:
    first, again = (holdem_panel.play(PANEL["blind"], "level1", 2, 100, 40, 3, 1) for _ in range(2))
    assert (first.mbb_per_hand, first.faults) == (again.mbb_per_hand, 0)


def standing(mbb: float, half: float) -> BotStanding:
    return BotStanding("policy", mbb, (mbb - half, mbb + half), 0, 100, mbb, Faults())


@pytest.mark.parametrize(
    ("mbb", "half", "seats", "beats"), [(60, 50, 2, True), (60, 70, 2, False), (40, 5, 2, False), (60, 5, 6, False)]
)
def test_who_beats_the_house_wins_more_than_is_allowed_for_sure(
    mbb: float, half: float, seats: int, beats: bool
) -> None:
    assert holdem_panel.beats(standing(mbb, half), seats) is beats


def test_the_search_finds_the_parameters_that_win(monkeypatch: pytest.MonkeyPatch) -> None:
    def known(policy: Any, level: str, seats: int, stack: int, hands: int, seed: int, workers: int) -> BotStanding:
        return standing(-abs(policy.flop - 0.3) - abs(policy.bets - 2.0) if isinstance(policy, Blind) else -9, 0.1)

    monkeypatch.setattr(holdem_panel, "play", known)
    search = holdem_panel.Search("level5", 2, 100, 1, 1)
    search.run(600, list(KINDS.values()))
    best = search.best[0].policy
    assert search.tries == 600
    assert isinstance(best, Blind)
    assert abs(best.flop - 0.3) + abs(best.bets - 2.0) < 0.1


def hand(*actions: tuple[int, str, str]) -> HandOver:
    """What seat 0 learns of a hand with these actions."""
    steps = [Step(seat, street, word, 10) for seat, street, word in actions]  # type: ignore[arg-type]
    return HandOver(1, 0, "holdem", "no-limit", {}, {}, {}, [], [], {}, False, steps)


def test_a_counter_puncher_bets_at_those_who_fold() -> None:
    folded, called = Counterpuncher(), Counterpuncher()
    for _ in range(30):
        folded.over(hand((0, "flop", "bet"), (1, "flop", "fold")))
        called.over(hand((0, "flop", "bet"), (1, "flop", "call"), (1, "turn", "fold")))
    assert folded.folds("flop", 0.6)
    assert not called.folds("flop", 0.6)
