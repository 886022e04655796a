"""The state of a chess table: what is remembered, and the board that follows from it."""

from __future__ import annotations

import chess
import msgspec

from parlour.games.chess.boards import replay
from parlour.games.chess.clock import Clock, Color, Time
from parlour.games.chess.endings import claims_by_move
from parlour.games.chess.events import Reason
from parlour.games.chess.openings import DEEPEST, Opening, opening_at, openings_along
from parlour.games.chess.settings import Settings
from parlour.games.contract import Seat


class Result(msgspec.Struct, frozen=True):
    winner: Color | None
    reason: Reason


class ChessRecord(msgspec.Struct):
    """Everything that must be remembered: a snapshot is exactly this."""

    seated: list[bool] = msgspec.field(default_factory=lambda: [False, False])
    wishes: list[Color | None] = msgspec.field(default_factory=lambda: [None, None])
    """The colours that the seats have chosen for the next game."""
    game: int = 0
    turn: int = 0
    white: Seat | None = None
    black: Seat | None = None
    variant: str = "standard"
    start_fen: str = chess.STARTING_FEN
    moves: list[str] = []
    san: list[str] = []
    clock: Clock | None = None
    draw_offer: Color | None = None
    takeback_offer: Color | None = None
    rematch_offer: Color | None = None
    offered_at: dict[str, int] = {}
    """The ply at which each colour last offered a draw: one offer a move is enough."""
    result: Result | None = None
    rated: bool = False
    placed: bool = False
    """Whether a tournament gave the seats: there is one game, which nobody calls off, and no move is taken back."""


class ChessState:
    """A record, the board that it leads to, and what was worked out about the position."""

    __slots__ = ("_claims", "_fen", "_legal", "_openings", "board", "record", "settings")

    def __init__(self, settings: Settings, record: ChessRecord) -> None:
        self.settings = settings
        self.record = record
        self.board = replay(record.variant, record.start_fen, record.moves)
        self.game_changed()

    def game_changed(self) -> None:
        self._openings: list[Opening | None] = []
        self.position_changed()

    def position_changed(self) -> None:
        """After a move was added to the record or taken from it."""
        self._fen: str | None = None
        self._legal: list[str] | None = None
        self._claims: dict[str, Reason] | None = None
        del self._openings[len(self.record.moves) + 1 :]

    @property
    def playing(self) -> bool:
        return self.record.game > 0 and self.record.result is None

    @property
    def to_move(self) -> Color:
        return "white" if self.board.turn else "black"

    @property
    def fen(self) -> str:
        if self._fen is None:
            self._fen = self.board.fen()
        return self._fen

    @property
    def legal_moves(self) -> list[str]:
        """In UCI; worked out once a position, for it costs more than all the rest."""
        if self._legal is None:
            board = self.board
            self._legal = [board.uci(move) for move in board.legal_moves]
        return self._legal

    @property
    def claims_by_move(self) -> dict[str, Reason]:
        """The moves with which a draw may be claimed, worked out once a position."""
        if self._claims is None:
            self._claims = claims_by_move(self.board)
        return self._claims

    @property
    def opening(self) -> Opening | None:
        """The name of what has been played so far, looked up once a position."""
        record, found = self.record, self._openings
        plies = min(len(record.moves), DEEPEST) if record.variant == "standard" else 0
        if found and len(found) == plies == len(record.moves):
            found.append(opening_at(self.fen) or found[-1])
        elif len(found) <= plies:
            found = self._openings = openings_along(record.variant, record.start_fen, record.moves)
        return found[plies]

    def time_of(self, color: Color) -> Time | None:
        return self.settings.time_of(color, self.seat_of(color))

    def seat_of(self, color: Color) -> Seat | None:
        return self.record.white if color == "white" else self.record.black

    def color_of(self, seat: Seat) -> Color | None:
        if seat == self.record.white:
            return "white"
        return "black" if seat == self.record.black else None
