"""Rate limits: how many requests a client may make, by its player and by its address.

A dear request counts as several (`costs`), and as one if there was nothing to do for it. Three budgets, so that
listening costs nothing: polls of what can be waited for, which name what they have or wait; moves (refused ones too);
and all the rest, trial moves among them. Two small ones besides: registrations, by address alone, since whoever
registers is as many players as he likes; and messages to webhooks that somebody asks for, since they go to a host of
his choice. A window begins with its first request, so that `Retry-After` is exact. Headers follow the IETF's draft on
RateLimit header fields (draft-ietf-httpapi-ratelimit-headers).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from service.api.operation.costs import PAGE_BYTES, PLAIN, asked
from service.api.operation.declaration import Operation, declared
from service.api.problems.faults import TooManyRequests
from service.config import Settings
from service.engine.messages import Said, template

from .callers import CLIENT, Callers, Client
from .counting import counter
from .pacing import LEAST_SECONDS, TokenBuckets
from .routing import endpoint_of
from .waiting import polls

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

WINDOW_S = 10
ADDRESS_FACTOR = 20
"""How much more all clients of an address may do together than one player."""
_STATE = "holmgang.limit"
DEAR_SHARE = 4
"""One part in so many of a player's requests may be dear ones, in the long run."""
FULL_SHARE = 10
"""One poll in so many may be answered in full, in the long run; who has nothing new names what he has."""
AT_ONCE = 100
"""Of dear requests so much is never made to wait."""
PATIENCE_S = 4.0
"""How long a dear request is made to wait; one that would be due later is refused."""
_NOTHING_DONE = ("304", "400", "401", "403", "404", "409", "422")
"""What is answered thus is found out before the dear part."""
REGISTRATIONS_WINDOW_S = 600
MESSAGES, MESSAGES_WINDOW_S = 60, 60
"""Messages to webhooks that one player may have sent, test messages and replayed ones, in so many seconds."""


_MORE = {
    "polls": template("More than {amount} polls in {seconds} seconds."),
    "moves": template("More than {amount} moves in {seconds} seconds."),
    "messages": template("More than {amount} messages to webhooks in {seconds} seconds."),
    "dear": template(
        "More work than {amount} milliseconds in {seconds} seconds: pictures, lists, records and positions of the past "
        "count as much as they take."
    ),
    "registrations": template("More than {amount} registrations in {seconds} seconds."),
    "requests": template(
        "More than {amount} requests in {seconds} seconds. Polls of views, turns and events that name what they have "
        "(If-None-Match) or wait have a budget of their own."
    ),
}


class Budget(NamedTuple):
    """So many requests of a player, and of an address, in `window` seconds. Without `each` only the address counts."""

    name: str
    each: int | None
    address: int
    window: int


def _shared(name: str, requests: int, processes: int, window: int = WINDOW_S) -> Budget:
    share = max(1, requests // processes)
    return Budget(name, share, share * ADDRESS_FACTOR, window)


class _Counted(NamedTuple):
    """That somebody has `used` so much of the `limit` that he has in `window` seconds, until `ends` (seconds since
    1970)."""

    budget: str
    limit: int
    window: int
    used: int
    ends: float


@dataclass(slots=True)
class _Charged:
    """As what a request was counted: for `client`, with its `cost`, and how that stands for the one who has less left.
    It is due in `wait` seconds."""

    budget: Budget
    client: Client
    cost: int
    counted: _Counted
    wait: float = 0.0


class Limiter:
    """Counts requests. A store in memory is one process's own, so that each gets its share of the budgets."""

    def __init__(self, settings: Settings) -> None:
        in_memory = settings.rate_limit_store.startswith("memory:")
        processes = settings.workers if in_memory else 1
        self.callers = Callers()
        self._counter = counter(settings.rate_limit_store)
        self._polls = _shared("polls", settings.rate_limit_polls, processes)
        self._dear = max(1, settings.rate_limit // settings.workers // DEAR_SHARE)
        """Milliseconds of work in a window."""
        self._pace = TokenBuckets(self._dear / WINDOW_S, AT_ONCE)
        full = max(1, settings.rate_limit_polls // settings.workers // FULL_SHARE)
        self._full = TokenBuckets(full / WINDOW_S, full)
        """Polls that are answered in full."""
        moves = _shared("moves", settings.rate_limit_moves, processes)
        self._rest = _shared("requests", settings.rate_limit, processes)
        messages = _shared("messages", MESSAGES, processes, MESSAGES_WINDOW_S)
        registrations = max(1, settings.rate_limit_registrations // processes)
        self._budgets = {
            "requests": self._rest,
            "moves": moves,
            "registrations": Budget("registrations", None, registrations, REGISTRATIONS_WINDOW_S),
            "messages": messages,
        }

    def _budget(self, environ: WSGIEnvironment, operation: Operation | None) -> Budget:
        if operation is None or operation.budget is None:
            return self._rest
        if polls(environ, operation):
            return self._polls
        if operation.cost.trial and asked(environ.get("QUERY_STRING", "")).get("dry_run") == "true":
            return self._rest
        return self._budgets[operation.budget]

    def charge(self, environ: WSGIEnvironment, endpoint: str | None) -> Client:
        """Count a request to an operation, or to none; whose it is. TooManyRequests where it is too many."""
        client = self.callers.identify(environ)
        operation = declared(endpoint)
        budget = self._budget(environ, operation)
        cost = (PLAIN if operation is None else operation.cost).of(environ.get("QUERY_STRING", ""))
        counted = self._count(budget, budget.each, client.budget_key, cost) if budget.each is not None else None
        if counted is None or counted.used <= counted.limit:
            of_all = self._count(budget, budget.address, f"all of {client.network}", cost)
            if counted is None or (of_all is not None and of_all.used > of_all.limit):
                counted = of_all
        if counted is None:
            return client
        charged = environ[_STATE] = _Charged(budget, client, cost, counted)
        if counted.used > counted.limit:
            raise _too_many(counted)
        if budget is self._polls:
            charged.wait = min(self._full.debt(client.pace_key), PATIENCE_S)
        elif cost > 1:
            client = environ[CLIENT] = charged.client = client._replace(expensive=True)
            charged.wait = self._pace.reserve(client.pace_key, cost, PATIENCE_S)
            if charged.wait > PATIENCE_S:
                self._refund(charged, cost - 1)
                ends = time.time() + charged.wait
                charged.counted = _Counted("dear", self._dear, WINDOW_S, self._dear + 1, ends)
                raise _too_many(charged.counted)
        return client

    def delay(self, environ: WSGIEnvironment) -> None:
        """Let a request wait until it is due."""
        charged: _Charged | None = environ.get(_STATE)
        if charged is not None and charged.wait > LEAST_SECONDS:
            time.sleep(charged.wait)

    def _count(self, budget: Budget, limit: int, who: str, amount: int) -> _Counted | None:
        """By the store itself: the library's strategies make each key four times over. None where it cannot tell."""
        counted = self._counter.count(f"{budget.name}/{who}", budget.window, amount)
        return None if counted is None else _Counted(budget.name, limit, budget.window, *counted)

    def _refund(self, charged: _Charged, amount: int) -> None:
        budget, client = charged.budget, charged.client
        if time.time() < charged.counted.ends:
            if budget.each is not None:
                self._count(budget, budget.each, client.budget_key, -amount)
            self._count(budget, budget.address, f"all of {client.network}", -amount)

    def settle(self, environ: WSGIEnvironment, status: str, headers: Iterable[tuple[str, str]]) -> None:
        """Once it is known what became of a request: give back what was counted for work that was not done, and count
        it for its player, if that is known only now."""
        charged: _Charged | None = environ.get(_STATE)
        player = self.callers.learn(environ)
        if charged is None or charged.counted.used > charged.counted.limit:
            return
        if charged.budget is self._polls:
            if status.startswith("200"):
                self._full.reserve(charged.client.pace_key, 1, PATIENCE_S)
        elif charged.cost > 1 and (worth := _worth(environ, charged.cost, status, headers)) < charged.cost:
            spared = charged.cost - worth
            self._refund(charged, spared)
            self._pace.refund(charged.client.pace_key, spared if worth > 1 else charged.cost)  # as if it were not dear
            charged.cost = worth
            charged.counted = charged.counted._replace(used=charged.counted.used - spared)
        if player is not None and charged.budget.each is not None:
            self._count(charged.budget, charged.budget.each, player, charged.cost)
            if charged.client.expensive and charged.cost > 1:
                self._pace.reserve(player, charged.cost, math.inf)

    def headers(self, environ: WSGIEnvironment) -> list[tuple[str, str]]:
        """The headers that tell how much is left; none for what was not counted."""
        charged: _Charged | None = environ.get(_STATE)
        if charged is None:
            return []
        counted = charged.counted
        remaining = counted.limit - counted.used
        seconds = max(math.ceil(counted.ends - time.time()), 0)
        headers = [
            ("RateLimit-Policy", f'"{counted.budget}";q={counted.limit};w={counted.window}'),
            ("RateLimit", f'"{counted.budget}";r={max(remaining, 0)};t={seconds}'),
        ]
        if remaining < 0:
            headers.append(("Retry-After", str(max(seconds, 1))))
        return headers


def _too_many(counted: _Counted) -> TooManyRequests:
    return TooManyRequests(Said(_MORE[counted.budget], {"amount": counted.limit, "seconds": counted.window}))


def _worth(environ: WSGIEnvironment, cost: int, status: str, headers: Iterable[tuple[str, str]]) -> int:
    """What a dear request was worth: a page by what is on it, and what was found out before the dear part nothing more
    than any other."""
    if status.startswith(_NOTHING_DONE):
        return 1
    operation = declared(endpoint_of(environ))
    if operation is not None and operation.paged:
        told = {name.lower(): value for name, value in headers}
        if "content-length" in told and "content-encoding" not in told:
            return 1 + int(told["content-length"]) // PAGE_BYTES
    return cost
