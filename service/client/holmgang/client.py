"""The client for programs that do one thing after another."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterator
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from . import plans
from .answers import Event, Page
from .call import Call
from .calls import Calls
from .exchange import Protocol, Stream, following
from .notes import Notes
from .retry import Outcome, Patience, Tries

T = TypeVar("T")


class Client(Calls):
    """Calls of one caller: with a `token` a player's, without one anybody's.

    Every call answers what the service answers, or raises a Problem, or httpx.TransportError when the service stays out
    of reach. Calls that are safe to repeat are, for `patience` seconds after their first fault. May be shared by
    threads. What `verify` compares records with is kept in `notes`: in memory, or a folder of this player's.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float = 30.0,
        patience: Patience | float = 120.0,
        notes: Notes | str | os.PathLike[str] | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.protocol = Protocol(url, token, timeout, patience)
        self._http = httpx.Client(transport=transport, **self.protocol.settings())
        self._sleep = sleep
        self.notes = notes if isinstance(notes, Notes) else Notes(notes)

    @property
    def token(self) -> str | None:
        return self.protocol.token

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    @classmethod
    def register(cls, url: str, name: str, **settings: Any) -> Self:
        """A new player's client, holding the token that is shown only now."""
        with cls(url, **settings) as anybody:
            token = anybody.carry_out(plans.register(name))["token"]
        return cls(url, token, **settings)

    def carry_out(self, call: Call[T]) -> T:
        """The answer of a call, tried as often as it takes."""
        exchange = self.protocol.begin(call)
        tries = Tries(call, self.protocol.patience)
        while True:
            outcome: Outcome
            try:
                outcome = self._http.request(call.method, call.path, **exchange.arguments)
            except httpx.TransportError as fault:
                outcome = fault
            pause = tries.pause_after(outcome)
            if pause is None:
                answer: T = self.protocol.end(exchange, outcome)
                if rest := self.protocol.rest(exchange, answer):
                    self._sleep(rest)
                return answer
            self._sleep(pause)

    def carry_on(self, steps: Generator[Call[Any] | Callable[[], Any], Any, T]) -> T:
        """What comes of calls that follow from each other's answers."""
        try:
            step = next(steps)
            while True:
                try:
                    answer = self.carry_out(step) if isinstance(step, Call) else step()
                except Exception as fault:
                    step = steps.throw(fault)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            result: T = end.value
            return result

    def go_through(self, call: Call[Page[T]]) -> Iterator[T]:
        """The items of all pages."""
        while True:
            page = self.carry_out(call)
            yield from page["items"]
            if page["next"] is None:
                return
            call = following(call, page["next"])

    def stream(self, game: str, *, after: int = 0, invitation: str | None = None) -> Iterator[Event]:
        """Events as they come, until the game is over or archived; goes on by itself where a connection was lost."""
        stream = Stream(game, after, invitation)
        tries = Tries(stream.call(), self.protocol.patience)
        while True:
            exchange = self.protocol.begin(stream.call())
            outcome: Outcome
            try:
                with self._http.stream("GET", exchange.call.path, **exchange.arguments) as outcome:
                    if outcome.status_code == httpx.codes.NO_CONTENT:
                        return
                    if outcome.is_success:
                        for line in outcome.iter_lines():
                            for event in stream.hear(line):
                                tries = Tries(exchange.call, self.protocol.patience)
                                yield event
                            if stream.ended:
                                return
                        outcome = httpx.RemoteProtocolError("The stream of events broke off.")
                    else:
                        outcome.read()
            except httpx.TransportError as fault:
                outcome = fault
            pause = tries.pause_after(outcome)
            if pause is None:
                self.protocol.end(exchange, outcome)  # raises what it was
            else:
                self._sleep(pause)
