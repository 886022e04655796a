"""How tests wait for what must come: far longer than it takes on a busy machine, and by name.

Nothing is proved by time. Whoever waits in vain is told what for, and what was there instead.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import linecache
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from reprlib import Repr
from traceback import walk_tb
from types import FunctionType
from typing import TypeVar

from harness.processes import PATIENCE

Found = TypeVar("Found")

_TESTS = Path(__file__).parent
_short = Repr()
_short.maxlevel, _short.maxstring, _short.maxother = 4, 1000, 1000
_short.maxlist = _short.maxtuple = _short.maxdict = _short.maxset = _short.maxfrozenset = _short.maxdeque = 20


async def until(holds: Callable[[], Found], seen: Callable[[], object] | None = None) -> Found:
    """Wait for something for which there is no event to wait for; what it gave."""
    async with time_limit(described(holds), seen or (lambda: operands(holds))):
        while not (found := holds()):  # noqa: ASYNC110
            await asyncio.sleep(0.005)
    return found


async def until_found(look: Callable[[], Awaitable[Found]], seen: Callable[[], object] | None = None) -> Found:
    """As `until`, where one has to ask for it and the answer may take a while."""
    found: Found | None = None
    async with time_limit(described(look), seen or (lambda: {"the last answer": found, **operands(look)})):
        while not (found := await look()):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return found


def wait_until(
    holds: Callable[[], Found | None],
    seen: Callable[[], object] | None = None,
    pause: Callable[[], object] = lambda: time.sleep(0.02),
) -> Found:
    """As `until`, in a test without a loop."""
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        if time.monotonic() > end:
            raise in_vain(described(holds), operands(holds) if seen is None else seen())
        pause()
    return found


@asynccontextmanager
async def time_limit(what: str = "", seen: Callable[[], object] | None = None) -> AsyncIterator[None]:
    """Whatever is awaited within must come. `seen` tells what was there instead.

    Without words, the line of the tests that was waited at is told, and its variables.
    """
    try:
        async with asyncio.timeout(PATIENCE) as patience:
            yield
    except TimeoutError as late:
        if not patience.expired():
            raise
        line, variables = waited_at(late.__context__)  # 3.11.2 does not name it as the cause yet
        raise in_vain(what or line, seen() if seen is not None else variables) from None


def waited_at(cancelled: BaseException | None) -> tuple[str, dict[str, object]]:
    """The innermost line of the tests in a traceback, and the variables there."""
    trace = cancelled.__traceback__ if cancelled is not None else None
    frames = [(frame, line) for frame, line in walk_tb(trace) if _TESTS in Path(frame.f_code.co_filename).parents]
    frames = [(frame, line) for frame, line in frames if frame.f_code.co_filename != __file__]
    if not frames:
        return "something", {}
    frame, line = frames[-1]
    text = linecache.getline(frame.f_code.co_filename, line).strip()
    where = f"{Path(frame.f_code.co_filename).name}:{line}"
    variables = {name: value for name, value in frame.f_locals.items() if not name.startswith(("@", "_"))}
    return f"`{text}` ({where})", variables


def in_vain(what: str, seen: object) -> AssertionError:
    words = [f"waited {PATIENCE:.0f} s for {what}"]
    if isinstance(seen, dict):
        words += [f"  {name} = {_short.repr(value)}" for name, value in seen.items()]
    elif seen is not None:
        words.append(f"  saw {seen if isinstance(seen, str) else _short.repr(seen)}")
    return AssertionError("\n".join(words))


def described(condition: Callable[[], object]) -> str:
    """A condition in words: a lambda as it is written, a function by its name and what it says of itself."""
    body = _body(condition)
    if body is not None:
        return f"`{ast.unparse(body)}`"
    name = getattr(condition, "__qualname__", repr(condition)).rpartition("<locals>.")[2]
    return f"{name}: {said}" if (said := inspect.getdoc(condition)) and inspect.isroutine(condition) else name


def operands(condition: Callable[[], object]) -> dict[str, object]:
    """What a condition looks at, as it is now: what a lambda compares, or the variables around a function."""
    if not isinstance(condition, FunctionType):
        return {}
    around = inspect.getclosurevars(condition)
    defaults = {name: each.default for name, each in inspect.signature(condition).parameters.items()}
    body = _body(condition)
    if body is None:
        return {**around.nonlocals, **defaults}
    names = {**condition.__globals__, **around.nonlocals, **defaults}
    values: dict[str, object] = {}
    for node in _compared(body):
        try:
            value = eval(compile(ast.fix_missing_locations(ast.Expression(node)), "<operand>", "eval"), names)
        except Exception as error:
            value = error
        if not inspect.isawaitable(value):
            values[ast.unparse(node)] = value
        elif inspect.iscoroutine(value):
            value.close()
    return values


def _body(condition: Callable[[], object]) -> ast.expr | None:
    """Of a lambda, as it is written."""
    if not isinstance(condition, FunctionType) or condition.__name__ != "<lambda>":
        return None
    code = condition.__code__
    starts = {(line, column) for line, _, column, _ in code.co_positions() if line is not None and column is not None}
    try:
        tree = ast.parse(Path(code.co_filename).read_text())
    except (OSError, SyntaxError):
        return None
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    return next((body for body in bodies if (body.lineno, body.col_offset) in starts), None)


def _compared(node: ast.expr) -> list[ast.expr]:
    """The parts of a condition that say why it does not hold."""
    if isinstance(node, ast.BoolOp):
        return [part for value in node.values for part in _compared(value)]
    if isinstance(node, ast.UnaryOp):
        return _compared(node.operand)
    if isinstance(node, ast.Compare):
        return [part for part in (node.left, *node.comparators) if not isinstance(part, ast.Constant)]
    if isinstance(node, ast.Call) and node.args and isinstance(each := node.args[0], ast.GeneratorExp):
        return [ast.ListComp(each.elt, each.generators)]
    return [node]
