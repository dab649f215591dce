"""The client for asyncio: the same methods, awaited."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
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
from .threads import in_thread

T = TypeVar("T")


class AsyncClient(Calls):
    """As Client, with methods to await and lists to go through with `async for`. For one event loop."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float = 30.0,
        patience: Patience | float = 120.0,
        notes: Notes | str | os.PathLike[str] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.protocol = Protocol(url, token, timeout, patience)
        self._http = httpx.AsyncClient(transport=transport, **self.protocol.settings())
        self._sleep = sleep
        self.notes = notes if isinstance(notes, Notes) else Notes(notes)

    @property
    def token(self) -> str | None:
        return self.protocol.token

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    @classmethod
    async def register(cls, url: str, name: str, **settings: Any) -> Self:
        """A new player's client, holding the token that is shown only now."""
        async with cls(url, **settings) as anybody:
            token = (await anybody.carry_out(plans.register(name)))["token"]
        return cls(url, token, **settings)

    async def carry_out(self, call: Call[T]) -> T:
        """The answer of a call, tried as often as it takes."""
        exchange = self.protocol.begin(call)
        tries = Tries(call, self.protocol.patience)
        while True:
            outcome: Outcome
            try:
                outcome = await self._http.request(call.method, call.path, **exchange.arguments)
            except httpx.TransportError as fault:
                outcome = fault
            pause = tries.pause_after(outcome)
            if pause is None:
                answer: T = self.protocol.end(exchange, outcome)
                if rest := self.protocol.rest(exchange, answer):
                    await self._sleep(rest)
                return answer
            await self._sleep(pause)

    async def carry_on(self, steps: Generator[Call[Any] | Callable[[], Any], Any, T]) -> T:
        """What comes of calls that follow from each other's answers."""
        try:
            step = next(steps)
            while True:
                try:
                    answer = await (self.carry_out(step) if isinstance(step, Call) else in_thread(step))
                except Exception as fault:
                    step = steps.throw(fault)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            result: T = end.value
            return result

    async def go_through(self, call: Call[Page[T]]) -> AsyncIterator[T]:
        """The items of all pages."""
        while True:
            page = await self.carry_out(call)
            for item in page["items"]:
                yield item
            if page["next"] is None:
                return
            call = following(call, page["next"])

    async def stream(self, game: str, *, after: int = 0, invitation: str | None = None) -> AsyncIterator[Event]:
        """Events as they come, until the game is over or archived; goes on by itself where a connection was lost."""
        stream = Stream(game, after, invitation)
        tries = Tries(stream.call(), self.protocol.patience)
        while True:
            exchange = self.protocol.begin(stream.call())
            outcome: Outcome
            try:
                async with self._http.stream("GET", exchange.call.path, **exchange.arguments) as outcome:
                    if outcome.status_code == httpx.codes.NO_CONTENT:
                        return
                    if outcome.is_success:
                        async for line in outcome.aiter_lines():
                            for event in stream.hear(line):
                                tries = Tries(exchange.call, self.protocol.patience)
                                yield event
                            if stream.ended:
                                return
                        outcome = httpx.RemoteProtocolError("The stream of events broke off.")
                    else:
                        await outcome.aread()
            except httpx.TransportError as fault:
                outcome = fault
            pause = tries.pause_after(outcome)
            if pause is None:
                self.protocol.end(exchange, outcome)  # raises what it was
            else:
                await self._sleep(pause)
