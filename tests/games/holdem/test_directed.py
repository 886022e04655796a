"""A table of a tournament: positions by the rules of the Tournament Directors Association, and no posts but blinds."""

import random

import pytest

from parlour.games.contract import Illegal
from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem import events as ev
from parlour.games.poker.holdem.blinds import BlindsPlayer, Positions, arrange
from parlour.games.testing import Lots, Trial

BLINDS = (25, 50)


def sitting(seats, *taken, came=()):
    """Seats of a table: who was in the last hand, and who came since."""
    return [
        BlindsPlayer(1000, placed=True, new=seat in came) if seat in taken or seat in came else None
        for seat in range(seats)
    ]


def hand(players, button, small, big):
    arrangement = arrange(players, Positions(button, small, big), BLINDS, (), blinds_out=True)
    positions = arrangement.positions
    return (positions.button, positions.small, positions.big), arrangement.order, arrangement.posts


def test_tda_10_who_is_moved_takes_on_the_big_blind():
    where, order, posts = hand(sitting(9, 0, 2, 4, 8, came=[6]), 0, 2, 4)
    assert where == (2, 4, 6)
    assert posts == [(4, 25, 0), (6, 50, 0)]
    assert set(order) == {0, 2, 4, 6, 8}


def test_tda_10_who_is_moved_takes_on_the_small_blind():
    """The big blind of the hand before has gone, and somebody else has that seat now."""
    where, order, posts = hand(sitting(9, 0, 2, 8, came=[4]), 0, 2, 4)
    assert where == (2, 4, 8)
    assert posts == [(4, 25, 0), (8, 50, 0)]
    assert set(order) == {0, 2, 4, 8}


def test_tda_10_who_is_moved_takes_on_the_button():
    where, order, posts = hand(sitting(9, 0, 4, 8, came=[2]), 0, 2, 4)
    assert where == (2, 4, 8)
    assert posts == [(4, 25, 0), (8, 50, 0)]
    assert order[-1] == 2


@pytest.mark.parametrize("seat", [0, 1, 7])
def test_tda_10_who_is_moved_is_dealt_in_anywhere_else_without_a_post(seat):
    _, order, posts = hand(sitting(9, 2, 4, 6, 8, came=[seat]), 8, 2, 4)
    assert seat in order
    assert seat not in [poster for poster, _, _ in posts]


def test_tda_11_between_the_button_and_the_small_blind_they_wait_until_the_button_has_passed():
    players = sitting(9, 0, 2, 4, 8, came=[3])
    where, order, posts = hand(players, 0, 2, 4)
    assert where == (2, 4, 8)
    assert order == [4, 8, 0, 2]
    assert posts == [(4, 25, 0), (8, 50, 0)]
    where, order, posts = hand(players, *where)
    assert where == (4, 8, 0)
    assert 3 in order
    assert posts == [(8, 25, 0), (0, 50, 0)]


def test_who_comes_to_two_that_are_left_plays_at_once_where_hands_are_not_free():
    for came in range(6):
        if came in (1, 4):
            continue
        players = sitting(6, 1, 4, came=[came])
        where, order, posts = hand(players, 1, 1, 4)
        assert set(order) == {1, 4, came}
        assert where[1] == 4, "the big blind of the hand before is the small blind"
        assert [seat for seat, _, _ in posts] == [where[1], where[2]]


@pytest.mark.parametrize("gone", [0, 3, 5])
def test_tda_35_nobody_has_the_big_blind_twice_running_when_play_becomes_heads_up(gone):
    left = [seat for seat in (0, 3, 5) if seat != gone]
    where, order, posts = hand(sitting(6, *left), 0, 3, 5)
    button, small, big = where
    assert button == small, "the button is the small blind"
    assert big != 5
    assert {button, big} == set(left) == set(order)
    assert posts == [(big, 50, 0), (button, 25, 0)] or posts == [(button, 25, 0), (big, 50, 0)]


def trial(stacks, **settings):
    game = Holdem()
    made = Trial(game, game.directed({"seats": 9, "small_blind": 25, "big_blind": 50, **settings}))
    for seat, chips in stacks.items():
        made.place(seat, f"p{seat}", chips=chips)
    return made


def stack_of(made, seat):
    return made.state.stack(seat)


def opening(made):
    return [event for _, event in made.log if isinstance(event, ev.HandStarted)][-1]


def play_out(made):
    while made.state.record.live:
        made.act(made.actor, "fold")


def test_at_the_first_hand_nobody_owes_anything_and_the_button_is_drawn():
    buttons = set()
    for seed in range(30):
        made = trial({0: 1000, 3: 1000, 5: 1000, 8: 1000})
        made.chance = Lots(seed)
        made.next_round()
        first = opening(made)
        buttons.add(first.button)
        assert list(first.stacks.values()) == [1000] * 4
        assert [seat for seat, _, _ in first.posts] == [first.small_blind, first.big_blind]
    assert buttons == {0, 3, 5, 8}


def test_a_short_stack_pays_what_it_has_and_is_all_in():
    made = trial({0: 1000, 1: 1000, 2: 1000})
    made.next_round()
    play_out(made)
    big = next(seat for seat in (0, 1, 2) if seat not in (opening(made).small_blind, opening(made).big_blind))
    made.correct(big, 10 - stack_of(made, big), "test")
    made.next_round()
    assert opening(made).big_blind == big
    assert [(event.kind, event.amount) for _, event in made.log if isinstance(event, ev.Posted)][-1] == (
        "big_blind",
        10,
    )
    while made.state.record.live:
        made.act(made.actor, "call" if made.game.legal(made.state, made.actor)["call"] else "check")
    assert sum(stack_of(made, seat) for seat in range(3)) == 2010


def test_a_hand_is_dealt_before_its_time_where_the_tournament_says_so():
    made = trial({0: 1000, 1: 1000}, hand_delay=30)
    made.next_round()
    with pytest.raises(Illegal, match="being played"):
        made.next_round()
    play_out(made)
    assert made.state.record.next_hand_at > made.now
    made.next_round()
    assert made.state.record.hand == 2


def test_whoever_was_away_at_the_other_table_is_away_here():
    made = trial({0: 1000, 1: 1000})
    made.place(2, "p2", chips=500, moved=True, out=True)
    made.next_round()
    assert opening(made).absent == (2,)
    assert made.state.record.players[2].absent
    made.act(2, "sit_in")
    assert not made.state.record.players[2].absent


def test_where_the_dealer_chooses_the_tournament_waits_for_the_choice():
    games = [["holdem", "no-limit"], ["omaha", "pot-limit"]]
    made = trial({0: 1000, 1: 1000}, choice="dealer", games=games, change_every=1)
    made.next_round()
    play_out(made)
    made.next_round()
    assert made.state.record.choosing is not None
    with pytest.raises(Illegal, match="choose"):
        made.next_round()
    made.act(made.state.record.choosing, "choose", variant="omaha", limit="pot-limit")
    made.next_round()
    assert opening(made).variant == "omaha"


@pytest.mark.parametrize("seed", range(5))
def test_as_people_are_moved_in_and_out_blinds_go_round_and_nobody_waits_without_reason(seed):
    """The big blind always comes to the next player; who is not dealt in came to a seat between button and small blind,
    and plays the hand after; only the blinds post; and nobody who stays pays the big blind twice running."""
    chance = random.Random(seed)
    made = trial(dict.fromkeys(chance.sample(range(9), 3), 5000))
    made.chance = Lots(seed)
    waited = set()
    before = None
    names = 100
    for _ in range(40):
        taken = {seat for seat, player in enumerate(made.state.record.players) if player is not None}
        came = set()
        for _ in range(chance.choice([0, 0, 1, 1, 2])):
            if chance.random() < 0.5 and len(taken) > 2:
                gone = chance.choice(sorted(taken))
                made.leave(gone)
                taken.discard(gone)
                came.discard(gone)
                waited.discard(gone)
            elif len(taken) < 9:
                seat = chance.choice(sorted(set(range(9)) - taken))
                made.place(seat, f"p{(names := names + 1)}", chips=5000, moved=True)
                taken.add(seat)
                came.add(seat)
        made.next_round()
        now = opening(made)
        out = taken - set(now.stacks)
        assert not out & waited, "nobody waits twice"
        assert out <= came
        for seat in out:
            assert 0 < (seat - before.small_blind) % 9 < (before.big_blind - before.small_blind) % 9
        assert now.big_blind in now.stacks
        assert {seat for seat, _, _ in now.posts} <= {now.small_blind, now.big_blind}
        if before is not None:
            ways = sorted(taken, key=lambda seat: (seat - before.big_blind - 1) % 9)
            assert now.big_blind == ways[0]
            assert now.big_blind != before.big_blind or now.big_blind in came
        if len(now.stacks) == 2:
            assert now.button == now.small_blind
        waited = out
        before = now
        play_out(made)
