"""Figures for operators, at a cost that does not grow with the number of games.

A small table is counted. For a large one the planner's statistics say how many rows there are and how often each value
occurs; ANALYZE, and thus autovacuum, keeps them right to about a hundredth.

Where games are distributed, the coordinator knows of those that are open or active. Of others the nodes have such
statistics.
"""

from __future__ import annotations

from functools import cache
from typing import ClassVar

import psycopg
from msgspec import Struct
from psycopg.sql import SQL, Identifier

from holmgang import logs
from holmgang.app.records.figures import Figures

from .each_node import Nodes, shards_here
from .function import Function
from .rows import Query, Rows
from .sources import APART, BESIDE, Source

COUNTED_BYTES = 8 * 1024 * 1024
"""Up to this size a table is counted, which takes some milliseconds."""


class _Statistics(Struct):
    size: int
    rows: float
    nulls: float | None
    values: list[str] | None
    shares: list[float] | None


class _Counted(Struct):
    value: str | None
    rows: float


_STATISTICS = Query(
    _Statistics,
    """
    SELECT
        pg_relation_size(c.oid) AS size,
        c.reltuples AS rows,
        s.null_frac AS nulls,
        s.most_common_vals::text::text[] AS values,
        s.most_common_freqs AS shares
    FROM pg_class c
    LEFT JOIN pg_stats s
        ON s.schemaname = current_schema() AND s.tablename = c.relname AND s.attname = %(column)s
    WHERE c.oid = to_regclass(%(table)s)
    """,
)


def _behind(source: Source) -> Query[float]:
    return Query(
        float,
        SQL("""
            SELECT coalesce(extract(epoch FROM clock_timestamp() - min(deadline)), 0)::float8
            FROM {games}
            WHERE deadline <= (SELECT clock_timestamp()) AND status = 'active'
        """).format(games=source.games),
    )


_BEHIND, _BEHIND_APART = map(_behind, (BESIDE, APART))
_PULSE = Query(float, "SELECT extract(epoch FROM clock_timestamp() - at)::float8 FROM pulse WHERE id = 1")


TALLY = Function(
    "tally",
    {"game": "uuid", "most": "bigint"},
    "TABLE (value text, rows float8)",
    SQL("""
#variable_conflict use_column
DECLARE
    shard regclass;
    found record;
BEGIN
    FOR shard IN {shards} LOOP
        SELECT
            pg_relation_size(c.oid)
                > _most / (SELECT count(*) FROM pg_dist_shard WHERE logicalrelid = 'games'::regclass)
                AS large,
            c.reltuples AS rows, s.most_common_vals::text::text[] AS vals, s.most_common_freqs AS shares
        INTO found
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = 'status'
        WHERE c.oid = shard;
        IF found.large AND found.rows > 0 AND found.vals IS NOT NULL THEN
            RETURN QUERY
            SELECT v.val, (v.share * found.rows)::float8 FROM unnest(found.vals, found.shares) AS v (val, share);
        ELSE
            RETURN QUERY EXECUTE format('SELECT status, count(*)::float8 FROM %s GROUP BY status', shard);
        END IF;
    END LOOP;
END
""").format(shards=shards_here("games")),
)
"""How many games of a node have which status. `game` is any of that node's; shards that come to more than `most` bytes
for the whole table are not counted."""
_TALLY = Query(_Counted, SQL("SELECT value, rows FROM {tally}").format(tally=TALLY.call()))
_LIVING = ("open", "active")

_log = logs.get_logger("holmgang.store")


@cache
def _count(table: str, column: str) -> Query[_Counted]:
    return Query(
        _Counted,
        SQL("SELECT {column} AS value, count(*)::float8 AS rows FROM {table} GROUP BY {column}").format(
            column=Identifier(column), table=Identifier(table)
        ),
    )


class FiguresOf(Rows):
    _source: ClassVar[Source] = BESIDE
    _behind: ClassVar[Query[float]] = _BEHIND

    def figures(self) -> Figures:
        behind = self.one(self._behind)
        pulse = self.first(_PULSE)
        played = self._by_value(self._source.awaited.as_string(), "played_by")
        return Figures(
            awaited={
                "player": played.pop(None, 0.0),
                "service": sum(played.values()),
            },
            deliveries={str(state): rows for state, rows in self._by_value("deliveries", "state").items()},
            tournaments={str(status): rows for status, rows in self._by_value("tournaments", "status").items()},
            analyses={str(status): rows for status, rows in self._by_value("analyses", "status").items()},
            behind=behind,
            pulse=None if pulse is None else max(0.0, pulse),
            games=self._by_status(),
        )

    def _by_status(self) -> dict[str, float]:
        return {str(status): rows for status, rows in self._by_value(self._source.games.as_string(), "status").items()}

    def _by_value(self, table: str, column: str) -> dict[str | None, float]:
        """How many rows there are for each value of a column that has few."""
        found = self.first(_STATISTICS, table=table, column=column)
        if found is not None and found.size > COUNTED_BYTES and found.rows > 0 and found.nulls is not None:
            nulls: dict[str | None, float] = {None: found.nulls * found.rows}
            if found.values is not None and found.shares is not None:
                return nulls | {v: share * found.rows for v, share in zip(found.values, found.shares, strict=True)}
            if found.nulls == 1:
                return nulls
        return {one.value: one.rows for one in self.all(_count(table, column))}


class FiguresApart(Nodes, FiguresOf):
    _source = APART
    _behind = _BEHIND_APART

    def _by_status(self) -> dict[str, float]:
        """Of games that are over or archived nothing is said while a node is away."""
        living = super()._by_status()
        return {status: living[status] for status in _LIVING if status in living} | self._done()

    def _done(self) -> dict[str, float]:
        done: dict[str, float] = {}
        try:
            for game in self.a_game_of_each():
                for one in self.all(_TALLY, game=game, most=COUNTED_BYTES):
                    if one.value is not None and one.value not in _LIVING:
                        done[one.value] = done.get(one.value, 0.0) + one.rows
        except psycopg.Error as fault:
            _log.warning("games that are over could not be counted", fault=str(fault))
            return {}
        return done
