"""Integers that are written with a fraction, and texts with more at an end, in every place where the API reads one."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psycopg
import pytest

from holmgang.api.operation.fields import Count
from holmgang.api.operation.input import read_json
from holmgang.app.fairness.claims import read_record
from holmgang.app.fairness.verify import verify
from tests.api_document import api_document, parameters
from tests.documents import bodies

from .calling import Api, Table

if TYPE_CHECKING:
    from marshmallow import Schema

COUNTS = [
    (body, name, field) for body in bodies() for name, field in body().load_fields.items() if type(field) is Count
]
ENDS = ("\n", "\r\n", "\u2028", " ", "\0")
OPERATIONS = [
    (verb.upper(), path, operation)
    for path, verbs in api_document()["paths"].items()
    for verb, operation in verbs.items()
]


@pytest.fixture(scope="module")
def api(module_database: str) -> Iterator[Api]:
    api = Api(module_database, rate_limit=10**9, rate_limit_polls=10**9, rate_limit_moves=10**9)
    yield api
    api.close()


def bounds(field: Count) -> Any:
    return next(check for check in field.validators if hasattr(check, "max"))


@pytest.mark.parametrize(("body", "name", "field"), COUNTS, ids=[f"{b.__name__}.{n}" for b, n, _ in COUNTS])
def test_every_integer_of_every_body(body: type[Schema], name: str, field: Count) -> None:
    schema, within = body(), bounds(field)
    for value in (within.min, within.max):
        for text in (f"{value}", f"{value}.0", f"{value}e0", f"{value}.000E+0", f"{value * 10}e-1"):
            read = schema.fields[name].deserialize(read_json(text.encode()))
            assert type(read) is int
            assert read == value
        for text in (f"{value}.5", "true", f'"{value}"', f'"{value}.0"', "[]", "{}", "1e-400"):
            (said,) = schema.validate({name: read_json(text.encode())})[name]
            assert said.startswith(f"Must be a whole number from {within.min} to {within.max}, not ")


def test_integers_with_a_fraction_in_every_call_of_a_game(api: Api) -> None:
    """As a client sends them that has floats only: the same answers, and the same kept values."""
    people = [api.register(f"float {seat}") for seat in range(3)]
    wanted = {
        "ruleset": "eketorp",
        "seats": 3.0,
        "turn_seconds": 3600.0,
        "join": False,
        "options": {"first_player": 1.0},
        "visibility": "private",
    }
    game = api.call("POST", "/v1/games", token=people[0].token, json=wanted, status=201).get_json()
    assert (game["seats"] if isinstance(game["seats"], int) else len(game["seats"])) == 3
    assert "3.0" not in json.dumps(game)
    assert game["options"]["first_player"] == 1
    path = f"/v1/games/{game['id']}"
    terms = {"uses": 2.0, "expires_in": 3.6e3}
    secret = api.call("POST", f"{path}/invitations", token=people[0].token, json=terms, status=201).get_json()["secret"]
    for seat, person in enumerate(people):
        body = {"seat": float(seat)} | ({} if seat == 0 else {"invitation": secret})
        api.call("POST", f"{path}/seats", token=person.token, json=body, status=201)
    table = Table(api, game["id"], people)
    asked = table.turn(0)["turn"]
    whole = {"turn": asked, "action": {"type": "place", "fields": {"A": 2, "B": 1}, "sieges": []}}
    floats = b'{"turn": %d.0, "action": {"type": "place", "fields": {"A": 2e0, "B": 10e-1}, "sieges": []}}' % asked
    call = {"token": people[0].token, "Content_Type": "application/json"}
    receipt = api.call("POST", f"{path}/submissions", body=floats, status=201, **call).get_json()
    assert receipt["action"] == whole["action"]
    assert "2.0" not in json.dumps(receipt)
    assert table.submit(0, whole, status=200).get_json() == receipt
    assert api.call("POST", f"{path}/submissions", body=floats, status=200, **call).get_json() == receipt
    dry = api.call("POST", f"{path}/submissions?dry_run=true", body=floats, status=200, **call).get_json()
    assert "2.0" not in json.dumps(dry)
    changed = (
        b'{"turn": %d.0, "revision": 1.0, "action": {"type": "place", "fields": {"A": 3.0}, "sieges": []}}' % asked
    )
    replaced = api.call("PUT", f"{path}/submissions/{receipt['id']}", body=changed, status=200, **call).get_json()
    assert (replaced["revision"], replaced["action"]["fields"]) == (2, {"A": 3})
    half = {"turn": asked, "action": {"type": "place", "fields": {"A": 2.5}, "sieges": []}}
    told = table.submit(1, half, status=422).get_json()
    assert told["code"] == "malformed_action"
    assert told["detail"] == "'fields/A' must be a whole number from 1 to 8, not 2.5."
    assert told["errors"][0]["pointer"] == "/action/fields/A"


def test_a_record_of_floats_is_the_games_own(api: Api, finished: Table) -> None:
    record = api.get(f"{finished.path}/record", finished.token(0))
    floats = json.dumps(record, default=str)
    read = read_record(json.dumps(json.loads(floats, parse_int=float)).encode())
    verdict = verify(read)
    assert verdict.holds, verdict.difference


@pytest.fixture(scope="module")
def table(api: Api) -> Table:
    return api.table()


def _ended(value: Any) -> Iterator[Any]:
    """Copies of a body, each with more at an end of one text or key."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for at, member in members:
        changed = [*_ended(member)]
        if isinstance(member, str):
            changed += [f"{member}{end}" for end in ENDS] + [f"{end}{member}" for end in ENDS]
        for other in changed:
            copied = copy.copy(value)
            copied[at] = other
            yield copied
        if isinstance(value, dict):
            for end in ENDS:
                yield {f"{key}{end}" if key == at else key: each for key, each in value.items()}


def _path(table: Table, path: str, operation: Any, end: str = "", at: str = "") -> str:
    for one in parameters(operation):
        if one["in"] == "path":
            known = {"game": table.game, "player": table.people[0].id, "token": table.people[0].token_id}
            text = str(known.get(one["name"], one["example"]))
            path = path.replace("{" + one["name"] + "}", quote(text + (end if one["name"] == at else ""), safe=""))
    return path


@pytest.mark.parametrize(
    ("verb", "path", "operation"), OPERATIONS, ids=[each["operationId"] for *_, each in OPERATIONS]
)
def test_no_end_is_let_through_a_path_or_a_query(api: Api, table: Table, verb: str, path: str, operation: Any) -> None:
    token = table.people[2].token
    for end in ENDS:
        for one in parameters(operation):
            where, name = one["in"], one["name"]
            if where == "path":
                answer = api.call(verb, _path(table, path, operation, end, name), token=token)
                assert answer.status_code in (400, 404, 405), (name, end)
            elif where == "query" and (
                isinstance(one["schema"].get("type"), str) and one["schema"]["type"] != "string"
            ):
                value = {"boolean": "true", "integer": "1"}[one["schema"]["type"]]
                for wrong in (value + end, end + value, f"{value}.0"):
                    answer = api.call(verb, f"{_path(table, path, operation)}?{name}={quote(wrong)}", token=token)
                    assert 400 <= answer.status_code < 500, (name, wrong)
        answer = api.call(verb, _path(table, path, operation) + quote(end), token=token)
        assert answer.status_code in (400, 404, 405), end


@pytest.mark.parametrize(
    ("verb", "path", "operation"),
    [each for each in OPERATIONS if "requestBody" in each[2]],
    ids=[each["operationId"] for *_, each in OPERATIONS if "requestBody" in each],
)
def test_texts_with_more_at_an_end_are_refused_or_what_they_say(
    api: Api, table: Table, verb: str, path: str, operation: Any
) -> None:
    person = api.register("ends")
    for example in operation["requestBody"]["content"]["application/json"]["examples"].values():
        for body in _ended(example["value"]):
            answer = api.call(verb, _path(table, path, operation), token=person.token, json=body)
            assert answer.status_code < 500, body
            if answer.status_code < 300:
                kept = set(_texts(answer.get_json()))
                assert all(text == text.rstrip("\n\r\0") for text in kept), body


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(member)


def test_a_name_in_an_action_ends_where_it_ends(api: Api, table: Table) -> None:
    turn = table.turn(1)["turn"]
    for end in ENDS:
        body = {"turn": turn, "action": {"type": "place", "fields": {}, "sieges": [f"0:boat{end}"]}}
        status, code = (400, "malformed_request") if end == "\0" else (422, "malformed_action")
        assert table.submit(1, body, status=status).get_json()["code"] == code


def test_a_game_that_was_taken_with_three_kinds_on_a_field_goes_on(api: Api, module_database: str) -> None:
    """E1.5: a deck of before the check, in a game that is created, begun, played, ended and verified after it."""
    table = api.table(taken=1)
    cards = ["A g2, A w2, A c2, B g2, B w2, B c2"] * 12
    with psycopg.connect(module_database, autocommit=True) as rows:
        told = rows.execute(
            "UPDATE games SET options = jsonb_set(options::jsonb, '{material_cards}', %s::jsonb) WHERE id = %s",
            [json.dumps(cards), table.game],
        )
        assert told.rowcount == 1
    for seat in (1, 2):
        api.call("POST", f"{table.path}/seats", token=table.token(seat), json={"seat": seat}, status=201)
    table.play(3)
    assert len(table.receipts) >= 3
    for seat in (0, 1):
        api.call("POST", f"{table.path}/resignations", token=table.token(seat), json={}, status=201)
    record = api.get(f"{table.path}/record", table.token(0))
    assert record["options"]["material_cards"] == cards
    verdict = verify(read_record(json.dumps(record).encode()))
    assert verdict.difference is None or verdict.difference.where == "/commitment"
    wanted = {"ruleset": "eketorp", "seats": 3, "options": {"material_cards": cards}}
    told = api.call("POST", "/v1/games", token=table.token(0), json=wanted, status=422).get_json()
    assert (told["code"], told["rule"]) == ("invalid_option", "E1.5")
    assert told["errors"][0]["pointer"] == "/options/material_cards/0"
