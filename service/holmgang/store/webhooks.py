"""Webhooks."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from psycopg.sql import SQL

from holmgang.app.records.webhooks import Webhook

from .rows import Query, Rows


def _webhooks(which: str) -> Query[Webhook]:
    return Query(
        Webhook,
        SQL("""
            SELECT
                id, url, events, active, created_at,
                CASE WHEN old_until > clock_timestamp() THEN old_until END AS old_until,
                CASE WHEN held_until > clock_timestamp() THEN held_until END AS held_until,
                gone_at
            FROM webhooks
            WHERE {which}
        """).format(which=SQL(which)),
    )


_WEBHOOK = _webhooks("id = %(id)s AND player_id = %(player)s")


_WEBHOOKS = _webhooks("""
    player_id = %(player)s AND (%(after)s::uuid IS NULL OR id > %(after)s)
    ORDER BY id
    LIMIT %(limit)s
""")


class Webhooks(Rows):
    def add_webhook(self, ident: UUID, player: UUID, url: str, events: Sequence[str], secret: str) -> None:
        self.execute(
            """
            INSERT INTO webhooks (id, player_id, url, events, secret)
            VALUES (%(id)s, %(player)s, %(url)s, %(events)s, %(secret)s)
            """,
            id=ident,
            player=player,
            url=url,
            events=list(events),
            secret=secret,
        )

    def webhook(self, player: UUID, ident: UUID) -> Webhook | None:
        return self.first(_WEBHOOK, player=player, id=ident)

    def webhooks(self, player: UUID, after: UUID | None, limit: int) -> list[Webhook]:
        return self.all(_WEBHOOKS, player=player, after=after, limit=limit)

    def change_webhook(self, ident: UUID, url: str, events: Sequence[str], active: bool) -> None:
        """Also ends what is still to be sent, if it is switched off: an unsent message is dead, and can be replayed.
        For how long a receiver wants nothing holds for its address: another one gets what waits within a minute, by
        when attempts that are under way have ended."""
        self.execute(
            """
            WITH unsent AS (
                UPDATE deliveries
                SET state = 'dead', last_error = 'The webhook was switched off.'
                WHERE webhook_id = %(id)s AND state = 'pending' AND NOT %(active)s
            ),
            moved AS (
                UPDATE deliveries
                SET next_at = least(next_at, clock_timestamp() + interval '1 minute')
                FROM webhooks w
                WHERE w.id = %(id)s
                    AND w.url <> %(url)s
                    AND webhook_id = w.id
                    AND state = 'pending'
                    AND %(active)s
            )
            UPDATE webhooks
            SET
                url = %(url)s,
                events = %(events)s,
                active = %(active)s,
                held_until = CASE WHEN url = %(url)s THEN held_until END,
                gone_at = CASE WHEN NOT %(active)s THEN gone_at END
            WHERE id = %(id)s
            """,
            id=ident,
            url=url,
            events=list(events),
            active=active,
        )

    def rotate_webhook(self, ident: UUID, secret: str, seconds: int) -> None:
        self.execute(
            """
            UPDATE webhooks
            SET
                old_secret = secret,
                secret = %(secret)s,
                old_until = clock_timestamp() + make_interval(secs => %(seconds)s)
            WHERE id = %(id)s
            """,
            id=ident,
            secret=secret,
            seconds=seconds,
        )

    def remove_webhook(self, ident: UUID) -> None:
        self.execute("DELETE FROM webhooks WHERE id = %(id)s", id=ident)
