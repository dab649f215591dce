"""The records of fights between ships."""

from __future__ import annotations

from msgspec import Struct

from holmgang.engine.rules import Combat
from holmgang.engine.turn import Seat

from .effects import Counts


class Fighter(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A side of a fight: its ship and the rank of its cargo; its card from the reveal on, none of a seat without."""

    seat: Seat
    ship: int
    rank: int
    card: int | None = None


class DrakkarsCombat(Combat, frozen=True, kw_only=True):
    """A fight between two ships (D5.6). From the reveal on: `difference`, `winner`, the loser's `fate` (`fled`, `home`
    or `destroyed`) and what became of its cargo: `taken` or `lost` to the bag; `returned` coins did not fit."""

    cell: int
    town: int | None
    attacker: Fighter
    defender: Fighter
    difference: int | None = None
    winner: Seat | None = None
    fate: str | None = None
    taken: Counts | None = None
    lost: Counts | None = None
    returned: Counts | None = None
