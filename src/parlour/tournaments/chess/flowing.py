"""The arena as it goes on: waves of pairings among those who are free, until the time is over."""

from __future__ import annotations

from itertools import groupby

from parlour.tournaments import events as ev
from parlour.tournaments.chess import arena, boards
from parlour.tournaments.chess.boards import BoardPairing, RoundDraft
from parlour.tournaments.chess.results import Entry
from parlour.tournaments.state import TournamentState

FIGURES = ("wins", "games")
"""What the standings tell besides points: wins part those who are level, and games tell who has played how much."""


def busy(state: TournamentState) -> set[Entry]:
    """Who plays now."""
    return {entry for number in state.c.games for entry in state.tables[number].seats.values()}


def wave(state: TournamentState) -> list[RoundDraft]:
    """Games for those who are free; each is a round of its own."""
    occupied = busy(state)
    here = boards.playing(state)
    free = [entry for entry in here if entry not in occupied]
    if len(free) < 2:
        return []
    paired = arena.pair(free, scores(state), sum(entry in occupied for entry in here))
    number = len(state.c.rounds) + 1
    return [RoundDraft(number + index, [BoardPairing(one.white, one.black)]) for index, one in enumerate(paired)]


def scores(state: TournamentState) -> dict[Entry, arena.ArenaScore]:
    """Everybody's score, from the games in the order in which they ended."""
    c = state.c
    games = [boards.plain(c.rounds[index].pairings[0]) for index in c.ended]
    return arena.scores([entry.number for entry in state.entries], games)


def standings(state: TournamentState) -> list[ev.FinalStanding]:
    """By points, then by wins. Whom the host removed comes last."""
    table = scores(state)
    removed = {entry.number for entry in state.entries if entry.status == "removed"}
    entries = [entry for entry in boards.took_part(state) if entry not in removed]

    def worth(entry: Entry) -> tuple[int, int]:
        return table[entry].points, table[entry].wins

    groups = []
    for _, group in groupby(sorted(entries, key=worth, reverse=True), key=worth):
        level = sorted(group)
        groups.append(
            [
                ev.FinalStanding(
                    entry,
                    1,
                    len(level),
                    points=table[entry].points,
                    tiebreaks={name: getattr(table[entry], name) for name in FIGURES},
                )
                for entry in level
            ]
        )
    last = [entry for entry in boards.took_part(state) if entry in removed]
    return boards.placed([*groups, boards.level(last, {entry: table[entry].points for entry in last})])
