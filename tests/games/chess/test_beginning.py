"""How a game begins: by itself, with which colours, with what time, and whether it is rated."""

import pytest

from parlour.games.chess import Chess
from parlour.games.chess.settings import Settings
from parlour.games.contract import Illegal
from parlour.games.testing import Lots, Trial


def table(**settings):
    return Trial(Chess(), settings, Lots(1, stacked=[[1, 0]] * 5))


def begun(trial):
    """The events of that kind, in order."""
    return [event for _, event in trial.log if type(event).__name__ == "GameStarted"]


def refusal(**settings):
    with pytest.raises(Illegal) as refused:
        Chess().check(Settings(**settings))
    return refused.value.code


def end(trial):
    trial.act(trial.actor, "resign")


def rematch(trial):
    trial.act(0, "offer_rematch")
    trial.act(1, "accept_rematch")


# By itself


def test_the_second_to_sit_starts_the_game_where_the_host_wants_that():
    trial = table(autostart=True, side="white")
    trial.join(0)
    assert trial.game.status(trial.state) == "waiting"
    trial.join(1)
    assert trial.game.status(trial.state) == "playing"
    assert trial.actor == 0
    with pytest.raises(Illegal):
        trial.start()


def test_without_that_wish_the_host_starts_it():
    trial = table()
    trial.join(0)
    trial.join(1)
    assert trial.game.status(trial.state) == "waiting"


def test_nobody_is_made_to_play_who_has_gone_away():
    trial = table(autostart=True)
    trial.join(0)
    trial.away = frozenset({0})
    trial.join(1)
    assert trial.game.status(trial.state) == "waiting"
    trial.start()
    assert trial.game.status(trial.state) == "playing"


def test_a_new_opponent_starts_the_next_game():
    trial = table(autostart=True, side="white")
    trial.join(0)
    trial.join(1)
    end(trial)
    trial.leave(1)
    trial.join(1)
    assert [event.game for event in begun(trial)] == [1, 2]


def test_on_one_screen_the_second_seat_starts_it_too():
    trial = table(autostart=True, same_screen=True, untimed=True)
    trial.join(0)
    trial.join(1)
    assert trial.game.status(trial.state) == "playing"


# Colours


@pytest.mark.parametrize(("after", "whites"), [("alternate", [0, 1, 0]), ("same", [0, 0, 0]), ("random", [0, 1, 1])])
def test_the_colours_of_a_rematch(after, whites):
    trial = table(side="white", rematch_colors=after)
    trial.join(0)
    trial.join(1)
    trial.start()
    for _ in range(2):
        end(trial)
        rematch(trial)
    assert [event.white for event in begun(trial)] == whites


@pytest.mark.parametrize(("wish", "white"), [("white", 1), ("black", 0), ("random", 1)])
def test_whoever_sits_down_chooses_the_colour_where_the_host_lets_them(wish, white):
    trial = table(side="chosen", autostart=True)
    trial.join(0)
    trial.join(1, side=wish)
    assert begun(trial)[0].white == white


def test_the_same_colour_is_not_given_twice():
    trial = table(side="chosen")
    trial.join(0, side="black")
    with pytest.raises(Illegal) as refused:
        trial.join(1, side="black")
    assert refused.value.code == "color_taken"
    trial.join(1, side="white")
    trial.start()
    assert begun(trial)[0].white == 1


def test_whoever_gets_up_gives_the_chosen_colour_back():
    trial = table(side="chosen")
    trial.join(0, side="black")
    trial.leave(0)
    trial.join(0)
    trial.join(1, side="black")
    trial.start()
    assert begun(trial)[0].white == 0


def test_a_choice_holds_for_one_game():
    trial = table(side="chosen")
    trial.join(0)
    trial.join(1, side="white")
    trial.start()
    end(trial)
    rematch(trial)
    assert [event.white for event in begun(trial)] == [1, 0]


@pytest.mark.parametrize("options", [{"side": "green"}, {"side": None}, {"side": ["white"]}, {"buy_in": 5}])
def test_what_is_no_colour_is_refused(options):
    with pytest.raises(Illegal) as refused:
        table(side="chosen").join(0, **options)
    assert refused.value.code == "bad_options"


def test_there_is_no_choice_where_the_host_has_chosen():
    with pytest.raises(Illegal) as refused:
        table(side="white").join(0, side="black")
    assert refused.value.code == "bad_options"


# Time odds


def with_odds(odds, **settings):
    trial = table(minutes=5, increment=3, odds=odds, odds_minutes=1, odds_increment=2, side="white", **settings)
    trial.join(0)
    trial.join(1)
    trial.start()
    return trial


def clocks(trial):
    return trial.public["clock"]["white"], trial.public["clock"]["black"]


def test_black_has_another_time_in_every_game():
    trial = with_odds("black")
    assert clocks(trial) == (300_000, 60_000)
    end(trial)
    rematch(trial)
    assert clocks(trial) == (300_000, 60_000)


def test_the_second_seat_keeps_its_time_when_the_colours_change():
    trial = with_odds("second")
    assert clocks(trial) == (300_000, 60_000)
    end(trial)
    rematch(trial)
    assert clocks(trial) == (60_000, 300_000)


def test_each_gains_its_own_increment():
    trial = with_odds("black")
    for uci in ("e2e4", "e7e5"):
        trial.wait(1000)
        trial.act(trial.actor, "move", uci=uci)
    assert clocks(trial) == (302_000, 61_000)


def test_a_takeback_takes_the_increment_that_was_gained():
    trial = with_odds("black")
    for uci in ("e2e4", "e7e5"):
        trial.wait(1000)
        trial.act(trial.actor, "move", uci=uci)
    trial.act(0, "offer_takeback")
    trial.act(1, "accept_takeback")
    assert clocks(trial) == (299_000, 59_000)


def test_the_flag_of_whoever_has_less_falls_first():
    trial = with_odds("black")
    trial.act(0, "move", uci="e2e4")
    trial.wait(60_000)
    assert (trial.public["result"]["winner"], trial.public["result"]["reason"]) == ("white", "time")


@pytest.mark.parametrize("pace", [{"untimed": True}, {"days": 2}])
def test_odds_need_clocks(pace):
    assert refusal(odds="second", **pace) == "odds_without_clocks"


# Rated


def test_a_game_is_casual_unless_the_host_has_chosen_otherwise():
    trial = table()
    trial.join(0)
    trial.join(1)
    trial.start()
    assert (begun(trial)[0].rated, trial.public["rated"]) == (False, False)


def test_a_rated_game_says_so_from_its_first_event_on():
    trial = table(rated=True)
    assert trial.public["rated"]
    trial.join(0)
    trial.join(1)
    trial.start()
    assert (begun(trial)[0].rated, trial.public["rated"]) == (True, True)


def test_a_game_with_a_program_is_never_rated():
    trial = table(rated=True)
    trial.bots = frozenset({1})
    trial.join(0)
    trial.join(1)
    trial.start()
    assert (begun(trial)[0].rated, trial.public["rated"]) == (False, False)


@pytest.mark.parametrize(
    "settings",
    [{"untimed": True}, {"same_screen": True}, {"odds": "black"}, {"start_fen": "4k3/7p/8/8/8/8/P7/4K3 w - - 0 1"}],
)
def test_what_says_nothing_about_strength_cannot_be_rated(settings):
    assert refusal(rated=True, **settings) == "cannot_be_rated"


def test_variants_and_correspondence_can_be_rated():
    for settings in ({"variant": "atomic"}, {"variant": "chess960"}, {"days": 3}):
        Chess().check(Settings(rated=True, **settings))


@pytest.mark.parametrize(
    ("settings", "speed"),
    [
        ({"minutes": 1, "increment": 0}, "bullet"),
        ({"minutes": 2, "increment": 1}, "bullet"),
        ({"minutes": 3, "increment": 0}, "blitz"),
        ({"minutes": 3, "increment": 2}, "blitz"),
        ({"minutes": 8, "increment": 0}, "rapid"),
        ({"minutes": 15, "increment": 10}, "rapid"),
        ({"minutes": 25, "increment": 0}, "classical"),
        ({"days": 1}, "correspondence"),
        ({"untimed": True}, "untimed"),
    ],
)
def test_the_speed_is_named_by_the_time_for_forty_moves(settings, speed):
    assert Settings(**settings).speed == speed
