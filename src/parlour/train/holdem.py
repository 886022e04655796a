"""Hold'em and its kin, many tables at once, on the native batch."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour._core import HandBatch
from parlour.train.vector import Features, Mask, Seats, Vector, layout_of

FOLD, CALL, RAISE, ALL_IN = range(4)
"""The codes of the batch."""
NO_CARD = 255
DECK = 52
STREETS = 4


class HoldemVector(Vector):
    """Tables of hold'em, Omaha or short deck under the same rules; the button moves with every hand.

    The actions are fold, check or call, raises by parts of the pot (after calling), and all-in. A raise that is less
    than the rules allow is the least that they do; of those that come to the same the smallest part is legal. With
    `step_exactly` every legal bet size can be played. Rewards are in big blinds. `rules` are those of `HandBatch`.
    """

    def __init__(
        self,
        tables: int,
        *,
        seats: int = 2,
        stack: int = 200,
        blinds: tuple[int, int] = (1, 2),
        raises: Sequence[float] = (0.5, 1.0),
        seed: int | None = None,
        **rules: Any,
    ) -> None:
        if not all(0 < part < inf for part in raises):
            raise ValueError(f"raises are parts of the pot, each more than 0, and not {tuple(raises)}")
        key = None if seed is None else seed.to_bytes(32, "little", signed=seed < 0)
        self.batch = HandBatch(tables, [stack] * seats, blinds=blinds, seed=key, **rules)
        self.tables = tables
        self.seats = seats
        self.actions = ["fold", "call", *[f"raise {part:g} pot" for part in raises], "all-in"]
        self.layout = layout_of(
            hole=DECK,
            board=DECK,
            street=STREETS,
            button=seats,
            stacks=seats,
            bets=seats,
            folded=seats,
            invested=STREETS * seats,
            raises=STREETS,
            prices=4,
        )
        self._stack = float(stack)
        self._big_blind = float(blinds[1])
        self._parts = np.array(raises, np.float64)
        self._rows = np.arange(tables)
        self._turns = np.arange(seats)
        self._invested = np.zeros((tables, STREETS, seats), np.int64)
        self._raised = np.zeros((tables, STREETS), np.int64)
        self._forget(np.ones(tables, bool))

    @property
    def seat(self) -> Seats:
        return self.batch.actor.astype(np.int64)

    def observation(self, seats: Seats | None = None) -> Features:
        """Cards as 52 flags each; then the seats, from the observer's own on to the left: who has the button, chips
        behind and bet as parts of the starting stack, who has folded, chips put in on each street; raises on each
        street; and what a call, the pot, the least and the greatest raise come to."""
        batch, rows = self.batch, self._rows
        own = self.seat if seats is None else np.asarray(seats, np.int64)
        around = (own[:, None] + self._turns) % self.seats
        seen = np.zeros((self.tables, self.features), np.float32)
        part = self.layout
        hole = batch.hole[rows, own].astype(np.int64)
        seen[rows[:, None], part["hole"].start + hole] = 1
        board = batch.boards.reshape(self.tables, -1).astype(np.int64)
        table, place = np.nonzero(board != NO_CARD)
        seen[table, part["board"].start + board[table, place]] = 1
        seen[rows, part["street"].start + batch.street] = 1
        seen[:, part["button"]] = around == batch.button[:, None]
        seen[:, part["stacks"]] = np.take_along_axis(batch.stacks, around, 1) / self._stack
        seen[:, part["bets"]] = np.take_along_axis(batch.bets, around, 1) / self._stack
        seen[:, part["folded"]] = (batch.folded[:, None] >> around) & 1
        invested = np.take_along_axis(self._invested, around[:, None, :], 2)
        seen[:, part["invested"]] = invested.reshape(self.tables, -1) / self._stack
        seen[:, part["raises"]] = self._raised
        prices = (batch.call, self.pot, batch.min_raise_to, batch.max_raise_to)
        seen[:, part["prices"]] = np.stack(prices, 1) / self._stack
        return seen

    @property
    def pot(self) -> NDArray[np.int64]:
        """(tables,): chips in the middle, bets included."""
        whole = int(self._stack) * self.seats
        pot: NDArray[np.int64] = whole - self.batch.stacks.sum(1)
        return pot

    def raise_totals(self) -> NDArray[np.int64]:
        """(tables, raises): the totals that the raises by parts of the pot come to, within what is legal."""
        batch = self.batch
        bet = batch.bets[self._rows, self.seat]
        called = bet + batch.call
        wanted = called[:, None] + np.rint(self._parts * (self.pot + batch.call)[:, None]).astype(np.int64)
        within: NDArray[np.int64] = np.clip(wanted, batch.min_raise_to[:, None], batch.max_raise_to[:, None])
        return within

    def mask(self) -> Mask:
        batch = self.batch
        totals = self.raise_totals()
        open_raise = batch.legal[:, RAISE, None] & np.ones_like(totals, bool)
        open_raise[:, 1:] &= totals[:, 1:] > totals[:, :-1]  # of those that come to the same, one is enough
        all_in = batch.legal[:, ALL_IN]
        open_raise &= ~(all_in[:, None] & (totals == batch.max_raise_to[:, None]))
        return np.concatenate([batch.legal[:, :2], open_raise, all_in[:, None]], 1)

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float32], Mask]:
        chosen = self.check(actions)
        last = len(self.actions) - 1
        kinds = np.where(chosen == last, ALL_IN, np.minimum(chosen, RAISE)).astype(np.uint8)
        index = np.clip(chosen - RAISE, 0, max(0, len(self._parts) - 1))
        totals = self.raise_totals()[self._rows, index] if len(self._parts) else np.zeros(self.tables, np.int64)
        return self.step_exactly(kinds, totals)

    def step_exactly(self, kinds: NDArray[np.uint8], totals: NDArray[np.int64]) -> tuple[NDArray[np.float32], Mask]:
        """Act as `HandBatch.step` has it: 0 fold, 1 check or call, 2 raise to the total on this street, 3 all-in."""
        batch, rows = self.batch, self._rows
        actor, street = self.seat, batch.street.astype(np.int64)
        before, most = batch.stacks[rows, actor].copy(), batch.max_raise_to.copy()
        bet, call = batch.bets[rows, actor].copy(), batch.call.copy()
        batch.step(kinds, totals)
        paid = np.select(
            [kinds == CALL, kinds == RAISE, kinds == ALL_IN], [call, totals - bet, np.where(most > 0, before, call)], 0
        )
        self._invested[rows, street, actor] += paid
        self._raised[rows, street] += (kinds == RAISE) | ((kinds == ALL_IN) & (most > 0))
        done = batch.done.copy()
        if done.any():
            self._forget(done)
        return (batch.rewards / self._big_blind).astype(np.float32), done

    def _forget(self, which: Mask) -> None:
        """These tables have a new hand: only the posts have been made."""
        self._invested[which] = 0
        self._raised[which] = 0
        self._invested[which, 0] = int(self._stack) - self.batch.stacks[which]
