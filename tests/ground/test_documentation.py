"""Examples in the README and in docs/ run, and print what they say; everything public is documented."""

from __future__ import annotations

import doctest
import inspect
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer
from typer import main as typer_main

import parlour
from parlour import cli
from parlour.cli.main import COMMANDS, module_of, parser_of, top_parser

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def where(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    """Every fenced block of the page, in order."""
    text = page.read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        yield Block(page, text.count("\n", 0, found.start()) + 1, found[1], found[2])


def sections(heading: str) -> str:
    """All text under headings with exactly these words, down to the next heading of the same or a higher level."""
    out = []
    pattern = re.compile(rf"^(#+) `?{re.escape(heading)}`?$(.*?)(?=^#{{1,6}} |\Z)", re.MULTILINE | re.DOTALL)
    for page in PAGES:
        text = _FENCE.sub(lambda m: m[0].replace("\n#", "\n "), page.read_text(encoding="utf-8"))
        out += [found[2] for found in pattern.finditer(text)]
    return "\n".join(out)


LIBRARY_COMMANDS = {"eval", "equity", "pots", "showdown", "solve", "bench", "--version"}
"""Commands whose examples need nothing but the library, and so are run here."""

MATCHING = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def _page_name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=_page_name)
def test_python_examples_run(page: Path) -> None:
    """All `>>>` examples of a page, in order, in one session."""
    examples = [block for block in blocks(page) if block.language == "python" and ">>>" in block.text]
    session: dict[str, Any] = {}
    for block in examples:
        test = doctest.DocTestParser().get_doctest(block.text, session, block.where, str(page), block.line)
        runner = doctest.DocTestRunner(optionflags=MATCHING)
        report: list[str] = []
        runner.run(test, out=report.append, clear_globs=False)
        session.update(test.globs)
        assert not runner.failures, "".join(report)


def _console_examples() -> list[tuple[Block, str, str]]:
    """Each `$ parlour …` of a console block with the output written under it."""
    found = []
    for page in PAGES:
        for block in blocks(page):
            if block.language == "console":
                for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                    command, _, output = part.replace("\\\n", " ").partition("\n")
                    words = shlex.split(command, comments=True)
                    if len(words) > 1 and words[0] == "parlour" and words[1] in LIBRARY_COMMANDS:
                        found.append((block, command, output))
    return found


@pytest.mark.parametrize(("block", "command", "expected"), _console_examples(), ids=lambda v: getattr(v, "where", None))
def test_console_examples_print_what_they_say(block: Block, command: str, expected: str) -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("parlour"), *shlex.split(command, comments=True)[1:]],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
        check=False,
    )
    printed = "\n".join(line.rstrip() for line in (done.stdout + done.stderr).strip("\n").splitlines())
    wanted = expected.strip("\n")
    assert doctest.OutputChecker().check_output(wanted + "\n", printed + "\n", MATCHING), f"{block.where}\n{printed}"


def test_the_pages_have_examples() -> None:
    """The tests above would also pass on empty pages."""
    assert {command.split()[1] for _, command, _ in _console_examples()} == LIBRARY_COMMANDS
    assert sum(block.language == "python" for page in PAGES for block in blocks(page)) >= 10


@dataclass(frozen=True)
class Documented:
    """A command as its `--help` shows it."""

    name: str
    options: list[str]
    help: str


def _library_command(name: str, parser: ArgumentParser) -> Documented:
    return Documented(
        name, [option for action in parser._actions for option in action.option_strings], parser.description
    )


def _server_commands(name: str, command: Any) -> list[Documented]:
    """A Typer command and everything below it."""
    options = [option for one in command.params for option in [*one.opts, *one.secondary_opts]]
    found = [Documented(name, options, command.help)]
    if hasattr(command, "list_commands"):
        context = typer.Context(command, info_name=name)
        for below in command.list_commands(context):
            found += _server_commands(f"{name} {below}", command.get_command(context, below))
    return found


def _commands() -> Iterator[Documented]:
    yield _library_command("parlour", top_parser())
    for name in COMMANDS:
        if hasattr(module_of(name), "app"):
            yield from _server_commands(f"parlour {name}", typer_main.get_command(module_of(name).app))
        else:
            yield _library_command(f"parlour {name}", parser_of(name))


@pytest.mark.parametrize("command", list(_commands()), ids=lambda command: command.name)
def test_every_command_and_option_is_documented(command: Documented) -> None:
    """A heading with the command's name, and each of its options under it."""
    text = sections(command.name)
    assert text, f"no section '{command.name}' in docs/"
    missing = [
        option
        for option in command.options
        if option.startswith("--") and option != "--help" and not re.search(rf"{option}(?![\w-])", text)
    ]
    assert not missing, f"options of '{command.name}' that its section does not mention"
    assert command.help, f"'{command.name}' says nothing under --help"


def test_every_module_of_the_command_line_is_a_command() -> None:
    modules = {found.name for found in pkgutil.iter_modules(cli.__path__)}
    assert {name for name in modules if name != "main" and not name.startswith("_")} == set(COMMANDS)


@pytest.mark.parametrize("name", sorted(set(parlour.__all__)))
def test_every_export_is_documented(name: str) -> None:
    """A docstring of its own, and a mention on a page of the documentation."""
    value = getattr(parlour, name)
    if callable(value):
        assert inspect.getdoc(value), f"parlour.{name} has no docstring"
        assert inspect.getdoc(value) != inspect.getdoc(type(value)), f"parlour.{name} has no docstring of its own"
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert re.search(rf"\b{name}\b", pages), f"parlour.{name} stands on no page of docs/"


@pytest.mark.parametrize("page", [*PAGES, *ROOT.glob("*.md")], ids=_page_name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
