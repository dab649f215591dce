"""Words and numbers of games that bring none: PettingZoo's own tests, one spelling an action, one for all processes."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import pytest
from msgspec import Meta, Struct
from pettingzoo.test import api_test, seed_test

from holmgang import registry
from holmgang.bots import registry as bots
from holmgang.engine.turn import Await
from holmgang.training import HolmgangEnv, holmgang_env
from holmgang.training.plain import LISTED, SAMPLED, PlainLanguage, gather
from holmgang.training.spelled import spelled, words_of
from tests.unit.games import of_each_game
from tests.unit.shapes import Build, build

from .test_copies import COPIES, rest, step
from .test_environment import any_word, of_any_dictionary, over, play_on

GAMES = [(ruleset, seats) for ruleset in registry.names() for seats in registry.latest(ruleset).seat_counts[:2]]


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of the house without their languages."""
    for game in registry.games():
        monkeypatch.setitem(game.__dict__, "language", None)


def pettingzoos_own(game: str, seats: int, cycles: int) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        api_test(holmgang_env(game, seats), num_cycles=cycles)
        seed_test(lambda: holmgang_env(game, seats), num_cycles=cycles // 4)
    assert {str(each.message) for each in said} <= of_any_dictionary


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(("ruleset", "seats"), GAMES)
def test_pettingzoos_own_tests_pass_without_the_games_own_language(ruleset: str, seats: int) -> None:
    assert type(HolmgangEnv(ruleset, seats).language) is PlainLanguage
    pettingzoos_own(ruleset, seats, 300)


@pytest.mark.parametrize("seats", [2, 3])
def test_pettingzoos_own_tests_pass_with_a_language_that_a_package_brings(toy: Path, seats: int) -> None:
    assert type(HolmgangEnv("toy").language).__module__ == "holmgang_toy.training"
    pettingzoos_own("toy", seats, 1000)


@pytest.mark.parametrize("seats", [2, 3])
def test_pettingzoos_own_tests_pass_with_rules_alone(bare_toy: Path, seats: int) -> None:
    pettingzoos_own("toy", seats, 1000)


@pytest.mark.usefixtures("plain")
@of_each_game("ruleset", "claim")
def test_every_action_has_one_spelling_and_none_begins_another(ruleset: str) -> None:
    """Along a whole game; what is too many to be listed is sampled, by what is seen alone."""
    env, rng = HolmgangEnv(ruleset), np.random.default_rng(3)
    rules = registry.latest(ruleset)
    env.reset(seed=4)
    listed = sampled = 0
    looked_at: Any = None
    while not over(env):
        turn = rules.turn(env._state)
        assert type(turn) is Await
        if (turn.turn, turn.seats) != looked_at:
            looked_at, seat = (turn.turn, turn.seats), turn.seats[0]
            view, space = rules.view(env._state, seat), rules.moves(env._state, seat)
            spelling = env.language.spelling(view, space)
            ends = all_of(spelling)
            count = space.count()
            if count is not None and count <= LISTED:
                listed += 1
                assert len(ends) == count
            else:
                sampled += 1
                assert 1 < len(ends) <= SAMPLED
                guess = rules.determinize(view, Random(9))
                assert all_of(env.language.spelling(rules.view(guess, seat), rules.moves(guess, seat))) == ends
            for words, action in list(ends.items())[:50]:
                assert env.spell(action) == words
                assert space.why_not(action) is None
        env.step(any_word(env, rng))
    assert listed
    assert sampled or ruleset == "drakkars"


def all_of(spelling: Any, written: tuple[int, ...] = ()) -> dict[tuple[int, ...], Any]:
    following = spelling.following(written)
    whole = spelling.action(written)
    assert (whole is None) == bool(following), "a whole action goes no further"
    if whole is not None:
        return {written: whole}
    return {words: end for word in following for words, end in all_of(spelling, (*written, word)).items()}


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("ruleset", registry.names())
def test_hints_can_be_followed_through_a_whole_game(ruleset: str) -> None:
    env = HolmgangEnv(ruleset)
    env.reset(seed=1)
    while not over(env):
        word = env.hint(bots.playing(ruleset)[0])
        assert env.observe(env.agent_selection)["action_mask"][word]
        env.step(word)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("copied", COPIES)
def test_an_environment_goes_to_other_processes(copied: str) -> None:
    env, rng = HolmgangEnv("claim"), np.random.default_rng(1)
    env.reset(seed=2)
    for _ in range(9):
        step(env, rng)
    assert rest(COPIES[copied](env), 7) == rest(env, 7)


def test_observations_tell_what_the_seat_sees_and_differ_where_it_does(bare_toy: Path) -> None:
    env = HolmgangEnv("toy", 3)
    env.reset(seed=1)
    seen: list[tuple[Any, bytes]] = []

    def look() -> None:
        view = env.view(env.agent_selection)
        seen.append((view, env.language.observe(view, ()).vector().tobytes()))

    for seed in range(4):
        env.reset(seed=seed)
        play_on(env, seed, look)
    for view, vector in seen:
        assert all((view == other) == (vector == told) for other, told in seen)


PROGRAM = """
import hashlib, sys
from holmgang.training import HolmgangEnv
env = HolmgangEnv("toy", 2)
env.reset(seed=5)
told = hashlib.sha256(" ".join(env.words).encode())
while not any(env.terminations.values()):
    seen = env.observe(env.agent_selection)
    told.update(seen["observation"].tobytes() + seen["action_mask"].tobytes())
    env.step(int(seen["action_mask"].argmax()))
print(told.hexdigest())
"""


def test_words_and_numbers_are_the_same_in_every_process(bare_toy: Path) -> None:
    def told(seed: str) -> str:
        path = os.pathsep.join([str(bare_toy), *sys.path])
        environ = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        return subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environ, check=True, capture_output=True, text=True
        ).stdout

    assert told("1") == told("2") != ""


class Goods(Struct, frozen=True):
    kind: Literal["wood", "clay"]
    number: Annotated[int, Meta(ge=1, le=3)]


class Trade(Struct, frozen=True, tag="trade", omit_defaults=True):
    goods: tuple[Goods, ...]
    ships: dict[str, int] = {}
    where: str | None = None
    pair: tuple[int, bool] = (0, False)
    weight: float = 1.0


class Rest(Struct, frozen=True, tag="rest"):
    pass


VALUES = [
    Rest(),
    Trade(()),
    Trade((Goods("wood", 3),)),
    Trade((Goods("wood", 3), Goods("wood", 3))),
    Trade((), {"Freya": 12}),
    Trade((), {"Freya": 1, "Fre": 2}),
    Trade((), {"Freya": 1}, "none"),
    Trade((), {}, "(none)"),
    Trade((), {}, "é"),
    Trade((), {}, ""),
    Trade((), {}, None, (-12, True)),
    Trade((), {}, None, (12, True)),
    Trade((), {}, None, (12, False), 2.5),
    build(),
    build(2),
]


def test_any_types_values_are_told_apart_by_words_of_a_finite_list() -> None:
    words = words_of([Trade | Rest, Build])
    assert len(set(words)) == len(words)
    found = [tuple(spelled(type(value), msgspec.to_builtins(value))) for value in VALUES]
    assert all(word in words for each in found for word in each)
    for n, one in enumerate(found):
        for m, other in enumerate(found):
            assert n == m or one != other[: len(one)], (VALUES[n], VALUES[m])
    assert found[2] == ("trade", "wood", "3", "(enough)", *4 * ("(left out)",))


def test_numbers_and_texts_are_told_by_size_and_place() -> None:
    def told(value: Any) -> dict[str, float]:
        found: list[tuple[str, float]] = []
        gather(value, "", found)
        return dict(found)

    sizes = [told(n)["<>"] for n in (-(10**9), -4, 0, 4, 10**9)]
    assert sizes == sorted(sizes)
    assert sizes[1:4] == [0.25, 0.5, 0.75]
    assert 0 <= sizes[0] < sizes[-1] <= 1
    board, moved = told({"board": "..a."}), told({"board": "...a"})
    assert len(set(board) ^ set(moved)) == 4, "a man that moves leaves one square and comes to another"
