"""The house's hold'em player: it plays its cards in every variant, always legally, and wins against fools."""

from __future__ import annotations

import math
import random
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.tiers import quick_first

from parlour.bots.holdem_chances import hands_by_strength, top_range, win_chance
from parlour.bots.holdem_player import STYLES, choose
from parlour.games.contract import Event, World
from parlour.games.poker.holdem.game import Holdem
from parlour.games.poker.holdem.settings import Settings

Choice = Callable[[dict[str, Any]], dict[str, Any]]
VARIANTS = [
    ("holdem", "no-limit"),
    ("holdem", "fixed-limit"),
    ("short-deck", "no-limit"),
    ("omaha", "pot-limit"),
    ("omaha", "fixed-limit"),
    ("omaha5", "pot-limit"),
    ("omaha6", "pot-limit"),
    ("omaha-hilo", "pot-limit"),
    ("omaha5-hilo", "fixed-limit"),
]


class Dice:
    """Chance from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def shuffle(self, n: int) -> Sequence[int]:
        return self.random.sample(range(n), n)


def play(choices: Sequence[Choice], hands: int, seed: int, **settings: Any) -> list[list[int]]:
    """Play that many hands, each with fresh stacks of a hundred big blinds; what each player won in each of them.

    Every deal is played once by each player in each seat, so that good cards come to all.
    """
    game, players = Holdem(), len(choices)
    chosen = Settings(seats=players, rebuy=False, hand_delay=0, **settings)
    won: list[list[int]] = [[] for _ in choices]
    for number in range(hands):
        state = game.setup(chosen)
        world = World(0, Dice(seed + number // players))

        def follow(events: Sequence[Event], state: Any = state) -> None:
            for event in events:
                game.apply(state, event, 0)

        order = [(seat + number) % players for seat in range(players)]
        for seat in range(players):
            follow(game.join(state, seat, {}, world))
        follow(game.start(state, world))
        while state.record.hand == 1 and (actors := game.actors(state)):
            seat = actors[0]
            view = {
                "state": game.public(state),
                "private": game.private(state, seat),
                "legal": game.legal(state, seat),
            }
            action = choices[order[seat]](view)
            kind = next(t for t in game.action_types if t.__struct_config__.tag == action["type"])
            events = game.decide(state, seat, kind(**{k: v for k, v in action.items() if k != "type"}), world)
            ended = next((event for event in events if type(event).__name__ == "HandEnded"), None)
            if ended is not None:
                for place, stack in ended.stacks.items():
                    won[order[place]].append(stack - chosen.buy_in)
                break
            follow(events)
    return won


def interval(won: list[int], errors: float = 1.96) -> tuple[float, float]:
    """A hand's win on average, with its 95 % interval, or one of so many standard errors."""
    mean, error = statistics.mean(won), statistics.stdev(won) / math.sqrt(len(won))
    return mean - errors * error, mean + errors * error


def bot(style: str, seed: int = 1) -> Choice:
    dice = random.Random(seed)
    return lambda view: choose(view, style, dice)


def caller(view: dict[str, Any]) -> dict[str, Any]:
    return {"type": "check" if "check" in view["legal"]["actions"] else "call"}


def wild(seed: int) -> Choice:
    dice = random.Random(seed)

    def act(view: dict[str, Any]) -> dict[str, Any]:
        legal = view["legal"]
        kind = dice.choice(legal["actions"])
        return (
            {"type": kind, "amount": dice.randint(legal["min"], legal["max"])}
            if kind in ("bet", "raise")
            else {"type": kind}
        )

    return act


@pytest.mark.parametrize("style", quick_first(STYLES, 3))
def test_every_style_wins_against_somebody_who_calls_everything(style: str) -> None:
    won = play([bot(style), caller], hands=600, seed=7)
    assert sum(map(sum, won)) == 0
    assert sum(won[0]) > 600, "at least half a big blind a hand"


@pytest.mark.parametrize(("variant", "limit"), VARIANTS)
@pytest.mark.parametrize("opponent", quick_first(["caller", "wild"]))
def test_it_wins_in_every_variant_beyond_doubt(variant: str, limit: str, opponent: str) -> None:
    other = caller if opponent == "caller" else wild(11)
    chips: list[int] = []
    for seed in range(0, 1200, 100):
        won = play([bot("balanced"), other], hands=100, seed=seed, variant=variant, limit=limit)
        assert sum(map(sum, won)) == 0
        chips += won[0]
        least, most = interval(chips, errors=2.58)  # 99 %, since it is looked at several times
        if least > 0:
            return
    pytest.fail(f"between {least:.2f} and {most:.2f} chips a hand")


def test_it_wins_at_a_full_table_of_random_players() -> None:
    won = play([bot("balanced"), *(wild(seed) for seed in range(5))], hands=200, seed=3)
    assert sum(map(sum, won)) == 0
    assert sum(won[0]) > 0


def spot(variant: str, cards: str, board: str, call: int, pot: int, limit: str = "pot-limit") -> dict[str, Any]:
    """A view of the river, or of the street of that board: heads-up, facing a bet of `call`, or first to act."""
    stack = 200
    size = 20
    most = {"pot-limit": call + pot + call, "fixed-limit": call + size, "no-limit": stack}[limit]
    rival = {"seat": 1, "status": "active", "last": {"type": "bet", "amount": call} if call else None}
    raising = "raise" if call else "bet"
    return {
        "state": {
            "game": {"variant": variant, "limit": limit},
            "actor": 0,
            "board": board.split(),
            "players": [{"seat": 0, "status": "active", "last": None}, rival],
        },
        "private": {"cards": cards.split()},
        "legal": {
            "actions": ["fold", "call" if call else "check", raising],
            "call": call,
            "min": call + size if limit == "fixed-limit" else max(2, 2 * call),
            "max": most,
            "pot": pot,
            "bet": 0,
        },
    }


def answers(view: dict[str, Any], style: str = "balanced") -> Counter[str]:
    """What it does in a hundred such spots."""
    actions = [choose(view, style, random.Random(seed)) for seed in range(100)]
    legal = view["legal"]
    for action in actions:
        assert action["type"] in legal["actions"]
        assert legal["min"] <= action.get("amount", legal["min"]) <= legal["max"]
    return Counter(action["type"] for action in actions)


SPOTS = [
    ("omaha", "Kh Kd 7c 2s", "2d 3h 4c 8s", "Ks Kc 9d 5h 6h"),
    ("omaha5", "Kh Kd 7c 2s 3s", "2d 3h 4c 8s Td", "Ks Kc 9d 5h 6h"),
    ("omaha6", "Kh Kd 7c 2s 3s Jd", "2d 3h 4c 8s Td Jc", "Ks Kc 9d Qh 6h"),
    ("short-deck", "Kh Kd", "7d 8h", "Ks Kc 9d Qh 6h"),
    ("holdem", "Kh Kd", "2d 3h", "Ks Kc 9d Qh 6h"),
]


@pytest.mark.parametrize(("variant", "quads", "air", "board"), SPOTS)
@pytest.mark.parametrize("limit", ["pot-limit", "no-limit", "fixed-limit"])
def test_quads_and_air_act_differently(variant: str, quads: str, air: str, board: str, limit: str) -> None:
    strong = answers(spot(variant, quads, board, call=40, pot=80, limit=limit))
    weak = answers(spot(variant, air, board, call=40, pot=80, limit=limit))
    assert strong == {"raise": 100}
    assert weak["fold"] >= 85, "but for a bluff now and then"
    assert answers(spot(variant, quads, board, call=0, pot=40, limit=limit)) == {"bet": 100}
    assert answers(spot(variant, air, board, call=0, pot=40, limit=limit))["check"] >= 80


def test_what_counts_in_omaha_is_two_of_the_hand() -> None:
    """Four to a flush on the board and one such card in the hand is no flush in Omaha."""
    board = "2h 7h Th Qh 3c"
    one_heart = answers(spot("omaha", "Ah 4c 5d 9s", board, call=40, pot=80))
    two_hearts = answers(spot("omaha", "Ah Kh 5d 9s", board, call=40, pot=80))
    assert one_heart["fold"] >= 85
    assert two_hearts["raise"] == 100
    assert answers(spot("holdem", "Ah 4c", board, call=40, pot=80))["raise"] == 100


def test_a_short_deck_is_another_deck() -> None:
    """With 36 cards nine, eight, seven, six and an ace are a straight, and a flush beats a full house."""
    board = "9c 8d 7h Kd Qs"
    assert win_chance(["Ac", "6s"], board.split(), [1.0], "short-deck", random.Random(1)) > 0.9
    assert win_chance(["Ac", "6s"], board.split(), [1.0], "holdem", random.Random(1)) < 0.6


@pytest.mark.parametrize("variant", ["omaha", "omaha5", "omaha6"])
def test_a_bet_is_credited_with_better_hands_in_omaha(variant: str) -> None:
    cards = {"omaha": "Kh 9d 5c 2s", "omaha5": "Kh 9d 5c 2s 4d", "omaha6": "Kh 9d 5c 2s 4d Jc"}[variant].split()
    board = ["Kd", "8s", "3h"]
    dice = random.Random(2)
    checked = win_chance(cards, board, [1.0], variant, dice)
    bet = win_chance(cards, board, [0.25], variant, dice)
    assert bet < checked - 0.05


def test_half_of_the_pot_is_won_by_a_low_in_hilo() -> None:
    board, dice = ["2c", "3d", "8h", "Ks", "Kd"], random.Random(4)
    low = ["Ah", "4h", "Qc", "Jc"]
    assert win_chance(low, board, [1.0], "omaha-hilo", dice) > win_chance(low, board, [1.0], "omaha", dice) + 0.15
    both = win_chance(["Ah", "4h", "Kh", "Kc"], board, [1.0], "omaha-hilo", dice)
    assert both > 0.9


def test_two_boards_count_a_half_each() -> None:
    quads = "Ks Kc 9d Qh 6h"
    view = spot("holdem", "Kh Kd", quads, call=40, pot=80)
    assert answers(view) == {"raise": 100}
    air = spot("holdem", "Kh Kd", "4s 5s 6s 7s 8d", call=40, pot=80)
    view["state"]["boards"] = [air["state"]["board"], air["state"]["board"]]
    assert answers(view)["raise"] < 100


def test_good_starting_hands_of_omaha_are_known() -> None:
    dice = random.Random(3)
    chances = [
        win_chance(hand.split(), [], [1.0], "omaha", dice) for hand in ("As Ah Ks Kh", "Js Ts 9h 8h", "2c 2d 2h 7s")
    ]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] > 0.66
    assert chances[2] < 0.4


def test_ranges_hold_the_part_of_hands_that_they_name() -> None:
    best = [hand for hand, _ in hands_by_strength()]
    assert best[:3] == ["AA", "KK", "QQ"]
    assert best[-1] == "32o"
    assert sum(count for _, count in hands_by_strength()) == 1326
    assert top_range(0.02).split(", ") == best[: len(top_range(0.02).split(", "))]
    short = [hand for hand, _ in hands_by_strength("short-deck")]
    assert short[:3] == ["AA", "KK", "QQ"]
    assert sum(count for _, count in hands_by_strength("short-deck")) == 630
