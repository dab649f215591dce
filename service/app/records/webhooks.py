"""Webhooks, and messages to them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

DeliveryState = Literal["pending", "delivered", "dead"]
"""`dead` after the last attempt, or when its webhook was made inactive."""


class Webhook(Struct, frozen=True):
    id: UUID
    url: str
    events: list[str]
    active: bool
    created_at: datetime
    old_until: Annotated[
        datetime | None, Meta(description="How long messages are signed with the secret before as well.")
    ]
    held_until: Annotated[
        datetime | None,
        Meta(description="Until when new messages wait, since the receiver had too much to do (429, 502, 503 or 504)."),
    ]
    gone_at: Annotated[
        datetime | None,
        Meta(
            description="When the receiver answered 410 (Gone), which made the webhook inactive. Null once it is "
            "active again."
        ),
    ]


class Delivery(Struct, frozen=True):
    """A message to a webhook. It says that something happened, never what."""

    id: Annotated[UUID, Meta(description="The `webhook-id` of every attempt.")]
    type: str
    state: DeliveryState
    attempts: int
    created_at: datetime
    next_at: Annotated[datetime, Meta(description="Of the next attempt, while it is pending.")]
    last_at: Annotated[datetime | None, Meta(description="Of the last attempt.")]
    last_status: Annotated[int | None, Meta(description="What the receiver answered last.")]
    last_error: Annotated[str | None, Meta(description="Why there was no answer, or no further attempt.")]


class Outgoing(Struct, frozen=True):
    """A message to be sent now to a webhook of `player`; `attempts` counts this one."""

    message: UUID
    player: UUID
    url: str
    secrets: tuple[str, ...]
    body: str
    attempts: int
