"""Whole games come out as they are written down in tests/playthroughs; every game and player count has one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from holmgang import registry
from holmgang.checking.goldens import Playthrough, playthroughs, tell
from holmgang.engine.game import Game
from tests.playthroughs import FOLDER


class Wanted(NamedTuple):
    game: Game
    playthrough: Playthrough

    @property
    def path(self) -> Path:
        return FOLDER / self.game.name / f"{self.playthrough.name}.txt"


WANTED = [Wanted(game, each) for game in registry.games() for each in playthroughs(game)]


@pytest.mark.parametrize("wanted", WANTED, ids=lambda each: f"{each.game.name}-{each.playthrough.name}")
def test_playthrough_is_as_written(wanted: Wanted) -> None:
    assert wanted.path.exists(), "missing: run `python -m tests.playthroughs.rewrite`"
    told = tell(wanted.game, wanted.playthrough)
    assert told == wanted.path.read_text(), "changed: run the same command and read the difference"


def test_no_playthrough_is_left_over() -> None:
    assert {each.path for each in WANTED} == set(FOLDER.glob("*/*.txt"))
