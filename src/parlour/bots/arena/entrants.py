"""Who plays in the arena: functions and classes of the caller, files and programs, bots of the house."""

from __future__ import annotations

import asyncio
import copy
import inspect
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from parlour.bots.sdk import wire
from parlour.bots.sdk.faults import one_line
from parlour.bots.sdk.hand_json import view_json
from parlour.bots.sdk.hand_view import HandView
from parlour.bots.sdk.loading import Policy
from parlour.bots.sdk.over import LONGEST_HEARING, Hook, Over, hook_of
from parlour.bots.sdk.over import write as write_result
from parlour.bots.sdk.program import MEMORY, Program

HOUSE = "house:"
Entry: TypeAlias = "str | Policy | type | object"
"""A bot: a file, a program or `house:STYLE`; or a function, a class or an object with a method `act`."""
Decide: TypeAlias = Callable[[HandView], object]


class ReadyBot(Protocol):
    """A bot that is ready to play."""

    over: Hook | None
    """Is told how each hand ended that the bot was in; None for one that does not want to know. It is that of the bot
    that was made last."""

    def renew(self, seed: int) -> Decide:
        """A fresh bot, whose dice fall as the seed says: what decides from now on."""
        ...

    @property
    def said(self) -> tuple[int, str]:
        """How many bytes it has printed, and the first of them."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Spec:
    """A bot by name, as it goes to the process that lets it play."""

    name: str
    entry: Any

    def open(self, seconds: float, memory: int | None) -> ReadyBot:
        if not isinstance(self.entry, str):
            return Own(self.entry)
        if self.entry.startswith(HOUSE):
            return HouseEntrant(self.entry.removeprefix(HOUSE))
        return File(self.entry, seconds, memory)


def specs_of(policies: Mapping[str, Entry] | Sequence[Entry], memory: int | None = MEMORY) -> list[Spec]:
    """The bots with names of their own. `ValueError` where one cannot play: a file is loaded once to find that out."""
    return named(policies, lambda entry: own_name(entry, memory))


def named(policies: Mapping[str, Entry] | Sequence[Entry], own_name: Callable[[object], str]) -> list[Spec]:
    """The bots by name: their own, unless the caller has one for them; no two are called the same."""
    if isinstance(policies, str) or not isinstance(policies, Mapping | Sequence):
        raise TypeError("the policies are a list of bots, or a dict of bots by name")
    entries = list(policies.items()) if isinstance(policies, Mapping) else [(None, entry) for entry in policies]
    if not entries:
        raise ValueError("the arena needs at least one bot")
    own = [own_name(entry) for _, entry in entries]
    wanted = [one_line(str(given or name)) for (given, _), name in zip(entries, own, strict=True)]
    names: list[str] = []
    for name in _with_suffixes(wanted, [entry for _, entry in entries]):
        chosen, copies = name, 2
        while chosen in names:
            chosen, copies = f"{name} {copies}", copies + 1
        names.append(chosen)
    return [Spec(name, entry) for name, (_, entry) in zip(names, entries, strict=True)]


def _with_suffixes(names: Sequence[str], entries: Sequence[object]) -> list[str]:
    """The names; files that only their suffixes tell apart keep these, as `bot.mjs` and `bot.sh`."""
    both = list(zip(names, entries, strict=True))
    files = [Path(entry).name if isinstance(entry, str) and Path(entry).stem == name else name for name, entry in both]
    namesakes: dict[str, set[str]] = {}
    for name, file in zip(names, files, strict=True):
        namesakes.setdefault(name, set()).add(file)
    return [file if len(namesakes[name]) > 1 else name for name, file in zip(names, files, strict=True)]


def own_name(entry: object, memory: int | None) -> str:
    """What a bot calls itself, or is called after. `ValueError` or `TypeError` where it cannot play."""
    if not isinstance(entry, str):
        if not callable(entry) and not callable(getattr(entry, "act", None)):
            raise TypeError(f"a bot is a function, or has a method 'act'; {entry!r} is and has neither")
        return str(getattr(entry, "name", "") or getattr(entry, "__name__", "") or type(entry).__name__)
    if entry.startswith(HOUSE):
        from parlour.bots.arena.house import styles

        return style_of(entry, styles())
    program = Program(entry, memory=memory, quiet=True)
    try:
        program.check()
        return program.name
    finally:
        program.stop()


def style_of(entry: str, styles: Sequence[str]) -> str:
    """The style in `house:STYLE`; `ValueError` where the house has no such style."""
    style = entry.removeprefix(HOUSE)
    if style not in styles:
        raise ValueError(f"the house has no {style!r}: {', '.join(styles)}")
    return style


class Own:
    """A bot in this process: a function as it is, a class or an object anew for each piece of work."""

    said = (0, "")

    def __init__(self, entry: Any) -> None:
        self._entry = entry
        self.over: Hook | None = None

    def renew(self, seed: int) -> Decide:
        entry: Any = self._entry
        if not hasattr(entry, "act"):
            policy: Decide = entry
            return policy
        again: Any = entry() if inspect.isclass(entry) else copy.deepcopy(entry)
        hook = hook_of(again)
        self.over = None if hook is None else lambda result: _heard(hook, result)
        act: Decide = again.act
        return act

    def close(self) -> None:
        pass


def _heard(hook: Hook, result: Over) -> None:
    if inspect.isawaitable(answer := hook(result)):
        asyncio.run(_awaited(answer))


async def _awaited(answer: Any) -> None:
    await answer


class HouseEntrant:
    """A bot of the house."""

    said = (0, "")
    over: Hook | None = None

    def __init__(self, style: str) -> None:
        self._style = style

    def renew(self, seed: int) -> Decide:
        from parlour.bots.arena.house import decider

        return decider(self._style, random.Random(seed))  # noqa: S311 - repeatable, and no secret

    def close(self) -> None:
        pass


class File:
    """A bot in a process of its own, which is told what its seat may know and nothing else."""

    def __init__(self, text: str, seconds: float, memory: int | None) -> None:
        self._program = Program(text, memory=memory, quiet=True)
        self._seconds = seconds
        self.over: Hook | None = None

    def renew(self, seed: int) -> Decide:
        self._program.renew(seed)
        self.over = self._hear if self._program.hears else None
        return self._decide

    def _hear(self, result: Over) -> None:
        self._program.tell(write_result(result), min(self._seconds, LONGEST_HEARING))

    def _decide(self, view: HandView) -> object:
        write = wire.write if self._program.hosted else view_json
        return self._program.ask(write(view.spot, view.seat), self._seconds)

    @property
    def said(self) -> tuple[int, str]:
        return self._program.said

    def close(self) -> None:
        self._program.stop()
