"""When a webhook that failed is tried again."""

from __future__ import annotations

# The first attempt is made at once; each of these is the wait after one more failure. Together about 31 hours.
DELAYS: tuple[float, ...] = (5.0, 30.0, 120.0, 600.0, 3600.0, 21600.0, 86400.0)
ATTEMPTS = len(DELAYS) + 1
JITTER = 0.2
LONGEST = DELAYS[-1]
"""The longest Retry-After that is honoured, in seconds: the longest wait without one."""


def delay_after(failures: int, chance: float, asked: float = 0.0) -> float | None:
    """Seconds from the last of so many failures to the next attempt; None if there is none, and the message is dead.

    `chance` is a random number from 0 to 1: it lengthens the wait by up to a fifth, so that messages that failed
    together are not retried together. `asked` is the receiver's Retry-After in seconds: the wait is at least that, up
    to LONGEST.
    """
    if failures < 1 or not 0 <= chance <= 1:
        raise ValueError("there is at least one failure, and chance is from 0 to 1")
    if failures >= ATTEMPTS:
        return None
    delay = DELAYS[failures - 1]
    return max(delay, min(asked, LONGEST)) + delay * JITTER * chance
