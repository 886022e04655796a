"""The costs and the needs as Markdown, for the terminal and for docs/capacity.md alike."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.capacity.model import (
    PLAYERS,
    Assumptions,
    Costs,
    need,
    players_of_one_core,
    players_of_one_database,
    players_of_one_directory,
)

MISSING = "not measured"


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *("--:" for _ in head[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def costs_table(costs: Costs) -> str:
    bus = costs.bus
    rows = [
        ("the server's CPU for an action, two viewers", f"{costs.action:.0f} µs"),
        ("the server's CPU to bring an entry of the directory up to date", f"{costs.settle:.0f} µs"),
        ("PostgreSQL's CPU for an action (log)", f"{costs.log:.0f} µs"),
        ("PostgreSQL's CPU to bring an entry up to date (directory)", f"{costs.directory:.0f} µs"),
        ("entries brought up to date, for each table at play", f"{costs.settles:.2f} a second"),
        ("rows of the log for an action", f"{costs.rows:.1f}"),
        ("disk for an action, with the index", f"{costs.log_bytes:.0f} bytes"),
        ("write-ahead log for an action", f"{costs.log_wal:.0f} bytes"),
        ("write-ahead log for an entry", f"{costs.directory_wal:.0f} bytes"),
        ("at a table of six: the server's CPU for an action", f"{costs.six.action:.2f} ×"),
        ("at a table of six: PostgreSQL's CPU for an action", f"{costs.six.log:.2f} ×"),
        ("at a table of six: disk for an action", f"{costs.six.log_bytes:.2f} ×"),
        ("at a table of six: write-ahead log for an action", f"{costs.six.log_wal:.2f} ×"),
        ("network, from the player who acts", f"{costs.received:.0f} bytes"),
        ("network, to each viewer of an action", f"{costs.sent:.0f} bytes"),
        ("memory for a table", f"{costs.table / 1024:.0f} KiB"),
        ("memory for a socket", f"{costs.socket / 1024:.0f} KiB"),
        ("relayed action: the front's CPU", f"{bus.front:.0f} µs" if bus else MISSING),
        ("relayed action: the owner's CPU", f"{bus.owner:.0f} µs" if bus else MISSING),
        ("relayed action: Redis's CPU", f"{bus.broker:.0f} µs" if bus else MISSING),
    ]
    return markdown(["cost", "measured"], rows)


def needs_table(costs: Costs, assumed: Assumptions) -> str:
    found = [need(players, costs, assumed) for players in PLAYERS]
    rows = [
        ["tables", *(f"{one.tables:,}" for one in found)],
        ["actions a second", *(f"{one.actions:,.0f}" for one in found)],
        ["nodes (a core each)", *(f"{one.node_cores:,}" for one in found)],
        ["memory of all nodes, GB", *(f"{one.node_memory:,.1f}" for one in found)],
        ["busy cores of PostgreSQL: logs", *(f"{one.log_cores:,.2f}" for one in found)],
        ["busy cores of PostgreSQL: directory", *(f"{one.directory_cores:,.2f}" for one in found)],
        [f"databases of {assumed.database_cores} cores", *(f"{one.databases:,}" for one in found)],
        ["write-ahead log, MB a second", *(f"{one.wal:,.1f}" for one in found)],
        ["log on disk, GB a day", *(f"{one.disk:,.1f}" for one in found)],
        ["to the players, Mbit a second", *(f"{one.network:,.1f}" for one in found)],
        [
            "busy cores of Redis",
            *(MISSING if one.broker_cores is None else f"{one.broker_cores:,.2f}" for one in found),
        ],
        ["cost of 30 days, units", *(f"{one.month:,.0f}" for one in found)],
    ]
    return markdown([f"players, {assumed.seats} at a table", *(f"{one.players:,}" for one in found)], rows)


def limits_table(costs: Costs, scenes: Sequence[Assumptions]) -> str:
    limits = {
        "one process (half of a core)": players_of_one_core,
        "one database with everything": players_of_one_database,
        "the first database with the directory alone": players_of_one_directory,
    }
    rows = [[name, *(f"{limit(costs, scene):,}" for scene in scenes)] for name, limit in limits.items()]
    rows.insert(1, ["one process (sockets)", *(f"{scene.sockets:,}" for scene in scenes)])
    return markdown(["full at so many players", *(f"{scene.seats} at a table" for scene in scenes)], rows)
