"""What holds in every hand: hypothesis deals, posts and acts at random."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parlour._soak import play_random_hands

from parlour._core import Hand, evaluate, evaluate_omaha, evaluate_short_deck

SEATS = {
    "holdem": 10,
    "omaha": 10,
    "omaha5": 8,
    "omaha6": 7,
    "short-deck": 10,
    "omaha-hilo": 10,
    "omaha5-hilo": 8,
}  # with two boards
OLD_GAMES = 8887370002269779756
"""The signature of 50,000 random hands without options, as they were played before there were any; only the
pot-limit raises beside a dead small blind that equals the big one have become larger since (TDA 54-B)."""


@st.composite
def rules(draw: st.DrawFn) -> dict[str, Any]:
    variant = draw(st.sampled_from(list(SEATS)))
    seats = draw(st.integers(2, SEATS[variant]))
    big_blind = draw(st.integers(1, 20))
    chosen: dict[str, Any] = {
        "stacks": draw(st.lists(st.integers(1, 40 * big_blind), min_size=seats, max_size=seats)),
        "blinds": (draw(st.integers(0, big_blind)), big_blind),
        "ante": draw(st.sampled_from([0, 0, 1, 7])),
        "big_blind_ante": draw(st.sampled_from([0, 0, big_blind])),
        "button": draw(st.integers(0, seats - 1)),
        "variant": variant,
        "limit": draw(st.sampled_from(["no-limit", "pot-limit", "fixed-limit"])),
        "cap": draw(st.sampled_from([4, 4, 5, 0])),
        "half_bet": draw(st.sampled_from([True, True, False])),
        "ante_first": draw(st.booleans()),
        "deck": draw(st.permutations(range(16 if variant == "short-deck" else 0, 52))),
    }
    if draw(st.booleans()):
        chosen["straddle"] = 2 * big_blind
    elif draw(st.booleans()):
        posters = draw(st.sets(st.integers(0, seats - 1), min_size=1))
        chosen["posts"] = [(seat, draw(st.integers(0, 30)), draw(st.integers(0, 9))) for seat in posters]
        chosen["big_blind_seat"] = draw(st.integers(0, seats - 1))
    if draw(st.booleans()):
        add_options(chosen, draw)
    return chosen


def add_options(chosen: dict[str, Any], draw: st.DrawFn) -> None:
    """What a host may choose besides."""
    seats, button, big_blind = len(chosen["stacks"]), chosen["button"], chosen["blinds"][1]
    match draw(st.sampled_from(["bomb", "button blind", "button straddle", "none"])):
        case "bomb":
            for other in ("ante", "big_blind_ante", "straddle", "posts", "big_blind_seat"):
                chosen.pop(other, None)
            chosen["bomb"] = draw(st.integers(1, 3 * big_blind))
        case "button blind":
            chosen["button_blind"] = True
        case "button straddle" if seats > 2 and "posts" not in chosen:
            chosen.update(straddle=2 * big_blind, straddle_seat=button)
    if draw(st.booleans()):
        chosen["boards"] = 2
    else:
        chosen["runs"] = draw(st.integers(1, 3))
    if chosen["variant"] == "holdem":
        chosen["seven_deuce"] = draw(st.integers(0, 9))


def act_legally(hand: Hand, data: st.DataObject) -> None:
    if hand.awaits_runs:
        hand.run(data.draw(st.integers(1, hand.most_runs)))
        return
    legal = hand.legal()
    assert legal is not None
    kinds = ["check" if legal.check else "call"] * 3 + ["fold"] + ["raise"] * (2 if legal.max_raise_to else 0)
    kind = data.draw(st.sampled_from(kinds))
    amount = data.draw(st.integers(legal.min_raise_to, legal.max_raise_to)) if kind == "raise" else 0
    hand.act(kind, amount)


def goes_all_in(hand: Hand) -> bool:
    """Whether the seat to act can put in all its chips, found out by trying."""
    legal, place = hand.legal(), hand.actor
    assert legal is not None
    assert place is not None
    everything = hand.bets[place] + hand.stacks[place]
    for kind, amount in (("raise", everything), ("call", 0)):
        if kind == "raise" or not legal.max_raise_to:
            try:
                _, _, _, all_in, _, _ = hand.after(kind, amount)
            except ValueError:
                continue
            if all_in:
                return True
    return False


@given(rules(), st.data())
@settings(max_examples=150)
def test_one_question_has_the_answer_of_many(chosen: dict[str, Any], data: st.DataObject) -> None:
    """`standing`, `all_in_to`, `after` and `best` say what the lists, `legal`, `act` and the evaluators say."""
    hand = Hand(**chosen)
    held = len(hand.hole(0))
    while (legal := hand.legal()) is not None:
        place, street, bets, stacks = hand.actor, hand.street, hand.bets, hand.stacks
        assert place is not None
        assert [hand.standing(seat) for seat in range(hand.seats)] == [
            (stack, bet, paid, 0 if folded else held, all_in)
            for stack, bet, paid, folded, all_in in zip(
                stacks, bets, hand.contributed, hand.folded, hand.all_in, strict=True
            )
        ]
        assert hand.all_in_to() == (bets[place] + stacks[place] if goes_all_in(hand) else 0)
        assert (legal.call == 0) == legal.check
        kind = data.draw(st.sampled_from(["fold", "check" if legal.check else "call", "raise"]))
        amount = legal.max_raise_to if data.draw(st.booleans()) else legal.min_raise_to
        if kind == "raise" and not amount:
            kind = "fold"
        before = hand.to_bytes()
        after, added, total, all_in, unopened, to_act = hand.after(kind, amount)
        assert hand.to_bytes() == before
        hand.act(kind, amount)
        assert after == hand
        assert added == {"call": legal.call, "raise": amount - bets[place]}.get(kind, 0)
        assert (total, all_in) == (bets[place] + added, added > 0 and added == stacks[place])
        assert unopened == (not any(bets) and legal.check)
        assert to_act == (hand.actor if hand.street == street else None)
    assert hand.all_in_to() == 0
    if hand.awaits_runs:
        hand.run(hand.most_runs)
    for cards in range(3, len(hand.board) + 1):
        for seat in range(hand.seats):
            for on, board in enumerate(hand.boards):
                assert hand.best(seat, cards, on) == evaluated(hand, seat, board[:cards])


def evaluated(hand: Hand, seat: int, board: list[int]) -> tuple[int, tuple[int, ...]]:
    """The rank and the five cards by the evaluators for cards without a hand."""
    if hand.variant.startswith("omaha"):
        return evaluate_omaha(hand.hole(seat), board)
    return (evaluate_short_deck if hand.variant == "short-deck" else evaluate)(hand.hole(seat) + board)


def test_the_best_cards_are_asked_for_a_board_that_lies_there() -> None:
    hand = Hand([100, 100], deck=list(range(52)))
    for cards in (-1, 0, 2, 3, 5):
        with pytest.raises(ValueError, match="do not lie on the board"):
            hand.best(0, cards)
    hand.act("call"), hand.act("check")
    assert len(hand.best(0, 3)[1]) == 5
    for cards in (2, 4):
        with pytest.raises(ValueError, match="do not lie on the board"):
            hand.best(0, cards)
    with pytest.raises(ValueError, match="no such seat"):
        hand.best(2, 3)
    with pytest.raises(ValueError, match="no such seat"):
        hand.standing(2)


def test_an_action_that_is_refused_has_no_hand_after_it() -> None:
    hand = Hand([100, 100], deck=list(range(52)))
    before = hand.to_bytes()
    for kind, amount in (("check", 0), ("raise", 3), ("raise", 101), ("dance", 0), ("raise", -1)):
        with pytest.raises(ValueError):  # noqa: PT011 which one is the matter of `act`
            hand.after(kind, amount)
    assert hand.to_bytes() == before


@given(rules(), st.data())
@settings(max_examples=150)
def test_chips_are_conserved_and_every_hand_ends(chosen: dict[str, Any], data: st.DataObject) -> None:
    hand = Hand(**chosen)
    total = sum(chosen["stacks"])
    while not hand.done:
        assert sum(hand.stacks) + hand.pot == total
        assert sum(hand.contributed) == hand.pot
        assert sum(pot.amount for pot in hand.pots()) == hand.pot
        act_legally(hand, data)
    payouts = hand.payouts()
    assert payouts is not None
    assert sum(hand.stacks) == total
    assert sum(payouts) == sum(hand.contributed) == sum(pot.amount for pot in hand.pots()) == hand.pot
    for pot in hand.pots():
        assert sum(amount for _, _, amount, _, _ in pot.parts) == pot.amount
        for _, _, amount, winners, shares in pot.parts:
            assert sum(shares) == amount
            assert set(winners) <= set(pot.contestants)
    for seat, paid in enumerate(payouts):
        assert paid == sum(
            share
            for pot in hand.pots()
            for winner, share in zip(pot.winners, pot.shares, strict=True)
            if winner == seat
        )


@given(rules(), st.data())
@settings(max_examples=100)
def test_legal_never_lies(chosen: dict[str, Any], data: st.DataObject) -> None:
    """What it lists is accepted; what it does not is refused and changes nothing."""
    hand = Hand(**chosen)
    while (legal := hand.legal()) is not None:
        before = hand.to_bytes()
        low, high = legal.min_raise_to, legal.max_raise_to
        allowed = {("fold", 0), ("check", 0) if legal.check else ("call", 0)}
        refused = {("call", 0) if legal.check else ("check", 0), ("raise", 0), ("raise", low - 1), ("raise", high + 1)}
        if high:
            allowed |= {("raise", low), ("raise", high), ("raise", (low + high) // 2)}
        else:
            refused |= {("raise", amount) for amount in (1, 10**6)}
        for kind, amount in allowed:
            other = hand.copy()
            other.act(kind, amount)
            assert other != hand
        for kind, amount in refused:
            with pytest.raises(ValueError, match=r"cannot|negative"):
                hand.act(kind, amount)
        assert hand.to_bytes() == before
        act_legally(hand, data)


@given(rules(), st.data())
@settings(max_examples=100)
def test_a_hand_and_its_copy_and_its_bytes_go_the_same_way(chosen: dict[str, Any], data: st.DataObject) -> None:
    hand = Hand(**chosen)
    while not hand.done:
        twin, kept, before = Hand.from_bytes(hand.to_bytes()), hand.copy(), hand.to_bytes()
        legal = hand.legal()
        if legal is None:
            times = data.draw(st.integers(1, hand.most_runs))
            hand.run(times), twin.run(times)
            continue
        kind, amount = data.draw(st.sampled_from([(1, 0), (1, 0), (2, legal.max_raise_to), (0, 0)]))
        if kind == 2 and not amount:
            kind = 1
        hand.act(kind, amount)
        twin.act(kind, amount)
        assert twin == hand
        assert kept.to_bytes() == before
    assert Hand.from_bytes(hand.to_bytes()).payouts() == hand.payouts()


@given(rules(), st.data())
@settings(max_examples=50)
def test_leaving_at_any_time_keeps_the_chips(chosen: dict[str, Any], data: st.DataObject) -> None:
    hand = Hand(**chosen)
    while not hand.done:
        seat = data.draw(st.integers(0, hand.seats - 1))
        if data.draw(st.booleans()) and not hand.awaits_runs and not hand.folded[seat] and not hand.all_in[seat]:
            hand.fold_out_of_turn(seat)
        else:
            act_legally(hand, data)
    assert sum(hand.stacks) == sum(chosen["stacks"])


@given(rules(), st.data())
@settings(max_examples=200)
def test_forged_bytes_are_refused_or_play_on_without_harm(chosen: dict[str, Any], data: st.DataObject) -> None:
    """A changed byte is a ValueError, or a hand that still conserves its chips to the end."""
    forged = bytearray(Hand(**chosen).to_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        forged[data.draw(st.integers(0, len(forged) - 1))] = data.draw(st.integers(0, 255))
    try:
        hand = Hand.from_bytes(bytes(forged))
    except ValueError:
        return
    total = sum(hand.starting)
    for _ in range(200):
        if hand.done:
            break
        hand.run(1) if hand.awaits_runs else hand.act(1)
    assert hand.done
    assert sum(hand.stacks) == total


@given(st.sampled_from([b"PH\x02", b"PH\x03", b"PH\x04", b"PH"]), st.binary(max_size=700))
def test_arbitrary_bytes_are_refused(header: bytes, data: bytes) -> None:
    with pytest.raises(ValueError, match="not a hand"):
        Hand.from_bytes(header + data)


def test_random_hands_of_every_kind_keep_the_rules() -> None:
    """The native soak in short; proofs/verify_engine.py plays ten million."""
    report = play_random_hands(50_000, 7)
    assert report["hands"] == 50_000
    assert 0 < report["showdowns"] < report["hands"] < report["actions"]
    assert report == play_random_hands(50_000, 7)
    assert report["signature"] == OLD_GAMES, "the games without options are played otherwise than before"


def test_random_hands_with_every_option_keep_the_rules() -> None:
    report = play_random_hands(50_000, 7, options=True)
    assert 0 < report["showdowns"] < report["hands"] < report["actions"]


def test_random_hands_agree_with_pokerkit_but_where_the_rule_decides_otherwise() -> None:
    """The comparison in short: any difference that is not one of A to G fails the command."""
    script = Path(__file__).parents[2] / "proofs" / "verify_engine.py"
    command = [sys.executable, str(script), "--hands", "600", "--soak", "0", "--seed", "3", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert '"hands": 600' in done.stdout
