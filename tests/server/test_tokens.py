"""A person's devices: listed, signed out one by one or all at once, and by themselves when nobody uses them."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from http.cookies import SimpleCookie

import aiohttp
import pytest
from tests.patience import time_limit

from parlour.client import ApiError, AsyncClient, Connection
from parlour.server import Config, parse_limits
from parlour.server.api.devices import device_name
from parlour.storage.sqlite import SqliteStore
from parlour.tables import SystemEntropy
from parlour.tables.people import DAY, LOOK_FOR_ENDS, SEAT_KEPT, SESSION_DAYS, TOKEN_DAYS, People
from parlour.tables.testing import HandClock

PHONE = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36"
)


async def second_device(house, person) -> AsyncClient:
    """Another client with a token of its own for the same person."""
    other = await house.client()
    await other.redeem((await person.transfer())["code"])
    return other


async def test_a_token_from_a_one_time_link_counts_as_a_new_identity_does(serve) -> None:
    house = await serve(Config(limits=parse_limits(["all=off", "identities=0.001/3"])))
    ann = await house.client("Ann")
    answers = []
    for _ in range(3):  # one link at a time: the next ends the one before
        code = (await ann.transfer())["code"]
        answers.append(await house.ask("POST", "/api/v1/identities/redeem", json={"code": code}))
    assert [answer.status for answer in answers] == [201, 201, 429]


async def test_every_device_is_listed_and_the_current_one_marked(house) -> None:
    ann = await house.client("Ann")
    code = (await ann.transfer())["code"]
    redeemed = await house.ask("POST", "/api/v1/identities/redeem", json={"code": code}, headers={"User-Agent": PHONE})
    assert redeemed.status == 201
    computer, phone = sorted(await ann.request("GET", "/api/v1/me/tokens"), key=lambda one: not one["current"])
    assert (computer["current"], phone["current"]) == (True, False)
    assert phone["device"] == "Chrome, Android"
    assert computer["device"] == "Python"
    for one in (computer, phone):
        assert set(one) == {"id", "device", "created", "used", "current", "ends"}
        assert one["used"] % DAY == 0
        assert one["used"] <= one["created"] < one["used"] + DAY
    assert ann.token not in str([computer, phone])


async def test_a_device_that_is_signed_out_is_out_at_once_with_its_sockets_and_streams(house) -> None:
    ann = await house.client("Ann")
    phone = await second_device(house, ann)
    table = await ann.create_table("chess")
    socket = await phone.open_socket(f"/api/v1/tables/{table.code}/socket", {})
    own = await ann.open_socket(f"/api/v1/tables/{table.code}/socket", {})
    follow = f"{house.url}/api/v1/tables/{table.code}/events?follow=1"
    stream = await phone.session.get(follow, headers=phone._headers())
    for opened in (socket, own):
        assert (await opened.receive_json())["type"] == "welcome"
    (other,) = [one for one in await ann.request("GET", "/api/v1/me/tokens") if not one["current"]]
    left = await ann.request("DELETE", f"/api/v1/me/tokens/{other['id']}")
    assert [one["current"] for one in left] == [True]
    closed = await socket.receive()
    assert (closed.type, closed.data, closed.extra) == (aiohttp.WSMsgType.CLOSE, 1008, "this device was signed out")
    with suppress(aiohttp.ClientError):  # it is cut, not ended in good order
        await stream.read()
    for asking in (phone.me(), phone.create_table("chess"), phone.request("POST", "/api/v1/me/ticket")):
        with pytest.raises(ApiError) as refused:
            await asking
        assert refused.value.status == 401
    assert (await ann.me())["name"] == "Ann"
    await own.send_json({"type": "ping"})
    assert (await own.receive_json()) == {"type": "pong"}
    with pytest.raises(ApiError) as again:
        await ann.request("DELETE", f"/api/v1/me/tokens/{other['id']}")
    assert (again.value.status, again.value.code) == (404, "no_such_token")
    await own.close()


async def test_all_other_devices_are_signed_out_together(house) -> None:
    ann = await house.client("Ann")
    others = [await second_device(house, ann) for _ in range(3)]
    ben = await house.client("Ben")
    left = await ann.request("DELETE", "/api/v1/me/tokens")
    assert [one["current"] for one in left] == [True]
    for other in others:
        with pytest.raises(ApiError):
            await other.me()
    assert (await ben.me())["name"] == "Ben"


async def test_nobody_signs_out_somebody_else(house) -> None:
    ann, eve = await house.client("Ann"), await house.client("Eve")
    (token,) = await ann.request("GET", "/api/v1/me/tokens")
    with pytest.raises(ApiError) as refused:
        await eve.request("DELETE", f"/api/v1/me/tokens/{token['id']}")
    assert refused.value.status == 404
    assert (await ann.me())["name"] == "Ann"
    for method, path in (("GET", ""), ("DELETE", ""), ("DELETE", f"/{token['id']}")):
        assert (await house.ask(method, f"/api/v1/me/tokens{path}")).status == 401


async def test_to_sign_out_here_takes_the_cookie_away(house) -> None:
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(house.url, cookie_jar=jar, headers={"Origin": house.url}) as ann:
        await ann.post("/api/v1/identities", json={"name": "Ann"})
        async with ann.get("/api/v1/me/tokens") as answer:
            (token,) = await answer.json()
        async with ann.delete(f"/api/v1/me/tokens/{token['id']}") as answer:
            assert (answer.status, await answer.json()) == (200, [])
        assert not list(jar)
        async with ann.get("/api/v1/me") as answer:
            assert answer.status == 401


async def test_what_another_process_revokes_is_known_within_a_beat(house) -> None:
    """As `parlour admin revoke` does beside the running server."""
    ann = await house.client("Ann")
    table = await ann.create_table("chess")
    socket = await ann.open_socket(f"/api/v1/tables/{table.code}/socket", {})
    await socket.receive()
    arguments = ("-m", "parlour", "admin", "revoke", "Ann", "--data", str(house.data))
    admin = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=asyncio.subprocess.PIPE)
    out, _ = await admin.communicate()
    assert (admin.returncode, out) == (0, b"signed out 1 device\n")
    assert (await socket.receive()).type is aiohttp.WSMsgType.CLOSE
    with pytest.raises(ApiError) as refused:
        await ann.me()
    assert refused.value.status == 401


async def test_a_token_that_is_used_lasts_and_one_that_is_not_expires(serve) -> None:
    clock = HandClock()
    house = await serve(clock=clock)
    ann = await house.client()
    await ann.register("Ann", bot=True)  # a person's token ends in any case
    idle = await second_device(house, ann)
    for _ in range(3):
        clock.time += (TOKEN_DAYS - 1) * DAY
        assert (await ann.me())["name"] == "Ann", "each use counts anew"
    with pytest.raises(ApiError) as refused:
        await idle.me()
    assert refused.value.status == 401
    used = {one["current"]: one["used"] for one in await ann.request("GET", "/api/v1/me/tokens")}
    assert used[True] == clock.time - clock.time % DAY
    assert used[False] < used[True]


async def cookie_session(house, token: str) -> dict:
    answer = await house.ask("GET", "/api/v1/session", headers={"Cookie": f"parlour={token}"})
    return await answer.json()


async def test_a_session_ends_however_often_it_is_used_and_is_told_before(serve) -> None:
    clock = HandClock()
    house = await serve(clock=clock)
    ann, bot = await house.client("Ann"), await house.client()
    await bot.register("Bot", bot=True)
    began = clock.time
    ends = began + SESSION_DAYS * DAY
    for day, renewable in ((0, False), (299, False), (300, True), (399, True)):
        clock.time = began + day * DAY
        told = await cookie_session(house, ann.token)
        assert (told["me"]["name"], told["ends"], told.get("renewable", False)) == ("Ann", ends, renewable)
    assert [one["ends"] for one in await ann.request("GET", "/api/v1/me/tokens")] == [ends]
    clock.time = ends
    assert await cookie_session(house, ann.token) == {"me": None}
    with pytest.raises(ApiError) as refused:
        await ann.me()
    assert refused.value.status == 401
    assert (await house.parlour.store.census()).tokens == 1
    assert (await bot.me())["name"] == "Bot", "nobody could renew a bot's session"
    assert "ends" not in await cookie_session(house, bot.token)


async def test_a_session_that_is_begun_anew_has_its_full_time_and_a_new_token(serve) -> None:
    clock = HandClock()
    house = await serve(clock=clock)
    ann = await house.client("Ann")
    began, old = clock.time, ann.token
    clock.time = began + 350 * DAY
    (before,) = await ann.request("GET", "/api/v1/me/tokens")
    issued = await ann.request("POST", "/api/v1/me/session")
    assert issued["id"] == (await ann.me())["id"]
    assert issued["token"] != old
    assert (await ann.me())["name"] == "Ann", (
        "the answer might have been lost: the old token is good until it is revoked"
    )
    ann.token = issued["token"]
    (after,) = await ann.request("DELETE", f"/api/v1/me/tokens/{before['id']}")
    assert after["current"]
    assert await cookie_session(house, old) == {"me": None}
    clock.time = began + 700 * DAY
    assert (await ann.me())["name"] == "Ann"


async def test_what_was_opened_with_a_session_ends_with_it(serve) -> None:
    clock = HandClock()
    house = await serve(clock=clock)
    ann = await house.client("Ann")
    table = await ann.create_table("chess")
    socket = await ann.open_socket(f"/api/v1/tables/{table.code}/socket", {})
    await socket.receive()
    clock.time += SESSION_DAYS * DAY
    await house.parlour.people.follow_revocations()
    async with time_limit():
        while (closed := await socket.receive()).type is not aiohttp.WSMsgType.CLOSE:
            pass
    assert (closed.data, closed.extra) == (1008, "this device was signed out")


async def test_nobody_loses_a_seat_in_play_by_the_end_of_a_session(tmp_path) -> None:
    store, clock, playing = SqliteStore(tmp_path / "parlour.db"), HandClock(), True
    await store.open()

    async def plays(player: str) -> bool:
        return playing and player == ann.id

    people = People(store, clock, SystemEntropy(), plays=plays)
    ann, secret = await people.create("Ann")
    await people.authenticate(secret)
    ended = []
    with people.watch(secret) as watch:
        watch.then(lambda: ended.append(clock.time))
        clock.time += SESSION_DAYS * DAY
        await people.follow_revocations()
        assert await people.authenticate(secret) == ann
        assert not ended
        playing = False
        clock.time += LOOK_FOR_ENDS
        await people.follow_revocations()
        assert ended == [clock.time]
    assert await people.authenticate(secret) is None
    ben, secret = await people.create("Ann")
    ann, playing = ben, True
    for time in (clock.time + (SESSION_DAYS - 1) * DAY, clock.time + SESSION_DAYS * DAY + SEAT_KEPT - 1):
        clock.time = time
        assert await people.authenticate(secret) == ben
    clock.time += 1
    assert await people.authenticate(secret) is None, "a day later at the latest"
    await store.close()


async def test_the_directory_tells_who_sits_at_a_table_in_play(house) -> None:
    ann, ben = await house.table("chess", "Ann", "Ben")
    people = [ann._client, ben._client, await house.client("Eve")]
    ids = [(await person.me())["id"] for person in people]
    await house.parlour.stop()
    await house.parlour.store.open()
    assert [await house.parlour._plays(one) for one in ids] == [True, True, False]
    await house.parlour.store.close()


async def test_unused_tokens_are_gone_after_a_restart(serve) -> None:
    clock = HandClock()
    house = await serve(clock=clock)
    ann = await house.client("Ann")
    clock.time += (TOKEN_DAYS + 1) * DAY
    await house.parlour.people.start()
    (held,) = await house.parlour.store._ask("SELECT count(*) FROM tokens")
    assert held == (0,)
    with pytest.raises(ApiError):
        await ann.me()


async def test_a_browser_that_comes_back_keeps_its_cookie(house) -> None:
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(house.url, cookie_jar=jar, headers={"Origin": house.url}) as ann:
        async with ann.post("/api/v1/identities", json={"name": "Ann"}) as answer:
            first = SimpleCookie(answer.headers["Set-Cookie"])["parlour"]
        async with ann.get("/api/v1/me") as answer:
            again = SimpleCookie(answer.headers["Set-Cookie"])["parlour"]
    assert again.value == first.value
    assert int(again["max-age"]) == int(first["max-age"]) == TOKEN_DAYS * 24 * 3600
    assert again["httponly"]
    bot = await house.client("Bot")
    assert "Set-Cookie" not in (await house.ask("GET", "/api/v1/me", headers=bot._headers())).headers


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (PHONE, "Chrome, Android"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox, Linux"),
        (
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
                " Version/17.5 Mobile/15E148 Safari/604.1"
            ),
            "Safari, iPhone",
        ),
        (
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0"
                " Safari/537.36 Edg/126.0.0.0"
            ),
            "Edge, Windows",
        ),
        (
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5"
                " Safari/605.1.15"
            ),
            "Safari, macOS",
        ),
        ("Python/3.11 aiohttp/3.9", "Python"),
        ("curl/8.5.0", "curl"),
        ("Mozilla/5.0", ""),
        ("", ""),
        ("x" * 5000, "x" * 40),
    ],
)
def test_a_device_has_a_short_name(user_agent: str, name: str) -> None:
    assert device_name(user_agent) == name


async def read_on(connection: Connection) -> None:
    async for _ in connection:
        pass


async def test_a_bot_that_is_signed_out_is_told_so_and_does_not_watch_on(house) -> None:
    bot = await house.client("Bot")
    table = await bot.create_table("chess")
    (own,) = await bot.request("GET", "/api/v1/me/tokens")
    async with table.connect() as connection:
        await anext(connection)
        await bot.request("DELETE", f"/api/v1/me/tokens/{own['id']}")
        with pytest.raises(ApiError) as refused:
            async with time_limit():
                await read_on(connection)
    assert refused.value.status == 401
    for asking in (table.view(), table.history(), bot.request("GET", "/api/v1/session")):
        with pytest.raises(ApiError) as again:
            await asking
        assert again.value.status == 401
    assert (await bot.register("Bot"))["name"] == "Bot"
    assert (await table.view())["code"] == table.code
