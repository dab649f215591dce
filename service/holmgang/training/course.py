"""A game that is chosen word by word: what the environments share."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from random import Random
from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from numpy.typing import NDArray

from holmgang import registry
from holmgang.bots import registry as bots
from holmgang.bots.base import settle, win_share
from holmgang.engine.rules import play, players
from holmgang.engine.turn import Await, Over, Seat

from .choice import Choice
from .language import Language
from .plain import PlainLanguage
from .sheet import Block
from .spelling import Words

Observation: TypeAlias = dict[str, NDArray[Any]]
Rewards: TypeAlias = Literal["win", "score"]
RenderMode: TypeAlias = Literal["ansi", "human"]

COURSE = (
    *("agents", "rewards", "terminations", "truncations", "infos"),
    *("_rng", "_chance", "_hinted", "_hint_seed", "_state", "_turn", "_finished"),
)
"""What tells a copy how the game stands. All else is made of the arguments, or of these."""


class Course(EzPickle):
    """A game of a ruleset with so many seats (by default as few as it allows) and the options that it is created with.

    A choice is made word by word, by the same agent, until it is a whole action; words that alone can follow are
    written for it. `rewards` are paid at the end, and add up to nothing: see `payoffs`.

    It is pickled by its arguments, as `EzPickle` does, and by where the game stands: a copy goes on as this would.
    """

    also_told: tuple[str, ...] = ()
    """What else tells a copy how the game stands."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        rewards: Rewards = "win",
        render_mode: RenderMode | None = None,
    ) -> None:
        if rewards not in ("win", "score"):
            raise ValueError(f"rewards are 'win' or 'score', not {rewards!r}")
        self.rules = registry.latest(game)
        seats = min(self.rules.seat_counts) if seats is None else operator.index(seats)
        if seats not in self.rules.seat_counts:
            raise ValueError(f"{self.rules.title} takes {players(self.rules)}")
        EzPickle.__init__(self, game, seats, dict(options or {}), rewards=rewards, render_mode=render_mode)
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
        self.agents: list[str] = []
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

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        return self.action_spaces[agent]

    def __getstate__(self) -> dict[str, Any]:
        course = {name: self.__dict__[name] for name in (*COURSE, *self.also_told) if name in self.__dict__}
        written = {seat: choice.written for seat, choice in self._choices.items()}
        return {**EzPickle.__getstate__(self), "course": course, "written": written}

    def __setstate__(self, state: dict[str, Any]) -> None:
        EzPickle.__setstate__(self, state)
        self.__dict__.update(state["course"])
        self._look_anew()
        for seat, words in state["written"].items():
            self._begin(seat, words)

    # The course of a game

    def _start(self, seed: int | None) -> None:
        """A new game. With a seed, its chance is that seed's; without, chance goes on."""
        if seed is not None:
            self._rng = Random(_whole(seed))  # noqa: S311 # training is to be repeatable
        self._deal(self._rng.getrandbits(64))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._ask()

    def _deal(self, seed: int) -> None:
        """The state at the first turn."""
        self._chance = Random(seed)  # noqa: S311 # training is to be repeatable
        self._hinted: dict[tuple[int, Seat, str], Words] = {}
        self._hint_seed = seed
        self._look_anew()
        self._state = settle(self.rules, self.rules.initial(self.config), self._chance)

    def _look_anew(self) -> None:
        """Forget what the state before looked like."""
        self._choices: dict[Seat, Choice] = {}
        """Of those who are asked."""
        self._views: dict[Seat, Any] = {}
        self._seen: dict[Seat, Observation] = {}

    def _ask(self) -> None:
        """Turn to whoever chooses next, or pay at the end."""
        turn = self.rules.turn(self._state)
        self._look_anew()
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if type(turn) is Over:
            for seat, payoff in enumerate(self.payoffs(turn)):
                self.rewards[self.possible_agents[seat]] = payoff
            self.terminations = dict.fromkeys(self.agents, True)
            return
        assert type(turn) is Await
        self._turn = turn
        for agent in self.agents:
            self.infos[agent] = {"turn": turn.turn, "kind": turn.kind}
        for seat in self._asked(turn):
            self._begin(seat)

    def _asked(self, turn: Await) -> tuple[Seat, ...]:
        """The seats that write their words now."""
        raise NotImplementedError

    def _begin(self, seat: Seat, written: Words = ()) -> None:
        spelling = self.language.spelling(self._view(seat), self.rules.moves(self._state, seat))
        self._choices[seat] = Choice(spelling, written)

    def _view(self, seat: Seat) -> Any:
        """What a seat sees, made once for each state. Nobody outside is given it, who might change it."""
        found = self._views.get(seat)
        if found is None:
            found = self._views[seat] = self.rules.view(self._state, seat)
        return found

    def _play(self, seat: Seat, action: Any) -> None:
        self._state = settle(self.rules, play(self.rules, self._state, seat, action).state, self._chance)

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
        """What the agent's seat sees, and which words it may write: none, if it is not asked."""
        seat = self.possible_agents.index(agent)
        found = self._seen.get(seat)
        if found is None:
            found = self._seen[seat] = self._observed(seat)
        return {name: values.copy() for name, values in found.items()}

    def _observed(self, seat: Seat) -> Observation:
        """Made of the seat's view, and of the words that it has just written, if it is one that chooses."""
        choice = self._choices.get(seat)
        mask = np.zeros(len(self.words), np.int8)
        if choice is not None:
            mask[list(choice.following())] = 1
        sheet = self.language.observe(self._view(seat), () if choice is None else choice.written)
        return {"observation": sheet.vector(), "action_mask": mask}

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

    def _hint(self, seat: Seat, bot: str | None) -> int:
        """The next word of what a built-in bot would do: of `greedy` unless another is named, or of the strongest that
        can play where `greedy` cannot.

        It depends on nothing but what the seat sees and the game's seed, and changes nothing. Where the mask knows only
        a sample of the legal actions, it is what begins most like what the bot would do. ValueError where words
        were written that the bot would not have written, and for a bot that cannot play the game.
        """
        choice = self._choices[seat]
        bot = bot or bots.usual(self.rules.ruleset)
        if not bots.plays(bot, self.rules.ruleset):
            able = ", ".join(bots.playing(self.rules.ruleset))
            raise ValueError(f"No bot '{bot}' plays {self.rules.title}. Bots that do: {able}.")
        key = (self._turn.turn, seat, bot)
        words = self._hinted.get(key)
        if words is None:
            rng = Random(f"{self._hint_seed}/{key}")  # noqa: S311 # training is to be repeatable
            action = bots.find(bot).choose(self.rules, self._view(seat), rng)
            words = self._hinted[key] = _nearest(choice, self._spell(seat, action))
        done = len(choice.written)
        if words[:done] != choice.written:
            raise ValueError(f"{bot} would have written {[self.words[word] for word in words]}")
        return words[done]

    def _spell(self, seat: Seat, action: Any) -> Words:
        """The words of an action: one of the rules, or its JSON as the service knows it."""
        if isinstance(action, Mapping):
            action = self.rules.decode(self._turn.kind, dict(action))
        return self.language.spell(seat, self.rules.canonical(seat, action))

    def _word(self, action: int | None) -> str:
        return repr(self.words[action]) if action is not None and 0 <= action < len(self.words) else repr(action)


def _nearest(choice: Choice, words: Words) -> Words:
    """The words themselves; where only a sample of the legal actions can be spelled, what begins most like them."""
    found: Words = ()
    while following := choice.spelling.following(found):
        at = len(found)
        as_said = at < len(words) and words[:at] == found and words[at] in following
        found = (*found, words[at] if as_said else following[0])
    return found


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
