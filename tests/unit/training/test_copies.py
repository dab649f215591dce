"""Environments go to other processes and back, wherever a game stands, and take what NumPy calls an integer."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.utils import EzPickle

from holmgang.training import HolmgangEnv, holmgang_env
from tests.unit.games import SETTINGS, Setting

RULESETS = ("claim", "drakkars", "eketorp")


def pickled(protocol: int, env: Any) -> Any:
    return pickle.loads(pickle.dumps(env, protocol))


COPIES: dict[str, Callable[[Any], Any]] = {
    **{f"pickle {protocol}": partial(pickled, protocol) for protocol in (2, pickle.HIGHEST_PROTOCOL)},
    "deepcopy": copy.deepcopy,
}


def step(env: Any, rng: np.random.Generator) -> tuple[Any, ...]:
    """A word that is legal, and all that was to be seen before it."""
    seen = env.observe(env.agent_selection)
    word = rng.choice(np.flatnonzero(seen["action_mask"]))
    told = (env.agent_selection, seen["observation"].tobytes(), seen["action_mask"].tobytes(), int(word))
    env.step(word)  # NumPy's integer
    return told


def rest(env: Any, seed: int) -> list[Any]:
    """The whole rest of the game, which depends on nothing else."""
    rng, told = np.random.default_rng(seed), []
    while not any(env.terminations.values()):
        told.append(step(env, rng))
    return [*told, dict(env.rewards), env.unwrapped._state]


MADE = [
    *(pytest.param(each, HolmgangEnv, marks=pytest.mark.slow if each.between else ()) for each in SETTINGS),
    *(({setting.ruleset: setting for setting in SETTINGS}[ruleset], holmgang_env) for ruleset in RULESETS),
]
"""Wrapped environments too, of one setting of each game."""


@pytest.mark.parametrize(("setting", "make"), MADE)
def test_a_copy_goes_on_as_the_environment_does(setting: Setting, make: Callable[..., Any]) -> None:
    """Made before the game, at its start, in the middle of it, in the middle of a choice, and after it."""
    env = make(setting.ruleset, setting.seats)
    for clone in COPIES.values():
        fresh = clone(env)
        fresh.reset(seed=5)
        assert fresh.agents == fresh.possible_agents
    env.reset(seed=5)
    rng = np.random.default_rng(1)
    for words in (0, 1, 2, 40):
        for _ in range(words):
            if not any(env.terminations.values()):
                step(env, rng)
        expected = rest(copy.deepcopy(env), 2)
        for clone in COPIES.values():
            assert rest(clone(env), 2) == expected
    rest(env, 3)
    for clone in COPIES.values():
        ended = clone(env)
        assert ended.terminations == env.terminations
        assert ended.rewards == env.rewards
        ended.reset(seed=5)
        assert ended.agents == ended.possible_agents


@pytest.mark.parametrize("make", [HolmgangEnv, holmgang_env])
def test_a_copy_is_made_of_the_arguments_and_of_how_the_game_stands(make: Any) -> None:
    env: Any = make("claim", np.int64(3), {"battle_starts": "second"}, rewards="score", render_mode="ansi")
    assert issubclass(type(env.unwrapped), EzPickle)
    env.reset(seed=1)
    step(env, np.random.default_rng(1))
    clone = pickle.loads(pickle.dumps(env))
    assert clone.unwrapped.config == env.unwrapped.config
    assert (clone.unwrapped.paid_by, clone.render_mode, clone.max_num_agents) == ("score", "ansi", 3)
    assert clone.render() == env.render()
    assert len(pickle.dumps(env)) < 10_000, "spaces and words are made anew"


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64, np.array])
def test_a_seed_of_numpy_is_the_integer(ruleset: str, kind: Callable[[int], Any]) -> None:
    seats: Any = np.int64(HolmgangEnv(ruleset).max_num_agents)
    env, other = HolmgangEnv(ruleset), HolmgangEnv(ruleset, seats)
    env.reset(seed=kind(7))
    other.reset(seed=7)
    assert rest(env, 1) == rest(other, 1)
    pickle.dumps(env)


@pytest.mark.parametrize("seed", [np.uint64(2**64 - 1), 2**200, 0])
def test_a_seed_of_any_size_will_do(seed: Any) -> None:
    env = HolmgangEnv("claim")
    env.reset(seed=seed)
    assert env.agents == env.possible_agents


@pytest.mark.parametrize("seed", [-1, np.int64(-3), True, np.bool_(True), 2.0, np.float64(2), "3", b"3", [3]])
def test_what_is_no_seed_is_refused_and_changes_nothing(seed: Any) -> None:
    env, other = HolmgangEnv("claim"), HolmgangEnv("claim")
    env.reset(seed=1)
    other.reset(seed=1)
    with pytest.raises((TypeError, ValueError), match="a seed is"):
        env.reset(seed=seed)
    assert rest(env, 1) == rest(other, 1)
