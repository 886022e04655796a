import io

import chess
import chess.pgn
import pytest

from parlour.games.chess import Chess
from parlour.games.contract import Illegal
from parlour.games.testing import Trial

NAMES = {0: "Ada", 1: "Grace"}


def table(**settings):
    trial = Trial(Chess(), {"side": "white", "minutes": 5, "increment": 3, **settings})
    trial.join(0)
    trial.join(1)
    trial.start()
    return trial


def play(trial, moves):
    for uci in moves.split():
        trial.wait(1500)
        trial.act(trial.actor, "move", uci=uci)


def read(trial, number=None):
    text = trial.game.export("pgn", trial.played(number, NAMES))
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert game.errors == []
    return game


def test_a_mate_reads_back_with_moves_names_result_and_clocks():
    trial = table()
    play(trial, "f2f3 e7e5 g2g4 d8h4")
    game = read(trial)
    assert [move.uci() for move in game.mainline_moves()] == trial.public["moves"]
    assert (game.headers["White"], game.headers["Black"], game.headers["Result"]) == ("Ada", "Grace", "0-1")
    assert game.headers["Date"] == "2023.11.14"
    assert (game.headers["TimeControl"], game.headers["Termination"]) == ("300+3", "normal")
    assert [node.clock() for node in game.mainline()] == [301.5, 301.5, 303.0, 303.0]


def test_an_increment_may_be_a_tenth_of_a_second():
    trial = table(minutes=0.25, increment=0.1)
    play(trial, "f2f3 e7e5 g2g4 d8h4")
    game = read(trial)
    assert game.headers["TimeControl"] == "15+0.1"
    assert [node.clock() for node in game.mainline()] == [13.6, 13.6, 12.2, 12.2]


def test_tags_are_escaped_as_the_standard_says():
    """PGN 8.1.1: a quote and a backslash inside a string have a backslash before them; a tag is one line."""
    trial = table()
    play(trial, "f2f3 e7e5 g2g4 d8h4")
    names = {0: 'Zoë "] [Result "1-0', 1: "A\\da\nGrace"}
    lines = trial.game.export("pgn", trial.played(None, names)).splitlines()
    assert r'[White "Zoë \"] [Result \"1-0"]' in lines
    assert r'[Black "A\\da Grace"]' in lines
    assert [line for line in lines if line.startswith("[Result ")] == ['[Result "0-1"]']


def test_moves_taken_back_are_not_in_the_game():
    trial = table(untimed=True)
    play(trial, "e2e4 e7e5")
    trial.act(0, "offer_takeback")
    trial.act(1, "accept_takeback")
    play(trial, "d2d4")
    game = read(trial)
    assert [move.uci() for move in game.mainline_moves()] == ["d2d4"]
    assert (game.headers["Result"], game.headers["TimeControl"]) == ("*", "-")


def test_each_round_is_its_own_game_with_its_own_colours():
    trial = table()
    play(trial, "e2e4 e7e5")
    trial.act(0, "resign")
    trial.act(0, "offer_rematch")
    trial.act(1, "accept_rematch")
    play(trial, "d2d4 d7d5")
    trial.wait(10**7)
    first, second = read(trial, 1), read(trial, 2)
    assert (first.headers["White"], first.headers["Result"]) == ("Ada", "0-1")
    assert (second.headers["White"], second.headers["Result"]) == ("Grace", "0-1")
    assert second.headers["Termination"] == "time forfeit"
    assert [move.uci() for move in second.mainline_moves()] == ["d2d4", "d7d5"]


def test_a_game_called_off_has_no_result():
    trial = table()
    trial.act(0, "abort")
    assert read(trial).headers["Result"] == "*"
    assert trial.game.tally(trial.played()) == {}


def test_a_variant_and_its_position_are_named():
    trial = table(variant="atomic", days=2)
    play(trial, "g1f3 f7f6")
    trial.act(0, "resign")
    game = read(trial)
    assert game.headers["Variant"] == "Atomic"
    assert game.headers["TimeControl"] == "1/172800"
    assert all(node.clock() is None for node in game.mainline())
    trial = table(start_fen="4k3/7p/8/8/8/8/P7/4K3 b - - 0 1")
    play(trial, "h7h5")
    assert read(trial).headers["FEN"].startswith("4k3/7p/8/8")


def test_with_time_odds_each_colour_has_a_tag_of_its_own():
    trial = table(odds="second", odds_minutes=1, odds_increment=0)
    play(trial, "e2e4 e7e5")
    headers = read(trial).headers
    assert (headers["WhiteTimeControl"], headers["BlackTimeControl"], headers["TimeControl"]) == ("300+3", "60", "?")


def test_the_opening_is_named_by_its_code_and_in_words():
    trial = table()
    play(trial, "e2e4 e7e5 g1f3 b8c6 f1c4 h7h6")
    headers = read(trial).headers
    assert (headers["ECO"], headers["Opening"]) == ("C50", "Italian Game: Anti-Fried Liver Defense")


def test_a_game_without_a_named_position_names_no_opening():
    trial = table(variant="atomic")
    play(trial, "e2e4 e7e5")
    assert "ECO" not in read(trial).headers
    assert "Opening" not in read(trial).headers


def test_the_tally_counts_for_both():
    trial = table()
    play(trial, "f2f3 e7e5 g2g4 d8h4")
    assert trial.log[-1][1].ends_round
    assert trial.game.tally(trial.played()) == {
        0: {"games": 1, "losses": 1, "games_as_white": 1},
        1: {"games": 1, "wins": 1, "games_as_black": 1},
    }


def test_an_unknown_notation_is_refused():
    trial = table()
    with pytest.raises(Illegal):
        trial.game.export("phh", trial.played())
