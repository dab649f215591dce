"""Where a service is, and what every call carries. What is wrong with it whoever answers is told before anybody is
asked."""

from __future__ import annotations

import platform

import httpx

from holmgang.release import release

EXAMPLE = "http://127.0.0.1:8000"
MOST_PORT = 65535


def base_of(url: str) -> str:
    """The address of a service, given with or without `/v1`, a slash, or the fragment that a browser shows.

    Raises ValueError with what is wrong with it. Says no more of a query or a password than that there is one.
    """
    if not isinstance(url, str):
        raise TypeError(f"The address of a service is a string such as {EXAMPLE}, not {type(url).__name__}.")
    address = url.partition("#")[0]
    named, _, query = address.partition("?")
    if any(not letter.isprintable() or letter.isspace() for letter in address):
        raise ValueError(f"The address {named!r} has a blank or a line break in it.")
    if not named.lower().startswith(("http://", "https://")):
        raise ValueError(f"The address {named!r} does not begin with http:// or https://, as {EXAMPLE} does.")
    try:
        parts = httpx.URL(named)
    except httpx.InvalidURL as fault:
        raise ValueError(f"The address {named!r} cannot be read: {fault}") from None
    if parts.userinfo:
        raise ValueError("The address has a user name or a password in it (before the @): leave them out.")
    if not parts.host or (parts.port or 1) > MOST_PORT:
        raise ValueError(f"The address {named!r} names no host, or a port that there cannot be.")
    if query:
        raise ValueError(f"The address has a query (what follows the question mark): leave it out, as in {named!r}.")
    base = named.rstrip("/").removesuffix("/v1").rstrip("/")
    if "/v1/" in (path := base.partition("://")[2]):
        whole = base[: len(base) - len(path) + path.index("/v1/")]
        raise ValueError(f"The address {named!r} is one of a call: the service's own ends before /v1, {whole!r}.")
    return base


def headers_of(token: str | None, agent: str | None) -> dict[str, str]:
    """Those of every call. Raises ValueError where a token or an agent's name cannot be sent; a token is not quoted."""
    ours = f"holmgang/{release()} httpx/{httpx.__version__} python/{platform.python_version()}"
    headers = {"Accept": "application/json", "User-Agent": ours}
    if agent is not None:
        if not agent.isascii() or not agent.isprintable():
            raise ValueError(f"The user agent {agent!r} has characters that cannot be sent: it takes printable ASCII.")
        headers["User-Agent"] = f"{agent} {ours}".strip()
    if token is not None:
        if not isinstance(token, str):
            raise TypeError(f"A token is a string, not {type(token).__name__}.")
        if not token:
            raise ValueError("The token is empty. Leave it out to call without one.")
        if (wrong := next((letter for letter in token if not "!" <= letter <= "~"), None)) is not None:
            raise ValueError(f"The token has {_kind(wrong)} in it: it is not as the service gave it.")
        headers["Authorization"] = f"Bearer {token}"
    return headers


def _kind(letter: str) -> str:
    if letter in "\r\n":
        return "a line break"
    if letter.isspace():
        return "a blank"
    return "a character that is not ASCII" if not letter.isascii() else "a control character"
