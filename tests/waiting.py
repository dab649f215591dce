"""Waiting in tests: for a condition, with a deadline, never for a length of time."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache

import httpx

STARTED_S = 120.0
"""In which a service has started, however busy the machine is."""


def wait_until(condition: Callable[[], object], what: str, seconds: float = 15.0) -> None:
    """Return as soon as `condition` holds; fail, naming `what` was waited for, when it still does not at the end."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds:g} s in vain: {what}"
        time.sleep(0.01)


def asked(url: str, seconds: float = 2.0) -> httpx.Response | None:
    """The answer to a GET, None where none comes within so many seconds. Cheap enough to ask again and again."""
    try:
        return _asking().get(url, timeout=seconds)
    except httpx.TransportError:
        return None


def status(url: str, seconds: float = 2.0) -> int:
    """Likewise its status, or 0."""
    answer = asked(url, seconds)
    return 0 if answer is None else answer.status_code


@cache
def _asking() -> httpx.Client:
    """Made once: whenever httpx makes a client it reads all certificates. No connection is kept, for the next service
    may have the port of the last."""
    return httpx.Client(limits=httpx.Limits(max_keepalive_connections=0))
