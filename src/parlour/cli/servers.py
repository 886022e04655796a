"""`parlour servers`: who is playing on this network."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
import typer

from parlour.cli import _terminal as terminal
from parlour.cli._settings import Json

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(help="List the Parlour servers on the local network.")
def servers(
    seconds: Annotated[float, typer.Option(min=0.1, max=30, help="How long to listen.")] = 2.0,
    interface: Annotated[str, typer.Option(help="The address of the network interface to ask on.")] = "",
    json: Json = False,
) -> None:
    from parlour.server.multicast import browse
    from parlour.server.network import lan_address

    found = asyncio.run(browse(seconds, interface or lan_address() or "127.0.0.1"))
    if json:
        terminal.print_json(msgspec.to_builtins(found))
        return
    if not found:
        typer.echo("No server answers on this network.")
    for server in found:
        typer.echo(f"{server.name}  {server.url}  (version {server.version})")
