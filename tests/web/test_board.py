"""The chess board shows what the server said, at positions of random games in every variant."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest
from playwright.sync_api import Page
from tests.thorough import THOROUGH
from tests.tiers import quick_first_rows

from parlour.games.chess import Chess
from parlour.games.testing import Lots, Trial

from .guests import Guest
from .hands import Told, ask
from .house import House
from .visitors import Visitor, until

SITUATIONS = 150 * THOROUGH
MORE_SITUATIONS = 400 * THOROUGH
BATCH = 50
LONGEST = 40
VARIANTS = ("standard", "chess960", "crazyhouse", "atomic", "antichess", "horde", "king_of_the_hill", "three_check")
HERE = Path(__file__).parent


def random_games(told: Callable[[Trial], Told], dice: random.Random) -> Iterator[dict[str, Any]]:
    """Frames of one game after another, each in another variant."""
    while True:
        for variant in VARIANTS:
            rules = {"minutes": 5, "increment": 2, "variant": variant, "side": "white"}
            trial = Trial(Chess(), rules, Lots(dice.getrandbits(32)))
            for seat in range(2):
                trial.join(seat)
            teller = told(trial)
            yield teller.frame(trial.start())
            for _ in range(LONGEST):
                if not trial.game.actors(trial.state):
                    break
                legal = trial.game.legal(trial.state, trial.actor)
                assert legal is not None
                trial.now += dice.randint(200, 5000)
                yield teller.frame(trial.act(trial.actor, "move", uci=dice.choice(legal["moves"])))


def placement(fen: str) -> dict[str, str]:
    """The pieces of a position by square, by python-chess."""
    board = chess.BaseBoard(fen.split()[0].split("[")[0].replace("~", ""))
    return {
        chess.square_name(square): f"{chess.COLOR_NAMES[piece.color]} {chess.piece_name(piece.piece_type)}"
        for square, piece in board.piece_map().items()
    }


@pytest.mark.parametrize(
    ("motion", "situations"),
    quick_first_rows([("reduce", SITUATIONS), ("reduce", MORE_SITUATIONS), ("no-preference", MORE_SITUATIONS)]),
)
def test_what_is_drawn_is_what_the_server_said(
    motion: str, situations: int, house: House, new_page: Callable[..., Page]
) -> None:
    page = new_page(reduced_motion=motion)
    for script in ("feed.js", "board.js", "quick.js"):
        page.add_init_script(path=HERE / script)
    code = Guest(house.url, "Host").open_table("chess", minutes=5, increment=2, side="white")
    headers = {"Origin": house.url}
    for path, body in (("identities", {"name": "Hero"}), (f"tables/{code}/seats", {"seat": 0})):
        answer = page.context.request.post(f"{house.url}/api/v1/{path}", data=body, headers=headers)
        assert answer.ok, answer.text()
    Guest(house.url, "Guest").sit(code)
    visitor = Visitor(page, house.url, "Hero")
    visitor.go(f"/t/{code}")
    page.locator(".cg-wrap").wait_for()
    until(page, lambda: sum(seat["player"] is not None for seat in visitor.view()["seats"]) >= 2)
    position = {"seq": visitor.view()["seq"], "turn": visitor.view()["turn"]}
    tellers: list[Told] = []

    def told(trial: Trial) -> Told:
        """A new game goes on with the numbers of the last one."""
        last = tellers[-1] if tellers else None
        tellers.append(Told(trial, position if last is None else {"seq": last.seq, "turn": last.turn}))
        return tellers[-1]

    source = random_games(told, random.Random(64))
    for _ in range(situations // BATCH):
        batch = [
            {**frame, "pieces": placement(frame["patch"]["state"]["fen"])} for frame in itertools.islice(source, BATCH)
        ]
        for frame, seen in zip(batch, ask(page, "parlourBoard", batch), strict=True):
            state = frame["patch"]["state"]
            assert seen["pieces"] == frame["pieces"], state
            assert seen["turn"] == state["turn"]
            assert seen["moves"] == len(state["moves"])
            if state["moves"]:
                assert seen["last"], "the last move is marked"
            clock = state["clock"]
            for side in ("white", "black"):
                assert seen["clocks"][side] == clock[side] or clock["running"] == side
