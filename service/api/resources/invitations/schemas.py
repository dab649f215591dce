"""What is sent and answered about invitations."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from service.app.records.games import Invitation

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
