"""What a browser gets besides the API."""

from __future__ import annotations

import base64
import hashlib

import pytest

import parlour
from parlour.server import Files, network
from parlour.version import COMMIT


@pytest.fixture
def built(tmp_path):
    """A web app as the build leaves it."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<title>the app</title>")
    (folder / "assets" / "app-1a2b.js").write_text("start()")
    (tmp_path / "secret.txt").write_text("not for anybody")
    return Files(folder)


async def test_the_app_is_served_with_its_files(serve, built) -> None:
    house = await serve(files=built)
    for path in ("/", "/t/ABCDEF", "/transfer"):
        answer = await house.ask("GET", path)
        assert "the app" in await answer.text()
        assert answer.headers["Cache-Control"] == "no-cache"
    script = await house.ask("GET", "/assets/app-1a2b.js")
    assert await script.text() == "start()"
    assert script.content_type == "text/javascript"
    assert "immutable" in script.headers["Cache-Control"]


async def test_a_page_may_have_a_file_of_its_own(serve, built, tmp_path) -> None:
    (tmp_path / "static" / "t.html").write_text("<title>a table</title>")
    house = await serve(files=Files(tmp_path / "static"))
    assert "a table" in await (await house.ask("GET", "/t/ABCDEF")).text()
    for path in ("/", "/transfer", "/x/t"):
        assert "the app" in await (await house.ask("GET", path)).text()


async def test_what_stands_in_the_page_itself_is_allowed_by_its_hash_alone(serve, tmp_path) -> None:
    (tmp_path / "index.html").write_text(
        "<style>p{color:red}</style><script>start()</script><script src='/x.js'></script>"
    )
    house = await serve(files=Files(tmp_path))
    policy = (await house.ask("GET", "/")).headers["Content-Security-Policy"]
    digests = [base64.b64encode(hashlib.sha256(inline).digest()).decode() for inline in (b"p{color:red}", b"start()")]
    directives = dict(directive.strip().split(" ", 1) for directive in policy.split(";"))
    assert directives["style-src"] == f"'self' 'sha256-{digests[0]}'"
    assert directives["script-src"] == f"'self' 'sha256-{digests[1]}' 'wasm-unsafe-eval'"
    elsewhere = (await house.ask("GET", "/api/v1/tables")).headers["Content-Security-Policy"]
    assert "sha256" not in elsewhere


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt", "/assets/none.js"]
)
async def test_no_other_file_is_served(serve, built, path: str) -> None:
    house = await serve(files=built)
    answer = await house.ask("GET", path)
    assert "not for anybody" not in await answer.text()
    assert answer.status in (200, 404)


async def test_without_the_app_there_is_a_page_with_the_calculators(serve, tmp_path) -> None:
    house = await serve(files=Files(tmp_path / "nothing"))
    page = await (await house.ask("GET", "/")).text()
    assert 'id="evaluate"' in page
    assert 'id="pots"' in page
    for path in ("/plain.js", "/plain.css"):
        assert (await house.ask("GET", path)).status == 200
        assert path in page
    hand = await (await house.ask("POST", "/api/v1/evaluate", json={"cards": "As Ks Qs Js Ts 2d 3c"})).json()
    assert (hand["name"], hand["rank"]) == ("Royal Flush", 7462)
    pots = await (await house.ask("POST", "/api/v1/pots", json={"stakes": [25, 50, 100, 100]})).json()
    assert [pot["amount"] for pot in pots["pots"]] == [100, 75, 100]


async def test_the_calculators_answer_as_the_library_does(house) -> None:
    asked = {"board": "2c 3d 4h 8s 9s", "hands": ["As Ad", "Ks Kd", None], "stakes": [50, 100, 100]}
    answer = await (await house.ask("POST", "/api/v1/showdown", json=asked)).json()
    assert answer["payouts"] == [150, 100, 0]
    aces, kings, folded = answer["hands"]
    assert (aces["name"], aces["place"], kings["place"], folded) == ("Pair of Aces, Nine kicker", 1, 2, None)
    assert aces["made"] == "pair:A9"
    assert kings["legacy_score"] == parlour.legacy_score("Ks Kd 2c 3d 4h 8s 9s")
    asked = {"hands": ["AhAs", "KdKc"]}
    answer = await (await house.ask("POST", "/api/v1/equity", json=asked)).json()
    assert answer["exact"]
    assert answer["boards"] == 1_712_304
    assert answer["players"][0]["win"] == pytest.approx(1_388_072 / 1_712_304)


def test_the_address_to_give_to_others() -> None:
    assert network.addresses("127.0.0.1", 8080) == ["http://127.0.0.1:8080"]
    assert network.addresses("::1", 80) == ["http://[::1]:80"]
    assert network.addresses("0.0.0.0", 8080)[-1] == "http://localhost:8080"
    assert len(network.qr_text("http://192.0.2.7:8080").splitlines()) > 10


async def test_a_server_says_which_build_it_is(serve) -> None:
    house = await serve()
    answer = await house.ask("GET", "/api/v1")
    assert await answer.json() == {"version": parlour.__version__, "commit": COMMIT}
