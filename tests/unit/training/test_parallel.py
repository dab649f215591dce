"""Where turns are sealed, all who are asked can write their words at once; nothing else is different."""

from __future__ import annotations

import copy
import pickle
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from holmgang.training import HolmgangEnv, env, holmgang_env, parallel_env, raw_env
from holmgang.training.parallel import HolmgangParallelEnv

SEALED = ("drakkars", "eketorp")


def word(seen: dict[str, Any]) -> int:
    """A legal word that follows from what may be written, and from nothing else: only one kind of environment shows
    who of the others has sealed a choice."""
    legal = np.flatnonzero(seen["action_mask"])
    return int(legal[crc32(seen["action_mask"].tobytes()) % len(legal)])


def asked(seen: dict[str, Any]) -> list[str]:
    return [agent for agent, each in seen.items() if each["action_mask"].any()]


def rest(game: HolmgangParallelEnv) -> list[Any]:
    """The rest of the game, as everybody sees it."""
    told: list[Any] = []
    while game.agents:
        seen = {agent: game.observe(agent) for agent in game.agents}
        actions = {agent: word(seen[agent]) for agent in asked(seen)}
        seen, rewards, ended, cut, infos = game.step(actions)
        told.append((actions, [each["observation"].tobytes() for each in seen.values()], rewards, ended, cut, infos))
    return told


def test_names_are_pettingzoos() -> None:
    assert raw_env is HolmgangEnv
    assert parallel_env is HolmgangParallelEnv
    assert holmgang_env is env
    assert str(env("claim")) == "holmgang_claim_v1"


@pytest.mark.parametrize("ruleset", SEALED)
def test_pettingzoos_own_tests_pass(ruleset: str) -> None:
    parallel_api_test(parallel_env(ruleset), num_cycles=150)
    parallel_seed_test(lambda: parallel_env(ruleset), num_cycles=50)


def test_a_game_without_sealed_turns_is_refused_and_the_way_out_named() -> None:
    with pytest.raises(ValueError, match=r"Claim has no sealed turns.* Use holmgang\.training\.env\('claim'\)"):
        parallel_env("claim")


@pytest.mark.parametrize("ruleset", SEALED)
def test_at_once_and_one_after_the_other_are_the_same_game(ruleset: str) -> None:
    turns, together = raw_env(ruleset), parallel_env(ruleset)
    at_once: set[int] = set()
    for seed in range(5):
        turns.reset(seed=seed)
        together.reset(seed=seed)
        while not any(turns.terminations.values()):
            turns.step(word(turns.observe(turns.agent_selection)))
        at_once |= {len(actions) for actions, *_ in rest(together)}
        assert together._state == turns._state
        assert together.rewards == turns.rewards
    assert {1, together.max_num_agents} <= at_once


def test_who_is_asked_sees_nothing_of_the_others_words_and_waits_for_them() -> None:
    game = parallel_env("eketorp")
    seen, infos = game.reset(seed=1)
    assert infos["seat_0"]["kind"] == "placement"
    assert asked(seen) == game.agents
    state = game._state
    enough = game.words.index("enough")
    after, *_ = game.step({agent: enough if agent == "seat_0" else word(seen[agent]) for agent in game.agents})
    assert asked(after) == game.agents[1:], "seat 0 is done"
    assert game._state is state
    other = parallel_env("eketorp")
    other.reset(seed=1)
    otherwise, *_ = other.step({agent: 0 if agent == "seat_0" else word(seen[agent]) for agent in other.agents})
    assert asked(otherwise) == other.agents
    for agent in game.agents[1:]:
        np.testing.assert_array_equal(after[agent]["observation"], otherwise[agent]["observation"])


def test_a_masked_word_ends_the_game_for_who_wrote_it() -> None:
    game = parallel_env("eketorp")
    seen, _ = game.reset(seed=1)
    wrong = int(np.flatnonzero(seen["seat_1"]["action_mask"] == 0)[0])
    actions = {agent: wrong if agent == "seat_1" else word(seen[agent]) for agent in game.agents}
    _, rewards, ended, _, _ = game.step(actions)
    assert rewards == {"seat_0": 0, "seat_1": -1, "seat_2": 0}
    assert all(ended.values())
    assert game.agents == []
    assert game.step({}) == ({}, {}, {}, {}, {})


def test_who_is_asked_must_say_something() -> None:
    game = parallel_env("eketorp")
    seen, _ = game.reset(seed=1)
    with pytest.raises(ValueError, match="seat_2 is asked, and says nothing"):
        game.step({agent: word(seen[agent]) for agent in ("seat_0", "seat_1")})


def test_a_copy_goes_on_as_the_environment_does() -> None:
    """In the middle of choices too, of which one is whole."""
    game = parallel_env("eketorp")
    seen, _ = game.reset(seed=4)
    enough = game.words.index("enough")
    game.step({agent: enough if agent == "seat_0" else word(seen[agent]) for agent in game.agents})
    expected = rest(copy.deepcopy(game))
    assert rest(pickle.loads(pickle.dumps(game))) == expected
    assert rest(game) == expected


@pytest.mark.parametrize("ruleset", SEALED)
def test_hints_are_words_that_may_follow(ruleset: str) -> None:
    game = parallel_env(ruleset)
    seen, _ = game.reset(seed=2)
    for _ in range(40):
        hints = {agent: game.hint(agent, "random") for agent in asked(seen)}
        assert all(seen[agent]["action_mask"][hint] for agent, hint in hints.items())
        seen, *_ = game.step(hints)
    agent = asked(seen)[0]
    action = game.rules.moves(game._state, int(agent[-1])).sample(game._rng)
    assert game.spell(agent, action)
