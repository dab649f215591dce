"""The messages of a game, taken from where they stand, and the catalogues that they are translated in.

What is new stands in a catalogue with an empty translation, what is gone is taken out, and what is translated stays.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from holmgang.engine.game import Game
from holmgang.engine.rulebook import read_rules

from .catalogue import FOLDER, place_of
from .placeholders import fills, placeholders
from .scripts import literals

WIDTH = 116
CODE = re.compile("`[^`]+`")


class Found(NamedTuple):
    """A message, and the file that it stands in. `context` tells texts of rules apart."""

    message: str
    where: str
    context: str | None = None


class NoLiteral(Exception):
    """A message is put together where it is said, so that nobody can translate it."""


def said_in_module(source: str, where: str) -> Iterator[Found]:
    """What stands in `say(...)` and `template(...)` of a module."""
    for node in ast.walk(ast.parse(source, where)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("say", "template"):
            first = node.args[0] if node.args else None
            if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
                raise NoLiteral(f"{where}:{node.lineno}: a message stands in the source as a literal.")
            yield Found(first.value, where)


def said_in_script(script: str, where: str) -> Iterator[Found]:
    """What stands in `t("...")` of a script of the web table, in its order."""
    for message in literals(script):
        yield Found(message, where)


def _files(folder: Traversable, ending: str, where: str = "") -> Iterator[tuple[str, str]]:
    """The text files below a folder by their paths in it."""
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            yield from _files(each, ending, f"{where}{each.name}/")
        elif each.name.endswith(ending):
            yield f"{where}{each.name}", each.read_text(encoding="utf-8")


def said_by(game: Game, domain: str) -> Iterator[Found]:
    """The messages of a game. Raises NoLiteral, SyntaxError, UnicodeDecodeError."""
    if domain == "rules":
        for rule in read_rules(game.rulebook):
            yield Found(rule["text"], "RULES.md", f"{game.name} {rule['id']}")
        for part in game.rules.reconstructed:
            if part.what:
                yield Found(part.what, "rules", f"{game.name} {part.rule}")
        return
    ending, said_in = (".js", said_in_script) if domain == "web" else (".py", said_in_module)
    folder = game.file("web") if domain == "web" else game.file()
    for where, text in () if folder is None else _files(folder, ending):
        yield from said_in(text, f"web/{where}" if domain == "web" else where)


def collected(domain: str, found: Iterable[Found]) -> Catalog:
    """Messages, each once, with the files that they stand in."""
    catalog = Catalog(domain=domain)
    for each in found:
        catalog.add(each.message, context=each.context, locations=[(each.where, 0)])
    for message in catalog:
        message.locations = sorted(set(message.locations))
    return catalog


def kept(folder: Path, language: str, domain: str) -> Catalog:
    """A catalogue as it lies in a folder `locale`; an empty one where there is none. Raises babel's PoFileError."""
    path = folder.joinpath(*place_of(language, domain))
    if not path.is_file():
        return Catalog(locale=language, domain=domain)
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=domain, abort_invalid=True)


def bring(folder: Path, language: str, now: Catalog) -> Path | None:
    """Bring a catalogue in a folder `locale` to the messages that there are now: its path, or None without messages."""
    path = folder.joinpath(*place_of(language, str(now.domain)))
    if not len(now):
        path.unlink(missing_ok=True)
        return None
    content = written(language, kept(folder, language, str(now.domain)), now)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def faults(folder: Path, language: str, now: Catalog) -> Iterator[str]:
    """What is wrong with a catalogue in a folder `locale`, each in a sentence. What the house translates needs no other
    translation."""
    domain = str(now.domain)
    old, house = kept(folder, language, domain), kept(FOLDER, language, domain)
    for message in now:
        found = (each.get(message.id, message.context) for each in (old, house))
        if message.id and not any(each is not None and each.string for each in found):
            yield f"{message.id!r} has no translation."
    for message in old:
        if not isinstance(message.id, str) or not isinstance(message.string, str):
            yield f"{message.id!r} has forms of the plural, which nobody asks for."
        elif message.id and now.get(message.id, message.context) is None:
            yield f"{message.id!r} is not said any more."
        elif message.id and message.string:
            for wrong in _differences(message.id, message.string, filled=now.domain != "rules"):
                yield f"The translation of {message.id!r} {wrong}."
            if message.fuzzy:
                yield f"The translation of {message.id!r} is marked fuzzy."


def _differences(english: str, text: str, filled: bool) -> Iterator[str]:
    if filled and not fills(english, text):
        yield f"cannot be filled with {placeholders(english)}"
    if sorted(CODE.findall(text)) != sorted(CODE.findall(english)):
        yield "has other code"
    if english == english.strip() and text != text.strip():
        yield "begins or ends with a blank"


def written(language: str, old: Catalog, now: Catalog) -> bytes:
    """A catalogue with exactly the messages that there are now, translated as they were, as `bring` writes it."""
    new = Catalog(locale=language, domain=now.domain)
    for message in now:
        if message.id:
            before = old.get(message.id, message.context)
            new.add(
                message.id,
                "" if before is None else before.string,
                context=message.context,
                locations=message.locations,
                flags=() if before is None else before.flags & {"fuzzy"},
            )
    file = io.BytesIO()
    write_po(file, new, width=WIDTH, omit_header=True, include_lineno=False)
    head = f'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    return head.encode() + file.getvalue()
