"""Chess in a tournament: it gives the colours and begins the one game, which those lose who do not come."""

import pytest

from parlour.games.chess import Chess
from parlour.games.contract import Illegal
from parlour.games.poker.holdem import Holdem
from parlour.games.testing import Trial

from .test_game import MINUTE, play, refused, result


def pairing(**settings):
    game = Chess()
    trial = Trial(game, game.directed({"minutes": 5, "increment": 3, "autostart": True, **settings}))
    trial.place(0, "ann", color="black")
    trial.place(1, "ben", color="white")
    return trial


def test_the_tournament_gives_the_colours_and_says_when_the_game_begins():
    trial = pairing()
    assert trial.game.status(trial.state) == "waiting"
    assert trial.game.deadline(trial.state) is None
    trial.next_round()
    assert trial.public["players"] == {"white": 1, "black": 0}
    assert trial.actor == 1


def test_colours_are_given_by_name_and_each_once():
    trial = Trial(Chess(), Chess().directed({}))
    refused("bad_options", trial.place, 0, "ann", color="green")
    refused("bad_options", trial.place, 0, "ann", side="white")
    trial.place(0, "ann", color="white")
    refused("color_taken", trial.place, 1, "ben", color="white")
    refused("too_few_players", trial.next_round)
    trial.place(1, "ben")
    trial.next_round()
    assert trial.public["players"] == {"white": 0, "black": 1}


def test_nobody_else_gets_a_colour_by_that_option():
    trial = Trial(Chess(), {"side": "chosen"})
    refused("bad_options", trial.join, 0, color="white")


@pytest.mark.parametrize("moves", ["", "e2e4", "e2e4 e7e5"])
def test_the_game_is_not_called_off_and_no_move_is_taken_back(moves):
    trial = pairing()
    trial.next_round()
    play(trial, moves)
    for seat in (0, 1):
        options = trial.game.options(trial.state, seat)
        assert not {"abort", "offer_takeback"} & set(options)
        assert "resign" in options
        for action in ("abort", "offer_takeback", "accept_takeback"):
            refused("directed", trial.act, seat, action)


def test_there_is_no_rematch_and_no_second_game():
    trial = pairing()
    trial.next_round()
    play(trial, "f2f3 e7e5 g2g4 d8h4")
    assert result(trial) == {"winner": "black", "reason": "checkmate"}
    for seat in (0, 1):
        assert trial.game.options(trial.state, seat) == ()
        refused("directed", trial.act, seat, "offer_rematch")
        refused("directed", trial.act, seat, "accept_rematch")
    refused("game_over", trial.next_round)
    refused("game_over", trial.forfeit, 0)
    trial.leave(0)
    trial.leave(1)
    assert result(trial) == {"winner": "black", "reason": "checkmate"}, "the result stays when both have gone"


@pytest.mark.parametrize(
    ("losers", "winner", "score"), [((0,), "white", "1-0"), ((1,), "black", "0-1"), ((0, 1), None, "*")]
)
def test_who_does_not_come_loses_and_the_game_counts_for_no_statistics(losers, winner, score):
    """Where nobody came both lose: that is no draw."""
    trial = pairing(rated=True)
    trial.next_round()
    trial.forfeit(*losers)
    assert result(trial) == {"winner": winner, "reason": "forfeit"}
    played = trial.played(1, {0: "Ann", 1: "Ben"})
    assert trial.game.tally(played) == {}
    assert trial.game.rated(played) is None
    assert trial.game.summary(played).facts["result"] == score
    assert f'[Result "{score}"]' in trial.game.export("pgn", played)
    assert {part.result for part in trial.game.summary(played).parts.values()} == {None}


def test_who_is_removed_before_both_have_moved_forfeits_and_later_loses():
    trial = pairing()
    trial.next_round()
    trial.leave(0)
    assert result(trial) == {"winner": "white", "reason": "forfeit"}
    trial = pairing()
    trial.next_round()
    play(trial, "e2e4 e7e5")
    trial.leave(1)
    assert result(trial) == {"winner": "black", "reason": "abandoned"}


def test_armageddon_is_a_game_with_less_time_for_black():
    trial = pairing(minutes=5, increment=0, odds="black", odds_minutes=4, odds_increment=0)
    trial.next_round()
    clock = trial.public["clock"]
    assert (clock["white"], clock["black"]) == (5 * MINUTE, 4 * MINUTE)


def test_other_games_are_not_forfeited():
    with pytest.raises(Illegal, match="not forfeited"):
        Trial(Holdem()).forfeit(0)
