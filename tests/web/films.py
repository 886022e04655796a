"""Writes docs/films: what moves, as strips of pictures, and the moving picture of the README.

    python -m tests.web.films [name …]

A real browser shows the page of a real server. The frames of the hands are fed to it, so that the cards never differ,
and time in the page goes on only from picture to picture: a slow machine films the same as a quick one.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from parlour.games.chess import Chess
from parlour.games.poker.holdem import Holdem
from parlour.games.testing import Lots, Trial

from .browsers import launch
from .guests import Guest
from .hands import Told, deck
from .house import House
from .visitors import Visitor, until

FOLDER = Path(__file__).resolve().parents[2] / "docs/films"
SIZES = {"phone": (360, 740), "desktop": (1280, 800)}
WIDTHS = {"phone": 200, "desktop": 440}
"""Of one picture in a strip."""
COLUMNS = {"phone": 8, "desktop": 4}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PEOPLE = ("Ada", "Dexter", "Ines", "Charlotte")
MOVING = "table.webp"
MOVING_WIDTH = 800


class Camera:
    """One page, whose time is moved by hand where it is to be filmed."""

    def __init__(
        self, browser: Browser, house: House, size: str, scheme: Literal["light", "dark"], *, still: bool = True
    ) -> None:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB", device_scale_factor=1
        )
        self.page: Page = context.new_page()
        self.still = still
        if still:
            self.page.clock.install()
        for script in ("feed.js", "film.js") if still else ("feed.js",):
            self.page.add_init_script(path=Path(__file__).with_name(script))
        self.visitor = Visitor(self.page, house.url, PEOPLE[0])
        self.pictures: list[Image.Image] = []

    def feed(self, frame: dict[str, Any]) -> None:
        self.page.evaluate("frame => window.parlourFeed(frame)", frame)

    def run(self, ms: int, every: int, *, quiet: bool = False) -> None:
        """Let so much time pass in the page, with a picture now and then."""
        for _ in range(ms // every):
            if not quiet:
                self.shoot()
            self.page.evaluate("ms => window.parlourStep(ms)", every)
            self.page.clock.run_for(every)

    def shoot(self) -> None:
        self.pictures.append(Image.open(io.BytesIO(self.page.screenshot())).convert("RGB"))

    def close(self) -> None:
        self.page.context.close()

    def enter(self, house: House, code: str) -> None:
        """Come to the table and sit down at the first seat, without a word on the page."""
        request = self.page.context.request
        headers = {"Origin": house.url}
        for path, body in (("/identities", {"name": PEOPLE[0]}), (f"/tables/{code}/seats", {"seat": 0})):
            answer = request.post(f"{house.url}/api/v1{path}", data=body, headers=headers)
            assert answer.ok, answer.text()
        self.visitor.go(f"/t/{code}")
        self.page.locator("[data-spot=felt], .cg-wrap").first.wait_for()


def holdem(camera: Camera, house: House, stacks: list[int], *hands: str, board: str) -> Told:
    """A table of these stacks where seat 0 looks at it through the camera and the last seat has the button."""
    host = Guest(house.url, "Host")
    seats = len(stacks)
    rules = {"seats": seats, "small_blind": 1, "big_blind": 2, "min_buy_in": 2, "max_buy_in": 1000, "buy_in": 200}
    code = host.open_table("holdem", **rules, action_seconds=30)
    camera.enter(house, code)
    for seat in range(1, seats):
        guest = Guest(house.url, PEOPLE[seat])
        guest.sit(code, seat=seat)
        guest.attend(code)
    lot = [seats - 1, *range(seats - 1)]
    trial = Trial(Holdem(), {**rules, "action_seconds": 30}, Lots(1, [lot, deck(*hands, board=board)]))
    for seat, stack in enumerate(stacks):
        trial.join(seat, buy_in=stack)
    return Told(trial, settled(camera, seats))


def chess(camera: Camera, house: House) -> Told:
    host = Guest(house.url, "Host")
    rules = {"minutes": 5, "increment": 3, "side": "white"}
    code = host.open_table("chess", **rules)
    camera.enter(house, code)
    guest = Guest(house.url, PEOPLE[1])
    guest.sit(code)
    guest.attend(code)
    trial = Trial(Chess(), rules, Lots(1))
    for seat in range(2):
        trial.join(seat)
    return Told(trial, settled(camera, 2))


def settled(camera: Camera, people: int) -> dict[str, Any]:
    """The view once everybody has sat down and is there, and the page has heard of it."""
    until(camera.page, lambda: sum(seat["player"] is not None for seat in camera.visitor.view()["seats"]) >= people)
    expect(camera.page.locator(".seat, .player-bar .avatar")).to_have_count(people, timeout=60_000)
    expect(camera.page.locator(".seat.away, .player-bar.away")).to_have_count(0, timeout=60_000)
    if camera.still:
        camera.page.clock.pause_at(camera.page.evaluate("() => Date.now() + 1000"))
    return camera.visitor.view()


def deal(camera: Camera, house: House) -> None:
    told = holdem(camera, house, [200] * 4, "As Kd", "7c 2d", "Qh Qs", "9c 8c", board="Ah 7s 2h Jc 4d")
    camera.feed(told.frame(told.trial.start()))
    camera.run(1440, 120)


def raise_(camera: Camera, house: House) -> None:
    told = holdem(camera, house, [200] * 4, "As Kd", "7c 2d", "Qh Qs", "9c 8c", board="Ah 7s 2h Jc 4d")
    camera.feed(told.frame(told.trial.start()))
    camera.run(2000, 100, quiet=True)
    for action, length in ((("raise", 6), 480), ("fold", 360), (("raise", 20), 480), ("fold", 360), ("call", 1200)):
        camera.feed(told.frame(act(told, action)))
        camera.run(length, 120)


def three_all_in(camera: Camera, house: House) -> Told:
    """A table where three will be all-in for a main pot and two side pots, and each pot has another winner."""
    hands = ("Kc Kd", "Qs Qd", "Ac Ad", "As Ks")
    return holdem(camera, house, [400, 60, 140, 300], *hands, board="Qh 7s 2d Ts 4c")


def all_in(camera: Camera, house: House, every: int = 500) -> None:
    told = three_all_in(camera, house)
    camera.feed(told.frame(told.trial.start()))
    camera.run(2000, 100, quiet=True)
    for action in ("allin", "allin", "call"):
        camera.feed(told.frame(act(told, action)))
        camera.run(every, every)
    camera.feed(told.frame(act(told, "call")))
    camera.run(19 * 500, every)
    camera.shoot()


def split(camera: Camera, house: House) -> None:
    told = holdem(camera, house, [200] * 2, "Ac Kd", "Ad Kc", board="Ah 7s 2d 9c 4h")
    camera.feed(told.frame(told.trial.start()))
    camera.run(2000, 100, quiet=True)
    for action in ("call", "check", "check", "check", "check", "check", "check"):
        camera.feed(told.frame(act(told, action)))
        camera.run(900, 100, quiet=True)
    camera.feed(told.frame(act(told, "check")))
    camera.run(2400, 150)


def mate(camera: Camera, house: House) -> None:
    told = chess(camera, house)
    trial = told.trial
    camera.feed(told.frame(trial.start()))
    camera.run(600, 100, quiet=True)
    for uci in ("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"):
        trial.now += 1500
        camera.feed(told.frame(trial.act(trial.actor, "move", uci=uci)))
        camera.run(240, 120)
    camera.run(960, 240)


def act(told: Told, action: Any) -> Any:
    trial = told.trial
    if isinstance(action, str):
        return trial.act(trial.actor, action)
    kind, amount = action
    return trial.act(trial.actor, kind, amount=amount)


FILMS: dict[str, Callable[[Camera, House], None]] = {
    "deal": deal,
    "raise": raise_,
    "all-in": all_in,
    "split": split,
    "chess-mate": mate,
}


def strip(pictures: list[Image.Image], size: str) -> Image.Image:
    """The pictures of a film side by side, in rows."""
    width = WIDTHS[size]
    height = round(width * SIZES[size][1] / SIZES[size][0])
    columns = min(COLUMNS[size], len(pictures))
    rows = -(-len(pictures) // columns)
    sheet = Image.new("RGB", (columns * (width + 4) - 4, rows * (height + 4) - 4), "white")
    for index, picture in enumerate(pictures):
        small = picture.resize((width, height), Image.Resampling.LANCZOS)
        sheet.paste(small, (index % columns * (width + 4), index // columns * (height + 4)))
    return sheet


def moving_picture(browser: Browser, house: House) -> None:
    """An all-in from the call to the last pot, for the README."""
    camera = Camera(browser, house, "desktop", "dark")
    all_in(camera, house, every=100)
    height = round(MOVING_WIDTH * SIZES["desktop"][1] / SIZES["desktop"][0])
    first, *rest = [one.resize((MOVING_WIDTH, height), Image.Resampling.LANCZOS) for one in camera.pictures]
    first.save(FOLDER / MOVING, save_all=True, append_images=rest, duration=100, loop=0, quality=60, method=5)
    camera.close()


def main() -> None:
    wanted = set(sys.argv[1:])
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        house = House(Path(data))
        house.start()
        browser = launch(playwright)
        try:
            for name, film in FILMS.items():
                for size in SIZES:
                    for scheme in SCHEMES:
                        if wanted and name not in wanted:
                            continue
                        camera = Camera(browser, house, size, scheme)
                        film(camera, house)
                        strip(camera.pictures, size).save(FOLDER / f"{name}-{size}-{scheme}.webp", quality=82)
                        camera.close()
            if not wanted or MOVING in wanted:
                moving_picture(browser, house)
        finally:
            browser.close()
            house.stop()


if __name__ == "__main__":
    main()
