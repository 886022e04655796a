"""Names that look alike are told apart at a table and in a tournament."""

from __future__ import annotations

import pytest

from parlour.tables.room.alike import NamesTaken
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
    assert NamesTaken(["Cy", other]).told_apart(name) == f"{name} (2)"
    assert NamesTaken([name]).told_apart(other) == f"{other} (2)"


@pytest.mark.parametrize(
    ("name", "other"), [("Ann", "Anna"), ("Zoë", "Zoé"), ("🦊", "🐺"), ("张伟", "张芳"), ("Ann (2)", "Ann")]
)
def test_names_that_differ_stay_as_they_are(name: str, other: str) -> None:
    assert NamesTaken([other]).told_apart(name) == name


def test_nobody_can_take_the_number_of_another_beforehand() -> None:
    assert NamesTaken(["Ann", "Ann (2)", "Аnn (З)"]).told_apart("Ann") == "Ann (4)", "the third is Cyrillic"


def test_a_long_name_makes_room_for_its_number() -> None:
    long = "x" * NAME_LENGTH
    assert NamesTaken([long]).told_apart(long) == "x" * (NAME_LENGTH - 4) + " (2)"


def test_a_name_that_replaces_its_own_looks_like_nobody_elses() -> None:
    names = NamesTaken(["Ann", "Bo"])
    assert names.told_apart("ann", own="Ann") == "ann"
    assert names.told_apart("bo", own="Ann") == "bo (2)"


def test_a_name_that_is_given_back_is_free() -> None:
    names = NamesTaken(["Ann", "Ann"])
    names.remove("Ann")
    assert names.told_apart("Ann") == "Ann (2)", "one of two is still there"
    names.remove("Ann")
    assert names.told_apart("Ann") == "Ann"
