"""The Python client's types and problems, made of the API document."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
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
HOUSE_EVENT = "HouseEvent"
"""What every game's players are told, besides what is of the game's own."""
LEFT_AS_JSON = {"LogEntry"}
"""Besides what is of the games' own: a row holds actions and draws of theirs."""
OF_ACTIONS = {"Legal": "Action"}
"""Types that a bot's author says the game of, and the variable that stands for its actions."""
MADE = "Made of openapi/openapi.json by `make openapi`."

Schema = dict[str, Any]


def files() -> dict[Path, str]:
    """The text of every file that is made of the document."""
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    types = Types(document)
    games = Games(document)
    return {
        **{CLIENT / f"answers/{name}.py": games.module(name) for name in games.prefixes},
        CLIENT / "answers/__init__.py": types.package(games.prefixes),
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
        for inner in references(self.schemas[name]):
            self._add(inner, module)
        if not name.endswith("Page") and "properties" in self.schemas[name]:
            module[name] = None

    def package(self, games: Iterable[str]) -> str:
        names = {f"_{module}": sorted(names, key=str.lower) for module, names in self.modules.items()}
        lines = [
            '"""What the service answers, as types. Names and fields are those of the API document.',
            "",
            "Times are RFC 3339 in UTC. Actions, views, events and options differ by game and are left as JSON: their",
            f"schemas are in `ruleset(...)`. The modules {', '.join(games)} of this package type them for the",
            "house's games, all but options. The service may add fields at any time.",
            MADE,
            '"""',
            "",
            "from ._common import JSON, Page",
        ]
        for module, within in names.items():
            lines += [f"from .{module} import (", *(f"    {name}," for name in within), ")"]
        everything = sorted({"JSON", "Page"}.union(*names.values()), key=lambda name: (name != "JSON", name))
        lines += ["", "__all__ = [", *(f'    "{name}",' for name in everything), "]"]
        return text(lines)

    def module(self, module: str, of: str) -> str:
        body = [line for name in self.modules[module] for line in self._type(name)]
        generic = sorted({variable for name, variable in OF_ACTIONS.items() if name in self.modules[module]})
        lines = [f'"""Answers about {of}. {MADE}"""', "", _typing(body, ["Generic"] if generic else []), ""]
        common = [*(["JSON"] if any("JSON" in line for line in body) else []), *generic]
        return text([*lines, f"from ._common import {', '.join(common)}", *body])

    def _type(self, name: str) -> Iterator[str]:
        others = OF_ACTIONS.get(name, "JSON")
        bases = f"TypedDict, Generic[{others}]" if name in OF_ACTIONS else "TypedDict"

        def python(of: str) -> str:
            return of if any(of in module for module in self.modules.values()) else others

        return written(f"{name}({bases})", self.schemas[name], python)


def _typing(body: Iterable[str], more: Iterable[str] = ()) -> str:
    """The line that imports what the body uses."""
    used = (each for each in ("Literal", "NotRequired") if any(f"{each}[" in line for line in body))
    return f"from typing import {', '.join(sorted([*more, *used, 'TypedDict']))}"


def written(name: str, schema: Schema, python: Callable[[str], str]) -> Iterator[str]:
    """A schema of objects as a class; `python` is how Python writes another schema of that name."""
    yield from ("", "", f"class {name}:")
    if "description" in schema:
        yield from _told(schema["description"])
        yield ""
    for field, of in schema["properties"].items():
        assert field.isidentifier()
        assert not keyword.iskeyword(field)
        kind = kind_of(of, python)
        yield from _field(field, kind if field in schema["required"] else f"NotRequired[{kind}]")
        if "description" in of:
            yield from _told(of["description"])


def _field(name: str, kind: str) -> list[str]:
    """As ruff formats it."""
    line = f"    {name}: {kind}"
    if len(line) <= WIDTH:
        return [line]
    head, inner = line.removesuffix("]").split("[", 1)
    assert "[" not in inner
    return [f"{head}[", *(f"        {each}," for each in inner.split(", ")), "    ]"]


def _union(name: str, kinds: Sequence[str]) -> list[str]:
    """As ruff formats it."""
    line = f"{name} = {' | '.join(kinds)}"
    if len(line) <= WIDTH:
        return [line]
    first, *more = kinds
    return [f"{name} = (", f"    {first}", *(f"    | {kind}" for kind in more), ")"]


def kind_of(schema: Schema, python: Callable[[str], str]) -> str:
    """The type of a schema's values, as Python writes it."""
    if "$ref" in schema:
        return python(target(schema))
    if "anyOf" in schema:
        kinds = [kind_of(each, python) for each in schema["anyOf"]]
        several = len(kinds) - kinds.count("None") > 1
        return "JSON" if several and "JSON" in kinds else " | ".join(dict.fromkeys(kinds))
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return f"Literal[{', '.join(json.dumps(each) if each is not True else 'True' for each in values)}]"
    if isinstance(schema["type"], list):
        return " | ".join(kind_of({**schema, "type": kind}, python) for kind in schema["type"])
    match schema["type"]:
        case "array":
            of = schema.get("prefixItems") or [schema["items"]]
            return f"list[{' | '.join(dict.fromkeys(kind_of(each, python) for each in of))}]"
        case "object" if schema.get("additionalProperties"):
            return f"dict[str, {kind_of(schema['additionalProperties'], python)}]"
    return {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}.get(
        schema["type"], "JSON"
    )


class Games:
    """Of what a seat of each game sees, chooses and is told. In a game's module names are without the game's."""

    def __init__(self, document: Schema) -> None:
        self.schemas: dict[str, Schema] = document["components"]["schemas"]
        prefixes = sorted(name.removesuffix("View") for name in self._standing("Turn", "view"))
        self.prefixes = {re.sub(r"(?<!^)(?=[A-Z])", "_", prefix).lower(): prefix for prefix in prefixes}

    def _standing(self, name: str, field: str) -> list[str]:
        """What an answer has in a field that differs by game."""
        return list(self._objects(self.schemas[name]["properties"][field]))

    def _objects(self, schema: Schema) -> Iterator[str]:
        """The objects that a schema takes, one after another where it is a union."""
        for each in schema.get("anyOf", [schema]):
            found = self.schemas[target(each)]
            if "anyOf" in found:
                yield from self._objects(found)
            else:
                yield target(each)

    def module(self, game: str) -> str:
        prefix = self.prefixes[game]
        actions, events = self._standing("Receipt", "action"), self._standing("Event", "payload")
        unions = {
            union: list(dict.fromkeys(name for name in names if name.startswith(prefix) or name == HOUSE_EVENT))
            for union, names in (("Action", actions), ("Event", events))
        }
        names: dict[str, None] = {}
        for name in (f"{prefix}View", *unions["Action"], *unions["Event"]):
            self._add(name, names)
        own = {name: name.removeprefix(prefix) for name in names}
        assert not unions.keys() & own.values()
        python = {**own, HOUSE_EVENT: HOUSE_EVENT}

        def name_of(schema: str) -> str:
            return " | ".join(python[each] for each in self._objects({"$ref": schema}))

        body = [
            line for name, short in own.items() for line in written(f"{short}(TypedDict)", self.schemas[name], name_of)
        ]
        lines = [
            f'"""What a seat of {game} sees, chooses and is told, as types. {MADE}',
            "",
            "`type` tells the kinds of an Action apart, and those of an Event, which is the `payload` of one.",
            '"""',
            "",
            _typing(body),
            "",
            *(["from ._common import JSON"] if any("JSON" in line for line in body) else []),
            f"from ._games import {HOUSE_EVENT}",
            *body,
            "",
        ]
        for union, kinds in unions.items():
            lines += ["", *_union(union, [python[kind] for kind in kinds])]
        everything = sorted([*own.values(), *unions])
        return text([*lines, "", "__all__ = [", *(f'    "{name}",' for name in everything), "]"])

    def _add(self, name: str, names: dict[str, None]) -> None:
        """What it holds comes before it."""
        if name not in names and name != HOUSE_EVENT:
            for inner in references(self.schemas[name]):
                self._add(inner, names)
            if "properties" in self.schemas[name]:
                names[name] = None


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
    return text([*lines, "", "__all__ = [", *(f'    "{name}",' for name in everything), "]"])


def _answers(operation: Schema) -> Iterator[str]:
    for status, told in operation["responses"].items():
        if status.startswith("2"):
            schema = told.get("content", {}).get("application/json", {}).get("schema", {})
            yield from (target(each) for each in schema.get("anyOf", [schema]) if "$ref" in each)


def references(schema: Schema) -> Iterator[str]:
    """The schemas that one names."""
    if "$ref" in schema:
        yield target(schema)
    for part in ("items", "additionalProperties"):
        if isinstance(schema.get(part), dict):
            yield from references(schema[part])
    for each in (*schema.get("anyOf", ()), *schema.get("prefixItems", ()), *schema.get("properties", {}).values()):
        yield from references(each)


def target(reference: Schema) -> str:
    """The name of the schema that a reference leads to."""
    return str(reference["$ref"]).rsplit("/", 1)[-1]


def _told(text: str) -> list[str]:
    """As a docstring of a class or of a field."""
    assert "\\" not in text
    return [
        f"    {line}"
        for line in wrap(f'"""{" ".join(text.split())}"""', WIDTH - 4, break_long_words=False, break_on_hyphens=False)
    ]


def text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
