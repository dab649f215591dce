"""Which of the service's languages an answer is in (RFC 9110, 12.5.4), and the headers that tell so."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from .catalogue import ENGLISH, LANGUAGES

LONGEST = 300
"""Characters of the header that are read; what lies beyond is cut off."""
VARY = "Accept-Language"


def chosen(accept_language: str | None) -> str:
    """The language for a header `Accept-Language`, by the lookup of RFC 4647, 3.4: the first of the ranges, best
    quality first, that leads to one of ours when what follows its hyphens is cut off. `*` stands for those that no
    other range leads to, English first. English too where none does."""
    if not accept_language:
        return ENGLISH
    if len(accept_language) > LONGEST:
        cut = accept_language[:LONGEST]
        accept_language = cut.rpartition(",")[0] or cut  # no range without its quality
    return _chosen(accept_language)


@lru_cache(maxsize=256)
def _chosen(header: str) -> str:
    ranges = [(tag.lower(), quality) for tag, quality in parse_accept_header(header, LanguageAccept)]
    refused = {tag for tag, quality in ranges if quality <= 0}
    named = {tag.partition("-")[0] for tag, _ in ranges if tag not in refused} | refused
    for tag, _ in sorted((one for one in ranges if one[1] > 0), key=lambda one: -one[1]):
        if tag == "*":
            if (other := next((language for language in LANGUAGES if language not in named), None)) is not None:
                return other
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
