"""The catalogues, and what they make of a message."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

from holmgang import registry
from holmgang.engine.game import Game
from holmgang.engine.messages import Said, Tongue
from holmgang.registry.discovery import HOUSE, one_line, told

from .placeholders import fills

ENGLISH = "en"
LANGUAGES = (ENGLISH, "fr", "nl")
DOMAINS = ("api", "rules", "web")
"""What is said in answers and pictures; the texts of the rules, each under its id; what the web table says."""

Domain = Literal["api", "rules", "web"]
Messages = Mapping[tuple[str | None, str], str]
"""Translations by context and English."""
FOLDER = Path(__file__).parent.parent / "locale"


class _Read(NamedTuple):
    """What a catalogue holds, and a sentence about what was left out of it, if anything was."""

    messages: Messages
    left_out: str = ""


def place_of(language: str, domain: str) -> tuple[str, ...]:
    """Where a catalogue lies below a folder `locale`."""
    return (language, "LC_MESSAGES", f"{domain}.po")


def path_of(language: str, domain: str) -> Path:
    """The house's own catalogue, without any game's."""
    return FOLDER.joinpath(*place_of(language, domain))


def _parsed(file: Traversable, language: str, domain: str) -> dict[tuple[str | None, str], str]:
    """What is translated in a file; what is marked fuzzy is not. Raises what babel raises, which is of many kinds."""
    from babel.messages.pofile import read_po

    with file.open("rb") as opened:
        catalog = read_po(opened, locale=language, domain=domain, abort_invalid=True)
    return {
        (message.context, message.id): message.string
        for message in catalog
        if isinstance(message.id, str) and isinstance(message.string, str)  # neither has forms of the plural
        if message.id and message.string and not message.fuzzy
    }


@cache
def _of_house(language: str, domain: str) -> Messages:
    path = path_of(language, domain)
    return _parsed(path, language, domain) if path.is_file() else {}


@cache
def _of_game(game: Game, language: str, domain: str) -> _Read:
    """A game's catalogue. What is wrong in it is left out, for no game may stop the service."""
    where = f"'{'/'.join(('locale', *place_of(language, domain)))}' of the game '{game.name}'"
    try:
        file = game.file("locale", *place_of(language, domain))
        found = {} if file is None else _parsed(file, language, domain)
    except Exception as raised:
        return _Read({}, f"The catalogue {where} was left out: it cannot be read: {told(raised)}.")
    wrong = [key for key, text in found.items() if not _fits(game, domain, key, text)]
    if not wrong:
        return _Read(found)
    return _Read(
        {key: text for key, text in found.items() if key not in wrong},
        f"{len(wrong)} of the messages in {where} were left out, for their translations do not fit them, as that of"
        f" {one_line(wrong[0][1])!r}.",
    )


def _fits(game: Game, domain: str, key: tuple[str | None, str], text: str) -> bool:
    """Whether a translation can be said. A game translates the rules of no other."""
    context, english = key
    if domain == "rules":
        return context is not None and context.startswith(f"{game.name} ")
    return context is None and fills(english, text)


def left_out() -> tuple[str, ...]:
    """What had to be left out of the catalogues of packages, in sentences; the house's own are whole by its tests.
    Nothing where Babel is not installed, which reads them: who only plays has English."""
    if find_spec("babel") is None:
        return ()
    read = (
        _of_game(game, language, domain)
        for game in registry.games()
        if registry.origin(game.name) != HOUSE
        for language in LANGUAGES[1:]
        for domain in DOMAINS
    )
    return tuple(each.left_out for each in read if each.left_out)


@cache
def _together(games: tuple[Game, ...], language: str, domain: str) -> Messages:
    merged: dict[tuple[str | None, str], str] = {}
    for game in reversed(games):
        merged.update(_of_game(game, language, domain).messages)
    return {**merged, **_of_house(language, domain)}


def translation(
    message: str, language: str, domain: Domain = "api", context: str | None = None, ruleset: str | None = None
) -> str:
    """A message as it stands in a catalogue, its placeholders unfilled; English where it stands in none.

    What a game says (`ruleset`) is looked up in that game's catalogue first, then in the house's, then in those of all
    games in the order of the registry: equal English of two games does not collide, and no game changes what the house
    says.
    """
    if language == ENGLISH:
        return message
    key, games = (context, message), registry.games()
    if ruleset is not None:
        for game in games:
            if game.name == ruleset and (own := _of_game(game, language, domain).messages.get(key)):
                return own
    return _together(games, language, domain).get(key, message)


def messages(language: str, domain: Domain) -> dict[str, str]:
    """All messages of a domain without contexts, for those who translate themselves; none for English. What several
    say alike is the house's, or else the first game's in the order of the registry."""
    if language == ENGLISH:
        return {}
    known = _together(registry.games(), language, domain)
    return dict(sorted((message, text) for (context, message), text in known.items() if context is None))


def sentence(said: str, language: str, ruleset: str | None = None) -> str:
    """What was said (by a game, if one is named), in a language: template and values alike. Other texts are names or
    numbers and stay."""
    if not isinstance(said, Said):
        return said
    if language == ENGLISH:
        return str(said)
    values = {name: sentence(value, language, ruleset) for name, value in said.values.items()}
    return translation(said.template, language, ruleset=ruleset).format_map(values)


def in_language(value: Any, language: str, ruleset: str | None = None) -> Any:
    """A value of dicts and lists with all that is said in it translated."""
    if isinstance(value, Said):
        return sentence(value, language, ruleset)
    if isinstance(value, dict):
        return {name: in_language(member, language, ruleset) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [in_language(member, language, ruleset) for member in value]
    return value


@cache
def tongue(language: str, ruleset: str | None = None) -> Tongue:
    """A language for those who put together what they say, as pictures of a game's board do."""
    return Tongue(language, partial(sentence, language=language, ruleset=ruleset))
