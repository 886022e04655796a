import msgspec
import pytest

from parlour.games.poker.equity import equity
from parlour.games.poker.holdem import Holdem, events
from parlour.games.poker.holdem.statistics import COUNTS, POSITIONS, figures, positions
from parlour.games.testing import Lots, Trial


def table(stacks, seed=1, **settings):
    seats = len(stacks)
    lot = [seats - 1, *range(seats - 1)]
    trial = Trial(Holdem(), {"seats": seats, "min_buy_in": 2, "max_buy_in": 1000, **settings}, Lots(seed, [lot]))
    for seat, stack in enumerate(stacks):
        trial.join(seat, buy_in=stack)
    trial.start()
    return trial


def tally(trial):
    return trial.game.tally(trial.played())


OF_MONEY = ("net_centiblinds", "net_squares", "adjusted_net", "adjusted_centiblinds")


def nonzero(counts):
    """What a hand adds, but for the winnings in other units: a test of their own has those."""
    return {name: count for name, count in counts.items() if count and name not in OF_MONEY}


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
        "vpip_chances": 1,
        "vpip": 1,
        "pfr": 1,
        "faced_three_bets": 1,
        "folds_to_three_bet": 1,
        "aggressive": 1,
        "net": -6,
    }
    assert nonzero(counts[3]) == {
        "hands": 1,
        "vpip_chances": 1,
        "vpip": 1,
        "pfr": 1,
        "three_bet_chances": 1,
        "three_bets": 1,
        "aggressive": 1,
        "hands_won": 1,
        "net": 9,
    }
    assert nonzero(counts[0]) == {"hands": 1, "vpip_chances": 1, "net": -1}
    assert nonzero(counts[1]) == {"hands": 1, "vpip_chances": 1, "net": -2}


def test_winnings_are_counted_in_chips_in_blinds_and_squared():
    trial = table([100, 100, 100])
    trial.act(2, "raise", amount=7)
    trial.act(0, "fold")
    trial.act(1, "fold")
    assert [{name: tally(trial)[seat][name] for name in ("net", *OF_MONEY)} for seat in range(3)] == [
        {"net": net, "net_centiblinds": 50 * net, "net_squares": 25 * net**2}
        | {"adjusted_net": net, "adjusted_centiblinds": 50 * net}
        for net in (-1, -2, 3)
    ]


def test_a_walk_in_the_big_blind_is_neither_voluntary_nor_a_chance():
    trial = table([100, 100, 100])
    trial.act(2, "fold")
    trial.act(0, "fold")
    assert nonzero(tally(trial)[1]) == {"hands": 1, "hands_won": 1, "net": 1}


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


def of(trial, seat, *names):
    counts = tally(trial)[seat]
    return [counts[name] for name in names]


def test_who_faces_a_raise_for_all_their_chips_has_no_chance_to_three_bet():
    trial = table([100, 100, 100, 20])
    trial.act(2, "raise", amount=20)
    trial.act(3, "call")
    trial.act(0, "raise", amount=60)
    trial.act(1, "fold")
    trial.act(2, "fold")
    assert of(trial, 3, "three_bet_chances", "three_bets", "vpip") == [0, 0, 1]
    assert of(trial, 0, "three_bet_chances", "three_bets") == [1, 1]
    assert of(trial, 1, "three_bet_chances") == [0], "there were two raises"
    assert of(trial, 2, "faced_three_bets", "folds_to_three_bet", "three_bet_chances") == [1, 1, 0]


def test_who_limps_and_raises_again_has_made_a_three_bet():
    trial = table([100, 100, 100])
    trial.act(2, "call")
    trial.act(0, "raise", amount=6)
    trial.act(1, "fold")
    trial.act(2, "raise", amount=20)
    trial.act(0, "call")
    assert tally(trial) == {}
    trial.act(0, "check")
    trial.act(2, "bet", amount=2)
    trial.act(0, "fold")
    assert of(trial, 2, "three_bet_chances", "three_bets") == [1, 1]
    assert of(trial, 0, "faced_three_bets", "folds_to_three_bet", "vpip", "pfr") == [1, 0, 1, 1]
    assert of(trial, 2, "cbet_chances", "cbets") == [1, 1]
    assert of(trial, 0, "cbet_chances", "faced_cbets", "folds_to_cbet") == [0, 1, 1]


def raised_pot(trial):
    """The button raises and both blinds call."""
    trial.act(2, "raise", amount=6)
    trial.act(0, "call")
    trial.act(1, "call")


def test_no_continuation_bet_where_somebody_bets_into_the_raiser():
    trial = table([100, 100, 100])
    raised_pot(trial)
    trial.act(0, "check")
    trial.act(1, "bet", amount=4)
    trial.act(2, "fold")
    trial.act(0, "fold")
    assert of(trial, 2, "cbet_chances", "cbets", "faced_cbets") == [0, 0, 0]
    assert of(trial, 0, "faced_cbets", "postflop_folds", "flops", "flops_won") == [0, 1, 1, 0]
    assert of(trial, 1, "postflop_aggressive", "flops_won", "showdowns") == [1, 1, 0]


def test_only_an_unraised_continuation_bet_is_faced():
    trial = table([100, 100, 100])
    raised_pot(trial)
    trial.act(0, "check")
    trial.act(1, "check")
    trial.act(2, "bet", amount=4)
    trial.act(0, "raise", amount=12)
    trial.act(1, "fold")
    trial.act(2, "fold")
    assert of(trial, 0, "faced_cbets", "folds_to_cbet") == [1, 0]
    assert of(trial, 1, "faced_cbets", "folds_to_cbet") == [0, 0]
    assert of(trial, 2, "cbets", "postflop_aggressive", "postflop_folds") == [1, 1, 1]


def cards_of(trial):
    return {event.seat: event.cards for _, event in trial.log if isinstance(event, events.Dealt)}


@pytest.mark.parametrize("seed", range(5))
def test_an_all_in_is_adjusted_by_the_equity_at_that_moment(seed):
    trial = table([100, 100], seed)
    trial.act(1, "call")
    trial.act(0, "check")
    board = trial.public["board"]
    trial.act(0, "allin")
    trial.act(1, "allin")
    cards = cards_of(trial)
    shares = equity(["".join(cards[seat]) for seat in (0, 1)], board="".join(board)).players
    for seat in (0, 1):
        expected = 200 * shares[seat].equity - 100
        assert of(trial, seat, "all_ins", "adjusted_net") == [1, round(expected)]
        assert of(trial, seat, "adjusted_centiblinds") == [round(50 * expected)]


@pytest.mark.parametrize("seed", range(5))
def test_each_side_pot_is_adjusted_among_those_who_contest_it(seed):
    trial = table([100, 40, 100], seed)
    for word in ("call", "call", "check"):
        trial.act(trial.actor, word)
    board = "".join(trial.public["board"])
    trial.act(0, "allin")
    trial.act(1, "allin")
    trial.act(2, "allin")
    held = {seat: "".join(cards) for seat, cards in cards_of(trial).items()}
    main = equity([held[0], held[1], held[2]], board=board).players
    side = equity([held[0], held[2]], board=board, dead=held[1]).players
    average = [
        120 * main[0].equity + 120 * side[0].equity - 100,
        120 * main[1].equity - 40,
        120 * main[2].equity + 120 * side[1].equity - 100,
    ]
    assert sum(average) == pytest.approx(0)
    assert [of(trial, seat, "adjusted_net") for seat in range(3)] == [[round(one)] for one in average]


@pytest.mark.parametrize("seed", range(4))
def test_each_of_two_boards_is_adjusted_for_its_half(seed):
    trial = table([100, 100], seed, double_board="always")
    trial.act(1, "call")
    trial.act(0, "check")
    first, second = ("".join(event.cards) for _, event in trial.log if isinstance(event, events.StreetDealt))
    trial.act(0, "allin")
    trial.act(1, "allin")
    held = ["".join(cards_of(trial)[seat]) for seat in (0, 1)]
    shares = [
        (equity(held, board=first, dead=second).players[seat].equity, equity(held, board=second, dead=first).players)
        for seat in (0, 1)
    ]
    expected = [100 * one + 100 * other[seat].equity - 100 for seat, (one, other) in enumerate(shares)]
    assert [of(trial, seat, "adjusted_net") for seat in (0, 1)] == [[round(one)] for one in expected]


def test_running_it_twice_changes_no_average():
    nets = []
    for times in (1, 2):
        trial = table([100, 100], 3, run_it=2)
        trial.act(1, "call")
        trial.act(0, "check")
        trial.act(0, "allin")
        trial.act(1, "allin")
        for seat in (0, 1)[:times]:  # one who does not want it is enough
            trial.act(seat, "run", times=times)
        boards = {event.board for _, event in trial.log if isinstance(event, events.StreetDealt)}
        assert len(boards) == times
        nets.append([of(trial, seat, "all_ins", "adjusted_net", "flops") for seat in (0, 1)])
    assert nets[0] == nets[1]
    assert nets[0][0][0] == nets[0][0][2] == 1


def test_a_bomb_pot_is_no_chance_before_the_flop():
    trial = table([100, 100, 100], bomb_ante=2, bomb_every=1)
    assert trial.public["game"]["bomb"] == 4
    trial.act(0, "bet", amount=8)
    trial.act(1, "fold")
    trial.act(2, "call")
    for _ in range(4):
        trial.act(trial.actor, "check")
    assert [of(trial, seat, "vpip_chances", "vpip", "cbet_chances", "faced_cbets") for seat in range(3)] == [
        [0] * 4
    ] * 3
    assert [of(trial, seat, "flops", "postflop_aggressive", "postflop_calls") for seat in range(3)] == [
        [1, 1, 0],
        [1, 0, 0],
        [1, 0, 1],
    ]
    assert sum(tally(trial)[seat]["net"] for seat in range(3)) == 0


def test_a_straddle_is_a_blind_and_no_raise():
    trial = table([100, 100, 100, 100], straddle="utg")
    for seat in range(4):
        trial.act(seat, "straddle", on=True)
    for _ in range(3):
        trial.act(trial.actor, "fold")
    trial.wait(5_000)
    opening = next(event for _, event in reversed(trial.log) if isinstance(event, events.HandStarted))
    assert opening.straddle == 4
    straddler, actor = opening.straddler, trial.actor
    assert actor != straddler
    trial.act(actor, "raise", amount=10)
    while trial.state.record.live:
        trial.act(trial.actor, "fold")
    assert of(trial, actor, "pfr", "three_bet_chances", "three_bets") == [1, 0, 0]
    assert of(trial, straddler, "vpip", "three_bet_chances", "faced_three_bets", "net") == [0, 1, 0, -4]


@pytest.mark.parametrize("seed", range(3))
def test_a_hi_lo_all_in_is_adjusted_by_the_share_of_both_halves(seed):
    trial = table([100, 100], seed, variant="omaha-hilo", limit="pot-limit")
    trial.act(1, "call")
    trial.act(0, "check")
    while trial.state.record.live:
        legal = trial.game.legal(trial.state, trial.actor)
        word = next(word for word in ("raise", "bet", "call") if word in legal["actions"])
        trial.act(trial.actor, word, **({} if word == "call" else {"amount": legal["max"]}))
    (turned,) = {len(seen) for seen in boards_when_shown(trial)}
    assert turned < 5, "they are all-in before the river"
    board = "".join(next(iter(boards_when_shown(trial))))
    held = ["".join(cards_of(trial)[seat]) for seat in (0, 1)]
    shares = equity(held, board=board, variant="omaha-hilo", exact=True).players
    for seat in (0, 1):
        assert of(trial, seat, "all_ins") == [1]
        assert of(trial, seat, "adjusted_net") == [round(200 * shares[seat].equity - 100)]


def boards_when_shown(trial):
    """The board as it lay whenever somebody turned their cards over."""
    board, found = (), set()
    for _, event in trial.log:
        if isinstance(event, events.StreetDealt):
            board = (*board, *event.cards)
        if isinstance(event, events.Shown):
            found.add(board)
    return found


def test_a_showdown_after_all_bets_is_not_adjusted_and_tells_no_mucked_card():
    trial = table([100, 100])
    trial.act(1, "call")
    for _ in range(7):
        trial.act(trial.actor, "check")
    assert of(trial, 0, "all_ins") == of(trial, 1, "all_ins") == [0]
    assert of(trial, 0, "adjusted_net") == of(trial, 0, "net")


def test_statistics_are_the_same_from_what_everyone_may_see():
    """Nothing hidden is counted: a spectator could count the same."""
    trial = table([100, 40, 100])
    for word in ("call", "call", "check", "allin", "allin", "allin"):
        trial.act(trial.actor, word)
    seen = [(at, event) for at, event in trial.played().events if event.audience() is None]
    assert len(seen) < len(trial.played().events)
    public = type(trial.played())(1, trial.played().settings, {}, seen)
    assert trial.game.tally(public) == tally(trial)


def opening(*seats, button, small, big):
    return events.HandStarted(1, button, small, big, (1, 2), dict.fromkeys(seats, 100), [])


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        (opening(1, 0, button=0, small=0, big=1), {0: "BTN", 1: "BB"}),
        (opening(1, 2, 0, button=0, small=1, big=2), {0: "BTN", 1: "SB", 2: "BB"}),
        (opening(1, 2, 3, 0, button=0, small=1, big=2), {0: "BTN", 1: "SB", 2: "BB", 3: "CO"}),
        (
            opening(1, 2, 3, 4, 5, 0, button=0, small=1, big=2),
            {0: "BTN", 1: "SB", 2: "BB", 3: "LJ", 4: "HJ", 5: "CO"},
        ),
        (opening(2, 3, 4, button=0, small=1, big=2), {2: "BB", 3: "HJ", 4: "CO"}),
    ],
)
def test_positions_by_the_button_and_the_blinds_which_may_be_dead(hand, expected):
    assert positions(hand) == expected


def test_ten_players_have_ten_positions():
    names = positions(opening(*range(1, 10), 0, button=0, small=1, big=2))
    assert [names[seat] for seat in (*range(1, 10), 0)] == [name for name in POSITIONS if name not in ("UTG4", "UTG5")]


def test_in_a_bomb_pot_and_with_a_button_blind_nobody_has_a_blinds_position():
    bomb = msgspec.structs.replace(opening(*range(1, 10), 0, button=0, small=1, big=2), bomb=10)
    assert [positions(bomb)[seat] for seat in (*range(1, 10), 0)] == list(POSITIONS[2:])
    blind = msgspec.structs.replace(opening(1, 2, 0, button=0, small=0, big=0), button_blind=True)
    assert positions(blind) == {1: "HJ", 2: "CO", 0: "BTN"}


def test_figures_divide_by_the_chances():
    counts = {
        "hands": 100, "vpip_chances": 80, "vpip": 20, "pfr": 16, "three_bet_chances": 25, "three_bets": 2,
        "faced_three_bets": 4, "folds_to_three_bet": 3, "cbet_chances": 10, "cbets": 7, "faced_cbets": 5,
        "folds_to_cbet": 2, "postflop_aggressive": 30, "postflop_calls": 12, "postflop_folds": 18, "flops": 40,
        "flops_won": 18, "showdowns": 10, "showdowns_won": 6, "net_centiblinds": 500, "net_squares": 40_000,
        "adjusted_centiblinds": -250,
    }  # fmt: skip
    values = {name: figure.value for name, figure in figures(counts).items()}
    assert values == {
        "vpip": 25, "pfr": 20, "three_bet": 8, "fold_to_three_bet": 75, "cbet": 70, "fold_to_cbet": 40,
        "aggression_factor": 2.5, "aggression_frequency": 50, "wtsd": 25, "wsd": 60, "won_when_saw_flop": 45,
        "bb_per_100": 5, "adjusted_bb_per_100": -2.5, "net_bb": 5, "adjusted_bb": -2.5,
    }  # fmt: skip
    assert all(name in COUNTS for name in counts)


def test_without_a_chance_there_is_no_figure():
    assert figures({})["vpip"].value is None
    assert figures({})["bb_per_100"].value is None


def test_the_interval_of_bb_per_100_is_that_of_the_mean():
    """Four hands of +2, -1, -1 and +4 big blinds: mean 1, standard deviation of a hand the root of 6."""
    winnings = [2, -1, -1, 4]
    counts = {
        "hands": 4,
        "net_centiblinds": 100 * sum(winnings),
        "net_squares": 100 * sum(won**2 for won in winnings),
    }
    found = figures(counts)["bb_per_100"]
    error = 1.959964 * 100 * (6 / 4) ** 0.5
    assert (found.value, found.low, found.high) == pytest.approx((100, 100 - error, 100 + error))
    assert figures({"hands": 1, "net_centiblinds": 50})["bb_per_100"].low is None
