"""The registered games as the tests meet them: player counts, options worth trying, what is revealed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from holmgang import registry
from holmgang.engine.game import Game
from holmgang.engine.laws import Laws
from holmgang.engine.rules import AnyRules


class Setting(NamedTuple):
    rules: AnyRules
    seats: int
    laws: Laws

    @property
    def ruleset(self) -> str:
        return self.rules.ruleset

    def config(self, options: Mapping[str, Any] | None = None) -> Any:
        return self.rules.configure(self.seats, options or {})

    @property
    def between(self) -> bool:
        """Neither the fewest nor the most who may play."""
        return min(self.rules.seat_counts) < self.seats < max(self.rules.seat_counts)

    def reveals(self, effect: Any) -> bool:
        return type(effect).__name__ in self.laws.reveals

    @property
    def game(self) -> Game:
        return registry.game(self.ruleset)

    def __str__(self) -> str:
        return f"{self.ruleset}-{self.seats}"


SETTINGS = [
    Setting(game.rules, seats, game.laws) for game in registry.games() for seats in sorted(game.rules.seat_counts)
]


each_setting = pytest.mark.parametrize(
    "setting",
    [pytest.param(each, id=str(each), marks=pytest.mark.slow if each.between else ()) for each in SETTINGS],
)
"""Every game with the fewest and with the most who may play it; the numbers between are left to the slow tests."""


def of_each_game(name: str, soon: str) -> pytest.MarkDecorator:
    """The games' names as the parameter `name`, where all are alike: all but `soon` are left to the slow tests."""
    games = [pytest.param(game, marks=() if game == soon else pytest.mark.slow) for game in registry.names()]
    return pytest.mark.parametrize(name, games)
