"""Who players are, how they are found, and what they have been called."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL

from holmgang.app.records.players import FormerName, Kind, Meetings, Player

from .accounts import PLAYER
from .rows import Query, Rows, Statement

BEYOND = chr(0x10FFFF)
"""Comes after all that may stand in a name."""


class _Unfolded(Struct):
    id: UUID
    name: str


def _called(which: SQL) -> Query[Player]:
    return Query(
        Player,
        SQL("""
            SELECT {player}
            FROM players p
            WHERE {which}
            ORDER BY p.folded, p.id
            LIMIT %(limit)s
        """).format(player=PLAYER, which=which),
    )


_CALLED = _called(SQL("p.folded >= %(least)s AND p.folded < %(below)s"))
_CALLED_NEXT = _called(SQL("(p.folded, p.id) > (%(least)s, %(after)s) AND p.folded < %(below)s"))
_FORMER_NAMES = Query(
    FormerName,
    """
    SELECT name, until
    FROM former_names
    WHERE player_id = %(player)s AND until > clock_timestamp() - make_interval(days => %(days)s)
    ORDER BY until DESC
    """,
)
_RENAMED = Query(
    datetime,
    """
    SELECT renamed_at + make_interval(days => %(days)s)
    FROM players
    WHERE id = %(player)s AND renamed_at > clock_timestamp() - make_interval(days => %(days)s)
    """,
)
_RENAME = Statement("""
    WITH before AS (
        INSERT INTO former_names (player_id, until, name)
        SELECT id, clock_timestamp(), name FROM players WHERE id = %(player)s
    )
    UPDATE players
    SET name = %(name)s, folded = %(folded)s, renamed_at = clock_timestamp()
    WHERE id = %(player)s
""")
_HAS_SAT = Query(bool, "SELECT true FROM seats WHERE player_id = %(player)s LIMIT 1")
_UNFOLDED = Query(
    _Unfolded,
    """
    SELECT id, name
    FROM players
    WHERE folded IS NULL AND deleted_at IS NULL
    ORDER BY id
    LIMIT %(limit)s
    FOR NO KEY UPDATE SKIP LOCKED
    """,
)
_FOLD = Statement("""
    UPDATE players p
    SET folded = new.folded
    FROM unnest(%(players)s::uuid[], %(folded)s::text[]) AS new (id, folded)
    WHERE p.id = new.id
""")


def visible(viewer: SQL) -> SQL:
    """Whether game `g` is public, or the viewer's own or one with a seat of theirs; NULL is nobody."""
    # Nothing is left of a comparison with NULL in a plan, and Citus then no longer sees the tables joined by game.
    known = f"coalesce({viewer.as_string()}::uuid, '00000000-0000-0000-0000-000000000000')"
    return SQL(
        """
        (
            g.visibility = 'public'
            OR g.creator = {viewer}
            OR EXISTS (SELECT FROM seats v WHERE v.game_id = g.id AND v.player_id = {viewer})
        )
    """.replace("{viewer}", known)
    )


_MEETINGS = Query(
    Meetings,
    SQL("""
        SELECT m.ruleset, m.seat_count, m.mine, m.theirs, m.ranking, count(*) AS games
        FROM (
            SELECT
                g.id, g.ruleset, g.seat_count, (g.result -> 'ranking')::text AS ranking,
                array_agg(DISTINCT s.seat) AS mine, array_agg(DISTINCT o.seat) AS theirs
            FROM seats s
            JOIN seats o ON o.game_id = s.game_id AND o.player_id = %(other)s
            JOIN games g ON g.id = s.game_id
            WHERE s.player_id = %(player)s AND g.status = 'over' AND {visible}
            GROUP BY g.id
            ORDER BY g.id DESC
            LIMIT %(most)s
        ) AS m
        GROUP BY m.ruleset, m.seat_count, m.mine, m.theirs, m.ranking
    """).format(visible=visible(SQL("%(viewer)s"))),
)


class Profiles(Rows):
    def players_called(self, folded: str, *, exact: bool, after: tuple[str, UUID] | None, limit: int) -> list[Player]:
        below = folded + ("\x01" if exact else BEYOND)
        if after is None:
            return self.all(_CALLED, least=folded, below=below, limit=limit)
        least, ident = after
        return self.all(_CALLED_NEXT, least=max(least, folded), after=ident, below=below, limit=limit)

    def former_names(self, player: UUID, days: int) -> list[FormerName]:
        return self.all(_FORMER_NAMES, player=player, days=days)

    def renamed(self, player: UUID, days: int) -> datetime | None:
        return self.first(_RENAMED, player=player, days=days)

    def rename(self, player: UUID, name: str, folded: str) -> None:
        self.execute(_RENAME, player=player, name=name, folded=folded)

    def set_kind(self, player: UUID, kind: Kind) -> None:
        self.execute("UPDATE players SET kind = %(kind)s WHERE id = %(player)s", player=player, kind=kind)

    def has_sat(self, player: UUID) -> bool:
        return self.first(_HAS_SAT, player=player) is not None

    def unfolded(self, limit: int) -> list[tuple[UUID, str]]:
        return [(one.id, one.name) for one in self.all(_UNFOLDED, limit=limit)]

    def fold(self, found: Mapping[UUID, str]) -> None:
        self.execute(_FOLD, players=list(found), folded=list(found.values()))

    def meetings(self, player: UUID, other: UUID, viewer: UUID | None, most: int) -> list[Meetings]:
        return self.all(_MEETINGS, player=player, other=other, viewer=viewer, most=most)
