"""What the web table consists of: files, kept in memory with their types and tags, as they are and packed."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from service.engine.palette import style
from service.languages.catalogue import LANGUAGES, messages
from service.representation import Kept, keep

FOLDER = Path(__file__).parent / "static"
TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
"""Of every kind of file there is; others are refused when the service starts."""


def _file(name: str, content: bytes) -> tuple[str, Kept]:
    return name, keep(content, TYPES[Path(name).suffix])


def _all() -> Iterator[tuple[str, Kept]]:
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            yield _file(path.relative_to(FOLDER).as_posix(), path.read_bytes())
    for language in LANGUAGES:
        words = json.dumps(messages(language, "web"), ensure_ascii=False, indent=0)
        yield _file(f"messages/{language}.js", f"export default {words};\n".encode())
    yield _file("palette.css", style("auto").encode())  # boards that stand in the page wear their own colours


@cache
def page(root: str) -> Kept:
    """The page where the service is found below the path `root`, such as `/holm/gang`; empty for a host of its own.

    What it names stands in it with the whole path, since the page has several addresses.
    """
    plain = files()["index.html"].content.decode()
    return _file("index.html", plain.replace('="/', f'="{html.escape(root)}/').encode())[1]


@cache
def files() -> Mapping[str, Kept]:
    """By the address below `/web/`."""
    return dict(_all())
