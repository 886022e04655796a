"""The Chess Mate dialect: a chess game kept for a browser."""

from parlour.protocols.chessmate.routes import ChessMate

__all__ = ["ChessMate"]
