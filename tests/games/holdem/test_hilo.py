"""Omaha hi-lo at the table: halves, what is told of a low, and who shows."""

import random

import pytest

from parlour.games.poker.holdem import events as ev

from .test_table import acts, deck, kinds, stacks, table

LOW = "2c 3d 8h Ks Kd"


def to_the_river(*hands, board, **settings):
    trial = table([100] * len(hands), deck(*hands, board=board), variant="omaha-hilo", **settings)
    while trial.state.actor is not None:
        legal = trial.game.legal(trial.state, trial.actor)
        acts(trial, "call" if "call" in legal["actions"] else "check")
    return trial


def test_the_low_takes_half_of_the_pot():
    trial = to_the_river("Ah4hQcJc", "KhKc9s9d", board=LOW)
    (pot,) = trial.public["result"]["pots"]
    assert [(part["side"], part["amount"], part["winners"], part["made"]) for part in pot["parts"]] == [
        ("high", 2, [1], "four_of_a_kind:K8"),
        ("low", 2, [0], "low:8432A"),
    ]
    assert stacks(trial) == [100, 100]


def test_without_a_low_the_high_takes_all_and_there_are_no_parts():
    trial = to_the_river("Ah4hQcJc", "KhKc9s9d", board="Ts 9h 8c Ks Kd")
    (pot,) = trial.public["result"]["pots"]
    assert "parts" not in pot
    assert stacks(trial) == [98, 102]


def test_shown_hands_tell_their_low():
    trial = to_the_river("Ah4hQcJc", "KhKc9s9d", board=LOW)
    shown = {event.seat: event for event in kinds(trial, ev.Shown)}
    assert shown[0].low == "low:8432A"
    assert shown[1].low is None
    more = trial.public["result"]["shown"][0]["more"]
    assert [(worth["side"], worth["made"]) for worth in more] == [("low", "low:8432A")]
    own = trial.game.private(trial.state, 0)
    assert own["more"] == more


@pytest.mark.parametrize("variant", ["omaha-hilo", "omaha5-hilo"])
@pytest.mark.parametrize("limit", ["no-limit", "pot-limit", "fixed-limit"])
def test_hilo_is_played_in_every_limit(variant, limit):
    trial = table([40, 60, 80], variant=variant, limit=limit, rebuy=True)
    picks = random.Random(7)
    for _ in range(120):
        if trial.state.actor is None:
            for row in trial.public["players"]:
                if row["status"] == "busted":
                    trial.act(row["seat"], "rebuy")
            trial.wait(20_000)
            continue
        words = trial.game.legal(trial.state, trial.actor)["actions"]
        acts(trial, picks.choice([word for word in words if word in ("check", "call", "allin")]))
    assert any(pot.parts for event in kinds(trial, ev.HandEnded) for pot in event.pots)
