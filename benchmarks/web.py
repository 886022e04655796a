"""How quickly the web app is there, and how quickly an action crosses it.

    python -m benchmarks.web

A phone: Chromium with the CPU slowed down four times, 1.6 Mbit/s and 150 ms of latency, nothing in the cache. Then two
browsers on loopback: from the click of one to the change in the other's page. Last, what moves: the time from frame to
frame while a hand is dealt and while an all-in is run out, on a phone with the CPU slowed down four times. Chromium
paints on the CPU here, so the least that the machine can do at that moment stands beside it: one square that moves over
an empty page.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from tests.web.browsers import launch
from tests.web.films import Camera, three_all_in
from tests.web.films import act as take
from tests.web.guests import Guest
from tests.web.house import House
from tests.web.visitors import Visitor, whose_turn

COLD_VISITS = 5
ACTIONS = 40
SLOW_NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
FIRST_PAINT = """() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"""
WATCH = """() => {
  window.seen = [];
  const now = () => performance.timeOrigin + performance.now();
  const look = () => window.seen.push([document.querySelector('.action-bar') !== null, now()]);
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
}"""


def cold_visit(browser: Browser, house: House, code: str) -> tuple[float, float]:
    """Milliseconds to the first paint, and until one can sit down."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_NETWORK)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(f"{house.url}/t/{code}", wait_until="commit")
    page.get_by_role("button", name="Sit down").wait_for()
    playable = page.evaluate("() => performance.now()")
    paint = page.evaluate(FIRST_PAINT)
    context.close()
    return paint, playable


def crossing(browser: Browser, house: House) -> list[float]:
    """Milliseconds from a click in one browser to the turn in the other, for many actions."""
    host = Guest(house.url, "Host")
    code = host.open_table("holdem", seats=2, action_seconds=0, hand_delay=0)
    visitors = [Visitor(browser.new_context().new_page(), house.url, name) for name in ("Ada", "Bo")]
    for visitor in visitors:
        visitor.sit(f"/t/{code}")
    host.start(code)
    times: list[float] = []
    while len(times) < ACTIONS:
        one = whose_turn(*visitors)
        other = visitors[1] if one is visitors[0] else visitors[0]
        if (took := act(one.page, other.page)) is not None:
            times.append(took)
    return times


def act(page: Page, other: Page) -> float | None:
    """Check or call, and wait for the other's turn; nothing where the hand ended instead."""
    page.locator(".action-bar .call:not([disabled])").wait_for()
    other.evaluate(WATCH)
    start = page.evaluate(
        """() => {
          const button = document.querySelector('.action-bar .call');
          const now = performance.timeOrigin + performance.now();
          button.click();
          return now;
        }"""
    )
    page.wait_for_timeout(120)
    turns = [at for mine, at in other.evaluate("() => window.seen") if mine]
    return turns[0] - start if turns else None


FRAMES = """(ms) => new Promise((resolve) => {
  const times = [];
  const end = performance.now() + ms;
  const next = (now) => {
    times.push(now);
    if (now < end) requestAnimationFrame(next);
    else resolve(times.slice(1).map((time, index) => time - times[index]));
  };
  requestAnimationFrame(next);
})"""
# The frame comes as a message of its own, as it would from the server.
SHOW = f"""([frame, ms]) => {{
  setTimeout(() => window.parlourFeed(frame), 50);
  return ({FRAMES})(ms);
}}"""
FONTS = "() => document.fonts.size > 4 && document.fonts.status === 'loaded'"
SQUARE = "<!doctype html><div style='width:40px;height:56px;background:#a33'></div>"
SLIDE = f"""(ms) => {{
  const way = [{{ transform: 'none' }}, {{ transform: 'translate(300px, 600px)' }}];
  document.querySelector('div').animate(way, ms);
  return ({FRAMES})(ms);
}}"""
QUIET_CORNER = (20, 120)
"""Where a tap does nothing but wake the sounds."""
DEAL_MS = 1_500
RUN_OUT_MS = 8_000
ROUNDS = 5


def slow_down(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})


def least(browser: Browser) -> list[float]:
    """Milliseconds from frame to frame while one square moves over an empty page."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, device_scale_factor=1)
    page = context.new_page()
    page.set_content(SQUARE)
    slow_down(page)
    times: list[float] = page.evaluate(SLIDE, DEAL_MS)
    context.close()
    return times


def moving(browser: Browser, house: House) -> tuple[list[float], list[float]]:
    """Milliseconds from frame to frame during a deal and during a run-out, at a table whose page is at rest."""
    camera = Camera(browser, house, "phone", "dark", still=False)
    told = three_all_in(camera, house)
    camera.page.wait_for_function(FONTS)
    camera.page.mouse.click(*QUIET_CORNER)
    camera.page.wait_for_timeout(1_000)
    slow_down(camera.page)

    def watch(frame: dict[str, Any], ms: int) -> list[float]:
        times: list[float] = camera.page.evaluate(SHOW, [frame, ms])
        return times

    deal = watch(told.frame(told.trial.start()), DEAL_MS)
    for action in ("allin", "allin", "call"):
        watch(told.frame(take(told, action)), 600)
    run_out = watch(told.frame(take(told, "call")), RUN_OUT_MS)
    camera.close()
    return deal, run_out


def p95(times: list[float]) -> float:
    return round(sorted(times)[int(0.95 * len(times))], 1)


def main() -> None:
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        house = House(Path(data))
        house.start()
        browser = launch(playwright)
        try:
            code = Guest(house.url, "Host").open_table("holdem")
            visits = [cold_visit(browser, house, code) for _ in range(COLD_VISITS)]
            times = sorted(crossing(browser, house))
            floors, films = [], []
            for _ in range(ROUNDS):
                floors.append(least(browser))
                films.append(moving(browser, house))
        finally:
            browser.close()
            house.stop()
    figures: dict[str, Any] = {
        "first_paint_ms": round(statistics.median(paint for paint, _ in visits)),
        "playable_ms": round(statistics.median(playable for _, playable in visits)),
        "action_p50_ms": round(statistics.median(times), 1),
        "action_p95_ms": round(times[int(0.95 * len(times))], 1),
        "actions": len(times),
        "least_frame_p95_ms": statistics.median(p95(times) for times in floors),
        "deal_frame_p95_ms": statistics.median(p95(deal) for deal, _ in films),
        "run_out_frame_p95_ms": statistics.median(p95(run_out) for _, run_out in films),
    }
    print("cold cache, CPU 4 times slower, 1.6 Mbit/s, 150 ms:")
    print(f"  first paint {figures['first_paint_ms']} ms, ready to sit down {figures['playable_ms']} ms")
    print("two browsers on loopback, from the click to the other's page:")
    print(f"  p50 {figures['action_p50_ms']} ms, p95 {figures['action_p95_ms']} ms over {figures['actions']} actions")
    print(f"frames on a phone with the CPU 4 times slower, median of {ROUNDS} rounds:")
    print(f"  p95 {figures['deal_frame_p95_ms']} ms in a deal, {figures['run_out_frame_p95_ms']} ms in a run-out,")
    print(f"  {figures['least_frame_p95_ms']} ms for one square on an empty page")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
