"""FIDE Laws of Chess (2023), articles 6 and 9, at a chess table: clocks, flag fall, repetitions, fifty moves."""

import pytest

from ..test_game import MINUTE, SHUFFLE, from_position, play, refused, result, table

# 6: the clock


def flag_falls(fen, **settings):
    """The side to move never moves."""
    trial = from_position(fen, minutes=1, increment=0, **settings)
    trial.wait(MINUTE)
    return result(trial)


@pytest.mark.parametrize(
    ("fen", "winner"),
    [
        ("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", None),
        ("4k1b1/8/8/8/8/8/8/QQ2K3 w - - 0 1", None),
        ("4k1n1/8/8/8/8/8/8/3QK3 w - - 0 1", None),
        ("4k1n1/8/8/8/8/8/8/3RK3 w - - 0 1", "black"),
        ("4k1n1/8/8/8/8/8/4P3/4K3 w - - 0 1", "black"),
        ("4k1b1/8/8/8/8/8/8/3NK3 w - - 0 1", "black"),
        ("4k3/8/8/8/8/8/p7/QQ2K3 w - - 0 1", "black"),
        ("3nk1n1/8/8/8/8/8/8/3QK3 w - - 0 1", "black"),
    ],
    ids=[
        "a bare king",
        "a bishop against queens",
        "a knight against a queen",
        "a knight against a rook",
        "a knight against a pawn",
        "a bishop against a knight",
        "a pawn against queens",
        "two knights against a queen",
    ],
)
def test_fide_6_9_a_flag_loses_unless_no_series_of_legal_moves_mates(fen, winner):
    """However unlikely the mate: it is enough that the player whose flag has fallen could help."""
    assert flag_falls(fen) == {"winner": winner, "reason": "time"}


def test_fide_6_9_it_is_the_position_at_flag_fall_that_counts():
    """White takes Black's last pawn with the last second: the king that is left cannot win on time."""
    trial = from_position("4k3/8/8/8/8/8/1p6/Q3K3 w - - 0 1", minutes=1, increment=0)
    trial.wait(MINUTE - 1)
    play(trial, "a1b2 e8e7")
    trial.wait(1)
    assert result(trial) == {"winner": None, "reason": "time"}


def test_fide_6_a_flag_that_has_fallen_is_not_raised_by_the_increment():
    """The time is added to the clock of a move that was completed in time, and to no other."""
    trial = table(minutes=1, increment=30)
    trial.wait(MINUTE - 1)
    play(trial, "e2e4")
    assert trial.public["clock"]["white"] == 30_001
    trial.wait(MINUTE)
    refused("game_over", trial.act, 1, "move", uci="e7e5")
    assert result(trial) == {"winner": "white", "reason": "time"}


def test_fide_6_only_one_clock_runs():
    trial = table(minutes=5, increment=0)
    trial.wait(10_000)
    play(trial, "e2e4")
    trial.wait(7_000)
    play(trial, "e7e5")
    trial.wait(1_000)
    play(trial, "g1f3")
    clock = trial.public["clock"]
    assert (clock["white"], clock["black"]) == (5 * MINUTE - 11_000, 5 * MINUTE - 7_000)


def test_time_odds_give_black_another_time_and_another_increment():
    """As in an Armageddon game: each flag falls by its own clock."""
    odds = {"minutes": 5, "increment": 2, "odds": "black", "odds_minutes": 1, "odds_increment": 0}
    trial = table(**odds)
    clock = trial.public["clock"]
    assert (clock["white"], clock["black"]) == (5 * MINUTE, MINUTE)
    trial.wait(10_000)
    play(trial, "e2e4")
    trial.wait(10_000)
    play(trial, "e7e5")
    clock = trial.public["clock"]
    assert (clock["white"], clock["black"]) == (5 * MINUTE - 8_000, MINUTE - 10_000)
    play(trial, "g1f3")
    trial.wait(50_000)
    assert result(trial) == {"winner": "white", "reason": "time"}


def test_time_odds_of_the_second_seat_stay_with_the_player_when_the_colours_change():
    trial = table(minutes=5, increment=0, odds="second", odds_minutes=1, odds_increment=0)
    play(trial, "e2e4 e7e5")
    trial.act(0, "resign")
    trial.act(0, "offer_rematch")
    trial.act(1, "accept_rematch")
    assert trial.public["players"]["white"] == 1
    clock = trial.public["clock"]
    assert (clock["white"], clock["black"]) == (MINUTE, 5 * MINUTE)


# 9.1: offers


def test_fide_9_1_an_offer_costs_the_opponents_time_and_cannot_be_withdrawn():
    trial = play(table(minutes=5, increment=0), "e2e4 e7e5")
    trial.act(0, "offer_draw")
    play(trial, "g1f3")
    trial.wait(2 * MINUTE)
    assert "decline_draw" not in trial.game.options(trial.state, 0)
    trial.act(1, "accept_draw")
    assert result(trial) == {"winner": None, "reason": "agreement"}


def test_fide_9_1_a_move_declines_the_offer():
    trial = play(table(), "e2e4 e7e5")
    trial.act(0, "offer_draw")
    play(trial, "g1f3 b8c6")
    refused("no_offer", trial.act, 1, "accept_draw")


# 9.2: threefold repetition


def test_fide_9_2_positions_need_not_repeat_in_a_row():
    trial = play(table(), SHUFFLE + "b1c3 b8c6 c3b1 c6b8 " + "g1h3 g8h6 h3g1")
    refused("no_claim", trial.act, 1, "claim_draw")
    refused("no_claim", trial.act, 1, "claim_draw", uci="h6f5")
    trial.act(1, "claim_draw", uci="h6g8")
    assert result(trial) == {"winner": None, "reason": "threefold"}


def test_fide_9_2_a_position_with_other_rights_to_castle_is_another_one():
    """With the first move of the rook the right to castle is gone: the first position does not count."""
    trial = play(from_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "h1h2 e8e7 h2h1 e7e8 h1h2 e8e7 h2h1 e7e8")
    assert trial.public["claims"] == []
    play(trial, "h1h2 e8e7 h2h1 e7e8")
    assert trial.public["claims"] == ["threefold"]


def test_fide_9_2_a_position_with_a_pawn_to_take_en_passant_is_another_one():
    trial = from_position("4k3/8/8/8/4p3/8/3P4/4K2N w - - 0 1")
    play(trial, "d2d4 " + "e8e7 h1g3 e7e8 g3h1 " * 2)
    assert trial.public["claims"] == []
    play(trial, "e8e7 h1g3 e7e8 g3h1")
    assert trial.public["claims"] == ["threefold"]


def test_fide_9_2_a_position_with_the_other_side_to_move_is_another_one():
    """The king loses a move: the pieces stand there three times, twice with White and once with Black to move."""
    fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".replace("4K3 w", "R3K3 w")
    trial = play(from_position(fen), "a1a2 e8e7 a2a1 e7e8 a1a2 e8f7 a2a3 f7e8 a3a1")
    assert trial.public["claims"] == []
    assert result(trial) is None


def test_fide_9_2_a_claim_that_is_wrong_leaves_the_game_and_the_clock_running():
    trial = play(table(minutes=5, increment=0), SHUFFLE)
    trial.wait(3_000)
    refused("no_claim", trial.act, 0, "claim_draw")
    refused("not_your_turn", trial.act, 1, "claim_draw")
    assert result(trial) is None
    trial.wait(3_000)
    play(trial, "e2e4")
    assert trial.public["clock"]["white"] == 5 * MINUTE - 6_000


def claims_with(trial):
    """The moves with which the player to move may claim a draw, as the table names them."""
    return trial.game.legal(trial.state, trial.actor)["claims"]


def test_fide_9_2_1_the_table_names_the_move_that_will_repeat_the_position():
    trial = play(table(), SHUFFLE + "g1f3 g8f6 f3g1")
    assert claims_with(trial) == {"f6g8": "threefold"}
    trial.act(1, "claim_draw", uci="f6g8")
    assert result(trial) == {"winner": None, "reason": "threefold"}


def test_fide_9_2_2_where_the_position_stands_there_no_move_is_needed_for_the_claim():
    trial = play(table(), SHUFFLE * 2)
    assert trial.public["claims"] == ["threefold"]
    assert claims_with(trial) == {}


def test_fide_9_3_1_the_table_names_the_moves_that_complete_the_fifty():
    trial = from_position("4k3/8/8/8/8/8/P7/R3K3 w - - 99 80")
    named = claims_with(trial)
    assert set(named.values()) == {"fifty_moves"}
    assert "a1b1" in named
    assert "a2a3" not in named
    assert claims_with(from_position("4k3/8/8/8/8/8/P7/R3K3 w - - 98 80")) == {}


def test_fide_9_2_1_the_moves_that_are_named_are_those_that_are_accepted():
    trial = play(table(), SHUFFLE + "b1c3 b8c6 c3b1 c6b8 " + "g1h3 g8h6 h3g1")
    named = claims_with(trial)
    for uci in trial.game.legal(trial.state, 1)["moves"]:
        if uci not in named:
            refused("no_claim", trial.act, 1, "claim_draw", uci=uci)
    assert list(named) == ["h6g8"]


# 9.3 and 9.6: moves without progress


def test_fide_9_3_the_fifty_moves_are_claimed_with_the_move_that_completes_them():
    trial = from_position("4k3/8/8/8/8/8/8/R3K3 w - - 99 80")
    assert trial.public["claims"] == []
    refused("no_claim", trial.act, 0, "claim_draw")
    trial.act(0, "claim_draw", uci="a1a2")
    assert result(trial) == {"winner": None, "reason": "fifty_moves"}


@pytest.mark.parametrize(
    ("fen", "uci"),
    [
        ("4k3/8/8/8/8/8/P7/R3K3 w - - 99 80", "a2a3"),
        ("4k3/8/8/8/8/n7/8/R3K3 w - - 99 80", "a1a3"),
    ],
    ids=["a pawn moves", "a piece is taken"],
)
def test_fide_9_3_progress_begins_the_count_anew(fen, uci):
    trial = from_position(fen)
    refused("no_claim", trial.act, 0, "claim_draw", uci=uci)
    play(trial, uci)
    assert trial.public["claims"] == []


def test_fide_9_6_1_the_fifth_time_needs_nobodys_claim():
    trial = play(table(), SHUFFLE * 3)
    assert result(trial) is None
    play(trial, SHUFFLE)
    assert result(trial) == {"winner": None, "reason": "fivefold"}


def test_fide_9_6_2_seventy_five_moves_need_nobodys_claim():
    trial = play(from_position("4k3/8/8/8/8/8/8/R3K3 w - - 148 110"), "a1a2")
    assert result(trial) is None
    play(trial, "e8d8")
    assert result(trial) == {"winner": None, "reason": "seventyfive_moves"}


def test_fide_9_6_2_a_mate_with_the_last_of_the_seventy_five_moves_takes_precedence():
    trial = play(from_position("4k3/R7/4K3/8/8/8/8/8 w - - 149 110"), "a7a8")
    assert result(trial) == {"winner": "white", "reason": "checkmate"}
