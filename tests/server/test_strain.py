"""The budget of the whole server: when prices rise, for whom, and when they fall again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from unittest.mock import patch
from uuid import UUID

import aiohttp
import pytest
from tests.patience import until

from parlour.server import Config, parse_limits
from parlour.server.access.admission import AdmissionAccounts
from parlour.server.access.limits import AddressLimiter, AddressQuota, Rate
from parlour.server.access.strain import (
    CALM_VERDICTS,
    LATE_SECONDS,
    LOOKS,
    OWN_SHARE,
    PLAYERS,
    PLAYING_SECONDS,
    STRANGERS,
    TICK,
    Strain,
)
from parlour.server.extensions import DIALECTS, speak_dialects
from parlour.tables.errors import TooMany

from .conftest import Running, Serve

Ask = Callable[..., Awaitable[Any]]
Play = Callable[[Running, Ask], AsyncIterator[int | None]]
STRANGER, PLAYER = "192.0.2.1", "192.0.2.2"


class Loop:
    """An event loop that is as late and as busy as it is told."""

    def __init__(self) -> None:
        self.now = self.busy = 100.0
        self.strain = Strain(lambda: self.now, lambda: self.busy)
        self.strain._begin(self.now)

    def verdicts(self, count: int, late: float, share: float = 1.0) -> None:
        for _ in range(count * LOOKS):
            self.now += TICK + late
            self.busy += (TICK + late) * share
            self.strain.look()


@pytest.fixture
def loop() -> Loop:
    return Loop()


def test_prices_double_while_the_loop_is_late_for_strangers_first(loop: Loop) -> None:
    loop.strain.plays(PLAYER)
    prices = []
    for _ in range(STRANGERS + PLAYERS + 2):
        loop.verdicts(1, late=2 * LATE_SECONDS)
        prices.append((loop.strain.price(STRANGER), loop.strain.price(PLAYER)))
    assert prices == [
        *[(2.0**level, 1.0) for level in range(1, STRANGERS + 1)],
        *[(2.0**STRANGERS, 2.0**level) for level in range(1, PLAYERS + 1)],
        *[(2.0**STRANGERS, 2.0**PLAYERS)] * 2,
    ]


def test_prices_fall_when_the_loop_is_in_time_and_are_usual_within_ten_seconds(loop: Loop) -> None:
    loop.verdicts(STRANGERS + PLAYERS, late=2 * LATE_SECONDS)
    loop.verdicts(CALM_VERDICTS, late=0.0)
    assert loop.strain.level == STRANGERS + PLAYERS - 1
    loop.verdicts(CALM_VERDICTS * (STRANGERS + PLAYERS - 1), late=0.0)
    assert loop.strain.price(STRANGER) == 1.0
    assert CALM_VERDICTS * (STRANGERS + PLAYERS) * LOOKS * TICK < 10


async def test_the_loop_is_watched_from_the_start_until_the_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.server.access.strain.TICK", 0)
    looks: list[int] = []
    strain = Strain(lambda: 0.0, lambda: 0.0)
    monkeypatch.setattr(strain, "look", lambda: looks.append(1))
    strain.start()
    await until(lambda: len(looks) > LOOKS)
    strain.stop()
    before = len(looks)
    for _ in range(5):
        await asyncio.sleep(0)
    assert len(looks) == before


def test_a_loop_that_waits_for_other_programs_is_not_late(loop: Loop) -> None:
    loop.verdicts(20, late=10 * LATE_SECONDS, share=OWN_SHARE / 2)
    assert loop.strain.level == 0


def test_one_long_turn_raises_nothing_for_long(loop: Loop) -> None:
    loop.verdicts(1, late=10 * LATE_SECONDS)
    loop.verdicts(CALM_VERDICTS, late=0.0)
    assert loop.strain.level == 0


def test_whoever_stops_playing_is_a_stranger_after_a_while(loop: Loop) -> None:
    loop.strain.plays(PLAYER)
    loop.verdicts(1, late=2 * LATE_SECONDS)
    assert loop.strain.price(PLAYER) == 1.0
    loop.now += PLAYING_SECONDS
    assert loop.strain.price(PLAYER) == 2.0


def test_prices_are_paid_for_everything_that_is_asked() -> None:
    admission = AdmissionAccounts(Config(), clock=lambda: 0.0)
    admission.strain.plays(PLAYER)
    admission.strain.level = STRANGERS
    for account in (STRANGER, PLAYER):
        admission.requests.charge(account, 20)
    owed = [admission.requests.owed(account) > 0 for account in (STRANGER, PLAYER)]
    assert owed == [True, False], "320 of a burst of 200, and 20"


async def test_a_command_makes_its_address_that_of_a_player_and_looking_does_not(house) -> None:
    strain = house.site.admission.strain
    ann = await house.client("Ann")
    await ann.request("GET", "/api/v1/tables")
    assert not strain._playing
    tables = await house.table("chess", "Bob", start=False)
    assert set(strain._playing) == {"127.0.0.1"}
    strain._playing.clear()
    async with tables[0].connect() as socket:
        await socket.chat("hello")
    assert set(strain._playing) == {"127.0.0.1"}


async def chess_mate(server: Running, ask: Ask) -> AsyncIterator[int | None]:
    game = (await ask("POST", "/chessmate/new-game"))["game"]
    own = {"browser_id": game["browser_id"]}
    for target, count in (("e5", 0), ("e4", 1)):
        await ask("GET", f"/chessmate/make-move/e2/{target}", headers=own)
        yield count


async def lichess(server: Running, ask: Ask) -> AsyncIterator[int | None]:
    ann = await server.client("Ann")
    table = await ann.create_table("chess", side="white", minutes=10)
    await table.sit()
    await (await server.client("Ben")).table(table.code).sit()
    await table.start()
    own = {"Authorization": f"Bearer {ann.token}"}
    yield None
    for move, count in (("e2e5", 0), ("e2e4", 1)):
        await ask("POST", f"/lichess/api/board/game/{table.code}/move/{move}", headers=own)
        yield count


async def dogker(server: Running, ask: Ask) -> AsyncIterator[int | None]:
    user = (await ask("POST", "/dogker/users", json={}))["payload"]
    told = await ask("GET", "/dogker/socket.io/?EIO=3&transport=polling")
    path = f"/dogker/socket.io/?EIO=3&transport=polling&sid={told['sid']}"
    for code, count in (("NOTHINGTHERE", 0), (user["code"], 1)):
        packet = "42" + json.dumps(["createOrJoinRoom", {"userId": user["_id"], "gameCode": code, "username": "Ann"}])
        await ask("POST", path, data=f"{len(packet)}:{packet}")
        yield count


async def gateau(server: Running, ask: Ask) -> AsyncIterator[int | None]:
    games: Any = server.runner.app[DIALECTS]["gateau"]
    move = {"secret_id": str(UUID(int=1)), "action": "fold", "value": 0, "game_id": ""}
    await ask("POST", "/gateau/game", json=move)
    yield 0
    with patch.object(games._games, "move"):  # a client would have to serve callbacks
        await ask("POST", "/gateau/game", json=move)
    yield 1


@pytest.mark.parametrize("play", [chess_mate, lichess, dogker, gateau])
async def test_a_command_of_a_dialect_makes_its_address_that_of_a_player(serve: Serve, play: Play) -> None:
    """Each yields how many addresses play after a command that is refused and after one that is carried out; None for
    what comes before."""
    server = await serve(extensions=[speak_dialects])
    async with aiohttp.ClientSession() as session:

        async def ask(method: str, path: str, **options: Any) -> Any:
            async with session.request(method, server.url + path, **options) as answer:
                text = await answer.text()
                return json.loads(text[text.index("{") : text.rindex("}") + 1]) if "{" in text else text

        playing = server.site.admission.strain._playing
        async for count in play(server, ask):
            assert count is None or len(playing) == count
            playing.clear()


async def test_a_server_watches_its_loop_from_start_to_stop(house) -> None:
    assert house.site.admission.strain._timer is not None
    await house.runner.cleanup()
    assert house.site.admission.strain._timer is None


# IPv6


def site(number: int) -> str:
    return f"2001:db8:1:{number:x}::/64"


def test_all_sites_of_an_ipv6_48_share_a_wider_rate() -> None:
    limiter = AddressLimiter(Rate(0.001, 5), "requests", lambda: 0.0)
    waits = [limiter.charge(site(number)) for number in range(200)]
    assert waits[:80] == [0.0] * 80, "as much as sixteen addresses"
    assert all(waits[80:])
    assert limiter.owed(site(999)) > 0
    assert limiter.charge("2001:db8:2:1::/64") == 0.0, "another /48"
    assert limiter.charge("192.0.2.1") == 0.0


def test_a_refusal_of_a_48_counts_nothing_more() -> None:
    limiter = AddressLimiter(Rate(0.001, 1), "identities", lambda: 0.0)
    for number in range(16):
        limiter.check(site(number))
    with pytest.raises(TooMany):
        limiter.check(site(16))
    assert site(16) not in limiter._due


def test_all_sites_of_an_ipv6_48_share_their_places() -> None:
    quota = AddressQuota(2, "connections")
    for number in range(32):
        quota.take(site(number))
    assert quota.is_full(site(99))
    with pytest.raises(TooMany):
        quota.take(site(99))
    assert not quota.is_full("2001:db8:2::/64")
    quota.give_back(site(0))
    quota.take(site(99))


def test_connections_of_a_48_are_counted_together_at_the_entry() -> None:
    admission = AdmissionAccounts(Config(limits=parse_limits(["all=off", "connections_per_address=1"])))
    accepted = [admission.accepts(f"2001:db8:1:{number:x}::1") for number in range(20)]
    assert accepted == [True] * 16 + [False] * 4
    admission.hung_up("2001:db8:1:0::1")
    assert admission.accepts("2001:db8:1:ff::1")
