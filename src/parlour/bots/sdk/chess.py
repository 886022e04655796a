"""A game of chess as a bot sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from parlour.bots.sdk.view import Action, View, shortly

if TYPE_CHECKING:
    import chess


class ChessView(View):
    """A game of chess in which it is the bot's move. Moves are written in UCI, such as `e2e4` or `e7e8q`."""

    __slots__ = ()

    fields: ClassVar[frozenset[str] | None] = frozenset({"type", "uci"})

    @property
    def fen(self) -> str:
        """The position."""
        fen: str = self.raw["state"]["fen"]
        return fen

    @property
    def variant(self) -> str:
        """`standard`, `chess960` or another variant of the server's."""
        variant: str = self.raw["state"]["variant"]
        return variant

    @property
    def color(self) -> Literal["white", "black"]:
        """The own colour."""
        color: Literal["white", "black"] = self.raw["state"]["turn"]
        return color

    @property
    def moves(self) -> list[str]:
        """The moves of the game so far."""
        moves: list[str] = self.raw["state"]["moves"]
        return moves

    @property
    def legal_moves(self) -> list[str]:
        """The moves that are legal now."""
        moves: list[str] = self.raw["legal"]["moves"]
        return moves

    @property
    def clock(self) -> float | None:
        """The seconds that the own clock has left; None without a clock."""
        return self._left(self.color)

    @property
    def their_clock(self) -> float | None:
        """The seconds that the opponent's clock has left; None without a clock."""
        return self._left("black" if self.color == "white" else "white")

    def _left(self, color: str) -> float | None:
        clock = self.raw["state"]["clock"]
        if clock is None:
            return None
        spent = max(0, self.raw["now"] - clock["since"]) if clock["running"] == color else 0
        return float(max(0, clock[color] - spent)) / 1000

    def board(self) -> chess.Board:
        """The position as a board of the library `chess`, which must be installed, with the moves that led to it."""
        from parlour.games.chess.boards import replay

        return replay(self.variant, self.raw["state"]["start_fen"], self.moves)

    def move(self, uci: str) -> Action:
        """Play a move."""
        return {"type": "move", "uci": uci}

    def resign(self) -> Action:
        """Give the game up."""
        return {"type": "resign"}

    def fallback(self) -> Action | None:
        return self.move(self.legal_moves[0]) if self.legal_moves else None

    def action(self, answer: object) -> Action:
        """A move in UCI, a `chess.Move`, or an action."""
        if isinstance(answer, str) and answer in self.legal_moves:
            return self.move(answer)
        uci = getattr(answer, "uci", None)
        if callable(uci):
            return self.move(str(uci()))
        action = super().action(answer)
        if "uci" in action and not isinstance(action["uci"], str):
            raise ValueError(f"a move is written as e2e4, not {shortly(action['uci'])}")
        return action
