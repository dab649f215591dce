"""What the processes of a service have in common: how they log, how long they may take, and with whom they end."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from holmgang import logs
from holmgang.config import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_log = logs.get_logger("holmgang.serve")

Load = Callable[[Settings], "WSGIApplication"]

GRACE_SECONDS = 5  # for requests under way, when the service is told to stop
BACKLOG = 4096
KEEP_SECONDS = 75
"""How long an idle connection is kept: longer than a client waits between two polls."""
END_SECONDS = GRACE_SECONDS + 2  # until a process that was told to stop is ended by force


def log_to_stderr(settings: Settings) -> None:
    """Log as the settings say, whatever was set up before; what nobody catches is logged too."""
    logs.configure(settings.log_level, settings.log_format)
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda what: _log_uncaught(what.exc_type, what.exc_value, what.exc_traceback)


def _log_uncaught(kind: type[BaseException], fault: BaseException | None, trace: TracebackType | None) -> None:
    if not issubclass(kind, SystemExit | KeyboardInterrupt):
        _log.critical("ended by an error", exc_info=(kind, fault or kind(), trace))


def end(child: multiprocessing.process.BaseProcess, seconds: float) -> None:
    """Tell a child to stop, and end it by force when that takes too long."""
    child.terminate()
    child.join(seconds)
    if child.is_alive():
        child.kill()
        child.join()


def end_with_parent() -> None:
    """However the parent ended (kill -9 as well), stop serving: properly, and if that takes too long, at once."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    multiprocessing.connection.wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_SECONDS)
    os._exit(1)
