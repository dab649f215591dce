"""Gunicorn with gevent's workers, in a process of its own: a request that waits costs a greenlet and no thread.

Only that process may import this: it forks its workers, and they patch the standard library before they load the
application, so that its threads, locks and the database's connections are greenlets' as well.
"""

from __future__ import annotations

import contextlib
import gc
import resource
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from types import FrameType
from typing import Any, cast

import gevent
from gevent.event import Event
from gevent.pool import Pool
from gevent.server import StreamServer
from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger
from gunicorn.workers.ggevent import GeventWorker

from holmgang.api.http.pacing import TokenBuckets
from holmgang.api.operation.gate import network_of
from holmgang.cli.processes import BACKLOG, GRACE_SECONDS, KEEP_SECONDS, Load, end_with_parent, log_to_stderr
from holmgang.cli.refusals import tell_refused
from holmgang.cli.unreadable import crowded, refusal
from holmgang.config import Settings
from holmgang.web.files import files

HOG_SECONDS = 5.0
"""A request that computes for so long without letting others have their turn is broken off: rules of a package may loop
for ever."""
STUCK_SECONDS = 60
"""A worker that has not yielded for so long all the same is taken for hung and replaced."""
HEARTBEAT_SECONDS = 1.0
"""How often a worker tells the process above that it is not hung, and looks whether that is still there."""
SAMPLE_SECONDS = 1.0
"""How often a process notes what it is doing, for whoever asks another one for figures."""
TURNED_AWAY_SECONDS, LOOK_SECONDS = 2.0, 1.0
"""How long a connection that is one too many is kept waiting, and its request waited for, at most."""
PRESENCE_SECONDS = 60.0
"""How often a process writes down who was there."""
LAST_NOTE_SECONDS = 1.0
"""How long it may take for that in the end."""
_FILES_BESIDE = 256
"""Open files of a process other than its clients' connections."""


class TookTooLong(Exception):
    """What a request was doing was broken off."""


class Lines(Logger):
    """Gunicorn's own log, in the service's form. What could not be read is not quoted: a token may be in it."""

    def setup(self, cfg: Any) -> None:
        self.error_log.propagate = True
        self.error_log.handlers[:] = []
        self.error_log.setLevel(cfg.loglevel.upper())

    def warning(self, msg: object, *args: object, **kwargs: Any) -> None:
        if str(msg).startswith("Invalid request"):
            msg, args = "a request could not be read", ()
        super().warning(msg, *args, **kwargs)


class Crowd:
    """The connections of one process: of `most`, half at most are one network's, so that others find one."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = Counter[str]()
        self._all = 0
        self._pace = TokenBuckets()

    @contextlib.contextmanager
    def admitted(self, network: str) -> Iterator[bool]:
        """Whether one more may stay, as long as the block lasts. One that may not is made to wait a while, so that it
        does not come again at once; unless there are too many of those as well."""
        self._all += 1
        self._held[network] += 1
        try:
            stays = self._held[network] <= max(1, self._most // 2)
            if not stays and self._all < self._most * 3 // 4:
                self._pace.delay(network, TURNED_AWAY_SECONDS)
            yield stays
        finally:
            self._all -= 1
            self._held[network] -= 1
            if not self._held[network]:
                del self._held[network]


class Worker(GeventWorker):
    """A worker that answers those who wait before it ends, and in which no network has all connections."""

    _crowd: Crowd | None = None
    """None behind proxies, whose connections are everybody's."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._told = Event()

    def init_process(self) -> None:
        settings = getattr(self.app, "settings", None)
        if settings is not None and not settings.trusted_proxies:
            self._crowd = Crowd(settings.connections)
        super().init_process()

    def run(self) -> None:
        """Serve until told to end. Gunicorn's own looks once a second whether it is, and whether all is answered."""
        _wait_in_greenlets()
        # Every request looks at some thirty settings. Each look is two calls, unless the value is there by its name.
        vars(self.cfg).update({name: setting.get() for name, setting in self.cfg.settings.items()})
        servers = []
        for listener in self.sockets:
            server = StreamServer(listener, partial(self.handle, listener), spawn=Pool(self.worker_connections))
            if self.cfg.workers > 1:
                server.max_accept = 1  # the others are to have their share
            server.start()
            servers.append(server)
        while self.alive:
            self.notify()
            self._told.wait(HEARTBEAT_SECONDS)
        for server in servers:
            server.stop(GRACE_SECONDS)
        note = getattr(self.wsgi, "note_presence", None)
        if note is not None:
            gevent.spawn(note).join(LAST_NOTE_SECONDS)

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        if self._crowd is None:
            super().handle(listener, client, addr)
            return
        with self._crowd.admitted(network_of(addr[0])) as stays:
            if stays:
                super().handle(listener, client, addr)
            else:
                _turn_away(client, cast("Server", self.app).base)

    def handle_usr1(self, number: int, frame: FrameType | None) -> None:
        """The server is to be stopped in a while (see `_serve_once`): proxies are to look elsewhere from now on."""
        leave = getattr(self.wsgi, "leave", None)
        if leave is not None:
            leave()

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        answer = refusal(exc, cast("Server", self.app).base)
        if answer is None:
            super().handle_error(req, client, addr, exc)
            return
        with contextlib.suppress(OSError):  # it has gone
            client.sendall(answer)

    def handle_exit(self, number: int, frame: FrameType | None) -> None:
        if not self.booted:
            sys.exit(0)  # nobody is served yet
        super().handle_exit(number, frame)
        self._told.set()
        drain = getattr(self.wsgi, "drain", None)
        if drain is not None:
            gevent.spawn(drain)  # not in the handler of a signal, which may not block


class Server(BaseApplication):
    """The application in Gunicorn, by the service's settings instead of Gunicorn's own."""

    def __init__(self, settings: Settings, load: Load) -> None:
        self.settings = settings
        self._load = load
        self.base = settings.public_url or ""
        super().__init__()

    def load_config(self) -> None:
        settings = self.settings
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        chosen: dict[str, Any] = {
            "bind": f"{host}:{settings.port}",
            "backlog": BACKLOG,
            "workers": settings.workers,
            "worker_class": Worker,
            "worker_connections": settings.connections,
            "keepalive": KEEP_SECONDS,
            "graceful_timeout": GRACE_SECONDS,
            "timeout": STUCK_SECONDS,
            "limit_request_line": 8190,
            "forwarded_allow_ips": "",  # which proxies are trusted is the application's to say
            "control_socket_disable": True,
            "loglevel": "info" if settings.log_level == "debug" else "warning",
            "post_fork": _listen,
            "post_worker_init": _settle,
            "child_exit": _forget,
            "logger_class": Lines,
        }
        for name, value in chosen.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        log_to_stderr(self.settings)
        return self._load(self.settings)


def run(settings: Settings, load: Load) -> None:
    """Serve until SIGTERM, or until the process that started this one ends."""
    # Ctrl-C and a closed terminal reach all processes, and the parent passes them on as SIGTERM.
    log_to_stderr(settings)
    tell_refused()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    threading.Thread(target=end_with_parent, name="parent-watch", daemon=True).start()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.connections + _FILES_BESIDE
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    _load_for_all()
    Server(settings, load).run()


def _load_for_all() -> None:
    """What all processes that serve have alike, loaded once: they are forked from this one. Without the driver of the
    database: see `_wait_in_greenlets`."""
    import_module("holmgang.api.application")
    files()
    gc.freeze()


def _wait_in_greenlets() -> None:
    """Once the process is patched, and the application is loaded: the driver of the database must not come before."""
    from holmgang.store.connections import Connection

    from .greenlet_waits import wait

    Connection.waits = staticmethod(wait)


def _turn_away(client: Any, base: str) -> None:
    """Answer without a look at the request. What has come of it is taken in, or else the answer might get lost."""
    try:
        with contextlib.suppress(OSError):
            client.settimeout(LOOK_SECONDS)
            client.recv(65536)
            client.sendall(crowded(base))
    finally:
        client.close()


def _listen(server: Any, worker: Any) -> None:
    """A worker just forked has the handler of the process that watches over it, which only notes signals in a queue."""
    signal.signal(signal.SIGTERM, worker.handle_exit)
    while not server.SIG_QUEUE.empty():
        if server.SIG_QUEUE.get_nowait() == signal.SIGTERM:
            sys.exit(0)


def _settle(worker: Any) -> None:
    """What the application consists of stays for good: the collector need not look at it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
    gc.enable()
    signal.signal(signal.SIGPROF, _break_off)
    gevent.spawn(_pulse)
    sample = getattr(worker.wsgi, "sample", None)
    if sample is not None:
        gevent.spawn(_repeat, sample, SAMPLE_SECONDS)
    note = getattr(worker.wsgi, "note_presence", None)
    if note is not None:
        gevent.spawn(_repeat, note, PRESENCE_SECONDS)


def _pulse() -> None:
    """Begin the time anew, as whoever keeps the process to themselves hinders this from doing. It is the processor's
    time, so that a machine with much else to do breaks nothing off."""
    while True:
        signal.setitimer(signal.ITIMER_PROF, HOG_SECONDS, HOG_SECONDS)
        gevent.sleep(SAMPLE_SECONDS)


def _break_off(_number: int, _frame: FrameType | None) -> None:
    if gevent.getcurrent() is not gevent.get_hub():
        raise TookTooLong(f"a request kept the process to itself for {HOG_SECONDS:g} s")


def _repeat(does: Callable[[], None], seconds: float) -> None:
    while True:
        does()
        gevent.sleep(seconds)


def _forget(_server: Any, worker: Any) -> None:
    """In the process that watches over the workers."""
    from holmgang.metrics import forget

    forget(worker.pid)
