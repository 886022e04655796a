"""A database of a version that kept no key: what is sealed in it tells whether a key is the right one."""

from __future__ import annotations

import pytest

from parlour.storage.seal import AesSeal
from parlour.tables.ports import DirectoryEntry, Records, Row, Snapshot
from parlour.tables.records.archive import snapshot_place
from parlour.tables.records.key import FINGERPRINT, SHELF, WrongKey, check_key
from parlour.tables.records.log import place

ENTRY = DirectoryEntry("t", "CODE", "chess", "h", "Hanna", {}, False, "playing", (), 2, 1, 1, 1)
RIGHT, WRONG = AesSeal(bytes(32)), AesSeal(b"x" * 32)


@pytest.mark.parametrize("sealed", ["snapshot", "row"])
async def test_the_key_that_opens_what_is_sealed_is_kept_and_no_other(new_store, append, sealed: str) -> None:
    store = new_store()
    await store.open()
    hidden = RIGHT.seal(b"cards", place("t", 2)) if sealed == "row" else b"{}"
    readers = "ann" if sealed == "row" else None
    await store.add_table(ENTRY, [Row("t", 1, 1, None, None, None, b"{}")])
    await append(store, Row("t", 2, 1, None, None, readers, hidden))
    if sealed == "snapshot":
        body = RIGHT.seal(b"state", snapshot_place("t", 2))
        await store.record("t", 0, Snapshot(2, 1, body), Records())
    with pytest.raises(WrongKey):
        await check_key(store, WRONG)
    assert await store.find(SHELF, FINGERPRINT) is None
    await check_key(store, RIGHT)
    assert await store.find(SHELF, FINGERPRINT) == RIGHT.fingerprint
    await store.close()


async def test_a_database_with_nothing_sealed_takes_any_key(new_store) -> None:
    store = new_store()
    await store.open()
    await store.add_table(ENTRY, [Row("t", 1, 1, None, None, None, b"{}")])
    await check_key(store, WRONG)
    with pytest.raises(WrongKey):
        await check_key(store, RIGHT)
    await store.close()
