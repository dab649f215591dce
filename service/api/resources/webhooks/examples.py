"""Examples of webhooks and their deliveries."""

from __future__ import annotations

from service.api.operation.declaration import Example
from service.api.resources.examples import DEADLINE, DELIVERY, LATER, WEBHOOK, WEBHOOK_SECRET, page
from service.api.resources.story import AT, Story
from service.app.webhooks.webhooks import EVENTS

_NAMED = {"webhook": WEBHOOK}
_URL = "https://bots.example.org/holmgang"
_WEBHOOK = {
    "id": WEBHOOK,
    "url": _URL,
    "events": list(EVENTS),
    "active": True,
    "created_at": AT,
    "old_until": None,
    "held_until": None,
    "gone_at": None,
}
_ISSUED = {**_WEBHOOK, "secret": WEBHOOK_SECRET}
_DEAD = {
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
_PENDING = {**_DEAD, "state": "pending", "attempts": 0}


def create_webhook(story: Story) -> Example:
    return Example(bodies={"turns": {"url": _URL, "events": ["turn.waiting"]}}, answers={"made": _ISSUED})


def list_webhooks(story: Story) -> Example:
    return Example(answers=page(_WEBHOOK))


def get_webhook(story: Story) -> Example:
    return Example(_NAMED, answers={"webhook": _WEBHOOK})


def change_webhook(story: Story) -> Example:
    return Example(_NAMED, {"off": {"active": False}}, {"off": {**_WEBHOOK, "active": False}})


def delete_webhook(story: Story) -> Example:
    return Example(_NAMED)


def rotate_webhook_secret(story: Story) -> Example:
    return Example(_NAMED, answers={"rotated": {**_ISSUED, "old_until": DEADLINE}})


def test_webhook(story: Story) -> Example:
    return Example(_NAMED, answers={"made": {**_PENDING, "type": "webhook.test", "last_at": None}})


def list_deliveries(story: Story) -> Example:
    return Example({**_NAMED, "state": "dead"}, answers=page(_DEAD))


def replay_delivery(story: Story) -> Example:
    return Example({**_NAMED, "delivery": DELIVERY}, answers={"again": _PENDING})
