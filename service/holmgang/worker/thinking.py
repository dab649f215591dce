"""A limit on how long a choice may take, whatever the code of a game does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from contextvars import copy_context
from typing import Any

from holmgang.interrupts import as_fault

from .watch import raise_in

THINK_SECONDS = 10
"""How long a choice may take; well above what any bot takes, and less than its claim lasts."""
REST_SECONDS = 60.0
"""How long a bot that took longer is not asked again, so that games do not wait for it one after another."""


class TooLong(Exception):
    """The choice was not made in time, or its bot has recently taken too long for another one."""


class _Stop(BaseException):
    """Ends a thread that is not waited for any more. Not an Exception, so that code that loops does not catch it."""


class _Thought(threading.Thread):
    """A thread for one choice: it can be left behind and ended in the middle without harm to others."""

    def __init__(self, think: Callable[[], Any]) -> None:
        super().__init__(name="thought", daemon=True)
        self._think, self._context = think, copy_context()  # logs and traces say what it is about
        self.value: Any = None
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            self.value = self._context.run(self._think)
        except BaseException as fault:
            self.fault = fault

    def end(self) -> None:
        """Raise _Stop in the thread, if it can be interrupted."""
        assert self.ident is not None, "it was started"
        raise_in(self.ident, _Stop)


class Thinking:
    """Choices, each within THINK_SECONDS, for any number of threads."""

    def __init__(self) -> None:
        self._slow: dict[Hashable, tuple[_Thought, float]] = {}
        """Who took too long: with which thought, and until when they are not asked again."""

    def choose(self, who: Hashable, think: Callable[[], Any]) -> Any:
        """Give what `think` returns, or raise what it raises; raise TooLong if it takes too long.

        Then `who` thinks is not asked again for REST_SECONDS, nor until its thread has ended: so there are never more
        such threads than threads that ask.
        """
        if (slow := self._slow.get(who)) is not None:
            thought, until = slow
            if thought.is_alive() or time.monotonic() < until:
                raise TooLong("it took too long lately")
            self._slow.pop(who, None)
        thought = _Thought(think)
        thought.start()
        for _ in range(THINK_SECONDS):  # one by one: a process that was suspended loses only one of them
            thought.join(1.0)
            if not thought.is_alive():
                break
        else:
            thought.end()
            self._slow[who] = thought, time.monotonic() + REST_SECONDS
            raise TooLong(f"it took longer than {THINK_SECONDS} seconds")
        if thought.fault is None:
            return thought.value
        raise as_fault(thought.fault)
