"""What the headers of a request ask for (RFC 9110, 12 and 13; RFC 7240).

Werkzeug reads lists with qualities. Entity tags are read here, since some proxies write behind the closing quote.
"""

from __future__ import annotations

import re
from functools import lru_cache

from werkzeug.datastructures import Accept, MIMEAccept
from werkzeug.http import parse_accept_header, parse_list_header

_KEPT = 256
"""Headers that are remembered with what they ask for: clients send the same ones again and again."""
_NAMED = re.compile(r'"([^"]*)"([^",]*)')
"""A quoted tag, and what follows it up to the next one."""
_CHANGED = re.compile(
    r"(?:(?:--?|[;:+._~])(?:x-)?(?:gzip|gz|brotli|br|zstd|zst|deflate|compress|identity|dcb|dcz)|;;;)+", re.IGNORECASE
)
"""What compressing proxies add to the end of a tag: `-gzip` (Apache, Caddy), `--gzip` (Jetty), `;gzip`, `;br`, and
`;;;` for no compression (LiteSpeed)."""
_SECONDS = re.compile(r'wait[ \t]*=[ \t]*("?)([0-9]{1,18})\1', re.IGNORECASE)


def matches(if_none_match: str, tag: str) -> bool:
    """Whether If-None-Match matches `tag` by weak comparison (RFC 9110, 13.1.2). `*` matches every tag.

    A tag that a proxy has changed matches the tag that we sent: none of ours ends like that.
    """
    if if_none_match == tag or if_none_match.strip(" \t") == "*":
        return True
    opaque = tag.removeprefix("W/")[1:-1]
    for given, behind in _NAMED.findall(if_none_match):
        behind = behind.strip(" \t")
        if behind and not _CHANGED.fullmatch(behind):
            continue
        if given.startswith(opaque) and (given == opaque or _CHANGED.fullmatch(given, len(opaque))):
            return True
    return False


@lru_cache(maxsize=_KEPT)
def media_type(accept: str, *offered: str) -> str:
    """Which of the `offered` types the header asks for. Of two with equal quality it is the one that is named more
    exactly, else the first. If none is wanted it is the first, which is better than no answer."""
    wanted = parse_accept_header(accept, MIMEAccept)
    plain = MIMEAccept([(item.lower().removesuffix("; charset=utf-8"), quality) for item, quality in wanted])
    return plain.best_match(offered, offered[0])


@lru_cache(maxsize=_KEPT)
def takes_gzip(accept_encoding: str) -> bool:
    """Whether the client takes gzip, and does not prefer the answer as it is (RFC 9110, 12.5.3)."""
    wanted = parse_accept_header(accept_encoding, Accept)
    listed = {item.lower() for item, _ in wanted}
    name = "x-gzip" if "x-gzip" in listed and "gzip" not in listed else "gzip"  # the same (RFC 9110, 8.4.1.3)
    return 0 < wanted.quality(name) >= wanted.quality("identity")


@lru_cache(maxsize=_KEPT)
def preferred_wait(prefer: str) -> int | None:
    """The seconds of the preference `wait` (RFC 7240, 4.3); None without it, and if they cannot be read. If it occurs
    twice, the first counts."""
    for preference in parse_list_header(prefer):
        asked = preference.partition(";")[0].strip(" \t")
        if asked.partition("=")[0].rstrip(" \t").lower() == "wait":
            found = _SECONDS.fullmatch(asked)
            return int(found[2]) if found else None
    return None
