"""Figures for operators, at a cost that does not grow with the number of games.

A small table is counted. For a large one the planner's statistics say how many rows there are and how often each value
occurs; ANALYZE, and thus autovacuum, keeps them right to about a hundredth.
"""

from __future__ import annotations

from functools import cache

from msgspec import Struct
from psycopg.sql import SQL, Identifier

from holmgang.app.records.figures import Figures

from .rows import Query, Rows

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
    rows: int


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
_BEHIND = Query(
    float,
    """
    SELECT coalesce(extract(epoch FROM clock_timestamp() - min(deadline)), 0)::float8
    FROM games
    WHERE deadline <= (SELECT clock_timestamp()) AND status = 'active'
    """,
)
_PULSE = Query(float, "SELECT extract(epoch FROM clock_timestamp() - at)::float8 FROM pulse WHERE id = 1")


@cache
def _count(table: str, column: str) -> Query[_Counted]:
    return Query(
        _Counted,
        SQL("SELECT {column} AS value, count(*) AS rows FROM {table} GROUP BY {column}").format(
            column=Identifier(column), table=Identifier(table)
        ),
    )


class FiguresOf(Rows):
    def figures(self) -> Figures:
        behind = self.one(_BEHIND)
        pulse = self.first(_PULSE)
        played = self._by_value("awaited", "played_by")
        return Figures(
            games={str(status): rows for status, rows in self._by_value("games", "status").items()},
            awaited={
                "player": played.pop(None, 0.0),
                "service": sum(played.values()),
            },
            deliveries={str(state): rows for state, rows in self._by_value("deliveries", "state").items()},
            behind=behind,
            pulse=None if pulse is None else max(0.0, pulse),
        )

    def _by_value(self, table: str, column: str) -> dict[str | None, float]:
        """How many rows there are for each value of a column that has few."""
        found = self.first(_STATISTICS, table=table, column=column)
        if found is not None and found.size > COUNTED_BYTES and found.rows > 0 and found.nulls is not None:
            nulls: dict[str | None, float] = {None: found.nulls * found.rows}
            if found.values is not None and found.shares is not None:
                return nulls | {v: share * found.rows for v, share in zip(found.values, found.shares, strict=True)}
            if found.nulls == 1:
                return nulls
        return {one.value: float(one.rows) for one in self.all(_count(table, column))}
