"""The rules of hold'em, each at the native engine and at a table from one list of cases."""

import pytest

from .cases import Case, cases, play
from .engine import Engine
from .table import Table

CASES = list(cases())
LAYERS = {"engine": Engine, "table": Table}


@pytest.mark.parametrize(
    ("layer", "case"),
    [
        pytest.param(layer, case, id=f"{layer}-{case.rule}")
        for case in CASES
        for layer in LAYERS
        if case.only in ("", layer)
    ],
)
def test_rule(layer: str, case: Case) -> None:
    play(case, LAYERS[layer](case), layer)
