"""A fingerprint changes along with what would be read wrongly, and with nothing else."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated

import msgspec
import pytest

from parlour.games.registry import installed
from parlour.tables.room.shapes import SIZE, fingerprint


def define(*fields, inner=(("x", int),), doc=None, **config):
    held = msgspec.defstruct("Inner", inner)
    plain = [(name, list[held] if kind == "inner" else kind, *default) for name, kind, *default in fields]
    return msgspec.defstruct("State", plain, namespace={"__doc__": doc}, **config)


BASE = (("turn", int), ("held", "inner"))


def test_the_same_definition_has_the_same_fingerprint():
    assert fingerprint([define(*BASE), 1]) == fingerprint([define(*BASE), 1])
    assert len(fingerprint([define(*BASE), 1])) == SIZE


def test_prose_makes_no_difference():
    told = define(("turn", Annotated[int, msgspec.Meta(description="whose it is", title="Turn")]), BASE[1], doc="All.")
    assert fingerprint([told]) == fingerprint([define(*BASE)])


@pytest.mark.parametrize(
    "other",
    [
        (define(*BASE, ("more", int, 0)), 1),
        (define(BASE[0]), 1),
        (define(("move", int), BASE[1]), 1),
        (define(("turn", str), BASE[1]), 1),
        (define(("turn", int | None), BASE[1]), 1),
        (define(BASE[1], ("turn", int, 3)), 1),
        (define(*BASE, array_like=True), 1),
        (define(*BASE, inner=(("x", float),)), 1),
        (define(*BASE, inner=(("description", int),)), 1),
        (define(*BASE), 2),
    ],
)
def test_what_would_be_read_otherwise_does(other):
    assert fingerprint(other) != fingerprint([define(*BASE), 1])


def test_the_order_of_fields_counts_where_there_are_no_names():
    assert fingerprint([define(*BASE, array_like=True)]) != fingerprint([define(*BASE[::-1], array_like=True)])


@pytest.mark.parametrize("game", installed(), ids=lambda game: game.name)
def test_every_process_finds_the_same_for_a_game(game):
    assert game.frozen_as
    program = (
        "from parlour.games.registry import Registry\nfrom parlour.tables.room.shapes import fingerprint\n"
        f"print(fingerprint(Registry()[{game.name!r}].game.frozen_as).hex())"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == fingerprint(game.frozen_as).hex()
