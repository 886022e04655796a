"""Find the command that was asked for, run it, and turn every fault of the input into one line and an exit code."""

from __future__ import annotations

import importlib
import re
import signal
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import NoReturn

import parlour
from parlour.cli._terminal import Parser
from parlour.installation import command_for

FAULT = 1
"""Exit code of a command that could not do its work."""
USAGE = 2
"""Exit code for input that makes no sense, and for a command that needs more than is installed."""
INTERRUPTED = 130
TERMINATED = 143

COMMANDS = {
    "admin": "Look after the data of the house.",
    "arena": "Let bots play each other, and see which is better.",
    "bench": "Measure the card core on this machine.",
    "bot": "Seat your own bot at a table, or begin one from a template.",
    "equity": "How often hands and ranges win.",
    "eval": "What hands are worth.",
    "pots": "Main and side pots from what everyone has put in.",
    "serve": "Open the house: serve tables to browsers and bots.",
    "servers": "List the Parlour servers on the local network.",
    "showdown": "Who wins which chips with what.",
    "solve": "Strategies for two ranges on a flop, a turn or a river.",
}
"""Every command, in the module of its name. It is imported when it is asked for, so that a short one starts quickly.

A module of the library has `arguments(parser)` and `command(**options)`, and needs the standard library alone. A module
of the server has a Typer `app`.
"""


def module_of(name: str) -> ModuleType:
    """The module that holds a command."""
    return importlib.import_module(f"parlour.cli.{name}")


def parser_of(name: str) -> Parser:
    """The arguments of one of the library's commands."""
    module = module_of(name)
    parser = Parser(name, description=module.command.__doc__)
    module.arguments(parser)
    return parser


def top_parser() -> Parser:
    """What stands before the name of a command."""
    from parlour.version import COMMIT  # asks git in a checkout

    width = max(map(len, COMMANDS))
    listed = [f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items()]
    parser = Parser(
        "",
        description=parlour.__doc__,
        usage="parlour [--version] COMMAND ...",
        epilog="\n".join(["commands ('parlour COMMAND --help' says more about each):", *listed]),
        formatter_class=RawDescriptionHelpFormatter,
    )
    build = f"parlour {parlour.__version__}" + (f" ({COMMIT})" if COMMIT else "")
    parser.add_argument("--version", action="version", version=build, help="Print the version and the commit, and end.")
    return parser


def run(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and leave the process with its exit code; never with a traceback for bad input."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        sys.exit(_dispatch(words))
    except (ValueError, TypeError) as fault:
        _fail(str(fault), USAGE)
    except ModuleNotFoundError as fault:
        extra = _extra_with(fault.name or "", words[0])
        if extra is None:
            raise
        sentence = f"'parlour {words[0]}' needs more than the library ({fault.name} is not installed)"
        _fail(f"{sentence}: {command_for(extra)}", USAGE)
    except OSError as fault:
        _fail(str(fault), FAULT)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _dispatch(words: list[str]) -> int:
    if not words:
        top_parser().print_help()
        return 0
    name, *rest = words
    if name.startswith("-"):
        top_parser().parse_args([name])
        return 0
    if name not in COMMANDS:
        raise ValueError(f"there is no command {name!r}; 'parlour --help' lists them")
    module = module_of(name)
    if hasattr(module, "app"):
        return _run_typer(module, name, rest)
    options = parser_of(name).parse_intermixed_args(rest)
    with _ended_in_order():
        module.command(**vars(options))
    return 0


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """SIGTERM ends a command as Ctrl-C does: it takes along what it has started."""

    def end(*_: object) -> NoReturn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
        sys.exit(TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _log_to_stderr() -> None:
    """Standard output is for what a command was asked for; the library of the log lines would print them there."""
    try:
        import structlog
    except ModuleNotFoundError:  # a command that needs it says so itself
        return
    structlog.configure(logger_factory=lambda *_: structlog.PrintLogger(sys.stderr))


def _run_typer(module: ModuleType, name: str, words: list[str]) -> int:
    import typer
    from typer.main import get_command

    _log_to_stderr()
    try:
        # Not `app()`: that installs tracebacks which print local variables, and so might print a secret.
        return get_command(module.app).main(words, prog_name=f"parlour {name}", standalone_mode=False) or 0
    except typer.TyperException as fault:
        raise ValueError(fault.format_message()) from fault
    except typer.Abort:
        raise OSError("aborted") from None


def _extra_with(module: str, command: str) -> str | None:
    """The extra of this distribution that brings a module for a command; None if none does."""
    from importlib.metadata import requires

    wanted = module.partition(".")[0]
    pattern = re.compile(r"([\w-]+).*\bextra == ['\"](\w+)['\"]")
    extras = [
        found[2]
        for line in requires("parlour") or []
        if (found := pattern.match(line)) and found[1].replace("-", "_") == wanted
    ]
    usual = "client" if command in ("arena", "bot") else "server"
    return usual if usual in extras else next(iter(extras), None)


def _fail(message: str, code: int) -> NoReturn:
    if message:  # Typer has printed the help itself where a command of a group is missing
        print(f"parlour: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(code)
