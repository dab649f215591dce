"""The client's calls and problems against the API document and the table of errors."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from inspect import signature
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints, is_typeddict

import httpx
import pytest

import holmgang
from holmgang import AsyncClient, Belied, Client, answers, client, problems
from holmgang.api.problems import table as problem_table
from holmgang.client._methods import Listing, Method
from holmgang.client._several import Several

DOCUMENT = json.loads((Path(__file__).parents[3] / "openapi/openapi.json").read_text(encoding="utf-8"))
SCHEMAS: dict[str, dict[str, Any]] = DOCUMENT["components"]["schemas"]
TYPED = sorted(
    name for name, value in vars(answers).items() if is_typeddict(value) and name not in ("Page", "TypedDict")
)
METHODS = sorted(
    name for part in Client.__mro__ for name, value in vars(part).items() if isinstance(value, Method | Listing)
)
NO_CALLS_OF_A_BOT = {
    "getIndex",
    "getHealth",
    "getReadiness",
    "getOpenAPI",
    "getToken",
    "getBlock",
    "getBoardPicture",
    "getRatingHistoryPicture",
}


def written(schema: dict[str, Any]) -> set[str]:
    """What kinds of values a schema takes, by the names of JSON and of schemas that the client types."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return {name if name in TYPED else "object"}
    if "anyOf" in schema:
        found = set[str]().union(*(written(each) for each in schema["anyOf"]))
        return found.difference(TYPED) if "object" in found else found  # JSON stands for all of it
    kinds = schema.get("type", "any")
    return set(kinds if isinstance(kinds, list) else [kinds])


def typed(hint: Any) -> set[str]:
    """The same of a type."""
    names = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null", Any: "any"}
    if is_typeddict(hint):
        return {hint.__name__}
    if hint in names:
        return {names[hint]}
    if isinstance(hint, TypeVar):  # of a game's actions
        return {"object"}
    origin, parts = getattr(hint, "__origin__", None), getattr(hint, "__args__", ())
    if origin in (list, dict):
        return {"array" if origin is list else "object"}
    if parts and all(isinstance(part, str | bool) for part in parts):  # Literal
        return {"string" if isinstance(parts[0], str) else "boolean"}
    return set().union(*(typed(part) for part in parts))


@pytest.mark.parametrize("name", TYPED)
def test_a_type_has_the_fields_of_its_schema(name: str) -> None:
    schema, kind = SCHEMAS[name], getattr(answers, name)
    assert kind.__required_keys__ == set(schema["required"])
    hints = get_type_hints(kind)
    assert set(hints) == set(schema["properties"])
    for field, hint in hints.items():
        assert typed(hint) == written(schema["properties"][field]), field


@pytest.mark.parametrize("name", sorted(name for name in SCHEMAS if name.endswith("Page")))
def test_every_page_is_one(name: str) -> None:
    assert set(SCHEMAS[name]["properties"]) == answers.Page.__required_keys__ == set(SCHEMAS[name]["required"])


def test_every_code_has_a_class() -> None:
    rows = {row.code for row in problem_table._ROWS}
    assert set(problems.KINDS) == rows
    for code, kind in problems.KINDS.items():
        assert kind.__name__ == "".join(word.title() for word in code.split("_"))


def test_every_operation_for_players_has_a_method() -> None:
    """Every method is called with all its arguments: its requests, and the type of its answer, are the document's."""
    asked: list[tuple[httpx.Request, dict[str, Any]]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        found = [
            operations[request.method.lower()]
            for path, operations in DOCUMENT["paths"].items()
            if request.method.lower() in operations and _fits(path, request.url.path)
        ]
        assert len(found) == 1, request.url
        asked.append((request, found[0]))
        status, told = next((int(key), each) for key, each in found[0]["responses"].items() if key.startswith("2"))
        if "content" not in told or request.headers["Accept"] == "text/event-stream":
            return httpx.Response(204)
        ((kind, content),) = told["content"].items()
        (example, *_) = content["examples"].values()
        if kind != "application/json":
            return httpx.Response(status, text=_of(example)["value"], headers={"Content-Type": kind})
        return httpx.Response(status, json=_of(example)["value"])

    transport = httpx.MockTransport(answer)
    operations = {Client.register: _asked(asked, Client.register, "http://x", "x", transport=transport)}
    with Client("http://x", transport=transport) as client:
        for name in METHODS:
            plan = getattr(Client, name)
            operations[plan] = _asked(asked, getattr(client, name), **_arguments(plan))
    named = {each["operationId"] for of_method in operations.values() for each in of_method}
    everything = {
        operation["operationId"]
        for operations_of_path in DOCUMENT["paths"].values()
        for method, operation in operations_of_path.items()
        if method in ("get", "post", "put", "patch", "delete")
    }
    assert everything - named == NO_CALLS_OF_A_BOT
    for plan, of_method in operations.items():
        kind = get_type_hints(plan).get("return")
        kind = (get_args(kind) or (kind,))[-1]  # of lists, their items
        if is_typeddict(kind):
            assert kind.__name__ in {name for each in of_method for name in _answered(each)}, plan


def _asked(
    asked: list[tuple[httpx.Request, dict[str, Any]]], method: Any, *arguments: Any, **named: Any
) -> list[dict[str, Any]]:
    """The operations that a method asks for, having seen that they take what it sends."""
    asked.clear()
    with suppress(Belied):  # the examples are of different games
        result = method(*arguments, **named)
        if isinstance(result, Iterator):
            next(result, None)
    for request, operation in asked:
        parameters = [_of(each) for each in operation["parameters"]]
        assert set(request.url.params) <= {each["name"] for each in parameters if each["in"] == "query"}
        takes = {each["name"].lower() for each in parameters if each["in"] == "header"}
        assert {"idempotency-key", "holmgang-invitation", "if-none-match"} & set(request.headers) <= takes
        if request.content:
            body = _of(operation["requestBody"]["content"]["application/json"]["schema"])
            assert set(json.loads(request.content)) <= set(body["properties"])
    return [operation for _, operation in asked]


def _arguments(plan: Any) -> dict[str, Any]:
    """One of each that the method takes."""
    hints = get_type_hints(plan)
    return {name: _value(hints[name]) for name in list(signature(plan).parameters)[1:]}


def _value(hint: Any) -> Any:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return parts[0]
    if origin is Several:
        return [_value(parts[0])]
    if origin is Mapping:
        return {"type": "x"}
    if parts:  # or None
        return _value(parts[0])
    return {str: "x", int: 1, bool: True}[hint]


def _of(part: dict[str, Any]) -> dict[str, Any]:
    """What it refers to, if it does."""
    if "$ref" not in part:
        return part
    kind, name = part["$ref"].split("/")[-2:]
    found: dict[str, Any] = DOCUMENT["components"][kind][name]
    return found


def _answered(operation: dict[str, Any]) -> Iterator[str]:
    """The schemas of its answers, and of a page the one of its items too."""
    for status, told in operation["responses"].items():
        if status.startswith("2") and "application/x-ndjson" in told.get("content", {}):
            yield "GameRecord"  # each line
        elif status.startswith("2") and "content" in told:
            schema = told["content"]["application/json"]["schema"]
            for each in schema.get("anyOf", [schema]):
                yield each.get("$ref", "").rsplit("/", 1)[-1]
                yield (
                    _of(each).get("properties", {}).get("items", {}).get("items", {}).get("$ref", "").rsplit("/", 1)[-1]
                )


def _fits(template: str, path: str) -> bool:
    return re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path) is not None


def test_both_clients_have_the_same_methods() -> None:
    def public(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")}

    assert public(Client) == public(AsyncClient)


def test_what_is_public_is_named_by_where_it_is_imported_from() -> None:
    for name in holmgang.__all__:
        home = getattr(getattr(holmgang, name), "__module__", "holmgang")
        assert home in ("holmgang", "holmgang.problems", "typing"), (name, home)
    for folder in (*client.__path__, *problems.__path__):
        assert all(module.name.startswith("_") for module in iter_modules([folder]))


def test_a_traceback_names_exceptions_by_where_they_are_imported_from() -> None:
    """Also where nobody has asked `holmgang` for them."""
    script = (
        "from holmgang.client import _moves, _notes, _reach, _webhooks; from holmgang.problems import _problem;"
        "print(_moves.ChooseHangs.__module__, _notes.Belied.__module__, _reach.Unreachable.__module__,"
        " _webhooks.Unverified.__module__, _problem.Problem.__module__)"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert set(told.stdout.split()) == {"holmgang"}


def test_what_is_public_needs_nothing_but_httpx() -> None:
    """The package has the service as well: `import holmgang` loads nothing of it."""
    script = (
        "import sys, holmgang; [getattr(holmgang, name) for name in holmgang.__all__];"
        "print(*sorted(name for name in sys.modules if name.startswith('holmgang.') and name.count('.') == 1))"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == ["holmgang.answers", "holmgang.client", "holmgang.problems", "holmgang.release"]
