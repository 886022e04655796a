"""What a hold'em tournament reads from a table between two hands."""

from __future__ import annotations

from parlour.games.contract import Millis, Seat
from parlour.games.poker.holdem.state import HoldemState as Play
from parlour.tables.room.state import TableState
from parlour.tournaments.events import HandReported
from parlour.tournaments.poker.placing import HandPot, eliminators
from parlour.tournaments.state import DirectedTable, TournamentState


def stacks(seen: TableState) -> dict[str, int]:
    """Player → chips."""
    play: Play = seen.play
    return {holder.id: play.stack(seat) for seat, holder in enumerate(seen.room.seats) if holder is not None}


def report(state: TournamentState, table: DirectedTable, seen: TableState) -> HandReported:
    """The hand that is over at the table."""
    play: Play = seen.play
    record = play.record
    here = {state.entry(entry).player: entry for entry in table.seats.values()}
    chips = {here[player]: left for player, left in stacks(seen).items() if player in here}
    sat = {holder.id for holder in seen.room.round_players.values()}
    for number in table.leaving:
        entry = state.entry(number)
        departed = record.departed.get(entry.player) if entry.player in sat else None
        chips.setdefault(number, entry.chips if departed is None else departed.chips)
    broke = [number for number, left in chips.items() if not left and state.entry(number).status == "playing"]
    laid = record.positions
    return HandReported(
        table.number,
        seen.room.round,
        chips,
        None if laid is None else laid.button,
        None if laid is None else laid.small,
        None if laid is None else laid.big,
        _won(state, seen, broke) if broke else {},
        all(player.out or player.absent for player in record.players if player is not None),
        {here[player]: left for player, left in _grace(seen).items() if player in here},
    )


def _grace(seen: TableState) -> dict[str, Millis]:
    """Player → how much of their grace they have used and not got back."""
    left = {player: spent.left(seen.room.at) for player, spent in seen.room.grace.items()}
    return {player: ms for player, ms in left.items() if ms}


def _won(state: TournamentState, seen: TableState, broke: list[int]) -> dict[int, list[int]]:
    """Of entries without chips, who won the last pot that their chips were in."""
    play: Play = seen.play
    result = play.record.result
    if result is None:
        return {}

    def entry(seat: Seat) -> int:
        holder = seen.room.round_players.get(seat)
        return 0 if holder is None else state.players.get(holder.id, 0)

    pots = [HandPot([entry(seat) for seat in pot.seats], [entry(seat) for seat in pot.winners]) for pot in result.pots]
    main = list(dict.fromkeys(pots[0].winners)) if pots else []  # of those whose blinds were folded
    return {number: [winner for winner in eliminators(number, pots) or main if winner] for number in broke}
