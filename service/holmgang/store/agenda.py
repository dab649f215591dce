"""What the coordinator of a cluster knows of games, so that what is due is found without asking their nodes.

`inbox` has a row for each seat that owes a choice, as `awaited` of its game has. `agenda` has one for each game: who
created it, when its turn ends, whether it goes on, whether its ratings are to be counted, and who sits there.

Both are kept true by an outbox. Whatever changes a game adds a row to the `outbox` beside it, in the same transaction,
and gets back what the coordinator is to know; once that is committed, the writing process says so here, before it
answers. If it is killed in between, the row is left, and a worker sees to it. What has been settled is deleted from the
outbox by the worker too, many rows at a time.

What comes late does no harm: `games.writes` grows with each change that is noted, and an older one is passed over. So
games that are over stay in the agenda for a day, and as long as they are counted for their creator.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

import msgspec
import psycopg
from msgspec import Struct
from psycopg.sql import SQL

from holmgang import logs
from holmgang.app.records.games import Game

from .connections import Connection
from .each_node import Nodes, shards_here
from .function import Function
from .noting import noted
from .rows import Query, Statement
from .together import Together

TABLES = (
    "CREATE TABLE IF NOT EXISTS inbox (LIKE awaited INCLUDING ALL) WITH (fillfactor = 70)",
    """
    CREATE TABLE IF NOT EXISTS agenda (
        id uuid PRIMARY KEY,
        writes bigint NOT NULL,
        version bigint NOT NULL,
        ruleset text NOT NULL,
        creator uuid NOT NULL,
        status text NOT NULL,
        deadline timestamptz,
        turn_seconds int,
        put_off_at timestamptz,
        rated boolean NOT NULL,
        ended_at timestamptz,
        empty_since timestamptz,
        rated_at timestamptz,
        goes_on boolean NOT NULL,
        players uuid[] NOT NULL,
        at timestamptz NOT NULL
    ) WITH (fillfactor = 70)
    """,
    "CREATE INDEX IF NOT EXISTS agenda_deadline_idx ON agenda (deadline) WHERE deadline IS NOT NULL",
    """
    CREATE INDEX IF NOT EXISTS agenda_to_rate_idx ON agenda (ruleset, ended_at, id)
    WHERE rated AND rated_at IS NULL AND ended_at IS NOT NULL
    """,
    """
    CREATE INDEX IF NOT EXISTS agenda_creator_idx ON agenda (creator) WHERE status IN ('open', 'active')
    """,
    """
    CREATE INDEX IF NOT EXISTS agenda_creator_empty_since_idx ON agenda (creator, empty_since)
    WHERE empty_since IS NOT NULL
    """,
    """
    CREATE INDEX IF NOT EXISTS agenda_done_idx ON agenda (at)
    WHERE empty_since IS NULL
        AND status IN ('over', 'archived')
        AND (rated AND status = 'over' AND rated_at IS NULL) IS NOT TRUE
    """,
    "CREATE INDEX IF NOT EXISTS agenda_empty_since_idx ON agenda (empty_since) WHERE empty_since IS NOT NULL",
    "CREATE TABLE IF NOT EXISTS outbox (game_id uuid, writes bigint, PRIMARY KEY (game_id, writes))",
)

KEPT_HOURS = 24
"""How long games stay in the agenda of which nothing is due any more. A process that was stopped for longer between
writing a game and telling of it might bring back what was due then."""
_PIECE = 1000
"""How many games of a node are settled at a time."""

NOTE = Function(
    "note",
    {"game": "uuid"},
    "text",
    SQL("""
BEGIN
    UPDATE games SET writes = writes + 1 WHERE id = _game;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    {noted}
END
""").format(noted=noted("NULL")),
)
"""What the coordinator is to know of a game, NULL of one that is not there."""

SWEEP = Function(
    "sweep",
    {"game": "uuid", "games": "uuid[]", "writes": "bigint[]", "most": "int"},
    "json",
    SQL("""
DECLARE
    shard regclass;
    listed json;
    every json[] := '{{}}';
BEGIN
    FOR shard IN {shards}
    LOOP
        EXECUTE format(
            'DELETE FROM %s USING unnest($1, $2) AS s (game, upto) WHERE game_id = game AND writes <= upto',
            shard
        ) USING _games, _writes;
        EXECUTE format(
            'SELECT json_agg(o) FROM (SELECT game_id AS game, max(writes) AS writes FROM %s GROUP BY 1 LIMIT $1) AS o',
            shard
        ) INTO listed USING _most;
        every := every || listed;
    END LOOP;
    RETURN (SELECT json_agg(o) FROM unnest(every) AS e, json_array_elements(e) AS o);
END
""").format(shards=shards_here("outbox")),
)
"""What is in the outboxes of a node, once what has been settled is deleted there. `game` is any of that node's."""

# Named, so that columns which a later release adds have their defaults.
_DUE = SQL(
    "id, writes, version, ruleset, creator, status, deadline, turn_seconds, put_off_at, rated, ended_at, "
    "empty_since, rated_at, goes_on, players, at"
)
_OWED = SQL("game_id, seat, player_id, turn, kind, since, played_by")
SETTLE = Function(
    "settle",
    {"noted": "json"},
    "void",
    SQL("""
DECLARE
    settled uuid[];
BEGIN
    WITH told AS (
        INSERT INTO agenda AS a ({due})
        SELECT {due}
        FROM json_populate_recordset(NULL::agenda, _noted)
        ORDER BY id -- so that two that settle the same games do not wait for each other
        ON CONFLICT (id) DO UPDATE
        SET
            writes = excluded.writes,
            version = excluded.version,
            status = excluded.status,
            deadline = excluded.deadline,
            put_off_at = excluded.put_off_at,
            ended_at = excluded.ended_at,
            empty_since = excluded.empty_since,
            rated_at = excluded.rated_at,
            goes_on = excluded.goes_on,
            players = excluded.players,
            at = excluded.at
        WHERE a.writes < excluded.writes
        RETURNING a.id
    )
    SELECT array_agg(id) INTO settled FROM told;
    -- Statements of their own: they see what others have written before the rows of the agenda were held.
    DELETE FROM inbox i
    WHERE i.game_id = ANY(settled)
        AND (i.game_id, i.seat) NOT IN (
            SELECT a.game_id, a.seat
            FROM json_array_elements(_noted) AS n, json_populate_recordset(NULL::inbox, n -> 'awaited') AS a
        );
    INSERT INTO inbox AS i ({owed})
    SELECT {owed}
    FROM json_array_elements(_noted) AS n, json_populate_recordset(NULL::inbox, n -> 'awaited') AS a
    WHERE a.game_id = ANY(settled)
    ON CONFLICT (game_id, seat) DO UPDATE
    SET
        player_id = excluded.player_id,
        turn = excluded.turn,
        kind = excluded.kind,
        since = excluded.since,
        played_by = excluded.played_by,
        claimed_until = NULL
    WHERE (i.turn, i.since, i.played_by) IS DISTINCT FROM (excluded.turn, excluded.since, excluded.played_by);
END
""").format(due=_DUE, owed=_OWED),
)
"""Keep inbox and agenda true to what was noted of games, an array. A claim of the same choice stays."""


class _Noted(Struct):
    id: UUID
    version: int


class _Left(Struct):
    game: UUID
    writes: int


_ENTER = Statement("""
    INSERT INTO agenda (id, writes, version, ruleset, creator, status, turn_seconds, rated, goes_on, players, at)
    VALUES (%(game)s, 0, 0, %(ruleset)s, %(creator)s, 'open', %(turn_seconds)s, %(rated)s, false, '{}', %(at)s)
""")
_NOTE = Query(str, SQL("SELECT {note} AS noted").format(note=NOTE.call()))
_SETTLE = Statement(SQL("SELECT FROM {settle}").format(settle=SETTLE.call()))
_SWEEP = Query(list, SQL("SELECT {sweep} AS listed").format(sweep=SWEEP.call()))
_SETTLED = Query(
    UUID,
    """
    SELECT l.game
    FROM unnest(%(games)s::uuid[], %(writes)s::bigint[]) AS l (game, writes)
    JOIN agenda a ON a.id = l.game AND a.writes >= l.writes
    """,
)
_FORGET_INBOX = Statement("DELETE FROM inbox WHERE game_id = %(game)s")
_FORGET_AGENDA = Statement("DELETE FROM agenda WHERE id = %(game)s")
# With the highest number of writes: whatever is told of it later is older.
_DELETED = Statement("""
    UPDATE agenda
    SET writes = 9223372036854775807, status = 'over', deadline = NULL, empty_since = NULL, at = clock_timestamp()
    WHERE id = %(game)s
""")


def _forget_done(which: SQL, order: SQL) -> Statement:
    return Statement(
        SQL("""
            DELETE FROM agenda
            WHERE id IN (
                SELECT id
                FROM agenda
                WHERE {which}
                    AND status IN ('over', 'archived')
                    AND (rated AND status = 'over' AND rated_at IS NULL) IS NOT TRUE
                    AND at < (SELECT clock_timestamp() - make_interval(hours => {kept}))
                ORDER BY {order}
                LIMIT {most}
            )
        """).format(which=which, order=order, kept=KEPT_HOURS, most=_PIECE)
    )


_FORGET_DONE = _forget_done(SQL("empty_since IS NULL"), SQL("at"))
_FORGET_EMPTY = _forget_done(
    SQL("empty_since < (SELECT clock_timestamp() - make_interval(days => %(days)s))"), SQL("empty_since")
)

_log = logs.get_logger("holmgang.store")


class Agenda(Nodes, Together):
    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._to_note: set[UUID] = set()
        """Games that this transaction has changed since they were last noted."""
        self._noted: dict[UUID, str] = {}
        """What was noted of games, to be settled once it is committed."""

    @contextmanager
    def atomic(self, lock: bool) -> Iterator[None]:
        before = set(self._to_note), dict(self._noted)
        try:
            with super().atomic(lock):
                yield
        except BaseException:
            if lock:
                self._to_note, self._noted = before  # or the coordinator would be told of what was rolled back
            raise

    def enter(self, game: Game) -> None:
        """A new game, in the transaction that adds it: its creator, who is locked meanwhile, may have only so many."""
        self.execute(
            _ENTER,
            game=game.id,
            ruleset=game.ruleset,
            creator=game.creator,
            turn_seconds=game.turn_seconds,
            rated=game.rated,
            at=game.created_at,
        )
        self.together()

    def deleted(self, game: UUID) -> None:
        self.together()
        self.execute(_FORGET_INBOX, game=game)
        self.execute(_DELETED, game=game)

    def note(self) -> None:
        for game in sorted(self._to_note):
            noted = self.first(_NOTE, game=game)
            if noted is not None:
                self._noted[game] = noted
        self._to_note.clear()

    def settle(self) -> None:
        """Nothing is lost where this fails: what is in the outbox is settled by a worker."""
        try:
            self._settle(self._noted.values())
        except psycopg.Error as fault:
            _log.warning("what is due in a game is settled later", fault=str(fault))
        self._noted.clear()

    def _settle(self, noted: Collection[str]) -> None:
        if noted:
            self.execute(_SETTLE, noted=f"[{','.join(noted)}]")

    def sweep(self, empty_days: int) -> int:
        settled = self.on_each_node(self._sweep_node)
        self.execute(_FORGET_DONE)
        self.execute(_FORGET_EMPTY, days=empty_days)
        return settled

    def _sweep_node(self, of_node: UUID) -> int:
        settled, done = 0, self._outbox(of_node, [])
        while done:
            known = self.all(_SETTLED, games=[one.game for one in done], writes=[one.writes for one in done])
            for game in {one.game for one in done}.difference(known):
                self._mend(game)
                settled += 1
            left = self._outbox(of_node, done)
            done = left if len(left) >= _PIECE else []  # fewer have come meanwhile: another time
        return settled

    def _outbox(self, of_node: UUID, done: Sequence[_Left]) -> list[_Left]:
        """What is in the outboxes of a node, once what is done has been deleted there."""
        games, writes = [one.game for one in done], [one.writes for one in done]
        listed = self.first(_SWEEP, game=of_node, games=games, writes=writes, most=_PIECE)
        return msgspec.convert(listed or [], list[_Left])

    def _mend(self, game: UUID) -> None:
        noted = self.first(_NOTE, game=game)
        if noted is None:  # it is not there any more
            self.execute(_FORGET_INBOX, game=game)
            self.execute(_FORGET_AGENDA, game=game)
        else:
            self._settle([noted])
            self.changed[game] = msgspec.json.decode(noted, type=_Noted).version
