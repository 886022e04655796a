"""The port of the store, held by SQLite, by PostgreSQL, and by three PostgreSQL databases."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
import structlog

from parlour.storage.migrations import MIGRATIONS
from parlour.storage.postgres import PostgresStore
from parlour.storage.retention import ROWS_AT_ONCE
from parlour.storage.spread import SpreadStore
from parlour.storage.sql import Statement
from parlour.tables.errors import Conflict, Gap, Unavailable
from parlour.tables.ports import (
    DirectoryEntry,
    Found,
    Identity,
    LedgerLine,
    Played,
    Records,
    RoundRecord,
    RoundSearch,
    Row,
    Snapshot,
    Token,
)

A, B, C, D, E, T, U = "a.1", "b.2", "c", "d.1", "e", "t.2", "u.1"
"""Tables. The end of the id says in which of several databases one is; for a single one it is part of the name."""


@pytest.fixture
async def store(new_store):
    store = new_store()
    await store.open()
    yield store
    await store.close()


def row(table, seq, **more):
    return Row(
        table, seq, 1000 + seq, **{"actor": None, "key": None, "readers": None, "body": b'{"a":"\xc3\xa9"}', **more}
    )


def entry(table=T, code="CODE", **more):
    known = {
        "id": table,
        "code": code,
        "game": "chess",
        "host": "h",
        "host_name": "Hanna",
        "settings": {"name": "é", "list": [[1, 2]]},
        "private": False,
        "status": "waiting",
        "players": ("p", "q"),
        "seats": 2,
        "created": 1,
        "updated": 5,
        "seq": 1,
        "due": None,
        "to_act": (),
    }
    return DirectoryEntry(**{**known, **more})


async def test_rows_come_back_as_they_were_in_order(store, append):
    rows = [
        row(A, 1),
        row(A, 2, actor="x", key="k", readers="", body=bytes(range(256))),
        row(A, 3, readers="p q"),
        row(B, 1),
    ]
    await append(store, *rows[:2])
    await append(store, rows[2])
    await append(store, rows[3])
    assert await store.rows(A, 0) == rows[:3]
    assert await store.rows(A, 1, upto=2) == rows[1:2]
    assert await store.rows(A, 0, limit=1) == rows[:1]
    assert await store.rows(C, 0) == []
    assert await store.heads([A, B, C]) == {A: 3, B: 1}


@pytest.mark.parametrize("together", [True, False], ids=["of one decision", "of five"])
async def test_a_tail_is_replaced_and_what_stands_before_it_stays(store, append, together):
    rows = [row(A, seq) for seq in range(1, 6)]
    for part in [rows] if together else [[one] for one in rows]:
        await append(store, *part)
    await append(store, row(B, 1))
    instead = row(A, 4, actor="repair")
    await store.replace_tail(A, 3, [instead])
    assert await store.rows(A, 0) == [*rows[:3], instead]
    assert await store.rows(B, 0) == [row(B, 1)]
    await append(store, row(A, 5))
    assert await store.heads([A]) == {A: 5}


async def test_a_taken_number_is_a_conflict_and_none_of_its_rows_is_kept(store, append):
    await append(store, row(A, 1), row(A, 2))
    with pytest.raises(Conflict):
        await append(store, row(A, 3), row(A, 2))
    assert await store.heads([A]) == {A: 2}


async def test_one_conflict_in_a_batch_hurts_nobody_else(store, append):
    await append(store, row(A, 1))
    outcomes = await asyncio.gather(
        append(store, row(B, 1)),
        append(store, row(A, 1)),
        append(store, row(C, 1), row(C, 2)),
        append(store, row(C, 2)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), Conflict, type(None), Conflict]
    assert await store.heads([A, B, C]) == {A: 1, B: 1, C: 2}


async def test_rows_are_appended_only_after_the_one_before(store, append):
    """Also in one transaction with others, which are appended all the same."""
    await append(store, row(A, 1), row(A, 2))
    outcomes = await asyncio.gather(
        append(store, row(A, 4)),
        append(store, row(B, 1)),
        append(store, row(C, 2)),
        append(store, row(D, 1), row(D, 3)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [Gap, type(None), Gap, Gap]
    await append(store, row(A, 3))
    assert await store.heads([A, B, C, D]) == {A: 3, B: 1}


async def test_rows_that_cannot_be_written_fail_alone(store, append):
    outcomes = await asyncio.gather(
        append(store, row(B, 1)),
        append(store, row(D, 1, key="\ud800")),
        append(store, row(C, 1)),
        return_exceptions=True,
    )
    assert [isinstance(outcome, Exception) for outcome in outcomes] == [False, True, False]
    await append(store, row(E, 1))


async def test_a_decision_of_any_number_of_rows(store, append):
    kept = []
    for count in (1, 2, 3, 32, 33, 500, 2048, 2049):
        seqs = range(len(kept) + 1, len(kept) + 1 + count)
        rows = [row(A, seq, key=f"{seq}" if seq % 2 else None, body=b"%d" % seq) for seq in seqs]
        await append(store, *rows)
        kept += rows
    assert await store.rows(A, 0) == kept
    with pytest.raises(Conflict):
        await append(store, row(A, len(kept) + 1), row(A, 1))
    assert await store.rows(A, 0) == kept


async def test_a_thousand_appends_at_once(store, append):
    await asyncio.gather(*(append(store, row(f"t{n}.{n % 3}", 1), row(f"t{n}.{n % 3}", 2)) for n in range(1000)))
    assert set((await store.heads([f"t{n}.{n % 3}" for n in range(1000)])).values()) == {2}


async def test_whoever_fails_over_an_answer_costs_nobody_else_theirs(store):
    told = []
    answered = asyncio.Event()

    def fail(error):
        told.append(("fail", error))
        raise RuntimeError("As Kd")

    def follow(error):
        told.append(("follow", error))
        answered.set()

    with structlog.testing.capture_logs() as logged:
        store.append([row(A, 1)], fail)
        store.append([row(D, 1)], follow)
        await answered.wait()
    assert told == [("fail", None), ("follow", None)]
    assert [(entry["error"], "As Kd" in str(entry)) for entry in logged] == [("RuntimeError", False)]


async def test_close_waits_for_what_is_under_way(new_store, append):
    store = new_store()
    await store.open()
    appends = [append(store, row(f"t{n}.{n % 3}", 1)) for n in range(50)]
    await store.close()
    await asyncio.gather(*appends)
    await (again := new_store()).open()
    assert len(await again.heads([f"t{n}.{n % 3}" for n in range(50)])) == 50
    assert again.epoch == store.epoch
    await again.close()


async def test_who_comes_too_late_is_told_so(store, append):
    await append(store, row(A, 1))
    await store.close()
    with pytest.raises(Unavailable, match="stopping"):
        await append(store, row(A, 2))


async def test_a_code_is_given_once(store):
    await store.add_table(entry(), [row(T, 1)])
    with pytest.raises(Conflict):
        await store.add_table(entry(U), [row(U, 1)])
    assert await store.rows(U, 0) == []
    assert await store.table("CODE") == entry()
    assert await store.table_by_id(T) == entry()
    assert await store.table("NONE") is None


async def test_the_directory_lists_what_is_open_and_not_private(store):
    await store.add_table(entry(A, "A"), [])
    await store.add_table(entry(B, "B", private=True), [])
    await store.add_table(entry(C, "C", updated=9), [])
    await store.add_table(entry(D, "D", status="closed"), [])
    assert [found.id for found in await store.listed(10)] == [C, A]
    assert [found.id for found in await store.listed(1)] == [C]
    assert await store.hosted("h") == 3


async def test_settling_follows_the_newest_and_knows_who_sits_where(store):
    await store.add_table(entry(players=()), [row(T, 1)])
    assert [found.id for found in await store.tables_of("h", 9)] == [T]
    assert await store.tables_of("p", 9) == []
    settled = entry(seq=7, due=99, status="playing", private=True, players=("p",), settings={"x": None}, to_act=("p",))
    await store.settle([settled], 123)
    await store.settle([entry(seq=3, status="waiting", players=("p",))], 124)
    assert await store.table("CODE") == settled
    assert [found.id for found in await store.tables_of("p", 9)] == [T]
    assert await store.heartbeat() == 124
    await store.settle([msgspec.structs.replace(settled, seq=8, players=())], 125)
    assert await store.tables_of("p", 9) == []


async def test_unsettled_tables_have_a_clock_or_an_entry_that_is_behind(store, append):
    assert await store.heartbeat() is None
    for name in (A, B, C, D):
        await store.add_table(entry(name, name), [row(name, 1)])
    await append(store, row(A, 2))
    await append(store, row(B, 2), row(B, 3))
    await store.settle([entry(B, B, seq=3, due=77), entry(D, D, seq=1, due=5, status="closed")], 1)
    assert sorted(await store.unsettled()) == [(A, None), (B, 77)]
    assert await store.every_table() == [A, B, C, D]


async def test_records_are_added_once_by_whoever_moves_the_cursor_first(store):
    await store.add_table(entry(), [row(T, 1)])
    record = RoundRecord(1, 2, 9, 10, 20, {0: "Ada", 3: "Bo"}, {0: "a", 3: "b"}, {"x": 1})
    records = Records(
        rounds=[record],
        ledger=[LedgerLine("a", "Ada", 10, 0), LedgerLine("a", "Ada", 5, 3)],
        tallies=[("a", "chess", "won", 1), ("a", "chess", "won", 2), ("a", "go", "won", -4)],
    )
    await store.record(T, 0, Snapshot(9, 20, b"\x00one"), records)
    with pytest.raises(Conflict):
        await store.record(T, 0, Snapshot(8, 20, b"other"), records)
    assert await store.snapshot(T) == Snapshot(9, 20, b"\x00one")
    assert await store.rounds(T, None, ANY, None, 5) == [Found(T, record, None, True)]
    assert await store.rounds(T, None, ANY, 1, 5) == []
    assert await store.ledger(T) == [LedgerLine("a", "Ada", 15, 3)]
    assert await store.tallies("a") == {"chess": {"won": 3}, "go": {"won": -4}}
    for seq in (20, 30, 40):
        await store.record(T, {20: 9, 30: 20, 40: 30}[seq], Snapshot(seq, seq, b"x"), Records())
    assert (await store.snapshot(T)).seq == 40
    assert (await store.snapshot(T, at=35)).seq == 30
    assert await store.snapshot(T, at=10) is None, "only the last few are kept"
    await store.forget_records()
    assert await store.snapshot(T) is None
    assert await store.tallies("a") == {}


async def test_people_have_a_token_for_each_device(store):
    ada = Identity("i", "Ada", None, False, 5)
    first, second = Token(b"first", "i", "Firefox, Linux", 5, 0), Token(b"second", "i", "", 6, 0)
    await store.add_identity(ada, first)
    await store.add_token(second)
    assert await store.token(b"first") == first
    assert await store.token(b"none") is None
    assert await store.tokens_of("i") == [first, second]
    changed = msgspec.structs.replace(ada, name="Ida", avatar="🦊")
    await store.update_identity(changed)
    assert await store.identity("i") == changed
    assert (await store.identities_named("Ida"), await store.identities_named("Ada")) == ([changed], [])
    bot = msgspec.structs.replace(changed, bot=True)
    await store.update_identity(bot)
    await store.update_identity(changed)
    assert await store.identity("i") == bot, "who has become a bot stays one"


async def test_tokens_are_used_revoked_and_dropped(store):
    tokens = [Token(name, "i", "", 1, 1) for name in (b"a", b"b", b"c", b"d")]
    await store.add_identity(Identity("i", "Ada"), tokens[0])
    for token in tokens[1:]:
        await store.add_token(token)
    await store.use_token(b"b", 100)
    assert (await store.token(b"b")).used == 100
    assert (await store.revocations(), await store.revoked_tokens()) == (0, [])
    await store.revoke_tokens([b"c"], 50, 0)
    await store.revoke_tokens([b"d", b"unknown"], 60, 0)
    assert await store.revocations() == 2
    assert sorted(await store.revoked_tokens()) == [b"c", b"d", b"unknown"]
    assert [token.hash for token in await store.tokens_of("i")] == [b"a", b"b"]
    await store.revoke_tokens([b"c"], 70, 55)
    assert sorted(await store.revoked_tokens()) == [b"c", b"d", b"unknown"], "c is revoked anew"
    await store.revoke_tokens([], 200, 65)
    assert await store.revoked_tokens() == [b"c"]
    await store.drop_unused_tokens(100)
    assert [token.hash for token in await store.tokens_of("i")] == [b"b"]


async def test_tokens_from_before_devices_were_known_are_kept(old_and_new_store):
    old, new = old_and_new_store
    await old.open()
    await old._transact(Statement("INSERT INTO identities VALUES ('i', 'Ada', NULL, ?, 5)", (False,)))
    await old._transact(Statement("INSERT INTO tokens (hash, identity, created) VALUES (?, 'i', 7)", (b"hash",)))
    await old.close()
    await new.open()
    assert await new.token(b"hash") == Token(b"hash", "i", "", 7, 7)
    await new.close()


async def test_house_players_that_were_made_for_nothing_are_removed_with_all_their_tokens(old_and_new_store):
    """Kept are those that sit somewhere or have played, are of today, or may have entered an open tournament."""
    old, new = old_and_new_store
    old._migrations = MIGRATIONS[:10]
    day = 24 * 3600 * 1000
    made = {"idle": 1, "sits": 1, "played": 1, "rated": 1, "today": 9 * day, "entered": 5 * day, "person": 9 * day}
    await old.open()
    for name, created in made.items():
        bot = name != "person"
        await old.add_identity(Identity(name, name, bot=bot, created=created), Token(name.encode(), name, "", 1, 1))
        if bot:
            await old.keep("house-bots", name, b"tight")
    cup = DirectoryEntry("c", "CUP", "tournament", "h", "H", {}, False, "registering", (), 0, 4 * day, 4 * day, 1)
    own = DirectoryEntry("t", "TABLE", "holdem", "h", "H", {}, False, "playing", ("sits",), 6, 1, 1, 1)
    await old.settle([cup, own], None)
    await old._transact(
        Statement("INSERT INTO tallies VALUES ('played', 'holdem', 'hands', 1)", ()),
        Statement("INSERT INTO ratings VALUES ('chess', 'standard', 'blitz', 'rated', 1500, 80, 0.06, 1, 0, 0, 1)", ()),
    )
    await old.close()
    await new.open()
    left = {one.id for one in await new.identities(list(made))}
    assert left == set(made) - {"idle"}
    assert {key for key, _ in await new.documents("house-bots")} == left - {"person"}
    assert [name for name in made if await new.tokens_of(name)] == ["person"]
    await new.close()


@pytest.fixture
def old_and_new_store(new_store):
    """Two stores on one database, the first of them with the schema of version 0.1. Others are added to it later."""
    new = new_store()
    old = PostgresStore(new.first._url) if isinstance(new, SpreadStore) else new_store()
    old._migrations = MIGRATIONS[:2]
    return old, new


async def test_a_transfer_code_works_once_and_in_time(store):
    await store.add_transfer(b"a", "i", 100)
    await store.add_transfer(b"b", "j", 100)
    assert await store.take_transfer(b"a", 100) == "i"
    assert await store.take_transfer(b"a", 100) is None
    assert await store.take_transfer(b"b", 101) is None


async def test_an_identity_has_one_transfer_code(store):
    for code in (b"a", b"b", b"c"):
        await store.add_transfer(code, "i", 100)
    await store.add_transfer(b"d", "j", 100)
    assert [await store.take_transfer(code, 100) for code in (b"a", b"b", b"c", b"d")] == [None, None, "i", "j"]


async def test_the_shelf_keeps_small_documents(store):
    await store.keep("bots", "b", b"\x00\xff")
    await store.keep("bots", "a", b"1")
    await store.keep("bots", "a", b"2")
    await store.keep("other", "a", b"3")
    assert await store.documents("bots") == [("a", b"2"), ("b", b"\x00\xff")]
    await store.drop("bots", "a")
    await store.drop("bots", "a")
    assert await store.find("bots", "a") is None
    assert await store.find("other", "a") == b"3"


# For the operator


async def test_the_census_counts_what_is_kept(store):
    assert (await store.census()).oldest_token is None
    for number, created in ((1, 700), (2, 500)):
        person = Identity(f"p{number}", "Ann", created=created)
        await store.add_identity(person, Token(bytes([number]) * 32, person.id, "Phone", created, created))
    await store.add_table(entry(T, "CODE"), [row(T, 1)])
    await store.add_table(entry(U, "DOOR", status="closed"), [row(U, 1)])
    census = await store.census()
    assert census.database in ("SQLite", "PostgreSQL")
    assert census.version[0].isdigit()
    assert census.schema == MIGRATIONS[-1].number
    assert census.size > 10_000
    assert (census.people, census.tokens, census.oldest_token) == (2, 2, 500)
    assert (census.tables, census.open_tables) == (2, 1)


async def test_the_pulse_counts_decisions_and_times_commits(store, append):
    before = store.pulse()
    await asyncio.gather(
        *(append(store, row(f"t{number}.{number % 3}", 1), row(f"t{number}.{number % 3}", 2)) for number in range(5))
    )
    await store.keep("shelf", "key", b"no decision of a table")
    pulse = store.pulse()
    assert pulse.appended - before.appended == 5
    assert pulse.waiting == 0
    assert sum(pulse.commits.counts) >= 1
    assert 0 < pulse.commits.take_worst() <= pulse.commits.seconds
    assert store.pulse().commits.take_worst() == 0, "of those since it was asked before"


# Lists of rounds

ANY = RoundSearch()


def part(number, player, **facts):
    return Played(
        **{
            "number": number, "player": player, "name": player, "seats": (0,), "game": "holdem", "variant": "omaha",
            "ended": number, "pot": 10, "net": 0, "result": "even", "showdown": False, "cards": "", **facts,
        }
    )  # fmt: skip


async def played_tables(store):
    """Two tables at which people played three rounds and two, at times that interleave."""
    rounds = {
        (A, 1): [part(1, "ada", ended=10, pot=5, result="won"), part(1, "bo", ended=10, pot=5, result="lost")],
        (A, 2): [part(2, "ada", ended=30, pot=50, showdown=True), part(2, "cy", ended=30, pot=50, name="cy 100%")],
        (A, 3): [part(3, "bo", ended=50), part(3, "cy", ended=50)],
        (B, 1): [part(1, "ada", ended=20, variant="holdem"), part(1, "bo", ended=20, variant="holdem")],
        (B, 2): [part(2, "ada", ended=30, game="chess", result=None, cards="sealed", seats=(1, 4))],
    }  # fmt: skip
    for number, table in enumerate((A, B)):
        await store.add_table(entry(table, f"CODE{number}"), [row(table, 1)])
        parts = [(at, found) for (name, at), found in rounds.items() if name == table]
        records = Records(
            rounds=[
                RoundRecord(at, at, at, 0, found[0].ended, {0: "x"}, {0: "y"}, {}, {"at": at}) for at, found in parts
            ],
            played=[one for _, found in parts for one in found],
        )
        await store.record(table, 0, Snapshot(9, 9, b""), records)


async def listed(store, player, search=ANY, beyond=None, limit=10, **options):
    found = await store.rounds_of(player, search, beyond, limit, **options)
    return [(one.table, one.record.number) for one in found]


async def test_what_somebody_played_is_listed_by_the_time_it_ended_over_all_tables(store):
    await played_tables(store)
    everything = await listed(store, "ada")
    assert everything == sorted(
        [(A, 1), (A, 2), (B, 1), (B, 2)],
        key=lambda place: ({(A, 1): 10, (B, 1): 20}.get(place, 30), place[1], place[0]),
        reverse=True,
    )
    assert await listed(store, "ada", oldest_first=True) == everything[::-1]
    assert await listed(store, "nobody") == []
    (found,) = [one for one in await store.rounds_of("ada", ANY, None, 10) if one.part.game == "chess"]
    assert found.part == part(2, "ada", ended=30, game="chess", result=None, cards="sealed", seats=(1, 4))
    assert (found.record.summary, found.kept) == ({"at": 2}, True)


@pytest.mark.parametrize("oldest_first", [False, True])
async def test_pages_of_a_list_leave_nothing_out_and_tell_nothing_twice(store, oldest_first):
    await played_tables(store)
    everything = await listed(store, "ada", oldest_first=oldest_first)
    for limit in (1, 2, 3):
        pages, beyond = [], None
        while page := await store.rounds_of("ada", ANY, beyond, limit, oldest_first=oldest_first):
            pages += [(one.table, one.record.number) for one in page]
            beyond = page[-1].mark
        assert pages == everything


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        (RoundSearch(game="chess"), [(B, 2)]),
        (RoundSearch(variant="holdem"), [(B, 1)]),
        (RoundSearch(table=A), [(A, 1), (A, 2)]),
        (RoundSearch(table=""), []),
        (RoundSearch(result="won"), [(A, 1)]),
        (RoundSearch(pot=50), [(A, 2)]),
        (RoundSearch(pot=51), []),
        (RoundSearch(showdown=True), [(A, 2)]),
        (RoundSearch(showdown=False, result="even"), [(B, 1)]),
        (RoundSearch(since=20, until=30), [(B, 1)]),
        (RoundSearch(other="bo"), [(A, 1), (B, 1)]),
        (RoundSearch(other="Y 100%"), [(A, 2)]),
        (RoundSearch(other="%"), [(A, 2)]),
        (RoundSearch(other="_"), []),
        (RoundSearch(other="ada"), []),
    ],
)
async def test_a_search_finds_the_rounds_that_fit(store, search, expected):
    await played_tables(store)
    assert sorted(await listed(store, "ada", search)) == expected


async def test_the_rounds_of_a_table_are_listed_with_the_part_of_whoever_asks(store):
    await played_tables(store)

    async def numbers(player, search=ANY, beyond=None, **options):
        found = await store.rounds(A, player, search, beyond, 10, **options)
        return [(one.record.number, one.part and one.part.player) for one in found]

    assert await numbers("ada") == [(3, None), (2, "ada"), (1, "ada")]
    assert await numbers(None) == [(3, None), (2, None), (1, None)]
    assert await numbers("ada", own=True) == [(2, "ada"), (1, "ada")]
    assert await numbers("ada", beyond=1, oldest_first=True) == [(2, "ada"), (3, None)]
    assert await numbers("ada", beyond=3) == [(2, "ada"), (1, "ada")]
    assert await numbers("ada", RoundSearch(pot=10)) == [(3, None), (2, "ada")]
    assert await numbers("bo", RoundSearch(result="lost")) == [(1, "bo")]
    assert await numbers("ada", RoundSearch(other="cy")) == [(3, None), (2, "ada")]
    assert await numbers(None, RoundSearch(showdown=True)) == [(2, None)]


async def test_the_directory_knows_several_tables_at_once(store):
    await played_tables(store)
    assert {one.id: one.code for one in await store.entries([A, B, "none"])} == {A: "CODE0", B: "CODE1"}


# Logs that are not kept

OLD, OTHER = "old.1", "other"


async def closed_table(store, append, name, rows, updated):
    """A closed table with its records written to the end of its log."""
    await store.add_table(entry(name, f"CODE {name}", status="closed", updated=updated), [row(name, 1)])
    for first in range(2, rows + 1, 500):
        await append(store, *(row(name, seq) for seq in range(first, min(first + 500, rows + 1))))
    records = Records(
        [RoundRecord(1, 1, rows, 1, 2, {0: "P"}, {0: "p"}, {})],
        [part(1, "p", ended=2)],
        [LedgerLine("p", "P", 5, 3)],
        [("p", "chess", "wins", 2)],
    )
    await store.record(name, 0, Snapshot(rows, 9, b"sealed"), records)


async def test_the_tables_whose_log_may_go_are_finished_and_at_rest_the_oldest_first(store, append):
    for number, (status, due) in enumerate(
        [("closed", None), ("finished", None), ("playing", None), ("waiting", None), ("finished", 77)]
    ):
        known = entry(f"t{number}", f"C{number}", status=status, due=due, updated=50 - number)
        await store.add_table(known, [row(f"t{number}", 1)])
    assert await store.finished(51, 10) == ["t1", "t0"]
    assert await store.finished(50, 10) == ["t1"]
    assert await store.finished(51, 1) == ["t1"]
    assert await store.finished(49, 10) == []


async def test_the_log_of_a_closed_table_goes_and_its_records_stay(store, append):
    long = 2 * ROWS_AT_ONCE + 3
    await closed_table(store, append, OLD, long, updated=5)
    await closed_table(store, append, OTHER, 3, updated=6)
    assert not await store.delete_removed()
    await store.remove_log(OLD, long, 100, {("p", "chess", "wins"): 2})
    assert await store.finished(100, 10) == [OTHER]
    assert await store.delete_removed()
    assert not await store.delete_removed()
    assert await store.rows(OLD, 0) == []
    assert await store.heads([OLD, OTHER]) == {OTHER: 3}
    assert len(await store.rows(OTHER, 0)) == 3
    assert [(one.record.number, one.kept) for one in await store.rounds(OLD, None, ANY, None, 5)] == [(1, False)]
    assert [one.table for one in await store.rounds_of("p", ANY, None, 5) if not one.kept] == [OLD]
    assert await store.ledger(OLD) == [LedgerLine("p", "P", 5, 3)]
    assert (await store.snapshot(OLD)).seq == long
    assert await store.tallies("p") == {"chess": {"wins": 4}}


async def test_records_that_no_log_can_tell_again_are_not_forgotten(store, append):
    await closed_table(store, append, OLD, 3, updated=5)
    await closed_table(store, append, OTHER, 3, updated=6)
    await store.remove_log(OLD, 3, 100, {("p", "chess", "wins"): 2})
    await store.forget_records()
    assert [(one.record.number, one.kept) for one in await store.rounds(OLD, None, ANY, None, 5)] == [(1, False)]
    assert [one.table for one in await store.rounds_of("p", ANY, None, 5) if not one.kept] == [OLD]
    assert await store.rounds(OTHER, None, ANY, None, 5) == []
    assert await store.ledger(OLD) == [LedgerLine("p", "P", 5, 3)]
    assert await store.ledger(OTHER) == []
    assert (await store.snapshot(OLD)).seq == 3
    assert await store.snapshot(OTHER) is None
    assert await store.tallies("p") == {"chess": {"wins": 2}}


async def test_no_log_goes_of_a_table_that_is_open_or_whose_records_are_behind(store, append):
    await store.add_table(entry(T, "T", status="finished"), [row(T, 1)])
    await store.record(T, 0, Snapshot(1, 9, b""), Records())
    with pytest.raises(Conflict):
        await store.remove_log(T, 1, 100, {})
    await closed_table(store, append, A, 3, updated=5)
    for wrong in (2, 4):
        with pytest.raises(Conflict):
            await store.remove_log(A, wrong, 100, {})
    assert not await store.delete_removed()
    assert len(await store.rows(A, 0)) == 3
    await store.remove_log(A, 3, 100, {})
    with pytest.raises(Conflict):
        await store.remove_log(A, 3, 100, {})


# Names that go


async def test_rows_are_rewritten_where_they_stand_while_others_are_appended(store, append):
    for table in (A, B):
        await store.add_table(entry(table, table.upper()), [row(table, 1)])
        for first in range(2, 602, 100):
            await append(store, *(row(table, seq) for seq in range(first, first + 100)))
    changed = [row(A, seq, body=b'{"new":%d}' % seq) for seq in (1, 101, 102, 256, 257, 601)]
    rewriting = asyncio.create_task(store.rewrite_rows(A, changed))
    for seq in range(602, 620):
        await append(store, row(A, seq))
    await rewriting
    told = {one.seq: one for one in await store.rows(A, 0)}
    assert [*told] == list(range(1, 620))
    assert [one for one in told.values() if one.body.startswith(b'{"new"')] == changed
    assert not [one for one in await store.rows(B, 0) if one != row(B, one.seq)]
    await append(store, row(A, 620))
    with pytest.raises(Conflict):
        await append(store, row(A, 620))


async def test_a_name_leaves_records_and_lists_and_nobody_elses_does(store):
    ann, ben = Identity("p_______ann", "Ann", "face:1", created=5), Identity("pX______ann", "Ann", created=5)
    for person in (ann, ben):
        await store.add_identity(person, Token(person.id.encode(), person.id, "", 1, 1))
    await store.add_transfer(b"code", ann.id, 100)
    await store.add_table(entry(A, "AAAA", host=ann.id, host_name="Ann", updated=10), [row(A, 1)])
    await store.add_table(entry(B, "BBBB", host=ben.id, host_name="Ann", updated=10, game="tournament"), [row(B, 1)])
    await store.add_table(entry(C, "CCCC", updated=4), [row(C, 1)])
    names, players = {0: "Ann", 1: "Ann"}, {0: ann.id, 1: ben.id}
    rounds = [RoundRecord(number, 1, 1, 1, 1, names, players, {"blinds": 1}) for number in range(450)]
    ledger = [LedgerLine(ann.id, "Ann", 1, 2), LedgerLine(ben.id, "Ann", 3, 4)]
    await store.record(A, 0, Snapshot(1, 1, b"ann"), Records(rounds=rounds, ledger=ledger))
    assert await store.touched_since(5) == [B, A], "tournaments first"
    assert (await store.tournaments_since(10), await store.tournaments_since(11)) == (["BBBB"], [])
    await store.rename_in_records(A, ann.id, "deleted player")
    await store.rename_person(ann.id, "deleted player")
    found = await store.rounds(A, None, RoundSearch(), None, 500)
    assert len(found) == 450
    for one in found:
        assert one.record.names == {0: "deleted player", 1: "Ann"}
        assert (one.record.players, one.record.settings) == (players, {"blinds": 1})
    assert {line.player: line.name for line in await store.ledger(A)} == {ann.id: "deleted player", ben.id: "Ann"}
    assert await store.identities([ann.id, ben.id]) in (
        [renamed := msgspec.structs.replace(ann, name="deleted player", avatar=None), ben],
        [ben, renamed],
    )
    assert [(await store.table_by_id(table)).host_name for table in (A, B)] == ["deleted player", "Ann"]
    assert await store.take_transfer(b"code", 100) is None
    assert await store.snapshots(A) == [Snapshot(1, 1, b"ann")]
    await store.rewrite_snapshot(A, Snapshot(1, 1, b"nobody"))
    await store.rewrite_snapshot(A, Snapshot(2, 1, b"not there"))
    assert await store.snapshots(A) == [Snapshot(1, 1, b"nobody")]
    for shelf, key in (("b", "1"), ("a", "1"), ("a", "2")):
        await store.keep(shelf, key, b"{}")
    assert {"a", "b"} <= set(await store.shelves())
