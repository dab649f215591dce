"""Functions in threads that nobody has to wait for."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """What the function returns or raises, from a thread of its own.

    As asyncio.to_thread, but neither the end of the event loop nor that of the program waits for it: a function that
    takes for ever is left behind.
    """
    loop = asyncio.get_running_loop()
    told: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()
    context = contextvars.copy_context()

    def tell(result: Any, fault: BaseException | None) -> None:
        if not told.done():
            told.set_result((result, fault))

    def work() -> None:
        result, fault = None, None
        try:
            result = context.run(function, *arguments)
        except BaseException as raised:
            fault = raised
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
            loop.call_soon_threadsafe(tell, result, fault)

    threading.Thread(target=work, name="holmgang-choose", daemon=True).start()
    result, fault = await told
    if fault is not None:
        raise fault
    answer: T = result
    return answer
