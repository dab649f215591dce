"""What turns flows into methods of both clients: of a Client they answer, of an AsyncClient they are awaited."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

if TYPE_CHECKING:
    from ._client import AsyncClient, Client
    from ._flow import Flow, Series

P = ParamSpec("P")
T = TypeVar("T")


class Method(Generic[P, T]):
    """A decorator of a flow. Of a Client the method answers T, of an AsyncClient it is awaited for T."""

    def __init__(self, flow: Callable[Concatenate[Any, P], Flow[T]]) -> None:
        self.flow = flow
        self.__doc__ = flow.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Callable[Concatenate[Any, P], Flow[T]]: ...
    @overload
    def __get__(self, client: Client, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncClient, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: Client | AsyncClient | None, owner: type) -> Callable[..., Any]:
        if client is None:
            return self.flow
        run = client._run
        return wraps(self.flow)(lambda *args, **kwargs: run(self.flow(client, *args, **kwargs)))


class Listing(Generic[P, T]):
    """A decorator of what plans a series: a method that goes through it, reading as items are needed."""

    def __init__(self, series: Callable[Concatenate[Any, P], Series[T]]) -> None:
        self.series = series
        self.__doc__ = series.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Callable[Concatenate[Any, P], Series[T]]: ...
    @overload
    def __get__(self, client: Client, owner: type) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, client: AsyncClient, owner: type) -> Callable[P, AsyncIterator[T]]: ...
    def __get__(self, client: Client | AsyncClient | None, owner: type) -> Callable[..., Any]:
        if client is None:
            return self.series
        each = client._each
        return wraps(self.series)(lambda *args, **kwargs: each(self.series(client, *args, **kwargs)))
