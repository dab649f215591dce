"""The OpenAPI document: committed, valid, complete, and true to its own examples."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from openapi_spec_validator import validate

from holmgang.api.openapi.document import document
from holmgang.api.operation.declaration import OPERATIONS
from holmgang.api.operation.gate import Access
from holmgang.api.problems.table import PROBLEMS
from holmgang.engine.codec import encode_json
from tests.api_document import api_document, check, resolved

from .calling import Api

COMMITTED = Path(__file__).parents[3] / "openapi" / "openapi.json"
DOCUMENT = api_document()
VERBS = ("get", "post", "put", "patch", "delete")


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, verbs in DOCUMENT["paths"].items():
        for verb in VERBS:
            if verb in verbs:
                yield path, verb, verbs[verb]


def each_answer(operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    return ((status, resolved(answer)) for status, answer in operation["responses"].items())


ALL = list(operations())
each_operation = pytest.mark.parametrize(
    ("path", "verb", "operation"), ALL, ids=[operation["operationId"] for _, _, operation in ALL]
)


def test_the_committed_document_is_the_codes() -> None:
    text = json.dumps(DOCUMENT, indent=2, ensure_ascii=False) + "\n"
    assert COMMITTED.read_text(encoding="utf-8") == text, "run `make openapi` and commit the document"
    assert json.dumps(document(), sort_keys=False) == json.dumps(DOCUMENT, sort_keys=False)


def test_the_document_is_valid_and_served(api: Api) -> None:
    validate(DOCUMENT)
    assert DOCUMENT["openapi"].startswith("3.1")
    assert api.get("/openapi.json") == DOCUMENT


def test_every_route_is_in_the_document(api: Api) -> None:
    routes = {
        (rule.rule.replace("<uuid:", "{").replace("<number:", "{").replace("<", "{").replace(">", "}"), method.lower())
        for rule in api.app.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS")
    }
    pages = {("/docs", "get"), ("/problems", "get"), ("/problems/{code}", "get"), ("/metrics", "get")}
    pages |= {("/games/{game}", "get"), ("/web/{path:name}", "get")}
    pages |= {("/docs/", "get"), ("/docs/{path:name}", "get")}
    assert {(path, verb) for path, verb, _ in ALL} == routes - pages
    assert {operation["operationId"] for _, _, operation in ALL} == set(OPERATIONS)


@each_operation
def test_operations_are_described(path: str, verb: str, operation: dict[str, Any]) -> None:
    assert operation["summary"]
    assert operation["tags"]
    declared = OPERATIONS[operation["operationId"]]
    named = {name for need in operation["security"] for name in need}
    assert named == (set() if declared.access is Access.OPEN else {"token"})
    in_path = {part[1:-1] for part in path.split("/") if part.startswith("{")}
    parameters = [resolved(one) for one in operation["parameters"]]
    assert {one["name"] for one in parameters if one["in"] == "path"} == in_path
    for one in parameters:
        if one["in"] == "path":
            check(one["example"], one["schema"])


@each_operation
def test_bodies_are_closed_and_have_examples_that_fit(path: str, verb: str, operation: dict[str, Any]) -> None:
    if "requestBody" not in operation:
        assert verb not in ("post", "put", "patch")
        return
    assert operation["requestBody"]["required"] is True
    content = operation["requestBody"]["content"]["application/json"]
    assert resolved(content["schema"])["additionalProperties"] is False
    assert content["examples"]
    for example in content["examples"].values():
        check(example["value"], content["schema"])


KINDS = {".svg": "image/svg+xml", "/export": "application/x-ndjson"}
"""What is answered by addresses that end so."""


@each_operation
def test_answers_are_open_and_have_examples_that_fit(path: str, verb: str, operation: dict[str, Any]) -> None:
    succeeded = [status for status in operation["responses"] if status < "300"]
    assert succeeded
    for status, answer in each_answer(operation):
        assert answer["description"]
        assert ("X-Request-ID" in answer.get("headers", ())) == (status >= "300")
        for content_type, content in answer.get("content", {}).items():
            good = next((kind for end, kind in KINDS.items() if path.endswith(end)), "application/json")
            assert content_type == (good if status < "400" else "application/problem+json")
            assert resolved(content["schema"]).get("additionalProperties") is not False
            assert content["examples"]
            for example in content["examples"].values():
                check(resolved(example)["value"], content["schema"])
        if status == "201":
            assert "Location" in answer["headers"]
        assert ("content" in answer) == (status not in ("204", "304"))


@each_operation
def test_problems_are_documented(path: str, verb: str, operation: dict[str, Any]) -> None:
    codes = OPERATIONS[operation["operationId"]].codes
    told: dict[str, int] = {}
    for status, answer in each_answer(operation):
        if status >= "400":
            named = re.findall(r"`(\w+)`", answer["description"])
            told |= dict.fromkeys(named, int(status))
            assert set(named) <= set(answer["content"]["application/problem+json"]["examples"])
    assert told == {code: PROBLEMS[code].status for code in codes}
    assert {"400", "422", "500"} <= set(operation["responses"])
    if operation["security"]:
        assert {"401", "503"} <= set(operation["responses"])


def test_links_lead_to_operations_with_the_parameters_they_name() -> None:
    parameters = {
        operation["operationId"]: {resolved(one)["name"] for one in operation["parameters"]} for _, _, operation in ALL
    }
    linked = set()
    for _, _, operation in ALL:
        for _, answer in each_answer(operation):
            for link in answer.get("links", {}).values():
                linked.add(link["operationId"])
                assert set(link["parameters"]) <= parameters[link["operationId"]]
    in_path = {operation["operationId"] for path, _, operation in ALL if "{" in path}
    assert in_path <= linked, "every operation about one thing is reached by a link"


def test_the_document_is_small() -> None:
    """What operations have in common is there once."""
    assert len(encode_json(DOCUMENT)) < 4_700 * len(ALL)


def test_every_schema_is_used() -> None:
    used = json.dumps(DOCUMENT)
    for name in DOCUMENT["components"]["schemas"]:
        assert f'"#/components/schemas/{name}"' in used, name
    of_no_operation = {"method_not_allowed", "address_too_long", "headers_too_large"}
    for name in DOCUMENT["components"]["examples"]:
        assert f'"#/components/examples/{name}"' in used or name in of_no_operation, name


def test_schemas_of_rulesets_are_complete_and_valid(api: Api) -> None:
    ruleset = api.get("/v1/rulesets/eketorp")
    for schema in (*ruleset["turn_kinds"].values(), *(ruleset[f"{of}_schema"] for of in ("view", "effect", "combat"))):
        jsonschema.Draft202012Validator.check_schema(schema)
    table = api.table()
    turn = table.turn(0)
    choice = table.choice(0)["action"]
    jsonschema.validate(choice, ruleset["turn_kinds"][turn["kind"]])
    jsonschema.validate(api.get(f"{table.path}/view", table.token(0)), ruleset["view_schema"])


def test_real_answers_fit_their_schemas(api: Api) -> None:
    """Of a whole game: every view, turn, event and combat of a seat and of a spectator."""
    table = api.table()
    schemas = {operation["operationId"]: operation["responses"]["200"] for _, verb, operation in ALL if verb == "get"}

    def fits(operation: str, path: str, token: str | None) -> Any:
        body = api.get(path, token)
        check(body, schemas[operation]["content"]["application/json"]["schema"])
        return body

    for step in range(400):
        token = (table.token(0), None)[step % 2]
        if step % 20 < 2:
            fits("getView", f"{table.path}/view", token)
            fits("getTurn", f"{table.path}/turn?include=view", token)
        if fits("getGame", table.path, None)["status"] == "over":
            break
        table.play(1)
    for token in (table.token(0), None):
        path: str | None = f"{table.path}/events?limit=200"
        while path:
            path = fits("listEvents", path, token)["next"]
    assert fits("listCombats", f"{table.path}/combats?limit=200", None)["items"]
    assert fits("getRecord", f"{table.path}/record", None)["log"]
