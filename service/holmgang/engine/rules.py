"""The interface that every game implements, and `play`, the one checked way to make a move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Meta, Struct

from .errors import IllegalAction, NotAwaited
from .messages import ENGLISH, Tongue
from .moves import MoveSpace, Rng
from .turn import Await, Seat, Turn

Config = TypeVar("Config")
State = TypeVar("State")
Action = TypeVar("Action")
Effect = TypeVar("Effect")
View = TypeVar("View")


def of_rules(what: str, *others: type[Struct]) -> Meta:
    """Marks JSON that each game types itself: an `Action`, a `View`, an `Effect`, a `Combat` or its `Options`. It may
    also be one of these others."""
    return Meta(extra={"rules": what, "others": others})


class Combat(Struct, frozen=True, kw_only=True):
    """The head of every combat resolution record; games add their own fields. All of it is public.

    `number` counts a game's combats from 1; `status` is `open`, `resolved`, or `abandoned` when the game ended before.
    """

    number: int
    status: str


class Reconstructed(Struct, frozen=True):
    """Something the rulebook does not print: its rule id, what it is (empty: what the rule's own text says), the option
    that replaces it, if any."""

    rule: str
    what: str = ""
    option: str | None = None


class Step(Struct, Generic[State, Effect], frozen=True):
    """What an action, a chance value or a resignation led to.

    `effects` in the order they happened; `combats` holds each combat that was opened or changed, as it now stands.
    """

    state: State
    effects: tuple[Effect, ...]
    combats: tuple[Combat, ...] = ()


class Rules(Protocol[Config, State, Action, Effect, View]):
    """A game's rules: pure functions over frozen values. They know no clock, chance, database or web.

    Forced decisions (C3) and the defaults of resigned seats (C6) are taken inside `apply`, `resolve` and `resign`:
    the turn that follows is always a real question, a chance or the end.
    """

    ruleset: str
    version: str
    title: str
    seat_counts: tuple[int, ...]
    turn_kinds: Mapping[str, Any]
    """Turn kind to the union of its action types, as msgspec knows it."""
    state_type: type
    view_type: type
    effect_type: Any
    """The tagged union of all effects."""
    combat_type: type[Combat]
    reconstructed: tuple[Reconstructed, ...]

    @property
    def options_schema(self) -> Mapping[str, Any]:
        """JSON Schema of the game options."""
        ...

    def configure(self, seats: int, options: Mapping[str, Any], *, new: bool = True) -> Config:
        """Check the options of a game; InvalidOption otherwise. Unknown options are refused.

        A game that is not `new` was taken with these options before: no check that came later refuses them.
        The config tells the number of seats as `seats`.
        """
        ...

    def options(self, config: Config) -> dict[str, Any]:
        """The whole options with defaults filled in, in canonical form: what the commitment covers."""
        ...

    def teams(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """The sides of a game of so many seats: partners win, lose and resign together (C6). Without teams, each seat
        alone."""
        ...

    def initial(self, config: Config) -> State: ...

    def turn(self, state: State) -> Turn: ...

    def decode(self, kind: str, value: Any) -> Action:
        """An action from its JSON value: MalformedAction for the shape; IllegalAction if it belongs to another kind."""
        ...

    def canonical(self, seat: Seat, action: Action) -> Action:
        """The form in which a seat's actions that the rules call the same are equal."""
        ...

    def moves(self, state: State, seat: Seat) -> MoveSpace[Action]: ...

    def apply(self, state: State, seat: Seat, action: Action) -> Step[State, Effect]:
        """Trusts its caller. A sealed choice is kept in the state and emits no effect until the last one is in."""
        ...

    def resolve(self, state: State, value: int) -> Step[State, Effect]:
        """Go on with a chance value."""
        ...

    def resign(self, state: State, seat: Seat) -> Step[State, Effect]:
        """C6, C7. The seat's sealed choice, if made, stands."""
        ...

    def default(self, state: State, seat: Seat) -> Action: ...

    def view(self, state: State, seat: Seat | None) -> View:
        """What a seat, or for None a spectator, may see: built from that alone."""
        ...

    def context(self, view: View, /) -> dict[str, Any]:
        """What the current turn is about, from a view, JSON-ready: the combat it belongs to, amounts at stake."""
        ...

    def redact(self, effect: Effect, seat: Seat | None) -> Effect:
        """The effect as a seat, or a spectator, may see it. Never dropped: a public shell remains."""
        ...

    def tell(self, effect: Effect) -> str:
        """The effect in a sentence for people, as far as it is not redacted. Seats are written `seat 2`."""
        ...

    def determinize(self, view: View, rng: Rng, /) -> State:
        """A full state that fits the view: `view(determinize(view, rng), seat) == view`."""
        ...

    def render(self, view: View, tongue: Tongue = ENGLISH) -> str:
        """The board as readable text, in the reader's language."""
        ...

    def picture(self, view: View, theme: str, tongue: Tongue = ENGLISH) -> str:
        """The board as an SVG document, in a theme of `palette.THEMES` and the reader's language; made of the view
        alone, equal for equal views.

        It holds no scripts, links or fonts, no style but the palette's, and `render` as its description.
        """
        ...


AnyRules = Rules[Any, Any, Any, Any, Any]


def players(rules: AnyRules) -> str:
    """How many may play, for people: `1 player`, `2 to 4 players`, `2 or 4 players`."""
    counts = sorted(rules.seat_counts)
    if len(counts) > 1 and counts == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]} players"
    return f"{' or '.join(map(str, counts))} player{'' if counts == [1] else 's'}"


def play(
    rules: Rules[Config, State, Action, Effect, View], state: State, seat: Seat, action: Action
) -> Step[State, Effect]:
    """Make a move if it is the seat's turn and the rules allow it: NotAwaited or IllegalAction otherwise."""
    turn = rules.turn(state)
    if type(turn) is not Await or seat not in turn.seats:
        raise NotAwaited(f"seat {seat} owes no choice now")
    fault = rules.moves(state, seat).why_not(action)
    if fault is not None:
        raise IllegalAction(fault)
    return rules.apply(state, seat, action)
