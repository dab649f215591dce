"""What webhooks and their deliveries look like in answers."""

from __future__ import annotations

from marshmallow import fields

from service.api.resources.fields import Moment
from service.api.resources.open_schemas import Answer, Items, Page, need


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
