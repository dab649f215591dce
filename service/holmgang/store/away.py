"""Nodes and shards of a cluster that say nothing: their games are refused at once, so that others have the connections.

The coordinator waits for a node as long as the node's connection lasts. It cannot even give a statement up when that is
cancelled, because it tells the node and waits for the answer (`ShutdownConnection` in Citus 14). A process has few
connections, and a few requests for games of such a node would hold them all. So the process itself gives up after
NODE_SECONDS, and from then on passes the node over until the coordinator gets an answer from it on a new connection.
Where the node answers, but not from the shard of the game, which somebody has locked, it passes over the shard alone.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

import psycopg
from msgspec import Struct
from psycopg.errors import InternalError_

from holmgang import logs

from .connections import CONNECT_SECONDS, Connection
from .distribution import OF_A_GAME, ON_NODES
from .nodes import is_away
from .rows import Query, Rows, Statement, T

R = TypeVar("R")
NODE_SECONDS = 3.0
"""How long nodes may take for a statement: as long as a lock is waited for where games are not distributed."""
CHECK_SECONDS = 0.5
"""How long after a check the next one begins."""
_ANSWER_SECONDS = 1
"""How long a node may take to accept a connection of a check, and a shard to answer it."""

_log = logs.get_logger("holmgang.nodes")

_LOST = ("08", "57P")
"""Classes of codes of a connection that is lost, and of a server that goes down."""

_AT_NODES = re.compile(
    r"\b({})\b".format(
        "|".join(
            (
                *(rf"(?:FROM|JOIN|INTO|UPDATE)\s+{table}" for table in ("games", *OF_A_GAME)),
                *(re.escape(function.name) for function in ON_NODES),
            )
        )
    )
)


class Place(Struct, frozen=True):
    """Where a game lies: its group of nodes and its shard, by their numbers in Citus' catalogue."""

    node: int
    shard: int


_PLACE = Query(
    Place,
    """
    SELECT groupid AS node, shardid AS shard
    FROM pg_dist_placement
    WHERE shardid = get_shard_id_for_distribution_column('games', %(game)s::uuid)
    """,
)
_NODES = Query(int, "SELECT groupid FROM pg_dist_node WHERE noderole = 'primary' AND shouldhaveshards")
_CHECK_NODE = """
    SELECT citus_check_connection_to_node(nodename, nodeport)
    FROM pg_dist_node
    WHERE groupid = %s AND noderole = 'primary'
"""
_CHECK_SHARD = "SELECT id FROM games WHERE id = %s"


@cache
def _at_nodes(statement: Statement | str) -> bool:
    """Whether a statement is carried out by nodes, and not by the coordinator alone."""
    return _AT_NODES.search(statement if isinstance(statement, str) else statement.text) is not None


def _tell(kind: str, number: int, before: bool, answers: bool) -> None:
    if answers and before:
        _log.info(f"a {kind} answers again", number=number)
    elif not answers and not before:
        _log.warning(f"a {kind} does not answer, and its games are refused", number=number)


class Away:
    """What of one cluster does not answer, as one process knows. Safe for threads.

    A thread looks after what is suspected, with sessions of its own; there is none while all is well.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self.nodes: frozenset[int] = frozenset()
        self.shards: Mapping[int, UUID] = {}
        """Each with a game that lies there."""
        self._suspected: set[UUID | None] = set()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def anything(self) -> bool:
        return bool(self.nodes or self.shards)

    def holds(self, place: Place | None) -> bool:
        return place is not None and (place.node in self.nodes or place.shard in self.shards)

    def suspect(self, game: UUID | None) -> None:
        """A statement about the game came to nothing, or, without one, a statement that asks all nodes."""
        with self._lock:
            self._suspected.add(game)
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._watch, name="nodes", daemon=True)
                self._thread.start()

    def close(self) -> None:
        self._closed.set()

    def _watch(self) -> None:
        while True:
            try:
                self._look()
            except Exception as fault:  # of any kind: without this thread a node would be passed over for ever
                self.nodes, self.shards = frozenset(), {}
                expected = isinstance(fault, psycopg.Error)
                _log.warning("nodes could not be looked after, trying again", fault=str(fault), exc_info=not expected)
            if self._closed.wait(CHECK_SECONDS):
                return
            with self._lock:
                if not self._suspected and not self.anything():
                    self._thread = None
                    return

    def _look(self) -> None:
        """Pass over what is suspected, and then no more what answers. Where all nodes are, each is passed over only
        once it does not answer: games of the others go on meanwhile."""
        with self._lock:
            suspected, self._suspected = self._suspected, set()
        nodes, shards = self.nodes, self.shards
        with self._connect() as connection:
            tables = Rows(connection)
            every = set(tables.all(_NODES)) if None in suspected else set()
            for game in filter(None, suspected):
                if (place := tables.first(_PLACE, game=game)) is not None:
                    self.nodes |= {place.node}
                    self.shards = {**self.shards, place.shard: game}
        for node in sorted(self.nodes | every):
            answers = self._answers(_CHECK_NODE, node)
            self.nodes = self.nodes - {node} if answers else self.nodes | {node}
            _tell("node", node, node in nodes, answers)
        for shard, game in list(self.shards.items()):
            if answers := self._answers(_CHECK_SHARD, game):
                self.shards = {other: of for other, of in self.shards.items() if other != shard}
            _tell("shard", shard, shard in shards, answers)

    def _answers(self, check: str, what: int | UUID) -> bool:
        """On a session of its own, which has no connection to the node yet."""
        with suppress(psycopg.Error), self._connect() as connection:
            return connection.execute(check, [what]).fetchone() != (False,)
        return False

    def _connect(self) -> Connection:
        connection = Connection.connect(
            self._url,
            autocommit=True,
            application_name="holmgang nodes",
            connect_timeout=CONNECT_SECONDS,
            options=f"-c citus.node_connection_timeout={_ANSWER_SECONDS}s -c statement_timeout={_ANSWER_SECONDS}s",
        )
        connection.patience = NODE_SECONDS
        return connection


def _games(arguments: Mapping[str, Any]) -> Collection[UUID]:
    game = arguments.get("game")
    found: Collection[UUID] = arguments.get("games", ()) if game is None else (game,)
    return found


class PassingOver(Rows):
    """Statements on a coordinator, of which those that need what is away fail at once, as those do whose node
    says nothing for NODE_SECONDS. A statement says by `game` or `games` whose nodes it goes to."""

    def __init__(self, connection: Connection, away: Away) -> None:
        super().__init__(connection)
        self._away = away
        connection.patience = None

    def first(self, query: Query[T], **arguments: Any) -> T | None:
        if not _at_nodes(query):
            return super().first(query, **arguments)
        return self._at_node(_games(arguments), lambda: super(PassingOver, self).first(query, **arguments))

    def all(self, query: Query[T], **arguments: Any) -> list[T]:
        if not _at_nodes(query):
            return super().all(query, **arguments)
        return self._at_node(_games(arguments), lambda: super(PassingOver, self).all(query, **arguments))

    def execute(self, statement: Statement | str, **arguments: Any) -> int:
        if not _at_nodes(statement):
            return super().execute(statement, **arguments)
        return self._at_node(_games(arguments), lambda: super(PassingOver, self).execute(statement, **arguments))

    def is_away(self, game: UUID) -> bool:
        """Whether the game's node or shard is."""
        return self._away.anything() and self._away.holds(super().first(_PLACE, game=game))

    def _at_node(self, games: Collection[UUID], run: Callable[[], R]) -> R:
        """`games` are those that the statement is about; none where it asks all nodes."""
        if self._away.anything() and (not games or any(map(self.is_away, games))):
            raise psycopg.OperationalError("a node or a shard does not answer")
        self._connection.patience = NODE_SECONDS  # until the end: what is committed goes there as well
        try:
            return run()
        except psycopg.Error as fault:
            lost = (fault.sqlstate or "").startswith(_LOST) or (isinstance(fault, InternalError_) and is_away(fault))
            if lost or self._connection.closed:
                for game in games or (None,):
                    self._away.suspect(game)
            raise
