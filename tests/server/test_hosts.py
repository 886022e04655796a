"""The names under which the server answers, and what a page gets whose name was made to lead here."""

from __future__ import annotations

import asyncio
import socket
import threading
from urllib.parse import urlsplit

import pytest
import segno
from aiohttp.test_utils import make_mocked_request
from tests.server.conftest import NO_LIMITS

from parlour.server import Config
from parlour.server.access.hosts import Hosts, read_names

REBOUND = "rebound.example"


OWN = (
    "localhost", "LOCALHOST:8080", "localhost.", "app.localhost", "127.0.0.1", "127.0.0.1:80", "192.168.1.20:8080",
    "[::1]", "[::1]:8080", "[fd00::1]", "raspberrypi.local", "raspberrypi.local:8080", socket.gethostname(),
    "play.example", "PLAY.example:443", "other.example", "other.example:81",
)  # fmt: skip
OTHERS = (
    REBOUND, "127.0.0.1.example", "localhost.example", "evillocal", "play.example.evil.example:80", "0x7f000001",
)  # fmt: skip
NONE = ("a.b:port", "user@localhost", "[::1", "a" * 256)


async def test_the_servers_own_names_and_all_addresses_are_answered_to_and_no_others(serve) -> None:
    names = read_names(["other.example", "unused"])
    house = await serve(Config(limits=NO_LIMITS, public_url="https://play.example/", host_names=names))
    for host in OWN:
        assert (await house.ask("GET", "/healthz", headers={"Host": host})).status == 200, host
    for host in (*OTHERS, *NONE):
        answer = await house.ask("GET", "/api/v1/tables", headers={"Host": host})
        problem = await answer.json(content_type=None)
        expected = (421, "unknown_host") if host in OTHERS else (400, "bad_host")
        assert (answer.status, problem["code"]) == expected, host
        assert ("--host-name" in problem["detail"]) == (host in OTHERS)


async def test_a_page_whose_name_was_made_to_lead_here_gets_nothing(serve) -> None:
    house = await serve()
    code = (await (await house.client("Ann")).create_table("holdem")).code
    port = urlsplit(house.url).port
    as_its_own = {"Host": f"{REBOUND}:{port}", "Origin": f"http://{REBOUND}:{port}", "Sec-Fetch-Site": "same-origin"}
    for method, path in (("GET", f"/api/v1/tables/{code}"), ("POST", "/api/v1/identities"), ("GET", "/")):
        answer = await house.ask(method, path, headers=as_its_own)
        assert answer.status == 421
        assert code not in await answer.text()
    assert [refusal.code for refusal in house.site.admission.refusals.newest(9)] == ["unknown_host"] * 3


async def test_an_operator_may_let_every_name_in(serve) -> None:
    house = await serve(Config(limits=NO_LIMITS, host_names=read_names(["*"])))
    assert (await house.ask("GET", "/healthz", headers={"Host": REBOUND})).status == 200
    assert (await house.ask("GET", "/healthz", headers={"Host": "a" * 256})).status == 400


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("GET /healthz HTTP/1.0\r\n", b"200"),
        ("GET /healthz HTTP/1.0\r\nHost:\r\n", b"200"),
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n", b"200"),
        ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: rebound.example\r\nConnection: close\r\n", b"400"),
        ("GET http://rebound.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n", b"421"),
    ],
    ids=["none", "empty", "one", "two", "absolute"],
)
async def test_programs_may_leave_the_host_out_but_not_name_another(serve, head: str, status: bytes) -> None:
    house = await serve()
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(house.url).port)
    writer.write(head.encode() + b"\r\n")
    assert (await reader.read())[9:12] == status
    writer.close()


@pytest.mark.parametrize("text", ["https://play.example", "play.example/path", "two names", "", "a" * 256])
def test_what_is_no_name_of_a_host_is_refused_at_the_start(text: str) -> None:
    with pytest.raises(ValueError, match="is no host name"):
        read_names([text])


async def test_a_picture_of_a_link_is_drawn_once_and_beside_the_event_loop(house, monkeypatch) -> None:
    drawn_on: list[threading.Thread] = []
    make = segno.make
    monkeypatch.setattr(
        segno, "make", lambda *args, **options: drawn_on.append(threading.current_thread()) or make(*args, **options)
    )
    code = (await (await house.client("Ann")).create_table("holdem")).code
    pictures = [await (await house.ask("GET", f"/api/v1/tables/{code}/qr.svg")).text() for _ in range(3)]
    assert len(set(pictures)) == 1
    assert pictures[0].startswith("<svg")
    assert len(drawn_on) == 1
    assert drawn_on[0] is not threading.current_thread()


async def test_no_picture_is_drawn_of_a_long_name_that_the_caller_made_up(serve, monkeypatch) -> None:
    drawn: list[str] = []
    make = segno.make
    monkeypatch.setattr(segno, "make", lambda link, **options: drawn.append(link) or make(link, **options))
    house = await serve()
    path = f"/api/v1/tables/{(await (await house.client('Ann')).create_table('holdem')).code}/qr.svg"
    longest, longer = f"{'h' * 58}.local", f"{'h' * 59}.local"
    assert (await house.ask("GET", path, headers={"Host": longest})).status == 200
    refused = await house.ask("GET", path, headers={"Host": longer})
    assert (refused.status, (await refused.json())["code"]) == (400, "bad_host")
    assert [urlsplit(link).netloc for link in drawn] == [longest]
    public = f"https://{'p' * 60}.{'p' * 60}.example"
    house = await serve(Config(limits=NO_LIMITS, public_url=public))
    assert (await house.ask("GET", path, headers={"Host": longer})).status == 200, "its operator's name may be long"
    assert drawn[-1].startswith(public)


def test_a_stranger_who_spells_a_name_again_and_again_fills_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.server.access.hosts.REMEMBERED", 20)
    hosts = Hosts()
    for port in range(41):
        hosts.check(make_mocked_request("GET", "/", headers={"Host": f"localhost:{port}"}))
        assert len(hosts._good) <= 20
