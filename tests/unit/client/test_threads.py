"""Threads that nobody waits for."""

from __future__ import annotations

import asyncio
import contextvars
import threading

import pytest

from holmgang.client._threads import in_thread


def test_a_thread_gives_what_its_function_returns_or_raises() -> None:
    place = contextvars.ContextVar("place", default="elsewhere")

    def work(fault: Exception | None) -> tuple[str, bool]:
        if fault is not None:
            raise fault
        return place.get(), threading.current_thread() is threading.main_thread()

    async def ask(fault: Exception | None = None) -> tuple[str, bool]:
        place.set("here")
        return await in_thread(work, fault)

    assert asyncio.run(ask()) == ("here", False)
    with pytest.raises(KeyError, match="nothing"):
        asyncio.run(ask(KeyError("nothing")))
    with pytest.raises(RuntimeError):  # what a coroutine may not raise
        asyncio.run(ask(StopIteration()))


def test_neither_the_loop_nor_the_program_waits_for_a_thread() -> None:
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go_on.wait(60)
        ended.set()

    async def leave() -> None:
        asking = asyncio.create_task(in_thread(work))
        while not begun.is_set():
            await asyncio.sleep(0)
        (thread,) = [each for each in threading.enumerate() if each.name == "holmgang-choose"]
        assert thread.daemon
        asking.cancel()

    asyncio.run(leave())
    assert not ended.is_set()
    go_on.set()  # and what it tells then is heard by nobody, without a fault
    assert ended.wait(30)
