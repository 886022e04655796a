"""What the operator's page asks and does: with the secret everything, without it nothing."""

from __future__ import annotations

import re
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from aiohttp import WSCloseCode, WSMsgType
from tests import patience
from tests.patience import time_limit
from typer.testing import CliRunner

import parlour
from parlour.cli import serve as serving
from parlour.cli._settings import MASK
from parlour.server import Config, parse_limits
from parlour.server.access import refusals as memory
from parlour.server.access.addresses import shortened
from parlour.server.access.admission import OPERATOR_HEADER, OVERDRAWN_LIMIT, AdmissionAccounts
from parlour.server.access.refusals import Refusals
from parlour.server.api import operator_api
from parlour.server.api.routing import PARAMETER, Access
from parlour.server.config import parse_networks
from parlour.server.extensions import employ_bots, speak_dialects
from parlour.server.monitoring.monitor import SAMPLES
from parlour.tables.errors import TooMany

SECRET = "a secret of the operator"
SHOWN = {OPERATOR_HEADER: SECRET}
PARAMETERS = {"code": "ABCDEF", "person": "abcdefghijkl"}
ENDPOINTS = [
    (endpoint.method, PARAMETER.sub(lambda found: PARAMETERS[found[1]], endpoint.path))
    for endpoint in operator_api.routes.endpoints
]


def config(*limits: str, **options: Any) -> Config:
    return Config(
        limits=parse_limits(["all=off", *limits]),
        operator_secret=SECRET,
        trusted_proxies=parse_networks(["127.0.0.0/8"]),
        **options,
    )


@pytest.fixture
async def house(serve):
    return await serve(config(), extensions=[employ_bots, speak_dialects])


async def own_id(client) -> str:
    return (await client.me())["id"]


async def operations(house) -> dict[str, Any]:
    answer = await house.ask("GET", "/api/v1/operator", headers=SHOWN)
    assert answer.status == 200
    return await answer.json()


async def until(holds: Callable[[dict[str, Any]], object], house) -> dict[str, Any]:
    """What the operator is told, once it has become so."""
    told: dict[str, Any] = {}

    async def asked() -> object:
        nonlocal told
        told = await operations(house)
        return holds(told)

    await patience.until_found(asked, lambda: told)
    return told


# Who may ask


def test_every_route_of_the_operator_needs_the_secret() -> None:
    assert len(ENDPOINTS) > 5
    assert {endpoint.access for endpoint in operator_api.routes.endpoints} == {Access.OPERATOR}


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
async def test_without_the_secret_nothing_is_told_and_nothing_done(house, method: str, path: str) -> None:
    (ann,) = await house.table("chess", "Ann", start=False, private=True)
    path = path.replace(PARAMETERS["code"], ann.code).replace(PARAMETERS["person"], await own_id(ann._client))
    tries: list[dict[str, str]] = [
        {},
        {OPERATOR_HEADER: ""},
        {OPERATOR_HEADER: SECRET[:-1]},
        {OPERATOR_HEADER: SECRET + " x"},
        {OPERATOR_HEADER: ann._client.token},
        {"Authorization": f"Bearer {ann._client.token}"},
        {"Authorization": f"Bearer {SECRET}"},
    ]
    for headers in tries:
        answer = await house.ask(method, path, params={"who": "Ann"}, headers=headers)
        problem = await answer.json()
        assert (answer.status, answer.content_type) == (403, "application/problem+json")
        assert problem["code"] == "operator_only"
        assert set(problem) == {"type", "title", "status", "detail", "code"}
        assert not any(word in str(problem) for word in (ann.code, SECRET, ann._client.token))
    view = await ann.view()
    assert view["status"] == "waiting", "the table is open as before"
    assert len(await ann._client.request("GET", "/api/v1/me/tokens")) == 1, "nobody was signed out"


async def test_a_server_without_a_secret_has_no_operator(serve) -> None:
    house = await serve()
    for headers in ({}, {OPERATOR_HEADER: ""}, SHOWN):
        assert (await house.ask("GET", "/api/v1/operator", headers=headers)).status == 403


async def test_wrong_secrets_are_charged_like_other_codes(serve) -> None:
    house = await serve(config("guesses=0.001/3"))
    guesser = {"X-Forwarded-For": "192.0.2.7"}

    async def ask(secret: str) -> tuple[int, str]:
        answer = await house.ask("GET", "/api/v1/operator", headers={**guesser, OPERATOR_HEADER: secret})
        return answer.status, (await answer.json()).get("code", "")

    answers = [await ask(f"a guess of the secret {number}") for number in range(5)]
    assert answers == [(403, "operator_only")] * 3 + [(429, "too_many_wrong_codes")] * 2
    assert (await ask(SECRET))[0] == 429, "not even the right one is looked at any more"
    guesser = {"X-Forwarded-For": "198.51.100.7"}
    assert (await ask(SECRET))[0] == 200, "another address has its own account"


async def test_wrong_codes_of_tables_do_not_keep_the_operator_out(serve) -> None:
    """The operator may share an address with every guest: a home network, or a proxy."""
    house = await serve(config("guesses=0.001/3"))
    for number in range(6):
        await house.ask("GET", f"/api/v1/tables/ABCDE{number + 2}")
    assert (await house.ask("GET", "/api/v1/operator", headers=SHOWN)).status == 200


async def test_a_foreign_page_does_nothing_with_the_secret(house) -> None:
    (ann,) = await house.table("chess", "Ann", start=False)
    foreign = {**SHOWN, "Origin": "https://elsewhere.example"}
    answer = await house.ask("DELETE", f"/api/v1/operator/tables/{ann.code}", headers=foreign)
    assert (answer.status, (await answer.json())["code"]) == (403, "foreign_origin")
    assert (await ann.view())["status"] == "waiting"


# What is told


async def test_tables_in_memory_and_who_has_them_open(house) -> None:
    ann, ben = await house.table("holdem", "Ann", "Ben", private=True, name="Friday")
    await ann.host("add_bot")
    watcher = await house.client("Cy")
    sockets = [
        await person._client.open_socket(f"/api/v1/tables/{ann.code}/socket", {}) for person in (ann, ann, ben)
    ] + [await watcher.open_socket(f"/api/v1/tables/{ann.code}/socket", {})]
    told = await until(lambda told: told["connected_people"] == 3, house)
    (table,) = told["tables"]
    view = await ann.view()
    assert {name: table[name] for name in ("code", "game", "name", "host_name", "status", "private", "paused")} == {
        "code": ann.code,
        "game": "holdem",
        "name": "Friday",
        "host_name": "Ann",
        "status": "playing",
        "private": True,
        "paused": False,
    }
    assert (table["people"], table["bots"], table["connected"], table["spectators"]) == (2, 1, 2, 1)
    assert table["round"] == 1
    assert 0 < table["events"] <= view["seq"]
    assert table["created"] <= table["updated"] <= told["now"]
    assert [(person["name"], person["connections"], person["tables"]) for person in told["people"]] == [
        ("Ann", 2, [ann.code]),
        ("Ben", 1, [ann.code]),
        ("Cy", 1, [ann.code]),
    ]
    assert told["sockets"] == 4
    assert told["outage"] is None
    assert (told["database"]["database"], told["database"]["people"]) == ("SQLite", 4)
    for socket in sockets:
        await socket.close()
    await until(lambda told: told["connected_people"] == 0, house)


async def test_no_answer_tells_a_secret_a_token_or_a_card(house) -> None:
    ann, ben = await house.table("holdem", "Ann", "Ben")
    hidden = [SECRET, ann._client.token, ben._client.token]
    told = [
        await (await house.ask("GET", path, headers=SHOWN)).text()
        for path in ("/api/v1/operator", "/api/v1/operator/server", "/api/v1/operator/people?who=Ann")
    ]
    assert all('"' in text for text in told)
    assert not [word for word in hidden for text in told if word in text]
    assert not re.search(r'"(cards|hole|deck|state|seats)"', "".join(told))


async def test_lists_are_cut_and_the_numbers_beside_them_are_not(house, monkeypatch) -> None:
    monkeypatch.setattr(operator_api, "LISTED", 2)
    sockets = []
    for name in ("Ann", "Ben", "Cy"):
        (table,) = await house.table("chess", name, start=False)
        sockets.append(await table._client.open_socket(f"/api/v1/tables/{table.code}/socket", {}))
    told = await until(lambda told: told["connected_people"] == 3, house)
    assert (told["live_tables"], len(told["tables"]), len(told["people"])) == (3, 2, 2)
    assert told["tables"][0]["code"] == table.code, "those that were used last come first"
    for socket in sockets:
        await socket.close()


async def test_the_load_of_the_last_minutes_is_bounded_and_counts_moves(house) -> None:
    await house.table("chess", "Ann", "Ben")
    told = await until(lambda told: sum(told["load"]["moves"]), house)
    lengths = {len(series) for series in told["load"].values()}
    assert len(lengths) == 1
    assert max(told["load"]["requests"]) > 0
    assert max(told["load"]["commit"]) > 0, "a commit takes its time"
    assert max(told["load"]["memory"]) > 10_000_000
    assert told["load"]["at"] == sorted(told["load"]["at"])
    for _ in range(3 * SAMPLES):
        house.site.monitor._sample(house.site.monitor._sampled + 1)
    assert len((await operations(house))["load"]["at"]) == SAMPLES


async def test_a_database_that_is_away_is_told_and_hides_nothing_else(house, monkeypatch) -> None:
    from parlour.storage import outages

    async def away() -> None:
        raise outages.silent()

    (ann,) = await house.table("chess", "Ann", start=False)
    monkeypatch.setattr(house.parlour.store, "check", away)
    monkeypatch.setattr(house.parlour.store, "census", away)
    told = await operations(house)
    assert (told["outage"], told["database"]) == ("database_silent", None)
    assert told["tables"][0]["code"] == ann.code


async def test_versions_limits_and_how_to_back_up(house) -> None:
    facts = await (await house.ask("GET", "/api/v1/operator/server", headers=SHOWN)).json()
    assert facts["versions"]["parlour"] == parlour.__version__
    assert facts["versions"]["database"] == f"SQLite {sqlite3.sqlite_version}"
    assert facts["versions"]["schema"] >= 3
    assert facts["backup"] == "download"
    assert set(facts["limits"].values()) == {"off"}


def test_every_option_of_serve_is_in_force_with_its_source_and_without_a_secret(tmp_path, monkeypatch) -> None:
    found: list[Config] = []
    monkeypatch.setattr("parlour.server.run.run", lambda doors, storage, config, json_logs: found.append(config))
    password = "pass:word@1"
    done = CliRunner().invoke(
        serving.app,
        [f"--data={tmp_path}", "--port=0", "--limit=table=off", "--limit=guesses=1/5", "--no-announce"],
        env={
            "PARLOUR_BOT_PAUSE": "0.5",
            "PARLOUR_OPERATOR_SECRET": SECRET,
            "PARLOUR_DATABASE": f"postgresql://ann:{password}@db.example:5432/parlour?password=word",
        },
    )
    assert done.exit_code == 0, done.output
    told = {one.name: (one.value, one.source) for one in found[0].settings}
    assert told["--port"] == ("0", "command line")
    assert told["--limit"] == ("table=off, guesses=1/5", "command line")
    assert told["--announce"] == ("no", "command line")
    assert told["--bot-pause"] == ("0.5", "environment")
    assert told["--operator-secret"] == (MASK, "environment")
    assert told["--database"] == (f"postgresql://ann:{MASK}@db.example:5432/parlour?{MASK}", "environment")
    assert told["--token-days"] == ("400", "default")
    assert not [value for value, _ in told.values() if SECRET in value or "word" in value]
    help_text = CliRunner().invoke(serving.app, ["--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    options = set(re.findall(r"(?<![\w-])--[a-z-]+", help_text)) - {"--help"}
    assert {name for name in options if not name.startswith("--no-")} == set(told)


def test_a_secret_from_the_data_folder_is_masked_too(tmp_path, monkeypatch) -> None:
    found: list[Config] = []
    monkeypatch.setattr("parlour.server.run.run", lambda doors, storage, config, json_logs: found.append(config))
    assert CliRunner().invoke(serving.app, [f"--data={tmp_path}"]).exit_code == 0
    told = {one.name: (one.value, one.source) for one in found[0].settings}
    assert told["--operator-secret"] == (MASK, "file")
    assert found[0].operator_secret not in str(found[0].settings)


# What is done


async def test_a_table_is_closed_whoever_its_host_is(house) -> None:
    ann, ben = await house.table("holdem", "Ann", "Ben")
    path = f"/api/v1/operator/tables/{ann.code}"
    closed = await house.ask("DELETE", path, headers=SHOWN)
    assert closed.status == 200
    assert (await ann.view())["status"] == "closed"
    assert (await closed.json())["seq"] == (await ann.view())["seq"]
    assert not (await operations(house))["tables"]
    ledger = await ben._client.request("GET", f"/api/v1/tables/{ann.code}/ledger")
    assert sum(line["brought"] - line["taken"] for line in ledger) == 0, "every chip was taken along"
    assert (await house.ask("DELETE", path, headers=SHOWN)).status == 409
    assert (await house.ask("DELETE", "/api/v1/operator/tables/NOSUCH", headers=SHOWN)).status == 404


async def test_somebody_is_signed_out_everywhere(house) -> None:
    ann, ben = await house.client("Ann"), await house.client("Ben")
    phone = await house.client()
    await phone.redeem((await ann.transfer())["code"])
    table = await ann.create_table("chess")
    socket = await phone.open_socket(f"/api/v1/tables/{table.code}/socket", {})

    async def found(who: str) -> Sequence[dict[str, Any]]:
        return await (await house.ask("GET", "/api/v1/operator/people", params={"who": who}, headers=SHOWN)).json()

    person = await own_id(ann)
    (by_name,) = await found("Ann")
    assert by_name == (await found(person))[0]
    assert (by_name["id"], len(by_name["devices"])) == (person, 2)
    assert await found("Nobody") == []
    path = "/api/v1/operator/people/{}/tokens"
    answer = await house.ask("DELETE", path.format(person), headers=SHOWN)
    assert (answer.status, await answer.json()) == (200, {"devices": 2})
    async with time_limit():
        while (message := await socket.receive()).type is WSMsgType.TEXT:
            pass
    assert (message.type, message.data) == (WSMsgType.CLOSE, WSCloseCode.POLICY_VIOLATION)
    for device, status in ((ann, 401), (phone, 401), (ben, 200)):
        headers = {"Authorization": f"Bearer {device.token}"}
        assert (await house.ask("GET", "/api/v1/me", headers=headers)).status == status
    assert (await found("Ann"))[0]["devices"] == []
    assert (await house.ask("DELETE", path.format("nobody-known"), headers=SHOWN)).status == 404


# The backup


@pytest.fixture
def temporary(tmp_path, monkeypatch) -> Path:
    """Where temporary files of this test are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


async def until_copied(house) -> None:
    """The server removes its copy after the last byte was sent."""
    await patience.until(lambda: not house.site.copying.locked())


async def test_a_backup_is_a_whole_database_made_while_the_server_runs(house, tmp_path, temporary) -> None:
    ann, _ = await house.table("chess", "Ann", "Ben")
    copy = tmp_path / "copy.db"
    async with (
        aiohttp.ClientSession(house.url) as session,
        session.get("/api/v1/operator/backup", headers=SHOWN) as answer,
    ):
        assert answer.status == 200
        assert re.search(r'attachment; filename="parlour-[\d-]+\.db"', answer.headers["Content-Disposition"])
        copy.write_bytes(await answer.read())
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT code FROM tables").fetchall() == [(ann.code,)]
        ((epoch,),) = database.execute("SELECT value FROM meta WHERE name = 'epoch'").fetchall()
    assert epoch != house.parlour.store.epoch
    await until_copied(house)
    assert not list(temporary.iterdir()), "nothing is left behind"


async def test_one_backup_is_made_at_a_time(house) -> None:
    async with house.site.copying:
        answer = await house.ask("GET", "/api/v1/operator/backup", headers=SHOWN)
    assert (answer.status, (await answer.json())["code"]) == (409, "backup_under_way")
    assert (await house.ask("GET", "/api/v1/operator/backup", headers=SHOWN)).status == 200


async def test_no_backup_fills_the_disk(house, monkeypatch, temporary) -> None:
    monkeypatch.setattr(operator_api.shutil, "disk_usage", lambda folder: SimpleNamespace(free=1000))
    answer = await house.ask("GET", "/api/v1/operator/backup", headers=SHOWN)
    assert (answer.status, (await answer.json())["code"]) == (503, "disk_full")
    assert not list(temporary.iterdir())


async def test_a_reader_who_goes_away_leaves_nothing_behind(house, temporary) -> None:
    await house.parlour.store.keep("test", "large", bytes(20_000_000))
    async with aiohttp.ClientSession(house.url) as session:
        answer = await session.get("/api/v1/operator/backup", headers=SHOWN)
        assert len(await answer.content.read(1000)) == 1000
        answer.close()
    await until_copied(house)
    assert not list(temporary.iterdir())


# The log of refusals


async def test_refusals_are_noted_by_route_and_network_and_hold_no_secret(serve) -> None:
    house = await serve(config("guesses=0.001/1"), extensions=[speak_dialects])
    ann, _ = await house.table("chess", "Ann", "Ben")
    stranger = await house.client("Cy")
    for _ in range(3):
        await house.ask("GET", "/api/v1/me", headers={"Authorization": "Bearer open-sesame"})
    headers = {"Authorization": f"Bearer {stranger.token}", "X-Forwarded-For": "2001:db8:1:2:3::4"}
    await house.ask("POST", f"/api/v1/tables/{ann.code}/host/pause", json={}, headers=headers)
    for code in ("WRONGA", "WRONGB"):
        await house.ask("GET", f"/api/v1/tables/{code}", headers={"X-Forwarded-For": "192.0.2.77"})
    told = (await operations(house))["refusals"]
    assert [(one["status"], one["code"], one["address"], one["route"], one["count"]) for one in told] == [
        (429, "too_many_wrong_codes", "192.0.2.0/24", "/api/v1/tables/{code}", 1),
        (403, "not_host", "2001:db8:1::/48", "/api/v1/tables/{code}/host/{power}", 1),
        (401, "not_authenticated", "127.0.0.0/24", "/api/v1/me", 3),
    ]
    for word in (ann.code, "open-sesame", "WRONGB", "192.0.2.77", stranger.token):
        assert word not in str(told)


async def test_refused_frames_are_noted_too(house) -> None:
    (ann,) = await house.table("chess", "Ann", start=False)
    stranger = await house.client("Cy")
    socket = await stranger.open_socket(f"/api/v1/tables/{ann.code}/socket", {})
    await socket.send_json({"type": "host", "id": "1", "power": "pause"})
    told = await until(lambda told: told["refusals"], house)
    (refusal,) = told["refusals"]
    assert (refusal["code"], refusal["route"]) == ("not_host", "/api/v1/tables/{code}/socket")
    await socket.close()


def test_what_is_refused_before_any_request_is_noted_too() -> None:
    admission = AdmissionAccounts(Config(limits=parse_limits(["all=off", "connections_per_address=1", "frames=1/1"])))
    assert admission.accepts("192.0.2.1")
    assert not admission.accepts("192.0.2.1")
    request: Any = SimpleNamespace(remote="198.51.100.1", headers={})
    connection = admission.connection(request)
    for _ in range(1 + OVERDRAWN_LIMIT):
        connection.packet()
    with pytest.raises(TooMany):
        connection.packet()
    assert [(one.code, one.address, one.route) for one in admission.refusals.newest(10)] == [
        ("too_many_frames", "198.51.100.0/24", "connection"),
        ("too_many_connections", "192.0.2.0/24", "connection"),
    ]


def test_only_so_many_refusals_are_remembered() -> None:
    refusals = Refusals()
    for number in range(memory.KEPT + 50):
        refusals.note(403, "not_host", "192.0.2.1", "/first")
        refusals.note(429, "too_many_requests", "192.0.2.1", f"/{number}")
        refusals.note(404, "not_found", "192.0.2.1", "/x")
    kept = refusals.newest(1000)
    assert len(kept) == memory.KEPT
    assert [one.route for one in kept[:3]] == [f"/{memory.KEPT + 49}", "/first", f"/{memory.KEPT + 48}"]
    assert kept[1].count == memory.KEPT + 50
    assert len(refusals.newest(5)) == 5


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2::3", "2001:db8:1::/48"),
        ("2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("a name", "unknown"),
    ],
)
def test_an_address_is_shown_by_its_network(address: str, shown: str) -> None:
    assert shortened(address) == shown
