"""Limits that nodes share: each counts what is asked of it, and tells the others ten times a second.

So somebody who goes from node to node gets what one node would have given, but for what was asked in the last moment.
"""

from __future__ import annotations

import asyncio

from parlour.nodes.bus import Bus
from parlour.nodes.messages import Held, Spent
from parlour.nodes.ports import OwnershipPort
from parlour.server.access.admission import AdmissionAccounts

INTERVAL = 0.1
"""Seconds between two tellings."""


class SharedLimits:
    def __init__(self, bus: Bus, ownership: OwnershipPort, admission: AdmissionAccounts) -> None:
        self._bus = bus
        self._limiters = admission.limiters
        self._quotas = admission.quotas
        self._held: dict[str, dict[str, dict[str, int]]] = {name: {} for name in self._quotas}
        """Quota → node → key → how many."""
        self._timer: asyncio.TimerHandle | None = None
        self._tell_all = True
        bus.on(Spent, self._spent)
        bus.on(Held, self._others_hold)
        bus.on_gap(self._tell_all_next)
        bus.on_state(self._tell_all_next)
        ownership.on_node_gone(self._gone)

    def start(self) -> None:
        for limiter in self._limiters.values():
            limiter.spent = {}
        for quota in self._quotas.values():
            quota.changed = set()
        self._tell()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tell(self) -> None:
        spent: dict[str, dict[str, float]] = {}
        for name, limiter in self._limiters.items():
            if limiter.spent:
                spent[name] = limiter.spent
                limiter.spent = {}
        if spent:
            self._bus.broadcast(Spent(spent))
        if self._bus.up:
            self._tell_held()
        self._timer = asyncio.get_running_loop().call_later(INTERVAL, self._tell)

    def _tell_held(self) -> None:
        counts: dict[str, dict[str, int]] = {}
        for name, quota in self._quotas.items():
            held = quota.held()
            keys: set[str] = set(held) if self._tell_all else quota.changed or set()
            quota.changed = set()
            if keys:
                counts[name] = {key: held.get(key, 0) for key in keys}
        if counts or self._tell_all:
            self._bus.broadcast(Held(counts, whole=self._tell_all))
        self._tell_all = False

    # What other nodes say

    def _spent(self, node: str, message: Spent) -> None:
        for name, amounts in message.amounts.items():
            limiter = self._limiters.get(name)
            if limiter is not None:
                for key, cost in amounts.items():
                    limiter.spent_elsewhere(key, cost)

    def _others_hold(self, node: str, message: Held) -> None:
        for name, nodes in self._held.items():
            told = message.counts.get(name, {})
            known = nodes.setdefault(node, {})
            gone = known.keys() - told.keys() if message.whole else set()
            for key in [*told, *gone]:
                if count := told.get(key, 0):
                    known[key] = count
                else:
                    known.pop(key, None)
                self._add_up(name, key)

    def _tell_all_next(self, why: object) -> None:
        """A node has connected to the bus, or has missed something; or this one has, and what it was about to send is
        lost."""
        self._tell_all = True

    def _gone(self, node: str) -> None:
        for name, nodes in self._held.items():
            for key in nodes.pop(node, {}):
                self._add_up(name, key)

    def _add_up(self, name: str, key: str) -> None:
        elsewhere = self._quotas[name].elsewhere
        total = sum(counts.get(key, 0) for counts in self._held[name].values())
        if total:
            elsewhere[key] = total
        else:
            elsewhere.pop(key, None)
