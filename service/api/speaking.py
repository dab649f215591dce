"""Which of the service's languages an answer is in (RFC 9110, 12.5.4), and the headers that tell so."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from service.languages.catalogue import ENGLISH, LANGUAGES

LONGEST = 300
"""Characters of the header that are read; what lies beyond is cut off."""
VARY = "Accept-Language"


def chosen(accept_language: str | None) -> str:
    """The language for a header `Accept-Language`, by the lookup of RFC 4647, 3.4: the first of the ranges, best
    quality first, that leads to one of ours when what follows its hyphens is cut off. English where none does."""
    return ENGLISH if not accept_language else _chosen(accept_language[:LONGEST])


@lru_cache(maxsize=256)
def _chosen(header: str) -> str:
    wanted = [(tag.lower(), quality) for tag, quality in parse_accept_header(header, LanguageAccept)]
    refused = {tag for tag, quality in wanted if quality <= 0}
    for tag, quality in wanted:
        if quality <= 0:
            continue
        parts = tag.split("-")
        prefixes = ["-".join(parts[:n]) for n in range(1, len(parts) + 1)]
        if prefixes[0] in LANGUAGES and not refused.intersection(prefixes):
            return prefixes[0]
    return ENGLISH


def language_of(environ: Mapping[str, Any]) -> str:
    """The language of the answer to a request."""
    return chosen(environ.get("HTTP_ACCEPT_LANGUAGE"))


def spoken(language: str) -> dict[str, str]:
    """Headers of an answer whose text is in a language because the request asked for it."""
    return {"Content-Language": language, "Vary": VARY}
