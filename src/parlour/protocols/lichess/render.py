"""A chess table as Lichess describes a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import chess

from parlour.games.chess.clock import Color, other
from parlour.games.chess.state import ChessState
from parlour.protocols.lichess import terms, words
from parlour.protocols.lichess.users import LichessUser, LichessUsers
from parlour.tables.live.table import Table
from parlour.tables.room.state import SeatHolder

FOREVER = 2**31 - 1
"""What a clock shows that does not run, in milliseconds."""
COLORS: tuple[Color, Color] = ("white", "black")


def state_of(table: Table) -> ChessState:
    state: ChessState = table.state.play
    return state


def players(table: Table) -> dict[Color, SeatHolder]:
    """Who plays which colour, also after they have got up."""
    state, room = state_of(table), table.state.room
    seats = {color: state.seat_of(color) for color in COLORS}
    found = {
        color: room.seats[seat] or room.round_players.get(seat) for color, seat in seats.items() if seat is not None
    }
    return {color: player for color, player in found.items() if player is not None}


def color_of(table: Table, player: str) -> Color | None:
    return next((color for color, who in players(table).items() if who.id == player), None)


def status(table: Table) -> str:
    record = state_of(table).record
    if record.result is not None:
        return words.STATUSES[record.result.reason]
    return "started" if record.game else "created"


def is_over(table: Table) -> bool:
    return state_of(table).record.result is not None


def left(table: Table, color: Color) -> int:
    """What the clock of that colour shows, in milliseconds."""
    clock = state_of(table).record.clock
    return FOREVER if clock is None else clock.left(color, table.state.game_time(table.owner.look()))


def described(table: Table) -> dict[str, Any]:
    """The variant, the speed, and whether the game is rated."""
    state = state_of(table)
    variant = words.variant(state.record.variant, _from_position(state))
    return {"variant": variant, "speed": words.speed(state.settings.speed), "rated": state.record.rated}


def _from_position(state: ChessState) -> bool:
    return state.record.variant == "standard" and state.record.start_fen != chess.STARTING_FEN


def game_state(table: Table) -> dict[str, Any]:
    """The line `gameState`."""
    state = state_of(table)
    record = state.record
    times = {color: state.time_of(color) for color in COLORS}
    line: dict[str, Any] = {"type": "gameState", "moves": " ".join(record.moves)}
    for color, time in times.items():
        line[f"{color[0]}time"] = left(table, color)
        line[f"{color[0]}inc"] = 0 if time is None else time.increment
    line["status"] = status(table)
    if record.result is not None and record.result.winner is not None:
        line["winner"] = record.result.winner
    if record.draw_offer is not None:
        line[f"{record.draw_offer[0]}draw"] = True
    if record.takeback_offer is not None:
        line[f"{record.takeback_offer[0]}takeback"] = True
    return line


def game_full(table: Table, rated: Mapping[Color, dict[str, Any]]) -> dict[str, Any]:
    """The line `gameFull`, with both players as `LichessUsers.rated` describes them."""
    state, game = state_of(table), described(table)
    usual = state.record.variant != "chess960" and state.record.start_fen == _usual_start(state)
    return {
        "type": "gameFull",
        "id": table.code,
        **game,
        **terms.described(state.settings),
        "perf": {"name": words.perf(game["variant"], game["speed"])[1]},
        "createdAt": table.created,
        "white": rated["white"],
        "black": rated["black"],
        "initialFen": terms.STARTPOS if usual else state.record.start_fen,
        "state": game_state(table),
    }


def _usual_start(state: ChessState) -> str:
    return type(state.board)().fen()


def game_info(table: Table, color: Color, opponent: dict[str, Any], source: str) -> dict[str, Any]:
    """A game in an event or in a list, as the player of that colour sees it."""
    state, game = state_of(table), described(table)
    record = state.record
    info = {
        "id": table.code,
        "gameId": table.code,
        "fullId": table.code,
        "color": color,
        "fen": state.fen,
        "hasMoved": len(record.moves) > COLORS.index(color),
        "isMyTurn": state.playing and state.to_move == color,
        "lastMove": record.moves[-1] if record.moves else "",
        "opponent": {"id": opponent["id"], "username": opponent["name"], "rating": opponent["rating"]},
        "perf": words.perf(game["variant"], game["speed"])[0],
        "rated": game["rated"],
        "secondsLeft": left(table, color) // 1000,
        "source": source,
        "speed": game["speed"],
        "status": words.status(status(table)),
        "variant": game["variant"],
        "compat": words.COMPAT,
    }
    if record.result is not None and record.result.winner is not None:
        info["winner"] = record.result.winner
    return info


def new_game(table: Table, color: Color, source: str) -> dict[str, Any]:
    """A game that has begun at once, as whoever asked for it is told. `player` is the side to move, as at Lichess."""
    state, game = state_of(table), described(table)
    return {
        "id": table.code,
        "fullId": table.code,
        **game,
        "perf": words.perf(game["variant"], game["speed"])[0],
        "fen": state.fen,
        "player": state.to_move,
        "color": color,
        "turns": state.board.ply(),
        "startedAtTurn": state.board.ply() - len(state.record.moves),
        "source": source,
        "status": words.status(status(table)),
        "createdAt": table.created,
    }


class LichessSides:
    """Who plays a game, as users."""

    def __init__(self, users: LichessUsers) -> None:
        self._users = users

    async def of(self, table: Table) -> dict[Color, LichessUser]:
        return {color: await self._users.of_player(player.id) for color, player in players(table).items()}

    async def rated(self, table: Table) -> dict[Color, dict[str, Any]]:
        """Both with their ratings in games like this one."""
        state = state_of(table)
        variant, speed = state.record.variant, state.settings.speed
        return {color: await self._users.rated(user, variant, speed) for color, user in (await self.of(table)).items()}

    async def info(self, table: Table, player: str, source: str) -> dict[str, Any] | None:
        """The game as this player sees it; None where it is not theirs."""
        rated = await self.rated(table)
        color = color_of(table, player)
        return None if color is None else game_info(table, color, rated[other(color)], source)


def with_user_names(pgn: str, sides: Mapping[Color, LichessUser]) -> str:
    """The record of a game with the names that clients know the players by: they look for their own in it."""
    tags, blank, moves = pgn.partition("\n\n")
    for color, user in sides.items():
        tags = re.sub(rf"^\[{color.title()} .*$", f'[{color.title()} "{user.name}"]', tags, flags=re.MULTILINE)
    return tags + blank + moves


def export(table: Table, sides: Mapping[Color, LichessUser]) -> dict[str, Any]:
    """A game as one object, for clients that ask for JSON in place of PGN."""
    state, game = state_of(table), described(table)
    record = state.record
    exported = {
        "id": table.code,
        **game,
        "variant": game["variant"]["key"],
        "perf": words.perf(game["variant"], game["speed"])[0],
        "createdAt": table.created,
        "lastMoveAt": table.state.room.at,
        "status": status(table),
        "players": {color: {"user": user.light()} for color, user in sides.items()},
        "moves": " ".join(record.san),
    }
    if record.result is not None and record.result.winner is not None:
        exported["winner"] = record.result.winner
    time = state.settings.time_of("white", record.white)
    if time is not None and not time.anew:
        seconds, increment = time.initial // 1000, time.increment // 1000
        exported["clock"] = {"initial": seconds, "increment": increment, "totalTime": seconds + 40 * increment}
    return exported
