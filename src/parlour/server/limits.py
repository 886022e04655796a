"""How much one address, one identity or one table may ask for: rates, and numbers of things held at once."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

import msgspec

from parlour.tables.errors import TooMany

SWEEP_ABOVE = 10_000
"""Keys that a limiter remembers before it looks for ones that it can forget."""


class Rate(msgspec.Struct, frozen=True):
    """So many a second in the long run, and so many at once after a pause. A rate of 0 is no limit."""

    per_second: float
    burst: int

    @classmethod
    def parse(cls, text: str) -> Rate:
        """Read `20/60` (20 a second, 60 at once) or `off`."""
        if text == "off":
            return cls(0, 0)
        number, _, burst = text.partition("/")
        try:
            rate = cls(float(number), int(burst))
        except ValueError:
            raise ValueError(f"a rate is 'off' or per second/at once, such as 20/60, not {text!r}") from None
        if not 0 < rate.per_second < 1e6 or not 0 < rate.burst < 1e9:
            raise ValueError(f"a rate needs numbers above zero, not {text!r}")
        return rate

    def __str__(self) -> str:
        return f"{self.per_second:g}/{self.burst}" if self.per_second else "off"


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Every limit of a server. The defaults let a full house play from behind one home router."""

    requests: Rate = Rate(100, 400)
    """HTTP requests of an address."""
    commands: Rate = Rate(20, 60)
    """Commands of an identity: actions, seats, host powers."""
    table: Rate = Rate(200, 400)
    """Commands at a table, whoever sends them."""
    identities: Rate = Rate(0.5, 60)
    """New identities from an address."""
    tables: Rate = Rate(0.05, 20)
    """New tables of an identity; an address may open three times as many."""
    guesses: Rate = Rate(0.2, 20)
    """Codes that an address may get wrong, of tables and of transfers."""
    heavy: Rate = Rate(2, 10)
    """Equity calculations of an address."""
    suggestions: Rate = Rate(0.02, 5)
    """Suggestions of an address."""
    sockets_per_identity: int = 32
    sockets_per_address: int = 512


def parse_limits(texts: list[str]) -> Limits:
    """The limits with changes such as `guesses=1/50` or `sockets_per_address=1000` made to them."""
    changes: dict[str, Rate | int] = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name == "all" and value == "off":
            changes |= {f: 10**9 if f.startswith("sockets") else Rate(0, 0) for f in Limits.__struct_fields__}
        elif name not in Limits.__struct_fields__:
            raise ValueError(f"no limit is called {name!r}; there are {', '.join(Limits.__struct_fields__)}")
        elif name.startswith("sockets"):
            if not value.isdigit():
                raise ValueError(f"{name} is a whole number, not {value!r}")
            changes[name] = int(value)
        else:
            changes[name] = Rate.parse(value)
    return msgspec.structs.replace(Limits(), **changes)


class Limiter:
    """Holds each key to a rate. For each key it keeps one moment: when the work let through so far would be done."""

    def __init__(self, rate: Rate, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._clock = clock
        self._cost = 1 / rate.per_second if rate.per_second else 0.0
        self._slack = self._cost * (rate.burst - 1)
        self._due: dict[Hashable, float] = {}
        self._sweep_at = SWEEP_ABOVE

    def wait(self, key: Hashable, *, spend: bool = True) -> float:
        """0 where the key may go on, which then counts; otherwise the seconds that it has to wait."""
        if not self._cost:
            return 0.0
        now = self._clock()
        due = self._due.get(key, now)
        if due < now:
            due = now
        if due - now > self._slack + 1e-9:
            return due - now - self._slack
        if spend:
            self._due[key] = due + self._cost
            if len(self._due) > self._sweep_at:
                self._sweep(now)
        return 0.0

    def check(self, key: Hashable, *, spend: bool = True) -> None:
        """Raise `TooMany` where the key has to wait."""
        if self._cost and (seconds := self.wait(key, spend=spend)):
            raise TooMany("too_many_" + self._what, f"Too many {self._what}: wait {seconds:.1f} s.", math.ceil(seconds))

    def _sweep(self, now: float) -> None:
        """Forget the keys that have waited long enough to start afresh."""
        self._due = {key: due for key, due in self._due.items() if due > now}
        self._sweep_at = max(SWEEP_ABOVE, 2 * len(self._due))


class Quota:
    """How many of something each key holds at this moment."""

    def __init__(self, most: int, what: str) -> None:
        self._most = most
        self._what = what
        self._held: Counter[Hashable] = Counter()

    @contextmanager
    def hold(self, key: Hashable) -> Iterator[None]:
        """Hold one while the block runs; raise `TooMany` where the key holds all that it may."""
        if self._held[key] >= self._most:
            raise TooMany("too_many_" + self._what, f"Too many {self._what}: at most {self._most} at once.")
        self._held[key] += 1
        try:
            yield
        finally:
            self._held[key] -= 1
            if not self._held[key]:
                del self._held[key]


class Guard:
    """All limiters of a server."""

    def __init__(self, limits: Limits) -> None:
        self.requests = Limiter(limits.requests, "requests")
        self.commands = Limiter(limits.commands, "commands")
        self.table = Limiter(limits.table, "commands")
        self.identities = Limiter(limits.identities, "identities")
        self.tables = Limiter(limits.tables, "tables")
        # Three people behind one address may each open as many as one person may.
        self.tables_of_address = Limiter(Rate(limits.tables.per_second * 3, limits.tables.burst * 3), "tables")
        self.guesses = Limiter(limits.guesses, "wrong_codes")
        self.heavy = Limiter(limits.heavy, "calculations")
        self.suggestions = Limiter(limits.suggestions, "suggestions")
        self.sockets_of_identity = Quota(limits.sockets_per_identity, "sockets")
        self.sockets_of_address = Quota(limits.sockets_per_address, "sockets")
