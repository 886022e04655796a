"""Random games on the table beside the bare library: the same moves are legal, and the same ends come about."""

import random

import chess
import chess.pgn
import chess.variant
import pytest

from parlour.games.chess import Chess
from parlour.games.testing import Lots, Trial

LIBRARY = {
    "standard": chess.Board,
    "antichess": chess.variant.AntichessBoard,
    "atomic": chess.variant.AtomicBoard,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "horde": chess.variant.HordeBoard,
    "king_of_the_hill": chess.variant.KingOfTheHillBoard,
    "racing_kings": chess.variant.RacingKingsBoard,
    "three_check": chess.variant.ThreeCheckBoard,
}


def random_game(variant, seed, plies, board):
    """Play at random; `board` is the referee, set up by the caller from the table's first position."""
    dice = random.Random(seed)
    trial = Trial(Chess(), {"variant": variant, "minutes": 180}, Lots(seed))
    trial.join(0)
    trial.join(1)
    trial.start()
    referee = board(trial.public["start_fen"])
    while trial.game.status(trial.state) == "playing" and len(referee.move_stack) < plies:
        legal = trial.game.legal(trial.state, trial.actor)["moves"]
        assert sorted(legal) == sorted(referee.uci(move) for move in referee.legal_moves)
        move = dice.choice(sorted(legal))
        trial.wait(dice.randrange(3000))
        trial.act(trial.actor, "move", uci=move)
        referee.push_uci(move)
        public = trial.public
        assert public["fen"] == referee.fen()
        assert public["check"] == referee.is_check()
        outcome = referee.outcome()
        assert (public["result"] is None) == (outcome is None)
        if outcome is not None:
            winner = {True: "white", False: "black", None: None}[outcome.winner]
            assert public["result"]["winner"] == winner
    return trial, referee


@pytest.mark.parametrize("variant", sorted(LIBRARY))
@pytest.mark.parametrize("seed", range(2))
def test_legal_moves_positions_and_ends_are_the_librarys(variant, seed):
    random_game(variant, seed, 120, LIBRARY[variant])


def test_long_standard_games_end_as_the_library_says():
    trial, referee = random_game("standard", 7, 600, chess.Board)
    assert trial.public["result"] is not None
    assert referee.is_game_over()


@pytest.mark.parametrize("seed", range(3))
def test_chess960_starts_by_lot_and_castles_by_its_own_rules(seed):
    trial, _ = random_game("chess960", seed, 80, lambda fen: chess.Board(fen, chess960=True))
    start = trial.public["start_fen"]
    assert chess.Board(start, chess960=True).chess960_pos() is not None


def test_the_lots_reach_many_of_the_960_positions():
    starts = set()
    for seed in range(30):
        trial = Trial(Chess(), {"variant": "chess960"}, Lots(seed))
        trial.join(0)
        trial.join(1)
        trial.start()
        starts.add(trial.public["start_fen"])
    assert len(starts) > 20
