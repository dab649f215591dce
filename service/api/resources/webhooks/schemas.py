"""What is sent and answered about webhooks."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.api.operation.fields import (
    Flag,
    Moment,
)
from service.api.operation.schemas import Answer, Body, CursorQuery, Items, Page, need
from service.app.webhooks.webhooks import EVENTS


class WebhookAnswer(Answer):
    id = need(fields.UUID)
    url = need(fields.String)
    events = fields.List(fields.String(), required=True)
    active = need(fields.Boolean)
    created_at = need(Moment)
    old_until = need(Moment, "How long messages are signed with the secret before as well.", allow_none=True)
    held_until = need(
        Moment,
        "Until when new messages wait, since the receiver had too much to do (429, 502, 503 or 504).",
        allow_none=True,
    )
    gone_at = need(
        Moment,
        "When the receiver answered 410 (Gone), which made the webhook inactive. Null once it is active again.",
        allow_none=True,
    )


class IssuedWebhook(WebhookAnswer):
    secret = need(fields.String, "What signs the messages, by the Standard Webhooks specification. Shown this once.")


class WebhookPage(Page):
    items = Items(WebhookAnswer)


class DeliveryAnswer(Answer):
    """A message to a webhook. It says that something happened, never what."""

    id = need(fields.UUID, "The `webhook-id` of every attempt.")
    type = need(fields.String)
    state = fields.String(required=True, metadata={"enum": ["pending", "delivered", "dead"]})
    attempts = need(fields.Integer)
    created_at = need(Moment)
    next_at = need(Moment, "Of the next attempt, while it is pending.")
    last_at = need(Moment, "Of the last attempt.", allow_none=True)
    last_status = need(fields.Integer, "What the receiver answered last.", allow_none=True)
    last_error = need(fields.String, "Why there was no answer, or no further attempt.", allow_none=True)


class DeliveryPage(Page):
    items = Items(DeliveryAnswer)


def _events(**more: Any) -> fields.List[Any]:
    return fields.List(
        fields.String(validate=validate.OneOf(EVENTS)),
        validate=validate.Length(min=1, max=len(EVENTS)),
        metadata={"description": "What to be told of."},
        **more,
    )


def _url(**more: Any) -> fields.String:
    return fields.String(
        validate=validate.Length(min=1, max=2048),
        metadata={"description": "An https address of a public host. Redirects are not followed."},
        **more,
    )


class NewWebhook(Body):
    url = _url(required=True)
    events = _events(load_default=list(EVENTS))


class ChangedWebhook(Body):
    """What is left out stays."""

    url = _url(load_default=None)
    events = _events(load_default=None)
    active = Flag(load_default=None, metadata={"description": "Whether messages are made for it."})


class DeliveriesQuery(CursorQuery):
    state = fields.String(load_default=None, validate=validate.OneOf(("pending", "delivered", "dead")))
