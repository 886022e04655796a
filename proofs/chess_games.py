"""Games of chess at a table in every variant, written as PGN and read by `chess`."""

from __future__ import annotations

import io
import random
import re
from collections import Counter
from typing import Any, get_args

import chess
import chess.pgn

from parlour.games.chess import Chess, events
from parlour.games.chess.settings import Variant
from parlour.games.contract import Illegal
from parlour.games.testing import Lots
from proofs.evening import EveningFault, QuickTrial

PACES: tuple[dict[str, Any], ...] = (
    {},
    {"untimed": True},
    {"days": 2},
    {"minutes": 1, "increment": 2},
    {"odds": "second"},
    {"odds": "black"},
)
RESULTS = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
NAMES = {0: 'Ann "the Rook"', 1: "Ben\\"}
MOST_PLIES = 120
WORDS = ("offer_draw", "accept_draw", "decline_draw", "offer_takeback", "accept_takeback", "claim_draw", "resign")
"""What people ask for besides moving; the last of them seldom."""


def read_games(games: int, seed: int) -> Counter[str]:
    """Play so many games, and compare what `chess` reads with what was played."""
    seen: Counter[str] = Counter()
    for number in range(games):
        variant = get_args(Variant)[number % len(get_args(Variant))]
        try:
            _read(play(seed + number, variant), seen)
        except Exception as fault:
            raise EveningFault(f"seed {seed + number}, {variant}: {type(fault).__name__}: {fault}") from fault
        seen[f"chess: {variant}"] += 1
        seen["games of chess read by `chess`"] += 1
    return seen


def play(seed: int, variant: str) -> QuickTrial:
    """One game to its end, or until the time is over."""
    dice = random.Random(seed)
    table = QuickTrial(Chess(), {"variant": variant, **dice.choice(PACES)}, Lots(seed))
    table.join(0), table.join(1), table.start()
    plies = dice.randrange(2, MOST_PLIES)
    while table.game.status(table.state) == "playing":
        if len(table.state.record.moves) >= plies:
            table.act(dice.randrange(2), "resign")
            break
        try:
            if dice.random() < 0.1:
                table.act(dice.randrange(2), dice.choice(WORDS[: -1 if dice.random() < 0.9 else None]))
            else:
                moves = (table.game.legal(table.state, table.actor) or {})["moves"]
                table.act(table.actor, "move", uci=dice.choice(moves))
        except Illegal:  # nothing to claim, or to accept
            pass
        table.wait(dice.randrange(1500))
    return table


def _read(table: QuickTrial, seen: Counter[str]) -> None:
    played = table.played(1, NAMES)
    text = table.game.export("pgn", played)
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None, "there is no game in the file"
    assert not game.errors, f"{game.errors}\n{text}"
    (started,) = [event for _, event in played.events if isinstance(event, events.GameStarted)]
    (ended,) = [event for _, event in played.events if isinstance(event, events.GameEnded)]
    line = [move.uci() for move in game.mainline_moves()]
    moves = table.public["moves"]
    assert line == moves, f"the moves are {moves}, in the file {line}"
    end = game.end().board()
    assert end.fen() == table.public["fen"], f"the position is {table.public['fen']}, in the file {end.fen()}"
    result = "*" if ended.reason == "aborted" else RESULTS[ended.winner]
    assert game.headers["Result"] == result
    names = [
        re.sub(r"\\(.)", r"\1", game.headers[color]) for color in ("White", "Black")
    ]  # `chess` leaves escapes alone
    assert names == [NAMES[started.white], NAMES[started.black]], f"the players are {names}"
    if end.outcome() is not None and ended.reason not in ("time", "abandoned"):
        assert end.result() == result, f"the board says {end.result()}, the file {result}"
    seen[f"chess ended by {ended.reason}"] += 1
