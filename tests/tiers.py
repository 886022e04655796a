"""The two tiers of tests: what is marked `slow` is left out of `make test`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def quick_first(values: Iterable[Any], quick: int = 1) -> list[Any]:
    """Values for `parametrize`, of which only the first few belong to the quick tier."""
    values = list(values)
    return values[:quick] + [pytest.param(value, marks=pytest.mark.slow) for value in values[quick:]]


def quick_first_rows(rows: Iterable[tuple[Any, ...]], quick: int = 1) -> list[Any]:
    """As `quick_first`, where `parametrize` has several names: a value for each in every row."""
    rows = list(rows)
    return rows[:quick] + [pytest.param(*row, marks=pytest.mark.slow) for row in rows[quick:]]
