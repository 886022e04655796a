"""What we write as PHH loads in pokerkit's reader and replays to the same stacks."""

import random
import re
import tomllib
import warnings
from pathlib import Path

import pokerkit
import pytest

from parlour.games.contract import Illegal
from parlour.games.poker.holdem import Holdem
from parlour.games.testing import Lots, Trial


def table(seats, seed, **choices):
    return Trial(Holdem(), {"seats": seats, "min_buy_in": 2, "max_buy_in": 10_000, **choices}, Lots(seed))


def replay(text):
    """The stacks to which pokerkit comes, and the history that it read."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "There is no reason for this player to fold")
        history = pokerkit.HandHistory.loads(text)
        *_, state = history
    assert not state.status, "the hand is not over"
    return history, state.stacks


def play_hand(trial, dice, *, passive=0.7, all_in=True):
    number = trial.public["hand"]
    while trial.game.actors(trial.state) and trial.public["hand"] == number:
        legal = trial.game.legal(trial.state, trial.actor)
        words = [word for word in legal["actions"] if all_in or word != "allin"]
        word = words[1] if dice.random() < passive else dice.choice(words)
        fields = {}
        if word in ("bet", "raise"):
            fields["amount"] = min(legal["max"], legal["min"] + dice.randrange(6))
        trial.act(trial.actor, word, **fields)


CASES = [
    {},
    {"ante": 1},
    {"ante": 2, "ante_type": "big_blind"},
    {"limit": "fixed-limit"},
    {"variant": "omaha", "limit": "pot-limit"},
    {"variant": "short-deck"},
]


@pytest.mark.parametrize("choices", CASES, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_random_hands_replay_to_the_same_stacks(choices, seats):
    dice = random.Random(f"{choices} {seats}")
    trial = table(seats, dice.randrange(1000), **choices)
    for seat in range(seats):
        trial.join(seat, buy_in=1000)
    trial.start()
    for _ in range(6):
        play_hand(trial, dice)
        played = trial.played(None, {seat: f"Player {seat}" for seat in range(seats)})
        history, stacks = replay(trial.game.export("phh", played))
        assert stacks == history.finishing_stacks
        by_seat = dict(zip(history.seats, stacks, strict=True))
        assert by_seat == {row["seat"] + 1: row["stack"] for row in trial.public["players"]}
        assert history.players == [f"Player {seat - 1}" for seat in history.seats]
        for row in trial.public["players"]:
            if row["stack"] < 500 and "rebuy" in trial.game.options(trial.state, row["seat"]):
                trial.act(row["seat"], "rebuy", amount=1000)
        trial.wait(10_000)


def test_posts_of_newcomers_and_missed_blinds_replay():
    dice = random.Random(3)
    trial = table(6, 3)
    for seat in range(5):
        trial.join(seat, buy_in=9000)
    trial.start()
    trial.join(5, buy_in=9000, post=True)
    checked = posted = 0
    for hand in range(60):
        for seat, player in enumerate(trial.state.record.players):
            if player is not None and dice.random() < (0.5 if player.out else 0.12):
                trial.act(seat, "sit_in" if player.out else "sit_out", **({"post": True} if player.out else {}))
        play_hand(trial, dice, passive=0.9, all_in=False)
        if trial.public["hand"] > checked:
            checked = trial.public["hand"]
            played = trial.played()
            posted += sum(getattr(event, "kind", "") in ("post", "dead") for _, event in played.events)
            history, stacks = replay(trial.game.export("phh", played))
            assert stacks == history.finishing_stacks, hand
        trial.wait(10_000)
    assert checked > 15
    assert posted > 5


def test_a_reader_finds_only_the_cards_that_they_may_see():
    trial = table(3, 1)
    for seat in range(3):
        trial.join(seat, buy_in=100)
    trial.start()
    trial.act(trial.actor, "call")
    trial.act(trial.actor, "fold")
    trial.act(trial.actor, "check")
    trial.act(trial.actor, "bet", amount=10)
    trial.act(trial.actor, "fold")
    for seat in range(3):
        text = trial.game.export("phh", trial.played(None, None, seat))
        own = "".join(trial.game.private(trial.state, seat)["cards"])
        others = ["".join(trial.game.private(trial.state, other)["cards"]) for other in range(3) if other != seat]
        assert own in text
        assert not any(cards in text for cards in others)
        assert text.count("????") == 2
        history, stacks = replay(text)
        assert stacks == history.finishing_stacks


def test_one_who_left_is_written_as_folding_when_the_turn_comes():
    trial = table(3, 1)
    for seat in range(3):
        trial.join(seat, buy_in=100)
    trial.start()
    first = trial.actor
    trial.act(first, "call")
    big = trial.public["big_blind"]
    trial.leave(big)
    trial.act(trial.actor, "call")
    while trial.game.actors(trial.state):
        trial.act(trial.actor, "check")
    text = trial.game.export("phh", trial.played())
    history, stacks = replay(text)
    assert stacks == history.finishing_stacks
    assert history.actions[5] == "p2 f"


def test_one_who_leaves_after_acting_on_a_street_folds_behind_the_next_card():
    trial = table(3, 1)
    for seat in range(3):
        trial.join(seat, buy_in=100)
    trial.start()
    for word in ("call", "call", "check", "check"):
        trial.act(trial.actor, word)
    trial.leave(trial.public["small_blind"])
    while trial.game.actors(trial.state):
        trial.act(trial.actor, "check")
    history, stacks = replay(trial.game.export("phh", trial.played()))
    assert stacks == history.finishing_stacks
    turn = next(i for i, action in enumerate(history.actions[7:], 7) if action.startswith("d db") and len(action) == 7)
    assert history.actions[turn + 1] == "p1 f"


@pytest.mark.parametrize(
    ("ante_first", "stack", "ante"), [(False, 7, 3), (True, 7, 4), (False, 4, 0), (True, 4, 4), (True, 9, 4)]
)
def test_a_short_big_blind_with_an_ante_for_all_replays_in_both_orders(ante_first, stack, ante):
    choices = {"ante": 4, "ante_type": "big_blind", "ante_first": ante_first, "small_blind": 2, "big_blind": 4}
    trial = Trial(Holdem(), {"seats": 3, "min_buy_in": 4, **choices}, Lots(1, [[2, 0, 1]]))
    for seat, chips in enumerate((100, stack, 100)):
        trial.join(seat, buy_in=chips)
    trial.start()
    for word in ("call", "call"):
        trial.act(trial.actor, word)
    while trial.game.actors(trial.state):
        trial.act(trial.actor, "check")
    history, stacks = replay(trial.game.export("phh", trial.played()))
    assert history.antes == [0, ante, 0]
    assert stacks == history.finishing_stacks


def test_names_and_the_moment_are_told_and_escaped():
    trial = table(2, 1)
    trial.join(0, buy_in=100)
    trial.join(1, buy_in=100)
    trial.start()
    trial.act(trial.actor, "fold")
    names = {0: 'Zoë "the\\rock"\x7f\n', 1: "😀"}
    read = tomllib.loads(trial.game.export("phh", trial.played(None, names)))
    assert sorted(read["players"]) == sorted(names.values())
    assert (read["year"], read["month"], read["day"], read["time_zone"]) == (2023, 11, 14, "UTC")
    assert (read["hand"], read["seat_count"]) == (1, 2)


def test_a_game_without_a_code_gets_one_and_another_notation_is_refused():
    trial = table(2, 1, variant="omaha")
    trial.join(0)
    trial.join(1)
    trial.start()
    assert tomllib.loads(trial.game.export("phh", trial.played()))["variant"] == "NO"
    with pytest.raises(Illegal):
        trial.game.export("pgn", trial.played())


@pytest.fixture
def told(monkeypatch):
    """pokerkit's reader, told of our other games by the lines of the documentation."""
    for name in ("game_types", "required_field_names"):
        monkeypatch.setattr(pokerkit.HandHistory, name, dict(getattr(pokerkit.HandHistory, name)))
    page = (Path(__file__).parents[3] / "docs" / "holdem.md").read_text("utf-8")
    (lines,) = re.findall(r"```python\n(from pokerkit .*?)```", page, re.DOTALL)
    exec(lines, {})


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize("limit", ["no-limit", "pot-limit", "fixed-limit"])
@pytest.mark.parametrize("variant", ["holdem", "short-deck", "omaha", "omaha5", "omaha6"])
def test_a_reader_that_is_told_of_the_other_games_replays_them(variant, limit):
    trial = table(3, 5, variant=variant, limit=limit)
    for seat in range(3):
        trial.join(seat, buy_in=1000)
    trial.start()
    dice = random.Random(f"{variant} {limit}")
    for _ in range(5):
        play_hand(trial, dice, passive=0.8, all_in=False)
        history, stacks = replay(trial.game.export("phh", trial.played()))
        assert stacks == history.finishing_stacks
        trial.wait(10_000)
