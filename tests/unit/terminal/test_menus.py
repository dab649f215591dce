"""Menus take the number of a line, or its words as far as they tell it from others."""

from __future__ import annotations

from random import Random

import pytest

from holmgang import registry
from holmgang.terminal.lobby import Lobby, Wishes, meant
from holmgang.terminal.local import LocalTable
from holmgang.terminal.screen import EndOfInput

from .test_choices import Script

LINES = [
    "Claim, for 2 or 4 players",
    "Clamour, for 2 players",
    "Eketorp, for 3 to 6 players",
    "go on: claim (Ann, free)",
]


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("Claim", [0]),
        ("claim", [0]),
        (" CLAIM ", [0]),
        ("cla", [0, 1]),
        ("clam", [1]),
        ("e", [2]),
        ("EKE", [2]),
        ("go on", [3]),
        ("ann", [3]),
        ("players", [0, 1, 2]),
        ("chess", []),
        ("", []),
        ("...", []),
    ],
)
def test_words_of_a_line_are_that_line(typed: str, lines: list[int]) -> None:
    assert meant(typed, LINES) == lines


NUMBER = str(registry.names().index("claim") + 1)


@pytest.mark.parametrize("typed", ["Claim", "claim", "cl", NUMBER])
def test_a_game_is_named_by_word_or_number(typed: str) -> None:
    screen = Script([typed, "2 p", "rand"])
    table = Lobby(screen, Wishes()).local("Ann", Random(1))
    assert isinstance(table, LocalTable)
    assert (table.rules.ruleset, table.kinds) == ("claim", [None, "random"])


@pytest.mark.parametrize(("typed", "told"), [("players", "may be"), ("chess", "Type a number of the list (1 to")])
def test_what_names_no_line_or_several_is_asked_again(typed: str, told: str) -> None:
    screen = Script([typed])
    with pytest.raises(EndOfInput):
        Lobby(screen, Wishes()).local("Ann", Random(1))
    assert told in " ".join(screen.told.split())
