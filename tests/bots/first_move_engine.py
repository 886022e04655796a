"""A chess engine that plays the first move there is, as the text of a program; it keeps notes of what it was told."""

import shlex
import sys

RUN_BY_PYTHON = f"""#!/bin/sh
'''exec' {shlex.quote(sys.executable)} "$0" "$@"
' '''
"""
"""The first lines of a program: to Python a text without meaning. The line `#!` itself allows no space in a path."""

ENGINE = f"""{RUN_BY_PYTHON}
import os, sys, time
import chess

notes = open(__file__ + ".notes", "a")
notes.write("started\\n")
notes.flush()
board = chess.Board()
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "uci":
        print("id name first move\\noption name Skill Level type spin default 20 min 0 max 20\\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "position":
        moves = rest[rest.index("moves") + 1 :] if "moves" in rest else []
        board = chess.Board() if rest[0] == "startpos" else chess.Board(" ".join(rest[1:7]))
        for move in moves:
            board.push_uci(move)
    elif word in ("go", "setoption"):
        notes.write(line)
        notes.flush()
        if word == "go":
            if os.path.exists(__file__ + ".hang"):
                os.remove(__file__ + ".hang")
                time.sleep(3600)
            if os.path.exists(__file__ + ".die"):
                os.remove(__file__ + ".die")
                sys.exit(3)
            print("bestmove", sorted(move.uci() for move in board.legal_moves)[0], flush=True)
    elif word == "quit":
        break
"""
