"""What is fuzzed through Python: a target takes bytes, only ValueError and TypeError may come back, promises hold."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import atheris

import parlour

REFUSALS = (ValueError, TypeError)
TEXT = 60
"""Longer texts show nothing new and slow the search."""


def _text(data: atheris.FuzzedDataProvider) -> str:
    """Mostly the characters that parsers look for, sometimes any."""
    if data.ConsumeBool():
        return data.ConsumeUnicode(TEXT)
    letters = "23456789TJQKA10cdhs♠♥♦♣ ,+-:.;so%*random"
    return "".join(letters[data.ConsumeIntInRange(0, len(letters) - 1)] for _ in range(data.ConsumeIntInRange(0, TEXT)))


def _number(data: atheris.FuzzedDataProvider) -> object:
    kind = data.ConsumeIntInRange(0, 5)
    if kind == 0:
        return data.ConsumeFloat()
    if kind == 1:
        return data.ConsumeInt(16)
    return data.ConsumeIntInRange(-1, 300)


def _exact(number: object) -> Fraction:
    """A float counts as people write it."""
    return Fraction(Decimal(repr(number)))


def cards(raw: bytes) -> None:
    """Ranks of any text: 1 to 7462, and the best five are a hand of the same rank."""
    data = atheris.FuzzedDataProvider(raw)
    text = _text(data)
    try:
        found = parlour.evaluate(text)
    except REFUSALS:
        return
    assert 1 <= found.rank <= 7462
    assert parlour.rank(text) == found.rank == parlour.rank([int(card) for card in found.cards])


def equity(raw: bytes) -> None:
    """Shares of small questions: they add up to one."""
    data = atheris.FuzzedDataProvider(raw)
    players = [_text(data) for _ in range(data.ConsumeIntInRange(0, 3))]
    try:
        found = parlour.equity(players, board=_text(data), dead=_text(data), trials=data.ConsumeIntInRange(-1, 200))
    except REFUSALS:
        return
    assert abs(sum(player.equity for player in found.players) - 1) < 1e-9


def pots(raw: bytes) -> None:
    """Pots and showdowns of any stakes: every chip is somewhere."""
    data = atheris.FuzzedDataProvider(raw)
    stakes = [_number(data) for _ in range(data.ConsumeIntInRange(0, 12))]
    folded = [data.ConsumeIntInRange(-1, 12) for _ in range(data.ConsumeIntInRange(0, 4))]
    try:
        found = parlour.pots(stakes, folded=folded)  # type: ignore[arg-type]  # wrong types are the point
    except REFUSALS:
        return
    back = found.returned[1] if found.returned else 0
    assert Fraction(back) + sum(Fraction(pot.amount) for pot in found) == sum(map(_exact, stakes))


def hand(raw: bytes) -> None:
    """Hands with any rules and any actions: chips are conserved, refused actions change nothing."""
    data = atheris.FuzzedDataProvider(raw)
    if data.ConsumeIntInRange(0, 7) == 0:
        try:
            parlour.Hand.from_bytes(data.ConsumeBytes(1000))
        except REFUSALS:
            return
    stacks = [_number(data) for _ in range(data.ConsumeIntInRange(0, 11))]
    variants = ["holdem", "omaha", "omaha5", "omaha6", "short-deck", "omaha-hilo", "omaha5-hilo", "stud"]
    try:
        play = parlour.Hand(
            stacks,  # type: ignore[arg-type]
            blinds=(data.ConsumeIntInRange(-1, 3), data.ConsumeIntInRange(-1, 6)),
            ante=data.ConsumeIntInRange(-1, 3),
            straddle=data.ConsumeIntInRange(0, 3) and 4,
            button=data.ConsumeIntInRange(-1, 11),
            variant=variants[data.ConsumeIntInRange(0, 7)],
            limit=["no-limit", "pot-limit", "fixed-limit"][data.ConsumeIntInRange(0, 2)],
            button_blind=data.ConsumeBool(),
            bomb=data.ConsumeIntInRange(0, 3) and data.ConsumeIntInRange(-1, 9),
            boards=data.ConsumeIntInRange(0, 3),
            runs=data.ConsumeIntInRange(0, 4),
            seven_deuce=data.ConsumeIntInRange(-1, 9),
        )
    except REFUSALS:
        return
    chips = sum(play.stacks) + play.pot
    while not play.done and data.remaining_bytes():
        before = play.copy()
        if play.awaits_runs:
            play.run(data.ConsumeIntInRange(1, play.most_runs))
            continue
        try:
            play.act(data.ConsumeIntInRange(-1, 4), _number(data))  # type: ignore[arg-type]
        except REFUSALS:
            assert play == before
        assert sum(play.stacks) + (0 if play.done else play.pot) == chips
    assert parlour.Hand.from_bytes(play.to_bytes()) == play


TARGETS: dict[str, Callable[[bytes], None]] = {target.__name__: target for target in (cards, equity, pots, hand)}
