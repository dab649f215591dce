"""Seeks: who wants the same game is brought together, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from holmgang.worker.loop import Worker

from .calling import Api, Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holmgang.app.ports import Store

CLAIM: dict[str, Any] = {"ruleset": "claim", "seats": [2], "turn_seconds": 60}


@pytest.fixture
def api(database: str) -> Iterator[Api]:
    """A database of its own: nobody else seeks."""
    api = Api(database, seeks_per_player=3)
    yield api
    api.close()


def store(api: Api) -> Store:
    found: Store = api.app.extensions["holmgang"].store
    return found


def work(api: Api) -> None:
    worker = Worker(store(api))
    while worker._meeting.carry_out():
        pass


def seek(api: Api, player: Person, status: int = 201, **wishes: Any) -> Any:
    return api.call("POST", "/v1/seeks", token=player.token, json=CLAIM | wishes, status=status).get_json()


def now(api: Api, player: Person, made: Any) -> Any:
    return api.get(f"/v1/seeks/{made['id']}", player.token)


def test_two_who_want_the_same_are_brought_together(api: Api) -> None:
    me, other = api.register("Sigrid"), api.register("Torsten")
    mine = seek(api, me)
    assert (mine["status"], mine["game"], mine["seats"]) == ("waiting", None, [2])
    work(api)
    assert now(api, me, mine) == mine
    theirs = seek(api, other)
    work(api)
    mine, theirs = now(api, me, mine), now(api, other, theirs)
    assert mine["status"] == theirs["status"] == "matched"
    assert mine["game"] == theirs["game"]
    game = api.get(f"/v1/games/{mine['game']}")
    assert game["status"] == "active"
    assert (game["turn_seconds"], game["clock"]) == (60, "waits")
    assert game["seats"][mine["seat"]]["player"] == me.id
    assert game["seats"][theirs["seat"]]["player"] == other.id
    waiting = [turn["game"] for each in (me, other) for turn in api.get("/v1/me/turns", each.token)["items"]]
    assert waiting == [mine["game"]]
    assert api.get("/v1/seeks")["items"] == []
