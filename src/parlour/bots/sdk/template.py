"""The files that `parlour bot new NAME` writes: a bot that plays, and a test of it."""

from __future__ import annotations

from keyword import iskeyword
from pathlib import Path

BOT = '''\
"""{title}: a bot for Parlour.

    parlour bot {name}.py --server http://localhost:8080 --table CODE
"""

from parlour.bots import Bot, HoldemView


class {title}(Bot):
    name = "{title}"

    def act(self, view: HoldemView):
        """Bet good hands, call where the price is right, and fold the rest."""
        chance = view.equity(against=0.5)  # each opponent has one of the better half of all hands
        fair = 1 / (len(view.opponents) + 1)
        if view.can_raise and chance > fair + 0.15:
            return view.raise_pot(0.66)
        return view.call() if chance > view.pot_odds else view.check_or_fold()

    # def over(self, result: HandOver) is called when a hand is over: who won what, and the cards that were shown.
'''

TEST = '''\
"""Tests of the bot: run them with pytest."""

import parlour
from parlour.bots import view_of_hand

from {name} import {title}


def test_aces_are_raised():
    hand = parlour.Hand([200, 200], blinds=(1, 2), deck="7d As 2c Ah Kc Qd 9s 4h 3d")
    assert {title}().act(view_of_hand(hand))["type"] == "raise"


def test_nothing_is_folded_to_a_bet():
    hand = parlour.Hand([200, 200], blinds=(1, 2), deck="As 7d Ah 2c Kc Qd 9s 4h 3d")
    hand.act("call")
    hand.act("raise", 60)
    assert {title}().act(view_of_hand(hand))["type"] == "fold"


def test_it_beats_somebody_who_always_calls():
    result = parlour.arena({{"me": {title}, "caller": lambda view: view.call()}}, hands=500)
    me, caller = result.players
    assert me.faults == 0
    assert me.mbb_per_hand > caller.mbb_per_hand
'''


def write(name: str, folder: Path) -> list[Path]:
    """Write both files; `ValueError` where the name cannot be one, or a file is there already."""
    if not name.isidentifier() or name != name.lower():
        raise ValueError(f"the name of a bot has small letters, digits and underscores, as my_bot; {name!r} has not")
    if iskeyword(name) or not name.strip("_"):
        raise ValueError(f"{name!r} means something to Python: no module can be called so")
    title = "".join(word.capitalize() for word in name.split("_") if word)
    files = {folder / f"{name}.py": BOT, folder / f"test_{name}.py": TEST}
    for file in files:
        if file.exists():
            raise ValueError(f"{file.name} is there already")
    for file, text in files.items():
        file.write_text(text.format(name=name, title=title), encoding="utf-8")
    return list(files)
