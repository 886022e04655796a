"""Names that look alike are told apart at a table and in a tournament."""

from __future__ import annotations

import pytest

from parlour.tables.room.alike import told_apart
from parlour.tables.room.words import NAME_LENGTH


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ann", "Ann"),
        ("ann", "Ann"),
        ("Аnn", "Ann"),  # a Cyrillic capital
        ("раура1", "paypal"),
        ("Modern", "Modem"),
        ("Ian", "lan"),
        ("IAN", "lan"),
        ("B0", "Bo"),
        ("Ｂｏ", "Bo"),  # as wide as a Chinese sign
        ("ß", "β"),
        ("Zoë", "Zoe\u0308"),
        ("An\u200dn", "Ann"),  # a joiner, which a name keeps for the sake of emoji
        ("An\ufe0fn", "Ann"),
    ],
)
def test_a_name_that_looks_like_another_gets_a_number(name: str, other: str) -> None:
    assert told_apart(name, ["Cy", other]) == f"{name} (2)"
    assert told_apart(other, [name]) == f"{other} (2)"


@pytest.mark.parametrize(
    ("name", "other"), [("Ann", "Anna"), ("Zoë", "Zoé"), ("🦊", "🐺"), ("张伟", "张芳"), ("Ann (2)", "Ann")]
)
def test_names_that_differ_stay_as_they_are(name: str, other: str) -> None:
    assert told_apart(name, [other]) == name


def test_nobody_can_take_the_number_of_another_beforehand() -> None:
    assert told_apart("Ann", ["Ann", "Ann (2)", "Аnn (З)"]) == "Ann (4)", "the third is Cyrillic"


def test_a_long_name_makes_room_for_its_number() -> None:
    long = "x" * NAME_LENGTH
    assert told_apart(long, [long]) == "x" * (NAME_LENGTH - 4) + " (2)"
