"""A game as a PettingZoo environment (AEC): agents choose one after the other, word by word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from holmgang.engine.turn import Await, Seat

from .course import Course, RenderMode, Rewards
from .spelling import Words

ILLEGAL_REWARD = -1.0


def env(
    game: str,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    rewards: Rewards = "win",
    render_mode: RenderMode | None = None,
) -> AECEnv:
    """The environment with PettingZoo's wrappers: a masked word ends the game with -1 for who wrote it (and 0 for the
    others), and calls out of order and numbers that are no words are refused."""
    course = HolmgangEnv(game, seats, options, rewards=rewards, render_mode=render_mode)
    return Guarded(wrappers.TerminateIllegalWrapper(course, illegal_reward=ILLEGAL_REWARD))


class HolmgangEnv(Course, AECEnv):  # type: ignore[misc]  # PettingZoo is not typed for others
    """A course whose agents take turns. Seats that are asked together choose one after the other and see nothing of
    each other's choices."""

    also_told = ("agent_selection", "_cumulative_rewards", "_skip_agent_selection")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. With a seed, its chance is that seed's; without, chance goes on. `options` are not looked at:
        those of the game belong to the environment, whose spaces depend on them.

        A seed is an integer, NumPy's too, that is not negative: TypeError or ValueError for others.
        """
        self._start(seed)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)

    def _asked(self, turn: Await) -> tuple[Seat, ...]:
        self.agent_selection = self.possible_agents[turn.seats[0]]
        return turn.seats[:1]

    def step(self, action: int | None) -> None:
        """Write a word. A word that the mask forbids raises ValueError; `env` has a wrapper for that."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        ((seat, choice),) = self._choices.items()
        if action is None or action not in choice.following():
            raise ValueError(f"{self._word(action)} may not follow {[self.words[word] for word in choice.written]}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        choice.write(int(action))
        self._seen.clear()
        chosen = choice.action()
        if chosen is not None:
            self._play(seat, chosen)
            self._ask()
        self._accumulate_rewards()
        if self.terminations[agent]:
            self._deads_step_first()

    def hint(self, bot: str | None = None) -> int:
        """The next word of what a built-in bot would do, for opponents and for learning by example: of `greedy` unless
        another is named, or of the strongest that can play where `greedy` cannot.

        It depends on nothing but what the seat sees and the game's seed, and changes nothing. Where the mask knows only
        a sample of the legal actions, it is what begins most like what the bot would do. ValueError where words
        were written that the bot would not have written, and for a bot that cannot play the game.
        """
        return self._hint(self._chooser(), bot)

    def spell(self, action: Any) -> Words:
        """The words of an action of the agent that chooses: one of the rules, or its JSON as the service knows it."""
        return self._spell(self._chooser(), action)

    def _chooser(self) -> Seat:
        return self.possible_agents.index(self.agent_selection)


TOLD = frozenset(
    {"agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards"}
)


class Guarded(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]  # PettingZoo is not typed for others
    """PettingZoo's wrapper that enforces the order of calls, and the one that asserts that actions are in their space.

    Both in one, which asks the environment itself how things stand: of what a step takes in Claim, three wrappers that
    ask each other are a fifth.
    """

    def __init__(self, env: AECEnv) -> None:
        super().__init__(env)
        self._course = env.unwrapped

    def __getattr__(self, name: str) -> Any:
        if name in TOLD and self._has_reset:
            return getattr(self._course, name)
        return super().__getattr__(name)

    def __str__(self) -> str:
        return str(self.env)

    def step(self, action: int | None) -> None:
        if self._has_reset and self._course.agents:
            agent = self._course.agent_selection
            over = self._course.terminations[agent] or self._course.truncations[agent]
            legal = over if action is None else self._course.action_space(agent).contains(action)
            assert legal, "action is not in action space"
        super().step(action)
