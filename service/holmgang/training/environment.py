"""A game as a PettingZoo environment (AEC): agents choose word by word what they do, and see what their seats see."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from random import Random
from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from holmgang import registry
from holmgang.bots import registry as bots
from holmgang.bots.base import settle, win_share
from holmgang.engine.rules import play
from holmgang.engine.turn import Await, Over, Seat

from .language import Language
from .plain import PlainLanguage
from .sheet import Block
from .spelling import Spelling, Words

Observation: TypeAlias = dict[str, NDArray[Any]]
Rewards: TypeAlias = Literal["win", "score"]
RenderMode: TypeAlias = Literal["ansi", "human"]

ILLEGAL_REWARD = -1.0


def holmgang_env(
    game: str,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    rewards: Rewards = "win",
    render_mode: RenderMode | None = None,
) -> AECEnv:
    """The environment with PettingZoo's wrappers: a masked word ends the game with -1 for who wrote it (and 0 for the
    others), and calls out of order are refused."""
    env: AECEnv = HolmgangEnv(game, seats, options, rewards=rewards, render_mode=render_mode)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=ILLEGAL_REWARD)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


class HolmgangEnv(AECEnv):  # type: ignore[misc]  # PettingZoo is not typed for others
    """A game of a ruleset with so many seats (by default as few as it allows) and the options that it is created with.

    A choice is made word by word, by the same agent, until it is a whole action; words that alone can follow are
    written for it. Seats that are asked together choose one after the other and see nothing of each other's choices.
    `rewards` are paid at the end, and add up to nothing: see `payoffs`.
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
        super().__init__()
        if rewards not in ("win", "score"):
            raise ValueError(f"rewards are 'win' or 'score', not {rewards!r}")
        self.rules = registry.latest(game)
        seats = min(self.rules.seat_counts) if seats is None else operator.index(seats)
        if seats not in self.rules.seat_counts:
            raise ValueError(f"{self.rules.title} takes {', '.join(map(str, self.rules.seat_counts))} players")
        self.config = self.rules.configure(seats, options or {})
        language = registry.game(game).language or PlainLanguage
        self.language: Language = language(self.rules, self.config)
        self.paid_by = rewards
        self.render_mode = render_mode
        self.metadata = {
            "name": f"holmgang_{game}_v{self.rules.version}",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._rng = Random()  # noqa: S311 # training is to be repeatable
        self._deal(0)
        sheet = self.language.observe(self.rules.view(self._state, 0), ())
        self.blocks: tuple[Block, ...] = tuple(sheet.blocks)
        """The parts of an observation by name."""
        self.words = self.language.words
        """What each action says."""
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, (self.blocks[-1].stop,), np.float32),
                    "action_mask": spaces.Box(0, 1, (len(self.words),), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(len(self.words)) for agent in self.possible_agents}
        self._rng = Random()  # noqa: S311 # training is to be repeatable
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        return self.action_spaces[agent]

    # The course of a game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. With a seed, its chance is that seed's; without, chance goes on. `options` are not looked at:
        those of the game belong to the environment, whose spaces depend on them.

        A seed is an integer, NumPy's too, that is not negative: TypeError or ValueError for others.
        """
        if seed is not None:
            self._rng = Random(_whole(seed))  # noqa: S311 # training is to be repeatable
        self._deal(self._rng.getrandbits(64))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._ask()

    def _deal(self, seed: int) -> None:
        """The state at the first turn."""
        self._chance = Random(seed)  # noqa: S311 # training is to be repeatable
        self._hinted: dict[tuple[int, Seat, str], Words] = {}
        self._hint_seed = seed
        self._written: Words = ()
        self._spelling: Spelling | None = None
        self._seen: dict[Seat, Observation] = {}
        self._state = settle(self.rules, self.rules.initial(self.config), self._chance)

    def __getstate__(self) -> dict[str, Any]:
        """All but the spelling of the decision, which follows from the rest, and whose functions cannot be pickled."""
        return {name: value for name, value in self.__dict__.items() if name != "_spelling"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._spelling = self._spelt()

    def _ask(self) -> None:
        """Turn to who chooses next, or end."""
        turn = self.rules.turn(self._state)
        self._written, self._spelling = (), None
        self._seen.clear()
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if type(turn) is Over:
            for seat, payoff in enumerate(self.payoffs(turn)):
                self.rewards[self.possible_agents[seat]] = payoff
            self.terminations = dict.fromkeys(self.agents, True)
            return
        assert type(turn) is Await
        self._turn = turn
        self.agent_selection = self.possible_agents[turn.seats[0]]
        for agent in self.agents:
            self.infos[agent] = {"turn": turn.turn, "kind": turn.kind}
        self._spelling = self._spelt()
        self._write_what_is_forced(whole=False)

    def _spelt(self) -> Spelling | None:
        """How the one who chooses can say so; None before the game and after it."""
        turn = self.rules.turn(self._state)
        if type(turn) is not Await or not self.agents:
            return None
        view = self.rules.view(self._state, turn.seats[0])
        return self.language.spelling(view, self.rules.moves(self._state, turn.seats[0]))

    def step(self, action: int | None) -> None:
        """Write a word. A word that the mask forbids raises ValueError; `holmgang_env` has a wrapper for that."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self._spelling is not None
        if action is None or action not in self._spelling.following(self._written):
            raise ValueError(f"{self._word(action)} may not follow {[self.words[word] for word in self._written]}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._written = (*self._written, int(action))
        self._seen.clear()
        self._write_what_is_forced(whole=True)
        chosen = self._spelling.action(self._written)
        if chosen is not None:
            seat = self.possible_agents.index(agent)
            self._state = settle(self.rules, play(self.rules, self._state, seat, chosen).state, self._chance)
            self._ask()
        self._accumulate_rewards()
        if self.terminations[agent]:
            self._deads_step_first()

    def _write_what_is_forced(self, *, whole: bool) -> None:
        """Words that alone can follow; the last of an action only if it may be `whole` without a word of the agent's:
        even a seat that has one action only, which others do not know, takes its step."""
        assert self._spelling is not None
        while len(following := self._spelling.following(self._written)) == 1:
            longer = (*self._written, following[0])
            if not whole and self._spelling.action(longer) is not None:
                return
            self._written = longer

    def _word(self, action: int | None) -> str:
        return repr(self.words[action]) if action is not None and 0 <= action < len(self.words) else repr(action)

    def payoffs(self, over: Over) -> list[float]:
        """What a result is worth to each seat.

        `win`: 1 to the side that has won alone, -1 / (number of other sides) to each of the others; of a shared win
        the winners share the 1 and what they would have lost. To each partner what their side gets. `score`: one's own
        final score less the mean of all seats'.
        """
        if self.paid_by == "score":
            mean = sum(over.scores) / len(over.scores)
            return [score - mean for score in over.scores]
        sides = len(self.rules.teams(len(over.scores)))
        return [(sides * win_share(self.rules, over, seat) - 1) / (sides - 1) for seat in range(len(over.scores))]

    # What is seen

    def observe(self, agent: str) -> Observation:
        seat = self.possible_agents.index(agent)
        found = self._seen.get(seat)
        if found is None:
            found = self._seen[seat] = self._observed(seat)
        return {name: values.copy() for name, values in found.items()}

    def _observed(self, seat: Seat) -> Observation:
        """Made of the seat's view, and of the words that it has just written, if it is the one who chooses."""
        mine = self._spelling is not None and self.possible_agents[seat] == self.agent_selection
        written = self._written if mine else ()
        mask = np.zeros(len(self.words), np.int8)
        if mine and self._spelling is not None:
            mask[list(self._spelling.following(written))] = 1
        view = self.rules.view(self._state, seat)
        return {"observation": self.language.observe(view, written).vector(), "action_mask": mask}

    def render(self) -> str | None:
        """The table as everybody sees it, as text: given for `ansi`, printed for `human`."""
        if self.render_mode is None:
            return None
        text = self.rules.render(self.rules.view(self._state, None))
        if self.render_mode == "human":
            print(text)
            return None
        return text

    # Help from outside

    def view(self, agent: str) -> Any:
        """What the agent's seat sees, as the service's own bots are given it."""
        return self.rules.view(self._state, self.possible_agents.index(agent))

    def hint(self, bot: str | None = None) -> int:
        """The next word of what a built-in bot would do, for opponents and for learning by example: of `greedy` unless
        another is named, or of the strongest that can play where `greedy` cannot.

        It depends on nothing but what the seat sees and the game's seed, and changes nothing. Where the mask knows only
        a sample of the legal actions, it is what begins most like what the bot would do. ValueError where words
        were written that the bot would not have written, and for a bot that cannot play the game.
        """
        assert self._spelling is not None, "the game is over"
        bot = bot or bots.usual(self.rules.ruleset)
        if not bots.plays(bot, self.rules.ruleset):
            able = ", ".join(bots.playing(self.rules.ruleset))
            raise ValueError(f"No bot '{bot}' plays {self.rules.title}. Bots that do: {able}.")
        seat = self.possible_agents.index(self.agent_selection)
        key = (self._turn.turn, seat, bot)
        words = self._hinted.get(key)
        if words is None:
            rng = Random(f"{self._hint_seed}/{key}")  # noqa: S311 # training is to be repeatable
            action = bots.find(bot).choose(self.rules, self.rules.view(self._state, seat), rng)
            words = self._hinted[key] = self._nearest(self.spell(action))
        done = len(self._written)
        if words[:done] != self._written:
            raise ValueError(f"{bot} would have written {[self.words[word] for word in words]}")
        return words[done]

    def _nearest(self, words: Words) -> Words:
        """The words themselves; where only a sample of the legal actions can be spelled, what begins most like them."""
        assert self._spelling is not None
        found: Words = ()
        while following := self._spelling.following(found):
            at = len(found)
            as_said = at < len(words) and words[:at] == found and words[at] in following
            found = (*found, words[at] if as_said else following[0])
        return found

    def spell(self, action: Any) -> Words:
        """The words of an action of the agent that chooses: one of the rules, or its JSON as the service knows it."""
        seat = self.possible_agents.index(self.agent_selection)
        if isinstance(action, Mapping):
            action = self.rules.decode(self._turn.kind, dict(action))
        return self.language.spell(seat, self.rules.canonical(seat, action))


def _whole(seed: Any) -> int:
    """The seed as Python's integer. Random would take -3 for 3, and True for 1."""
    if isinstance(seed, bool):
        raise TypeError("a seed is an integer, not a truth value")
    try:
        found = operator.index(seed)
    except TypeError:
        raise TypeError(f"a seed is an integer, not {type(seed).__name__}") from None
    if found < 0:
        raise ValueError(f"a seed is not negative, as {found} is")
    return found
