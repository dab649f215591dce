"""Sentences that libraries give as mere text, read back into what they were made of."""

from __future__ import annotations

import re

from .messages import Said, say


class Sentences:
    """Recognizes the sentences of some templates; the first that fits is taken."""

    def __init__(self, *templates: str) -> None:
        self._known = [(_pattern(one), one) for one in templates]

    def __call__(self, sentence: str) -> Said:
        """The sentence as one that can be translated. One that nobody knows stands, as it is, in one that can."""
        for pattern, known in self._known:
            found = pattern.fullmatch(sentence)
            if found is not None:
                return Said(known, found.groupdict())
        return say("This value does not fit: {reason}", reason=sentence)


def _pattern(of: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", of)
    return re.compile("".join(f"(?P<{part}>.+?)" if n % 2 else re.escape(part) for n, part in enumerate(parts)), re.S)
