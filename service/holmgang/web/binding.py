"""Modules of the web table bound into one script, so that a page is there after one request instead of twenty.

The modules stay what they are: ES modules that browsers would run by themselves. Each becomes a block of the script, in
the order of imports, and what it exports is in `modules` by its name. What is imported must be a constant, a function
or a class; what a module exports with `let` is read as a member of the whole module (`import * as api`), as it is then.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

_COMMENT = re.compile(r"^ */\*\*.*?\*/\n", re.MULTILINE | re.DOTALL)
_IMPORT = re.compile(r'^import (?:(\w+)|\* as (\w+)|(\{[^}]*\})) from "(\.{1,2}/[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(const|let|class|function|async function) (\w+))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b[^(].*", re.MULTILINE)


class Unbindable(ValueError):
    """A module says something in a way that is not known here."""


def bound(
    entry: str, modules: Mapping[str, str], *, after: str = "", there: Collection[str] = (), begins: str = ""
) -> dict[str, str]:
    """The script of a module and of all that it imports, and a small module for each of the others that lends what is
    in the script to whoever imports it by its own name.

    The modules `there` are in the script `after`, which this one goes on with; they are not bound again. It `begins`
    with such a statement.
    """
    order: list[str] = []
    _visit(entry, modules, there, order, ())
    begin = (
        f'import {{ modules }} from "./{after}";\nexport {{ modules }};{begins}'
        if after
        else "export const modules = {};"
    )
    end = f'export default modules["{entry}"].default;\n' if _DEFAULT.search(modules[entry]) else ""
    made = {entry: "\n".join([begin, *(_block(name, modules) for name in order), end])}
    for name in order:
        if name != entry:
            lent = ", ".join(one for one, kind in _exports(modules[name]) if kind != "let")
            back = "../" * name.count("/") or "./"
            made[name] = f'import {{ modules }} from "{back}{entry}";\nexport const {{ {lent} }} = modules["{name}"];\n'
    return made


def _visit(
    name: str, modules: Mapping[str, str], there: Collection[str], order: list[str], way: tuple[str, ...]
) -> None:
    if name in way:
        raise Unbindable(f"modules import each other: {' > '.join((*way, name))}")
    if name in order or name in there:
        return
    for one in _imports(name, modules):
        _visit(one, modules, there, order, (*way, name))
    order.append(name)


def _imports(name: str, modules: Mapping[str, str]) -> Iterator[str]:
    for found in _IMPORT.finditer(modules[name]):
        yield _beside(name, found[4])


def _beside(name: str, path: str) -> str:
    """The name of the module at a path that this one imports."""
    parts = list(PurePosixPath(name).parent.parts)
    for step in path.split("/"):
        if step == "..":
            parts.pop()
        elif step != ".":
            parts.append(step)
    return "/".join(parts)


def _exports(source: str) -> Iterator[tuple[str, str]]:
    """What a module exports by name, and how it declares that."""
    for found in _EXPORT.finditer(source):
        yield found[2], found[1]


def _block(name: str, modules: Mapping[str, str]) -> str:
    def taken(found: re.Match[str]) -> str:
        default, whole, some, path = found.groups()
        other = _beside(name, path)
        place = f'modules["{other}"]'
        if some is None:
            return f"const {default or whole} = {place}{'.default' if default else ''};\n"
        changing = {one for one, kind in _exports(modules[other]) if kind == "let"}
        if changing & set(re.findall(r"\w+", some)):
            raise Unbindable(f"{name} takes out of {other} what changes there: {found[0]}")
        return f"const {some.replace(' as ', ': ')} = {place};\n"

    source = _COMMENT.sub("", modules[name])
    exported = [one for one, _ in _exports(source)]
    members = [f"get {one}() {{ return {one}; }}" for one in exported]
    if _DEFAULT.search(source):
        members.append("get default() { return $default; }")
    body = _DEFAULT.sub("const $default = ", _EXPORT.sub("", _IMPORT.sub(taken, source)))
    if other := _OTHER.search(body):
        raise Unbindable(f"{name}: {other[0]}")
    return f'{{\nmodules["{name}"] = {{ {", ".join(members)} }};\n{body}}}'
