"""Rate limits: how many requests a client may make, by its token and by its address.

Three budgets, so that listening costs nothing: polls that name what they have or wait, moves (refused ones too), and
all the rest. A window begins with its first request, so that `Retry-After` is exact. Headers follow the IETF's draft on
RateLimit header fields (draft-ietf-httpapi-ratelimit-headers).
"""

from __future__ import annotations

import math
import time
from http import HTTPStatus
from typing import NamedTuple

from flask import Flask, Response, request
from limits import RateLimitItemPerSecond
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter

from service.app.accounts import token_digest
from service.app.errors import InvalidToken
from service.config import Settings

from .calls import bearer
from .counting import Windows
from .faults import TooManyRequests

WINDOW_S = 10
ADDRESS_FACTOR = 20
"""How much more all clients of an address may do together than one token."""
_STATE = "holmgang.limit"
UNLIMITED = ("/healthz", "/readyz", "/metrics")
"""What watches over the service may ask as often as it likes."""


class Budget(NamedTuple):
    name: str
    each: RateLimitItemPerSecond
    address: RateLimitItemPerSecond


def _budget(name: str, requests: int, processes: int) -> Budget:
    share = max(1, requests // processes)
    return Budget(
        name, RateLimitItemPerSecond(share, WINDOW_S), RateLimitItemPerSecond(share * ADDRESS_FACTOR, WINDOW_S)
    )


class Limiter:
    """Counts requests. A store in memory is one process's own, so that each gets its share of the budgets."""

    def __init__(self, settings: Settings) -> None:
        in_memory = settings.rate_limit_store.startswith("memory:")
        processes = settings.workers if in_memory else 1
        store = Windows() if in_memory else storage_from_string(settings.rate_limit_store)
        self._counter = FixedWindowRateLimiter(store)
        self._polls = _budget("polls", settings.rate_limit_polls, processes)
        self._moves = _budget("moves", settings.rate_limit_moves, processes)
        self._rest = _budget("requests", settings.rate_limit, processes)

    def budget(self) -> Budget:
        """The budget that the current request belongs to."""
        environ = request.environ
        if request.method in ("GET", "HEAD"):
            listening = "HTTP_IF_NONE_MATCH" in environ or "HTTP_PREFER" in environ
            return self._polls if listening or b"wait=" in request.query_string else self._rest
        return self._moves if request.endpoint in ("games.submit", "games.replaceSubmission") else self._rest

    def check(self) -> None:
        """Count the current request; TooManyRequests where that is one too many. Nothing else is done for it then."""
        if request.path in UNLIMITED:
            return
        budget = self.budget()
        limit, key = budget.each, _caller()
        within = self._counter.hit(limit, budget.name, key)
        everybody = f"all of {request.remote_addr}"
        if within and not self._counter.hit(budget.address, budget.name, everybody):
            within, limit, key = False, budget.address, everybody
        request.environ[_STATE] = (budget.name, limit, key)
        if not within:
            raise TooManyRequests(
                f"More than {limit.amount} {budget.name} in {WINDOW_S} seconds. Polls that name what they have"
                " (If-None-Match) or wait have a budget of their own."
            )

    def tell(self, response: Response) -> Response:
        state = request.environ.get(_STATE)
        if state is not None:
            name, limit, key = state
            reset, remaining = self._counter.get_window_stats(limit, name, key)
            seconds = max(math.ceil(reset - time.time()), 0)
            response.headers["RateLimit-Policy"] = f'"{name}";q={limit.amount};w={WINDOW_S}'
            response.headers["RateLimit"] = f'"{name}";r={remaining};t={seconds}'
            if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
                response.headers["Retry-After"] = str(max(seconds, 1))
        return response


def _caller() -> str:
    """A token by its hash, or else an address. What is no token counts for the address."""
    try:
        secret = bearer(request.environ)
    except InvalidToken:
        secret = None
    return str(request.remote_addr) if secret is None else token_digest(secret).hex()


def limit_requests(app: Flask, limiter: Limiter) -> None:
    """Have every request counted before anything else is done with it."""
    app.before_request(limiter.check)
    app.after_request(limiter.tell)
