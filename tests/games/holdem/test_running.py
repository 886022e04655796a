"""What counts as running time: a decision, the pause between hands, and the level of the blinds."""

from __future__ import annotations

import pytest

from parlour.games.poker.holdem.game import Holdem
from parlour.games.testing import Trial

LEVELS = [[10, 1, 2, 0], [10, 2, 4, 0]]


def seated(**settings):
    trial = Trial(Holdem(), settings)
    trial.join(0)
    trial.join(1)
    return trial


@pytest.mark.parametrize(
    ("settings", "runs"),
    [({}, True), ({"action_seconds": 0}, False), ({"action_seconds": 0, "levels": LEVELS}, True)],
)
def test_time_runs_in_a_hand_where_there_is_a_clock_or_the_blinds_rise(settings, runs):
    trial = seated(**settings)
    assert not trial.game.running(trial.state), "nobody has started"
    trial.start()
    assert trial.game.running(trial.state) is runs


def test_the_level_of_an_untimed_table_is_moved_by_time_for_which_nobody_was_there():
    trial = seated(action_seconds=0, levels=LEVELS)
    trial.start()
    trial.pause(3_600_000)
    trial.act(trial.actor, "fold")
    trial.wait(10_000)
    assert trial.state.record.hand == 2
    assert trial.state.record.level == 1


def test_no_time_runs_while_too_few_are_there():
    trial = seated(action_seconds=0, levels=LEVELS)
    trial.start()
    trial.leave(trial.actor)
    assert not trial.game.running(trial.state)
