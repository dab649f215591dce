"""Revisions of what one may wait for besides games."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from .rows import Query, Rows, Statement


class _Revision(Struct):
    id: UUID
    revision: int


# A row that was deleted begins beyond where it ended: microseconds pass faster than changes are made.
_TOUCH = Query(
    int,
    """
    INSERT INTO revisions AS r (id, revision, at)
    VALUES (%(ident)s, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET revision = r.revision + 1, at = clock_timestamp()
    RETURNING revision
    """,
)
_REVISION = Query(int, "SELECT revision FROM revisions WHERE id = %(ident)s")
_REVISIONS = Query(_Revision, "SELECT id, revision FROM revisions WHERE id = ANY(%(idents)s)")
_FORGET = Statement("""
    DELETE FROM revisions
    WHERE id IN (
        SELECT id
        FROM revisions
        WHERE at < clock_timestamp() - make_interval(days => %(days)s)
        ORDER BY at
        FOR UPDATE SKIP LOCKED
        LIMIT %(limit)s
    )
""")


class Revisions(Rows):
    def touch(self, ident: UUID) -> None:
        self.changed[ident] = self.one(_TOUCH, ident=ident)

    def revision(self, ident: UUID) -> int:
        return self.first(_REVISION, ident=ident) or 0

    def revisions(self, idents: Sequence[UUID]) -> list[int]:
        found = {row.id: row.revision for row in self.all(_REVISIONS, idents=list(idents))}
        return [found.get(ident, 0) for ident in idents]

    def forget_revisions(self, days: int, limit: int) -> int:
        return self.execute(_FORGET, days=days, limit=limit)
