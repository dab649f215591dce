"""Wake-ups: who waits for a game or a player hears at once that something may have changed.

Each process listens on one connection. After a commit, a thread of the writing process notifies, apart from the move:
NOTIFY inside a transaction makes all commits wait for each other. A notification may be lost (a process is killed in
between, a connection is cut). So every two seconds, and after each reconnect, another thread reads all that is waited
for again, as the waiters did, on connections of the pool: there is news even while nothing can be heard. Waiters hold
nothing of the database.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from holmgang import logs, metrics
from holmgang.app.ports import Tables
from holmgang.app.records.contexts import UNREAD

from .connections import CONNECT_SECONDS, Connection

CHANNEL = "holmgang"
CHECK_SECONDS = 2.0
_BATCH = 200
_TICK = 0.5
_REST = 0.01
"""Seconds between two announcements of a process: under load one statement tells of several moves."""
_MOST_COMMITTED = 10_000
_ANY = UUID(int=0)
"""In place of a game: all of them."""

_log = logs.get_logger("holmgang.wakeups")


class Ticket:
    """One waiter. `seen` is what it found when it looked, `asks` the question it asked: see `ports.Watch`."""

    __slots__ = ("_heard", "_rung", "_since", "asks", "over", "seen")

    def __init__(self, asks: Any) -> None:
        self.asks = asks
        self._rung = threading.Event()
        self._heard = 0
        self._since: float | None = None
        self.over = False
        self.seen: Any = None

    def listen(self) -> None:
        """Forget earlier wake-ups; look at the database only after this."""
        self._since = None
        self._rung.clear()

    def wait(self, seconds: float) -> bool:
        """Wait for a wake-up since `listen`; False when the time is up or the process ends."""
        rung = not self.over and self._rung.wait(max(seconds, 0.0)) and not self.over
        if rung and self._since is not None:
            metrics.WAKEUPS.observe(time.perf_counter() - self._since)
            self._since = None
        return rung

    def newer(self, version: int) -> bool:
        """Whether the game was heard to be beyond `version`."""
        return self._heard > version

    def ring(self, version: int = 0, since: float | None = None) -> None:
        """There is news; `since` is when it was committed, where that is known."""
        self._heard = max(self._heard, version)
        self._since = since
        self._rung.set()

    def end(self) -> None:
        """Wait no more."""
        self.over = True
        self._rung.set()


class Wakeups:
    """The wake-ups of one process. Its threads start with the first waiter or the first write."""

    def __init__(self, url: str, pool: ConnectionPool[Connection], tables: Callable[[Connection], Tables]) -> None:
        self._url = url
        self._pool = pool
        self._tables = tables
        self._lock = threading.Lock()
        self._games: dict[UUID, set[Ticket]] = {}
        self._players: dict[UUID, set[Ticket]] = {}
        self._others: dict[UUID, set[Ticket]] = {}
        self._committed: dict[tuple[UUID, int], float] = {}
        self._changed: queue.SimpleQueue[tuple[UUID, int] | None] = queue.SimpleQueue()
        self._threads: dict[str, threading.Thread] = {}
        self._closed = threading.Event()
        self._drained = False
        self._strange = False

    @contextmanager
    def game(self, game: UUID, digest: bytes | None, invitation: bytes | None) -> Iterator[Ticket]:
        """Hear of changes of a game within the block."""
        with self._watch(self._games, game, (digest, game, invitation)) as ticket:
            yield ticket

    @contextmanager
    def player(self, player: UUID, digest: bytes) -> Iterator[Ticket]:
        """Hear of changes of any game in which a player sits, within the block."""
        with self._watch(self._players, player, digest) as ticket:
            yield ticket

    @contextmanager
    def revision(self, ident: UUID) -> Iterator[Ticket]:
        """Hear of changes of what is no game, within the block."""
        with self._watch(self._others, ident, ident) as ticket:
            yield ticket

    @contextmanager
    def all(self) -> Iterator[Ticket]:
        """Hear of changes of any game within the block."""
        with self._watch(self._games, _ANY, None) as ticket:
            yield ticket

    @contextmanager
    def _watch(self, book: dict[UUID, set[Ticket]], key: UUID, asks: Any) -> Iterator[Ticket]:
        ticket = Ticket(asks)
        with self._lock:
            book.setdefault(key, set()).add(ticket)
            if self._drained:
                ticket.end()
        try:
            self._run("listen", self._listen)
            self._run("check", self._check_often)
            yield ticket
        finally:
            with self._lock:
                left = book[key]
                left.discard(ticket)
                if not left:
                    del book[key]

    def waiting(self) -> int:
        """How many wait now, having looked."""
        with self._lock:
            tickets = [ticket for book in self._books() for each in book.values() for ticket in each]
        return sum(ticket.seen is not None for ticket in tickets)

    def _books(self) -> tuple[dict[UUID, set[Ticket]], ...]:
        return self._games, self._players, self._others

    def announce(self, games: Mapping[UUID, int]) -> None:
        """Tell all processes, after the commit, that these games have changed, and to which version."""
        for change in games.items():
            if self._games:
                self._committed[change] = time.perf_counter()
            self._changed.put(change)
            self._run("notify", self._notify)

    def drain(self) -> None:
        """End all waiting, as if the time of each waiter were up."""
        self._drained = True
        with self._lock:
            for book in self._books():
                for tickets in book.values():
                    for ticket in tickets:
                        ticket.end()

    def close(self) -> None:
        """End all waiting, and stop."""
        self._closed.set()
        self.drain()
        self._changed.put(None)
        for thread in list(self._threads.values()):
            if thread is not threading.current_thread():
                thread.join(timeout=2 * _TICK)

    def _run(self, name: str, target: Callable[[], None]) -> None:
        if name in self._threads or self._closed.is_set():
            return
        with self._lock:
            if name not in self._threads:
                self._threads[name] = threading.Thread(target=target, name=f"wakeups-{name}", daemon=True)
                self._threads[name].start()

    # Telling others

    def _notify(self) -> None:
        while (first := self._changed.get()) is not None:
            games = dict([first])
            while len(games) < _BATCH and not self._changed.empty():
                more = self._changed.get()
                if more is None:
                    return
                games[more[0]] = max(more[1], games.get(more[0], 0))
            try:
                with self._pool.connection() as connection:
                    connection.execute(
                        "SELECT pg_notify(%s, change) FROM unnest(%s::text[]) AS change",
                        [CHANNEL, [f"{game} {version}" for game, version in games.items()]],
                    )
            except (psycopg.Error, PoolTimeout) as fault:
                _log.warning("a wake-up was lost, to be made up for by the next check", fault=str(fault))
            time.sleep(_REST)

    # Hearing of it

    def _listen(self) -> None:
        while not self._closed.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._check()
                    self._hear(connection)
            except Exception as fault:  # of any kind: without this thread there are no wake-ups
                if self._closed.is_set():
                    return
                _warn("wake-ups are interrupted, trying again", fault)
                self._closed.wait(_TICK)

    def _connect(self) -> Connection:
        return Connection.connect(
            self._url, autocommit=True, application_name="holmgang wake-ups", connect_timeout=CONNECT_SECONDS
        )

    def _hear(self, connection: Connection) -> None:
        next_check = time.monotonic() + CHECK_SECONDS
        while not self._closed.is_set():
            games = self._told(connection.notifies(timeout=_TICK, stop_after=1))
            if games:
                self._ring_games(games | self._told(connection.notifies(timeout=0)))
            if time.monotonic() >= next_check:
                connection.execute("SELECT")  # or a connection that was cut silently would never be noticed
                next_check = time.monotonic() + CHECK_SECONDS

    def _told(self, notes: Iterable[psycopg.Notify]) -> dict[UUID, int]:
        """The games that notifications name, with the newest version of each.

        Any role that may connect to the database may notify: notifications that this service did not send are skipped.
        """
        games = {}
        for note in notes:
            try:
                game, version = note.payload.split()
                games[UUID(game)] = int(version)
            except ValueError:
                if not self._strange:
                    self._strange = True
                    _log.warning("notifications that are not of this service are passed over", channel=CHANNEL)
        return games

    def _ring_games(self, games: dict[UUID, int]) -> None:
        with self._lock:
            for game, version in (*games.items(), (_ANY, 0)):
                since = self._committed.pop((game, version), None)
                for ticket in (*self._games.get(game, ()), *self._others.get(game, ())):
                    ticket.ring(version, since)
            if len(self._committed) > _MOST_COMMITTED:  # of which notifications were lost
                self._committed.clear()
            players_wait = bool(self._players)
        if players_wait:
            with self._pool.connection() as connection:
                players = self._tables(connection).players_of(list(games))
            with self._lock:
                for player in players:
                    for ticket in self._players.get(player, ()):
                        ticket.ring()

    def _check_often(self) -> None:
        while not self._closed.wait(CHECK_SECONDS):
            try:
                self._check()
            except Exception as fault:  # of any kind, as above
                if not self._closed.is_set():
                    _warn("news could not be looked for, trying again", fault)

    def _check(self) -> None:
        """Wake those for whom things have changed since they looked."""
        self._look(self._games, lambda tables, asks: tables.callers(asks, again=True))
        self._look(self._players, lambda tables, asks: tables.turns_by_tokens(asks))
        self._look(self._others, lambda tables, asks: tables.revisions(asks))

    def _look(self, book: dict[UUID, set[Ticket]], read: Callable[[Tables, Sequence[Any]], Sequence[Any]]) -> None:
        asking: dict[Any, list[Ticket]] = {}
        with self._lock:
            for tickets in book.values():
                for ticket in tickets:
                    if ticket.seen is not None:
                        asking.setdefault(ticket.asks, []).append(ticket)
        every = list(asking)
        for first in range(0, len(every), _BATCH):
            asks = every[first : first + _BATCH]
            with self._pool.connection() as connection:
                stands = read(self._tables(connection), asks)
            with self._lock:
                for ask, found in zip(asks, stands, strict=True):
                    for ticket in asking[ask]:
                        if found is not UNREAD and ticket.seen != found:
                            ticket.ring()


def _warn(what: str, fault: Exception) -> None:
    unforeseen = not isinstance(fault, psycopg.Error | PoolTimeout)
    _log.warning(what, fault=str(fault), exc_info=unforeseen)
