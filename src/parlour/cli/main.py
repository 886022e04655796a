"""Assemble `parlour` from one module per command, and turn every fault of the input into one line and an exit code."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from typing import Annotated, Any

import typer
from typer import core
from typer import main as typer_main

import parlour
from parlour import cli

FAULT = 1
"""Exit code of a command that could not do its work."""
USAGE = 2
"""Exit code for input that makes no sense."""


def command_modules() -> dict[str, str]:
    """Each command's name and the module that holds it as `app`."""
    found = pkgutil.iter_modules(cli.__path__)
    return {
        m.name.replace("_", "-"): f"{cli.__name__}.{m.name}" for m in found if m.name != "main" and m.name[0] != "_"
    }


class Commands(core.TyperGroup):
    """Imports a command's module only when that command is asked for, so that a short command starts quickly."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(command_modules())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        module = command_modules().get(cmd_name)
        if module is None:
            return None
        command = typer_main.get_command(importlib.import_module(module).app)
        command.name = cmd_name
        return command


# Plain tracebacks: the pretty ones print local variables, and so might print a secret.
app = typer.Typer(cls=Commands, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"parlour {parlour.__version__}")
        raise typer.Exit


@app.callback(help=parlour.__doc__, invoke_without_command=True)
def before_every_command(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and end.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run(arguments: list[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code; never with a traceback for bad input."""
    try:
        sys.exit(app(arguments, standalone_mode=False) or 0)
    except typer.TyperException as fault:
        _fail(fault.format_message(), USAGE)
    except (ValueError, TypeError) as fault:
        _fail(str(fault), USAGE)
    except OSError as fault:
        _fail(str(fault), FAULT)
    except typer.Abort:
        _fail("aborted", FAULT)


def _fail(message: str, code: int) -> None:
    typer.echo(f"parlour: {' '.join(message.split())}", err=True)
    sys.exit(code)
