"""What is called dead is dead: every line of play is searched. What is not certain is alive."""

import random

import chess
import chess.variant
import pytest

from parlour.games.chess.dead import cannot_mate, is_dead

DEAD = {
    "kings behind a closed wall": "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - - 0 1",
    "a bishop behind its own wall": "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/3BK3 w - - 0 1",
    "a wall in the middle": "8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8 w - - 0 1",
}
ALIVE = {
    "the first position": chess.STARTING_FEN,
    "a pawn that can move": "4k3/7p/8/p1p1p1p1/PpPpPpP1/1P1P1P1P/8/4K3 w - - 0 1",
    "pawns that can take each other": "4k3/8/8/p1p1p1pp/PpPpPpPP/1P1P1P2/8/4K3 w - - 0 1",
    "a king that gets at a pawn": "8/8/8/1k6/p7/P7/8/1K6 w - - 0 1",
    "a bishop that gets at a pawn": "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/3B4/4K3 w - - 0 1",
    "a knight": "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/3NK3 w - - 0 1",
    "en passant": "4k3/8/8/8/1pPp4/1P1P4/8/4K3 b - c3 0 1",
}


def search(board, most):
    """The colours that mate somewhere among the positions that follow, up to so many; and whether that is all."""
    seen, fringe, mates = {board._transposition_key()}, [board.copy(stack=False)], set()
    while fringe and len(seen) < most:
        position = fringe.pop()
        for move in position.legal_moves:
            after = position.copy(stack=False)
            after.push(move)
            key = after._transposition_key()
            if key in seen:
                continue
            seen.add(key)
            if after.is_checkmate():
                mates.add(not after.turn)
            fringe.append(after)
    return mates, not fringe


@pytest.mark.parametrize("fen", DEAD.values(), ids=DEAD)
@pytest.mark.parametrize("turn", ["w", "b"])
def test_walls_of_pawns_are_dead(fen, turn):
    board = chess.Board(fen.replace(" w ", f" {turn} "))
    assert board.is_valid()
    assert is_dead(board)
    assert is_dead(board.mirror())
    mates, _ = search(board, 6000)
    assert not mates


@pytest.mark.parametrize("fen", ALIVE.values(), ids=ALIVE)
def test_what_may_still_be_won_is_alive(fen):
    board = chess.Board(fen)
    assert board.is_valid()
    assert not is_dead(board)
    assert not is_dead(board.mirror())


def test_one_side_may_be_unable_to_mate_while_the_other_can():
    board = chess.Board("8/8/8/4k3/8/8/3Q4/4K3 b - - 0 1")
    assert cannot_mate(board, chess.BLACK)
    assert not cannot_mate(board, chess.WHITE)


def test_variants_are_left_to_their_own_rules():
    fen = next(iter(DEAD.values()))
    for kind in (chess.variant.KingOfTheHillBoard, chess.variant.ThreeCheckBoard, chess.variant.AtomicBoard):
        assert not is_dead(kind(fen))


def walls(dice, tries):
    """Random positions with pawns face to face, kings, and up to two bishops."""
    for _ in range(tries):
        board = chess.Board(None)
        rank, step = dice.randint(1, 4), dice.choice([-1, 1])
        zigzag = dice.random() < 0.5
        for file in range(8):
            if dice.random() < 0.85 or zigzag:
                row = min(5, max(1, rank + (file % 2 if zigzag else step * dice.choice([0, 0, 0, 1]))))
                board.set_piece_at(chess.square(file, row), chess.Piece(chess.PAWN, chess.WHITE))
                board.set_piece_at(chess.square(file, row + 1), chess.Piece(chess.PAWN, chess.BLACK))
        pieces = [chess.Piece(chess.KING, color) for color in chess.COLORS]
        pieces += [chess.Piece(chess.BISHOP, dice.random() < 0.5) for _ in range(dice.randint(0, 2))]
        empty = [square for square in chess.SQUARES if board.piece_at(square) is None]
        for piece, square in zip(pieces, dice.sample(empty, len(pieces)), strict=True):
            board.set_piece_at(square, piece)
        board.turn = dice.random() < 0.5
        if board.is_valid():
            yield board


def test_no_random_wall_that_is_called_dead_can_be_won():
    """Each is searched, to the end where it is small; a colour that is said never to mate never mates."""
    checked = whole = with_bishops = 0
    for board in walls(random.Random(1), 4000):
        unable = {color for color in chess.COLORS if cannot_mate(board, color)}
        if not unable or (checked - with_bishops >= 12 and not board.bishops):
            continue
        mates, all_of_it = search(board, 2500)
        assert not mates & unable, board.fen()
        checked += 1
        whole += all_of_it
        with_bishops += bool(board.bishops)
        if checked == 30:
            break
    assert checked == 30
    assert whole > 5
    assert with_bishops > 5


def test_no_position_of_a_game_that_was_mated_had_been_called_dead():
    """Random play with few pieces, from the end backwards."""
    dice, mated = random.Random(2), 0
    for start in walls(dice, 400):
        board = start.copy()
        for _ in range(60):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(dice.choice(moves))
        if not board.is_checkmate():
            continue
        mated += 1
        winner = not board.turn
        while board.move_stack:
            board.pop()
            assert not cannot_mate(board, winner), board.fen()
    assert mated > 3
