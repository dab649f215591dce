"""`python -m tests.documents WITH`: make the API document with other games, and check it with all its examples.

`WITH` is JSON: `paths` are put before the path of imports, the games in `dropped` are left out, `first` comes before
all others and as the house's, and `backwards` turns their order round.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import jsonschema
from openapi_spec_validator import validate

from tests.tool_faults import tool_faults

VERBS = ("get", "post", "put", "patch", "delete")


def bodies() -> list[type[Any]]:
    """The schemas of all that clients send, bodies and query strings."""
    from holmgang.api.operation.schemas import Body
    from holmgang.api.resources.blueprints import BLUEPRINTS

    assert BLUEPRINTS, "every resource has declared its operations"

    def below(schema: type[Any]) -> Iterator[type[Any]]:
        for each in schema.__subclasses__():
            yield each
            yield from below(each)

    return sorted(below(Body), key=lambda schema: schema.__name__)


def with_games(dropped: list[str], first: str | None, backwards: bool) -> None:
    """Have the registry give other games, before anything asks it."""
    from holmgang import registry
    from holmgang.registry.discovery import HOUSE, Found, discover

    found = discover()
    names = [name for name in found.games if name not in dropped]
    names = names[::-1] if backwards else sorted(names, key=lambda name: name != first)
    origins = {name: HOUSE if name == first else found.origins[name] for name in names}
    changed = Found({name: found.games[name] for name in names}, origins, found.refused)
    registry._discovered = lambda _packages=True: changed  # type: ignore[assignment]


def _operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for verbs in document["paths"].values():
        yield from (operation for verb, operation in verbs.items() if verb in VERBS)


def _resolved(document: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in value:
        found: Any = document
        for step in value["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        value = {**found, **{name: said for name, said in value.items() if name != "$ref"}}
    return value


def faults(document: dict[str, Any]) -> Iterator[str]:
    """Examples that do not fit their schemas, schemas that nothing needs, and what tools stumble over. Raises where the
    document is invalid."""
    validate(document)
    yield from tool_faults(document)

    resolved = partial(_resolved, document)

    def fits(where: str, value: Any, schema: dict[str, Any]) -> Iterator[str]:
        whole = {**schema, "components": document["components"]}
        checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
        for wrong in jsonschema.Draft202012Validator(whole, format_checker=checker).iter_errors(value):
            yield f"{where}: {wrong.message[:300]}"

    for operation in _operations(document):
        name = operation["operationId"]
        for parameter in map(resolved, operation["parameters"]):
            if "example" in parameter:
                yield from fits(f"{name} {parameter['name']}", parameter["example"], parameter["schema"])
        bodies = {"body": operation["requestBody"]} if "requestBody" in operation else {}
        for status, answer in {**bodies, **operation["responses"]}.items():
            for content in resolved(answer).get("content", {}).values():
                for title, example in content.get("examples", {}).items():
                    yield from fits(f"{name} {status} {title}", resolved(example)["value"], content["schema"])
    text = json.dumps(document)
    for schema in document["components"]["schemas"]:
        if f'"#/components/schemas/{schema}"' not in text:
            yield f"the schema {schema} is used nowhere"


def main(given: dict[str, Any]) -> int:
    sys.path[:0] = given.get("paths", [])
    with_games(given.get("dropped", []), given.get("first"), given.get("backwards", False))
    from holmgang import registry
    from holmgang.bootstrap import openapi_document

    document = openapi_document()
    found = list(faults(document))
    told = {
        "games": registry.names(),
        "faults": found,
        "ruleset": _resolved(document, document["paths"]["/v1/rulesets/{ruleset}"]["get"]["parameters"][0]),
        "schemas": sorted(document["components"]["schemas"]),
        "answered": [
            operation["operationId"]
            for operation in _operations(document)
            if any(
                "examples" in content for content in operation["responses"].get("200", {}).get("content", {}).values()
            )
        ],
    }
    print(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
