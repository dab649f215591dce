"""`examples/tafl`, a package that the house knows nothing of, is installed and played wherever games are played."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import numpy as np
import pytest

from holmgang import Bot, Client, Problem, any_action
from holmgang.training import holmgang_env
from tests import games
from tests.e2e.running import Running, serving
from tests.e2e.typist import Player, Typist, environment, too_wide

OPTIONS: list[dict[str, Any]] = [{}, {"board": "brandubh", "starts": "defenders"}]
IDS = ["tablut", "brandubh"]
HOUSE = [sys.executable, "-m", "holmgang.cli.main"]


@pytest.fixture(scope="module")
def running(installed_tafl: Path) -> Iterator[Running]:
    with serving(PYTHONPATH=str(installed_tafl)) as service:
        yield service


class Careless(Bot):
    def choose(self, view: Any, legal: Any) -> Any:
        return any_action(legal)


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_over_http(running: Running, options: dict[str, Any]) -> None:
    with Client.register(running.url, "Careless") as client:
        game = client.create_game("tafl", 2, options=options)["id"]
        client.seat_bot(game, "greedy")
        Careless().run(running.url, client.token, games=[game])
        result = client.game(game)["result"]
        assert result is not None
        (ended,) = [one["payload"] for one in client.stream(game) if one["payload"].get("type") == "ended"]
    assert result["reason"] == ended["reason"]
    assert re.fullmatch(r"T4\.[1-5]", ended["rule"])
    texts = {rule["id"]: rule["text"] for rule in httpx.get(f"{running.url}/v1/rulesets/tafl").json()["rules"]}
    assert ended["rule"] in texts


def test_refusals_rules_and_boards_are_told_in_each_language(running: Running) -> None:
    with Client.register(running.url, "Learner") as client:
        game = client.create_game("tafl", 2, options={"board": "brandubh"})["id"]
        client.seat_bot(game, "random")
        said = {}
        for language in ("en", "fr", "nl"):
            asked = {"Accept-Language": language, "Authorization": f"Bearer {client.token}"}
            with httpx.Client(base_url=f"{running.url}/v1", headers=asked) as http:
                move = {"turn": 1, "action": {"type": "move", "from": "d2", "to": "a5"}}
                refused = http.post(f"/games/{game}/submissions", json=move)
                assert (refused.status_code, refused.json()["rule"]) == (422, "T2.1")
                ruleset = http.get("/rulesets/tafl").json()
                board = ElementTree.fromstring(http.get(f"/games/{game}/board.svg").text)
                rules = [rule["text"] for rule in ruleset["rules"]]
                made_up = [each["what"] for each in ruleset["reconstructed"]]
                said[language] = [refused.json()["detail"], *rules, *made_up, board[1].text]
    for english, french, dutch in zip(*said.values(), strict=True):
        assert len({english, french, dutch}) == 3, english


def test_options_are_refused_by_their_rule(running: Running) -> None:
    with Client.register(running.url, "Chooser") as client, pytest.raises(Problem) as refused:
        client.create_game("tafl", 2, options={"goal": "middle"})
    (error,) = refused.value.errors
    assert error["pointer"] == "/options/goal"
    assert "'goal' must be" in error["detail"]


def test_at_a_terminal(installed_tafl: Path, tmp_path: Path) -> None:
    typist = Typist(["--game", "tafl", "--seed", "5", "--name", "Ann"], tmp_path, PYTHONPATH=str(installed_tafl))
    player = Player(3)
    try:
        assert typist.play(player) == 0
        assert player.numbers > 3
        assert "Final score" in typist.told
        assert "Traceback" not in typist.told
        assert too_wide(typist.told) == []
    finally:
        typist.close()


@pytest.mark.slow
def test_in_the_arena(installed_tafl: Path, tmp_path: Path) -> None:
    said = subprocess.run(
        [*HOUSE, "arena", "--game", "tafl", "--bots", "search,greedy", "--games", "6"],
        env=environment(tmp_path, PYTHONPATH=str(installed_tafl)), capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert "Traceback" not in said.stderr
    assert "search" in said.stdout


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_in_pettingzoo(installed_tafl: Path, options: dict[str, Any]) -> None:
    """By the general words and numbers."""
    with games.known(installed_tafl):
        env = holmgang_env("tafl", 2, options)
        rng, rewards = np.random.default_rng(1), dict.fromkeys(env.possible_agents, 0.0)
        env.reset(seed=1)
        for agent in env.agent_iter():
            seen, reward, ended, _, _ = env.last()
            rewards[agent] += reward
            assert seen in env.observation_space(agent)
            env.step(None if ended else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    assert sorted(rewards.values()) in ([-1.0, 1.0], [0.0, 0.0])
