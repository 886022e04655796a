"""`parlour bench`: a short benchmark of this machine, and a signature of the core's behaviour."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator

import parlour
from parlour.cli._terminal import Parser, TextTable, print_json, progress, show

SECONDS = 0.4
"""How long each line of the benchmark works."""
VARIANTS = ("holdem", "omaha", "omaha5", "omaha6", "short-deck")
LIMITS = ("no-limit", "pot-limit", "fixed-limit")


def arguments(parser: Parser) -> None:
    parser.add_argument("--signature", action="store_true", help="Print the signature alone.")
    parser.add_json()


def command(signature: bool, json: bool) -> None:
    """Measure the card core on this machine, and print a signature that changes only when behaviour does."""
    with progress("signature") as report:
        digest = signature_of(seeded_work(report))
    if signature:
        print_json({"signature": digest}) if json else print(digest)
        return
    with progress("measuring") as report:
        measured = []
        for done, (title, unit, work) in enumerate(tasks()):
            measured.append((title, unit, rate(work)))
            report((done + 1) / len(tasks()))
    if json:
        print_json({"signature": digest, "rates": {title: round(per_second) for title, _, per_second in measured}})
        return
    rows = TextTable("work", ">a second", "")
    for title, unit, per_second in measured:
        rows.add_row(title, f"{per_second:,.0f}", unit)
    show(rows, f"\nsignature: {digest}")


def tasks() -> list[tuple[str, str, Callable[[], int]]]:
    """What is measured: a title, the unit that is counted, and work that returns how many of them it did."""
    texts = [parlour.format_cards(parlour.shuffle(_seed(i))[:7]) for i in range(1000)]

    def ranks() -> int:
        for text in texts:
            parlour.rank(text)
        return len(texts)

    def deals() -> int:
        return parlour.equity(["AhAs", *["random"] * 5], trials=200_000, threads=1, seed=1, exact=False).boards

    def table_lookups() -> int:
        for _ in range(100):
            parlour.equity(["AhAs", "KdKc"], threads=1)
        return 100

    def flops() -> int:
        parlour.equity(["AhKh", "random"], board="2h 7h 9c", threads=1)
        return 1

    def hands() -> int:
        for _ in range(200):
            hand = parlour.Hand([200] * 6)
            while not hand.done:
                hand.act(1)
        return 200

    return [
        ("rank of seven cards, one call each", "hands", ranks),
        ("rank of seven cards, in bulk", "hands", _bulk()),
        ("exact AhAs v KdKc, preflop", "answers", table_lookups),
        ("exact AhKh v random on a flop", "answers", flops),
        ("Monte Carlo, one hand v five random", "deals", deals),
        ("whole hands of six players", "hands", hands),
    ]


def _bulk() -> Callable[[], int]:
    import numpy as np

    decks = [parlour.shuffle(_seed(i))[:7] for i in range(1000)]
    cards = np.tile(np.array(decks, np.uint8), (1000, 1))
    out = np.empty(len(cards), np.uint16)
    return lambda: len(parlour.evaluate_many(cards, out=out, threads=1))


def rate(work: Callable[[], int]) -> float:
    """Units a second, after one call to warm up."""
    work()
    units, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < SECONDS:
        units += work()
    return units / spent


def signature_of(results: Iterator[object]) -> str:
    """Sixteen hexadecimal digits over everything that the work answered."""
    digest = hashlib.sha256()
    for result in results:
        digest.update(f"{result}\n".encode())
    return digest.hexdigest()[:16]


def seeded_work(report: Callable[[float], None]) -> Iterator[object]:
    """Ranks, equities and whole hands from seeds; the same on every machine."""
    for i in range(3000):
        deck = parlour.shuffle(_seed(i))
        best = parlour.evaluate(deck[:7])
        omaha = parlour.evaluate_omaha(deck[7:11], deck[11:16])
        yield best.rank, best.name, best.cards, best.score, omaha.rank, omaha.cards, parlour.evaluate_low(deck[:7]).rank
    report(0.3)
    for i in range(150):
        names = [str(parlour.Card(card)) for card in parlour.shuffle(_seed(i))]
        players = [names[0] + names[1], names[2] + names[3], *([names[4] + names[5]] if i % 2 else [])]
        board = " ".join(names[10 : 10 + (0, 3, 4, 5)[i % 4]])
        for trials in (None, 1000):
            exact = None if trials is None else False
            found = parlour.equity(players, board=board, dead=names[20], trials=trials, seed=i, exact=exact)
            yield found.exact, found.boards, [(one.wins, one.ties, one.losses) for one in found.players]
    report(0.6)
    for i in range(1500):
        yield _play(i)
    report(1.0)


def _play(i: int) -> tuple[object, ...]:
    """One hand with seeded stacks, cards and actions: everything that happened in it."""
    chance = parlour.shuffle(_seed(10_000 + i))
    seats = 2 + chance[0] % 8
    variant = VARIANTS[chance[1] % (len(VARIANTS) if seats < 7 else 1)]
    deck = [card for card in parlour.shuffle(_seed(20_000 + i)) if variant != "short-deck" or card >= 16]
    hand = parlour.Hand(
        [1 + chance[2 + seat] * chance[12 + seat] % 400 for seat in range(seats)],
        ante=chance[22] % 2,
        variant=variant,
        limit=LIMITS[chance[23] % 3],
        deck=deck,
    )
    told: list[object] = []
    while (legal := hand.legal()) is not None:
        told.append((hand.actor, legal.call, legal.min_raise_to, legal.max_raise_to))
        choice = chance[len(told) % 52]
        if choice < 6 and legal.call:
            hand.act("fold")
        elif choice > 36 and legal.max_raise_to:
            hand.act("raise", legal.min_raise_to + (legal.max_raise_to - legal.min_raise_to) * (choice % 5) // 8)
        else:
            hand.act("call" if legal.call else "check")
    return variant, told, hand.payouts(), hand.returned, hand.stacks, hand.showdown()


def _seed(number: int) -> bytes:
    return number.to_bytes(32, "little")
