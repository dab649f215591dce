"""Connections: a small pool, transactions, and the database's faults in the application's words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from uuid import UUID

import msgspec
import psycopg
from psycopg import errors as pg
from psycopg.types.json import set_json_loads
from psycopg_pool import ConnectionPool

from holmgang import tracing
from holmgang.app.errors import Busy, DatabaseUnavailable, Refusal
from holmgang.app.ports import Tables, Watch
from holmgang.app.records.figures import Figures, PoolFigures
from holmgang.config import Settings
from holmgang.engine.messages import say

from .all_tables import PostgresTables
from .away import Away
from .callers import Lately
from .connections import CONNECT_SECONDS, Connection, without_values
from .distributed import DistributedTables
from .distribution import is_distributed
from .nodes import is_away
from .schema_version import fits
from .traced import TracedCursor
from .wakeups import Wakeups

LOCK_TIMEOUT_MS = 3_000
STATEMENT_TIMEOUT_MS = 15_000
CHECK_MS = 500
"""How often a server that is at work looks whether its client is still there: what a process has given up, for a node
of a cluster that says nothing, would hold its locks until STATEMENT_TIMEOUT_MS."""
POOL_TIMEOUT_S = 5.0
RECONNECT_S = 3.0
"""How long the pool reconnects by itself, with pauses that double. After that it tries when a connection is asked for:
else, after an hour without a database, it might not look for another hour."""

_PASSING = (pg.ReadOnlySqlTransaction, pg.IdleInTransactionSessionTimeout, pg.TransactionTimeout)
"""What the driver takes for faults of the program: a read-only server, such as a standby or one whose host has made it
so because the disk is nearly full, and limits that an operator has set."""

set_json_loads(msgspec.json.decode)


@contextmanager
def _told() -> Iterator[None]:
    """Turn passing faults of the database into refusals after which a client may try again.

    Other faults go to the log, without values of rows.
    """
    try:
        yield
    except (pg.LockNotAvailable, pg.QueryCanceled, pg.DeadlockDetected, pg.SerializationFailure) as fault:
        raise Busy(say("Others were writing to this for too long. Nothing has changed; try again.")) from fault
    except psycopg.Error as fault:
        if isinstance(fault, _PASSING) or is_away(fault):
            raise DatabaseUnavailable(say("The database does not answer at this moment. Try again.")) from fault
        without_values(fault)
        raise


class PostgresStore:
    """The store over a pool of connections to `url`, of any scheme that SQLAlchemy or libpq knows for Postgres."""

    def __init__(
        self, url: str, *, pool_size: int, prepare_threshold: int | None = 5, session_url: str | None = None
    ) -> None:
        self.pool: ConnectionPool[Connection] = ConnectionPool(
            conninfo(url),
            min_size=1,
            max_size=pool_size,
            timeout=POOL_TIMEOUT_S,
            reconnect_timeout=RECONNECT_S,
            connection_class=Connection,
            kwargs={
                "autocommit": True,
                "prepare_threshold": prepare_threshold,
                "options": f"-c lock_timeout={LOCK_TIMEOUT_MS} -c statement_timeout={STATEMENT_TIMEOUT_MS}"
                f" -c timezone=UTC -c client_connection_check_interval={CHECK_MS}",
                "application_name": "holmgang",
                "client_encoding": "UTF8",
                "connect_timeout": CONNECT_SECONDS,
                **({"cursor_factory": TracedCursor} if tracing.on() else {}),
            },
            open=True,
        )
        self._kind: Callable[[Connection], PostgresTables] | None = None
        self._away = Away(conninfo(session_url or url))
        self.wakeups = Wakeups(conninfo(session_url or url), self.pool, self._tables)

    def _tables(self, connection: Connection) -> PostgresTables:
        """The one place that chooses between games beside all else and games on nodes of their own."""
        if self._kind is None:
            distributed = partial(DistributedTables, away=self._away, lately=Lately())
            self._kind = distributed if is_distributed(connection) else PostgresTables
        return self._kind(connection)

    @contextmanager
    def reading(self) -> Iterator[Tables]:
        with _told(), self._connection() as connection:
            tables = self._tables(connection)
            try:
                yield tables
            finally:
                self._tell(tables)

    @contextmanager
    def transaction(self) -> Iterator[Tables]:
        with _told(), self._connection() as connection:
            tables = self._tables(connection)
            refused = None
            with connection.transaction():
                try:
                    yield tables
                except Refusal as refusal:
                    if not refusal.stands:
                        raise
                    refused = refusal
                tables.note()
            self._tell(tables)
            if refused is not None:
                raise refused

    def _tell(self, tables: PostgresTables) -> None:
        """Of what is committed. First what is due is kept true, so that whoever is woken finds it."""
        tables.settle()
        self.wakeups.announce(tables.changed)

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        """As the pool's own, but without a commit at the end: every statement and transaction here commits itself."""
        connection = self.pool.getconn()
        try:
            yield connection
        finally:
            self.pool.putconn(connection)

    def watch_game(
        self, game: UUID, digest: bytes | None = None, invitation: bytes | None = None
    ) -> AbstractContextManager[Watch]:
        return self.wakeups.game(game, digest, invitation)

    def watch_revision(self, ident: UUID) -> AbstractContextManager[Watch]:
        return self.wakeups.revision(ident)

    def watch_all(self) -> AbstractContextManager[Watch]:
        return self.wakeups.all()

    def watch_player(self, player: UUID, digest: bytes) -> AbstractContextManager[Watch]:
        return self.wakeups.player(player, digest)

    def ready(self) -> bool:
        try:
            with self.pool.connection(timeout=1.0) as connection:
                row = connection.execute(
                    "SELECT version_num, (SELECT oldest FROM schema_floor WHERE id = 1) FROM alembic_version"
                ).fetchone()
        except psycopg.Error:
            return False
        return row is not None and fits(row[0], row[1] or row[0])

    def figures(self) -> Figures:
        with _told(), self.pool.connection(timeout=1.0) as connection:
            return self._tables(connection).figures()

    def pool_figures(self) -> PoolFigures:
        found = self.pool.get_stats()
        idle = found.get("pool_available", 0)
        used = found.get("pool_size", 0) - idle
        return PoolFigures({"used": used, "idle": idle}, found.get("requests_waiting", 0))

    def drain(self) -> None:
        self.wakeups.drain()

    def close(self) -> None:
        self.wakeups.close()
        self._away.close()
        self.pool.close()


def conninfo(url: str) -> str:
    """What libpq takes: SQLAlchemy's `postgresql+psycopg://` loses its driver."""
    scheme, separator, rest = url.partition("://")
    return f"{scheme.partition('+')[0]}://{rest}" if separator else url


def open_store(settings: Settings) -> PostgresStore:
    """The store that the settings name. `database_url` is set by then, by the user or by the embedded server."""
    assert settings.database_url is not None, "an embedded server gives its address before the store is opened"
    return PostgresStore(
        settings.database_url,
        pool_size=settings.pool_size,
        prepare_threshold=settings.prepare_threshold,
        session_url=settings.session_url,
    )
