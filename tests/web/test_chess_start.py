"""How a chess game begins in real browsers: by a link, with a colour that is chosen, rated, with time odds."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from .guests import Guest
from .house import House
from .visitors import Visitor

Visit = Callable[..., Visitor]


def test_a_friend_who_opens_the_link_and_sits_down_starts_the_game(visit: Visit) -> None:
    host, friend = visit("Wanda"), visit("Boris")
    host.go("/")
    host.page.get_by_role("radio", name="Chess").check(force=True)
    host.page.get_by_role("button", name="5 + 3").click()
    host.introduce()
    host.expect_text("The game starts when your opponent sits down")
    friend.sit(f"/t/{host.code}")
    for visitor in (host, friend):
        expect(visitor.page.locator(".player-bar.turn")).to_be_visible()
        expect(visitor.page.locator(".game-facts")).to_have_text("Casual")


def test_whoever_sits_down_chooses_the_colour(visit: Visit, house: House) -> None:
    host = Guest(house.url, "Host")
    code = host.open_table("chess", side="chosen", autostart=True, untimed=True)
    host.sit(code)
    friend = visit("Boris")
    friend.go(f"/t/{code}")
    friend.page.get_by_role("radio", name="Black").check(force=True)
    friend.sit()
    expect(friend.page.locator(".player-bar.bottom[data-player=black]")).to_contain_text("Boris")
    friend.expect_text("Host to move")


def test_the_form_shows_the_time_of_the_odds_only_with_odds(visit: Visit) -> None:
    host = visit("Wanda")
    host.go("/")
    page = host.page
    page.get_by_role("radio", name="Chess").check(force=True)
    page.get_by_role("button", name="More settings").click()
    page.get_by_text("Time odds, colours, special starts").click()
    expect(page.get_by_label("Time odds for")).to_be_visible()
    expect(page.get_by_label("Minutes with odds")).to_have_count(0)
    page.get_by_label("Time odds for").select_option(label="Black")
    page.get_by_label("Minutes with odds").fill("2")
    page.get_by_label("First player plays").select_option(label="White")
    page.get_by_label("Start when the second player sits down").check(force=True)
    page.get_by_role("button", name="Open the table").click()
    host.introduce()
    friend = visit("Boris")
    expect(page.locator(".board-frame")).to_be_visible()
    friend.sit(f"/t/{host.code}")
    expect(page.locator("[data-clock=black]")).to_have_text("2:00")
    expect(page.locator(".table-head")).to_contain_text("10+5 / 2+0")


def test_a_game_that_cannot_be_rated_is_refused_in_words(visit: Visit) -> None:
    host = visit("Wanda")
    host.go("/")
    page = host.page
    page.get_by_role("radio", name="Chess").check(force=True)
    page.get_by_role("button", name="More settings").click()
    page.get_by_text("Time odds, colours, special starts").click()
    page.get_by_label("Rated (between people)").check(force=True)
    page.get_by_label("Time odds for").select_option(label="Black")
    page.get_by_role("button", name="Open the table").click()
    host.introduce()
    host.expect_text("Such a game can’t be rated")
    # Without clocks it is casual: the one switch turns the other off.
    page.get_by_label("Time odds for").select_option(label="Nobody")
    page.get_by_label("No clock", exact=True).check(force=True)
    expect(page.get_by_label("Rated (between people)")).not_to_be_checked()


def test_the_table_names_the_opening_and_says_that_it_is_rated(visit: Visit, house: House) -> None:
    white, black = Guest(house.url, "Wanda"), Guest(house.url, "Boris")
    code = white.open_table("chess", side="white", rated=True, autostart=True)
    white.sit(code)
    black.sit(code)
    watcher = visit("Cy")
    watcher.go(f"/t/{code}")
    facts = watcher.page.locator(".game-facts")
    expect(facts).to_have_text("Rated")
    for person, uci in ((white, "e2e4"), (black, "c7c6"), (white, "d2d4")):
        person.act(code, type="move", uci=uci)
    expect(facts).to_contain_text("B12 Caro-Kann Defense")
