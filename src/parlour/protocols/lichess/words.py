"""Lichess's words for variants, speeds, results and refusals."""

from __future__ import annotations

from typing import Any

from parlour.games.chess.events import Reason

VARIANTS = {
    "standard": ("standard", "Standard", "Std"),
    "chess960": ("chess960", "Chess960", "960"),
    "antichess": ("antichess", "Antichess", "Anti"),
    "atomic": ("atomic", "Atomic", "Atom"),
    "crazyhouse": ("crazyhouse", "Crazyhouse", "Crazy"),
    "horde": ("horde", "Horde", "Horde"),
    "king_of_the_hill": ("kingOfTheHill", "King of the Hill", "KotH"),
    "racing_kings": ("racingKings", "Racing Kings", "Racing"),
    "three_check": ("threeCheck", "Three-check", "3check"),
}
"""Our variant → key, name and short name."""
FROM_POSITION = ("fromPosition", "From Position", "FEN")
OUR_VARIANTS = {key: ours for ours, (key, _, _) in VARIANTS.items()} | {FROM_POSITION[0]: "standard"}

LEVELS = range(1, 9)
"""How strong Lichess's own engine can be asked to play."""

SPEEDS = {"untimed": "correspondence"}
"""A game without clocks is a slow game to Lichess; all other speeds have the same names."""

STATUSES: dict[Reason, str] = {
    "checkmate": "mate",
    "resign": "resign",
    "time": "outoftime",
    "stalemate": "stalemate",
    "agreement": "draw",
    "threefold": "draw",
    "fivefold": "draw",
    "fifty_moves": "draw",
    "seventyfive_moves": "draw",
    "insufficient_material": "draw",
    "dead_position": "draw",
    "abandoned": "timeout",
    "aborted": "aborted",
    "variant": "variantEnd",
}
STATUS_NUMBERS = {
    "created": 10,
    "started": 20,
    "aborted": 25,
    "mate": 30,
    "resign": 31,
    "stalemate": 32,
    "timeout": 33,
    "draw": 34,
    "outoftime": 35,
    "variantEnd": 60,
}

DECLINE_REASONS = {
    "generic": "I'm not accepting challenges at the moment.",
    "later": "This is not the right time for me, please ask again later.",
    "tooFast": "This time control is too fast for me, please challenge again with a slower game.",
    "tooSlow": "This time control is too slow for me, please challenge again with a faster game.",
    "timeControl": "I'm not accepting challenges with this time control.",
    "rated": "Please send me a rated challenge instead.",
    "casual": "Please send me a casual challenge instead.",
    "standard": "I'm not accepting variant challenges right now.",
    "variant": "I'm not willing to play this variant right now.",
    "noBot": "I'm not accepting challenges from bots.",
    "onlyBot": "I'm only accepting challenges from bots.",
}

COMPAT = {"bot": True, "board": True}
"""Both APIs play every game here."""


def variant(ours: str, from_position: bool) -> dict[str, str]:
    """A variant as Lichess describes it; a standard game from another position is one of its own."""
    key, name, short = FROM_POSITION if from_position and ours == "standard" else VARIANTS[ours]
    return {"key": key, "name": name, "short": short}


def speed(ours: str) -> str:
    return SPEEDS.get(ours, ours)


def perf(variant_of: dict[str, str], speed_of: str) -> tuple[str, str]:
    """The key and the name of the kind of play that a rating is for: the speed, or the variant."""
    if variant_of["key"] in ("standard", FROM_POSITION[0]):
        return speed_of, speed_of.title()
    return variant_of["key"], variant_of["name"]


def status(name: str) -> dict[str, Any]:
    return {"id": STATUS_NUMBERS[name], "name": name}
