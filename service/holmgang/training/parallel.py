"""A game as a PettingZoo environment (Parallel): all seats that a sealed turn asks write their words at once."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pettingzoo import ParallelEnv

from holmgang.bots.base import settle
from holmgang.engine.turn import Await, Seat

from .course import Course, Observation, RenderMode, Rewards
from .environment import ILLEGAL_REWARD
from .spelling import Words

TRIED = 20
"""So many games are played at random before a game counts as one without sealed turns."""


class HolmgangParallelEnv(Course, ParallelEnv):  # type: ignore[misc]  # PettingZoo is not typed for others
    """A course in which everybody who is asked chooses at once.

    A step takes a word of each agent that is asked: those whose masks allow any. Where a turn is not sealed, that is
    one agent. What others say is not looked at, and may be left out. An agent whose action is whole waits for those of
    the others; nothing happens in the game before. ValueError for games that have no sealed turns.
    """

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        rewards: Rewards = "win",
        render_mode: RenderMode | None = None,
    ) -> None:
        super().__init__(game, seats, options, rewards=rewards, render_mode=render_mode)
        if not any(self._seals(seed) for seed in range(TRIED)):
            raise ValueError(
                f"{self.rules.title} has no sealed turns: its seats never choose at once. "
                f"Use holmgang.training.env({game!r}), in which they choose one after the other."
            )
        self._finished: dict[Seat, Any] = {}
        """Whole actions that wait for the others'."""

    def _seals(self, seed: int) -> bool:
        """Whether a game at random comes to a sealed turn."""
        rng = Random(seed)  # noqa: S311 # training is to be repeatable
        state = settle(self.rules, self.rules.initial(self.config), rng)
        while type(turn := self.rules.turn(state)) is Await:
            if turn.sealed:
                return True
            action = self.rules.moves(state, turn.seats[0]).sample(rng)
            state = settle(self.rules, self.rules.apply(state, turn.seats[0], action).state, rng)
        return False

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """A new game, as with `HolmgangEnv.reset`."""
        self._finished = {}
        self._start(seed)
        return {agent: self.observe(agent) for agent in self.agents}, self.infos

    def _asked(self, turn: Await) -> tuple[Seat, ...]:
        return turn.seats if turn.sealed else turn.seats[:1]

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Write a word for each agent that is asked: ValueError where one is missing.

        A word that its mask forbids ends the game: -1 for each that wrote one, 0 for the others.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        words = {seat: self._said(seat, actions) for seat in self._choices}
        agents, self.rewards = self.agents, dict.fromkeys(self.agents, 0.0)
        wrong = [seat for seat, word in words.items() if word not in self._choices[seat].following()]
        if wrong:
            self.rewards |= {self.possible_agents[seat]: ILLEGAL_REWARD for seat in wrong}
            self.terminations = dict.fromkeys(agents, True)
        else:
            self._write(words)
        seen = {agent: self.observe(agent) for agent in agents}
        told = seen, self.rewards, self.terminations, self.truncations, self.infos
        self.agents = [agent for agent in agents if not self.terminations[agent]]
        return told

    def _said(self, seat: Seat, actions: Mapping[str, int]) -> int:
        agent = self.possible_agents[seat]
        if agent not in actions:
            raise ValueError(f"{agent} is asked, and says nothing")
        return int(actions[agent])

    def _write(self, words: Mapping[Seat, int]) -> None:
        self._seen.clear()
        for seat, word in words.items():
            choice = self._choices[seat]
            choice.write(word)
            action = choice.action()
            if action is not None:
                self._finished[seat] = action
                del self._choices[seat]
        if not self._choices:
            for seat in sorted(self._finished):
                self._play(seat, self._finished[seat])
            self._finished = {}
            self._ask()

    def hint(self, agent: str, bot: str | None = None) -> int:
        """The next word of what a built-in bot would do for an agent that is asked, as `HolmgangEnv.hint` gives it."""
        return self._hint(self.possible_agents.index(agent), bot)

    def spell(self, agent: str, action: Any) -> Words:
        """The words of an action of an agent: one of the rules, or its JSON as the service knows it."""
        return self._spell(self.possible_agents.index(agent), action)
