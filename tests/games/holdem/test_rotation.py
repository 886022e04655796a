"""Which game is played: in turn, or as the player with the button chooses."""

import msgspec
import pytest

from parlour.games.poker.holdem import events as ev
from parlour.games.poker.holdem.rotation import CHOICE_TIME

from .test_stakes import next_hand, opening
from .test_table import acts, kinds, refused, table

GAMES = [["holdem", "no-limit"], ["omaha-hilo", "pot-limit"], ["short-deck", "fixed-limit"]]


def played(trial, hands):
    found = []
    for _ in range(hands):
        found.append(opening(trial).variant)
        next_hand(trial)
    return found


def test_the_games_take_turns_every_so_many_hands():
    trial = table([100] * 3, choice="rotation", games=GAMES, change_every=2)
    assert trial.public["game"] == {"variant": "holdem", "limit": "no-limit"}
    assert trial.public["next"] == {"game": {"variant": "omaha-hilo", "limit": "pot-limit"}, "hands": 1}
    assert played(trial, 7) == ["holdem"] * 2 + ["omaha-hilo"] * 2 + ["short-deck"] * 2 + ["holdem"]


def test_without_a_number_the_game_changes_every_orbit():
    trial = table([100] * 3, choice="rotation", games=GAMES)
    assert played(trial, 7) == ["holdem"] * 3 + ["omaha-hilo"] * 3 + ["short-deck"]


def test_each_game_has_its_own_cards_and_limit():
    trial = table([100] * 3, choice="rotation", games=GAMES, change_every=1)
    assert len(trial.game.private(trial.state, 0)["cards"]) == 2
    next_hand(trial)
    assert len(trial.game.private(trial.state, 0)["cards"]) == 4
    assert trial.public["game"]["limit"] == "pot-limit"
    next_hand(trial)
    assert all(card[0] not in "2345" for card in trial.game.private(trial.state, 0)["cards"])
    legal = trial.game.legal(trial.state, trial.actor)
    assert (legal["min"], legal["max"]) == (4, 4)


def dealers_choice(**settings):
    trial = table([100] * 3, choice="dealer", games=GAMES, **{"change_every": 1, **settings})
    assert opening(trial).variant == "holdem"  # the first hand of all is the host's first game
    while trial.state.actor is not None:
        acts(trial, "fold")
    trial.wait(4000)
    return trial


def test_the_player_with_the_button_chooses_before_the_deal():
    trial = dealers_choice()
    question = trial.public["choice"]
    assert question == {"seat": 0, "until": trial.now + CHOICE_TIME, "games": [tuple(game) for game in GAMES]}
    assert list(trial.game.actors(trial.state)) == [0]
    assert "choose" in trial.game.options(trial.state, 0)
    assert trial.game.status(trial.state) == "playing"
    refused("not_your_choice", trial.act, 1, "choose", variant="omaha-hilo", limit="pot-limit")
    refused("game_not_offered", trial.act, 0, "choose", variant="omaha-hilo", limit="no-limit")
    trial.act(0, "choose", variant="omaha-hilo", limit="pot-limit")
    trial.wait(0)
    hand = opening(trial)
    assert (hand.hand, hand.button, hand.variant, hand.limit) == (2, 0, "omaha-hilo", "pot-limit")
    assert "choice" not in trial.public


def test_silence_is_to_go_on_with_the_same_game():
    trial = dealers_choice()
    trial.act(0, "choose", variant="omaha-hilo", limit="pot-limit")
    trial.wait(0)
    next_hand(trial)
    assert trial.public["choice"]["seat"] == 1
    trial.wait(CHOICE_TIME)
    assert (opening(trial).hand, opening(trial).variant) == (3, "omaha-hilo")
    assert kinds(trial, ev.GameChosen)[-1].seat is None


@pytest.mark.parametrize("how", ["leave", "sit_out"])
def test_where_the_one_who_chooses_goes_the_hand_is_dealt_at_once(how):
    trial = dealers_choice()
    if how == "leave":
        trial.leave(0)
    else:
        trial.act(0, "sit_out")
    trial.wait(0)
    assert (opening(trial).hand, opening(trial).variant) == (2, "holdem")


def test_where_the_host_ends_the_choice_the_hand_is_dealt_at_once():
    trial = dealers_choice()
    fixed = msgspec.structs.replace(trial.state.settings, choice="fixed", games=())
    state = trial.game.thaw(fixed, trial.game.freeze(trial.state))
    assert list(trial.game.actors(state)) == []
    assert "choose" not in trial.game.options(state, 0)
    deadline = trial.game.deadline(state)
    assert deadline is not None
    assert deadline.at <= trial.now


def test_where_nobody_is_at_the_button_nobody_is_asked():
    trial = table([100] * 3, choice="dealer", games=GAMES, change_every=1)
    trial.away = frozenset({0})
    next_hand(trial)
    assert opening(trial).hand == 2
    assert kinds(trial, ev.ChoiceOffered) == []


def test_the_question_is_dropped_where_too_few_are_left_and_asked_again():
    trial = dealers_choice()
    trial.act(1, "sit_out")
    trial.act(2, "sit_out")
    assert "choice" not in trial.public
    assert trial.game.deadline(trial.state) is None
    trial.act(1, "sit_in", post=True)
    trial.wait(4000)
    assert "choice" in trial.public


def test_a_choice_holds_for_an_orbit_where_the_host_wants_that():
    trial = table([100] * 3, choice="dealer", games=GAMES)
    for _ in range(3):
        assert kinds(trial, ev.ChoiceOffered) == []
        next_hand(trial)
    assert len(kinds(trial, ev.ChoiceOffered)) == 1
