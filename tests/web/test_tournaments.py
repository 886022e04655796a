"""Tournaments in the browser: lobby, forms, rounds, the host, what was played."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .contests import QUICK, SIZES, Visit, announce, at_table, enter, known, play_it_out
from .guests import Guest
from .house import House
from .looks import check_page
from .visitors import until

# From the lobby to a seat


@pytest.mark.slow
def test_a_sit_and_go_against_eight_house_players_is_two_taps_away(visit: Visit, house: House) -> None:
    ada, guest = known(visit, house, "Ada", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = ada.page
    page.add_init_script("window.taps = 0; addEventListener('click', (e) => { window.taps += e.detail > 0 }, true)")
    ada.go("/")
    page.get_by_role("button", name="Sit-and-go against the house").tap()
    code = at_table(ada)
    ada.expect_turn()
    assert page.evaluate("window.taps") <= 2
    view = guest.view(code)
    assert sum(seat["player"] is not None for seat in view["seats"]) == 9
    assert sum(seat["player"]["bot"] for seat in view["seats"]) == 8
    tournament = guest.get(f"/tournaments/{view['tournament']}")
    assert (tournament["status"], tournament["format"], tournament["table"]) == ("running", "sitngo", code)
    expect(page.locator(".tour-strip")).to_contain_text("Level 1")
    expect(page.locator(".tour-strip")).to_contain_text("of 9")
    check_page(page, SIZES)


def test_whoever_has_entered_is_taken_to_the_table_at_the_start(visit: Visit, house: House) -> None:
    ben, carla = Guest(house.url, "Ben"), Guest(house.url, "Carla")
    code = announce(ben, "holdem", "mtt", **QUICK)
    enter([ben, carla], code)
    ada = visit("Ada")
    ada.go(f"/tournament/{code}")
    ada.page.get_by_role("button", name="Enter", exact=True).press("Enter")
    ada.introduce()
    ada.expect_text("You are in. You will be taken to your table when it starts.")
    expect(ada.page.get_by_role("rowheader", name="Ada")).to_be_visible()
    ada.page.evaluate("window.mark = 1")
    ben.post(f"/tournaments/{code}/start")
    table = at_table(ada)
    assert ada.page.evaluate("window.mark") == 1
    assert carla.get(f"/tournaments/{code}")["table"] == table
    ada.expect_text(re.compile(r"You sit at table 1, seat \d"))
    # Whoever comes back to the page while they play stays there, and has a button to the table.
    ada.page.locator(".tour-strip").click()
    ada.page.get_by_role("button", name="To your table").click()
    assert ada.code == table


def test_a_name_that_a_newcomer_gives_is_the_one_that_enters(visit: Visit, house: House) -> None:
    code = announce(Guest(house.url, "Ben"), "chess", "arena")
    ada = visit("Ada")
    ada.go(f"/tournament/{code}")
    ada.press("Enter")
    ada.introduce()
    ada.press("Withdraw")
    expect(ada.page.get_by_role("button", name="Enter", exact=True)).to_be_visible()


# Chess


def resign(guests: list[Guest], code: str) -> None:
    """Every game that is played: one move each, then whoever is to move resigns."""
    for guest in guests:
        table = guest.get(f"/tournaments/{code}")["table"]
        if table is None:
            continue
        view = guest.view(table)
        if view["legal"] is None or view["status"] != "playing":
            continue
        if len(view["state"]["moves"]) < 2:
            guest.act(table, type="move", uci=view["legal"]["moves"][0])
        else:
            guest.act(table, type="resign")


def test_the_next_game_is_opened_when_the_round_is_paired(visit: Visit, house: House) -> None:
    ada, guest = known(visit, house, "Ada")
    guests = [guest, *(Guest(house.url, name) for name in ("Ben", "Carla", "Dmitri"))]
    code = announce(guests[1], "chess", "swiss", rounds=2, round_pause=0, name="Club evening")
    enter(guests, code)
    ada.go(f"/tournament/{code}")
    ada.expect_text("You are in.")
    ada.page.evaluate("window.mark = 1")
    guests[1].post(f"/tournaments/{code}/start")
    first = at_table(ada)
    expect(ada.page.locator(".tour-strip")).to_contain_text("Round 1")
    while guest.get(f"/tournaments/{code}")["table"] == first:  # no longer: the next game waits for the page
        resign(guests, code)
    ada.page.wait_for_url(lambda url: first not in url)
    second = at_table(ada)
    ada.expect_text("Your next game")
    assert (second != first, ada.page.evaluate("window.mark")) == (True, 1)
    while guest.get(f"/tournaments/{code}")["status"] != "finished":
        resign(guests, code)
    card = ada.page.get_by_role("dialog")
    expect(card).to_contain_text("of 4 players")
    # The table is closed and nobody sits there; the result still has its players, and Ada's side of the board is near.
    until(ada.page, lambda: ada.view()["status"] == "closed")
    expect(ada.page.locator(".player-bar.bottom .name")).to_have_text("Ada")
    expect(ada.page.locator(".player-bar.top .name")).to_have_text(re.compile("Ben|Carla|Dmitri"))
    card.get_by_role("button", name="Standings").click()
    page = ada.page
    view = guest.get(f"/tournaments/{code}")
    expect(page.locator(".standings tbody tr")).to_have_count(4)
    names = {entry["entry"]: entry["player"]["name"] for entry in view["entries"]}
    order = [names[one["entry"]] for one in view["standings"]]
    expect(page.locator(".standings tbody a")).to_have_text(order)
    expect(page.locator(".pairings li")).to_have_count(2)
    expect(page.get_by_text("Round 2 of 2")).to_be_visible()
    page.get_by_role("button", name="Previous round").click()
    page.locator(f'.pairings a[href="/history/{first}/1"]').wait_for()
    page.locator("label", has=page.get_by_role("radio", name="Cross table")).click()
    expect(page.locator(".cross-table tbody tr")).to_have_count(4)
    expect(page.locator(".cross-table tbody th")).to_have_text(order)
    check_page(page, SIZES)


def test_a_knock_out_is_a_tree(visit: Visit, house: House) -> None:
    guests = [Guest(house.url, name) for name in ("Ben", "Carla", "Dmitri", "Esperanza", "Farid")]
    code = announce(guests[0], "chess", "knockout", round_pause=0)
    enter(guests, code)
    guests[0].post(f"/tournaments/{code}/start")
    ada = visit()
    ada.go(f"/tournament/{code}")
    rounds = ada.page.locator(".bracket-round")
    expect(rounds).to_have_count(3)
    expect(rounds.last.locator("h3")).to_have_text("Final")
    expect(rounds.first.locator(".match")).to_have_count(4)
    while guests[0].get(f"/tournaments/{code}")["status"] != "finished":
        resign(guests, code)
    view = guests[0].get(f"/tournaments/{code}")
    winner = next(one["entry"] for one in view["standings"] if one["place"] == 1)
    [name] = [entry["player"]["name"] for entry in view["entries"] if entry["entry"] == winner]
    expect(rounds.last.locator(".match-side.won")).to_contain_text(name)
    expect(ada.page.locator(".tour-clock")).to_contain_text(name)


# The host, and the clock on the wall


def test_the_host_fills_starts_pauses_and_calls_it_off(visit: Visit, house: House) -> None:
    ada, guest = known(visit, house, "Ada")
    page = ada.page
    code = announce(guest, "holdem", "mtt", hand_delay=30, action_seconds=600)
    ada.go(f"/tournament/{code}")
    ada.press("Add house players")
    page.get_by_label("How many").fill("13")
    ada.press("Add")
    expect(page.get_by_role("heading", name="Entered (13)")).to_be_visible()
    ada.press("Remove a player")
    page.get_by_role("button", name="Remove", exact=True).first.click()
    ada.press("Really remove?")
    expect(page.get_by_role("heading", name="Entered (12)")).to_be_visible()
    ada.press("Start now")
    expect(page.locator(".tour-tables li")).to_have_count(2)
    ada.press("Change the level")
    page.get_by_label("Level", exact=True).select_option("3")
    ada.press("Play this level")
    expect(page.locator(".tour-clock")).to_contain_text("Level 3")
    ada.press("Pause")
    expect(page.locator(".tour-head .badge")).to_have_text("Paused")
    ada.press("Resume")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(".tour-head .badge")).to_have_text("Running")
    check_page(page, SIZES)

    tv = visit(viewport={"width": 1920, "height": 1080})
    tv.go(f"/tournament/{code}/clock")
    wall = tv.page
    expect(wall.get_by_role("timer")).to_have_text(re.compile(r"^1\d:\d\d$"))
    for text in ("Level 3", "80 / 160", "Next: 100/200 (25)", " / 12", "Pay-outs", "Average stack"):
        expect(wall.locator(".wall")).to_contain_text(text)
    heights = "() => [document.documentElement.scrollHeight, document.querySelector('.wall-time').offsetHeight]"
    whole, time = wall.evaluate(heights)
    assert whole <= 1080
    assert time >= 200  # a fifth of the screen: read across a room
    check_page(wall, ((320, 568), (1920, 1080)))

    ada.press("Call it off")
    ada.press("Call it off for everyone")
    expect(page.locator(".badge.finished")).to_be_visible()
    expect(wall.locator(".wall")).to_have_attribute("data-status", "finished")


# New tournaments


@pytest.mark.parametrize("game", ["Hold'em", "Chess"])
def test_every_kind_of_tournament_is_created_with_a_tap(visit: Visit, house: House, game: str) -> None:
    ada, guest = known(visit, house, "Ada")
    page = ada.page
    ada.go("/tournaments")
    kinds = page.locator(".tour-presets label")
    page.locator("label", has=page.get_by_role("radio", name=game)).click()
    count = kinds.count()
    assert count == (6 if game == "Hold'em" else 4)
    for at in range(count):
        if at:
            page.go_back()
            page.locator("label", has=page.get_by_role("radio", name=game)).click()
        title = kinds.nth(at).locator("b").inner_text()
        kinds.nth(at).click()
        page.get_by_role("button", name="Create the tournament").click()
        page.wait_for_url("**/tournament/*")
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Ada: {title}")
        view = guest.get(f"/tournaments/{page.url.rsplit('/', 1)[1]}")
        assert (view["status"], view["host"]["name"]) == ("registering", "Ada")


KINDS = (
    ("Hold'em", "holdem", "sitngo", "Sit-and-go"), ("Hold'em", "holdem", "mtt", "Tournament night"),
    ("Chess", "chess", "swiss", "Swiss"), ("Chess", "chess", "round_robin", "Round robin"),
    ("Chess", "chess", "knockout", "Knock-out"), ("Chess", "chess", "arena", "Arena"),
)  # fmt: skip
PRESET = {"rounds", "games", "reentries", "minutes", "increment", "variant", "limit"}
"""What these presets say themselves, or what is a setting of the tables."""


def test_the_form_begins_with_what_the_server_would_choose(visit: Visit, house: House) -> None:
    """Where the preset says nothing, a field shows the server's own default."""
    ada, guest = known(visit, house, "Ada")
    page = ada.page
    ada.go("/tournaments")
    ada.press("More settings")
    for title, game, form, kind in KINDS:
        page.locator("label", has=page.get_by_role("radio", name=title)).click()
        page.locator(".tour-presets label", has_text=re.compile(f"^{kind}")).first.click()
        fields = page.locator(".more-settings [name]:is(input[type=number], select)")
        fields.first.wait_for()
        shown = {str(field.get_attribute("name")): field.input_value() for field in fields.all()}
        usual = guest.get(f"/tournaments/{announce(guest, game, form)}")["settings"]
        compared = {name: value for name, value in usual.items() if name in shown and name not in PRESET}
        assert len(compared) >= 2
        for name, value in compared.items():
            assert shown[name] == value if isinstance(value, str) else float(shown[name]) == value, (form, name)
        assert page.get_by_label("Players at most").input_value() == str(usual["entries_max"])


@pytest.mark.slow
def test_a_tournament_made_to_measure(visit: Visit, house: House) -> None:
    """Game, start, levels and breaks by hand; the code leads to it from the lobby."""
    ada, guest = known(visit, house, "Ada", viewport={"width": 360, "height": 740})
    page = ada.page
    ada.go("/tournaments")
    page.locator(".tour-presets label", has_text="Tournament night").click()
    page.get_by_label("Name", exact=True).fill("Pot-limit Omaha")
    ada.press("More settings")
    page.get_by_label("Variant").select_option("omaha")
    page.get_by_label("Betting limit").select_option("pot-limit")
    page.locator("summary", has_text="Blind structure").click()
    page.locator("label", has=page.get_by_role("radio", name="My own")).click()
    page.get_by_label("Level 1, Big blind").fill("120")
    page.get_by_label("Level 2, Break after (min)").fill("7")
    page.get_by_label("Minutes per level").fill("9")
    check_page(page, SIZES)
    page.get_by_role("button", name="Create the tournament").click()
    page.wait_for_url("**/tournament/*")
    code = page.url.rsplit("/", 1)[1]
    settings = guest.get(f"/tournaments/{code}")["settings"]
    assert settings["table"] == {"variant": "omaha", "limit": "pot-limit"}
    assert settings["levels"][:2] == [[9, 50, 120, 0], [9, 75, 150, 0]]
    assert settings["breaks"] == [[2, 7]]
    expect(page.locator(".tour-kind")).to_have_text("Pot-limit Omaha · Multi-table")
    ada.go("/")
    expect(page.locator(".tour-lines", has_text="Pot-limit Omaha")).to_be_visible()
    page.get_by_label("Code or link").fill(code)
    ada.press("Join")
    page.wait_for_url(f"**/tournament/{code}")


@pytest.mark.slow
def test_what_was_played_can_be_looked_at_again(visit: Visit, house: House) -> None:
    guests = [Guest(house.url, name) for name in ("Ben", "Carla")]
    levels = [[60, 10, 20, 0]]
    code = announce(guests[0], "holdem", "sitngo", entries_max=2, stack=20, levels=levels, **QUICK)
    enter(guests, code)
    ada = visit()
    ada.go(f"/tournament/{code}")
    play_it_out(ada, guests, code)
    expect(ada.page.locator(".tour-clock")).to_contain_text("Winner")
    ada.page.get_by_role("link", name="Everything played").click()
    ada.page.locator(".rounds a").first.wait_for()
    check_page(ada.page, SIZES)
    ada.page.locator(".rounds a").first.click()
    ada.page.get_by_role("button", name="Step forward").wait_for()
