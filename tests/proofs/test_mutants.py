"""What is changed for mutation testing, and that the tests are run against the change."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from proofs.mutants.areas import modules
from proofs.mutants.sites import draw, mutants_of

TEXT = '''"""A module."""
LIMIT = 3


def pay(self, chips: int = 4, *, seat: "int > 0" = 2) -> bool:
    """Says 1 < 2."""
    logger.info("paid", chips=chips + 1)
    assert chips > 0
    if chips < LIMIT and not self.closed:
        raise Refused("too_few", f"it takes {LIMIT - 1}")
    self.left -= chips
    give(chips, seat, zip(seats, stacks, strict=True))
    return chips >= 10


def __repr__(self):
    return 1
'''


def changes(folder: Path, text: str) -> dict[str, set[str]]:
    file = folder / "module.py"
    file.write_text(text)
    found: dict[str, set[str]] = {}
    for mutant in mutants_of("area", file):
        lines = [line for line in mutant.diff().splitlines() if line.startswith("+")]
        found.setdefault(mutant.operator, set()).add(" ".join(line[1:].strip() for line in lines))
    return found


def test_each_kind_of_change_is_found_once(tmp_path: Path) -> None:
    assert changes(tmp_path, TEXT) == {
        "comparison": {"if chips <= LIMIT and not self.closed:", "return chips > 10"},
        "and/or": {"if (chips < LIMIT or not self.closed):"},
        "negated condition": {"if not (chips < LIMIT and not self.closed):"},
        "dropped not": {"if chips < LIMIT and self.closed:"},
        "removed statement": {"pass"},
        "arithmetic": {"self.left += chips"},
        "swapped arguments": {
            "give(seat, chips, zip(seats, stacks, strict=True))",
            "give(chips, seat, zip(stacks, seats, strict=True))",
        },
        "constant": {"return chips >= 11", "return chips >= 9"},
        "return value": {"return True", "return False"},
    }


def test_what_is_merely_said_is_left_as_it_is(tmp_path: Path) -> None:
    """Docstrings, log lines, messages, annotations, assertions, and what is executed when a module is imported."""
    said = {1, 2, 5, 6, 7, 8, 16, 17}
    changes(tmp_path, TEXT)
    lines = [mutant.line for mutant in mutants_of("area", tmp_path / "module.py")]
    assert not said & set(lines)
    assert lines.count(10) == 1, "an error is left out as a whole"


def test_a_change_keeps_its_name_when_others_lines_move(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(TEXT)
    before = mutants_of("area", file)
    file.write_text(TEXT.replace('"""A module."""', '"""A module."""\nimport os'))
    after = mutants_of("area", file)
    assert [mutant.key for mutant in before] == [mutant.key for mutant in after]
    assert [mutant.line + 1 for mutant in before] == [mutant.line for mutant in after]


def test_a_seed_draws_the_same_changes_and_more_of_them_contain_fewer() -> None:
    some, more = (list(draw(modules(), number, 1)) for number in (10, 40))
    assert len({mutant.key for mutant in more}) == 40
    assert {mutant.key for mutant in some} < {mutant.key for mutant in more}
    assert {mutant.key for mutant in draw(modules(), 10, 2)} != {mutant.key for mutant in some}
    for mutant in more:
        ast.parse(mutant.source())


@pytest.mark.parametrize("inner", [False, True], ids=["a process", "a process that it starts"])
def test_the_changed_text_is_loaded_in_place_of_the_module(tmp_path: Path, inner: bool) -> None:
    from parlour.games.chess import clock

    changed = tmp_path / "clock.py"
    changed.write_text(Path(clock.__file__).read_text() + "\nCHANGED = True\n")
    hook = Path(__file__).parents[2] / "proofs" / "mutants" / "hook"
    environment = os.environ | {
        "PYTHONPATH": str(hook),
        "PARLOUR_MUTANT": f"parlour.games.chess.clock\n{clock.__file__}\n{changed}",
    }
    look = "from parlour.games.chess import clock, offers; print(clock.CHANGED, clock.__file__)"
    start = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {look!r}], check=True)"
    command = [sys.executable, "-c", start if inner else look]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"True {clock.__file__}\n"
