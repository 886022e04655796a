"""What is drawn and heard: faces, cards, felts, type and sounds, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from .guests import Guest
from .house import House
from .test_build import manifest, node
from .visitors import Visitor, until

Visit = Callable[..., Visitor]

SOUNDS = {
    *("deal", "turn", "check", "chips", "collect", "fold", "allin", "win", "bigWin", "myTurn", "lowTime", "message"),
    *("move", "capture", "chessCheck", "end"),
}
AUDIBLE = 0.05
"""The least peak of a sound at full volume, of 1."""

RENDER = """async ([file, name]) => {
  const { schedule } = await import(file);
  const context = new OfflineAudioContext(1, 44100 * 2.5, 44100);
  schedule(context, name, 0, 1);
  const samples = (await context.startRendering()).getChannelData(0);
  const peak = (from, to) => samples.slice(from, to).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return { peak: peak(0, samples.length), tail: peak(samples.length - 4410, samples.length) };
}"""

COUNT_SOUNDS = """() => {
  window.started = 0;
  for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...when) { window.started += 1; return start.apply(this, when); };
  }
}"""

WATCH_SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries())
      window.shifts.push([shift.value, ...shift.sources.map(({ node }) => node?.className ?? node?.nodeName ?? "")]);
  }).observe({ type: "layout-shift", buffered: true });
}"""

ONE_WORD = 1e-4
"""Less than the layout shift of one word that moves by some pixels."""
LOADED = "family => [...document.fonts].some((font) => font.family.includes(family) && font.status === 'loaded')"


@pytest.fixture
def known(visit: Visit) -> Visitor:
    """Somebody with a name, on their own page."""
    ada = visit("Ada")
    ada.go("/me")
    ada.press("Pick a name")
    ada.introduce()
    ada.page.get_by_role("heading", name="Profile").wait_for()
    return ada


@pytest.mark.slow
def test_every_sound_is_heard_and_none_clips(visit: Visit) -> None:
    listing = "import { SOUNDS } from './src/ui/sounds.ts'; console.log(JSON.stringify(Object.keys(SOUNDS)))"
    names: list[str] = json.loads(node("--input-type=module", "-e", listing))
    assert set(names) == SOUNDS
    visitor = visit()
    visitor.go("/")
    file = "/" + manifest()["src/ui/sounds.ts"]["file"]
    for name in names:
        heard = visitor.page.evaluate(RENDER, [file, name])
        assert AUDIBLE < heard["peak"] < 1, (name, heard)
        assert heard["tail"] == 0, f"{name} does not end"


def test_off_means_off(known: Visitor) -> None:
    page = known.page
    page.evaluate(COUNT_SOUNDS)
    volume = page.get_by_role("slider", name="Volume")
    attempt = page.get_by_role("button", name="Try a sound")
    expect(volume).to_have_value("40")
    attempt.click()  # The first tap is what lets a page sound at all.
    page.wait_for_function("() => window.started > 0 || (document.querySelector('.volume button').click(), false)")
    before = page.evaluate("window.started")
    volume.fill("0")
    expect(attempt).to_be_disabled()
    volume.fill("80")
    expect(attempt).to_be_enabled()
    page.get_by_role("switch", name="Sounds").uncheck()
    expect(attempt).to_be_disabled()
    expect(volume).to_be_disabled()
    assert page.evaluate("window.started") == before
    page.reload()
    expect(page.get_by_role("slider", name="Volume")).to_have_value("80")
    expect(page.get_by_role("switch", name="Sounds")).not_to_be_checked()


def drawn(page: Page, where: str) -> str:
    return str(page.locator(f"{where} svg.face").first.inner_html())


def test_a_face_is_chosen_by_keyboard_and_seen_by_others(known: Visitor, visit: Visit, house: House) -> None:
    page = known.page
    page.get_by_role("radio", name="Automatic").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Face 3", exact=True)).to_be_checked()
    chosen = drawn(page, ".me-face")
    assert chosen == drawn(page, ".picture.on")
    known.press("Save")
    expect(page.get_by_text("Saved.").last).to_be_visible()
    page.reload()
    expect(page.get_by_role("radio", name="Face 3", exact=True)).to_be_checked()
    assert drawn(page, ".me-face") == chosen

    host = Guest(house.url, "Ben")
    code = host.open_table("holdem")
    known.sit(f"/t/{code}")
    other = visit("Carla")
    other.go(f"/t/{code}")
    seat = other.page.get_by_role("listitem").filter(has_text="Ada").first
    expect(seat.locator("svg.face")).to_be_visible()
    assert seat.locator("svg.face").inner_html() == chosen
    assert "face:" not in other.page.locator("body").inner_text()


def test_a_sign_from_before_there_were_faces_stays(known: Visitor) -> None:
    page = known.page
    origin = {"Origin": known.base}
    changed = page.request.patch(f"{known.base}/api/v1/me", data={"avatar": "♞"}, headers=origin)
    assert changed.ok, changed.text()
    page.reload()
    expect(page.get_by_role("radio", name="Your sign ♞")).to_be_checked()
    expect(page.locator(".me-face")).to_have_text("♞")


def test_felt_and_card_backs_are_a_choice_of_the_device(known: Visitor, house: House) -> None:
    page = known.page
    page.get_by_role("radio", name="Burgundy").check()
    page.get_by_role("radio", name="Blue fans").check()
    guests = [Guest(house.url, name) for name in ("Ben", "Carla")]
    code = guests[0].open_table("holdem", hand_delay=60)
    known.sit(f"/t/{code}")
    for guest in guests:
        guest.attend(code)
        guest.sit(code)
    guests[0].start(code)
    expect(page.locator(".felt-burgundy").first).to_be_visible()
    expect(page.locator(".card.back.fans").first).to_be_visible()
    expect(page.locator(".card.back.lattice")).to_have_count(0)


@pytest.mark.parametrize(("width", "pips", "figure"), [(28, 1, False), (44, 1, True), (160, 9, True)])
def test_a_card_shows_as_much_as_its_width_allows(visit: Visit, width: int, pips: int, figure: bool) -> None:
    visitor = visit()
    visitor.go("/calc")
    page = visitor.page
    nine, king = (
        page.get_by_role("button", name=name, exact=True).locator(".card") for name in ("9 of hearts", "King of spades")
    )
    for card in (nine, king):
        card.evaluate("(card, width) => (card.style.width = `${width}px`)", width)
        expect(card.locator(".rank").first).to_be_visible()
    shown = "pips => pips.filter((pip) => getComputedStyle(pip).display !== 'none').length"
    assert nine.locator("svg > .pip").evaluate_all(shown) == pips
    expect(king.locator(".figure")).to_be_visible(visible=figure)
    expect(page.locator("#court-K > *").first).to_be_attached()


def come_to_rest(page: Page) -> None:
    """Wait until the page has looked the same for half a second."""
    seen = ""
    while (now := page.locator("main").inner_html()) != seen:
        seen = now
        page.wait_for_timeout(500)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(360, 740), (1280, 800)])
def test_the_typefaces_come_later_and_move_nothing(
    new_page: Callable[..., Page], house: House, size: tuple[int, int]
) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    page.add_init_script(f"({WATCH_SHIFTS})()")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    held: list[Route] = []
    page.route("**/*.woff2", lambda route: held.append(route))
    page.goto(house.url)
    page.get_by_role("heading", level=1).wait_for()
    come_to_rest(page)  # what the server tells may still come, and move the rest
    until(page, lambda: len(held) >= 2)
    page.evaluate("window.shifts.length = 0")
    for route in held:
        route.continue_()
    for family in ("Parlour Text", "Parlour Display"):
        page.wait_for_function(LOADED, arg=family)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    fonts = [url for url in asked if url.endswith(".woff2")]
    assert len(fonts) == 2, "Latin alone"
    first = asked.index(fonts[0])
    assert any("/assets/index" in url for url in asked[:first])
    # A letter may be a little wider, and what stands behind it in its line then gives way: no more than that.
    shifts: list[Any] = page.evaluate("window.shifts")
    assert sum(value for value, *_ in shifts) < ONE_WORD, shifts


@pytest.mark.slow
def test_the_page_goes_on_without_the_typefaces(new_page: Callable[..., Page], house: House) -> None:
    page = new_page()
    page.route("**/assets/fonts-*.css", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "/assets/fonts-" in request.url):
        page.goto(house.url)
    # An error that nothing has caught would be told by now; it fails the test when the page is closed.
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
