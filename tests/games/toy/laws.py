"""What the laws need to know of Toy."""

from __future__ import annotations

from holmgang.engine.invariants import hold
from holmgang.engine.laws import Laws

from .rules.toy import VALUES, State


class ToyLaws(Laws):
    options = ({}, {"cards": 1})
    reveals = frozenset({"Revealed"})

    def check(self, state: State) -> None:
        hold(all(1 <= card <= VALUES for hand in state.hands for card in hand), "there is no such card")
