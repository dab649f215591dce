"""Accounts that are deleted: nothing is left of who it was, and what they played stays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import psycopg
import pytest

from holmgang.app.accounts.tokens import authenticate
from holmgang.app.fairness.claims import read_record
from holmgang.app.fairness.verify import verify
from holmgang.app.games import ratings
from holmgang.app.tournaments import entering
from holmgang.store.database import PostgresStore, conninfo
from holmgang.worker.departing import PLAYERS_AT_ONCE, Departing
from tests.integration.tournaments import made

from .calling import Api, Person, Table

if TYPE_CHECKING:
    from holmgang.app.ports import Store

RATED: dict[str, Any] = {"rated": True, "turn_seconds": 3600}


def store_of(api: Api) -> Store:
    found: Store = api.app.extensions["holmgang"].store
    return found


def go(api: Api, person: Person, name: str) -> None:
    api.call("DELETE", "/v1/me", token=person.token, json={"name": name}, status=204)


def settle(api: Api) -> None:
    """What the worker does for those who are gone, until there is nothing left to do; and the rating of games."""
    depart = Departing(store_of(api))
    while depart():
        pass
    while True:
        with store_of(api).transaction() as tables:
            if not (due := ratings.due(tables)):
                return
            for ruleset, game in due:
                assert ratings.count(tables, ruleset, game)


def given_up(api: Api, table: Table, seat: int = 0) -> None:
    api.call("POST", f"{table.path}/resignations", token=table.token(seat), json={}, status=201)


def test_an_account_is_deleted_by_its_name_only(api: Api) -> None:
    me = api.register("Oda")
    for wrong in ("", "oda", "Oda ", "Somebody else"):
        api.problem("DELETE", "/v1/me", 422, "invalid_field", token=me.token, json={"name": wrong})
    api.problem("DELETE", "/v1/me", 422, "invalid_request", token=me.token, json={})
    assert api.get("/v1/me", me.token)["player"]["name"] == "Oda"
    go(api, me, "Oda")
    api.problem("GET", "/v1/me", 401, "invalid_token", token=me.token)


def test_nothing_is_left_of_who_it_was(api: Api, module_database: str) -> None:
    me, other = api.register("Pernilla the Known"), api.register("Quentin")
    api.call("PATCH", "/v1/me", token=me.token, json={"name": "Pernilla the New"}, status=200)
    body = {"label": "for Pernilla", "scopes": ["read"]}
    further = api.call("POST", "/v1/me/tokens", token=me.token, json=body, status=201, Idempotency_Key="k").get_json()
    api.call("POST", "/v1/webhooks", token=me.token, json={"url": "https://pernilla.example.org/"}, status=201)
    api.call("PUT", f"/v1/me/blocks/{other.id}", token=me.token, json={}, status=200)
    bot = api.call("POST", "/v1/players", token=me.token, json={"name": "P's bot", "kind": "bot"}, status=201)
    go(api, me, "Pernilla the New")
    for token in (me.token, further["token"]):
        api.problem("GET", "/v1/me", 401, "invalid_token", token=token)
    profile = api.get(f"/v1/players/{me.id}")
    assert (profile["name"], profile["deleted"]) == ("Deleted player", True)
    assert (profile["ratings"], profile["former_names"]) == ({}, [])
    assert api.get("/v1/players?name=pernilla")["items"] == api.get("/v1/players?name=deleted")["items"] == []
    assert api.get(f"/v1/players/{bot.get_json()['player']['id']}")["owner"] is None
    api.problem("GET", f"/v1/players/{me.id}/ratings/claim/history", 404, "not_found")
    api.problem("GET", f"/v1/players/{me.id}/against/{other.id}", 404, "not_found")
    with psycopg.connect(conninfo(module_database)) as rows:
        tables = rows.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        held = {
            name
            for (name,) in tables
            if rows.execute(f"SELECT FROM {name} t WHERE t::text ~* 'pernilla' LIMIT 1".encode()).rowcount
        }
    assert held == set(), "nowhere in the database"


def test_games_stay_and_their_records_hold(api: Api) -> None:
    table = api.table(2, ruleset="claim")
    table.play()
    go(api, table.people[1], "player 1")
    settle(api)
    game = api.get(table.path)
    assert game["status"] == "over"
    assert [seat["name"] for seat in game["seats"]] == ["player 0", "Deleted player"]
    assert game["seats"][1]["player"] == table.people[1].id
    record = api.get(f"{table.path}/record", table.token(0))
    assert verify(read_record(json.dumps(record).encode()), noted_commitment=game["commitment"]).holds


def test_what_it_was_in_the_middle_of_is_ended(api: Api, module_database: str) -> None:
    running, opened, idle, idle_and_open = api.table(), api.table(taken=2), api.table(), api.table(taken=2)
    me = running.people[1]
    with psycopg.connect(conninfo(module_database), autocommit=True) as rows:
        for table in (opened, idle, idle_and_open):
            before = table.people[1].id
            rows.execute("UPDATE seats SET player_id = %s WHERE player_id = %s", [me.id, before])
            rows.execute("UPDATE awaited SET player_id = %s WHERE player_id = %s", [me.id, before])
        for table in (idle, idle_and_open):
            rows.execute("UPDATE games SET status = 'archived' WHERE id = %s", [table.game])
            rows.execute("DELETE FROM awaited WHERE game_id = %s", [table.game])
    go(api, me, "player 1")
    settle(api)
    for table in (running, idle):
        game = api.get(table.path)
        assert (game["status"], game["seats"][1]["resigned_at"] is None) == ("active", False)
        assert 1 not in game["awaited"]
    for table, status in ((opened, "open"), (idle_and_open, "archived")):
        game = api.get(table.path)
        assert (game["status"], game["seats"][1]["player"]) == (status, None)
        events = api.get(f"{table.path}/events?limit=200")["items"]
        assert events[-1]["payload"]["type"] == "seat_left"
    running.play()
    assert api.get(running.path)["status"] == "over", "the others play on"


def test_who_is_gone_for_a_while_departs_no_more(api: Api, module_database: str) -> None:
    me = api.register("Rune")
    go(api, me, "Rune")
    settle(api)
    with psycopg.connect(conninfo(module_database), autocommit=True) as rows:

        def departs() -> bool:
            return rows.execute("SELECT FROM departures WHERE player_id = %s", [me.id]).rowcount == 1

        assert departs(), "what was on its way may come yet"
        rows.execute("UPDATE players SET deleted_at = deleted_at - interval '1 minute' WHERE id = %s", [me.id])
        settle(api)
        assert not departs()


def test_it_is_on_no_leaderboard_and_still_lends_its_strength(api: Api) -> None:
    first, last = (api.table(2, ruleset="claim", **RATED) for _ in range(2))
    given_up(api, first)
    settle(api)
    path = "/v1/leaderboards/claim?limit=200"
    before = api.call("GET", path, status=200)
    winner = first.people[1]
    assert winner.id in {line["player"]["id"] for line in before.get_json()["items"]}
    go(api, winner, "player 1")
    after = api.call("GET", path, status=200, If_None_Match=before.headers["ETag"]).get_json()
    assert winner.id not in {line["player"]["id"] for line in after["items"]}
    ranks = [line["rank"] for line in after["items"]]
    assert ranks[0] == 1
    go(api, last.people[0], "player 0")
    settle(api)
    game = api.get(last.path)
    assert game["status"] == "over"
    assert game["rating_changes"] is not None, "a rated game is lost by who goes away"
    listed = {line["player"]["id"] for line in api.get(path)["items"]}
    assert last.people[1].id in listed
    assert last.people[0].id not in listed


def test_nobody_takes_a_name_that_was_played_under(api: Api, module_database: str) -> None:
    def taken(name: str) -> bool:
        return api.call("POST", "/v1/players", json={"name": name}).status_code == 422

    table = api.table(2, ruleset="claim", **RATED)
    me = table.people[1]
    api.call("PATCH", "/v1/me", token=me.token, json={"name": "Solveig the Strong"}, status=200)
    given_up(api, table)
    settle(api)
    go(api, me, "Solveig the Strong")
    for name in ("Solveig the Strong", "So1veig the Strong"):
        assert taken(name)
    with psycopg.connect(conninfo(module_database), autocommit=True) as rows:
        rows.execute("UPDATE looks SET held_until = held_until - interval '365 days' WHERE held_until IS NOT NULL")
    assert not taken("So1veig the Strong"), "a year later"
    assert taken("Solveig the Strong"), "and now that one is"


def test_a_name_that_nobody_played_under_is_free_at_once(api: Api) -> None:
    me = api.register("Tilde the Brief")
    api.problem("POST", "/v1/players", 422, "invalid_field", json={"name": "Ti1de the Brief"})
    go(api, me, "Tilde the Brief")
    api.register("Tilde the Brief")


def test_a_name_that_another_has_stays_theirs(api: Api) -> None:
    table = api.table(2, ruleset="claim", **RATED)
    given_up(api, table)
    settle(api)
    go(api, table.people[0], "player 0")
    api.register("player 0")


def test_nobody_is_called_as_if_they_were_gone(api: Api) -> None:
    api.problem("POST", "/v1/players", 422, "invalid_request", json={"name": "Deleted player"})


def test_a_game_that_cannot_be_left_holds_up_no_other(api: Api, module_database: str) -> None:
    broken, sound = api.table(), api.table()
    me = sound.people[1]
    with psycopg.connect(conninfo(module_database), autocommit=True) as rows:
        for table in ("seats", "awaited"):
            change = f"UPDATE {table} SET player_id = %s WHERE player_id = %s".encode()
            rows.execute(change, [me.id, broken.people[1].id])
        rows.execute("UPDATE games SET ruleset_version = '99.0.0' WHERE id = %s", [broken.game])
        go(api, me, "player 1")
        with pytest.raises(Exception, match="99"):
            settle(api)
        assert api.get(sound.path)["seats"][1]["resigned_at"] is not None
        version = rows.execute("SELECT ruleset_version FROM games WHERE id = %s", [sound.game]).fetchone()
        assert version is not None
        rows.execute("UPDATE games SET ruleset_version = %s WHERE id = %s", [version[0], broken.game])
    settle(api)
    assert api.get(broken.path)["seats"][1]["resigned_at"] is not None


def test_challenges_go_with_it(api: Api) -> None:
    me, one, other = (api.register(name) for name in ("Ulv", "Vigdis", "Wiglaf"))
    terms = {"ruleset": "claim"}
    asked = api.call("POST", "/v1/challenges", token=me.token, json={**terms, "players": [one.id]}, status=201)
    was_asked = api.call("POST", "/v1/challenges", token=other.token, json={**terms, "players": [me.id]}, status=201)
    go(api, me, "Ulv")
    of_one = api.get(f"/v1/challenges/{asked.get_json()['id']}", one.token)
    of_other = api.get(f"/v1/challenges/{was_asked.get_json()['id']}", other.token)
    assert (of_one["status"], of_other["status"]) == ("withdrawn", "declined")
    assert "Ulv" not in json.dumps([of_one, of_other])


def test_tournaments_are_left(api: Api, module_database: str) -> None:
    event = made(cast("PostgresStore", store_of(api)), people=2)
    me = api.register("Yrsa")
    with store_of(api).transaction() as tables:
        entering.join(tables, authenticate(tables, me.token), event.ident)
    assert len(event.entries()) == 3
    go(api, me, "Yrsa")
    settle(api)
    assert event.read().status == "open"
    assert len(event.entries()) == 2
    with psycopg.connect(conninfo(module_database), autocommit=True) as rows:
        maker = Person(str(event.maker.player), event.secrets[event.maker.player], "")
        rows.execute("UPDATE players SET name = 'Maker of cups' WHERE id = %s", [maker.id])
    go(api, maker, "Maker of cups")
    settle(api)
    assert event.read().status == "cancelled", "nobody else could start it"


def test_a_ladder_ends_with_its_maker(api: Api) -> None:
    """Nobody else could end it; tournaments that end by themselves go on."""
    maker = api.register("Ymir")
    paths = {}
    for kind in ("ladder", "swiss"):
        terms = {"ruleset": "claim", "seats": 2, "turn_seconds": 60, "bots": ["random"], "fill_to": 2}
        made = api.call(
            "POST", "/v1/tournaments", token=maker.token, json={"name": "A", "kind": kind, **terms}, status=201
        )
        paths[kind] = f"/v1/tournaments/{made.get_json()['id']}"
        api.call("POST", f"{paths[kind]}/start", token=maker.token, json={}, status=200)
    go(api, maker, "Ymir")
    settle(api)
    assert {kind: api.get(path)["status"] for kind, path in paths.items()} == {"ladder": "cancelled", "swiss": "active"}


def test_many_who_go_at_once_all_leave(api: Api) -> None:
    table = api.table()
    gone = [api.register("Xenia") for _ in range(2 * PLAYERS_AT_ONCE)] + [table.people[2]]
    for person in gone:
        go(api, person, api.get(f"/v1/players/{person.id}")["name"])
    depart = Departing(store_of(api))
    for _ in range(9):
        depart()
    assert api.get(table.path)["seats"][2]["resigned_at"] is not None
    assert not depart(), "and all rest, until what was on its way has come"
