"""A table of the arena: deals are played on the native hand, decision by decision."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Sequence

from parlour._core import Hand, Pit, take
from parlour.bots.arena.adjust import expected_net
from parlour.bots.arena.entrants import Decide
from parlour.bots.arena.score import ArenaScores, Faults, Sums
from parlour.bots.arena.setup import Setup
from parlour.bots.sdk.faults import BotFault, words_of
from parlour.bots.sdk.hand_view import Done, HandContext, HandView, over_of
from parlour.bots.sdk.over import Hook
from parlour.bots.sdk.view import shortly

PATIENCE = 2
"""How often in a piece of work a bot may end or be late; then it folds to its end without being asked."""

Kept = Callable[[Hand, list[Done], Sequence[str], int], None]


class PitSpot(HandContext):
    """The hand that is being played at a table."""

    __slots__ = ("pit",)

    def __init__(self, setup: Setup, pit: Pit) -> None:
        super().__init__(pit.hand, pit.steps, setup.blinds, setup.ante)
        self.pit = pit

    @property
    def number(self) -> int:
        return self.pit.number


class ArenaTable:
    """Plays hands in a pit, which it has to itself, and adds up what comes of them."""

    def __init__(self, setup: Setup, pit: Pit, names: Sequence[str], keep: Kept | None = None) -> None:
        pit.clear()
        self._setup = setup
        self._pit = pit
        self._names = list(names)
        self._deciders: list[Decide] = [_folds] * len(names)
        self._hooks: dict[int, Hook] = {}
        """By player: who wants to know how hands end."""
        self._slow = [0] * len(names)
        self._keep = keep
        self._spot = PitSpot(setup, self._pit)
        self._views = [HandView(self._spot, seat) for seat in range(setup.seats)]
        self._faults = [Faults() for _ in names]

    def seat(self, player: int, decide: Decide, over: Hook | None = None) -> None:
        """Let this bot decide for a player, and tell it how hands end, if it wants to know."""
        self._deciders[player] = decide
        if over is not None:
            self._hooks[player] = over

    def bench(self, player: int) -> None:
        """Fold for a bot from now on, and count the hands."""
        faults = self._faults[player]

        def fold(view: HandView) -> object:
            faults.folded_for += 1
            return "fold"

        self._deciders[player] = fold
        self._hooks.pop(player, None)

    def play(self, deals: range, rotation: int, number: int) -> None:
        """Play deals once; the button moves on with every deal and with the rotation. `number` is that of the first."""
        self._pit.play(
            deals.start,
            len(deals),
            rotation,
            number,
            self._deciders,
            self._views,
            self._names,
            begun=self._begun,
            kept=self._another_view,
            raised=self._raised,
            refused=self._refused,
            all_in=self._all_in if self._setup.adjust else None,
            over=self._over if self._keep is not None or self._hooks else None,
        )

    def scores(self) -> ArenaScores:
        """What the hands add up to, without the sums over deals: these are for who has all rotations of a deal."""
        pit = self._pit
        return ArenaScores([Sums(*sums) for sums in pit.sums()], self._faults, pit.flows(), pit.hands, pit.decisions)

    def deals(self) -> bytes:
        """What each player won in each deal."""
        return self._pit.deals()

    def _begun(self, names: list[str]) -> None:
        self._spot.names = names

    def _all_in(self, group: int, street: int) -> list[float]:
        seed = int.from_bytes(self._setup.lot("boards", group)[:7], "little")
        return expected_net(self._pit.hand, street, seed)

    def _over(self) -> None:
        if self._keep is not None:
            self._keep(self._pit.hand, self._pit.steps, self._spot.names, self._pit.number)
        for seat, name in enumerate(self._spot.names if self._hooks else ()):
            player = self._names.index(name)
            if (hook := self._hooks.get(player)) is not None:
                try:
                    hook(over_of(self._spot, seat, self._setup.stack))
                except Exception as error:
                    self.fault(player, _fault_of(error))

    # What bots do with their turn

    def _another_view(self, seat: int) -> None:
        """A bot has kept its view, which must not change any more: the next turn has another one."""
        self._views[seat].keep()
        self._views[seat] = HandView(self._spot, seat)

    def _raised(self, player: int, error: Exception) -> None:
        self.fault(player, _fault_of(error))
        self._fold()

    def _refused(self, player: int, answer: object, error: Exception) -> None:
        """What a bot returned is no action yet: it may be one to wait for or to read, or it is a fault."""
        if inspect.isawaitable(answer):
            try:
                answer = asyncio.run(_awaited(answer))
            except Exception as raised:
                self._raised(player, raised)
                return
        try:
            self._take(answer)
        except BotFault as fault:
            self.fault(player, fault)
            self._fold()

    def _take(self, answer: object) -> None:
        """Do what a bot returned, read as at tables; `BotFault` where it cannot be done."""
        hand = self._pit.hand
        assert hand.actor is not None
        try:
            action = self._views[hand.actor].action(answer)
        except ValueError as garbage:
            raise BotFault("garbage", str(garbage)) from None
        except Exception as raised:  # the answer is of a class of the bot's own, which raises when it is read
            raise _fault_of(raised) from None
        try:
            take(hand, action, self._pit.steps)
        except TypeError as garbage:
            raise BotFault("garbage", f"{shortly(answer)}: {garbage}") from None
        except ValueError as illegal:
            raise BotFault("illegal", f"{shortly(answer)}: {illegal}") from None

    def fault(self, player: int, fault: BotFault) -> None:
        """Write down what a bot did wrong; one that makes everybody wait is not asked for ever."""
        self._faults[player].add_one(fault.kind, str(fault))
        if fault.kind in ("time", "exit"):
            self._slow[player] += 1
            if self._slow[player] >= PATIENCE:
                self.bench(player)

    def _fold(self) -> None:
        take(self._pit.hand, "fold", self._pit.steps)


def _folds(view: HandView) -> object:
    return "fold"


async def _awaited(answer: object) -> object:
    return await answer  # type: ignore[misc]


def _fault_of(error: Exception) -> BotFault:
    if isinstance(error, BotFault):
        return error
    return BotFault("memory" if isinstance(error, MemoryError) else "raised", words_of(error))
