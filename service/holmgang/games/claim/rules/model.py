"""The values of Claim: options, state, actions and views' parts."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from holmgang.engine.codec import Bits
from holmgang.engine.options import FirstPlayer, GameOptions, option
from holmgang.engine.patterns import matching
from holmgang.engine.turn import Seat

from .island import FARTHEST, PARTS, PRESETS, Part, check_layout, layout_option

PointName = Annotated[str, matching("[a-z][1-9][0-9]{0,2}", "c4")]


PART_SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["part", "x", "y", "turn"],
    "properties": {
        "part": {"enum": ["double", "single"]},
        "x": {"type": "integer", "minimum": -FARTHEST, "maximum": FARTHEST},
        "y": {"type": "integer", "minimum": -FARTHEST, "maximum": FARTHEST},
        "turn": {"enum": [0, 1]},
    },
}


class Options(GameOptions, frozen=True, kw_only=True):
    """Of Claim."""

    first_player: FirstPlayer = None
    battle_starts: Annotated[
        Literal["first", "second"], option("K2.4", "who moves first in the battle, the first player or the one after.")
    ] = "first"
    layout: Annotated[
        tuple[Part, ...],
        option(
            "K1.3",
            "the island's parts by their upper left points; `turn` 1 is a quarter turn. Moved so that the least `x` and"
            " `y` are 0, the island is at most 26 columns wide.",
            schema={"type": "array", "maxItems": max(map(sum, PARTS.values())), "items": PART_SCHEMA},
            read=check_layout,
            told=layout_option,
            usual=PRESETS.__getitem__,
        ),
    ]


class Place(Struct, frozen=True, tag="place", forbid_unknown_fields=True):
    """K2.1: two pieces on free points."""

    points: Annotated[tuple[PointName, ...], Meta(min_length=2, max_length=2)]


class Remove(Struct, frozen=True, tag="remove", forbid_unknown_fields=True):
    """K2.2: enemy pieces taken off at once."""

    points: Annotated[tuple[PointName, ...], Meta(min_length=1, max_length=4)]


class Stake(Struct, frozen=True, forbid_unknown_fields=True):
    """A castle for a territory, on one of its points."""

    territory: Annotated[int, Meta(ge=0, le=8)]
    point: PointName


class Claim(Struct, frozen=True, tag="claim", forbid_unknown_fields=True):
    """K5: castles put on territories; none to decline."""

    castles: Annotated[tuple[Stake, ...], Meta(max_length=3)]


class Move(Struct, frozen=True, tag="move", forbid_unknown_fields=True):
    """K3: a piece goes along a path, from where it stands to where it ends."""

    path: Annotated[tuple[PointName, ...], Meta(min_length=2, max_length=108)]


class Stop(Struct, frozen=True, tag="stop", forbid_unknown_fields=True):
    """K4.3: no further catch."""


class Castle(Struct, frozen=True, tag="castle", forbid_unknown_fields=True):
    """K4.4: a castle in the place of a caught one."""

    point: PointName


Action: TypeAlias = Place | Remove | Claim | Move | Stop | Castle

TURN_KINDS: dict[str, Any] = {
    "placement": Place,
    "removal": Remove,
    "claim": Claim,
    "move": Move,
    "chase": Move | Stop,
    "castle": Castle,
}


class Board(Struct, array_like=True):
    """Everything, as a step works on it. Sets of points are bits, by the points' numbers on the island.

    `castles` has a seat, or -1, a territory, and `castle_points` where it stands. `due` are territories where the
    active seat is to put a castle (K4.4), `chaser` the point of the piece that may go on, `seen` digests of the
    positions that may come again (K6.3), `turns` the battle turns that each seat has begun, `stood` how often the
    position has stood with which the last of them began.
    """

    players: int
    layout: tuple[Part, ...]
    first_option: int
    battle_starts: str
    phase: str
    turn: int
    awaited: tuple[Seat, ...]
    first: Seat
    active: Seat
    pieces: tuple[Bits, ...]
    castles: tuple[int, ...]
    castle_points: tuple[int, ...]
    caught: tuple[int, ...]
    removed: tuple[int, ...]
    turns: tuple[int, ...]
    seen: tuple[bytes, ...]
    due: tuple[int, ...]
    chaser: int
    combats: int
    resigned: int
    winners: tuple[Seat, ...]
    reason: str
    stood: int = 0


class State(Board, frozen=True, array_like=True):  # type: ignore[misc]
    """A board that nobody changes any more."""
