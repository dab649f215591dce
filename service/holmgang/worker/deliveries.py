"""Webhook deliveries: taken by a claim that expires, sent several at a time, retried after longer and longer waits.

If a worker is killed while it sends, its message is sent again when the claim has expired: a receiver may get a message
twice, with the same `webhook-id`.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from uuid import UUID

from structlog.contextvars import bound_contextvars

from holmgang import logs, metrics, tracing
from holmgang.app.errors import Refusal
from holmgang.app.ports import Connections
from holmgang.app.records.webhooks import DeliveryState, Outgoing
from holmgang.app.webhooks.signing import signed_headers

from .backoff import ATTEMPTS, LONGEST, delay_after
from .sending import Outcome, post

LOOK_SECONDS = 0.5
AWAY_SECONDS = 1.0
CLAIM_SECONDS = 60.0
"""Well above the longest time that one attempt takes."""
AT_ONCE = 32
AT_ONCE_EACH = 4
"""Attempts under way for one player: a receiver that lets them hang must not hold up those of others."""
GONE = 410
"""The receiver wants no more messages (Standard Webhooks): the webhook is switched off."""
OVERLOADED = (429, 502, 503, 504)
"""The receiver, or a proxy before it, is overloaded: new messages wait as well (Standard Webhooks)."""
HELD_SECONDS = 60.0
"""How long new messages wait at most without a Retry-After."""
TOLD_TO_STOP = "The receiver wants no more messages (410 Gone)."
OURS = "A fault of the service kept it from being sent."
WORN = "The service began all attempts and finished none of them."

_log = logs.get_logger("holmgang.webhooks")


class Deliverer:
    """Sends what is due. `private`: whether targets inside the network are allowed."""

    def __init__(self, store: Connections, *, private: bool, chance: random.Random | None = None) -> None:
        self._store = store
        self._private = private
        self._chance = random.Random() if chance is None else chance  # noqa: S311 # spreads retries, no secret
        self._stopping = threading.Event()
        self._stirred = threading.Event()
        self._lock = threading.Lock()
        self._under_way: Counter[UUID] = Counter()

    def run(self) -> None:
        """Send until `stop` is called."""
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="deliver") as hands:
            while not self._stopping.is_set():
                self._stirred.clear()
                try:
                    begun = self.begin_due(hands)
                except Refusal as fault:
                    _log.warning("deliveries wait", fault=str(fault))
                    self._stopping.wait(AWAY_SECONDS)
                    continue
                except Exception:
                    _log.exception("deliveries are tried again")
                    self._stopping.wait(AWAY_SECONDS)
                    continue
                if not begun:
                    self._stirred.wait(LOOK_SECONDS)

    def stop(self) -> None:
        self._stopping.set()
        self._stirred.set()

    def begin_due(self, hands: ThreadPoolExecutor) -> list[Future[None]]:
        """Begin an attempt for each player with a message due, the longest due first, as far as free `hands` go."""
        with self._lock:
            free = AT_ONCE - self._under_way.total()
            busy = [player for player, attempts in self._under_way.items() if attempts >= AT_ONCE_EACH]
        if not free:
            return []
        with self._store.reading() as tables:
            worn = tables.end_worn_deliveries(ATTEMPTS, WORN, AT_ONCE)
            due = tables.take_deliveries(free, CLAIM_SECONDS, busy)
        for message in worn:
            metrics.WORKER_FAULTS.inc()
            metrics.ATTEMPTS.labels("dead").inc()
            _log.error("a message is given up: nothing was noted of its attempts", message=str(message))
        with self._lock:
            self._under_way.update(outgoing.player for outgoing in due)
        return [hands.submit(self._carry_out, outgoing) for outgoing in due]

    def _carry_out(self, outgoing: Outgoing) -> None:
        """One attempt. Its faults end here, since no caller looks at the result. If the outcome cannot be noted, the
        message is sent again when the claim has expired."""
        message = str(outgoing.message)
        try:
            with (
                bound_contextvars(message=message, player=str(outgoing.player)),
                tracing.span("worker: webhook", **{"holmgang.message": message}),
            ):
                try:
                    self._note(outgoing, self._attempt(outgoing))
                except Refusal as fault:
                    _log.warning("what came of a delivery could not be noted, and it is made again", fault=str(fault))
                except Exception:
                    metrics.WORKER_FAULTS.inc()
                    _log.exception("what came of a delivery could not be noted, and it is made again")
        finally:
            with self._lock:
                self._under_way[outgoing.player] -= 1
                if not self._under_way[outgoing.player]:
                    del self._under_way[outgoing.player]
            self._stirred.set()

    def _attempt(self, outgoing: Outgoing) -> Outcome:
        """A fault of ours counts as a failure, so that a message that always causes one is given up as well."""
        try:
            body = outgoing.body.encode()
            headers = signed_headers(outgoing.secrets, str(outgoing.message), int(time.time()), body)
            return post(
                outgoing.url,
                {**headers, "Content-Type": "application/json", "User-Agent": "holmgang-webhooks"},
                body,
                allow_private=self._private,
            )
        except Refusal:
            raise
        except Exception:
            metrics.WORKER_FAULTS.inc()
            _log.exception("a delivery failed by a fault of ours")
            return Outcome(None, OURS, 0.0)

    def _note(self, outgoing: Outgoing, outcome: Outcome) -> None:
        delay = delay_after(outgoing.attempts, self._chance.random(), outcome.retry_after)
        gone = outcome.status == GONE
        failed: DeliveryState = "dead" if delay is None or gone else "pending"
        state: DeliveryState = "delivered" if outcome.delivered else failed
        error = TOLD_TO_STOP if gone else outcome.error
        with self._store.transaction() as tables:
            if gone or outcome.status in OVERLOADED:
                tables.lock_webhook(outgoing.message)
            noted = tables.note_delivery(
                outgoing.message, outgoing.attempts, state, outcome.status, error, delay or 0.0
            )
            if noted and gone and tables.end_webhook(outgoing.message, outgoing.url, TOLD_TO_STOP):
                _log.info("a webhook was switched off: its receiver is gone")
            elif noted and outcome.status in OVERLOADED:
                held = min(outcome.retry_after, LONGEST) or min(delay or 0.0, HELD_SECONDS)
                tables.hold_webhook(outgoing.message, outgoing.url, held)
        metrics.ATTEMPTS.labels("failed" if state == "pending" else state).inc()
