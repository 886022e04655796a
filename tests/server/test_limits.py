"""Rates and quotas."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.server.limits import SWEEP_ABOVE, Limiter, Quota, Rate, parse_limits
from parlour.tables.errors import TooMany


class Watch:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def test_a_burst_then_the_rate() -> None:
    watch = Watch()
    limiter = Limiter(Rate(2, 3), "tests", watch)
    assert [limiter.wait("a") for _ in range(4)] == [0, 0, 0, pytest.approx(0.5)]
    assert limiter.wait("b") == 0, "each key counts for itself"
    watch.time += 0.5
    assert limiter.wait("a") == 0
    assert limiter.wait("a") > 0


@given(st.lists(st.floats(0, 5), min_size=1, max_size=200), st.floats(0.1, 50), st.integers(1, 20))
def test_nobody_gets_more_than_the_rate_and_the_burst(pauses: list[float], rate: float, burst: int) -> None:
    watch = Watch()
    limiter = Limiter(Rate(rate, burst), "tests", watch)
    began, let_through = watch.time, 0
    for pause in pauses:
        watch.time += pause
        let_through += limiter.wait("a") == 0
        assert let_through <= burst + rate * (watch.time - began) + 1e-6


def test_looking_does_not_count() -> None:
    limiter = Limiter(Rate(1, 1), "tests", Watch())
    assert [limiter.wait("a", spend=False) for _ in range(5)] == [0] * 5
    assert limiter.wait("a") == 0
    assert limiter.wait("a", spend=False) > 0


def test_keys_that_have_waited_are_forgotten() -> None:
    watch = Watch()
    limiter = Limiter(Rate(1, 1), "tests", watch)
    for number in range(SWEEP_ABOVE):
        limiter.wait(number)
    watch.time += 10
    limiter.wait("one more")
    limiter.wait("and another")
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
    with quota.hold("a"):
        with pytest.raises(TooMany), quota.hold("a"):
            pass
        with quota.hold("b"):
            pass
    with quota.hold("a"):
        pass


def test_limits_are_read_from_words() -> None:
    limits = parse_limits(["guesses=1/50", "table=off", "sockets_per_address=7"])
    assert limits.guesses == Rate(1, 50)
    assert limits.table == Rate(0, 0)
    assert limits.sockets_per_address == 7
    assert str(limits.guesses) == "1/50"
    assert str(limits.table) == "off"


@pytest.mark.parametrize(
    "text", ["nothing=1/2", "table", "table=1", "table=x/y", "table=-1/5", "table=0/5", "sockets_per_address=x"]
)
def test_what_makes_no_sense_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=text.partition("=")[0] if "nothing" in text or "sockets" in text else "rate"):
        parse_limits([text])
