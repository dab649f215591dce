"""Answers as bytes that may be packed (gzip) on their way, with their tags (RFC 9110, 8.4 and 8.8.3).

A strong tag names bytes, so that what is packed has another one, which ends in `-gzip`; a weak tag names what they say,
and stays. Streams are never packed. What may be packed at all is for the callers to say: see SECURITY.md.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from typing import NamedTuple

from flask import Response, request

from holmgang.negotiation import matches, takes_gzip

SMALLEST = 1024
"""Bytes: what is smaller fits into a packet or two as it is."""
BEST, QUICK = 9, 4
"""How hard to try for what is packed once, and for what is packed for one answer."""


class Kept(NamedTuple):
    """What is the same for everybody, kept in memory: packed once, at the start of a process or when it is first asked
    for."""

    content: bytes
    packed: bytes | None
    """None where that is not worth it."""
    mimetype: str
    opaque: str
    """Of its strong tag: the digest of the content."""

    def answer(self, headers: Mapping[str, str]) -> Response:
        """The answer to the request with these headers, or 304 if it names what it would get."""
        packed = self.packed if _taken() else None
        tag = f'"{self.opaque}"' if packed is None else f'"{self.opaque}-gzip"'
        if matches(request.headers.get("If-None-Match", ""), f'"{self.opaque}"'):
            response = Response(status=304)
            del response.headers["Content-Type"]
        else:
            response = Response(self.content if packed is None else packed, mimetype=self.mimetype)
            if packed is not None:
                response.headers["Content-Encoding"] = "gzip"
        response.headers.update({"ETag": tag, **headers})
        if self.packed is not None:
            response.vary.add("Accept-Encoding")
        return response


def keep(content: bytes, mimetype: str) -> Kept:
    packed = gzipped(content, BEST) if len(content) >= SMALLEST else None
    if packed is not None and len(packed) >= len(content):
        packed = None
    return Kept(content, packed, mimetype, hashlib.blake2b(content, digest_size=12).hexdigest())


def pack(response: Response) -> Response:
    """The answer, packed if it is worth it and the request takes that."""
    if response.status_code == 200 and not response.is_streamed and _taken():
        content = response.get_data()
        if len(content) >= SMALLEST:
            assert response.get_etag()[1] is not False, "what has a strong tag is kept"
            response.set_data(gzipped(content, QUICK))
            response.headers["Content-Encoding"] = "gzip"
    return response


def _taken() -> bool:
    return takes_gzip(request.headers.get("Accept-Encoding", ""))


def gzipped(content: bytes, level: int) -> bytes:
    return gzip.compress(content, level, mtime=0)  # the same every time
