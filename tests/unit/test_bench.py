"""Peers that cannot be had are left out of the bench, and named; what is had of them names no registry."""

from __future__ import annotations

import json
import math
import random
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import __main__, boardgame, citus, million, peers
from tests.citus.building import Missing


@pytest.mark.parametrize(("module", "left_out"), [("pyspiel", "OpenSpiel"), ("pygame", "PettingZoo")])
def test_games_that_are_not_installed_are_left_out(monkeypatch: pytest.MonkeyPatch, module: str, left_out: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(peers, "PETTINGZOO", ("tictactoe-v3",))
    missing: dict[str, str] = {}
    rates = peers._decisions(0.001, 1, missing)
    assert left_out in missing
    assert not [name for name in rates if name.startswith(left_out)]
    assert {"Holmgang: eketorp, 3 seats", "Holmgang: claim, 4 seats"} <= set(rates)
    assert all(rate > 0 for rate in rates.values())


def test_a_server_for_which_there_is_no_node_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    missing: dict[str, str] = {}
    assert peers._moves(1, 1, missing) == {}
    assert missing == {"boardgame.io": "Node.js with npm is not installed."}


def test_a_cluster_that_cannot_be_built_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def none() -> Path:
        raise Missing("no source of Citus is here")

    monkeypatch.setattr(citus, "programs", none)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(__main__.main, ["--only", "citus"], catch_exceptions=False)
    assert done.exit_code == 0
    assert done.output == "Citus is left out: no source of Citus is here\n"


def test_what_many_waiting_players_take_follows_from_the_costs() -> None:
    """Figures by hand: 100,000 players of four at a game, a move of each game every 50 s, a ms for each thing."""
    spent = {
        "cpu_ms_a_move": 4.0,
        "cpu_ms_a_wake_up": 1.0,
        "cpu_ms_a_poll": 1.0,
        "cpu_ms_of_waiting_a_second": 0.01,
    }
    parts = {"api": 1, "worker": 0, "coordinator": 2, "node 1": 1, "node 2": 1}
    costs = {kind: {part: ms * share for part, share in parts.items()} for kind, ms in spent.items()}
    telling = million.Telling(statement=0.02, change=0.001)
    found = million.needed(costs, telling, 1e5, 50)
    assert (found["moves a second"], found["wake-ups a second"]) == (500, 2000)
    assert found["empty waits a second"] == pytest.approx(2000 / (math.e - 1))
    cores = 2 + 2 + 2 / (math.e - 1) + 1
    assert found["cores of the API"] == pytest.approx(cores)
    assert found["cores of the coordinator"] == found["cores of all nodes"] == pytest.approx(2 * cores)
    assert (found["processes of the API"], found["nodes of 16 cores"]) == (17, 2)
    statements = 500 / (1 + 500 / 17 * million.REST)
    each = (statements * 0.02 + 500 * 0.001) / 1000
    assert found["cores of telling, all processes listening"] == pytest.approx(17 * each)
    assert found["cores of telling, one listening a machine"] == pytest.approx(each)


def test_the_coordinator_is_full_at_the_number_that_is_told() -> None:
    kinds = ("cpu_ms_a_move", "cpu_ms_a_wake_up", "cpu_ms_a_poll", "cpu_ms_of_waiting_a_second")
    costs = {kind: {"api": 1.0, "worker": 0.0, "coordinator": 0.5, "node 1": 0.5} for kind in kinds}
    telling = million.Telling(statement=0.02, change=0.001)
    for by_machine, way in ((False, "all processes listening"), (True, "one listening a machine")):
        found = million.needed(costs, telling, million.most(costs, telling, 60, by_machine=by_machine), 60)
        full = found["cores of the coordinator"] + found[f"cores of telling, {way}"]
        assert full == pytest.approx(million.LARGEST * million.USED, rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("name", peers.OPEN_SPIEL)
def test_games_of_open_spiel_are_played_to_their_ends(name: str) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is installed by `make bench` only.")
    game = peers._open_spiel()[f"OpenSpiel: {name}"]
    assert all(game(random.Random(seed)) >= 5 for seed in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("name", peers.PETTINGZOO)
def test_games_of_pettingzoo_are_played_to_their_ends(name: str) -> None:
    pytest.importorskip("pygame", reason="What PettingZoo's own games need is installed by `make bench` only.")
    game = peers._pettingzoo()[f"PettingZoo: {name}"]
    assert game(random.Random(0)) >= 5


def test_packages_of_the_server_are_locked_with_hashes_and_name_no_registry() -> None:
    lock = json.loads((boardgame.PROGRAMS / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert packages["node_modules/koa-compose"]["version"] == "4.1.0"
    assert all("integrity" in each and "resolved" not in each for each in packages.values())
