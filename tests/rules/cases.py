"""The cases of the rules of hold'em, and how one is played: the same at the engine and at a table.

The files beside this one hold them: a key is the rule, by its book and number. In `hand`, `stacks` are by seat, and the
button is the last seat unless `button` names another; the rest are options, by the names of `parlour.Hand`. With
`dead_small_blind`, seat 0 has the big blind and nobody the small one; `missed` and `newcomers` are seats that post to
come in. `cards` are the hole cards by seat, a stroke, and the board; without them they are left to chance. `each` gives
an option several values, one case for each. `only` names the one layer that can say a case, where the other cannot.

`play` is what happens, step by step, between strokes. An action is a letter: f folds, k checks, c calls, a is all-in,
r20 bets or raises to 20. run2 runs the board twice, and show1 lets seat 1 show its cards after the hand. The other
steps say what must be seen now:

    2 may call 20 or raise to 40-100    the offer to the seat to act, with its least and greatest raise
    3 may check or raise to 40          only that raise; without "or raise" there is none
    nobody may act                      the hand is over, or waits for the runs to be agreed
    refused r39 k                       none of these is legal, and nothing has changed
    bets 1 2 0, stacks 99 98 100, pot 3, street flop, board 2c 7d 9h, words fold call raise
    pots 75 for 0 1 2, 50 for 1 2       as they were collected, or as they are won
    won 0:75, 1:25 2:25                 who has how much of each pot
    parts high 0:3 low 1:2, high2 1:4   the same by high and low; 2 is the second board or run
    returned 50 to 2                    a bet that nobody called
    shown 1 2 mucked 0                  the showdown, in its order
    bounty 0 from 1:5 2:5               the 7-2 game
    rabbit 4c 3s                        the cards that would have come

There is none of it after `-`: `returned -`, `board -`.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from parlour._core import parse_cards

WORDS = {"f": "fold", "k": "check", "c": "call", "a": "allin", "r": "raise"}
POSTS = {"dead_small_blind", "missed", "newcomers"}
STREETS = ("preflop", "flop", "turn", "river")
_ACTIONS = re.compile(r"[fkca]|r\d+|run\d|show\d")
_STEP = re.compile(rf"(?:{_ACTIONS.pattern})+")

Won = dict[int, int]


class Refused(Exception):
    """The layer does not take this action."""


@dataclass
class Case:
    rule: str
    stacks: list[int]
    button: int | None
    options: dict[str, Any]
    play: str
    cards: str = ""
    only: str = ""

    @property
    def blinds(self) -> tuple[int, int]:
        small, big = self.options.get("blinds", (1, 2))
        return small, big

    @property
    def dealer(self) -> int:
        return len(self.stacks) - 1 if self.button is None else self.button

    def deck(self) -> list[int]:
        """The deck: hole cards one at a time from the left of the button, the board, and what is not dealt."""
        holes, _, board = self.cards.partition("/")
        hands = [parse_cards(hole) for hole in holes.split()]
        order = [hands[(self.dealer + 1 + i) % len(hands)] for i in range(len(hands))]
        dealt = [hand[i] for i in range(len(order[0])) for hand in order] + parse_cards(board)
        return dealt + [card for card in range(self.lowest, 52) if card not in dealt]

    @property
    def lowest(self) -> int:
        """The lowest card of the deck."""
        return 16 if self.options.get("variant") == "short-deck" else 0


def cases() -> Iterator[Case]:
    for file in sorted(Path(__file__).parent.glob("*.toml")):
        for rule, told in tomllib.loads(file.read_text("utf-8")).items():
            hand, each = told.pop("hand"), told.pop("each", {})
            for values in itertools.product(*each.values()):
                chosen = dict(zip(each, values, strict=True))
                told_apart = "".join(f" [{name} {value}]" for name, value in chosen.items())
                options = hand | chosen
                stacks, button = options.pop("stacks"), options.pop("button", None)
                yield Case(rule + told_apart, stacks, button=button, options=options, **told)


def _plain(values: Sequence[Any]) -> str:
    return " ".join(map(str, values))


def _won(shares: Won) -> str:
    return " ".join(f"{seat}:{chips}" for seat, chips in sorted(shares.items()))


def seen(layer: Any, kind: str) -> str:
    """What the layer says now, in the words of a case."""
    match kind:
        case "offer":
            if (offer := layer.offer()) is None:
                return "nobody may act"
            seat, call, least, most = offer
            to = f" or raise to {least}-{most}" if most > least else f" or raise to {most}" if most else ""
            return f"{seat} may " + (f"call {call}" if call else "check") + to
        case "words" | "bets" | "stacks":
            return f"{kind} {_plain(getattr(layer, kind)())}"
        case "pot" | "street":
            return f"{kind} {getattr(layer, kind)()}"
        case "board" | "rabbit":
            boards = layer.boards() if kind == "board" else layer.rabbit()
            return f"{kind} " + (", ".join(map(_plain, boards)) if any(boards) else "-")
        case "pots":
            return "pots " + ", ".join(f"{amount} for {_plain(seats)}" for amount, seats in layer.pots())
        case "won":
            return "won " + ", ".join(map(_won, layer.won()))
        case "parts":
            pots = [
                [f"{side}{board + 1 if board else ''} {_won(shares)}" for board, side, shares in pot]
                for pot in layer.parts()
            ]
            return "parts " + ", ".join(map(" ".join, pots))
        case "returned":
            back = layer.returned()
            return "returned " + ("-" if back is None else f"{back[1]} to {back[0]}")
        case "shown":
            shows, mucks = layer.showdown()
            return f"shown {_plain(shows) or '-'}" + (f" mucked {_plain(mucks)}" if mucks else "")
        case "bounty":
            bounty = layer.bounty()
            return "bounty " + ("-" if bounty is None else f"{bounty[0]} from {_won(bounty[1])}")
    raise ValueError(f"a case cannot say {kind!r}")


def act(layer: Any, action: str) -> None:
    if action.startswith("run"):
        layer.run(int(action[3:]))
    elif action.startswith("show"):
        layer.show(int(action[4:]))
    else:
        layer.act(WORDS[action[0]], int(action[1:] or 0))


def play(case: Case, layer: Any, name: str) -> None:
    """Play a case; a failure names the rule, the layer, what had happened, and what was seen in place of what."""
    done: list[str] = []

    def fail(fault: str) -> None:
        pytest.fail(f"{case.rule}\n  {name}, after {' '.join(done) or 'the deal'}: {fault}", pytrace=False)

    for step in (" ".join(step.split()) for step in case.play.split("|")):
        first = step.split()[0]
        if all(_STEP.fullmatch(word) for word in step.split()):
            for action in _ACTIONS.findall(step):
                try:
                    act(layer, action)
                except Refused as refusal:
                    fail(f"{action} was refused: {refusal}")
                done.append(action)
        elif first == "refused":
            for action in step.split()[1:]:
                try:
                    act(layer, action)
                except Refused:
                    continue
                fail(f"{action} was taken")
        else:
            kind = "offer" if first.isdigit() or first == "nobody" else first
            if (found := seen(layer, kind)) != step:
                fail(f"expected `{step}`, seen `{found}`")
