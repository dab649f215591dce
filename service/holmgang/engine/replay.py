"""A game as a log: the entries that, played from the start, give the state again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from .errors import NotAwaited
from .rules import AnyRules, Step, play
from .turn import Await, Chance, Seat


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One log row: what was put in, in the order it is played, and the chance values it asked for.

    `actions` holds the last choice of each seat as JSON values (a sealed turn's together, in seat order). A
    resignation's entry holds the resigner's own sealed choice, if any, which is played before the resignation.
    `kind` is the turn's kind, which the actions are read by.
    """

    turn: int
    kind: str | None = None
    actions: tuple[tuple[Seat, Any], ...] = ()
    resigned: Seat | None = None
    chance: tuple[tuple[str, int], ...] = ()


class Played(Struct, frozen=True):
    """The step of a whole entry: state, effects and combats of all its parts, and the chance values drawn."""

    step: Step[Any, Any]
    chance: tuple[tuple[str, int], ...]


def settle(rules: AnyRules, step: Step[Any, Any], draw: Callable[[str, int], int]) -> Played:
    """Answer every chance question with `draw(label, stop)` until a seat is awaited or the game is over."""
    drawn: list[tuple[str, int]] = []
    while type(turn := rules.turn(step.state)) is Chance:
        value = draw(turn.label, turn.stop)
        drawn.append((turn.label, value))
        step = _joined(step, rules.resolve(step.state, value))
    return Played(step, tuple(drawn))


def perform(
    rules: AnyRules,
    state: Any,
    actions: Iterable[tuple[Seat, Any]],
    resigned: Seat | None,
    draw: Callable[[str, int], int],
) -> Played:
    """Play decoded actions in order, then the resignation if there is one, then settle."""
    so_far: Step[Any, Any] = Step(state, ())
    for seat, action in actions:
        so_far = _joined(so_far, play(rules, so_far.state, seat, action))
    if resigned is not None:
        so_far = _joined(so_far, rules.resign(so_far.state, resigned))
    return settle(rules, so_far, draw)


def _joined(before: Step[Any, Any], after: Step[Any, Any]) -> Step[Any, Any]:
    combats = {c.number: c for c in before.combats + after.combats}
    return Step(after.state, before.effects + after.effects, tuple(combats.values()))


def replay(rules: AnyRules, config: Any, entries: Iterable[Entry]) -> Iterator[tuple[Entry, Played]]:
    """Play a log again, yielding each entry with what it led to.

    Raises NotAwaited, IllegalAction, MalformedAction or ReplayMismatch where the log does not fit the rules.
    """
    state = rules.initial(config)
    for entry in entries:
        values = iter(entry.chance)

        def draw(label: str, stop: int, values: Iterator[tuple[str, int]] = values) -> int:
            found = next(values, None)
            if found is None or found[0] != label or not 0 <= found[1] < stop:
                raise ReplayMismatch(f"the rules ask for {label} below {stop}, the log has {found}")
            return found[1]

        if entry.actions:
            turn = rules.turn(state)
            if type(turn) is not Await or turn.turn != entry.turn or turn.kind != entry.kind:
                raise NotAwaited(f"the log plays turn {entry.turn}, the game is at {turn}")
        decoded = [(seat, rules.decode(str(entry.kind), value)) for seat, value in entry.actions]
        played = perform(rules, state, decoded, entry.resigned, draw)
        if next(values, None) is not None:
            raise ReplayMismatch(f"turn {entry.turn} holds more chance values than the rules ask for")
        state = played.step.state
        yield entry, played


class ReplayMismatch(Exception):
    """The log's chance values are not those that the rules ask for."""
