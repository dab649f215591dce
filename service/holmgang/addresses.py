"""Addresses of the web that operators set. What cannot be used is refused with words that follow "must be"."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote, urlsplit

_HOST = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]")
_PORT = re.compile(r":[0-9]*\Z")
_USER = re.compile(r"[!-~]*")
_PATH = re.compile(r"(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)*")
"""RFC 3986, 3.3, without empty parts: two slashes at the beginning of a link would name a host."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def web_address(value: str) -> str:
    """An absolute address by http or https, without a slash at its end. Raises ValueError."""
    try:
        parts = urlsplit(value)
    except ValueError:  # whose message quotes a part of it
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("an absolute http or https address without query, such as https://games.example.org")
    return value.rstrip("/")


def public_address(value: str) -> str:
    """The address that links begin with: in ASCII, scheme and host in lower case, without a slash at its end.

    Raises ValueError.
    """
    parts = urlsplit(web_address(value))
    if "?" in value or "#" in value:
        raise ValueError("an address without query and fragment, such as https://games.example.org")
    user, at, place = parts.netloc.rpartition("@")
    try:
        port, host = parts.port, place.rpartition(":")[0] if _PORT.search(place) else place
        host = host.lower() if host.startswith("[") else host.encode("idna").decode().lower()
    except (ValueError, UnicodeError):
        port, host = None, ""
    if not _HOST.fullmatch(host):
        raise ValueError("an address with a host and a port that there can be, such as https://[::1]:8443")
    path = quote(parts.path, safe="/%!$&'()*+,;=:@~")
    plain = unquote(path)
    if not _PATH.fullmatch(path) or {".", ".."} & set(plain.split("/")) or _CONTROL.search(value + plain):
        raise ValueError("an address whose path has no empty parts, no dots alone and no control characters")
    if not _USER.fullmatch(user):
        raise ValueError("an address in ASCII up to its host")
    if path.endswith("/v1"):
        raise ValueError("an address without /v1, which links have after it")
    return f"{parts.scheme}://{user}{at}{host}{'' if port is None else f':{port}'}{path}"
