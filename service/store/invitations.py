"""Invitations to private games, and the one rule of who sees which game."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from service.app.records.games import Invitation
from service.engine.turn import Seat

from .rows import Rows

# How many uses are left is never counted down: an invitation is used by the seats that are held by it.
_USED = "(SELECT count(*) FROM seats u WHERE u.game_id = i.game_id AND u.invitation = i.id)"
_LIVE = (
    "i.game_id = %(game)s AND i.digest = %(invitation)s"
    f" AND (i.expires_at IS NULL OR i.expires_at > clock_timestamp()) AND i.uses > {_USED}"
)
_INVITATION = f"i.id, i.game_id, i.seat, i.uses, {_USED}, i.created_at, i.expires_at"

SEEN = (
    "(g.visibility = 'public' OR ({whole} AND (g.creator = {player} OR s.seat IS NOT NULL))"
    f" OR EXISTS (SELECT FROM invitations i WHERE {_LIVE}))"  # nosec B608 # constants
)
"""Whether game `g` is to be seen by `player`, who holds seat `s` in it, or by whoever shows the invitation of the
argument. `whole`: whether what he calls with speaks for all that he is in this game."""


class Invitations(Rows):
    def may_see(self, player: UUID, game: UUID, invitation: bytes | None = None) -> bool:
        row = self.one(
            "SELECT FROM (SELECT 1) AS here"  # nosec B608 # constants
            " LEFT JOIN seats s ON s.game_id = %(game)s AND s.player_id = %(player)s"
            f" JOIN games g ON g.id = %(game)s AND {SEEN.format(whole='true', player='%(player)s')} LIMIT 1",
            player=player,
            game=game,
            invitation=invitation,
        )
        return row is not None

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
        self.done(
            "INSERT INTO invitations (game_id, id, digest, seat, uses, created_at, expires_at)"
            " SELECT %(game)s, %(id)s, %(digest)s, %(seat)s, %(uses)s, clock.at,"
            " coalesce(%(at)s::timestamptz, clock.at + make_interval(secs => %(seconds)s))"
            " FROM (SELECT clock_timestamp() AS at) AS clock, games g WHERE g.id = %(game)s FOR KEY SHARE OF g",
            game=game,
            id=ident,
            digest=digest,
            seat=seat,
            uses=uses,
            at=expires_at,
            seconds=expires_in,
        )

    def invitation(self, game: UUID, ident: UUID) -> Invitation | None:
        row = self.one(
            f"SELECT {_INVITATION} FROM invitations i WHERE i.game_id = %(game)s AND i.id = %(id)s",  # nosec B608 # constants
            game=game,
            id=ident,
        )
        return None if row is None else Invitation(*row)

    def live_invitation(self, game: UUID, digest: bytes) -> Invitation | None:
        live = f"SELECT {_INVITATION} FROM invitations i WHERE {_LIVE}"  # nosec B608 # constants
        row = self.one(live, game=game, invitation=digest)
        return None if row is None else Invitation(*row)

    def invitations(self, game: UUID, after: UUID | None, limit: int) -> list[Invitation]:
        rows = self.all(
            f"SELECT {_INVITATION} FROM invitations i WHERE i.game_id = %(game)s"  # nosec B608 # constants
            " AND (%(after)s::uuid IS NULL OR i.id > %(after)s) ORDER BY i.id LIMIT %(limit)s",
            game=game,
            after=after,
            limit=limit,
        )
        return [Invitation(*row) for row in rows]

    def revoke_invitation(self, game: UUID, ident: UUID) -> bool:
        return bool(self.done("DELETE FROM invitations WHERE game_id = %(game)s AND id = %(id)s", game=game, id=ident))
