"""What hold'em costs the server, without a table around it: microseconds of each call of the contract.

    python -m benchmarks.holdem_table [--players 2 9] [--tables 1] [--hands 40] [--rounds 100]

Players mostly check and call; every hand is decided, followed and shown to all who sit there, as a table would. Tables
take turns, an action each: a thousand of them do not fit the caches of a processor, as on a busy server. The same hands
are played in each round, and the fastest round counts for each call: others use the machine too.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from parlour import _core
from parlour.games.contract import Event, World
from parlour.games.poker.holdem import Holdem, actions
from parlour.games.poker.holdem.settings import Settings

T = TypeVar("T")


class Chance:
    """The core's shuffle, as at a real table, but the same in every round."""

    def __init__(self) -> None:
        self.count = 0

    def shuffle(self, n: int) -> Sequence[int]:
        self.count += 1
        return _core.shuffle(self.count.to_bytes(32, "big"), n)


class Meter:
    """Time and calls, by name."""

    def __init__(self) -> None:
        self.spent: dict[str, int] = defaultdict(int)
        self.calls: dict[str, int] = defaultdict(int)

    def __call__(self, name: str, call: Callable[..., T], *args: Any) -> T:
        began = time.perf_counter_ns()
        answer = call(*args)
        self.spent[name] += time.perf_counter_ns() - began
        self.calls[name] += 1
        return answer

    def micros(self, name: str, clock: float) -> float:
        return (self.spent[name] / self.calls[name] - clock) / 1000


def play(players: int, hands: int, meter: Meter) -> Iterator[None]:
    """Play so many hands, and look at the table after each action; then it is another table's turn."""
    game, choose = Holdem(), random.Random(1)
    settings = Settings(seats=players, buy_in=400, rebuy=True)
    state = game.setup(settings)
    world = World(0, Chance())
    for seat in range(players):
        follow(game, state, game.join(state, seat, {}, world))
    events = game.start(state, world)
    follow(game, state, events)
    while True:
        while actors := game.actors(state):
            legal = game.legal(state, actors[0])
            assert legal is not None
            word = legal["actions"][1]
            action: actions.TurnAction = actions.Check() if word == "check" else actions.Call()
            if legal["min"] and choose.random() < 0.1:
                action = actions.Raise(amount=legal["min"])
            elif choose.random() < 0.1:
                action = actions.Fold()
            events = meter("decide", game.decide, state, actors[0], action, world)
            meter("apply", follow, game, state, events)
            look(game, state, meter, players)
            yield
        if state.record.hand == hands:
            return
        for seat in range(players):
            if "rebuy" in game.options(state, seat) and state.stack(seat) < 200:
                follow(game, state, game.decide(state, seat, actions.Rebuy(), world))
        world = World(10_000 * state.record.hand, world.chance)
        events = meter("deal", game.expire, state, world)
        meter("apply deal", follow, game, state, events)
        look(game, state, meter, players)
        yield


def follow(game: Holdem, state: Any, events: Sequence[Event]) -> None:
    for event in events:
        game.apply(state, event, 0)


def look(game: Holdem, state: Any, meter: Meter, players: int) -> None:
    """What a table asks after each change."""
    for ask in (game.status, game.turn, game.actors, game.deadline, game.round):
        meter("status, turn, …", ask, state)
    meter("public_json", game.public_json, state)
    for seat in range(players):
        meter("own_json", game.own_json, state, seat)


def nothing() -> None:
    """What the meter itself costs is measured with this."""


def clock_cost() -> float:
    """What the meter adds to a call, in nanoseconds."""
    meters = [Meter() for _ in range(100)]
    for meter in meters:
        for _ in range(1000):
            meter("nothing", nothing)
    return min(meter.spent["nothing"] for meter in meters) / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 9])
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--hands", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    clock = clock_cost()
    gc.set_threshold(50_000, 20, 50)
    for players in options.players:
        best: dict[str, float] = {}
        for _ in range(options.rounds):
            meter = Meter()
            gc.collect()
            gc.freeze()  # as the server does
            going = [play(players, options.hands, meter) for _ in range(options.tables)]
            while going:
                going = [table for table in going if next(table, table) is None]
            for name in meter.spent:
                best[name] = min(best.get(name, 1e9), meter.micros(name, clock))
        print(f"{players} players, µs a call: " + ", ".join(f"{name} {cost:.2f}" for name, cost in best.items()))


if __name__ == "__main__":
    main()
