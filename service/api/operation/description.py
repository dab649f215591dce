"""What the document alone needs to know of an operation: examples, links, and problems of the use case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

Handler = Callable[..., Any]
_NONE: Mapping[str, Any] = MappingProxyType({})


class Example(NamedTuple):
    """Example values of an operation: its parameters, and by name its bodies, its answers, and those that are 200 where
    a thing that was made is 201."""

    parameters: Mapping[str, Any] = _NONE
    bodies: Mapping[str, Any] = _NONE
    answers: Mapping[str, Any] = _NONE
    again: Mapping[str, Any] = _NONE


Examples = Example | Callable[[Any], Example]
"""The same always, or by the story of an example game (`resources.examples`)."""


class Links(NamedTuple):
    """OpenAPI links from an answer to operations, which are named with blanks between; without a name to all whose path
    takes these parameters and whose body may be empty.

    Parameters and members of the body are JSON pointers into the answer's body, or begin with `$request`.
    """

    operations: str
    parameters: Mapping[str, str]
    body: Mapping[str, str] | None
    called: str | None


def links(
    operations: str = "", *, body: Mapping[str, str] | None = None, called: str | None = None, **parameters: str
) -> Links:
    return Links(operations, parameters, body, called)


class Description(NamedTuple):
    examples: Examples = Example()
    links: tuple[Links, ...] = ()
    """From the answer by its status."""
    problems: str = ""
    """Codes besides those that follow from the declaration, with blanks between."""
    translated: bool = False
    """The answer holds sentences, which come in the reader's language."""


def described(
    examples: Examples, *links: Links, problems: str = "", translated: bool = False
) -> Callable[[Handler], Handler]:
    """Keep a Description of the operation with its handler, beneath `operation`."""

    def keep(handler: Handler) -> Handler:
        vars(handler)["described"] = Description(examples, links, problems, translated)
        return handler

    return keep
