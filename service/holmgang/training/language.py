"""What every game gives an agent: its words, how they spell actions, and what a seat's view looks like as numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holmgang.engine.moves import MoveSpace
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Seat

from .sheet import Sheet
from .spelling import Spelling, Words

MOST_OFTEN = 8.0
"""How often a word is written in one action at most."""


class Language:
    """A game at a number of seats, counted from one's own, clockwise, so that one network can play all of them.

    Everything is read from views and move spaces, which hold what a seat sees.
    """

    words: tuple[str, ...]

    def __init__(self, rules: AnyRules, config: Any) -> None:
        self.rules = rules
        self.seats: int = config.seats
        self.kinds = tuple(rules.turn_kinds)
        self._parts: dict[Any, tuple[Any, Sheet]] = {}

    def from_me(self, me: Seat, seat: Seat | None) -> int | None:
        """How many places clockwise from me a seat is."""
        return None if seat is None else (seat - me) % self.seats

    def clockwise(self, me: Seat) -> list[Seat]:
        """All seats, from mine on."""
        return [(me + n) % self.seats for n in range(self.seats)]

    def spelling(self, view: Any, space: MoveSpace[Any]) -> Spelling:
        """The legal actions of the seat that the view is of."""
        raise NotImplementedError

    def spell(self, me: Seat, action: Any) -> Words:
        """The words of an action in its canonical form."""
        raise NotImplementedError

    def describe(self, sheet: Sheet, view: Any, written: Words) -> None:
        """The game's part of an observation."""
        raise NotImplementedError

    def describes_written(self, view: Any) -> bool:
        """Whether `describe` looks at what was written. Where it does not, it is asked once for all words of a choice,
        as long as the view is the same object."""
        return True

    def observe(self, view: Any, written: Words) -> Sheet:
        """What a seat sees, and the words of the choice that it is making. Views are expected to tell `first`, the seat
        that starts, besides what all tell; a language of views that do not has its own way to begin."""
        sheet, me = Sheet(), view.seat
        sheet.one_of("turn kind", self.kinds.index(view.phase) if view.phase in self.kinds else None, len(self.kinds))
        sheet.flags("asked", (seat in view.asked for seat in self.clockwise(me)))
        sheet.one_of("own seat", me, self.seats)
        sheet.one_of("first", self.from_me(me, view.first), self.seats)
        sheet.tally("written", written, len(self.words), MOST_OFTEN)
        sheet.one_of("last written", written[-1] if written else None, len(self.words))
        if self.describes_written(view):
            self.describe(sheet, view, written)
            return sheet
        self.part(sheet, me, (view,), lambda part: self.describe(part, view, written))
        return sheet

    def part(self, sheet: Sheet, name: Any, made_of: tuple[Any, ...], write: Callable[[Sheet], None]) -> None:
        """Add what `write` writes; what it wrote the last time under this name, if it was made of the same.

        A name is a seat's own: (me, name). Much of a table stays as it was from one choice to the next.
        """
        before = self._parts.get(name)
        if before is None or before[0] != made_of:
            before = self._parts[name] = made_of, Sheet()
            write(before[1])
        sheet.add(before[1])
