"""Omaha high-low, eight or better, at the table: who has a low, and where the odd chips go.

TDA 20 and Robert's Rules (ties): the odd chip between high and low goes to the high; identical hands share as evenly as
possible. WSOP Live 149: each pot is split by itself.
"""

from ..test_table import acts, deck, stacks, table
from .told import parts, pot_shares

HIGH = "KhKdQsQc"
LOW = "As2s9h9d"
NOTHING = "9s9cTsTc"
BOARD = "Kc 7d 4h 3c Js"


def hi_lo(chips, cards, **settings):
    return table(chips, cards, variant="omaha-hilo", limit="pot-limit", **settings)


def check_down(trial):
    while trial.game.actors(trial.state):
        acts(trial, "check")
    return trial


def test_tda_20_the_odd_chip_between_high_and_low_goes_to_the_high():
    """The small blind folds 1 chip into a pot of 5: three for the kings, two for seven-four."""
    trial = check_down(acts(hi_lo([100] * 3, deck(NOTHING, HIGH, LOW, board=BOARD)), "call", "fold"))
    assert parts(trial) == [[(0, "high", 3, {1: 3}), (0, "low", 2, {2: 2})]]
    assert stacks(trial) == [99, 101, 100]


def test_tda_20_identical_hands_share_the_pot_as_evenly_as_possible():
    """Two wheels have high and low of a pot of 10. Halves of 5, each with its own odd chip, would be 6 and 4."""
    cards = deck(NOTHING, "Ah2hQsJc", "Ad2dQcJs", board="3c 4s 5h Kd 9h")
    trial = acts(hi_lo([100] * 3, cards), "call", "call", "check")
    trial = check_down(acts(trial, "check", 2, "call", "fold"))
    assert pot_shares(trial) == [{1: 5, 2: 5}]


def test_tda_20_an_odd_pot_of_identical_hands_gives_one_chip_more_to_the_left_of_the_button():
    cards = deck(NOTHING, "Ah2hQsJc", "Ad2dQcJs", board="3c 4s 5h Kd 9h")
    trial = check_down(acts(hi_lo([100] * 3, cards), "call", "fold"))
    assert pot_shares(trial) == [{1: 3, 2: 2}]


def test_tda_20_a_low_that_is_shared_gives_its_odd_chip_to_the_left_of_the_button():
    """Quartered: of a pot of 10 seat 2 has the high alone, and shares the low with seat 1, left of the button."""
    cards = deck(NOTHING, "Ah2h9hTd", "Ad2dKsKc", board="3c 4s 8h Kd Jd")
    trial = acts(hi_lo([100] * 3, cards), "call", "call", "check")
    trial = check_down(acts(trial, "check", 2, "call", "fold"))
    assert parts(trial) == [[(0, "high", 5, {2: 5}), (0, "low", 5, {1: 3, 2: 2})]]


def test_eight_or_better_without_a_low_the_high_has_the_whole_pot():
    """Nine-low is no low."""
    trial = check_down(acts(hi_lo([100] * 3, deck(NOTHING, HIGH, LOW, board="Kc 7d 4h Jc Js")), "call", "fold"))
    assert pot_shares(trial) == [{1: 5}]


def test_omaha_a_low_needs_two_cards_of_the_hand():
    """Ace and deuce are on the board as well: with them only 4 and 3 are left. With ace and six it is a low."""
    cards = deck(NOTHING, HIGH, "AsQhJh2d", board="Kc 2c 4h 3c Ad")
    trial = check_down(acts(hi_lo([100] * 3, cards), "call", "fold"))
    assert pot_shares(trial) == [{1: 5}]
    cards = deck(NOTHING, HIGH, "AsQhJh6d", board="Kc 2c 4h 3c Ad")
    trial = check_down(acts(hi_lo([100] * 3, cards), "call", "fold"))
    assert pot_shares(trial) == [{1: 3, 2: 2}]


def test_omaha_high_and_low_may_use_different_cards_of_the_hand():
    """Kings for the high, ace and deuce for the low: seat 1 has both."""
    cards = deck(NOTHING, "KhKdAs2s", "QhQd8h8d", board=BOARD)
    trial = check_down(acts(hi_lo([100] * 3, cards), "call", "fold"))
    assert pot_shares(trial) == [{1: 5}]


def test_straights_and_flushes_do_not_count_against_a_low():
    """A wheel in hearts is the best high and the best low."""
    cards = deck(NOTHING, HIGH, "Ah2hJsJd", board="3h 4h 5h Kc 9d")
    trial = check_down(acts(hi_lo([100] * 3, cards), "call", "fold"))
    assert pot_shares(trial) == [{2: 5}]


def test_wsop_live_149_the_side_pot_has_its_own_high_and_low():
    """Seat 1 is all-in with the best low: it has half of the main pot; of the side pot seat 2 has the low."""
    cards = deck("KhKdQsQc", "As2s9h9d", "Ad5d9sTh", board=BOARD)
    trial = acts(hi_lo([100, 10, 100], cards), 6, "call", "call")
    acts(trial, 6, "allin", "call")
    acts(trial, 6, "call")
    check_down(trial)
    assert parts(trial) == [
        [(0, "high", 15, {0: 15}), (0, "low", 15, {1: 15})],
        [(0, "high", 8, {0: 8}), (0, "low", 8, {2: 8})],
    ]


def test_five_cards_are_played_high_low_too():
    cards = deck("9s9cTsTc8s", "KhKdQsQc8c", "As2s9h9d8d", board=BOARD)
    trial = check_down(acts(table([100] * 3, cards, variant="omaha5-hilo", limit="fixed-limit"), "call", "fold"))
    assert parts(trial) == [[(0, "high", 3, {1: 3}), (0, "low", 2, {2: 2})]]
