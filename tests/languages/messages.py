"""All messages there are, taken from where they stand."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from service import registry
from service.api.problem_table import PROBLEMS
from service.engine.rulebook import read_rules
from service.languages.catalogue import path_of

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "service"
SCRIPTS = SOURCES / "web" / "static"
PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(\w+)\}")
SAID = re.compile(r'(?<![\w.$])t\(("(?:[^"\\]|\\.)*")')
"""`t("...")` in a script, wherever it stands: also within another one, or within a template."""
COMMENT = re.compile(r"^\s*/\*.*?\*/", re.DOTALL | re.MULTILINE)


class Found(NamedTuple):
    """A message, and the file that it stands in. `context` tells texts of rules apart."""

    message: str
    where: str
    context: str | None = None


def marked(path: Path) -> Iterator[Found]:
    """What stands in `say(...)` and `template(...)` of a module."""
    where = path.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("say", "template"):
            first = node.args[0]
            message = first.value if isinstance(first, ast.Constant) else None
            assert isinstance(message, str), f"{where}:{node.lineno}: a message stands in the source as a literal"
            yield Found(message, where)


def of_api() -> Iterator[Found]:
    for path in sorted(SOURCES.rglob("*.py")):
        if SOURCES / "client" not in path.parents:
            yield from marked(path)
    for row in PROBLEMS.values():
        for text in (row.title, row.meaning, row.remedy):
            yield Found(text, "service/api/problem_table.py")


def of_rules() -> Iterator[Found]:
    for game in registry.games():
        rules = game.rules
        for rule in read_rules(game.rulebook):
            yield Found(rule["text"], f"service/games/{rules.ruleset}/RULES.md", f"{rules.ruleset} {rule['id']}")
        for part in rules.reconstructed:
            yield Found(part.what, f"service/games/{rules.ruleset}/rules/rules.py", f"{rules.ruleset} {part.rule}")


def said_in(script: str) -> Iterator[str]:
    """The messages of a script of the web table, in their order."""
    for literal in SAID.findall(COMMENT.sub("", script)):
        yield json.loads(literal)


def of_web() -> Iterator[Found]:
    """What stands in `t("...")` of the web table's scripts."""
    for path in sorted(SCRIPTS.rglob("*.js")):
        for message in said_in(path.read_text()):
            yield Found(message, path.relative_to(ROOT).as_posix())


OF = {"api": of_api, "rules": of_rules, "web": of_web}


def template(domain: str) -> Catalog:
    """The messages of a domain, each once, with the files that they stand in."""
    catalog = Catalog(domain=domain)
    for found in OF[domain]():
        catalog.add(found.message, context=found.context, locations=[(found.where, 0)])
    for message in catalog:
        message.locations = sorted(set(message.locations))
    return catalog


def kept(language: str, domain: str) -> Catalog:
    """The catalogue as it lies in the repository."""
    path = path_of(language, domain)
    if not path.exists():
        return Catalog(locale=language, domain=domain)
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=domain, abort_invalid=True)


def placeholders(text: str) -> list[str]:
    """The names in braces, sorted."""
    return sorted(found[1] for found in PLACEHOLDER.finditer(text) if found[1])
