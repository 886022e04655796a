"""Positions in which a side can never mate, whatever both sides play (FIDE 5.2.2 and 6.9).

The library knows the cases of too little material. Here are walls of pawns: with kings, bishops and pawns alone, where
no pawn can ever move, take or be taken, nothing changes but where kings and bishops stand, and whether that allows a
mate can be told from the squares that they could ever reach. What is not certain counts as alive.
"""

from __future__ import annotations

import chess


def cannot_mate(board: chess.Board, color: chess.Color) -> bool:
    """Whether no sequence of legal moves leads to a mate by that colour; False where it may, or nobody knows."""
    if board.has_insufficient_material(color):
        return True
    wall = _Wall(board) if _may_be_walled(board) else None
    return wall is not None and wall.holds and not wall.may_mate(color)


def is_dead(board: chess.Board) -> bool:
    """Whether neither side can ever mate."""
    return _may_be_walled(board) and cannot_mate(board, chess.WHITE) and cannot_mate(board, chess.BLACK)


def _may_be_walled(board: chess.Board) -> bool:
    """A cheap first look: plain chess, and nothing but kings, bishops and pawns that block each other."""
    if type(board) is not chess.Board or board.knights | board.rooks | board.queens or board.has_legal_en_passant():
        return False
    pawns = board.pawns
    ahead = (pawns & board.occupied_co[chess.WHITE]) << 8 | (pawns & board.occupied_co[chess.BLACK]) >> 8
    return bool(pawns) and not ahead & ~pawns


def _pawn_attacks(pawns: chess.Bitboard, color: chess.Color) -> chess.Bitboard:
    found = chess.BB_EMPTY
    for square in chess.scan_forward(pawns):
        found |= chess.BB_PAWN_ATTACKS[color][square]
    return found


class _Wall:
    """The pawns as they stand, and how far kings and bishops get between them."""

    def __init__(self, board: chess.Board) -> None:
        self._pawns = [board.pawns & board.occupied_co[color] for color in chess.COLORS[::-1]]
        self._attacked = [_pawn_attacks(self._pawns[color], bool(color)) for color in (0, 1)]
        """The squares that the pawns of each colour attack, black first, as the library counts colours."""
        bishops = [board.bishops & board.occupied_co[bool(color)] for color in (0, 1)]
        self._bishops = [chess.popcount(found) for found in bishops]
        self._king_reach = [self._kings_way(board, color) for color in (0, 1)]
        self._bishop_reach = [self._bishops_way(bishops[color], color) for color in (0, 1)]
        self.holds = all(self._holds(color) for color in (0, 1))

    def _holds(self, color: int) -> bool:
        """Whether nothing of that colour can ever take a pawn, or be taken by one."""
        enemy = 1 - color
        steps = chess.BB_EMPTY
        for square in chess.scan_forward(self._king_reach[color]):
            steps |= chess.BB_KING_ATTACKS[square]
        king_takes = steps & self._pawns[enemy] & ~self._attacked[enemy]
        bishop_takes = self._bishop_reach[color] & self._pawns[enemy]
        bishop_taken = self._bishop_reach[color] & self._attacked[enemy]
        pawn_takes = self._attacked[color] & self._pawns[enemy]
        return not (king_takes or bishop_takes or bishop_taken or pawn_takes)

    def _kings_way(self, board: chess.Board, color: int) -> chess.Bitboard:
        """The squares that the king can reach if no other piece stands in the way."""
        king = board.king(bool(color))
        barred = self._pawns[0] | self._pawns[1] | self._attacked[1 - color]
        reach = fresh = chess.BB_EMPTY if king is None else chess.BB_SQUARES[king]
        while fresh:
            steps = chess.BB_EMPTY
            for square in chess.scan_forward(fresh):
                steps |= chess.BB_KING_ATTACKS[square]
            fresh = steps & ~barred & ~reach
            reach |= fresh
        return reach

    def _bishops_way(self, bishops: chess.Bitboard, color: int) -> chess.Bitboard:
        """The squares that the bishops of that colour can reach, enemy pawns included, if no piece is in the way."""
        pawns, own = self._pawns[0] | self._pawns[1], self._pawns[color]
        reach = fresh = bishops
        while fresh:
            steps = chess.BB_EMPTY
            for square in chess.scan_forward(fresh & ~pawns):
                occupied = chess.BB_DIAG_MASKS[square] & pawns
                steps |= chess.BB_DIAG_ATTACKS[square][occupied]
            fresh = steps & ~own & ~reach
            reach |= fresh
        return reach

    def may_mate(self, color: bool) -> bool:
        """Whether there are squares for the pieces on which that colour might mate.

        Only a bishop can give the check. Each square around the king must be a pawn's, or be guarded by a pawn, a
        bishop or the king, or be blocked by a bishop of the mated side.
        """
        own, enemy = int(color), 1 - int(color)
        bishop, blocker = self._bishop_reach[own], self._bishop_reach[enemy]
        if not self._king_reach[enemy] & bishop:
            return False
        closed = self._pawns[enemy] | self._attacked[own]
        for king in chess.scan_forward(self._king_reach[enemy] & bishop):
            open_squares = chess.BB_KING_ATTACKS[king] & ~closed & ~bishop
            for other in chess.scan_forward(self._king_reach[own] & ~chess.BB_KING_ATTACKS[king]):
                left = open_squares & ~chess.BB_KING_ATTACKS[other]
                if not left & ~blocker and chess.popcount(left) <= self._bishops[enemy]:
                    return True
        return False
