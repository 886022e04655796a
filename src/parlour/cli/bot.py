"""`parlour bot`: your bot at a table, in a tournament or on the ladder, and a template for one."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parlour.cli._terminal import Parser, print_json

if TYPE_CHECKING:
    from parlour.bots.sdk.deciding import Tally

SERVER = "http://localhost:8080"
UNAUTHORIZED = 401
LONGEST_NAME = 32
"""What a server takes: a file or a class may be called something longer."""
AT_TABLES = {"seat": None, "buy_in": None, "no_rebuy": False, "rounds": None}
"""Options that only mean something at a table, and what they are where nobody gave them."""


def arguments(parser: Parser) -> None:
    parser.add_argument(
        "words", nargs="+", metavar="BOT", help="A Python file, a program, or 'new NAME' to write a template."
    )
    parser.add_argument("--server", default=SERVER, metavar="URL", help=f"Where the server is; {SERVER} by default.")
    parser.add_argument("--table", metavar="CODE", help="The code of the table.")
    parser.add_argument("--tournament", metavar="CODE", help="The code of a tournament to enter and play.")
    parser.add_argument("--ladder", action="store_true", help="Wait for rated matches on the server's ladder.")
    parser.add_argument("--game", choices=("holdem", "chess"), help="What to play on the ladder; holdem by default.")
    parser.add_argument("--name", default="", help="What others see; by default the bot's own name.")
    parser.add_argument("--seat", type=int, metavar="N", help="The seat to take; by default the first that is free.")
    parser.add_argument("--buy-in", type=int, metavar="CHIPS", help="By default what is usual at the table.")
    parser.add_argument("--no-rebuy", action="store_true", help="Buy no chips when broke.")
    parser.add_argument(
        "--rounds", type=int, metavar="N", help="Get up after so many hands or games; on the ladder, matches."
    )
    parser.add_argument(
        "--seconds", type=float, default=30.0, metavar="S", help="The longest for a decision, if the clock has more."
    )
    parser.add_argument("--memory", type=int, default=1024, metavar="MB", help="What the bot may take; 0 for no limit.")
    parser.add_argument(
        "--token", metavar="FILE", help="Keep the bot's identity in this file, and use it again if it is there."
    )
    parser.add_json()


def command(words: list[str], json: bool, **options: Any) -> None:
    """Let a bot play at a table, in a tournament or on the ladder: it resumes after every break, and waits when it is
    told to."""
    if words[0] == "new":
        if len(words) != 2:
            raise ValueError("'parlour bot new' takes one name")
        _write(words[1], json)
        return
    if len(words) != 1:
        raise ValueError("one bot at a time; a command line of several words is put in quotes")
    _check(options)
    asyncio.run(_play(words[0], json, **options))


def _check(options: dict[str, Any]) -> None:
    """`ValueError` where options do not go together."""
    places = [name for name in ("table", "tournament", "ladder") if options[name]]
    if len(places) != 1:
        raise ValueError("the bot plays in one place: --table CODE, --tournament CODE or --ladder")
    for name, usual in AT_TABLES.items():
        if places != ["table"] and options[name] != usual and not (name == "rounds" and options["ladder"]):
            raise ValueError(f"--{name.replace('_', '-')} is for tables: elsewhere seats and chips are given")
    if options["game"] is not None and not options["ladder"]:
        raise ValueError("--game is for the ladder")


def _write(name: str, json: bool) -> None:
    from parlour.bots.sdk.template import write

    files = [file.name for file in write(name, Path.cwd())]
    if json:
        print_json({"files": files})
        return
    print(f"{files[0]} is a bot, and {files[1]} tests it.")
    print(f"Try it: parlour bot {files[0]} --table CODE")


async def _play(
    text: str,
    json: bool,
    table: str | None,
    tournament: str | None,
    ladder: bool,
    game: str | None,
    server: str,
    name: str,
    seat: int | None,
    buy_in: int | None,
    no_rebuy: bool,
    rounds: int | None,
    seconds: float,
    memory: int,
    token: str | None,
) -> None:
    import aiohttp

    from parlour.bots.sdk.entry import BotEntry
    from parlour.bots.sdk.laddering import Laddering
    from parlour.bots.sdk.playing import Playing, Wishes, register
    from parlour.bots.sdk.program import Program, check_seconds
    from parlour.client import ApiError, AsyncClient

    check_seconds(seconds)
    if rounds is not None and rounds < 1:
        raise ValueError(f"--rounds is at least 1, not {rounds}")
    file = None if token is None else Path(token)
    program = Program(text, memory=memory or None)
    try:
        program.check()
        known = None if file is None else _kept(file)
        async with AsyncClient(server, known) as client:
            await register(client, name or program.name[:LONGEST_NAME].strip(), _report)
            if file is not None and known is None:
                file.write_text(f"{client.token}\n", encoding="utf-8")
            if table is not None:
                wishes = Wishes(name, seat, buy_in, not no_rebuy, rounds, seconds)
                playing = Playing(client, table, program, wishes, _report)
                reason = await playing.play()
                _tell(json, reason, playing.tally, **await playing.outcome())
            elif tournament is not None:
                entry = BotEntry(client, tournament, program, seconds, _report)
                outcome = await entry.play()
                _tell(json, str(outcome), entry.tally, place=outcome.place, prize=outcome.prize)
            elif ladder:
                if file is None:
                    _report("without --token FILE the bot begins with a new rating when it is started again")
                laddering = Laddering(client, game or "holdem", program, seconds, _report)
                _tell(json, await laddering.play(rounds), laddering.tally, matches=laddering.matches)
    except aiohttp.ClientError as error:
        raise OSError(f"{server}: {error}") from None
    except ApiError as refusal:
        if refusal.status == UNAUTHORIZED and file is not None and known is not None:
            raise OSError(
                f"the server does not know the token in {file}; without the file, the bot begins anew"
            ) from None
        raise OSError(refusal.detail or str(refusal)) from None
    finally:
        program.stop()


def _tell(json: bool, reason: str, tally: Tally, **more: Any) -> None:
    """Say what came of it."""
    if json:
        result = {"rounds": tally.rounds, "decisions": tally.decisions, "faults": tally.faults, "ended": reason}
        print_json(result | more)
        return
    faults = ", ".join(f"{count} {kind}" for kind, count in tally.faults.items()) or "none"
    print(f"{reason}{_result(more)}; {tally.rounds} rounds, {tally.decisions} decisions; faults: {faults}")


def _result(found: dict[str, Any]) -> str:
    """What came of a stay at a table, in words."""
    if "chips" in found:
        return f"; {abs(found['chips']):,} chips {'lost' if found['chips'] < 0 else 'won'}"
    if "drawn" in found:
        return f"; {found['won']} won, {found['drawn']} drawn, {found['lost']} lost"
    return ""


def _kept(file: Path) -> str | None:
    """The token in a file; None where there is none yet, and one can be written."""
    try:
        file.touch(mode=0o600)  # nobody else on the machine reads it
        return file.read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ValueError(f"--token {file}: {why}") from None


def _report(line: str) -> None:
    print(f"parlour: {line}", file=sys.stderr, flush=True)
