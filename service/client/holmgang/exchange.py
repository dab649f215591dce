"""What both clients share of an exchange: the request, the answers that are kept, and what an answer means."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import httpx

from .answers import Event
from .call import Call, get, path
from .problems import problem
from .retry import Outcome, Patience, retry_after

T = TypeVar("T")
KEPT_ANSWERS = 1000
POLL_MS = 1000
"""When to look again, where the answer does not say it."""


@dataclass
class Exchange:
    """One request on its way, with the answer that it may turn out to be still the latest."""

    call: Call[Any]
    arguments: dict[str, Any]
    kept: tuple[str, bytes] | None
    began: float


class Protocol:
    """How requests are written and answers read, for one caller; safe for many threads."""

    def __init__(self, url: str, token: str | None, timeout: float, patience: Patience | float) -> None:
        self.url = base_of(url)
        self.token = token
        self.timeout = timeout
        self.patience = patience if isinstance(patience, Patience) else Patience(total=patience)
        self._answers: OrderedDict[tuple[Any, ...], tuple[str, bytes]] = OrderedDict()
        self._lock = threading.Lock()

    def settings(self) -> dict[str, Any]:
        """Arguments of the httpx client."""
        headers = {"Accept": "application/json", "User-Agent": "holmgang-python"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        return {"base_url": self.url, "headers": headers, "timeout": self.timeout}

    def begin(self, call: Call[Any]) -> Exchange:
        headers = dict(call.headers)
        kept = None
        if call.kept:
            with self._lock:
                kept = self._answers.get(call.key)
            if kept is not None and kept[0]:
                headers["If-None-Match"] = kept[0]
        timeout = httpx.Timeout(self.timeout, read=self.timeout + call.wait)
        return Exchange(
            call,
            {"params": dict(call.params), "headers": headers, "timeout": timeout, "json": call.json},
            kept,
            self.patience.clock(),
        )

    def end(self, exchange: Exchange, answer: Outcome) -> Any:
        """What the answer holds; raises the Problem that it is, or the fault that came instead."""
        if not isinstance(answer, httpx.Response):
            raise answer
        if answer.status_code == httpx.codes.NOT_MODIFIED and exchange.kept is not None:
            return json.loads(exchange.kept[1])
        if answer.is_success and not answer.content:
            return None
        body = _document(answer)
        if not answer.is_success or body is None:
            refusal = problem(answer.status_code, body, answer.text)
            refusal.retry_after = retry_after(answer)
            raise refusal
        if exchange.call.kept:  # also without a tag, which a proxy may have taken away, to know it again
            self._keep(exchange.call.key, (answer.headers.get("ETag", ""), answer.content))
        return body

    def rest(self, exchange: Exchange, body: Any) -> float:
        """The seconds to pause before an answer without news is given that should have been waited for: the service has
        no room for one more that waits, or a proxy has changed the tag, so that it cannot know what we have."""
        left = exchange.began + exchange.call.wait - self.patience.clock()
        if not exchange.call.wait or left <= 0 or not isinstance(body, dict):
            return 0.0
        nothing = (
            body.get("items") == [] if exchange.kept is None else _facts(body) == _facts(json.loads(exchange.kept[1]))
        )
        return min(left, body.get("next_poll_ms", POLL_MS) / 1000) if nothing else 0.0

    def _keep(self, key: tuple[Any, ...], answer: tuple[str, bytes]) -> None:
        with self._lock:
            self._answers[key] = answer
            self._answers.move_to_end(key)
            if len(self._answers) > KEPT_ANSWERS:
                self._answers.popitem(last=False)


def _facts(body: dict[str, Any]) -> dict[str, Any]:
    """What an answer tells besides the time."""
    return {name: value for name, value in body.items() if name not in ("server_time", "next_poll_ms")}


def _document(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        return None


def base_of(url: str) -> str:
    """The address of a service, given with or without `/v1`, a slash, or the fragment that a browser shows."""
    return url.partition("#")[0].rstrip("/").removesuffix("/v1").rstrip("/")


def following(call: Call[Any], address: str) -> Call[Any]:
    """The call of the next page: the same list, with all parameters of its address (RFC 3986, 5.2).

    Scheme, host and path stay those of this client, which may reach the service by another address than the one that
    its links begin with; so the token goes nowhere else.
    """
    return replace(call, params=dict(httpx.URL(address).params))


class Stream:
    """The server-sent events of one game: where it stands, so that a new connection goes on there."""

    def __init__(self, game: str, after: int, invitation: str | None) -> None:
        self.game = game
        self.after = after
        self.invitation = invitation
        self.ended = False
        self._name = ""
        self._data: list[str] = []

    def call(self) -> Call[Any]:
        """The request that goes on after the last event that was heard."""
        self._name, self._data = "", []
        plain: Call[Any] = get(path("games", self.game, "events"), after=self.after, invitation=self.invitation)
        headers = {**plain.headers, "Accept": "text/event-stream"}
        return Call("GET", plain.path, plain.params, headers=headers, wait=30)

    def hear(self, line: str) -> Iterator[Event]:
        """The event that the line completes, if it does. What was heard already is not told again."""
        if line:
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "data":
                self._data.append(value)
            elif field == "event":
                self._name = value
            return
        name, data = self._name, "\n".join(self._data)
        self._name, self._data = "", []
        if name == "end":
            self.ended = True
        elif data:
            event: Event = json.loads(data)
            if event["seq"] > self.after:
                self.after = event["seq"]
                yield event
