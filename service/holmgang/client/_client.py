"""The two clients: each drives the same flows in its own way."""

from __future__ import annotations

import asyncio
import os
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import cache
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from ._accounts import Accounts, Kind
from ._challenges import Challenges
from ._flow import Connection, Flow, Open, Pause, Read, Send, Series, Step, Work
from ._games import Games
from ._methods import answering, awaited
from ._notes import Notes
from ._play import Play
from ._retry import Patience
from ._seeks import Seeks
from ._threads import in_thread
from ._tournaments import Tournaments

T = TypeVar("T")
H = TypeVar("H", httpx.Client, httpx.AsyncClient)


@cache
def _certificates() -> ssl.SSLContext:
    """Those that httpx trusts. To read them takes longer than most calls, so all clients share what was read."""
    return httpx.create_ssl_context()


def given_http(http: H, kind: type[H], transport: object) -> H:
    """The author's own httpx client, if it is one that can be used."""
    if not isinstance(http, kind):
        raise TypeError(f"`http` must be an httpx.{kind.__name__} here, and is of type {type(http).__name__}.")
    if transport is not None:
        raise TypeError("Give `transport` to your own httpx client, which `http` is.")
    return http


@answering
class Client(Accounts, Challenges, Games, Play, Seeks, Tournaments):
    """Calls of one caller: with a `token` a player's, without one anybody's.

    Every call answers what the service answers, or raises a Problem, or httpx.TransportError when the service stays out
    of reach: Unreachable where it never was in reach. Calls that are safe to repeat are, for `patience` seconds after
    their first fault; the logger `holmgang` tells of it. An address or a token that cannot be one is a ValueError. May
    be shared by threads.

    `timeout` is how many seconds an answer may take. What `verify` compares records with is kept in `notes`: in memory,
    or a folder of this player's. `user_agent` is put before the package's own, such as `hasty/1.0`. All goes through
    `http`, if you give an httpx client of your own, with proxies, certificates or hooks; you close it.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float = 30.0,
        patience: Patience | float = 120.0,
        notes: Notes | str | os.PathLike[str] | None = None,
        user_agent: str | None = None,
        http: httpx.Client | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(url, token, timeout, patience, notes, user_agent)
        self._own = http is None
        if http is None:
            self._http = httpx.Client(transport=transport, verify=_certificates())
        else:
            self._http = given_http(http, httpx.Client, transport)
        self._sleep = sleep

    @classmethod
    def register(cls, url: str, name: str, *, kind: Kind | None = None, **settings: Any) -> Self:
        """A new player's client, holding the token that is shown only now; a person's, unless its `kind` is `bot`."""
        with cls(url, **settings) as anybody:
            token = anybody._run(anybody._registration(name, kind))["token"]
        client = cls(url, token, **settings)
        client._reach.met = True
        return client

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close its connections; not those of an httpx client that you gave."""
        if self._own:
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
                case Send(method, url, arguments):
                    return self._http.request(method, url, **arguments)
                case Open(Send(method, url, arguments)):
                    response = self._http.send(self._http.build_request(method, url, **arguments), stream=True)
                    if response.status_code == httpx.codes.OK:
                        return Connection(response, response.iter_text())
                    response.read()
                    return response
                case Read(texts):
                    return next(texts, None)
                case Pause(seconds):
                    return self._sleep(seconds)
                case Work(function):
                    return function()
        except httpx.TransportError as fault:
            return fault


@awaited
class AsyncClient(Accounts, Challenges, Games, Play, Seeks, Tournaments):
    """As Client, with methods to await and lists to go through with `async for`. For one event loop."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float = 30.0,
        patience: Patience | float = 120.0,
        notes: Notes | str | os.PathLike[str] | None = None,
        user_agent: str | None = None,
        http: httpx.AsyncClient | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(url, token, timeout, patience, notes, user_agent)
        self._own = http is None
        if http is None:
            self._http = httpx.AsyncClient(transport=transport, verify=_certificates())
        else:
            self._http = given_http(http, httpx.AsyncClient, transport)
        self._sleep = sleep

    @classmethod
    async def register(cls, url: str, name: str, *, kind: Kind | None = None, **settings: Any) -> Self:
        """A new player's client, holding the token that is shown only now; a person's, unless its `kind` is `bot`."""
        async with cls(url, **settings) as anybody:
            token = (await anybody._run(anybody._registration(name, kind)))["token"]
        client = cls(url, token, **settings)
        client._reach.met = True
        return client

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close its connections; not those of an httpx client that you gave."""
        if self._own:
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
                case Send(method, url, arguments):
                    return await self._http.request(method, url, **arguments)
                case Open(Send(method, url, arguments)):
                    response = await self._http.send(self._http.build_request(method, url, **arguments), stream=True)
                    if response.status_code == httpx.codes.OK:
                        return Connection(response, response.aiter_text())
                    await response.aread()
                    return response
                case Read(texts):
                    return await anext(texts, None)
                case Pause(seconds):
                    return await self._sleep(seconds)
                case Work(function):
                    return await in_thread(function)
        except httpx.TransportError as fault:
            return fault
