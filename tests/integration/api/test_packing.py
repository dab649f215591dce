"""What is packed (gzip) on its way: by declaration, with the tag rules right, and never with secrets of others."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from holmgang.api.operation.declaration import OPERATIONS
from holmgang.api.operation.terms import Packs
from holmgang.api.resources import examples
from holmgang.representation import SMALLEST
from holmgang.store.database import PostgresStore
from holmgang.web.files import files
from tests.api_document import api_document, parameters
from tests.e2e.seeding import seed

from .calling import Api, Table

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

PACKED = {
    "getLeaderboard": Packs.ALWAYS,
    "getGame": Packs.ALWAYS,
    "listGames": Packs.ALWAYS,
    "listPlayers": Packs.ALWAYS,
    "getRatingHistoryPicture": Packs.ALWAYS,
    "getView": Packs.UNHIDDEN,
    "getTurn": Packs.UNHIDDEN,
    "getBoardPicture": Packs.UNHIDDEN,
    "listEvents": Packs.UNHIDDEN,
    "listCombats": Packs.UNHIDDEN,
    "getCombat": Packs.UNHIDDEN,
    "getRecord": Packs.UNHIDDEN,
    "getAnalysis": Packs.UNHIDDEN,
    "listTournaments": Packs.ALWAYS,
    "getTournament": Packs.ALWAYS,
    "listTournamentEvents": Packs.ALWAYS,
    "listEntries": Packs.ALWAYS,
    "listRounds": Packs.ALWAYS,
    "getRound": Packs.ALWAYS,
    "getStandings": Packs.ALWAYS,
    "getCrosstable": Packs.ALWAYS,
}
"""Not from the declarations that it is to check: whoever packs more has to say here that nothing can leak by it."""
KEPT = (
    "/openapi.json",
    "/docs",
    "/problems",
    "/problems/not_found",
    "/v1/rulesets/claim",
    "/web/play.js",
)
"""What is the same for everybody, and has a strong tag."""
PARTS = ("view", "turn?include=view", "board.svg", "events?limit=200", "combats?limit=100")
GZIP: dict[str, Any] = {"Accept_Encoding": "br, gzip, deflate"}


def alike(api: Api, path: str, token: str | None = None, **more: Any) -> tuple[TestResponse, TestResponse]:
    """The answer as it is and as it comes to who takes gzip, which must say the same."""
    plain = api.call("GET", path, token=token, status=200, Accept_Encoding="identity", **more)
    other = api.call("GET", path, token=token, status=200, **GZIP, **more)
    assert "Content-Encoding" not in plain.headers
    packed = other.headers.get("Content-Encoding") == "gzip"
    content = gzip.decompress(other.get_data()) if packed else other.get_data()
    if plain.is_json:
        dull = {"server_time": None}
        assert {**api.app.json.loads(content), **dull} == {**plain.get_json(), **dull}
    else:
        assert content == plain.get_data()
    assert other.mimetype == plain.mimetype
    assert set(other.vary) == set(plain.vary)
    for answer, coding in ((plain, "identity"), (other, GZIP["Accept_Encoding"])):
        assert int(answer.headers["Content-Length"]) == len(answer.get_data())
        head = api.call("HEAD", path, token=token, status=200, Accept_Encoding=coding, **more)
        assert head.get_data() == b""
        for name in ("Content-Encoding", "Content-Type", "ETag", "Vary"):
            assert head.headers.get(name) == answer.headers.get(name)
        if b"server_time" not in plain.get_data():
            assert head.headers["Content-Length"] == answer.headers["Content-Length"]
    return plain, other


def is_packed(api: Api, path: str, token: str | None = None, **more: Any) -> bool:
    plain, other = alike(api, path, token, **more)
    packed = other.headers.get("Content-Encoding") == "gzip"
    assert not packed or len(plain.get_data()) >= SMALLEST
    assert not packed or "Accept-Encoding" in plain.vary
    return packed


@pytest.mark.parametrize("path", KEPT)
def test_what_is_the_same_for_everybody_has_a_strong_tag_for_each_form(api: Api, path: str) -> None:
    path = path.format(id=examples.GAME)
    plain, packed = alike(api, path)
    assert packed.headers["Content-Encoding"] == "gzip"
    tags = plain.headers["ETag"], packed.headers["ETag"]
    assert tags[1] == f'{tags[0][:-1]}-gzip"'
    assert not tags[0].startswith("W/")
    for known in tags:
        for answer, coding in ((plain, "identity"), (packed, "gzip")):
            same = api.call("GET", path, status=304, If_None_Match=known, Accept_Encoding=coding)
            assert same.headers["ETag"] == answer.headers["ETag"], "that of the answer which it stands for"
            assert same.headers["Vary"] == answer.headers["Vary"]
            assert same.headers["Cache-Control"] == answer.headers["Cache-Control"]
            assert "Content-Encoding" not in same.headers
            assert same.get_data() == b""


def test_files_are_packed_once_where_that_makes_them_smaller(api: Api) -> None:
    for name, found in files().items():
        gain = 1 - len(gzip.compress(found.content)) / len(found.content)
        packs = len(found.content) >= SMALLEST and gain > 0
        assert gain > 0.2 or not packs or found.mimetype == "image/png", "of text much is saved"
        assert (found.packed is not None) is packs
        assert is_packed(api, f"/web/{name}") is packs
        assert found.packed is None or len(found.packed) < len(found.content)


@pytest.mark.parametrize("taken", ["", "gzip;q=0", "identity", "*;q=0", "br", "gzip;q=0.5, identity", "gzip;q=0, *"])
def test_who_does_not_take_gzip_gets_none(api: Api, taken: str) -> None:
    for path in ("/openapi.json", "/v1/rulesets/claim", "/web/play.js"):
        answer = api.call("GET", path, status=200, Accept_Encoding=taken)
        assert "Content-Encoding" not in answer.headers
        assert "Accept-Encoding" in answer.vary


@pytest.mark.parametrize("taken", ["gzip", "GZip", "x-gzip", "*", "identity;q=0, *", "deflate;q=1, gzip;q=0.001"])
def test_who_takes_gzip_in_any_way_gets_it(api: Api, taken: str) -> None:
    for path in ("/openapi.json", "/v1/rulesets/claim", "/web/play.js"):
        assert api.call("GET", path, status=200, Accept_Encoding=taken).headers["Content-Encoding"] == "gzip"


@pytest.mark.parametrize("part", PARTS)
def test_views_are_packed_where_nothing_is_hidden(api: Api, finished: Table, part: str) -> None:
    running = api.table()
    running.play(2)
    large = len(api.call("GET", f"{running.path}/{part}", status=200).get_data()) >= SMALLEST
    assert is_packed(api, f"{running.path}/{part}") is large, "to a spectator"
    assert not is_packed(api, f"{running.path}/{part}", running.token(0)), "a seat's own hand may be in it"
    for token in (None, finished.token(0)):
        assert is_packed(api, f"{finished.path}/{part}", token)
    assert is_packed(api, f"{finished.path}/record", finished.token(0))
    assert is_packed(api, f"{finished.path}/view?at=1&as_seat=1", finished.token(0))


def test_a_weak_tag_is_the_same_in_each_form(api: Api, finished: Table) -> None:
    for part in PARTS[:4]:
        plain, packed = alike(api, f"{finished.path}/{part}")
        assert packed.headers["Content-Encoding"] == "gzip"
        assert plain.headers["ETag"] == packed.headers["ETag"]
        for coding in ("identity", "gzip"):
            known: dict[str, Any] = {"If_None_Match": plain.headers["ETag"], "Accept_Encoding": coding}
            same = api.call("GET", f"{finished.path}/{part}", status=304, **known)
            assert set(same.vary) == set(plain.vary)


def test_streams_are_never_packed(api: Api, finished: Table) -> None:
    answer = api.call("GET", f"{finished.path}/events", status=200, Accept="text/event-stream", **GZIP)
    assert "Content-Encoding" not in answer.headers
    assert answer.get_data().startswith(b"retry:")


def test_problems_are_not_packed(api: Api) -> None:
    path = "/v1/games?" + "&".join(f"x{n}=1" for n in range(49))
    answer = api.call("GET", path, status=422, **GZIP)
    assert len(answer.get_data()) > SMALLEST
    assert "Content-Encoding" not in answer.headers


@pytest.fixture(scope="module")
def seeded(module_database: str) -> Iterator[Api]:
    """A service with the things of the document's examples, where everything is large enough to be packed."""
    store = PostgresStore(module_database, pool_size=1)
    seed(store)
    store.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("holmgang.representation.SMALLEST", 0)
        api = Api(module_database)
        yield api
        api.close()


CALLS = {
    operation["operationId"]: (verb.upper(), path, operation)
    for path, verbs in api_document()["paths"].items()
    for verb, operation in verbs.items()
}


def call(api: Api, name: str, token: str | None) -> TestResponse:
    verb, path, operation = CALLS[name]
    for one in parameters(operation):
        if one["in"] == "path":
            path = path.replace("{" + one["name"] + "}", str(one["example"]))
    asked = {one["name"]: one["example"] for one in parameters(operation) if one["in"] == "query" and one["required"]}
    path += f"?{urlencode(asked)}" if asked else ""
    body: Any = None
    if "requestBody" in operation:
        body = next(iter(operation["requestBody"]["content"]["application/json"]["examples"].values()))["value"]
    return api.call(verb, path, token=token, json=body, **GZIP)


def test_it_is_declared_what_is_packed() -> None:
    assert {name: row.packs for name, row in OPERATIONS.items() if row.packs is not Packs.NEVER} == PACKED
    assert set(PACKED) <= {name for name, (verb, _, _) in CALLS.items() if verb == "GET"}


@pytest.mark.parametrize("name", sorted(CALLS))
def test_nothing_else_is_packed_however_large(seeded: Api, name: str) -> None:
    """By the player of the examples, and by nobody: secrets are in none of what is packed."""
    if name in ("getOpenAPI", "getRuleset"):
        return  # the same for everybody
    for token in (examples.SECRET, None):
        answer = call(seeded, name, token)
        if answer.headers.get("Content-Encoding") == "gzip":
            assert name in PACKED
            text = gzip.decompress(answer.get_data()).decode()
            assert not any(secret in text for secret in ("hg_", "hgi_", "whsec_"))
        elif answer.status_code == 200 and PACKED.get(name) is Packs.ALWAYS:
            raise AssertionError("is declared to be packed")
