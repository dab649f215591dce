"""Webhooks, and messages to them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

Topic = Literal["game.started", "turn.waiting", "game.over", "challenge.received"]
"""What a webhook can tell of."""
DeliveryState = Literal["pending", "delivered", "dead"]
"""`dead` after the last attempt, or when its webhook was made inactive."""


class Webhook(Struct, frozen=True):
    id: UUID
    url: str
    events: list[str]
    active: bool
    created_at: datetime
    old_until: datetime | None
    """How long messages are signed with the secret before as well."""
    held_until: datetime | None
    """Until when new messages wait, since the receiver had too much to do (429, 502, 503 or 504)."""
    gone_at: datetime | None
    """When the receiver answered 410 (Gone), which made the webhook inactive. Null once it is active again."""


class Delivery(Struct, frozen=True):
    """A message to a webhook. It says that something happened, never what."""

    id: UUID
    """The `webhook-id` of every attempt."""
    type: str
    state: DeliveryState
    attempts: int
    created_at: datetime
    next_at: datetime
    """Of the next attempt, while it is pending."""
    last_at: datetime | None
    """Of the last attempt."""
    last_status: int | None
    """What the receiver answered last."""
    last_error: str | None
    """Why there was no answer, or no further attempt."""


class Outgoing(Struct, frozen=True):
    """A message to be sent now to a webhook of `player`; `attempts` counts this one."""

    message: UUID
    player: UUID
    url: str
    secrets: tuple[str, ...]
    body: str
    attempts: int
