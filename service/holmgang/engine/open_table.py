"""Games in which all lies open on the table: nothing is hidden or sealed, and a view is the state itself."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from msgspec import Struct

from .base import BaseRules
from .moves import Rng
from .turn import Chance, Over, Seat

Table = TypeVar("Table")


class Result(Struct, frozen=True):
    """How a game ended: `Over`, with those who won named."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    ranking: tuple[tuple[Seat, ...], ...]
    reason: str


class OpenView(Struct, Generic[Table], frozen=True, kw_only=True):
    """What everybody sees, the same for all but `seat`. `phase` is the kind of turn, what chance decides, or `over`;
    `table` is the state."""

    seat: Seat | None
    phase: str
    turn: int
    asked: tuple[Seat, ...]
    table: Table
    result: Result | None


class OpenTable(BaseRules, Generic[Table]):
    """The rules of such a game, but for how it is played. Its states are Structs that JSON can write, with the number
    of the last asked turn as `turn`; its views are `OpenView[State]`."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "state_type" in vars(cls) and "view_type" not in vars(cls):
            cls.view_type = OpenView[cls.state_type]  # type: ignore[name-defined]  # mypy knows no types that are made

    def view(self, state: Any, seat: Seat | None) -> OpenView[Table]:
        turn, result = self.turn(state), None
        asked: tuple[Seat, ...] = ()
        if isinstance(turn, Over):
            phase, result = "over", Result(turn.ranking[0], turn.scores, turn.ranking, turn.reason)
        elif isinstance(turn, Chance):
            phase = turn.label
        else:
            assert not turn.sealed, f"{self.title} seals choices, which an open table would show"
            phase, asked = turn.kind, turn.seats
        return OpenView(seat=seat, phase=phase, turn=state.turn, asked=asked, table=state, result=result)

    def redact(self, effect: Any, seat: Seat | None) -> Any:
        return effect

    def determinize(self, view: OpenView[Table], rng: Rng, /) -> Table:
        return view.table
