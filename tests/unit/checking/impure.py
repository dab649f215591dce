"""The toy game with chance of its own."""

from __future__ import annotations

import random
from typing import Any

from holmgang.engine.rules import Step
from tests.games.toy.rules.toy import State, Toy


class OwnDice(Toy):
    def resolve(self, state: State, value: int) -> Step[State, Any]:
        return super().resolve(state, random.randrange(6))
