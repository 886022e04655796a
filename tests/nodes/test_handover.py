"""Asking another node to give something up: it does and says so, or the one that asked is told that it is away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.nodes.pretence import PretendedOwnership
from tests.patience import until

from parlour.nodes import handover
from parlour.nodes.handover import Handover
from parlour.nodes.messages import OwnerMoved, ReleaseRequest
from parlour.tables.errors import Unavailable


class Wires:
    """What joins the buses of a test. A node that is deaf hears nothing, and nobody is told."""

    def __init__(self) -> None:
        self.buses: dict[str, PretendedBus] = {}
        self.deaf: set[str] = set()
        self.told: list[tuple[str, Any]] = []


class PretendedBus:
    def __init__(self, node: str, wires: Wires) -> None:
        self._node, self._wires = node, wires
        self._handlers: dict[type, Callable[[str, Any], None]] = {}
        self.undelivered: Callable[[str, list[Any]], None] = lambda node, messages: None
        wires.buses[node] = self

    def on(self, kind: type, handler: Callable[[str, Any], None]) -> None:
        self._handlers[kind] = handler

    def on_undelivered(self, handler: Callable[[str, list[Any]], None]) -> None:
        self.undelivered = handler

    def send(self, node: str, message: Any) -> None:
        if node not in self._wires.deaf:
            bus = self._wires.buses[node]
            asyncio.get_running_loop().call_soon(bus._handlers[type(message)], self._node, message)

    def broadcast(self, message: Any) -> None:
        self._wires.told.append((self._node, message))


@pytest.fixture
def wires() -> Wires:
    return Wires()


@pytest.fixture
def owners() -> dict[str, str]:
    return {"table:x": "other"}


@pytest.fixture
def here(wires: Wires, owners: dict[str, str]) -> tuple[Handover, PretendedOwnership]:
    ownership = PretendedOwnership("here", owners)
    asking = Handover(PretendedBus("here", wires), ownership)
    Handover(PretendedBus("other", wires), PretendedOwnership("other", owners))
    return asking, ownership


async def test_the_owner_lets_go_and_everybody_is_told(here, wires: Wires, owners: dict[str, str]) -> None:
    await here[0].ask("other", "table:x")
    assert owners == {"table:x": "here"}
    assert wires.told == [("other", OwnerMoved(["table:x"]))]


async def test_an_owner_that_does_not_answer_is_away(here, wires: Wires, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handover, "SECONDS", 0)
    wires.deaf.add("other")
    with pytest.raises(Unavailable) as refused:
        await here[0].ask("other", "table:x")
    assert refused.value.code == "owner_away"
    assert not here[0]._asked


async def test_an_owner_that_died_has_let_go(here, wires: Wires) -> None:
    asking, ownership = here
    wires.deaf.add("other")
    waiting = asyncio.create_task(asking.ask("other", "table:x"))
    await until(lambda: asking._asked)
    ownership.bury("a third")
    await asyncio.sleep(0)
    assert not waiting.done()
    ownership.bury("other")
    await waiting


async def test_who_could_not_be_reached_is_asked_again_by_whoever_needs_it(here, wires: Wires) -> None:
    asking, _ = here
    wires.deaf.add("other")
    waiting = asyncio.create_task(asking.ask("other", "table:x"))
    await until(lambda: asking._asked)
    (number,) = asking._asked
    wires.buses["here"].undelivered("other", [ReleaseRequest(number, "table:x")])
    await waiting
