"""The server's processes: started, watched, and ended with the process that started them."""

from __future__ import annotations

import errno
import http.client
import multiprocessing
import multiprocessing.connection
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

from service import logs
from service.config import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_log = logs.get_logger("holmgang.serve")

Load = Callable[[Settings], "WSGIApplication"]

GRACE_SECONDS = 5  # for requests under way, when the service is told to stop
BACKLOG = 4096
KEEP_SECONDS = 75
"""How long an idle connection is kept: longer than a client waits between two polls."""
END_SECONDS = GRACE_SECONDS + 2  # until a process that was told to stop is ended by force
PORT_SECONDS = GRACE_SECONDS + 1.0  # workers of a killed service may hold the port that long


def load_application(settings: Settings) -> WSGIApplication:
    """The application of the service, in the process that is to serve it."""
    from service.bootstrap import create_app

    application: WSGIApplication = create_app(settings)
    return application


def serve(settings: Settings, load: Load = load_application) -> None:
    """Serve until the caller is told to stop, by whatever exception. A server that is killed is started again;
    SystemExit(1) when it gives up."""
    while (status := _serve_once(settings, load)) < 0:
        _log.warning("the server was killed and is started again", signal=-status)
    raise SystemExit(1)


def _serve_once(settings: Settings, load: Load) -> int:
    # Not forked: this process has threads, and a lock that one of them holds at that moment would stay locked for ever.
    child = multiprocessing.get_context("spawn").Process(target=_serve, args=(settings, load), name="http")
    child.start()
    try:
        child.join()
    finally:
        if settings.drain_seconds and child.is_alive():
            assert child.pid is not None
            os.kill(child.pid, signal.SIGUSR1)  # which Gunicorn hands on to its workers
            child.join(settings.drain_seconds)
        child.terminate()
        child.join(END_SECONDS)
        if child.is_alive():
            child.kill()
            child.join()
    assert child.exitcode is not None
    return child.exitcode


def _serve(settings: Settings, load: Load) -> None:
    from service.cli.gevent_server import run  # here alone: see there

    run(settings, load)


def log_to_stderr(settings: Settings) -> None:
    """Log as the settings say, whatever was set up before; what nobody catches is logged too."""
    logs.configure(settings.log_level, settings.log_format)
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda what: _log_uncaught(what.exc_type, what.exc_value, what.exc_traceback)


def _log_uncaught(kind: type[BaseException], fault: BaseException | None, trace: TracebackType | None) -> None:
    if not issubclass(kind, SystemExit | KeyboardInterrupt):
        _log.critical("ended by an error", exc_info=(kind, fault or kind(), trace))


def end_with_parent() -> None:
    """However the parent ended (kill -9 as well), stop serving: properly, and if that takes too long, at once."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    multiprocessing.connection.wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_SECONDS)
    os._exit(1)


def await_port(host: str, port: int) -> None:
    """Return once the port is free, before anything else is started for nothing.

    Raises click.ClickException when somebody else keeps it.
    """
    deadline = time.monotonic() + PORT_SECONDS
    while True:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
            return
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise click.ClickException(f"Cannot listen on {host}, port {port}: {error.strerror}.") from error
            if time.monotonic() > deadline:
                raise click.ClickException(
                    f"Port {port} of {host} is in use: is the service running already? Set PORT to another."
                ) from error
            time.sleep(0.1)


def local_url(settings: Settings) -> str:
    """Where this machine reaches the service."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 # binds nothing
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def when_ready(settings: Settings, announce: Callable[[], Any], seconds: float = 120.0) -> None:
    """Call `announce` from a thread, once, as soon as /readyz answers 200."""

    def wait() -> None:
        host, port = local_url(settings).removeprefix("http://").rsplit(":", 1)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            connection = http.client.HTTPConnection(host.strip("[]"), int(port), timeout=5)
            try:
                connection.request("GET", "/readyz")
                if connection.getresponse().status == http.client.OK:
                    announce()
                    return
            except OSError:
                pass  # nobody listens yet
            finally:
                connection.close()
            time.sleep(0.05)

    threading.Thread(target=wait, name="announce", daemon=True).start()
