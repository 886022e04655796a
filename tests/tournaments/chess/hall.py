"""A chess tournament without tables: results are called out, and its log is followed as the server follows it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from parlour.games.contract import Event
from parlour.tables.ports import Identity
from parlour.tournaments import decisions, settings
from parlour.tournaments import events as ev
from parlour.tournaments.game import TournamentGame
from parlour.tournaments.plan import due, format_of, plan
from parlour.tournaments.settings import TournamentSettings
from parlour.tournaments.state import DirectedTable, PairingState, TournamentState

STEPS_MOST = 1000


class Lots:
    """Chance that can be repeated."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def shuffle(self, n: int) -> Sequence[int]:
        return self.dice.sample(range(n), n)

    def token(self, size: int) -> bytes:
        return self.dice.randbytes(size)


class Hall:
    def __init__(self, kind: str, players: int, chosen: Mapping[str, Any] | None = None, seed: int = 0) -> None:
        self.rules = TournamentGame()
        self.settings = TournamentSettings(
            "Club evening", settings.read("chess", kind, {"round_pause": 10, **(chosen or {})})
        )
        self.state: TournamentState = self.rules.setup(self.settings)
        self.lots = Lots(seed)
        self.now = 1_000_000
        self.prepares = True
        """Whether what takes long is worked out beforehand, as the director has it done."""
        self.log: list[tuple[int, Event]] = []
        for number in range(1, players + 1):
            self.enter(number)

    # What people do

    def person(self, number: int) -> Identity:
        return Identity(f"p{number}", f"Player {number}")

    def enter(self, number: int, rating: int = 0) -> None:
        self.happen(decisions.enter(self.state, self.person(number), rating, self.now, self.lots))

    def withdraw(self, entry: int) -> None:
        self.happen(decisions.withdraw(self.state, self.person(entry)))

    def start(self) -> None:
        self.happen(decisions.start(self.state, self.now, self.lots))

    def use(self, power: str, **args: Any) -> None:
        self.happen(decisions.use(self.state, power, args, self.now))

    # The course

    def happen(self, events: Sequence[Event]) -> None:
        """Let events happen, and all that follows from them by itself at this moment."""
        for _ in range(STEPS_MOST):
            if not events:
                return
            for event in events:
                kept = msgspec.json.decode(msgspec.json.encode(event), type=type(event))
                self.rules.apply(self.state, kept, self.now)
                self.log.append((self.now, kept))
            self.state = self.rules.thaw(self.settings, self.rules.freeze(self.state))
            work = format_of(self.state).prepare(self.state)
            if work is not None and self.prepares:
                work()
            events = plan(self.state, self.now, self.lots)
        raise AssertionError("the plan does not come to an end")

    def wait(self) -> None:
        """Let the next time come."""
        at = due(self.state)
        assert at is not None, "nothing is awaited"
        assert at > self.now, "the plan had nothing for a time that has come"
        self.now = at
        self.happen(plan(self.state, self.now, self.lots))

    def tick(self, seconds: float) -> None:
        self.now += round(seconds * 1000)
        self.happen(plan(self.state, self.now, self.lots))

    # The games

    def open(self) -> list[tuple[DirectedTable, PairingState]]:
        """Games that are being played."""
        c = self.state.c
        return [(self.state.tables[number], c.rounds[at].pairings[index]) for number, (at, index) in c.games.items()]

    def report(self, table: int, result: ev.Result) -> None:
        self.happen([ev.GameReported(table, 1, result, "called out")])

    def result(self, white: int, black: int, result: ev.Result) -> None:
        """The game between these two is over, whatever their colours: `1-0` is a win of the first."""
        turned: dict[str, ev.Result] = {"1-0": "0-1", "0-1": "1-0", "+--": "--+", "--+": "+--"}
        for table, pairing in self.open():
            if (pairing.paired.white, pairing.paired.black) == (white, black):
                return self.report(table.number, result)
            if (pairing.paired.white, pairing.paired.black) == (black, white):
                return self.report(table.number, turned.get(result, result))
        raise AssertionError(f"{white} and {black} do not play")

    def play_out(self) -> None:
        """Whoever entered first wins each game, until the end."""
        while self.state.status != "finished":
            for table, pairing in self.open():
                white, black = pairing.paired.white or 0, pairing.paired.black or 0
                self.report(table.number, "1-0" if white < black else "0-1")
            if self.state.status != "finished":
                self.wait()

    # What is seen

    def boards(self, number: int) -> list[str]:
        """`white-black result` of a round."""
        each = next(one for one in self.state.c.rounds if one.number == number)
        return [
            f"{one.paired.white}{'' if one.paired.black is None else f'-{one.paired.black}'} {one.result or ''}".strip()
            for one in each.pairings
        ]

    def places(self) -> list[tuple[int, int, int]]:
        """Entry, place, place to."""
        found = self.state.standings or format_of(self.state).standings(self.state)
        return [(one.entry, one.place, one.place_to) for one in found]

    def replayed(self) -> TournamentState:
        """The state as the log alone makes it."""
        state = self.rules.setup(self.settings)
        for at, event in self.log:
            self.rules.apply(state, event, at)
        return state
