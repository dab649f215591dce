"""The values of Tafl: options, action, state and effects."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Struct

from holmgang.engine.effects import Effect as AnyEffect
from holmgang.engine.options import GameOptions, option
from holmgang.engine.patterns import matching
from holmgang.engine.turn import Seat

ENDS = {"king_home": "T4.1", "king_taken": "T4.2", "no_moves": "T4.3", "repetition": "T4.4", "turn_limit": "T4.5"}
"""Why a game is over, with the rule that says so; else by C7."""
Point = Annotated[str, matching("[a-i][1-9]", "e4")]


class Terms(GameOptions, frozen=True, kw_only=True):
    """The options of a game. What is usual in Tablut is not in Brandubh: the schema tells no default of that."""

    board: Annotated[Literal["tablut", "brandubh"], option("T1.1", "which game is played.")] = "tablut"
    starts: Annotated[Literal["attackers", "defenders"], option("T1.2", "which side begins.")] = "attackers"
    castle: Annotated[Literal["closed", "crossed", "king"], option("T2.2", "who crosses it.", usual=lambda _: "closed")]
    king: Annotated[Literal["armed", "unarmed"], option("T3.2", "whether the king helps to take.")] = "armed"
    free_castle: Annotated[Literal["hostile", "harmless"], option("T3.3", "what it does.", usual=lambda _: "harmless")]
    taken_by: Annotated[Literal["two", "four"], option("T3.5", "how many take the king in the open.")] = "two"
    goal: Annotated[Literal["edge", "corner"], option("T4.1", "where the king is at home.", usual=lambda _: "edge")]
    repetition: Annotated[Literal["draw", "attackers", "defenders"], option("T4.4", "who wins then.")] = "draw"


class Move(Struct, frozen=True, tag="move", forbid_unknown_fields=True, rename={"start": "from", "end": "to"}):
    """T2: one of your men goes from a square to another."""

    start: Point
    end: Point


TURN_KINDS = {"move": Move}


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


class Moved(AnyEffect, frozen=True, tag="moved", rename={"start": "from", "end": "to"}):
    """`forced` where there was nothing to choose (T4.3)."""

    seat: Seat
    start: str
    end: str
    forced: bool = False


class Taken(AnyEffect, frozen=True, tag="taken"):
    """T3: by `seat`, on these squares."""

    seat: Seat
    points: tuple[str, ...]


class Ended(AnyEffect, frozen=True, tag="ended"):
    """`rule` is the id of the rule that says so."""

    reason: str
    rule: str
    winners: tuple[Seat, ...]


Effect: TypeAlias = Moved | Taken | Ended
