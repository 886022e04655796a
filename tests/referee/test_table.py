"""The referee reads the log of a real table, and finds what is wrong with one that was tampered with."""

import random

import msgspec
import pytest

from parlour.games.poker.holdem import Holdem
from parlour.games.testing import Lots, Trial

from .betting import Betting, Terms
from .hand import Fault
from .pots import Pot, Worth, award, side_pots, uncalled
from .table import Table


def played(seed, hands=4, **settings):
    """The log of some hands at a table where people act at random, as dictionaries."""
    dice = random.Random(seed)
    trial = Trial(Holdem(), {"seats": 4, "hand_delay": 0, "min_buy_in": 20, **settings}, Lots(seed))
    for seat in range(4):
        trial.join(seat, buy_in=dice.randint(20, 200))
    trial.start()
    for _ in range(400):
        actors = trial.game.actors(trial.state)
        if trial.public["hand"] > hands or not actors:
            break
        legal = trial.game.legal(trial.state, actors[0])
        word = dice.choice([word for word in legal["actions"] if word != "fold"])
        trial.act(actors[0], word, **({"amount": legal["min"]} if word in ("bet", "raise") else {}))
    return [msgspec.to_builtins(event) for _, event in trial.log]


@pytest.mark.parametrize("variant", ["holdem", "omaha", "short-deck"])
@pytest.mark.parametrize("limit", ["no-limit", "pot-limit", "fixed-limit"])
def test_the_log_of_a_table_is_what_the_rules_say(variant, limit):
    hands = 0
    for seed in range(3):
        table = Table()
        table.follow_all(played(seed, variant=variant, limit=limit, ante=1))
        hands += table.seen["hands"]
    assert hands >= 4


def tampered(log, kind, **fields):
    """The log with the last event of that kind changed."""
    at = max(at for at, event in enumerate(log) if event["type"] == kind)
    changed = {**log[at], **{name: change(log[at][name]) for name, change in fields.items()}}
    return [*log[:at], changed, *log[at + 1 :]]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("posted", {"amount": lambda chips: chips + 1}),
        ("acted", {"seat": lambda seat: (seat + 1) % 4}),
        ("dealt", {"cards": lambda cards: cards[::-1]}),
        ("street", {"cards": lambda cards: ["2c", *cards[1:]]}),
        ("shown", {"cards": lambda cards: ["2c", cards[1]]}),
        ("hand_ended", {"stacks": lambda stacks: {seat: chips + 1 for seat, chips in stacks.items()}}),
        ("hand_ended", {"payouts": lambda payouts: {seat: chips + 1 for seat, chips in payouts.items()}}),
        ("hand_ended", {"pots": lambda pots: [{**pots[0], "winners": pots[0]["seats"][::-1]}, *pots[1:]]}),
        ("hand_started", {"stacks": lambda stacks: {seat: chips + 1 for seat, chips in stacks.items()}}),
        ("hand_started", {"to_act": lambda seat: (seat + 1) % 4}),
    ],
)
def test_a_log_that_was_tampered_with_is_noticed(kind, fields):
    log = played(3)
    Table().follow_all(log)
    with pytest.raises((Fault, ValueError)):
        Table().follow_all(tampered(log, kind, **fields))


def test_a_bet_that_the_rules_do_not_allow_is_noticed():
    log = played(3)
    raises = [
        at
        for at, event in enumerate(log)
        if event["type"] == "acted" and event["action"] in ("bet", "raise") and not event.get("all_in")
    ]
    assert raises
    for at in raises:
        event = log[at]
        less = {**event, "total": event["total"] - 1, "amount": event["amount"] - 1}
        with pytest.raises(Fault):
            Table().follow_all([*log[:at], less])


# Rules worked out by hand


def test_a_short_all_in_does_not_reopen_the_betting_in_the_referee():
    betting = Betting(Terms({0: 1000, 1: 1000, 2: 150, 3: 1000}, 100, last_blind=1, blind_price=100))
    betting.post(0, 50, "live")
    betting.post(1, 100, "live")
    betting.begin()
    assert betting.actor == 2
    betting.raise_to(150)
    betting.check_or_call()
    betting.check_or_call()
    assert (betting.actor, betting.choice().least) == (1, 250)  # the blind has not acted
    betting.check_or_call()
    assert betting.actor is None


def test_pots_are_layers_and_what_nobody_matched_goes_back():
    stakes = {0: 25, 1: 50, 2: 100, 3: 100}
    assert uncalled(stakes, [0, 1, 2, 3]) is None
    assert uncalled({**stakes, 3: 130}, [0, 1, 2, 3]) == (3, 30)
    assert side_pots(stakes, [0, 1, 2, 3]) == [Pot(100, [0, 1, 2, 3]), Pot(75, [1, 2, 3]), Pot(100, [2, 3])]
    assert side_pots({0: 1, 1: 10, 2: 10}, [1, 2], dead=3) == [Pot(24, [1, 2])]


def test_identical_hands_share_high_and_low_as_one():
    worth = {0: Worth((1,), (5, 4, 3, 2, 1)), 1: Worth((1,), (5, 4, 3, 2, 1))}
    (part,) = award(Pot(66, [0, 1]), [worth])
    assert part.shares == {0: 33, 1: 33}
    high, low = award(Pot(67, [0, 1]), [{**worth, 0: Worth((2,), (5, 4, 3, 2, 1))}])
    assert (high.shares, low.shares) == ({0: 34}, {0: 17, 1: 16})
