"""Who posts what. Each test is named by the rule that it proves: nobody pays twice, and nobody gets a free hand."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.games.poker.holdem.blinds import BlindsPlayer, Positions, arrange, ready_seats

BLINDS = (1, 2)


def seated(*players):
    """A player for each word: `in`, `out`, `new`, `post` (new, will post), `both`, `small` (owed), `bust`, None."""
    made = {
        "in": BlindsPlayer(100),
        "out": BlindsPlayer(100, out=True),
        "new": BlindsPlayer(100, new=True),
        "post": BlindsPlayer(100, new=True, post=True),
        "both": BlindsPlayer(100, missed_small=True, missed_big=True),
        "both post": BlindsPlayer(100, missed_small=True, missed_big=True, post=True),
        "small post": BlindsPlayer(100, missed_small=True, post=True),
        "bust": BlindsPlayer(0),
        None: None,
    }
    return [made[word] for word in players]


def positions(arrangement):
    return (arrangement.positions.button, arrangement.positions.small, arrangement.positions.big)


def test_the_first_button_is_drawn_and_the_blinds_sit_to_its_left():
    hand = arrange(seated("in", "in", None, "in"), None, BLINDS, [2, 1, 0, 3])
    assert positions(hand) == (1, 3, 0)
    assert hand.order == [3, 0, 1]
    assert hand.posts == [(3, 1, 0), (0, 2, 0)]


def test_heads_up_the_button_posts_the_small_blind():
    hand = arrange(seated("in", None, "in"), None, BLINDS, [2, 0, 1])
    assert positions(hand) == (2, 2, 0)
    assert hand.order == [0, 2]
    assert hand.posts == [(0, 2, 0), (2, 1, 0)]
    hand = arrange(seated("in", None, "in"), hand.positions, BLINDS, ())
    assert positions(hand) == (0, 0, 2)


def test_button_and_blinds_move_one_player_on():
    hand = arrange(seated("in", "in", "in", "in"), Positions(0, 1, 2), BLINDS, ())
    assert positions(hand) == (1, 2, 3)
    assert hand.order == [2, 3, 0, 1]


def test_the_blinds_go_on_where_the_table_has_lost_the_seats_in_which_they_lay():
    hand = arrange(seated("in", "in", None, "out"), Positions(5, 6, 7), BLINDS, ())
    assert hand.positions.big == 0
    assert hand.order == [0, 1]
    assert sum(live for _, live, _ in hand.posts) == sum(BLINDS)


def test_dead_small_blind_when_the_last_big_blind_has_left():
    hand = arrange(seated("in", "in", None, "in", "in"), Positions(0, 1, 2), BLINDS, ())
    assert positions(hand) == (1, 2, 3)
    assert hand.posts == [(3, 2, 0)]
    assert hand.order == [3, 4, 0, 1]


def test_dead_button_when_the_last_small_blind_has_left():
    hand = arrange(seated("in", None, "in", "in", "in"), Positions(0, 1, 2), BLINDS, ())
    assert positions(hand) == (1, 2, 3)
    assert hand.posts == [(2, 1, 0), (3, 2, 0)]
    assert hand.order == [2, 3, 4, 0]


def test_nobody_pays_the_big_blind_twice_in_a_row_when_three_become_two():
    for gone in range(3):
        players = seated("in", "in", "in")
        players[gone] = None
        hand = arrange(players, Positions(0, 1, 2), BLINDS, ())
        assert hand.positions.big != 2
        assert hand.positions.small == hand.positions.button != hand.positions.big


def test_a_newcomer_waits_for_the_big_blind():
    players = seated("in", "in", "in", None, "new")
    hand = arrange(players, Positions(2, 0, 1), BLINDS, ())
    assert hand.positions.big == 2
    assert 4 not in hand.order
    hand = arrange(players, hand.positions, BLINDS, ())
    assert hand.positions.big == 4
    assert 4 in hand.order
    assert (4, 2, 0) in hand.posts


def test_a_newcomer_may_post_a_live_big_blind_to_come_in_at_once():
    hand = arrange(seated("in", "in", "in", "in", "post"), Positions(0, 1, 2), BLINDS, ())
    assert 4 in hand.order
    assert (4, 2, 0) in hand.posts


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_nobody_comes_in_between_the_button_and_the_big_blind(seat):
    players = seated("in", "in", None, "in", None, "in", "in")
    players[seat] = BlindsPlayer(100, new=True, post=True)
    hand = arrange(players, Positions(0, 1, 3), BLINDS, ())
    assert positions(hand)[0] == 1
    assert hand.positions.big == (4 if seat == 4 else 5)
    assert (seat in hand.order) == (seat == 4)


def test_the_big_blind_passing_a_seat_that_sits_out_leaves_it_owing_both_blinds():
    hand = arrange(seated("in", "in", "in", "out", "in"), Positions(0, 1, 2), BLINDS, ())
    assert hand.positions.big == 4
    assert (hand.missed_small, hand.missed_big) == ((3,), (3,))


def test_the_small_blind_passing_a_seat_that_sits_out_leaves_it_owing_the_small_blind_alone():
    hand = arrange(seated("in", "in", "out", "in", "in"), Positions(0, 1, 2), BLINDS, ())
    assert (hand.missed_small, hand.missed_big) == ((2,), ())
    assert hand.posts == [(3, 2, 0)]


def test_a_busted_seat_owes_the_blinds_that_pass_it_like_any_other():
    hand = arrange(seated("in", "in", "in", "bust", "in"), Positions(0, 1, 2), BLINDS, ())
    assert hand.missed_big == (3,)


def test_a_newcomer_who_has_not_played_has_missed_nothing():
    players = seated("in", "in", "in", "new", "in")
    players[3].out = True
    assert arrange(players, Positions(0, 1, 2), BLINDS, ()).missed_big == ()


def test_missed_blinds_are_posted_big_live_and_small_dead():
    hand = arrange(seated("in", "in", "in", "in", "both post"), Positions(0, 1, 2), BLINDS, ())
    assert (4, 2, 1) in hand.posts
    hand = arrange(seated("in", "in", "in", "in", "small post"), Positions(0, 1, 2), BLINDS, ())
    assert (4, 0, 1) in hand.posts


def test_missed_blinds_are_forgiven_to_one_who_waits_for_the_big_blind():
    players = seated("in", "in", "in", "in", "both")
    hand = arrange(players, Positions(0, 1, 2), BLINDS, ())
    assert 4 not in hand.order
    hand = arrange(players, hand.positions, BLINDS, ())
    assert (4, 2, 0) in hand.posts


def test_one_who_sat_out_between_two_blinds_owes_nothing():
    players = seated("in", "in", "in", "in", "out")
    hand = arrange(players, Positions(0, 1, 2), BLINDS, ())
    assert hand.missed_small == hand.missed_big == ()
    players[4].out = False
    assert 4 in arrange(players, Positions(0, 1, 2), BLINDS, ()).order


def test_heads_up_debts_lapse_since_both_pay_a_blind_in_every_hand():
    hand = arrange(seated("in", "both"), Positions(0, 0, 1), BLINDS, ())
    assert sorted(hand.posts) == [(0, 2, 0), (1, 1, 0)]


def test_two_who_must_both_wait_play_heads_up():
    hand = arrange(seated("new", None, "new"), Positions(0, 1, 2), BLINDS, ())
    assert sorted(hand.order) == [0, 2]


def test_a_third_player_comes_in_on_the_big_blind_from_heads_up():
    hand = arrange(seated("in", "in", "new"), Positions(0, 0, 1), BLINDS, ())
    assert positions(hand) == (0, 1, 2)
    hand = arrange(seated("in", "post", "in"), Positions(0, 0, 2), BLINDS, ())
    assert sorted(hand.order) == [0, 2], "between the button and the big blind nobody comes in"


def test_the_button_is_not_left_behind_when_the_big_blind_passes_it():
    players = seated("in", "post", "in", "out", "new")
    hand = arrange(players, Positions(3, 3, 2), BLINDS, ())
    assert hand.positions.big == 4
    assert sorted(hand.order) == [0, 2, 4]
    assert positions(hand) == (1, 2, 4)


class Table:
    """One table over many hands, with people who come, go, sit out and return as they like.

    It keeps its own books of the blinds that passed each seat, to compare with what is asked for.
    """

    def __init__(self, dice, seats):
        self.dice = dice
        self.players = [None] * seats
        self.last = None
        self.owed = {}

    def churn(self):
        for seat, player in enumerate(self.players):
            roll = self.dice.random()
            if player is None:
                if roll < 0.2:
                    self.players[seat] = BlindsPlayer(100, new=self.last is not None, post=self.dice.random() < 0.5)
                    self.owed[seat] = {"entry"} if self.last is not None else set()
            elif roll < 0.03:
                self.players[seat] = None
                del self.owed[seat]
            elif roll < 0.2:
                player.out = not player.out
                player.post = not player.out and self.dice.random() < 0.5

    def hand(self):
        lot = self.dice.sample(range(len(self.players)), len(self.players))
        hand = arrange(self.players, self.last, BLINDS, lot)
        for seat in hand.missed_small:
            self.players[seat].missed_small = True
        for seat in hand.missed_big:
            self.players[seat].missed_big = True
        for seat in hand.order:
            player = self.players[seat]
            player.new = player.missed_small = player.missed_big = player.post = False
        return hand

    def pass_blinds(self, hand):
        """Whoever had a part in the game before and is not dealt in now owes the blinds that pass."""
        seats, seat = len(self.players), self.last.big
        if seat in self.owed and seat not in hand.order and "entry" not in self.owed[seat]:
            self.owed[seat].add("small")
        while (seat := (seat + 1) % seats) != hand.positions.big:
            if seat in self.owed and "entry" not in self.owed[seat]:
                assert seat not in hand.order, "the big blind passed over somebody who plays"
                self.owed[seat] |= {"small", "big"}


@settings(max_examples=200)
@given(seed=st.integers(0, 10**9), seats=st.integers(2, 10))
def test_whatever_people_do_everybody_posts_exactly_what_passed_them(seed, seats):
    table = Table(random.Random(seed), seats)
    for _ in range(100):
        table.churn()
        if len(ready_seats(table.players)) < 2:
            continue
        before, hand = table.last, table.hand()
        now = hand.positions
        posts = {seat: (live, dead) for seat, live, dead in hand.posts}
        assert len(hand.order) >= 2
        assert hand.order == sorted(hand.order, key=lambda seat: (seat - now.button - 1) % seats)
        assert now.big in hand.order
        if before is not None:
            assert now.big != before.big, "nobody is the big blind twice in a row"
            table.pass_blinds(hand)
            if len(hand.order) > 2:
                assert now.small == before.big
                assert now.button in (before.small, (now.small - 1) % seats)
                assert (now.small - now.button) % seats < (now.big - now.button) % seats, "button, small, big"
        for seat in hand.order:
            due = (0, 0)
            if seat == now.big:
                due = (2, 0)
            elif seat == now.small:
                due = (1, 0)
                assert len(hand.order) == 2 or not table.owed[seat], "a free small blind"
            elif table.owed[seat]:
                due = (2 if table.owed[seat] & {"big", "entry"} else 0, 1 if "small" in table.owed[seat] else 0)
                assert seat not in {(now.button + step) % seats for step in range((now.big - now.button) % seats)}
            assert posts.get(seat, (0, 0)) == due
            table.owed[seat] = set()
        table.last = now
