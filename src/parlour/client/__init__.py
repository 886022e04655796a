"""A client for a Parlour server, for programs and bots: `AsyncClient` for asyncio, `Client` for everything else.

with Client("http://localhost:8080") as ann:
    ann.register("Ann")
    table = ann.create_table("chess", minutes=5)
    table.sit()
"""

from parlour.installation import command_for

try:
    from parlour.client.asynchronous import AsyncClient, AsyncTable
    from parlour.client.connection import Connection, Update
    from parlour.client.errors import ApiError
    from parlour.client.synchronous import Client, SyncConnection, SyncPlay, Table, Tournament
    from parlour.client.tournaments import AsyncTournament, Play
except ModuleNotFoundError as fault:
    if fault.name not in {"aiohttp", "msgspec"}:
        raise
    message = f"parlour.client needs {fault.name}, which is not installed: {command_for('client')}"
    raise ModuleNotFoundError(message, name=fault.name) from None

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncTable",
    "AsyncTournament",
    "Client",
    "Connection",
    "Play",
    "SyncConnection",
    "SyncPlay",
    "Table",
    "Tournament",
    "Update",
]
