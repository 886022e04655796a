"""`parlour serve`: open the house."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from parlour.cli._settings import in_force, unknown_variables

app = typer.Typer(add_completion=False)

LONGEST_DAYS = 36_500
DATABASES = ("postgresql", "postgres")
BUSES = ("redis", "rediss", "unix")

Host = Annotated[
    str, typer.Option(envvar="PARLOUR_HOST", help="The address to listen on; 127.0.0.1 for this machine alone.")
]
Port = Annotated[int, typer.Option(envvar="PARLOUR_PORT", min=0, max=65535, help="The port; 0 takes a free one.")]
Data = Annotated[
    Path, typer.Option(envvar="PARLOUR_DATA", help="The folder for the database and the key.", file_okay=False)
]
Database = Annotated[
    list[str] | None,
    typer.Option(
        envvar="PARLOUR_DATABASE",
        help="A PostgreSQL URL, in place of SQLite in the data folder. May be given again: tables are spread.",
    ),
]
Bus = Annotated[
    str | None,
    typer.Option(
        envvar="PARLOUR_BUS", help="A Redis or Valkey URL: be one of several nodes on the same PostgreSQL database."
    ),
]
DatabaseTimeout = Annotated[
    float,
    typer.Option(envvar="PARLOUR_DATABASE_TIMEOUT", min=0.1, help="Seconds that the database may take to answer."),
]
NewKey = Annotated[
    bool, typer.Option("--new-key", help="Go on without the lost key: what it sealed stays closed. Needed once.")
]
TokenDays = Annotated[
    int,
    typer.Option(
        envvar="PARLOUR_TOKEN_DAYS",
        min=1,
        max=LONGEST_DAYS,
        help="Days after which a device that is not used is signed out.",
    ),
]
SessionDays = Annotated[
    int,
    typer.Option(
        envvar="PARLOUR_SESSION_DAYS",
        min=1,
        max=LONGEST_DAYS,
        help="Days after which a person is signed out on a device, however often it is used; pages offer to stay.",
    ),
]
KeepRecordsDays = Annotated[
    int | None,
    typer.Option(
        envvar="PARLOUR_KEEP_RECORDS_DAYS",
        min=1,
        max=LONGEST_DAYS,
        help="Days after which the list of its rounds is removed as well; without it, it is kept.",
    ),
]
KeepDays = Annotated[
    int | None,
    typer.Option(
        envvar="PARLOUR_KEEP_DAYS",
        min=1,
        max=LONGEST_DAYS,
        help="Days after which the log of a finished table is removed; without it, every log is kept.",
    ),
]
TrustedProxy = Annotated[
    list[str] | None,
    typer.Option(
        envvar="PARLOUR_TRUSTED_PROXY",
        help="An address or network whose X-Forwarded-For is believed. May be given again.",
    ),
]
Origin = Annotated[
    list[str] | None,
    typer.Option(help="Another site whose pages may use this one, as https://play.example. May be given again."),
]
HostName = Annotated[
    list[str] | None,
    typer.Option(
        envvar="PARLOUR_HOST_NAME",
        help="A name by which the server is asked for, such as play.example; '*' for every name. May be given again.",
    ),
]
PublicUrl = Annotated[str | None, typer.Option(envvar="PARLOUR_PUBLIC_URL", help="The address for links and QR codes.")]
Limit = Annotated[
    list[str] | None,
    typer.Option(help="Change a limit: guesses=1/50 (a second/at once), table=off, all=off. May be given again."),
]
Lan = Annotated[
    str, typer.Option("--name", envvar="PARLOUR_NAME", help="What the server is called on the local network.")
]
Announce = Annotated[bool, typer.Option(help="Tell the local network that the server is here, and look for others.")]
CallbackNetwork = Annotated[
    list[str] | None,
    typer.Option(help="A network where Gateau clients may have themselves called back. May be given again."),
]
GateauPort = Annotated[int | None, typer.Option(min=1, max=65535, help="Serve the Gateau dialect at this port too.")]
ChessmatePort = Annotated[
    int | None, typer.Option(min=1, max=65535, help="Serve the Chess Mate dialect at this port too.")
]
LichessPort = Annotated[int | None, typer.Option(min=1, max=65535, help="Serve the Lichess dialect at this port too.")]
DogkerPort = Annotated[int | None, typer.Option(min=1, max=65535, help="Serve the Dogker dialect at this port too.")]
AcpcPort = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PORT[:GAME[:HANDS]]",
        help="Deal ACPC matches at this port, such as 9000:2p-nolimit:3000. May be given again.",
    ),
]
OperatorSecret = Annotated[
    str | None,
    typer.Option(
        envvar="PARLOUR_OPERATOR_SECRET", help="The operator's secret, in place of the one in the data folder."
    ),
]
BotPause = Annotated[
    float,
    typer.Option(
        envvar="PARLOUR_BOT_PAUSE", min=0, max=60, help="Seconds that bots of the house take before they act, about."
    ),
]
Engine = Annotated[
    Path | None,
    typer.Option(
        envvar="PARLOUR_ENGINE",
        exists=True,
        dir_okay=False,
        help="A chess engine that speaks UCI, for the bots' style 'engine'; else one that is installed.",
    ),
]
EngineLevel = Annotated[
    int | None, typer.Option(envvar="PARLOUR_ENGINE_LEVEL", min=0, max=20, help="The engine's 'Skill Level'.")
]
EngineSeconds = Annotated[
    float,
    typer.Option(envvar="PARLOUR_ENGINE_SECONDS", min=0.01, max=60, help="Seconds that the engine has for a move."),
]
Ladder = Annotated[
    bool,
    typer.Option(
        "--ladder", envvar="PARLOUR_LADDER", help="Let bots play rated matches against each other while nobody plays."
    ),
]
LadderGame = Annotated[
    list[str] | None,
    typer.Option(envvar="PARLOUR_LADDER_GAME", help="A game of the ladder; both by default. May be given again."),
]
LadderAfter = Annotated[
    float,
    typer.Option(envvar="PARLOUR_LADDER_AFTER", min=0, max=86_400, help="Seconds without play before matches begin."),
]
LadderPause = Annotated[
    float, typer.Option(envvar="PARLOUR_LADDER_PAUSE", min=0, max=86_400, help="Seconds between two matches.")
]
LadderHands = Annotated[
    int, typer.Option(envvar="PARLOUR_LADDER_HANDS", min=2, max=100_000, help="Hands of a match of hold'em.")
]
AccessLog = Annotated[bool, typer.Option("--access-log", help="Log each HTTP request, by its route.")]
JsonLogs = Annotated[
    bool | None, typer.Option(help="Log lines as JSON or for reading; JSON where stderr is no terminal.")
]


@app.command()
def serve(
    context: typer.Context,
    host: Host = "0.0.0.0",  # noqa: S104 - friends on the same network are the point
    port: Port = 8080,
    data: Data = Path("parlour-data"),
    database: Database = None,
    bus: Bus = None,
    database_timeout: DatabaseTimeout = 5.0,
    new_key: NewKey = False,
    token_days: TokenDays = 400,
    session_days: SessionDays = 400,
    keep_days: KeepDays = None,
    keep_records_days: KeepRecordsDays = None,
    trusted_proxy: TrustedProxy = None,
    origin: Origin = None,
    public_url: PublicUrl = None,
    host_name: HostName = None,
    limit: Limit = None,
    name: Lan = "Parlour",
    announce: Announce = True,
    callback_network: CallbackNetwork = None,
    gateau_port: GateauPort = None,
    chessmate_port: ChessmatePort = None,
    lichess_port: LichessPort = None,
    dogker_port: DogkerPort = None,
    acpc_port: AcpcPort = None,
    operator_secret: OperatorSecret = None,
    bot_pause: BotPause = 0.8,
    engine: Engine = None,
    engine_level: EngineLevel = None,
    engine_seconds: EngineSeconds = 0.5,
    ladder: Ladder = False,
    ladder_game: LadderGame = None,
    ladder_after: LadderAfter = 60.0,
    ladder_pause: LadderPause = 5.0,
    ladder_hands: LadderHands = 100,
    access_log: AccessLog = False,
    json_logs: JsonLogs = None,
) -> None:
    """Open the house: serve tables to browsers and bots until Ctrl-C.

    Prints the address for this network, with a QR code. Everything is kept in the data folder.
    """
    from parlour.protocols.acpc.games import read_offer
    from parlour.server.access.hosts import read_names
    from parlour.server.access.limits import parse_limits
    from parlour.server.access.operator import read_secret
    from parlour.server.config import (
        Bots,
        Config,
        LadderRules,
        parse_ladder_games,
        parse_networks,
        parse_origins,
        parse_public_url,
    )
    from parlour.server.run import Doors, Storage, run

    public_url = parse_public_url(public_url)
    if bus is not None and database is None:
        raise ValueError("--bus needs --database: nodes share a PostgreSQL database")
    for address in database or []:
        _check_scheme("--database", address, DATABASES)
    if bus is not None:
        _check_scheme("--bus", bus, BUSES)
    for offer in acpc_port or []:
        read_offer(offer)
    try:
        secret = read_secret(data, operator_secret)
    except OSError as error:
        advice = "--data names another folder (DATA=… of make serve)"
        raise OSError(f"cannot keep data in {data}: {error.strerror}; {advice}") from None
    config = Config(
        limits=parse_limits(limit or []),
        trusted_proxies=parse_networks(trusted_proxy or []),
        origins=parse_origins(origin or [], public_url),
        public_url=public_url,
        host_names=read_names([*(host_name or []), *([host] if host and ":" not in host else [])]),
        callback_networks=parse_networks(callback_network or []),
        operator_secret=secret,
        bots=Bots(
            pause=bot_pause,
            engine=str(engine.absolute()) if engine else None,
            engine_level=engine_level,
            engine_seconds=engine_seconds,
        ),
        ladder=LadderRules(
            on=ladder,
            games=parse_ladder_games(ladder_game or []),
            after=ladder_after,
            pause=ladder_pause,
            hands=ladder_hands,
        ),
        settings=in_force(context),
        unknown_variables=unknown_variables(context, os.environ),
        access_log=access_log,
    )
    ports = {"gateau": gateau_port, "chessmate": chessmate_port, "lichess": lichess_port, "dogker": dogker_port}
    dialects = {dialect: at for dialect, at in ports.items() if at}
    doors = Doors(host, port, dialects, name if announce else "", acpc_port or ())
    if keep_records_days is not None and (keep_days is None or keep_records_days < keep_days):
        raise ValueError("--keep-records-days needs --keep-days, and at least as many days: logs go before records")
    storage = Storage(
        data,
        database or (),
        database_timeout,
        new_key,
        bus,
        token_days,
        session_days,
        keep_days,
        keep_records_days,
    )
    run(doors, storage, config, json_logs=not sys.stderr.isatty() if json_logs is None else json_logs)


def _check_scheme(option: str, address: str, schemes: tuple[str, ...]) -> None:
    """Refuse what cannot be an address before anything is opened. It is not repeated: it may hold a password."""
    scheme, separator, _ = address.partition("://")
    if not separator or scheme.lower() not in schemes:
        raise ValueError(f"{option} takes an address that begins with {' or '.join(f'{one}://' for one in schemes)}")
