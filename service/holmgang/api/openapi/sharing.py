"""What several operations have alike is written once in the document, and read where it is needed."""

from collections import Counter
from typing import Any

from msgspec import json

from holmgang.engine.schemas import VALUES

Described = dict[str, Any]


def share_parameters(document: Described) -> None:
    """Make components of the parameters that more than one operation has, named as `QueryLimit` and `PathGame`. Of one
    that has several forms, such as examples of its own, that is the most frequent."""
    components: Described = document["components"]["parameters"]
    lists = [each["parameters"] for verbs in document["paths"].values() for each in verbs.values()]
    uses = Counter(_key(each) for parameters in lists for each in parameters if "$ref" not in each)
    names: dict[bytes, str] = {}
    for key, times in uses.most_common():
        parameter = json.decode(key)
        name = "".join(part.capitalize() for part in (parameter["in"], *parameter["name"].split("_")))
        if times > 1 and name not in components:
            components[name] = parameter
            names[key] = name
    for parameters in lists:
        for n, each in enumerate(parameters):
            if (key := _key(each)) in names:
                parameters[n] = {"$ref": f"#/components/parameters/{names[key]}"}


def unwrapped(of: Any) -> Any:
    """The same where a choice of one schema is that schema, with what else is said of it beside it."""
    if isinstance(of, list):
        return [unwrapped(each) for each in of]
    if not isinstance(of, dict):
        return of
    found = {name: each if name in VALUES else unwrapped(each) for name, each in of.items()}
    match found.get("anyOf"):
        case [dict() as only]:
            return {name: found[name] for name in ("description", "default") if name in found} | only
    return found


def share_examples(document: Described) -> None:
    """Make components of the examples that several answers have alike, each named after the first: `getGameOpen`."""
    components: Described = document["components"]["examples"]
    places = [
        (content["examples"], name, operation["operationId"])
        for verbs in document["paths"].values()
        for operation in verbs.values()
        for answer in operation["responses"].values()
        for content in answer.get("content", {}).values()
        for name in content.get("examples", ())
    ]
    uses = Counter(_key(examples[name]) for examples, name, _ in places)
    names: dict[bytes, str] = {}
    for examples, name, operation in places:
        if uses[key := _key(examples[name])] > 1:
            shared = names.setdefault(key, operation + "".join(map(str.capitalize, name.split("_"))))
            components[shared] = examples[name]
            examples[name] = {"$ref": f"#/components/examples/{shared}"}


def resolved(document: Described, value: Described) -> Described:
    """The value, or the component that it refers to, with what is said of it beside the reference."""
    while "$ref" in value:
        found: Any = document
        for step in value["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        value = {**found, **{name: said for name, said in value.items() if name != "$ref"}}
    return value


def _key(parameter: Described) -> bytes:
    return json.encode(parameter, order="sorted")
