"""A tournament as people see it, ready for JSON: a summary that every change sends, and the whole when it is asked for.

The lists of entries, tables and standings are long, and each hand at any table changes them. So they are not part of
what is pushed to hundreds of viewers: a viewer follows the events, and asks for the whole when it needs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from parlour.games.contract import Millis
from parlour.tournaments import events as ev
from parlour.tournaments.chess.flow import SYSTEMS
from parlour.tournaments.plan import format_of
from parlour.tournaments.poker import levels, money, moves
from parlour.tournaments.state import DirectedTable, Entry, TournamentState


def summary(state: TournamentState) -> dict[str, Any]:
    """What fits in a line: enough for a clock on the wall, but for the seat changes."""
    return {
        "name": state.settings.title,
        "game": state.settings.game,
        "format": state.settings.format,
        "status": state.status,
        "paused": state.paused,
        "entries": len(state.entries),
        "level": _level(state),
        "clock": _clock(state, None),
        "tables": sum(not table.closed for table in state.tables.values()),
        "round": len(state.chess.rounds) if state.chess is not None else None,
        **_figures(state),
    }


def _figures(state: TournamentState) -> dict[str, Any]:
    poker = state.poker
    if poker is None:
        left = sum(entry.status in ("entered", "playing") for entry in state.entries)
        return {"players_left": left, "pool": 0, "average_stack": None, "hand_for_hand": False, "deal": None}
    waits = state.status == "registering"
    return {
        "players_left": sum(entry.status == "entered" for entry in state.entries) if waits else poker.left,
        "pool": money.pool(state),
        "average_stack": round(poker.chips / poker.left) if poker.left else None,
        "hand_for_hand": poker.hand_for_hand,
        "deal": _deal(state),
    }


def whole(state: TournamentState) -> dict[str, Any]:
    """All that everybody may see, but for what the directory knows (code, host) and what depends on the viewer. Of a
    table that cannot be opened yet nothing is told. Lists that may be long are made as they are read."""
    return {
        "name": state.settings.title,
        "game": state.settings.game,
        "format": state.settings.format,
        "status": state.status,
        "paused": state.paused,
        "start_at": state.start_at,
        "started_at": state.started_at,
        "ended_at": state.ended_at,
        "entries": (_entry(state, entry) for entry in state.entries),
        "level": _level(state),
        "tables": _tables(state),
        "standings": standings(state),
        "payouts": _payouts(state),
        "rounds": _rounds(state),
        "rounds_planned": _planned(state),
        "moves": _moves(state),
        **_figures(state),
    }


def settings(state: TournamentState) -> dict[str, Any]:
    """The host's choices, with the defaults of those that were left out."""
    chosen: dict[str, Any] = msgspec.to_builtins(state.settings.chosen, str_keys=True)
    return {name: value for name, value in chosen.items() if name not in ("game", "format")}


def _entry(state: TournamentState, entry: Entry) -> dict[str, Any]:
    poker = state.poker is not None
    return {
        "entry": entry.number,
        "player": {"id": entry.player, "name": entry.name, "avatar": entry.avatar, "bot": entry.bot},
        "status": entry.status,
        "table": code(state, entry.table),
        "seat": entry.seat,
        "chips": entry.chips if poker and state.status != "registering" else None,
        "points": None if poker else _points(state, entry),
        "entered_at": entry.entered_at,
        "reentries": entry.reentries,
        "rebuys": entry.rebuys,
        "bounties": entry.knockouts,
        "late": entry.late,
    }


def code(state: TournamentState, number: int | None) -> str | None:
    """The code of a table that can be opened."""
    table = None if number is None else state.tables[number]
    return None if table is None or not table.laid else table.code


def _level(state: TournamentState) -> dict[str, Any] | None:
    if state.poker is None or not state.poker.level:
        return None
    number, most = state.poker.level, len(state.holdem.levels)
    after = None if number >= most else _blinds(state, number + 1)
    return {**_blinds(state, number), "next": after}


def _blinds(state: TournamentState, number: int) -> dict[str, Any]:
    level = levels.level_of(state, number)
    return {
        "number": number,
        "small_blind": level.small_blind,
        "big_blind": level.big_blind,
        "ante": level.ante,
    }


def clock(state: TournamentState, now: Millis) -> dict[str, Any]:
    """The clock, with what is left of it at that moment."""
    return _clock(state, now)


def _clock(state: TournamentState, now: Millis | None) -> dict[str, Any]:
    """Without a moment, what is left is only known while the clock stands still."""
    shown, kind = state.clock, state.clock.kind
    ends_at, left = shown.ends_at, shown.remaining
    if state.status == "registering" and state.start_at is not None:
        return {
            "kind": "start",
            "ends_at": state.start_at,
            "remaining": None if now is None else max(0, state.start_at - now),
            "running": True,
            "hands_left": None,
        }
    if ends_at is not None and now is not None:
        left = max(0, ends_at - now)
    return {
        "kind": kind,
        "ends_at": ends_at,
        "remaining": left,
        "running": ends_at is not None,
        "hands_left": levels.hands_left(state) if state.poker is not None and state.underway else None,
    }


def _tables(state: TournamentState) -> Iterator[dict[str, Any]]:
    final = None
    if state.poker is not None and state.underway and not moves.late_open(state):
        tables = state.open_tables()
        final = tables[0].number if len(tables) == 1 else None
    for table in state.tables.values():
        if table.laid:
            yield _table(state, table, table.final or table.number == final)


def _table(state: TournamentState, table: DirectedTable, final: bool) -> dict[str, Any]:
    poker = state.poker is not None
    status = "closed" if table.closed else "paused" if state.paused else "playing" if table.ordered else "waiting"
    return {
        "number": table.number,
        "code": table.code,
        "status": status,
        "round": table.reported + table.ordered,
        "seats": [
            {"seat": seat, "entry": entry, "chips": state.entry(entry).chips if poker else None}
            for seat, entry in sorted(table.seats.items())
        ],
        "final": final,
    }


def standings(state: TournamentState) -> Iterator[dict[str, Any]]:
    """Places as they are, or at the end as they stay."""
    if state.status == "registering":
        return
    ended = state.status == "finished"
    found: Iterable[ev.FinalStanding] = state.standings
    if not ended:
        found = format_of(state).standings(state) if state.poker is None else money.standings(state)
    fixed = ended or (state.poker is not None and not money.is_open(state))
    for one in found:
        yield _standing(state, one, ended, fixed)


def _standing(state: TournamentState, one: ev.FinalStanding, ended: bool, fixed: bool) -> dict[str, Any]:
    entry = state.entry(one.entry)
    poker = state.poker is not None
    settled = poker and fixed and (ended or entry.status == "out")
    return {
        "place": one.place,
        "place_to": one.place_to,
        "entry": one.entry,
        "prize": one.prize if settled else None,
        "chips": entry.chips if poker else None,
        "points": None if poker else one.points,
        "tiebreaks": one.tiebreaks,
        "bounty": one.bounty,
    }


def _points(state: TournamentState, entry: Entry) -> float:
    return state.c.points.get(entry.number, 0)


def _payouts(state: TournamentState) -> list[dict[str, int]]:
    if state.poker is None:
        return []
    return [{"place": place, "prize": prize} for place, prize in enumerate(money.prizes(state), start=1)]


def _rounds(state: TournamentState) -> Iterator[dict[str, Any]]:
    for one in () if state.chess is None else state.chess.rounds:
        yield {
            "number": one.number,
            "pairings": [
                {
                    "board": pairing.paired.board,
                    "table": code(state, pairing.paired.table),
                    "white": pairing.paired.white,
                    "black": pairing.paired.black,
                    "result": pairing.result,
                    "kind": pairing.paired.facts.get("stage", "game"),
                }
                for pairing in one.pairings
            ],
        }


def _planned(state: TournamentState) -> int | None:
    system = SYSTEMS.get(state.settings.format)
    return None if system is None or state.chess is None or not state.chess.rounds else system.length(state)


def _moves(state: TournamentState) -> list[dict[str, Any]]:
    if state.poker is None:
        return []
    return [
        {
            "entry": event.entry,
            "from": event.source if isinstance(event, ev.EntryMoved) else None,
            "to": event.table,
            "seat": event.seat,
            "at": at,
        }
        for at, event in state.poker.moved
    ]


def _deal(state: TournamentState) -> dict[str, Any] | None:
    deal = state.p.deal
    if deal is None:
        return None
    shares = {} if deal.opened is None else deal.opened.shares
    agreed = deal.agreed if deal.opened is not None else [deal.by]
    return {"kind": deal.kind, "shares": {str(entry): share for entry, share in shares.items()}, "agreed": agreed}
