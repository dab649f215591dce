"""The two clients: each drives the same flows in its own way."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from ._accounts import Accounts
from ._flow import Connection, Flow, Line, Open, Pause, Send, Series, Step, Work
from ._games import Games
from ._notes import Notes
from ._play import Play
from ._retry import Patience
from ._threads import in_thread

T = TypeVar("T")


class Client(Accounts, Games, Play):
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
        super().__init__(url, token, timeout, patience, notes)
        self._http = httpx.Client(transport=transport, **self._settings())
        self._sleep = sleep

    @classmethod
    def register(cls, url: str, name: str, **settings: Any) -> Self:
        """A new player's client, holding the token that is shown only now."""
        with cls(url, **settings) as anybody:
            token = anybody._run(anybody._registration(name))["token"]
        return cls(url, token, **settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def _run(self, flow: Flow[T]) -> T:
        came: Any = None
        while True:
            try:
                step = flow.send(came)
            except StopIteration as end:
                answer: T = end.value
                return answer
            came = self._do(step)

    def _each(self, series: Series[T]) -> Iterator[T]:
        try:
            while (items := self._run(series.more())) is not None:
                yield from items
        finally:
            if series.open is not None:
                series.open.close()

    def _do(self, step: Step) -> Any:
        try:
            match step:
                case Send(method, path, arguments):
                    return self._http.request(method, path, **arguments)
                case Open(Send(method, path, arguments)):
                    response = self._http.send(self._http.build_request(method, path, **arguments), stream=True)
                    if response.status_code == httpx.codes.OK:
                        return Connection(response, response.iter_lines())
                    response.read()
                    return response
                case Line(lines):
                    return next(lines, None)
                case Pause(seconds):
                    return self._sleep(seconds)
                case Work(function):
                    return function()
        except httpx.TransportError as fault:
            return fault


class AsyncClient(Accounts, Games, Play):
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
        super().__init__(url, token, timeout, patience, notes)
        self._http = httpx.AsyncClient(transport=transport, **self._settings())
        self._sleep = sleep

    @classmethod
    async def register(cls, url: str, name: str, **settings: Any) -> Self:
        """A new player's client, holding the token that is shown only now."""
        async with cls(url, **settings) as anybody:
            token = (await anybody._run(anybody._registration(name)))["token"]
        return cls(url, token, **settings)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def _run(self, flow: Flow[T]) -> T:
        came: Any = None
        while True:
            try:
                step = flow.send(came)
            except StopIteration as end:
                answer: T = end.value
                return answer
            came = await self._do(step)

    async def _each(self, series: Series[T]) -> AsyncIterator[T]:
        try:
            while (items := await self._run(series.more())) is not None:
                for item in items:
                    yield item
        finally:
            if series.open is not None:
                await series.open.aclose()

    async def _do(self, step: Step) -> Any:
        try:
            match step:
                case Send(method, path, arguments):
                    return await self._http.request(method, path, **arguments)
                case Open(Send(method, path, arguments)):
                    response = await self._http.send(self._http.build_request(method, path, **arguments), stream=True)
                    if response.status_code == httpx.codes.OK:
                        return Connection(response, response.aiter_lines())
                    await response.aread()
                    return response
                case Line(lines):
                    return await anext(lines, None)
                case Pause(seconds):
                    return await self._sleep(seconds)
                case Work(function):
                    return await in_thread(function)
        except httpx.TransportError as fault:
            return fault
