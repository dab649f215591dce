"""Spread the tables of games over the nodes of a Citus cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import psycopg
from psycopg.sql import SQL, Identifier, Literal

from . import agenda, figures, news, together
from .function import LOCK, Function, are_made, make
from .functions import APART, BESIDE
from .reads import READS

OLDEST = 14
"""Of Citus: the release that tests run on. Calls `FROM` a function go to its node since 11."""
OF_A_GAME = (
    "seats",
    "invitations",
    "awaited",
    "submissions",
    "log",
    "events",
    "combats",
    "rating_changes",
    "news",
    "outbox",
)
"""Tables whose rows lie beside their game, by `game_id`."""
_KEYS = ("seats", "invitations", "rating_changes")
"""Those of them that refer to games: the keys are let go while the tables are moved."""


OLDEST_CODE = "0015"
"""The schema version of the first release that plays on distributed tables: those before may no longer run."""
MADE = (news.TABLE, together.TABLE, *agenda.TABLES)
"""Tables that only a cluster has."""
ON_NODES = (*APART, agenda.NOTE, agenda.SWEEP, news.IN_NEWS, figures.TALLY, *READS)
FUNCTIONS = (*ON_NODES, agenda.SETTLE)
_LOCK_TIMEOUT = "90s"


class CannotDistribute(Exception):
    """The message says why not, and what to do."""


def is_distributed(connection: psycopg.Connection) -> bool:
    """Whether the tables of games are."""
    found = connection.execute("SELECT to_regclass('pg_dist_partition')").fetchone()
    if found == (None,):
        return False
    distributed = "SELECT count(*) FROM pg_dist_partition WHERE logicalrelid = to_regclass('games')"
    return connection.execute(distributed).fetchone() == (1,)


def check(url: str) -> None:
    """Raise CannotDistribute where the database at `url` cannot be distributed. No schema has to be there yet."""
    with _connected(url) as connection:
        _check(connection)


def distribute(url: str) -> None:
    """Distribute the tables of a migrated database without games, all of them or none. What has been done already is
    left as it is.

    Raises CannotDistribute.
    """
    with _connected(url) as connection:
        connection.execute("SELECT set_config('lock_timeout', %s, false)", [_LOCK_TIMEOUT])
        connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        _check(connection)
        with connection.transaction():
            # The nodes take statements on shards one after the other: keys between them are in the way of more.
            connection.execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
            if not is_distributed(connection):
                for table in _KEYS:
                    _drop(connection, table, f"{table}_game_id_fkey")
                _drop(connection, "seats", "seats_player_id_fkey")  # players stay on the coordinator
                connection.execute("SELECT create_distributed_table('games', 'id')")
                floor = "UPDATE schema_floor SET oldest = %(oldest)s WHERE id = 1 AND oldest < %(oldest)s"
                connection.execute(floor, {"oldest": OLDEST_CODE})
            _place(connection)


def keep(connection: psycopg.Connection) -> None:
    """After migrations: place what they have brought beside the games, where those are distributed, and make the
    functions that are missing. Whoever calls holds the lock of migrations."""
    if not is_distributed(connection):
        make(connection, BESIDE)
        return
    with connection.transaction():
        connection.execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
        _place(connection)


def is_kept(connection: psycopg.Connection) -> bool:
    """Whether the functions of this code are there."""
    return are_made(connection, _functions(connection))


def _functions(connection: psycopg.Connection) -> Iterable[Function]:
    return FUNCTIONS if is_distributed(connection) else BESIDE


def _check(connection: psycopg.Connection) -> None:
    def found(query: str) -> str | None:
        row = connection.execute(query.encode()).fetchone()
        return None if row is None or row[0] is None else str(row[0])

    if found("SELECT pg_backend_pid()") != str(connection.info.backend_pid):
        raise CannotDistribute(
            "A pooler stands before the database, and this takes a session of its own: set DATABASE_DIRECT_URL to the "
            "coordinator's own address."
        )
    version = found("SELECT extversion FROM pg_extension WHERE extname = 'citus'")
    if version is None:
        raise CannotDistribute(
            "The database has no Citus: put citus into shared_preload_libraries and CREATE EXTENSION citus in this "
            "database, on each node."
        )
    if int(version.partition(".")[0]) < OLDEST:
        raise CannotDistribute(f"The database has Citus {version}; {OLDEST}.0 or later is needed.")
    if found("SELECT count(*) FROM pg_dist_node WHERE groupid <> 0 AND isactive AND shouldhaveshards") == "0":
        raise CannotDistribute(
            "The coordinator knows no worker that takes games: SELECT citus_add_node('host', 5432) for each. On one "
            "machine, games are served faster without Citus."
        )
    copies = found("SHOW citus.shard_replication_factor")
    if copies != "1":
        raise CannotDistribute(
            f"citus.shard_replication_factor is {copies}, and rows of such tables cannot be locked: set it to 1 on the "
            "coordinator, and have each node replicated by Postgres."
        )
    if is_distributed(connection):
        return
    if found("SELECT to_regclass('games')") and found("SELECT count(*) FROM (SELECT FROM games LIMIT 1) AS g") == "1":
        raise CannotDistribute("There are games already: distribute a new database, before the first game.")
    serving = found(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'holmgang'"
    )
    if serving != "0":
        raise CannotDistribute(
            f"A service or a worker is connected ({serving} sessions), and would go on as if all were on one node: "
            "stop them first, and PgBouncer with them."
        )


@contextmanager
def _connected(url: str) -> Iterator[psycopg.Connection]:
    """A session, whose faults are told in a sentence."""
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            yield connection
    except psycopg.errors.InsufficientPrivilege as fault:
        raise CannotDistribute(
            f"The role may not do that ({fault.diag.message_primary}): run this as the one that owns the tables."
        ) from fault
    except psycopg.Error as fault:
        told = " ".join((fault.diag.message_primary or str(fault)).split())
        raise CannotDistribute(f"The cluster refuses ({told}): put that right, then run this again.") from fault


def _place(connection: psycopg.Connection) -> None:
    """Put tables, keys and functions beside the games: those that are not there yet."""
    for made in MADE:
        connection.execute(made.encode())
    places = connection.execute("SELECT logicalrelid::text FROM pg_dist_partition WHERE partmethod = 'h'").fetchall()
    for table in OF_A_GAME:
        if (table,) not in places:
            place = SQL("SELECT create_distributed_table({table}, 'game_id', colocate_with => 'games')")
            connection.execute(place.format(table=Literal(table)))
    keys = connection.execute("SELECT conname FROM pg_constraint WHERE contype = 'f'").fetchall()
    for table in _KEYS:
        name = f"{table}_game_id_fkey"
        if (name,) not in keys:
            key = SQL(
                "ALTER TABLE {t} ADD CONSTRAINT {n} FOREIGN KEY (game_id) REFERENCES games (id) ON DELETE CASCADE"
            )
            connection.execute(key.format(t=Identifier(table), n=Identifier(name)))
    if connection.execute("SELECT FROM pg_dist_partition WHERE logicalrelid = 'together'::regclass").rowcount == 0:
        connection.execute(together.PLACE)
    make(connection, FUNCTIONS)
    routed = "SELECT distribution_argument_index FROM pg_dist_object WHERE objid = to_regprocedure(%s)"
    for function in ON_NODES:
        if connection.execute(routed, [function.signature]).fetchone() != (0,):
            # A plan that Citus keeps for a statement of a function grows by some 100 KB each time it is used.
            connection.execute(
                f"ALTER FUNCTION {function.signature} SET plan_cache_mode = 'force_custom_plan'".encode()
            )
            place = SQL("SELECT create_distributed_function({name}, '_game', colocate_with := 'games')")
            connection.execute(place.format(name=Literal(function.signature)))
    for signature in {function.signature for function in BESIDE} - {function.signature for function in FUNCTIONS}:
        connection.execute(f"DROP FUNCTION IF EXISTS {signature}".encode())


def _drop(connection: psycopg.Connection, table: str, name: str) -> None:
    drop = SQL("ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}")
    connection.execute(drop.format(table=Identifier(table), name=Identifier(name)))
