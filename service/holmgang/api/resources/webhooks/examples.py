"""Examples of webhooks and their deliveries."""

from holmgang.api.operation.terms import Example
from holmgang.api.resources.examples import AT, DEADLINE, DELIVERY, LATER, WEBHOOK, WEBHOOK_SECRET, page
from holmgang.app.webhooks.webhooks import EVENTS

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
CREATE_WEBHOOK = Example(bodies={"turns": {"url": _URL, "events": ["turn.waiting"]}}, answers={"made": _ISSUED})
LIST_WEBHOOKS = Example(answers=page(_WEBHOOK))
GET_WEBHOOK = Example(_NAMED, answers={"webhook": _WEBHOOK})
CHANGE_WEBHOOK = Example(_NAMED, {"off": {"active": False}}, {"off": {**_WEBHOOK, "active": False}})
DELETE_WEBHOOK = Example(_NAMED)
ROTATE_WEBHOOK_SECRET = Example(_NAMED, answers={"rotated": {**_ISSUED, "old_until": DEADLINE}})
TEST_WEBHOOK = Example(_NAMED, answers={"made": {**_PENDING, "type": "webhook.test", "last_at": None}})
LIST_DELIVERIES = Example({**_NAMED, "state": "dead"}, answers=page(_DEAD))
REPLAY_DELIVERY = Example({**_NAMED, "delivery": DELIVERY}, answers={"again": _PENDING})
