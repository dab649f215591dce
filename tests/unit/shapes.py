"""An action with parts of many types, as packages may have: what is told and made by types must be able to take it."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Point(Struct, frozen=True, array_like=True):
    x: Annotated[int, Meta(ge=0, le=2)]
    y: Annotated[int, Meta(gt=-1, lt=3)] = 0


class Way(NamedTuple):
    start: Point
    end: Point


class Build(Struct, frozen=True, tag="build", forbid_unknown_fields=True):
    at: Point
    colour: Colour
    weight: Annotated[float, Meta(ge=0, le=1)]
    share: Annotated[float, Meta(gt=0)]
    way: Way
    walls: Annotated[frozenset[Annotated[int, Meta(ge=1, le=4)]], Meta(max_length=3)] = frozenset()


def build(x: int = 1) -> Build:
    return Build(Point(x, 2), Colour.BLUE, 0.5, 2.5, Way(Point(0, 0), Point(2, 1)), frozenset({1, 4}))
