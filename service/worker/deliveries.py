"""Webhook deliveries: taken by an expiring claim, sent several at a time, tried again after longer and longer times.

A worker that is killed while it sends has its message sent again when the claim has run out: a receiver may get one
twice, with the same `webhook-id`.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from service.app.errors import Refusal
from service.app.ports import Store
from service.app.signing import signed_headers
from service.app.values import Outgoing

from .backoff import delay_after
from .sending import post

LOOK_SECONDS = 0.5
AWAY_SECONDS = 1.0
CLAIM_SECONDS = 60.0
"""Well above the longest that one attempt takes."""
AT_ONCE = 8
GONE = 410
"""The receiver wants no more of this (Standard Webhooks): the message is dead at once."""

_log = logging.getLogger("holmgang.webhooks")


class Deliverer:
    """Sends what is due. `private`: whether targets inside the network will do."""

    def __init__(self, store: Store, *, private: bool, chance: random.Random | None = None) -> None:
        self._store = store
        self._private = private
        self._chance = random.Random() if chance is None else chance
        self._stopping = threading.Event()

    def run(self) -> None:
        """Send until `stop` is called."""
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="deliver") as hands:
            while not self._stopping.is_set():
                try:
                    sent = self.send_due(hands)
                except Refusal as fault:
                    _log.warning("Deliveries wait: %s", fault)
                    self._stopping.wait(AWAY_SECONDS)
                    continue
                if not sent:
                    self._stopping.wait(LOOK_SECONDS)

    def stop(self) -> None:
        self._stopping.set()

    def send_due(self, hands: ThreadPoolExecutor) -> int:
        """One attempt of each message that is due, as far as hands go; how many there were."""
        with self._store.transaction() as tables:
            due = tables.take_deliveries(AT_ONCE, CLAIM_SECONDS)
        for done in [hands.submit(self._attempt, outgoing) for outgoing in due]:
            done.result()
        return len(due)

    def _attempt(self, outgoing: Outgoing) -> None:
        body = outgoing.body.encode()
        headers = signed_headers(outgoing.secrets, str(outgoing.message), int(time.time()), body)
        outcome = post(
            outgoing.url,
            {**headers, "Content-Type": "application/json", "User-Agent": "holmgang-webhooks"},
            body,
            allow_private=self._private,
        )
        delay = delay_after(outgoing.attempts, self._chance.random())
        failed = "dead" if delay is None or outcome.status == GONE else "pending"
        state = "delivered" if outcome.delivered else failed
        with self._store.transaction() as tables:
            tables.note_delivery(
                outgoing.message, outgoing.attempts, state, outcome.status, outcome.error, delay or 0.0
            )
