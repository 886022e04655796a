"""Whether the server has the key under which its database was sealed: found out before anything is played."""

from __future__ import annotations

from parlour.tables.errors import Unreadable
from parlour.tables.ports import Seal, Store
from parlour.tables.records.archive import snapshot_place
from parlour.tables.records.log import place

SHELF = "key"
FINGERPRINT = "fingerprint"
TABLES_TRIED = 100
"""Tables that are looked through for something sealed, where the database knows no key."""


class WrongKey(ValueError):
    """The database was sealed under another key; the message says what to do."""


async def check_key(store: Store, seal: Seal, *, replace: bool = False) -> None:
    """Keep a key that is new with a database that is, and refuse any other that the database was not sealed under,
    unless the old one is there too. With `replace` it takes the place of the old one: what was sealed under that stays
    closed."""
    known = await store.find(SHELF, FINGERPRINT)
    if known == seal.fingerprint:
        return
    if known not in seal.fingerprints and not replace and (known is not None or not await _opens(store, seal)):
        raise WrongKey(advice(seal))
    seal.keep()
    await store.keep(SHELF, FINGERPRINT, seal.fingerprint)


async def _opens(store: Store, seal: Seal) -> bool:
    """Whether the newest sealed thing of a database that knows no key opens; databases of version 0.1 do not."""
    for table in reversed((await store.every_table())[-TABLES_TRIED:]):
        snapshot = await store.snapshot(table)
        sealed = [] if snapshot is None else [(snapshot.body, snapshot_place(table, snapshot.seq))]
        sealed += [(row.body, place(table, row.seq)) for row in await store.rows(table, 0) if row.readers is not None]
        for body, where in sealed:
            try:
                seal.open(body, where)
            except Unreadable:
                return False
            return True
    return True


def advice(seal: Seal, otherwise: str = "start once with --new-key") -> str:
    """What to do about a wrong key; `otherwise` where the right one is lost."""
    fault = (
        f"{seal.origin} is missing, and the database holds cards that are sealed under that key"
        if seal.is_new
        else f"{seal.origin} is not the one that this database is sealed under"
    )
    return (
        f"{fault}. Put the right parlour.key back from your backup, or its text into PARLOUR_KEY. If it is lost for"
        f" good, {otherwise}: tables with cards under the lost key then stay closed, all else goes on"
    )
