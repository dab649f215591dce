"""Players, tokens and kept answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL, Composable
from psycopg.types.json import Json

from holmgang.app.records.players import Kind, Player, Principal, Token, TokenFault
from holmgang.engine.turn import Seat

from .clearing import KEPT
from .rows import Query, Rows, Statement

PRINCIPAL = SQL("""
    t.player_id AS player, t.id AS token, t.scopes, t.game_id AS principal_game, t.seat AS principal_seat
""")
"""Columns of tokens `t`, for rows in which other things have a game and a seat as well."""


def token_fault(digest: SQL) -> Composable:
    """What is wrong with the token `t` of that digest, which was joined by it; NULL for a good one and for none."""
    return SQL("""
        CASE
            WHEN {digest} IS NOT NULL AND t.id IS NULL THEN 'unknown'
            WHEN t.expires_at <= clock_timestamp() THEN 'expired'
        END
    """).format(digest=digest)


EXPIRED = SQL("CASE WHEN t.expires_at <= clock_timestamp() THEN 'expired' END AS fault")


class _Known(Struct):
    fault: TokenFault | None
    principal: Principal


class _Look(Struct):
    name: str
    held_until: datetime | None


class _KeptAnswer(Struct):
    call: bytes
    body: bytes
    answer: Any


NOW = Query(datetime, "SELECT clock_timestamp()")
"""What others write of a game is given its time, since a distributed Postgres takes no clock in such a statement."""
_ADD_PLAYER = Query(
    datetime,
    """
    INSERT INTO players (id, name, folded, kind, owner)
    VALUES (%(player)s, %(name)s, %(folded)s, %(kind)s, %(owner)s)
    RETURNING created_at
    """,
)
_ADD_LOOK = Query(
    _Look,
    """
    WITH made AS (
        INSERT INTO looks (digest, name)
        VALUES (%(digest)s, %(name)s)
        ON CONFLICT (digest) DO NOTHING
        RETURNING name, held_until
    )
    SELECT name, held_until FROM made
    UNION ALL
    SELECT name, held_until FROM looks WHERE digest = %(digest)s
    LIMIT 1
    """,
)
_LOOK = Query(_Look, "SELECT name, held_until FROM looks WHERE digest = %(digest)s")
_FREE_LOOK = Statement("""
    UPDATE looks SET name = %(name)s, held_until = NULL WHERE digest = %(digest)s AND held_until <= clock_timestamp()
""")
PLAYER = SQL("""
    p.id, p.name, p.created_at, CASE WHEN p.bot IS NULL THEN p.kind ELSE 'bot' END AS kind, p.bot,
    (SELECT o.id FROM players o WHERE o.id = p.owner AND o.deleted_at IS NULL) AS owner,
    p.deleted_at IS NOT NULL AS deleted
""")
"""Columns of players `p`."""
_PLAYER = Query(Player, SQL("SELECT {player} FROM players p WHERE p.id = %(player)s").format(player=PLAYER))
_ADD_TOKEN = Query(
    datetime,
    """
    INSERT INTO tokens (digest, id, player_id, label, scopes, game_id, seat, expires_at)
    VALUES (%(digest)s, %(token)s, %(player)s, %(label)s, %(scopes)s, %(game)s, %(seat)s, %(expires_at)s)
    RETURNING created_at
    """,
)
_PRINCIPAL = Query(
    _Known,
    SQL("""
        SELECT {principal}, {expired}
        FROM tokens t
        WHERE t.digest = %(digest)s
    """).format(principal=PRINCIPAL, expired=EXPIRED),
)
_TOKENS = Query(
    Token,
    """
    SELECT
        id, label, scopes, game_id AS game, seat, created_at, expires_at,
        CASE WHEN id = %(used)s THEN date_trunc('hour', clock_timestamp(), 'UTC') ELSE last_used_at END AS last_used_at
    FROM tokens
    WHERE player_id = %(player)s AND (%(after)s::uuid IS NULL OR id > %(after)s)
    ORDER BY id
    LIMIT %(limit)s
    """,
)
# Of most tokens the hour is known already. Who holds a row writes the same of it, or deletes it: nobody waits for them.
_NOTE_USE = Statement("""
    WITH used AS MATERIALIZED (
        SELECT t.player_id, t.id, s.hour
        FROM (
            SELECT player, token, date_trunc('hour', clock_timestamp() - make_interval(secs => seconds), 'UTC') AS hour
            FROM unnest(%(players)s::uuid[], %(tokens)s::uuid[], %(seconds)s::float8[]) AS u (player, token, seconds)
        ) AS s
        JOIN tokens t ON t.player_id = s.player AND t.id = s.token
        WHERE (t.last_used_at >= s.hour) IS NOT TRUE
        FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE tokens
    SET last_used_at = used.hour
    FROM used
    WHERE tokens.player_id = used.player_id AND tokens.id = used.id
""")
_LIVE_TOKENS = Query(
    int,
    """
    SELECT count(*)
    FROM tokens
    WHERE player_id = %(player)s AND (expires_at IS NULL OR expires_at > clock_timestamp())
    """,
)
_CLAIM_KEY = Query(bool, "SELECT pg_try_advisory_xact_lock(hashtextextended(%(name)s, 0))")
_KEPT_ANSWER = Query(
    _KeptAnswer,
    SQL("""
        SELECT call, body, answer
        FROM answers
        WHERE player_id = %(player)s AND key = %(key)s AND kept_at > clock_timestamp() - {kept}
    """).format(kept=KEPT),
)


class Accounts(Rows):
    def now(self) -> datetime:
        return self.one(NOW)

    def add_player(
        self, player: UUID, name: str, folded: str | None = None, kind: Kind = "person", owner: UUID | None = None
    ) -> datetime:
        return self.one(_ADD_PLAYER, player=player, name=name, folded=folded, kind=kind, owner=owner)

    def first_lookalike(self, digest: bytes, name: str) -> str | None:
        found = self.first(_ADD_LOOK, digest=digest, name=name)
        if found is None:  # another call has just added it
            found = self.one(_LOOK, digest=digest)
        if found.held_until is not None:
            self.execute(_FREE_LOOK, digest=digest, name=name)
            found = self.one(_LOOK, digest=digest)
        return found.name if found.held_until is None else None

    def player(self, player: UUID) -> Player | None:
        return self.first(_PLAYER, player=player)

    def lock_player(self, player: UUID) -> bool:
        there = "SELECT FROM players WHERE id = %(player)s AND deleted_at IS NULL FOR NO KEY UPDATE"
        return self.execute(there, player=player) > 0

    def add_token(
        self,
        player: UUID,
        token: UUID,
        digest: bytes,
        label: str,
        scopes: Sequence[str],
        game: UUID | None,
        seat: Seat | None,
        expires_at: datetime | None,
    ) -> datetime:
        return self.one(
            _ADD_TOKEN,
            digest=digest,
            token=token,
            player=player,
            label=label,
            scopes=list(scopes),
            game=game,
            seat=seat,
            expires_at=expires_at,
        )

    def principal(self, digest: bytes) -> Principal | TokenFault:
        found = self.first(_PRINCIPAL, digest=digest)
        return TokenFault.UNKNOWN if found is None else found.fault or found.principal

    def tokens(self, player: UUID, after: UUID | None, limit: int, *, used: UUID | None = None) -> list[Token]:
        return self.all(_TOKENS, player=player, after=after, limit=limit, used=used)

    def note_use(self, seen: Mapping[tuple[UUID, UUID], float]) -> None:
        players, tokens = [player for player, _ in seen], [token for _, token in seen]
        self.execute(_NOTE_USE, players=players, tokens=tokens, seconds=list(seen.values()))

    def live_tokens(self, player: UUID) -> int:
        return self.one(_LIVE_TOKENS, player=player)

    def forget_tokens(self, player: UUID, most: int) -> None:
        self.execute(
            """
            DELETE FROM tokens
            WHERE player_id = %(player)s AND id IN (
                SELECT id
                FROM tokens
                WHERE player_id = %(player)s AND expires_at <= clock_timestamp()
                ORDER BY expires_at DESC, id DESC
                OFFSET %(most)s
            )
            """,
            player=player,
            most=most,
        )

    def revoke_token(self, player: UUID, token: UUID) -> bool:
        revoke = "DELETE FROM tokens WHERE player_id = %(player)s AND id = %(token)s"
        return self.execute(revoke, player=player, token=token) > 0

    def claim_key(self, principal: UUID, key: str) -> bool:
        return self.one(_CLAIM_KEY, name=f"{principal} {key}")

    def kept_answer(self, principal: UUID, key: str) -> tuple[bytes, bytes, Any] | None:
        found = self.first(_KEPT_ANSWER, player=principal, key=key)
        return None if found is None else (found.call, found.body, found.answer)

    def keep_answer(self, principal: UUID, key: str, call: bytes, body: bytes, answer: Any) -> None:
        self.execute(
            """
            INSERT INTO answers (player_id, key, call, body, answer)
            VALUES (%(player)s, %(key)s, %(call)s, %(body)s, %(answer)s)
            ON CONFLICT (player_id, key) DO UPDATE
            SET
                kept_at = clock_timestamp(),
                call = excluded.call,
                body = excluded.body,
                answer = excluded.answer
            """,
            player=principal,
            key=key,
            call=call,
            body=body,
            answer=Json(answer),
        )
