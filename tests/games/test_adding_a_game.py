"""The worked example of docs/adding-a-game.md: the code on the page is the code that is tested."""

import importlib.util
import random
import re
import sys
import tomllib
from pathlib import Path

import pytest

from parlour.games.contract import Illegal
from parlour.games.registry import Listing, Registry
from parlour.games.testing import Lots, Trial

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page's code as the module that the page says it is."""
    path = tmp_path_factory.mktemp("page") / "high_card.py"
    path.write_text("\n\n".join(blocks("python")), "utf-8")
    spec = importlib.util.spec_from_file_location("high_card", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["high_card"] = module
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        del sys.modules["high_card"]


def test_the_page_has_its_code_and_its_entry_point(page):
    (config,) = blocks("toml")
    points = tomllib.loads(config)["project"]["entry-points"]["parlour.games"]
    assert points == {page.HighCard.name: f"{page.__name__}:{page.HighCard.__name__}"}
    assert Registry(page.HighCard())["high-card"].settings_schema["properties"]["points"]["maximum"] == 100


@pytest.mark.parametrize("seed", range(20))
def test_games_end_with_a_winner(page, seed):
    state = page.play_a_game(seed)
    assert state.points[state.winner] == 3
    assert max(state.points.values()) == 3


def table(page, deck=None, seats=3):
    trial = Trial(page.HighCard(), {}, Lots(1, [deck] if deck else []))
    for seat in range(seats):
        trial.join(seat)
    trial.start()
    return trial


def test_the_highest_card_takes_the_point_and_the_next_begins(page):
    trial = table(page, [0, 51, 30, 45, *(card for card in range(52) if card not in (0, 51, 30, 45))])
    assert trial.game.private(trial.state, 1) == {"card": "As"}
    trial.act(0, "swap")
    assert trial.game.private(trial.state, 0) == {"card": "Kd"}
    trial.act(1, "keep")
    trial.act(2, "keep")
    assert trial.public["last"] == {"cards": {0: "Kd", 1: "As", 2: "9h"}, "winner": 1}
    assert trial.public["points"] == {0: 0, 1: 1, 2: 0}
    assert trial.public["order"] == [1, 2, 0]


def test_the_rules_are_kept(page):
    trial = table(page)
    for seat in (1, 2):
        with pytest.raises(Illegal):
            trial.act(seat, "keep")
    with pytest.raises(Illegal):
        trial.start()
    with pytest.raises(Illegal):
        Trial(page.HighCard()).start()
    with pytest.raises(Illegal):
        Listing(page.HighCard()).settings({"points": 0})


def test_a_pause_gives_the_time_back(page):
    trial = table(page)
    trial.wait(19_000)
    trial.pause(60_000)
    trial.wait(999)
    assert trial.actor == 0
    trial.wait(1)
    assert trial.actor == 1


def test_people_come_and_go_as_they_like(page):
    for seed in range(30):
        dice = random.Random(seed)
        trial = Trial(page.HighCard(), {"points": 8}, Lots(seed))
        for seat in range(4):
            trial.join(seat)
        trial.start()
        for _ in range(60):
            seats = set(trial.public["points"])
            gone = sorted(set(range(4)) - seats)
            if dice.random() < 0.1 and seats:
                trial.leave(dice.choice(sorted(seats)))
            elif dice.random() < 0.2 and gone:
                trial.join(dice.choice(gone))
            elif trial.game.actors(trial.state):
                trial.act(trial.actor, dice.choice(["keep", "swap"]))
            elif trial.game.status(trial.state) == "waiting" and len(seats) > 1:
                trial.start()


def test_a_player_sees_nothing_of_the_others_cards(page):
    deck = list(range(52))
    views = []
    for others in ([20, 30], [30, 20]):
        trial = table(page, [deck[0], *others, *(card for card in deck[1:] if card not in others)])
        trial.act(0, "keep")
        trial.act(1, "keep")
        views.append(trial.seen_by(0))
    assert views[0] == views[1]


def test_the_record_counts_deals_and_points(page):
    trial = table(page)
    for _ in range(3):
        trial.act(trial.actor, "keep")
    tally = trial.game.tally(trial.played(1))
    assert {seat: count["deals"] for seat, count in tally.items()} == {0: 1, 1: 1, 2: 1}
    assert sum(count["won"] for count in tally.values()) == 1
