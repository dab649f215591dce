"""What is sent and answered about webhooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from service.api.operation.shapes import CursorQuery
from service.app.records.webhooks import DeliveryState, Topic, Webhook
from service.app.webhooks.webhooks import EVENTS

Url = Annotated[
    str,
    Meta(min_length=1, max_length=2048, description="An https address of a public host. Redirects are not followed."),
]
Events = Annotated[
    Sequence[Topic],
    Meta(min_length=1, max_length=len(EVENTS), description="What to be told of."),
]


class NewWebhook(Struct, frozen=True, kw_only=True):
    url: Url
    events: Events = EVENTS


class ChangedWebhook(Struct, frozen=True, kw_only=True):
    """Members that are left out stay as they are."""

    url: Url | None = None
    events: Events | None = None
    active: bool | None = None
    """Whether messages are made for it."""


class IssuedWebhook(Webhook, frozen=True):
    secret: str
    """What signs the messages, by the Standard Webhooks specification. Shown this once."""


class DeliveriesQuery(CursorQuery, frozen=True, kw_only=True):
    state: DeliveryState | None = None
