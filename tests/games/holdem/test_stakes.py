"""What is paid before the cards: straddles, a blind of the button, bomb pots; and the host's settings of them."""

import random

import pytest

from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem import events as ev
from parlour.games.poker.holdem.blinds import BlindsPlayer, Positions, arrange, arrange_bomb
from parlour.games.poker.holdem.statistics import positions
from parlour.games.registry import Listing
from parlour.games.testing import Lots, Trial

from .test_table import acts, kinds, player, refused, stacks, table


def opening(trial):
    return kinds(trial, ev.HandStarted)[-1]


def posted(trial):
    """Who posted what in the last hand."""
    return [tuple(step) for step in trial.public["actions"] if step[2] not in ("fold", "check", "call", "bet", "raise")]


def next_hand(trial):
    """Everybody folds, and the next hand is dealt."""
    while trial.state.actor is not None:
        acts(trial, "fold")
    trial.wait(4000)
    return trial


@pytest.mark.parametrize(
    ("code", "settings"),
    [
        ("straddle_button_blind", {"straddle": "utg", "button_blind": True}),
        ("too_few_games", {"choice": "rotation"}),
        ("too_few_games", {"choice": "dealer", "games": [["holdem", "no-limit"]]}),
        ("game_twice", {"games": [["holdem", "no-limit"], ["holdem", "no-limit"]]}),
        ("too_many_seats", {"variant": "omaha6", "seats": 8, "double_board": "always"}),
        ("too_many_seats", {"variant": "omaha6", "seats": 8, "double_board": "bombs", "bomb_ante": 5}),
        (
            "too_many_seats",
            {"choice": "rotation", "games": [["holdem", "no-limit"], ["omaha5-hilo", "pot-limit"]], "seats": 10},
        ),
        ("bad_settings", {"run_it": 4}),
        ("bad_settings", {"games": [["stud", "no-limit"]]}),
    ],
)
def test_settings_that_do_not_fit_together_are_refused(code, settings):
    refused(code, Listing(Holdem()).settings, settings)


def test_boards_for_bombs_need_no_cards_where_there_are_no_bombs():
    assert Listing(Holdem()).settings({"variant": "omaha6", "seats": 7, "double_board": "bombs"}).bomb_ante == 0


# Straddles


def test_nobody_straddles_unless_the_host_and_the_player_want_it():
    trial = table([100] * 4)
    refused("no_straddle", trial.act, 2, "straddle")
    assert "straddle" not in trial.game.options(trial.state, 2)
    trial = table([100] * 4, straddle="utg")
    assert "straddle" in trial.game.options(trial.state, 2)
    assert opening(trial).straddler is None
    next_hand(trial)
    assert opening(trial).straddler is None


def test_under_the_gun_straddles_for_twice_the_big_blind_and_acts_last_before_the_flop():
    trial = table([100] * 4, straddle="utg")  # button 3, blinds 0 and 1
    trial.act(3, "straddle")
    assert trial.public["next"]["straddlers"] == [3]
    next_hand(trial)  # button 0, blinds 1 and 2
    hand = opening(trial)
    assert (hand.straddler, hand.straddle) == (3, 4)
    assert posted(trial) == [
        (1, "preflop", "small_blind", 1),
        (2, "preflop", "big_blind", 2),
        (3, "preflop", "straddle", 4),
    ]
    assert trial.public["game"]["straddle"] == {"seat": 3, "amount": 4}
    assert trial.actor == 0
    assert trial.game.legal(trial.state, 0)["min"] == 8  # the least raise doubles it, as over a blind
    acts(trial, "call", "call", "call")
    assert trial.actor == 3
    assert "check" in trial.game.legal(trial.state, 3)["actions"]
    acts(trial, "check")
    assert trial.actor == 1


def test_a_straddle_from_another_seat_than_the_host_allows_is_not_posted():
    trial = table([200] * 5, straddle="utg")
    trial.act(4, "straddle")
    next_hand(trial)  # button 0, so that seat 3 is under the gun
    assert opening(trial).straddler is None


def test_a_straddle_holds_for_every_hand_until_it_is_taken_back():
    trial = table([100] * 3, straddle="button")
    for seat in range(3):
        trial.act(seat, "straddle")
    next_hand(trial)
    assert opening(trial).straddler == opening(trial).button
    trial.act(1, "straddle", on=False)
    next_hand(trial)
    assert (opening(trial).button, opening(trial).straddler) == (1, None)
    trial.act(2, "sit_out")
    trial.act(2, "sit_in")
    next_hand(trial)
    assert (opening(trial).button, opening(trial).straddler) == (2, None)


def test_somebody_who_is_away_does_not_straddle():
    trial = table([100] * 3, straddle="button")
    trial.act(0, "straddle")
    trial.away = frozenset({0})
    next_hand(trial)
    assert (opening(trial).button, opening(trial).straddler) == (0, None)


# One blind, by the button


def test_the_button_posts_the_only_blind_and_the_action_begins_to_its_left():
    trial = table([100] * 3, variant="short-deck", ante=1, button_blind=True)
    hand = opening(trial)
    assert (hand.button, hand.small_blind, hand.big_blind) == (2, 2, 2)
    assert posted(trial) == [
        (0, "preflop", "ante", 1),
        (1, "preflop", "ante", 1),
        (2, "preflop", "ante", 1),
        (2, "preflop", "button_blind", 2),
    ]
    assert trial.actor == 0
    assert (trial.public["small_blind"], trial.public["big_blind"]) == (None, 2)
    assert [player(trial, seat)["position"] for seat in range(3)] == ["UTG", "CO", "BTN"]
    acts(trial, "call", "call", "check")
    assert trial.actor == 0
    next_hand(trial)
    assert opening(trial).button == 0


def test_whoever_the_button_blind_passed_over_owes_it_and_no_small_blind():
    seats = [BlindsPlayer(100), BlindsPlayer(100, out=True), BlindsPlayer(100), BlindsPlayer(100)]
    hand = arrange(seats, Positions(0, 0, 0), (1, 2), (), button_blind=True)
    assert hand.positions == Positions(2, 2, 2)
    assert hand.order == [3, 0, 2]
    assert hand.posts == [(2, 2, 0)]
    assert (hand.missed_small, hand.missed_big) == ((), (1,))


def test_a_newcomer_posts_or_waits_for_the_button_blind():
    seats = [BlindsPlayer(100), BlindsPlayer(100), BlindsPlayer(100, new=True), BlindsPlayer(100, new=True, post=True)]
    hand = arrange(seats, Positions(0, 0, 0), (1, 2), (), button_blind=True)
    assert hand.positions.button == 1
    assert hand.order == [3, 0, 1]
    assert hand.posts == [(3, 2, 0), (1, 2, 0)]


# Bomb pots


def test_a_bomb_pot_has_antes_and_no_blinds_and_the_betting_begins_on_the_flop():
    trial = table([100] * 3, bomb_ante=5, bomb_every=2)
    assert opening(trial).bomb == 0
    assert trial.public["next"] == {"bomb": True}
    next_hand(trial)
    hand = opening(trial)
    assert (hand.hand, hand.bomb, hand.ante, hand.posts) == (2, 10, 0, [])
    assert posted(trial) == [(seat, "preflop", "ante", 10) for seat in hand.stacks]
    public = trial.public
    assert (public["street"], len(public["board"]), public["pot"]) == ("flop", 3, 30)
    assert public["game"]["bomb"] == 10
    assert (public["small_blind"], public["big_blind"]) == (None, None)
    assert trial.actor == next(iter(hand.stacks))
    assert trial.game.legal(trial.state, trial.actor)["min"] == 2


def test_a_bomb_pot_moves_neither_the_button_nor_the_blinds():
    trial = table([100] * 3, bomb_ante=1, bomb_every=2)
    seen = []
    for _ in range(5):
        hand = opening(trial)
        seen.append((hand.button, hand.small_blind, hand.big_blind))
        next_hand(trial)
    assert seen == [(2, 0, 1), (2, 0, 1), (0, 1, 2), (0, 1, 2), (1, 2, 0)]


def test_the_button_moves_on_from_bomb_pot_to_bomb_pot():
    trial = table([100] * 3, bomb_ante=1, bomb_every=1)
    buttons, first, names = [], [], []
    for _ in range(4):
        hand = opening(trial)
        buttons.append(hand.button)
        first.append(next(iter(hand.stacks)))
        names.append(positions(hand)[0])
        next_hand(trial)
    assert buttons == [2, 0, 1, 2]
    assert first == [0, 1, 2, 0]
    assert names == ["HJ", "BTN", "CO", "HJ"]


def test_the_blinds_go_on_from_the_last_hand_that_had_any_after_several_bomb_pots():
    trial = table([100] * 4, bomb_ante=1)
    trial.host = 1
    seen = []
    for bomb in (True, True, True, False, False, False):
        hand = opening(trial)
        seen.append((hand.bomb > 0, hand.button, hand.big_blind))
        if bomb:
            trial.act(1, "bomb")
        next_hand(trial)
    assert seen == [(False, 3, 1), (True, 3, 1), (True, 0, 1), (True, 1, 1), (False, 0, 2), (False, 1, 3)]


def test_the_button_of_a_bomb_pot_passes_over_empty_seats():
    trial = table([100] * 3, seats=5, bomb_ante=1, bomb_every=1)
    trial.join(4)
    next_hand(trial)
    buttons = []
    for _ in range(4):
        buttons.append(opening(trial).button)
        next_hand(trial)
    assert sorted(buttons) == [0, 1, 2, 4]


def test_a_newcomer_plays_a_bomb_pot_and_still_waits_for_the_big_blind():
    trial = table([100, 100, 100], seats=5, bomb_ante=1, bomb_every=2)
    trial.join(4)
    next_hand(trial)
    assert 4 in opening(trial).stacks
    assert trial.state.record.players[4].new
    assert player(trial, 4)["owes"] == 0
    next_hand(trial)
    assert player(trial, 4)["owes"] == 2 or 4 in opening(trial).stacks


def test_what_is_told_and_offered_does_not_change_with_the_bets_of_a_bomb_pot():
    """Views are remembered from one bet to the next: `Trial` compares them with those of a thawed state."""
    trial = table([100, 100, 100], seats=5, bomb_ante=1, bomb_every=2)
    trial.join(4, buy_in=50)
    next_hand(trial)
    assert "post" not in trial.game.options(trial.state, 4)
    for seat in (0, 1, 2):
        trial.act(seat, "bomb")
    while trial.state.actor is not None:
        legal = trial.game.legal(trial.state, trial.actor)
        acts(
            trial, "allin" if trial.actor == 4 else next(word for word in ("check", "call") if word in legal["actions"])
        )
    trial.act(4, "rebuy") if player(trial, 4)["status"] == "busted" else None
    assert "post" in trial.game.options(trial.state, 4)


def test_the_host_asks_for_a_bomb_pot_and_the_next_hand_is_one():
    trial = table([100] * 3, bomb_ante=2)
    refused("no_bomb_pots", table([100] * 3).act, 0, "bomb")
    trial.host = 1
    trial.act(1, "bomb")
    assert trial.public["next"] == {"bomb": True, "bombs": [1]}
    next_hand(trial)
    assert opening(trial).bomb == 4
    next_hand(trial)
    assert opening(trial).bomb == 0


def test_a_bomb_pot_is_played_where_everybody_asks_and_not_where_one_does_not():
    trial = table([100] * 3, bomb_ante=2)
    trial.act(0, "bomb")
    trial.act(1, "bomb")
    next_hand(trial)
    assert opening(trial).bomb == 0
    for seat in range(3):
        trial.act(seat, "bomb")
    trial.act(2, "bomb", on=False)
    assert "bomb" not in trial.public["next"]
    trial.act(2, "sit_out")  # who sits out is not asked
    assert trial.public["next"]["bomb"]
    next_hand(trial)
    assert opening(trial).bomb == 4


def test_who_leaves_asks_for_no_bomb_pot_any_more():
    trial = table([100, 100, 100], bomb_ante=2)
    trial.act(0, "bomb")
    acts(trial, "fold", "fold")
    trial.leave(0)
    assert "bombs" not in trial.public["next"]


def test_straddles_and_antes_rest_in_a_bomb_pot():
    trial = table([100] * 3, bomb_ante=2, bomb_every=1, straddle="utg", ante=1)
    for seat in range(3):
        trial.act(seat, "straddle")
    next_hand(trial)
    assert posted(trial) == [(seat, "preflop", "ante", 4) for seat in opening(trial).stacks]


def test_a_first_hand_that_is_a_bomb_pot_draws_the_button():
    hand = arrange_bomb([BlindsPlayer(100), None, BlindsPlayer(100)], None, [1, 2, 0])
    assert hand.positions == Positions(2, 2, 0)
    assert hand.order == [0, 2]


# Two boards


def test_two_boards_are_dealt_street_by_street_and_each_wins_half():
    cards = [48, 44, 49, 45, *range(5)]  # aces against kings, the first board 2c 2d 2h 2s 3c
    cards += [c for c in (46, 20, 25, 30, 39) if c not in cards]
    cards += [c for c in range(52) if c not in cards]
    trial = table([100, 100], cards, double_board="always")
    acts(trial, "call", "check")
    public = trial.public
    assert [len(board) for board in public["boards"]] == [3, 3]
    assert public["board"] == public["boards"][0]
    dealt = kinds(trial, ev.StreetDealt)
    assert [(event.street, event.board, event.to_act) for event in dealt] == [("flop", 0, 0), ("flop", 1, 0)]
    acts(trial, "check", "check", "check", "check", "check", "check")
    result = trial.public["result"]
    assert [(part["board"], part["side"], part["amount"]) for part in result["pots"][0]["parts"]] == [
        (0, "high", 2),
        (1, "high", 2),
    ]
    assert result["pots"][0]["made"] is None
    assert sum(stacks(trial)) == 200
    own = trial.game.private(trial.state, 0)
    assert [worth["board"] for worth in own["more"]] == [1]


def test_only_bombs_have_two_boards_where_the_host_wants_that():
    trial = table([100] * 3, double_board="bombs", bomb_ante=1, bomb_every=2)
    assert opening(trial).boards == 1
    next_hand(trial)
    assert (opening(trial).boards, opening(trial).bomb) == (2, 2)
    assert [len(board) for board in trial.public["boards"]] == [3, 3]


def test_a_table_with_every_extra_plays_on():
    """Each option at once, as long as they fit together: `Trial` holds the contract at every step."""
    settings = {
        "seats": 5,
        "choice": "rotation",
        "games": [["holdem", "no-limit"], ["omaha-hilo", "pot-limit"], ["short-deck", "fixed-limit"]],
        "change_every": 2,
        "straddle": "utg",
        "bomb_ante": 3,
        "bomb_every": 3,
        "double_board": "bombs",
        "run_it": 3,
        "rabbit": True,
        "seven_deuce": 2,
        "ante": 1,
    }
    trial = Trial(Holdem(), settings, Lots(5))
    for seat in range(5):
        trial.join(seat, buy_in=60)
        trial.act(seat, "straddle")
    trial.start()
    picks = random.Random(5)
    for _ in range(600):
        if trial.state.actor is not None:
            legal = trial.game.legal(trial.state, trial.actor)
            acts(trial, picks.choice([word for word in legal["actions"] if word not in ("bet", "raise")]))
        elif asked := trial.game.actors(trial.state):
            trial.act(asked[0], "run", times=picks.choice([1, 2, trial.public["run"]["most"]]))
        else:
            for seat in range(5):
                if "rabbit" in trial.game.options(trial.state, seat) and picks.random() < 0.3:
                    trial.act(seat, "rabbit")
                if player(trial, seat)["status"] == "busted":
                    trial.act(seat, "rebuy")
            trial.wait(20_000)
    assert len(kinds(trial, ev.HandEnded)) > 40
    assert {event.variant for event in kinds(trial, ev.HandStarted)} == {"holdem", "omaha-hilo", "short-deck"}
    assert any(event.times > 1 for event in kinds(trial, ev.RunsAgreed))
