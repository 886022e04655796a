"""The security log: what it has, that it survives a restart, and what it must not have."""

from __future__ import annotations

import asyncio
import json

from typer.testing import CliRunner

from parlour.cli.admin import app
from parlour.server import Config, parse_limits
from parlour.storage.sqlite import SqliteStore
from parlour.tables import Identity, security
from parlour.tables.security import AT_ONCE, DAY, KEPT_DAYS, OTHERS, TOGETHER, SecurityLog
from parlour.tables.testing import HandClock

SECRET = "the secret of the operator"
SHOWN = {"X-Parlour-Operator": SECRET}
WRONG = "a wrong secret of somebody"


def listed(data) -> list[dict[str, object]]:
    done = CliRunner().invoke(app, ["security", "--data", str(data), "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


async def test_what_happened_is_listed_after_a_restart_and_holds_no_secret(serve, tmp_path) -> None:
    house = await serve(Config(limits=parse_limits(["all=off"]), operator_secret=SECRET))
    ann = await house.client("Ann")
    table = await ann.create_table("chess")
    transfer = await ann.transfer()
    phone = await house.client()
    await phone.redeem(transfer["code"])
    await ann.request("DELETE", "/api/v1/me/tokens")
    for _ in range(5):
        await house.ask("GET", "/api/v1/operator", headers={"X-Parlour-Operator": WRONG})
    for _ in range(3):
        assert (await house.ask("GET", "/api/v1/operator", headers=SHOWN)).status == 200
    await house.ask("GET", "/api/v1/operator")  # who shows nothing has tried nothing
    assert (await house.ask("DELETE", f"/api/v1/operator/tables/{table.code}", headers=SHOWN)).status == 200
    await house.runner.cleanup()
    kept = await asyncio.to_thread(listed, tmp_path)
    told = {(one["what"], one.get("detail", "")): one for one in kept}
    assert set(told) == {
        ("transfer", ""),
        ("signed out", "all other devices"),
        ("operator refused", ""),
        ("operator", ""),
        ("operator power", "DELETE /api/v1/operator/tables/{code}"),
    }
    assert {one["network"] for one in kept} == {"127.0.0.0/24"}
    assert told["transfer", ""]["name"] == "Ann"
    assert told["operator refused", ""]["count"] == 4, "of five: it is written again whenever it has doubled"
    for secret in (ann.token, phone.token, transfer["code"], SECRET, WRONG, table.code):
        assert secret not in json.dumps(kept)
    revoked = await asyncio.to_thread(CliRunner().invoke, app, ["revoke", "Ann", "--data", str(tmp_path)])
    assert revoked.exit_code == 0, revoked.output
    assert (await asyncio.to_thread(listed, tmp_path))[0]["detail"] == "parlour admin, all"


async def test_entries_are_counted_for_an_hour_and_kept_for_a_year(tmp_path) -> None:
    store, clock = SqliteStore(tmp_path / "parlour.db"), HandClock()
    await store.open()
    log = SecurityLog(store, clock)
    for _ in range(2):
        log.note("operator refused", "192.0.2.0/24")
    clock.advance(clock.now() + TOGETHER)
    log.note("operator refused", "192.0.2.0/24")
    await log.finish()
    assert [one.count for one in await log.newest()] == [1, 2]
    clock.advance(clock.now() + (KEPT_DAYS + 1) * DAY)
    after_restart = SecurityLog(store, clock)
    after_restart.note("new key")
    await after_restart.finish()
    assert [one.what for one in await after_restart.newest()] == ["new key"]
    await store.close()


async def test_an_attack_from_everywhere_does_not_fill_the_log(tmp_path) -> None:
    store = SqliteStore(tmp_path / "parlour.db")
    await store.open()
    log = SecurityLog(store, HandClock())
    for number in range(AT_ONCE + 100):
        log.note("operator refused", f"network {number}")
    log.note("transfer", OTHERS, Identity("p", "Ann"))
    await log.finish()
    kept = await log.newest()
    assert len(kept) == AT_ONCE + 2
    assert [one.count for one in kept if one.network == OTHERS and one.what == "operator refused"] == [64]
    await store.close()


async def test_nobody_pushes_out_what_was_done_with_the_operators_secret(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(security, "KEPT", 10)
    store = SqliteStore(tmp_path / "parlour.db")
    await store.open()
    log = SecurityLog(store, HandClock())
    log.note("operator refused", "192.0.2.0/24")
    for number in range(30):  # a guest is made and signed out, again and again
        log.note("signed out", "198.51.100.0/24", Identity(f"p{number}", "Eve"))
        await log.finish()
    await log.tidy()
    kept = await log.newest()
    assert len(kept) == 10
    assert [one.person for one in kept] == [*(f"p{number}" for number in range(29, 20, -1)), ""]
    await store.close()
