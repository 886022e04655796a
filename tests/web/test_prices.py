"""What the page shows at random turns of hold'em is what the server said, and costs what it shows."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.thorough import THOROUGH

from parlour.games.contract import World
from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem.events import Acted
from parlour.games.testing import Lots, Trial

from .guests import Guest
from .house import House
from .visitors import Visitor, until

pytestmark = pytest.mark.slow

SITUATIONS = 300 * THOROUGH
BATCH = 50
SEATS = 6
HERO = 0
SCRIPT = Path(__file__).with_name("prices.js")


class Situation:
    """A state in which it is the hero's turn, and a button to press."""

    def __init__(self, trial: Trial, button: int, number: int) -> None:
        game, state = trial.game, trial.state
        private, legal = (json.loads(part) for part in game.own_json(state, HERO)[1:])
        self.state: dict[str, Any] = json.loads(game.public_json(state))
        self.legal: dict[str, Any] = legal
        self.button = button
        self.patch = {"turn": number, "status": "playing", "state": self.state, "private": private, "legal": legal}
        self._settings, self._frozen, self._trial = trial.settings, game.freeze(state), trial

    def played(self, action: dict[str, Any]) -> Acted:
        """What the engine makes of an action here."""
        game = self._trial.game
        state = game.thaw(self._settings, self._frozen)
        world = World(now=self._trial.now, chance=Lots())
        events = game.decide(state, HERO, self._trial.listing.action(json.dumps(action).encode()), world)
        acted = next(event for event in events if isinstance(event, Acted))
        assert acted.seat == HERO
        return acted


def a_hand(dice: random.Random) -> Trial:
    small, big = dice.choice([(1, 2), (5, 10), (25, 50)])
    variant = dice.choice(["holdem", "holdem", "omaha", "short-deck"])
    settings = {
        "seats": SEATS, "small_blind": small, "big_blind": big, "ante": dice.choice([0, 0, small]), "variant": variant,
        "limit": dice.choice(["no-limit", "no-limit", "pot-limit", "fixed-limit"]), "min_buy_in": big,
        "max_buy_in": 1000 * big, "buy_in": 100 * big, "action_seconds": 0,
    }  # fmt: skip
    trial = Trial(Holdem(), settings, Lots(dice.getrandbits(32)))
    for seat in [HERO, *dice.sample(range(1, SEATS), dice.randint(1, SEATS - 1))]:
        trial.join(seat, buy_in=int(big * dice.choice([1, 1.5, 3, 10, 30, 100, 500]) * dice.uniform(1, 2)))
    trial.start()
    return trial


def act_at_random(trial: Trial, dice: random.Random) -> None:
    seat = trial.actor
    legal = trial.game.legal(trial.state, seat)
    assert legal is not None
    kind = dice.choices(legal["actions"], [{"fold": 1, "allin": 1}.get(kind, 4) for kind in legal["actions"]])[0]
    if kind in ("bet", "raise"):
        trial.act(seat, kind, amount=dice.choice([legal["min"], dice.randint(legal["min"], legal["max"])]))
    else:
        trial.act(seat, kind)


def situations(dice: random.Random) -> Iterator[Situation]:
    number = 1000
    while True:
        trial = a_hand(dice)
        while (actors := trial.game.actors(trial.state)) and trial.public["hand"] == 1:
            if actors[0] == HERO:
                number += 1
                yield Situation(trial, dice.choice([0, 1, 1, 2, 2, 2]), number)
            act_at_random(trial, dice)


def number(text: str | None) -> int:
    return int(re.sub(r"\D", "", text or "") or 0)


def label(size: dict[str, Any]) -> str:
    share = f"{size['percent'] / 100:g}"
    parts = {33: "⅓", 50: "½", 75: "¾", 100: "Pot"}
    words = {"big_blind": f"{share} bb", "bet": f"{share}×", "pot": parts.get(size["percent"]), "all_in": "All-in"}
    return str(words[size["name"]])


def check_figures(situation: Situation, seen: dict[str, Any]) -> None:
    """Pots, bets, stacks, cards, button and turn on the stage are those of the view."""
    state = situation.state
    players = {str(player["seat"]): player for player in state["players"]}
    bets = {seat: player["bet"] for seat, player in players.items() if player["bet"]}
    collected = [pot["amount"] for pot in state["pots"]]
    dead = state["pot"] - sum(bets.values())
    pots = {str(number): amount for number, amount in enumerate(collected or ([dead] if dead else []))}
    assert seen["pots"] == pots
    assert seen["bets"] == bets
    assert {pot: number(words) for pot, words in seen["shownPots"].items()} == pots
    assert {seat: number(words) for seat, words in seen["shownBets"].items()} == bets
    assert seen["total"] == (state["pot"] if bets or len(pots) > 1 else -1)
    stacks = {seat: player["stack"] for seat, player in players.items()}
    assert {seat: seen["stacks"][seat] for seat in stacks} == stacks
    assert (seen["actor"], seen["button"]) == (HERO, 1)
    assert (seen["board"], seen["own"]) == (state["board"], situation.patch["private"]["cards"])


def check_prices(legal: dict[str, Any], seen: dict[str, Any]) -> None:
    raises = "bet" if "bet" in legal["actions"] else "raise" if "raise" in legal["actions"] else None
    call = f"Call {legal['call']:,}" + (", all-in" if legal["call_all_in"] else "")
    assert seen["buttons"][:2] == ["Fold", call if legal["call"] else "Check"]
    assert len(seen["buttons"]) == (3 if raises else 2)

    def words(total: int) -> str:
        if total == legal["all_in"]:
            return f"All-in {total:,}"
        return f"{'Bet' if raises == 'bet' else 'Raise to'} {total:,}"

    prices: list[list[Any]] = [["fold", None], ["call", legal["call"]] if legal["call"] else ["check", 0]]
    if raises:
        assert seen["buttons"][2] == words(legal["min"])
        prices.append(["allin" if legal["min"] == legal["all_in"] else raises, legal["min"]])
    assert seen["prices"] == prices
    offered = legal["sizes"] if legal["min"] < legal["max"] else []
    if offered and legal["max"] < legal["all_in"]:
        # The limit is the pot: its size is called so, whatever the server reckons it in.
        most = {"name": "pot", "percent": 100, "to": legal["max"]}
        offered = [*(size for size in offered if size["to"] != legal["max"]), most]
    assert [size["name"] for size in seen["sizes"]] == [label(size) for size in offered]
    for size, shown in zip(offered, seen["sizes"], strict=True):
        assert shown["lit"] == [label(size)], "one size lights up"
        assert shown["raise"] == words(size["to"])


def check_cost(situation: Situation, pressed: dict[str, Any]) -> str:
    acted = situation.played(pressed["action"])
    words = pressed["words"]
    if words.startswith("Fold"):
        assert acted.action == "fold"
        assert pressed["asked"] == ("check" in situation.legal["actions"])
        return "fold"
    assert pressed["asked"] == acted.all_in, "every chip is asked for once more, and only then"
    if words == "Check":
        assert (acted.action, acted.amount) == ("check", 0)
    elif words.startswith("Call"):
        assert (acted.action, acted.amount) == ("call", number(words))
    else:
        assert acted.action in ("bet", "raise")
        assert acted.total == number(words)
    return f"{acted.action}{' all-in' if acted.all_in else ''}"


def test_random_turns(house: House, new_page: Callable[..., Page]) -> None:
    code = Guest(house.url, "Host").open_table("holdem", seats=SEATS, action_seconds=0)
    page = new_page()
    page.add_init_script(path=SCRIPT)
    hero = Visitor(page, house.url, "Hero")
    hero.sit(f"/t/{code}")
    for other in range(1, SEATS):
        Guest(house.url, f"Guest {other}").sit(code)
    until(page, lambda: sum(seat["player"] is not None for seat in hero.view()["seats"]) >= SEATS)
    assert hero.view()["you"]["seats"] == [HERO]
    base = hero.view()["seq"]
    source = situations(random.Random(20260731))
    done: Counter[str] = Counter()
    for start in range(0, SITUATIONS, BATCH):
        batch = [next(source) for _ in range(BATCH)]
        fed = [
            {"patch": {**one.patch, "seq": base + start + i + 1}, "button": one.button} for i, one in enumerate(batch)
        ]
        for situation, seen in zip(batch, page.evaluate("fed => window.parlourPrices(fed)", fed), strict=True):
            check_figures(situation, seen)
            check_prices(situation.legal, seen)
            done[check_cost(situation, seen["pressed"])] += 1
    assert sum(done.values()) == SITUATIONS
    for kind in ("fold", "check", "call", "call all-in", "bet", "raise", "bet all-in", "raise all-in"):
        assert done[kind] >= 5, f"too few of {kind} to tell: {done}"
