"""The port between the user interface and wherever the game is played."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Protocol

from holmgang.engine.errors import Fault
from holmgang.engine.rules import AnyRules
from holmgang.engine.turn import Over, Seat

NAMES = ("Astrid", "Bjorn", "Cnut", "Dagny", "Erik", "Freydis")
HOUSE_EVENTS: Mapping[str, str] = {
    "game_started": "All seats are taken; the game begins.",
    "game_archived": "The game is archived, since nobody touched it.",
    "game_revived": "The game goes on where it stood.",
}
_SEAT = re.compile(r"\b[Ss]eat (\d+)\b")


class Refused(Exception):
    """The table does not take the choice. Nothing has changed; `fault` tells the rule."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.detail)
        self.fault = fault


class TooLate(Exception):
    """The question is no longer asked: the game has gone on without this choice."""


class Lost(Exception):
    """The table cannot be reached, or will have nothing to do with this player; the sentence says why."""


@dataclass(frozen=True)
class Moment:
    """The table as one's seat sees it now. `view` is of the rules' view type, None before the game begins.

    `status` is `open`, `active`, `over` or `archived`; `yours` says that a choice of the given `kind` is owed. `result`
    is there when it is over. `clock_waits`: after the `deadline` the choice is taken all the same, since nobody else is
    there to wait. `left` is how many seconds there are until then, `banks` how many each seat has for all its choices.
    """

    status: str
    view: Any
    turn: int
    kind: str | None
    yours: bool
    awaited: tuple[Seat, ...]
    deadline: str | None = None
    result: Over | None = None
    clock_waits: bool = False
    left: float | None = None
    banks: tuple[float, ...] = ()


NOBODY: Seat = -1
"""One's own seat where one only looks on."""


@dataclass(frozen=True)
class People:
    """Who sits where, and which seat is one's own. Names are others' words: nothing in them moves the cursor."""

    names: tuple[str, ...]
    me: Seat

    def name(self, seat: Seat) -> str:
        return printable(self.names[seat])

    def listed(self, seats: Sequence[Seat]) -> str:
        names = ["you" if seat == self.me else self.name(seat) for seat in seats]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

    def named(self, sentence: str) -> str:
        """The sentence with names in place of `seat 2`."""

        def name(found: re.Match[str]) -> str:
            seat = int(found[1])
            return self.name(seat) if seat < len(self.names) else found[0]

        return _SEAT.sub(name, sentence)


def names() -> Iterator[str]:
    """Names for those who have none, without end."""
    for number in count(1):
        yield from NAMES if number == 1 else (f"{name} {number}" for name in NAMES)


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, with the seat's number behind those that several have."""
    return tuple(f"{name} {seat}" if names.count(name) > 1 else name for seat, name in enumerate(names))


_JOINERS = frozenset("\u200c\u200d") | {chr(code) for code in range(0xE0020, 0xE0080)}
"""What changes only how the characters beside it are drawn: joiners of letters and emoji, and tags of flags."""


def printable(text: str) -> str:
    return "".join(c if c.isprintable() or c in _JOINERS else "?" for c in text)


class Table(Protocol):
    """A game with a seat of one's own."""

    rules: AnyRules
    slow: bool
    """Whether one should be told who is waited for."""
    farewell: str
    """How the game can be gone on with after one has left the terminal."""

    @property
    def people(self) -> People: ...

    def now(self) -> Moment:
        """How things stand. Raises Lost."""
        ...

    def news(self) -> list[str]:
        """What happened since the last call, in sentences that this seat may hear, with names. Raises Lost."""
        ...

    def choose(self, moment: Moment, action: Any) -> None:
        """Make a choice that was asked for at that moment. Raises Refused, TooLate, Lost."""
        ...

    def wait(self, moment: Moment) -> None:
        """Come back when it may have changed how things stand. Raises Lost."""
        ...

    def resign(self) -> None:
        """Give the game up. Raises TooLate, Lost."""
        ...

    def verdict(self) -> str:
        """What the record of a game that is over makes of what this player saw and gave, in a sentence; "" where there
        is nothing to compare. Raises Lost where it is belied.
        """
        ...

    def close(self) -> None: ...
