"""Whether a sentence that goes out in English can go out in the other languages, too."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from holmgang.engine.messages import Said
from holmgang.languages.catalogue import ENGLISH, LANGUAGES, in_language, sentence, translation
from holmgang.languages.placeholders import PLACEHOLDER

from .messages import of_api

OTHERS = tuple(language for language in LANGUAGES if language != ENGLISH)
FREE = "This value does not fit: {reason}"
"""Says what a library said, in English: no test should come to see it."""
LISTS = ("{some} or {last}", "{some} to {last}", "{some}, {last}")
BOARDS = frozenset(
    {
        *("drawing.py", "picture.py", "readable.py", "render.py"),
        *("harbour.py", "pieces.py", "ring.py", "village.py", "wording.py"),
    }
)
"""Modules that say nothing but what is written in boards, which is never a sentence of the API: much of it would fit
any sentence, as `{count} to {field}` does."""
JOINING = ("{where}: {what}", "{first} (and {count} more)")
"""Made of other sentences: the names of those are `what` and `first`."""


@cache
def _known() -> frozenset[str]:
    return frozenset(found.message for found in of_api())


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """By length, so that the most exact comes first."""
    found = {}
    for one in {said.message for said in of_api() if said.where.rpartition("/")[2] not in BOARDS} - {FREE, *LISTS}:
        parts = PLACEHOLDER.split(one)
        text = "".join(f"(?P<{part}>.*?)" if n % 2 else re.escape(part) for n, part in enumerate(parts) if part)
        found[one] = re.compile(text, re.DOTALL)
    ordered = sorted(found, key=lambda one: (one in JOINING, -len(one)))
    return [(found[one], one) for one in ordered]


def check_text(text: str) -> None:
    """A sentence of the API that is nothing but text: it is one of the messages there are, and they are translated."""
    for pattern, template in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            if template in JOINING:
                check_text(match.groupdict().get("what") or match.groupdict()["first"])
                return
            for language in OTHERS:
                assert translation(template, language) != template, f"{template!r} is not translated into {language}"
            return
    raise AssertionError(f"nobody can translate {text!r}: it is no message")


def check_said(detail: Any) -> None:
    """A sentence that rules or use cases gave."""
    assert type(detail) is Said, f"{detail!r} is mere text"
    assert detail.template in _known(), f"{detail.template!r} is no message"
    for language in OTHERS:
        said = sentence(detail, language)
        assert said != detail, f"{detail!r} is not translated into {language}"
        assert type(in_language({"detail": detail}, language)["detail"]) is str
