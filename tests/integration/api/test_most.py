"""How much one player may have at once, and that many who ask at the same time get no more."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import psycopg
import pytest

from holmgang.app.accounts.tokens import MOST_TOKENS
from holmgang.worker.loop import Worker

from .calling import Api, Person, legal_action

GAME = {"ruleset": "claim", "seats": 2}
TOKEN = {"label": "bot", "scopes": ["read"]}


@pytest.fixture
def few(module_database: str) -> Any:
    api = Api(module_database, games_per_player=3)
    yield api
    api.close()


def full(api: Api, path: str, person: Person, body: dict[str, Any], what: str, limit: int) -> None:
    refused = api.problem("POST", path, 409, "limit_reached", token=person.token, json=body)
    assert (refused["what"], refused["limit"], refused["retryable"]) == (what, limit, False)
    assert str(limit) in refused["detail"]


def test_games_that_are_not_over(few: Api) -> None:
    """Whether the player sits in them or not; only those count that they have created."""
    person, other = few.register(), few.register()
    made = [
        few.call("POST", "/v1/games", token=person.token, json={**GAME, "join": n > 0}, status=201).get_json()["id"]
        for n in range(3)
    ]
    full(few, "/v1/games", person, GAME, "games", 3)
    theirs = few.call("POST", "/v1/games", token=other.token, json=GAME, status=201).get_json()["id"]
    few.call("POST", f"/v1/games/{theirs}/seats", token=person.token, json={}, status=201)
    few.call("POST", f"/v1/games/{made[2]}/seats", token=other.token, json={}, status=201)
    full(few, "/v1/games", person, GAME, "games", 3)
    few.call("POST", f"/v1/games/{made[2]}/resignations", token=other.token, json={}, status=201)
    assert few.get(f"/v1/games/{made[2]}")["status"] == "over"
    few.call("POST", "/v1/games", token=person.token, json=GAME, status=201)
    full(few, "/v1/games", person, GAME, "games", 3)


def test_archived_games_do_not_count(few: Api, module_database: str) -> None:
    person = few.register()
    for _ in range(3):
        few.call("POST", "/v1/games", token=person.token, json=GAME, status=201)
    with psycopg.connect(module_database, autocommit=True) as rows:
        rows.execute("UPDATE games SET status = 'archived' WHERE creator = %s", [person.id])
    few.call("POST", "/v1/games", token=person.token, json=GAME, status=201)


@pytest.mark.parametrize("rated", [False, True])
def test_games_that_ended_without_a_choice_of_a_person(module_database: str, rated: bool) -> None:
    """Created, a bot seated, resigned from, and so on for ever: no more in some days than so many."""
    api = Api(module_database, empty_games_per_player=2, empty_games_days=3)
    try:
        person = api.register()
        terms = {**GAME, "rated": rated, "turn_seconds": 600}

        def created() -> str:
            made = api.call("POST", "/v1/games", token=person.token, json=terms, status=201).get_json()["id"]
            api.call("POST", f"/v1/games/{made}/seats", token=person.token, json={"bot": "random"}, status=201)
            return f"/v1/games/{made}"

        def resign(path: str) -> None:
            api.call("POST", f"{path}/resignations", token=person.token, json={}, status=201)
            assert api.get(path)["status"] == "over"

        resign(created())
        path = created()
        while not (turn := api.get(f"{path}/turn", person.token))["yours"]:
            Worker(api.app.extensions["holmgang"].store).work()
        body = {"turn": turn["turn"], "action": legal_action(turn)}
        api.call("POST", f"{path}/submissions", token=person.token, json=body, status=201)
        resign(path)  # in which somebody has chosen
        resign(created())
        full(api, "/v1/games", person, terms, "empty_games", 2)
        with psycopg.connect(module_database, autocommit=True) as rows:
            rows.execute("UPDATE games SET empty_since = empty_since - interval '3 days'")
        resign(created())
        api.call("POST", "/v1/games", token=person.token, json=terms, status=201)
    finally:
        api.close()


def test_many_at_once_get_no_more_games(few: Api) -> None:
    person, barrier = few.register(), Barrier(12)

    def create(_: int) -> int:
        client = few.app.test_client()
        barrier.wait()
        answer = client.post("/v1/games", json=GAME, headers={"Authorization": f"Bearer {person.token}"})
        return answer.status_code

    with ThreadPoolExecutor(12) as hands:
        statuses = sorted(hands.map(create, range(12)))
    assert statuses == [201] * 3 + [409] * 9


def test_tokens(api: Api, module_database: str) -> None:
    person = api.register()
    made = api.call("POST", "/v1/me/tokens", token=person.token, json=TOKEN, status=201).get_json()["id"]
    with psycopg.connect(module_database, autocommit=True) as rows:
        rows.execute(
            "INSERT INTO tokens (digest, id, player_id, label, scopes)"
            " SELECT sha256((%(player)s || n)::bytea), gen_random_uuid(), %(player)s::uuid, 't', '{read}'"
            " FROM generate_series(1, %(count)s) n",
            {"player": person.id, "count": MOST_TOKENS - 2},
        )
        full(api, "/v1/me/tokens", person, TOKEN, "tokens", MOST_TOKENS)
        api.call("DELETE", f"/v1/me/tokens/{made}", token=person.token, status=204)
        api.call("POST", "/v1/me/tokens", token=person.token, json=TOKEN, status=201)
        full(api, "/v1/me/tokens", person, TOKEN, "tokens", MOST_TOKENS)

        rows.execute(
            "UPDATE tokens SET expires_at = clock_timestamp() - interval '1 day' WHERE player_id = %s AND label = 't'",
            [person.id],
        )
        rows.execute(
            "INSERT INTO tokens (digest, id, player_id, label, scopes, expires_at)"
            " SELECT sha256((%(player)s || 'old' || n)::bytea), gen_random_uuid(), %(player)s::uuid, 'old', '{read}',"
            " clock_timestamp() - interval '2 days' FROM generate_series(1, 50) n",
            {"player": person.id},
        )
        api.call("POST", "/v1/me/tokens", token=person.token, json=TOKEN, status=201)
        kept: dict[str, int] = dict(
            rows.execute(
                "SELECT label, count(*) FROM tokens WHERE player_id = %s GROUP BY label", [person.id]
            ).fetchall()
        )
    assert kept == {"first token": 1, "bot": 2, "t": MOST_TOKENS - 2, "old": 2}, "what expired first is forgotten"
