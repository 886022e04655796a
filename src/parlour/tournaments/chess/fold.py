"""How the state of a chess tournament follows its events, beside what `tournaments/fold.py` does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import structs

from parlour.games.contract import Event, Millis, Seat
from parlour.tournaments import events as ev
from parlour.tournaments.chess import eliminating, flowing
from parlour.tournaments.chess.boards import plain
from parlour.tournaments.chess.results import outings, score
from parlour.tournaments.fold import set_clock, sit, stand
from parlour.tournaments.state import PairedRound, PairingState, TournamentState

LOSERS: dict[str, list[Seat]] = {"+--": [1], "--+": [0], "---": [0, 1]}
"""The seats that lose by forfeit."""


def apply(state: TournamentState, event: Event, at: Millis) -> bool:
    """Let the state follow the event; whether chess has anything to do with it."""
    step = _FOLLOW.get(type(event))
    if step is None:
        return False
    step(state, event, at)
    return True


def _round_paired(state: TournamentState, event: ev.RoundPaired, at: Millis) -> None:
    c = state.c
    if not c.rounds or c.rounds[-1].number != event.number:
        c.rounds.append(PairedRound(event.number, [], at))
    pairings = c.rounds[-1].pairings
    for one in event.pairings:
        for entry in (one.white, one.black):
            if entry is not None:
                c.points.setdefault(entry, 0)
        if one.table is not None:
            c.games[one.table] = (len(c.rounds) - 1, len(pairings))
            c.open_games += 1
        pairings.append(PairingState(one, one.result))
        _score(state, pairings[-1])
    if state.settings.format == "arena":
        c.wave_at = None
    else:
        set_clock(state, None, None, at)
    _eliminate(state)


def _score(state: TournamentState, pairing: PairingState) -> None:
    """Add what the result is worth."""
    points, paired, result = state.c.points, pairing.paired, pairing.result
    if result is None or paired.white is None:
        return
    if state.settings.format == "arena":
        table = flowing.scores(state)
        points.update({entry: table[entry].points for entry in (paired.white, paired.black) if entry is not None})
        return
    bye = state.chess_settings.bye_points if state.settings.format == "swiss" else 0
    entries = [entry for entry in (paired.white, paired.black) if entry is not None]
    for entry, history in outings(entries, [[plain(pairing)]], bye).items():
        points[entry] = points.get(entry, 0) + score(history)


def _entered(state: TournamentState, event: ev.EntryMade, at: Millis) -> None:
    """A late entry may get something for the rounds that it missed."""
    if event.late and state.settings.format == "swiss":
        state.c.points[event.entry] = state.chess_settings.late_points * len(state.c.rounds)


def _round_awaited(state: TournamentState, event: ev.RoundAwaited, at: Millis) -> None:
    if state.settings.format == "arena":
        state.c.wave_at = event.at
    else:
        set_clock(state, "round", event.at, at)


def _game_reported(state: TournamentState, event: ev.GameReported, at: Millis) -> None:
    c, table = state.c, state.tables[event.table]
    at_round, index = c.games.pop(event.table)
    pairing = c.rounds[at_round].pairings[index]
    pairing.result, pairing.reason = event.result, event.reason
    table.reported, table.ordered = event.round, False
    c.open_games -= 1
    c.ended.append(at_round)
    if event.result in LOSERS:
        c.forfeits[event.table] = LOSERS[event.result]
    _score(state, pairing)
    for entry in list(table.seats.values()):
        if state.entry(entry).status != "playing":
            stand(state, state.entry(entry))
    _eliminate(state)


def _eliminate(state: TournamentState) -> None:
    """Who has lost a match of a knock-out is out, and may stay at the table until it is closed."""
    if state.settings.format == "knockout":
        for number in eliminating.losers(state):
            entry = state.entry(number)
            if entry.status == "playing":
                entry.status = "out"


def _moved(state: TournamentState, event: ev.EntryMoved, at: Millis) -> None:
    """The game goes to another table."""
    c = state.c
    place = c.games.pop(event.source, None)
    if place is not None:
        c.games[event.table] = place
        pairing = c.rounds[place[0]].pairings[place[1]]
        pairing.paired = structs.replace(pairing.paired, table=event.table)
    sit(state, state.entry(event.entry), event.table, event.seat)


def _closing(state: TournamentState, event: ev.TableClosing, at: Millis) -> None:
    state.c.forfeits.pop(event.table, None)
    for entry in list(state.tables[event.table].seats.values()):
        stand(state, state.entry(entry))


def _withdrawn(state: TournamentState, event: ev.Withdrawn, at: Millis) -> None:
    """Who plays stays for that game."""
    entry = state.entry(event.entry)
    if entry.table is not None and entry.table not in state.c.games:
        stand(state, entry)


def _removed(state: TournamentState, event: ev.Removed, at: Millis) -> None:
    entry = state.entry(event.entry)
    entry.status = "removed"
    stand(state, entry)


def _arena_began(state: TournamentState, event: ev.ArenaBegan, at: Millis) -> None:
    set_clock(state, "arena", event.ends_at, at)


_FOLLOW: dict[type[Event], Callable[[TournamentState, Any, Millis], None]] = {
    ev.EntryMade: _entered,
    ev.RoundPaired: _round_paired,
    ev.RoundAwaited: _round_awaited,
    ev.GameReported: _game_reported,
    ev.EntryMoved: _moved,
    ev.TableClosing: _closing,
    ev.Withdrawn: _withdrawn,
    ev.Removed: _removed,
    ev.ArenaBegan: _arena_began,
}
