"""Idempotency-Key: a repeated POST gets the first answer again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from .calling import Api

NEW = {"ruleset": "eketorp", "seats": 3}


@pytest.fixture
def database_rows(module_database: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(module_database, autocommit=True) as connection:
        yield connection


def test_the_first_answer_comes_again(api: Api) -> None:
    ragna = api.register()
    first = api.call("POST", "/v1/games", token=ragna.token, json=NEW, status=201, Idempotency_Key="k1")
    again = api.call("POST", "/v1/games", token=ragna.token, json=NEW, status=201, Idempotency_Key="k1")
    assert again.get_data() == first.get_data()
    assert again.headers["Location"] == first.headers["Location"]
    assert again.content_type == first.content_type
    assert len(api.get("/v1/me/games", ragna.token)["items"]) == 1
    other = api.call("POST", "/v1/games", token=ragna.token, json=NEW, status=201, Idempotency_Key="k2")
    assert other.get_json()["id"] != first.get_json()["id"]


def test_a_key_is_the_players_and_the_addresss_own(api: Api) -> None:
    ragna, sigrid = api.register(), api.register()
    one = api.call("POST", "/v1/games", token=ragna.token, json=NEW, status=201, Idempotency_Key="same").get_json()
    two = api.call("POST", "/v1/games", token=sigrid.token, json=NEW, status=201, Idempotency_Key="same").get_json()
    assert one["id"] != two["id"]
    for game in (two["id"],):
        path = f"/v1/games/{game}/seats"
        taken = api.call("POST", path, token=ragna.token, json={}, status=201, Idempotency_Key="same").get_json()
        assert taken["seat"] == 1
        assert (
            api.call("POST", path, token=ragna.token, json={}, status=201, Idempotency_Key="same").get_json() == taken
        )
        api.call("POST", path, token=ragna.token, json={}, status=200)


def test_another_body_is_refused(api: Api) -> None:
    ragna = api.register()
    api.call("POST", "/v1/games", token=ragna.token, json=NEW, status=201, Idempotency_Key="k")
    other = {**NEW, "join": False}
    api.problem("POST", "/v1/games", 422, "idempotency_mismatch", token=ragna.token, json=other, Idempotency_Key="k")
    assert len(api.get("/v1/me/games", ragna.token)["items"]) == 1


def test_refusals_are_not_kept(api: Api) -> None:
    ragna = api.register()
    wrong = {**NEW, "seats": 99}
    api.problem("POST", "/v1/games", 422, "invalid_field", token=ragna.token, json=wrong, Idempotency_Key="k")
    api.call("POST", "/v1/games", token=ragna.token, json=NEW, status=201, Idempotency_Key="k")


def test_a_secret_is_not_shown_twice_and_not_stored(api: Api, database_rows: psycopg.Connection[Any]) -> None:
    ragna = api.register()
    wanted = {"label": "bot", "scopes": ["read"]}
    made = api.call("POST", "/v1/me/tokens", token=ragna.token, json=wanted, status=201, Idempotency_Key="t").get_json()
    again = api.problem(
        "POST", "/v1/me/tokens", 409, "secret_already_shown", token=ragna.token, json=wanted, Idempotency_Key="t"
    )
    assert again["location"] == f"/v1/me/tokens/{made['id']}"
    assert len(api.get("/v1/me/tokens", ragna.token)["items"]) == 2
    answers = database_rows.execute("SELECT answer::text FROM answers").fetchall()
    assert answers
    assert all("hg_" not in answer for (answer,) in answers)


def test_submissions_and_resignations_take_keys(api: Api) -> None:
    table = api.table()
    body = table.choice(0)
    first = table.submit(0, body, status=201, Idempotency_Key="m")
    again = table.submit(0, body, status=201, Idempotency_Key="m")
    assert again.get_data() == first.get_data()
    assert again.headers["Location"] == first.headers["Location"]
    path = f"{table.path}/resignations"
    for _ in range(2):
        api.call("POST", path, token=table.token(1), json={}, status=201, Idempotency_Key="r")
    api.call("POST", path, token=table.token(1), json={}, status=200)


def test_a_key_in_flight_is_told(api: Api, database_rows: psycopg.Connection[Any]) -> None:
    """Another connection holds what the first request would hold while it is served."""
    ragna = api.register()
    store = api.app.extensions["holmgang"].store
    api.call("POST", "/v1/games", token=ragna.token, json=NEW, status=201, Idempotency_Key="slow")
    key = database_rows.execute("SELECT key FROM answers WHERE player_id = %s", [ragna.id]).fetchone()
    assert key is not None
    database_rows.execute("DELETE FROM answers WHERE player_id = %s", [ragna.id])
    with store.transaction() as tables:
        assert tables.claim_key(ragna.id, key[0])
        problem = api.problem(
            "POST", "/v1/games", 409, "idempotency_in_flight", token=ragna.token, json=NEW, Idempotency_Key="slow"
        )
        assert problem["retryable"] is True
    api.call("POST", "/v1/games", token=ragna.token, json=NEW, status=201, Idempotency_Key="slow")


def test_an_answer_is_forgotten_after_a_day(api: Api, database_rows: psycopg.Connection[Any]) -> None:
    ragna = api.register()
    first = api.call("POST", "/v1/games", token=ragna.token, json=NEW, status=201, Idempotency_Key="old").get_json()
    database_rows.execute("UPDATE answers SET kept_at = kept_at - interval '25 hours' WHERE player_id = %s", [ragna.id])
    second = api.call("POST", "/v1/games", token=ragna.token, json=NEW, status=201, Idempotency_Key="old").get_json()
    assert second["id"] != first["id"]


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 256, "schlüssel", "tab\tstop"])
def test_keys_are_visible_ascii(api: Api, key: str) -> None:
    ragna = api.register()
    problem = api.problem("POST", "/v1/games", 422, "invalid_request", token=ragna.token, json=NEW, Idempotency_Key=key)
    assert problem["errors"][0]["pointer"] == "Idempotency-Key"
    api.problem("POST", "/v1/games", 401, "unauthenticated", json=NEW, Idempotency_Key=key)


def test_registration_and_dry_runs_take_no_key(api: Api) -> None:
    table = api.table()
    problem = api.problem("POST", "/v1/players", 422, "invalid_request", json={"name": "x"}, Idempotency_Key="k")
    assert problem["errors"][0]["code"] == "not_taken"
    path = f"{table.path}/submissions?dry_run=true"
    body = table.choice(0)
    api.problem("POST", path, 422, "invalid_request", token=table.token(0), json=body, Idempotency_Key="k")
