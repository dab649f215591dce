"""To all but its own a private game is none: every operation below its address answers as for an id that nobody has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
import pytest

from tests.api_document import api_document
from tests.soon import soon

from .calling import UNHURRIED, Api, Person, Table
from .test_archive import put_away

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

DOCUMENT = api_document()
BELOW = {path: verbs for path, verbs in DOCUMENT["paths"].items() if path.startswith("/v1/games/{game}")}
OPERATIONS = [(verb.upper(), path, operation) for path, verbs in BELOW.items() for verb, operation in verbs.items()]
OTHER_METHODS = [
    (method, path)
    for path, verbs in BELOW.items()
    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
    if method.lower() not in verbs
]
UNKNOWN = "019a0c5f-ff00-7d20-8a70-0f4be9c3d1ff"
WAYS: tuple[tuple[str, dict[str, str]], ...] = (
    ("", {}),
    ("?no_such=1", {}),
    ("?wait=20", {}),
    ("?wait=20&after=0", {}),
    ("?as_seat=0", {}),
    ("", {"If_None_Match": "*"}),
    ("?wait=20", {"If_None_Match": "*"}),
    ("", {"Prefer": "wait=20"}),
    ("", {"Accept": "text/event-stream"}),
)
WAYS_TO_WRITE: tuple[tuple[str, dict[str, Any]], ...] = (
    WAYS[0],
    WAYS[1],
    ("?dry_run=true", {}),
    ("", {"Idempotency_Key": "a-key"}),
)
"""Queries and headers, which may be meant for another operation: then they are refused alike."""


class Cast(NamedTuple):
    """A private game in every state, with real things in it, and who has no business there."""

    api: Api
    games: dict[str, Table]
    invitations: dict[str, str]
    submission: str
    tokens: dict[str, str | None]
    secrets: dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def api(module_database: str) -> Iterator[Api]:
    api = Api(module_database, **UNHURRIED)
    yield api
    api.close()


@pytest.fixture(scope="module")
def cast(api: Api, module_database: str) -> Cast:
    games = {
        "open": api.table(visibility="private", taken=2),
        "active": api.table(visibility="private"),
        "over": api.table(2, ruleset="claim", visibility="private"),
        "archived": put_away(api.table(visibility="private")),
    }
    submission = games["active"].submit(0, status=201).get_json()["id"]
    for seat in range(2):
        api.call("POST", f"{games['over'].path}/resignations", token=games["over"].token(seat), json={})
    api.call("PUT", f"{games['over'].path}/analysis", token=games["over"].token(0), json={}, status=202)
    stranger, public = api.register("stranger"), api.table()
    member = games["active"].people[1]

    def token(owner: Person, scopes: list[str], **more: Any) -> str:
        wanted = {"label": "t", "scopes": scopes, **more}
        made: str = api.call("POST", "/v1/me/tokens", token=owner.token, json=wanted, status=201).get_json()["token"]
        return made

    new = {"ruleset": "claim", "seats": 2}
    elsewhere = api.call("POST", "/v1/games", token=member.token, json=new, status=201).get_json()["id"]
    secrets: dict[str, dict[str, str]] = {}
    invitations: dict[str, str] = {}
    with psycopg.connect(module_database, autocommit=True) as rows:
        for name, table in games.items():
            expired, revoked = api.invite(table, uses=9, expires_in=60), api.invite(table, uses=9)
            rows.execute("UPDATE invitations SET expires_at = clock_timestamp() WHERE id = %s", [expired["id"]])
            api.call("DELETE", f"{table.path}/invitations/{revoked['id']}", token=table.token(0), status=204)
            invitations[name] = expired["id"]
            of_another = api.table(visibility="private", taken=0).secret
            secrets[name] = {"expired": expired["secret"], "revoked": revoked["secret"], "of another": of_another}
            secrets[name] |= {"made up": "hgi_nothing", "empty": "", "digest": "\\x00"}
            if name != "open":
                secrets[name]["used up"] = table.secret
    tokens = {
        "nobody": None,
        "a bad token": "hg_nothing",
        "another player": stranger.token,
        "another player's reader": token(stranger, ["read"]),
        "another player's hand": token(stranger, ["play"]),
        "another player's manager": token(stranger, ["manage"]),
        "a seat elsewhere": token(public.people[0], ["read", "play"], game=public.game),
        "a member's seat elsewhere": token(member, ["read", "play"], game=elsewhere),
    }
    return Cast(api, games, invitations, submission, tokens, secrets)


def told(answer: TestResponse, game: str) -> tuple[int, str, list[tuple[str, str]]]:
    """All of an answer but what tells requests and ids apart. What is left of a budget differs from call to call."""
    headers = [(name, value) for name, value in answer.headers if name not in ("X-Request-ID", "RateLimit")]
    names = sorted(name for name, _ in answer.headers)
    text = answer.get_data(as_text=True).replace(game, UNKNOWN).replace(answer.headers["X-Request-ID"], "")
    return answer.status_code, text, sorted(headers) + [(name, "") for name in names]


def address(cast: Cast, which: str, path: str, game: str) -> str:
    named = {"game": game, "submission": cast.submission, "invitation": cast.invitations[which]}
    return path.format(**named, seat=0, number=1)


def bodies(operation: dict[str, Any]) -> Iterator[Any]:
    """Every example, and what is refused for its shape or its meaning."""
    if "requestBody" not in operation:
        yield None
        return
    for example in operation["requestBody"]["content"]["application/json"]["examples"].values():
        yield example["value"]
    yield {"no_such": 1}
    yield {"seat": 99}


def same(cast: Cast, which: str, verb: str, path: str, **more: Any) -> TestResponse:
    game = cast.games[which].game
    query = more.pop("query", "")
    answers = [
        cast.api.client.open(address(cast, which, path, one) + query, method=verb, **more) for one in (game, UNKNOWN)
    ]
    assert told(answers[0], game) == told(answers[1], UNKNOWN)
    assert answers[0].status_code in (400, 401, 403, 404, 405, 409, 422) or verb == "OPTIONS"
    return answers[0]


def headers(token: str | None, more: dict[str, str]) -> dict[str, str]:
    sent = {name.replace("_", "-"): value for name, value in more.items()}
    return sent if token is None else {**sent, "Authorization": f"Bearer {token}"}


each_state = pytest.mark.parametrize("which", soon(["open", "active", "over", "archived"], "open", "active"))
each_operation = pytest.mark.parametrize(
    ("verb", "path", "operation"), OPERATIONS, ids=[operation["operationId"] for _, _, operation in OPERATIONS]
)


@each_operation
@each_state
def test_it_is_no_game_to_others(cast: Cast, which: str, verb: str, path: str, operation: dict[str, Any]) -> None:
    codes = set()
    for token in cast.tokens.values():
        for query, more in WAYS if verb == "GET" else WAYS_TO_WRITE:
            for body in bodies(operation):
                sent: dict[str, Any] = {} if body is None else {"json": body}
                answer = same(cast, which, verb, path, query=query, headers=headers(token, more), **sent)
                codes.add(answer.get_json()["code"])
        if verb == "GET":
            same(cast, which, "HEAD", path, headers=headers(token, {}))
    assert "not_found" in codes


@each_operation
@each_state
def test_a_bad_invitation_shows_nothing(
    cast: Cast, which: str, verb: str, path: str, operation: dict[str, Any]
) -> None:
    for name, secret in cast.secrets[which].items():
        for who in ("nobody", "another player", "a seat elsewhere", "a member's seat elsewhere"):
            token = cast.tokens[who]
            for query, more in WAYS[:4] if verb == "GET" else WAYS[:1]:
                sent = headers(token, {**more, "Holmgang_Invitation": secret})
                for body in bodies(operation):
                    given: dict[str, Any] = {} if body is None else {"json": body}
                    if operation["operationId"] == "takeSeat" and secret:
                        given = {"json": {"invitation": secret}}
                    answer = same(cast, which, verb, path, query=query, headers=sent, **given)
                    if who == "another player" and verb == "GET" and not query:
                        assert answer.get_json()["what"] == "game", name


@pytest.mark.parametrize(("method", "path"), OTHER_METHODS)
def test_other_methods_tell_nothing(cast: Cast, method: str, path: str) -> None:
    for token in cast.tokens.values():
        same(cast, "active", method, path, headers=headers(token, {}))
    same(cast, "active", method, path, headers={"Access-Control-Request-Method": "GET", "Origin": "https://a.example"})


def test_addresses_that_nothing_is_at(cast: Cast) -> None:
    for path in ("/v1/games/{game}/", "/v1/games/{game}/board", "/v1/games/{game}/seats/1000000000"):
        same(cast, "active", "GET", path, headers=headers(cast.tokens["another player"], {}))


def test_others_do_not_wait_for_who_writes(cast: Cast, module_database: str) -> None:
    """How long an answer takes, and that it may be 503, would tell that somebody plays."""
    table = cast.games["active"]
    with psycopg.connect(module_database) as rows:
        rows.execute("SELECT 1 FROM games WHERE id = %s FOR UPDATE", [table.game])
        for verb, path, operation in OPERATIONS:
            body = next(bodies(operation))
            more: dict[str, Any] = {} if body is None else {"json": body}
            same(cast, "active", verb, path, headers=headers(cast.tokens["another player"], {}), **more)
            secret = {"Holmgang_Invitation": table.secret}
            same(cast, "active", verb, path, headers=headers(cast.tokens["another player"], secret), **more)
        same(
            cast,
            "active",
            "POST",
            "/v1/games/{game}/seats",
            headers=headers(cast.tokens["another player"], {}),
            json={"invitation": table.secret},
        )
        rows.rollback()


def test_its_own_see_it(cast: Cast) -> None:
    """What the comparisons above would be worth nothing without."""
    table, seen = cast.games["over"], 0
    for verb, path, operation in OPERATIONS:
        if verb != "GET" or "{submission}" in path or "{number}" in path:
            continue
        answer = cast.api.call("GET", address(cast, "over", path, table.game), token=table.token(0), status=200)
        seen += 1
        private = operation["operationId"] in ("getGame", "getSeat")
        assert not private or answer.headers["Cache-Control"] == "private, no-cache"
    assert seen >= 8
    assert cast.api.get(table.path, table.token(1))["visibility"] == "private"


def test_it_is_in_no_list_but_its_players(cast: Cast) -> None:
    api = cast.api
    for which, table in cast.games.items():
        owner = table.people[0]
        for query in ("", f"?status={which}", f"?player={owner.id}", "?ruleset=claim", "?ruleset=eketorp&limit=200"):
            for token in (None, owner.token, cast.tokens["another player"]):
                page = api.get(f"/v1/games{query}", token)
                assert table.game not in json.dumps(page)
        assert [game["id"] for game in api.get("/v1/me/games", owner.token)["items"]] == [table.game]
        assert table.game not in json.dumps(api.get(f"/v1/players/{owner.id}"))
    asked = cast.games["active"].token(2)
    assert [turn["game"] for turn in api.get("/v1/me/turns", asked)["items"]] == [cast.games["active"].game]


def test_a_token_for_a_seat_of_it_is_made_by_its_players_only(cast: Cast) -> None:
    api, table = cast.api, cast.games["active"]

    def wanted(game: str) -> dict[str, Any]:
        return {"label": "bot", "scopes": ["read", "play"], "game": game}

    answers = [
        api.call("POST", "/v1/me/tokens", token=cast.tokens["another player"], json=wanted(game), status=404)
        for game in (table.game, UNKNOWN)
    ]
    assert told(answers[0], table.game) == told(answers[1], UNKNOWN)
    made = api.call("POST", "/v1/me/tokens", token=table.token(1), json=wanted(table.game), status=201).get_json()
    assert api.get(f"{table.path}/turn", made["token"])["seat"] == 1


def test_who_leaves_sees_it_no_more(api: Api) -> None:
    table = api.table(visibility="private", taken=2)
    seat = api.call(
        "POST",
        "/v1/me/tokens",
        token=table.token(1),
        json={"label": "bot", "scopes": ["read"], "game": table.game},
        status=201,
    ).get_json()["token"]
    assert api.get(f"{table.path}/turn", seat)["seat"] == 1
    api.call("DELETE", f"{table.path}/seats/1", token=table.token(1), status=204)
    for token in (table.token(1), seat):
        assert api.problem("GET", f"{table.path}/turn", 404, "not_found", token=token)["what"] == "game"
    api.call("DELETE", f"{table.path}/seats/0", token=table.token(0), status=204)
    assert api.get(table.path, table.token(0))["creator"] == table.people[0].id, "its creator needs no seat"
