"""The result names for every pot who won it, how much, and with what: worked out by hand."""

from .test_table import acts, deck, table


def words(trial):
    """Each pot as a page would say it."""
    return [
        (pot["amount"], pot["seats"], dict(zip(pot["winners"], pot["shares"], strict=True)), pot["made"])
        for pot in trial.public["result"]["pots"]
    ]


def test_a_main_pot_and_two_side_pots_go_to_three_hands():
    cards = deck("AhAs", "KhKs", "QhQs", "JhJs", board="7c 2d 4c 4s 9d")
    trial = acts(table([20, 60, 100, 100], cards), "allin", "allin", "call", "call")
    assert words(trial) == [
        (80, [0, 1, 2, 3], {0: 20 * 4}, "two_pair:A49"),
        (120, [1, 2, 3], {1: 40 * 3}, "two_pair:K49"),
        (80, [2, 3], {2: 40 * 2}, "two_pair:Q49"),
    ]


def test_a_pot_that_is_shared_names_the_hand_of_all_who_share_it_and_the_odd_chip():
    """The small blind folds 1 chip into a pot that two share: the odd chip goes to the left of the button."""
    cards = deck("7h2s", "AhKs", "AdKc", board="As Kd 8c 8h 3d")
    trial = acts(table([100, 100, 100], cards), "allin", "fold", "call")
    assert words(trial) == [(201, [1, 2], {1: 101, 2: 100}, "two_pair:AK8")]


def test_a_side_pot_that_all_others_folded_from_is_won_with_no_hand():
    """Seat 0 is all-in for 10; the others bet 20 on the flop, and one folds to a raise to 60."""
    cards = deck("AhAs", "KhKs", "QhQs", board="7c 2d 4c 4s 9d")
    trial = acts(table([10, 100, 100], cards), 10, "call", "call", 20, 60, "fold")
    assert words(trial) == [
        (30, [0, 2], {0: 30}, "two_pair:A49"),
        (40, [2], {2: 40}, None),
    ]
    assert trial.public["result"]["returned"] == {"seat": 2, "amount": 40}


def test_who_wins_without_a_showdown_wins_with_no_hand_even_if_it_is_shown():
    trial = acts(table([100, 100], deck("AhAs", "KhKs", board="7c 2d 4c 4s 9d")), "call", "check", 20, "fold")
    (winner,) = trial.public["result"]["pots"][0]["winners"]
    trial.act(winner, "show")
    assert words(trial) == [(4, [winner], {winner: 4}, None)]


def test_a_winner_who_leaves_is_still_named_with_the_hand():
    cards = deck("AhAs", "KhKs", board="7c 2d 4c 4s 9d")
    trial = acts(table([100, 100], cards), "allin", "call")
    trial.leave(0)
    assert words(trial) == [(200, [0, 1], {0: 200}, "two_pair:A49")]
    assert trial.public["result"]["shown"][0]["made"] is None
