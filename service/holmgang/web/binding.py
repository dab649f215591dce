"""Modules of the web table bound into one script, so that a page is there after one request instead of twenty.

The modules stay what they are: ES modules that browsers would run by themselves. Each becomes a block of the script, in
the order of imports, and what it exports is in `$modules` by its name. What is imported must be a constant, a function
or a class; what a module exports with `let` is read as a member of the whole module (`import * as api`), as it is then.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

_COMMENT = re.compile(r"^ */\*\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
_BESIDE = re.compile(r"//.*|/\*(?s:.*?)\*/|\s+")
_IMPORT = re.compile(r'^import (?:(\w+)|\* as (\w+)|(\{[^}]*\})) from "(\.{1,2}/[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(const|let|class|function|async function) (\w+))", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_HOISTED = re.compile(r"^export default (?:async )?(?:function|class)\b.*", re.MULTILINE)
"""What is there before its line is reached."""
_OTHER = re.compile(
    r"(?:^|[;}\ufeff]|\*/)\s*(?:import|export)\b(?!\s*[(.:]).*|^\s*var\b.*|\$modules\b|\$default\b", re.MULTILINE
)
"""What would not be the same in a block of a script."""
_FROM_HERE = re.compile(r"\bimport(?:\(|\.meta\b)")
"""What a module outside the folder of the script finds by where it is."""


class Unbindable(ValueError):
    """A module says something in a way that is not known here."""


def bound(
    entry: str,
    modules: Mapping[str, str],
    *,
    after: str = "",
    there: Collection[str] = (),
    begins: str = "",
    also: Collection[str] = (),
) -> dict[str, str]:
    """The script of a module and of all that it imports, and a small module for each of the others that lends what is
    in the script to whoever imports it by its own name.

    The modules `there` are in the script `after` or in those that it goes on with; they are not bound again. The script
    `begins` with such a statement, and has the modules `also`, whoever imports those.

    Raises `Unbindable` where a script would not do what the modules do, or where one is not there.
    """
    order: list[str] = []
    for name in (*also, entry):
        _visit(name, modules, there, order, ())
    if after and (changing := [name for name in order if _changing(modules[name])]):
        raise Unbindable(f"{changing[0]} exports with let, which cannot be lent to others")
    up = "../" * entry.count("/") or "./"
    begin = (
        f'import {{ $modules }} from "{up}{after}";\nexport {{ $modules }};{begins}'
        if after
        else "export const $modules = {};"
    )
    blocks = (_block(name, modules, PurePosixPath(entry).parent) for name in order)
    made = {entry: "\n".join([begin, *blocks, _lent(entry, modules[entry])])}
    for name in order:
        if name != entry:
            back = "../" * name.count("/") or "./"
            made[name] = f'import {{ $modules }} from "{back}{entry}";\n{_lent(name, modules[name])}'
    return made


def _lent(name: str, source: str) -> str:
    """Statements that export what a module in the script exports, but for what changes."""
    found = ", ".join(one for one, kind in _exports(source) if kind != "let")
    said = f'export const {{ {found} }} = $modules["{name}"];\n' if found else ""
    return said + (f'export default $modules["{name}"].default;\n' if _DEFAULT.search(source) else "")


def _visit(
    name: str, modules: Mapping[str, str], there: Collection[str], order: list[str], way: tuple[str, ...]
) -> None:
    if name in way:
        raise Unbindable(f"modules import each other: {' > '.join((*way, name))}")
    if name in order or name in there:
        return
    if name not in modules:
        raise Unbindable(f"{way[-1] if way else 'nothing'} imports {name}, which is not there")
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


def _changing(source: str) -> set[str]:
    return {one for one, kind in _exports(source) if kind == "let"}


def _block(name: str, modules: Mapping[str, str], folder: PurePosixPath) -> str:
    def lent(found: re.Match[str]) -> str:
        default, whole, some, path = found.groups()
        other = _beside(name, path)
        place = f'$modules["{other}"]'
        if some is None:
            return f"const {default or whole} = {place}{'.default' if default else ''};\n"
        taken = set(re.findall(r"(\w+)(?: as \w+)?", some))
        if not taken <= {one for one, kind in _exports(modules[other]) if kind != "let"}:
            raise Unbindable(f"{name} takes out of {other} what changes there or is not exported by itself: {found[0]}")
        return f"const {some.replace(' as ', ': ')} = {place};\n"

    source = _COMMENT.sub("", modules[name])
    if PurePosixPath(name).parent != folder and _FROM_HERE.search(source):
        raise Unbindable(f"{name} finds another file by where it is itself")
    imports = [found.end() for found in _IMPORT.finditer(source)]
    if imports and (before := _BESIDE.sub("", _IMPORT.sub("", source[: imports[-1]]))):
        raise Unbindable(f"{name} imports after it has begun: {before}")
    if other := _HOISTED.search(source) or _OTHER.search(_DEFAULT.sub("", _EXPORT.sub("", _IMPORT.sub("", source)))):
        raise Unbindable(f"{name}: {other[0]}")
    exported = [one for one, _ in _exports(source)]
    members = [f"get {one}() {{ return {one}; }}" for one in exported]
    if _DEFAULT.search(source):
        members.append("get default() { return $default; }")
    body = _DEFAULT.sub("const $default = ", _EXPORT.sub("", _IMPORT.sub(lent, source)))
    end = "" if body.endswith("\n") or not body else "\n"  # a last line may be a comment
    return f'{{\n$modules["{name}"] = {{ {", ".join(members)} }};\n{body}{end}}}'
