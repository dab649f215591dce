"""Figures for operators, at a cost that does not grow with the number of games.

A small table is counted. Of a large one the planner's statistics tell how many rows there are and how often each value
occurs, which ANALYZE, and thus autovacuum, keeps true to about a hundredth.
"""

from __future__ import annotations

from service.app.records.figures import Figures

from .rows import Rows

COUNTED_BYTES = 8 * 1024 * 1024
"""Up to this size a table is counted, which takes some milliseconds."""

_STATISTICS = (
    "SELECT pg_relation_size(c.oid), c.reltuples, s.null_frac, s.most_common_vals::text::text[], s.most_common_freqs"
    " FROM pg_class c LEFT JOIN pg_stats s ON s.schemaname = current_schema() AND s.tablename = c.relname"
    " AND s.attname = %(column)s WHERE c.oid = to_regclass(%(table)s)"
)
_BEHIND = (
    "SELECT coalesce(extract(epoch FROM clock_timestamp() - min(deadline)), 0) FROM games"
    " WHERE deadline <= (SELECT clock_timestamp()) AND status = 'active'"
)
_PULSE = "SELECT extract(epoch FROM clock_timestamp() - at) FROM pulse WHERE id = 1"


class FiguresOf(Rows):
    def figures(self) -> Figures:
        (behind,) = self.one(_BEHIND) or (0,)
        pulse = self.one(_PULSE)
        played = self._by_value("awaited", "played_by")
        return Figures(
            games={str(status): rows for status, rows in self._by_value("games", "status").items()},
            awaited={
                "player": played.pop(None, 0.0),
                "service": sum(played.values()),
            },
            deliveries={str(state): rows for state, rows in self._by_value("deliveries", "state").items()},
            behind=float(behind),
            pulse=None if pulse is None else max(0.0, float(pulse[0])),
        )

    def _by_value(self, table: str, column: str) -> dict[str | None, float]:
        """How many rows there are for each value of a column that has few."""
        found = self.one(_STATISTICS, table=table, column=column)
        if found is not None:
            size, rows, nulls, values, shares = found
            if size > COUNTED_BYTES and rows > 0 and shares is not None:
                return {None: nulls * rows, **{v: s * rows for v, s in zip(values, shares, strict=True)}}
            if size > COUNTED_BYTES and rows > 0 and nulls == 1:
                return {None: float(rows)}
        counted = f"SELECT {column}, count(*) FROM {table} GROUP BY {column}"  # nosec B608 # names of ours
        return {value: float(rows) for value, rows in self.all(counted)}
