"""The turns that wait for players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL

from holmgang.app.records.play import Waiting
from holmgang.app.records.players import Principal, TokenFault

from .accounts import EXPIRED, PRINCIPAL
from .rows import Query, Rows
from .sources import APART, BESIDE, Source


class _Turn(Struct):
    digest: bytes
    fault: TokenFault | None
    principal: Principal
    waiting: Waiting | None


_TURN = SQL("a.game_id AS game, g.ruleset, a.seat, a.turn, a.kind, a.since, g.deadline")


def _waiting(source: Source) -> Query[Waiting]:
    return Query(
        Waiting,
        SQL("""
            SELECT {turn}
            FROM {awaited} a
            JOIN {games} g ON g.id = a.game_id
            WHERE a.player_id = %(player)s AND (%(game)s::uuid IS NULL OR a.game_id = %(game)s)
            ORDER BY a.since, a.game_id, a.seat
        """).format(turn=_TURN, awaited=source.awaited, games=source.games),
    )


def _turns_by_tokens(source: Source) -> Query[_Turn]:
    return Query(
        _Turn,
        SQL("""
            SELECT t.digest, {expired}, {principal}, {turn}
            FROM tokens t
            LEFT JOIN ({awaited} a JOIN {games} g ON g.id = a.game_id)
                ON a.player_id = t.player_id AND (t.game_id IS NULL OR a.game_id = t.game_id)
            WHERE t.digest = ANY(%(digests)s)
            ORDER BY a.since, a.game_id, a.seat
        """).format(expired=EXPIRED, principal=PRINCIPAL, turn=_TURN, awaited=source.awaited, games=source.games),
    )


def _players(source: Source) -> Query[UUID]:
    return Query(UUID, source.players)


_WAITING, WAITING_APART = map(_waiting, (BESIDE, APART))
_TURNS_BY_TOKENS, TURNS_BY_TOKENS_APART = map(_turns_by_tokens, (BESIDE, APART))
_PLAYERS, PLAYERS_APART = map(_players, (BESIDE, APART))


class Turns(Rows):
    _waiting: ClassVar[Query[Waiting]] = _WAITING
    _turns_by_tokens: ClassVar[Query[_Turn]] = _TURNS_BY_TOKENS
    _players: ClassVar[Query[UUID]] = _PLAYERS

    def waiting(self, player: UUID, game: UUID | None) -> list[Waiting]:
        return self.all(self._waiting, player=player, game=game)

    def turns_by_tokens(self, digests: Sequence[bytes]) -> list[tuple[Principal, list[Waiting]] | TokenFault]:
        found: dict[bytes, tuple[Principal, list[Waiting]] | TokenFault] = {}
        for row in self.all(self._turns_by_tokens, digests=list(digests)):
            known = found.setdefault(row.digest, row.fault or (row.principal, []))
            if isinstance(known, tuple) and row.waiting is not None:
                known[1].append(row.waiting)
        return [found.get(digest, TokenFault.UNKNOWN) for digest in digests]

    def players_of(self, games: Sequence[UUID]) -> list[UUID]:
        return self.all(self._players, games=list(games))
