"""What docs/pages/reference/game-interface.md calls public: what each takes and gives, read from the sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
PAGE = REPOSITORY / "docs/pages/reference/game-interface.md"
KEPT = Path(__file__).with_name("signatures.txt")
_ROW = re.compile(r"^\| `(holmgang[\w.]+)` \| (.+) \|$", re.M)

Names = dict[str, list[str]]


def listed() -> Names:
    """The public names by module, as the page lists them."""
    text = PAGE.read_text(encoding="utf-8")
    return {module: re.findall(r"`(\w+)`", names) for module, names in _ROW.findall(text)}


def source_of(module: str) -> Path:
    return REPOSITORY.joinpath("service", *module.split(".")).with_suffix(".py")


def signatures() -> str:
    """A line for each name, and below a class one for each field and public method."""
    return "".join(f"{line}\n" for module, names in listed().items() for line in _of_module(module, names))


def _of_module(module: str, names: list[str]) -> Iterator[str]:
    tree = ast.parse(source_of(module).read_text(encoding="utf-8"))
    found = {name: node for node in tree.body for name in _named(node)}
    yield module
    for name in names:
        assert name in found, f"{module} has no {name} of its own"
        yield from (f"  {line}" for line in _lines(found[name], name))


def _named(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.AnnAssign):
        yield ast.unparse(node.target)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from (ast.unparse(each) for each in getattr(target, "elts", [target]))


def _lines(node: ast.stmt, name: str) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef):
        yield _of_function(node)
    elif isinstance(node, ast.ClassDef):
        parts = [ast.unparse(each) for each in (*node.bases, *node.keywords)]
        yield f"class {name}({', '.join(parts)})"
        for each in node.body:
            if isinstance(each, ast.FunctionDef) and (each.name == "__init__" or not each.name.startswith("_")):
                marks = "".join(f"@{ast.unparse(mark)} " for mark in each.decorator_list)
                yield f"  {marks}{_of_function(each)}"
            elif isinstance(each, ast.AnnAssign) and not ast.unparse(each.target).startswith("_"):
                yield f"  {ast.unparse(each)}"
    elif isinstance(node, ast.AnnAssign):
        yield f"{name}: {ast.unparse(node.annotation)}"
    else:
        yield name


def _of_function(node: ast.FunctionDef) -> str:
    returned = "" if node.returns is None else f" -> {ast.unparse(node.returns)}"
    return f"{node.name}({ast.unparse(node.args)}){returned}"
