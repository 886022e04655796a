from parlour.games.poker.holdem import Holdem
from parlour.games.testing import Lots, Trial


def table(stacks, seed=1):
    seats = len(stacks)
    lot = [seats - 1, *range(seats - 1)]
    trial = Trial(Holdem(), {"seats": seats, "min_buy_in": 2, "max_buy_in": 1000}, Lots(seed, [lot]))
    for seat, stack in enumerate(stacks):
        trial.join(seat, buy_in=stack)
    trial.start()
    return trial


def tally(trial):
    return trial.game.tally(trial.played())


def nonzero(counts):
    return {name: count for name, count in counts.items() if count}


def test_a_three_bet_pot_that_ends_before_the_flop():
    trial = table([100, 100, 100, 100])
    trial.act(2, "raise", amount=6)
    trial.act(3, "raise", amount=18)
    trial.act(0, "fold")
    trial.act(1, "fold")
    trial.act(2, "fold")
    counts = tally(trial)
    assert nonzero(counts[2]) == {
        "hands": 1,
        "vpip": 1,
        "pfr": 1,
        "aggressive": 1,
        "net": -6,
        "net_centiblinds": -300,
    }
    assert nonzero(counts[3]) == {
        "hands": 1,
        "vpip": 1,
        "pfr": 1,
        "three_bet_chances": 1,
        "three_bets": 1,
        "aggressive": 1,
        "hands_won": 1,
        "net": 9,
        "net_centiblinds": 450,
    }
    assert nonzero(counts[0]) == {"hands": 1, "net": -1, "net_centiblinds": -50}
    assert nonzero(counts[1]) == {"hands": 1, "net": -2, "net_centiblinds": -100}


def test_a_walk_in_the_big_blind_is_not_voluntary():
    trial = table([100, 100, 100])
    trial.act(2, "fold")
    trial.act(0, "fold")
    assert nonzero(tally(trial)[1]) == {"hands": 1, "hands_won": 1, "net": 1, "net_centiblinds": 50}


def test_a_showdown_counts_flops_and_winners_and_nets_to_nothing():
    trial = table([100, 100, 100])
    for word in ("call", "call", "check"):
        trial.act(trial.actor, word)
    trial.act(0, "bet", amount=5)
    trial.act(1, "call")
    trial.act(2, "fold")
    for _ in range(4):
        trial.act(trial.actor, "check")
    counts = tally(trial)
    assert [counts[seat]["flops"] for seat in range(3)] == [1, 1, 1]
    assert [counts[seat]["showdowns"] for seat in range(3)] == [1, 1, 0]
    assert sum(counts[seat]["showdowns_won"] for seat in range(3)) >= 1
    assert [counts[seat]["vpip"] for seat in range(3)] == [1, 0, 1]
    assert counts[1]["calls"] == 1
    assert sum(count["net"] for count in counts.values()) == 0


def test_uncalled_chips_are_not_lost():
    trial = table([100, 100])
    trial.act(1, "allin")
    trial.act(0, "fold")
    assert tally(trial)[1]["net"] == 2


def test_a_hand_in_progress_counts_for_nothing():
    assert tally(table([100, 100])) == {}
