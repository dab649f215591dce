"""What games need not say: rules that most games have alike, and what the house can make of any values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from . import readable
from .decoding import ActionDecoder
from .effects import SeatResigned
from .messages import ENGLISH, Tongue
from .moves import MoveSpace, Rng
from .options import GameOptions, read_options, schema_of
from .rules import Combat, Reconstructed, Step
from .turn import Over, Seat, Turn


class BaseRules(ABC):
    """`Rules` with a default for all that can have one; what each method promises is said there.

    A game says `ruleset`, `title`, `seat_counts`, `turn_kinds`, `state_type` and `view_type`, and how it is played:
    `initial`, `turn`, `moves` and `apply`, and what seats see of it: `view`, `redact` and `determinize`. Where all lies
    open, `OpenTable` does that. Functions of the game's modules may stand as they are:
    `view = staticmethod(views.view)`.
    """

    ruleset: str
    version: str = "1"
    title: str
    seat_counts: tuple[int, ...]
    turn_kinds: Mapping[str, Any]
    state_type: type
    view_type: type
    options_type: type[GameOptions] = GameOptions
    """The Struct of the game's options (`holmgang.engine.options`): its configs are of this type."""
    effect_type: Any = SeatResigned
    combat_type: type[Combat] = Combat
    """Of a game without combats there is never one."""
    reconstructed: tuple[Reconstructed, ...] = ()

    @cached_property
    def options_schema(self) -> Mapping[str, Any]:
        return schema_of(self.options_type, max(self.seat_counts, default=0))

    def configure(self, seats: int, options: Mapping[str, Any], *, new: bool = True) -> Any:
        return read_options(self.options_type, self.title, seats, options, new=new)

    def options(self, config: Any) -> dict[str, Any]:
        told: dict[str, Any] = config.told()
        return told

    def teams(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Each seat alone."""
        return tuple((seat,) for seat in range(seats))

    @abstractmethod
    def initial(self, config: Any) -> Any: ...

    @abstractmethod
    def turn(self, state: Any) -> Turn: ...

    @cached_property
    def _decoder(self) -> ActionDecoder:
        return ActionDecoder(self.turn_kinds)

    def decode(self, kind: str, value: Any) -> Any:
        """By the types of `turn_kinds`."""
        return self._decoder(kind, value)

    def canonical(self, seat: Seat, action: Any) -> Any:
        """The action itself: right where no two actions are the same."""
        return action

    @abstractmethod
    def moves(self, state: Any, seat: Seat) -> MoveSpace[Any]: ...

    @abstractmethod
    def apply(self, state: Any, seat: Seat, action: Any) -> Step[Any, Any]: ...

    def resolve(self, state: Any, value: int) -> Step[Any, Any]:
        raise AssertionError(f"{self.title} leaves nothing to chance")

    def resign(self, state: Any, seat: Seat) -> Step[Any, Any]:
        """C7, of a game of two seats whose state keeps in `resigned` who has, or None: `turn` says from it that the
        other has won. `SeatResigned` is told. Other games have their own."""
        assert tuple(self.seat_counts) == (2,), f"{self.title} has its own way to resign"
        if type(self.turn(state)) is Over:
            return Step(state, ())
        return Step(replace(state, resigned=seat), (SeatResigned(seat=seat),))

    def default(self, state: Any, seat: Seat) -> Any:
        """The first legal action."""
        return next(iter(self.moves(state, seat)))

    @abstractmethod
    def view(self, state: Any, seat: Seat | None) -> Any: ...

    def context(self, view: Any, /) -> dict[str, Any]:
        """Nothing but the turn itself."""
        return {}

    @abstractmethod
    def redact(self, effect: Any, seat: Seat | None) -> Any: ...

    @abstractmethod
    def determinize(self, view: Any, rng: Rng, /) -> Any: ...

    def tell(self, effect: Any) -> str:
        """The effect's name and its fields."""
        return readable.sentence(effect)

    def render(self, view: Any, tongue: Tongue = ENGLISH) -> str:
        """The view's fields, a line each; what is a board of rows and columns stands in rows."""
        return readable.text(self.title, view, tongue)

    def picture(self, view: Any, theme: str, tongue: Tongue = ENGLISH) -> str:
        """What `render` tells; boards of rows and columns are drawn."""
        return readable.picture(self.title, view, theme, tongue)
