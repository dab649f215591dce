"""The values of Tafl: options, action, state and effects."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.engine.patterns import matching
from service.engine.turn import Seat

ENDS = {"king_home": "T4.1", "king_taken": "T4.2", "no_moves": "T4.3", "repetition": "T4.4", "turn_limit": "T4.5"}
"""Why a game is over, with the rule that says so; else by C7."""
Point = Annotated[str, matching("[a-i][1-9]", "e4")]


class Terms(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game. What is usual is said for Tablut."""

    board: Annotated[Literal["tablut", "brandubh"], Meta(description="T1.1: Which game.")] = "tablut"
    starts: Annotated[Literal["attackers", "defenders"], Meta(description="T1.2: Which side begins.")] = "attackers"
    castle: Annotated[Literal["closed", "crossed", "king"], Meta(description="T2.2: Who may cross the castle.")] = (
        "closed"
    )
    king: Annotated[Literal["armed", "unarmed"], Meta(description="T3.2: Whether the king helps to take.")] = "armed"
    free_castle: Annotated[Literal["hostile", "harmless"], Meta(description="T3.3: What it is to men.")] = "harmless"
    taken_by: Annotated[Literal["two", "four"], Meta(description="T3.5: How many take the king in the open.")] = "two"
    goal: Annotated[Literal["edge", "corner"], Meta(description="T4.1: Where the king is at home.")] = "edge"
    repetition: Annotated[Literal["draw", "attackers", "defenders"], Meta(description="T4.4: Who wins then.")] = "draw"


class Config(Struct, frozen=True):
    terms: Terms
    seats: int = 2


class Move(Struct, frozen=True, tag="move", forbid_unknown_fields=True, rename={"start": "from", "end": "to"}):
    """T2: what stands on one square goes to another."""

    start: Point
    end: Point


class State(Struct, frozen=True):
    """`board` has a character a square, row by row from the top: `a` is an attacker, `d` a defender, `k` the king.

    `mover` is to move; `seen` are digests of the positions since something was taken (T4.4). Of a drawn game both
    seats are winners.
    """

    terms: Terms
    board: str
    turn: int
    mover: Seat
    seen: tuple[str, ...]
    winners: tuple[Seat, ...]
    reason: str


class Moved(Struct, frozen=True, tag="moved", rename={"start": "from", "end": "to"}):
    """`forced` where there was nothing to choose (T4.3)."""

    seat: Seat
    start: str
    end: str
    forced: bool


class Taken(Struct, frozen=True, tag="taken"):
    """T3: by `seat`, on these squares."""

    seat: Seat
    points: tuple[str, ...]


class Ended(Struct, frozen=True, tag="ended"):
    """`rule` is the id of the rule that says so."""

    reason: str
    rule: str
    winners: tuple[Seat, ...]


Effect: TypeAlias = Moved | Taken | Ended
