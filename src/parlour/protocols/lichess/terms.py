"""What a game is offered for: time, variant, position. Read from a request, kept, and made a table's settings of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from parlour.games.chess.settings import DAY, Settings
from parlour.protocols.lichess import words
from parlour.tables.errors import BadRequest

Side = Literal["white", "black", "random"]
LEAST_SECONDS, MOST_SECONDS, MOST_INCREMENT, MOST_DAYS = 15, 10_800, 180, 30
"""What a chess table can be set to."""
STARTPOS = "startpos"
FROM_FEN = ("standard", "chess960")
"""Our variants that may begin elsewhere: Lichess has no other, and its clients would take the usual position."""
SIDES: dict[str, Side] = {"white": "white", "black": "black", "random": "random"}


class Terms(msgspec.Struct, frozen=True):
    rated: bool = False
    limit: int | None = None
    """Seconds that each player has; None where there are days for each move, or no clocks."""
    increment: int = 0
    days: int = 0
    variant: str = "standard"
    fen: str | None = None

    def settings(self) -> dict[str, Any]:
        """The same as settings of a chess table."""
        chosen: dict[str, Any] = {"rated": self.rated, "variant": self.variant, "start_fen": self.fen}
        if self.limit is not None:
            return chosen | {"minutes": self.limit / 60, "increment": self.increment}
        return chosen | ({"days": self.days} if self.days else {"untimed": True})

    def casual(self) -> Terms:
        return msgspec.structs.replace(self, rated=False)

    @property
    def speed(self) -> str:
        """As our games name it."""
        return msgspec.convert(self.settings(), Settings).speed

    def described(self) -> dict[str, Any]:
        """The fields that challenges have of them."""
        speed = words.speed(self.speed)
        variant = words.variant(self.variant, self.fen is not None)
        described = {
            "variant": variant,
            "rated": self.rated,
            "speed": speed,
            "timeControl": self._time_control(),
            "perf": {"icon": "", "name": words.perf(variant, speed)[1]},
        }
        return described if self.fen is None else {**described, "initialFen": self.fen}

    def _time_control(self) -> dict[str, Any]:
        if self.limit is not None:
            minutes = f"{self.limit / 60:.4g}"
            shown = f"{minutes}+{self.increment}"
            return {"type": "clock", "limit": self.limit, "increment": self.increment, "show": shown}
        return {"type": "correspondence", "daysPerTurn": self.days} if self.days else {"type": "unlimited"}


def described(settings: Settings) -> dict[str, Any]:
    """What a running game says of its own settings."""
    time = settings.time_of("white", 0)
    if time is None:
        return {}
    if time.anew:
        return {"daysPerTurn": time.initial // DAY}
    return {"clock": {"initial": time.initial, "increment": time.increment}}


def of_challenge(body: Mapping[str, Any]) -> Terms:
    """From a challenge: `clock.limit` and `clock.increment` are in seconds."""
    limit = _number(body, "clock.limit")
    return _checked(body, None if limit is None else round(limit), _number(body, "clock.increment"))


def of_seek(body: Mapping[str, Any]) -> Terms:
    """From a seek: `time` is in minutes."""
    time = _number(body, "time")
    return _checked(body, None if time is None else round(60 * time), _number(body, "increment"))


def side(body: Mapping[str, Any]) -> Side:
    wanted = body.get("color") or "random"
    if not isinstance(wanted, str) or wanted not in SIDES:
        raise BadRequest("bad_color", "color is white, black or random")
    return SIDES[wanted]


def level(body: Mapping[str, Any]) -> int:
    """How strong the house is to be, as Lichess counts it."""
    wanted = _number(body, "level")
    if wanted is None or wanted not in words.LEVELS:
        raise BadRequest("bad_level", f"level is {words.LEVELS[0]} to {words.LEVELS[-1]}")
    return int(wanted)


def _checked(body: Mapping[str, Any], limit: int | None, increment: float | None) -> Terms:
    """The terms, which a table can be made of."""
    days = _number(body, "days") or 0
    key = body.get("variant") or "standard"
    if not isinstance(key, str) or key not in words.OUR_VARIANTS:
        raise BadRequest("bad_variant", f"the variants are {', '.join(words.OUR_VARIANTS)}")
    fen = body.get("fen") or None
    if not (fen is None or isinstance(fen, str)):
        raise BadRequest("bad_fen", "fen is text")
    fen, variant = None if fen == STARTPOS else fen, words.OUR_VARIANTS[key]
    if fen is not None and variant not in FROM_FEN:
        raise BadRequest("bad_fen", f"a game of {key} begins from its usual position: leave fen out")
    added = round(increment or 0)
    if limit is not None and days:
        raise BadRequest("bad_clock", "a game has either a clock or days for each move")
    if limit is None and increment is not None:
        raise BadRequest("bad_clock", "an increment needs a time that it is added to")
    if days != int(days):
        raise BadRequest("bad_clock", "days is a whole number")
    if not (limit is None or LEAST_SECONDS <= limit <= MOST_SECONDS) or added > MOST_INCREMENT or days > MOST_DAYS:
        raise BadRequest(
            "bad_clock",
            f"a clock has {LEAST_SECONDS} to {MOST_SECONDS} seconds and an increment of up to {MOST_INCREMENT};"
            f" a move may have up to {MOST_DAYS} days",
        )
    return Terms(flag(body, "rated"), limit, added, int(days), variant, fen)


def flag(body: Mapping[str, Any], name: str) -> bool:
    """True or false, from JSON or from a form."""
    value = body.get(name)
    if value is None or isinstance(value, bool):
        return bool(value)
    if isinstance(value, str) and value.lower() in ("true", "false", "1", "0", ""):
        return value.lower() in ("true", "1")
    raise BadRequest("bad_flag", f"{name} is true or false")


def _number(body: Mapping[str, Any], name: str) -> float | None:
    value = body.get(name)
    if value is None or value == "":
        return None
    try:
        number = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else float("nan")
    except ValueError:
        number = float("nan")
    if not 0 <= number <= 1e6:
        raise BadRequest("bad_number", f"{name} is a number that is not negative")
    return number
