"""Reads the log of every table out of PostgreSQL, past the server: what it says of itself proves nothing."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from collections.abc import Iterable
from hashlib import sha256

import asyncpg
import msgspec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from proofs.chaos.history import Book, Row

NONCE_BYTES = 12
KEY_END = "\x1f"
"""Behind it the log keeps a checksum of the command."""


async def read_logs(url: str, key: str) -> tuple[dict[str, list[Row]], dict[str, str]]:
    """Table → log, and table → game. A table is named by its code."""
    cipher = AESGCM(urlsafe_b64decode(key))
    connection = await asyncpg.connect(url)
    try:
        listed = await connection.fetch("SELECT id, code, game FROM tables")
        codes = {row["id"]: row["code"] for row in listed}
        logs: dict[str, list[Row]] = {code: [] for code in codes.values()}
        async with connection.transaction():
            sql = "SELECT table_id, seq, at, actor, key, readers, body FROM log ORDER BY table_id, seq"
            async for table, seq, at, actor, signed, readers, body in connection.cursor(sql, prefetch=2000):
                if readers is not None:
                    body = cipher.decrypt(body[:NONCE_BYTES], body[NONCE_BYTES:], f"{table}/{seq}".encode())
                row = Row(
                    seq, at, actor,
                    None if signed is None else signed.partition(KEY_END)[0],
                    None if readers is None else frozenset(readers.split()),
                    msgspec.json.decode(body),
                )  # fmt: skip
                logs.setdefault(codes.get(table, table), []).append(row)
        return logs, {row["code"]: row["game"] for row in listed}
    finally:
        await connection.close()


async def heads(url: str, tables: Iterable[str]) -> dict[str, int]:
    """The number of the last event of each table."""
    connection = await asyncpg.connect(url)
    try:
        sql = "SELECT code, (SELECT max(seq) FROM log WHERE table_id = id) FROM tables WHERE code = ANY($1)"
        return {code: seq or 0 for code, seq in await connection.fetch(sql, list(tables))}
    finally:
        await connection.close()


async def recorded(url: str) -> dict[str, int]:
    """How far the records of each table have come."""
    connection = await asyncpg.connect(url)
    try:
        sql = "SELECT code, max(snapshots.seq) FROM snapshots JOIN tables ON table_id = tables.id GROUP BY code"
        return {row[0]: row[1] for row in await connection.fetch(sql)}
    finally:
        await connection.close()


async def books(url: str, players: Iterable[str]) -> dict[str, Book]:
    """What is written down beside the log: statistics, and the list of rounds."""
    connection = await asyncpg.connect(url)
    try:
        known = list(players)
        sql = "SELECT player, game, statistic, amount FROM tallies WHERE player = ANY($1)"
        counts = {
            (game, player, what): int(amount) for player, game, what, amount in await connection.fetch(sql, known)
        }
        statistics = {
            (game, player): (counts.get((game, player, rounds), 0), counts.get((game, player, chips), 0))
            for game, rounds, chips in (("holdem", "hands", "net"), ("chess", "games", "none"))
            for player in known
        }
        sql = (
            "SELECT player, count(*), sum(net)::bigint FROM played WHERE player = ANY($1) AND game = 'holdem'"
            " GROUP BY player"
        )
        rounds = {
            ("holdem", player): (int(count), int(net)) for player, count, net in await connection.fetch(sql, known)
        }
        return {"statistics": statistics, "lists of rounds": rounds}
    finally:
        await connection.close()


async def owned(url: str, pid: int) -> frozenset[str]:
    """The tables that the node in a process owns."""
    connection = await asyncpg.connect(url)
    try:
        sql = (
            "SELECT code FROM owners JOIN nodes ON owners.node = nodes.id JOIN tables ON name = 'table:' || tables.id"
            " WHERE starts_with(place, $1)"
        )
        return frozenset(code for (code,) in await connection.fetch(sql, f"process {pid} "))
    finally:
        await connection.close()


async def chessmate_tables(url: str, browsers: Iterable[str]) -> dict[str, str]:
    """The code of the table that each browser's game has."""
    connection = await asyncpg.connect(url)
    try:
        found = {}
        for browser in browsers:
            name = sha256(browser.encode()).hexdigest()
            body = await connection.fetchval("SELECT body FROM shelves WHERE shelf = 'chessmate' AND key = $1", name)
            if body is not None:
                found[browser] = msgspec.json.decode(body)["table"]
        return found
    finally:
        await connection.close()
