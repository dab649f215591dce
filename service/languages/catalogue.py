"""The catalogues, and what they make of a message."""

from __future__ import annotations

import io
from functools import cache, partial
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any, Literal

from service.engine.said import Said, Tongue

ENGLISH = "en"
LANGUAGES = (ENGLISH, "fr", "nl")
DOMAINS = ("api", "rules", "web")
"""What the service says itself; the texts of the rules, each under its id; what the web table says."""

Domain = Literal["api", "rules", "web"]
FOLDER = Path(__file__).parent.parent / "locale"


def path_of(language: str, domain: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / f"{domain}.po"


@cache
def catalogue(language: str, domain: str) -> NullTranslations:
    """The messages of a domain; what is marked fuzzy is left out, and what is missing stays English."""
    if language == ENGLISH:
        return NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with path_of(language, domain).open("rb") as file:
        messages = read_po(file, locale=language, domain=domain)
    compiled = io.BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return GNUTranslations(compiled)


def translation(message: str, language: str, domain: Domain = "api", context: str | None = None) -> str:
    """A message as it stands in the catalogue, its placeholders unfilled."""
    if language == ENGLISH:
        return message
    found = catalogue(language, domain)
    return found.gettext(message) if context is None else found.pgettext(context, message)


def messages(language: str, domain: Domain) -> dict[str, str]:
    """All messages of a domain without contexts, for those who translate themselves; none for English."""
    if language == ENGLISH:
        return {}
    known: dict[Any, str] = catalogue(language, domain)._catalog  # type: ignore[attr-defined]  # gettext has no way to ask
    return {message: text for message, text in sorted(known.items()) if message}


def sentence(said: str, language: str) -> str:
    """What was said, in a language: template and values alike. Other texts are names or numbers and stay."""
    if not isinstance(said, Said):
        return said
    if language == ENGLISH:
        return str(said)
    values = {name: sentence(value, language) for name, value in said.values.items()}
    return translation(said.template, language).format_map(values)


def in_language(value: Any, language: str) -> Any:
    """A value of dicts and lists with all that is said in it translated."""
    if isinstance(value, Said):
        return sentence(value, language)
    if isinstance(value, dict):
        return {name: in_language(member, language) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [in_language(member, language) for member in value]
    return value


@cache
def tongue(language: str) -> Tongue:
    """A language for those who put together what they say, as pictures of boards do."""
    return Tongue(language, partial(sentence, language=language))
