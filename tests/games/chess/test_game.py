"""The manners of a chess table; the moves themselves are proved in test_moves.py."""

import chess
import pytest

from parlour.games.chess import Chess
from parlour.games.contract import Illegal
from parlour.games.registry import Listing
from parlour.games.testing import Lots, Trial

MINUTE = 60_000


def table(chance=None, **settings):
    trial = Trial(Chess(), {"side": "white", **settings}, chance)
    trial.join(0)
    trial.join(1)
    trial.start()
    return trial


def play(trial, moves):
    for uci in moves.split():
        trial.act(trial.actor, "move", uci=uci)
    return trial


def result(trial):
    return trial.public["result"]


def refused(code, call, *args, **kwargs):
    with pytest.raises(Illegal) as refusal:
        call(*args, **kwargs)
    assert refusal.value.code == code


def from_position(fen, **settings):
    return table(start_fen=fen, **settings)


# Starting


def test_chess_needs_two_players():
    trial = Trial(Chess())
    trial.join(0)
    refused("too_few_players", trial.start)
    assert trial.game.status(trial.state) == "waiting"
    assert trial.game.actors(trial.state) == ()


@pytest.mark.parametrize(("side", "white"), [("white", 0), ("black", 1)])
def test_the_first_seat_gets_the_side_that_the_host_chose(side, white):
    assert table(side=side).public["players"]["white"] == white


def test_a_random_side_follows_the_lots():
    assert {table(Lots(seed), side="random").public["players"]["white"] for seed in range(10)} == {0, 1}


def test_a_running_game_is_not_started_again():
    refused("game_running", table().start)


def test_a_seat_takes_no_options():
    refused("bad_options", Trial(Chess()).join, 0, buy_in=100)


# Moving


def test_only_the_side_to_move_moves():
    trial = table()
    refused("not_your_turn", trial.act, 1, "move", uci="e7e5")
    assert trial.game.legal(trial.state, 1) is None
    play(trial, "e2e4")
    assert trial.game.actors(trial.state) == (1,)


@pytest.mark.parametrize("uci", ["e2e5", "0000", "e7e5", "xyz", "", "e2e4q", "P@e4"])
def test_an_illegal_move_is_refused_and_changes_nothing(uci):
    trial = table()
    refused("illegal_move", trial.act, 0, "move", uci=uci)
    assert trial.public["moves"] == []


def test_castling_is_the_kings_step_however_it_was_written():
    trial = from_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    play(trial, "e1h1")
    assert trial.public["moves"] == ["e1g1"]
    assert trial.public["san"] == ["O-O"]


def test_the_turn_grows_with_every_decision():
    trial = table()
    turns = [trial.game.turn(trial.state)]
    for uci in ("e2e4", "e7e5", "g1f3"):
        play(trial, uci)
        turns.append(trial.game.turn(trial.state))
    assert turns == sorted(set(turns))


# Endings


def test_checkmate_ends_the_game():
    trial = play(table(), "f2f3 e7e5 g2g4 d8h4")
    assert result(trial) == {"winner": "black", "reason": "checkmate"}
    assert trial.game.status(trial.state) == "finished"
    assert trial.game.deadline(trial.state) is None
    refused("game_over", trial.act, 0, "move", uci="e2e4")


def test_stalemate_is_a_draw():
    trial = play(from_position("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"), "g5g6")
    assert result(trial) == {"winner": None, "reason": "stalemate"}


def test_insufficient_material_is_a_draw():
    trial = play(from_position("8/8/8/3k4/4p3/4K3/8/8 w - - 0 1"), "e3f4 d5d4 f4g3 e4e3 g3f3 d4d5 f3e3")
    assert result(trial) == {"winner": None, "reason": "insufficient_material"}


SHUFFLE = "g1f3 g8f6 f3g1 f6g8 "


def test_the_fifth_repetition_ends_the_game_by_itself():
    trial = play(table(), SHUFFLE * 4)
    assert result(trial) == {"winner": None, "reason": "fivefold"}


def test_the_third_repetition_must_be_claimed():
    trial = play(table(), SHUFFLE * 2)
    assert result(trial) is None
    assert trial.public["claims"] == ["threefold"]
    assert "claim_draw" in trial.game.options(trial.state, 0)
    refused("not_your_turn", trial.act, 1, "claim_draw")
    trial.act(0, "claim_draw")
    assert result(trial) == {"winner": None, "reason": "threefold"}


def test_a_draw_is_offered_again_where_the_moves_before_the_offer_were_taken_back():
    trial = play(table(), "e2e4 e7e5")
    trial.act(0, "offer_draw")
    trial.act(1, "decline_draw")
    refused("already_offered", trial.act, 0, "offer_draw")
    trial.act(0, "offer_takeback")
    trial.act(1, "accept_takeback")
    play(trial, "d2d4 d7d5")
    assert "offer_draw" in trial.game.options(trial.state, 0)
    trial.act(0, "offer_draw")
    assert trial.state.record.draw_offer == "white"


def test_a_takeback_to_the_position_of_the_offer_allows_no_second_one():
    trial = play(table(), "e2e4 e7e5")
    trial.act(0, "offer_draw")
    trial.act(1, "decline_draw")
    play(trial, "d2d4")
    trial.act(0, "offer_takeback")
    trial.act(1, "accept_takeback")
    refused("already_offered", trial.act, 0, "offer_draw")


def test_FIDE_9_2_1_a_draw_is_claimed_with_the_move_that_would_repeat():
    trial = play(table(), (SHUFFLE * 2).rsplit(maxsplit=1)[0])
    refused("no_claim", trial.act, 1, "claim_draw")
    refused("no_claim", trial.act, 1, "claim_draw", uci="f6e4")
    refused("illegal_move", trial.act, 1, "claim_draw", uci="f6f5")
    trial.act(1, "claim_draw", uci="f6g8")
    assert result(trial) == {"winner": None, "reason": "threefold"}


def test_FIDE_9_3_fifty_moves_must_be_claimed_and_seventy_five_end_the_game():
    trial = play(from_position("4k3/8/8/8/8/8/8/R3K3 w - - 99 80"), "a1a2")
    assert trial.public["claims"] == ["fifty_moves"]
    trial.act(1, "claim_draw")
    assert result(trial) == {"winner": None, "reason": "fifty_moves"}
    trial = play(from_position("4k3/8/8/8/8/8/8/R3K3 w - - 149 110"), "a1a2")
    assert result(trial) == {"winner": None, "reason": "seventyfive_moves"}


def test_resigning_loses_in_and_out_of_turn():
    trial = table()
    trial.act(1, "resign")
    assert result(trial) == {"winner": "white", "reason": "resign"}


def test_a_game_is_called_off_only_before_both_have_moved():
    trial = play(table(), "e2e4")
    assert "abort" in trial.game.options(trial.state, 1)
    trial.act(1, "abort")
    assert result(trial) == {"winner": None, "reason": "aborted"}
    trial = play(table(), "e2e4 e7e5")
    refused("too_late", trial.act, 0, "abort")
    assert "abort" not in trial.game.options(trial.state, 0)


def test_leaving_loses_a_game_and_calls_off_one_that_has_hardly_begun():
    trial = play(table(), "e2e4 e7e5")
    trial.leave(0)
    assert result(trial) == {"winner": "black", "reason": "abandoned"}
    trial = play(table(), "e2e4")
    trial.leave(0)
    assert result(trial) == {"winner": None, "reason": "aborted"}


BARE_KING = "8/8/8/4k3/8/8/3Q4/4K3 b - - 0 1"


def test_FIDE_6_9_one_who_could_never_mate_does_not_win_by_the_others_absence():
    """Black has a bare king: neither a claim nor the other's leaving is more than a draw."""
    trial = play(from_position(BARE_KING), "e5f5 e1f1")
    trial.away = frozenset({0})
    trial.act(1, "claim_win")
    assert result(trial) == {"winner": None, "reason": "abandoned"}
    trial = play(from_position(BARE_KING), "e5f5 e1f1")
    trial.leave(0)
    assert result(trial) == {"winner": None, "reason": "abandoned"}
    trial = play(from_position(BARE_KING), "e5f5 e1f1")
    trial.leave(1)
    assert result(trial) == {"winner": "white", "reason": "abandoned"}


def test_variants_keep_their_own_rule_of_who_can_win():
    """A bare king may still reach the hill."""
    trial = play(from_position(BARE_KING.replace("4k3", "k7"), variant="king_of_the_hill"), "a5b5 e1f1")
    trial.leave(0)
    assert result(trial) == {"winner": "black", "reason": "abandoned"}


WALL = "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3"


def test_FIDE_5_2_2_the_move_that_makes_a_position_dead_ends_the_game():
    trial = from_position("4k3/7p/8/p1p1p1p1/PpPpPpP1/1P1P1P1P/8/4K3 b - - 0 1")
    play(trial, "h7h6 e1e2")
    assert result(trial) is None
    trial = from_position("4k3/8/7p/p1p1p1p1/PpPpPpP1/1P1P1P1P/8/4K3 b - - 0 1", minutes=1)
    play(trial, "h6h5 e1e2")
    assert result(trial) is None, "the pawns can still take each other"
    play(trial, "h5h4")
    assert result(trial) == {"winner": None, "reason": "dead_position"}


def test_a_game_does_not_start_from_a_dead_position():
    refused("bad_fen", from_position, f"{WALL} w - - 0 1")


def test_leaving_after_the_game_changes_no_result():
    trial = play(table(), "f2f3 e7e5 g2g4 d8h4")
    trial.leave(1)
    assert result(trial) == {"winner": "black", "reason": "checkmate"}
    refused("opponent_left", trial.act, 0, "offer_rematch")


def test_a_win_is_claimed_only_from_one_who_is_away():
    trial = play(table(), "e2e4 e7e5")
    refused("opponent_here", trial.act, 0, "claim_win")
    trial.away = frozenset({0})
    refused("opponent_here", trial.act, 0, "claim_win")
    trial.away = frozenset({1})
    trial.act(0, "claim_win")
    assert result(trial) == {"winner": "white", "reason": "abandoned"}


@pytest.mark.parametrize("settings", [{"untimed": True}, {"days": 3}])
def test_nobody_need_wait_at_the_board_in_a_slow_game(settings):
    trial = table(**settings)
    trial.away = frozenset({1})
    assert "claim_win" not in trial.game.options(trial.state, 0)
    refused("no_claim", trial.act, 0, "claim_win")


# Offers


def test_a_draw_is_agreed():
    trial = play(table(), "e2e4 e7e5 g1f3")
    trial.act(0, "offer_draw")
    assert trial.public["draw_offer"] == "white"
    refused("no_offer", trial.act, 0, "accept_draw")
    assert {"accept_draw", "decline_draw"} <= set(trial.game.options(trial.state, 1))
    trial.act(1, "accept_draw")
    assert result(trial) == {"winner": None, "reason": "agreement"}


def test_offering_what_is_offered_is_accepting():
    trial = play(table(), "e2e4 e7e5")
    trial.act(0, "offer_draw")
    trial.act(1, "offer_draw")
    assert result(trial) == {"winner": None, "reason": "agreement"}


def test_FIDE_9_1_an_offer_stands_until_the_opponent_declines_it_or_moves():
    trial = play(table(), "e2e4 e7e5")
    trial.act(0, "offer_draw")
    play(trial, "g1f3")
    assert trial.public["draw_offer"] == "white"
    play(trial, "g8f6")
    assert trial.public["draw_offer"] is None
    trial.act(0, "offer_draw")
    trial.act(1, "decline_draw")
    assert trial.public["draw_offer"] is None
    refused("no_offer", trial.act, 1, "decline_draw")


def test_a_draw_is_offered_once_between_two_moves():
    trial = play(table(), "e2e4 e7e5")
    trial.act(0, "offer_draw")
    trial.act(1, "decline_draw")
    refused("already_offered", trial.act, 0, "offer_draw")
    assert "offer_draw" not in trial.game.options(trial.state, 0)
    play(trial, "g1f3")
    trial.act(0, "offer_draw")


def test_a_takeback_is_answered_by_the_other_and_asked_for_once():
    trial = play(table(), "e2e4 e7e5")
    trial.act(0, "offer_takeback")
    answers = {"accept_takeback", "decline_takeback"}
    assert answers <= set(trial.game.options(trial.state, 1))
    assert not (answers | {"offer_takeback"}) & set(trial.game.options(trial.state, 0))
    trial.act(1, "decline_takeback")
    assert [set(trial.game.options(trial.state, seat)) & (answers | {"offer_takeback"}) for seat in (0, 1)] == [
        {"offer_takeback"}
    ] * 2


def test_a_takeback_returns_to_the_askers_last_choice():
    trial = play(table(), "e2e4 e7e5")
    trial.act(0, "offer_takeback")
    assert trial.public["takeback_offer"] == "white"
    trial.act(1, "accept_takeback")
    assert trial.public["moves"] == []
    assert trial.public["fen"] == chess.STARTING_FEN
    play(trial, "d2d4")
    trial.act(0, "offer_takeback")
    trial.act(1, "accept_takeback")
    assert trial.public["moves"] == []
    assert trial.actor == 0


def test_a_takeback_may_be_declined_and_lapses_with_a_move():
    trial = play(table(), "e2e4 e7e5")
    trial.act(0, "offer_takeback")
    refused("already_offered", trial.act, 0, "offer_takeback")
    trial.act(1, "decline_takeback")
    refused("no_offer", trial.act, 1, "accept_takeback")
    trial.act(1, "offer_takeback")
    play(trial, "g1f3")
    refused("no_offer", trial.act, 0, "accept_takeback")
    refused("no_offer", trial.act, 0, "decline_takeback")


def test_nothing_is_taken_back_before_the_first_move():
    trial = play(table(), "e2e4")
    refused("nothing_to_take_back", trial.act, 1, "offer_takeback")
    assert "offer_takeback" not in trial.game.options(trial.state, 1)


def test_a_rematch_swaps_the_colours():
    trial = table()
    refused("game_running", trial.act, 0, "offer_rematch")
    trial.act(0, "resign")
    refused("no_offer", trial.act, 0, "accept_rematch")
    assert trial.game.options(trial.state, 0) == trial.game.options(trial.state, 1) == ("offer_rematch",)
    trial.act(0, "offer_rematch")
    assert trial.game.options(trial.state, 0) == ()
    refused("already_offered", trial.act, 0, "offer_rematch")
    assert trial.game.options(trial.state, 1) == ("accept_rematch",)
    trial.act(1, "accept_rematch")
    public = trial.public
    assert public["players"] == {"white": 1, "black": 0}
    assert (public["game"], public["result"], public["moves"]) == (2, None, [])
    assert trial.game.round(trial.state) == 2


def test_the_host_may_start_the_next_game_too():
    trial = table()
    trial.act(0, "resign")
    trial.start()
    assert trial.public["players"] == {"white": 1, "black": 0}


def test_on_one_screen_an_offer_is_its_own_answer():
    trial = play(table(same_screen=True), "e2e4")
    assert trial.game.shares_seats(trial.settings)
    trial.act(0, "offer_takeback")
    assert trial.public["moves"] == []
    play(trial, "e2e4 e7e5")
    trial.act(0, "offer_draw")
    assert result(trial) == {"winner": None, "reason": "agreement"}
    trial.act(0, "offer_rematch")
    assert trial.public["game"] == 2


def test_one_who_holds_no_colour_may_do_nothing():
    trial = Trial(Chess())
    trial.join(0)
    refused("not_playing", trial.act, 0, "resign")
    assert trial.game.options(trial.state, 0) == ()


# Clocks


def test_the_clock_of_the_side_to_move_runs_and_gains_the_increment():
    trial = table(minutes=3, increment=2)
    trial.wait(10_000)
    play(trial, "e2e4")
    assert trial.public["clock"] == {"white": 172_000, "black": 180_000, "running": "black", "since": trial.now}
    trial.wait(500)
    play(trial, "e7e5")
    assert trial.public["clock"]["black"] == 181_500


def test_the_flag_falls_at_its_moment_and_not_before():
    trial = table(minutes=1, increment=0)
    trial.wait(MINUTE - 1)
    assert result(trial) is None
    assert trial.expire() == ()
    deadline = trial.game.deadline(trial.state)
    assert (deadline.at, deadline.seat, deadline.grace) == (trial.now + 1, 0, False)
    trial.wait(1)
    assert result(trial) == {"winner": "black", "reason": "time"}
    assert trial.public["clock"]["white"] == 0


def test_a_move_after_the_flag_is_too_late():
    trial = table(minutes=1)
    trial.now += MINUTE
    refused("time_over", trial.act, 0, "move", uci="e2e4")


def test_FIDE_6_9_time_draws_where_the_opponent_cannot_mate():
    trial = from_position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", minutes=1)
    trial.wait(MINUTE)
    assert result(trial) == {"winner": None, "reason": "time"}
    trial = from_position("4k3/8/8/8/8/8/p7/4K3 w - - 0 1", minutes=1)
    trial.wait(MINUTE)
    assert result(trial) == {"winner": "black", "reason": "time"}


def test_a_pause_costs_nobody_time():
    trial = table(minutes=1, increment=0)
    trial.wait(20_000)
    trial.pause(10 * MINUTE)
    trial.wait(39_999)
    assert result(trial) is None
    play(trial, "e2e4")
    assert trial.public["clock"]["white"] == 1


def test_a_takeback_gives_no_time_back():
    trial = table(minutes=1, increment=0)
    trial.wait(10_000)
    play(trial, "e2e4")
    trial.wait(5_000)
    trial.act(0, "offer_takeback")
    trial.act(1, "accept_takeback")
    assert trial.public["clock"] == {"white": 50_000, "black": 55_000, "running": "white", "since": trial.now}


def test_a_takeback_takes_the_increments_of_the_undone_moves():
    trial = table(minutes=5, increment=3)
    for _ in range(5):
        play(trial, "e2e4")
        assert trial.public["clock"]["white"] == 5 * MINUTE + 3_000
        trial.act(0, "offer_takeback")
        trial.act(1, "accept_takeback")
        assert trial.public["clock"] == {
            "white": 5 * MINUTE,
            "black": 5 * MINUTE,
            "running": "white",
            "since": trial.now,
        }
    trial.wait(10_000)
    play(trial, "e2e4 e7e5")
    trial.act(0, "offer_takeback")  # two plies: the answer goes too
    trial.act(1, "accept_takeback")
    assert trial.public["clock"]["white"] == 5 * MINUTE - 10_000
    assert trial.public["clock"]["black"] == 5 * MINUTE


def test_a_takeback_flags_nobody():
    trial = table(minutes=1, increment=5)
    trial.wait(MINUTE - 1_000)
    play(trial, "e2e4 e7e5")
    trial.wait(5_000)
    trial.act(0, "offer_takeback")
    trial.act(1, "accept_takeback")
    assert trial.public["clock"]["white"] == 1
    assert result(trial) is None


def test_an_untimed_game_waits_for_ever():
    trial = table(untimed=True)
    assert trial.public["clock"] is None
    trial.wait(10**12)
    play(trial, "e2e4")
    assert trial.game.deadline(trial.state) is None


def test_correspondence_gives_each_move_its_days():
    day = 86_400_000
    trial = table(days=2)
    trial.wait(2 * day - 1)
    play(trial, "e2e4")
    trial.wait(day)
    play(trial, "e7e5")
    assert trial.public["clock"]["white"] == trial.public["clock"]["black"] == 2 * day
    trial.act(1, "offer_takeback")
    trial.act(0, "accept_takeback")
    assert trial.public["clock"]["black"] == 2 * day
    trial.wait(2 * day)
    assert result(trial) == {"winner": "white", "reason": "time"}


def test_the_clock_starts_with_the_side_that_moves_first():
    trial = from_position("4k3/7p/8/8/8/8/P7/4K3 b - - 0 1")
    assert trial.public["clock"]["running"] == "black"
    assert trial.actor == 1


# Settings


@pytest.mark.parametrize(
    "settings",
    [
        {"untimed": True, "days": 1},
        {"start_fen": "nonsense"},
        {"start_fen": "8/8/8/8/8/8/8/8 w - - 0 1"},
        {"start_fen": "7k/8/5KQ1/8/8/8/8/8 b - - 0 1"},
        {"start_fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
        {"start_fen": "k" * 1000},
    ],
)
def test_settings_that_nobody_could_play_are_refused(settings):
    with pytest.raises(Illegal):
        Listing(Chess()).settings(settings)
