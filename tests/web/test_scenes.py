"""What the page shows to happen follows from the events, and ends at the server's view: for random hands of hold'em."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.games.poker.holdem import Holdem
from parlour.games.testing import Lots, Trial

from .hands import deck
from .test_build import node

HANDS = 90
VIEWERS = (0, 2, None)
SEVENS_AND_DEUCES = deck("7c7d", "7h7s", "2c2d", "2h2s", board="Ac Kd Jh 9s 4c")
"""From three players on, some of them hold seven-deuce."""


def view(trial: Trial, viewer: int | None, seq: int) -> dict[str, Any]:
    """The parts of a viewer's view that the scenes are made from."""
    game, state = trial.game, trial.state
    seats = [{"seat": seat, "player": {"name": f"P{seat}"}} for seat in sorted(trial.taken)]
    you, private = None, None
    if viewer in trial.taken:
        you, private = {"seats": [viewer]}, json.loads(game.own_json(state, viewer)[1])
    return {"seq": seq, "seats": seats, "you": you, "state": json.loads(game.public_json(state)), "private": private}


def events_for(trial: Trial, viewer: int | None, since: int) -> list[dict[str, Any]]:
    """The events as the viewer may see them."""
    seen = []
    for seq, (at, event) in enumerate(trial.log[since:], since + 1):
        audience = event.audience()
        visible = audience is None or viewer in audience
        told = json.loads(msgspec.json.encode(event)) if visible else {"type": "skip"}
        seen.append({**told, "seq": seq, "at": at})
    return seen


def play(trial: Trial, dice: random.Random) -> Iterator[None]:
    """A few hands of a table, a step at a time."""
    trial.start()
    yield
    while trial.public["hand"] <= 2:
        actors = trial.game.actors(trial.state)
        wishes = [(seat, wish) for seat in sorted(trial.taken) for wish in trial.game.options(trial.state, seat)]
        wished = [(seat, wish) for seat, wish in wishes if wish in ("rabbit", "show")]
        if wished and dice.random() < 0.7:
            trial.act(*dice.choice(wished))
        elif not actors:
            if trial.game.deadline(trial.state) is None:
                return
            trial.wait(10_000)
        elif (legal := trial.game.legal(trial.state, actors[0])) is None:
            trial.act(actors[0], "run", times=dice.randint(1, trial.public["run"]["most"]))
        else:
            weights = {"fold": 2, "allin": 2, "raise": 2, "bet": 3}
            kind = dice.choices(legal["actions"], [weights.get(kind, 6) for kind in legal["actions"]])[0]
            amounts = {"amount": dice.randint(legal["min"], legal["max"])} if kind in ("bet", "raise") else {}
            trial.act(actors[0], kind, **amounts)
        yield


def plain(dice: random.Random) -> dict[str, Any]:
    """The settings of a table without extras."""
    return {
        "ante": dice.choice([0, 0, 1]), "variant": dice.choice(["holdem", "holdem", "omaha", "short-deck"]),
        "limit": dice.choice(["no-limit", "no-limit", "pot-limit"]),
    }  # fmt: skip


def extras(dice: random.Random) -> dict[str, Any]:
    """The settings of a table with what a host may add to a hand."""
    chosen = dice.choice(["runs", "runs", "boards", "bombs", "bounty", "rabbit"])
    more: dict[str, Any] = {
        "runs": {"run_it": 3, "variant": dice.choice(["holdem", "omaha-hilo"])},
        "boards": {"double_board": "always", "variant": dice.choice(["holdem", "omaha", "omaha-hilo"])},
        "bombs": {"bomb_ante": 2, "bomb_every": 1, "double_board": dice.choice(["never", "bombs"]), "run_it": 2},
        "bounty": {"seven_deuce": 5},
        "rabbit": {"rabbit": True},
    }[chosen]
    return {"button_blind": dice.random() < 0.2, **more}


def table(dice: random.Random, settings: Mapping[str, Any]) -> Trial:
    common = {"seats": 6, "min_buy_in": 2, "max_buy_in": 1000, "action_seconds": 0}
    # Seven-deuce is rare: where there is a bounty for it, the first decks deal it.
    lots = Lots(dice.getrandbits(32), [SEVENS_AND_DEUCES] * 3 if settings.get("seven_deuce") else [])
    trial = Trial(Holdem(), {**common, "hand_delay": dice.choice([0, 4, 4, 4]), **settings}, lots)
    for seat in [0, *dice.sample(range(1, 6), dice.randint(1, 5))]:
        trial.join(seat, buy_in=dice.choice([2, 3, 10, 30, 100, 400]))
    return trial


def recorded(folder: Path, settings: Callable[[random.Random], Mapping[str, Any]]) -> Path:
    """Steps of random hands at tables with such settings, as several viewers see them."""
    dice = random.Random(20261116)
    found: list[dict[str, Any]] = []
    for _ in range(HANDS):
        trial = table(dice, settings(dice))
        since = len(trial.log)
        before = {viewer: view(trial, viewer, since) for viewer in VIEWERS}
        for _ in play(trial, dice):
            for viewer in VIEWERS:
                after = view(trial, viewer, len(trial.log))
                found.append(
                    {"before": before[viewer], "events": events_for(trial, viewer, since), "after": after},
                )
                before[viewer] = after
            since = len(trial.log)
    path = folder / "steps.json"
    path.write_text(json.dumps(found))
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "tests"),
    [(plain, "tests/scenes.recorded.ts"), (extras, "tests/scenes-extras.recorded.ts")],
    ids=["plain", "extras"],
)
def test_scenes_of_random_hands(
    settings: Callable[[random.Random], Mapping[str, Any]],
    tests: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PARLOUR_STEPS", str(recorded(tmp_path, settings)))
    node("--test", tests)
