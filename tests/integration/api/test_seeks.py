"""Seeks over HTTP: made, waited for, withdrawn; and what others see of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from holmgang.store.database import PostgresStore
from holmgang.worker.seeking import Seeking
from tests.waiting import wait_until

from .calling import Api, Person

if TYPE_CHECKING:
    from collections.abc import Callable

_seconds = count(1000)
Seek = Any


@pytest.fixture
def seek(api: Api) -> Callable[..., Seek]:
    """Seeks of two at a table, on terms that no other test has."""
    terms = {"ruleset": "claim", "seats": [2], "turn_seconds": next(_seconds)}

    def seek(player: Person, **wishes: Any) -> Seek:
        return api.call("POST", "/v1/seeks", token=player.token, json=terms | wishes, status=201).get_json()

    return seek


def work(api: Api) -> None:
    seeking = Seeking(api.app.extensions["holmgang"].store)
    while seeking():
        pass


def listed(api: Api, player: Person) -> list[Any]:
    """What everybody sees of what a player seeks."""
    items = api.get("/v1/seeks?ruleset=claim&limit=200")["items"]
    return [each for each in items if each["player"]["id"] == player.id]


def test_two_who_want_the_same_are_brought_together(api: Api, seek: Callable[..., Seek]) -> None:
    me, other = api.register("Sigrid"), api.register("Torsten")
    made = api.call(
        "POST", "/v1/seeks", token=me.token, json={"ruleset": "claim", "seats": [2], "turn_seconds": 999}, status=201
    )
    mine, path = made.get_json(), made.headers["Location"]
    assert (mine["status"], mine["game"], mine["seats"], mine["wanted"]) == ("waiting", None, [2], "both")
    work(api)
    assert api.get(path, me.token) == mine
    theirs = seek(other, turn_seconds=999)
    work(api)
    mine, theirs = api.get(path, me.token), api.get(f"/v1/seeks/{theirs['id']}", other.token)
    assert mine["status"] == theirs["status"] == "matched"
    assert mine["game"] == theirs["game"]
    game = api.get(f"/v1/games/{mine['game']}")
    assert (game["status"], game["turn_seconds"], game["clock"]) == ("active", 999, "waits")
    assert game["seats"][mine["seat"]]["player"] == me.id
    assert game["seats"][theirs["seat"]]["player"] == other.id
    waiting = [turn["game"] for each in (me, other) for turn in api.get("/v1/me/turns", each.token)["items"]]
    assert waiting == [mine["game"]]
    assert api.problem("DELETE", path, 409, "seek_matched", token=me.token)["game"] == mine["game"]


def test_who_waits_hears_of_the_game(api: Api, seek: Callable[..., Seek]) -> None:
    me, other = api.register(), api.register()
    path = f"/v1/seeks/{seek(me)['id']}"
    tag = api.call("GET", path, token=me.token, status=200).headers["ETag"]
    api.call("GET", path, token=me.token, If_None_Match=tag, status=304)
    store: PostgresStore = api.app.extensions["holmgang"].store
    with ThreadPoolExecutor(1) as hand:
        client = api.app.test_client()
        headers = {"Authorization": f"Bearer {me.token}", "If-None-Match": tag}
        held = hand.submit(client.get, f"{path}?wait=50", headers=headers)
        wait_until(lambda: store.wakeups._others, "it waits")
        seek(other)
        work(api)
        answer = held.result(15)
    assert (answer.status_code, answer.get_json()["status"]) == (200, "matched")


def test_ranges_and_seeks_are_their_players_alone(api: Api, seek: Callable[..., Seek]) -> None:
    me, other = api.register("Sigrid"), api.register()
    mine = seek(me, rating_below=100, rating_above=50, rating_widens=5, wanted="people")
    assert (mine["rating_below"], mine["rating_above"], mine["rating_widens"]) == (100, 50, 5)
    (shown,) = listed(api, me)
    assert shown["player"] == {"id": me.id, "name": "Sigrid", "kind": "person", "rating": 1500}
    assert set(shown) == {"id", "player", "terms", "seats", "wanted", "created_at", "expires_at"}
    api.problem("GET", f"/v1/seeks/{mine['id']}", 404, "not_found", token=other.token)
    api.problem("DELETE", f"/v1/seeks/{mine['id']}", 404, "not_found", token=other.token)
    assert api.get("/v1/me/seeks", other.token)["items"] == []


def test_a_seek_that_is_withdrawn_leads_to_no_game(api: Api, seek: Callable[..., Seek]) -> None:
    me, other = api.register(), api.register()
    mine = seek(me)
    for _ in range(2):
        api.call("DELETE", f"/v1/seeks/{mine['id']}", token=me.token, status=204)
    theirs = seek(other)
    work(api)
    assert api.get(f"/v1/seeks/{theirs['id']}", other.token)["status"] == "waiting"
    assert api.get(f"/v1/seeks/{mine['id']}", me.token)["status"] == "withdrawn"
    assert listed(api, me) == []
    assert [each["id"] for each in listed(api, other)] == [theirs["id"]]


def test_ones_own_are_listed_in_pages_newest_first(api: Api, seek: Callable[..., Seek]) -> None:
    me = api.register()
    made = [seek(me)["id"] for _ in range(3)]
    api.call("DELETE", f"/v1/seeks/{made[1]}", token=me.token, status=204)
    page = api.get("/v1/me/seeks?limit=2", me.token)
    following = api.get(page["next"], me.token)
    assert [each["id"] for each in (*page["items"], *following["items"])] == made[::-1]
    waiting = api.get("/v1/me/seeks?status=waiting", me.token)["items"]
    assert [each["id"] for each in waiting] == [made[2], made[0]]
    assert [each["id"] for each in listed(api, me)] == [made[0], made[2]]


def test_there_are_only_so_many(module_database: str) -> None:
    api = Api(module_database, seeks_per_player=1)
    try:
        me, body = api.register(), {"ruleset": "claim", "seats": [2]}
        api.call("POST", "/v1/seeks", token=me.token, json=body, status=201)
        refused = api.problem("POST", "/v1/seeks", 409, "limit_reached", token=me.token, json=body)
        assert (refused["what"], refused["limit"]) == ("seeks", 1)
    finally:
        api.close()


def test_who_has_too_many_games_seeks_no_more(module_database: str) -> None:
    api = Api(module_database, games_per_player=1)
    try:
        me, body = api.register(), {"ruleset": "claim", "seats": 2}
        api.call("POST", "/v1/games", token=me.token, json=body, status=201)
        refused = api.problem("POST", "/v1/seeks", 409, "limit_reached", token=me.token, json={**body, "seats": [2]})
        assert refused["what"] == "games"
    finally:
        api.close()


@pytest.mark.parametrize(
    ("wishes", "code", "pointer"),
    [
        ({"seats": [5]}, "invalid_field", "/seats"),
        ({"seats": []}, "invalid_request", "/seats"),
        ({"seats": [1, 2]}, "invalid_request", "/seats/0"),
        ({"ruleset": "chess"}, "invalid_field", "/ruleset"),
        ({"rated": True, "turn_seconds": None}, "invalid_field", "/turn_seconds"),
        ({"options": {"no_such": 1}}, "invalid_option", "/options/no_such"),
        ({"rating_below": -1}, "invalid_request", "/rating_below"),
        ({"wanted": "cats"}, "invalid_request", "/wanted"),
    ],
)
def test_what_cannot_be_sought_is_refused(api: Api, wishes: dict[str, Any], code: str, pointer: str) -> None:
    body = {"ruleset": "claim", "seats": [2], "turn_seconds": 60, **wishes}
    refused = api.problem("POST", "/v1/seeks", 422, code, token=api.register().token, json=body)
    pointers = [each["pointer"] for each in refused.get("errors", [])] or [refused["pointer"]]
    assert pointers == [pointer]
