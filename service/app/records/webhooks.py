"""Webhooks, and messages to them."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from msgspec import Struct


class Webhook(Struct, frozen=True):
    """Where a player wants to be told of `events`. `old_until`: how long the secret before signs as well. `held_until`:
    until when the receiver asked for nothing new. `gone_at`: when it asked for nothing any more."""

    id: UUID
    player: UUID
    url: str
    events: list[str]
    active: bool
    created_at: datetime
    old_until: datetime | None
    held_until: datetime | None
    gone_at: datetime | None


class Delivery(Struct, frozen=True):
    """A message to a webhook: `pending`, `delivered`, or `dead` after the last attempt."""

    id: UUID
    type: str
    state: str
    attempts: int
    created_at: datetime
    next_at: datetime
    last_at: datetime | None
    last_status: int | None
    last_error: str | None


class Outgoing(Struct, frozen=True):
    """A message to be sent now to a webhook of `player`; `attempts` counts this one."""

    message: UUID
    player: UUID
    url: str
    secrets: tuple[str, ...]
    body: str
    attempts: int
