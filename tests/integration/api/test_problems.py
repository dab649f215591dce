"""Errors: the one table, its pages, and what goes out when things fail."""

from __future__ import annotations

import base64
import hashlib
import logging
import re

import pytest

from holmgang.api.problems import faults
from holmgang.api.problems.table import OF_STATUS, PROBLEMS
from holmgang.app import errors
from holmgang.app.ports import Tables
from holmgang.engine.messages import say

from .calling import Api


def refusals(base: type[errors.Refusal]) -> set[type[errors.Refusal]]:
    return {base}.union(*(refusals(child) for child in base.__subclasses__()))


def test_every_refusal_is_in_the_table_and_every_row_is_used() -> None:
    codes = {refusal.code for refusal in refusals(errors.Refusal)} - {errors.Refusal.code}
    assert faults.InvalidRequest.code in codes
    of_the_server = {"method_not_allowed", "internal_error", "address_too_long", "headers_too_large"}
    assert codes | of_the_server == set(PROBLEMS)
    assert set(OF_STATUS.values()) <= set(PROBLEMS)


@pytest.mark.parametrize("code", sorted(PROBLEMS))
def test_every_problem_has_a_page(api: Api, code: str) -> None:
    answer = api.call("GET", f"/problems/{code}", status=200)
    page = answer.get_data(as_text=True)
    assert answer.mimetype == "text/html"
    assert code in page
    assert "script" not in page
    assert f'href="/problems/{code}"' in api.call("GET", "/problems", status=200).get_data(as_text=True)


@pytest.mark.parametrize("path", ["/docs", "/problems", "/problems/busy"])
def test_pages_apply_their_own_style_sheet_and_nothing_else(api: Api, path: str) -> None:
    answer = api.call("GET", path, status=200)
    (sheet,) = re.findall(r"<style>(.*?)</style>", answer.get_data(as_text=True), re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()
    policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["Content-Security-Policy"].split(";"))
    assert policy == {
        "default-src": "'none'",
        "style-src": f"'sha256-{digest}'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    assert " style=" not in answer.get_data(as_text=True)


def test_an_unknown_problem_has_no_page(api: Api) -> None:
    api.problem("GET", "/problems/<script>", 404, "not_found")


def test_a_wrong_method_names_the_right_ones(api: Api) -> None:
    answer = api.call("DELETE", "/v1/games", status=405)
    assert {"GET", "POST"} <= set(answer.headers["Allow"].split(", "))
    assert answer.get_json()["code"] == "method_not_allowed"
    answer = api.call("TRACE", "/v1/games/0192f0c1-0000-7000-8000-000000000000/turn", status=405)
    assert "GET" in answer.headers["Allow"]


@pytest.mark.parametrize("raised", [ZeroDivisionError, SystemExit, KeyboardInterrupt])
def test_a_fault_of_ours_tells_nothing_but_its_request(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, raised: type[BaseException]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise raised("the inner secret")

    store = api.app.extensions["holmgang"].store
    with store.reading() as tables:
        monkeypatch.setattr(type(tables), "player", broken)
    with caplog.at_level(logging.ERROR, logger="holmgang"):
        answer = api.call("GET", "/v1/players/0192f0c1-0000-7000-8000-000000000000", status=500, X_Request_ID="find-me")
    text = answer.get_data(as_text=True)
    assert answer.get_json()["code"] == "internal_error"
    assert "secret" not in text
    assert "Traceback" not in text
    assert "find-me" in caplog.text
    assert "the inner secret" in caplog.text


@pytest.mark.parametrize(
    ("refusal", "code"),
    [
        (errors.Busy(say("Others were writing to this game at the same moment.")), "busy"),
        (
            errors.DatabaseUnavailable(say("The database does not answer at this moment. Try again.")),
            "database_unavailable",
        ),
    ],
)
def test_what_passes_may_be_tried_again(
    api: Api, monkeypatch: pytest.MonkeyPatch, refusal: errors.Refusal, code: str
) -> None:
    def away(self: Tables, *_: object) -> None:
        raise refusal

    store = api.app.extensions["holmgang"].store
    with store.reading() as tables:
        monkeypatch.setattr(type(tables), "player", away)
    answer = api.call("GET", "/v1/players/0192f0c1-0000-7000-8000-000000000000", status=503)
    assert answer.get_json()["code"] == code
    assert answer.get_json()["retryable"] is True
    assert int(answer.headers["Retry-After"]) > 0


def test_a_database_that_is_away_is_a_503_everywhere_but_in_healthz(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = Api("postgresql://nobody@127.0.0.1:1/none")
    monkeypatch.setattr(nowhere.app.extensions["holmgang"].store.pool, "timeout", 0.2)
    try:
        assert nowhere.get("/healthz") == {"status": "ok"}
        nowhere.problem("GET", "/readyz", 503, "database_unavailable")
        nowhere.problem("POST", "/v1/players", 503, "database_unavailable", json={"name": "x"})
        game = "/v1/games/0192f0c1-0000-7000-8000-000000000000/turn"
        nowhere.problem("GET", game, 503, "database_unavailable", If_None_Match='W/"x"')
        assert nowhere.get("/")["name"] == "Holmgang"
    finally:
        nowhere.close()
    assert api.get("/readyz") == {"status": "ready"}


def test_many_who_ask_whether_it_is_ready_cost_the_database_one_question_a_second(
    module_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Api(module_database)
    monkeypatch.setattr(own.app.extensions["holmgang.process"].ready, "_seconds", 3600.0)
    pool = own.app.extensions["holmgang"].store.pool
    try:
        assert own.get("/readyz") == {"status": "ready"}
        before = pool.get_stats()["requests_num"]
        for _ in range(20):
            assert own.get("/readyz") == {"status": "ready"}
        assert pool.get_stats()["requests_num"] == before
    finally:
        own.close()
