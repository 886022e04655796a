"""What people do besides the game itself: the house, invitations, histories, another device, a dead network."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from .guests import Guest
from .house import House
from .looks import check_page
from .visitors import Visitor, until

Visit = Callable[..., Visitor]


def test_one_tap_and_a_name_to_the_first_hand_against_the_house(visit: Visit) -> None:
    ada = visit("Ada")
    ada.go("/")
    ada.press("Play against the house")
    ada.introduce()
    ada.expect_turn()
    assert sum(bool(seat["player"] and seat["player"]["bot"]) for seat in ada.view()["seats"]) == 3


def test_the_house_plays_chess(visit: Visit) -> None:
    ada = visit("Ada")
    ada.go("/")
    ada.page.get_by_role("radio", name="Chess").check()
    ada.page.get_by_role("radio", name="1", exact=True).check()
    ada.press("Random")
    ada.introduce()
    field = ada.page.get_by_label("Type a move")
    field.wait_for()
    until(ada.page, lambda: ada.view()["legal"] is not None)
    before = len(ada.view()["state"]["moves"])
    field.fill(ada.view()["legal"]["moves"][0])
    field.press("Enter")
    expect(ada.page.locator(".move")).to_have_count(before + 2)


def test_from_a_link_to_a_seat_in_two_taps_and_a_name(visit: Visit, house: House) -> None:
    code = Guest(house.url, "Host").open_table("holdem")
    ada = visit("Ada")
    ada.go(f"/t/{code}")
    ada.page.get_by_label("Your name").click()
    ada.page.keyboard.type("Ada")
    ada.press("Sit down")
    expect(ada.page.get_by_text("You need at least one more player.")).to_be_visible()


def test_a_table_is_asked_for_once_and_before_the_app_is_there(visit: Visit, house: House) -> None:
    """The page itself asks who is here and opens the wire of its table; the app takes both over."""
    code = Guest(house.url, "Host").open_table("holdem")
    ada = visit("Ada")
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url.removeprefix(house.url)))
    ada.page.on("websocket", lambda socket: asked.append(socket.url.rpartition("/api")[2]))
    held: list[Route] = []
    ada.page.route("**/assets/core-*.js", lambda route: held.append(route))
    ada.page.goto(f"{house.url}/t/{code.lower()}", wait_until="commit")
    wire = f"/v1/tables/{code}/socket"
    until(ada.page, lambda: wire in asked and "/api/v1/session" in asked and held)
    held.pop().continue_()
    expect(ada.page.get_by_role("button", name="Sit down")).to_be_visible()
    assert asked.count(wire) == asked.count("/api/v1/session") == 1
    ada.page.get_by_label("Your name").fill("Ada")
    ada.press("Sit down")
    expect(ada.page.get_by_text("You need at least one more player.")).to_be_visible()


def test_a_table_is_joined_by_its_code(visit: Visit, house: House) -> None:
    code = Guest(house.url, "Host").open_table("holdem")
    ada = visit("Ada")
    ada.go("/")
    ada.page.get_by_label("Code or link").fill(code.lower())
    ada.press("Join")
    assert ada.code == code
    ada.press("Invite")
    image = ada.page.get_by_role("img", name="QR code")
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100


def test_the_host_lets_people_in(visit: Visit, house: House) -> None:
    ada = visit("Ada")
    ada.go("/")
    ada.press("More settings")
    ada.page.get_by_label("I approve new players").check()
    ada.press("Open the table")
    ada.introduce()
    ben = Guest(house.url, "Ben")
    ben.sit(ada.code)
    ada.press("Menu")
    ada.expect_text("Ben asks for a seat")
    ada.press("Let in")
    expect(ada.page.get_by_role("dialog").get_by_text("Ben asks for a seat")).to_have_count(0)
    assert ben.view(ada.code)["you"]["seats"] == [0]


def test_people_talk(visit: Visit, house: House) -> None:
    code = Guest(house.url, "Host").open_table("holdem")
    ada, bo = visit("Ada"), visit("Bo")
    ada.sit(f"/t/{code}")
    bo.sit(f"/t/{code}")
    ada.page.get_by_label("Say something").fill("Hello <b>there</b>")
    ada.press("Send")
    bo.expect_text("Hello <b>there</b>")
    expect(bo.page.get_by_role("log", name="Announcements")).to_contain_text("Ada says: Hello <b>there</b>")


def test_another_device_takes_over(visit: Visit, house: House) -> None:
    ada = visit("Ada")
    ada.go("/me")
    ada.press("Pick a name")
    ada.introduce()
    ada.press("Show QR code")
    link = ada.page.locator(".link").inner_text()
    assert "/transfer#" in link
    phone = visit()
    for _ in range(2):  # to look changes nothing
        phone.page.goto(link)
        phone.expect_text("This link signs this device in as Ada.")
        phone.page.reload()
    for width in (360, 1280):
        phone.page.set_viewport_size({"width": width, "height": 800})
        check_page(phone.page)
    phone.press("Continue as Ada")
    phone.expect_text("Hello, Ada")
    late = visit()
    late.page.goto(link)
    late.expect_text("This code is used up, expired or wrong.")


@pytest.mark.slow
def test_the_number_that_tells_names_apart_stays_in_sight(visit: Visit, house: House) -> None:
    long = "Maximiliane von Hohenstein"
    host = Guest(house.url, long)
    code = host.open_table("holdem", action_seconds=0)
    for guest in (host, Guest(house.url, long.lower())):
        guest.sit(code)
    ada = visit("Ada")
    for width in (360, 1280):
        ada.page.set_viewport_size({"width": width, "height": 740})
        ada.go(f"/t/{code}")
        name = ada.page.locator(".seat .name", has_text="(2)")
        plate, number = name.bounding_box(), name.locator(".told-apart > span").last.bounding_box()
        assert plate
        assert number
        assert number["width"] > 0
        assert plate["x"] < number["x"] < number["x"] + number["width"] <= plate["x"] + plate["width"] + 0.5


def test_somebody_takes_their_data_along_and_is_deleted(visit: Visit, house: House) -> None:
    ada, bo = visit("Ada"), Guest(house.url, "Bo")
    code = bo.open_table("holdem", action_seconds=0)
    ada.sit(f"/t/{code}")
    ada.go("/me")
    with ada.page.expect_download() as download:
        ada.page.get_by_role("link", name="Download everything").click()
    assert zipfile.is_zipfile(download.value.path())
    ada.press("Delete me")
    last = ada.page.get_by_role("button", name="Delete me for good")
    for width in (360, 1280):
        ada.page.set_viewport_size({"width": width, "height": 800})
        check_page(ada.page)
    ada.page.get_by_label("To confirm, type your name: Ada").fill("ada")
    expect(last).to_be_disabled()
    ada.page.get_by_label("To confirm, type your name: Ada").fill("Ada")
    last.click()
    ada.expect_text("You have been deleted.")
    assert ada.page.context.cookies() == []
    ada.go("/me")
    ada.page.get_by_role("button", name="Pick a name").wait_for()
    assert [seat["player"] for seat in bo.view(code)["seats"] if seat["player"]] == []


def test_a_transfer_link_signs_nobody_out_unasked(visit: Visit, house: House) -> None:
    ada = Guest(house.url, "Ada")
    bo = visit("Bo")
    bo.go("/me")
    bo.press("Pick a name")
    bo.introduce()
    bo.page.get_by_role("button", name="Save", exact=True).wait_for()
    link = ada.post("/me/transfer")["link"]
    bo.page.goto(link)
    bo.expect_text("Bo is signed in here at present and will be signed out.")
    check_page(bo.page)
    bo.press("No, thanks")
    bo.expect_text("Hello, Bo")
    bo.page.goto(link)
    bo.press("Continue as Ada")
    bo.expect_text("Hello, Ada")
    bo.page.goto(ada.post("/me/transfer")["link"])
    bo.expect_text("You are already signed in here as Ada.")
    bo.press("To the lobby")
    bo.expect_text("Hello, Ada")


def test_a_device_is_signed_out_from_another(visit: Visit) -> None:
    ada = visit("Ada")
    ada.go("/me")
    ada.press("Pick a name")
    ada.introduce()
    ada.press("Show QR code")
    phone = visit(user_agent="Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36")
    phone.page.goto(ada.page.locator(".link").inner_text())
    phone.press("Continue as Ada")
    phone.expect_text("Hello, Ada")
    ada.page.reload()
    devices = ada.page.get_by_role("region", name="Where you are signed in").get_by_role("listitem")
    expect(devices).to_have_count(2)
    expect(devices.filter(has_text="(this device)").get_by_role("button")).to_have_count(0)
    ada.press("Sign out: Chrome, Android")
    expect(devices).to_have_count(1)
    phone.go("/me")
    expect(phone.page.get_by_role("button", name="Pick a name")).to_be_visible()


def test_the_page_speaks_the_language_of_the_browser(visit: Visit) -> None:
    ada = visit("Ada", locale="de-DE")
    ada.go("/")
    ada.expect_text("Willkommen bei Parlour")
    ada.go("/me")
    ada.page.get_by_role("radio", name="Español").check()
    ada.expect_text("Acabas de llegar")
    assert ada.page.evaluate("() => document.documentElement.lang") == "es"


@pytest.mark.slow
def test_a_language_stays_chosen_while_its_words_are_fetched(visit: Visit) -> None:
    ada = visit("Ada")
    ada.go("/me")
    espanol = ada.page.get_by_role("radio", name="Español")
    expect(espanol).to_be_visible()  # the page itself is a script as well, which is not to be held
    held: list[Route] = []
    ada.page.route(
        "**/*", lambda route: held.append(route) if route.request.resource_type == "script" else route.continue_()
    )
    espanol.check()
    ada.page.get_by_role("radio", name="Dark").check()  # which draws all of them again
    expect(ada.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(espanol).to_be_checked()
    until(ada.page, lambda: held)
    assert ada.page.evaluate("() => document.documentElement.lang") == "en"
    for route in held:
        route.continue_()
    ada.page.unroute_all()
    expect(ada.page.locator("html")).to_have_attribute("lang", "es")


def test_the_shell_opens_without_a_network_and_says_so(new_page: Callable[..., Page], own_house: House) -> None:
    page = new_page(service_workers="allow")
    page.goto(own_house.url)
    page.evaluate("() => navigator.serviceWorker.ready")
    page.wait_for_function("() => caches.keys().then((keys) => keys.length > 0)")
    page.reload()
    own_house.kill()
    page.goto(f"{own_house.url}/t/NSCHTS")
    expect(page.get_by_text("Parlour cannot reach its server.")).to_be_visible()
    own_house.start()


def test_calculators_answer(visit: Visit) -> None:
    ada = visit()
    ada.go("/calc")
    for rank in ("Ace", "King", "Queen", "Jack", "Ten"):
        ada.press(f"{rank} of spades")
    ada.expect_text("Royal Flush")
    ada.go("/calc/equity")
    ada.press("Calculate")
    ada.expect_text(re.compile("^Exact: all 1,712,304 boards"))
    ada.go("/calc/pots")
    ada.press("Split pots")
    ada.expect_text(re.compile("^Main pot: 100"))


def test_the_engine_looks_at_a_finished_game(visit: Visit, house: House) -> None:
    white, black = Guest(house.url, "White"), Guest(house.url, "Black")
    code = white.open_table("chess", side="white", untimed=True)
    white.sit(code)
    black.sit(code)
    white.start(code)
    for player, uci in ((white, "f2f3"), (black, "e7e5"), (white, "g2g4"), (black, "d8h4")):
        player.act(code, type="move", uci=uci)
    ada = visit()
    ada.go(f"/history/{code}/1")
    ada.expect_text("Black wins by checkmate")
    ada.press("Step back")
    ada.press("Engine")
    expect(ada.page.locator(".analysis")).to_contain_text("#-1")


def test_a_device_that_is_signed_out_at_a_table_is_told(visit: Visit, house: House) -> None:
    ben = Guest(house.url, "Ben")
    code = ben.open_table("holdem", action_seconds=0)
    ada = visit("Ada")
    ada.sit(f"/t/{code}")
    (cookie,) = ada.page.context.cookies()
    elsewhere = Guest(house.url, "Ada")
    elsewhere.token = cookie["value"]
    link = elsewhere.post("/me/transfer")["link"]
    elsewhere.token = elsewhere.post("/identities/redeem", {"code": link.split("#")[1]})["token"]
    elsewhere.call("DELETE", "/me/tokens")
    expect(ada.page.locator(".toast")).to_have_text("You were signed out on this device.")
    expect(ada.page.get_by_label("Your name")).to_be_visible()  # a stranger again, who may only look


def test_a_session_that_is_about_to_end_is_begun_anew_on_request(visit: Visit, house: House) -> None:
    ada = visit("Ada")
    ada.go("/me")
    ada.press("Pick a name")
    ada.introduce()
    ada.page.get_by_role("button", name="Save", exact=True).wait_for()
    (before,) = ada.page.context.cookies()

    def late(route: Route) -> None:
        answer = route.fetch()
        old = route.request.all_headers()["cookie"] == f"parlour={before['value']}"
        route.fulfill(response=answer, json=answer.json() | {"renewable": old})

    ada.page.route("**/api/v1/session", late)
    ada.go("/")
    notice = ada.page.locator(".stay-signed-in")
    expect(notice).to_contain_text(re.compile("You’ll be signed out on this device on .*20"))
    for width in (360, 1280):
        ada.page.set_viewport_size({"width": width, "height": 800})
        check_page(ada.page)
    ada.press("Stay signed in")
    ada.expect_text("You stay signed in.")
    expect(notice).to_have_count(0)
    (after,) = ada.page.context.cookies()
    assert after["value"] != before["value"]
    gone = Guest(house.url, "Ada")
    gone.token = before["value"]
    with pytest.raises(AssertionError, match="401"):
        gone.call("GET", "/me")


def test_whose_session_has_ended_is_told_so(visit: Visit) -> None:
    ada = visit("Ada")
    ada.go("/me")
    ada.press("Pick a name")
    ada.introduce()
    ada.page.get_by_role("button", name="Save", exact=True).wait_for()

    def ended(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"ends": 1})

    ada.page.route("**/api/v1/session", ended)
    with ada.page.expect_response("**/api/v1/session"):
        ada.page.reload()
    ada.page.get_by_label("Your name").wait_for()
    ada.page.context.clear_cookies()
    ada.press("Save")
    expect(ada.page.locator(".toast")).to_contain_text("Your session on this device has ended.")


def test_strangers_in_two_tabs_are_one_person(visit: Visit, house: House) -> None:
    ben = Guest(house.url, "Ben")
    code = ben.open_table("holdem", action_seconds=0)
    ada = visit("Ada")
    ada.go(f"/t/{code}")
    other = Visitor(ada.page.context.new_page(), house.url, "Ada")
    other.go(f"/t/{code}")
    other.page.get_by_label("Your name").wait_for()
    ada.sit()
    other.page.get_by_label("Your name").fill("Another")
    other.press("Sit down")
    until(other.page, lambda: other.view()["you"] is not None)
    assert other.view()["you"] == ada.view()["you"]
    assert [seat["player"]["name"] for seat in ben.view(code)["seats"] if seat["player"]] == ["Ada"]


def test_nobody_is_taken_for_a_stranger_while_the_server_cannot_tell(visit: Visit, house: House) -> None:
    code = Guest(house.url, "Ben").open_table("holdem", action_seconds=0)
    ada = visit("Ada")
    ada.sit(f"/t/{code}")

    def refuse(route: Route) -> None:
        route.fulfill(status=503, json={"title": "Service Unavailable", "status": 503})

    ada.page.route("**/api/v1/session", refuse)
    with ada.page.expect_response("**/api/v1/session"):
        ada.page.reload()
    with ada.page.expect_response("**/api/v1/session"):
        pass  # it is asked again
    expect(ada.page.get_by_label("Your name")).to_have_count(0)
    ada.page.unroute("**/api/v1/session")
    expect(ada.page.get_by_role("button", name="Sit out")).to_be_visible()  # in her own seat
