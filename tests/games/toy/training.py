"""Toy as words and numbers."""

from __future__ import annotations

from typing import Any

from holmgang.engine.moves import MoveSpace
from holmgang.engine.rules import AnyRules
from holmgang.training.language import Language
from holmgang.training.sheet import Sheet
from holmgang.training.spelling import Listed, Spelling, Words

from .rules.toy import MOST_CARDS, VALUES, Play, View


class ToyLanguage(Language):
    """A word for each card, and for one point and two."""

    def __init__(self, rules: AnyRules, config: Any) -> None:
        super().__init__(rules, config)
        self.words = (*(f"card {n}" for n in range(1, VALUES + 1)), "one point", "two points")

    def spell(self, me: int, action: Any) -> Words:
        return (action.card - 1,) if type(action) is Play else (VALUES + action.points - 1,)

    def spelling(self, view: View, space: MoveSpace[Any]) -> Spelling:
        return Listed(space, lambda action: self.spell(0, action))

    def observe(self, view: View, written: Words) -> Sheet:
        sheet = Sheet()
        assert view.seat is not None
        seats = self.clockwise(view.seat)
        sheet.one_of("own seat", view.seat, self.seats)
        sheet.one_of("winner", self.from_me(view.seat, view.winner), self.seats)
        sheet.tally("hand", [card - 1 for card in view.hand or ()], VALUES, MOST_CARDS)
        sheet.one_of("choice", None if view.choice is None else view.choice - 1, VALUES)
        sheet.numbers("scores", (view.scores[seat] for seat in seats), 2 * MOST_CARDS)
        sheet.flags("submitted", (seat in view.submitted for seat in seats))
        return sheet
