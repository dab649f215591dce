"""What webhooks are to be told of where they are not on the same node as the games: noted beside the games, until the
worker has it delivered."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL

from holmgang.app.records.webhooks import Outgoing
from holmgang.engine.turn import Seat

from .deliveries import Deliveries, deliver
from .each_node import Nodes, shards_here
from .function import Function
from .rows import Query, Statement
from .together import Together

TABLE = """
    CREATE TABLE IF NOT EXISTS news (
        game_id uuid NOT NULL,
        id uuid NOT NULL,
        kind text NOT NULL,
        at timestamptz NOT NULL,
        ruleset text NOT NULL,
        seat smallint NOT NULL,
        player_id uuid NOT NULL,
        turn int NOT NULL,
        PRIMARY KEY (game_id, id)
    )
"""
_MOST = 1000
"""Of how many games of a shard webhooks are told at a time."""

IN_NEWS = Function(
    "in_news",
    {"game": "uuid", "most": "int"},
    "uuid[]",
    SQL("""
DECLARE
    shard regclass;
    listed uuid[];
    every uuid[] := '{{}}';
BEGIN
    FOR shard IN {shards} LOOP
        EXECUTE format('SELECT array_agg(game_id) FROM (SELECT DISTINCT game_id FROM %s LIMIT $1) AS n', shard)
        INTO listed
        USING _most;
        every := every || listed;
    END LOOP;
    RETURN every;
END
""").format(shards=shards_here("news")),
)
"""Games of a node of which there is news. `game` is any of that node's."""


class _News(Struct):
    game: UUID
    kind: str
    at: datetime
    ruleset: str
    seat: Seat
    player: UUID
    turn: int


_IN_NEWS = Query(list[UUID], SQL("SELECT {in_news} AS games").format(in_news=IN_NEWS.call()))
_TAKE_NEWS = Query(
    _News,
    """
    DELETE FROM news
    WHERE game_id = ANY(%(games)s)
    RETURNING game_id AS game, kind, at, ruleset, seat, player_id AS player, turn
    """,
)
_DELIVER = Statement(
    SQL("""
        {insert}
        FROM unnest(
            %(game)s::uuid[], %(kind)s::text[], %(at)s::timestamptz[], %(ruleset)s::text[], %(seat)s::smallint[],
            %(player)s::uuid[], %(turn)s::int[]
        ) AS n (game, kind, at, ruleset, seat, player, turn)
        JOIN webhooks w
            ON w.player_id = n.player AND w.active AND n.kind = ANY(w.events) AND w.created_at <= n.at
        ORDER BY n.at
    """).format(
        insert=deliver(
            SQL("n.kind"),
            at=SQL("n.at"),
            game=SQL("n.game"),
            ruleset=SQL("n.ruleset"),
            seat=SQL("n.seat"),
            turn=SQL("n.turn"),
        )
    )
)


class News(Nodes, Together, Deliveries):
    def take_deliveries(self, limit: int, seconds: float, busy: Collection[UUID]) -> list[Outgoing]:
        self.on_each_node(self._deliver_news)
        return super().take_deliveries(limit, seconds, busy)

    def _deliver_news(self, of_node: UUID) -> int:
        """Have webhooks told of what has been noted on a node since the last time."""
        games = self.one(_IN_NEWS, game=of_node, most=_MOST)
        if not games:
            return 0
        with self.atomic(True):
            self.together()
            news = self.all(_TAKE_NEWS, games=games)
            self.execute(_DELIVER, **{name: [getattr(one, name) for one in news] for name in _News.__struct_fields__})
        return len(news)
