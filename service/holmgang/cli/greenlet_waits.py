"""How a greenlet waits for Postgres. Like `gevent_server`, only a process that gevent has patched may import this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gevent import get_hub
from gevent.hub import Waiter
from psycopg.errors import _WaitTimeout

if TYPE_CHECKING:
    from psycopg.abc import RV, PQGen


def wait(gen: PQGen[RV], fileno: int, seconds: float) -> RV:
    """As `psycopg.waiting.wait` does: run a generator of the driver, which yields the events that its socket is to be
    awaited for (1: readable, 2: writable) and is sent those that came. `_WaitTimeout` after `seconds` without any.

    The driver's own makes an object of the patched module `select` each time, and looks for signals ten times a second:
    that costs a poll as much as the rest of its statement.
    """
    send: Any = gen.send
    try:
        wanted = int(next(gen))
        hub = get_hub()
        while True:
            waiter: Waiter[int] = Waiter(hub)
            events, timer = hub.loop.io(fileno, wanted), hub.loop.timer(seconds)
            try:
                events.start(waiter.switch, pass_events=True)
                timer.start(waiter.switch, 0)
                came = waiter.get()
            finally:
                events.close()
                timer.close()
            if not came:
                raise _WaitTimeout("nothing came")
            wanted = int(send(came))
    except StopIteration as end:
        ended: RV = end.value
        return ended
