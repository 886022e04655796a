"""The chess clock."""

from __future__ import annotations

from typing import Literal

import msgspec

from parlour.games.contract import Millis

Color = Literal["white", "black"]


def other(color: Color) -> Color:
    return "black" if color == "white" else "white"


class Time(msgspec.Struct, frozen=True):
    """The time control of one player."""

    initial: Millis
    increment: Millis = 0
    anew: bool = False
    """Whether each move has all of it, as in correspondence."""

    def __str__(self) -> str:
        """As PGN writes it."""
        if self.anew:
            return f"1/{self.initial // 1000}"
        return f"{self.initial // 1000}+{self.increment / 1000:g}" if self.increment else str(self.initial // 1000)


class Clock(msgspec.Struct):
    """Two clocks, of which at most one runs; `white` and `black` are what they showed at `since`."""

    white: Millis
    black: Millis
    running: Color | None
    since: Millis

    def left(self, color: Color, now: Millis) -> Millis:
        """What the clock of that colour shows now, never less than nothing."""
        shown = self.white if color == "white" else self.black
        return max(0, shown - max(0, now - self.since)) if color == self.running else shown

    def flag(self) -> Millis | None:
        """When the running clock's flag falls."""
        if self.running is None:
            return None
        return self.since + (self.white if self.running == "white" else self.black)

    def after_move(self, color: Color, time: Time, now: Millis) -> Millis:
        """What the mover's clock shows when the move is made: the increment is added, or the days start anew."""
        return time.initial if time.anew else self.left(color, now) + time.increment

    def show(self, color: Color, left: Millis) -> None:
        if color == "white":
            self.white = left
        else:
            self.black = left

    def run(self, color: Color, at: Millis) -> None:
        """Let that colour's time run from now on, and only it."""
        self.running = color
        self.since = at

    def stop(self, at: Millis) -> None:
        if self.running is not None:
            self.show(self.running, self.left(self.running, at))
            self.running = None
            self.since = at
