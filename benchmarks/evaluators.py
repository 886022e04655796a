"""Ranking seven cards: one call at a time, in bulk, and all hands there are."""

from __future__ import annotations

from benchmarks.deals import hands, numbers
from benchmarks.rounds import Contestant, Row, Work

CALLS = 2000
BULK = 10_000_000
PEER_BULK = 100_000
ALL_HANDS = 133_784_560


def _each(rank: object, inputs: list[object]) -> Work:
    def work() -> None:
        for one in inputs:
            rank(one)  # type: ignore[operator]

    return work


def parlour_text() -> Work:
    import parlour

    return _each(parlour.rank, [" ".join(hand) for hand in hands(CALLS)])


def parlour_sequence() -> Work:
    import parlour

    return _each(parlour.rank, [tuple(hand) for hand in numbers(CALLS).tolist()])


def holdem_hand_evaluator() -> Work:
    from holdem_hand_evaluator import evaluate_hand

    return _each(evaluate_hand, ["".join(hand) for hand in hands(CALLS)])


def eval7() -> Work:
    import eval7 as peer

    return _each(peer.evaluate, [[peer.Card(card) for card in hand] for hand in hands(CALLS)])


def phevaluator() -> Work:
    from phevaluator.evaluator import evaluate_cards

    inputs = hands(CALLS)

    def work() -> None:
        for hand in inputs:
            evaluate_cards(*hand)

    return work


def pokerfast_one() -> Work:
    from pokerfast import eval7 as rank

    return _each(rank, list(hands(CALLS)))


def treys() -> Work:
    from treys import Card, Evaluator

    rank = Evaluator().evaluate
    inputs = [[Card.new(card) for card in hand] for hand in hands(CALLS)]

    def work() -> None:
        for hand in inputs:
            rank(hand[:2], hand[2:])

    return work


def pokerkit() -> Work:
    from pokerkit import StandardHighHand

    inputs = ["".join(hand) for hand in hands(20)]

    def work() -> None:
        for hand in inputs:
            StandardHighHand.from_game(hand)

    return work


def parlour_bulk(threads: int) -> Work:
    import numpy as np

    import parlour

    cards, out = numbers(BULK), np.empty(BULK, np.uint16)
    return lambda: parlour.evaluate_many(cards, out=out, threads=threads)


def poker_equity_bulk() -> Work:
    import poker_equity

    inputs = ["".join(hand) for hand in hands(PEER_BULK)]
    return lambda: poker_equity.score_batch("high", inputs)


def pokerfast_bulk() -> Work:
    from pokerfast import equity

    inputs = ["".join(hand) for hand in hands(PEER_BULK)]
    return lambda: equity.evaluate(inputs)


def ompeval_native() -> Work:
    """OMPEval's own loop, as pokerfast carries it: numbered cards in, ranks out, no Python in between."""
    import ctypes

    from pokerfast import equity

    count = 1_000_000
    cards, ranks = numbers(count).tobytes(), (ctypes.c_uint16 * count)()
    library = equity._load()
    return lambda: library.pf_evaluate(cards, count, 7, ranks)


def parlour_all() -> Work:
    from parlour import _core

    return _core.count_all_seven_card_hands


def rows() -> list[Row]:
    return [
        Row(
            "one checked seven-card call from Python",
            "hands",
            (
                Contestant("parlour, text", parlour_text, CALLS, ours=True),
                Contestant("parlour, sequence", parlour_sequence, CALLS, ours=True),
                Contestant("holdem-hand-evaluator", holdem_hand_evaluator, CALLS),
                Contestant("eval7", eval7, CALLS),
                Contestant("phevaluator", phevaluator, CALLS),
                Contestant("treys", treys, CALLS),
                Contestant("pokerfast", pokerfast_one, CALLS),
                Contestant("pokerkit", pokerkit, 20),
            ),
        ),
        Row(
            "10 million random seven-card hands in bulk",
            "hands",
            (
                Contestant("parlour, 1 thread", lambda: parlour_bulk(1), BULK, ours=True),
                Contestant("parlour, 2 threads", lambda: parlour_bulk(2), BULK, ours=True),
                Contestant("OMPEval in pokerfast", ompeval_native, 1_000_000),
                Contestant("poker-equity", poker_equity_bulk, PEER_BULK),
                Contestant("pokerfast", pokerfast_bulk, PEER_BULK),
            ),
            quoted="b-inary 294, SKPokerEval 280, OMPEval 278 M hands/s",
        ),
        Row(
            "all 133,784,560 seven-card hands in order",
            "hands",
            (Contestant("parlour", parlour_all, ALL_HANDS, ours=True),),
            quoted="2+2 tables 1,265 (130 MB), b-inary 577, OMPEval 463 M hands/s",
        ),
    ]
