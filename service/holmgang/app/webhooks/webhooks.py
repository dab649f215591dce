"""Webhooks by the Standard Webhooks specification: registered, rotated, tried out; deliveries told and replayed.

What is sent says that something happened, never what: the receiver asks the API with a token. Deliveries are rows that
the statement writes which causes them; workers send them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Protocol, get_args
from uuid import UUID

from uuid_utils.compat import uuid7

from holmgang.app.accounts.tokens import hold, need, need_free
from holmgang.app.errors import InvalidField, LimitReached, NotFound
from holmgang.app.ports import Clock, DeliveriesTable, PlayersTable, WebhooksTable
from holmgang.app.records.players import Principal
from holmgang.app.records.webhooks import Delivery, DeliveryState, Topic, Webhook
from holmgang.engine.messages import say

from . import targets
from .signing import new_secret

EVENTS: tuple[Topic, ...] = get_args(Topic)
TEST = "webhook.test"
MOST = 20
"""Webhooks of one player."""
KEPT_DAYS = 30
"""How long messages that are delivered or dead are told of and can be replayed."""
ROTATION_SECONDS = 24 * 60 * 60
"""How long the secret before signs as well."""


class RegistrationTables(WebhooksTable, PlayersTable, Protocol): ...


class OwnDeliveries(WebhooksTable, DeliveriesTable, Protocol): ...


class TestTables(OwnDeliveries, Clock, Protocol): ...


def _judged(url: str, private: bool) -> str:
    try:
        targets.parse(url, allow_http=private, allow_private=private)
    except targets.Refused as fault:
        raise InvalidField("/url", fault.detail) from None
    return url


def _mine(tables: WebhooksTable, principal: Principal, ident: UUID) -> Webhook:
    need(principal, "manage")
    need_free(principal)
    found = tables.webhook(principal.player, ident)
    if found is None:
        raise NotFound("webhook", ident)
    return found


def create(
    tables: RegistrationTables, principal: Principal, url: str, events: Sequence[str], *, private: bool
) -> tuple[Webhook, str]:
    """A new webhook and its secret, which is shown this once. In a transaction. `private`: whether targets inside the
    network will do."""
    need(principal, "manage")
    need_free(principal)
    _judged(url, private)
    hold(tables, principal)
    if len(tables.webhooks(principal.player, None, MOST)) >= MOST:
        detail = say("You have {most} webhooks, and no more are kept for one player.", most=MOST)
        raise LimitReached("webhooks", MOST, detail)
    ident, secret = uuid7(), new_secret()
    tables.add_webhook(ident, principal.player, url, [e for e in EVENTS if e in events], secret)
    return _mine(tables, principal, ident), secret


def mine(tables: WebhooksTable, principal: Principal, ident: UUID) -> Webhook:
    return _mine(tables, principal, ident)


def all_of(tables: WebhooksTable, principal: Principal, after: UUID | None, limit: int) -> list[Webhook]:
    need(principal, "manage")
    need_free(principal)
    return tables.webhooks(principal.player, after, limit)


def change(
    tables: WebhooksTable,
    principal: Principal,
    ident: UUID,
    *,
    url: str | None,
    events: Sequence[str] | None,
    active: bool | None,
    private: bool,
) -> Webhook:
    """What is None stays."""
    found = _mine(tables, principal, ident)
    tables.change_webhook(
        ident,
        found.url if url is None else _judged(url, private),
        found.events if events is None else [e for e in EVENTS if e in events],
        found.active if active is None else active,
    )
    return _mine(tables, principal, ident)


def rotate(tables: WebhooksTable, principal: Principal, ident: UUID) -> tuple[Webhook, str]:
    """A new secret, shown this once; for a day what is sent is signed with the one before as well."""
    _mine(tables, principal, ident)
    secret = new_secret()
    tables.rotate_webhook(ident, secret, ROTATION_SECONDS)
    return _mine(tables, principal, ident), secret


def remove(tables: WebhooksTable, principal: Principal, ident: UUID) -> None:
    _mine(tables, principal, ident)
    tables.remove_webhook(ident)


def test(tables: TestTables, principal: Principal, ident: UUID) -> Delivery:
    """Have a message sent that means nothing, also to a webhook that is not active."""
    found = _mine(tables, principal, ident)
    message = uuid7()
    body = {"type": TEST, "timestamp": tables.now().isoformat().replace("+00:00", "Z"), "data": {"webhook": str(ident)}}
    tables.add_delivery(message, found.id, TEST, json.dumps(body, separators=(",", ":")))
    made = tables.delivery(found.id, message)
    assert made is not None
    return made


def deliveries(
    tables: OwnDeliveries,
    principal: Principal,
    ident: UUID,
    state: DeliveryState | None,
    before: UUID | None,
    limit: int,
) -> list[Delivery]:
    """Newest first."""
    _mine(tables, principal, ident)
    return tables.deliveries(ident, state, before, limit)


def replay(tables: OwnDeliveries, principal: Principal, ident: UUID, message: UUID) -> Delivery:
    """Have a message sent again, from the first attempt on, whatever became of it."""
    my_delivery(tables, principal, ident, message)
    tables.replay_delivery(ident, message)
    return my_delivery(tables, principal, ident, message)


def my_delivery(tables: OwnDeliveries, principal: Principal, ident: UUID, message: UUID) -> Delivery:
    _mine(tables, principal, ident)
    found = tables.delivery(ident, message)
    if found is None:
        raise NotFound("delivery", message)
    return found
