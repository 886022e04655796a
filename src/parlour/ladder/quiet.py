"""Whether anybody plays: the ladder waits until nobody has for a while, and stops at once when somebody does."""

from __future__ import annotations

from collections.abc import Callable

from parlour.tables import Parlour, Table


class Quiet:
    def __init__(self, parlour: Parlour, after: float, elsewhere: Callable[[], bool]) -> None:
        """`after`: seconds without play that make a quiet time. `elsewhere`: whether somebody plays at other nodes."""
        self._parlour = parlour
        self._after = round(1000 * after)
        self._elsewhere = elsewhere
        self._played = parlour.clock.now()
        """When somebody was last seen playing. A server that has just started may have people coming back."""

    def disturbed(self) -> bool:
        """Whether somebody plays just now."""
        if any(map(self._plays, self._parlour.live())) or self._elsewhere():
            self._played = self._parlour.clock.now()
            return True
        return False

    def long_enough(self) -> bool:
        """Whether nobody has played for long enough."""
        return not self.disturbed() and self._parlour.clock.now() - self._played >= self._after

    def _plays(self, table: Table) -> bool:
        """Whether a person has a seat there, and is connected or has done something of late: who plays over HTTP never
        connects, and who left a game of days open does not play now. Bots among themselves disturb nobody."""
        state = table.state
        if state.room.closed:
            return False
        people = [holder.id for holder in state.room.seats if holder is not None and not holder.bot]
        if not people:
            return False
        if any(table.presence.connected(person) for person in people):
            return True
        return state.room.at >= self._parlour.clock.now() - self._after
