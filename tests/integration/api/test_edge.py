"""What holds for every request: ids, origins, security headers, the log, HEAD, addresses of links."""

from __future__ import annotations

import json
import logging
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from holmgang import logs, registry
from holmgang.api.http.edge import access

from .calling import Api

EVERYWHERE = ("/", "/healthz", "/docs", "/problems", "/v1/games", "/v1/nowhere", "/v1/me", "/v1/rulesets/eketorp")


@pytest.mark.parametrize("path", EVERYWHERE)
def test_every_answer_has_the_common_headers(api: Api, path: str) -> None:
    answer = api.call("GET", path)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    exposed = answer.headers["Access-Control-Expose-Headers"]
    assert {"ETag", "Location", "Link", "Retry-After", "X-Request-ID"} <= set(exposed.split(", "))
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "Cache-Control" in answer.headers
    assert UUID(answer.headers["X-Request-ID"]).version == 7


@pytest.mark.parametrize("given", ["abc-123", "a" * 128, "req:1/2+3=4_5.6"])
def test_a_request_id_is_carried_through(api: Api, given: str) -> None:
    assert api.call("GET", "/v1/nowhere", X_Request_ID=given).headers["X-Request-ID"] == given


@pytest.mark.parametrize("given", ["", "a" * 129, "with blank", "<script>", 'quo"te', "é"])
def test_an_unfit_request_id_is_replaced(api: Api, given: str) -> None:
    assert UUID(api.call("GET", "/healthz", X_Request_ID=given).headers["X-Request-ID"])


SENT = (
    "accept",
    "accept-language",
    "authorization",
    "baggage",
    "cache-control",
    "content-type",
    "holmgang-invitation",
    "idempotency-key",
    "if-none-match",
    "last-event-id",
    "pragma",
    "prefer",
    "traceparent",
    "tracestate",
    "x-request-id",
    "x-requested-with",
)
"""What clients send: ours, libraries for server-sent events, and tracing. `*` does not stand for Authorization."""


@pytest.mark.parametrize("path", ["/v1/games", "/v1/me/turns", "/v1/nowhere"])
def test_a_preflight_is_answered_without_a_token(api: Api, path: str) -> None:
    answer = api.call(
        "OPTIONS",
        path,
        status=204,
        Origin="https://example.org",
        Access_Control_Request_Method="POST",
        Access_Control_Request_Headers="authorization,idempotency-key",
    )
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert {"GET", "POST", "PUT", "DELETE"} <= set(answer.headers["Access-Control-Allow-Methods"].split(", "))
    allowed = answer.headers["Access-Control-Allow-Headers"].lower().split(", ")
    assert set(SENT) <= set(allowed)
    assert "*" in allowed, "and what else a client may think of"


def test_head_is_get_without_its_body(api: Api) -> None:
    table = api.table()
    for path in ("/", "/v1/games", f"{table.path}/turn", "/docs", "/v1/rulesets/eketorp"):
        got = api.call("GET", path, status=200)
        head = api.call("HEAD", path, status=200)
        assert head.get_data() == b""
        assert head.headers["Content-Type"] == got.headers["Content-Type"]
        assert head.headers.get("ETag") == got.headers.get("ETag")
    for path, status in (("/v1/nowhere", 404), ("/v1/me", 401), ("/v1/games?a=%00", 400)):
        head = api.call("HEAD", path, status=status)
        assert head.get_data() == b""
        assert head.content_type == "application/problem+json"


def test_the_log_has_a_line_a_request_and_no_token(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    table = api.table()
    tag = api.call("GET", f"{table.path}/turn", token=table.token(0)).headers["ETag"]
    caplog.clear()
    level = access.level
    try:
        access.setLevel(logging.INFO)
        path = f"{table.path}/view?secret=1"
        api.call("GET", path, token=table.token(0), X_Request_ID="here", status=422)
        api.call("GET", f"{table.path}/turn", token=table.token(0), If_None_Match=tag, status=304)
        assert len(caplog.records) == 1, "304s are for level debug"
        access.setLevel(logging.DEBUG)
        api.call("GET", f"{table.path}/turn", token=table.token(0), If_None_Match=tag, status=304)
    finally:
        access.setLevel(level)
    line = access_line(caplog.records[0])
    assert line.pop("ms") >= 0
    assert line == {
        "level": "info",
        "logger": "holmgang.access",
        "event": "request",
        "method": "GET",
        "route": "/v1/games/<uuid:game>/view",
        "status": 422,
        "request_id": "here",
        "game": table.game,
    }
    assert access_line(caplog.records[-1])["status"] == 304
    assert table.token(0) not in caplog.text
    assert "secret" not in "".join(record.getMessage() for record in caplog.records)


def access_line(record: logging.LogRecord) -> dict[str, Any]:
    """What is written for a request, without its time, which must be in UTC."""
    line: dict[str, Any] = json.loads(logs.formatter(logs.JSON).format(record))
    assert datetime.fromisoformat(line.pop("timestamp")).utcoffset() == timedelta()
    return line


def test_links_begin_with_the_public_address(module_database: str) -> None:
    public = Api(module_database, public_url="https://games.example.org/holm")
    try:
        answer = public.client.post("/v1/players", json={"name": "x"})
        assert answer.headers["Location"].startswith("https://games.example.org/holm/v1/players/")
        problem = public.client.get("/v1/me").get_json()
        assert problem["type"] == "https://games.example.org/holm/problems/unauthenticated"
        for _ in range(2):
            public.client.post(
                "/v1/games",
                json={"ruleset": "eketorp", "seats": 3},
                headers={"Authorization": f"Bearer {answer.get_json()['token']}"},
            )
        page = public.client.get("/v1/games?limit=1").get_json()
        assert page["next"].startswith("https://games.example.org/holm/v1/games?")
    finally:
        public.close()


def test_the_index_leads_everywhere(api: Api) -> None:
    for name, path in api.get("/")["links"].items():
        status = api.call("GET", path).status_code
        assert status == {"players": 422, "waiting_turns": 401}.get(name, 200), path


def test_the_reference_is_one_page_of_its_own(api: Api) -> None:
    answer = api.call("GET", "/docs", status=200)
    page = answer.get_data(as_text=True)
    assert "script" not in answer.headers["Content-Security-Policy"]
    assert "<script" not in page
    assert "src=" not in page
    assert 'href="http' not in page
    for operation in ("registerPlayer", "submit", "getTurn"):
        assert f'id="{operation}"' in page
    assert "curl http://127.0.0.1:8000/v1/players" in page
    assert "color-scheme: light dark" in page


def test_rulesets_hold_rules_schemas_and_what_is_reconstructed(api: Api) -> None:
    page = api.get("/v1/rulesets")
    assert [ruleset["ruleset"] for ruleset in page["items"]] == list(registry.names())
    ruleset = api.get("/v1/rulesets/eketorp")
    ids = [rule["id"] for rule in ruleset["rules"]]
    assert len(ids) == len(set(ids)) > 40
    assert {"E1.5", "E3", "C1", "C7"} <= set(ids)
    assert all(len(rule["text"]) > 3 for rule in ruleset["rules"])
    texts = {rule["id"]: rule["text"] for rule in ruleset["rules"]}
    assert texts["E1.1"].endswith("supply.")
    assert "placement" in ruleset["turn_kinds"]
    assert {part["rule"] for part in ruleset["reconstructed"]} <= set(ids)
    assert ruleset["seat_counts"] == [3, 4, 5, 6]
    api.problem("GET", "/v1/rulesets/chess", 404, "not_found")


@pytest.mark.parametrize(
    ("public_url", "expected"),
    [("https://games.example.org", "max-age=31536000"), ("http://games.example.org", None), (None, None)],
)
def test_browsers_are_told_to_stay_with_https_where_there_is_https(
    module_database: str, public_url: str | None, expected: str | None
) -> None:
    public = Api(module_database, public_url=public_url)
    try:
        for path in ("/", "/docs", "/v1/me", "/v1/nowhere", "/v1/games?a=%00"):
            assert public.client.get(path).headers.get("Strict-Transport-Security") == expected
    finally:
        public.close()
