"""The API reference at /docs: the OpenAPI document as one page, without scripts or anything from other servers."""

from __future__ import annotations

import html
import json
import shlex
from typing import Any

from service.api.problems.frame import frame, prose

STYLE = """
.layout{display:grid;grid-template-columns:19rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.4rem 1rem 3rem 1.3rem;background:var(--panel);
border-right:1px solid var(--line);font-size:.88rem}
nav strong{display:block;margin:1.1rem 0 .2rem;text-transform:capitalize}
nav a{display:flex;gap:.3rem;padding:.14rem 0;color:var(--ink)}nav a.top{font-size:1.15rem;font-weight:700}
main{padding:2.5rem clamp(1rem,4vw,4rem) 6rem;max-width:66rem}
.verb{font:700 .68rem/1.5rem ui-monospace,Menlo,Consolas,monospace;flex:none;width:3.4rem}
.GET{color:var(--get)}.POST{color:var(--post)}.PUT{color:var(--put)}.DELETE{color:var(--delete)}
article{border-top:1px solid var(--line);padding:1.6rem 0 1rem}
.call{display:flex;gap:.4rem;align-items:baseline;flex-wrap:wrap;margin:.3rem 0 .8rem}
.call code{font-size:.95rem}
.badge{font-size:.75rem;border:1px solid var(--line);border-radius:99px;padding:.05rem .6rem;color:var(--soft)}
.error{margin:.1rem 0;font-size:.9rem}
details{margin:.35rem 0}summary{cursor:pointer}summary b{font-family:ui-monospace,Menlo,Consolas,monospace;
font-size:.86em}
td:first-child{white-space:nowrap}.type{color:var(--soft);font-size:.85em}.type .type{font-size:1em}
.curl{white-space:pre-wrap;overflow-wrap:anywhere}
@media (max-width:56rem){.layout{display:block}nav{position:static;height:auto;max-height:16rem;border-right:0;
border-bottom:1px solid var(--line)}td:first-child{white-space:normal}}
"""
SCHEMAS = "#/components/schemas/"
ORDER = ("get", "post", "put", "patch", "delete")
SHORTENED = 12
HERE = "http://127.0.0.1:8000"
"""Where it is tried out that has no address of its own."""


def page(document: dict[str, Any], base: str) -> str:
    """The whole page. `base` is what addresses begin with."""
    root = html.escape(base)
    return frame(
        f"{document['info']['title']} API reference",
        f'<div class="layout">{_nav(document, root)}<main>{_intro(document, root)}'
        f"{_operations(document, base)}{_schemas(document)}</main></div>",
        STYLE,
    )


def _text(value: object) -> str:
    return html.escape(str(value))


def _by_tag(document: dict[str, Any]) -> dict[str, list[tuple[str, str, dict[str, Any]]]]:
    """Path, verb and operation of every call, by tag in the order of tags."""
    found: dict[str, list[tuple[str, str, dict[str, Any]]]] = {tag["name"]: [] for tag in document["tags"]}
    for path, verbs in document["paths"].items():
        for verb in ORDER:
            if verb in verbs:
                found[verbs[verb]["tags"][0]].append((path, verb.upper(), verbs[verb]))
    return found


def _nav(document: dict[str, Any], root: str) -> str:
    parts = [f'<nav aria-label="Calls"><a class="top" href="#top">{_text(document["info"]["title"])}</a>']
    for tag, calls in _by_tag(document).items():
        parts.append(f"<strong>{_text(tag)}</strong>")
        for path, verb, operation in calls:
            shown = path.removeprefix("/v1") or path
            parts.append(
                f'<a href="#{operation["operationId"]}"><span class="verb {verb}">{verb}</span>'
                f"<span>{_text(shown).replace('/', '/<wbr>')}</span></a>"
            )
    parts.append(
        f'<strong>Schemas</strong><a href="#schemas">All schemas</a><a href="{root}/problems">Problems</a></nav>'
    )
    return "".join(parts)


def _intro(document: dict[str, Any], root: str) -> str:
    info = document["info"]
    paragraphs = "".join(f"<p>{prose(text)}</p>" for text in info["description"].split("\n\n"))
    return (
        f'<h1 id="top">{_text(info["title"])} API</h1><p class="soft">{_text(info["summary"])} Version '
        f'{_text(info["version"])}; <a href="{root}/openapi.json">OpenAPI document</a>.</p>{paragraphs}'
    )


def _operations(document: dict[str, Any], base: str) -> str:
    about = {tag["name"]: tag.get("description", "") for tag in document["tags"]}
    parts = []
    for tag, calls in _by_tag(document).items():
        parts.append(f"<section><h2>{_text(tag.capitalize())}</h2><p>{prose(about[tag])}</p>")
        parts += [_operation(document, base, path, verb, operation) for path, verb, operation in calls]
        parts.append("</section>")
    return "".join(parts)


def _operation(document: dict[str, Any], base: str, path: str, verb: str, operation: dict[str, Any]) -> str:
    texts = "".join(f"<p>{prose(text)}</p>" for text in operation.get("description", "").split("\n\n") if text)
    parameters = [_resolved(document, one) for one in operation.get("parameters", [])]
    return (
        f'<article id="{operation["operationId"]}"><h3>{prose(operation["summary"])}</h3>'
        f'<p class="call"><span class="verb {verb}">{verb}</span><code>{_text(path)}</code>'
        f'<span class="badge">{_who(operation)}</span></p>{texts}'
        f"{_parameters(parameters)}{_body(operation)}<h4>Try it</h4>"
        f"<pre class=curl>{_text(curl(base or HERE, path, verb, operation, parameters))}</pre>"
        f"{_answers(operation, html.escape(base))}</article>"
    )


def _who(operation: dict[str, Any]) -> str:
    security = operation["security"]
    if not security:
        return "open to all"
    return "token optional" if {} in security else "token needed"


def _resolved(document: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    found: Any = value
    while "$ref" in found:
        place: Any = document
        for step in found["$ref"].removeprefix("#/").split("/"):
            place = place[step]
        found = place
    resolved: dict[str, Any] = found
    return resolved


def _parameters(parameters: list[dict[str, Any]]) -> str:
    if not parameters:
        return ""
    rows = "".join(
        f'<tr><td><code>{_text(one["name"])}</code><br><span class="type">{one["in"]}'
        f"{', required' if one.get('required') else ''}</span></td><td>{_type(one['schema'])}</td>"
        f"<td>{prose(one.get('description', ''))}</td></tr>"
        for one in parameters
    )
    return f"<h4>Parameters</h4><table>{rows}</table>"


def _body(operation: dict[str, Any]) -> str:
    if "requestBody" not in operation:
        return ""
    content = operation["requestBody"]["content"]["application/json"]
    return f"<h4>Body</h4><p>{_type(content['schema'])}</p>{_values(content['examples'])}"


def _values(examples: dict[str, Any]) -> str:
    parts = []
    for name, example in examples.items():
        value = example["value"]
        shown = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
        opened = " open" if len(examples) == 1 and shown.count("\n") < SHORTENED else ""
        title = _text(name.replace("_", " "))
        parts.append(f"<details{opened}><summary>Example: {title}</summary><pre>{_text(shown)}</pre></details>")
    return "".join(parts)


def curl(base: str, path: str, verb: str, operation: dict[str, Any], parameters: list[dict[str, Any]]) -> str:
    """The call as a command line, with the values of its examples."""
    query = []
    for one in parameters:
        if one["in"] == "path":
            path = path.replace("{" + one["name"] + "}", str(one.get("example", one["name"])))
        elif one["in"] == "query" and "example" in one:
            query.append(f"{one['name']}={json.dumps(one['example']).strip(chr(34))}")
    address = base + path + ("?" + "&".join(query) if query else "")
    parts = ["curl", *(["-X", verb] if verb not in ("GET", "POST") else []), shlex.quote(address)]
    line = " ".join(parts)
    if {"token": []} in operation["security"] and {} not in operation["security"]:
        line += ' -H "Authorization: Bearer $TOKEN"'
    if "requestBody" in operation:
        example = next(iter(operation["requestBody"]["content"]["application/json"]["examples"].values()))
        body = json.dumps(example["value"], ensure_ascii=False)
        line += f" \\\n  --json {shlex.quote(body)}"
    return line


def _answers(operation: dict[str, Any], root: str) -> str:
    parts = ["<h4>Answers</h4>"]
    for status, answer in operation["responses"].items():
        content = answer.get("content", {})
        if "application/problem+json" in content:
            codes = content["application/problem+json"]["examples"]
            links = ", ".join(f'<a href="{root}/problems/{code}"><code>{code}</code></a>' for code in codes)
            parts.append(f'<p class="error"><b>{status}</b> {links}</p>')
            continue
        told = next(iter(content.values()), None)
        schema = "" if told is None else f" {_type(told['schema'])}"
        parts.append(f"<p><b>{status}</b> {_text(answer['description'])}{schema}</p>")
        if told is not None:
            parts.append(_values(told.get("examples", {})))
    return "".join(parts)


def _schemas(document: dict[str, Any]) -> str:
    parts = ['<section><h2 id="schemas">Schemas</h2>']
    for name, schema in document["components"]["schemas"].items():
        parts.append(f'<article id="schema-{_text(name)}"><h3>{_text(name)}</h3>{_schema(schema)}</article>')
    return "".join([*parts, "</section>"])


def _schema(schema: dict[str, Any]) -> str:
    texts = f"<p>{prose(schema['description'])}</p>" if "description" in schema else ""
    if "properties" not in schema:
        return f"{texts}<p>{_type(schema)}</p>"
    required = set(schema.get("required", ()))
    rows = "".join(
        f"<tr><td><code>{_text(name)}</code>{'' if name in required else '<br><span class=type>optional</span>'}</td>"
        f"<td>{_type(member)}</td><td>{prose(member.get('description', ''))}</td></tr>"
        for name, member in schema["properties"].items()
    )
    return f"{texts}<table>{rows}</table>"


def _type(schema: Any) -> str:
    """A schema in a few words, with links to those it names."""
    if not isinstance(schema, dict):
        return "anything"
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(SCHEMAS)
        return f'<a href="#schema-{_text(name)}">{_text(name)}</a>'
    for joint in ("anyOf", "oneOf", "allOf"):
        if joint in schema:
            return " or ".join(_type(one) for one in schema[joint])
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " or ".join(f"<code>{_text(json.dumps(value))}</code>" for value in values)
    kinds = schema.get("type", "anything")
    words = " or ".join(kinds) if isinstance(kinds, list) else str(kinds)
    if "items" in schema and schema["items"] is not False:
        words = f"{words} of {_type(schema['items'])}"
    elif "prefixItems" in schema:
        words = f"{words} of {', '.join(_type(one) for one in schema['prefixItems'])}"
    return f'<span class="type">{words}{_bounds(schema)}</span>'


def _bounds(schema: dict[str, Any]) -> str:
    said = []
    if "format" in schema:
        said.append(str(schema["format"]))
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None or high is not None:
        said.append(f"{'' if low is None else low}..{'' if high is None else high}")
    short, long = schema.get("minLength", schema.get("minItems")), schema.get("maxLength", schema.get("maxItems"))
    if short is not None or long is not None:
        said.append(f"length {0 if short is None else short}..{'' if long is None else long}")
    if "default" in schema:
        said.append(f"default {json.dumps(schema['default'])}")
    return _text(f" ({'; '.join(said)})") if said else ""
