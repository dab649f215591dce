"""One call of the API as data, and what turns functions that plan calls into methods of both clients."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload
from urllib.parse import quote
from uuid import uuid4

if TYPE_CHECKING:
    from .aio import AsyncClient
    from .answers import Page
    from .client import Client
    from .notes import Notes

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and the type of its answer.

    `repeatable` says that it happens once however often it is sent. `kept` says that its answer has an ETag that is
    worth keeping. `wait` is for how many seconds the server may hold it.
    """

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = True
    kept: bool = False
    wait: int = 0

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes two requests ask for the same: not for how long they wait."""
        params = {name: value for name, value in self.params.items() if name != "wait"}
        return self.path, tuple(sorted(params.items())), tuple(sorted(self.headers.items()))


def path(*parts: str | int) -> str:
    return "/v1/" + "/".join(quote(str(part), safe="") for part in parts)


def get(
    address: str, *, kept: bool = False, wait: int | None = None, invitation: str | None = None, **params: Any
) -> Call[Any]:
    """A GET. What is None is left out."""
    given = {**params, "wait": wait}
    written = {name: _text(value) for name, value in given.items() if value is not None}
    headers = {} if invitation is None else {"Holmgang-Invitation": invitation}
    return Call("GET", address, written, headers=headers, kept=kept, wait=wait or 0)


def post(address: str, body: Mapping[str, Any] | None = None, **params: Any) -> Call[Any]:
    """A POST under a key of its own, so that it happens once."""
    written = {name: _text(value) for name, value in params.items() if value is not None}
    return Call("POST", address, written, json=given(body), headers={"Idempotency-Key": str(uuid4())})


def given(body: Mapping[str, Any] | None) -> dict[str, Any]:
    """The fields that are not None: the service's own defaults hold for the others."""
    return {name: value for name, value in (body or {}).items() if value is not None}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Method(Generic[P, T]):
    """A planned call as a method: of a Client it answers T, of an AsyncClient it is awaited for T."""

    def __init__(self, plan: Callable[P, Call[T]]) -> None:
        self.plan = plan
        self.__doc__ = plan.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Callable[P, Call[T]]: ...
    @overload
    def __get__(self, client: Client, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncClient, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: Client | AsyncClient | None, owner: type) -> Callable[P, Any]:
        if client is None:
            return self.plan
        carry_out = client.carry_out
        return lambda *args, **kwargs: carry_out(self.plan(*args, **kwargs))


class Listing(Generic[P, T]):
    """A list as a method that goes through all its pages, read as they are needed."""

    def __init__(self, plan: Callable[P, Call[Page[T]]]) -> None:
        self.plan = plan
        self.__doc__ = plan.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Callable[P, Call[Page[T]]]: ...
    @overload
    def __get__(self, client: Client, owner: type) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, client: AsyncClient, owner: type) -> Callable[P, AsyncIterator[T]]: ...
    def __get__(self, client: Client | AsyncClient | None, owner: type) -> Callable[P, Any]:
        if client is None:
            return self.plan
        go_through = client.go_through
        return lambda *args, **kwargs: go_through(self.plan(*args, **kwargs))


class Careful(Generic[P, T]):
    """A call in several steps (see `careful`) as a method, which is given the client's notes."""

    def __init__(self, plan: Callable[Concatenate[Notes, P], Generator[Any, Any, T]]) -> None:
        self.plan = plan
        self.__doc__ = plan.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Callable[Concatenate[Notes, P], Generator[Any, Any, T]]: ...
    @overload
    def __get__(self, client: Client, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncClient, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: Client | AsyncClient | None, owner: type) -> Callable[..., Any]:
        if client is None:
            return self.plan
        carry_on, notes = client.carry_on, client.notes
        return lambda *args, **kwargs: carry_on(self.plan(notes, *args, **kwargs))
