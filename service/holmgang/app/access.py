"""Who calls about a game, what they may see of it and which seat they play."""

from __future__ import annotations

from typing import TypeVar
from uuid import UUID

from msgspec.structs import replace

from holmgang.app.records.games import Game
from holmgang.engine.messages import say
from holmgang.engine.turn import Seat

from .accounts.tokens import current_principal, digest_of, need, refusal_of
from .errors import NotFound, NotSeated, NotYours, SpectatorsExcluded, TokenLimited, Unauthenticated
from .ports import AccessTable, GamesTable
from .records.contexts import GameCaller, MoveContext, TurnContext, ViewContext
from .records.players import Principal, TokenFault

Found = TypeVar("Found", GameCaller, ViewContext, TurnContext, MoveContext)
Seen = TypeVar("Seen", bound=ViewContext)


def find_caller(tables: AccessTable, secret: str | None, game: UUID, invitation: str | None = None) -> GameCaller:
    """Who calls, and how the game stands; refused for a bad token, and for no such game or none that they may see."""
    return admit(tables.caller(digest_of(secret), game, digest_of(invitation)), game)


def find_viewer(tables: AccessTable, secret: str | None, game: UUID, invitation: str | None = None) -> GameCaller:
    """The same, but also refused if the caller may not see what goes on in the game."""
    return viewer(tables.caller(digest_of(secret), game, digest_of(invitation)), game)


def viewer(found: GameCaller | TokenFault | None, game: UUID) -> GameCaller:
    """Who was found of a game; refused as by `find_viewer`."""
    caller = admit(found, game)
    viewing_seat(caller)
    return caller


def view_context(
    tables: AccessTable, secret: str | None, game: UUID, as_seat: Seat | None = None, invitation: str | None = None
) -> ViewContext:
    """The same, with all that a view is made of."""
    return _looked(admit(tables.view_context(digest_of(secret), game, digest_of(invitation)), game), as_seat)


def turn_context(
    tables: AccessTable, secret: str | None, game: UUID, as_seat: Seat | None = None, invitation: str | None = None
) -> TurnContext:
    """The same, with all that the answer about a turn is made of."""
    return _looked(admit(tables.turn_context(digest_of(secret), game, as_seat, digest_of(invitation)), game), as_seat)


def _looked(context: Seen, as_seat: Seat | None) -> Seen:
    viewing_seat(context.caller)
    if as_seat is None:
        return context
    # Another seat's revision is not at hand; whatever is written counts.
    return replace(context, caller=replace(view_as(context.caller, as_seat), revision=context.snapshot.writes))


def admit(found: Found | TokenFault | None, game: UUID) -> Found:
    """What was found of a game for a caller; refused if they may see no such game, and for a bad token."""
    if found is None:
        raise NotFound("game", game)
    if isinstance(found, TokenFault):
        raise refusal_of(found)
    caller = found if isinstance(found, GameCaller) else found.caller
    if caller.principal is not None:
        current_principal.set(caller.principal)
    return found


def _keep_to_seat(principal: Principal, caller: GameCaller) -> None:
    """Refuse a token that is limited to another seat, even if its player held that seat before."""
    if principal.game is not None and (principal.game != caller.game or principal.seat != caller.seat):
        raise TokenLimited(say("This token is good for another seat only."))


def viewing_seat(caller: GameCaller) -> Seat | None:
    """The seat whose view the caller gets; None for a spectator. Refused where spectators are excluded."""
    principal = caller.principal
    if principal is not None:
        need(principal, "read")
        _keep_to_seat(principal, caller)
    need_sight(caller)
    return caller.seat


def need_sight(caller: GameCaller) -> None:
    """Refuse who may not see what goes on in the game, whatever their token is good for."""
    if caller.seat is None and not caller.spectators:
        if caller.principal is None:
            raise Unauthenticated(say("Only its players may see this game: send a token."))
        raise SpectatorsExcluded(say("Only its players may see this game."))


def player_seat(caller: GameCaller, scope: str = "play") -> Seat:
    """The seat that the caller plays; refused without token, scope or seat."""
    if caller.principal is None:
        raise Unauthenticated(say("This needs a token: send 'Authorization: Bearer <token>'."))
    need(caller.principal, scope)
    _keep_to_seat(caller.principal, caller)
    if caller.seat is None:
        raise NotSeated(say("You hold no seat in this game."))
    return caller.seat


def view_as(caller: GameCaller, seat: Seat | None) -> GameCaller:
    """The caller as if they had this seat: for the creator of a practice game. None changes nothing."""
    if seat is None:
        return caller
    principal = caller.principal
    if not caller.practice or principal is None or principal.player != caller.creator or principal.game is not None:
        raise NotYours(say("Only who created a practice game may look as any seat."))
    if seat >= caller.seat_count:
        raise NotFound("seat", seat)
    return replace(caller, seat=seat)


def need_visible(tables: AccessTable, player: UUID, game: UUID, invitation: str | None = None) -> None:
    """Refuse a player who may not see a private game, as if there were no such game."""
    if not tables.may_see(player, game, digest_of(invitation)):
        raise NotFound("game", game)


def game_by_id(tables: GamesTable, ident: UUID) -> Game:
    found = tables.game(ident)
    if found is None:
        raise NotFound("game", ident)
    return found
