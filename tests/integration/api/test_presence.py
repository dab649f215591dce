"""Who is there: told to those at the table, by the minute, and not of those who hide it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import TYPE_CHECKING, Any
from uuid import UUID

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from holmgang.app.errors import DatabaseUnavailable
from holmgang.engine.messages import say
from holmgang.store.database import PostgresStore, conninfo
from holmgang.worker.departing import Departing
from tests.waiting import wait_until

from .calling import Api, Person, Table

if TYPE_CHECKING:
    from collections.abc import Iterator
MINUTE = timedelta(minutes=1)


def write(api: Api) -> None:
    """What the server does once a minute, and in the end."""
    api.app.note_presence()  # type: ignore[attr-defined]


def forget(api: Api) -> None:
    """What is in memory alone goes with the process, as after a kill -9."""
    api.app.extensions["holmgang.process"].presence._seen.clear()


def seen(api: Api, table: Table, seat: int = 0) -> list[tuple[str, str | None]]:
    found = api.get(f"{table.path}/presence", table.token(seat))
    assert found["game"] == table.game
    return [(one["status"], one["away_since"]) for one in found["seats"]]


@pytest.fixture
def rows(module_database: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(make_conninfo(conninfo(module_database), options="-c timezone=UTC"), autocommit=True) as rows:
        yield rows


def at(rows: psycopg.Connection, person: Person, minutes: int) -> datetime:
    """Have somebody last been there so many minutes ago."""
    found = rows.execute(
        "UPDATE presence SET minute = date_trunc('minute', clock_timestamp()) - make_interval(mins => %s)"
        " WHERE player_id = %s RETURNING minute",
        [minutes, person.id],
    ).fetchone()
    assert found is not None
    minute: datetime = found[0]
    return minute


def noted(rows: psycopg.Connection, person: Person) -> datetime | None:
    found = rows.execute("SELECT minute FROM presence WHERE player_id = %s", [person.id]).fetchone()
    return None if found is None else found[0]


def test_those_at_the_table_see_who_is_there(api: Api, rows: psycopg.Connection) -> None:
    table = api.table()
    forget(api)
    assert seen(api, table) == [("here", None), ("away", None), ("away", None)], "nothing has been written down yet"
    api.get("/v1/me", table.token(1))
    write(api)
    assert seen(api, table) == [("here", None), ("here", None), ("away", None)]
    assert seen(api, table, 2) == [("here", None), ("here", None), ("here", None)]


def test_it_is_noted_and_told_by_the_minute(api: Api, rows: psycopg.Connection) -> None:
    table = api.table(2, ruleset="claim")
    write(api)
    minute = noted(rows, table.people[1])
    assert minute is not None
    assert (minute.second, minute.microsecond) == (0, 0)
    assert timedelta(0) <= datetime.now(UTC) - minute < 2 * MINUTE
    at(rows, table.people[1], 1)
    assert seen(api, table)[1] == ("here", None), "a wait and a turn of writing it down are no absence"
    then = at(rows, table.people[1], 7)
    status, since = seen(api, table)[1]
    assert (status, datetime.fromisoformat(str(since))) == ("away", then)


def test_what_is_written_late_does_not_take_back_what_is_known(api: Api, rows: psycopg.Connection) -> None:
    person = api.register()
    api.get("/v1/me", person.token)
    write(api)
    before = noted(rows, person)
    with api.app.extensions["holmgang"].store.reading() as tables:
        tables.note_presence({UUID(person.id): 600.0})
    assert noted(rows, person) == before is not None


def test_processes_write_down_what_each_has_seen(api: Api, module_database: str, rows: psycopg.Connection) -> None:
    table = api.table()
    forget(api)
    other = Api(module_database)
    try:
        other.get(f"{table.path}/turn", table.token(1))
        api.get(f"{table.path}/turn", table.token(2))
        write(other)
        assert seen(api, table) == [("here", None), ("here", None), ("away", None)]
        write(api)
        assert seen(other, table, 1) == [("here", None), ("here", None), ("here", None)]
    finally:
        other.close()


def test_a_process_that_is_killed_takes_a_minute_with_it_and_nothing_else(api: Api, rows: psycopg.Connection) -> None:
    table = api.table(2, ruleset="claim")
    write(api)
    before = noted(rows, table.people[1])
    at(rows, table.people[1], 30)
    api.get("/v1/me", table.token(1))
    forget(api)
    write(api)
    assert seen(api, table)[1][0] == "away", "what was not written down is lost"
    assert seen(api, table, 1)[1] == ("here", None)
    write(api)
    minute = noted(rows, table.people[1])
    assert before is not None
    assert minute is not None
    assert minute >= before


@pytest.mark.parametrize(
    "asks",
    [
        {"path": "/v1/me"},
        {"path": "{game}/turn", "If_None_Match": "*"},
        {"path": "{game}/view"},
        {"path": "{game}/turn?wait=1", "If_None_Match": "*"},
        {"path": "/v1/me/turns?wait=1"},
        {"path": "{game}/presence"},
    ],
    ids=lambda asks: asks["path"],
)
def test_whatever_they_ask_for_they_are_there(api: Api, rows: psycopg.Connection, asks: dict[str, str]) -> None:
    table = api.table()
    forget(api)
    headers: dict[str, Any] = {name: value for name, value in asks.items() if name != "path"}
    answer = api.call("GET", asks["path"].format(game=table.path), token=table.token(1), **headers)
    assert answer.status_code in (200, 304)
    write(api)
    assert noted(rows, table.people[1]) is not None
    assert noted(rows, table.people[0]) is None


def test_a_move_is_one_of_them(api: Api, rows: psycopg.Connection) -> None:
    table = api.table()
    choice = table.choice(2)
    forget(api)
    table.submit(2, choice, status=201)
    write(api)
    assert noted(rows, table.people[2]) is not None


def test_who_follows_a_stream_is_there_whenever_it_looks(api: Api, rows: psycopg.Connection) -> None:
    table = api.table()
    headers = {"Authorization": f"Bearer {table.token(1)}", "Accept": "text/event-stream"}
    answer = api.app.test_client().get(f"{table.path}/events", headers=headers, buffered=False)
    lines = iter(answer.response)
    assert b"retry" in next(lines)
    forget(api)
    assert b"data" in next(lines)
    answer.close()
    write(api)
    assert noted(rows, table.people[1]) is not None


def test_who_waits_is_there_from_the_beginning(module_database: str, rows: psycopg.Connection) -> None:
    """Their request ends after most of a minute."""
    api = Api(module_database)
    table = api.table()
    tag = api.call("GET", f"{table.path}/turn", token=table.token(1), status=200).headers["ETag"]
    forget(api)
    headers = {"Authorization": f"Bearer {table.token(1)}", "If-None-Match": tag}
    waiter = Thread(target=lambda: api.app.test_client().get(f"{table.path}/turn?wait=50", headers=headers))
    waiter.start()
    try:
        seen = api.app.extensions["holmgang.process"].presence._seen
        me = UUID(table.people[1].id)
        wait_until(lambda: any(player == me for player, _ in list(seen)), "the waiter is noted")
        assert waiter.is_alive()
        write(api)
        assert noted(rows, table.people[1]) is not None
    finally:
        api.app.drain()  # type: ignore[attr-defined]
        waiter.join()
        api.close()


def test_refused_tokens_are_nobody(api: Api, rows: psycopg.Connection) -> None:
    person = api.register()
    api.call("DELETE", f"/v1/me/tokens/{person.token_id}", token=person.token, status=204)
    forget(api)
    api.problem("GET", "/v1/me", 401, "invalid_token", token=person.token)
    write(api)
    assert noted(rows, person) is None


def test_built_in_bots_are_always_there(api: Api) -> None:
    table = api.table(2, ruleset="claim", taken=1)
    api.call("POST", f"{table.path}/seats", token=table.token(0), json={"bot": "random"}, status=201)
    assert seen(api, table) == [("here", None), ("here", None)]


def test_free_seats_are_left_out(api: Api) -> None:
    table = api.table(taken=2)
    found = api.get(f"{table.path}/presence", table.token(1))["seats"]
    assert [one["seat"] for one in found] == [0, 1]


def test_spectators_and_strangers_see_nothing(api: Api) -> None:
    public, private = api.table(), api.table(visibility="private")
    stranger = api.register()
    api.problem("GET", f"{public.path}/presence", 401, "unauthenticated")
    api.problem("GET", f"{public.path}/presence", 403, "not_seated", token=stranger.token)
    api.problem("GET", f"{private.path}/presence", 404, "not_found")
    api.problem("GET", f"{private.path}/presence", 404, "not_found", token=stranger.token)
    secret = api.invite(private)["secret"]
    api.problem("GET", f"{private.path}/presence", 403, "not_seated", token=stranger.token, Holmgang_Invitation=secret)


def hide(api: Api, person: Person, hides: bool) -> None:
    api.call("PATCH", "/v1/me", token=person.token, json={"hides_presence": hides}, status=200)


def test_who_hides_is_hidden_and_is_not_noted(api: Api, rows: psycopg.Connection) -> None:
    table = api.table(2, ruleset="claim")
    write(api)
    me = table.people[1]
    assert api.get("/v1/me", me.token)["hides_presence"] is False
    hide(api, me, True)
    assert noted(rows, me) is None, "what was known is forgotten"
    assert api.get("/v1/me", me.token)["hides_presence"] is True
    write(api)
    assert noted(rows, me) is None
    assert seen(api, table) == [("here", None), ("hidden", None)]
    assert seen(api, table, 1) == [("here", None), ("hidden", None)], "as the others see them"
    api.call("PATCH", "/v1/me", token=me.token, json={"name": "Another Name"}, status=200)
    assert api.get("/v1/me", me.token)["hides_presence"] is True, "what is left out stays"
    hide(api, me, False)
    write(api)
    assert seen(api, table)[1] == ("here", None)


def test_others_are_not_told_who_hides(api: Api) -> None:
    person = api.register()
    before = api.get(f"/v1/players/{person.id}")
    hide(api, person, True)
    assert api.get(f"/v1/players/{person.id}") == before


def test_nothing_is_left_of_a_deleted_account(api: Api, rows: psycopg.Connection) -> None:
    table = api.table(2, ruleset="claim")
    write(api)
    me = table.people[1]
    api.get("/v1/me", me.token)
    api.call("DELETE", "/v1/me", token=me.token, json={"name": "player 1"}, status=204)
    assert noted(rows, me) is None
    write(api)
    assert noted(rows, me) is None, "a process that has seen them last writes it down no more"
    rows.execute("INSERT INTO presence VALUES (%s, clock_timestamp())", [me.id])  # one that was just writing did
    rows.execute("UPDATE players SET deleted_at = deleted_at - interval '2 minutes' WHERE id = %s", [me.id])
    depart = Departing(api.app.extensions["holmgang"].store)
    while depart():
        pass
    assert noted(rows, me) is None


def test_a_fault_of_the_database_refuses_nothing_and_loses_nobody(
    api: Api, rows: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = api.register()
    forget(api)
    api.get("/v1/me", person.token)
    with monkeypatch.context() as away:

        def refuse(_: Any) -> Any:
            raise DatabaseUnavailable(say("away"))

        away.setattr(PostgresStore, "reading", refuse)
        write(api)
    assert noted(rows, person) is None
    write(api)
    assert noted(rows, person) is not None
