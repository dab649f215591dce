"""Whole games come out as they are written down in tests/playthroughs; every game and player count has one."""

from __future__ import annotations

import pytest

from tests.playthroughs.telling import FOLDER, Playthrough, tell, wanted

WANTED = wanted()


@pytest.mark.parametrize("playthrough", WANTED, ids=lambda p: f"{p.ruleset}-{p.name}")
def test_playthrough_is_as_written(playthrough: Playthrough) -> None:
    assert playthrough.path.exists(), "missing: run `python -m tests.playthroughs.rewrite`"
    assert tell(playthrough) == playthrough.path.read_text(), "changed: run the same command and read the difference"


def test_no_playthrough_is_left_over() -> None:
    assert {p.path for p in WANTED} == set(FOLDER.glob("*/*.txt"))
