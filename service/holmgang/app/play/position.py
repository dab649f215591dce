"""The position of a game: its rules and its state, from the snapshot or, where that is gone, from the log."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from holmgang import registry
from holmgang.app.errors import RulesetUnavailable
from holmgang.app.pauses import with_pauses
from holmgang.app.ports import HistoryTable
from holmgang.app.records.contexts import GameSnapshot
from holmgang.app.records.games import Game
from holmgang.app.records.play import LogRow
from holmgang.engine.codec import decode_state, encode_json
from holmgang.engine.messages import say
from holmgang.engine.replay import Entry, perform, replay
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Await, Seat, Turn

Row = TypeVar("Row", bound=GameSnapshot)

_entry = msgspec.json.Decoder(Entry)
_pending = msgspec.json.Decoder(list[tuple[Seat, Any]])


def as_text(value: Any) -> str:
    return encode_json(value).decode()


def rules_of(game: GameSnapshot | Game) -> AnyRules:
    """The rules that the game was started under; RulesetUnavailable where this process lacks that version."""
    try:
        return registry.find(game.ruleset, game.ruleset_version)
    except registry.UnknownRuleset:
        raise _unavailable(game) from None


def _unavailable(game: GameSnapshot | Game) -> RulesetUnavailable:
    return RulesetUnavailable(
        say(
            "The game is played by {ruleset} {version}, which this server does not know.",
            ruleset=game.ruleset,
            version=game.ruleset_version,
        )
    )


def teams_of(game: Game) -> tuple[tuple[Seat, ...], ...]:
    """The sides of a game, which no version can change; RulesetUnavailable where this process lacks the ruleset."""
    try:
        return registry.latest(game.ruleset).teams(game.seat_count)
    except registry.UnknownRuleset:
        raise _unavailable(game) from None


def entry_of(row: LogRow) -> Entry:
    return _entry.decode(row.entry)


def logged_state(tables: HistoryTable, rules: AnyRules, snapshot: GameSnapshot) -> Any:
    """The state as the log has it, without the sealed choices of the current turn."""
    if snapshot.state is not None:
        return decode_state(snapshot.state, rules.state_type)
    config = rules.configure(snapshot.seat_count, snapshot.options, new=False)
    entries = (entry_of(row) for row in with_pauses(tables.log(snapshot.game, limit=snapshot.entries)))
    *_, (_, last) = replay(rules, config, entries)
    return last.step.state


class Position(Generic[Row]):
    """A started game at its current turn. `row` is what was read of it, `logged` the log's state, `sealed` the choices
    that it lacks."""

    def __init__(self, rules: AnyRules, row: Row, logged: Any) -> None:
        self.rules = rules
        self.row = row
        self.logged = logged
        self.sealed: dict[Seat, Any] = {}
        self.wire: dict[Seat, Any] = {}
        for seat, value in _pending.decode(row.pending):
            self.wire[seat] = value
            self.sealed[seat] = rules.decode(str(row.kind), value)

    def without(self, seat: Seat | None) -> Any:
        """The state with every sealed choice but that of `seat`: what that seat's choice is judged in."""
        others = [(s, action) for s, action in self.sealed.items() if s != seat]
        if not others:
            return self.logged
        return perform(self.rules, self.logged, others, None, _no_chance).step.state

    @property
    def state(self) -> Any:
        """The state with all sealed choices in it: what views show."""
        return self.without(None)

    @property
    def asked(self) -> Turn:
        """The current turn before anybody's sealed choice."""
        return self.rules.turn(self.logged)

    def awaited(self) -> tuple[Seat, ...]:
        """The seats that still owe a choice."""
        asked = self.asked
        return tuple(s for s in asked.seats if s not in self.sealed) if type(asked) is Await else ()


def _no_chance(label: str, stop: int) -> int:
    raise AssertionError(f"a sealed choice that does not end its turn asked for chance: {label} below {stop}")


def position(tables: HistoryTable, row: Row) -> Position[Row]:
    rules = rules_of(row)
    return Position(rules, row, logged_state(tables, rules, row))
