"""Finding the bot in a Python file: a class with a method `act`, or a function of that name."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

Policy: TypeAlias = Callable[[Any], Any]
"""A bot as a function: a view in, an action out; or a coroutine that gives one."""


class Bot:
    """A bot: one method, from what its seat sees to what it does. A class need not inherit from this to be one."""

    name: str = ""
    """What others see at the table; by default the name of the file."""

    def act(self, view: Any) -> object | Awaitable[object]:
        """The action for this view, which is that of the bot's game at its turn; it may be a coroutine."""
        raise NotImplementedError(f"{type(self).__name__} has no method 'act'")

    def over(self, result: Any) -> object | Awaitable[object]:
        """Called when a round is over that the bot was in, with a `HandOver` or a `GameOver`; it may be a coroutine,
        and what it returns is not looked at. A bot that has no such method of its own is not called."""
        return None


class NoBot(ValueError):
    """There is no bot in this file, or more than one."""


@dataclass(frozen=True)
class Loaded:
    """The bot of a file."""

    name: str
    make: Callable[[], object]
    """A fresh bot, which remembers nothing: an object with a method `act`, or a function."""


def policy_of(bot: Any) -> Policy:
    """What decides for a bot that `Loaded.make` has made."""
    policy: Policy = getattr(bot, "act", bot)
    return policy


def load(path: str | Path, wanted: str | None = None) -> Loaded:
    """The bot of a Python file; `wanted` names it where there are several. What the file itself raises goes through."""
    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file}")
    module = _run(file)
    found = _bots(module)
    if wanted is not None:
        if wanted not in found:
            raise NoBot(f"{file.name} has no bot {wanted!r}")
        found = {wanted: found[wanted]}
    if not found:
        raise NoBot(f"{file.name} has neither a class with a method 'act' nor a function of that name")
    if len(found) > 1:
        names = ", ".join(found)
        raise NoBot(f"{file.name} has several bots ({names}): name one, as in {file.name}:{next(iter(found))}")
    ((name, thing),) = found.items()
    if not isinstance(thing, type):
        return Loaded(str(getattr(module, "NAME", "")) or file.stem, lambda: thing)
    return Loaded(str(getattr(thing, "name", "") or "") or (name if wanted else file.stem), thing)


def _run(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise NoBot(f"{file.name} is no Python file")
    module = importlib.util.module_from_spec(spec)
    folder = str(file.resolve().parent)
    if folder not in sys.path:  # a bot may have further modules beside it
        sys.path.insert(0, folder)
    sys.modules[file.stem] = module  # dataclasses and pickle look a module up by its name
    spec.loader.exec_module(module)
    return module


def _bots(module: ModuleType) -> dict[str, Any]:
    """The bots that the module defines, not those that it imports."""
    found = {}
    for name, thing in vars(module).items():
        if getattr(thing, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(thing):
            if not name.startswith("_") and callable(act := getattr(thing, "act", None)) and act is not Bot.act:
                found[name] = thing
        elif name == "act" and callable(thing):
            found[name] = thing
    return found
