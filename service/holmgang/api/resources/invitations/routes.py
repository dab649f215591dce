"""Invitations to private games: made, listed and revoked by who created the game."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from flask import Response, request
from msgspec import Meta, Struct
from msgspec.structs import asdict

from holmgang.api.operation.answers import PRIVATE, address, nothing, page_of
from holmgang.api.operation.declaration import operation
from holmgang.api.operation.gate import MANAGES, Call
from holmgang.api.operation.service import service
from holmgang.api.operation.shapes import CursorQuery, Page, shown_as
from holmgang.api.operation.terms import Keyed, described, links
from holmgang.api.resources.games.routes import games
from holmgang.app.games import invitations as use_cases
from holmgang.app.records.games import Invitation

from . import examples

LONGEST_INVITATION, MAX_USES = 366 * 24 * 60 * 60, 1000


class NewInvitation(Struct, frozen=True, kw_only=True):
    seat: Annotated[int, Meta(ge=0, le=99)] | None = None
    """The one seat that it is for; null for any. It does not keep the seat free."""
    uses: Annotated[int, Meta(ge=1, le=MAX_USES)] = 1
    """How many players may take a seat with it; 1 if it is for one seat. With more uses than seats it stays valid for
    spectators."""
    expires_in: Annotated[int, Meta(ge=1, le=LONGEST_INVITATION)] | None = None
    """After how many seconds it ends; null, and no `expires_at`, for never."""
    expires_at: datetime | None = None
    """When it ends, instead of `expires_in`."""


class IssuedInvitation(Invitation, frozen=True):
    secret: str
    """Shown this once."""
    url: str
    """A link to send: the game's page, with the secret in the fragment (`#invitation=...`), which is sent to no server
    and so written to no log. Those who follow it send the secret as the header `Holmgang-Invitation` to look, and in
    the body to take a seat."""


@operation(
    games,
    "POST /games/<uuid:game>/invitations",
    MANAGES,
    IssuedInvitation,
    body=NewInvitation,
    keyed=Keyed.SECRET,
    sees=lambda call, _body, game: use_cases.own_game(call.tables, call.me, game),
)
@described(
    examples.create_invitation,
    links(game="/game", invitation="/id"),
    problems="invalid_field not_yours game_not_private limit_reached",
)
def create_invitation(call: Call, body: NewInvitation, game: UUID) -> Any:
    """Invite somebody to your private game

    The secret and the link are shown only now. Anyone who has them may look at the game, even without a token, by
    sending the secret as the header `Holmgang-Invitation`, and may take a seat by sending it as `invitation` of the
    body. A player who leaves the seat before the start gives the use back. An invitation that is unknown, revoked,
    expired or used up is refused as if there were no such game.
    """
    made, secret = use_cases.create(call.tables, call.me, game, **asdict(body))
    base = service().base or request.host_url.rstrip("/")  # a link that is sent to somebody is never relative
    url = f"{base}/games/{game}#invitation={secret}"
    shown = shown_as(IssuedInvitation, made, secret=secret, url=url)
    where = address(f"/v1/games/{game}/invitations/{made.id}")
    return shown, {"Location": where, "Cache-Control": "no-store"}


@operation(games, "GET /games/<uuid:game>/invitations", MANAGES, Page[Invitation], query=CursorQuery)
@described(examples.LIST_INVITATIONS, problems="not_yours")
def list_invitations(call: Call, query: CursorQuery, game: UUID) -> Any:
    """List the invitations to your private game, without their secrets, oldest first"""
    found = use_cases.all_of(call.tables, call.me, game, query.cursor, query.limit + 1)
    return page_of(found, query.limit, headers=PRIVATE)


@operation(games, "GET /games/<uuid:game>/invitations/<uuid:invitation>", MANAGES, Invitation)
@described(examples.GET_INVITATION, problems="not_yours")
def get_invitation(call: Call, game: UUID, invitation: UUID) -> Any:
    """Read one of your invitations, without its secret"""
    return use_cases.one(call.tables, call.me, game, invitation), PRIVATE


@operation(games, "DELETE /games/<uuid:game>/invitations/<uuid:invitation>", MANAGES)
@described(examples.REVOKE_INVITATION, problems="not_yours")
def revoke_invitation(call: Call, game: UUID, invitation: UUID) -> Response:
    """Revoke an invitation, at once

    Players who have taken a seat with it stay.
    """
    use_cases.revoke(call.tables, call.me, game, invitation)
    return nothing()
