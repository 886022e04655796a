"""Random hands of hold'em, told to a page as the server would tell them, without waiting for anybody."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from playwright.sync_api import Page

from parlour.games.cards import parse_cards
from parlour.games.contract import Event
from parlour.games.poker.holdem import Holdem
from parlour.games.testing import Lots, Trial

HERO = 0


def ask(page: Page, name: str, frames: list[dict[str, Any]]) -> Any:
    """What a function of the page answers to these frames."""
    answer = page.evaluate("([name, text]) => window.parlourAsk(name, text)", [name, json.dumps(frames)])
    return json.loads(answer)


class Told:
    """What one viewer is told of a table: frames as they come from the socket, each with the view after it."""

    def __init__(self, trial: Trial, base: dict[str, Any], hero: int | None = HERO) -> None:
        self.trial = trial
        self.hero = hero
        self.seq: int = base["seq"]
        self.turn: int = base["turn"]

    def frame(self, events: Sequence[Event]) -> dict[str, Any]:
        """These events, and what has changed with them."""
        told = []
        for event in events:
            self.seq += 1
            audience = event.audience()
            shown = audience is None or self.hero in audience
            what = json.loads(msgspec.json.encode(event)) if shown else {"type": "skip"}
            told.append({"seq": self.seq, "at": self.trial.now, **what})
        self.turn += 1
        return {"type": "events", "events": told, "patch": self.patch()}

    def patch(self) -> dict[str, Any]:
        game, state = self.trial.game, self.trial.state
        deadline = game.deadline(state)
        private, legal = (None, None) if self.hero is None else map(json.loads, game.own_json(state, self.hero)[1:])
        return {
            "seq": self.seq,
            "turn": self.turn,
            "now": self.trial.now,
            "status": game.status(state),
            "deadline": None if deadline is None else {"at": deadline.at, "seat": deadline.seat},
            "state": json.loads(game.public_json(state)),
            "private": private,
            "legal": legal,
        }


def deck(*hands: str, board: str) -> list[int]:
    """The order of a deck that deals these hands from the left of the button on, and then this board."""
    dealt = [list(parse_cards(hand)) for hand in hands]
    cards = [hand[i] for i in range(len(dealt[0])) for hand in dealt] + list(parse_cards(board))
    return [int(card) for card in cards] + [card for card in range(52) if card not in cards]


def a_table(dice: random.Random, seats: int, players: Sequence[int], **settings: Any) -> Trial:
    """A table at which these seats have sat down, with stacks that make side pots likely."""
    big = int(settings.get("big_blind", 2))
    deep = {"min_buy_in": big, "max_buy_in": 1000 * big, "buy_in": 100 * big, "action_seconds": 0, "hand_delay": 1}
    trial = Trial(Holdem(), {"seats": seats, **deep, **settings}, Lots(dice.getrandbits(32)))
    for seat in players:
        trial.join(seat, buy_in=int(big * dice.choice([3, 10, 30, 100, 300]) * dice.uniform(1, 2)))
    return trial


def act_at_random(trial: Trial, dice: random.Random) -> Sequence[Event]:
    seat = trial.actor
    legal = trial.game.legal(trial.state, seat)
    assert legal is not None
    kind = dice.choices(legal["actions"], [{"fold": 1, "allin": 1}.get(kind, 4) for kind in legal["actions"]])[0]
    if kind in ("bet", "raise"):
        return trial.act(seat, kind, amount=dice.choice([legal["min"], dice.randint(legal["min"], legal["max"])]))
    return trial.act(seat, kind)


def random_hands(told: Told, dice: random.Random, hands: int) -> Iterator[dict[str, Any]]:
    """Frames of so many hands; whoever has lost their chips buys in again, so that nobody's place changes."""
    trial = told.trial
    yield told.frame(trial.start())
    first = trial.public["hand"]
    while trial.public["hand"] < first + hands:
        if trial.game.actors(trial.state):
            yield told.frame(act_at_random(trial, dice))
            continue
        for player in trial.public["players"]:
            if player["stack"] == 0:
                yield told.frame(trial.act(player["seat"], "rebuy", amount=trial.settings.buy_in))
        deadline = trial.game.deadline(trial.state)
        assert deadline is not None, "the table waits for nobody and nothing"
        trial.now = max(trial.now, deadline.at)
        yield told.frame(trial.expire())
