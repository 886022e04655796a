"""Everything about oneself: to take along, and to have deleted."""

from __future__ import annotations

import asyncio
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import aiohttp
import pytest
from tests.patience import until

from parlour.client import ApiError
from parlour.server import Config, parse_limits
from parlour.server.api import own_data
from parlour.server.api.own_data import Export
from parlour.server.api.routing import ApiCall
from parlour.storage.seal import AesSeal
from parlour.tables import Table
from parlour.tables.live.deletion import DOCUMENTS_AT_ONCE, Deletion
from parlour.tables.ports import DirectoryEntry, Token
from parlour.tables.records.archive import snapshot_place
from parlour.tables.records.name_removal import DELETED


async def exported(house, token: str) -> ZipFile:
    async with (
        aiohttp.ClientSession(house.url, headers={"Authorization": f"Bearer {token}"}) as session,
        session.get("/api/v1/me/export") as answer,
    ):
        assert (answer.status, answer.content_type) == (200, "application/zip")
        return ZipFile(io.BytesIO(await answer.read()))


async def test_an_export_has_everything_about_oneself_and_nothing_hidden_of_others(house) -> None:
    ann, ben = await house.table("holdem", "Ann", "Ben", action_seconds=0, hand_delay=60)
    await ann.chat("good luck from Ann")
    await ben.chat("thanks from Ben")
    view = await ann.view()
    await (ann, ben)[view["state"]["actor"]].act({"type": "fold"})
    hidden = (await ben.view())["private"]["cards"]
    white, _ = await house.table("chess", "Ann", "Cy", side="white")
    chess_player = white._client
    me = await ann._client.me()
    await ann._client.rename(avatar="face:3")
    await ann._client.save_preset("Friday", "holdem", seats=6)
    archive = await exported(house, ann._client.token)
    assert archive.testzip() is None
    about = json.loads(archive.read("me.json"))
    assert about["identity"] | {"created": 0} == {**me, "avatar": "face:3", "created": 0}
    assert [device["device"] for device in about["devices"]] == ["Python"]
    assert [preset["name"] for preset in about["presets"]] == ["Friday"]
    assert about["statistics"]["holdem"]["hands"] == 1
    messages = [json.loads(line) for line in archive.read("messages.jsonl").splitlines()]
    assert [(one["table"], one["text"]) for one in messages] == [(ann.code, "good luck from Ann")]
    hands = archive.read("rounds.phhs").decode()
    own = (await ann.view())["private"]["cards"]
    assert "".join(own) in hands
    assert "".join(hidden) not in hands
    everything = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert ann._client.token not in everything
    await chess_player.table(white.code).act({"type": "resign"})
    assert "[White" in (await exported(house, chess_player.token)).read("rounds.pgn").decode()


async def test_exports_are_few_at_a_time_and_for_oneself_alone(house) -> None:
    ann, ben = await house.client("Ann"), await house.client("Ben")
    assert (await house.ask("GET", "/api/v1/me/export")).status == 401
    id_ = (await ann.me())["id"]
    now = asyncio.get_running_loop().time()
    house.site.exporting[id_] = Export(asyncio.timeout(None), now)
    answer = await house.ask("GET", "/api/v1/me/export", headers={"Authorization": f"Bearer {ann.token}"})
    assert (answer.status, (await answer.json())["code"]) == (409, "export_under_way")
    await exported(house, ben.token)
    house.site.exporting |= {str(number): Export(asyncio.timeout(None), now) for number in range(own_data.AT_ONCE)}
    answer = await house.ask("GET", "/api/v1/me/export", headers={"Authorization": f"Bearer {ben.token}"})
    assert answer.status == 409


async def test_the_slowest_export_makes_room_after_a_minute(house, monkeypatch) -> None:
    """Else four guests who read slowly would keep everybody from theirs for ten minutes."""
    guests = [await house.client(f"Guest {number}") for number in range(own_data.AT_ONCE)]
    ann, exporting = await house.client("Ann"), house.site.exporting
    stalled = asyncio.Event()
    files = own_data._files

    async def stall(call: ApiCall) -> object:
        if call.caller.name != "Ann":
            await stalled.wait()
        return await files(call)

    monkeypatch.setattr(own_data, "_files", stall)
    asked = [asyncio.create_task(exported(house, guest.token)) for guest in guests]
    await until(lambda: len(exporting) == own_data.AT_ONCE)
    headers = {"Authorization": f"Bearer {ann.token}"}
    assert (await house.ask("GET", "/api/v1/me/export", headers=headers)).status == 409
    slow = (await guests[2].me())["id"]
    for who, export in exporting.items():
        export.begun -= own_data.UNDISTURBED_SECONDS
        export.sent = 10 if who == slow else 10_000
    await exported(house, ann.token)
    assert slow not in exporting
    stalled.set()
    ends = await asyncio.gather(*asked, return_exceptions=True)
    assert [isinstance(end, ZipFile) for end in ends] == [True, True, False, True]
    assert exporting == {}


def found_in(database: Path, *texts: str) -> dict[str, set[str]]:
    """Which tables of the database have a text somewhere, sealed states and packed rows opened."""
    found: dict[str, set[str]] = {text: set() for text in texts}
    seal = AesSeal(bytes(32))
    with closing(sqlite3.connect(database)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            columns = [column[1] for column in connection.execute(f"PRAGMA table_info({table})")]
            for row in connection.execute(f"SELECT * FROM {table}"):
                values = dict(zip(columns, row, strict=True))
                if table == "snapshots":
                    values["body"] = seal.open(values["body"], snapshot_place(values["table_id"], values["seq"]))
                for value in values.values():
                    raw = value if isinstance(value, bytes) else str(value).encode()
                    for text in texts:
                        if text.casefold().encode() in raw.lower():
                            found[text].add(table)
    return found


async def delete(house, client, name: str):
    return await house.ask(
        "DELETE", "/api/v1/me", json={"name": name}, headers={"Authorization": f"Bearer {client.token}"}
    )


async def test_a_deleted_name_is_nowhere_any_more(serve) -> None:
    secret = "the secret of the operator"
    house = await serve(Config(limits=parse_limits(["all=off"]), operator_secret=secret))
    name, before = "Xenophilia", "Wilhelmine"
    xen, ben = await house.table("holdem", before, "Ben", action_seconds=0, hand_delay=60)
    await xen.chat("hello from me")
    await xen._client.rename(name=name)
    await xen.chat("it is me again")
    who = (await xen._client.me())["id"]
    view = await ben.view()
    await (xen, ben)[view["state"]["actor"]].act({"type": "fold"})
    closed = (await house.table("chess", name, "Cy", side="white"))[0]
    other = closed._client
    await closed.leave()
    await closed.host("close")
    phone = await house.client()
    await phone.redeem((await xen._client.transfer())["code"])  # in the security log
    await xen._client.save_preset("Friday", "holdem", seats=6)
    await xen._client.request("PUT", "/api/v1/me/privacy", {"statistics": "nobody"})
    await xen._client.transfer()
    tournament = await ben._client.create_tournament("holdem", "An evening", "mtt")
    await xen._client.tournament(tournament.code).enter()
    own = await xen._client.create_tournament("chess", "A round robin", "round_robin")
    socket = await xen._client.open_socket(f"/api/v1/tables/{xen.code}/socket", {})
    table = await house.parlour.open(xen.code)
    await house.parlour.archive.catch_up(table)  # with a snapshot and records that know the name
    await house.parlour._directory.settle(house.parlour.clock.now(), everything=True)
    known = found_in(house.data / "parlour.db", name, before)
    places = {"rounds", "played", "ledger", "snapshots", "identities", "tables", "shelves"}
    assert known[name] | known[before] >= places, "as long as they are somebody"
    refused = await delete(house, xen._client, "xenophilia")
    assert (refused.status, (await refused.json())["code"]) == (422, "not_confirmed")
    for client, called in ((xen._client, name), (other, name)):
        gone = await delete(house, client, called)
        assert (gone.status, await gone.json()) == (200, {"me": None})
    while (await socket.receive()).type is not aiohttp.WSMsgType.CLOSE:
        pass
    await house.parlour.deletion.finished()
    for client in (xen._client, phone, other):
        with pytest.raises(ApiError) as stranger:
            await client.me()
        assert stranger.value.status == 401
    # what others see
    view = await ben.view()
    assert view["host"] == (await ben._client.me())["id"]
    assert [line["name"] for line in view["chat"]] == [DELETED, DELETED]
    assert {line["text"] for line in view["chat"]} == {"…"}
    assert [seat["player"] and seat["player"]["name"] for seat in view["seats"][:2]] == [None, "Ben"]
    told = json.dumps(
        [
            view,
            await ben.history(),
            await ben.round(1),
            await ben.ledger(),
            await ben.export(1, "phh"),
            [event async for event in ben.events()],
            await ben._client.tournament(tournament.code).view(),
            await ben._client.tournament(own.code).view(),
            await ben._client.request("GET", f"/api/v1/people/{who}"),
            await ben._client.lobby(),
        ]
    )
    assert name not in told
    assert before not in told
    assert DELETED in told
    assert (await ben._client.tournament(own.code).view())["status"] == "finished", "nobody else could start it"
    # what is kept
    await house.parlour.archive.catch_up(await house.parlour.open(xen.code))
    await house.runner.cleanup()
    found = await asyncio.to_thread(found_in, house.data / "parlour.db", name, before, who, "it is me again")
    assert found[name] == found[before] == found["it is me again"] == set()
    numbers = {
        "sheets",
        "journal",
        "snapshots",
        "rounds",
        "played",
        "ledger",
        "tallies",
        "statistics",
        "identities",
        "guests",
    }
    assert found[who] <= numbers | {"tables", "shelves", "results", "ratings"}, "a number that leads nowhere"


async def test_a_deletion_that_was_broken_off_is_finished_after_a_restart(serve, tmp_path) -> None:
    house = await serve()
    ann, _ = await house.table("holdem", "Xenophilia", "Ben", action_seconds=0)
    who = await house.parlour.authenticate(ann._client.token)
    await house.parlour.store.keep("deletions", who.id, json.dumps(who.created).encode())
    await house.runner.cleanup()
    assert "sheets" in (await asyncio.to_thread(found_in, tmp_path / "parlour.db", "Xenophilia"))["Xenophilia"]
    again = await serve()
    await again.parlour.deletion.finished()
    await again.runner.cleanup()
    found = await asyncio.to_thread(found_in, tmp_path / "parlour.db", "Xenophilia", "Ben")
    assert found["Xenophilia"] == set()
    assert "sheets" in found["Ben"]


async def test_whoever_is_deleted_disturbs_nobody_at_the_tables_where_they_wrote(house) -> None:
    """Else any guest could write a line at a table and be deleted, and everybody there would lose the connection."""
    ann, ben = await house.table("holdem", "Ann", "Ben", action_seconds=0)
    guest = await house.client("Xenophilia")
    await guest.request("POST", f"/api/v1/tables/{ann.code}/chat", {"text": "good luck"})
    socket = await ben._client.open_socket(f"/api/v1/tables/{ann.code}/socket", {})
    assert "Xenophilia" in (await socket.receive_str())
    gone = await delete(house, guest, "Xenophilia")
    assert (gone.status, await gone.json()) == (200, {"me": None})
    await house.parlour.deletion.finished()
    await ann.chat("who was that?")
    told = await socket.receive_str()
    assert "who was that?" in told, "the next that the others hear is what happens next"
    assert "Xenophilia" not in told
    await socket.close()
    assert [line["name"] for line in (await ben.view())["chat"]] == [DELETED, "Ann"]
    view = await ben.view()
    await (ann, ben)[view["state"]["actor"]].act({"type": "fold"})


async def test_whoever_is_deleted_leaves_a_tournament_that_they_have_only_just_entered(house, monkeypatch) -> None:
    ann, guest = await house.client("Ann"), await house.client("Xenophilia")
    evening = await ann.create_tournament("holdem", "An evening", "mtt")
    await guest.tournament(evening.code).enter()
    assert [entry["player"]["name"] for entry in (await evening.view())["entries"]] == ["Xenophilia"]

    async def settled_later(at: int) -> list[str]:
        return []

    async def everything(*_: object) -> list[DirectoryEntry]:
        raise AssertionError("ten thousand old tournaments take the event loop a quarter of a second")

    monkeypatch.setattr(house.parlour.store, "tournaments_since", settled_later)
    monkeypatch.setattr(house.parlour.store, "tournaments", everything)
    gone = await delete(house, guest, "Xenophilia")
    assert (gone.status, await gone.json()) == (200, {"me": None})
    assert [entry for entry in (await evening.view())["entries"] if entry["status"] == "entered"] == []


async def test_a_deletion_opens_no_tournament_in_which_the_person_has_no_part(house) -> None:
    """Else it would move it to this node, with all its tables, from that which works for it."""
    ann, guest = await house.client("Ann"), await house.client("Xenophilia")
    others = await ann.create_tournament("holdem", "An evening", "mtt")
    own = await guest.create_tournament("chess", "A morning", "swiss")
    entered = await ann.create_tournament("holdem", "A night", "mtt")
    await guest.tournament(entered.code).enter()
    await guest.tournament(others.code).view()
    site, opened = house.site, []
    real, live = site.tournaments.open, site.parlour.live

    async def noted(code: str, *, here: bool = False) -> Table:
        opened.append((code, here))
        return await real(code, here=here)

    site.tournaments.open = noted
    site.parlour.live = lambda: [table for table in live() if not table.state.rules.directs]  # as at another node
    gone = await delete(house, guest, "Xenophilia")
    assert gone.status == 200
    assert {code for code, here in opened if here} == {own.code, entered.code}
    assert others.code not in dict(opened)
    assert [one["status"] for one in (await entered.view())["entries"]] != ["entered"]


async def test_what_another_node_gave_them_during_a_deletion_is_void(house, monkeypatch) -> None:
    people, deletion, guest = house.parlour.people, house.parlour.deletion, await house.client("Xenophilia")
    who = await house.parlour.authenticate(guest.token)
    clean = deletion._clean_tables

    async def renewed_elsewhere(player: str, created: int) -> None:
        monkeypatch.setattr(deletion, "_clean_tables", clean)
        await people._store.add_token(Token(b"late", player, "", 1, 1))
        await clean(player, created)

    monkeypatch.setattr(deletion, "late", 0.001)
    monkeypatch.setattr(deletion, "_clean_tables", renewed_elsewhere)
    await delete(house, guest, "Xenophilia")
    await deletion.finished()
    assert await people._store.tokens_of(who.id) == []


async def test_shelves_are_cleaned_in_turns_of_the_event_loop() -> None:
    class Shelves:
        """Answers at once: every turn of the loop is one that the deletion gives up."""

        async def shelves(self) -> list[str]:
            return ["suggestions"]

        async def documents(self, shelf: str) -> list[tuple[str, bytes]]:
            return [(f"{number}", b"{}") for number in range(10 * DOCUMENTS_AT_ONCE)]

    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    await Deletion(Shelves(), None, None, None, None, None)._clean_shelves("p_______ann")
    counting.cancel()
    assert turns >= 9


async def test_what_was_asked_before_a_deletion_comes_too_late(house, monkeypatch) -> None:
    people = house.parlour.people
    who = await house.parlour.authenticate((await house.client("Ann")).token)
    add = people._store.add_token

    async def add_late(token: Token) -> None:
        await people.delete(who, DELETED)
        await add(token)

    monkeypatch.setattr(people._store, "add_token", add_late)
    assert await people.authenticate(await people.renew(who)) is None
    await people.rename(who, "Ann")
    assert (await people._store.identity(who.id)).name == DELETED


async def test_nobody_deletes_somebody_else_or_by_a_foreign_page(house) -> None:
    ann = await house.client("Ann")
    assert (await house.ask("DELETE", "/api/v1/me", json={"name": "Ann"})).status == 401
    headers = {"Cookie": f"parlour={ann.token}", "Origin": "https://evil.example"}
    answer = await house.ask("DELETE", "/api/v1/me", json={"name": "Ann"}, headers=headers)
    assert answer.status == 403
    assert (await ann.me())["name"] == "Ann"


async def test_the_operator_deletes_somebody_who_has_lost_their_device(serve) -> None:
    secret = "the secret of the operator"
    house = await serve(Config(limits=parse_limits(["all=off"]), operator_secret=secret))
    xen, ben = await house.table("holdem", "Xenophilia", "Ben", action_seconds=0)
    path, shown = f"/api/v1/operator/people/{(await xen._client.me())['id']}", {"X-Parlour-Operator": secret}
    for name, headers, status in (
        ("Xenophilia", {}, 403),
        ("Xenophilia", {"Authorization": f"Bearer {ben._client.token}"}, 403),
        ("Ben", shown, 422),
        ("Xenophilia", shown, 200),
    ):
        assert (await house.ask("DELETE", path, json={"name": name}, headers=headers)).status == status
    await house.parlour.deletion.finished()
    with pytest.raises(ApiError):
        await xen._client.me()
    assert "Xenophilia" not in json.dumps(await ben.view())
    assert (await ben._client.me())["name"] == "Ben"
    missing = await house.ask("DELETE", "/api/v1/operator/people/AAAAAAAAAAAA", json={"name": "x"}, headers=shown)
    assert (missing.status, (await missing.json())["code"]) == (404, "no_such_person")
