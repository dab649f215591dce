"""What makes methods of both clients of flows: of a Client they answer, of an AsyncClient they are awaited."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import update_wrapper
from inspect import signature
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
    def __get__(self, client: Any, owner: type) -> Callable[..., Any]:
        """The flow itself: `answering` and `awaited` put functions in its place."""
        return self.flow


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
    def __get__(self, client: Any, owner: type) -> Callable[..., Any]:
        return self.series


C = TypeVar("C", bound=type)


def answering(client: C) -> C:
    """A decorator of a class whose `_run` and `_each` do flows: they are its methods."""

    def answered(flow: Callable[..., Any]) -> Callable[..., Any]:
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            return self._run(flow(self, *args, **kwargs))

        return method

    return _made_into(client, answered, Iterator)


def awaited(client: C) -> C:
    """The same where both are awaited."""

    def coroutine(flow: Callable[..., Any]) -> Callable[..., Any]:
        async def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            return await self._run(flow(self, *args, **kwargs))

        return method

    return _made_into(client, coroutine, AsyncIterator)


def _made_into(client: C, method_of: Callable[[Callable[..., Any]], Callable[..., Any]], items: Any) -> C:
    """Functions as if they were written down in the class: `help`, `inspect` and editors find their signatures."""
    for part in reversed(client.__mro__):
        for name, found in list(vars(part).items()):
            if isinstance(found, Method):
                _put(client, name, method_of(found.flow), found.flow, _inner)
            elif isinstance(found, Listing):
                _put(client, name, _each(found.series), found.series, lambda written: items[_inner(written)])
    return client


def _each(series: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return self._each(series(self, *args, **kwargs))

    return method


def _put(
    client: type, name: str, method: Callable[..., Any], plan: Callable[..., Any], answer: Callable[[str], Any]
) -> None:
    update_wrapper(method, plan)
    answers = answer(plan.__annotations__["return"])
    method.__annotations__ = {**plan.__annotations__, "return": answers}
    method.__signature__ = signature(plan).replace(return_annotation=answers)  # type: ignore[attr-defined]
    method.__qualname__ = f"{client.__name__}.{name}"
    setattr(client, name, method)


def _inner(written: str) -> str:
    """`X` of `Flow[X]` or `Pages[X]`: annotations are text."""
    return written.partition("[")[2].removesuffix("]")
