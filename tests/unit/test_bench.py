"""Peers that cannot be had are left out of the bench, and named; what is had of them names no registry."""

from __future__ import annotations

import json
import random
import shutil
import sys

import pytest

from bench import boardgame, peers


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
