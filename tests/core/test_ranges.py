"""Ranges: notation, weights, round trips; eval7 and pokerkit as referees of what a notation means."""

import contextlib
import copy
import pickle
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import parse_range

import parlour
from parlour.games.poker.ranges import Range

with warnings.catch_warnings(action="ignore"):  # its parser of ranges uses deprecated names
    import eval7

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]


def holdings(text: str) -> set[frozenset[str]]:
    return {frozenset((holding[:2], holding[2:])) for holding in Range(text)}


@pytest.mark.parametrize(
    ("text", "combinations"),
    [
        ("AA", 6),
        ("AKs", 4),
        ("AKo", 12),
        ("AK", 16),
        ("QQ+", 18),
        ("A2s+", 48),
        ("76o+", 12),
        ("K9+", 64),
        ("TT-77", 24),
        ("77-TT", 24),
        ("65s-54s", 8),
        ("A5s-A2s", 16),
        ("QTo-97o", 48),
        ("AhKh", 1),
        ("Kh Ah", 1),
        ("10h9h", 1),
        ("aks, qq", 10),
        ("random", 1326),
        ("*", 1326),
        ("QQ+, AKs, 65s-54s, A5s:0.5", 34),
        ("AA, AhAs:0", 5),
    ],
)
def test_the_notation_stands_for_so_many_holdings(text: str, combinations: int) -> None:
    assert len(Range(text)) == combinations


kinds = st.tuples(st.sampled_from(RANKS), st.sampled_from(RANKS), st.sampled_from(["", "s", "o"])).map(
    lambda kind: kind[0] + kind[1] + ("" if kind[0] == kind[1] else kind[2])
)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@given(kinds, st.sampled_from(["", "+"]))
def test_kinds_and_plus_mean_what_eval7_and_pokerkit_say(kind: str, plus: str) -> None:
    if RANKS.index(kind[0]) < RANKS.index(kind[1]):
        kind = kind[1] + kind[0] + kind[2:]
    text = kind + plus
    assert holdings(text) == {frozenset(map(str, hand)) for hand, _ in eval7.HandRange(text).hands}
    assert holdings(text) == {frozenset(map(repr, hand)) for hand in parse_range(text)}


@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 12), st.sampled_from("so"))
def test_spans_that_keep_the_gap_mean_what_pokerkit_says(a: int, b: int, gap: int, suits: str) -> None:
    high, low = max(a, b), min(a, b)
    if gap > low:
        return
    text = f"{RANKS[high]}{RANKS[high - gap]}{suits}-{RANKS[low]}{RANKS[low - gap]}{suits}"
    assert holdings(text) == {frozenset(map(repr, hand)) for hand in parse_range(text)}


weights = st.floats(1e-6, 100, allow_nan=False)
items = st.one_of(
    kinds,
    kinds.map(lambda kind: kind + "+"),
    st.sampled_from(["TT-77", "65s-54s", "A5s-A2s", "random", "K9o-K4o"]),
    st.lists(st.sampled_from(DECK), min_size=2, max_size=2, unique=True).map("".join),
)


@given(st.lists(st.tuples(items, st.none() | weights), min_size=1, max_size=8))
def test_what_is_written_reads_back_to_the_same_range(parts: list[tuple[str, float | None]]) -> None:
    text = ", ".join(item if weight is None else f"{item}:{weight!r}" for item, weight in parts)
    first = Range(text)
    assert Range(str(first)) == first
    assert str(Range(str(first))) == str(first)
    assert Range(dict(first)) == first
    assert 0 < len(first) <= 1326


def test_the_later_item_decides() -> None:
    assert Range("AA, AhAs:0.25")["AsAh"] == 0.25
    assert Range("AhAs:0.25, AA")["AhAs"] == 1.0
    assert str(Range("random:0.5, *")) == "random"


def test_a_range_is_a_frozen_mapping_of_holdings() -> None:
    pocket = Range("QQ+, A5s:0.5")
    assert str(pocket) == "QQ+, A5s:0.5"
    assert repr(pocket) == "Range('QQ+, A5s:0.5')"
    assert pocket["Ah5h"] == pocket["5hAh"] == 0.5
    assert "2c2d" not in pocket
    assert set(pocket.values()) == {1.0, 0.5}
    assert pocket.fraction == pytest.approx(20 / 1326)
    assert pickle.loads(pickle.dumps(pocket)) == pocket
    assert copy.deepcopy(pocket) == pocket
    nothing = Range("AA:0")
    assert pickle.loads(pickle.dumps(nothing)) == nothing == copy.copy(nothing)
    assert hash(Range("AA, KK, QQ, A5s:0.5")) == hash(pocket)
    assert pocket != Range("QQ+")
    assert Range({"AhAs": 1, "KK": 0.5}) == Range("AsAh, KK:0.5")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "empty range"),
        ("AA,,KK", "empty item"),
        ("AA,", "empty item"),
        ("XX", "'XX'"),
        ("AAs", "'AAs'"),
        ("AhAh", "same card twice"),
        ("AhAx", "'AhAx'"),
        ("AhAsAd", "'AhAsAd'"),
        ("TT-76s", "one kind"),
        ("A5s-K2s", "keeps"),
        ("AK:", "not a number"),
        ("AK:x", "not a number"),
        ("AK:nan", "not a number"),
        ("AK:inf", "not a number"),
        ("AK:-1", "not negative"),
        ("AK:1e999", "number"),
        ("+", r"'\+'"),
        ("AhKh+", "kind of hand"),
        ("ÄK", "ÄK"),
    ],
)
def test_bad_notation_is_refused_by_name(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        Range(text)


@pytest.mark.parametrize("text", ["Ä" * 5_000, "AA, " * 5_000 + ", KK", "AA:" + "1" * 5_000 + "x"])
def test_an_error_quotes_the_beginning_of_a_long_text(text: str) -> None:
    with pytest.raises(ValueError, match="…") as refused:
        Range(text)
    assert len(str(refused.value)) < 120
    with pytest.raises(ValueError, match="…"):
        parlour.equity([text, "random"])


@given(st.text(max_size=12))
def test_any_text_is_a_range_or_a_value_error(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert all(weight > 0 for weight in Range(text).values())


def test_wrong_types_are_type_errors() -> None:
    for wrong in (None, 5, ["AA"]):
        with pytest.raises(TypeError):
            Range(wrong)  # type: ignore[arg-type]  # the fault under test
    with pytest.raises(ValueError, match="number"):
        Range({"AA": float("nan")})
    with pytest.raises(KeyError):
        Range("AA")["KhKs"]
