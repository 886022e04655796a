"""`import parlour` is light, and its face is what the type checker and `dir` say."""

from __future__ import annotations

import subprocess
import sys

import pytest

import parlour

HEAVY = ["numpy", "aiohttp", "chess", "msgspec", "typer", "rich", "asyncio"]


def _loaded_by(code: str) -> set[str]:
    """What of HEAVY a fresh interpreter has imported after `code`."""
    probe = f"import sys\n{code}\nprint(*[m for m in {HEAVY!r} if m in sys.modules])"
    return set(subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout.split())


def test_import_loads_nothing_heavy() -> None:
    assert _loaded_by("import parlour") == set()


@pytest.mark.parametrize(
    "code",
    [
        "parlour.rank('As Ks Qs Js Ts 2d 3c')",
        "parlour.evaluate('As Ks Qs Js Ts 2d 3c').name",
        "parlour.equity(['AhAs', 'KdKc'])",
        "parlour.pots([25, 50, 100])",
        "parlour.Hand([100, 100]).legal()",
        "parlour.shuffle()",
    ],
)
def test_a_first_answer_loads_nothing_heavy(code: str) -> None:
    assert _loaded_by(f"import parlour; {code}") == set()


def test_dir_lists_every_export() -> None:
    assert set(parlour.__all__) <= set(dir(parlour))


def test_exports_are_sorted_and_there() -> None:
    assert list(parlour.__all__) == sorted(parlour.__all__)
    for name in parlour.__all__:
        assert getattr(parlour, name) is getattr(parlour, name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        _ = parlour.evalute
