"""Every operation of the document, called by everybody who may not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import psycopg
import pytest

from holmgang.api.operation.declaration import OPERATIONS
from holmgang.api.operation.gate import Access
from holmgang.api.resources import examples
from tests.api_document import api_document, parameters

from .calling import Api, Table

DOCUMENT = api_document()
CALLS = {
    operation["operationId"]: (verb.upper(), path, operation)
    for path, verbs in DOCUMENT["paths"].items()
    for verb, operation in verbs.items()
}
TOKEN_NEEDED = sorted(name for name, row in OPERATIONS.items() if row.access in (Access.PLAYER, Access.SEAT))
TOKEN_READ = sorted(name for name, row in OPERATIONS.items() if row.access is not Access.OPEN)
SCOPED = sorted(
    name
    for name, row in OPERATIONS.items()
    if row.scope or row.access in (Access.SEAT, Access.VIEWER, Access.SIGHT) or name == "getSubmission"
)


class Cast(NamedTuple):
    """Tokens of one player that are each no good in one way, and the player's games."""

    api: Api
    table: Table
    other: Table
    tokens: dict[str, str]
    submission: str

    def call(self, name: str, token: str | None, game: str | None = None, **headers: Any) -> Any:
        """The operation with its example's input, on real things."""
        verb, path, operation = CALLS[name]
        real = {
            examples.GAME: self.table.game,
            examples.OVER_GAME: self.table.game,
            examples.OPEN_GAME: self.table.game,
            examples.OWN_OPEN_GAME: self.table.game,
            examples.PRIVATE_GAME: self.table.game,
            examples.SUBMISSION: self.submission,
            examples.PLAYER: self.table.people[0].id,
            examples.SECOND_TOKEN: self.table.people[0].token_id,
        }
        for one in parameters(operation):
            if one["in"] == "path":
                example = str(one["example"])
                value = game if game is not None and one["name"] == "game" else real.get(example, example)
                path = path.replace("{" + one["name"] + "}", value)
        body = None
        if "requestBody" in operation:
            body = next(iter(operation["requestBody"]["content"]["application/json"]["examples"].values()))["value"]
        return self.api.call(verb, path, token=token, json=body, **headers)


@pytest.fixture(scope="module")
def cast(api: Api, module_database: str) -> Cast:
    table, other = api.table(), api.table()
    owner = table.people[0]

    def token(scopes: list[str], **more: Any) -> Any:
        wanted = {"label": "t", "scopes": scopes, **more}
        return api.call("POST", "/v1/me/tokens", token=owner.token, json=wanted, status=201).get_json()

    expired = token(["read"], expires_at=(datetime.now(UTC) + timedelta(hours=1)).isoformat())
    revoked = token(["read", "play", "manage"])
    api.call("DELETE", f"/v1/me/tokens/{revoked['id']}", token=owner.token, status=204)
    with psycopg.connect(module_database, autocommit=True) as rows:
        rows.execute("UPDATE tokens SET expires_at = clock_timestamp() WHERE id = %s", [expired["id"]])
    submission = table.submit(0, status=201).get_json()["id"]
    tokens = {
        "expired": expired["token"],
        "revoked": revoked["token"],
        "read": token(["read"])["token"],
        "play": token(["play"])["token"],
        "manage": token(["manage"])["token"],
        "seat": token(["read", "play"], game=table.game)["token"],
    }
    return Cast(api, table, other, tokens, submission)


@pytest.mark.parametrize("name", TOKEN_NEEDED)
def test_no_token_is_401(cast: Cast, name: str) -> None:
    answer = cast.call(name, None)
    assert (answer.status_code, answer.get_json()["code"]) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("name", TOKEN_READ)
@pytest.mark.parametrize(
    ("which", "code"), [("unknown", "invalid_token"), ("revoked", "invalid_token"), ("expired", "token_expired")]
)
def test_a_bad_token_is_401_even_where_none_is_needed(cast: Cast, name: str, which: str, code: str) -> None:
    answer = cast.call(name, cast.tokens.get(which, "hg_unknown"))
    assert (answer.status_code, answer.get_json()["code"]) == (401, code)
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer a b",
        "Bearer\ta",
        "Bearer é",
        "Token x",
        "hg_x",
        "Bearer a,b",
        "Basically x",
        "Basic eA==, Bearer x",
    ],
)
def test_a_malformed_header_is_401(cast: Cast, header: str) -> None:
    for path in ("/v1/games", "/v1/me", f"{cast.table.path}/view", "/v1/rulesets"):
        cast.api.problem("GET", path, 401, "invalid_token", Authorization=header)
    cast.api.problem("GET", f"{cast.table.path}/view", 401, "invalid_token", Authorization=header, If_None_Match="*")


WRITTEN = ("bearer {}", "BEARER {}", "Bearer {}", "Bearer  {}", "Bearer     {}", " Bearer {} \t")


@pytest.mark.parametrize("written", WRITTEN)
def test_a_token_is_one_however_the_header_is_written(cast: Cast, written: str) -> None:
    header = written.format(cast.table.token(0))
    assert cast.api.call("GET", "/v1/me", status=200, Authorization=header).get_json()["player"]["name"] == "player 0"
    path = f"{cast.table.path}/view"
    tag = cast.api.call("GET", path, token=cast.table.token(0), status=200).headers["ETag"]
    cast.api.call("GET", path, status=304, Authorization=header, If_None_Match=tag)


FOREIGN = ("Basic aGk6aG8=", "basic  aGk6aG8=", 'Digest username="x", realm="y"', "Negotiate YII=", "NTLM", "Basic ")
READS = sorted(name for name, (verb, _, _) in CALLS.items() if verb == "GET")


@pytest.mark.parametrize("header", FOREIGN)
def test_credentials_for_a_proxy_before_the_service_are_no_token(cast: Cast, header: str) -> None:
    """Whoever sends them gets what they would get without the header."""
    outcomes = set()
    for name in [*READS, "registerPlayer"]:
        without, answer = cast.call(name, None), cast.call(name, None, Authorization=header)
        assert answer.status_code == without.status_code, name
        if without.status_code >= 400:
            assert answer.get_json()["code"] == without.get_json()["code"]
        outcomes.add(answer.status_code)
    assert {200, 201, 401} <= outcomes
    cast.api.call("GET", f"{cast.table.path}/view", status=304, Authorization=header, If_None_Match="*")


NEEDS = {
    name: row.scope or ("play" if row.access is Access.SEAT else "read")
    for name, row in OPERATIONS.items()
    if name in SCOPED
}


@pytest.mark.parametrize("name", SCOPED)
def test_a_missing_scope_is_403_and_named(cast: Cast, name: str) -> None:
    needed = NEEDS[name]
    for scope in ("read", "play", "manage"):
        answer = cast.call(name, cast.tokens[scope])
        if scope == needed:
            body = answer.get_json(silent=True) or {}
            assert answer.status_code != 401
            assert body.get("scope") != needed
        else:
            body = answer.get_json()
            assert (answer.status_code, body["code"], body.get("scope")) == (403, "missing_scope", needed)


LIMITED = sorted(
    name
    for name, row in OPERATIONS.items()
    if "token_limited" in row.codes
    and row.access is Access.PLAYER
    and name not in ("revokeToken", "returnToSeat", "goOnLeave", "endLeave")
)
"""Those that a token for one seat may not call at all; with the others it does what concerns itself."""
IN_GAME = sorted(name for name, row in OPERATIONS.items() if row.access in (Access.VIEWER, Access.SIGHT, Access.SEAT))


@pytest.mark.parametrize("name", LIMITED)
def test_a_token_for_one_seat_is_refused_elsewhere(cast: Cast, name: str) -> None:
    body = cast.call(name, cast.tokens["seat"]).get_json()
    manages = NEEDS.get(name) == "manage"
    assert body["code"] == ("missing_scope" if manages else "token_limited")


@pytest.mark.parametrize(("verb", "what"), [("POST", "return"), ("POST", "leave"), ("DELETE", "leave")])
def test_a_token_for_one_seat_is_good_for_that_one(api: Api, verb: str, what: str) -> None:
    table, other = (api.table(turn_seconds=86_400, leave_days=1) for _ in range(2))
    wanted = {"label": "t", "scopes": ["play"], "game": table.game}
    token = api.call("POST", "/v1/me/tokens", token=table.people[0].token, json=wanted, status=201).get_json()["token"]
    keys: tuple[dict[str, Any], ...] = ({}, {"Idempotency_Key": "once"}) if verb == "POST" else ({},)
    body: dict[str, Any] | None = {} if verb == "POST" else None
    for key in keys:
        own, another, elsewhere = (
            api.call(verb, f"/v1/games/{game}/seats/{seat}/{what}", token=token, json=body, **key)
            for game, seat in ((table.game, 0), (table.game, 1), (other.game, 0))
        )
        assert own.status_code == (204 if body is None else 200)
        for refused in (another, elsewhere):
            assert (refused.status_code, refused.get_json()["code"]) == (403, "token_limited")


@pytest.mark.parametrize("name", IN_GAME)
def test_a_token_for_one_seat_is_refused_in_other_games(cast: Cast, name: str) -> None:
    answer = cast.call(name, cast.tokens["seat"], cast.other.game)
    assert (answer.status_code, answer.get_json()["code"]) == (403, "token_limited")


@pytest.mark.parametrize("name", sorted(name for name, row in OPERATIONS.items() if row.access is Access.SEAT))
def test_a_stranger_is_403(cast: Cast, name: str) -> None:
    answer = cast.call(name, cast.api.register().token)
    assert (answer.status_code, answer.get_json()["code"]) == (403, "not_seated")


@pytest.mark.parametrize("name", TOKEN_NEEDED)
def test_who_calls_comes_before_what_is_asked(cast: Cast, name: str) -> None:
    """A bad token with a bad body is a bad token; with a bad query too."""
    verb, path, operation = CALLS[name]
    for one in parameters(operation):
        if one["in"] == "path":
            path = path.replace("{" + one["name"] + "}", str(one["example"]))
    path = path.replace(examples.GAME, cast.table.game)
    body = {"no_such_field": 1} if "requestBody" in operation else None
    cast.api.problem(verb, f"{path}?no_such=1", 401, "invalid_token", token="hg_unknown", json=body)
    cast.api.problem(verb, f"{path}?no_such=1", 401, "unauthenticated", json=body)
