"""Waiting in tests: for a condition, with a deadline, never for a length of time."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], what: str, seconds: float = 15.0) -> None:
    """Return as soon as `condition` holds; fail, naming `what` was waited for, when it still does not at the end."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds:g} s in vain: {what}"
        time.sleep(0.01)
