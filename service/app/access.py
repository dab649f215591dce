"""Where a caller stands in a game: what he may see of it and which seat he plays."""

from __future__ import annotations

from typing import TypeVar
from uuid import UUID

from msgspec.structs import replace

from service.app.records.games import Game
from service.engine.messages import say
from service.engine.turn import Seat

from .accounts.tokens import accept, digest_of, need
from .errors import NotFound, NotSeated, NotYours, SpectatorsExcluded, TokenLimited, Unauthenticated
from .ports import Tables
from .records.contexts import Approach, Caller, Sight, TurnSight
from .records.players import Principal

Found = TypeVar("Found", Caller, Sight, TurnSight, Approach)
Seen = TypeVar("Seen", bound=Sight)


def standing(tables: Tables, secret: str | None, game: UUID, invitation: str | None = None) -> Caller:
    """Who calls, and how the game stands; refused for a bad token, and for no such game or none that he may see."""
    return admit(tables.caller(digest_of(secret), game, digest_of(invitation)), game)


def watching(tables: Tables, secret: str | None, game: UUID, invitation: str | None = None) -> Caller:
    """The same, refused also where the caller may not see what goes on in the game."""
    caller = standing(tables, secret, game, invitation)
    viewer(caller)
    return caller


def look(
    tables: Tables, secret: str | None, game: UUID, as_seat: Seat | None = None, invitation: str | None = None
) -> Sight:
    """The same, with all that a view is answered from."""
    return _looked(admit(tables.sight(digest_of(secret), game, digest_of(invitation)), game), as_seat)


def look_at_turn(
    tables: Tables, secret: str | None, game: UUID, as_seat: Seat | None = None, invitation: str | None = None
) -> TurnSight:
    """The same, with all that a turn is answered from."""
    return _looked(admit(tables.turn_sight(digest_of(secret), game, as_seat, digest_of(invitation)), game), as_seat)


def _looked(sight: Seen, as_seat: Seat | None) -> Seen:
    viewer(sight.caller)
    if as_seat is None:
        return sight
    # Another seat's revision is not at hand; whatever is written counts.
    return replace(sight, caller=replace(look_as(sight.caller, as_seat), revision=sight.scene.writes))


def admit(found: Found | str | None, game: UUID) -> Found:
    """What was found of a game for a caller; refused where there is no such game for him, and for a bad token."""
    if found is None:
        raise NotFound("game", game)
    if isinstance(found, str):
        accept(found)
        raise AssertionError("unreachable: accept refuses every string")
    caller = found if isinstance(found, Caller) else found.caller
    if caller.principal is not None:
        accept(caller.principal)
    return found


def _keep_to_seat(principal: Principal, caller: Caller) -> None:
    """Refuse a token that is limited to another seat, also to one that its player has left for another."""
    if principal.game is not None and (principal.game != caller.game or principal.seat != caller.seat):
        raise TokenLimited(say("This token is good for another seat only."))


def viewer(caller: Caller) -> Seat | None:
    """The seat whose view the caller gets; None for a spectator. Refused where spectators are excluded."""
    principal = caller.principal
    if principal is not None:
        need(principal, "read")
        _keep_to_seat(principal, caller)
    if caller.seat is None and not caller.spectators:
        if principal is None:
            raise Unauthenticated(say("Only its players may see this game: send a token."))
        raise SpectatorsExcluded(say("Only its players may see this game."))
    return caller.seat


def player_seat(caller: Caller, scope: str = "play") -> Seat:
    """The seat that the caller plays; refused without token, scope or seat."""
    if caller.principal is None:
        raise Unauthenticated(say("This needs a token: send 'Authorization: Bearer <token>'."))
    need(caller.principal, scope)
    _keep_to_seat(caller.principal, caller)
    if caller.seat is None:
        raise NotSeated(say("You hold no seat in this game."))
    return caller.seat


def look_as(caller: Caller, seat: Seat | None) -> Caller:
    """The caller as if he had this seat: for the creator of a practice game. None changes nothing."""
    if seat is None:
        return caller
    principal = caller.principal
    if not caller.practice or principal is None or principal.player != caller.creator or principal.game is not None:
        raise NotYours(say("Only who created a practice game may look as any seat."))
    if seat >= caller.seat_count:
        raise NotFound("seat", seat)
    return replace(caller, seat=seat)


def need_visible(tables: Tables, player: UUID, game: UUID, invitation: str | None = None) -> None:
    """Refuse, as if there were no such game, whom a private one is not for."""
    if not tables.sees(player, game, digest_of(invitation)):
        raise NotFound("game", game)


def game_by_id(tables: Tables, ident: UUID) -> Game:
    found = tables.game(ident)
    if found is None:
        raise NotFound("game", ident)
    return found
