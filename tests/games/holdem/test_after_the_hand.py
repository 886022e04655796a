"""After the hand: one card or both are shown, the rabbit is hunted, seven-deuce is paid."""

import pytest

from parlour.games.poker.holdem import events as ev

from .test_table import acts, deck, kinds, player, refused, stacks, table

BOARD = "Ks Qs 9h 3d 2c"


# Show one card, or both


def test_a_player_shows_one_card_and_later_the_other():
    trial = acts(table([100, 100], deck("AhAs", "KdKc", board=BOARD)), "fold")
    trial.act(0, "show", cards=["As"])
    assert kinds(trial, ev.Shown) == [ev.Shown(0, ["As"])]
    row = player(trial, 0)
    assert (row["cards"], row["holds"]) == (["As"], 1)
    assert trial.public["result"]["shown"][0] == {"cards": ["As"], "name": None, "best": None, "made": None}
    assert "show" in trial.game.options(trial.state, 0)
    refused("nothing_to_show", trial.act, 0, "show", cards=["As"])
    trial.act(0, "show")
    assert kinds(trial, ev.Shown)[-1].cards == ["Ah", "As"]
    assert "show" not in trial.game.options(trial.state, 0)


def test_roberts_rules_cards_are_shown_to_everybody_or_to_nobody():
    """A winner who need not show may show one card: everybody sees that one, and nobody the other."""
    trial = acts(table([100] * 3, deck("KcKd", "7c2d", "QcQd", board=BOARD)), "fold", "fold")
    trial.act(1, "show", cards=["7c"])
    for seats in ((), (0,), (2,)):
        seen = trial.seen_by(*seats)
        assert b'"7c"' in seen
        assert b'"2d"' not in seen


@pytest.mark.parametrize("cards", [["Kd"], ["2c"], [""], ["as"], ["XX"], ["As", "Kd"]])
def test_nobody_shows_a_card_of_others(cards):
    trial = acts(table([100, 100], deck("AhAs", "KdKc")), "fold")
    refused("not_your_card", trial.act, 0, "show", cards=cards)
    refused("nothing_to_show", trial.act, 0, "show", cards=[])


def test_a_hand_shown_in_part_tells_nothing_of_the_rest():
    cards = deck("AhAs", "KdKc", board=BOARD)
    trial = acts(table([100, 100], cards), "call", "check", "check", 2, "fold")
    trial.act(1, "show", cards=["Kd"])
    seen = trial.seen_by().decode()
    assert '"Kc"' not in seen
    assert "three_of_a_kind" not in seen
    assert "Three" not in seen
    trial.act(1, "muck")
    assert (player(trial, 1)["cards"], player(trial, 1)["holds"]) == (["Kd"], 0)


# Rabbit hunting


def test_the_cards_that_would_have_come_are_shown_to_everybody_when_asked_for():
    trial = table([100, 100], deck("AhAs", "KdKc", board=BOARD), rabbit=True)
    refused("no_rabbit", trial.act, 0, "rabbit")
    acts(trial, "call", "check", 2, "fold")
    for seat in (0, 1):
        assert "rabbit" in trial.game.options(trial.state, seat)
    trial.act(1, "rabbit")
    assert kinds(trial, ev.RabbitAsked) == [ev.RabbitAsked(1, [["3d", "2c"]])]
    assert trial.public["rabbit"] == {"seat": 1, "boards": [["3d", "2c"]]}
    assert trial.public["board"] == ["Ks", "Qs", "9h"]
    refused("no_rabbit", trial.act, 0, "rabbit")
    trial.wait(4000)
    assert "rabbit" not in trial.public


def test_no_rabbit_where_the_host_does_not_want_it_or_the_board_is_complete():
    trial = acts(table([100, 100]), "fold")
    refused("no_rabbit", trial.act, 0, "rabbit")
    trial = acts(table([100, 100], rabbit=True), "call", "check", *["check"] * 4, 2, "fold")
    assert "rabbit" not in trial.game.options(trial.state, 0)
    trial = acts(table([100, 100], rabbit=True), "allin", "call")
    refused("no_rabbit", trial.act, 0, "rabbit")


def test_the_rabbit_of_two_boards_is_on_both():
    trial = acts(
        table([100, 100, 100], rabbit=True, bomb_ante=1, bomb_every=1, double_board="bombs"), 2, "fold", "fold"
    )
    trial.act(0, "rabbit")
    assert [len(cards) for cards in trial.public["rabbit"]["boards"]] == [2, 2]


# Seven-deuce


def test_seven_deuce_at_a_showdown_is_paid_by_everybody_who_was_dealt_in():
    cards = deck("7h2d", "AdAc", "KdKc", board="7s 7d 2c Qs 9h")
    trial = acts(table([100, 100, 100], cards, seven_deuce=5), "fold", "allin", "call")
    assert kinds(trial, ev.Bounty) == [ev.Bounty(0, {2: 5})]  # the second has nothing left to pay with
    assert stacks(trial) == [205, 0, 95]
    assert trial.public["bounty"] == {"seat": 0, "paid": {2: 5}}
    ended = kinds(trial, ev.HandEnded)[-1]
    assert ended.stacks == {0: 200, 1: 0, 2: 100}


def test_nothing_is_told_of_a_bounty_that_nobody_can_pay():
    """Both have put everything in: who loses has no chips for seven-deuce."""
    cards = deck("7h2d", "AdAc", board="7s 7d 2c Qs 9h")
    trial = acts(table([100, 100], cards, seven_deuce=5), "allin", "call")
    assert stacks(trial) == [200, 0]
    assert kinds(trial, ev.Bounty) == []


def test_after_folds_seven_deuce_is_paid_once_both_cards_are_shown():
    trial = acts(table([100, 100, 100], deck("7h2d", "AdAc", "KdKc"), seven_deuce=5), "fold", 10, "fold")
    assert kinds(trial, ev.Bounty) == []
    before = stacks(trial)
    trial.act(0, "show", cards=["7h"])
    assert stacks(trial) == before
    trial.act(0, "show")
    assert stacks(trial) == [before[0] + 10, before[1] - 5, before[2] - 5]


def test_nobody_else_is_paid_for_seven_deuce():
    trial = acts(table([100, 100, 100], deck("AdAc", "7h2d", "KdKc"), seven_deuce=5), "fold", 10, "fold")
    trial.act(1, "show")  # folded
    trial.act(0, "show")
    assert kinds(trial, ev.Bounty) == []
    trial = acts(table([100, 100], deck("7h2d", "AdAc")), "fold")
    trial.act(0, "show")
    assert kinds(trial, ev.Bounty) == []


def test_whoever_has_left_pays_nothing_and_who_leaves_with_the_hand_pays():
    cards = deck("7h2d", "AdAc", "KdKc", "QdQc", board="7s 7d 2c Qs 9h")
    trial = table([100, 100, 100, 100], cards, seven_deuce=5)
    acts(trial, "fold")
    trial.leave(2)
    acts(trial, "fold", 50)
    trial.leave(3) if trial.actor != 3 else None
    trial.leave(1) if trial.actor != 1 else None
    while trial.state.actor is not None:
        acts(trial, "call" if "call" in trial.game.legal(trial.state, trial.actor)["actions"] else "check")
    out = sum(event.chips for event in kinds(trial, ev.CashedOut))
    assert sum(stacks(trial)) + out == 400


def test_with_no_time_between_hands_the_bounty_is_in_the_next_stacks():
    cards = deck("7h2d", "AdAc", "KdKc", board="7s 7d 2c Qs 9h")
    trial = acts(table([100, 100, 100], cards, seven_deuce=5, hand_delay=0), "fold", 50, "call", *["check"] * 6)
    assert kinds(trial, ev.HandStarted)[-1].stacks == {1: 45, 2: 95, 0: 160}
