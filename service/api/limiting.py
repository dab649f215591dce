"""Rate limits: how many requests a client may make, by its token and by its address.

Three budgets, so that listening costs nothing: polls of what can be waited for, which name what they have or wait;
moves (refused ones too); and all the rest. Two small ones besides: registrations, by address alone, since whoever
registers has as many tokens as he likes; and messages to webhooks that somebody asks for, since they go to a host of
his choice. A window begins with its first request, so that `Retry-After` is exact. Headers follow the IETF's draft on
RateLimit header fields (draft-ietf-httpapi-ratelimit-headers).
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple, cast

from flask import Flask, request
from limits.storage import storage_from_string

from service.app.accounts import token_digest
from service.app.errors import InvalidToken
from service.config import Settings
from service.engine.said import Said, template

from .calls import bearer, network_of
from .counting import TIMEOUT_S, Shared, Windows
from .faults import TooManyRequests
from .waiting import polls

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment
    from limits.storage import Storage

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
        "More than {amount} requests in {seconds} seconds. Polls of views, turns and events that name what they have "
        "(If-None-Match) or wait have a budget of their own."
    ),
}


class Budget(NamedTuple):
    """So many requests of a token, and of an address, in `window` seconds. Without `each` only the address counts."""

    name: str
    each: int | None
    address: int
    window: int


def _shared(name: str, requests: int, processes: int, window: int = WINDOW_S) -> Budget:
    share = max(1, requests // processes)
    return Budget(name, share, share * ADDRESS_FACTOR, window)


class _Counted(NamedTuple):
    """That the current request is the `used`th of the `limit` that somebody has in `window` seconds, until `ends`
    (seconds since 1970)."""

    budget: str
    limit: int
    window: int
    used: int
    ends: float


def _shared_store(url: str) -> Shared:
    store = storage_from_string(url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S)
    return Shared(cast("Storage", store))


class Limiter:
    """Counts requests. A store in memory is one process's own, so that each gets its share of the budgets."""

    def __init__(self, settings: Settings) -> None:
        in_memory = settings.rate_limit_store.startswith("memory:")
        processes = settings.workers if in_memory else 1
        self._store: Windows | Shared = Windows() if in_memory else _shared_store(settings.rate_limit_store)
        self._polls = _shared("polls", settings.rate_limit_polls, processes)
        moves = _shared("moves", settings.rate_limit_moves, processes)
        self._rest = _shared("requests", settings.rate_limit, processes)
        messages = _shared("messages", MESSAGES, processes, MESSAGES_WINDOW_S)
        registrations = max(1, settings.rate_limit_registrations // processes)
        self._of_endpoints = {
            "games.submit": moves,
            "games.replaceSubmission": moves,
            "players.registerPlayer": Budget("registrations", None, registrations, REGISTRATIONS_WINDOW_S),
            "webhooks.testWebhook": messages,
            "webhooks.replayDelivery": messages,
        }

    def _budget(self, environ: WSGIEnvironment, endpoint: str | None) -> Budget:
        if environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            return self._polls if polls(environ, endpoint) else self._rest
        return self._of_endpoints.get(endpoint or "", self._rest)

    def check(self, environ: WSGIEnvironment, endpoint: str | None) -> None:
        """Count a request to an operation, or to none, once; TooManyRequests where it is one too many. Nothing else is
        done for it then."""
        if _STATE in environ or environ["PATH_INFO"] in UNLIMITED:
            return
        budget = self._budget(environ, endpoint)
        network = network_of(environ.get("REMOTE_ADDR"))
        counted = self._count(budget, budget.each, _caller(environ) or network) if budget.each is not None else None
        if counted is None or counted.used <= counted.limit:
            of_all = self._count(budget, budget.address, f"all of {network}")
            if counted is None or (of_all is not None and of_all.used > of_all.limit):
                counted = of_all
        environ[_STATE] = counted
        if counted is not None and counted.used > counted.limit:
            raise TooManyRequests(Said(_MORE[budget.name], {"amount": counted.limit, "seconds": counted.window}))

    def _count(self, budget: Budget, limit: int, who: str) -> _Counted | None:
        """By the store itself: the library's strategies make each key four times over. None where it cannot tell."""
        counted = self._store.count(f"{budget.name}/{who}", budget.window)
        return None if counted is None else _Counted(budget.name, limit, budget.window, *counted)

    def told(self, environ: WSGIEnvironment) -> list[tuple[str, str]]:
        """The headers that tell how much is left; none for what was not counted."""
        counted: _Counted | None = environ.get(_STATE)
        if counted is None:
            return []
        remaining = counted.limit - counted.used
        seconds = max(math.ceil(counted.ends - time.time()), 0)
        headers = [
            ("RateLimit-Policy", f'"{counted.budget}";q={counted.limit};w={counted.window}'),
            ("RateLimit", f'"{counted.budget}";r={max(remaining, 0)};t={seconds}'),
        ]
        if remaining < 0:
            headers.append(("Retry-After", str(max(seconds, 1))))
        return headers


def _caller(environ: WSGIEnvironment) -> str | None:
    """A token by its hash; None without one. What is no token counts for the address."""
    try:
        secret = bearer(environ)
    except InvalidToken:
        return None
    return None if secret is None else token_digest(secret).hex()


def limit_requests(app: Flask, limiter: Limiter) -> None:
    """Have every request counted before anything else is done with it."""
    app.before_request(lambda: limiter.check(request.environ, request.endpoint))
