"""A limit on how long a choice may take, whatever the code of a game does meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from contextvars import copy_context
from typing import Any

from .watch import raise_in

THINK_SECONDS = 10
"""How long a choice may take; well above what any bot takes, and less than its claim is good for."""
REST_SECONDS = 60.0
"""How long whoever took longer is not asked again, lest games wait for it one after another."""


class TooLong(Exception):
    """The choice was not made in time, or whoever should make it has taken too long with another lately."""


class _Stop(BaseException):
    """Ends a thread that nobody waits for any more. No Exception, lest what loops there takes it for one of its own."""


class _Thought(threading.Thread):
    """A thread of its own for one choice: it can be left behind, and ended in the middle without harm to others."""

    def __init__(self, think: Callable[[], Any]) -> None:
        super().__init__(name="thought", daemon=True)
        self._think, self._context = think, copy_context()  # so that logs and traces say what it is about
        self.value: Any = None
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            self.value = self._context.run(self._think)
        except BaseException as fault:
            self.fault = fault

    def end(self) -> None:
        """Raise _Stop where it is, as far as it can be."""
        assert self.ident is not None, "it was started"
        raise_in(self.ident, _Stop)


class Thinking:
    """Choices, each within THINK_SECONDS, for any number of threads."""

    def __init__(self) -> None:
        self._slow: dict[Hashable, tuple[_Thought, float]] = {}
        """Who took too long: that thought, and until when no other is asked for."""

    def choose(self, who: Hashable, think: Callable[[], Any]) -> Any:
        """What `think` gives, or what it raises; TooLong if it takes too long.

        `who` thinks is not asked again for REST_SECONDS then, nor as long as its thread has not ended: so there are
        no more such threads than threads that ask.
        """
        if (slow := self._slow.get(who)) is not None:
            thought, until = slow
            if thought.is_alive() or time.monotonic() < until:
                raise TooLong("it took too long lately")
            self._slow.pop(who, None)
        thought = _Thought(think)
        thought.start()
        for _ in range(THINK_SECONDS):  # one after another: a process that was stopped has lost one of them at most
            thought.join(1.0)
            if not thought.is_alive():
                break
        else:
            thought.end()
            self._slow[who] = thought, time.monotonic() + REST_SECONDS
            raise TooLong(f"it took longer than {THINK_SECONDS} seconds")
        if thought.fault is None:
            return thought.value
        if isinstance(thought.fault, Exception):
            raise thought.fault
        raise RuntimeError("it tried to end the worker") from thought.fault  # by sys.exit, say
