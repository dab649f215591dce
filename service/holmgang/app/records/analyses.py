"""What the bot that looks ahead thinks of a game that is over."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Raw, Struct

from holmgang.engine.rules import of_rules
from holmgang.engine.turn import Seat

AnalysisStatus = Literal["waiting", "running", "done", "failed"]


class JudgedPosition(Struct, frozen=True, kw_only=True):
    """How the sides stood after a row of the log."""

    seq: int
    """The row of the game's record after which it stood so."""
    turn: int
    """The turn that was asked then; in the last position the last turn."""
    values: tuple[float, ...]
    """By seat the share of the victory that its side could expect, from 0 to 1. Those of all sides add up to 1, and
    partners have the same. The last position has what came of it: 1 for a side that won alone."""


class JudgedChoice(Struct, frozen=True, kw_only=True):
    """A choice that was made, beside the one that the bot prefers."""

    seq: int
    """The row of the game's record that holds it."""
    turn: int
    seat: Seat
    kind: str
    context: dict[str, Any]
    """What the turn was about, as the seat was told then."""
    action: Annotated[Raw, of_rules("Action")]
    preferred: Annotated[Raw, of_rules("Action")]
    """What the bot would have done."""
    agrees: bool
    """Whether both come to the same."""
    forced: bool
    """Whether there was no other choice."""
    value: float
    """The share of the victory that the seat's side could expect after its action."""
    preferred_value: float
    """The same after the preferred one. Both are estimates: it may be a little less than `value`."""


class JudgedStep(Struct, frozen=True):
    """A position, and the choices that were made in it: several in a sealed turn, none where the game ended."""

    position: JudgedPosition
    choices: tuple[JudgedChoice, ...] = ()


class Analysis(Struct, frozen=True, kw_only=True):
    """What a built-in bot thinks of each choice of a game that is over, and of each position."""

    game: UUID
    bot: str
    """Who judged."""
    status: AnalysisStatus
    """`waiting` for a worker, `running`, `done`, or `failed`: then it may be asked for again."""
    judged: int
    """Choices that have been judged."""
    total: int | None
    """Choices of the game; null until they have been counted."""
    asked_at: datetime
    finished_at: datetime | None
    """Null while it is not done."""
    positions: tuple[JudgedPosition, ...]
    """In the order of the log, as far as they have been judged. There is none where nobody chose."""
    choices: tuple[JudgedChoice, ...]
    """In the order of the log, as far as they have been judged."""


class KeptAnalysis(Struct, frozen=True, kw_only=True):
    """An analysis as it is stored."""

    game: UUID
    status: AnalysisStatus
    total: int | None
    asked_at: datetime
    finished_at: datetime | None
    steps: str
    """A JSON array of `JudgedStep`."""


class ClaimedAnalysis(Struct, frozen=True, kw_only=True):
    """An analysis that a worker has claimed. `seq` is that of the last position that has been judged, None for none;
    `attempts` how often it was claimed since anything was noted."""

    game: UUID
    seq: int | None
    attempts: int
