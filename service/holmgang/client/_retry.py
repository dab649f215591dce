"""When a call is made again, and after which pause. Knows no connection and does not sleep."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import httpx

from ._call import Call
from ._reach import Outcome, Reach

_PASSING = {
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
}
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_OURS = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)
"""An address that is none, a header that cannot be sent: the same comes of it each time."""


@dataclass(frozen=True)
class Patience:
    """For how long a call that is safe to repeat is made again.

    `total` seconds after its first fault no other try begins. While nothing has ever answered this client, the address
    may be wrong: no try begins `first_answer` seconds after the first, and an answer may take that long, or 10 seconds
    if it is less. Pauses are drawn between nothing and a bound that begins at `first` and doubles up to `longest`, so
    that clients do not come back all at once; where the service says Retry-After, the pause is that long and a drawn
    one on top. `clock` and `draw` are there for tests.
    """

    total: float = 120.0
    first: float = 0.25
    longest: float = 10.0
    first_answer: float = 5.0
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    draw: Callable[[float, float], float] = field(default=random.uniform, repr=False)

    def bound(self, fault: int) -> float:
        """Of the pause after that many faults before this one."""
        return min(self.longest, self.first * 2.0 ** min(fault, 60))


class Tries:
    """The tries of one call: told each outcome, it says how long to pause before the next one, or None for no more."""

    def __init__(self, call: Call, patience: Patience, reach: Reach) -> None:
        self._call = call
        self._patience = patience
        self._reach = reach
        self._began = patience.clock()
        self._faults = 0
        self._until = 0.0

    def pause_after(self, outcome: Outcome) -> float | None:
        self._reach.heard(outcome)
        if self._reach.lasting(outcome) is not None or not self._worth_repeating(outcome):
            return None
        now = self._patience.clock()
        if self._faults == 0:
            self._until = now + self._patience.total
        drawn = retry_pause(self._patience, self._faults)
        self._faults += 1
        pause = drawn + (retry_after(outcome) if isinstance(outcome, httpx.Response) else 0.0)
        until = self._until
        if not self._reach.met and isinstance(outcome, httpx.TransportError):
            until = min(until, self._began + self._patience.first_answer)
        if now + pause >= until:
            return None
        self._reach.tell(self._call, outcome, pause, until - now)
        return pause

    def _worth_repeating(self, outcome: Outcome) -> bool:
        if isinstance(outcome, _OURS):
            return False
        if isinstance(outcome, httpx.TransportError):
            return self._call.repeatable or isinstance(outcome, _NEVER_SENT)
        if not self._call.repeatable:
            return False
        if outcome.status_code in _PASSING:
            return True
        return outcome.is_error and retryable(outcome)


def retryable(answer: httpx.Response) -> bool:
    """Whether the problem document says so."""
    try:
        body = answer.json()
    except ValueError:
        return False
    return isinstance(body, dict) and body.get("retryable") is True


def retry_after(answer: httpx.Response) -> float:
    """The seconds that the answer asks to wait for; 0 where it does not."""
    return seconds_of(answer.headers.get("Retry-After", ""))


def seconds_of(written: str) -> float:
    """What Retry-After says (RFC 9110, 10.2.3), a number or a date, in seconds from now.

    0 for what has passed and for what cannot be read; infinite for more digits than a number has.
    """
    written = written.strip()
    if written.isascii() and written.isdigit():
        return float(written)
    try:
        date = parsedate_to_datetime(written)
    except (ValueError, OverflowError):  # numbers in it may be of any length
        return 0.0
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


def retry_pause(patience: Patience, fault: int) -> float:
    """A drawn pause after a fault that follows that many others."""
    return patience.draw(0.0, patience.bound(fault))
