"""Rematches over HTTP: who agrees, what is made, who may know, and what a block does to it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

from holmgang.app.meeting import challenges, rematches
from holmgang.store.database import PostgresStore
from holmgang.worker.loop import Worker

from .calling import Api, Person, Table

TERMS: dict[str, Any] = {"ruleset": "claim", "turn_seconds": 600, "absence": "forfeit", "spectators": False}


def store(api: Api) -> PostgresStore:
    found: PostgresStore = api.app.extensions["holmgang"].store
    return found


def over(api: Api, seats: int = 2, **more: Any) -> Table:
    """A game that ended by resignations."""
    table = api.table(seats, **{**TERMS, **more})
    for person in table.people[1:]:
        answer = api.call("POST", f"{table.path}/resignations", token=person.token, json={})
        assert answer.status_code in (201, 409)
    assert api.get(table.path, table.token(0))["status"] == "over"
    return table


def agree(api: Api, table: Table, seat: int, status: int = 200) -> Any:
    return api.call("PUT", f"{table.path}/rematch", token=table.token(seat), json={}, status=status).get_json()


def look(api: Api, table: Table, seat: int) -> Any:
    return api.get(f"{table.path}/rematch", table.token(seat))


def block(api: Api, who: Person, other: Person) -> None:
    api.call("PUT", f"/v1/me/blocks/{other.id}", token=who.token, json={}, status=200)


def test_two_who_agree_play_again_in_each_others_seats(api: Api) -> None:
    table = over(api)
    nothing = {"game": table.game, "agreed": [], "missing": [0, 1], "expires_at": None, "next": None}
    assert look(api, table, 0) == nothing
    first = agree(api, table, 1)
    assert (first["agreed"], first["missing"], first["next"]) == ([1], [0], None)
    assert first == look(api, table, 0) == look(api, table, 1)
    made = agree(api, table, 0)
    assert (made["agreed"], made["missing"], made["expires_at"]) == ([0, 1], [], None)
    before, after = (api.get(f"/v1/games/{game}", table.token(0)) for game in (table.game, made["next"]))
    assert [seat["player"] for seat in after["seats"]] == [seat["player"] for seat in before["seats"]][::-1]
    for name in ("ruleset", "options", "turn_seconds", "absence", "clock", "spectators", "visibility", "rated"):
        assert after[name] == before[name], name
    assert after["status"] == "active"
    assert agree(api, table, 1) == agree(api, table, 0) == look(api, table, 0) == made, "there is one"
    told = api.problem("DELETE", f"{table.path}/rematch", 409, "no_rematch", token=table.token(0))
    assert told["next"] == made["next"]


def test_who_does_not_want_any_more_takes_it_back(api: Api) -> None:
    table = over(api)
    agree(api, table, 0)
    for _ in range(2):
        api.call("DELETE", f"{table.path}/rematch", token=table.token(0), status=204)
    assert look(api, table, 1)["agreed"] == []
    assert agree(api, table, 1)["next"] is None
    assert agree(api, table, 0)["next"] is not None


def test_built_in_bots_always_agree(api: Api) -> None:
    table = api.table(2, taken=1, **TERMS)
    body = {"bot": "greedy"}
    api.call("POST", f"{table.path}/seats", token=table.token(0), json=body, status=201)
    api.call("POST", f"{table.path}/resignations", token=table.token(0), json={}, status=201)
    assert look(api, table, 0)["agreed"] == [1]
    after = api.get(f"/v1/games/{agree(api, table, 0)['next']}", table.token(0))
    assert [seat["bot"] for seat in after["seats"]] == ["greedy", None]


def test_an_agreement_ends_and_does_not_count(api: Api) -> None:
    table = over(api)
    agree(api, table, 0)
    with store(api).pool.connection() as connection:
        connection.execute("UPDATE agreements SET expires_at = clock_timestamp() WHERE game_id = %s", [table.game])
    assert agree(api, table, 1)["next"] is None, "also before the worker has seen to it"
    answer = api.call("GET", f"{table.path}/rematch", token=table.token(1), status=200)
    Worker(store(api)).work()
    assert look(api, table, 1)["agreed"] == [1]
    api.call("GET", f"{table.path}/rematch", token=table.token(1), status=200, If_None_Match=answer.headers["ETag"])


def test_only_players_of_a_finished_game_know(api: Api) -> None:
    table, stranger = over(api), api.register()
    calls: tuple[tuple[str, Any], ...] = (("GET", None), ("PUT", {}), ("DELETE", None))
    for method, body in calls:
        api.problem(
            method, f"{table.path}/rematch", 403, "not_seated", token=stranger.token, json=body, If_None_Match="*"
        )
    private = over(api, visibility="private")
    for method, body in calls:
        api.problem(method, f"{private.path}/rematch", 404, "not_found", token=stranger.token, json=body)
    running = api.table(2, **TERMS)
    for method, body in calls:
        api.problem(method, f"{running.path}/rematch", 409, "game_not_over", token=running.token(0), json=body)
    practice = api.table(2, practice=True, ruleset="claim")
    api.call("POST", f"{practice.path}/resignations", token=practice.token(0), json={}, status=201)
    api.problem("PUT", f"{practice.path}/rematch", 409, "no_rematch", token=practice.token(0), json={})


def test_all_at_once_make_one_game(api: Api) -> None:
    table = over(api, 3)

    def hurry(seat: int) -> Any:
        headers = {"Authorization": f"Bearer {table.token(seat)}"}
        return api.app.test_client().put(f"{table.path}/rematch", headers=headers, json={}).get_json()["next"]

    with ThreadPoolExecutor(6) as hands:
        came = set(hands.map(hurry, [0, 1, 2] * 2)) - {None}
    mine = api.get("/v1/me/games?status=active", table.token(0))["items"]
    assert [game["id"] for game in mine] == list(came)


def revision(api: Api, table: Table) -> int:
    with store(api).reading() as tables:
        return tables.revision(rematches.ident_of(UUID(table.game)))


def test_who_is_blocked_sees_one_who_does_not_answer(api: Api) -> None:
    """The same as in another game, whose other player just does not answer."""
    seen = []
    for blocked in (False, True):
        table = over(api)
        if blocked:
            block(api, table.people[1], table.people[0])
            api.problem("PUT", f"{table.path}/rematch", 409, "no_rematch", token=table.token(1), json={})
        answers = [look(api, table, 0), agree(api, table, 0), look(api, table, 0), agree(api, table, 0)]
        seen.append([{**each, "game": "it", "expires_at": each["expires_at"] is None} for each in answers])
        if blocked:
            assert look(api, table, 1)["agreed"] == [], "who blocks does not see it"
    assert seen[0] == seen[1]


def test_a_block_takes_an_agreement_back(api: Api) -> None:
    table, other = over(api), over(api)
    agree(api, table, 1)
    agree(api, other, 1)
    before = revision(api, table)
    block(api, table.people[1], table.people[0])
    assert look(api, table, 0)["agreed"] == []
    assert revision(api, table) > before, "as when it is taken back"
    assert look(api, other, 0)["agreed"] == [1]
    assert agree(api, table, 0)["next"] is None


def test_who_leaves_agrees_no_more(api: Api) -> None:
    table = over(api)
    agree(api, table, 1)
    with store(api).transaction() as tables:
        challenges.leave(tables, UUID(table.people[1].id))
    assert look(api, table, 0)["agreed"] == []
