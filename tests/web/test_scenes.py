"""What the page shows to happen follows from the events, and ends at the server's view: for random hands of hold'em."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.games.poker.holdem import Holdem
from parlour.games.testing import Lots, Trial

from .test_build import node

HANDS = 90
VIEWERS = (0, 2, None)


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
        if not actors:
            if trial.game.deadline(trial.state) is None:
                return
            trial.wait(10_000)
        else:
            legal = trial.game.legal(trial.state, actors[0])
            assert legal is not None
            weights = {"fold": 2, "allin": 2, "raise": 2, "bet": 3}
            kind = dice.choices(legal["actions"], [weights.get(kind, 6) for kind in legal["actions"]])[0]
            amounts = {"amount": dice.randint(legal["min"], legal["max"])} if kind in ("bet", "raise") else {}
            trial.act(actors[0], kind, **amounts)
        yield


def table(dice: random.Random) -> Trial:
    settings = {
        "seats": 6, "ante": dice.choice([0, 0, 1]), "variant": dice.choice(["holdem", "holdem", "omaha", "short-deck"]),
        "limit": dice.choice(["no-limit", "no-limit", "pot-limit"]), "min_buy_in": 2, "max_buy_in": 1000,
        "action_seconds": 0, "hand_delay": dice.choice([0, 4, 4, 4]),
    }  # fmt: skip
    trial = Trial(Holdem(), settings, Lots(dice.getrandbits(32)))
    for seat in [0, *dice.sample(range(1, 6), dice.randint(1, 5))]:
        trial.join(seat, buy_in=dice.choice([2, 3, 10, 30, 100, 400]))
    return trial


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dice = random.Random(20261116)
    found: list[dict[str, Any]] = []
    for _ in range(HANDS):
        trial = table(dice)
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
    path = tmp_path_factory.mktemp("steps") / "steps.json"
    path.write_text(json.dumps(found))
    return path


def test_scenes_of_random_hands(steps: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_STEPS", str(steps))
    node("--test", "tests/scenes.recorded.ts")
