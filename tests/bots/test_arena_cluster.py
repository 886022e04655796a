"""The arena on a Ray cluster, up to Ray itself: `python -m proofs.arena_workers` plays on a real one."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from parlour import arena


class Elsewhere(ModuleType):
    """What the arena uses of Ray: work and results go through bytes, as they do to another machine."""

    def __init__(self) -> None:
        super().__init__("ray")
        self.told: list[str] = []
        self.pieces = 0

    def is_initialized(self) -> bool:
        return False

    def init(self, address: str, **options: Any) -> None:
        self.told.append(f"init {address}")

    def shutdown(self) -> None:
        self.told.append("shutdown")

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def put(self, value: Any) -> bytes:
        return pickle.dumps(value)

    def get(self, reference: bytes) -> Any:
        return pickle.loads(reference)

    def remote(self, function: Callable[..., Any]) -> Any:
        ray = self

        class Remote:
            @staticmethod
            def remote(work: bytes, *rest: Any) -> bytes:
                ray.pieces += 1
                return pickle.dumps(function(pickle.loads(work), *rest))

        return Remote


def test_the_figures_are_the_same_and_the_files_go_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "chance.py"
    file.write_text("import random\ndef act(view): return view.call() if random.random() < 0.7 else view.all_in()")
    bots = [str(file), f"{file}:act", "house:tight"]
    here = arena(bots, hands=480, seed=3, seconds=60).as_json()
    ray = Elsewhere()
    monkeypatch.setitem(sys.modules, "ray", ray)
    there = arena(bots, hands=480, seed=3, seconds=60, ray="ray://somewhere").as_json()
    assert {**here, "hands_per_second": 0} == {**there, "hands_per_second": 0}
    assert ray.told == ["init ray://somewhere", "shutdown"]
    assert ray.pieces == 3


def test_without_ray_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ModuleNotFoundError) as missing:
        arena([lambda view: "fold"], hands=10, seats=2, ray="local")
    assert missing.value.name == "ray"
