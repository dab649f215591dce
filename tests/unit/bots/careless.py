"""A bot of somebody's that plays any game."""

from __future__ import annotations

from typing import Any

from holmgang import Bot, any_action


class Careless(Bot):
    def choose(self, view: Any, legal: Any) -> Any:
        return any_action(legal)
