"""The operator's commands."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from itertools import cycle

import pytest
from typer.testing import CliRunner

from parlour.cli.admin import app
from parlour.server.access.operator import VARIABLE, read_secret
from parlour.server.compose import open_parlour
from parlour.storage.sqlite import SqliteStore
from parlour.tables.suggestions import SHOWN, SuggestionBox
from parlour.tables.testing import HandClock


async def an_evening(data):
    house = open_parlour(data)
    await house.start()
    ada, token = await house.create_identity("Ada")
    info = await house.create_table(ada, "chess", {})
    await house.stop()
    return info.code, token


def test_records_are_rebuilt_and_the_database_is_copied(tmp_path):
    data = tmp_path / "data"
    code, token = asyncio.run(an_evening(data))
    run = CliRunner().invoke
    done = run(app, ["rebuild", "--data", str(data)])
    assert (done.exit_code, done.output) == (0, "derived the records of 1 table from the log\n")
    copied = tmp_path / "copy" / "parlour.db"
    copied.parent.mkdir()
    assert run(app, ["backup", str(copied), "--data", str(data)]).exit_code == 0
    assert isinstance(run(app, ["backup", str(copied), "--data", str(data)]).exception, FileExistsError)
    assert isinstance(run(app, ["backup", "x", "--data", str(tmp_path)]).exception, ValueError)
    (data / "parlour.key").rename(copied.parent / "parlour.key")

    async def look():
        house = open_parlour(copied.parent)
        await house.start()
        assert (await house.authenticate(token)).name == "Ada"
        assert (await house.open(code)).state.status() == "waiting"
        await house.stop()

    asyncio.run(look())


def test_all_suggestions_are_listed_the_newest_first(tmp_path):
    """Not only the last ones, which anybody may read over HTTP."""
    run = CliRunner().invoke
    listing = ["suggestions", "--data", str(tmp_path)]
    asyncio.run(an_evening(tmp_path))
    assert run(app, listing).output == "The box is empty.\n"
    assert run(app, [*listing, "--json"]).output == "[]\n"

    async def suggest():
        house = open_parlour(tmp_path)
        await house.store.open()
        clock = HandClock()
        box = SuggestionBox(house.store, clock)
        for number in range(SHOWN + 2):
            await box.add(f"Nr {number}", "More snacks.")
            clock.time += 60_000
        await house.store.close()

    asyncio.run(suggest())
    kept = json.loads(run(app, [*listing, "--json"]).output)
    assert [one["title"] for one in kept] == [f"Nr {number}" for number in reversed(range(SHOWN + 2))]
    assert kept[0]["at"] - kept[1]["at"] == 60_000
    told = run(app, listing).output.splitlines()
    assert len(told) == 2 * len(kept)


def test_somebody_is_signed_out_by_the_operator(tmp_path):
    async def sign_in():
        house = open_parlour(tmp_path)
        await house.start()
        ada, first = await house.create_identity("Ada", device="Firefox, Linux")
        _, second = await house.redeem(await house.transfer(ada))
        bo, _ = await house.create_identity("Bo")
        await house.create_identity("Bo")
        await house.stop()
        return ada.id, bo.id, first, second

    ada, bo, first, second = asyncio.run(sign_in())

    def run(*arguments):
        return CliRunner().invoke(app, [*arguments, "--data", str(tmp_path)])

    listed = run("tokens", "Ada")
    assert listed.exit_code == 0
    head, *devices = listed.output.splitlines()
    assert head == f"Ada ({ada})"
    assert sorted(line.split("  ")[-1] for line in devices) == ["Firefox, Linux", "unknown device"]
    assert first not in listed.output
    (person,) = json.loads(run("tokens", ada, "--json").output)
    phone, laptop = sorted(person["tokens"], key=lambda one: one["device"])
    assert (laptop["device"], phone["device"]) == ("Firefox, Linux", "")
    assert run("revoke", "Ada", laptop["id"]).output == "signed out 1 device\n"
    assert "no device with the id" in str(run("revoke", "Ada", laptop["id"]).exception)
    assert "nobody with the id or the name" in str(run("tokens", "Cy").exception)
    ambiguous = str(run("revoke", "Bo").exception)
    assert "2 people are called" in ambiguous
    assert bo in ambiguous
    assert run("revoke", bo).output == "signed out 1 device\n"

    async def look():
        house = open_parlour(tmp_path)
        await house.start()
        known = [await house.authenticate(token) for token in (first, second)]
        await house.stop()
        return [identity and identity.name for identity in known]

    assert asyncio.run(look()) == [None, "Ada"]
    assert run("revoke", ada).output == "signed out 1 device\n"
    assert asyncio.run(look()) == [None, None]
    assert run("tokens", ada).output.splitlines()[1:] == ["    signed in nowhere"]


def test_ids_and_names_may_begin_with_a_dash(tmp_path):
    async def sign_in():
        house = open_parlour(tmp_path)
        await house.start()
        _, token = await house.create_identity("-wary")
        while not (await house.people.devices((await house.authenticate(token)).id))[-1].id.startswith("-"):
            _, token = await house.create_identity("Ada")
        found = await house.authenticate(token)
        (device,) = await house.people.devices(found.id)
        await house.stop()
        return found.id, device.id

    person, device = asyncio.run(sign_in())

    def run(*arguments):
        return CliRunner().invoke(app, [*arguments, "--data", str(tmp_path)])

    assert run("tokens", "-wary").output.startswith("-wary (")
    assert device.startswith("-")
    assert run("revoke", person, device).output == "signed out 1 device\n"
    assert "nobody with the id or the name" in str(run("tokens", "-nobody").exception)


def test_a_database_needs_no_data_folder(tmp_path, postgres_url):
    ended = CliRunner().invoke(app, ["rebuild", "--data", str(tmp_path / "none"), "--database", postgres_url])
    assert ended.exit_code == 0, ended.exception


@pytest.mark.parametrize("by", ["options", "environment"])
def test_the_commands_take_several_databases(tmp_path, spread_urls, by, monkeypatch):
    async def evening():
        house = open_parlour(tmp_path, spread_urls)
        ends = cycle(("", ".1", ".2"))
        monkeypatch.setattr(house.store, "place_table", lambda fresh: fresh + next(ends))
        await house.start()
        ada, _ = await house.create_identity("Ada")
        tables = [(await house.create_table(ada, "chess", {})).code for _ in range(12)]
        parts = {house.store.part((await house.store.table(code)).id) for code in tables}
        await house.stop()
        return parts

    assert asyncio.run(evening()) == {0, 1, 2}
    options = ["--data", str(tmp_path)]
    if by == "options":
        options += [part for url in spread_urls for part in ("--database", url)]
    else:
        monkeypatch.setenv("PARLOUR_DATABASE", " ".join(spread_urls))
    run = CliRunner().invoke
    assert run(app, ["rebuild", *options]).output == "derived the records of 12 tables from the log\n"
    assert run(app, ["tokens", "Ada", *options]).output.startswith("Ada (")
    assert run(app, ["suggestions", *options]).output == "The box is empty.\n"
    monkeypatch.delenv("PARLOUR_DATABASE", raising=False)
    refused = run(app, ["rebuild", "--data", str(tmp_path), "--database", spread_urls[0]])
    assert "first of 3 databases" in str(refused.exception)


def test_the_operators_commands_make_no_key(tmp_path):
    """One that is missing must be missed when the server starts."""
    for command in ("suggestions", "rebuild"):
        asyncio.run(an_evening(tmp_path))
        (tmp_path / "parlour.key").unlink()
        done = CliRunner().invoke(app, [command, "--data", str(tmp_path)])
        assert not (tmp_path / "parlour.key").exists()
        assert (done.exit_code == 0) == (command == "suggestions")
        (tmp_path / "parlour.db").unlink()


@pytest.mark.parametrize(
    "command", [["tokens", "Ada"], ["revoke", "Ada"], ["suggestions"], ["rebuild"], ["secret"], ["backup", "copy.db"]]
)
def test_a_folder_without_a_house_is_said_to_be_one_and_left_as_it_is(tmp_path, command):
    done = CliRunner().invoke(app, [*command, "--data", str(tmp_path)])
    assert isinstance(done.exception, ValueError)
    assert f"in {tmp_path}" in str(done.exception)
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_cannot_be_written_is_told_in_a_line(tmp_path, monkeypatch):
    monkeypatch.setattr("parlour.cli.admin.PATIENCE", 0.01)
    path = tmp_path / "parlour.db"

    async def make():
        store = SqliteStore(path)
        await store.open()
        await store.close()

    asyncio.run(make())
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        done = CliRunner().invoke(app, ["security", "--data", str(tmp_path)])
    assert type(done.exception) is OSError
    assert "database is locked" in str(done.exception)


def test_the_secret_that_counts_is_printed(tmp_path):
    secret = read_secret(tmp_path)
    command = ["secret", "--data", str(tmp_path)]
    assert CliRunner().invoke(app, command).output == secret + "\n"
    chosen = "chosen by the operator"
    assert CliRunner(env={VARIABLE: chosen}).invoke(app, command).output == chosen + "\n"
