"""What follows a hand: cards shown one by one, the 7-2 game, the rabbit hunt, the choice of the next game."""

import pytest

from parlour.games.contract import Illegal
from parlour.games.poker.holdem import events as ev

from ..test_table import acts, deck, kinds, player, stacks, table

SEVEN_DEUCE = "7c2d"


def folded_to_seat_1(**settings):
    """Everybody folds to the big blind, who has 7-2."""
    cards = deck("KcKd", SEVEN_DEUCE, "QcQd", board="7h 2s 9d 4c 3s")
    return acts(table([100] * 3, cards, hand_delay=4, **settings), "fold", "fold")


def test_roberts_rules_cards_are_shown_to_everybody_or_to_nobody():
    """A winner who need not show may show one card: everybody sees that one, and nobody the other."""
    trial = folded_to_seat_1()
    trial.act(1, "show", cards=["7c"])
    assert player(trial, 1)["cards"] == ["7c"]
    for seats in ((), (0,), (2,)):
        seen = trial.seen_by(*seats)
        assert b'"7c"' in seen
        assert b'"2d"' not in seen


def test_the_second_card_may_be_shown_after_the_first():
    trial = folded_to_seat_1()
    trial.act(1, "show", cards=["7c"])
    trial.act(1, "show", cards=["2d"])
    assert sorted(player(trial, 1)["cards"]) == ["2d", "7c"]


@pytest.mark.parametrize("cards", [["As"], ["Kc"], ["7c", "Kc"], []])
def test_nobody_shows_what_they_do_not_hold(cards):
    with pytest.raises(Illegal):
        folded_to_seat_1().act(1, "show", cards=cards)


# The 7-2 game


def bounties(trial):
    return [(event.seat, event.paid) for event in kinds(trial, ev.Bounty)]


def test_seven_deuce_everybody_who_was_dealt_in_pays_the_winner_of_a_showdown():
    """The one who folded pays too."""
    cards = deck("KcKd", SEVEN_DEUCE, "QcQd", board="7h 2s 9d 4c 3s")
    trial = acts(table([100] * 3, cards, seven_deuce=5), "call", "fold", "check", *["check"] * 6)
    assert bounties(trial) == [(1, {0: 5, 2: 5})]
    assert stacks(trial) == [100 - 1 - 5, 100 + 3 + 10, 100 - 2 - 5]


def test_seven_deuce_after_folds_it_is_claimed_by_showing_both_cards():
    trial = folded_to_seat_1(seven_deuce=5)
    assert bounties(trial) == []
    trial.act(1, "show", cards=["7c"])
    assert bounties(trial) == []
    trial.act(1, "show")
    assert bounties(trial) == [(1, {0: 5, 2: 5})]
    assert stacks(trial) == [94, 111, 95]


def test_seven_deuce_table_stakes_a_short_stack_pays_what_it_has():
    cards = deck("KcKd", SEVEN_DEUCE, "QcQd", board="7h 2s 9d 4c 3s")
    trial = acts(table([3, 100, 20], cards, seven_deuce=50, min_buy_in=2), "allin", "fold", "call")
    assert bounties(trial) == [(1, {0: 2})]
    assert stacks(trial) == [0, 100 + 1 + 20 + 2, 0]


def test_seven_deuce_a_shared_pot_pays_nothing():
    cards = deck("KcKd", SEVEN_DEUCE, "7d2c", board="7h 2s 9d 4c 3s")
    trial = acts(table([100] * 3, cards, seven_deuce=5), "call", "fold", "check", *["check"] * 6)
    assert bounties(trial) == []


def test_seven_deuce_other_hands_pay_nothing():
    cards = deck("KcKd", SEVEN_DEUCE, "QcQd", board="Qh Ks 9d 4c 3s")
    trial = acts(table([100] * 3, cards, seven_deuce=5), "call", "fold", "check", *["check"] * 6)
    assert bounties(trial) == []


# The rabbit hunt


def test_the_rabbit_is_what_the_deck_would_have_dealt():
    cards = deck("KcKd", "AcAd", "QcQd", board="7h 2s 9d 4c 3s")
    trial = acts(table([100] * 3, cards, rabbit=True, hand_delay=4), "call", "call", "check", 10, "fold", "fold")
    trial.act(2, "rabbit")
    assert [event.boards for event in kinds(trial, ev.Rabbit)] == [[["4c", "3s"]]]
    assert trial.public["board"] == ["7h", "2s", "9d"]


def test_no_rabbit_while_the_hand_is_played_nor_where_the_host_does_not_want_it():
    trial = table([100] * 3, rabbit=True)
    with pytest.raises(Illegal):
        trial.act(0, "rabbit")
    with pytest.raises(Illegal):
        folded_to_seat_1().act(0, "rabbit")


# The choice of the game


def played(trial, hands):
    """Let everybody fold so many hands; the games that were played."""
    for _ in range(hands):
        while trial.game.actors(trial.state):
            seat = trial.game.actors(trial.state)[0]
            if trial.game.legal(trial.state, seat) is None:
                break
            acts(trial, "fold")
        trial.wait(30_000)
    return [(event.variant, event.limit) for event in kinds(trial, ev.HandStarted)][:hands]


GAMES = [["holdem", "no-limit"], ["omaha-hilo", "fixed-limit"], ["short-deck", "pot-limit"]]


def test_a_rotation_goes_through_the_games_in_order():
    trial = table([200] * 3, choice="rotation", games=GAMES, change_every=2, hand_delay=4)
    first, second, third = map(tuple, GAMES)
    assert played(trial, 7) == [first, first, second, second, third, third, first]


def test_a_rotation_by_orbits_gives_everybody_the_button_once_in_each_game():
    trial = table([200] * 3, choice="rotation", games=GAMES, change_every=0, hand_delay=4)
    first, second, _ = map(tuple, GAMES)
    assert played(trial, 6) == [first] * 3 + [second] * 3
    assert [event.button for event in kinds(trial, ev.HandStarted)][:3] == [2, 0, 1]


def test_dealers_choice_whoever_will_have_the_button_names_the_game():
    trial = table([200] * 3, choice="dealer", games=GAMES, change_every=1, hand_delay=4)
    acts(trial, "fold", "fold")
    trial.wait(6_000)
    (offered,) = kinds(trial, ev.ChoiceOffered)
    assert offered.seat == 0
    with pytest.raises(Illegal):
        trial.act(1, "choose", variant="omaha-hilo", limit="fixed-limit")
    with pytest.raises(Illegal):
        trial.act(0, "choose", variant="omaha", limit="fixed-limit")
    trial.act(0, "choose", variant="omaha-hilo", limit="fixed-limit")
    trial.wait(6_000)
    opening = kinds(trial, ev.HandStarted)[-1]
    assert (opening.hand, opening.button, opening.variant, opening.limit) == (2, 0, "omaha-hilo", "fixed-limit")


def test_dealers_choice_silence_leaves_the_game_as_it_was():
    trial = table([200] * 3, choice="dealer", games=GAMES, change_every=1, hand_delay=4)
    assert played(trial, 3) == [("holdem", "no-limit")] * 3
