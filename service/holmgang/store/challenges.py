"""Challenges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import Struct
from psycopg.sql import SQL, Composable
from psycopg.types.json import Json

from holmgang.app.records.challenges import Challenge, Challenged, ChallengeStatus, Reason
from holmgang.app.records.players import Player
from holmgang.app.records.terms import Terms
from holmgang.engine.turn import Seat

from .deliveries import CHALLENGED
from .revisions import Revisions
from .rows import Query, Statement


class _Invited(Struct):
    players: tuple[Challenged, ...]


class _Whole(Struct):
    challenge: Challenge
    invited: _Invited


_ADD = Statement("""
    INSERT INTO challenges (id, challenger_id, seat, terms, created_at, expires_at)
    SELECT
        %(id)s, %(challenger)s, %(seat)s, %(terms)s, clock.at, clock.at + make_interval(secs => %(seconds)s)
    FROM (SELECT clock_timestamp() AS at) AS clock
""")
_ADD_PLAYERS = Statement("""
    INSERT INTO challenged (challenge_id, position, player_id, bot, answer, unseen)
    SELECT
        %(id)s, c.position - 1, c.player, c.bot, CASE WHEN c.bot IS NOT NULL THEN 'accepted' END, c.unseen
    FROM
        unnest(%(players)s::uuid[], %(bots)s::text[], %(unseen)s::boolean[])
            WITH ORDINALITY AS c (player, bot, unseen, position)
""")


def _challenges(which: SQL | Composable) -> Query[_Whole]:
    return Query(
        _Whole,
        SQL("""
            SELECT
                c.id, c.challenger_id AS challenger, p.name, c.seat, c.terms, c.status, c.created_at, c.expires_at,
                c.ended_at, c.game_id AS game,
                (
                    SELECT json_build_object('players', json_agg(
                        json_build_object(
                            'player', d.player_id, 'name', n.name, 'bot', d.bot, 'answer', d.answer, 'reason', d.reason
                        )
                        ORDER BY d.position
                    ))
                    FROM challenged d
                    JOIN players n ON n.id = d.player_id
                    WHERE d.challenge_id = c.id
                ) AS invited
            FROM challenges c
            JOIN players p ON p.id = c.challenger_id
            WHERE {which}
        """).format(which=which),
        apart=("players",),
    )


_CHALLENGE = _challenges(
    SQL("""
        c.id = %(id)s
        AND (
            c.challenger_id = %(player)s
            OR EXISTS (
                SELECT
                FROM challenged d
                WHERE d.challenge_id = c.id AND d.player_id = %(player)s AND NOT d.unseen
            )
        )
    """)
)
_LOCK = Statement("SELECT FROM challenges WHERE id = %(id)s FOR NO KEY UPDATE")
_OUTGOING = SQL("""
    SELECT c.id
    FROM challenges c
    WHERE c.challenger_id = %(player)s AND {conditions}
    ORDER BY c.id DESC
    LIMIT %(limit)s
""")
_INCOMING = SQL("""
    SELECT c.id
    FROM challenged d
    JOIN challenges c ON c.id = d.challenge_id
    WHERE d.player_id = %(player)s AND NOT d.unseen AND {conditions}
    ORDER BY d.challenge_id DESC
    LIMIT %(limit)s
""")


@cache
def _listed(direction: str | None, *, status: bool, before: bool) -> Query[_Whole]:
    wanted = {"c.status = %(status)s": status, "c.id < %(before)s": before}
    conditions = SQL(" AND ").join([SQL(condition) for condition, given in wanted.items() if given] or [SQL("true")])
    sides = {"outgoing": _OUTGOING, "incoming": _INCOMING}
    ids = SQL(" UNION ").join(
        SQL("({side})").format(side=side.format(conditions=conditions))
        for name, side in sides.items()
        if direction in (None, name)
    )
    return _challenges(SQL("c.id IN ({ids}) ORDER BY c.id DESC LIMIT %(limit)s").format(ids=ids))


_PENDING = Query(int, "SELECT count(*) FROM challenges WHERE challenger_id = %(player)s AND status = 'pending'")
_ANSWER = Statement("""
    UPDATE challenged
    SET answer = %(answer)s, reason = %(reason)s
    WHERE challenge_id = %(id)s AND player_id = %(player)s
""")
_END = Statement("""
    UPDATE challenges
    SET status = %(status)s, game_id = %(game)s, ended_at = clock_timestamp()
    WHERE id = %(id)s
""")
_TOUCHED = Query(
    UUID,
    """
    SELECT challenger_id AS player FROM challenges WHERE id = ANY(%(ids)s)
    UNION ALL
    SELECT CASE WHEN unseen THEN md5('unseen ' || player_id)::uuid ELSE player_id END
    FROM challenged
    WHERE challenge_id = ANY(%(ids)s) AND bot IS NULL
    """,
)
"""Whom it is kept from hears of nothing, and it takes as long as if they did: nobody measures who blocks them. What is
touched in their stead is an id that nobody can wait for, since tags tell how often a thing was touched."""


class _Pending(Struct):
    id: UUID
    challenger: UUID


def _pending(which: str) -> Query[_Pending]:
    return Query(
        _Pending,
        SQL("""
            SELECT c.id, c.challenger_id AS challenger
            FROM challenges c
            WHERE c.status = 'pending' AND c.id IN ({which})
            ORDER BY c.id
            FOR NO KEY UPDATE
        """).format(which=SQL(which)),
    )


_BETWEEN = _pending("""
    SELECT d.challenge_id
    FROM challenged d
    JOIN challenges m ON m.id = d.challenge_id
    WHERE NOT d.unseen
        AND (
            (d.player_id = %(one)s AND m.challenger_id = %(other)s)
            OR (d.player_id = %(other)s AND m.challenger_id = %(one)s)
        )
""")
_OF = _pending("""
    SELECT challenge_id FROM challenged WHERE player_id = %(player)s
    UNION ALL
    SELECT id FROM challenges WHERE challenger_id = %(player)s
""")
_ACCEPTED = Query(
    UUID,
    """
    SELECT challenge_id
    FROM challenged
    WHERE challenge_id = ANY(%(ids)s) AND player_id = %(player)s AND answer = 'accepted'
    """,
)
_KEEP_FROM = Statement("""
    UPDATE challenged
    SET unseen = true, answer = NULL
    WHERE challenge_id = ANY(%(ids)s) AND player_id = %(player)s
""")
_EXPIRE = Query(
    UUID,
    """
    UPDATE challenges
    SET status = 'expired', ended_at = clock_timestamp()
    WHERE id IN (
        SELECT id
        FROM challenges
        WHERE status = 'pending' AND expires_at <= (SELECT clock_timestamp())
        ORDER BY expires_at
        LIMIT %(limit)s
        FOR NO KEY UPDATE SKIP LOCKED
    )
    RETURNING id
    """,
)
_FORGET = Statement("""
    DELETE FROM challenges
    WHERE id IN (
        SELECT id
        FROM challenges
        WHERE ended_at < (SELECT clock_timestamp() - make_interval(days => %(days)s))
        ORDER BY ended_at
        LIMIT %(limit)s
        FOR UPDATE SKIP LOCKED
    )
""")


class Challenges(Revisions):
    def add_challenge(
        self,
        ident: UUID,
        challenger: UUID,
        seat: Seat | None,
        terms: Terms,
        seconds: int,
        players: Sequence[tuple[Player, bool]],
    ) -> None:
        terms_json = Json(msgspec.to_builtins(terms))
        self.execute(_ADD, id=ident, challenger=challenger, seat=seat, terms=terms_json, seconds=seconds)
        self.execute(
            _ADD_PLAYERS,
            id=ident,
            players=[one.id for one, _ in players],
            bots=[one.bot for one, _ in players],
            unseen=[unseen for _, unseen in players],
        )
        self.execute(CHALLENGED, id=ident)

    def challenge(self, ident: UUID, player: UUID, *, lock: bool = False) -> Challenge | None:
        if lock:
            self.execute(_LOCK, id=ident)
        found = self.first(_CHALLENGE, id=ident, player=player)
        return None if found is None else _challenge(found)

    def challenges(
        self,
        player: UUID,
        direction: Literal["incoming", "outgoing"] | None,
        status: ChallengeStatus | None,
        before: UUID | None,
        limit: int,
    ) -> list[Challenge]:
        query = _listed(direction, status=status is not None, before=before is not None)
        return [
            _challenge(found) for found in self.all(query, player=player, status=status, before=before, limit=limit)
        ]

    def pending_challenges(self, challenger: UUID) -> int:
        return self.one(_PENDING, player=challenger)

    def answer_challenge(
        self, ident: UUID, player: UUID, answer: Literal["accepted", "declined"] | None, reason: Reason | None
    ) -> None:
        self.execute(_ANSWER, id=ident, player=player, answer=answer, reason=reason)

    def end_challenge(self, ident: UUID, status: ChallengeStatus, game: UUID | None = None) -> None:
        self.execute(_END, id=ident, status=status, game=game)

    def touch_challenges(self, idents: Sequence[UUID], also: Iterable[UUID] = ()) -> None:
        for each in sorted([*idents, *also, *self.all(_TOUCHED, ids=list(idents))]):
            self.touch(each)

    def pending_between(self, one: UUID, other: UUID) -> tuple[list[UUID], list[UUID]]:
        return _sides(self.all(_BETWEEN, one=one, other=other), one)

    def pending_of(self, player: UUID) -> tuple[list[UUID], list[UUID]]:
        return _sides(self.all(_OF, player=player), player)

    def keep_from(self, player: UUID, idents: Sequence[UUID]) -> list[UUID]:
        accepted = self.all(_ACCEPTED, player=player, ids=list(idents))
        self.execute(_KEEP_FROM, player=player, ids=list(idents))
        return accepted

    def expire_challenges(self, limit: int) -> list[UUID]:
        return self.all(_EXPIRE, limit=limit)

    def forget_challenges(self, days: int, limit: int) -> int:
        return self.execute(_FORGET, days=days, limit=limit)


def _challenge(found: _Whole) -> Challenge:
    return msgspec.structs.replace(found.challenge, players=found.invited.players)


def _sides(found: list[_Pending], challenger: UUID) -> tuple[list[UUID], list[UUID]]:
    """Those by the challenger, and the others."""
    own = [one.id for one in found if one.challenger == challenger]
    return own, [one.id for one in found if one.challenger != challenger]
