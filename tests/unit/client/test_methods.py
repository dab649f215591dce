"""What authors see of the clients' methods: in a REPL, in an editor, and by a type checker."""

from __future__ import annotations

import inspect
import pydoc
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any, assert_type, get_type_hints

import pytest

from holmgang import AsyncClient, Client, answers
from holmgang.client._methods import Listing, Method

PLANS = sorted(
    (name, getattr(value, "flow", None) or getattr(value, "series", None))
    for part in Client.__mro__
    for name, value in vars(part).items()
    if isinstance(value, Method | Listing)
)
kinds = pytest.mark.parametrize("kind", [Client, AsyncClient])

if TYPE_CHECKING:

    async def _typed(client: Client, other: AsyncClient) -> None:
        """Looked at by mypy."""
        assert_type(client.create_game("claim", 2), answers.Game)
        assert_type(await other.create_game("claim", 2), answers.Game)
        assert_type(client.events("g"), Iterator[answers.Event])
        assert_type(other.events("g", follow=True), AsyncIterator[answers.Event])
        client.create_game("claim", "two")  # type: ignore[arg-type]
        await other.create_game("claim", 2, chance=True)  # type: ignore[call-arg]


@kinds
@pytest.mark.parametrize(("name", "plan"), PLANS)
def test_a_method_shows_its_signature_and_its_docstring(kind: type, name: str, plan: Any) -> None:
    function, method = getattr(kind, name), getattr(kind("http://x"), name)
    planned = inspect.signature(plan)
    assert inspect.signature(function).parameters == planned.parameters
    assert list(inspect.signature(method).parameters) == list(planned.parameters)[1:]
    assert function.__doc__ == method.__doc__ == plan.__doc__
    assert plan.__doc__
    assert function.__qualname__ == f"{kind.__name__}.{name}"
    shown = pydoc.plain(pydoc.render_doc(function))
    assert "Flow[" not in shown
    assert "Pages[" not in shown
    assert plan.__doc__.splitlines()[0] in shown
    get_type_hints(function)


@pytest.mark.parametrize(
    ("kind", "items", "awaited"), [(Client, Iterator, False), (AsyncClient, AsyncIterator, True)], ids=["sync", "async"]
)
def test_it_says_what_it_answers(kind: Any, items: Any, awaited: bool) -> None:
    assert get_type_hints(kind.create_game)["return"] is answers.Game
    assert inspect.iscoroutinefunction(kind.create_game) is awaited
    assert get_type_hints(kind.games)["return"] == items[answers.Game]
    assert get_type_hints(kind.events)["return"] == items[answers.Event]
    assert not inspect.iscoroutinefunction(kind.games)
