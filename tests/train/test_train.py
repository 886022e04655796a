"""Tables to learn at: they say what the hand itself says, and the small games are those of the books."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.train import HoldemVector, KuhnVector, LeducVector, Vector, holdem_env, kuhn_env, leduc_env

FOLD, CALL, RAISE = range(3)


def anything(vector: Vector, dice: np.random.Generator) -> np.ndarray:
    """A legal action for each table."""
    mask = vector.mask()
    assert mask.any(1).all()
    return np.asarray((dice.random(mask.shape) * mask).argmax(1))


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"seats": 6, "stack": 60},
        {"seats": 3, "ante": 1, "raises": (0.33, 0.66, 1.0, 2.0)},
        {"seats": 4, "variant": "omaha", "limit": "pot-limit"},
        {"seats": 3, "limit": "fixed-limit", "raises": (1.0,)},
        {"seats": 2, "raises": ()},
        {"seats": 2, "variant": "short-deck"},
    ],
)
def test_an_observation_is_what_the_hand_says(rules: dict[str, Any]) -> None:
    vector, dice = HoldemVector(6, seed=1, **rules), np.random.default_rng(1)
    ended = 0
    for _ in range(250):
        seen, mask, seats = vector.observation(), vector.mask(), vector.seat
        assert seen.shape == (6, vector.features)
        for table in range(vector.tables):
            check_table(vector, vector.batch.hand(table), table, int(seats[table]), seen[table], mask[table])
        rewards, done = vector.step(anything(vector, dice))
        assert np.allclose(rewards.sum(1), 0)
        assert not rewards[~done].any()
        ended += int(done.sum())
    assert ended > 20


def check_table(vector: HoldemVector, hand: Any, table: int, seat: int, seen: Any, mask: Any) -> None:
    part = {name: seen[where] for name, where in vector.layout.items()}
    stack = hand.starting[0]
    around = [(seat + i) % vector.seats for i in range(vector.seats)]
    assert hand.actor == seat
    assert sorted(np.nonzero(part["hole"])[0]) == sorted(hand.hole(seat))
    assert sorted(np.nonzero(part["board"])[0]) == sorted(hand.board)
    assert np.nonzero(part["street"])[0].tolist() == [hand.street]
    assert np.nonzero(part["button"])[0].tolist() == [around.index(hand.button)]
    assert np.allclose(part["stacks"] * stack, [hand.stacks[i] for i in around])
    assert np.allclose(part["bets"] * stack, [hand.bets[i] for i in around])
    assert part["folded"].astype(bool).tolist() == [hand.folded[i] for i in around]
    invested = part["invested"].reshape(4, vector.seats).sum(0) * stack
    assert np.allclose(invested, [hand.contributed[i] for i in around])
    legal = hand.legal()
    assert np.allclose(part["prices"] * stack, [legal.call, hand.pot, legal.min_raise_to, legal.max_raise_to])
    totals = vector.raise_totals()[table]
    open_totals = [int(total) for total, allowed in zip(totals, mask[2:-1], strict=True) if allowed]
    for total in open_totals:
        hand.copy().act("raise", total)
    assert all(low < high for low, high in pairwise(open_totals))
    assert bool(mask[-1]) == bool(vector.batch.legal[table, 3])
    if legal.max_raise_to == 0:
        assert not mask[2:-1].any()
    elif not mask[-1]:
        assert open_totals or not len(totals)


def test_raises_are_parts_of_the_pot() -> None:
    vector = HoldemVector(1, stack=200, raises=(0.1, 0.5, 1.0, 1000.0), seed=1)
    assert vector.actions == [
        "fold",
        "call",
        "raise 0.1 pot",
        "raise 0.5 pot",
        "raise 1 pot",
        "raise 1000 pot",
        "all-in",
    ]
    # the button has 1 of 3 chips: after a call the pot is 4
    assert vector.raise_totals().tolist() == [[4, 4, 6, 200]]
    assert vector.mask().tolist() == [[True, True, True, False, True, False, True]]


@pytest.mark.parametrize("part", [-1, 0, float("nan"), float("inf")])
def test_a_raise_is_by_a_part_of_the_pot(part: float) -> None:
    with pytest.raises(ValueError, match="each more than 0"):
        HoldemVector(5, raises=(0.5, part))


@pytest.mark.parametrize("kind", [HoldemVector, KuhnVector, LeducVector])
def test_there_is_a_table_at_least(kind: Callable[[int], object]) -> None:
    with pytest.raises(ValueError, match="table"):
        kind(0)


def test_every_legal_size_can_be_played() -> None:
    vector = HoldemVector(2, seed=1)
    vector.step_exactly(np.array([2, 2], np.uint8), np.array([5, 57]))
    assert vector.batch.call.tolist() == [3, 55]
    with pytest.raises(ValueError, match="table 1"):
        vector.step_exactly(np.array([1, 2], np.uint8), np.array([0, 58]))


@pytest.mark.parametrize("kind", [HoldemVector, KuhnVector, LeducVector])
def test_a_seed_repeats_everything(kind: Any) -> None:
    runs = []
    for seed in (5, 5, 6):
        vector, dice = kind(50, seed=seed), np.random.default_rng(2)
        told = []
        for _ in range(30):
            told.append(vector.observation())
            told.append(vector.step(anything(vector, dice))[0])
        runs.append(np.concatenate(told, 1))
    assert np.array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


@pytest.mark.parametrize("kind", [HoldemVector, KuhnVector, LeducVector])
def test_an_illegal_step_is_refused_and_changes_nothing(kind: Any) -> None:
    vector = kind(3, seed=1)
    before = vector.observation()
    wrong = [np.array([1, 1]), np.array([1, 1, 99]), np.array([1, -1, 1]), np.array([1.0, 1.0, 1.0])]
    if kind is not HoldemVector:
        wrong.append(np.array([CALL, FOLD, CALL]))  # there is nothing to fold to
    for actions in wrong:
        with pytest.raises(ValueError, match=r"table|numbered"):
            vector.step(actions)
    assert np.array_equal(vector.observation(), before)


# The small games


class Referee:
    """Kuhn's and Leduc poker once more, by their rules: a history in, what may be done and what is won out."""

    def __init__(self, sizes: tuple[int, ...], most: int) -> None:
        self.sizes, self.most = sizes, most

    def look(self, history: str, cards: list[int]) -> tuple[int, list[bool]] | list[int]:
        """Who acts and what is legal; at the end what each has won. Cards are ranks."""
        paid, rounds = [1, 1], history.split("/")
        for number, words in enumerate(rounds):
            seat, raises = 0, 0
            for place, word in enumerate(words):
                if word == "f":
                    lost = paid[seat]
                    return [-lost, lost] if seat == 0 else [lost, -lost]
                if word == "c":
                    paid[seat] = max(paid)
                else:
                    paid[seat] = max(paid) + self.sizes[number]
                    raises += 1
                closed = word == "c" and place > 0
                seat = 1 - seat
                if closed and number == len(self.sizes) - 1:
                    return self.compare(cards, paid[0])
            facing = paid[0] != paid[1]
            legal = [facing, True, raises < self.most]
        return seat, legal

    def compare(self, cards: list[int], stake: int) -> list[int]:
        first, second, *board = cards
        if len(self.sizes) == 1:
            board = []
        strength = [(card in board, card) for card in (first, second)]
        if strength[0] == strength[1]:
            return [0, 0]
        return [stake, -stake] if strength[0] > strength[1] else [-stake, stake]


@pytest.mark.parametrize(
    ("kind", "referee"), [(KuhnVector, Referee((1,), 1)), (LeducVector, Referee((2, 4), 2))], ids=["Kuhn", "Leduc"]
)
def test_a_small_game_is_played_by_its_rules(kind: Any, referee: Referee) -> None:
    vector, dice = kind(200, seed=3), np.random.default_rng(3)
    histories = [""] * vector.tables
    for _ in range(60):
        cards = (vector.dealt // vector.suits).tolist()
        mask, seats = vector.mask(), vector.seat
        for table in range(vector.tables):
            assert referee.look(histories[table], cards[table]) == (seats[table], mask[table].tolist())
            assert vector.history(table) == histories[table]
        actions = anything(vector, dice)
        rewards, done = vector.step(actions)
        for table in range(vector.tables):
            word = "fcr"[actions[table]]
            played = histories[table]
            passed = played.rpartition("/")[2]
            closes = word == "c" and passed and "/" not in played and len(referee.sizes) > 1
            histories[table] = f"{played}{word}/" if closes else f"{played}{word}"
            if done[table]:
                assert referee.look(histories[table], cards[table]) == rewards[table].tolist()
                histories[table] = ""


@pytest.mark.parametrize(("kind", "count"), [(KuhnVector, 12), (LeducVector, 936)])
def test_the_number_of_information_sets_is_that_of_the_books(kind: Any, count: int) -> None:
    vector = kind(1)
    stages = [vector.betting.nodes[i].stage for i in vector.betting.decisions]
    cards = {0: vector.cards, 1: vector.cards * (vector.cards - 1)}
    assert sum(cards[stage] for stage in stages) == count


def test_kuhns_equilibrium_is_worth_an_eighteenth_to_the_second_player() -> None:
    """Kuhn (1950): the first player loses 1/18 of an ante if both play right, whichever right way the first has."""
    third = 1 / 3
    raising = {  # history → the chance to bet or raise, or facing a bet to call, with J, Q, K
        "": (third, 0.0, 1.0),
        "c": (third, 0.0, 1.0),
        "r": (0.0, third, 1.0),
        "cr": (0.0, third + third, 1.0),
    }
    vector, dice = KuhnVector(20_000, seed=4), np.random.default_rng(4)
    names = [node.history for node in vector.betting.nodes]
    chances = np.array([raising.get(name, (0.0, 0.0, 0.0)) for name in names])
    facing = np.array([name.endswith("r") for name in names])
    won, hands = 0.0, 0
    rows = np.arange(vector.tables)
    for _ in range(60):
        bold = dice.random(vector.tables) < chances[vector.node, vector.dealt[rows, vector.seat]]
        actions = np.where(facing[vector.node], np.where(bold, CALL, FOLD), np.where(bold, RAISE, CALL))
        rewards, done = vector.step(actions)
        won, hands = won + float(rewards[:, 0].sum()), hands + int(done.sum())
    assert hands > 400_000
    assert won / hands == pytest.approx(-1 / 18, abs=5 * 1.3 / hands**0.5)


@pytest.mark.filterwarnings("ignore::UserWarning")  # PettingZoo's test wonders at observations with a mask
@pytest.mark.parametrize(
    "make", [kuhn_env, leduc_env, holdem_env, lambda: holdem_env(seats=5, stack=40, limit="pot-limit")]
)
def test_pettingzoo_takes_the_environments_for_its_own(make: Any) -> None:
    from pettingzoo.test import api_test, seed_test

    api_test(make(), num_cycles=100)
    seed_test(make, num_cycles=20)


def test_an_episode_is_a_hand_and_the_button_moves_on() -> None:
    env, dice = holdem_env(seats=3, render_mode="ansi"), np.random.default_rng(1)
    env.reset(seed=7)
    buttons = []
    where = env.unwrapped._vector.layout["button"]
    for _ in range(6):
        first = env.observe("player_0")["observation"]
        buttons.append(int(first[where].argmax()))
        total = 0.0
        for agent in env.agent_iter():
            seen, reward, ended, cut, _ = env.last()
            total += reward
            if ended or cut:
                env.step(None)
                continue
            assert agent in env.render()
            others = [other for other in env.agents if other != agent]
            assert not any(env.observe(other)["action_mask"].any() for other in others)
            env.step(int((dice.random(len(seen["action_mask"])) * seen["action_mask"]).argmax()))
        assert total == pytest.approx(0)
        env.reset()
    assert buttons == [2, 0, 1, 2, 0, 1]


def test_the_documented_loop_plays_a_hand() -> None:
    page = (Path(__file__).parents[2] / "docs/training.md").read_text()
    (program,) = re.findall(r"^```python\n(from .*?)^```$", page, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)
    assert names["env"].agents == []


def test_the_vectors_need_numpy_alone() -> None:
    probe = (
        "import sys; from parlour.train import HoldemVector, KuhnVector, LeducVector\n"
        "HoldemVector(4).observation(); LeducVector(4).mask()\n"
        "print([m for m in ('gymnasium', 'pettingzoo', 'msgspec', 'aiohttp') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
