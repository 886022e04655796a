"""How much one address, one identity or one table may ask for: rates, and numbers of things held at once."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar

import msgspec

from parlour.server.access.addresses import customer_of
from parlour.server.access.strain import Strain
from parlour.tables.errors import TooMany

SWEEP_ABOVE = 10_000
"""Keys that a limiter remembers before it looks for ones that it can forget."""
UNLIMITED = 10**9
CUSTOMER_SITES = 16
"""An IPv6 /48 may ask for as much as so many addresses: it has 65,536 networks of the size that counts as one."""


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
    """Every limit of a server. The defaults let nine people and their bots play from behind one home router."""

    requests: Rate = Rate(400, 200)
    """Everything that an address asks, counted in plain HTTP requests; a ping counts as a tenth of one."""
    frames: Rate = Rate(200, 400)
    """Frames on one connection, pings and refused frames included."""
    commands: Rate = Rate(200, 400)
    """Commands of an identity: actions, seats, host powers."""
    table: Rate = Rate(400, 800)
    """Commands at a table, whoever sends them."""
    identities: Rate = Rate(0.5, 60)
    """New identities, and new devices of known ones, from an address."""
    tables: Rate = Rate(0.05, 20)
    """New tables and tournaments of an identity; an address may open three times as many."""
    guesses: Rate = Rate(0.2, 20)
    """Codes that an address may get wrong, of tables and of transfers."""
    heavy: Rate = Rate(2, 10)
    """Equity calculations of an address."""
    suggestions: Rate = Rate(0.02, 5)
    """Suggestions of an address."""
    house_players_per_address: int = 120
    """House players that were added from an address and play."""
    house_players_per_identity: int = 60
    """House players at the tables and in the tournaments of one host."""
    house_players_at_once: int = 300
    """House players at all tables and in all tournaments of the server."""
    sockets_per_identity: int = 32
    sockets_per_address: int = 512
    connections_per_address: int = 1024
    """TCP connections of an address that is no trusted proxy."""


def parse_limits(texts: list[str]) -> Limits:
    """The limits with changes such as `guesses=1/50` or `sockets_per_address=1000` made to them."""
    changes: dict[str, Rate | int] = {}
    fields = {field.name: field.type for field in msgspec.structs.fields(Limits)}
    for text in texts:
        name, _, value = text.partition("=")
        if name == "all" and value == "off":
            changes |= {field: UNLIMITED if kind is int else Rate(0, 0) for field, kind in fields.items()}
        elif name not in fields:
            raise ValueError(f"no limit is called {name!r}; there are {', '.join(fields)}")
        elif fields[name] is int and value == "off":
            changes[name] = UNLIMITED
        elif fields[name] is int:
            if not value.isdigit():
                raise ValueError(f"{name} is 'off' or a whole number, not {value!r}")
            changes[name] = int(value)
        else:
            changes[name] = Rate.parse(value)
    return msgspec.structs.replace(Limits(), **changes)


class Limiter:
    """Holds each key to a rate. For each key it keeps one moment: when the work let through so far would be done."""

    def __init__(self, rate: Rate, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._clock = clock
        self._each = 1 / rate.per_second if rate.per_second else 0.0
        self._slack = self._each * (rate.burst - 1)
        self._due: dict[str, float] = {}
        self._sweep_at = SWEEP_ABOVE
        self.spent: dict[str, float] | None = None
        """What each key has spent since other nodes were told; None where there are none."""

    def owed(self, key: str) -> float:
        """The seconds until the key could go on at once; 0 where it could now."""
        if not self._each:
            return 0.0
        now = self._clock()
        return max(0.0, self._due.get(key, now) - now - self._slack - 1e-9)

    def charge(self, key: str, cost: float = 1.0, now: float | None = None) -> float:
        """Count `cost` in any case; the seconds that the key had to wait if it came in order, 0 within the burst."""
        if not self._each:
            return 0.0
        if now is None:
            now = self._clock()
        due = self._due.get(key, now)
        if due < now:
            due = now
        self._due[key] = due + cost * self._each
        if self.spent is not None:
            self.spent[key] = self.spent.get(key, 0.0) + cost
        if len(self._due) > self._sweep_at:
            self._sweep(now)
        owed = due - now - self._slack
        return owed if owed > 1e-9 else 0.0

    def check(self, key: str, *, spend: bool = True) -> None:
        """Count one; raise `TooMany`, and count nothing, where the key has to wait."""
        if not self._each:
            return
        now = self._clock()
        due = self._due.get(key, now)
        if due - now > self._slack + 1e-9:
            raise self.refusal(due - now - self._slack)
        if spend:
            self._due[key] = (due if due > now else now) + self._each
            if self.spent is not None:
                self.spent[key] = self.spent.get(key, 0.0) + 1.0
            if len(self._due) > self._sweep_at:
                self._sweep(now)

    def spent_elsewhere(self, key: str, cost: float) -> None:
        """Count what the key has spent at another node."""
        if self._each:
            now = self._clock()
            self._due[key] = max(self._due.get(key, now), now) + cost * self._each
            if len(self._due) > self._sweep_at:
                self._sweep(now)

    def refusal(self, seconds: float) -> TooMany:
        """What somebody is told who has to wait for so long."""
        return too_many(self._what, seconds)

    def _sweep(self, now: float) -> None:
        """Forget the keys that have waited long enough to start afresh."""
        self._due = {key: due for key, due in self._due.items() if due > now}
        self._sweep_at = max(SWEEP_ABOVE, 2 * len(self._due))


class AddressLimiter(Limiter):
    """Holds each address to a rate, and all addresses of an IPv6 /48 together to a wider one."""

    def __init__(
        self, rate: Rate, what: str, clock: Callable[[], float] = time.monotonic, strain: Strain | None = None
    ) -> None:
        """`strain`: what raises the price of everything, where this limit is the one on requests."""
        super().__init__(rate, what, clock)
        self.wide = Limiter(Rate(rate.per_second * CUSTOMER_SITES, rate.burst * CUSTOMER_SITES), what, clock)
        self._strain = strain

    def owed(self, key: str) -> float:
        owed, customer = super().owed(key), customer_of(key)
        return owed if customer is None else max(owed, self.wide.owed(customer))

    def charge(self, key: str, cost: float = 1.0, now: float | None = None) -> float:
        if self._strain is not None and self._strain.level:
            cost *= self._strain.price(key)
        owed, customer = super().charge(key, cost, now), customer_of(key)
        return owed if customer is None else max(owed, self.wide.charge(customer, cost, now))

    def check(self, key: str, *, spend: bool = True) -> None:
        customer = customer_of(key)
        if customer is not None:
            self.wide.check(customer, spend=False)
        super().check(key, spend=spend)
        if customer is not None and spend:
            self.wide.charge(customer)


def too_many(what: str, seconds: float) -> TooMany:
    """The refusal that says how long to wait: never less than it takes, and never nothing."""
    wait = max(0.1, -(-seconds // 0.1) * 0.1)
    return TooMany("too_many_" + what, f"Too many {what}: wait {wait:.1f} s.", round(wait, 1))


class Quota:
    """How many of something each key holds at this moment."""

    def __init__(self, most: int, what: str) -> None:
        self.most = most
        self._what = what
        self._held: Counter[str] = Counter()
        self.elsewhere: dict[str, int] = {}
        """How many each key holds at other nodes."""
        self.changed: set[str] | None = None
        """Keys of which other nodes are to be told; None where there are none."""

    def is_full(self, key: str) -> bool:
        return not self.room(key)

    def held(self) -> dict[str, int]:
        """How many each key holds here."""
        return dict(self._held)

    def take(self, key: str) -> None:
        """Hold one more; raise `TooMany` where the key holds all that it may."""
        if self.is_full(key):
            message = f"Too many {self._what}: at most {self.most} at once."
            raise TooMany("too_many_" + self._what, message, RETRY_FULL)
        self.hold(key)

    def room(self, key: str) -> int:
        """How many more the key may hold."""
        return max(0, self.most - self._held[key] - self.elsewhere.get(key, 0))

    def hold(self, key: str) -> None:
        """Hold one more in any case."""
        self._held[key] += 1
        if self.changed is not None:
            self.changed.add(key)

    def give_back(self, key: str) -> None:
        self._held[key] -= 1
        if not self._held[key]:
            del self._held[key]
        if self.changed is not None:
            self.changed.add(key)


class AddressQuota(Quota):
    """How many of something each address holds, and all addresses of an IPv6 /48 together."""

    def __init__(self, most: int, what: str) -> None:
        super().__init__(most, what)
        self.wide = Quota(most * CUSTOMER_SITES, what)

    def room(self, key: str) -> int:
        own, customer = super().room(key), customer_of(key)
        return own if customer is None else min(own, self.wide.room(customer))

    def hold(self, key: str) -> None:
        super().hold(key)
        if (customer := customer_of(key)) is not None:
            self.wide.hold(customer)

    def give_back(self, key: str) -> None:
        super().give_back(key)
        if (customer := customer_of(key)) is not None:
            self.wide.give_back(customer)


class HousePlayers:
    """How many house players play at once: for each host, for each address that they were added from, and on the whole
    server. The `Budget` of the house."""

    def __init__(self, limits: Limits) -> None:
        self.of_identity = Quota(limits.house_players_per_identity, "house_players")
        self.of_address = AddressQuota(limits.house_players_per_address, "house_players")
        self.of_server = Quota(limits.house_players_at_once, "house_players")

    def require(self, person: str, bots: int) -> None:
        account = ADDED_FROM.get()
        if self.of_identity.room(person) < bots:
            raise _too_many(f"At your tables and in your tournaments at most {self.of_identity.most}")
        if account is not None and self.of_address.room(account) < bots:
            raise _too_many(f"For your address at most {self.of_address.most}")
        if self.of_server.room(SERVER) < bots:
            message = "All house players of this server are playing; try again later."
            raise TooMany("no_house_player_free", message, RETRY_FULL)

    def has_room(self) -> bool:
        return not self.of_server.is_full(SERVER)

    def hold(self, person: str, added: bool) -> tuple[str, str | None]:
        account = ADDED_FROM.get() if added else None
        self.of_identity.hold(person)
        self.of_server.hold(SERVER)
        if account is not None:
            self.of_address.hold(account)
        return person, account

    def lend(self, held: tuple[str, str | None]) -> None:
        """Whoever leaves bots behind has them count for person and address: nobody can make ever more."""
        self.of_server.give_back(SERVER)

    def take_again(self, held: tuple[str, str | None]) -> None:
        self.of_server.hold(SERVER)

    def give_back(self, held: tuple[str, str | None]) -> None:
        person, account = held
        self.of_identity.give_back(person)
        self.of_server.give_back(SERVER)
        if account is not None:
            self.of_address.give_back(account)


def _too_many(where: str) -> TooMany:
    return TooMany("too_many_house_players", f"{where} house players play at once.", RETRY_FULL)


ADDED_FROM: ContextVar[str | None] = ContextVar("ADDED_FROM", default=None)
"""The account of the address from which house players are being added."""
SERVER = "server"
"""The key of what is counted for the whole server."""
RETRY_FULL = 1.0
"""Seconds after which it may help to try again where all places were taken: nobody knows when one becomes free."""
