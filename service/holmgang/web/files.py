"""What the web table consists of: files, kept in memory with their types and tags, as they are and packed.

Those of a game lie in the folder `web` of its package, and are found below `games/<game>/`.
"""

from __future__ import annotations

import html
import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from holmgang import registry
from holmgang.engine.game import Game
from holmgang.engine.palette import style
from holmgang.languages.catalogue import LANGUAGES, messages, sentence
from holmgang.registry.holdings import within
from holmgang.representation import Kept, keep

FOLDER = Path(__file__).parent / "static"
TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
"""Of every kind of file there is; others are refused when the service starts."""
OF_GAMES = TYPES.keys() - {".html"} | {".png"}
"""The endings of the files that a game may bring: it has no pages of its own."""
PAGE, INDEX = "index.html", "games/index.js"
SCREEN, STYLE, SIGN = "screen.js", "style.css", "sign.svg"

log = logging.getLogger("holmgang.web")


def _file(name: str, content: bytes) -> tuple[str, Kept]:
    ending = PurePosixPath(name).suffix
    return name, keep(content, "image/png" if ending == ".png" else TYPES[ending])


def _all() -> Iterator[tuple[str, Kept]]:
    own = {
        path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in sorted(FOLDER.rglob("*")) if path.is_file()
    }
    own[PAGE] = _hasty(own[PAGE].decode(), own).encode()
    yield from (_file(name, content) for name, content in own.items())
    for language in LANGUAGES:
        words = json.dumps(messages(language, "web"), ensure_ascii=False, indent=0)
        yield _file(f"messages/{language}.js", f"export default {words};\n".encode())
    yield _file("palette.css", style("auto").encode())  # boards that stand in the page wear their own colours
    listed = []
    for game in registry.games():
        brought = _brought(game)
        for name, content in brought.items():
            yield _file(f"games/{game.name}/{name}", content)
        listed.append(_about(game, brought))
    yield _file(INDEX, f"export default {json.dumps(listed, ensure_ascii=False)};\n".encode())


def _hasty(page: str, names: Iterable[str]) -> str:
    """The page with the scripts named that it comes to need: browsers fetch them all at once, not one after another."""
    scripts = [name for name in (*names, INDEX) if name.endswith(".js")]
    hints = "".join(f'<link rel="modulepreload" href="/web/{name}">\n' for name in scripts)
    return page.replace("</head>", f"{hints}</head>")


def _brought(game: Game) -> dict[str, bytes]:
    """What the package of a game holds for the table, by path; nothing where it cannot be read."""
    folder = game.file("web")
    try:
        held = () if folder is None else within(folder)
        return {name: each.read_bytes() for name, each in held if PurePosixPath(name).suffix in OF_GAMES}
    except OSError as unread:
        log.error("The files of %s for the table cannot be read: %s", game.name, unread)
        return {}


def _about(game: Game, brought: Mapping[str, bytes]) -> dict[str, Any]:
    """What the page knows of a game before it is opened."""
    rules = game.rules
    return {
        "ruleset": game.name,
        "title": rules.title,
        "blurb": {language: sentence(game.blurb, language, game.name) for language in LANGUAGES},
        "seats": list(rules.seat_counts),
        "usual": game.usual,
        "screen": SCREEN in brought,
        "style": STYLE in brought,
        "sign": SIGN in brought,
    }


@cache
def page(root: str) -> Kept:
    """The page where the service is found below the path `root`, such as `/holm/gang`; empty for a host of its own.

    What it names stands in it with the whole path, since the page has several addresses.
    """
    plain = files()[PAGE].content.decode()
    return _file(PAGE, plain.replace('="/', f'="{html.escape(root)}/').encode())[1]


@cache
def files() -> Mapping[str, Kept]:
    """By the address below `/web/`."""
    return dict(_all())
