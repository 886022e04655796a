"""A table in memory for the tests of a game: it plays, and holds the game to its contract at every step.

    table = Trial(Chess(), {"minutes": 5})
    table.join(0), table.join(1), table.start()
    table.act(table.actor, {"type": "move", "uci": "e2e4"})

After each step it has checked that deciding did not touch the state, that the events survive the log, that a second
state which follows the logged events alone is the same as the live one, that a thawed snapshot is too, and that what
the game writes as JSON is what its views say.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional

import msgspec

from parlour.games.contract import Action, Event, Game, Millis, Round, Seat, World
from parlour.games.registry import Listing


class Lots:
    """Chance from a seed, for tests only; `stacked` shuffles are used up first."""

    def __init__(self, seed: int = 0, stacked: Sequence[Sequence[int]] = ()) -> None:
        self._random = random.Random(seed)  # noqa: S311 a test must be repeatable
        self._stacked = [list(order) for order in stacked]

    def stack(self, order: Sequence[int]) -> None:
        """Use this for the next shuffle of as many."""
        self._stacked.insert(0, list(order))

    def shuffle(self, n: int) -> Sequence[int]:
        for i, order in enumerate(self._stacked):
            if len(order) == n:
                return self._stacked.pop(i)
        order = list(range(n))
        self._random.shuffle(order)
        return order


def contents(value: Any) -> Any:
    """All that an object holds, also what no snapshot has: to compare, or to find out what has changed.

    An attribute with an underscore is what a state remembers for itself; it may be filled in at any time.
    """
    if value is None or isinstance(value, int | str | bytes | float):
        return value
    if isinstance(value, Mapping):
        return {contents(key): contents(kept) for key, kept in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [contents(kept) for kept in value]
    if hasattr(value, "to_bytes"):
        return value.to_bytes()
    names = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    names += getattr(value, "__struct_fields__", ()) + tuple(getattr(value, "__dict__", ()))
    kept = {name: contents(getattr(value, name)) for name in names if not name.startswith("_")}
    return (type(value).__name__, kept) if kept else repr(value)


class Trial:
    """One table of one game, with a clock that the test moves."""

    def __init__(
        self, game: Game[Any, Any], settings: Mapping[str, Any] | None = None, chance: Lots | None = None
    ) -> None:
        self.game = game
        self.listing = Listing(game)
        self.settings = self.listing.settings(settings or {})
        self.state: Any = game.setup(self.settings)
        self.chance = chance or Lots()
        self.now: Millis = 1_700_000_000_000
        self.away: frozenset[Seat] = frozenset()
        self.host: Seat | None = None
        self.bots: frozenset[Seat] = frozenset()
        self.taken: set[Seat] = set()
        self.log: list[tuple[Millis, Event]] = []
        self._shadow: Any = game.setup(self.settings)

    # What a table does

    def join(self, seat: Seat, player: str | None = None, **options: Any) -> Sequence[Event]:
        """Sit down; `player` is who it is, for games that remember people."""

        def decide(world: World) -> Sequence[Event]:
            return self.game.join(self.state, seat, options, msgspec.structs.replace(world, player=player))

        events = self._step(decide)
        self.taken.add(seat)
        return events

    def place(self, seat: Seat, player: str, **options: Any) -> Sequence[Event]:
        """A tournament gives somebody a seat."""

        def decide(world: World) -> Sequence[Event]:
            given = msgspec.structs.replace(world, player=player, director=True, hold=True)
            return self.game.join(self.state, seat, options, given)

        events = self._step(decide)
        self.taken.add(seat)
        return events

    def next_round(self) -> Sequence[Event]:
        """A tournament says that the next round begins."""
        return self._step(lambda world: self.game.next_round(self.state, world))

    def forfeit(self, *losers: Seat) -> Sequence[Event]:
        """A tournament says who did not come."""
        return self._step(lambda world: self.game.forfeit(self.state, losers, world))

    def leave(self, seat: Seat) -> Sequence[Event]:
        events = self._step(lambda world: self.game.leave(self.state, seat, world))
        self.taken.discard(seat)
        return events

    def start(self) -> Sequence[Event]:
        return self._step(lambda world: self.game.start(self.state, world))

    def act(self, seat: Seat, action: Action | Mapping[str, Any] | str, **fields: Any) -> Sequence[Event]:
        """Act for a seat; a word with fields will do: `act(0, "raise", amount=6)`. The host sits at `host`."""
        if not isinstance(action, Action):
            data = {"type": action, **fields} if isinstance(action, str) else action
            action = self.listing.action(msgspec.json.encode(data))
        chosen = action

        def decide(world: World) -> Sequence[Event]:
            by_host = msgspec.structs.replace(world, host=seat == self.host and not chosen.in_turn)
            return self.game.decide(self.state, seat, chosen, by_host)

        return self._step(decide)

    def correct(self, seat: Seat, chips: int, reason: str) -> Sequence[Event]:
        """The host gives a seat chips, or takes some, between two rounds."""
        return self._step(lambda world: self.game.correct(self.state, seat, chips, reason, world))

    def wait(self, length: Millis) -> None:
        """Let time pass; the clock plays whenever a deadline comes up."""
        until = self.now + length
        while (deadline := self.game.deadline(self.state)) is not None and deadline.at <= until:
            self.now = max(self.now, deadline.at)
            if not self.expire():
                raise AssertionError("a deadline passed and the clock played nothing")
        self.now = until

    def expire(self) -> Sequence[Event]:
        return self._step(lambda world: self.game.expire(self.state, world))

    def pause(self, length: Millis) -> None:
        """Time passes that nobody is charged for."""
        self.now += length
        for state in (self.state, self._shadow):
            self.game.shift(state, length)

    def change(self, settings: Any) -> None:
        """The host's settings become others, as a table changes them: between two rounds, by a snapshot."""
        self.settings = settings
        self.state = self.game.thaw(settings, self.game.freeze(self.state))
        self._shadow = self.game.thaw(settings, self.game.freeze(self._shadow))

    def resume(self, frozen: bytes, now: Millis) -> None:
        """Go on from a snapshot of another table with the same settings; the log begins anew."""
        self.now = now
        self.state = self.game.thaw(self.settings, frozen)
        self._shadow = self.game.thaw(self.settings, frozen)
        self.log.clear()

    # What a test asks

    @property
    def actor(self) -> Seat:
        """The one seat that the game waits for."""
        (seat,) = self.game.actors(self.state)
        return seat

    @property
    def public(self) -> dict[str, Any]:
        return self.game.public(self.state)

    def seen_by(self, *seats: Seat) -> bytes:
        """Every byte that somebody with those seats was ever sent: events, and the present view."""
        shown = [
            event if (audience := event.audience()) is None or set(seats) & set(audience) else None
            for _, event in self.log
        ]
        own = [part for seat in seats for part in self.game.own_json(self.state, seat)]
        return b"\n".join([msgspec.json.encode(shown), self.game.public_json(self.state), *own])

    def played(self, number: int | None = None, names: Mapping[Seat, str] | None = None, *seats: Seat) -> Round:
        """One round out of the log: all of it, or what those seats may see."""
        number = self.game.round(self.state) if number is None else number
        state = self.game.setup(self.settings)
        events: list[tuple[Millis, Event]] = []
        for at, event in self.log:
            self.game.apply(state, event, at)
            audience = event.audience()
            if self.game.round(state) == number and (not seats or audience is None or set(seats) & set(audience)):
                events.append((at, event))
        return Round(number, msgspec.to_builtins(self.settings), names or {}, events)

    # The contract

    def _step(self, decide: Callable[[World], Sequence[Event]]) -> Sequence[Event]:
        game, state = self.game, self.state
        before = contents(state)
        try:
            events = decide(World(now=self.now, chance=self.chance, away=self.away, bots=self.bots))
        finally:
            assert contents(state) == before, "deciding changed the state"
        for event in events:
            game.apply(state, event, self.now)
            self.log.append((self.now, event))
            logged = self.listing.event(msgspec.json.encode(event))
            assert logged == event, "an event is not the same when it comes back from the log"
            game.apply(self._shadow, logged, self.now)
        frozen = game.freeze(state)
        assert frozen == game.freeze(self._shadow), "the fold of the log is not the live state"
        thawed = game.thaw(self.settings, frozen)
        assert game.freeze(thawed) == frozen, "a thawed state is another one"
        self._check_views(state, thawed)
        return events

    def _check_views(self, state: Any, thawed: Any) -> None:
        """A game may remember what it has shown, but not beyond what changes it: a thawed state remembers nothing."""
        game, encode = self.game, msgspec.json.encode
        shown = game.public_json(state)
        assert encode(msgspec.json.decode(shown, type=game.public_type)) == shown, "the public view is of another type"
        assert shown == game.public_json(thawed), "a thawed state looks different"
        assert shown == encode(game.public(state)), "the JSON of the public view is another one"
        for seat in self.taken:
            own = game.own_json(state, seat)
            assert own == game.own_json(thawed, seat), "a thawed state looks different to a player"
            parts = game.options(state, seat), game.private(state, seat), game.legal(state, seat)
            assert own == tuple(map(encode, parts)), "the JSON of a player's own view is another one"
            for written, kind in zip(own[1:], (game.private_type, game.legal_type), strict=True):
                read = msgspec.json.decode(written, type=Optional[kind])  # noqa: UP045 a game without secrets says None
                assert encode(read) == written, "a player's own view is of another type"
