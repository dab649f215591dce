"""The bot that takes what looks best at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.engine.moves import Rng
from service.engine.rules import AnyRules

from .base import Judge, imagined


class GreedyBot:
    """Does what the game's judge would do in one state that the view could be of. `judges` are by ruleset."""

    name = "greedy"

    def __init__(self, judges: Mapping[str, Judge]) -> None:
        self.judges = judges

    def choose(self, rules: AnyRules, view: Any, rng: Rng) -> Any:
        return self.judges[rules.ruleset].choose(rules, imagined(rules, view, rng), view.seat, rng)
