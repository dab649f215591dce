"""The bench that a step is worked on: a draft of the state, the effects and combat records so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

from .rules import Combat, Step
from .turn import Seat

Board = TypeVar("Board", bound=Struct)
State = TypeVar("State", bound=Struct)
Record = TypeVar("Record", bound=Combat)


class Work(Generic[Board, State, Record]):
    """One step under way. Functions of a game's phases change the board `d`, and append to `effects` and `records`.

    A game's subclass names two Structs of the same fields in the same order: `state`, which is frozen, and `board`,
    which may be changed. Among the fields are `phase` (the kind of turn that is asked, or a phase of the rules),
    `awaited` (the seats that still owe a choice) and `turn` (C2: how many turns were asked).
    """

    __slots__ = ("d", "effects", "records")

    board: ClassVar[Any]
    state: ClassVar[Any]
    d: Board

    def __init__(self, state: State) -> None:
        self.d = self.board(*astuple(state))
        self.effects: list[Any] = []
        self.records: list[Record] = []

    def step(self) -> Step[State, Any]:
        """What the work has led to. A combat that was opened and settled in it is told once, as it now stands."""
        records = self.records
        if len(records) > 1:
            records = list({record.number: record for record in records}.values())
        return Step(self.state(*astuple(self.d)), tuple(self.effects), tuple(records))

    def go_on(self, phases: Mapping[str, Callable[[Any], None]]) -> Step[State, Any]:
        """Run the phases that ask nobody, by their names, until one asks a seat or chance or ends the game."""
        d: Any = self.d
        go = phases.get
        while (phase := go(d.phase)) is not None:
            phase(self)
        return self.step()

    def ask(self, kind: str, *seats: Seat) -> None:
        """A turn (C2): play stops until these seats have chosen."""
        d: Any = self.d
        d.phase, d.awaited = kind, seats
        d.turn += 1
