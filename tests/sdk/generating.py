"""The Python client's types and problems, made of the API document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

REPOSITORY = Path(__file__).parents[2]
DOCUMENT = REPOSITORY / "openapi/openapi.json"
CLIENT = REPOSITORY / "service/holmgang"
WIDTH = 120
ANSWERED = ("get", "post", "put", "patch", "delete")
NOT_FOR_PLAYERS = "operations"
"""The tag of operations that the client has no methods for."""
OTHERS = "others"
LEFT_AS_JSON = {"LogEntry"}
"""Besides what is of the games' own: a row holds actions and draws of theirs."""
MADE = "Made of openapi/openapi.json by `make openapi`."

Schema = dict[str, Any]


def files() -> dict[Path, str]:
    """The text of every file that is made of the document."""
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    types = Types(document)
    return {
        CLIENT / "answers/__init__.py": types.package(),
        CLIENT / "answers/_games.py": types.module("games", "games"),
        CLIENT / "answers/_others.py": types.module(OTHERS, "all but games"),
        CLIENT / "problems/__init__.py": problems(document),
    }


class Types:
    """Of what operations answer, and of all that is in it, by module: that of the first operation that answers it."""

    def __init__(self, document: Schema) -> None:
        self.schemas: dict[str, Schema] = document["components"]["schemas"]
        games = tuple(name.removesuffix("Options") for name in self.schemas if name.endswith("Options"))
        self.json = LEFT_AS_JSON | {name for name in self.schemas if name.startswith(games)}
        self.modules: dict[str, dict[str, None]] = {"games": {}, OTHERS: {"ProblemEntry": None}}
        operations = [
            operation
            for operations in document["paths"].values()
            for method, operation in operations.items()
            if method in ANSWERED and operation["tags"] != [NOT_FOR_PLAYERS]
        ]
        for operation in sorted(operations, key=lambda operation: operation["tags"] != ["games"]):
            module = self.modules["games" if operation["tags"] == ["games"] else OTHERS]
            for name in sorted(_answers(operation)):
                self._add(name, module)

    def _add(self, name: str, module: dict[str, None]) -> None:
        """What it holds comes before it."""
        if any(name in known for known in self.modules.values()) or name in self.json:
            return
        for schema in self.schemas[name]["properties"].values():
            for inner in _references(schema):
                self._add(inner, module)
        if not name.endswith("Page"):
            module[name] = None

    def package(self) -> str:
        names = {f"_{module}": sorted(names, key=str.lower) for module, names in self.modules.items()}
        lines = [
            '"""What the service answers, as types. Names and fields are those of the API document.',
            "",
            "Times are RFC 3339 in UTC. Actions, views, effects and options differ by game and are left as JSON: their",
            f"schemas are in `ruleset(...)`. The service may add fields at any time. {MADE}",
            '"""',
            "",
            "from ._common import JSON, Page",
        ]
        for module, within in names.items():
            lines += [f"from .{module} import (", *(f"    {name}," for name in within), ")"]
        everything = sorted({"JSON", "Page"}.union(*names.values()), key=lambda name: (name != "JSON", name))
        lines += ["", "__all__ = [", *(f'    "{name}",' for name in everything), "]"]
        return _text(lines)

    def module(self, module: str, of: str) -> str:
        body = [line for name in self.modules[module] for line in self._type(name)]
        used = [name for name in ("Literal", "NotRequired") if any(f"{name}[" in line for line in body)]
        lines = [f'"""Answers about {of}. {MADE}"""', "", f"from typing import {', '.join([*used, 'TypedDict'])}"]
        if any("JSON" in line for line in body):
            lines += ["", "from ._common import JSON"]
        return _text(lines + body)

    def _type(self, name: str) -> Iterator[str]:
        schema = self.schemas[name]
        yield from ("", "", f"class {name}(TypedDict):")
        if "description" in schema:
            yield from _told(schema["description"])
            yield ""
        for field, kind in schema["properties"].items():
            written = self._kind(kind)
            yield f"    {field}: {written if field in schema['required'] else f'NotRequired[{written}]'}"
            if "description" in kind:
                yield from _told(kind["description"])

    def _kind(self, schema: Schema) -> str:
        """The type of a schema's values, as Python writes it."""
        if "$ref" in schema:
            name = _name(schema)
            return name if any(name in module for module in self.modules.values()) else "JSON"
        if "anyOf" in schema:
            *kinds, last = schema["anyOf"]
            if len(kinds) > 1:
                return "JSON"
            return f"{self._kind(kinds[0])} | None" if last == {"type": "null"} else "JSON"
        if "enum" in schema:
            return f"Literal[{', '.join(json.dumps(each) if each is not True else 'True' for each in schema['enum'])}]"
        if isinstance(schema["type"], list):
            return " | ".join(self._kind({**schema, "type": kind}) for kind in schema["type"])
        match schema["type"]:
            case "array":
                return f"list[{self._kind(schema['items'])}]"
            case "object" if schema.get("additionalProperties"):
                return f"dict[str, {self._kind(schema['additionalProperties'])}]"
        return {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}.get(
            schema["type"], "JSON"
        )


def problems(document: Schema) -> str:
    """A class for every kind of problem that the document has an example of, by status and code."""
    examples = [example["value"] for example in document["components"]["examples"].values()]
    kinds = {each["code"]: each for each in examples if "code" in each}
    lines = [
        f'"""Refusals of the service as exceptions: a class for every code. {MADE}"""',
        "",
        "from holmgang.answers import ProblemEntry",
        "",
        "from ._problem import Problem",
    ]
    names = []
    for code, problem in sorted(kinds.items(), key=lambda item: (item[1]["status"], item[0])):
        names.append("".join(word.title() for word in code.split("_")))
        lines += ["", "", f"class {names[-1]}(Problem):", *_told(f"{problem['title']}."), "", f'    CODE = "{code}"']
    lines += ["", "", "KINDS = {kind.CODE: kind for kind in Problem.__subclasses__()}"]
    lines += ['"""The class of every code."""']
    everything = sorted([*names, "KINDS", "Problem", "ProblemEntry"], key=lambda name: (name != "KINDS", name))
    return _text([*lines, "", "__all__ = [", *(f'    "{name}",' for name in everything), "]"])


def _answers(operation: Schema) -> Iterator[str]:
    for status, told in operation["responses"].items():
        if status.startswith("2"):
            schema = told.get("content", {}).get("application/json", {}).get("schema", {})
            yield from (_name(each) for each in schema.get("anyOf", [schema]) if "$ref" in each)


def _references(schema: Schema) -> Iterator[str]:
    """The schemas that one names, but those of a union."""
    if "$ref" in schema:
        yield _name(schema)
    elif "anyOf" in schema:
        named = [each for each in schema["anyOf"] if "$ref" in each]
        yield from (_name(each) for each in named if len(named) == 1)
    else:
        for part in ("items", "additionalProperties"):
            if isinstance(schema.get(part), dict):
                yield from _references(schema[part])


def _name(reference: Schema) -> str:
    return str(reference["$ref"]).rsplit("/", 1)[-1]


def _told(text: str) -> list[str]:
    """As a docstring of a class or of a field."""
    assert "\\" not in text
    return [f"    {line}" for line in wrap(f'"""{text}"""', WIDTH - 4, break_long_words=False, break_on_hyphens=False)]


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
