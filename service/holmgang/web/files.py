"""What the web table consists of: files, kept in memory with their types and tags, as they are and packed.

Those of a game lie in the folder `web` of its package, and are found below `games/<game>/`. The house's own modules are
bound into a few scripts, its style sheets into one, and each game's screen into one with what it imports. All of them
have one digest, which is a folder of their addresses: so browsers keep them for ever, and a new release is never mixed
with an old one.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import logging
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from holmgang import registry
from holmgang.engine.codec import encode_json
from holmgang.engine.errors import InvalidOption
from holmgang.engine.game import Game
from holmgang.engine.palette import mark_style, style
from holmgang.engine.strict_json import loads
from holmgang.languages.catalogue import LANGUAGES, messages, sentence, tongue
from holmgang.languages.scripts import literals
from holmgang.registry.holdings import within
from holmgang.representation import Kept, keep

from .binding import Unbindable, bound

FOLDER = Path(__file__).parent / "static"
TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""Of every kind of file there is; others are refused when the service starts."""
OF_GAMES = TYPES.keys() - {".html", ".webmanifest"}
"""The endings of the files that a game may bring: it has no pages of its own."""
PAGE, INDEX = "index.html", "games/index.js"
FIRST, PLAY, MEET = "app.js", "play.js", "meet.js"
"""The scripts: what the lobby needs, and what games, and pages about people, need besides."""
FOR_SCREENS = ("ways.js",)
"""Modules that screens of games alone import."""
WORDS = 'await $modules["i18n.js"].learn();'
"""Of the later scripts, before they say anything: those of the first are fetched with the lobby, all others here."""
SMALL = 2048
"""Bytes of a sign that the lobby has with itself."""
DEPTH = 8
"""How deep options may be nested."""
SHEETS = ("style.css", "board.css")
SCREEN, LESSON, STYLE, SIGN = "screen.js", "lesson.js", "style.css", "sign.svg"

log = logging.getLogger("holmgang.web")


def _file(name: str, content: bytes) -> tuple[str, Kept]:
    return name, keep(content, TYPES[PurePosixPath(name).suffix])


def _all() -> Iterator[tuple[str, Kept]]:
    own = {
        path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in sorted(FOLDER.rglob("*")) if path.is_file()
    }
    sheets = [own.pop(name) for name in SHEETS]  # boards that stand in the page wear their own colours
    own[STYLE] = b"".join((*sheets, style("auto").encode(), mark_style().encode()))
    brought = {game: _brought(game) for game in registry.games()}
    listed = [_about(game, files) for game, files in brought.items()]
    house = {name: own[name].decode() for name in own if name.endswith(".js") and "/" not in name}
    house[INDEX] = f"export default {json.dumps(listed, ensure_ascii=False)};\n"
    at_games, about_people = _scripts(house)
    made = at_games | about_people
    for game, files in brought.items():
        own.update((f"games/{game.name}/{name}", content) for name, content in files.items())
        if SCREEN in files:
            made |= _screen(game, files, {name: house[name] for name in at_games})
    own.update((name, source.encode()) for name, source in made.items())
    own.update(_words(own[FIRST].decode()))
    yield from (_file(name, content) for name, content in own.items())


def _scripts(house: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """The house's modules, bound: what is there where a game is shown, and what pages about people need besides. What
    the lobby does without is fetched when somebody opens a page that needs it."""
    first = bound(FIRST, house)
    begins = f"\n{WORDS}"
    at_games = first | bound(PLAY, house, after=FIRST, there=first, begins=begins, also=FOR_SCREENS)
    return at_games, bound(MEET, house, after=FIRST, there=first, begins=begins)


def _screen(game: Game, files: Mapping[str, bytes], there: Mapping[str, str]) -> dict[str, str]:
    """The screen of a game, bound with the modules that it imports but those that are `there`, and its lesson. Nothing
    where they have to stay as they are: browsers then fetch each."""
    folder = f"games/{game.name}/"
    try:
        own = {folder + name: content.decode() for name, content in files.items() if name.endswith(".js")}
        sources = {**there, **own}
        made = bound(folder + SCREEN, sources, after=PLAY, there=there)
        if LESSON in files:
            made |= bound(folder + LESSON, sources, after=folder + SCREEN, there={**there, **made})
    except (Unbindable, UnicodeDecodeError) as why:
        log.info("The screen of %s is served as it is: %s", game.name, why)
        return {}
    return made


def _words(first: str) -> Iterator[tuple[str, bytes]]:
    """The messages of each language in two files: what the first script says, and all else."""
    said = frozenset(literals(first))
    for language in LANGUAGES:
        known = messages(language, "web")
        parts = {"": known.keys() & said, ".rest": known.keys() - said}
        for part, keys in parts.items():
            words = json.dumps({key: known[key] for key in sorted(keys)}, ensure_ascii=False, indent=0)
            yield f"messages/{language}{part}.js", f"export default {words};\n".encode()


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
        "lesson": LESSON in brought,
        "style": STYLE in brought,
        "sign": _sign(game, brought),
    }


def _sign(game: Game, brought: Mapping[str, bytes]) -> str:
    """The picture itself where it is small, which spares a request; else where it is; empty for none."""
    found = brought.get(SIGN)
    if found is None:
        return ""
    if len(found) > SMALL:
        return f"games/{game.name}/{SIGN}"
    return f"data:{TYPES['.svg']};base64,{base64.b64encode(found).decode()}"


@cache
def page(root: str) -> Kept:
    """The page where the service is found below the path `root`, such as `/holm/gang`; empty for a host of its own.

    What it names stands in it with the whole path, since the page has several addresses.
    """
    plain = files()[PAGE].content.decode().replace('="/web/', f'="/web/{digest()}/')
    return _file(PAGE, plain.replace('="/', f'="{html.escape(root)}/').encode())[1]


@lru_cache(maxsize=128)
def beginning(ruleset: str, seats: int, language: str, options: str = "{}", ending: str = ".svg") -> Kept | None:
    """The board of a game before anything is dealt, in a language, or with `.json` the view of it, by `options` as
    JSON; the usual ones where it names none. None where there is no such game."""
    if ruleset not in registry.names() or language not in LANGUAGES:
        return None
    rules = registry.latest(ruleset)
    if seats not in rules.seat_counts:
        return None
    try:
        chosen = loads(options, DEPTH)
        config = rules.configure(seats, chosen) if isinstance(chosen, dict) else None
    except (InvalidOption, ValueError):
        return None
    if config is None:
        return None
    view = rules.view(rules.initial(config), None)
    shown = encode_json(view) if ending == ".json" else rules.picture(view, "auto", tongue(language, ruleset)).encode()
    return keep(shown, TYPES[ending])


@cache
def files() -> Mapping[str, Kept]:
    """By the address below `/web/`, or below `/web/<digest>/`."""
    return dict(_all())


@cache
def digest() -> str:
    """Of all files."""
    every = "".join(f"{name} {found.opaque}\n" for name, found in sorted(files().items()))
    return hashlib.blake2b(every.encode(), digest_size=8).hexdigest()
