"""Running it twice or three times: only where everybody agrees, each time for an equal part of every pot."""

import pytest

from parlour.games.poker.holdem import events as ev
from parlour.games.poker.holdem.endings import RUN_TIME

from .test_table import acts, deck, kinds, refused, stacks, table

# Seat 0 has aces, seat 1 kings. The first board helps nobody, the second has a king, the third an ace as well.
CARDS = deck("AhAs", "KdKc", board="7h 2c 9s 3d 5c  Ks 7c 2d 9d 4h  Kh Ac 8c 8d 6s")


def all_in(cards=CARDS, chips=(100, 100), **settings):
    trial = table(list(chips), cards, **{"run_it": 3, **settings})
    acts(trial, "allin", "call")
    return trial


def test_those_all_in_are_asked_with_their_hands_open():
    trial = all_in()
    public = trial.public
    assert sorted(trial.game.actors(trial.state)) == [0, 1]
    assert trial.game.legal(trial.state, 0) is None
    assert public["run"] == {"seats": [0, 1], "most": 3, "until": trial.now + RUN_TIME, "answers": {}}
    assert [row["cards"] for row in public["players"]] == [["Ah", "As"], ["Kd", "Kc"]]
    assert (public["result"], public["board"], public["actor"]) == (None, [], None)
    assert "run" in trial.game.options(trial.state, 0)
    assert trial.game.status(trial.state) == "playing"
    assert public["run_out"][0]["board"] == 0  # what their hands are worth is there to decide by


def test_run_twice_each_board_wins_half_of_the_pot():
    trial = all_in()
    trial.act(0, "run", times=2)
    assert trial.public["run"]["answers"] == {0: 2}
    assert list(trial.game.actors(trial.state)) == [1]
    trial.act(1, "run", times=2)
    public = trial.public
    assert public["boards"] == [["7h", "2c", "9s", "3d", "5c"], ["Ks", "7c", "2d", "9d", "4h"]]
    assert stacks(trial) == [100, 100]
    (pot,) = public["result"]["pots"]
    assert [(part["board"], part["amount"], part["winners"]) for part in pot["parts"]] == [(0, 100, [0]), (1, 100, [1])]
    assert public["game"]["runs"] == 2
    assert [(event.board, event.street) for event in kinds(trial, ev.StreetDealt)] == [
        (run, street) for run in (0, 1) for street in ("flop", "turn", "river")
    ]


def test_the_least_that_somebody_says_counts():
    trial = all_in()
    trial.act(0, "run", times=3)
    trial.act(1, "run", times=2)
    assert kinds(trial, ev.RunsAgreed) == [ev.RunsAgreed(2)]


def test_one_no_is_once_and_nobody_else_has_to_answer():
    trial = all_in()
    trial.act(1, "run", times=1)
    assert kinds(trial, ev.RunsAgreed) == [ev.RunsAgreed(1)]
    assert trial.public["board"] == ["7h", "2c", "9s", "3d", "5c"]
    assert "boards" not in trial.public
    assert "runs" not in trial.public["game"]
    assert stacks(trial) == [200, 0]


def test_silence_is_once():
    trial = all_in()
    trial.act(0, "run", times=3)
    trial.wait(RUN_TIME)
    assert kinds(trial, ev.RunsAgreed) == [ev.RunsAgreed(1)]
    assert not trial.state.record.live


def test_a_pause_is_not_charged_to_those_who_are_asked():
    trial = all_in()
    trial.pause(60_000)
    trial.wait(RUN_TIME - 1)
    assert trial.state.record.live


def test_somebody_who_is_away_is_not_asked():
    trial = table([100, 100], CARDS, run_it=2)
    trial.away = frozenset({1})
    acts(trial, "allin", "call")
    assert kinds(trial, ev.RunsOffered) == []
    assert stacks(trial) == [200, 0]


def test_somebody_who_leaves_meanwhile_has_it_run_once():
    trial = all_in()
    trial.leave(1)
    assert kinds(trial, ev.RunsAgreed) == [ev.RunsAgreed(1)]
    assert trial.state.record.players[1] is None
    assert kinds(trial, ev.CashedOut) == [ev.CashedOut(seat=1, chips=0)]


def test_who_leaves_by_the_fold_that_ends_the_betting_takes_the_chips_at_once():
    trial = table([100, 50, 50], run_it=2, button=2)
    acts(trial, "allin", "call")  # the button and the small blind; the big blind goes
    trial.leave(trial.actor)
    assert kinds(trial, ev.CashedOut) == [ev.CashedOut(seat=1, chips=48)]
    assert trial.public["run"]["seats"] == [0, 2]
    for seat in (0, 2):
        trial.act(seat, "run", times=2)
    assert sum(stacks(trial)) == 152


def test_those_who_have_folded_have_no_say():
    trial = table([100, 100, 100], run_it=2)
    acts(trial, "fold", "allin", "call")
    assert trial.public["run"]["seats"] == [0, 1]
    refused("nothing_to_run", trial.act, 2, "run", times=2)
    refused("too_many_runs", trial.act, 0, "run", times=3)
    trial.act(0, "run", times=2)
    refused("nothing_to_run", trial.act, 0, "run", times=2)


def test_cards_that_lie_there_are_shared_by_all_runs():
    trial = table([100, 100], CARDS, run_it=2)
    acts(trial, "call", "check", "check", 20, "allin", "call")
    assert trial.public["board"] == ["7h", "2c", "9s"]
    for seat in (0, 1):
        trial.act(seat, "run", times=2)
    first, second = trial.public["boards"]
    assert first[:3] == second[:3]
    assert not set(first[3:]) & set(second[3:])
    steps = trial.public["run_out"]
    assert [(step["on"], step["board"]) for step in steps] == [(0, 3), (0, 4), (0, 5), (1, 3), (1, 4), (1, 5)]


def test_the_next_hand_waits_until_every_board_has_been_watched():
    def delay(times):
        trial = all_in()
        for seat in (0, 1)[: 1 if times == 1 else 2]:
            trial.act(seat, "run", times=times)
        return times, trial

    _, once = delay(1)
    assert once.state.record.next_hand_at is None  # one has all the chips
    trial = table([100, 100, 100], run_it=2)
    acts(trial, "fold", "allin", "call")
    trial.act(0, "run", times=2)
    trial.act(1, "run", times=2)
    assert trial.state.record.next_hand_at == trial.now + 4000 + 2 * 3 * 1100


@pytest.mark.parametrize("settings", [{"run_it": 1}, {"double_board": "always"}])
def test_nobody_is_asked_where_the_host_does_not_offer_it_or_there_are_two_boards(settings):
    trial = all_in(None, **settings)
    assert kinds(trial, ev.RunsOffered) == []
    assert kinds(trial, ev.RunsAgreed) == []
    assert not trial.state.record.live
