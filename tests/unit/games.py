"""The registered games as the tests meet them: player counts, options worth trying, what is revealed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from service import registry
from service.engine.game import Game
from service.engine.laws import Laws
from service.engine.rules import AnyRules


class Setting(NamedTuple):
    rules: AnyRules
    seats: int
    laws: Laws

    @property
    def ruleset(self) -> str:
        return self.rules.ruleset

    def config(self, options: Mapping[str, Any] | None = None) -> Any:
        return self.rules.configure(self.seats, options or {})

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


def _between(setting: Setting) -> bool:
    return min(setting.rules.seat_counts) < setting.seats < max(setting.rules.seat_counts)


each_setting = pytest.mark.parametrize(
    "setting",
    [pytest.param(each, id=str(each), marks=pytest.mark.slow if _between(each) else ()) for each in SETTINGS],
)
"""Every game with the fewest and with the most who may play it; the numbers between are left to the slow tests."""
