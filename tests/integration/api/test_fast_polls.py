"""Polls that are answered before the application: the same answers, headers, budgets, refusals, figures and log."""

from __future__ import annotations

import io
import json
import logging
from typing import NoReturn
from unittest.mock import Mock

import pytest

from holmgang import logs
from holmgang.api.http import fast_polls
from holmgang.api.http.edge import access
from holmgang.app.errors import NotFound

from .calling import Api

PATHS = ("{game}/view", "{game}/turn", "{game}/turn?include=view", "/v1/me/turns")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_nothing_new_is_told_without_the_application(
    api: Api, path: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = api.table()
    path = path.format(game=table.path)
    tag = api.call("GET", path, token=table.token(0), status=200).headers["ETag"]
    monkeypatch.setattr(api.app, "full_dispatch_request", Mock(side_effect=AssertionError("the application was asked")))
    answer = api.call(method, path, token=table.token(0), status=304, If_None_Match=tag)
    assert answer.headers["ETag"] == tag
    assert answer.headers["RateLimit"].startswith('"polls"')
    assert answer.headers["X-Request-ID"]


def test_only_what_reads_can_have_nothing_new(api: Api) -> None:
    table = api.table()
    for part in ("view", "turn"):
        path = f"{table.path}/{part}"
        assert "GET" in api.call("OPTIONS", path, token=table.token(0), If_None_Match="*", status=200).headers["Allow"]
        api.problem("POST", path, 405, "method_not_allowed", token=table.token(0), If_None_Match="*")


def test_a_line_of_the_log_names_the_request_that_it_was_written_for(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    below, written = logging.getLogger("below"), io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(logs.formatter(logs.JSON))

    def speaks(*_: object) -> NoReturn:
        below.warning("a word")
        raise NotFound("game", table.game)

    table = api.table()
    monkeypatch.setattr(fast_polls, "find_viewer", speaks)
    below.addHandler(handler)
    try:
        api.call("GET", f"{table.path}/view", If_None_Match="*", X_Request_ID="here", status=404)
        below.warning("another")
    finally:
        below.removeHandler(handler)
    first, second = map(json.loads, written.getvalue().splitlines())
    assert (first["request_id"], first["game"]) == ("here", table.game)
    assert "request_id" not in second


@pytest.mark.parametrize("wanted", ["{tag}", '"other"'])
def test_a_poll_is_counted_once(api: Api, wanted: str) -> None:
    table = api.table()
    path = f"{table.path}/turn"
    tag = api.call("GET", path, token=table.token(0), status=200).headers["ETag"]
    left = [
        int(answer.headers["RateLimit"].split("r=")[1].split(";")[0])
        for answer in (
            api.call("GET", path, token=table.token(0), If_None_Match=wanted.format(tag=tag)) for _ in range(3)
        )
    ]
    assert left == [left[0], left[0] - 1, left[0] - 2]


def test_one_poll_too_many_is_refused(module_database: str) -> None:
    api = Api(module_database, workers=1, rate_limit_polls=5)
    try:
        table = api.table()
        for _ in range(5):
            api.call("GET", f"{table.path}/view", token=table.token(0), If_None_Match="*", status=304)
        refused = api.call("GET", f"{table.path}/view", token=table.token(0), If_None_Match="*", status=429)
        assert refused.get_json()["code"] == "too_many_requests"
        assert 1 <= int(refused.headers["Retry-After"]) <= 10
        assert refused.headers["RateLimit"].startswith('"polls";r=0;')
    finally:
        api.close()


def test_a_client_behind_a_trusted_proxy_is_counted_by_its_own_address(module_database: str) -> None:
    api = Api(module_database, workers=1, rate_limit_polls=1, trusted_proxies=1)
    try:
        table = api.table()
        for address in ("192.0.2.1", "192.0.2.2"):
            api.call("GET", f"{table.path}/view", If_None_Match="*", X_Forwarded_For=address, status=304)
            api.call("GET", f"{table.path}/view", If_None_Match="*", X_Forwarded_For=address, status=429)
    finally:
        api.close()


def test_a_fault_is_told_by_the_application(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> NoReturn:
        raise RuntimeError("unforeseen")

    table = api.table()
    monkeypatch.setattr(fast_polls, "find_viewer", fails)
    api.problem("GET", f"{table.path}/view", 500, "internal_error", If_None_Match="*")
    assert "unforeseen" in caplog.text


def test_a_database_that_is_away_is_asked_once(module_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    api = Api(module_database)
    table = api.table()
    store = api.app.extensions["holmgang"].store
    store.pool.close()
    asked = Mock(wraps=store.reading)
    monkeypatch.setattr(store, "reading", asked)
    try:
        api.problem("GET", f"{table.path}/turn", 503, "database_unavailable", If_None_Match="*")
    finally:
        api.close()
    assert asked.call_count == 1


def test_the_log_names_route_and_game(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, access.name)
    table = api.table()
    caplog.clear()
    api.call("GET", f"{table.path}/view", If_None_Match="*", status=304)
    api.call("GET", "/v1/me/turns", token=table.token(0), If_None_Match="*", status=304)
    lines = [record.msg for record in caplog.records if isinstance(record.msg, dict)]
    assert [(line["route"], line.get("game")) for line in lines] == [
        ("/v1/games/<uuid:game>/view", table.game),
        ("/v1/me/turns", None),
    ]
    rules = {rule.rule for rule in api.app.url_map.iter_rules()}
    assert all(line["route"] in rules for line in lines)
