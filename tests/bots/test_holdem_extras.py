"""The house's players where the host has turned everything on: they answer, choose and always play legally."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from parlour.bots.holdem_player import choose, reply
from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem import events as ev
from parlour.games.testing import Lots, Trial

MIX = [["holdem", "no-limit"], ["omaha-hilo", "pot-limit"], ["omaha5-hilo", "fixed-limit"], ["short-deck", "no-limit"]]


def view(trial: Trial, seat: int) -> dict[str, Any]:
    """What the bot at this seat reads."""
    seen: dict[str, Any] = {
        "state": trial.public,
        "settings": msgspec.to_builtins(trial.settings),
        "private": trial.game.private(trial.state, seat),
        "legal": trial.game.legal(trial.state, seat),
        "you": {"seats": [seat], "request": None, "options": list(trial.game.options(trial.state, seat))},
    }
    return msgspec.json.decode(msgspec.json.encode(seen))  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "extras",
    [
        {"choice": "dealer", "change_every": 1},
        {"choice": "rotation", "change_every": 1, "bomb_ante": 2, "bomb_every": 2, "double_board": "bombs"},
        {"choice": "rotation", "change_every": 2, "button_blind": True, "ante": 1},
    ],
)
def test_bots_play_legally_whatever_is_turned_on(extras: dict[str, Any]) -> None:
    settings = {"seats": 4, "buy_in": 60, "games": MIX, "run_it": 3, "seven_deuce": 1, "rabbit": True, **extras}
    trial, dice = Trial(Holdem(), settings, Lots(3)), random.Random(3)
    for seat in range(4):
        trial.join(seat)
    trial.start()
    while trial.game.round(trial.state) < 12:
        waiting = trial.game.actors(trial.state)
        answered = False
        for seat in range(4):
            seen = view(trial, seat)
            if seen["legal"] is not None:
                trial.act(seat, choose(seen, "loose", dice))
            elif (answer := reply(seen, dice)) is not None:
                trial.act(seat, answer)
            else:
                continue
            answered = True
            break
        assert answered or not waiting, "nobody answers what the table waits for"
        if not answered:
            trial.wait(20_000)
    log = [event for _, event in trial.log]
    assert len({event.variant for event in log if isinstance(event, ev.HandStarted)}) > 1
    assert not any(event.timeout for event in log if isinstance(event, ev.Acted))


def test_a_bot_runs_it_as_often_as_the_others_want_and_wants_a_bomb_pot_where_they_do() -> None:
    state = {"run": {"seats": [0, 1], "most": 3, "answers": {"1": 2}}, "players": []}
    seen = {"you": {"seats": [0], "options": ["run"]}, "state": state, "settings": {}}
    assert reply(seen, random.Random(1)) == {"type": "run", "times": 2}
    seen = {
        "you": {"seats": [0], "options": ["bomb"]},
        "state": {"next": {"bombs": [2]}, "players": []},
        "settings": {},
    }
    assert reply(seen, random.Random(1)) == {"type": "bomb"}
    seen["state"] = {"next": {"bombs": [2, 0]}, "players": []}
    assert reply(seen, random.Random(1)) is None
