"""Requests to every operation of the document that fit it, or almost, or not at all; by chance that can be repeated."""

from __future__ import annotations

import copy
import json
import random
from typing import Any, NamedTuple
from urllib.parse import quote

from tests.api_document import api_document, parameters
from tests.fuzz.mutating import ENDS, ODD, mutated

OPERATIONS = [
    (verb.upper(), path, operation)
    for path, verbs in api_document()["paths"].items()
    for verb, operation in verbs.items()
    if operation["operationId"] not in ("registerPlayer", "getOpenAPI")  # there are players enough, and one document
]
MADE_AT = {
    path.rpartition("/")[0]: path.rpartition("/")[2].strip("{}")
    for _, path, _ in OPERATIONS
    if path.endswith("}") and path.count("{") == 1
}
"""For the address of a collection the name of the parameter that the ids of its members are for."""
NO_IDS = (
    "",
    "0",
    "-1",
    "null",
    "019a0c5f-ff00-7d20-8a70-0f4be9c3d1ff",
    "x" * 200,
    "..",
    "%",
    "é",
    "\u202e",
    "1e9",
    "2.0",
    "1\n",
    "{game}",
)
QUERIES = ("limit", "cursor", "wait", "after", "as_seat", "include", "dry_run", "status", "ruleset", "theme", "x")
VALUES = (
    "",
    "0",
    "1",
    "-1",
    "201",
    "999999999999999999",
    "2.0",
    "1\n",
    "view\n",
    "9" * 30,
    "true",
    "view",
    "%",
    "a&b=c",
    "é",
    "active",
    "eketorp",
)
HEADERS: dict[str, tuple[str, ...]] = {
    "If-None-Match": ("*", '""', 'W/"1.0.0.v1"', "x" * 500, ", ,,", '"' * 40),
    "Prefer": ("wait=0", "wait=x", "respond-async", "wait=-1", ";;;", "=" * 100),
    "Accept": ("application/json", "*/*", "text/html;q=0.1", "x", ""),
    "Idempotency-Key": ("k", "x" * 256, "a b", "\x7f", "é"),
    "Holmgang-Invitation": ("hgi_no", "", "x" * 500, "é", "\\x00"),
    "X-Request-ID": ("a", "x" * 200, "é"),
    "Content-Type": ("application/json", "text/plain", "application/json;charset=utf-16", "multipart/form-data"),
    "Content-Encoding": ("gzip", "identity"),
    "Last-Event-ID": ("1", "-1", "x", "9" * 40),
    "Accept-Language": ("fr", "x" * 300),
    "Authorization": ("Basic eDp4", "Bearer", "Bearer  x", "Bearer x", "bearer " + "y" * 513),
}


class Request(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: bytes | None


def request(rng: random.Random, known: dict[str, list[str]], token: str | None) -> Request:
    """One request. `known` holds ids by the name of the parameter that they are for."""
    method, path, operation = rng.choice(OPERATIONS)
    if rng.random() < 0.03:
        method = rng.choice(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"))
    for one in parameters(operation):
        if one["in"] == "path":
            ids = known.get(one["name"]) or [str(one["example"])]
            value = rng.choice(ids) if rng.random() < 0.85 else rng.choice(NO_IDS)
            path = path.replace("{" + one["name"] + "}", quote(value, safe=""))
    if rng.random() < 0.05:
        path += quote(rng.choice(ENDS))
    if rng.random() < 0.3:
        pairs = ((rng.choice(QUERIES), rng.choice(VALUES)) for _ in range(rng.choice((1, 1, 2, 60))))
        path += "?" + "&".join(f"{name}={quote(value) if rng.random() < 0.9 else '%ff'}" for name, value in pairs)
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    for name, values in HEADERS.items():
        if rng.random() < 0.04:
            headers[name] = rng.choice(values)
    return Request(method, path, headers, _body(rng, operation, headers))


def _body(rng: random.Random, operation: dict[str, Any], headers: dict[str, str]) -> bytes | None:
    if "requestBody" not in operation:
        return None if rng.random() < 0.95 else b'{"a": 1}'
    headers.setdefault("Content-Type", "application/json")
    examples = operation["requestBody"]["content"]["application/json"]["examples"]
    value = copy.deepcopy(rng.choice(list(examples.values()))["value"])
    if rng.random() < 0.6:
        value = mutated(value, rng)
    if rng.random() < 0.05:
        value = rng.choice(ODD)
    text = json.dumps(value).encode()
    if rng.random() < 0.06:
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice((b"\x00", b"\xff", b"{", b"]", b'"', b"\\ud800", b",", b"")) + text[at + 1 :]
    return text
