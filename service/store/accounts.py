"""Players, tokens and kept answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Json

from service.app.records.players import Player, Principal, Token, TokenFault
from service.engine.turn import Seat

from .clearing import KEPT
from .rows import Rows

_TOKEN = "id, label, scopes, game_id, seat, created_at, expires_at"  # nosec B105 # names of columns


def principal_of(row: Sequence[Any]) -> Principal | TokenFault:
    """From id, player_id, scopes, game_id, seat, expired."""
    ident, player, scopes, game, seat, expired = row
    if ident is None:
        return TokenFault.UNKNOWN
    if expired:
        return TokenFault.EXPIRED
    return Principal(player, ident, tuple(scopes), game, seat)


class Accounts(Rows):
    def now(self) -> datetime:
        row = self.one("SELECT clock_timestamp()")
        assert row is not None
        at: datetime = row[0]
        return at

    def add_player(self, player: UUID, name: str) -> datetime:
        row = self.one(
            "INSERT INTO players (id, name) VALUES (%(player)s, %(name)s) RETURNING created_at",
            player=player,
            name=name,
        )
        assert row is not None
        at: datetime = row[0]
        return at

    def first_lookalike(self, digest: bytes, name: str) -> str:
        row = self.one(
            "WITH made AS (INSERT INTO looks (digest, name) VALUES (%(digest)s, %(name)s)"
            " ON CONFLICT (digest) DO NOTHING RETURNING name)"
            " SELECT name FROM made UNION ALL SELECT name FROM looks WHERE digest = %(digest)s LIMIT 1",
            digest=digest,
            name=name,
        )
        if row is None:  # made by somebody else at this very moment
            row = self.one("SELECT name FROM looks WHERE digest = %(digest)s", digest=digest)
        assert row is not None
        first: str = row[0]
        return first

    def player(self, player: UUID) -> Player | None:
        row = self.one("SELECT id, name, created_at FROM players WHERE id = %(player)s", player=player)
        return None if row is None else Player(*row)

    def lock_player(self, player: UUID) -> None:
        self.one("SELECT FROM players WHERE id = %(player)s FOR NO KEY UPDATE", player=player)

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
        row = self.one(
            "INSERT INTO tokens (digest, id, player_id, label, scopes, game_id, seat, expires_at) VALUES"
            " (%(digest)s, %(token)s, %(player)s, %(label)s, %(scopes)s, %(game)s, %(seat)s, %(expires_at)s)"
            " RETURNING created_at",
            digest=digest,
            token=token,
            player=player,
            label=label,
            scopes=list(scopes),
            game=game,
            seat=seat,
            expires_at=expires_at,
        )
        assert row is not None
        at: datetime = row[0]
        return at

    def principal(self, digest: bytes) -> Principal | TokenFault:
        row = self.one(
            "SELECT id, player_id, scopes, game_id, seat, coalesce(expires_at <= clock_timestamp(), false)"
            " FROM tokens WHERE digest = %(digest)s",
            digest=digest,
        )
        return TokenFault.UNKNOWN if row is None else principal_of(row)

    def tokens(self, player: UUID, after: UUID | None, limit: int) -> list[Token]:
        rows = self.all(
            f"SELECT {_TOKEN} FROM tokens WHERE player_id = %(player)s AND (%(after)s::uuid IS NULL OR id > %(after)s)"
            " ORDER BY id LIMIT %(limit)s",  # nosec B608 # constants
            player=player,
            after=after,
            limit=limit,
        )
        return [Token(i, label, tuple(scopes), *rest) for i, label, scopes, *rest in rows]

    def live_tokens(self, player: UUID) -> int:
        row = self.one(
            "SELECT count(*) FROM tokens WHERE player_id = %(player)s"
            " AND (expires_at IS NULL OR expires_at > clock_timestamp())",
            player=player,
        )
        assert row is not None
        return int(row[0])

    def forget_tokens(self, player: UUID, most: int) -> None:
        self.done(
            "DELETE FROM tokens WHERE player_id = %(player)s AND id IN (SELECT id FROM tokens"
            " WHERE player_id = %(player)s AND expires_at <= clock_timestamp() ORDER BY expires_at DESC, id DESC"
            " OFFSET %(most)s)",
            player=player,
            most=most,
        )

    def revoke_token(self, player: UUID, token: UUID) -> bool:
        return bool(
            self.done("DELETE FROM tokens WHERE player_id = %(player)s AND id = %(token)s", player=player, token=token)
        )

    def claim_key(self, principal: UUID, key: str) -> bool:
        row = self.one("SELECT pg_try_advisory_xact_lock(hashtextextended(%(name)s, 0))", name=f"{principal} {key}")
        assert row is not None
        return bool(row[0])

    def kept_answer(self, principal: UUID, key: str) -> tuple[bytes, bytes, Any] | None:
        row = self.one(
            "SELECT call, body, answer FROM answers WHERE player_id = %(player)s AND key = %(key)s"
            f" AND kept_at > clock_timestamp() - {KEPT}",  # nosec B608 # constants
            player=principal,
            key=key,
        )
        return None if row is None else (row[0], row[1], row[2])

    def keep_answer(self, principal: UUID, key: str, call: bytes, body: bytes, answer: Any) -> None:
        self.done(
            "INSERT INTO answers (player_id, key, call, body, answer)"
            " VALUES (%(player)s, %(key)s, %(call)s, %(body)s, %(answer)s)"
            " ON CONFLICT (player_id, key) DO UPDATE SET kept_at = clock_timestamp(), call = excluded.call,"
            " body = excluded.body, answer = excluded.answer",
            player=principal,
            key=key,
            call=call,
            body=body,
            answer=Json(answer),
        )
