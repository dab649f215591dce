"""The export of all of one's finished games: what is in it, and what it takes."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

import psycopg
import pytest

from holmgang.api.http import exports
from holmgang.api.http.process import EXTENSION
from holmgang.app.errors import DatabaseUnavailable
from holmgang.app.fairness.claims import read_record
from holmgang.app.fairness.verify import verify
from holmgang.app.reading import exports as reading
from holmgang.engine.messages import say
from holmgang.store.database import conninfo

from .calling import Api, Person, Table

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

PATH = "/v1/me/games/export"


@pytest.fixture(scope="module")
def api(module_database: str) -> Iterator[Api]:
    """Exports are dear, and these tests ask for many."""
    api = Api(module_database, rate_limit=10**6)
    yield api
    api.close()


@pytest.fixture(scope="module")
def me(api: Api, module_database: str) -> tuple[Person, list[Table]]:
    """Seat 1 of five finished games, of which one is private, and of one that is not over."""
    person, tables = api.table(2, ruleset="claim").people[1], []
    for n in range(5):
        table = api.table(2, ruleset="claim", visibility="private" if n == 1 else "public")
        api.call("POST", f"{table.path}/resignations", token=table.token(0), json={}, status=201)
        tables.append(table)
    with psycopg.connect(conninfo(module_database), autocommit=True) as rows:
        for table in tables:
            rows.execute("UPDATE seats SET player_id = %s WHERE player_id = %s", [person.id, table.people[1].id])
    return person, tables


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "AT_ONCE", 2)
    monkeypatch.setattr(exports, "PAUSES", (0.0, 0.0))


def lines(answer: TestResponse) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer.get_data(as_text=True).splitlines()]


def ids(answer: TestResponse) -> list[str]:
    return [line["game"] for line in lines(answer)]


def test_each_line_is_a_record(api: Api, me: tuple[Person, list[Table]]) -> None:
    person, tables = me
    answer = api.call("GET", PATH, token=person.token, status=200)
    assert answer.mimetype == "application/x-ndjson"
    assert "Content-Length" not in answer.headers
    assert ids(answer) == [table.game for table in tables]
    for line, table in zip(lines(answer), tables, strict=True):
        assert line == api.get(f"{table.path}/record", person.token)
        assert verify(read_record(json.dumps(line).encode())).holds


def test_an_archive_has_the_same_lines(api: Api, me: tuple[Person, list[Table]]) -> None:
    person, _ = me
    answer = api.call("GET", PATH, token=person.token, status=200, Accept="application/zip")
    assert answer.mimetype == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.get_data())) as archive:
        assert archive.testzip() is None
        text = b"".join(archive.read(name) for name in archive.namelist())
    assert text == api.call("GET", PATH, token=person.token, status=200).get_data()


def test_an_archive_has_a_file_for_each_month() -> None:
    created = (1_700_000_000, 1_700_000_001, 1_703_000_000, 1_735_689_599, 1_735_689_600)
    games = [UUID(int=(1000 * at << 80) + n) for n, at in enumerate(created)]
    whole = b"".join(exports.archived(iter([exports.Line(game, b"%d\n" % n) for n, game in enumerate(games)])))
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    assert found == {
        "2023-11.ndjson": b"0\n1\n",
        "2023-12.ndjson": b"2\n",
        "2024-12.ndjson": b"3\n",
        "2025-01.ndjson": b"4\n",
    }
    with zipfile.ZipFile(io.BytesIO(b"".join(exports.archived(iter([]))))) as archive:
        assert archive.namelist() == []


def test_an_export_goes_on_after_a_game(api: Api, me: tuple[Person, list[Table]]) -> None:
    person, tables = me
    games = [table.game for table in tables]
    for n, game in enumerate(games):
        assert ids(api.call("GET", f"{PATH}?cursor={game}", token=person.token, status=200)) == games[n + 1 :]


def test_games_are_exported_by_when_they_ended(api: Api, me: tuple[Person, list[Table]]) -> None:
    person, tables = me
    games = [table.game for table in tables]
    ended = [api.get(table.path, person.token)["ended_at"] for table in tables]
    for n in range(5):
        since = api.call("GET", f"{PATH}?since={ended[n]}", token=person.token, status=200)
        assert ids(since) == games[n:]
        until = api.call("GET", f"{PATH}?until={ended[n]}", token=person.token, status=200)
        assert ids(until) == games[:n]


def test_who_has_finished_no_game_gets_nothing(api: Api) -> None:
    answer = api.call("GET", PATH, token=api.register().token, status=200)
    assert answer.get_data() == b""


def parts(api: Api, token: str) -> Generator[bytes, None, None]:
    answer = api.client.open(PATH, headers={"Authorization": f"Bearer {token}"}, buffered=False)
    assert answer.status_code == 200
    try:
        yield from cast("Iterator[bytes]", answer.response)
    finally:
        answer.close()


def test_while_it_is_sent_it_holds_nothing(api: Api, me: tuple[Person, list[Table]]) -> None:
    person, _ = me
    store, process = api.app.extensions["holmgang"].store, api.app.extensions[EXTENSION]
    sent = parts(api, person.token)
    for _ in range(3):
        next(sent)
        assert store.pool_figures().connections["used"] == 0
        assert process.admission._free == store.pool.max_size
        assert process.exporting.taken() == 1
    sent.close()


def test_a_token_that_is_revoked_exports_no_further(api: Api, me: tuple[Person, list[Table]]) -> None:
    person, _ = me
    body = {"label": "t", "scopes": ["read"]}
    made = api.call("POST", "/v1/me/tokens", token=person.token, json=body, status=201).get_json()
    sent = parts(api, made["token"])
    next(sent), next(sent)
    api.call("DELETE", f"/v1/me/tokens/{made['id']}", token=person.token, status=204)
    with pytest.raises(ConnectionResetError):
        next(sent)


def test_an_export_outlives_faults_of_the_database_that_pass(
    api: Api, me: tuple[Person, list[Table]], monkeypatch: pytest.MonkeyPatch
) -> None:
    person, _ = me
    store = api.app.extensions["holmgang"].store
    whole, faults, real = list(parts(api, person.token)), [2], store.reading

    def reading() -> Any:
        if faults[0]:
            faults[0] -= 1
            raise DatabaseUnavailable(say("The database does not answer at this moment. Try again."))
        return real()

    sent = parts(api, person.token)
    got = [next(sent), next(sent)]
    monkeypatch.setattr(store, "reading", reading)
    assert got + list(sent) == whole
    monkeypatch.setattr(store, "reading", real)
    sent = parts(api, person.token)
    next(sent), next(sent)
    monkeypatch.setattr(store, "reading", reading)
    faults[0] = 3
    with pytest.raises(ConnectionResetError):
        next(sent)


def test_a_player_has_not_any_number_of_exports_at_once(api: Api, me: tuple[Person, list[Table]]) -> None:
    person, _ = me
    room = api.app.extensions[EXTENSION].exporting
    sent = [parts(api, person.token) for _ in range(room._each)]
    for one in sent:
        next(one)
    api.problem("GET", PATH, 503, "busy", token=person.token)
    sent.pop().close()
    assert ids(api.call("GET", PATH, token=person.token, status=200))
    assert room.taken() == len(sent), "who is done leaves the room"
    for one in sent:
        one.close()
    assert room.taken() == 0
