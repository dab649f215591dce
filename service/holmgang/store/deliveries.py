"""Messages to webhooks."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from psycopg.sql import SQL, Composable

from holmgang.app.records.webhooks import Delivery, DeliveryState, Outgoing

from .rows import Query, Rows, Statement


def _deliver(kind: str | SQL, at: SQL, data: Composable) -> Composable:
    return SQL("""
        INSERT INTO deliveries (id, webhook_id, next_at, type, body)
        SELECT
            gen_random_uuid(), w.id, greatest(w.held_until, clock_timestamp()), {kind},
            json_build_object(
                'type', {kind},
                'timestamp', to_char({at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'data', {data}
            )::text
    """).format(kind=kind, at=at, data=data)


def deliver(kind: str | SQL, *, at: SQL, game: SQL, ruleset: SQL, seat: SQL, turn: SQL) -> Composable:
    """The start of a statement that has a message delivered to webhooks `w`."""
    data = SQL("json_build_object('game', {game}, 'ruleset', {ruleset}, 'seat', {seat}, 'turn', {turn})")
    return _deliver(kind, at, data.format(game=game, ruleset=ruleset, seat=seat, turn=turn))


CHALLENGED = Statement(
    SQL("""
        {insert}
        FROM challenged d
        JOIN challenges c ON c.id = d.challenge_id
        JOIN webhooks w ON w.player_id = d.player_id AND w.active AND 'challenge.received' = ANY(w.events)
        WHERE c.id = %(id)s AND NOT d.unseen
    """).format(insert=_deliver("challenge.received", SQL("c.created_at"), SQL("json_build_object('challenge', c.id)")))
)
"""Have the webhooks of those told who are challenged."""


def _deliveries(which: str) -> Query[Delivery]:
    return Query(
        Delivery,
        SQL("""
            SELECT id, type, state, attempts, created_at, next_at, last_at, last_status, last_error
            FROM deliveries
            WHERE webhook_id = %(webhook)s AND {which}
        """).format(which=SQL(which)),
    )


_DELIVERY = _deliveries("id = %(id)s")


_DELIVERIES = _deliveries("""
    (%(state)s::text IS NULL OR state = %(state)s)
    AND (
        %(before)s::uuid IS NULL
        OR (created_at, id) < (SELECT b.created_at, b.id FROM deliveries b WHERE b.id = %(before)s)
    )
    ORDER BY created_at DESC, id DESC
    LIMIT %(limit)s
""")


_DUE = SQL("state = 'pending' AND next_at <= (SELECT clock_timestamp())")


_WINDOW = 1000
"""Of so many messages that are due longest each player has one taken, however many they are."""


_TAKE_DELIVERIES = Query(
    Outgoing,
    SQL("""
        UPDATE deliveries d
        SET
            next_at = clock_timestamp() + make_interval(secs => %(seconds)s),
            attempts = d.attempts + 1,
            last_at = clock_timestamp()
        FROM webhooks w
        WHERE w.id = d.webhook_id AND d.id IN (
            SELECT id
            FROM deliveries
            WHERE {due} AND id IN (
                SELECT DISTINCT ON (m.player_id) m.id
                FROM (
                    SELECT deliveries.id, next_at, player_id
                    FROM deliveries
                    JOIN webhooks ON webhooks.id = webhook_id
                    WHERE {due} AND player_id <> ALL(%(busy)s::uuid[])
                    ORDER BY next_at
                    LIMIT {window}
                ) AS m
                ORDER BY m.player_id, m.next_at
            )
            ORDER BY next_at
            LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED
        )
        RETURNING
            d.id AS message, w.player_id AS player, w.url, d.body, d.attempts,
            CASE
                WHEN w.old_until > clock_timestamp() THEN ARRAY[w.secret, w.old_secret]
                ELSE ARRAY[w.secret]
            END AS secrets
    """).format(due=_DUE, window=_WINDOW),
)


_END_WORN_DELIVERIES = Query(
    UUID,
    SQL("""
        UPDATE deliveries
        SET state = 'dead', last_error = %(error)s
        WHERE id IN (
            SELECT id
            FROM deliveries
            WHERE {due} AND attempts >= %(most)s
            ORDER BY next_at
            LIMIT %(limit)s
            FOR UPDATE SKIP LOCKED
        )
        RETURNING id
    """).format(due=_DUE),
)


_END_WEBHOOK = Query(
    UUID,
    """
    WITH gone AS (
        UPDATE webhooks
        SET active = false, gone_at = clock_timestamp()
        WHERE url = %(url)s AND id = (SELECT webhook_id FROM deliveries WHERE id = %(id)s)
        RETURNING id
    ),
    unsent AS (
        UPDATE deliveries
        SET state = 'dead', last_error = %(error)s
        FROM gone
        WHERE webhook_id = gone.id AND state = 'pending'
    )
    SELECT id
    FROM gone
    """,
)


class Deliveries(Rows):
    def add_delivery(self, message: UUID, webhook: UUID, kind: str, body: str) -> None:
        self.execute(
            "INSERT INTO deliveries (id, webhook_id, type, body) VALUES (%(id)s, %(webhook)s, %(type)s, %(body)s)",
            id=message,
            webhook=webhook,
            type=kind,
            body=body,
        )

    def delivery(self, webhook: UUID, message: UUID) -> Delivery | None:
        return self.first(_DELIVERY, webhook=webhook, id=message)

    def deliveries(self, webhook: UUID, state: DeliveryState | None, before: UUID | None, limit: int) -> list[Delivery]:
        return self.all(_DELIVERIES, webhook=webhook, state=state, before=before, limit=limit)

    def replay_delivery(self, webhook: UUID, message: UUID) -> None:
        self.execute(
            """
            UPDATE deliveries
            SET state = 'pending', attempts = 0, next_at = clock_timestamp()
            WHERE webhook_id = %(webhook)s AND id = %(id)s
            """,
            webhook=webhook,
            id=message,
        )

    def take_deliveries(self, limit: int, seconds: float, busy: Collection[UUID]) -> list[Outgoing]:
        return self.all(_TAKE_DELIVERIES, limit=limit, busy=list(busy), seconds=seconds)

    def end_worn_deliveries(self, most: int, error: str, limit: int) -> list[UUID]:
        return self.all(_END_WORN_DELIVERIES, most=most, error=error, limit=limit)

    def lock_webhook(self, message: UUID) -> None:
        self.execute(
            """
            SELECT
            FROM webhooks
            WHERE id = (SELECT webhook_id FROM deliveries WHERE id = %(id)s)
            FOR NO KEY UPDATE
            """,
            id=message,
        )

    def hold_webhook(self, message: UUID, url: str, seconds: float) -> None:
        self.execute(
            """
            WITH held AS (
                UPDATE webhooks
                SET held_until = greatest(held_until, clock_timestamp() + make_interval(secs => %(seconds)s))
                WHERE url = %(url)s AND id = (SELECT webhook_id FROM deliveries WHERE id = %(id)s)
                RETURNING id, held_until
            )
            UPDATE deliveries
            SET next_at = held.held_until
            FROM held
            WHERE webhook_id = held.id
                AND state = 'pending'
                AND type <> 'webhook.test'
                AND next_at < held.held_until
                AND deliveries.id <> %(id)s
            """,
            id=message,
            url=url,
            seconds=seconds,
        )

    def end_webhook(self, message: UUID, url: str, error: str) -> bool:
        return self.first(_END_WEBHOOK, id=message, url=url, error=error) is not None

    def note_delivery(
        self, message: UUID, attempts: int, state: DeliveryState, status: int | None, error: str | None, delay: float
    ) -> bool:
        noted = self.execute(
            """
            UPDATE deliveries
            SET
                state = %(state)s,
                last_status = %(status)s,
                last_error = %(error)s,
                next_at = greatest(
                    clock_timestamp() + make_interval(secs => %(delay)s),
                    CASE
                        WHEN %(state)s = 'pending' AND type <> 'webhook.test'
                        THEN (SELECT held_until FROM webhooks WHERE webhooks.id = webhook_id)
                    END
                )
            WHERE id = %(id)s AND attempts = %(attempts)s AND state = 'pending'
            """,
            id=message,
            attempts=attempts,
            state=state,
            status=status,
            error=error,
            delay=delay,
        )
        return noted > 0
