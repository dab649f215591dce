"""What turns flows into methods of both clients: of a Client they answer, of an AsyncClient they are awaited."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from types import MethodType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

if TYPE_CHECKING:
    from ._client import AsyncClient, Client
    from ._flow import Flow, Series

P = ParamSpec("P")
T = TypeVar("T")


class Method(Generic[P, T]):
    """A decorator of a flow. Of a Client the method answers T, of an AsyncClient it is awaited for T."""

    def __init__(self, flow: Callable[Concatenate[Any, P], Flow[T]]) -> None:
        @wraps(flow)
        def method(client: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
            return client._run(flow(client, *args, **kwargs))

        self.flow = flow
        self._method = method

    @overload
    def __get__(self, client: None, owner: type) -> Callable[Concatenate[Any, P], Flow[T]]: ...
    @overload
    def __get__(self, client: Client, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncClient, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: Client | AsyncClient | None, owner: type) -> Callable[..., Any]:
        return self.flow if client is None else MethodType(self._method, client)


class Listing(Generic[P, T]):
    """A decorator of what plans a series: a method that goes through it, reading as items are needed."""

    def __init__(self, series: Callable[Concatenate[Any, P], Series[T]]) -> None:
        @wraps(series)
        def method(client: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
            return client._each(series(client, *args, **kwargs))

        self.series = series
        self._method = method

    @overload
    def __get__(self, client: None, owner: type) -> Callable[Concatenate[Any, P], Series[T]]: ...
    @overload
    def __get__(self, client: Client, owner: type) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, client: AsyncClient, owner: type) -> Callable[P, AsyncIterator[T]]: ...
    def __get__(self, client: Client | AsyncClient | None, owner: type) -> Callable[..., Any]:
        return self.series if client is None else MethodType(self._method, client)
