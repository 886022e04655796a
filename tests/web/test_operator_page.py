"""The page of whoever runs the server: locked without the secret, and with it everything that an operator does."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from harness.processes import UNLIMITED
from playwright.sync_api import Page, expect
from tests.patience import wait_until

import parlour

from .contests import announce, enter
from .guests import Guest
from .house import House
from .looks import check_page
from .visitors import Visitor, until

Visit = Callable[..., Visitor]
HERE = Path(__file__).parent
SIZES = ((320, 640), (360, 740), (740, 360), (1280, 800), (2560, 1300))

FONTS_LOADED = "Object.entries(localStorage).some(([name, value]) => name.endsWith('fonts') && value === 'true')"


def secret_of(house: House) -> str:
    return (house.data / "operator.secret").read_text().strip()


def show(page: Page, secret: str, label: str = "Operator’s secret", button: str = "Open") -> None:
    page.get_by_label(label).fill(secret)
    page.get_by_role("button", name=button, exact=True).click()


@pytest.fixture
def operator(visit: Visit, own_house: House) -> Callable[..., Visitor]:
    """Opens the page with the secret."""

    def operator(**options: object) -> Visitor:
        visitor = visit(**options)
        visitor.base = own_house.url
        visitor.go("/admin")
        show(visitor.page, secret_of(own_house))
        visitor.page.get_by_role("region", name="Load").wait_for()
        return visitor

    return operator


def test_without_the_secret_the_page_shows_nothing(visit: Visit, own_house: House) -> None:
    guest = Guest(own_house.url, "Bo")
    code = guest.open_table("chess", private=True)
    guest.sit(code)
    visitor = visit()
    visitor.base = own_house.url
    visitor.go("/admin")
    page = visitor.page
    visitor.expect_text("parlour admin secret --data FOLDER")
    show(page, "not the secret of this server")
    expect(page.get_by_role("alert")).to_have_text("That is not the secret of this server.")
    assert code not in page.content()
    assert page.evaluate("JSON.stringify([localStorage, sessionStorage])").find("not the secret") == -1
    check_page(page, SIZES)


def test_guessing_the_secret_is_slowed_down(new_page: Callable[..., Page], tmp_path: Path) -> None:
    house = House(tmp_path, options=(*UNLIMITED, "--limit", "guesses=0.001/3"))
    house.start()
    try:
        page = new_page()
        page.goto(house.url + "/admin")
        for number in range(3):
            show(page, f"guess number {number} of many")
            expect(page.get_by_role("alert")).to_have_text("That is not the secret of this server.")
        show(page, secret_of(house))
        expect(page.get_by_role("alert")).to_contain_text("Too many wrong tries")
    finally:
        house.stop()


def test_the_secret_lives_in_the_tab_alone(operator: Callable[..., Visitor], own_house: House) -> None:
    page = operator().page
    secret = secret_of(own_house)
    page.reload()
    page.get_by_role("region", name="Load").wait_for()
    assert secret not in page.url
    assert secret not in page.evaluate("JSON.stringify(localStorage) + document.cookie")
    other = page.context.new_page()
    other.goto(own_house.url + "/admin")
    expect(other.get_by_label("Operator’s secret")).to_have_value("")
    page.get_by_role("button", name="Lock").click()
    expect(page.get_by_label("Operator’s secret")).to_have_value("")
    assert secret not in page.evaluate("JSON.stringify(sessionStorage)")


def test_a_secret_that_is_valid_no_more_locks_the_page(operator: Callable[..., Visitor], own_house: House) -> None:
    page = operator().page
    until(page, lambda: page.evaluate(FONTS_LOADED))  # files still on their way when the server stops would be an error
    own_house.stop()
    expect(page.get_by_role("status").filter(has_text="The server can’t be reached.")).to_be_visible()
    (own_house.data / "operator.secret").unlink()
    own_house.start()
    page.get_by_label("Operator’s secret").wait_for()


def test_live_tables_are_seen_and_closed(operator: Callable[..., Visitor], own_house: House) -> None:
    guests = [Guest(own_house.url, name) for name in ("Ada", "Bo")]
    code = guests[0].open_table("holdem", seats=3, action_seconds=0, name="Friday night", private=True)
    for guest in guests:
        guest.sit(code)
        guest.attend(code)
    guests[0].start(code)
    page = operator().page
    tables = page.get_by_role("region", name="Live tables")
    line = tables.get_by_role("listitem").filter(has_text=code)
    expect(line).to_contain_text("Friday night")
    expect(line).to_contain_text("2 seated, 2 connected")
    expect(line).to_contain_text("round 1")
    expect(line).to_contain_text("Private")
    expect(line.get_by_role("link", name=code)).to_have_attribute("href", f"/t/{code}")
    close = tables.get_by_role("button", name=f"Close table {code}")
    close.press("Enter")
    dialog = page.get_by_role("dialog", name=f"Close table {code}")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    assert guests[0].view(code)["status"] == "playing", "nothing happens before the second question is answered"
    close.press("Enter")
    dialog.get_by_role("button", name="Close table").press("Enter")
    expect(line).to_have_count(0)
    assert guests[1].view(code)["status"] == "closed"


def test_tournaments_are_seen_and_ended(operator: Callable[..., Visitor], own_house: House) -> None:
    guests = [Guest(own_house.url, name) for name in ("Ada", "Bo")]
    code = announce(guests[0], "holdem", "mtt", "Club night", private=True, entries_max=20)
    enter(guests, code)
    page = operator().page
    tournaments = page.get_by_role("region", name="Tournaments")
    line = tournaments.get_by_role("listitem").filter(has_text=code)
    expect(line).to_contain_text("Club night")
    expect(line).to_contain_text("entries: 2 of 20")
    expect(line).to_contain_text("Private")
    expect(line.get_by_role("link", name=code)).to_have_attribute("href", f"/tournament/{code}")
    check_page(page, SIZES)
    tournaments.get_by_role("button", name=f"End tournament {code}").press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="End tournament").press("Enter")
    expect(line).to_have_count(0)
    expect(tournaments).to_contain_text("No tournament is open.")
    assert guests[1].get(f"/tournaments/{code}")["status"] == "finished"


def test_a_backup_is_downloaded_and_opens(operator: Callable[..., Visitor], own_house: House, tmp_path: Path) -> None:
    code = Guest(own_house.url, "Bo").open_table("chess")
    page = operator().page
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download a backup").click()
    download = waiting.value
    assert re.fullmatch(r"parlour-[\d-]+\.db", download.suggested_filename)
    copy = tmp_path / "copy.db"
    download.save_as(copy)
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT code FROM tables").fetchall() == [(code,)]
    expect(page.get_by_text(f"parlour admin backup FILE --data {own_house.data}")).to_be_visible()


def test_somebody_is_signed_out_everywhere(operator: Callable[..., Visitor], visit: Visit, own_house: House) -> None:
    ada = visit("Ada")
    ada.base = own_house.url
    code = Guest(own_house.url, "Bo").open_table("chess")
    ada.sit(f"/t/{code}")
    page = operator().page
    people = page.get_by_role("region", name="People")
    expect(people.get_by_role("listitem").filter(has_text="Ada")).to_contain_text(code)
    people.get_by_role("button", name="Devices of Ada").press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Chrome")
    dialog.get_by_role("button", name="Sign out everywhere").press("Enter")
    dialog.get_by_role("button", name="Sign out everywhere").press("Enter")
    expect(people.get_by_role("listitem").filter(has_text="Ada")).to_have_count(0)
    ada.expect_text("You were signed out on this device")
    people.get_by_label("Name or id").fill("Ada")
    people.get_by_label("Name or id").press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Signed in nowhere")
    check_page(page, SIZES)


@pytest.mark.slow
def test_the_whole_desk_is_for_everybody(operator: Callable[..., Visitor], own_house: House) -> None:
    """Load, refusals, versions and settings are there, and nobody is shut out from them."""
    guest = Guest(own_house.url, "W" * 32)
    code = guest.open_table("holdem", seats=3, name="W" * 40)
    guest.sit(code)
    guest.attend(code)
    guest.post("/suggestions", {"title": "Snacks", "suggestion": "More of them."})
    stranger = Guest(own_house.url, "Cy")
    with pytest.raises(AssertionError, match="not_host"):
        stranger.post(f"/tables/{code}/host/pause")
    page = operator().page
    expect(page.get_by_role("region", name="Refusals")).to_contain_text("not_host")
    expect(page.get_by_role("region", name="Refusals")).to_contain_text("127.0.0.0/24")
    expect(page.get_by_role("region", name="This server")).to_contain_text(parlour.__version__)
    expect(page.get_by_role("region", name="Suggestions")).to_contain_text("More of them.")
    page.get_by_text("Settings in force").press("Enter")
    expect(page.get_by_text("--operator-secret")).to_be_visible()
    assert secret_of(own_house) not in page.content()
    memory = page.locator(".gauge", has=page.get_by_text("Memory", exact=True))
    expect(memory).to_contain_text("MB")
    expect(memory.locator("polyline")).to_have_count(1)
    check_page(page, SIZES)


COUNT = """() => {
  const real = window.fetch;
  window.asked = 0;
  window.fetch = (...args) => {
    if (String(args[0]).endsWith("/api/v1/operator")) window.asked++;
    return real(...args);
  };
}"""
HIDE = """() => {
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  window.asked = 0;
}"""
LOOK = """() => {
  delete document.visibilityState;
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_page_that_is_not_looked_at_asks_nothing(operator: Callable[..., Visitor]) -> None:
    page = operator().page
    page.clock.install()
    page.reload()
    page.get_by_role("region", name="Load").wait_for()
    page.evaluate(COUNT)

    def asked(times: int) -> None:
        wait_until(lambda: page.evaluate("window.asked") >= times, pause=lambda: page.clock.run_for(1000))

    asked(2)
    page.evaluate(HIDE)
    page.clock.run_for(60_000)
    assert page.evaluate("window.asked") == 0
    page.evaluate(LOOK)
    asked(1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("locale", "label", "button", "health"),
    [
        ("de-DE", "Geheimnis des Betreibers", "Öffnen", "Alles läuft"),
        ("es-ES", "Secreto del operador", "Abrir", "Todo funciona"),
    ],
)
def test_the_page_speaks_other_languages(
    visit: Visit, own_house: House, locale: str, label: str, button: str, health: str
) -> None:
    visitor = visit(locale=locale)
    visitor.base = own_house.url
    visitor.go("/admin")
    show(visitor.page, secret_of(own_house), label, button)
    visitor.expect_text(health)
    check_page(visitor.page, SIZES)
