"""Answers whose tags count the revisions of a thing: every operation that polls one (`Poll.of`), by its example."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from holmgang.api.operation.declaration import OPERATIONS
from holmgang.api.resources import examples
from holmgang.store.database import PostgresStore
from tests.api_document import api_document, parameters
from tests.e2e.seeding import seed

from .calling import Api

PATHS = {
    operation["operationId"]: (
        path,
        {one["name"]: str(one["example"]) for one in parameters(operation) if one["in"] == "path"},
    )
    for path, verbs in api_document()["paths"].items()
    for operation in verbs.values()
    if (polls := OPERATIONS[operation["operationId"]].polls) is not None and polls.of is not None
}
CHANGED = (
    lambda tag: f'{tag[:-1]}-gzip"',
    lambda tag: f'{tag[:-1]};gz"',
    lambda tag: tag.removeprefix("W/"),
    lambda tag: f'"other", {tag}',
    lambda _: "*",
)
"""What proxies make of a tag; test_changed_tags.py has more."""


@pytest.fixture(scope="module")
def seeded(module_database: str) -> Iterator[Api]:
    store = PostgresStore(module_database, pool_size=1)
    seed(store)
    store.close()
    api = Api(module_database)
    yield api
    api.close()


def test_some_are_found() -> None:
    assert {"getSeek", "getChallenge", "listMyChallenges", "getRematch", "getTournament", "getAnalysis"} <= set(PATHS)


@pytest.mark.parametrize("name", sorted(PATHS))
def test_who_has_it_is_told_so_and_what_is_not_there_is_never_unchanged(seeded: Api, name: str) -> None:
    path, ids = PATHS[name]
    token = examples.SECRET
    first = seeded.call("GET", path.format(**ids), token=token, status=200)
    tag = first.headers["ETag"]
    for known in (change(tag) for change in CHANGED):
        same = seeded.call("GET", path.format(**ids), token=token, status=304, If_None_Match=known)
        assert same.headers["ETag"] == tag
        assert set(same.vary) == set(first.vary)
    seeded.call("GET", path.format(**ids), token=token, status=200, If_None_Match=f'{tag[:-1]}-other"')
    for thing in ids:
        nowhere = path.format(**{**ids, thing: "99" if thing == "number" else str(uuid4())})
        for known in (tag, "*"):
            for wait in ("", "?wait=50"):
                seeded.problem("GET", nowhere + wait, 404, "not_found", token=token, If_None_Match=known)
