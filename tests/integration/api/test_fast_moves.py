"""Moves that are made before the application sees them: the same answers, headers, refusals and faults."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import pytest

from holmgang.app.play import submissions
from holmgang.app.reading import queries

from .calling import Api, Table

APART = "dry_run=false"
"""Asks for nothing more, but for the application."""


@pytest.fixture(scope="module")
def table(api: Api) -> Table:
    return api.table()


def _told(answer: Any) -> dict[str, Any]:
    told = dict(answer.get_json())
    del told["request_id"]
    return told


def test_a_move_is_made_without_the_application(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    table = api.table()
    mine, theirs = (
        {"turn": turn["turn"], "action": turn["legal"]["sample"]} for turn in (table.turn(0), table.turn(1))
    )
    path = f"{table.path}/submissions"
    apart = api.call("POST", f"{path}?{APART}", token=table.token(1), json=theirs, status=201)
    with monkeypatch.context() as patch:
        patch.setattr(api.app, "full_dispatch_request", Mock(side_effect=AssertionError("the application was asked")))
        made = api.call("POST", path, token=table.token(0), json=mine, status=201)
        again = api.call("POST", path, token=table.token(0), json=mine, status=200)
    assert made.get_json() == again.get_json()
    assert made.headers["Location"] == f"{path}/{made.get_json()['id']}"
    assert "Location" not in again.headers
    assert api.get(made.headers["Location"], table.token(0)) == made.get_json()
    assert made.get_json().keys() == apart.get_json().keys()
    assert set(made.headers.keys()) == set(apart.headers.keys())
    for name in ("Cache-Control", "Vary", "Content-Type", "RateLimit-Policy"):
        assert made.headers[name] == apart.headers[name]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff",
        b"[1, 2]",
        b"5",
        b"null",
        b'{"turn": 1}',
        b'{"turn": 1, "action": null}',
        b'{"turn": 1, "action": {}, "more": 1}',
        b'{"turn": 1, "more": 1}',
        b'{"turn": "1", "action": {}}',
        b'{"turn": true, "action": {}}',
        b'{"turn": 1.5, "action": {}}',
        b'{"turn": -1, "action": {}}',
        b'{"turn": 99999999999999, "action": {}}',
        b'{"turn": 1, "turn": 1, "action": {}}',
        b'{"turn": 1, "action": NaN}',
        b'{"turn": 1, "action": "\\u0000"}',
        b'{"turn": 1.0, "action": {}}',
        b'{"turn": 1, "action": 7}',
        b'{"turn": 9, "action": {"type": "nothing"}}',
        b'{"turn": 1, "action": ' + b"[" * 70 + b"]" * 70 + b"}",
    ],
)
@pytest.mark.parametrize("token", ["theirs", "made up", None])
def test_what_is_refused_is_refused_alike(api: Api, table: Table, body: bytes, token: str | None) -> None:
    secret = table.token(0) if token == "theirs" else token and f"hg_{token.replace(' ', '')}"
    plain, apart = (
        api.call("POST", f"{table.path}/submissions{query}", token=secret, body=body, Content_Type="application/json")
        for query in ("", f"?{APART}")
    )
    assert plain.status_code == apart.status_code >= 400
    assert _told(plain) == _told(apart)


@pytest.mark.parametrize(
    "headers",
    [
        {"Content_Type": "text/plain"},
        {"Content_Type": "application/json; charset=latin-1"},
        {"Content_Type": "application/json", "Content_Encoding": "gzip"},
        {"Content_Type": "application/json", "Authorization": "Bearer"},
        {"Content_Type": "application/json", "Idempotency_Key": "\x7f"},
    ],
)
def test_odd_headers_are_refused_alike(api: Api, table: Table, headers: dict[str, str]) -> None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    sent = {"Authorization": f"Bearer {table.token(0)}", **named}
    plain, apart = (
        api.client.post(f"{table.path}/submissions{query}", data=b'{"turn": 1, "action": {}}', headers=sent)
        for query in ("", f"?{APART}")
    )
    assert plain.status_code == apart.status_code >= 400
    assert _told(plain) == _told(apart)


def test_a_body_that_is_too_large_is_refused_alike(api: Api, table: Table) -> None:
    body = b'{"turn": 1, "action": "' + b"a" * 1_100_000 + b'"}'
    problem = api.call(
        "POST", f"{table.path}/submissions", token=table.token(0), body=body, Content_Type="application/json"
    )
    assert problem.status_code == 413


@pytest.mark.parametrize("raised", [ZeroDivisionError, SystemExit, KeyboardInterrupt])
def test_a_fault_is_answered_by_the_application(
    api: Api, table: Table, monkeypatch: pytest.MonkeyPatch, raised: type[BaseException]
) -> None:
    monkeypatch.setattr(submissions, "submit", Mock(side_effect=raised("the inner secret")))
    monkeypatch.setattr(queries, "view", Mock(side_effect=raised("the inner secret")))
    for method, part, body in (("POST", "submissions", {"turn": 1, "action": {}}), ("GET", "view", None)):
        answer = api.call(method, f"{table.path}/{part}", token=table.token(0), json=body, status=500)
        assert answer.get_json()["code"] == "internal_error"
        assert "secret" not in answer.get_data(as_text=True)
