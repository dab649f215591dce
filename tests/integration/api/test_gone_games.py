"""Games whose rules are not here any more: they are listed, what needs the rules says so, and they go on later."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from holmgang.api.resources import examples
from holmgang.store.database import PostgresStore, conninfo
from holmgang.worker.loop import Worker
from tests.api_document import api_document
from tests.conftest import copied_database
from tests.e2e.seeding import seed
from tests.soon import soon

from . import test_route_walk as bodies
from .calling import Api
from .test_route_walk import address, everything

CALLS = {
    operation["operationId"]: (verb.upper(), operation)
    for verbs in api_document()["paths"].values()
    for verb, operation in verbs.items()
}
GONE = "ruleset_unavailable"
NEEDS_RULES = {"getView", "getTurn", "getBoardPicture", "resign", "submit", "replaceSubmission", "takeSeat"}
"""What cannot be answered without the rules of the very version."""
NEEDS_TEAMS = {"getRecord", "exportMyGames"}
"""What can be, if the game is known in another version."""
BODIES = {**bodies.BODIES, "createGame": {"ruleset": "claim", "seats": 2}}
ASKED: tuple[dict[str, Any], ...] = ({}, {"Prefer": "wait=1"}, {"If_None_Match": '"another"'})
"""Who has the answer that stands is told that there is none newer (304): that takes no rules."""
ANOTHER_VERSION = "ruleset_version = '0.0'"
GONE_GAMES = ["ruleset = 'gone'", ANOTHER_VERSION]
WAYS = pytest.mark.parametrize("gone", GONE_GAMES)


@pytest.fixture(scope="module")
def seeded(module_database: str) -> str:
    """A database with the things of the document's examples, which nobody is connected to."""
    store = PostgresStore(module_database, pool_size=1)
    seed(store)
    store.close()
    return module_database


@pytest.fixture
def url(seeded: str, postgres_url: str) -> Iterator[str]:
    with copied_database(postgres_url, seeded) as url:
        yield url


@pytest.fixture
def api(url: str) -> Iterator[Api]:
    api = Api(url)
    yield api
    api.close()


def sql(url: str, statement: str) -> None:
    with psycopg.connect(conninfo(url), autocommit=True) as rows:
        rows.execute(statement.encode())


def asked(api: Api, name: str) -> str:
    """What the document's example comes to, however it is asked for: `ok`, or a problem's code."""
    verb, operation = CALLS[name]
    body = BODIES.get(name)
    if body is None and "requestBody" in operation:
        body = next(iter(operation["requestBody"]["content"]["application/json"]["examples"].values()))["value"]
    found = set()
    for headers in ASKED if verb == "GET" else ASKED[:1]:
        answer = api.call(verb, address(name), token=examples.SECRET, json=body, **headers)
        found.add("ok" if answer.status_code < 400 else str(answer.get_json()["code"]))
    (code,) = found
    return code


@pytest.mark.parametrize("gone", soon(GONE_GAMES, ANOTHER_VERSION))
@pytest.mark.parametrize("name", sorted(CALLS))
def test_what_needs_the_rules_says_so_and_the_rest_is_answered(api: Api, url: str, name: str, gone: str) -> None:
    sql(url, f"UPDATE games SET {gone}")
    before = everything(url)
    wanted = NEEDS_RULES | (NEEDS_TEAMS if gone.startswith("ruleset =") else set())
    assert asked(api, name) == (GONE if name in wanted else "ok")
    if name in wanted:
        assert everything(url) == before, "what is refused changes nothing"


@WAYS
def test_a_choice_that_was_taken_before_is_no_fault(api: Api, url: str, gone: str) -> None:
    """However old the turn is that one names."""
    sql(url, f"UPDATE games SET {gone}")
    for turn in (0, 1, 2, 10**6):
        for query in ("", "?dry_run=true"):
            body = {"turn": turn, "action": {}}
            for game in (examples.GAME, examples.OVER_GAME):
                path = f"/v1/games/{game}/submissions{query}"
                answer = api.call("POST", path, token=examples.SECRET, json=body)
                assert answer.status_code in (409, 503), answer.get_json()
    for at in (0, 3):
        for what in ("view", "board.svg"):
            path = f"/v1/games/{examples.OVER_GAME}/{what}?at={at}"
            api.problem("GET", path, 503, GONE, token=examples.SECRET)


@WAYS
def test_seats_of_such_a_game_are_given_to_no_bot_and_left_freely(api: Api, url: str, gone: str) -> None:
    sql(url, f"UPDATE games SET {gone}")
    path = f"/v1/games/{examples.OWN_OPEN_GAME}/seats"
    api.problem("POST", path, 503, GONE, token=examples.SECRET, json={"seat": 1, "bot": "random"})
    api.call("DELETE", f"{path}/0", token=examples.SECRET, status=204)


@WAYS
def test_it_is_listed_and_rated_players_are_too(api: Api, url: str, gone: str) -> None:
    sql(url, f"UPDATE games SET {gone}")
    listed = api.get("/v1/games?limit=200")["items"]
    assert {game["id"] for game in listed} >= {examples.GAME, examples.OVER_GAME, examples.OPEN_GAME}
    assert all(game["teams"] == [[seat["seat"]] for seat in game["seats"]] for game in listed)
    if gone.startswith("ruleset ="):
        assert len(api.get("/v1/games?ruleset=gone&limit=200")["items"]) == len(listed)
        refused = {"ruleset": "gone", "seats": 3}
        api.problem("POST", "/v1/games", 422, "invalid_field", token=examples.SECRET, json=refused)
    assert api.get("/v1/leaderboards/eketorp")["items"] == []
    sql(
        url,
        "INSERT INTO ratings (player_id, ruleset, mu, sigma, ordinal, games, wins)"
        f" VALUES ('{examples.PLAYER}', 'gone', 25, 8, 1, 1, 1)",
    )
    assert list(api.get(f"/v1/players/{examples.PLAYER}")["ratings"]) == ["gone"]
    api.problem("GET", "/v1/leaderboards/gone", 404, "not_found")


@WAYS
def test_the_worker_leaves_it_alone_and_it_goes_on_when_it_is_back(api: Api, url: str, gone: str) -> None:
    sql(url, "UPDATE games SET rated = true, turn_seconds = 60")
    sql(url, "UPDATE games SET deadline = clock_timestamp() - interval '1 hour' WHERE status = 'active'")
    before = api.get(f"/v1/games/{examples.GAME}/turn", examples.SECRET)
    sql(url, f"UPDATE games SET {gone}")
    store = PostgresStore(url, pool_size=2)
    try:
        worker = Worker(store, random.Random(1))
        for _ in range(5):
            worker.work()
        with psycopg.connect(conninfo(url)) as rows:
            turns = rows.execute("SELECT turn FROM games WHERE id = %s", [examples.GAME]).fetchone()
        assert turns == (before["turn"],)
        sql(url, "UPDATE games SET ruleset = 'eketorp', ruleset_version = '" + version_of(api) + "'")
        after = api.get(f"/v1/games/{examples.GAME}/turn", examples.SECRET)
        same = ("turn", "kind", "awaited", "submission", "context", "legal")
        assert {name: after[name] for name in same} == {name: before[name] for name in same}
        Worker(store, random.Random(1)).work()
        assert api.get(f"/v1/games/{examples.GAME}")["turn"] > before["turn"], "the deadline is kept again"
        assert api.get("/v1/leaderboards/eketorp")["items"] != []
    finally:
        store.close()


def version_of(api: Api) -> str:
    version: str = api.get("/v1/rulesets/eketorp")["version"]
    return version
