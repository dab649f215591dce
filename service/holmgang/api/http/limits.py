"""Rate limits: how many requests a player may make, and all clients of an address together.

An expensive request counts as several (see `Cost`), or as one if it turns out that there is nothing to do. Three
budgets make listening free: polls, which name what the client has or wait; moves, refused ones included; and all other
requests, trial moves among them. Two are small: registrations, by address alone, since one person may register any
number of players; and messages to webhooks that a player asks for, since they go to a host of their choice.

A window begins with its first request, so that `Retry-After` is exact. Headers follow the IETF's draft on RateLimit
header fields (draft-ietf-httpapi-ratelimit-headers).
"""

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple
from wsgiref.types import WSGIEnvironment

from holmgang.api.operation.declaration import Operation, declared
from holmgang.api.operation.terms import PAGE_BYTES, PLAIN, asked
from holmgang.api.problems.faults import TooManyRequests
from holmgang.config import Settings
from holmgang.engine.messages import Said, counted, template

from .callers import CLIENT, Callers, Client
from .counting import counter
from .pacing import LEAST_SECONDS, TokenBuckets
from .routing import endpoint_of
from .waiting import polls

WINDOW_S = 10
ADDRESS_FACTOR = 20
"""How many times the budget of a player all clients of an address have together."""
EXPENSIVE_SHARE = 4
"""Expensive requests get one part in so many of a player's budget, in the long run."""
EXPENSIVE_BURST = 100
"""How much of them is never delayed."""
LONGEST_DELAY_S = 4.0
"""A request that would be delayed for longer is refused."""
FULL_SHARE = 10
"""One poll in so many may be answered in full, in the long run: polls without news name what the client has."""
REGISTRATIONS_WINDOW_S = 600
MESSAGES, MESSAGES_WINDOW_S = 60, 60
"""Messages to webhooks, test messages and replayed ones, of one player in so many seconds."""
_CHARGE = "holmgang.charge"
_NOTHING_DONE = ("304", "400", "401", "403", "404", "409", "422")
"""Statuses that are found out before the expensive part of a request."""

_SECONDS = template("{count} second"), template("{count} seconds")
_COUNTED = {
    "polls": (template("{count} poll"), template("{count} polls")),
    "moves": (template("{count} move"), template("{count} moves")),
    "messages": (template("{count} message to webhooks"), template("{count} messages to webhooks")),
    "dear": (template("{count} millisecond"), template("{count} milliseconds")),
    "registrations": (template("{count} registration"), template("{count} registrations")),
    "requests": (template("{count} request"), template("{count} requests")),
}
_EXCEEDED = {
    "dear": template(
        "More work than {amount} in {seconds}: pictures, lists, records and positions of the past count as much as "
        "they take."
    ),
    "requests": template(
        "More than {amount} in {seconds}. Polls of views, turns and events that name what they have (If-None-Match) or "
        "wait have a budget of their own."
    ),
}
_EXCEEDED_USUALLY = template("More than {amount} in {seconds}.")


class Budget(NamedTuple):
    """So many requests of a player, and of an address, in `window` seconds. Without `each` only the address counts."""

    name: str
    each: int | None
    address: int
    window: int

    def keys(self, client: Client) -> Iterator[tuple[int, str]]:
        """What a client's requests are counted by, each with its limit."""
        if self.each is not None:
            yield self.each, client.budget_key
        yield self.address, f"all of {client.network}"


class _Count(NamedTuple):
    """`used` of `limit` in `window` seconds, until `ends` (seconds since 1970)."""

    budget: str
    limit: int
    window: int
    used: int
    ends: float

    @property
    def exceeded(self) -> bool:
        return self.used > self.limit


@dataclass(slots=True)
class _Charge:
    """What a request was counted as: its `cost`, the count that has less left (the client's or the address's), and by
    how many seconds it is delayed."""

    budget: Budget
    client: Client
    cost: int
    count: _Count
    delay: float = 0.0


class Limiter:
    """Counts requests. Counts in memory are one process's own, so that each process has its share of the budgets."""

    def __init__(self, settings: Settings) -> None:
        in_memory = settings.rate_limit_store.startswith("memory:")
        processes = settings.workers if in_memory else 1
        self.callers = Callers()
        self._counter = counter(settings.rate_limit_store)
        self._expensive = max(1, settings.rate_limit // settings.workers // EXPENSIVE_SHARE)
        """Milliseconds of work in a window."""
        self._pace = TokenBuckets(self._expensive / WINDOW_S, EXPENSIVE_BURST)
        full = max(1, settings.rate_limit_polls // settings.workers // FULL_SHARE)
        self._full_polls = TokenBuckets(full / WINDOW_S, full)

        def budget(name: str, requests: int, window: int = WINDOW_S) -> Budget:
            share = max(1, requests // processes)
            return Budget(name, share, share * ADDRESS_FACTOR, window)

        self._polls = budget("polls", settings.rate_limit_polls)
        self._rest = budget("requests", settings.rate_limit)
        registrations = max(1, settings.rate_limit_registrations // processes)
        self._budgets = {
            "requests": self._rest,
            "moves": budget("moves", settings.rate_limit_moves),
            "registrations": Budget("registrations", None, registrations, REGISTRATIONS_WINDOW_S),
            "messages": budget("messages", MESSAGES, MESSAGES_WINDOW_S),
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
        """Count a request. Returns who makes it; TooManyRequests if a budget is exceeded."""
        client = self.callers.identify(environ)
        operation = declared(endpoint)
        budget = self._budget(environ, operation)
        cost = (PLAIN if operation is None else operation.cost).of(environ.get("QUERY_STRING", ""))
        count: _Count | None = None
        for limit, key in budget.keys(client):
            counted = self._count(budget, limit, key, cost)
            if counted is not None and (count is None or counted.exceeded):
                count = counted
                if count.exceeded:
                    break
        if count is None:
            return client
        charge = environ[_CHARGE] = _Charge(budget, client, cost, count)
        if count.exceeded:
            raise _too_many(count)
        if budget is self._polls:
            charge.delay = min(self._full_polls.debt(client.pace_key), LONGEST_DELAY_S)
        elif cost > 1:
            client = environ[CLIENT] = charge.client = client._replace(expensive=True)
            charge.delay = self._pace.reserve(client.pace_key, cost, LONGEST_DELAY_S)
            if charge.delay > LONGEST_DELAY_S:
                self._refund(charge, cost - 1)
                ends = time.time() + charge.delay
                charge.count = _Count("dear", self._expensive, WINDOW_S, self._expensive + 1, ends)
                raise _too_many(charge.count)
        return client

    def delay(self, environ: WSGIEnvironment) -> None:
        """Delay a request until the tokens are there that it costs."""
        charge: _Charge | None = environ.get(_CHARGE)
        if charge is not None and charge.delay > LEAST_SECONDS:
            time.sleep(charge.delay)

    def _count(self, budget: Budget, limit: int, key: str, amount: int) -> _Count | None:
        """Directly: the library's strategies make each key four times over. None while a shared store fails."""
        counted = self._counter.count(f"{budget.name}/{key}", budget.window, amount)
        return None if counted is None else _Count(budget.name, limit, budget.window, *counted)

    def _refund(self, charge: _Charge, amount: int) -> None:
        if time.time() < charge.count.ends:
            for limit, key in charge.budget.keys(charge.client):
                self._count(charge.budget, limit, key, -amount)

    def settle(self, environ: WSGIEnvironment, status: str, headers: Iterable[tuple[str, str]]) -> None:
        """After a request: refund work that was not done, and count the request for its player if they became known
        only now."""
        charge: _Charge | None = environ.get(_CHARGE)
        player = self.callers.learn(environ)
        if charge is None or charge.count.exceeded:
            return
        if charge.budget is self._polls:
            if status.startswith("200"):
                self._full_polls.reserve(charge.client.pace_key, 1, LONGEST_DELAY_S)
        elif charge.cost > 1 and (cost := _actual_cost(environ, charge.cost, status, headers)) < charge.cost:
            spared = charge.cost - cost
            self._refund(charge, spared)
            self._pace.refund(charge.client.pace_key, spared if cost > 1 else charge.cost)
            charge.cost = cost
            charge.count = charge.count._replace(used=charge.count.used - spared)
        if player is not None and charge.budget.each is not None:
            self._count(charge.budget, charge.budget.each, player, charge.cost)
            if charge.client.expensive and charge.cost > 1:
                self._pace.reserve(player, charge.cost, math.inf)

    def headers(self, environ: WSGIEnvironment) -> list[tuple[str, str]]:
        """The headers that tell how much is left; none if nothing was counted."""
        charge: _Charge | None = environ.get(_CHARGE)
        if charge is None:
            return []
        budget, limit, window, used, ends = charge.count
        seconds = max(math.ceil(ends - time.time()), 0)
        headers = [
            ("RateLimit-Policy", f'"{budget}";q={limit};w={window}'),
            ("RateLimit", f'"{budget}";r={max(limit - used, 0)};t={seconds}'),
        ]
        if used > limit:
            headers.append(("Retry-After", str(max(seconds, 1))))
        return headers


def _too_many(count: _Count) -> TooManyRequests:
    amount, seconds = counted(count.limit, *_COUNTED[count.budget]), counted(count.window, *_SECONDS)
    told = _EXCEEDED.get(count.budget, _EXCEEDED_USUALLY)
    return TooManyRequests(Said(told, {"amount": amount, "seconds": seconds}))


def _actual_cost(environ: WSGIEnvironment, cost: int, status: str, headers: Iterable[tuple[str, str]]) -> int:
    """What an expensive request cost in the end: a page by what is on it, and one if nothing was done."""
    if status.startswith(_NOTHING_DONE):
        return 1
    operation = declared(endpoint_of(environ))
    if operation is not None and operation.paged:
        sent = {name.lower(): value for name, value in headers}
        if "content-length" in sent and "content-encoding" not in sent:
            return 1 + int(sent["content-length"]) // PAGE_BYTES
    return cost
