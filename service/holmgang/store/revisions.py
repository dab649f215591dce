"""Revisions of what one may wait for besides games."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL

from holmgang.app.ports.revisions import MEETING

from .rows import Query, Rows, Statement

KEPT_DAYS = 30
"""How long revisions are kept of what does not change."""


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
# What has no row has the number of the span of days in which it is asked for. A row that was forgotten lasted for a
# whole span, so that before it was another one.
_REVISIONS = Query(
    _Revision,
    SQL("""
        SELECT
            asked.id,
            coalesce(r.revision, floor(extract(epoch FROM clock_timestamp()) / (86400 * {days}))::bigint) AS revision
        FROM unnest(%(idents)s::uuid[]) WITH ORDINALITY AS asked (id, place)
        LEFT JOIN revisions r USING (id)
        ORDER BY asked.place
    """).format(days=KEPT_DAYS),
)
_FORGET = Statement(
    SQL("""
    DELETE FROM revisions
    WHERE id IN (
        SELECT id
        FROM revisions
        WHERE at < clock_timestamp() - make_interval(days => {days})
        ORDER BY at
        FOR UPDATE SKIP LOCKED
        LIMIT %(limit)s
    )
""").format(days=KEPT_DAYS)
)


class Revisions(Rows):
    def touch(self, ident: UUID) -> None:
        self.changed[ident] = self.changed[MEETING] = self.one(_TOUCH, ident=ident)

    def revision(self, ident: UUID) -> int:
        (revision,) = self.revisions([ident])
        return revision

    def revisions(self, idents: Sequence[UUID]) -> list[int]:
        return [row.revision for row in self.all(_REVISIONS, idents=list(idents))]

    def forget_revisions(self, limit: int) -> int:
        return self.execute(_FORGET, limit=limit)
