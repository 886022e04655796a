"""Pairings as tables: opened for a round, replaced when they are lost, and read when a game is over."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from parlour.games.chess.clock import Color, other
from parlour.games.chess.state import ChessState as Play
from parlour.games.contract import Event, Millis
from parlour.tables.room.state import TableState
from parlour.tournaments import events as ev
from parlour.tournaments.chess.boards import RoundDraft
from parlour.tournaments.state import DirectedTable, TournamentState

NO_SHOW = frozenset(("time", "abandoned", "forfeit"))
"""How a game ends for somebody who does not play it."""


def paired(state: TournamentState, drafts: Sequence[RoundDraft]) -> list[Event]:
    """The rounds with a table for each game. The tables of games that are over are closed, once nobody waits there for
    the next one."""
    number = state.opened
    opened: list[Event] = []
    rounds: list[Event] = []
    tables: list[int] = []
    board = _boards_of(state, drafts)
    leaving: set[int] = set()
    for draft in drafts:
        pairings = []
        for one in draft.boards:
            board += 1
            leaving |= {one.white, one.black or 0}
            table = None
            if one.result is None and one.black is not None:
                table = number = number + 1
                tables.append(table)
                opened += [
                    ev.TableOpened(table, one.settings),
                    ev.SeatsGiven(table, {0: one.white, 1: one.black}, "game"),
                ]
            pairings.append(ev.Paired(board, one.white, one.black, table, one.result, one.facts))
        rounds.append(ev.RoundPaired(draft.number, pairings))
        board = 0
    ordered = [ev.RoundOrdered(tables)] if tables else []
    return [*opened, *rounds, *ordered, *_closing(state, leaving)]


def _boards_of(state: TournamentState, drafts: Sequence[RoundDraft]) -> int:
    """How many boards the round has already, where more games of it follow."""
    rounds = state.c.rounds
    return len(rounds[-1].pairings) if rounds and drafts and rounds[-1].number == drafts[0].number else 0


def _closing(state: TournamentState, leaving: set[int]) -> list[Event]:
    """The tables at which the game is over and everybody is gone, or does not wait for another one."""
    everybody = state.settings.format != "arena"
    return [
        ev.TableClosing(table.number)
        for table in state.open_tables()
        if table.number not in state.c.games and (everybody or leaving.issuperset(table.seats.values()))
    ]


def lost(state: TournamentState) -> list[Event]:
    """Games whose table was closed by hand begin anew at another one."""
    number = state.opened
    happened: list[Event] = []
    tables: list[int] = []
    for source, (at, index) in state.c.games.items():
        table, pairing = state.tables[source], state.c.rounds[at].pairings[index]
        if not table.closed or pairing.result is not None:
            continue
        number += 1
        tables.append(number)
        happened.append(ev.TableOpened(number, dict(table.settings)))
        for seat, entry in enumerate((pairing.paired.white, pairing.paired.black)):
            assert entry is not None, "a game has two players"
            happened.append(ev.EntryMoved(entry, source, number, seat, "lost"))
    return [*happened, ev.RoundOrdered(tables)] if tables else []


def held(state: TournamentState) -> list[Event]:
    """Games that a pause kept from beginning are to begin."""
    tables = [number for number in state.c.games if not state.tables[number].ordered]
    return [ev.RoundOrdered(tables)] if tables and not state.paused else []


def was_played(state: TournamentState) -> bool:
    """Whether anybody played in the last round, and so may want a pause."""
    return any(one.paired.table is not None for one in state.c.rounds[-1].pairings)


def report(state: TournamentState, table: DirectedTable, seen: TableState) -> list[Event]:
    """The result of the game that is over at the table. One that was broken off begins anew at another table."""
    play: Play = seen.play
    result = play.record.result
    if table.number not in state.c.games:
        return [ev.TableClosing(table.number)]
    if result is None or result.reason == "aborted" or _broken_off(seen, str(result.reason)):
        return [ev.TableClosing(table.number, lost=True)]
    return [ev.GameReported(table.number, seen.room.round, _result(play), result.reason)]


def _broken_off(seen: TableState, reason: str) -> bool:
    """Whether the game ended since somebody got up, which happens only where a table is closed by hand."""
    return reason in NO_SHOW and None in seen.room.seats


def _result(play: Play) -> ev.Result:
    record = play.record
    assert record.result is not None
    winner, reason = record.result.winner, str(record.result.reason)
    if winner is None:
        return "---" if reason == "forfeit" else "1/2-1/2"
    if reason == "forfeit" or (reason in NO_SHOW and not _moved(play, other(winner))):
        return "+--" if winner == "white" else "--+"
    return "1-0" if winner == "white" else "0-1"


def _moved(play: Play, color: Color) -> bool:
    """Whether that side has made a move."""
    moves = len(play.record.moves)
    return moves > 1 or (moves == 1 and color != play.to_move)


def overdue(
    state: TournamentState, table: DirectedTable, seen: TableState, now: Millis, away: Collection[int]
) -> Millis | Sequence[Event] | None:
    """A forfeit, where a player has not made the first move in time: of both, where the opponent is not there either.
    In correspondence the first move has its days as any other."""
    play: Play = seen.play
    record = play.record
    over = table.number not in state.c.games or len(record.moves) > 1
    if over or record.clock is None or play.settings.days or seen.room.paused_at is not None:
        return None
    at = record.clock.since + state.chess_settings.forfeit * 1000
    if now < at:
        return at
    late = play.seat_of(play.to_move)
    nobody = not record.moves and late is not None and 1 - late in away
    result: ev.Result = "---" if nobody else "--+" if late == record.white else "+--"
    return [ev.GameReported(table.number, seen.room.round, result, "forfeit")]
