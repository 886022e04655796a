"""Rates and quotas."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.server.access.limits import SWEEP_ABOVE, UNLIMITED, Limiter, Quota, Rate, parse_limits
from parlour.tables.errors import TooMany


class Watch:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def test_a_burst_then_the_rate() -> None:
    watch = Watch()
    limiter = Limiter(Rate(2, 3), "tests", watch)
    for _ in range(3):
        limiter.check("a")
    assert limiter.owed("a") == pytest.approx(0.5)
    assert limiter.owed("b") == 0, "each key counts for itself"
    watch.time += 0.5
    limiter.check("a")
    assert limiter.owed("a") > 0


@given(st.lists(st.floats(0, 5), min_size=1, max_size=200), st.floats(0.1, 50), st.integers(1, 20))
def test_nobody_gets_more_than_the_rate_and_the_burst(pauses: list[float], rate: float, burst: int) -> None:
    watch = Watch()
    limiter = Limiter(Rate(rate, burst), "tests", watch)
    began, let_through = watch.time, 0
    for pause in pauses:
        watch.time += pause
        with suppress(TooMany):
            limiter.check("a")
            let_through += 1
        assert let_through <= burst + rate * (watch.time - began) + 1e-6


def test_looking_does_not_count() -> None:
    limiter = Limiter(Rate(1, 1), "tests", Watch())
    for _ in range(5):
        limiter.check("a", spend=False)
    limiter.check("a")
    assert limiter.owed("a") > 0


def test_keys_that_have_waited_are_forgotten() -> None:
    watch = Watch()
    limiter = Limiter(Rate(1, 1), "tests", watch)
    for number in range(SWEEP_ABOVE):
        limiter.charge(number)
    watch.time += 10
    limiter.charge("one more")
    limiter.charge("and another")
    assert len(limiter._due) < 10


def test_a_refusal_says_how_long_to_wait() -> None:
    limiter = Limiter(Rate(0.1, 1), "tests", Watch())
    limiter.check("a")
    with pytest.raises(TooMany) as refusal:
        limiter.check("a")
    assert refusal.value.retry_after == 10
    assert refusal.value.code == "too_many_tests"


def test_a_quota_is_given_back() -> None:
    quota = Quota(1, "tests")
    quota.take("a")
    with pytest.raises(TooMany):
        quota.take("a")
    quota.take("b")
    quota.give_back("a")
    quota.take("a")


def test_limits_are_read_from_words() -> None:
    limits = parse_limits(["guesses=1/50", "table=off", "sockets_per_address=7"])
    assert limits.guesses == Rate(1, 50)
    assert limits.table == Rate(0, 0)
    assert limits.sockets_per_address == 7
    assert str(limits.guesses) == "1/50"
    assert str(limits.table) == "off"
    assert parse_limits(["sockets_per_address=off"]).sockets_per_address == UNLIMITED


@pytest.mark.parametrize(
    "text", ["nothing=1/2", "table", "table=1", "table=x/y", "table=-1/5", "table=0/5", "sockets_per_address=x"]
)
def test_what_makes_no_sense_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=text.partition("=")[0] if "nothing" in text or "sockets" in text else "rate"):
        parse_limits([text])
