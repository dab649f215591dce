"""Webhooks: the service calls whoever wants to be told."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Any
from uuid import UUID

from flask import Response
from msgspec import Meta, Struct
from msgspec.structs import asdict

from holmgang.api.operation.answers import PRIVATE, address, nothing, page_of
from holmgang.api.operation.declaration import Resources, operation
from holmgang.api.operation.gate import MANAGES, Call
from holmgang.api.operation.service import service
from holmgang.api.operation.shapes import CursorQuery, Nothing, Page, shown_as
from holmgang.api.operation.terms import Keyed, described, links
from holmgang.app.records.webhooks import Delivery, DeliveryState, Topic, Webhook
from holmgang.app.webhooks import webhooks as use_cases
from holmgang.app.webhooks.webhooks import EVENTS

from . import examples

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


webhooks = Resources(
    "webhooks",
    __name__,
    "Webhooks, by the Standard Webhooks specification: signed requests that tell of events.",
    webhook="The webhook's id.",
    delivery="The message's id.",
)
_SHOWN = {"Cache-Control": "no-store"}


@operation(webhooks, "POST /webhooks", MANAGES, IssuedWebhook, body=NewWebhook, keyed=Keyed.SECRET)
@described(examples.CREATE_WEBHOOK, links(webhook="/id"), problems="invalid_field limit_reached")
def create_webhook(call: Call, body: NewWebhook) -> Any:
    """Register a webhook

    Its secret is shown only now. Messages have the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. A
    message that is not answered with 2xx within 15 seconds is sent again, eight times in all within some thirty hours.
    `Retry-After` (seconds or a date) is followed, up to a day. After 429, 502, 503 and 504 new messages wait as well:
    as long as `Retry-After` says, or else at most a minute (`held_until`). 410 makes the webhook inactive (`gone_at`).
    """
    found, secret = use_cases.create(
        call.tables, call.me, body.url, body.events, private=service().settings.webhooks_private
    )
    made = shown_as(IssuedWebhook, found, secret=secret)
    return made, {"Location": address(f"/v1/webhooks/{found.id}"), **_SHOWN}


@operation(webhooks, "GET /webhooks", MANAGES, Page[Webhook], query=CursorQuery)
@described(examples.LIST_WEBHOOKS)
def list_webhooks(call: Call, query: CursorQuery) -> Any:
    """List your webhooks, oldest first"""
    found = use_cases.all_of(call.tables, call.me, query.cursor, query.limit + 1)
    return page_of(found, query.limit, headers=PRIVATE)


@operation(webhooks, "GET /webhooks/<uuid:webhook>", MANAGES, Webhook)
@described(examples.GET_WEBHOOK)
def get_webhook(call: Call, webhook: UUID) -> Any:
    """Read one of your webhooks"""
    return use_cases.mine(call.tables, call.me, webhook), PRIVATE


@operation(webhooks, "PATCH /webhooks/<uuid:webhook>", MANAGES, Webhook, body=ChangedWebhook)
@described(examples.CHANGE_WEBHOOK, problems="invalid_field")
def change_webhook(call: Call, body: ChangedWebhook, webhook: UUID) -> Any:
    """Change a webhook's address, its events, or whether it is active

    When it is made inactive, messages that have not been sent are dead; they can be replayed. A webhook whose receiver
    was gone (`gone_at`) gets messages again once it is made active.
    """
    found = use_cases.change(call.tables, call.me, webhook, **asdict(body), private=service().settings.webhooks_private)
    return found, PRIVATE


@operation(webhooks, "DELETE /webhooks/<uuid:webhook>", MANAGES)
@described(examples.DELETE_WEBHOOK)
def delete_webhook(call: Call, webhook: UUID) -> Response:
    """Delete a webhook and its deliveries"""
    use_cases.remove(call.tables, call.me, webhook)
    return nothing()


@operation(
    webhooks,
    "POST /webhooks/<uuid:webhook>/rotate",
    MANAGES,
    IssuedWebhook,
    body=Nothing,
    status=HTTPStatus.OK,
    keyed=Keyed.SECRET,
    sees=lambda call, _body, webhook: use_cases.mine(call.tables, call.me, webhook),
)
@described(examples.ROTATE_WEBHOOK_SECRET)
def rotate_webhook_secret(call: Call, body: Nothing, webhook: UUID) -> Any:
    """Create a new secret

    It is shown only now. For a day messages are signed with the old secret as well. The body is an empty object.
    """
    found, secret = use_cases.rotate(call.tables, call.me, webhook)
    shown = {"Location": address(f"/v1/webhooks/{webhook}"), **_SHOWN}
    return shown_as(IssuedWebhook, found, secret=secret), shown


@operation(
    webhooks,
    "POST /webhooks/<uuid:webhook>/test",
    MANAGES,
    Delivery,
    body=Nothing,
    status=HTTPStatus.ACCEPTED,
    budget="messages",
    sees=lambda call, _body, webhook: use_cases.mine(call.tables, call.me, webhook),
)
@described(examples.TEST_WEBHOOK, links(webhook="$request.path.webhook", delivery="/id"))
def test_webhook(call: Call, body: Nothing, webhook: UUID) -> Any:
    """Send a test message

    Its type is `webhook.test`; the deliveries show what became of it. The body is an empty object.
    """
    return use_cases.test(call.tables, call.me, webhook), PRIVATE


@operation(webhooks, "GET /webhooks/<uuid:webhook>/deliveries", MANAGES, Page[Delivery], query=DeliveriesQuery)
@described(examples.LIST_DELIVERIES)
def list_deliveries(call: Call, query: DeliveriesQuery, webhook: UUID) -> Any:
    """List messages that were or will be sent, newest first

    `dead` messages were tried for the last time, or their webhook was made inactive. Messages that were delivered or
    are dead are kept for 30 days.
    """
    found = use_cases.deliveries(call.tables, call.me, webhook, query.state, query.cursor, query.limit + 1)
    return page_of(found, query.limit, headers=PRIVATE)


@operation(
    webhooks,
    "POST /webhooks/<uuid:webhook>/deliveries/<uuid:delivery>/replay",
    MANAGES,
    Delivery,
    body=Nothing,
    status=HTTPStatus.ACCEPTED,
    budget="messages",
    sees=lambda call, _body, webhook, delivery: use_cases.my_delivery(call.tables, call.me, webhook, delivery),
)
@described(examples.REPLAY_DELIVERY)
def replay_delivery(call: Call, body: Nothing, webhook: UUID, delivery: UUID) -> Any:
    """Send a message again, whatever became of it

    It keeps its `webhook-id`. The body is an empty object.
    """
    return use_cases.replay(call.tables, call.me, webhook, delivery), PRIVATE
