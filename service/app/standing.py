"""Where a caller stands in a game: what he may see of it and which seat he plays."""

from __future__ import annotations

from uuid import UUID

from msgspec.structs import replace

from service.engine.turn import Seat

from .accounts import accept, digest_of, need
from .errors import NotFound, NotSeated, NotYours, SpectatorsExcluded, TokenLimited, Unauthenticated
from .ports import Tables
from .values import Caller, Principal


def standing(tables: Tables, secret: str | None, game: UUID, invitation: str | None = None) -> Caller:
    """Who calls, and how the game stands; refused for a bad token, and for no such game or none that he may see."""
    found = tables.caller(digest_of(secret), game, digest_of(invitation))
    if found is None:
        raise NotFound("game", game)
    return admit(found)


def admit(caller: Caller | str) -> Caller:
    """A caller with a good token, or none."""
    if isinstance(caller, str):
        accept(caller)
        raise AssertionError("unreachable: accept refuses every string")
    return caller


def _keep_to_seat(principal: Principal, caller: Caller) -> None:
    """Refuse a token that is limited to another seat, also to one that its player has left for another."""
    if principal.game is not None and (principal.game != caller.game or principal.seat != caller.seat):
        raise TokenLimited("This token is good for another seat only.")


def viewer(caller: Caller | str) -> Seat | None:
    """The seat whose view the caller gets; None for a spectator. Refused where spectators are excluded."""
    caller = admit(caller)
    principal = caller.principal
    if principal is not None:
        need(principal, "read")
        _keep_to_seat(principal, caller)
    if caller.seat is None and not caller.spectators:
        if principal is None:
            raise Unauthenticated("Only its players may see this game: send a token.")
        raise SpectatorsExcluded("Only its players may see this game.")
    return caller.seat


def player_seat(caller: Caller | str, scope: str = "play") -> Seat:
    """The seat that the caller plays; refused without token, scope or seat."""
    caller = admit(caller)
    if caller.principal is None:
        raise Unauthenticated("This needs a token: send 'Authorization: Bearer <token>'.")
    need(caller.principal, scope)
    _keep_to_seat(caller.principal, caller)
    if caller.seat is None:
        raise NotSeated("You hold no seat in this game.")
    return caller.seat


def look_as(caller: Caller, seat: Seat | None) -> Caller:
    """The caller as if he had this seat: for the creator of a practice game. None changes nothing."""
    if seat is None:
        return caller
    principal = caller.principal
    if not caller.practice or principal is None or principal.player != caller.creator or principal.game is not None:
        raise NotYours("Only who created a practice game may look as any seat.")
    if seat >= caller.seat_count:
        raise NotFound("seat", seat)
    return replace(caller, seat=seat)
