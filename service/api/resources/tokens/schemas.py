"""What is sent and answered about tokens."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from service.api.operation.fields import OneLine
from service.app.accounts.names import unseen
from service.app.records.players import Scope, Token


class NewToken(Struct, frozen=True, kw_only=True):
    label: Annotated[str, Meta(extra={"field": partial(OneLine, unseen)})]
    """What the token is for: visible characters as in the names of players."""
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=3)]
    """What the token may do; never more than your own token may."""
    game: UUID | None = None
    """Limits the token to the seat that you hold in this game."""
    expires_at: datetime | None = None
    """When the token ends; null for never."""


class IssuedToken(Token, frozen=True):
    token: str
    """The secret, shown this once."""
