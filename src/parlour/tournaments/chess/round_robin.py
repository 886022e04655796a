"""Everybody meets everybody: the tables of Berger (FIDE C.05, annex 1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from parlour.tournaments.chess.results import PLAYED, Entry, PairingResult, Rounds

Board = tuple[int, int]
"""White's and Black's number in the table, from 1."""


def berger(players: int) -> list[list[Board]]:
    """The rounds for that many players; with an odd number the last one of the table is the bye.

    Everybody but the last moves on by half the table from round to round, and the last has the colours in turn.
    """
    if players < 2:
        raise ValueError("a round robin needs two players")
    last = players + players % 2
    half, circle = last // 2, last - 1
    boards = [(number, last + 1 - number) for number in range(1, half + 1)]
    rounds = []
    for round_number in range(circle):
        rounds.append([(last, boards[0][0]) if round_number % 2 else boards[0], *boards[1:]])
        moved = [tuple((number + half - 1) % circle + 1 for number in board) for board in boards[1:]]
        boards = [((boards[0][0] + half - 1) % circle + 1, last), *((white, black) for white, black in moved)]
    return rounds


def schedule(players: int, cycles: int = 1) -> list[list[Board]]:
    """All rounds of all cycles. Colours change with the cycle. The last two rounds of every cycle but the last one are
    exchanged, as FIDE advises for two cycles: without it some have one colour three times running where they meet."""
    if cycles < 1:
        raise ValueError("a round robin has at least one cycle")
    table = berger(players)
    rounds: list[list[Board]] = []
    for cycle in range(cycles):
        turn = [[(black, white) for white, black in boards] if cycle % 2 else list(boards) for boards in table]
        if cycle < cycles - 1 and len(turn) > 1:
            turn[-2], turn[-1] = turn[-1], turn[-2]
        rounds.extend(turn)
    return rounds


def pairings(order: Sequence[Entry], boards: Sequence[Board]) -> list[PairingResult]:
    """One round of the schedule for participants who drew their numbers in that order."""
    paired, bye = [], None
    for white, black in boards:
        if white > len(order) or black > len(order):
            bye = PairingResult(order[min(white, black) - 1], None, "bye")
        else:
            paired.append(PairingResult(order[white - 1], order[black - 1]))
    return paired if bye is None else [*paired, bye]


def struck(rounds: Rounds, gone: Collection[Entry], games: int) -> set[Entry]:
    """Who withdrew with fewer than half of their games played: their results stay in the table and count for nobody
    (FIDE C.05). Those who played at least half keep what they scored, and forfeit the rest."""
    played = dict.fromkeys(gone, 0)
    for pairings in rounds:
        for pairing in pairings:
            for entry in (pairing.white, pairing.black):
                if entry in played and pairing.result in PLAYED:
                    played[entry] += 1
    return {entry for entry, count in played.items() if 2 * count < games}


def without(rounds: Rounds, entries: Collection[Entry]) -> list[list[PairingResult]]:
    """The rounds as if those had never played."""
    return [
        [pairing for pairing in pairings if pairing.white not in entries and pairing.black not in entries]
        for pairings in rounds
    ]
