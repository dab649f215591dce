"""When tokens were last used: told to their player, by the hour, and written no more often."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

import psycopg
import pytest

from holmgang.app.errors import DatabaseUnavailable
from holmgang.engine.messages import say
from holmgang.store.database import PostgresStore, conninfo

from .calling import Api, Person
from .test_presence import forget, hide, write

if TYPE_CHECKING:
    from collections.abc import Iterator
HOUR = timedelta(hours=1)


@pytest.fixture
def rows(module_database: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(conninfo(module_database), autocommit=True) as rows:
        yield rows


def another(api: Api, person: Person, **more: Any) -> dict[str, Any]:
    body = {"label": "telephone", "scopes": ["read", "play"], **more}
    made: dict[str, Any] = api.call("POST", "/v1/me/tokens", token=person.token, json=body, status=201).get_json()
    return made


def used(api: Api, person: Person, ident: str) -> datetime | None:
    """As the player is told, by the list and by itself."""
    listed = {one["id"]: one["last_used_at"] for one in api.get("/v1/me/tokens", person.token)["items"]}
    assert listed[ident] == api.get(f"/v1/me/tokens/{ident}", person.token)["last_used_at"]
    return None if listed[ident] is None else datetime.fromisoformat(listed[ident])


def is_now(hour: datetime | None) -> bool:
    assert hour is not None
    assert (hour.minute, hour.second, hour.microsecond) == (0, 0, 0)
    return timedelta(0) <= datetime.now(UTC) - hour < HOUR + timedelta(minutes=5)


def test_a_token_tells_the_hour_of_its_last_use(api: Api) -> None:
    person = api.register()
    made = another(api, person)
    assert made["last_used_at"] is None
    write(api)
    assert used(api, person, made["id"]) is None, "its player used another one"
    api.get("/v1/me/turns", made["token"])
    write(api)
    assert is_now(used(api, person, made["id"]))


def test_the_one_that_asks_is_used_now_whatever_is_noted(api: Api) -> None:
    person = api.register()
    forget(api)
    assert is_now(used(api, person, person.token_id))


def test_a_row_is_written_once_an_hour(api: Api, rows: psycopg.Connection) -> None:
    person = api.register()
    made = another(api, person)

    def row() -> Any:
        return rows.execute("SELECT xmin::text, last_used_at FROM tokens WHERE id = %s", [made["id"]]).fetchone()

    def have(hours: int) -> datetime:
        """It was used so many hours from now."""
        found = rows.execute(
            "UPDATE tokens SET last_used_at = date_trunc('hour', clock_timestamp(), 'UTC') + make_interval(hours => %s)"
            " WHERE id = %s RETURNING last_used_at",
            [hours, made["id"]],
        ).fetchone()
        assert found is not None
        hour: datetime = found[0]
        return hour

    have(1)  # so that no full hour can strike meanwhile
    before = row()
    for _ in range(3):
        api.get("/v1/me/turns", made["token"])
        write(api)
    assert row() == before
    hour = have(-30)
    assert used(api, person, made["id"]) == hour
    api.get("/v1/me/turns", made["token"])
    write(api)
    assert is_now(row()[1])


def test_each_of_many_tokens_is_noted_and_processes_add_to_it(api: Api, module_database: str) -> None:
    person, stranger = api.register(), api.register()
    tokens = [another(api, person) for _ in range(4)]
    forget(api)
    other = Api(module_database)
    try:
        for process, which in ((api, (0, 1)), (other, (1, 2))):
            for n in which:
                process.get("/v1/me/turns", tokens[n]["token"])
        write(other)
        write(api)
    finally:
        other.close()
    assert [used(api, person, one["id"]) is not None for one in tokens] == [True, True, True, False]
    assert [one["id"] for one in api.get("/v1/me/tokens", stranger.token)["items"]] == [stranger.token_id]


def test_nobody_waits_for_who_holds_a_token(api: Api, module_database: str) -> None:
    """Such as whoever revokes it: waiting for many at once, some would wait for each other."""
    person = api.register()
    held, free = another(api, person), another(api, person)
    for one in (held, free):
        api.get("/v1/me/turns", one["token"])
    with psycopg.connect(conninfo(module_database)) as holder:
        holder.execute("SELECT FROM tokens WHERE id = %s FOR UPDATE", [held["id"]])
        write(api)
        assert is_now(used(api, person, free["id"]))
        assert used(api, person, held["id"]) is None


def test_what_is_written_late_does_not_take_back_what_is_known(api: Api) -> None:
    person = api.register()
    made = another(api, person)
    api.get("/v1/me/turns", made["token"])
    write(api)
    before = used(api, person, made["id"])
    with api.app.extensions["holmgang"].store.reading() as tables:
        tables.note_use({(UUID(person.id), UUID(made["id"])): 90_000.0})
    assert used(api, person, made["id"]) == before is not None


def test_a_token_for_a_seat_and_one_of_who_hides_are_noted_too(api: Api) -> None:
    table = api.table(2, ruleset="claim")
    person = table.people[0]
    hide(api, person, True)
    made = another(api, person, game=table.game)
    api.call("GET", f"{table.path}/turn", token=made["token"], status=304, If_None_Match="*")
    write(api)
    assert is_now(used(api, person, made["id"]))


def test_what_is_refused_or_revoked_is_no_use(api: Api, rows: psycopg.Connection) -> None:
    person = api.register()
    expired, revoked = another(api, person), another(api, person)
    forget(api)
    rows.execute("UPDATE tokens SET expires_at = clock_timestamp() WHERE id = %s", [expired["id"]])
    api.problem("GET", "/v1/me", 401, "token_expired", token=expired["token"])
    api.get("/v1/me", revoked["token"])
    api.call("DELETE", f"/v1/me/tokens/{revoked['id']}", token=person.token, status=204)
    write(api)
    assert used(api, person, expired["id"]) is None
    assert rows.execute("SELECT FROM tokens WHERE id = %s", [revoked["id"]]).fetchone() is None


def test_a_fault_of_the_database_loses_nothing(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    person = api.register()
    made = another(api, person)
    api.get("/v1/me/turns", made["token"])
    with monkeypatch.context() as away:

        def refuse(_: Any) -> Any:
            raise DatabaseUnavailable(say("away"))

        away.setattr(PostgresStore, "reading", refuse)
        write(api)
    assert used(api, person, made["id"]) is None
    write(api)
    assert is_now(used(api, person, made["id"]))
