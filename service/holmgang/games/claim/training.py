"""Claim as words and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holmgang.engine.moves import MoveSpace
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Seat
from holmgang.games.claim.rules.battle import MOST_TURNS
from holmgang.games.claim.rules.island import CASTLES, PIECES, island
from holmgang.games.claim.rules.model import Castle, Claim, Move, Place, Remove, Stake, Stop
from holmgang.games.claim.rules.moves import Chase, Moves
from holmgang.games.claim.rules.views import View
from holmgang.training.language import Language
from holmgang.training.sheet import Sheet
from holmgang.training.spelling import Listed, Picked, Spelling, Words

MOST_REMOVED = 4


class ClaimLanguage(Language):
    """A word for each point of the island, in board order, and one for `enough`: no more castles, no further catch."""

    def __init__(self, rules: AnyRules, config: Any) -> None:
        super().__init__(rules, config)
        self.land = island(config.layout)
        self.enough = len(self.land.names)
        self.words = (*self.land.names, "enough")

    def points(self, names: Sequence[str]) -> Words:
        return tuple(map(self.land.numbers.__getitem__, names))

    def names(self, points: Words) -> tuple[str, ...]:
        return self.land.named(points)

    def spell(self, me: Seat, action: Any) -> Words:
        if type(action) is Move:
            return self.points((action.path[0], action.path[-1]))
        if type(action) in (Place, Remove):
            return tuple(sorted(self.points(action.points)))
        if type(action) is Castle:
            return self.points((action.point,))
        if type(action) is Stop:
            return (self.enough,)
        assert type(action) is Claim
        stakes = sorted(action.castles, key=lambda stake: stake.territory)
        return (*self.points([stake.point for stake in stakes]), self.enough)

    def spelling(self, view: View, space: MoveSpace[Any]) -> Spelling:
        bounds = space.grammar()
        if view.phase == "placement":
            return Picked(self.points(bounds["free"]), bounds["points"], lambda points: Place(self.names(points)))
        if view.phase == "removal":
            pieces = {foe: self.points(there) for foe, there in bounds["pieces"].items()}
            several = len(pieces) > 1
            return Picked(
                (point for there in pieces.values() for point in there),
                bounds["points"],
                lambda points: Remove(self.names(points)),
                {point: int(foe) for foe, there in pieces.items() for point in there} if several else None,
                {int(foe): most for foe, most in bounds["most"].items()} if several else None,
            )
        if view.phase == "claim":
            return _Stakes(self, bounds["most"], bounds["free"])
        if isinstance(space, Moves | Chase):
            return _Ways(self, space)
        return Listed(space, lambda action: self.spell(0, action))

    def describes_written(self, view: View) -> bool:
        return False

    def describe(self, sheet: Sheet, view: View, written: Words) -> None:
        me = view.seat
        assert me is not None
        seats = [view.seats[seat] for seat in self.clockwise(me)]
        number, size = self.land.numbers, len(self.land.names)
        for n, seat in enumerate(seats):
            sheet.some_of(f"+{n} pieces", self.points(seat.pieces), size)
        castles = [(t.castle, number[t.castle_point]) for t in view.territories if t.castle_point is not None]
        for n, seat in enumerate(seats):
            sheet.some_of(f"+{n} castles", [point for owner, point in castles if owner == seat.seat], size)
        sheet.one_of("chaser", None if view.chaser is None else number[view.chaser], size)
        sheet.flags("territories due", (territory.number in view.due for territory in view.territories))
        sheet.one_of("active", self.from_me(me, view.active), self.seats)
        sheet.numbers("to place", (seat.to_place for seat in seats), PIECES)
        sheet.numbers("caught", (seat.caught for seat in seats), PIECES)
        sheet.numbers("removed", (seat.removed for seat in seats), MOST_REMOVED)
        sheet.numbers("castles in hand", (seat.castles_in_hand for seat in seats), CASTLES)
        sheet.numbers("battle turns", (seat.battle_turns for seat in seats), MOST_TURNS)
        sheet.flags("resigned", (seat.resigned for seat in seats))
        sheet.number("position stood", view.positions.count(view.positions[-1]) if view.positions else 0, 3)


class _Ways:
    """K3, K4.3: from where a piece stands to where it ends; `enough` ends a chase."""

    def __init__(self, language: ClaimLanguage, space: Moves | Chase) -> None:
        self._language, self._may_stop, self._found = language, type(space) is Chase, space.found

    def following(self, written: Words) -> Sequence[int]:
        if not written:
            first = sorted({start for start, _ in self._found})
            return [*first, self._language.enough] if self._may_stop else first
        return sorted(end for start, end in self._found if (start,) == written)

    def action(self, written: Words) -> Any:
        if written == (self._language.enough,) and self._may_stop:
            return Stop()
        path = self._found.get((written[0], written[1])) if len(written) == 2 else None
        return None if path is None else Move(self._language.names(path))


class _Stakes:
    """K5: up to `most` castles, by territories in order, each on a free point; `enough` ends it."""

    def __init__(self, language: ClaimLanguage, most: int, free: Mapping[str, Sequence[str]]) -> None:
        self._language, self._most = language, most
        self._free = {int(territory): language.points(names) for territory, names in free.items()}

    def following(self, written: Words) -> Sequence[int]:
        enough, territory = self._language.enough, self._language.land.territory
        if written and written[-1] == enough:
            return ()
        if len(written) == self._most:
            return (enough,)
        last = territory[written[-1]] if written else -1
        return [*sorted(point for t, points in self._free.items() if t > last for point in points), enough]

    def action(self, written: Words) -> Any:
        if not written or written[-1] != self._language.enough:
            return None
        land = self._language.land
        return Claim(tuple(Stake(land.territory[point], land.names[point]) for point in written[:-1]))
