"""The application on a database that the tests of a module share; each makes its own players and games."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .calling import Api, Table


@pytest.fixture(scope="module")
def api(module_database: str) -> Iterator[Api]:
    api = Api(module_database)
    yield api
    api.close()


@pytest.fixture(scope="module")
def inside(module_database: str) -> Iterator[Api]:
    """A service that may call hosts inside the network."""
    api = Api(module_database, webhooks_private=True)
    yield api
    api.close()


@pytest.fixture(scope="module")
def finished(api: Api) -> Table:
    """A game that was played to its end."""
    table = api.table()
    table.play()
    return table
