"""Who is calling, and on which connection: the gate that every operation passes before its input is read."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from enum import Enum
from typing import Any
from uuid import UUID

from flask import request

from service.app.access import find_caller, find_viewer, turn_context, view_context
from service.app.accounts.tokens import authenticate
from service.app.errors import InvalidToken, Unauthenticated
from service.app.ports import Tables
from service.app.records.contexts import GameCaller, TurnContext, ViewContext
from service.app.records.players import Principal
from service.engine.messages import say
from service.engine.turn import Seat

INVITATION = "Holmgang-Invitation"
"""The header by which one looks at a private game: unlike an address it is written to no log and no history."""

_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]{1,512}=*)", re.IGNORECASE)
_FOREIGN = re.compile(
    r"(?:basic|concealed|digest|hoba|mutual|negotiate|ntlm|privatetoken|scram-sha-(?:1|256))(?: (?!.*bearer ).*)?", re.I
)
"""Credentials by which browsers and proxies let people in (IANA's registry of schemes): they say nothing to us. What
else there is may be meant for us, and is no token; so are two of them in one header (RFC 9110, 5.3)."""


class Access(Enum):
    """Who may call an operation."""

    OPEN = "open"
    """Anybody; no token is looked at."""
    PUBLIC = "public"
    """Anybody, but a token that is sent must be good."""
    PLAYER = "player"
    """Players, by a token."""
    GAME = "game"
    """Whoever may know of the game in the path: a token that is sent must be good."""
    VIEWER = "viewer"
    """Whoever may see the game in the path."""
    SIGHT = "sight"
    """The same, where the use case finds the caller in the statement that reads the game."""
    SEAT = "seat"
    """The game's players; the use case finds the seat in the statement that reads the game."""


@dataclass(slots=True)
class Call:
    """One call of an operation. `caller` is set where the operation is for those who see a game, perhaps by the
    `invitation` that they show: from the beginning, or where the access is SIGHT once they have looked."""

    tables: Tables
    secret: str | None
    principal: Principal | None = None
    caller: GameCaller | None = None
    invitation: str | None = None

    @property
    def me(self) -> Principal:
        assert self.principal is not None, "the gate lets nobody else through"
        return self.principal

    @property
    def here(self) -> GameCaller:
        assert self.caller is not None, "the gate finds the caller of every viewer's operation"
        return self.caller

    def view_context(self, game: UUID, as_seat: Seat | None) -> ViewContext:
        """What the caller sees of a game, for operations whose access is SIGHT."""
        context = view_context(self.tables, self.secret, game, as_seat, self.invitation)
        self.caller = context.caller
        return context

    def turn_context(self, game: UUID, as_seat: Seat | None) -> TurnContext:
        """The same, with what the game asks now."""
        context = turn_context(self.tables, self.secret, game, as_seat, self.invitation)
        self.caller = context.caller
        return context

    @property
    def bearer(self) -> str:
        assert self.secret is not None, "the gate lets nobody through without a token"
        return self.secret


def bearer(environ: dict[str, Any]) -> str | None:
    """The token of the Authorization header (RFC 6750); None without the header, and where a proxy before the service
    is who it speaks to. InvalidToken for anything else."""
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
    """The secret of an invitation, shown to look at a private game."""
    found: str | None = environ.get("HTTP_HOLMGANG_INVITATION")
    return found


def need_bearer(secret: str | None) -> str:
    if secret is None:
        raise Unauthenticated(say("This needs a token: send 'Authorization: Bearer <token>'."))
    return secret


def admitted(tables: Tables, access: Access, secret: str | None, path: dict[str, Any]) -> Call:
    """The call, with as much known of the caller as `access` needs; refused where that is not enough."""
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
    return call


def network_of(address: str | None) -> str:
    """What counts as one address: of IPv6 the network of 64 bits, since who has one address there has all of them."""
    if address is None or ":" not in address:
        return str(address)
    try:
        found = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:  # a trusted proxy's, however it is written
        return address
    return str(found.ipv4_mapped or ipaddress.IPv6Network((found, 64), strict=False))
