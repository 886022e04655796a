"""The chances of open hands while the board runs out: right by an independent count, and from public cards alone."""

import itertools
import json
import random
import re
import warnings
from pathlib import Path

import msgspec
import pytest

from parlour.games.poker.holdem import events as ev
from parlour.games.poker.holdem import run_out
from parlour.games.poker.holdem.settings import DECK_SIZE, HILO, HOLE_CARDS

from .test_table import acts, deck, table

with warnings.catch_warnings(action="ignore"):  # its parser of ranges uses deprecated names
    import eval7

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
VARIANTS = list(HOLE_CARDS)


def all_in(trial):
    """Everybody puts everything in, as far as the limit lets them, before the flop."""
    while trial.game.actors(trial.state):
        legal = trial.game.legal(trial.state, trial.actor)
        trial.act(trial.actor, "allin" if "allin" in legal["actions"] else "call")
    return trial


def of_seat(step, seat):
    chances = step["chances"][seat]
    return chances["win"], chances["tie"], chances["equity"]


def counted(hands, board):
    """(win, tie, equity) of each hand of hold'em, every board ranked by eval7."""
    card = {text: eval7.Card(text) for text in DECK}
    left = [text for text in DECK if text not in board and not any(text in hand for hand in hands)]
    wins, ties, shares, boards = [0] * len(hands), [0] * len(hands), [0.0] * len(hands), 0
    for rest in itertools.combinations(left, 5 - len(board)):
        boards += 1
        ranks = [eval7.evaluate([card[text] for text in (*hand, *board, *rest)]) for hand in hands]
        best = [place for place, rank in enumerate(ranks) if rank == max(ranks)]
        for place in best:
            (wins if len(best) == 1 else ties)[place] += 1
            shares[place] += 1 / len(best)
    return [
        tuple(round(count / boards, 4) for count in (wins[place], ties[place], shares[place]))
        for place in range(len(hands))
    ]


def test_aces_against_kings_from_before_the_flop_to_the_river():
    """The chances before the flop are the known ones: aces win 1,388,072 of 1,712,304 boards and share 6,538."""
    trial = all_in(table([100, 100], deck("AhAs", "KdKc", board="Ks 7h 2c Ad 9s")))
    steps = trial.public["run_out"]
    assert [step["board"] for step in steps] == [0, 3, 4, 5]
    (ace,) = [seat for seat, cards in trial.state.record.shown.items() if set(cards) == {"Ah", "As"}]
    king = 1 - ace
    assert of_seat(steps[0], ace) == (
        round(1388072 / 1712304, 4),
        round(6538 / 1712304, 4),
        round((1388072 + 6538 / 2) / 1712304, 4),
    )
    for step in steps[1:]:
        board = trial.public["board"][: step["board"]]
        assert [of_seat(step, ace), of_seat(step, king)] == counted([["Ah", "As"], ["Kd", "Kc"]], board)
    assert of_seat(steps[3], ace) == (1, 0, 1)
    assert of_seat(steps[3], king) == (0, 0, 0)


def test_the_example_in_the_documentation_is_true():
    text = (Path(__file__).parents[3] / "docs" / "holdem.md").read_text()
    (example,) = re.findall(r'```json\n"run_out": (\[.*?\n\])\n```', text, re.DOTALL)
    board = re.search(r"with (.*) to come", text)[1].split()
    assert json.loads(example) == json.loads(
        msgspec.json.encode(run_out.steps("holdem", {2: ["Ah", "As"], 5: ["Kd", "Kc"]}, [board], 0))
    )


@pytest.mark.parametrize("seed", range(4))
def test_three_hands_after_the_flop_are_counted_right(seed):
    cards = random.Random(seed).sample(range(52), 52)
    trial = acts(table([100, 200, 300], cards), "call", "call", "check", 50, "allin", "call", "call")
    steps, public = trial.public["run_out"], trial.public
    assert steps[0]["board"] == 3
    shown = {row["seat"]: row["cards"] for row in public["players"]}
    seats = sorted(steps[0]["chances"])
    for step in steps:
        expected = counted([shown[seat] for seat in seats], public["board"][: step["board"]])
        assert [of_seat(step, seat) for seat in seats] == expected


def test_hands_that_share_the_pot_tie_with_their_part_as_equity():
    trial = all_in(table([100, 100, 100], deck("2c2d", "3c3d", "4c4d", board="As Ks Qs Js Ts")))
    assert [of_seat(trial.public["run_out"][-1], seat) for seat in range(3)] == [(0, 1, 0.3333)] * 3


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", [2, 3, 6])
def test_the_river_says_who_won_the_main_pot_in_every_variant(variant, players):
    for seed in range(3):
        cards = random.Random(seed).sample(range(DECK_SIZE[variant]), DECK_SIZE[variant])
        trial = all_in(table([50 + 10 * seat for seat in range(players)], cards, variant=variant))
        steps, main = trial.public["run_out"], trial.public["result"]["pots"][0]
        assert [step["board"] for step in steps] == [0, 3, 4, 5]
        for step in steps:
            assert list(step["chances"]) == list(range(players))
            assert sum(chances["equity"] for chances in step["chances"].values()) == pytest.approx(1, abs=0.001)
        if variant in HILO:
            paid = dict(zip(main["winners"], main["shares"], strict=True))
            for seat in range(players):
                share = paid.get(seat, 0) / main["amount"]
                assert of_seat(steps[-1], seat)[2] == pytest.approx(share, abs=1.5 / main["amount"])
                assert of_seat(steps[-1], seat)[0] == float(share == 1)
            continue
        share = 1 / len(main["winners"])
        alone = float(share == 1)
        for seat in range(players):
            won = (alone, 1 - alone, round(share, 4)) if seat in main["winners"] else (0, 0, 0)
            assert of_seat(steps[-1], seat) == won


def test_an_estimate_is_close_to_the_exact_chances():
    """Omaha before the flop is sampled: the exact count takes a third of a second."""
    hands = {0: ["Ah", "As", "Kh", "Ks"], 3: ["Qc", "Qd", "Jc", "Jd"]}
    ((board, chances),) = [(step.board, step.chances) for step in run_out.steps("omaha", hands, [[]], 0)]
    exact = run_out.equity(["".join(cards) for cards in hands.values()], variant="omaha", exact=True)
    assert board == 0
    for found, player in zip(chances.values(), exact.players, strict=True):
        assert found.equity == pytest.approx(player.equity, abs=0.015)  # four standard errors


@pytest.mark.parametrize(
    ("words", "turned_at"),
    [
        (["allin", "call"], 0),
        (["call", "check", "allin", "call"], 3),
        (["call", "check", "check", "check", "allin", "call"], 4),
        (["call", "check", "check", "check", "check", "check", "allin", "call"], None),
        (["call", "check"] + ["check"] * 6, None),
        (["allin", "fold"], None),
        (["call", "check", "allin", "fold"], None),
    ],
)
def test_there_are_chances_only_where_hands_lie_open_before_the_river(words, turned_at):
    trial = acts(table([100, 60], random.Random(3).sample(range(52), 52)), *words)
    steps = trial.public["run_out"]
    assert (None if steps is None else steps[0]["board"]) == turned_at
    trial.wait(trial.settings.delay + 5_000)
    assert trial.public["hand"] == 2
    assert trial.public["run_out"] is None


def test_blinds_that_put_everybody_all_in_run_out_as_well():
    trial = table([100, 100], random.Random(1).sample(range(52), 52), small_blind=100, big_blind=100, min_buy_in=100)
    assert [step["board"] for step in trial.public["run_out"]] == [0, 3, 4, 5]


def test_one_who_may_still_bet_has_chances_too():
    """All but one are all-in: nothing is left to decide, and the one with chips lies open as well."""
    trial = acts(table([40, 80, 500], random.Random(2).sample(range(52), 52)), "allin", "call", "call")
    assert sorted(trial.public["run_out"][0]["chances"]) == [0, 1, 2]


# From public cards alone


def prefixes(trial):
    """The public view after each event of the log."""
    game, state = trial.game, trial.game.setup(trial.settings)
    for at, event in trial.log:
        game.apply(state, event, at)
        yield event, state, msgspec.json.decode(game.public_json(state))


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_chance_is_told_before_its_cards_lie_open(variant):
    """After each single event: none until the last hand is turned over, then one for each board that was dealt."""
    cards = random.Random(5).sample(range(DECK_SIZE[variant]), DECK_SIZE[variant])
    trial = all_in(table([100, 100, 100], cards, variant=variant))
    turned = 0
    for event, state, public in prefixes(trial):
        turned += isinstance(event, ev.Shown)
        expected = [cards for cards in (0, 3, 4, 5) if cards <= len(public["board"])] if turned == 3 else None
        told = public["run_out"]
        assert (None if told is None else [step["board"] for step in told]) == expected
        thawed = trial.game.thaw(trial.settings, trial.game.freeze(state))
        assert trial.game.public_json(thawed) == msgspec.json.encode(trial.game.public(state))
    assert turned == 3


def test_cards_to_come_and_folded_hands_change_no_chance():
    """Two decks with the same open hands and flop: the folded hands, the turn and the river are others.

    Until the last call all views are the same, and the chances until the turn is dealt.
    """
    one = deck("AhAs", "KdKc", "QhQd", "7c2d", board="Ks 7h 2c Ad 9s")
    other = deck("AhAs", "KdKc", "6h5d", "JcTd", board="Ks 7h 2c 3d 8s")

    def played(cards):
        trial = table([100, 100, 100, 100], cards)
        while (actor := next(iter(trial.game.actors(trial.state)), None)) is not None:
            trial.act(actor, "allin" if actor in (0, 1) else "fold")
        return list(prefixes(trial))

    first, second = played(one), played(other)
    kinds = [type(event) for event, _, _ in first]
    called = len(kinds) - kinds[::-1].index(ev.Acted) - 1
    turn = next(i for i, (event, _, _) in enumerate(first) if getattr(event, "street", None) == "turn")
    assert called < kinds.index(ev.Shown) < turn
    for (_, _, one_view), (_, _, other_view) in zip(first[:called], second[:called], strict=True):
        assert msgspec.json.encode(one_view) == msgspec.json.encode(other_view)
    told = [[view["run_out"] for _, _, view in views[:turn]] for views in (first, second)]
    assert told[0] == told[1]
    assert [step["board"] for step in told[0][-1]] == [0, 3]
    assert first[-1][2]["run_out"][:2] == second[-1][2]["run_out"][:2]
    assert first[-1][2]["run_out"][2:] != second[-1][2]["run_out"][2:]
    assert list(first[-1][2]["run_out"][0]["chances"]) == ["0", "1"]


def test_a_folded_hand_that_is_shown_afterwards_changes_nothing():
    trial = table([100, 100, 100], deck("AhAs", "KdKc", "AcAd", board="Ks 7h 2c 3d 9s"))
    while (actor := next(iter(trial.game.actors(trial.state)), None)) is not None:
        trial.act(actor, "fold" if actor == 2 else "allin")
    before = trial.public["run_out"]
    trial.act(2, "show")
    assert trial.public["run_out"] == before
    assert set(before[0]["chances"]) == {0, 1}


# The work


def followed(log, trial):
    """A state that has followed the log and was never looked at."""
    state = trial.game.setup(trial.settings)
    for at, event in log:
        trial.game.apply(state, event, at)
    return state


def test_chances_are_computed_once_in_a_hand_and_when_somebody_looks(monkeypatch):
    asked = []

    def counting(hands, **options):
        asked.append(options["board"])
        return equity(hands, **options)

    trial = all_in(table([100, 100], random.Random(4).sample(range(52), 52)))
    run_out.equity_of.cache_clear()
    equity = run_out.equity
    monkeypatch.setattr(run_out, "equity", counting)
    state = followed(trial.log, trial)
    assert asked == []
    for _ in range(3):
        trial.game.public_json(state)
        trial.game.public(state)
    assert [len(board) // 2 for board in asked] == [0, 3, 4, 5]


@pytest.mark.parametrize(
    ("variant", "players", "exact"),
    [
        ("holdem", 10, True), ("holdem", 2, True), ("short-deck", 2, True), ("short-deck", 10, True),
        ("omaha", 2, False), ("omaha", 6, False), ("omaha", 10, True), ("omaha5", 8, True),
        ("omaha6", 2, False), ("omaha6", 6, False), ("omaha6", 7, True),
    ],
)  # fmt: skip
def test_the_work_for_one_board_is_bounded(variant, players, exact, monkeypatch):
    """Omaha, whose hands are dear, is counted out only where that takes no more evaluations than an estimate."""
    found = []
    run_out.equity_of.cache_clear()
    equity = run_out.equity

    def kept(hands, **options):
        found.append(equity(hands, **options))
        return found[-1]

    monkeypatch.setattr(run_out, "equity", kept)
    cards = random.Random(players).sample(DECK[52 - DECK_SIZE[variant] :], players * HOLE_CARDS[variant])
    hands = {seat: cards[seat::players] for seat in range(players)}
    run_out.steps(variant, hands, [[]], 0)
    assert [result.exact for result in found] == [exact]
    if HOLE_CARDS[variant] > 2:
        assert found[0].boards * players <= run_out.OMAHA_EVALUATIONS


# The history


@pytest.mark.parametrize("variant", ["holdem", "omaha"])
@pytest.mark.parametrize("words", [["allin", "call"], ["call", "check", "allin", "call"], ["allin", "fold"]])
def test_the_history_of_a_hand_has_the_same_chances(words, variant):
    trial = acts(table([100, 60], random.Random(8).sample(range(52), 52), variant=variant), *words)
    shown = trial.public["run_out"]
    told = run_out.run_out_of(trial.played(1, None, 0))
    assert msgspec.to_builtins(told) == shown
    assert (shown is None) == (words[-1] == "fold")


def test_in_the_history_too_a_hand_shown_afterwards_changes_nothing():
    trial = table([100, 100, 100], random.Random(9).sample(range(52), 52))
    while (actor := next(iter(trial.game.actors(trial.state)), None)) is not None:
        trial.act(actor, "fold" if actor == 2 else "allin")
    trial.act(2, "show")
    assert msgspec.to_builtins(run_out.run_out_of(trial.played(1, None, 0))) == trial.public["run_out"]
