"""Examples of webhooks and their deliveries."""

from __future__ import annotations

from service.api.resources.examples import DEADLINE, DELIVERY, LATER, WEBHOOK, WEBHOOK_SECRET, Example
from service.api.resources.story import AT
from service.app.webhooks.webhooks import EVENTS


def webhook_examples() -> dict[str, Example]:
    webhook = {
        "id": WEBHOOK,
        "url": "https://bots.example.org/holmgang",
        "events": list(EVENTS),
        "active": True,
        "created_at": AT,
        "old_until": None,
        "held_until": None,
        "gone_at": None,
    }
    issued = {**webhook, "secret": WEBHOOK_SECRET}
    message = {
        "id": DELIVERY,
        "type": "turn.waiting",
        "state": "dead",
        "attempts": 8,
        "created_at": AT,
        "next_at": LATER,
        "last_at": LATER,
        "last_status": 503,
        "last_error": None,
    }
    again = {**message, "state": "pending", "attempts": 0}
    named = {"webhook": WEBHOOK}
    return {
        "createWebhook": Example(
            bodies={"turns": {"url": webhook["url"], "events": ["turn.waiting"]}}, answers={"201": {"made": issued}}
        ),
        "listWebhooks": Example({"limit": 50}, answers={"200": {"page": {"items": [webhook], "next": None}}}),
        "getWebhook": Example(named, answers={"200": {"webhook": webhook}}),
        "changeWebhook": Example(named, {"off": {"active": False}}, {"200": {"off": {**webhook, "active": False}}}),
        "deleteWebhook": Example(named),
        "rotateWebhookSecret": Example(named, {"empty": {}}, {"200": {"rotated": {**issued, "old_until": DEADLINE}}}),
        "testWebhook": Example(
            named, {"empty": {}}, {"202": {"made": {**again, "type": "webhook.test", "last_at": None}}}
        ),
        "listDeliveries": Example(
            {**named, "state": "dead", "limit": 50}, answers={"200": {"page": {"items": [message], "next": None}}}
        ),
        "replayDelivery": Example({**named, "delivery": DELIVERY}, {"empty": {}}, {"202": {"again": again}}),
    }
