"""What happens in a game of Claim, in the past tense; and the records of catches.

`forced` marks what the rules took because there was nothing to choose (C3), `defaulted` what was played for a seat that
has resigned (C6). Nothing is hidden.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from holmgang.engine.effects import Effect
from holmgang.engine.rules import Combat
from holmgang.engine.turn import Seat


class FirstPlayerChosen(Effect, frozen=True, tag="first_player_chosen", kw_only=True):
    """K2.1; `by` is `option` or `chance`."""

    seat: Seat
    by: str


class PiecesPlaced(Effect, frozen=True, tag="pieces_placed", kw_only=True):
    """K2.1."""

    seat: Seat
    points: tuple[str, ...]
    defaulted: bool = False


class PiecesRemoved(Effect, frozen=True, tag="pieces_removed", kw_only=True):
    """K2.2: by `seat`, of `victims`, in the order of points."""

    seat: Seat
    points: tuple[str, ...]
    victims: tuple[Seat, ...]
    forced: bool = False
    defaulted: bool = False


class BattleTurnStarted(Effect, frozen=True, tag="battle_turn_started", kw_only=True):
    """K2.4; `number` counts the seat's battle turns, `repeats` how often the position has stood."""

    seat: Seat
    number: int
    repeats: int


class CastleReturned(Effect, frozen=True, tag="castle_returned", kw_only=True):
    """K4.4, K5: an owner's castle comes back."""

    owner: Seat
    territory: int
    point: str


class CastlePlaced(Effect, frozen=True, tag="castle_placed", kw_only=True):
    """K4.4, K5: `claimed` on one's own turn, or in the place of a caught one."""

    seat: Seat
    territory: int
    point: str
    claimed: bool
    forced: bool = False
    defaulted: bool = False


class ClaimDeclined(Effect, frozen=True, tag="claim_declined", kw_only=True):
    """K5."""

    seat: Seat
    defaulted: bool = False


class PieceMoved(Effect, frozen=True, tag="piece_moved", kw_only=True):
    """K3: the path that was taken."""

    seat: Seat
    path: tuple[str, ...]
    forced: bool = False
    defaulted: bool = False


class Caught(Effect, frozen=True, tag="caught", kw_only=True):
    """K4.1: a piece or castle of `victim`; `combat` is the record's number."""

    combat: int
    seat: Seat
    victim: Seat
    kind: str
    point: str


class ChaseEnded(Effect, frozen=True, tag="chase_ended", kw_only=True):
    """K4.3: a further catch was left alone."""

    seat: Seat
    defaulted: bool = False


class TurnSkipped(Effect, frozen=True, tag="turn_skipped", kw_only=True):
    """K3.2: no legal move."""

    seat: Seat


class SeatResigned(Effect, frozen=True, tag="seat_resigned", kw_only=True):
    """C6; `seats` are the seat and its partner."""

    seat: Seat
    seats: tuple[Seat, ...]


class GameEnded(Effect, frozen=True, tag="game_ended", kw_only=True):
    """K6, C7. `reason` is `castles`, `alone`, `repetition`, `turn_limit` or `last_seat`."""

    reason: str
    winners: tuple[Seat, ...]
    castles: tuple[int, ...]
    pieces: tuple[int, ...]


AnyEffect: TypeAlias = (
    FirstPlayerChosen
    | PiecesPlaced
    | PiecesRemoved
    | BattleTurnStarted
    | CastleReturned
    | CastlePlaced
    | ClaimDeclined
    | PieceMoved
    | Caught
    | ChaseEnded
    | TurnSkipped
    | SeatResigned
    | GameEnded
)


class Closer(Struct, frozen=True, omit_defaults=True):
    """What stands on the victim's other side: `piece` or `castle` with its seat and point, or the `edge`."""

    kind: str
    seat: Seat | None = None
    point: str | None = None


class ClaimCombat(Combat, frozen=True, kw_only=True):
    """A catch (K4.1): who moved from where to where, what was caught, and what closed it in."""

    mover: Seat
    start: str
    end: str
    victim: Seat
    kind: str
    point: str
    closer: Closer
