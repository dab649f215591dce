"""The client's types, calls and problems against the API document and the table of errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_type_hints, is_typeddict

import pytest
from holmgang import AsyncClient, Client, answers, plans, problems

from service.api.problems import table as problem_table

DOCUMENT = json.loads((Path(__file__).parents[3] / "openapi/openapi.json").read_text(encoding="utf-8"))
SCHEMAS: dict[str, dict[str, Any]] = DOCUMENT["components"]["schemas"]
TYPED = sorted(
    name for name, value in vars(answers).items() if is_typeddict(value) and name not in ("Page", "TypedDict")
)
NO_CALLS_OF_A_BOT = {"getIndex", "getHealth", "getReadiness", "getOpenAPI", "getToken", "getBoardPicture"}


def written(schema: dict[str, Any]) -> set[str]:
    """What kinds of values a schema takes, by the names of JSON and of schemas that the client types."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return {name if name in TYPED else "object"}
    if "anyOf" in schema:
        return set().union(*(written(each) for each in schema["anyOf"]))
    kinds = schema.get("type", "any")
    return set(kinds if isinstance(kinds, list) else [kinds])


def typed(hint: Any) -> set[str]:
    """The same of a type."""
    names = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null", Any: "any"}
    if is_typeddict(hint):
        return {hint.__name__}
    if hint in names:
        return {names[hint]}
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


def test_every_operation_for_players_is_planned() -> None:
    """A call for each, with all its parameters: as the document names them, and as the plans take them."""
    blank = {"str": "x", "int": 1, "Sequence[Scope]": ["read"], "Mapping[str, Any]": {}}
    asked = set()
    for plan in vars(plans).values():
        if getattr(plan, "__module__", "") != plans.__name__ or "return" not in getattr(plan, "__annotations__", {}):
            continue
        needed = plan.__code__.co_varnames[: plan.__code__.co_argcount]
        keyed = {"revision"} & set(plan.__kwdefaults__ or plan.__annotations__) if plan is plans.replace else set()
        defaults = len(plan.__defaults__ or ())
        needed = needed[: len(needed) - defaults]
        call = plan(*(blank.get(plan.__annotations__[name], "x") for name in needed), **dict.fromkeys(keyed, 1))
        found = [
            (path, operations[call.method.lower()])
            for path, operations in DOCUMENT["paths"].items()
            if call.method.lower() in operations and _fits(path, call.path)
        ]
        assert len(found) == 1, (plan.__name__, call.path)
        operation = found[0][1]
        asked.add(operation["operationId"])
        if "requestBody" in operation and call.json is not None:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            fields = SCHEMAS[schema["$ref"].rsplit("/", 1)[-1]].get("properties", {})
            assert set(call.json) <= set(fields)
        queries = {each["name"] for each in operation.get("parameters", []) if each.get("in") == "query"}
        assert set(call.params) <= queries
    everything = {
        operation["operationId"]
        for operations in DOCUMENT["paths"].values()
        for method, operation in operations.items()
        if method in ("get", "post", "put", "patch", "delete")
    }
    assert everything - asked == NO_CALLS_OF_A_BOT


def _fits(template: str, path: str) -> bool:
    wanted, given = template.split("/"), path.split("/")
    same = [a == b or (a.startswith("{") and b in ("x", "1")) for a, b in zip(wanted, given, strict=False)]
    return len(wanted) == len(given) and all(same)


def test_both_clients_have_the_same_methods() -> None:
    def public(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")}

    assert public(Client) == public(AsyncClient)
    planned = {
        name
        for name, plan in vars(plans).items()
        if getattr(plan, "__module__", "") == plans.__name__ and callable(plan)
    }
    assert planned - public(Client) == set()
