"""The games as PettingZoo environments: PettingZoo's own tests, what is paid, who is asked, and what nobody may see."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from holmgang.bots import registry as bots
from holmgang.checking.walks import walk
from holmgang.engine.turn import Await, Over
from holmgang.training import HolmgangEnv, holmgang_env
from holmgang.training.sheet import Sheet
from tests.unit.games import SETTINGS, Setting, each_setting

of_any_dictionary = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}
"""What PettingZoo's test says of every environment with action masks that is not on its list of names."""


def made(setting: Setting, options: Mapping[str, Any] | None = None, **more: Any) -> HolmgangEnv:
    return HolmgangEnv(setting.ruleset, setting.seats, options, **more)


def any_word(env: HolmgangEnv, rng: np.random.Generator) -> int:
    mask = env.observe(env.agent_selection)["action_mask"]
    return int(rng.choice(np.flatnonzero(mask)))


def over(env: HolmgangEnv) -> bool:
    return any(env.terminations.values())


def play_on(env: HolmgangEnv, seed: int, watch: Callable[[], object] = lambda: None) -> None:
    """To the end, each word as likely as the others that are legal."""
    rng = np.random.default_rng(seed)
    while not over(env):
        watch()
        env.step(any_word(env, rng))


@each_setting
def test_pettingzoos_own_tests_pass(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        api_test(holmgang_env(setting.ruleset, setting.seats), num_cycles=2000)
        seed_test(lambda: holmgang_env(setting.ruleset, setting.seats), num_cycles=400)
    assert {str(each.message) for each in said} <= of_any_dictionary
    assert "Illegal move" not in "".join(capsys.readouterr())


@each_setting
def test_observations_are_vectors_of_one_size_in_their_bounds(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = Sheet.numbers

    def checked(self: Sheet, name: str, values: Any, most: float) -> None:
        values = list(values)
        assert all(0 <= value <= most for value in values), (name, values, most)
        numbers(self, name, values, most)

    monkeypatch.setattr(Sheet, "numbers", checked)
    env = made(setting)
    space = env.observation_space("seat_0")
    informative = np.zeros(space["observation"].shape or (), np.bool_)
    first: list[Any] = []
    steps = iter(range(10**6))

    def look() -> None:
        if next(steps) % 6:
            return
        view = env.view(env.agent_selection)
        assert tuple(env.language.observe(view, ()).blocks) == env.blocks
        for agent in env.agents:
            seen = env.observe(agent)
            assert space.contains(seen)
            assert seen["action_mask"].any() == (agent == env.agent_selection)
            first.append(first[0] if first else seen["observation"])
            np.logical_or(informative, seen["observation"] != first[0], out=informative)
            del first[1:]

    for seed in range(2):
        env.reset(seed=seed)
        play_on(env, seed, look)
    assert informative.mean() > 0.3, "many of the numbers change"
    starts = [block.start for block in env.blocks]
    assert starts == [0, *(block.stop for block in env.blocks[:-1])]
    assert len({block.name for block in env.blocks}) == len(env.blocks)
    assert len(set(env.words)) == len(env.words) == env.action_space("seat_0").n


def unpaid(env: HolmgangEnv) -> None:
    assert not any(env.rewards.values()), "paid early"


@each_setting
def test_the_end_pays_and_what_it_pays_adds_up_to_nothing(setting: Setting) -> None:
    env, scored = made(setting), made(setting, rewards="score")
    for seed in range(2):
        for one in (env, scored):
            one.reset(seed=seed)
            play_on(one, seed, partial(unpaid, one))
        end = setting.rules.turn(env._state)
        assert type(end) is Over
        paid = [env.rewards[agent] for agent in env.possible_agents]
        assert sum(paid) == pytest.approx(0, abs=1e-9)
        assert {seat for seat, reward in enumerate(paid) if reward == max(paid)} == set(end.ranking[0])
        for team in setting.rules.teams(setting.seats):
            assert len({paid[seat] for seat in team}) == 1
        if len(end.ranking[0]) == len(setting.rules.teams(setting.seats)[0]):
            assert max(paid) == 1
        points = [scored.rewards[agent] for agent in env.possible_agents]
        assert sum(points) == pytest.approx(0, abs=1e-9)
        assert [a - points[0] for a in points] == pytest.approx([a - end.scores[0] for a in end.scores])


def test_a_shared_win_is_shared() -> None:
    env = HolmgangEnv("eketorp", 4)
    assert env.payoffs(Over((5, 5, 1, 0), ((0, 1), (2,), (3,)), "counted")) == pytest.approx([1 / 3] * 2 + [-1 / 3] * 2)
    assert env.payoffs(Over((5, 4, 1, 0), ((0,), (1,), (2,), (3,)), "counted")) == pytest.approx([1] + [-1 / 3] * 3)
    assert env.payoffs(Over((5, 5, 5, 5), ((0, 1, 2, 3),), "counted")) == [0] * 4
    teams = HolmgangEnv("claim", 4)
    assert teams.payoffs(Over((1, 0, 0, 2), ((1, 3), (0, 2)), "castles")) == [-1, 1, -1, 1]


@each_setting
def test_equal_seeds_give_equal_games_and_others_others(setting: Setting) -> None:
    ends = []
    for seed in (5, 5, 6, 7, 8, 9):
        env, rng = made(setting), np.random.default_rng(1)
        env.reset(seed=seed)
        for _ in range(60):
            env.step(any_word(env, rng))
        ends.append(setting.rules.view(env._state, None))
    assert ends[0] == ends[1]
    assert any(end != ends[0] for end in ends)


def test_without_a_seed_chance_goes_on() -> None:
    env = HolmgangEnv("drakkars", 2)
    env.reset(seed=3)
    first = env.view("seat_0")
    env.reset()
    second = env.view("seat_0")
    env.reset(seed=3)
    assert first == env.view("seat_0")
    env.reset()
    assert second == env.view("seat_0")
    assert first != second


def moments(setting: Setting, options: Mapping[str, Any], seed: int, every: int) -> Iterator[Any]:
    game = walk(setting.rules, setting.config(options), Random(seed))
    return islice((m for m in game.moments if type(m.turn) is Await), 0, None, every)


@each_setting
@pytest.mark.parametrize("which", [0, 1])
def test_what_a_seat_cannot_see_shows_neither_in_its_observation_nor_in_its_mask(setting: Setting, which: int) -> None:
    """Two states that differ in hidden things only, looked at by every seat, at every word of a choice."""
    options = setting.laws.options[which]
    one, two = made(setting, options), made(setting, options)
    rules, differing = setting.rules, 0
    for env in (one, two):
        env.reset(seed=0)
    for number, moment in enumerate(moments(setting, options, 7, 3)):
        for seat in range(setting.seats):
            view = rules.view(moment.before, seat)
            states = [rules.determinize(view, Random(2 * number + n)) for n in (0, 1)]
            differing += states[0] != states[1]
            for env, state in zip((one, two), states, strict=True):
                env._state = state
                env._ask()
            agent, rng = one.possible_agents[seat], np.random.default_rng(number)
            assert_alike(one, two, agent)
            while one.agent_selection == agent and seat in moment.turn.seats:
                word = any_word(one, rng)
                for env in (one, two):
                    env._choices[seat].write(word)
                    env._seen.clear()
                assert_alike(one, two, agent)
                if one._choices[seat].action() is not None:
                    break
    assert differing or setting.ruleset == "claim", "Claim hides nothing"


def assert_alike(one: HolmgangEnv, two: HolmgangEnv, agent: str) -> None:
    here, there = one.observe(agent), two.observe(agent)
    np.testing.assert_array_equal(here["observation"], there["observation"])
    np.testing.assert_array_equal(here["action_mask"], there["action_mask"])
    assert one.infos == two.infos
    assert one.render() == two.render()


@pytest.mark.parametrize("setting", [each for each in SETTINGS if each.ruleset == "eketorp"], ids=str)
def test_seats_that_are_asked_together_see_nothing_of_each_others_choices(setting: Setting) -> None:
    """Whatever the first has placed, the others observe the same until all have placed."""
    envs = [made(setting) for _ in range(3)]
    written = []
    for n, env in enumerate(envs):
        env.reset(seed=1)
        assert env.infos["seat_0"]["kind"] == "placement"
        first, rng, words = env.agent_selection, np.random.default_rng(n), []
        before = {agent: env.observe(agent) for agent in env.agents if agent != first}
        while env.agent_selection == first:
            words.append(any_word(env, rng))
            for agent, seen in before.items():
                np.testing.assert_array_equal(env.observe(agent)["observation"], seen["observation"])
            env.step(words[-1])
        written.append(words)
    assert len(set(map(tuple, written))) == 3
    for agent in envs[0].agents:
        told, *others = [env.observe(agent) for env in envs]
        for other in others:
            for name in other:
                np.testing.assert_array_equal(other[name], told[name])
    assert len({env.render() for env in envs}) == 1


def test_a_masked_word_ends_the_game_for_who_wrote_it() -> None:
    env = holmgang_env("claim")
    env.reset(seed=1)
    mover = env.agent_selection
    seen, *_ = env.last()
    env.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))
    assert (env.terminations[mover], env._cumulative_rewards[mover]) == (True, -1)
    assert [reward for agent, reward in env._cumulative_rewards.items() if agent != mover] == [0]


def test_calls_out_of_order_and_numbers_that_are_no_words_are_refused() -> None:
    env = holmgang_env("claim")
    for name in ("agents", "agent_selection", "rewards", "terminations", "infos"):
        with pytest.raises(AttributeError, match="before reset"):
            getattr(env, name)
    with pytest.raises(AssertionError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    for action in (len(env.words), -1, None, 1.5):
        with pytest.raises(AssertionError, match="action is not in action space"):
            env.step(action)
    with pytest.raises(AttributeError, match="prohibited"):
        env._state  # noqa: B018
    agents = env.agent_iter()
    next(iter(agents))
    with pytest.raises(AssertionError, match="need to call step"):
        for _ in agents:
            pass


@each_setting
def test_a_table_is_looked_at_once_for_each_choice(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    """And told once, however many words the choice has, but where it shows them: most of a step is this."""
    env = holmgang_env(setting.ruleset, setting.seats)
    course = env.unwrapped
    env.reset(seed=3)
    done = {"view": 0, "describe": 0}

    def count(owner: Any, name: str) -> None:
        real = getattr(owner, name)

        def counted(*arguments: Any) -> Any:
            done[name] += 1
            return real(*arguments)

        monkeypatch.setattr(owner, name, counted)

    count(course.rules, "view")
    count(course.language, "describe")
    rng, words, shown, states = np.random.default_rng(3), 0, 0, [course._state]
    for _ in env.agent_iter():
        seen, _, ended, _, info = env.last()
        if ended:
            break
        env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        words += 1
        shown += setting.ruleset == "eketorp" and info["kind"] == "building"
        if course._state is not states[-1]:
            states.append(course._state)
    assert words > len(states)
    assert done["view"] <= len(states)
    assert done["describe"] <= len(states) + shown


def test_a_masked_word_is_refused_without_the_wrappers_and_changes_nothing() -> None:
    env = HolmgangEnv("claim")
    env.reset(seed=1)
    env.step(3)
    before = env.observe(env.agent_selection)
    for word in (3, len(env.words), -1, None):
        with pytest.raises(ValueError, match=r"may not follow \['d1'\]"):
            env.step(word)
    np.testing.assert_array_equal(before["observation"], env.observe(env.agent_selection)["observation"])


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="Claim takes 2 to 4 players"):
        HolmgangEnv("claim", 5)
    with pytest.raises(ValueError, match="rewards are"):
        HolmgangEnv("claim", rewards="shiny")  # type: ignore[arg-type]


@each_setting
def test_the_table_is_drawn_as_everybody_sees_it(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    env = holmgang_env(setting.ruleset, setting.seats, render_mode="ansi")
    env.reset(seed=2)
    text = env.render()
    assert text == setting.rules.render(setting.rules.view(env.unwrapped._state, None))
    assert capsys.readouterr().out == ""
    loud = holmgang_env(setting.ruleset, setting.seats, render_mode="human")
    loud.reset(seed=2)
    assert loud.render() is None
    assert capsys.readouterr().out == f"{text}\n"
    silent = made(setting)
    silent.reset(seed=2)
    assert silent.render() is None


@pytest.mark.parametrize("ruleset", ["claim", "drakkars", "eketorp"])
def test_built_in_bots_can_be_opponents(ruleset: str) -> None:
    env = holmgang_env(ruleset)
    wins = 0.0
    for seed in range(4):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        for agent in env.agent_iter():
            _, _, ended, _, _ = env.last()
            hints = [env.hint(), env.hint()] if agent == "seat_0" and not ended else []
            assert len(set(hints)) <= 1, "it has made up its mind"
            env.step(None if ended else hints[0] if hints else any_word(env, rng))
            if ended and agent == "seat_0":
                wins += 1
        end = env.unwrapped.rules.turn(env.unwrapped._state)
        wins -= 0 not in end.ranking[0]
    assert wins == 4, "greedy wins against chance"


def test_a_hint_says_no_where_the_bot_would_have_begun_otherwise() -> None:
    env = HolmgangEnv("claim")
    env.reset(seed=1)
    word = env.hint()
    env.step(
        next(int(other) for other in np.flatnonzero(env.observe(env.agent_selection)["action_mask"]) if other != word)
    )
    with pytest.raises(ValueError, match="greedy would have written"):
        env.hint()


@each_setting
def test_everybody_is_first_to_himself(setting: Setting) -> None:
    """What is told of a seat to itself is told to the seat before it of the next one."""
    env = made(setting)
    env.reset(seed=4)
    own = "+0 pieces" if setting.ruleset == "claim" else "+0 hand size"
    blocks = {block.name: slice(block.start, block.stop) for block in env.blocks}

    def look() -> None:
        for seat in range(setting.seats):
            me = env.observe(f"seat_{seat}")["observation"]
            other = env.observe(f"seat_{(seat - 1) % setting.seats}")["observation"]
            np.testing.assert_array_equal(me[blocks[own]], other[blocks[own.replace("+0", "+1")]])

    play_on(env, 4, look)


def test_bots_know_every_game_here() -> None:
    for setting in SETTINGS:
        assert bots.plays("greedy", setting.ruleset)
        assert made(setting).language.rules is setting.rules
