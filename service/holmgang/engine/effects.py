"""What happens in games, told in the past tense: the base of all effects, and one that many games share."""

from __future__ import annotations

from msgspec import Struct

from .turn import Seat


class Effect(Struct, frozen=True, omit_defaults=True):
    """The base of all effects. A game's own are frozen, tagged with their names, and JSON-ready.

    A field `forced` marks what the rules took because there was nothing to choose (C3), `defaulted` what was played for
    a seat that has resigned (C6).
    """


class SeatResigned(Effect, frozen=True, tag="seat_resigned", kw_only=True):
    """C6: told by `BaseRules.resign`."""

    seat: Seat
