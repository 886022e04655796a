"""What a view tells of the hand so far: every post and action in order, and the names of the positions."""

from __future__ import annotations

import pytest
from tests.games.holdem.test_table import acts, table


def names(trial):
    return {row["seat"]: row["position"] for row in trial.public["players"]}


def test_posts_and_actions_stand_in_their_order():
    trial = table([100, 100, 100, 100], ante=1)
    assert trial.public["actions"] == [
        [0, "preflop", "ante", 1],
        [0, "preflop", "small_blind", 1],
        [1, "preflop", "ante", 1],
        [1, "preflop", "big_blind", 2],
        [2, "preflop", "ante", 1],
        [3, "preflop", "ante", 1],
    ]
    acts(trial, 6, "fold", "call", "call", "check", 10, "fold", "call")
    assert trial.public["street"] == "turn"
    assert trial.public["actions"][6:] == [
        [2, "preflop", "raise", 6],
        [3, "preflop", "fold", 0],
        [0, "preflop", "call", 6],
        [1, "preflop", "call", 6],
        [0, "flop", "check", 0],
        [1, "flop", "bet", 10],
        [2, "flop", "fold", 0],
        [0, "flop", "call", 10],
    ]


def test_a_new_street_forgets_what_each_did_last_but_folds_and_all_ins():
    def last():
        return {row["seat"]: row["last"] and row["last"]["type"] for row in trial.public["players"]}

    trial = acts(table([100, 100, 10, 100]), "allin", "fold", "call", "call")
    assert last() == {0: None, 1: None, 2: "raise", 3: "fold"}
    acts(trial, "check")
    assert last() == {0: "check", 1: None, 2: "raise", 3: "fold"}


def test_they_stay_until_the_next_deal():
    trial = table([100, 100], hand_delay=3)
    acts(trial, "fold")
    folded = trial.public["actions"]
    assert folded[-1][1:3] == ["preflop", "fold"]
    trial.wait(3000)
    assert trial.public["hand"] == 2
    assert {step[2] for step in trial.public["actions"]} == {"small_blind", "big_blind"}


def test_somebody_who_left_is_folded_in_their_turn():
    trial = table([100, 100, 100])
    trial.leave(0)
    acts(trial, "call")
    assert trial.public["actions"][2:] == [[2, "preflop", "call", 2], [0, "preflop", "fold", 1]]


@pytest.mark.parametrize(
    ("players", "others"),
    [
        (3, []),
        (4, ["CO"]),
        (5, ["UTG", "CO"]),
        (6, ["UTG", "HJ", "CO"]),
        (7, ["UTG", "LJ", "HJ", "CO"]),
        (8, ["UTG", "UTG+1", "LJ", "HJ", "CO"]),
        (9, ["UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO"]),
        (10, ["UTG", "UTG+1", "UTG+2", "UTG+3", "LJ", "HJ", "CO"]),
    ],
)
def test_positions_are_named_from_the_button(players, others):
    trial = table([100] * players)
    assert list(names(trial).values()) == ["SB", "BB", *others, "BTN"]


def test_heads_up_the_button_has_the_small_blind():
    assert names(table([100, 100])) == {0: "BB", 1: "BTN"}


def test_who_is_not_in_the_hand_has_no_position():
    trial = table([100, 100, 100, None], button=2)
    trial.join(3, buy_in=100)
    assert names(trial) == {0: "SB", 1: "BB", 2: "BTN", 3: None}


def test_a_dead_button_leaves_its_name_to_nobody():
    """Whoever was the small blind has left, and the button comes to that seat: the player before it is the cut-off."""
    trial = table([100] * 5, hand_delay=3)
    acts(trial, "fold", "fold", "fold", "fold")
    trial.leave(0)
    trial.wait(3000)
    assert trial.public["button"] == 0
    assert names(trial) == {1: "SB", 2: "BB", 3: "UTG", 4: "CO"}
