"""Rate limits: how many requests a client may make, by its token and by its address.

Three budgets, so that listening costs nothing: polls that name what they have or wait, moves (refused ones too), and
all the rest. Two small ones besides: registrations, by address alone, since whoever registers has as many tokens as he
likes; and messages to webhooks that somebody asks for, since they go to a host of his choice. A window begins with its
first request, so that `Retry-After` is exact. Headers follow the IETF's draft on RateLimit header fields
(draft-ietf-httpapi-ratelimit-headers).
"""

from __future__ import annotations

import ipaddress
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
from service.engine.said import Said, template

from .calls import bearer
from .counting import Windows
from .faults import TooManyRequests

WINDOW_S = 10
ADDRESS_FACTOR = 20
"""How much more all clients of an address may do together than one token."""
_STATE = "holmgang.limit"
UNLIMITED = ("/healthz", "/readyz", "/metrics")
"""What watches over the service may ask as often as it likes."""
REGISTRATIONS_WINDOW_S = 600
MESSAGES, MESSAGES_WINDOW_S = 60, 60
"""Messages to webhooks that one token may have sent, test messages and replayed ones, in so many seconds."""


_MORE = {
    "polls": template("More than {amount} polls in {seconds} seconds."),
    "moves": template("More than {amount} moves in {seconds} seconds."),
    "messages": template("More than {amount} messages to webhooks in {seconds} seconds."),
    "registrations": template("More than {amount} registrations in {seconds} seconds."),
    "requests": template(
        "More than {amount} requests in {seconds} seconds. Polls that name what they have (If-None-Match) or wait have "
        "a budget of their own."
    ),
}


class Budget(NamedTuple):
    """Without `each` only the address counts."""

    name: str
    each: RateLimitItemPerSecond | None
    address: RateLimitItemPerSecond


def _budget(name: str, requests: int, processes: int, window: int = WINDOW_S) -> Budget:
    share = max(1, requests // processes)
    each, address = (RateLimitItemPerSecond(n, window) for n in (share, share * ADDRESS_FACTOR))
    return Budget(name, each, address)


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
        self._messages = _budget("messages", MESSAGES, processes, MESSAGES_WINDOW_S)
        registrations = max(1, settings.rate_limit_registrations // processes)
        self._registrations = Budget(
            "registrations", None, RateLimitItemPerSecond(registrations, REGISTRATIONS_WINDOW_S)
        )

    def budget(self) -> Budget:
        """The budget that the current request belongs to."""
        environ = request.environ
        if request.method in ("GET", "HEAD"):
            listening = "HTTP_IF_NONE_MATCH" in environ or "HTTP_PREFER" in environ
            return self._polls if listening or b"wait=" in request.query_string else self._rest
        return {
            "games.submit": self._moves,
            "games.replaceSubmission": self._moves,
            "players.registerPlayer": self._registrations,
            "webhooks.testWebhook": self._messages,
            "webhooks.replayDelivery": self._messages,
        }.get(request.endpoint or "", self._rest)

    def check(self) -> None:
        """Count the current request; TooManyRequests where that is one too many. Nothing else is done for it then."""
        if request.path in UNLIMITED:
            return
        budget = self.budget()
        everybody = f"all of {_network(request.remote_addr)}"
        limit, key = (budget.address, everybody) if budget.each is None else (budget.each, _caller())
        within = self._counter.hit(limit, budget.name, key)
        if within and key != everybody and not self._counter.hit(budget.address, budget.name, everybody):
            within, limit, key = False, budget.address, everybody
        request.environ[_STATE] = (budget.name, limit, key)
        if not within:
            values = {"amount": limit.amount, "seconds": limit.get_expiry()}
            raise TooManyRequests(Said(_MORE[budget.name], values))

    def tell(self, response: Response) -> Response:
        state = request.environ.get(_STATE)
        if state is not None:
            name, limit, key = state
            reset, remaining = self._counter.get_window_stats(limit, name, key)
            seconds = max(math.ceil(reset - time.time()), 0)
            response.headers["RateLimit-Policy"] = f'"{name}";q={limit.amount};w={limit.get_expiry()}'
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
    return _network(request.remote_addr) if secret is None else token_digest(secret).hex()


def _network(address: str | None) -> str:
    """What counts as one address: of IPv6 the network of 64 bits, since who has one address there has all of them."""
    if address is None or ":" not in address:
        return str(address)
    try:
        found = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:  # a trusted proxy's, however it is written
        return address
    return str(found.ipv4_mapped or ipaddress.IPv6Network((found, 64), strict=False))


def limit_requests(app: Flask, limiter: Limiter) -> None:
    """Have every request counted before anything else is done with it."""
    app.before_request(limiter.check)
    app.after_request(limiter.tell)
