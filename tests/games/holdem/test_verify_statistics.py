"""The short form of `python -m proofs.verify_statistics`, and that it can fail."""

import re

import pytest
from proofs.verify_statistics import Counted, PlainCount, verify

from parlour.games.poker.holdem import events


def test_statistics_equal_an_independent_count_over_the_exported_hands():
    total = verify(hands=300, seed=500, all_ins=1)
    assert total["hands played"] >= 300
    wanted = ("three_bets", "folds_to_three_bet", "cbets", "folds_to_cbet", "showdowns_won", "all-ins counted again")
    assert not [name for name in wanted if not total[name]], "the random hands do not try everything"


def test_a_file_that_tells_another_hand_is_noticed(monkeypatch):
    evening = Counted(3, "holdem", "no-limit", 0)
    evening.play(3)
    ended = next(event for _, event in evening.table.log if isinstance(event, events.HandEnded))
    text = evening.table.game.export("phh", evening.table.played(ended.hand))
    PlainCount(text)
    forged = re.sub(r"finishing_stacks = \[(\d+)", r"finishing_stacks = [1\1", text)
    monkeypatch.setattr(type(evening.table.game), "export", lambda *_: forged)
    with pytest.raises(AssertionError, match="net"):
        evening.check(ended.hand)
