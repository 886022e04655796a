"""Heads-up no-limit hold'em by a computed strategy: the betting so far is followed through the blueprint's tree.

What is bet in another size than the tree has is taken for one of its neighbours, by chance: for the smaller one with
the pseudo-harmonic probability of Ganzfried and Sandholm (2013), which lets nobody gain by sizes in between.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.bots.holdem_ranges import cards_of, kind_of_pair, pair_index
from parlour.solver.betting import Kind
from parlour.solver.blueprint import Blueprint

STACKS = {100: (65, 260)}
"""The blueprints by their stacks, and the stacks that each is played with; in big blinds."""
NEARLY_ALL = 0.85
"""Whoever bets this part of all chips has bet them all."""
OVER_BET = 2.0
"""A bet of more pots than this, but not of all, is too far from what the tree has."""
MOVES = ("check", "call", "bet", "raise")
BOARDS = ("preflop", "flop", "turn", "river")


@cache
def blueprint(stack: int) -> Blueprint:
    with (files("parlour.bots") / "blueprints" / f"{stack}.npz").open("rb") as file:
        return Blueprint.load(file)


def choose(view: Mapping[str, Any], dice: random.Random) -> dict[str, Any] | None:
    """An action; None where the blueprint knows nothing of the game, or has lost the thread."""
    here = follow(view)
    if here is None:
        return None
    own = pair_index(cards_of(view["private"]["cards"]))
    played = here.plan.played(here.node)[bucket_of_pair(here.plan, view)[own]]
    return dice.choices(actions_at(here, view["legal"]), played.tolist())[0]


def bucket_of_pair(plan: Blueprint, view: Mapping[str, Any]) -> NDArray[np.integer]:
    """The bucket of each pair of cards on the board."""
    board = tuple(sorted(cards_of(view["state"]["board"])))
    return plan.bucket_on(board) if board else kind_of_pair()


def actions_at(here: TreeDecision, legal: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the tree's actions are at the table."""
    return [_action(here, action, legal) for action in range(len(here.plan.tree.nodes[here.node].actions))]


class TreeDecision(NamedTuple):
    """A decision of a hand, and the one of the tree that it is taken for."""

    plan: Blueprint
    node: int
    paid: tuple[int, int]
    """What the player to act and the other have paid in the hand."""
    before: int
    """What each had paid when this street began."""


def follow(view: Mapping[str, Any]) -> TreeDecision | None:
    """Where in the tree the hand is."""
    state = view["state"]
    game, rows = state["game"], [row for row in state["players"] if row["position"] is not None]
    if len(rows) != 2 or game["variant"] != "holdem" or game["limit"] != "no-limit":
        return None
    stacks = {row["seat"]: row["stack"] + row.get("contributed", row["bet"]) for row in rows}
    blind = state["blinds"][1]
    steps = list(state["actions"])
    posts, steps = {step[2]: step for step in steps[:2]}, steps[2:]
    if set(posts) != {"small_blind", "big_blind"} or any(step[2] not in MOVES for step in steps):
        return None
    small, big = posts["small_blind"], posts["big_blind"]
    if [small[3], big[3]] != list(state["blinds"]) or 2 * small[3] != big[3]:
        return None
    effective = min(stacks.values())
    plan = next((blueprint(one) for one, (low, high) in STACKS.items() if low <= effective / blind <= high), None)
    if plan is None:
        return None
    paid = {big[0]: big[3], small[0]: small[3]}
    return _walk(plan, view, steps, paid, effective)


def _walk(
    plan: Blueprint, view: Mapping[str, Any], steps: Sequence[Sequence[Any]], paid: dict[int, int], effective: int
) -> TreeDecision | None:
    tree, me = plan.tree, view["state"]["actor"]
    # Whom a bet is taken for is the same whenever the hand is looked at, and cannot be told without the cards.
    chance = random.Random(repr((view["state"]["hand"], view["private"]["cards"])))  # noqa: S311 - told by own cards
    big, small = paid  # their seats
    other = {big: small, small: big}
    node, street, before = 0, 0, 0
    for seat, when, word, amount in steps:
        if BOARDS[street] != when:
            street, before = BOARDS.index(when), max(paid.values())
        if tree.nodes[node].kind == Kind.DEAL:
            node = tree.nodes[node].children[0]
        if tree.nodes[node].kind != Kind.DECISION or tree.streets[node] != street:
            return None
        if tree.nodes[node].player != int(seat == small):
            return None
        actions = tree.nodes[node].actions
        theirs = paid[other[seat]]
        if word in ("check", "call"):
            paid[seat] = min(effective, theirs)
            action = next(at for at, one in enumerate(actions) if one in ("check", "call"))
        else:
            paid[seat] = before + amount
            found = _taken_for(plan, node, paid[seat], theirs, effective, chance.random())
            if found is None:
                return None
            action = found
        node = tree.nodes[node].children[action]
    when = view["state"]["street"]
    if BOARDS[street] != when:
        before = max(paid.values())
    if tree.nodes[node].kind == Kind.DEAL:
        node = tree.nodes[node].children[0]
    if tree.nodes[node].kind != Kind.DECISION or tree.streets[node] != BOARDS.index(when):
        return None
    if tree.nodes[node].player != int(me == small):
        return None
    return TreeDecision(plan, node, (paid[me], paid[other[me]]), before)


def _taken_for(plan: Blueprint, node: int, total: int, theirs: int, effective: int, chance: float) -> int | None:
    """The raise of the tree that a bet is taken for; None where it has none."""
    tree = plan.tree
    raises = [at for at, one in enumerate(tree.nodes[node].actions) if one.startswith("raise")]
    if not raises:
        return None
    if total >= NEARLY_ALL * effective:
        return raises[-1]
    against = tree.paid[node][1 - tree.nodes[node].player]
    sizes = [(tree.totals[node][at] - against) / (2 * against) for at in raises]
    bet = (total - theirs) / (2 * theirs)
    if bet > OVER_BET:
        return None
    if bet <= sizes[0]:
        # Where all-in is all that is left, a small raise is something else.
        return None if len(raises) == 1 and tree.totals[node][raises[0]] == plan.stack else raises[0]
    for at in range(len(sizes) - 1):
        small, large = sizes[at], sizes[at + 1]
        if bet <= large:
            smaller = (large - bet) * (1 + small) / ((large - small) * (1 + bet))
            return raises[at] if chance < smaller else raises[at + 1]
    return raises[-1]


def _action(here: TreeDecision, action: int, legal: Mapping[str, Any]) -> dict[str, Any]:
    """What the tree's action is at the table."""
    tree, node = here.plan.tree, here.plan.tree.nodes[here.node]
    word, (mine, theirs) = node.actions[action], here.paid
    raising = next((kind for kind in ("bet", "raise") if kind in legal["actions"]), None)
    if word.startswith("raise") and raising:
        total = tree.totals[here.node][action]
        against = tree.paid[here.node][1 - node.player]
        amount = round(theirs + (total - against) / (2 * against) * 2 * theirs) - here.before
        if total == here.plan.stack or amount + here.before > NEARLY_ALL * (legal["stack"] + mine):
            amount = legal["max"]
        return {"type": raising, "amount": max(legal["min"], min(legal["max"], amount))}
    if "check" in legal["actions"]:
        return {"type": "check"}
    return {"type": "fold" if word == "fold" else "call"}
