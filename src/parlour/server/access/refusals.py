"""The last refusals of the server, for the operator: who is turned away, where and why.

They are kept in memory alone and hold no token, secret, card or body: a status, a code, the pattern of the route and
the network that the caller is in.
"""

from __future__ import annotations

import time
from collections import OrderedDict

import msgspec

from parlour.games.contract import Millis
from parlour.server.access import addresses

KEPT = 200
"""Different refusals that are remembered; the one that was last repeated longest ago goes first."""
NOTED = frozenset({401, 403, 421, 429})
"""Statuses that say who may ask, under which name and how often; what is wrong with a request otherwise is its sender's
own matter."""


class Refusal(msgspec.Struct):
    """One kind of refusal of one network at one route, and how often it happened."""

    first: Millis
    last: Millis
    count: int
    status: int
    code: str
    address: str
    """The caller's network, such as `192.0.2.0/24`."""
    route: str


class Refusals:
    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, str, str, str], Refusal] = OrderedDict()

    def note(self, status: int, code: str, address: str, route: str) -> None:
        """Remember a refusal, where it is one of who may ask or how often."""
        if status not in NOTED:
            return
        now = time.time_ns() // 1_000_000
        key = status, code, addresses.shortened(address), route
        known = self._kept.get(key)
        if known is None:
            self._kept[key] = Refusal(now, now, 1, *key)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return
        known.last = now
        known.count += 1
        self._kept.move_to_end(key)

    def newest(self, limit: int) -> list[Refusal]:
        """The refusals that were noted last, the newest first."""
        found = reversed(self._kept.values())
        return [refusal for refusal, _ in zip(found, range(limit), strict=False)]
