"""The gate that every call passes before its input is read: who calls, and on which connection to the database."""

import ipaddress
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any
from uuid import UUID

from flask import request

from holmgang.app.access import find_caller, find_viewer, turn_context, view_context
from holmgang.app.accounts.tokens import authenticate
from holmgang.app.errors import InvalidToken, Unauthenticated
from holmgang.app.ports import Tables
from holmgang.app.records.contexts import GameCaller, TurnContext, ViewContext
from holmgang.app.records.players import Principal
from holmgang.app.records.tournaments import Tournament
from holmgang.app.tournaments.reading import tournament
from holmgang.engine.messages import say
from holmgang.engine.turn import Seat

INVITATION = "Holmgang-Invitation"
"""The header that shows a private game to those who were invited. Unlike addresses, headers get into no log and no
browser's history."""

_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]{1,512}=*)", re.IGNORECASE)
_FOREIGN = re.compile(
    r"(?:basic|concealed|digest|hoba|mutual|negotiate|ntlm|privatetoken|scram-sha-(?:1|256))(?: (?!.*bearer ).*)?", re.I
)
"""Credentials for proxies in front of the service (IANA's registry of schemes), which are ignored. Anything else, and
two of them in one header (RFC 9110, 5.3), may be meant for us and is an invalid token."""


class Access(Enum):
    """Who may call an operation."""

    OPEN = "open"
    """Everyone; tokens are ignored."""
    PUBLIC = "public"
    """Everyone, but a token that is sent must be valid."""
    PLAYER = "player"
    """Players, with a token."""
    GAME = "game"
    """Those who may know of the game in the path; a token that is sent must be valid."""
    VIEWER = "viewer"
    """Those who may see the game in the path."""
    SIGHT = "sight"
    """Like VIEWER, but the use case finds the caller in the statement that reads the game."""
    TOURNAMENT = "tournament"
    """Those who may know of the tournament in the path; a token that is sent must be valid."""
    SEAT = "seat"
    """The game's players; the use case finds the seat in the statement that reads the game."""


READS, PLAYS, MANAGES = ((Access.PLAYER, scope) for scope in ("read", "play", "manage"))
"""Players, by a token that has the scope."""


@dataclass(slots=True)
class Call:
    """One call of an operation. `caller` is set if the operation is for those who may see a game, perhaps by the
    `invitation` that they show: from the beginning, or with Access.SIGHT after `view_context`."""

    tables: Tables
    secret: str | None
    principal: Principal | None = None
    caller: GameCaller | None = None
    invitation: str | None = None
    tournament: Tournament | None = None

    @property
    def me(self) -> Principal:
        assert self.principal is not None, "the gate lets nobody else through"
        return self.principal

    @property
    def viewer(self) -> UUID | None:
        """Whose private tournaments are shown: a token that is limited to a seat knows none."""
        return None if self.principal is None or self.principal.game is not None else self.principal.player

    @property
    def there(self) -> Tournament:
        assert self.tournament is not None, "the gate finds the tournament of every such operation"
        return self.tournament

    def look_again(self) -> None:
        """Have the tournament, if there is one, as it is by now."""
        if self.tournament is not None:
            self.tournament = tournament(self.tables, self.viewer, self.tournament.id, self.invitation)

    @property
    def here(self) -> GameCaller:
        assert self.caller is not None, "the gate finds the caller of every viewer's operation"
        return self.caller

    def view_context(self, game: UUID, as_seat: Seat | None) -> ViewContext:
        """What the caller sees of a game, for operations with Access.SIGHT."""
        context = view_context(self.tables, self.secret, game, as_seat, self.invitation)
        self.caller = context.caller
        return context

    def turn_context(self, game: UUID, as_seat: Seat | None) -> TurnContext:
        """What the caller sees of a game, and what it asks now."""
        context = turn_context(self.tables, self.secret, game, as_seat, self.invitation)
        self.caller = context.caller
        return context

    @property
    def bearer(self) -> str:
        assert self.secret is not None, "the gate lets nobody through without a token"
        return self.secret


def bearer(environ: dict[str, Any]) -> str | None:
    """The token of the Authorization header (RFC 6750); None without the header, and for credentials of a proxy.
    InvalidToken for anything else."""
    header = environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    header = header.strip(" \t")
    found = _BEARER.fullmatch(header)
    if found is None:
        if _FOREIGN.fullmatch(header):
            return None
        raise InvalidToken(say("The Authorization header is not of the form 'Bearer <token>'."))
    return found[1]


def shown_invitation(environ: dict[str, Any]) -> str | None:
    """The secret of an invitation to a private game."""
    found: str | None = environ.get("HTTP_HOLMGANG_INVITATION")
    return found


def need_bearer(secret: str | None) -> str:
    if secret is None:
        raise Unauthenticated(say("This needs a token: send 'Authorization: Bearer <token>'."))
    return secret


def admitted(tables: Tables, access: Access, secret: str | None, path: dict[str, Any]) -> Call:
    """The call, with the caller as `access` needs them. Refused if they may not call."""
    call = Call(tables, secret, invitation=shown_invitation(request.environ))
    if access in (Access.GAME, Access.VIEWER):
        game: UUID = path["game"]
        call.caller = (find_viewer if access is Access.VIEWER else find_caller)(tables, secret, game, call.invitation)
        call.principal = call.caller.principal
    elif access is Access.PLAYER:
        call.principal = authenticate(tables, need_bearer(secret))
    elif access is Access.SEAT:
        need_bearer(secret)
    elif access is Access.PUBLIC and secret is not None:
        call.principal = authenticate(tables, secret)
    elif access is Access.TOURNAMENT:
        seen_tournament(call, path["tournament"])
    return call


def seen_tournament(call: Call, ident: UUID) -> Tournament:
    """The tournament, for a caller who may know of it; refused for a bad token too. The call keeps both."""
    if call.secret is not None:
        call.principal = authenticate(call.tables, call.secret)
    call.tournament = tournament(call.tables, call.viewer, ident, call.invitation)
    return call.tournament


def network_of(address: str | None) -> str:
    """What counts as one address. Of IPv6 that is the network of 64 bits, since its owner has every address in it."""
    if address is None or ":" not in address:
        return str(address)
    try:
        found = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:  # a trusted proxy wrote it
        return address
    return str(found.ipv4_mapped or ipaddress.IPv6Network((found, 64), strict=False))
