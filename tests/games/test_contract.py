"""Deciding may not touch the state, not even what no snapshot has: the trial table of every game notices it."""

from __future__ import annotations

import pytest

from parlour.games.testing import Trial, contents
from parlour.tables.testing import HighCard


class Scribbler(HighCard):
    """Remembers what it decided, where no snapshot looks."""

    def setup(self, settings):
        state = super().setup(settings)
        return Noted(state)

    def start(self, state, world):
        events = super().start(state, world)
        state.notes.append("dealt")
        return events

    def freeze(self, state):
        return super().freeze(state.plain)

    def thaw(self, settings, frozen):
        return Noted(super().thaw(settings, frozen))


class Noted:
    """A state with something beside it that is not frozen."""

    def __init__(self, plain):
        self.__dict__["plain"] = plain
        self.__dict__["notes"] = []

    def __getattr__(self, name):
        return getattr(self.plain, name)

    def __setattr__(self, name, value):
        setattr(self.plain, name, value)


def test_a_decision_that_leaves_a_note_in_the_state_is_noticed():
    trial = Trial(Scribbler())
    trial.join(0)
    trial.join(1)
    with pytest.raises(AssertionError, match="deciding changed the state"):
        trial.start()


def test_contents_go_to_the_bottom():
    def state(deepest):
        return Noted({"list": [(1, {"deepest": deepest})]})

    assert contents(state("a")) == contents(state("a")) != contents(state("b"))
