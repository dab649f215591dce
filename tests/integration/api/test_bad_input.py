"""Bad input of every kind: the documented refusal, never a 5xx, and nothing has changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import psycopg
import pytest

from .calling import Api, Table

NOWHERE = "0192f0c1-0000-7000-8000-000000000000"
TABLES = ("players", "tokens", "games", "seats", "awaited", "submissions", "log", "events", "combats", "answers")


class Scene(NamedTuple):
    """Games in every state, and a way to see whether anything in the database has changed."""

    api: Api
    rows: psycopg.Connection[Any]
    active: Table
    opened: Table
    sealed: str

    def dump(self) -> list[Any]:
        return [self.rows.execute(f"SELECT t::text FROM {name} t ORDER BY 1").fetchall() for name in TABLES]

    def path(self, target: str) -> str:
        return target.format(active=self.active.game, opened=self.opened.game, sealed=self.sealed, nowhere=NOWHERE)

    def refuses(self, method: str, target: str, status: int, code: str, **more: Any) -> dict[str, Any]:
        before = self.dump()
        token = more.pop("token", self.active.token(0))
        problem = self.api.problem(method, self.path(target), status, code, token=token, **more)
        assert self.dump() == before
        return problem


@pytest.fixture(scope="module")
def scene(api: Api, module_database: str) -> Iterator[Scene]:
    active, opened = api.table(), api.table(taken=1)
    sealed = active.submit(0, status=201).get_json()["id"]
    with psycopg.connect(module_database, autocommit=True) as rows:
        yield Scene(api, rows, active, opened, sealed)


WRITES = (
    ("POST", "/v1/players"),
    ("POST", "/v1/me/tokens"),
    ("POST", "/v1/games"),
    ("POST", "/v1/games/{opened}/seats"),
    ("POST", "/v1/games/{active}/resignations"),
    ("POST", "/v1/games/{active}/submissions"),
    ("PUT", "/v1/games/{active}/submissions/{sealed}"),
)
MALFORMED = {
    "empty": b"",
    "blank": b"  \n",
    "half": b'{"name": ',
    "bare": b"name",
    "trailing": b'{"name": "x"} {}',
    "comma": b'{"name": "x",}',
    "single-quotes": b"{'name': 'x'}",
    "comment": b'{"name": "x"} // no',
    "control-character": b'{"name": "a\nb"}',
    "duplicate-key": b'{"name": "a", "name": "b"}',
    "duplicate-key-deep": b'{"a": [{"b": {"c": 1, "c": 2}}]}',
    "duplicate-key-escaped": b'{"name": "a", "n\\u0061me": "b"}',
    "nul": b'{"name": "a\\u0000b"}',
    "nul-in-key": b'{"na\\u0000me": 1}',
    "raw-nul": b'{"name": "a\x00b"}',
    "nul-after": b'{"name": "a"}\x00',
    "lone-surrogate": b'{"name": "\\ud800"}',
    "lone-surrogate-in-key": b'{"\\udfff": 1}',
    "not-utf-8": b'{"name": "\xff\xfe"}',
    "utf-16": '{"name": "x"}'.encode("utf-16"),
    "byte-order-mark": b'\xef\xbb\xbf{"name": "x"}',
    "nan": b'{"name": NaN}',
    "infinity": b'{"name": [-Infinity]}',
    "huge-float": b'{"name": 1e999}',
    "huge-integer": b'{"turn": 9223372036854775808}',
    "huge-negative": b'{"turn": -9223372036854775809}',
    "endless-integer": b'{"turn": ' + b"9" * 6000 + b"}",
    "deep-list": b"[" * 30000 + b"]" * 30000,
    "deep-object": b'{"a":' * 9000 + b"1" + b"}" * 9000,
    "deep-action": b'{"turn":1,"action":' + b"[" * 65 + b"]" * 65 + b"}",
}
MARKED = {"UTF-8": "utf-8-sig", "UTF-16": "utf-16", "UTF-32": "utf-32"}
SHAPES: dict[str, Any] = {"list": [], "text": "x", "number": 3, "null": None, "true": True}


@pytest.mark.parametrize(("method", "target"), WRITES, ids=[f"{m}-{t}" for m, t in WRITES])
@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_malformed_json(scene: Scene, method: str, target: str, body: bytes) -> None:
    scene.refuses(method, target, 400, "malformed_request", body=body, Content_Type="application/json")


@pytest.mark.parametrize(("method", "target"), WRITES)
@pytest.mark.parametrize("encoding", MARKED)
def test_a_byte_order_mark_is_named(scene: Scene, method: str, target: str, encoding: str) -> None:
    for body in ('{"name": "x"}'.encode(MARKED[encoding]), "".encode(MARKED[encoding])):
        problem = scene.refuses(method, target, 400, "malformed_request", body=body, Content_Type="application/json")
        assert f"begins with a byte order mark ({encoding})" in problem["detail"]


def test_every_order_of_bytes_is_known(scene: Scene) -> None:
    for encoding in ("utf-16-be", "utf-16-le", "utf-32-be", "utf-32-le"):
        body = "\ufeff{}".encode(encoding)
        problem = scene.refuses(
            "POST", "/v1/players", 400, "malformed_request", body=body, Content_Type="application/json"
        )
        assert f"byte order mark ({encoding[:6].upper()})" in problem["detail"]


def test_a_mark_elsewhere_is_text(scene: Scene) -> None:
    problem = scene.refuses(
        "POST",
        "/v1/players",
        422,
        "invalid_request",
        json={"nam\ufeffe": "x", "name": "x"},
        Content_Type="application/json",
    )
    assert "byte order mark" not in problem["detail"]


@pytest.mark.parametrize("query", ["%EF%BB%BFlimit=5", "limit=%EF%BB%BF5", "limit=5&%ef%bb%bf", "x=1&limit=5%EF%bb%BF"])
def test_a_byte_order_mark_in_an_address_is_named(scene: Scene, query: str) -> None:
    for path in ("/v1/games", "/v1/rulesets", "/v1/leaderboards/claim"):
        problem = scene.refuses("GET", f"{path}?{query}", 400, "malformed_request")
        assert "byte order mark" in problem["detail"]


@pytest.mark.parametrize(("method", "target"), WRITES)
@pytest.mark.parametrize("shape", SHAPES)
def test_bodies_that_are_no_objects(scene: Scene, method: str, target: str, shape: str) -> None:
    body = json.dumps(SHAPES[shape]).encode()
    problem = scene.refuses(method, target, 422, "invalid_request", body=body, Content_Type="application/json")
    assert problem["errors"][0]["pointer"] == ""


@pytest.mark.parametrize(("method", "target"), WRITES)
@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json5",
        "application/vnd.api+json",
        "text/json",
        "application/json; charset=utf-16",
    ],
)
@pytest.mark.parametrize("body", [b"", b'{"name": "x"}'], ids=["empty", "body"])
def test_other_content_types(scene: Scene, method: str, target: str, content_type: str | None, body: bytes) -> None:
    headers = {} if content_type is None else {"Content_Type": content_type}
    scene.refuses(method, target, 415, "unsupported_media_type", body=body, **headers)


@pytest.mark.parametrize("coding", ["gzip", "GZIP", "identity, gzip", "br", "nonsense"])
def test_compressed_bodies_are_not_taken(scene: Scene, coding: str) -> None:
    body, kind = b'{"name": "x"}', "application/json"
    scene.refuses(
        "POST", "/v1/players", 415, "unsupported_media_type", body=body, Content_Type=kind, Content_Encoding=coding
    )


@pytest.mark.parametrize("coding", ["identity", "Identity", "identity, identity", ""])
@pytest.mark.parametrize(
    "kind", ["Application/JSON", 'application/json ;Charset="UTF-8"', "application/json;charset=utf8"]
)
def test_plain_json_is_taken_however_it_is_announced(api: Api, coding: str, kind: str) -> None:
    api.call("POST", "/v1/players", status=201, body=b'{"name": "x"}', Content_Type=kind, Content_Encoding=coding)


@pytest.mark.parametrize(
    ("method", "target"), [*WRITES, ("GET", "/v1/games"), ("DELETE", "/v1/games/{opened}/seats/0")]
)
@pytest.mark.parametrize("size", [65_537, 5_000_000])
def test_large_bodies(scene: Scene, method: str, target: str, size: int) -> None:
    body = b'{"name": "' + b"x" * (size - 12) + b'"}'
    scene.refuses(method, target, 413, "payload_too_large", body=body, Content_Type="application/json")


def test_large_bodies_without_their_length(scene: Scene) -> None:
    """As a chunked body comes: read no further than the limit."""

    class Endless:
        taken = 0

        def read(self, size: int = -1) -> bytes:
            assert size > 0
            self.taken += size
            return b" " * size

    stream = Endless()
    environ = {"wsgi.input": stream, "wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
    answer = scene.api.client.post("/v1/players", content_type="application/json", environ_overrides=environ)
    assert answer.status_code == 413
    scene.api.check_problem(answer)
    assert stream.taken < 1_000_000


NAME = {"name": "x"}
TOKEN = {"label": "x", "scopes": ["read"]}
GAME = {"ruleset": "eketorp", "seats": 3}
MOVE = {"turn": 1, "action": {"type": "place"}}
FIELDS: list[tuple[str, str, dict[str, Any], str]] = [
    ("POST", "/v1/players", {}, "/name"),
    ("POST", "/v1/players", {"name": None}, "/name"),
    ("POST", "/v1/players", {"name": 3}, "/name"),
    ("POST", "/v1/players", {"name": ["x"]}, "/name"),
    ("POST", "/v1/players", {"name": ""}, "/name"),
    ("POST", "/v1/players", {"name": "   "}, "/name"),
    ("POST", "/v1/players", {"name": "x\n"}, "/name"),
    ("POST", "/v1/players", {"name": "a\u0085b"}, "/name"),
    ("POST", "/v1/players", {"name": "x" * 65}, "/name"),
    ("POST", "/v1/players", {**NAME, "id": NOWHERE}, "/id"),
    ("POST", "/v1/players", {**NAME, "a/b~c": 1}, "/a~1b~0c"),
    ("POST", "/v1/me/tokens", {**TOKEN, "scopes": []}, "/scopes"),
    ("POST", "/v1/me/tokens", {**TOKEN, "scopes": "read"}, "/scopes"),
    ("POST", "/v1/me/tokens", {**TOKEN, "scopes": ["admin"]}, "/scopes/0"),
    ("POST", "/v1/me/tokens", {**TOKEN, "scopes": ["read"] * 4}, "/scopes"),
    ("POST", "/v1/me/tokens", {**TOKEN, "expires_at": "soon"}, "/expires_at"),
    ("POST", "/v1/me/tokens", {**TOKEN, "expires_at": "2099-01-01T00:00:00"}, "/expires_at"),
    ("POST", "/v1/me/tokens", {**TOKEN, "expires_at": "2099-13-01T00:00:00Z"}, "/expires_at"),
    ("POST", "/v1/me/tokens", {**TOKEN, "expires_at": "9999-12-31T23:59:59-23:59"}, "/expires_at"),
    ("POST", "/v1/me/tokens", {**TOKEN, "expires_at": 4070908800}, "/expires_at"),
    ("POST", "/v1/me/tokens", {**TOKEN, "game": "nope"}, "/game"),
    ("POST", "/v1/me/tokens", {**TOKEN, "game": "{" + NOWHERE + "}"}, "/game"),
    ("POST", "/v1/me/tokens", {**TOKEN, "game": NOWHERE.replace("-", "")}, "/game"),
    ("POST", "/v1/games", {"ruleset": "eketorp"}, "/seats"),
    ("POST", "/v1/games", {**GAME, "seats": "3"}, "/seats"),
    ("POST", "/v1/games", {**GAME, "seats": 3.5}, "/seats"),
    ("POST", "/v1/games", {**GAME, "seats": True}, "/seats"),
    ("POST", "/v1/games", {**GAME, "seats": -1}, "/seats"),
    ("POST", "/v1/games", {**GAME, "seats": 2**63 - 1}, "/seats"),
    ("POST", "/v1/games", {**GAME, "options": []}, "/options"),
    ("POST", "/v1/games", {**GAME, "options": None}, "/options"),
    ("POST", "/v1/games", {**GAME, "spectators": "true"}, "/spectators"),
    ("POST", "/v1/games", {**GAME, "join": 1}, "/join"),
    ("POST", "/v1/games", {**GAME, "ruleset": ""}, "/ruleset"),
    ("POST", "/v1/games", {**GAME, "ruleset": "x" * 65}, "/ruleset"),
    ("POST", "/v1/games/{opened}/seats", {"seat": -1}, "/seat"),
    ("POST", "/v1/games/{opened}/seats", {"seat": 100}, "/seat"),
    ("POST", "/v1/games/{opened}/seats", {"seat": "0"}, "/seat"),
    ("POST", "/v1/games/{opened}/seats", {"entropy": "AAAA"}, "/entropy"),
    ("POST", "/v1/games/{opened}/seats", {"entropy": "A" * 87}, "/entropy"),
    ("POST", "/v1/games/{opened}/seats", {"entropy": "A" * 25}, "/entropy"),
    ("POST", "/v1/games/{opened}/seats", {"entropy": "A" * 22 + "=="}, "/entropy"),
    ("POST", "/v1/games/{opened}/seats", {"entropy": "+" * 24}, "/entropy"),
    ("POST", "/v1/games/{opened}/seats", {"entropy": "A" * 24 + "\n"}, "/entropy"),
    ("POST", "/v1/games/{opened}/seats", {"bot": "deep blue"}, "/bot"),
    ("POST", "/v1/games/{active}/resignations", {"seat": 0}, "/seat"),
    ("POST", "/v1/games/{active}/submissions", {"turn": 1}, "/action"),
    ("POST", "/v1/games/{active}/submissions", {"action": {}}, "/turn"),
    ("POST", "/v1/games/{active}/submissions", {**MOVE, "turn": "1"}, "/turn"),
    ("POST", "/v1/games/{active}/submissions", {**MOVE, "turn": -1}, "/turn"),
    ("POST", "/v1/games/{active}/submissions", {**MOVE, "turn": 2**31}, "/turn"),
    ("POST", "/v1/games/{active}/submissions", {**MOVE, "seat": 1}, "/seat"),
    ("PUT", "/v1/games/{active}/submissions/{sealed}", MOVE, "/revision"),
    ("PUT", "/v1/games/{active}/submissions/{sealed}", {**MOVE, "revision": 0}, "/revision"),
    ("PUT", "/v1/games/{active}/submissions/{sealed}", {**MOVE, "revision": None}, "/revision"),
]


@pytest.mark.parametrize(("method", "target", "body", "pointer"), FIELDS)
def test_fields_that_do_not_fit(scene: Scene, method: str, target: str, body: dict[str, Any], pointer: str) -> None:
    problem = scene.refuses(method, target, 422, "invalid_request", json=body)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert all(set(error) == {"pointer", "code", "detail"} for error in problem["errors"])


QUERIES = [
    ("/v1/games?foo=1", "?foo"),
    ("/v1/games?limit=0", "?limit"),
    ("/v1/games?limit=201", "?limit"),
    ("/v1/games?limit=-1", "?limit"),
    ("/v1/games?limit=+5", "?limit"),
    ("/v1/games?limit=1_0", "?limit"),
    ("/v1/games?limit=%D9%A3", "?limit"),
    ("/v1/games?limit=", "?limit"),
    ("/v1/games?limit=" + "9" * 30, "?limit"),
    ("/v1/games?limit=1&limit=2", "?limit"),
    ("/v1/games?cursor=zzz", "?cursor"),
    ("/v1/games?status=closed", "?status"),
    ("/v1/games?player=me", "?player"),
    ("/v1/games?open_seats=yes", "?open_seats"),
    ("/v1/games?open_seats=True", "?open_seats"),
    ("/v1/games/{active}?x=1", "?x"),
    ("/v1/games/{active}/view?seat=1", "?seat"),
    ("/v1/games/{active}/turn?include=all", "?include"),
    ("/v1/games/{active}/turn?include=view&include=view", "?include"),
    ("/v1/games/{active}/turn?wait=51", "?wait"),
    ("/v1/games/{active}/events?after=-1", "?after"),
    ("/v1/games/{active}/events?after=" + "9" * 19, "?after"),
    ("/v1/games/{active}/combats?cursor=2147483648", "?cursor"),
    ("/v1/me/turns?x", "?x"),
    ("/v1/me/tokens?limit=x", "?limit"),
    ("/healthz?x=1", "?x"),
    ("/v1/rulesets/eketorp?x=1", "?x"),
]


@pytest.mark.parametrize(("target", "pointer"), QUERIES)
def test_query_parameters_that_do_not_fit(scene: Scene, target: str, pointer: str) -> None:
    problem = scene.refuses("GET", target, 422, "invalid_request")
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


@pytest.mark.parametrize(
    "target",
    [
        "/v1/games?status=%00",
        "/v1/games?%00=1",
        "/v1/games/%00",
        "/v1/rulesets/eke%00torp",
        "/v1/games?status=%ff",
        "/v1/games?" + "&".join(f"a{n}=1" for n in range(60)),
    ],
)
def test_addresses_that_cannot_be_read(scene: Scene, target: str) -> None:
    scene.refuses("GET", target, 400, "malformed_request")


@pytest.mark.parametrize(
    ("method", "target", "status", "code"),
    [
        ("POST", "/v1/games/{active}/submissions?dry_run=1", 422, "invalid_request"),
        ("POST", "/v1/games/{active}/submissions?dry-run=true", 422, "invalid_request"),
        ("POST", "/v1/games/{nowhere}/submissions", 404, "not_found"),
        ("POST", "/v1/games/nope/submissions", 404, "not_found"),
        ("POST", "/v1/games/{active}/submissions", 422, "malformed_action"),
        ("POST", "/v1/games/{opened}/submissions", 403, "not_seated"),
        ("PUT", "/v1/games/{active}/submissions/{nowhere}", 404, "not_found"),
        ("PUT", "/v1/games/{nowhere}/submissions/{sealed}", 404, "not_found"),
    ],
)
def test_unknown_and_foreign_ids(scene: Scene, method: str, target: str, status: int, code: str) -> None:
    body = {"turn": 1, "action": {"type": "bribe"}, **({"revision": 1} if method == "PUT" else {})}
    scene.refuses(method, target, status, code, json=body, token=scene.active.token(1 if method == "POST" else 0))


ACTIONS: list[Any] = [
    {"type": "place"},
    {"type": "place", "fields": {}, "sieges": [], "more": 1},
    {"type": "place", "fields": {"A": "1"}, "sieges": []},
    {"type": "place", "fields": {"A": 1.5}, "sieges": []},
    {"type": "place", "fields": {"A": True}, "sieges": []},
    {"type": "place", "fields": {"A": None}, "sieges": []},
    {"type": "place", "fields": [], "sieges": []},
    {"type": "place", "fields": {}, "sieges": [[1]]},
    {"type": "place", "fields": {}, "sieges": "0:ram"},
    {"type": ["place"]},
    {"type": {"type": "place"}},
    [[]],
    "place",
    -1,
    1.5,
    True,
]


@pytest.mark.parametrize("action", ACTIONS, ids=[json.dumps(action)[:40] for action in ACTIONS])
def test_actions_of_the_wrong_shape(scene: Scene, action: Any) -> None:
    body = {"turn": 1, "action": action}
    for target in ("/v1/games/{active}/submissions", "/v1/games/{active}/submissions?dry_run=true"):
        problem = scene.refuses("POST", target, 422, "malformed_action", json=body, token=scene.active.token(1))
        assert problem["errors"][0]["pointer"].startswith("/action")


@pytest.mark.parametrize(
    "action",
    [
        {"type": "place", "fields": {"A": 9223372036854775807}, "sieges": []},
        {"type": "place", "fields": {"A": -9223372036854775808}, "sieges": []},
        {"type": "place", "fields": {"Z": 1}, "sieges": []},
        {"type": "place", "fields": {"A": 99}, "sieges": []},
        {"type": "place", "fields": {}, "sieges": ["99:ram"]},
        {"type": "place", "fields": {}, "sieges": ["1:ram"] * 3000},
        {"type": "stand"},
    ],
)
def test_actions_beyond_all_bounds(scene: Scene, action: Any) -> None:
    """Refused as malformed or as illegal, as the schema has it."""
    body = {"turn": 1, "action": action}
    before = scene.dump()
    answer = scene.api.call(
        "POST", scene.path("/v1/games/{active}/submissions"), token=scene.active.token(1), json=body, status=422
    )
    problem = answer.get_json()
    assert problem["code"] in ("malformed_action", "illegal_action")
    assert problem["code"] == "malformed_action" or problem["rule"]
    assert scene.dump() == before


@pytest.mark.parametrize(
    "options",
    [
        {"first_player": 9},
        {"first_player": -1},
        {"first_player": "me"},
        {"first_player": None},
        {"first_player": 2**62},
        {"first_player": [0]},
        {"material_cards": "A g2"},
        {"material_cards": []},
        {"material_cards": [1] * 12},
        {"material_cards": ["A g2"] * 12 + ["A g1"]},
        {"material_cards": ["Z g2"] * 12},
        {"material_cards": ["A g0"] * 12},
        {"material_cards": ["A g99999999999999999999"] * 12},
        {"material_cards": [{}] * 12},
        {"": 1},
        {"a/b": {"c": [1, {"d": None}]}},
    ],
    ids=str,
)
def test_options_that_do_not_fit(scene: Scene, options: dict[str, Any]) -> None:
    problem = scene.refuses("POST", "/v1/games", 422, "invalid_option", json={**GAME, "options": options})
    assert problem["errors"][0]["pointer"].startswith("/options")
    assert problem["rule"]
