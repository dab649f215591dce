"""The server's processes: started, watched, and ended with the process that started them."""

from __future__ import annotations

import errno
import gc
import http.client
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from holmgang import logs
from holmgang.cli.processes import END_SECONDS, GRACE_SECONDS, Load, end
from holmgang.config import Settings
from holmgang.interrupts import undivided

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_log = logs.get_logger("holmgang.serve")

PORT_SECONDS = GRACE_SECONDS + 1.0  # workers of a killed service may hold the port that long
LOOK_SECONDS = 0.5  # between two looks whether this process is to stop


def load_application(settings: Settings) -> WSGIApplication:
    """The application of the service, in the process that is to serve it."""
    from holmgang.bootstrap import create_app

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
    try:
        with undivided():
            child.start()
        while child.is_alive():
            # A signal that came while the child was started may have gone to another thread: it wakes nobody here.
            child.join(LOOK_SECONDS)
    finally:
        if child.pid is not None:
            if settings.drain_seconds and child.is_alive():
                os.kill(child.pid, signal.SIGUSR1)  # which Gunicorn hands on to its workers
                child.join(settings.drain_seconds)
            end(child, END_SECONDS)
    assert child.exitcode is not None
    return child.exitcode


def _serve(settings: Settings, load: Load) -> None:
    gc.disable()  # what is loaded stays: the collector begins in each process when that is ready to serve
    from holmgang.cli.gevent_server import run  # here alone: see there

    run(settings, load)


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
