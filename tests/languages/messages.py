"""All messages there are, taken from where they stand: the house's own, and each game's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from holmgang import registry
from holmgang.api.problems.table import PROBLEMS
from holmgang.languages.catalogue import FOLDER
from holmgang.languages.gathering import Found, collected, said_by, said_in_module, said_in_script

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "service" / "holmgang"
SCRIPTS = SOURCES / "web" / "static"
TEMPLATES = SOURCES / "api" / "templates"
NOT_SAID = (SOURCES / "client", SOURCES / "games")
"""The client says nothing through the catalogues; the games have their own."""
HOUSE = ""
"""Stands for the house among the names of games."""
SPEAKERS = (HOUSE, *registry.names())


def _of_api() -> Iterator[Found]:
    for path in sorted(SOURCES.rglob("*.py")):
        if not set(NOT_SAID) & set(path.parents):
            yield from said_in_module(path.read_text(), path.relative_to(ROOT).as_posix())
    for path in sorted(TEMPLATES.glob("*.html")):
        yield from said_in_script(path.read_text(), path.relative_to(ROOT).as_posix())
    for row in PROBLEMS.values():
        for text in (row.title, row.meaning, row.remedy):
            yield Found(text, "service/holmgang/api/problems/table.py")


def _of_web() -> Iterator[Found]:
    for path in sorted(SCRIPTS.rglob("*.js")):
        yield from said_in_script(path.read_text(), path.relative_to(ROOT).as_posix())


def of(speaker: str, domain: str) -> Iterator[Found]:
    """What the house says, or a game."""
    if speaker:
        yield from said_by(registry.game(speaker), domain)
    elif domain != "rules":
        yield from _of_api() if domain == "api" else _of_web()


def of_api() -> Iterator[Found]:
    """What all say in answers and pictures."""
    for speaker in SPEAKERS:
        yield from of(speaker, "api")


def now(speaker: str, domain: str) -> Catalog:
    return collected(domain, of(speaker, domain))


def folder_of(speaker: str) -> Path:
    """Where the house's catalogues lie, or a game's."""
    return SOURCES / "games" / speaker / "locale" if speaker else FOLDER
