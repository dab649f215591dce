"""The API document, and the reference page that is made of it."""

import functools
import json
import shlex
from typing import Any

from flask import Flask, Response

from holmgang.api.operation.declaration import operation
from holmgang.api.operation.gate import Access
from holmgang.api.operation.service import service
from holmgang.api.operation.terms import Example, described
from holmgang.api.pages import HEADERS, render
from holmgang.api.resources.service.routes import operations
from holmgang.engine.codec import encode_json
from holmgang.representation import Kept, keep

from .document import document
from .problems import codes
from .sharing import resolved

VERBS = ("get", "post", "put", "patch", "delete")
LOCAL = "http://127.0.0.1:8000"
"""Stands in examples where the service has no public address."""


def tags_of(document: dict[str, Any], base: str) -> list[dict[str, Any]]:
    """The tags of a document, each with its `calls`: path, verb, operation, parameters, answers, access and curl.
    `base` is what addresses begin with."""
    tags = {tag["name"]: {"description": "", **tag, "calls": []} for tag in document["tags"]}
    for path, verbs in document["paths"].items():
        for verb in VERBS:
            if verb in verbs:
                operation = verbs[verb]
                parameters = [resolved(document, each) for each in operation.get("parameters", [])]
                tags[operation["tags"][0]]["calls"].append(
                    {
                        "path": path,
                        "verb": verb.upper(),
                        "operation": operation,
                        "parameters": parameters,
                        "answers": {to: resolved(document, each) for to, each in operation["responses"].items()},
                        "access": _access(operation["security"]),
                        "curl": curl(base or LOCAL, path, verb.upper(), operation, parameters),
                    }
                )
    return list(tags.values())


def _access(security: list[dict[str, Any]]) -> str:
    if not security:
        return "open to all"
    return "token optional" if {} in security else "token needed"


def curl(base: str, path: str, verb: str, operation: dict[str, Any], parameters: list[dict[str, Any]]) -> str:
    """The call as a command line, with the values of its examples."""
    query = []
    for each in parameters:
        if each["in"] == "path":
            path = path.replace("{" + each["name"] + "}", str(each.get("example", each["name"])))
        elif each["in"] == "query" and "example" in each:
            query.append(f"{each['name']}={json.dumps(each['example']).strip(chr(34))}")
    address = base + path + ("?" + "&".join(query) if query else "")
    line = " ".join(["curl", *(["-X", verb] if verb not in ("GET", "POST") else []), shlex.quote(address)])
    if _access(operation["security"]) == "token needed":
        line += ' -H "Authorization: Bearer $TOKEN"'
    if "requestBody" in operation:
        example = next(iter(operation["requestBody"]["content"]["application/json"]["examples"].values()))
        line += f" \\\n  --json {shlex.quote(json.dumps(example['value'], ensure_ascii=False))}"
    return line


def bounds(schema: dict[str, Any]) -> str:
    """Format, range, length and default of a schema, in brackets; empty where it has none."""
    said = [schema["format"]] if "format" in schema else []
    if "minimum" in schema or "maximum" in schema:
        said.append(f"{schema.get('minimum', '')}..{schema.get('maximum', '')}")
    said += [
        f"length {schema.get(f'min{unit}', 0)}..{schema.get(f'max{unit}', '')}"
        for unit in ("Length", "Items")
        if f"min{unit}" in schema or f"max{unit}" in schema
    ]
    if "default" in schema:
        said.append(f"default {json.dumps(schema['default'])}")
    return f" ({'; '.join(said)})" if said else ""


@operation(operations, "GET /openapi.json", Access.OPEN, {"type": "object"}, name="getOpenAPI", tagged=True)
@described(Example(answers={"document": {"openapi": "3.1.0", "info": {"title": "Holmgang"}}}))
def get_openapi() -> Response:
    """Read this document

    It is the same for all callers.
    """
    return _document(service().base).answer({"Cache-Control": "public, max-age=300"})


@functools.cache
def _document(base: str) -> Kept:
    return keep(encode_json(document(base)), "application/json")


@functools.cache
def _reference(base: str) -> Kept:
    shown = document(base)
    told: dict[str, Any] = {"document": shown, "tags": tags_of(shown, base), "base": base}
    return render("reference.html", **told, bounds=bounds, resolved=resolved, codes=codes)


def add_reference(app: Flask, base: str) -> None:
    """The page for people. Addresses in it begin with `base`."""

    @app.get("/docs")
    def docs() -> Response:
        return _reference(base).answer(HEADERS)
