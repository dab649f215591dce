"""The language of an answer (RFC 9110, 12.5.4), and the headers that name it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from .catalogue import ENGLISH, LANGUAGES

LONGEST = 300
"""Characters of the header that are read."""
VARY = "Accept-Language"


def negotiate(accept_language: str | None) -> str:
    """The language for a header `Accept-Language`, by the lookup of RFC 4647, 3.4.

    Ranges are tried in order of quality, each without its subtags. `*` stands for the languages that no other range
    names, English first. English if no range leads to a language of ours.
    """
    if not accept_language:
        return ENGLISH
    if len(accept_language) > LONGEST:
        cut = accept_language[:LONGEST]
        accept_language = cut.rpartition(",")[0] or cut  # no range without its quality
    return _lookup(accept_language)


@lru_cache(maxsize=256)
def _lookup(header: str) -> str:
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
    return negotiate(environ.get("HTTP_ACCEPT_LANGUAGE"))


def language_headers(language: str) -> dict[str, str]:
    """The headers of an answer in a language that was negotiated."""
    return {"Content-Language": language, "Vary": VARY}
