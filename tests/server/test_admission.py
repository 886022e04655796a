"""The one admission: accounts, addresses, the operator's secret, and readers who do not read."""

from __future__ import annotations

import asyncio
import socket as network
from collections.abc import Mapping
from contextlib import ExitStack
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest
import structlog
from tests.patience import time_limit, until
from typer.testing import CliRunner

from parlour.cli.admin import app as admin
from parlour.client import ApiError
from parlour.server import Config, parse_limits
from parlour.server.access import admission as rules
from parlour.server.access.addresses import Network, account_of
from parlour.server.access.admission import OPERATOR_HEADER, AdmissionAccounts
from parlour.server.access.limits import too_many
from parlour.server.access.operator import FILE, read_secret
from parlour.server.api.routing import STORE_WRITE
from parlour.server.config import parse_networks
from parlour.server.extensions import speak_dialects
from parlour.tables.errors import TooMany

LOOPBACK, ELSEWHERE = parse_networks(["127.0.0.0/8"]), parse_networks(["192.0.2.0/24"])
SECRET = "a secret of the operator"


class Watch:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


class Request:
    """As much of a request as tells where it comes from."""

    headers: Mapping[str, str] = MappingProxyType({})
    remote = "192.0.2.1"


def unlimited(*changes: str, **options: Any) -> Config:
    return Config(limits=parse_limits(["all=off", *changes]), **options)


async def raw(house, data: bytes) -> bytes:
    """All that the server answers to these bytes until it hangs up."""
    address = urlsplit(house.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        writer.write(data)
        async with time_limit():
            return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


# Accounts


def connection(admission: AdmissionAccounts) -> rules.ConnectionAccount:
    return admission.connection(Request())  # type: ignore[arg-type]


def test_a_connection_is_slowed_down_in_time_with_its_rate() -> None:
    watch = Watch()
    socket = connection(AdmissionAccounts(unlimited("frames=10/5"), watch))
    assert [socket.packet() for _ in range(5)] == [0] * 5
    assert socket.packet() == pytest.approx(0.1)
    assert socket.packet() == pytest.approx(0.2)
    watch.time += 10
    assert socket.packet() == 0


def test_large_packets_cost_more() -> None:
    admission = AdmissionAccounts(unlimited("frames=10/5"), Watch())
    small, large = connection(admission), connection(admission)
    assert [small.packet(10) for _ in range(4)] == [0] * 4
    assert large.packet(4096) == 0
    assert large.packet(4096) > 0


def test_a_connection_that_goes_on_is_to_be_closed() -> None:
    socket = connection(AdmissionAccounts(unlimited("frames=10/5"), Watch()))
    for _ in range(5 + rules.OVERDRAWN_LIMIT):
        socket.packet()
    with pytest.raises(TooMany, match="frames"):
        socket.packet()


def test_all_connections_of_an_address_share_its_account() -> None:
    admission = AdmissionAccounts(unlimited("requests=10/5"), Watch())
    sockets = [connection(admission) for _ in range(500)]
    owed = [socket.packet() for socket in sockets]
    assert owed[0] == 0
    assert owed[-1] == rules.ADDRESS_PAUSE
    assert owed == sorted(owed)


def test_few_calculations_of_an_address_wait_for_their_turn() -> None:
    admission = AdmissionAccounts(unlimited(), Watch())
    with ExitStack() as under_way:
        for _ in range(rules.CALCULATIONS_AT_ONCE):
            under_way.enter_context(admission.calculation("192.0.2.1"))
        under_way.enter_context(admission.calculation("192.0.2.2"))
        with pytest.raises(TooMany, match="calculations"), admission.calculation("192.0.2.1"):
            pass
    with admission.calculation("192.0.2.1"):
        pass


def test_places_are_given_back_and_change_hands() -> None:
    admission = AdmissionAccounts(unlimited("sockets_per_identity=1", "sockets_per_address=2"))
    first, second = connection(admission), connection(admission)
    with pytest.raises(TooMany):
        connection(admission)
    first.belongs_to("ann")
    first.belongs_to("ann")
    with pytest.raises(TooMany):
        second.belongs_to("ann")
    first.belongs_to("ben")
    second.belongs_to("ann")
    for _ in range(2):
        first.close()
    connection(admission).belongs_to("ben")


@pytest.mark.parametrize("seconds", [1e-9, 0.04, 0.1, 0.31])
def test_the_wait_that_is_told_is_true_and_never_nothing(seconds: float) -> None:
    refusal = too_many("tests", seconds)
    assert refusal.retry_after >= max(seconds, 0.1)
    assert f"wait {refusal.retry_after:.1f} s" in refusal.message
    assert "wait 0.0" not in refusal.message


async def test_a_refused_frame_says_how_long_to_wait(serve) -> None:
    house = await serve(unlimited("commands=3/3"))
    (ann,) = await house.table("chess", "Ann", start=False)
    client = ann._client
    url = f"{client.url}/api/v1/tables/{ann.code}/socket"
    async with client.session.ws_connect(url, headers=client._headers()) as socket:
        for number in range(40):
            await socket.send_json({"type": "host", "id": str(number), "power": ("pause", "resume")[number % 2]})
        frame: dict[str, Any] = {}
        async with time_limit():
            while frame.get("problem", {}).get("code") != "too_many_commands":
                frame = await socket.receive_json()
    assert 0 < frame["problem"]["retry_after"] <= 0.5


async def test_what_waits_for_the_disk_costs_more(serve) -> None:
    house = await serve(unlimited("requests=0.001/1000"))
    ann, account = await house.client("Ann"), house.site.admission.requests

    async def cost(method: str, path: str, body: Any = None) -> float:
        before = account._due["127.0.0.1"]
        await ann.request(method, path, body)
        return round((account._due["127.0.0.1"] - before) * 0.001, 1)

    assert await cost("GET", "/api/v1/me") == 1
    assert await cost("PATCH", "/api/v1/me", {"name": "Anna"}) == STORE_WRITE
    assert await cost("POST", "/api/v1/me/transfer") == STORE_WRITE


async def test_requests_in_a_hurry_wait_for_their_turn(serve) -> None:
    """Slowed down, and not refused: many more than the burst at once, all answered."""
    house = await serve(unlimited("requests=100/10"))
    async with aiohttp.ClientSession(house.url) as session:

        async def ask() -> int:
            async with session.get("/healthz") as answer:
                return answer.status

        assert await asyncio.gather(*(ask() for _ in range(60))) == [200] * 60


async def test_who_goes_on_after_being_refused_is_cut_off(serve, monkeypatch) -> None:
    monkeypatch.setattr(rules, "REFUSALS", rules.Rate(0.001, 3))
    house = await serve(unlimited("requests=0.01/3"))
    ask = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    statuses = [(await raw(house, ask))[9:12] for _ in range(8)]
    assert statuses == [b"200", b"200", b"429", b"429", b"", b"", b"", b""]  # connections count as well


NO_HTTP = (
    b"GET /healthz HTTP/1.1\r\nAuthorization: Bearer A-SECRET-TOKEN\r\nbad\x00header: A-SECRET-TOKEN\r\n\r\n",
    b"\x16\x03\x01 A-SECRET-TOKEN",
)


async def test_what_is_no_http_counts_as_well_and_who_goes_on_with_it_is_cut_off(serve, monkeypatch) -> None:
    monkeypatch.setattr(rules, "REFUSALS", rules.Rate(0.001, 3))
    house = await serve(unlimited("requests=0.01/3"))
    statuses = [(await raw(house, NO_HTTP[0]))[9:12] for _ in range(20)]
    assert statuses[:2] == [b"400", b"400"]
    assert statuses[-1] == b""


@pytest.mark.parametrize("data", NO_HTTP, ids=["header", "tls"])
async def test_what_is_no_http_is_refused_and_not_logged(house, caplog, data: bytes) -> None:
    with structlog.testing.capture_logs() as lines:
        assert (await raw(house, data))[9:12] == b"400"
    assert not lines
    assert not caplog.records


@pytest.mark.parametrize("path", ["/api/v1/identities", "/dogker/users", "/gateau/config", "/chessmate/new-game"])
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"Content-Encoding: gzip\r\nContent-Length: 14\r\n\r\nno gzip at all", b"415"),
        (b"Transfer-Encoding: chunked\r\n\r\nno length\r\n", b"400"),
    ],
    ids=["gzip", "chunks"],
)
async def test_a_body_that_is_not_encoded_as_it_says_is_refused(
    serve, caplog, path: str, body: bytes, status: bytes
) -> None:
    house = await serve(unlimited(), extensions=[speak_dialects])
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    with structlog.testing.capture_logs() as lines:
        assert (await raw(house, head.encode() + body))[9:12] == status
    assert not [line for line in lines if line["log_level"] == "error"]
    assert not caplog.records


@pytest.mark.parametrize("path", ["/api/v1/identities", "/dogker/users", "/gateau/config", "/chessmate/new-game"])
async def test_a_body_that_does_not_come_is_not_waited_for(serve, monkeypatch, path: str) -> None:
    monkeypatch.setattr(rules, "BODY_SECONDS", 0.1)
    house = await serve(unlimited(), extensions=[speak_dialects])
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n"
    with structlog.testing.capture_logs() as lines:
        assert await raw(house, head.encode() + b"{") == b""
    assert not [line for line in lines if line["log_level"] == "error"]


@pytest.mark.parametrize("trusted", [(), ELSEWHERE], ids=["without a proxy", "past the proxy"])
async def test_an_address_has_so_many_connections(serve, trusted: tuple[Network, ...]) -> None:
    house = await serve(unlimited("connections_per_address=2", trusted_proxies=trusted))
    address = urlsplit(house.url)
    ends = [await asyncio.open_connection(address.hostname, address.port) for _ in range(2)]
    for reader, writer in ends:
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    ask = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert await raw(house, ask) == b""
    ends[0][1].close()
    await ends[0][1].wait_closed()
    while not (await raw(house, ask)).startswith(b"HTTP/1.1 200"):
        pass  # the server has not heard of it yet
    ends[1][1].close()


async def test_a_proxy_carries_the_connections_of_many(serve) -> None:
    house = await serve(unlimited("connections_per_address=1", trusted_proxies=LOOPBACK))
    address = urlsplit(house.url)
    ends = [await asyncio.open_connection(address.hostname, address.port) for _ in range(3)]
    for reader, writer in ends:
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        writer.close()


async def test_an_address_opens_three_times_as_many_tables_as_an_identity(serve) -> None:
    house = await serve(unlimited("tables=0.01/2"))
    statuses = []
    for name in ("Ann", "Ben", "Cem", "Di"):
        client = await house.client(name)
        for _ in range(3):
            try:
                await client.create_table("chess")
            except ApiError as refusal:
                statuses.append(refusal.status)
            else:
                statuses.append(201)
    assert statuses == [201, 201, 429] * 3 + [429] * 3


# Addresses


@pytest.mark.parametrize(
    ("address", "account"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1%eth0", "2001:db8:1:2::/64"),
        ("", ""),
    ],
)
def test_an_ipv6_network_is_one_address(address: str, account: str) -> None:
    assert account_of(address) == account


async def new_identity(house, *forwarded: str) -> int:
    """The answer to a request for an identity, with these lines of X-Forwarded-For."""
    body = b'{"name":"Ann"}'
    lines = [
        "POST /api/v1/identities HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *(f"X-Forwarded-For: {line}" for line in forwarded),
        "",
        "",
    ]
    return int((await raw(house, "\r\n".join(lines).encode() + body))[9:12])


async def test_an_ipv6_network_shares_its_limits(serve) -> None:
    house = await serve(unlimited("identities=0.01/1", trusted_proxies=LOOPBACK))
    assert await new_identity(house, "2001:db8::1") == 201
    assert await new_identity(house, "2001:db8::2") == 429
    assert await new_identity(house, "2001:db8:0:1::1") == 201


async def test_what_a_client_writes_into_the_forwarded_header_does_not_count(serve) -> None:
    house = await serve(unlimited("identities=0.01/1", trusted_proxies=LOOPBACK))
    assert await new_identity(house, "198.51.100.1", "192.0.2.1") == 201
    assert await new_identity(house, "198.51.100.2", "192.0.2.1") == 429, "the last line is the proxy's"
    assert await new_identity(house, "198.51.100.1", "192.0.2.2:4711") == 201
    assert await new_identity(house, "unknown", "192.0.2.2") == 429
    assert await new_identity(house, "198.51.100.1", "[2001:db8::1]:4711") == 201, "a proxy may write the port, too"
    assert await new_identity(house, "198.51.100.1", "[2001:db8::1]:4712") == 429
    assert await new_identity(house, "198.51.100.1", "[2001:db9::1]") == 201


# The operator


async def configure(house, game: str, **headers: str) -> str:
    """Try to change the settings of a Gateau game."""
    body = {"config": "max_players", "value": 5, "game_id": game}
    answer = await house.ask("POST", "/gateau/config", json=body, headers=headers)
    return (await answer.json())["status"]


async def test_the_operator_is_known_by_a_secret_and_never_by_an_address(serve) -> None:
    config = unlimited("guesses=0.01/2", trusted_proxies=LOOPBACK, operator_secret=SECRET)
    house = await serve(config, extensions=[speak_dialects])
    stranger = {"X-Forwarded-For": "192.0.2.1"}
    assert await configure(house, "race", **stranger) == "ok"
    assert await configure(house, "race") == "error", "to come from the server's own machine is no power"
    assert await configure(house, "race", **{OPERATOR_HEADER: SECRET}) == "ok"
    guesser = {"X-Forwarded-For": "192.0.2.2", OPERATOR_HEADER: "wrong"}
    for _ in range(3):
        assert await configure(house, "race", **guesser) == "error"
    guesser[OPERATOR_HEADER] = SECRET
    assert await configure(house, "race", **guesser) == "error", "too many wrong guesses: not even looked at"


async def test_without_a_secret_nobody_is_the_operator(serve) -> None:
    house = await serve(unlimited(trusted_proxies=LOOPBACK), extensions=[speak_dialects])
    assert await configure(house, "race", **{"X-Forwarded-For": "192.0.2.1"}) == "ok"
    assert await configure(house, "race", **{OPERATOR_HEADER: ""}) == "error"


def test_the_secret_is_made_once_and_for_its_owner_alone(tmp_path) -> None:
    secret = read_secret(tmp_path)
    assert len(secret) >= 43
    assert read_secret(tmp_path) == secret
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert read_secret(tmp_path, SECRET) == SECRET
    with pytest.raises(ValueError, match="characters"):
        read_secret(tmp_path, "short")


def test_the_operator_can_ask_for_the_secret(tmp_path) -> None:
    secret = read_secret(tmp_path)
    done = CliRunner().invoke(admin, ["secret", "--data", str(tmp_path)])
    assert (done.exit_code, done.output.strip()) == (0, secret)


# Readers who do not read


async def test_a_stream_whose_reader_does_not_read_is_cut_off(serve) -> None:
    house = await serve(unlimited(backlog_limit=20_000))
    tables = await house.table("chess", "Ann", "Ben", side="white")
    address = urlsplit(house.url)
    with network.socket() as end:
        end.setsockopt(network.SOL_SOCKET, network.SO_RCVBUF, 4096)
        end.connect((address.hostname, address.port))
        end.sendall(f"GET /api/v1/tables/{tables[0].code}/events?follow=1 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        await until(lambda: house.site.streams)
        for served in house.runner.server.connections:
            served.transport.get_extra_info("socket").setsockopt(network.SOL_SOCKET, network.SO_SNDBUF, 4096)
        for number in range(4000):
            await tables[0].host(("pause", "resume")[number % 2])
            if not house.site.streams:
                break
        assert not house.site.streams, "the server lets an unread stream grow"
    assert house.site.metrics.dropped == 1


async def test_a_malformed_origin_is_a_foreign_one(house) -> None:
    for origin in ("http://[::1", "http://[", "//", "http://here:port", "\u00ff"):
        answer = await house.ask("POST", "/api/v1/identities", json={"name": "Ann"}, headers={"Origin": origin})
        assert answer.status == 403, origin
