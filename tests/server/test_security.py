"""Each promise about secrets and strangers, by its name."""

from __future__ import annotations

import base64
import sqlite3
from http.cookies import SimpleCookie
from pathlib import Path

import aiohttp
import pytest
import structlog

from parlour.client import ApiError
from parlour.server import Config, parse_limits
from parlour.server.config import parse_networks, parse_origins
from parlour.tables.testing import HandClock

FOREIGN = "https://evil.example"


def everything_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())


def limit_to(house, limit: str) -> None:
    """From now on this limit holds, and no other; what was asked before does not count."""
    house.site.admission.__init__(Config(limits=parse_limits(["all=off", limit])))


def browser(house, **headers: str) -> aiohttp.ClientSession:
    """A browser keeps cookies and says which page asks."""
    return aiohttp.ClientSession(
        house.url, cookie_jar=aiohttp.CookieJar(unsafe=True), headers={"Origin": house.url, **headers}
    )


async def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(house) -> None:
    async with browser(house) as ann, ann.post("/api/v1/identities", json={"name": "Ann"}) as answer:
        cookie = SimpleCookie(answer.headers["Set-Cookie"])["parlour"]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"
        assert cookie["path"] == "/"
        assert not cookie["secure"], "on plain http a secure cookie would never come back"
        assert answer.headers["Cache-Control"] == "no-store"


BEHIND_TLS = {"X-Forwarded-Proto": "https"}
ALL_OFF = parse_limits(["all=off"])
TRUSTS_ITS_PROXY = Config(limits=ALL_OFF, trusted_proxies=parse_networks(["127.0.0.1"]))


@pytest.fixture
async def behind_tls(serve):
    """A server behind a proxy that it trusts."""
    return await serve(TRUSTS_ITS_PROXY)


async def test_the_cookie_is_bound_to_its_host_behind_https(behind_tls) -> None:
    async with (
        browser(behind_tls) as ann,
        ann.post("/api/v1/identities", json={"name": "Ann"}, headers=BEHIND_TLS) as answer,
    ):
        cookies = SimpleCookie("\n".join(answer.headers.getall("Set-Cookie")))
    assert set(cookies) == {"__Host-parlour"}
    cookie = cookies["__Host-parlour"]
    assert (cookie["secure"], cookie["httponly"]) == (True, True)
    assert (cookie["path"], cookie["domain"], cookie["samesite"]) == ("/", "", "Lax")


async def test_a_browser_with_the_old_cookie_stays_signed_in_and_gets_the_new_one(serve) -> None:
    clock = HandClock()
    behind_tls = await serve(TRUSTS_ITS_PROXY, clock=clock)
    ann = await behind_tls.client("Ann")
    clock.time += 1
    old = {**BEHIND_TLS, "Cookie": f"parlour={ann.token}"}
    answer = await behind_tls.ask("GET", "/api/v1/session", headers=old)
    assert (await answer.json())["me"]["name"] == "Ann"
    lines = {line.partition("=")[0]: line for line in answer.headers.getall("Set-Cookie")}
    assert set(lines) == {"parlour", "__Host-parlour"}
    assert f"={ann.token};" in lines["__Host-parlour"]
    assert "Max-Age=0" in lines["parlour"]
    new = {**BEHIND_TLS, "Cookie": f"__Host-parlour={ann.token}"}
    answer = await behind_tls.ask("GET", "/api/v1/session", headers=new)
    assert (await answer.json())["me"]["name"] == "Ann"
    assert [line.partition("=")[0] for line in answer.headers.getall("Set-Cookie")] == ["__Host-parlour"]


async def test_a_cookie_that_another_host_may_have_set_does_not_count_beside_the_bound_one(behind_tls) -> None:
    ann, eve = await behind_tls.client("Ann"), await behind_tls.client("Eve")
    both = {**BEHIND_TLS, "Cookie": f"parlour={eve.token}; __Host-parlour={ann.token}"}
    answer = await behind_tls.ask("GET", "/api/v1/me", headers=both)
    assert (await answer.json())["name"] == "Ann"


@pytest.mark.parametrize("after", ["restart", "no restart"])
async def test_no_page_of_another_host_signs_a_newcomer_in_as_itself(serve, after: str) -> None:
    """Such a page can set the plain cookie for all hosts of the site, but only with a session that it began itself."""
    clock = HandClock()
    house = await serve(TRUSTS_ITS_PROXY, clock=clock)
    eve = await (await house.ask("POST", "/api/v1/identities", json={"name": "Eve"}, headers=BEHIND_TLS)).json()
    clock.time += 1
    over_http = await house.client("Eve")
    clock.time += 1
    if after == "restart":
        await house.runner.cleanup()
        house = await serve(TRUSTS_ITS_PROXY, clock=clock)
    for token in (eve["token"], over_http.token):
        planted = {**BEHIND_TLS, "Cookie": f"parlour={token}"}
        answer = await house.ask("GET", "/api/v1/session", headers=planted)
        assert (await answer.json())["me"] is None
        assert "Set-Cookie" not in answer.headers
        assert (await house.ask("GET", "/api/v1/me", headers=planted)).status == 401
    answer = await house.ask("GET", "/api/v1/session", headers={"Cookie": f"parlour={over_http.token}"})
    assert (await answer.json())["me"]["name"] == "Eve", "over plain http there is no other cookie"
    new = await house.ask("POST", "/api/v1/identities", json={"name": "Ann"}, headers={**planted, "Origin": house.url})
    assert "__Host-parlour=" in "".join(new.headers.getall("Set-Cookie"))


async def test_to_sign_out_behind_https_takes_the_bound_cookie_away(behind_tls) -> None:
    ann = await behind_tls.client("Ann")
    (own,) = await ann.request("GET", "/api/v1/me/tokens")
    headers = {**BEHIND_TLS, "Cookie": f"__Host-parlour={ann.token}", "Origin": behind_tls.url}
    answer = await behind_tls.ask("DELETE", f"/api/v1/me/tokens/{own['id']}", headers=headers)
    (line,) = [one for one in answer.headers.getall("Set-Cookie") if one.startswith("__Host-")]
    assert "Max-Age=0" in line
    assert "Secure" in line, "a browser would not take it otherwise"


async def test_a_page_that_leans_on_the_bound_cookie_must_be_ours(behind_tls) -> None:
    ann = await behind_tls.client("Ann")
    for origin in ({}, {"Origin": FOREIGN}):
        headers = {**BEHIND_TLS, "Cookie": f"__Host-parlour={ann.token}", **origin}
        answer = await behind_tls.ask("POST", "/api/v1/tables", json={"game": "chess"}, headers=headers)
        assert (answer.status, (await answer.json())["code"]) == (403, "foreign_origin")


async def test_browsers_are_told_to_stay_on_https_and_never_over_plain_http(behind_tls) -> None:
    for path in ("/", "/api/v1/session", "/api/v1/me"):
        secure = await behind_tls.ask("GET", path, headers=BEHIND_TLS)
        assert secure.headers["Strict-Transport-Security"] == "max-age=31536000"
        for plain in ({}, {"X-Forwarded-Proto": "http"}, {"X-Forwarded-Proto": "https, http"}):
            assert "Strict-Transport-Security" not in (await behind_tls.ask("GET", path, headers=plain)).headers


async def test_under_the_public_address_https_is_what_the_operator_says(serve) -> None:
    house = await serve(Config(limits=ALL_OFF, public_url="https://play.example", host_names=frozenset("*")))
    told = {}
    for host in ("play.example", "play.example:443", "play.example:8080", "127.0.0.1", "other.example"):
        answer = await house.ask("POST", "/api/v1/identities", json={"name": "Ann"}, headers={"Host": host})
        cookie = answer.headers["Set-Cookie"].partition("=")[0]
        told[host] = (cookie, "Strict-Transport-Security" in answer.headers)
    secure, plain = ("__Host-parlour", True), ("parlour", False)
    assert told == {
        "play.example": secure,
        "play.example:443": secure,
        "play.example:8080": plain,
        "127.0.0.1": plain,
        "other.example": plain,
    }


async def test_a_stranger_cannot_claim_https(house) -> None:
    async with (
        browser(house) as ann,
        ann.post("/api/v1/identities", json={"name": "Ann"}, headers=BEHIND_TLS) as answer,
    ):
        assert not SimpleCookie(answer.headers["Set-Cookie"])["parlour"]["secure"]
        assert "Strict-Transport-Security" not in answer.headers


async def test_a_browser_is_known_by_its_cookie_and_a_bot_by_its_token(house) -> None:
    async with browser(house) as ann:
        async with ann.post("/api/v1/identities", json={"name": "Ann"}) as answer:
            token = (await answer.json())["token"]
        async with ann.get("/api/v1/me") as answer:
            assert (await answer.json())["name"] == "Ann"
    answer = await house.ask("GET", "/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert (await answer.json())["name"] == "Ann"


@pytest.mark.parametrize(
    "authorization", ["", "Bearer", "Bearer x", "Bearer " + "x" * 500, "Basic Og==", "Bearer \u00e9"]
)
async def test_a_wrong_token_is_nobody(house, authorization: str) -> None:
    answer = await house.ask("GET", "/api/v1/me", headers={"Authorization": authorization})
    assert answer.status == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


async def test_tokens_are_kept_only_as_hashes(house) -> None:
    ann = await house.client("Ann")
    transfer = await ann.transfer()
    with sqlite3.connect(house.data / "parlour.db") as database:
        kept = "\n".join(database.iterdump())
    files = everything_in(house.data)
    for secret in (ann.token, transfer["code"]):
        assert secret not in kept
        assert secret.encode() not in files


async def test_a_token_has_256_bits(house) -> None:
    ann = await house.client("Ann")
    assert len(base64.urlsafe_b64decode(ann.token + "==")) == 32


async def test_a_transfer_link_works_once_and_hides_its_code_in_the_fragment(house) -> None:
    ann = await house.client("Ann")
    transfer = await ann.transfer()
    address, _, fragment = transfer["link"].partition("#")
    assert fragment == transfer["code"]
    assert transfer["code"] not in address
    phone = await house.client()
    await phone.redeem(transfer["code"])
    assert (await phone.me())["id"] == (await ann.me())["id"]
    assert phone.token != ann.token
    with pytest.raises(ApiError) as refusal:
        await (await house.client()).redeem(transfer["code"])
    assert refusal.value.status == 404


async def test_to_look_whose_a_transfer_link_is_changes_nothing(house) -> None:
    ann, phone = await house.client("Ann"), await house.client()
    transfer = await ann.transfer()
    for path in ("/transfer", f"/transfer?code={transfer['code']}", transfer["link"].partition(house.url)[2]):
        assert (await house.ask("GET", path)).status == 200
    for _ in range(2):
        answer = await house.ask("POST", "/api/v1/identities/preview", json={"code": transfer["code"]})
        assert (answer.status, await answer.json()) == (200, await ann.me())
        assert "Set-Cookie" not in answer.headers
    await phone.redeem(transfer["code"])
    for code in (transfer["code"], "wrong"):
        answer = await house.ask("POST", "/api/v1/identities/preview", json={"code": code})
        assert (answer.status, (await answer.json())["code"]) == (404, "no_such_code")


async def test_a_transfer_link_signs_nobody_out_who_has_not_said_so(house) -> None:
    ann, ben = await house.client("Ann"), await house.client("Ben")
    code = (await ann.transfer())["code"]
    headers = {"Cookie": f"parlour={ben.token}", "Origin": house.url}

    async def redeem(**body: object) -> aiohttp.ClientResponse:
        return await house.ask("POST", "/api/v1/identities/redeem", json={"code": code, **body}, headers=headers)

    refused = await redeem()
    assert (refused.status, (await refused.json())["code"]) == (409, "signed_in")
    assert "Set-Cookie" not in refused.headers
    assert (await ben.me())["name"] == "Ben"
    taken = await redeem(replace=True)
    assert (taken.status, (await taken.json())["name"]) == (201, "Ann")
    with pytest.raises(ApiError) as gone:
        await ben.me()
    assert gone.value.status == 401, "nobody could use the token that the cookie had"
    headers["Cookie"] = f"parlour={(await taken.json())['token']}"
    code = (await ann.transfer())["code"]
    assert (await redeem()).status == 201, "the same person"
    assert len(await ann.request("GET", "/api/v1/me/tokens")) == 2


async def test_to_look_at_codes_counts_as_guessing(serve) -> None:
    house = await serve(Config(limits=parse_limits(["all=off", "guesses=0.001/2"])))
    told = [
        (await house.ask("POST", "/api/v1/identities/preview", json={"code": f"guess{number}"})).status
        for number in range(3)
    ]
    assert told == [404, 404, 429]


async def test_a_new_transfer_link_ends_the_one_before(house) -> None:
    ann = await house.client("Ann")
    first, second = (await ann.transfer())["code"], (await ann.transfer())["code"]
    with pytest.raises(ApiError, match="spent, expired or wrong"):
        await (await house.client()).redeem(first)
    phone = await house.client()
    await phone.redeem(second)
    assert (await phone.me())["id"] == (await ann.me())["id"]


# Pages of other sites


async def test_a_foreign_page_cannot_change_anything(house) -> None:
    async with browser(house) as ann:
        async with ann.post("/api/v1/identities", json={"name": "Ann"}) as answer:
            assert answer.status == 201
        for headers in ({"Origin": FOREIGN}, {"Origin": "null"}, {"Origin": house.url + "0"}):
            async with ann.post("/api/v1/tables", json={"game": "chess"}, headers=headers) as answer:
                assert answer.status == 403
                assert (await answer.json())["code"] == "foreign_origin"
        async with ann.patch("/api/v1/me", json={"name": "Eve"}, headers={"Origin": FOREIGN}) as answer:
            assert answer.status == 403
        async with ann.get("/api/v1/me") as answer:
            assert (await answer.json())["name"] == "Ann"
        async with ann.get("/api/v1/tables") as answer:
            assert await answer.json() == []


async def test_the_cookie_alone_without_a_page_changes_nothing(house) -> None:
    async with browser(house) as ann, ann.post("/api/v1/identities", json={"name": "Ann"}) as answer:
        token = (await answer.json())["token"]
    async with aiohttp.ClientSession(house.url, cookies={"parlour": token}) as forged:
        async with forged.post("/api/v1/tables", json={"game": "chess"}) as answer:
            assert answer.status == 403
        same = {"Sec-Fetch-Site": "same-origin"}
        async with forged.post("/api/v1/tables", json={"game": "chess"}, headers=same) as answer:
            assert answer.status == 201


async def test_a_foreign_page_opens_no_socket(house) -> None:
    tables = await house.table("chess", "Ann", "Ben")
    url = f"{house.url}/api/v1/tables/{tables[0].code}/socket"
    token = tables[0]._client.token
    for headers in (
        {"Origin": FOREIGN, "Cookie": f"parlour={token}"},
        {"Origin": FOREIGN, "Authorization": f"Bearer {token}"},
        {"Origin": FOREIGN},
        {"Cookie": f"parlour={token}"},
    ):
        async with aiohttp.ClientSession() as session:
            with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
                await session.ws_connect(url, headers=headers)
            assert refusal.value.status == 403
    async with aiohttp.ClientSession() as session:
        own = {"Origin": house.url, "Cookie": f"parlour={token}"}
        async with session.ws_connect(url, headers=own) as socket:
            assert (await socket.receive_json())["view"]["you"]["seats"] == [0]


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("https://Play.example/", "https://play.example"),
        ("https://play.example:443", "https://play.example"),
        ("http://play.example:8080/parlour", "http://play.example:8080"),
        ("http://[fe80::1]:80", "http://[fe80::1]"),
    ],
)
async def test_a_site_may_be_named_in_any_spelling_and_the_public_address_is_one(serve, written, sent) -> None:
    for origins in (parse_origins([written], None), parse_origins([], written)):
        house = await serve(Config(limits=parse_limits(["all=off"]), origins=origins))
        async with browser(house, Origin=sent) as ann, ann.post("/api/v1/identities", json={"name": "Ann"}) as answer:
            assert answer.status == 201


@pytest.mark.parametrize(
    "text", ["play.example", "nonsense", "ftp://play.example", "https://", "https://play.example:x"]
)
def test_what_is_no_address_of_a_site_is_refused_at_the_start(text) -> None:
    with pytest.raises(ValueError, match="no address of a site"):
        parse_origins([text], None)
    with pytest.raises(ValueError, match="no address of a site"):
        parse_origins([], text)


async def test_the_operator_may_list_another_origin(serve) -> None:
    house = await serve(Config(limits=parse_limits(["all=off"]), origins=frozenset({FOREIGN})))
    async with browser(house, Origin=FOREIGN) as ann, ann.post("/api/v1/identities", json={"name": "Ann"}) as answer:
        assert answer.status == 201


async def test_nothing_changes_by_get(house) -> None:
    """Every GET of the API leaves the table as it was."""
    tables = await house.table("chess", "Ann", "Ben", side="white")
    await tables[0].act({"type": "move", "uci": "e2e4"})
    before = await tables[0].view()
    code = tables[0].code
    for path in (
        "",
        "/seats",
        "/seats/me",
        "/start",
        "/actions",
        "/chat",
        "/host/close",
        "/events",
        "/history",
        "/ledger",
    ):
        answer = await house.ask("GET", f"/api/v1/tables/{code}{path}", headers=tables[0]._client._headers())
        assert answer.status in (200, 404, 405)
    after = await tables[0].view()
    assert {**before, "now": 0} == {**after, "now": 0}


@pytest.mark.parametrize("media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
async def test_json_only(house, media: str) -> None:
    """A form of a foreign page can send these without asking first; the server takes none of them."""
    answer = await house.ask("POST", "/api/v1/identities", data=b'{"name":"Ann"}', headers={"Content-Type": media})
    assert answer.status == 415
    assert answer.content_type == "application/problem+json"


@pytest.mark.parametrize("media", ["application/json", "application/octet-stream", "application/x-www-form-urlencoded"])
async def test_an_empty_body_is_an_empty_object(house, media: str) -> None:
    """Many HTTP clients name a type for a POST that has nothing to say."""
    tables = await house.table("chess", "Ann", "Ben")
    headers = {**tables[0]._client._headers(), "Content-Type": media}
    answer = await house.ask("POST", f"/api/v1/tables/{tables[0].code}/host/pause", headers=headers)
    assert answer.status == 200


# How much anybody may ask


async def test_guessed_codes_are_slowed_down(serve) -> None:
    house = await serve(Config(limits=parse_limits(["all=off", "guesses=0.01/3"])))
    tables = await house.table("chess", "Ann", "Ben")
    stranger = await house.client("Eve")
    statuses = []
    for guess in ("AAAAAA", "BBBBBB", "CCCCCC", "DDDDDD", tables[0].code):
        with pytest.raises(ApiError) as refusal:
            await stranger.table(guess).view()
        statuses.append(refusal.value.status)
    assert statuses == [404, 404, 404, 429, 429], "once slowed down, a right guess is not told from a wrong one"


async def test_guessed_transfer_codes_are_slowed_down(serve) -> None:
    house = await serve(Config(limits=parse_limits(["all=off", "guesses=0.01/3"])))
    stranger = await house.client()
    statuses = []
    for guess in "abcde":
        with pytest.raises(ApiError) as refusal:
            await stranger.redeem(guess)
        statuses.append(refusal.value.status)
    assert statuses == [404, 404, 404, 429, 429]


@pytest.mark.parametrize(
    ("limit", "path"),
    [
        ("requests=0.01/4", None),
        ("commands=0.01/3", "chat"),
        ("table=0.01/3", "chat"),
        ("identities=0.01/3", "identities"),
        ("tables=0.01/3", "tables"),
    ],
)
async def test_rates_are_limited_for_each_address_identity_and_table(serve, limit: str, path: str | None) -> None:
    house = await serve()
    tables = await house.table("chess", "Ann", "Ben")
    limit_to(house, limit)
    statuses = []
    async with aiohttp.ClientSession(house.url, headers=tables[0]._client._headers()) as session:
        for _ in range(5):
            if path is None:
                request = session.get("/api/v1/games")
            elif path == "chat":
                request = session.post(f"/api/v1/tables/{tables[0].code}/chat", json={"text": "hello"})
            elif path == "identities":
                request = session.post("/api/v1/identities", json={"name": "Eve"})
            else:
                request = session.post("/api/v1/tables", json={"game": "chess"})
            async with request as answer:
                statuses.append(answer.status // 100)
                if answer.status == 429:
                    assert int(answer.headers["Retry-After"]) >= 1
                    assert (await answer.json())["code"].startswith("too_many")
    assert statuses == [2, 2, 2, 4, 4]


async def test_frames_count_as_commands(serve) -> None:
    house = await serve()
    tables = await house.table("chess", "Ann", "Ben")
    limit_to(house, "commands=0.01/2")
    async with tables[0].connect() as connection:
        await connection.chat("one")
        await connection.chat("two")
        with pytest.raises(ApiError) as refusal:
            await connection.chat("three")
        assert refusal.value.status == 429


async def test_a_stranger_cannot_hide_behind_a_forwarded_address(serve) -> None:
    house = await serve(Config(limits=parse_limits(["all=off", "identities=0.01/2"])))
    statuses = []
    async with aiohttp.ClientSession(house.url) as session:
        for number in range(4):
            headers = {"X-Forwarded-For": f"192.0.2.{number}"}
            async with session.post("/api/v1/identities", json={"name": "Eve"}, headers=headers) as answer:
                statuses.append(answer.status)
    assert statuses == [201, 201, 429, 429]


async def test_behind_a_trusted_proxy_each_address_counts_for_itself(serve) -> None:
    limits = parse_limits(["all=off", "identities=0.01/1"])
    house = await serve(Config(limits=limits, trusted_proxies=parse_networks(["127.0.0.0/8", "10.0.0.0/8"])))
    statuses = []
    async with aiohttp.ClientSession(house.url) as session:
        # The last address that is not a proxy counts; what stands before it is hearsay.
        for chain in ("192.0.2.1", "192.0.2.2", "192.0.2.9, 192.0.2.1", "192.0.2.1, 10.1.2.3", "192.0.2.3"):
            headers = {"X-Forwarded-For": chain}
            async with session.post("/api/v1/identities", json={"name": "Ann"}, headers=headers) as answer:
                statuses.append(answer.status)
    assert statuses == [201, 201, 429, 429, 201]


# What leaves the server


async def test_pages_carry_headers_that_keep_them_safe(house) -> None:
    async with aiohttp.ClientSession(house.url) as session:
        for path in ("/", "/docs", "/api/v1/tables", "/api/v1/nothing", "/healthz"):
            async with session.get(path) as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'self'" in policy
                assert "'unsafe-inline'" not in policy
                assert "'unsafe-eval'" not in policy
                assert "frame-ancestors 'none'" in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                assert "Server" not in answer.headers


async def test_no_log_line_shows_a_token_a_code_or_what_an_exception_says(serve, monkeypatch) -> None:
    house = await serve(Config(limits=parse_limits(["all=off"]), access_log=True))
    with structlog.testing.capture_logs() as lines:
        ann = await house.client("Ann")
        table = await ann.create_table("chess", private=True)
        ticket = (await ann.request("POST", "/api/v1/me/ticket"))["ticket"]
        transfer = await ann.transfer()
        await (await house.client()).redeem(transfer["code"])

        async def break_down(*_: object) -> None:
            raise RuntimeError(f"the deck is As Kd {ann.token}")

        monkeypatch.setattr(house.parlour, "lobby", break_down)
        with pytest.raises(ApiError) as fault:
            await ann.lobby()
        async with aiohttp.ClientSession(house.url) as session:
            await session.ws_connect(f"/api/v1/tables/{table.code}/socket?ticket={ticket}")
    told = "\n".join(map(str, lines))
    assert "fault" in told
    assert "RuntimeError" in told
    assert fault.value.status == 500
    for secret in (ann.token, table.code, ticket, transfer["code"], "As Kd"):
        assert secret not in told
        assert secret not in str(fault.value)


async def test_metrics_show_no_secret(house) -> None:
    tables = await house.table("holdem", "Ann", "Ben")
    views = [await table.view() for table in tables]
    async with tables[0].connect() as connection:
        await connection.chat("hello")
    metrics = await tables[0]._client.request("GET", "/metrics")
    assert 'parlour_http_requests_total{method="POST",route="/api/v1/identities",status="201"} 2.0' in metrics
    assert 'parlour_socket_frames_total{type="Chat"} 1.0' in metrics
    for secret in (tables[0].code, tables[0]._client.token, views[0]["you"]["id"], "Ann"):
        assert secret not in metrics
