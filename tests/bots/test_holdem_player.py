"""The house's hold'em player: always legal, and no gift to a table of fools."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from parlour.bots.holdem_player import STYLES, choose, hands_by_strength, top_range
from parlour.games.contract import Event, World
from parlour.games.poker.holdem.game import Holdem
from parlour.games.poker.holdem.settings import Settings

Choice = Callable[[dict[str, Any]], dict[str, Any]]


class Dice:
    """Chance from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def shuffle(self, n: int) -> Sequence[int]:
        return self.random.sample(range(n), n)


def play(choices: Sequence[Choice], hands: int, seed: int) -> list[int]:
    """Play that many hands, each with fresh stacks of a hundred big blinds; what each seat won."""
    game, dice = Holdem(), Dice(seed)
    settings = Settings(seats=len(choices), rebuy=False, hand_delay=0)
    won = [0] * len(choices)
    for number in range(hands):
        state = game.setup(settings)
        world = World(0, dice)

        def follow(events: Sequence[Event], state: Any = state) -> None:
            for event in events:
                game.apply(state, event, 0)

        order = [(seat + number) % len(choices) for seat in range(len(choices))]
        for seat in range(len(choices)):
            follow(game.join(state, seat, {}, world))
        follow(game.start(state, world))
        while actors := game.actors(state):
            seat = actors[0]
            view = {
                "state": game.public(state),
                "private": game.private(state, seat),
                "legal": game.legal(state, seat),
            }
            action = choices[order[seat]](view)
            kind = next(t for t in game.action_types if t.__struct_config__.tag == action["type"])
            follow(game.decide(state, seat, kind(**{k: v for k, v in action.items() if k != "type"}), world))
        for player in game.public(state)["players"]:
            won[order[player["seat"]]] += player["stack"] - settings.buy_in
    return won


def bot(style: str, seed: int = 1) -> Choice:
    dice = random.Random(seed)
    return lambda view: choose(view, style, dice)


def caller(view: dict[str, Any]) -> dict[str, Any]:
    return {"type": "check" if "check" in view["legal"]["actions"] else "call"}


def wild(seed: int) -> Choice:
    dice = random.Random(seed)

    def act(view: dict[str, Any]) -> dict[str, Any]:
        legal = view["legal"]
        kind = dice.choice(legal["actions"])
        return (
            {"type": kind, "amount": dice.randint(legal["min"], legal["max"])}
            if kind in ("bet", "raise")
            else {"type": kind}
        )

    return act


@pytest.mark.parametrize("style", STYLES)
def test_every_style_wins_against_somebody_who_calls_everything(style: str) -> None:
    won = play([bot(style), caller], hands=600, seed=7)
    assert sum(won) == 0
    assert won[0] > 600, "at least half a big blind a hand"


def test_it_wins_at_a_full_table_of_random_players() -> None:
    won = play([bot("balanced"), *(wild(seed) for seed in range(5))], hands=200, seed=3)
    assert sum(won) == 0
    assert won[0] > 0


def test_ranges_hold_the_part_of_hands_that_they_name() -> None:
    best = [hand for hand, _ in hands_by_strength()]
    assert best[:3] == ["AA", "KK", "QQ"]
    assert best[-1] == "32o"
    assert sum(count for _, count in hands_by_strength()) == 1326
    assert top_range(0.02).split(", ") == best[: len(top_range(0.02).split(", "))]
