"""What a bot sees when it is its turn, whatever is played."""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias

Action: TypeAlias = dict[str, Any]
"""What a bot does, as the API takes it: a `type`, and perhaps more."""


class View:
    """A table as a bot in its seat sees it, when it is its turn. `raw` is the view as the API gives it.

    Games that this package knows have views of their own with more to ask: `HoldemView` and `ChessView`.
    """

    __slots__ = ("_raw",)

    fields: ClassVar[frozenset[str] | None] = None
    """What an action of this game may have; None where that is not known here."""
    _raw: dict[str, Any]

    def __init__(self, raw: dict[str, Any]) -> None:
        self._raw = raw

    @property
    def raw(self) -> dict[str, Any]:
        """The view as the API gives it; docs/api.md describes it."""
        return self._raw

    @property
    def game(self) -> str:
        """What is played, such as `holdem`."""
        game: str = self.raw["game"]
        return game

    @property
    def seat(self) -> int:
        """The own seat."""
        seat: int = self.raw["you"]["seats"][0]
        return seat

    @property
    def legal(self) -> Any:
        """What may be done now, as the game tells it."""
        return self.raw["legal"]

    @property
    def seconds(self) -> float | None:
        """The time until the clock plays; None where there is no clock."""
        deadline = self.raw["deadline"]
        if deadline is None or deadline["seat"] not in self.raw["you"]["seats"]:
            return None
        return float(max(0, deadline["at"] - self.raw["now"])) / 1000

    def fallback(self) -> Action | None:
        """What is played for a bot that gives no answer; None where only its clock can."""
        return None

    def action(self, answer: object) -> Action:
        """What a bot returned, as an action with fields that the game knows. `ValueError` where it is none."""
        if isinstance(answer, dict):
            if not isinstance(answer.get("type"), str):
                raise ValueError(f"an action has a 'type', and {shortly(answer)} has none")
            return answer if self.fields is None else {key: answer[key] for key in answer if key in self.fields}
        if isinstance(answer, str):
            return {"type": answer}
        raise ValueError(f"an action is a dict or a word, not {shortly(answer)}")


def shortly(value: object) -> str:
    """A value for an error message."""
    try:
        text = repr(value)
    except Exception:  # a number with too many digits, or a bot's own class
        text = f"a {type(value).__name__}"
    return text if len(text) <= 80 else text[:77] + "..."
