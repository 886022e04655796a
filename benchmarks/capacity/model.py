"""From the cost of one action to a million players: plain arithmetic over measured costs and stated assumptions."""

from __future__ import annotations

import math

import msgspec

PLAYERS = (1_000, 10_000, 100_000, 1_000_000)
DAY = 86_400


class BusCosts(msgspec.Struct, frozen=True):
    """What an action costs whose players are all connected to another node than the table's owner; two players."""

    front: float
    """Microseconds of the other node's CPU for each action."""
    owner: float
    """Microseconds of the owner's CPU for each action."""
    broker: float
    """Microseconds of Redis's CPU for each action."""


class Six(msgspec.Struct, frozen=True):
    """How many times as much an action takes at a table of six as at a table of two: six people are told, but cards are
    dealt less often."""

    action: float
    """Of the server's CPU."""
    log: float
    """Of PostgreSQL's CPU."""
    log_bytes: float
    log_wal: float


class Costs(msgspec.Struct, frozen=True):
    """Measured. Times are microseconds of CPU."""

    action: float
    """Of the server's process for each action at a table with two viewers, with views."""
    settle: float
    """Of the server's process each time that a table's entry in the directory is brought up to date."""
    log: float
    """Of PostgreSQL for each action: the rows of the log."""
    directory: float
    """Of PostgreSQL each time that a table's entry is brought up to date."""
    settles: float
    """How often that is, for each table at play and second."""
    rows: float
    """Rows of the log for each action."""
    log_bytes: float
    """Of disk for each action, with the index."""
    log_wal: float
    """Bytes of write-ahead log for each action."""
    directory_wal: float
    """Bytes of write-ahead log each time that an entry is brought up to date."""
    received: float
    """Bytes from the network for each action."""
    sent: float
    """Bytes to the network for each action and viewer."""
    table: float
    """Bytes of memory for each table."""
    socket: float
    """Bytes of memory for each socket."""
    six: Six
    bus: BusCosts | None = None


class Assumptions(msgspec.Struct, frozen=True):
    """Chosen, not measured."""

    seats: int = 2
    """Players of a table, two or six, each with one socket."""
    pause: float = 5.0
    """Seconds between two actions at a table."""
    use: float = 0.5
    """How much of a core is planned for: the rest is for peaks and for the loss of a node."""
    sockets: int = 30_000
    """Sockets of one node: a process has 65,536 file descriptors, and a socket takes two."""
    database_cores: int = 8
    """Cores of one PostgreSQL server."""
    core_hour: float = 0.02
    """The price of a core for an hour, with 4 GB of memory, in any currency."""
    gigabyte_month: float = 0.10
    """The price of a gigabyte of disk for a month."""


class Need(msgspec.Struct, frozen=True):
    """What so many players need."""

    players: int
    tables: int
    actions: float
    """A second."""
    node_cores: int
    """Each node is a process and uses one core."""
    node_memory: float
    """GB, of all nodes."""
    log_cores: float
    directory_cores: float
    """Busy cores of PostgreSQL."""
    databases: int
    """Servers of `database_cores`, so that both have room."""
    wal: float
    """MB a second, of all databases."""
    disk: float
    """GB a day, of all logs."""
    network: float
    """Mbit a second, to the players."""
    broker_cores: float | None
    """Of Redis; None where that was not measured."""
    month: float
    """The price of the cores for 30 days, and of the disk for the logs of so many."""


def at_tables_of(seats: int, costs: Costs) -> Costs:
    """The costs at tables of two, which were measured, or of six."""
    if seats == 2:
        return costs
    if seats != 6:
        raise ValueError("tables of two and of six were measured")
    ratios = msgspec.structs.asdict(costs.six)
    return msgspec.structs.replace(costs, **{name: getattr(costs, name) * ratio for name, ratio in ratios.items()})


def node_busy(players: int, costs: Costs, assumed: Assumptions, relayed: bool) -> float:
    """Busy cores of all nodes. Where there are several, players may be connected to another than their table's owner:
    the model takes it that all are."""
    tables = players / assumed.seats
    action = costs.action if costs.bus is None or not relayed else costs.bus.front + costs.bus.owner
    return tables * (action / assumed.pause + costs.settles * costs.settle) / 1e6


def need(players: int, costs: Costs, assumed: Assumptions) -> Need:
    """The sums for so many players who sit at tables and play."""
    costs = at_tables_of(assumed.seats, costs)
    tables = players / assumed.seats
    actions = tables / assumed.pause
    settles = tables * costs.settles
    at_least = max(1, math.ceil(players / assumed.sockets))
    nodes = max(at_least, math.ceil(node_busy(players, costs, assumed, relayed=False) / assumed.use))
    if nodes > 1:
        nodes = max(at_least, math.ceil(node_busy(players, costs, assumed, relayed=True) / assumed.use))
    log_cores = actions * costs.log / 1e6
    directory_cores = settles * costs.directory / 1e6
    room = assumed.database_cores * assumed.use
    databases = max(1, math.ceil((log_cores + directory_cores) / room))
    disk = actions * costs.log_bytes * DAY / 1e9
    broker = None if costs.bus is None else actions * costs.bus.broker / 1e6 if nodes > 1 else 0.0
    cores = nodes + databases * assumed.database_cores + math.ceil((broker or 0) / assumed.use)
    return Need(
        players=players,
        tables=round(tables),
        actions=actions,
        node_cores=nodes,
        node_memory=(tables * costs.table + players * costs.socket) / 1e9,
        log_cores=log_cores,
        directory_cores=directory_cores,
        databases=databases,
        wal=(actions * costs.log_wal + settles * costs.directory_wal) / 1e6,
        disk=disk,
        network=actions * assumed.seats * costs.sent * 8 / 1e6,
        broker_cores=broker,
        month=cores * 24 * 30 * assumed.core_hour + 30 * disk * assumed.gigabyte_month,
    )


def players_of_one_core(costs: Costs, assumed: Assumptions) -> int:
    """How many players one process carries within its share of a core."""
    return int(assumed.use / node_busy(1, at_tables_of(assumed.seats, costs), assumed, relayed=False))


def players_of_one_database(costs: Costs, assumed: Assumptions) -> int:
    """How many players one database carries alone, with log and directory."""
    million = need(1_000_000, costs, assumed)
    return _players(million.log_cores + million.directory_cores, assumed)


def players_of_one_directory(costs: Costs, assumed: Assumptions) -> int:
    """How many players there can be before the directory alone fills the first database, all logs being elsewhere."""
    return _players(need(1_000_000, costs, assumed).directory_cores, assumed)


def _players(busy_for_a_million: float, assumed: Assumptions) -> int:
    return int(1_000_000 * assumed.database_cores * assumed.use / max(busy_for_a_million, 1e-9))
