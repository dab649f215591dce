"""A game as somebody finds it, read at one moment."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from holmgang.engine.turn import Seat

from .games import SeatClock, Status
from .players import Principal


class GameCaller(Struct, frozen=True, kw_only=True):
    """A caller in one game, with enough of it to answer a conditional poll. `revision` counts what they alone notice;
    `absent`: the service plays for the seat until its player returns."""

    principal: Principal | None
    game: UUID
    status: Status
    spectators: bool
    version: int
    turn: int
    seat: Seat | None
    revision: int
    seat_count: int
    practice: bool
    creator: UUID
    absent: bool
    ruleset: str

    @property
    def started(self) -> bool:
        """Whether the game has."""
        return self.turn > 0


class Unread(Struct, frozen=True):
    """In place of a caller whose game could not be read, since where it lies is away: nothing is known of it."""


UNREAD = Unread()


class GameSnapshot(Struct, frozen=True):
    """All that is needed to show a game, from one row. `state` is None where the snapshot was thrown away.

    `state` stands where the log stands: `pending` holds the sealed choices of the current turn that it does not yet
    contain, as a JSON list of [seat, action], in seat order. `writes` grows with every change, noticeable or not.
    """

    game: UUID
    ruleset: str
    ruleset_version: str
    status: Status
    seat_count: int
    options: dict[str, Any]
    version: int
    writes: int
    turn: int
    kind: str | None
    state: bytes | None
    pending: str
    entries: int
    deadline: datetime | None
    clocks: tuple[SeatClock, ...] | None

    @property
    def started(self) -> bool:
        return self.entries > 0


class GameRow(GameSnapshot, frozen=True):
    """All that a move needs to know of its game, from the same row: among it what decides all chance to come, which is
    not even read to show a game. `late`: the turn's deadline has passed, by the database's clock. `clock_runs`
    though no person is there; a game `of_tournament` goes on though none ever was.
    """

    draws: int
    seed: bytes
    entropy: bytes
    head: bytes
    absence: str
    clock_runs: bool
    of_tournament: bool
    late: bool
    increment_seconds: int | None


class ViewContext(Struct, frozen=True, kw_only=True):
    """A game as its caller finds it, read at one moment: all that a view is made of."""

    caller: GameCaller
    snapshot: GameSnapshot


class MoveContext(Struct, frozen=True, kw_only=True):
    """A caller and the row of a game, read at one moment: all that a move is made from."""

    caller: GameCaller
    row: GameRow


class LoggedTurn(Struct, frozen=True):
    """A row of the log, with the seats that made a submission to its turn. `entry` is JSON text."""

    seq: int
    at: datetime
    entry: str
    submitted: frozenset[Seat]


class TurnContext(ViewContext, frozen=True, kw_only=True):
    """With it all that the answer to "what is asked now?" is made of, `now` by the database's clock.

    `last` is the log's last row of an earlier turn; `chosen` are the seats that made a submission to the current turn,
    `own` is the id of the caller's.
    """

    now: datetime
    last: LoggedTurn | None
    chosen: frozenset[Seat]
    own: UUID | None
