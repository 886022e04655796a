"""The house's own chess engine as a program that speaks UCI: `python -m parlour.bots.chess_uci`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

import chess
import chess.variant

from parlour.bots.chess_engine import LEVELS, choose

BOARDS = {board.uci_variant: board for board in chess.variant.VARIANTS if board.uci_variant}


class UciProgram:
    """Answers the lines of UCI, one after another. It stops thinking by itself, so `stop` has nothing to do."""

    def __init__(self, say: Callable[[str], None], seed: int | None = None) -> None:
        self._say = say
        self._seed = seed
        self._board = chess.Board()
        self._options = {"Level": "medium", "UCI_Variant": "chess", "UCI_Chess960": "false"}

    def obey(self, line: str) -> bool:
        """Carry out one line; whether the program goes on."""
        word, *rest = line.split() or [""]
        match word:
            case "uci":
                self._introduce()
            case "isready":
                self._say("readyok")
            case "setoption":
                name, _, value = " ".join(rest[1:]).partition(" value ")
                self._options[name] = value
            case "position":
                self._set_up(rest)
            case "go":
                thought = float(rest[rest.index("movetime") + 1]) / 1000 if "movetime" in rest else None
                self._say(f"bestmove {choose(self._board, self._options['Level'], thought, self._seed)}")
            case "quit":
                return False
        return True

    def _introduce(self) -> None:
        self._say("id name Parlour")
        self._say(f"option name Level type combo default medium {_choices(LEVELS)}")
        self._say(f"option name UCI_Variant type combo default chess {_choices(BOARDS)}")
        self._say("option name UCI_Chess960 type check default false")
        self._say("uciok")

    def _set_up(self, words: list[str]) -> None:
        board = BOARDS[self._options["UCI_Variant"]]
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
        fen = board.starting_fen if words[0] == "startpos" else " ".join(words[1 : len(words) - len(moves)])
        fen = fen.removesuffix(" moves")
        self._board = board(fen, chess960=self._options["UCI_Chess960"] == "true")
        for move in moves:
            self._board.push_uci(move)


def _choices(words: Iterable[str]) -> str:
    return " ".join(f"var {word}" for word in words)


def main() -> None:
    program = UciProgram(lambda line: print(line, flush=True))
    for line in sys.stdin:
        if not program.obey(line):
            break


if __name__ == "__main__":
    main()
