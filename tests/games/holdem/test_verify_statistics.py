"""The short form of `python -m proofs.verify_statistics`, and that it can fail."""

import re
from collections import Counter

import pytest
from proofs.evening import in_parallel
from proofs.verify_statistics import Counted, PlainCount, play_table

from parlour.games.poker.holdem import events


def test_statistics_equal_an_independent_count_over_the_exported_hands():
    total = in_parallel(play_table, hands=400, seed=500, workers=1)
    assert total["hands"] >= 400
    wanted = (
        "three_bets", "folds_to_three_bet", "cbets", "folds_to_cbet", "showdowns_won", "all-ins counted again",
        "all-ins on two boards or with a low", "runs and boards", "bomb pots", "players with figures",
    )  # fmt: skip
    assert not [name for name in wanted if not total[name]], "the random hands do not try everything"


@pytest.fixture
def evening():
    played = Counted(3, 0)
    played.play(4)
    return played


def first_hand(evening):
    return next(event.hand for _, event in evening.table.log if isinstance(event, events.HandEnded))


def test_a_file_that_tells_another_hand_is_noticed(monkeypatch, evening):
    number = first_hand(evening)
    text = evening.table.game.export("phh", evening.table.played(number))
    PlainCount(text)
    forged = re.sub(r"finishing_stacks = \[(\d+)", r"finishing_stacks = [1\1", text)
    monkeypatch.setattr(type(evening.table.game), "export", lambda *_: forged)
    with pytest.raises(AssertionError, match="net"):
        evening.check(number)


def test_sums_that_count_a_hand_twice_are_noticed(evening):
    number = first_hand(evening)
    played = evening.table.played(number)
    plain = PlainCount(evening.table.game.export("phh", played))
    evening._cells.add(
        "table",
        "holdem",
        type("Record", (), {"players": {seat - 1: f"player at {seat}" for seat in plain.fields["seats"]}, "ended": 0}),
        evening.table.game.tally(played),
        evening.table.game.facets(played),
    )
    with pytest.raises(AssertionError):
        evening._check_sums()


def test_another_figure_is_noticed(monkeypatch, evening):
    figures = type(evening.table.game).figures
    monkeypatch.setattr(
        type(evening.table.game), "figures", lambda game, counts: figures(game, Counter(counts) + Counter(pfr=1))
    )
    with pytest.raises(AssertionError, match="pfr"):
        evening._check_figures()
