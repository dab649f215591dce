"""What both clients do, without input and output: flows say step by step what is to be done, and are sent what came.

A flow is a generator of steps; what it returns is the answer. A client drives it: it carries out each step in its own
way, waiting for it or awaiting it. A step that is a request comes to its response, or to the fault of the connection.
"""

from __future__ import annotations

import json
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import httpx

from holmgang.problems import KINDS, Problem

from ._address import base_of, headers_of
from ._call import Call, get, path
from ._notes import Notes
from ._reach import Outcome, Reach, Unreachable
from ._retry import Patience, Tries, retry_after

T = TypeVar("T")
KEPT_ANSWERS = 1000
POLL_MS = 1000
"""When to look again, where the answer does not say it."""
CONNECT_SECONDS = 5.0
"""For a connection to come about: where nothing answers, nobody is kept waiting as long as for an answer."""
FIRST_ANSWER_SECONDS = 10.0
"""For an answer while nothing has answered yet: what listens may be another program, which never does."""


class Send(NamedTuple):
    """Make a request, with these arguments to httpx. Comes to an Outcome."""

    method: str
    url: str
    arguments: dict[str, Any]


class Open(NamedTuple):
    """Make a request whose answer is read as it comes. Comes to a Connection, or to an Outcome if it is not 200."""

    request: Send


class Read(NamedTuple):
    """Read on. Comes to some text, to None at the end, or to the fault."""

    texts: Any


class Pause(NamedTuple):
    """Do nothing for so many seconds."""

    seconds: float


class Work(NamedTuple):
    """Call the function, which takes a while. Comes to what it returns; if it raises, that ends the flow."""

    function: Callable[[], Any]


class Connection(NamedTuple):
    """An answer that is being read. `texts` is an iterator of the client's kind."""

    response: httpx.Response
    texts: Any


Step = Send | Open | Read | Pause | Work
Flow = Generator[Step, Any, T]


class Series(Protocol[T]):
    """Items that are read as they are needed. What is `open` at its end, the client closes."""

    open: httpx.Response | None

    def more(self) -> Flow[list[T] | None]:
        """The next items, or None when there are no more."""


@dataclass
class Exchange:
    """One call on its way, with the answer that it may turn out to be still the latest."""

    call: Call
    request: Send
    kept: tuple[str, bytes] | None
    began: float


class Caller:
    """How calls are made and answers read, for one caller; safe for many threads."""

    def __init__(
        self,
        url: str,
        token: str | None,
        timeout: float,
        patience: Patience | float,
        notes: Notes | str | os.PathLike[str] | None,
        user_agent: str | None = None,
    ) -> None:
        self.url = base_of(url)
        self._headers = headers_of(token, user_agent)
        self._token = token
        self.timeout = _seconds("timeout", timeout)
        self.patience = patience if isinstance(patience, Patience) else Patience(_seconds("patience", patience))
        self.notes = notes if isinstance(notes, Notes) else Notes(notes)
        self._answers: OrderedDict[tuple[Any, ...], tuple[str, bytes]] = OrderedDict()
        self._lock = threading.Lock()
        self._reach = Reach(self.url, self.patience.clock)

    @property
    def token(self) -> str | None:
        """What the calls are made with; None for anybody's."""
        return self._token

    def _ask(self, call: Call) -> Flow[Any]:
        """The answer of a call, tried as often as it takes; raises the Problem or the fault that it comes to."""
        exchange = self._begin(call)
        tries = Tries(call, self.patience, self._reach)
        while (pause := tries.pause_after(outcome := (yield exchange.request))) is not None:
            yield Pause(pause)
        if self._reach.doubts(outcome):
            self._reach.decide((yield self._begin(get(path("rulesets"))).request))
        answer = self._end(exchange, outcome)
        if rest := self._rest(exchange, answer):
            yield Pause(rest)
        return answer

    def _begin(self, call: Call) -> Exchange:
        headers = {**self._headers, **call.headers}
        kept = None
        if call.kept:
            with self._lock:
                kept = self._answers.get(call.key)
            if kept is not None and kept[0]:
                headers["If-None-Match"] = kept[0]
        connect = min(self.timeout, CONNECT_SECONDS)
        answer = self.timeout
        if not self._reach.met:
            answer = min(answer, max(FIRST_ANSWER_SECONDS, self.patience.first_answer))
        timeout = httpx.Timeout(self.timeout, connect=connect, read=answer + call.wait)
        arguments = {"params": dict(call.params), "headers": headers, "timeout": timeout, "json": call.json}
        return Exchange(call, Send(call.method, self.url + call.path, arguments), kept, self.patience.clock())

    def _end(self, exchange: Exchange, outcome: Outcome) -> Any:
        """What the answer holds."""
        if isinstance(outcome, httpx.Response):
            if outcome.status_code == httpx.codes.NOT_MODIFIED and exchange.kept is not None:
                return json.loads(exchange.kept[1])
            if outcome.is_success and not outcome.content:
                return None
            if outcome.is_success and (body := _document(outcome)) is not None:
                if exchange.call.kept:  # also without a tag, which a proxy may have taken away, to know it again
                    self._keep(exchange.call.key, (outcome.headers.get("ETag", ""), outcome.content))
                return body
        raise self._failure(outcome)

    def _failure(self, outcome: Outcome) -> Exception:
        """What is raised of an outcome that is no answer."""
        why = self._reach.fault(outcome)
        return fault(outcome) if why is None else Unreachable(why)

    def _rest(self, exchange: Exchange, body: Any) -> float:
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


def _seconds(name: str, given: float) -> float:
    if not isinstance(given, Real) or isinstance(given, bool):
        raise TypeError(f"`{name}` is a number of seconds, and not of type {type(given).__name__}.")
    return float(given)


def _facts(body: dict[str, Any]) -> dict[str, Any]:
    """What an answer tells besides the time."""
    return {name: value for name, value in body.items() if name not in ("server_time", "next_poll_ms")}


def fault(outcome: Outcome) -> Exception:
    """What is raised of an outcome that is no answer: the Problem that it holds, or the fault of the connection."""
    if not isinstance(outcome, httpx.Response):
        return outcome
    body = _document(outcome)
    if not isinstance(body, dict):  # a proxy's page of errors is none of the service's
        body = {"detail": outcome.text[:200]}
    refusal = KINDS.get(str(body.get("code")), Problem)(outcome.status_code, body)
    refusal.retry_after = retry_after(outcome)
    return refusal


def _document(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        return None


class Pages(Generic[T]):
    """The items of all pages of a list."""

    open: httpx.Response | None = None

    def __init__(self, caller: Caller, first: Call) -> None:
        self._caller = caller
        self._next: Call | None = first

    def more(self) -> Flow[list[T] | None]:
        if (call := self._next) is None:
            return None
        page = yield from self._caller._ask(call)
        items: list[T] = page["items"]
        # Events have a next page for as long as the game goes on: an empty one is the last that there is by now.
        self._next = None if page["next"] is None or not items else following(call, page["next"])
        return items


def following(call: Call, address: str) -> Call:
    """The call of the next page: the same list, with all parameters of its address (RFC 3986, 5.2).

    Scheme, host and path stay those of this client, which may reach the service by another address than the one that
    its links begin with; so the token goes nowhere else.
    """
    return replace(call, params=dict(httpx.URL(address).params))


class Stream(Generic[T]):
    """The events of one game, or of something else, as they come, over as many connections as it takes."""

    open: httpx.Response | None = None

    def __init__(self, caller: Caller, first: Call) -> None:
        self._caller = caller
        self._first = replace(first, headers={**first.headers, "Accept": "text/event-stream"}, wait=30)
        self._after = int(first.params["after"])
        self._texts: Any = None
        self._rest = ""
        """What was read after the last line."""
        self._tries = Tries(self._call(), caller.patience, caller._reach)

    def _call(self) -> Call:
        """The call that goes on after the last event that was heard."""
        return replace(self._first, params={**self._first.params, "after": str(self._after)})

    def more(self) -> Flow[list[T] | None]:
        """What was heard already is not told again."""
        while self._texts is not None or (yield from self._connected()):
            name, data = yield from self._message()
            if name == "end":
                return None
            if data and (event := json.loads(data))["seq"] > self._after:
                self._after = event["seq"]
                self._tries = Tries(self._call(), self._caller.patience, self._caller._reach)
                return [event]
        return None

    def _connected(self) -> Flow[bool]:
        """False where the service has no more to tell."""
        while not isinstance(opened := (yield Open(self._caller._begin(self._call()).request)), Connection):
            if isinstance(opened, httpx.Response) and opened.status_code == httpx.codes.NO_CONTENT:
                return False
            yield from self._pause(opened)
        self._caller._reach.met = True
        self.open, self._texts = opened
        self._rest = ""
        return True

    def _message(self) -> Flow[tuple[str, str]]:
        """Name and data of the next server-sent event; both empty where the connection broke off."""
        name, data = "", []
        while isinstance(line := (yield from self._line()), str) and line:
            field, _, value = line.partition(":")
            if field == "data":
                data.append(value.removeprefix(" "))
            elif field == "event":
                name = value.removeprefix(" ")
        if line == "":
            return name, "\n".join(data)
        self._texts = None
        yield from self._pause(line or httpx.RemoteProtocolError("The stream of events broke off."))
        return "", ""

    def _line(self) -> Flow[str | httpx.TransportError | None]:
        """Up to a line feed: a string's own ends of lines, as U+2028, may be within (HTML Living Standard, 9.2.6)."""
        while "\n" not in self._rest:
            text = yield Read(self._texts)
            if not isinstance(text, str):
                fault: httpx.TransportError | None = text
                return fault
            self._rest += text
        line, _, self._rest = self._rest.partition("\n")
        return line.removesuffix("\r")

    def _pause(self, outcome: Outcome) -> Flow[None]:
        """Until another try; raises what is not worth one."""
        if (pause := self._tries.pause_after(outcome)) is None:
            raise self._caller._failure(outcome)
        yield Pause(pause)
