"""The same games as PettingZoo environments, one hand an episode, for libraries that want those.

Observations are dicts of `observation` and `action_mask`, as in PettingZoo's own card games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.installation import command_for
from parlour.train.holdem import HoldemVector
from parlour.train.small import KuhnVector, LeducVector
from parlour.train.vector import Vector

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as fault:
    if fault.name not in {"gymnasium", "pettingzoo"}:
        raise
    message = f"parlour.train's environments need {fault.name}, which is not installed: {command_for('train')}"
    raise ModuleNotFoundError(message, name=fault.name) from None

Make = Callable[[int], Vector]


class HandEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One table of a vector, hand by hand."""

    metadata: dict[str, Any]

    def __init__(self, name: str, make: Make, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = {"name": name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self._make = make
        self._seeds = np.random.default_rng()
        self._vector = make(int(self._seeds.integers(2**62)))
        self._over = True
        actions, features = len(self._vector.actions), self._vector.features
        self.possible_agents = [f"player_{seat}" for seat in range(self._vector.seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space = spaces.Dict(
            {
                "observation": spaces.Box(0.0, np.inf, (features,), np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next hand, with the button moved on; with a seed, all hands from now on are as it says."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        if seed is not None or not self._over:  # a hand that was broken off is not taken up again
            self._vector = self._make(int(self._seeds.integers(2**62)))
        self._over = False
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_act()

    def _to_act(self) -> str:
        return self.possible_agents[int(self._vector.seat[0])]

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent sees; after the end of the hand nothing, since the next one is not dealt yet."""
        vector = self._vector
        if self._over:
            seen, legal = np.zeros(vector.features, np.float32), np.zeros(len(vector.actions), np.int8)
        else:
            seen = vector.observation(np.array([self._seat_of[agent]]))[0]
            legal = vector.mask()[0].astype(np.int8) * (agent == self.agent_selection)
        return {"observation": seen, "action_mask": legal.astype(np.int8)}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        won, done = self._vector.step(np.array([action]))
        self._clear_rewards()
        if done[0]:
            self._over = True
            for other, seat in self._seat_of.items():
                self.rewards[other] = float(won[0, seat])
                self.terminations[other] = True
            self.agent_selection = self.possible_agents[(self._seat_of[agent] + 1) % len(self.possible_agents)]
        else:
            self.agent_selection = self._to_act()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Who is to act, and what they may do."""
        if self.render_mode != "ansi":
            return None
        if self._over:
            return "the hand is over"
        legal = [name for name, open_ in zip(self._vector.actions, self._vector.mask()[0], strict=True) if open_]
        return f"{self.agent_selection} may {', '.join(legal)}"

    def close(self) -> None:
        pass


def _wrapped(env: HandEnv) -> Any:
    """As PettingZoo wraps its own card games: an illegal action ends the hand, at the cost of an ante."""
    checked: Any = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    checked = wrappers.AssertOutOfBoundsWrapper(checked)
    return wrappers.OrderEnforcingWrapper(checked)


def holdem_env(*, render_mode: str | None = None, **rules: Any) -> Any:
    """Hold'em, one hand an episode; `rules` are those of `HoldemVector`."""
    return _wrapped(HandEnv("parlour_holdem_v1", lambda seed: HoldemVector(1, seed=seed, **rules), render_mode))


def kuhn_env(*, render_mode: str | None = None) -> Any:
    """Kuhn's poker."""
    return _wrapped(HandEnv("parlour_kuhn_v1", lambda seed: KuhnVector(1, seed=seed), render_mode))


def leduc_env(*, render_mode: str | None = None) -> Any:
    """Leduc poker."""
    return _wrapped(HandEnv("parlour_leduc_v1", lambda seed: LeducVector(1, seed=seed), render_mode))
