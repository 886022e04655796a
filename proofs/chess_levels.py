"""How strong the levels of the house at chess are: games against Stockfish as the system has it, held to fixed ratings.

    python -m proofs.chess_levels [--games 24] [--engine /usr/games/stockfish] [--levels level3 level4]

Each level meets ratings near its own, and the level above it, in pairs of games with the same opening and both
colours. All results together give the ratings, on the scale of the engine's `UCI_Elo`, with intervals of 95 %: the
engine has no rating below 1350, so the first levels are measured by those above them.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import chess
import chess.engine
import numpy as np

from parlour.bots.chess_levels import LEVELS
from parlour.bots.engines import find_engine
from parlour.bots.players import ChessPlayer

LONGEST = 240
"""Half-moves after which a game is drawn."""
OPENING = 6
"""Half-moves at random before the players take over."""
REFERENCE_SECONDS = 0.1
"""For a move of the engine that is measured against; half as long as the level where that is longer."""
DECIDED = 900
AGREED = 4
"""A game without slips is decided when that engine finds itself so many centipawns ahead, or behind, so many times in
a row."""
MATE = 100_000
REFERENCES = {
    "level1": (1350,),
    "level2": (1350,),
    "level3": (1350,),
    "level4": (1350, 1600),
    "level5": (1600, 2000),
    "level6": (2200, 2600),
    "level7": (2700, 2850),
}
"""Ratings of the engine of Debian go from 1350 to 2850."""
DOUBT = 1000.0
"""How far from 1500 a rating may be before any game, as a standard deviation: a clean score has a rating too."""
SCALE = math.log(10) / 400

Mover = Callable[[chess.Board], Awaitable[chess.Move]]


class Played(NamedTuple):
    """A game of a level, against a rating of the engine or another level, and its points."""

    level: str
    against: str | int
    points: float


def opening(dice: random.Random) -> list[chess.Move]:
    """A few random moves that leave neither side much ahead."""
    while True:
        board = chess.Board()
        for _ in range(OPENING):
            board.push(dice.choice(list(board.legal_moves)))
        captured = 32 - chess.popcount(board.occupied)
        if not captured and not board.is_check() and any(board.legal_moves):
            return board.move_stack


def house_mover(house: ChessPlayer, level: str) -> Mover:
    async def move(board: chess.Board) -> chess.Move:
        moves = [made.uci() for made in board.move_stack]
        state = {"variant": "standard", "start_fen": chess.STARTING_FEN, "moves": moves}
        action = await house.choose({"state": state, "settings": {"increment": 0}}, level, None)
        return chess.Move.from_uci(action["uci"])

    return move


class Decided(Exception):
    """The engine has found the game decided for a while; the points of its opponent."""


def engine_mover(engine: chess.engine.UciProtocol, elo: int, seconds: float, judges: bool) -> Mover:
    """The engine at this rating. Where it judges, it ends a game that is decided."""
    limits: dict[str, Any] = {"UCI_LimitStrength": True, "UCI_Elo": elo}
    signs: list[int] = []

    async def move(board: chess.Board) -> chess.Move:
        limit = chess.engine.Limit(time=seconds)
        played = await engine.play(board, limit, info=chess.engine.INFO_SCORE, options=limits)
        assert played.move is not None
        score = played.info.get("score")
        if judges and score is not None:
            ahead = score.relative.score(mate_score=MATE)
            signs.append((ahead > DECIDED) - (ahead < -DECIDED))
            if abs(sum(signs[-AGREED:])) == AGREED:
                raise Decided(0.0 if signs[-1] > 0 else 1.0)
        return played.move

    return move


async def game(mine: Mover, other: Mover, white: bool, start: list[chess.Move]) -> float:
    """The points of the first: 1, ½ or 0."""
    board = chess.Board()
    for move in start:
        board.push(move)
    while not board.is_game_over(claim_draw=True) and len(board.move_stack) < LONGEST:
        try:
            board.push(await (mine if board.turn == white else other)(board))
        except Decided as decided:
            return float(decided.args[0])
    outcome = board.outcome(claim_draw=True)
    if outcome is None or outcome.winner is None:
        return 0.5
    return 1.0 if outcome.winner == white else 0.0


def ratings(games: Sequence[Played]) -> dict[str, tuple[float, float]]:
    """The ratings that make these results likeliest, and half of each one's interval of 95 %."""
    known = {one.level for one in games} | {one.against for one in games if isinstance(one.against, str)}
    names = sorted(known)
    index = {name: number for number, name in enumerate(names)}
    at = np.full(len(names), 1500.0)
    for _ in range(200):
        slope = (1500.0 - at) / DOUBT**2
        information = np.eye(len(names)) / DOUBT**2
        for level, against, points in games:
            one = index[level]
            rival = float(against) if isinstance(against, int) else at[index[against]]
            expected = 1 / (1 + 10 ** ((rival - at[one]) / 400))
            weight = expected * (1 - expected) * SCALE**2
            slope[one] += (points - expected) * SCALE
            information[one, one] += weight
            if isinstance(against, str):
                two = index[against]
                slope[two] -= (points - expected) * SCALE
                information[two, two] += weight
                information[[one, two], [two, one]] -= weight
        at += np.clip(np.linalg.solve(information, slope), -200, 200)
    spread = 1.96 * np.sqrt(np.diag(np.linalg.inv(information)))
    return {name: (float(at[number]), float(spread[number])) for name, number in index.items()}


async def measure(levels: Sequence[str], games: int, path: str, seed: int, at_once: int) -> None:
    """Print the rating of each level."""
    house = ChessPlayer(engine=path)
    dice = random.Random(seed)
    engines = asyncio.Queue[chess.engine.UciProtocol]()
    for _ in range(at_once):
        engines.put_nowait((await chess.engine.popen_uci(path))[1])

    async def play(level: str, against: str | int, white: bool, start: list[chess.Move]) -> Played:
        engine = await engines.get()  # also where it does not play: so many games are played at once
        try:
            if isinstance(against, str):
                other = house_mover(house, against)
            else:
                thought = max(REFERENCE_SECONDS, LEVELS[level].seconds / 2)
                other = engine_mover(engine, against, thought, judges=not LEVELS[level].slips)
            return Played(level, against, await game(house_mover(house, level), other, white, start))
        finally:
            engines.put_nowait(engine)

    results: list[Played] = []
    for number, level in enumerate(levels):
        opponents: list[str | int] = [*REFERENCES[level], *levels[number + 1 : number + 2]]
        for against in opponents:
            pairs = games // 2 if isinstance(against, str) else max(1, games // 2 // len(REFERENCES[level]))
            playing = []
            for _ in range(pairs):
                start = opening(dice)
                playing += [play(level, against, white, start) for white in (True, False)]
            played = await asyncio.gather(*playing)
            results += played
            print(f"{level} against {against}: {sum(one.points for one in played):g} of {len(played)}", flush=True)
    for level, (at, half) in sorted(ratings(results).items()):
        print(f"{level}  {at:5.0f} ± {half:3.0f}")
    while not engines.empty():
        await engines.get_nowait().quit()
    await house.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=24, help="of each level against each kind of opponent")
    parser.add_argument("--engine", default=None, help="the engine that is measured against")
    parser.add_argument("--levels", nargs="*", default=list(LEVELS), choices=list(LEVELS))
    parser.add_argument("--at-once", type=int, default=2, help="games")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    path = args.engine or find_engine()
    if path is None:
        parser.error("no engine is installed; on Debian: apt-get install stockfish")
    asyncio.run(measure(args.levels, args.games, path, args.seed, args.at_once))


if __name__ == "__main__":
    main()
