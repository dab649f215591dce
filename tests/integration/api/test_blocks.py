"""Blocks: whom a player wants nothing to do with. Who blocks knows, nobody else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from holmgang.app.meeting import blocks

from .calling import Api

if TYPE_CHECKING:
    import pytest


def test_a_block_is_made_read_and_taken_back(api: Api) -> None:
    me, other = api.register("Sigrid"), api.register("Torsten")
    path = f"/v1/me/blocks/{other.id}"
    api.problem("GET", path, 404, "not_found", token=me.token)
    made = api.call("PUT", path, token=me.token, json={}, status=200).get_json()
    assert (made["player"], made["name"]) == (other.id, "Torsten")
    assert api.call("PUT", path, token=me.token, json={}, status=200).get_json() == made, "the first stays"
    assert api.get(path, me.token) == made
    assert api.get("/v1/me/blocks", me.token) == {"items": [made], "next": None}
    api.call("DELETE", path, token=me.token, status=204)
    api.problem("DELETE", path, 404, "not_found", token=me.token)
    assert api.get("/v1/me/blocks", me.token)["items"] == []


def test_who_is_blocked_sees_nothing_of_it(api: Api) -> None:
    me, other = api.register(), api.register()
    api.call("PUT", f"/v1/me/blocks/{other.id}", token=me.token, json={}, status=200)
    assert api.get("/v1/me/blocks", other.token)["items"] == []
    api.problem("GET", f"/v1/me/blocks/{me.id}", 404, "not_found", token=other.token)
    api.problem("DELETE", f"/v1/me/blocks/{me.id}", 404, "not_found", token=other.token)


def test_nobody_blocks_themself_or_nobody(api: Api) -> None:
    me = api.register()
    api.problem("PUT", f"/v1/me/blocks/{me.id}", 409, "yourself", token=me.token, json={})
    api.problem("PUT", f"/v1/me/blocks/{uuid4()}", 404, "not_found", token=me.token, json={})


def test_blocks_are_listed_in_pages(api: Api) -> None:
    me = api.register()
    others = sorted(api.register().id for _ in range(3))
    for other in others[::-1]:
        api.call("PUT", f"/v1/me/blocks/{other}", token=me.token, json={}, status=200)
    first = api.get("/v1/me/blocks?limit=2", me.token)
    rest = api.get(first["next"], me.token)
    assert [block["player"] for block in first["items"] + rest["items"]] == others
    assert rest["next"] is None


def test_a_player_blocks_so_many_at_most(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST", 2)
    me, *others = (api.register() for _ in range(5))

    def block(other: str) -> int:
        call = api.app.test_client().put
        return call(f"/v1/me/blocks/{other}", headers={"Authorization": f"Bearer {me.token}"}, json={}).status_code

    with ThreadPoolExecutor(4) as hands:
        answered = list(hands.map(block, [other.id for other in others]))
    assert sorted(answered) == [200, 200, 409, 409]
    told = next(other for other, status in zip(others, answered, strict=True) if status == 409)
    refused = api.problem("PUT", f"/v1/me/blocks/{told.id}", 409, "limit_reached", token=me.token, json={})
    assert (refused["what"], refused["limit"]) == ("blocks", 2)
    blocked = next(other for other, status in zip(others, answered, strict=True) if status == 200)
    api.call("PUT", f"/v1/me/blocks/{blocked.id}", token=me.token, json={}, status=200)  # counts once


def test_pairs_are_found_among_many_in_both_orders(api: Api) -> None:
    people = [api.register() for _ in range(4)]
    for blocker, blocked in ((0, 1), (2, 0)):
        path = f"/v1/me/blocks/{people[blocked].id}"
        api.call("PUT", path, token=people[blocker].token, json={}, status=200)
    ids = [UUID(person.id) for person in people]
    with api.app.extensions["holmgang"].store.reading() as tables:
        found = tables.blocked_among(ids)
        assert found == {(ids[0], ids[1]), (ids[1], ids[0]), (ids[0], ids[2]), (ids[2], ids[0])}
        assert tables.blocked_among(ids[1:]) == set()
