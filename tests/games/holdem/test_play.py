"""Random hands at a table beside the engine's own books: chips are conserved whatever is played."""

import random

import msgspec
import pytest

from parlour.games.poker.holdem import Holdem
from parlour.games.testing import Lots, Trial


def chips(trial):
    public = trial.public
    return sum(player["stack"] for player in public["players"]) + public["pot"]


def play_at_random(trial, dice, steps):
    for _ in range(steps):
        if trial.game.deadline(trial.state) is None:
            return
        if not trial.game.actors(trial.state):
            trial.wait(5000)
            continue
        legal = trial.game.legal(trial.state, trial.actor)
        word = dice.choice(legal["actions"])
        fields = {"amount": dice.randint(legal["min"], legal["max"])} if word in ("bet", "raise") else {}
        trial.act(trial.actor, word, **fields)


@pytest.mark.parametrize("variant", ["holdem", "omaha", "omaha6", "short-deck"])
@pytest.mark.parametrize("limit", ["no-limit", "pot-limit", "fixed-limit"])
@pytest.mark.parametrize("seats", [2, 3, 7])
def test_chips_are_conserved_in_every_game(variant, limit, seats):
    dice = random.Random(f"{variant} {limit} {seats}")
    settings = {"seats": seats, "variant": variant, "limit": limit, "ante": dice.choice([0, 1])}
    settings["ante_type"] = dice.choice(["each", "big_blind"])
    trial = Trial(Holdem(), settings, Lots(dice.randrange(1000)))
    total = 0
    for seat in range(seats):
        buy_in = dice.randint(40, 400)
        trial.join(seat, buy_in=buy_in)
        total += buy_in
    trial.start()
    for _ in range(12):
        play_at_random(trial, dice, 10)
        assert chips(trial) == total


@pytest.mark.parametrize("seats", [2, 4])
def test_what_is_shown_follows_every_single_event(seats):
    """A table shows a decision as a whole; a replay may stop after any event, and sees no more and no less."""
    dice, encode = random.Random(seats), msgspec.json.encode
    trial = Trial(Holdem(), {"seats": seats}, Lots(seats))
    for seat in range(seats):
        trial.join(seat)
    trial.start()
    play_at_random(trial, dice, 60)
    game, state = trial.game, trial.game.setup(trial.settings)
    for at, event in trial.log:
        game.apply(state, event, at)
        thawed = game.thaw(trial.settings, game.freeze(state))  # remembers nothing of what was shown before
        assert game.public_json(state) == game.public_json(thawed) == encode(game.public(state)), event
        for seat, player in enumerate(state.record.players):
            if player is not None:
                own = game.options(state, seat), game.private(state, seat), game.legal(state, seat)
                assert game.own_json(state, seat) == game.own_json(thawed, seat) == tuple(map(encode, own)), event
