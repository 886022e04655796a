"""Who is connected to a table, and since when somebody is not."""

from __future__ import annotations

from parlour.games.contract import Millis


class Connections:
    """Counts the connections of each identity: the presence of a table whose viewers all come through here."""

    __slots__ = ("_anonymous", "_connections", "lost")

    def __init__(self) -> None:
        self._connections: dict[str, int] = {}
        self.lost: dict[str, Millis] = {}
        self._anonymous = 0

    def come(self, player: str | None) -> bool:
        if player is None:
            self._anonymous += 1
            return True
        count = self._connections.get(player, 0) + 1
        self._connections[player] = count
        self.lost.pop(player, None)
        return count == 1

    def go(self, player: str | None, now: Millis) -> bool:
        if player is None:
            self._anonymous -= 1
            return True
        count = self._connections[player] - 1
        if count:
            self._connections[player] = count
            return False
        del self._connections[player]
        self.lost[player] = now
        return True

    def connected(self, player: str) -> bool:
        return player in self._connections

    def watching(self, seated: set[str]) -> int:
        return self._anonymous + sum(player not in seated for player in self._connections)

    def forget(self, player: str) -> None:
        self.lost.pop(player, None)

    def shift(self, length: Millis, now: Millis) -> None:
        for player, since in self.lost.items():
            self.lost[player] = min(since + length, now)
