"""Archived games over HTTP: read by all, written by nobody, waited for by nobody, and revived by a return."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest import mock

import pytest

from holmgang.app.play import archive
from tests.api_document import check

from .calling import Api, Table
from .test_document import DOCUMENT
from .test_play import another_action
from .test_waiting import LONG, Waiting, tag, told

SCHEMAS = DOCUMENT["components"]["schemas"]


@pytest.fixture
def hands() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def put_away(table: Table) -> Table:
    """The table, archived as the worker does it after 31 days without anybody."""
    store = table.api.app.extensions["holmgang"].store
    with store.pool.connection() as connection:
        connection.execute("UPDATE events SET at = at - interval '31 days' WHERE game_id = %s", [table.game])
        connection.execute("UPDATE games SET touched_at = touched_at - interval '31 days' WHERE id = %s", [table.game])
    with store.reading() as tables:
        archive.archive(tables, 30, 10)
    assert table.api.get(table.path, table.token(0))["status"] == "archived"
    return table


def back(table: Table, seat: int, **more: Any) -> Any:
    path = f"{table.path}/seats/{seat}/return"
    return table.api.call("POST", path, token=table.token(seat), json={}, status=200, **more).get_json()


def test_it_is_listed_and_read(api: Api) -> None:
    table = api.table()
    table.submit(0, status=201)
    views = [api.get(f"{table.path}/view", table.token(seat)) for seat in range(3)]
    put_away(table)
    game = api.get(table.path)
    check(game, SCHEMAS["Game"])
    assert (game["status"], game["turn"], game["awaited"], game["deadline"]) == ("archived", 1, [], None)
    assert (game["seed"], game["head"]) == (None, None)
    listed = api.get("/v1/games?status=archived&limit=200")["items"]
    assert game in listed
    assert {each["status"] for each in listed} == {"archived"}
    assert game not in api.get("/v1/games?status=active&limit=200")["items"]
    assert api.get("/v1/me/games?status=archived", table.token(1))["items"] == [game]
    assert [api.get(f"{table.path}/view", table.token(seat)) for seat in range(3)] == views
    turn = table.turn(1)
    check(turn, SCHEMAS["Turn"])
    assert (turn["status"], turn["yours"], turn["legal"], turn["submitted"]) == ("archived", False, None, [0])
    assert turn["next_poll_ms"] == 10_000
    page = api.get(f"{table.path}/events?limit=200", table.token(1))
    check(page, SCHEMAS["EventPage"])
    assert (page["items"][-1]["payload"], page["items"][-1]["turn"]) == ({"type": "game_archived"}, 1)
    assert page["next"] is None, "nothing follows that would be worth waiting for"
    assert api.get("/v1/me/turns", table.token(1))["items"] == []
    api.problem("GET", f"{table.path}/record", 409, "game_not_over", token=table.token(0))


def test_writes_are_refused(api: Api) -> None:
    table = api.table()
    first = table.choice(0)
    receipt = table.submit(0, first, status=201).get_json()
    other = another_action(api, table, 0, first["action"])
    choice = table.choice(1)
    put_away(table)
    version = api.get(table.path)["version"]
    moves = f"{table.path}/submissions"
    for seat, body in ((1, choice), (0, {"turn": 1, "action": other}), (1, {**choice, "turn": 2})):
        problem = api.problem("POST", moves, 409, "game_archived", token=table.token(seat), json=body)
        assert "return" in problem["detail"]
        api.problem("POST", f"{moves}?dry_run=true", 409, "game_archived", token=table.token(seat), json=body)
    replaced = {"turn": 1, "action": other, "revision": 1}
    api.problem("PUT", f"{moves}/{receipt['id']}", 409, "game_archived", token=table.token(0), json=replaced)
    api.problem("POST", f"{table.path}/resignations", 409, "game_archived", token=table.token(0), json={})
    api.problem("POST", f"{table.path}/seats", 409, "game_full", token=api.register().token, json={})
    api.problem("DELETE", f"{table.path}/seats/0", 409, "game_not_open", token=table.token(0))
    assert table.submit(0, first, status=200).get_json() == receipt, "which is still sealed"
    assert api.get(f"{moves}/{receipt['id']}", table.token(0)) == receipt
    api.problem("GET", f"{moves}/{receipt['id']}", 403, "not_yours", token=table.token(1))
    assert api.get(table.path)["version"] == version


def test_waits_are_answered_when_it_is_archived_and_at_once_from_then_on(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table()
    parts = ["view", "turn", "turn?include=view", "events"]
    waits = {part: f"{table.path}/{part}{'&' if '?' in part else '?'}wait={LONG}" for part in parts}
    known = {part: tag(api, f"{table.path}/{part}", table.token(0)) for part in parts}
    turns = tag(api, "/v1/me/turns", table.token(0))
    held = [Waiting(api, hands, waits[part], table.token(0), If_None_Match=known[part]) for part in parts]
    held.append(Waiting(api, hands, f"/v1/me/turns?wait={LONG}", table.token(0), If_None_Match=turns))
    assert all(each.held() for each in held)
    put_away(table)
    assert [each.status() for each in held] == [200] * 5
    assert held[1].answer.result().get_json()["status"] == "archived"
    assert held[4].answer.result().get_json()["items"] == []
    for part in parts:
        now = tag(api, f"{table.path}/{part}", table.token(0))
        assert now != known[part]
        assert Waiting(api, hands, waits[part], table.token(0), If_None_Match=now).status() == 304
    assert Waiting(api, hands, waits["turn"], table.token(0)).status() == 200
    last = api.get(table.path)["version"]
    assert Waiting(api, hands, f"{waits['events']}&after={last}", None).status() == 200


def test_a_stream_ends_with_it(api: Api) -> None:
    table = put_away(api.table())
    answer = api.call("GET", f"{table.path}/events", status=200, Accept="text/event-stream")
    *_, last, end = told(answer.get_data(as_text=True))
    assert last[2]["payload"] == {"type": "game_archived"}
    assert end == (None, "end", {})


def test_a_stream_that_is_being_read_ends(api: Api) -> None:
    table = api.table()
    with mock.patch("holmgang.api.http.streams.HEARTBEAT_SECONDS", 0.01):
        answer = api.app.test_client().get(f"{table.path}/events", headers={"Accept": "text/event-stream"})
        chunks: Iterator[Any] = iter(answer.response)
        while next(chunks) != b": still here\n\n":
            pass
    put_away(table)
    rest = told(b"".join(chunks).decode())
    assert [data for _, _, data in rest[-2:]] == [{**rest[-2][2], "payload": {"type": "game_archived"}}, {}]


def test_a_player_who_returns_revives_it(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table()
    table.submit(0, status=201)
    turns = tag(api, "/v1/me/turns", table.token(1))
    put_away(table)
    path = f"{table.path}/seats/1/return"
    api.problem("POST", path, 403, "not_yours", token=table.token(0), json={})
    api.problem("POST", path, 401, "unauthenticated", json={})
    empty = tag(api, "/v1/me/turns", table.token(1))
    assert empty != turns
    waiting = Waiting(api, hands, f"/v1/me/turns?wait={LONG}", table.token(1), If_None_Match=empty)
    known, version = tag(api, f"{table.path}/turn", table.token(0)), api.get(table.path)["version"]
    answer = back(table, 1, Idempotency_Key="once")
    assert (answer["seat"], answer["game"]["status"], answer["game"]["awaited"]) == (1, "active", [1, 2])
    assert back(table, 1, Idempotency_Key="once") == answer
    assert back(table, 1)["game"]["version"] == version + 1, "to return to a game under way changes nothing"
    assert waiting.status() == 200
    assert [each["game"] for each in waiting.answer.result().get_json()["items"]] == [table.game]
    assert tag(api, f"{table.path}/turn", table.token(0)) != known
    page = api.get(f"{table.path}/events?after={version}")
    assert [event["payload"] for event in page["items"]] == [{"type": "game_revived", "seat": 1}]
    assert page["next"] is not None
    table.play()
    assert api.get(table.path)["status"] == "over"
    record = api.get(f"{table.path}/record", table.token(0))
    assert record["head"] == api.get(table.path)["head"]


def test_deadlines_begin_anew(api: Api) -> None:
    table = api.table(turn_seconds=3600)
    with api.app.extensions["holmgang"].store.pool.connection() as connection:
        connection.execute("UPDATE games SET deadline = NULL WHERE id = %s", [table.game])
    put_away(table)
    answer = back(table, 2)["game"]
    turn = table.turn(0)
    assert turn["deadline"] == answer["deadline"] > turn["server_time"]
    assert (turn["yours"], turn["awaited"]) == (True, [0, 1, 2])


# Games that have not started


def test_before_the_start_it_keeps_its_secrets_and_has_no_view(api: Api) -> None:
    people = [api.register() for _ in range(2)]
    new = {"ruleset": "claim", "seats": 2, "join": False}
    game = api.call("POST", "/v1/games", token=people[0].token, json=new, status=201).get_json()["id"]
    table = Table(api, game, people)
    taken = {"seat": 0, "entropy": "q83vASNFZ4mrze8BI0VniQ"}
    api.call("POST", f"{table.path}/seats", token=table.token(0), json=taken, status=201)
    put_away(table)
    summary = api.get(table.path)
    assert (summary["status"], summary["turn"], summary["started_at"]) == ("archived", 0, None)
    assert summary["seats"][0]["entropy"] is None, "the other player could still answer to it"
    assert api.get(f"{table.path}/seats/0")["entropy"] is None
    for headers in ({}, {"If_None_Match": "*"}):
        for query in ("", "?wait=20"):
            api.problem("GET", f"{table.path}/view{query}", 409, "game_not_active", token=table.token(0), **headers)
    assert table.turn(0)["status"] == "archived"
    api.problem("DELETE", f"{table.path}/seats/0", 409, "game_archived", token=table.token(0))
    assert back(table, 0)["game"]["status"] == "open"
    api.call("DELETE", f"{table.path}/seats/0", token=table.token(0), status=204)


def test_an_invitation_still_leads_to_a_seat(api: Api) -> None:
    table = put_away(api.table(visibility="private", taken=2))
    api.problem("GET", table.path, 404, "not_found", token=api.register().token)
    assert table.game not in json.dumps(api.get("/v1/games?status=archived&limit=200"))
    body = {"invitation": table.secret}
    answer = api.call("POST", f"{table.path}/seats", token=table.token(2), json=body, status=201).get_json()
    assert (answer["seat"], answer["game"]["status"]) == (2, "active")


def test_before_the_start_there_is_nothing_to_see_for_any_tag(api: Api) -> None:
    table = put_away(api.table(taken=1))
    for part in ("view", "board.svg"):
        path = f"{table.path}/{part}"
        api.problem("GET", path, 409, "game_not_active", token=table.token(0))
        api.problem("GET", path, 409, "game_not_active", token=table.token(0), If_None_Match="*")
