"""The bot that takes what looks best at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holmgang.engine.moves import Rng
from holmgang.engine.rules import AnyRules

from .base import Judge, imagined


class GreedyBot:
    """Does what the game's judge would do in one state that the view could be of. `judge_of` gives it by ruleset."""

    name = "greedy"

    def __init__(self, judge_of: Callable[[str], Judge | None]) -> None:
        self.judge_of = judge_of

    def choose(self, rules: AnyRules, view: Any, rng: Rng) -> Any:
        judge = self.judge_of(rules.ruleset)
        assert judge is not None, f"nothing is known of {rules.ruleset}"
        return judge.choose(rules, imagined(rules, view, rng), view.seat, rng)
