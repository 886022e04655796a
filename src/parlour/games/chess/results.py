"""What a finished game of chess adds to the players' statistics and ratings."""

from __future__ import annotations

from collections.abc import Mapping

from parlour.games.chess import events
from parlour.games.chess.settings import settings_of
from parlour.games.contract import Facets, Figure, RatedRound, Round, Seat


def tally(played: Round) -> dict[Seat, dict[str, int]]:
    """Games, wins, draws and losses of both seats; a game that was not played counts for nothing."""
    started, ended = _ends(played)
    if started is None or ended is None or ended.reason in events.UNPLAYED:
        return {}
    counts = {}
    for color, seat in (("white", started.white), ("black", started.black)):
        outcome = "draws" if ended.winner is None else "wins" if ended.winner == color else "losses"
        counts[seat] = {"games": 1, outcome: 1, f"games_as_{color}": 1}
    return counts


def facets(played: Round) -> Facets:
    """The variant, the speed, whether the game was rated, and the colours."""
    started, _ = _ends(played)
    if started is None:
        return Facets()
    return Facets(
        started.variant,
        settings_of(played.settings).speed,
        "rated" if started.rated else "casual",
        {started.white: "white", started.black: "black"},
    )


def rated(played: Round) -> RatedRound | None:
    """The result of a rated game that was played to an end."""
    started, ended = _ends(played)
    if started is None or ended is None or not started.rated or ended.reason in events.UNPLAYED:
        return None
    white = 1 if ended.winner is None else 2 if ended.winner == "white" else 0
    return RatedRound(
        started.variant, settings_of(played.settings).speed, {started.white: white, started.black: 2 - white}
    )


def figures(counts: Mapping[str, int]) -> dict[str, Figure]:
    """The share of points, and of each outcome, in percent."""
    games = counts.get("games", 0)
    wins, draws, losses = (counts.get(name, 0) for name in ("wins", "draws", "losses"))

    def percent(made: int) -> Figure:
        return Figure(100 * made / games if games else None, made=made, chances=games)

    return {
        "score": Figure(100 * (wins + draws / 2) / games if games else None),
        "wins": percent(wins),
        "draws": percent(draws),
        "losses": percent(losses),
    }


def _ends(played: Round) -> tuple[events.GameStarted | None, events.GameEnded | None]:
    started = next((event for _, event in played.events if isinstance(event, events.GameStarted)), None)
    ended = next((event for _, event in played.events if isinstance(event, events.GameEnded)), None)
    return started, ended
