"""Whoever is away from a freeze-out or a tournament is dealt in, pays and is folded, until back or out of chips."""

import random

import pytest

from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem import events as ev
from parlour.games.registry import Listing

from .test_history import replay
from .test_table import acts, kinds, player, refused, stacks, table

FREEZE_OUT = {"absent": "blind_out", "rebuy": False}


@pytest.mark.parametrize(
    ("settings", "blinds_out"),
    [
        ({}, False),
        ({"levels": [[10, 1, 2, 0]]}, False),
        ({"rebuy": False}, False),
        ({"levels": [[10, 1, 2, 0]], "rebuy": False}, True),
        ({"levels": [[10, 1, 2, 0]], "rebuy": False, "absent": "sit_out"}, False),
        ({"absent": "blind_out"}, True),
    ],
)
def test_rising_blinds_without_rebuys_blind_the_absent_out_unless_the_host_says_otherwise(settings, blinds_out):
    assert Listing(Holdem()).settings(settings).blinds_out is blinds_out


def test_tda_30_an_absent_player_is_dealt_in_posts_and_is_folded_at_once():
    trial = acts(table([100, 100, 100], **FREEZE_OUT), "fold", "fold")
    trial.act(1, "sit_out")
    trial.wait(4000)
    opening = kinds(trial, ev.HandStarted)[-1]
    assert (opening.small_blind, opening.absent) == (1, (1,))
    assert set(opening.stacks) == {0, 1, 2}
    acts(trial, "call")
    assert trial.actor == 1
    assert trial.game.deadline(trial.state).at == trial.now, "nobody waits for the clock"
    trial.wait(0)
    assert kinds(trial, ev.Acted)[-1] == ev.Acted(seat=1, action="fold", total=1, timeout=True, to_act=2)
    assert player(trial, 1)["status"] == "folded"
    assert player(trial, 1)["sitting_out"], "shown as away although dealt in"
    assert player(trial, 1)["stack"] == opening.stacks[1] - 1


def test_tda_30_the_hand_of_an_absent_big_blind_is_dead_even_where_a_check_is_free():
    trial = acts(table([100, 100, 100], **FREEZE_OUT), "fold", "fold")
    big = (kinds(trial, ev.HandStarted)[-1].big_blind + 1) % 3
    trial.act(big, "sit_out")
    trial.wait(4000)
    acts(trial, "call", "call")
    assert trial.actor == big
    trial.wait(0)
    folded = next(event for event in kinds(trial, ev.Acted) if event.timeout)
    assert (folded.seat, folded.action) == (big, "fold")
    assert trial.public["street"] == "flop"
    assert trial.public["pot"] == 6, "the blind stays in the pot"


def test_tda_30_antes_of_the_absent_are_paid_as_well():
    trial = acts(table([100, 100, 100], ante=5, **FREEZE_OUT), "fold", "fold")
    trial.act(0, "sit_out")
    trial.wait(4000)
    assert ev.Posted(0, 5, "ante") in kinds(trial, ev.Posted)[-5:]


def test_an_absent_player_is_blinded_out_and_the_game_has_a_winner():
    trial = table([20, 20, 20], **FREEZE_OUT)
    trial.act(0, "sit_out")
    for _ in range(200):
        if player(trial, 0)["status"] == "busted":
            break
        trial.wait(4000)
        while trial.public["street"] is not None and trial.actor != 0:
            acts(trial, "call" if "call" in trial.game.legal(trial.state, trial.actor)["actions"] else "check")
    assert stacks(trial)[0] == 0
    assert sum(stacks(trial)) == 60
    assert not kinds(trial, ev.BoughtIn)[3:]


def test_heads_up_sitting_out_stops_neither_the_game_nor_the_level_clock():
    levels = [[1, 1, 2, 0], [1, 2, 4, 0], [1, 20, 40, 0]]
    trial = acts(table([100, 100], levels=levels, rebuy=False), "fold")
    trial.act(0, "sit_out")
    assert trial.game.status(trial.state) == "playing"
    for _ in range(400):
        trial.wait(4000)
        while trial.public["street"] is not None and trial.actor == 1:
            acts(trial, "call" if "call" in trial.game.legal(trial.state, 1)["actions"] else "check")
            trial.wait(0)
        if 0 in stacks(trial):
            break
    assert stacks(trial) == [0, 200]
    assert trial.public["level"] > 1


def test_where_everybody_is_away_the_game_waits_until_somebody_is_back():
    trial = acts(table([100, 100], levels=[[1, 1, 2, 0], [1, 2, 4, 0]], rebuy=False), "fold")
    trial.act(0, "sit_out")
    trial.act(1, "sit_out")
    assert trial.game.deadline(trial.state) is None
    refused("too_few_players", trial.start)
    trial.wait(10**6)
    trial.act(1, "sit_in")
    trial.wait(4000)
    assert trial.public["hand"] == 2
    assert trial.public["level"] == 1


def test_one_who_is_slow_keeps_a_live_hand_and_is_absent_from_the_next_one_on():
    trial = acts(table([100, 100, 100], action_seconds=10, time_bank=0, **FREEZE_OUT), "call", "call")
    assert trial.actor == 1
    trial.wait(10_000)
    assert kinds(trial, ev.Acted)[-1].action == "check", "present at the deal: the hand is live"
    assert kinds(trial, ev.SatOut) == [ev.SatOut(seat=1, timeout=True)]
    acts(trial, "check")
    trial.wait(0)
    assert kinds(trial, ev.Acted)[-1].action == "check"
    acts(trial, 2)
    acts(trial, "fold")
    trial.wait(4000)
    assert kinds(trial, ev.HandStarted)[-1].absent == (1,)


def test_one_who_comes_back_during_a_hand_plays_it_and_has_the_whole_clock():
    trial = acts(table([100, 100, 100], action_seconds=10, time_bank=0, **FREEZE_OUT), "fold", "fold")
    trial.act(1, "sit_out")
    trial.wait(4000)
    trial.act(1, "sit_in")
    assert player(trial, 1)["owes"] == 0
    acts(trial, "call")
    assert trial.actor == 1
    assert trial.game.deadline(trial.state).at == trial.now + 10_000
    acts(trial, "call")
    assert player(trial, 1)["status"] == "active"


def test_sitting_out_in_the_middle_of_a_hand_leaves_that_hand_to_the_player():
    trial = table([100, 100, 100], **FREEZE_OUT)
    trial.act(trial.actor, "sit_out")
    assert trial.game.deadline(trial.state).at > trial.now


def test_without_an_action_clock_the_absent_are_folded_at_once_all_the_same():
    trial = acts(table([100, 100], action_seconds=0, **FREEZE_OUT), "fold")
    trial.act(0, "sit_out")
    trial.wait(4000)
    assert kinds(trial, ev.Acted)[-1].seat == 0
    assert kinds(trial, ev.HandEnded)[-1].hand == 2


def test_hands_with_absent_players_replay_as_phh_to_the_same_stacks_and_count_as_hands():
    dice = random.Random(5)
    trial = table([1000] * 5, **FREEZE_OUT)
    dead = 0
    for _ in range(60):
        number = trial.public["hand"]
        while trial.public["street"] is not None and trial.public["hand"] == number:
            if trial.game.deadline(trial.state).at <= trial.now:
                trial.wait(0)
                continue
            legal = trial.game.legal(trial.state, trial.actor)
            word = legal["actions"][1] if dice.random() < 0.7 else dice.choice(legal["actions"][:3])
            trial.act(trial.actor, word, **({"amount": legal["min"]} if word in ("bet", "raise") else {}))
        played = trial.played()
        history, finishing = replay(trial.game.export("phh", played))
        assert finishing == history.finishing_stacks
        absent = kinds(trial, ev.HandStarted)[-1].absent
        dead += len(absent)
        tally = trial.game.tally(played)
        for seat in absent:
            assert (tally[seat]["hands"], tally[seat]["vpip"]) == (1, 0)
        for seat, sitting in enumerate(trial.state.record.players):
            if dice.random() < (0.5 if sitting.out else 0.2):
                trial.act(seat, "sit_in" if sitting.out else "sit_out")
        if trial.game.deadline(trial.state) is None:
            trial.act(0, "sit_in")
        trial.wait(4000)
    assert dead > 20


def test_one_who_is_back_before_the_turn_comes_checks_by_the_clock_like_anybody():
    trial = acts(table([100, 100, 100], **FREEZE_OUT), "fold", "fold")
    big = (kinds(trial, ev.HandStarted)[-1].big_blind + 1) % 3
    trial.act(big, "sit_out")
    trial.wait(4000)
    trial.act(big, "sit_in")
    acts(trial, "call", "call")
    trial.wait(90_000)
    timed_out = next(event for event in kinds(trial, ev.Acted) if event.timeout)
    assert (timed_out.seat, timed_out.action) == (big, "check")
