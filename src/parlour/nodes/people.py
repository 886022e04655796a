"""Names and faces, which each node remembers: whoever changes theirs at one node has the new ones at all."""

from __future__ import annotations

from parlour.nodes.bus import Bus
from parlour.nodes.messages import Changed
from parlour.tables.people import People


class SharedPeople:
    def __init__(self, bus: Bus, people: People) -> None:
        people.on_change = lambda identity: bus.broadcast(Changed(identity))
        bus.on(Changed, lambda sender, message: people.learn(message.identity))
        bus.on_gap(lambda node: people.forget_everybody())  # it may have told of somebody meanwhile
        bus.on_state(lambda up: people.forget_everybody())
