"""The schema, as numbered steps. A step that has been released is never changed; a new one is added.

The SQL is what SQLite and PostgreSQL have in common; `{blob}` and `{clustered}` are filled in by each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Migration(NamedTuple):
    number: int
    title: str
    statements: tuple[str, ...]
    sqlite: tuple[str, ...] = ()
    """What only SQLite needs."""
    postgres: tuple[str, ...] = ()
    """What only PostgreSQL needs."""


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        1,
        "the log, the directory, the records, the people",
        (
            """CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)""",
            """CREATE TABLE log (
                table_id TEXT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL,
                actor TEXT, key TEXT, readers TEXT, body {blob} NOT NULL,
                PRIMARY KEY (table_id, seq)) {clustered}""",
            """CREATE TABLE tables (
                id TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, game TEXT NOT NULL,
                host TEXT NOT NULL, host_name TEXT NOT NULL, settings TEXT NOT NULL, private BOOLEAN NOT NULL,
                status TEXT NOT NULL, players TEXT NOT NULL, seats BIGINT NOT NULL,
                created BIGINT NOT NULL, updated BIGINT NOT NULL, seq BIGINT NOT NULL, due BIGINT)""",
            """CREATE INDEX tables_listed ON tables (updated) WHERE NOT private AND status <> 'closed'""",
            """CREATE INDEX tables_host ON tables (host) WHERE status <> 'closed'""",
            """CREATE TABLE guests (
                player TEXT NOT NULL, table_id TEXT NOT NULL, PRIMARY KEY (player, table_id)) {clustered}""",
            """CREATE INDEX guests_table ON guests (table_id)""",
            """CREATE TABLE snapshots (
                table_id TEXT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, body {blob} NOT NULL,
                PRIMARY KEY (table_id, seq))""",
            """CREATE TABLE rounds (
                table_id TEXT NOT NULL, number BIGINT NOT NULL, record TEXT NOT NULL,
                PRIMARY KEY (table_id, number)) {clustered}""",
            """CREATE TABLE ledger (
                table_id TEXT NOT NULL, player TEXT NOT NULL, name TEXT NOT NULL,
                brought BIGINT NOT NULL, taken BIGINT NOT NULL,
                PRIMARY KEY (table_id, player)) {clustered}""",
            """CREATE TABLE tallies (
                player TEXT NOT NULL, game TEXT NOT NULL, statistic TEXT NOT NULL, amount BIGINT NOT NULL,
                PRIMARY KEY (player, game, statistic)) {clustered}""",
            """CREATE TABLE identities (
                id TEXT PRIMARY KEY, name TEXT NOT NULL, avatar TEXT, bot BOOLEAN NOT NULL, created BIGINT NOT NULL)""",
            """CREATE TABLE tokens (
                hash {blob} PRIMARY KEY, identity TEXT NOT NULL, created BIGINT NOT NULL) {clustered}""",
            """CREATE TABLE transfers (
                hash {blob} PRIMARY KEY, identity TEXT NOT NULL, expires BIGINT NOT NULL) {clustered}""",
            """CREATE TABLE shelves (
                shelf TEXT NOT NULL, key TEXT NOT NULL, body {blob} NOT NULL, PRIMARY KEY (shelf, key))""",
        ),
    ),
    Migration(
        2,
        "in SQLite, a journal and sheets for the log",
        (),
        sqlite=(
            """CREATE TABLE journal (id INTEGER PRIMARY KEY, writer TEXT NOT NULL, body BLOB NOT NULL)""",
            """CREATE TABLE sheets (
                id INTEGER PRIMARY KEY, table_id TEXT NOT NULL, last BIGINT NOT NULL, body BLOB NOT NULL)""",
            """CREATE UNIQUE INDEX sheets_place ON sheets (table_id, last)""",
            """INSERT INTO sheets (table_id, last, body)
                SELECT table_id, max(seq), packed(table_id, seq, at, actor, key, readers, body)
                FROM log GROUP BY table_id, seq / 256 ORDER BY table_id, seq / 256""",
            """DROP TABLE log""",
        ),
    ),
    Migration(
        3,
        "tokens by device, when each was used, and which were revoked",
        (
            """ALTER TABLE tokens ADD COLUMN device TEXT NOT NULL DEFAULT ''""",
            """ALTER TABLE tokens ADD COLUMN used BIGINT NOT NULL DEFAULT 0""",
            """UPDATE tokens SET used = created""",
            """CREATE INDEX tokens_identity ON tokens (identity)""",
            """CREATE TABLE revoked_tokens (hash {blob} PRIMARY KEY, at BIGINT NOT NULL) {clustered}""",
        ),
    ),
    Migration(
        4,
        "whose turn it is, in the directory",
        ("""ALTER TABLE tables ADD COLUMN to_act TEXT""",),
    ),
    Migration(
        5,
        "tables that are being made in another database than that of the directory",
        (
            """CREATE TABLE arrivals (
                table_id TEXT PRIMARY KEY, at BIGINT NOT NULL, lost BOOLEAN NOT NULL) {clustered}""",
        ),
    ),
    Migration(
        6,
        "logs that were removed, and what only they could tell",
        (
            """CREATE TABLE removed_logs (
                table_id TEXT PRIMARY KEY, seq BIGINT NOT NULL, at BIGINT NOT NULL, deleted BOOLEAN NOT NULL)""",
            """CREATE TABLE kept_tallies (
                player TEXT NOT NULL, game TEXT NOT NULL, statistic TEXT NOT NULL, amount BIGINT NOT NULL,
                PRIMARY KEY (player, game, statistic)) {clustered}""",
            """CREATE INDEX tables_finished ON tables (updated) WHERE status IN ('closed', 'finished')""",
        ),
    ),
    Migration(
        7,
        "in PostgreSQL, the nodes and what each of them owns",
        (),
        postgres=(
            """CREATE TABLE nodes (
                id TEXT PRIMARY KEY, place TEXT NOT NULL, started BIGINT NOT NULL, renewed BIGINT NOT NULL)""",
            """CREATE TABLE owners (
                name TEXT PRIMARY KEY, node TEXT, count BIGINT NOT NULL, freed BIGINT,
                silences BIGINT[] NOT NULL)""",
            """CREATE INDEX owners_node ON owners (node)""",
        ),
    ),
    Migration(
        8,
        "what each player had of a round, to list and to search",
        (
            """CREATE TABLE played (
                table_id TEXT NOT NULL, number BIGINT NOT NULL, player TEXT NOT NULL, name TEXT NOT NULL,
                seats TEXT NOT NULL, game TEXT NOT NULL, variant TEXT NOT NULL, ended BIGINT NOT NULL,
                pot BIGINT NOT NULL, net BIGINT NOT NULL, result TEXT, showdown BIGINT NOT NULL, cards TEXT NOT NULL,
                PRIMARY KEY (table_id, number, player)) {clustered}""",
            """CREATE INDEX played_by ON played (player, ended)""",
        ),
    ),
    Migration(
        9,
        "statistics by opponent, day, table, variant and position; ratings",
        (
            """CREATE TABLE statistics (
                player TEXT NOT NULL, opponent TEXT NOT NULL, game TEXT NOT NULL, day BIGINT NOT NULL,
                table_id TEXT NOT NULL, variant TEXT NOT NULL, format TEXT NOT NULL, stakes TEXT NOT NULL,
                position TEXT NOT NULL, counts TEXT NOT NULL,
                PRIMARY KEY (player, game, opponent, day, table_id, variant, format, stakes, position)) {clustered}""",
            """CREATE INDEX statistics_table ON statistics (table_id)""",
            """CREATE TABLE results (
                game TEXT NOT NULL, variant TEXT NOT NULL, speed TEXT NOT NULL, ended BIGINT NOT NULL,
                table_id TEXT NOT NULL, number BIGINT NOT NULL, player TEXT NOT NULL, opponent TEXT NOT NULL,
                points BIGINT NOT NULL, rating DOUBLE PRECISION, deviation DOUBLE PRECISION,
                volatility DOUBLE PRECISION, wins BIGINT, draws BIGINT, losses BIGINT,
                PRIMARY KEY (table_id, number, player)) {clustered}""",
            """CREATE INDEX results_order ON results (game, variant, speed, ended, table_id, number)""",
            """CREATE INDEX results_unrated ON results (game, variant, speed, ended, table_id, number)
                WHERE rating IS NULL""",
            """CREATE INDEX results_player ON results (player, game, variant, speed, ended, table_id, number)""",
            """CREATE TABLE ratings (
                game TEXT NOT NULL, variant TEXT NOT NULL, speed TEXT NOT NULL, player TEXT NOT NULL,
                rating DOUBLE PRECISION NOT NULL, deviation DOUBLE PRECISION NOT NULL,
                volatility DOUBLE PRECISION NOT NULL, wins BIGINT NOT NULL, draws BIGINT NOT NULL,
                losses BIGINT NOT NULL, last BIGINT NOT NULL,
                PRIMARY KEY (game, variant, speed, player)) {clustered}""",
            """CREATE INDEX ratings_player ON ratings (player)""",
            """CREATE INDEX ratings_order ON ratings (game, variant, speed, rating)""",
            """CREATE TABLE rating_pools (
                game TEXT NOT NULL, variant TEXT NOT NULL, speed TEXT NOT NULL, revision BIGINT NOT NULL,
                PRIMARY KEY (game, variant, speed)) {clustered}""",
        ),
        postgres=('ALTER TABLE results ALTER COLUMN table_id TYPE TEXT COLLATE "C"',),  # the order of SQLite
    ),
    Migration(
        10,
        "tournaments, to list",
        ("""CREATE INDEX tables_tournaments ON tables (updated) WHERE game = 'tournament' AND NOT private""",),
    ),
    Migration(
        11,
        "house players: no tokens, and none that sits nowhere and has played nothing",
        (
            """DELETE FROM tokens WHERE identity IN (SELECT key FROM shelves WHERE shelf = 'house-bots')""",
            # What is in doubt is kept: what was made in the last day, since directory and records may be behind the
            # log, or after a tournament that is still open, which knows its entries alone; and where other databases
            # have tables too.
            """DELETE FROM identities WHERE id IN (SELECT key FROM shelves WHERE shelf = 'house-bots')
                AND created < (SELECT max(created) - 86400000 FROM identities)
                AND NOT EXISTS (SELECT 1 FROM tables
                    WHERE game = 'tournament' AND status <> 'closed' AND tables.created <= identities.created)
                AND NOT EXISTS (SELECT 1 FROM meta WHERE name IN ('databases', 'belongs_to'))
                AND NOT EXISTS (SELECT 1 FROM guests WHERE player = identities.id)
                AND NOT EXISTS (SELECT 1 FROM played WHERE player = identities.id)
                AND NOT EXISTS (SELECT 1 FROM tallies WHERE player = identities.id)
                AND NOT EXISTS (SELECT 1 FROM kept_tallies WHERE player = identities.id)
                AND NOT EXISTS (SELECT 1 FROM results WHERE player = identities.id)
                AND NOT EXISTS (SELECT 1 FROM ratings WHERE player = identities.id)""",
            """DELETE FROM shelves WHERE shelf = 'house-bots' AND key NOT IN (SELECT id FROM identities)""",
        ),
    ),
    Migration(
        12,
        "the settings of rounds once for many; records that go some time after their logs",
        (
            """CREATE TABLE round_settings (
                table_id TEXT NOT NULL, id BIGINT NOT NULL, settings TEXT NOT NULL, PRIMARY KEY (table_id, id))""",
            """ALTER TABLE removed_logs ADD COLUMN records BOOLEAN NOT NULL DEFAULT true""",
            """CREATE INDEX removed_logs_records ON removed_logs (table_id) WHERE records""",
        ),
        sqlite=(  # without a rowid, nearly each record took an overflow page of its own
            """ALTER TABLE rounds RENAME TO rounds_before""",
            """CREATE TABLE rounds (
                table_id TEXT NOT NULL, number BIGINT NOT NULL, settings BIGINT, record TEXT NOT NULL,
                PRIMARY KEY (table_id, number))""",
        ),
        postgres=(
            """ALTER TABLE rounds ADD COLUMN settings BIGINT""",
            """CREATE INDEX rounds_whole ON rounds (table_id, number) WHERE settings IS NULL""",
        ),
    ),
)

BOOKKEEPING = "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, title TEXT NOT NULL)"


def pending(done: int, migrations: Sequence[Migration]) -> list[Migration]:
    """The steps that a database at step `done` lacks. ValueError where it is ahead of this program."""
    newest = migrations[-1].number
    if done > newest:
        raise ValueError(f"the database is at schema {done}, this version of Parlour knows {newest}: use a newer one")
    return [migration for migration in migrations if migration.number > done]
