"""Games of chess as PGN."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import chess

from parlour.games.chess import events
from parlour.games.chess.boards import board_of
from parlour.games.chess.openings import opening_of
from parlour.games.chess.settings import settings_of
from parlour.games.contract import Millis, Round

_RESULTS = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
_TERMINATIONS = {"time": "time forfeit", "abandoned": "abandoned", "aborted": "abandoned", "forfeit": "abandoned"}


def export(played: Round) -> str:
    """The game in PGN, with what the mover's clock showed beside each move."""
    started: events.GameStarted | None = None
    ended: events.GameEnded | None = None
    began: Millis = 0
    line: list[events.MoveMade] = []
    for at, event in played.events:
        if isinstance(event, events.GameStarted):
            started, began = event, at
        elif isinstance(event, events.MoveMade):
            line.append(event)
        elif isinstance(event, events.TakenBack):
            del line[-event.plies :]
        elif isinstance(event, events.GameEnded):
            ended = event
    if started is None:
        raise ValueError("this round has no game")
    import chess.pgn  # twenty modules come with it, which only an export needs

    correspondence = bool(played.settings.get("days"))
    game = chess.pgn.Game()
    game.setup(board_of(started.variant, started.fen))
    headers = game.headers
    headers["Event"] = _tag(str(played.settings.get("name") or "Parlour game"))
    headers["Date"] = datetime.fromtimestamp(began / 1000, UTC).strftime("%Y.%m.%d")
    headers["Round"] = str(played.number)
    headers["White"] = _tag(played.names.get(started.white, "?"))
    headers["Black"] = _tag(played.names.get(started.black, "?"))
    headers.update(time_controls(played.settings, started))
    headers["Result"] = result_of(ended)
    if ended is not None:
        headers["Termination"] = _TERMINATIONS.get(ended.reason, "normal")
    if opening := opening_of(started.variant, started.fen, [moved.uci for moved in line]):
        headers["ECO"], headers["Opening"] = opening.eco, opening.name
    tags = str(game).removesuffix(headers["Result"])
    return tags + _movetext(game.board(), line, clocks=not correspondence) + headers["Result"] + "\n"


def _movetext(board: chess.Board, line: list[events.MoveMade], *, clocks: bool) -> str:
    """The moves in the notation that was found when they were made: to find it again takes far longer."""
    out = []
    number, white, told = board.fullmove_number, board.turn == chess.WHITE, False
    for moved in line:
        if white:
            out.append(f"{number}. ")
        elif not told:
            out.append(f"{number}... ")
        out.append(f"{moved.san} ")
        told = True
        if clocks and moved.clock is not None:
            out.append(f"{{ [%clk {_clock(moved.clock)}] }} ")
            told = False  # a comment stands between the numbers
        white = not white
        number += white
    return "".join(out)


def _clock(left: Millis) -> str:
    """What a clock showed, as in `0:05:03.25`."""
    minutes, left = divmod(max(0, left), 60_000)
    seconds = f"{left / 1000:06.3f}".rstrip("0").rstrip(".")
    return f"{minutes // 60}:{minutes % 60:02}:{seconds}"


def _tag(text: str) -> str:
    """A tag's value on one line, with the escapes of the PGN standard (8.1.1): the library writes it as it is."""
    line = "".join(char if char.isprintable() else " " for char in text)
    return line.replace("\\", "\\\\").replace('"', '\\"')


def time_controls(flat: Mapping[str, object], started: events.GameStarted) -> dict[str, str]:
    """The time of both players; with time odds each has a tag of its own, as the standard knows only one."""
    settings = settings_of(flat)
    white, black = settings.time_of("white", started.white), settings.time_of("black", started.black)
    if white is None:
        return {"TimeControl": "-"}
    if white == black:
        return {"TimeControl": str(white)}
    return {"TimeControl": "?", "WhiteTimeControl": str(white), "BlackTimeControl": str(black)}


def result_of(ended: events.GameEnded | None) -> str:
    """The result as a PGN tag has it."""
    if ended is None or (ended.winner is None and ended.reason in events.UNPLAYED):
        return "*"
    return _RESULTS[ended.winner]
