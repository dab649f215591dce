"""The bot that plays anything legal."""

from __future__ import annotations

from typing import Any

from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules

from .base import imagined


class RandomBot:
    """Samples its legal moves, which depend on nothing that it does not see."""

    name = "random"

    def choose(self, rules: AnyRules, view: Any, rng: Rng) -> Any:
        return rules.moves(imagined(rules, view, rng), view.seat).sample(rng)
