"""Invitations to private games."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from psycopg.sql import SQL, Composable

from holmgang.app.records.games import Invitation
from holmgang.engine.turn import Seat

from .rows import Query, Rows

# How many uses are left is never counted down: an invitation is used by the seats that are held by it.
_USED = SQL("(SELECT count(*) FROM seats u WHERE u.game_id = {game} AND u.invitation = i.id)")
_GAME = SQL("%(game)s")


def live(game: SQL) -> Composable:
    """Whether invitation `i` to a game still lets somebody in."""
    return SQL("(i.expires_at IS NULL OR i.expires_at > clock_timestamp()) AND i.uses > {used}").format(
        used=_USED.format(game=game)
    )


def _select(which: SQL | Composable) -> Query[Invitation]:
    return Query(
        Invitation,
        SQL("""
            SELECT i.id, i.game_id AS game, i.seat, i.uses, {used} AS used, i.created_at, i.expires_at
            FROM invitations i
            WHERE i.game_id = %(game)s AND {which}
        """).format(used=_USED.format(game=_GAME), which=which),
    )


_INVITATION = _select(SQL("i.id = %(id)s"))


_LIVE_INVITATION = _select(SQL("i.digest = %(digest)s AND {live}").format(live=live(_GAME)))


_INVITATIONS = _select(SQL("(%(after)s::uuid IS NULL OR i.id > %(after)s) ORDER BY i.id LIMIT %(limit)s"))


class Invitations(Rows):
    def add_invitation(
        self,
        game: UUID,
        ident: UUID,
        digest: bytes,
        seat: Seat | None,
        uses: int,
        expires_in: int | None,
        expires_at: datetime | None,
    ) -> None:
        self.execute(
            """
            INSERT INTO invitations (game_id, id, digest, seat, uses, created_at, expires_at)
            SELECT
                %(game)s, %(id)s, %(digest)s, %(seat)s, %(uses)s, clock.at,
                coalesce(%(at)s::timestamptz, clock.at + make_interval(secs => %(seconds)s))
            FROM (SELECT clock_timestamp() AS at) AS clock, games g
            WHERE g.id = %(game)s
            FOR KEY SHARE OF g
            """,
            game=game,
            id=ident,
            digest=digest,
            seat=seat,
            uses=uses,
            at=expires_at,
            seconds=expires_in,
        )

    def invitation(self, game: UUID, ident: UUID) -> Invitation | None:
        return self.first(_INVITATION, game=game, id=ident)

    def live_invitation(self, game: UUID, digest: bytes) -> Invitation | None:
        return self.first(_LIVE_INVITATION, game=game, digest=digest)

    def invitations(self, game: UUID, after: UUID | None, limit: int) -> list[Invitation]:
        return self.all(_INVITATIONS, game=game, after=after, limit=limit)

    def revoke_invitation(self, game: UUID, ident: UUID) -> bool:
        return self.execute("DELETE FROM invitations WHERE game_id = %(game)s AND id = %(id)s", game=game, id=ident) > 0
