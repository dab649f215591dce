"""Who calls, and how their game stands: one statement reads all that a poll or a move needs.

Where the tables of games are distributed, tokens are not beside them: then a statement of its own reads the token, and
gives what it found to the one that reads the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic, TypeVar
from uuid import UUID

from msgspec import Struct
from psycopg.sql import SQL, Composable

from holmgang.app.records.contexts import (
    GameCaller,
    GameRow,
    GameSnapshot,
    LoggedTurn,
    MoveContext,
    TurnContext,
    Unread,
    ViewContext,
)
from holmgang.app.records.players import TokenFault
from holmgang.engine.turn import Seat

from . import reads
from .accounts import PRINCIPAL, token_fault
from .function import Function
from .rows import Query, Rows
from .sight import seen, seen_by_invitation, tournament_seen
from .sources import RUNS
from .tasks import KEPT

_ONE, _INVITATION = SQL("%(game)s"), SQL("%(invitation)s::bytea")
_GAME = SQL("g.id AS game, g.ruleset, g.status, g.seat_count, g.version, g.turn")
"""What caller, snapshot and row have in common."""

_SNAPSHOT = SQL("""
    g.ruleset_version, g.options, g.writes, g.kind, g.state, g.pending, g.entries, g.deadline, g.clocks
""")


def _row(kept: Composable) -> Composable:
    return SQL("""
        {snapshot}, g.draws, g.seed, g.entropy, coalesce(g.head, '') AS head, g.absence, {runs} AS clock_runs,
        g.tournament IS NOT NULL AS of_tournament,
        coalesce(g.deadline <= clock_timestamp() AND {kept}, false) AS late, g.increment_seconds
    """).format(snapshot=_SNAPSHOT, runs=RUNS, kept=kept)


def caller_columns(fault: Composable, principal: Composable) -> Composable:
    return SQL("""
        {fault} AS fault, {principal}, {game},
        g.spectators, g.practice, g.creator,
        s.seat, coalesce(s.revision, 0) AS revision, s.absent_since IS NOT NULL AS absent
    """).format(fault=fault, principal=principal, game=_GAME)


# The token comes first, so that a bad one is told from a game that is not there. A game that the caller may not see is
# not joined, so that all that follows is as without it. A token for one seat tells nothing of other private games.
def _joins(digest: SQL, game: SQL, invitation: SQL) -> Composable:
    return SQL("""
        LEFT JOIN tokens t ON t.digest = {digest}
        LEFT JOIN seats s ON s.game_id = {game} AND s.player_id = t.player_id
        LEFT JOIN games g ON g.id = {game} AND {seen}
    """).format(
        digest=digest,
        game=game,
        seen=seen(
            SQL("t.player_id"), game=game, invitation=invitation, whole=SQL("(t.game_id IS NULL OR t.game_id = g.id)")
        ),
    )


_TABLES = SQL("FROM (SELECT) AS one {joins}").format(joins=_joins(SQL("%(digest)s"), _ONE, _INVITATION))
_CALLER = caller_columns(token_fault(SQL("%(digest)s::bytea")), PRINCIPAL)


class _Found(Struct):
    """Without a `caller` there is no such game to see."""

    fault: TokenFault | None
    caller: GameCaller | None


class _FoundRow(_Found):
    row: GameRow | None


class _FoundView(_Found):
    snapshot: GameSnapshot | None


class _FoundTurn(_FoundView):
    now: datetime
    last: LoggedTurn | None
    chosen: frozenset[Seat]
    own: UUID | None


F = TypeVar("F", bound=_Found)


class Reading(Generic[F]):
    """A statement about one caller and their game: `beside` the tokens, or `apart` from them, where those have been
    read and a function of the game's node reads the rest."""

    def __init__(self, record: type[F], columns: Composable, read: Function, more: Composable | None = None) -> None:
        self.record = record
        self.beside = Query(
            record,
            SQL("SELECT {columns} {tables} {more}").format(columns=columns, tables=_TABLES, more=more or SQL("")),
        )
        self.apart = Query(
            record,
            SQL("""
                SELECT
                    NULL::text AS fault, %(player)s::uuid AS player, %(token)s::uuid AS token,
                    %(scopes)s::text[] AS scopes, %(limited)s::uuid AS principal_game,
                    %(own_seat)s::smallint AS principal_seat, found.*
                FROM {read} AS found
            """).format(read=read.call()),
        )


FIND_CALLER = Reading(_Found, _CALLER, reads.FIND_CALLER)
_FIND_CALLERS = Query(
    _Found,
    SQL("""
        SELECT {caller}
        FROM unnest(%(digests)s::bytea[], %(games)s::uuid[], %(invitations)s::bytea[]) WITH ORDINALITY
            AS asked (digest, game, invitation, number)
        {joins}
        ORDER BY asked.number
    """).format(
        caller=caller_columns(token_fault(SQL("asked.digest")), PRINCIPAL),
        joins=_joins(SQL("asked.digest"), SQL("asked.game"), SQL("asked.invitation")),
    ),
)
_MOVE_CONTEXT = Reading(_FoundRow, SQL(", ").join((_CALLER, _row(KEPT))), reads.MOVE_CONTEXT)
_VIEW_CONTEXT = Reading(_FoundView, SQL(", ").join((_CALLER, _SNAPSHOT)), reads.VIEW_CONTEXT)
_TURN_CONTEXT = Reading(
    _FoundTurn,
    SQL("""
        {caller}, {snapshot}, clock_timestamp() AS now,
        l.seq AS last_seq, l.at AS last_at, l.entry AS last_entry, l.submitted AS last_submitted,
        ARRAY(SELECT m.seat FROM submissions m WHERE m.game_id = %(game)s AND m.turn = g.turn) AS chosen,
        (
            SELECT m.id
            FROM submissions m
            WHERE m.game_id = %(game)s AND m.turn = g.turn AND m.seat = coalesce(%(as_seat)s::smallint, s.seat)
            ORDER BY m.revision DESC
            LIMIT 1
        ) AS own
    """).format(caller=_CALLER, snapshot=_SNAPSHOT),
    reads.TURN_CONTEXT,
    SQL("""
        LEFT JOIN LATERAL (
            SELECT
                log.seq, log.at, log.entry,
                ARRAY(
                    SELECT m.seat
                    FROM submissions m
                    WHERE m.game_id = %(game)s AND m.turn = (log.entry::json ->> 'turn')::int
                ) AS submitted
            FROM log
            WHERE log.game_id = %(game)s AND (g.status = 'over' OR (log.entry::json ->> 'turn')::int < g.turn)
            ORDER BY log.seq DESC
            LIMIT 1
        ) AS l ON true
    """),
)


def _game_row(kept: Composable, *, lock: bool) -> Query[GameRow]:
    return Query(
        GameRow,
        SQL("SELECT {game}, {row} FROM games g WHERE g.id = %(game)s {lock}").format(
            game=_GAME, row=_row(kept), lock=SQL("FOR UPDATE" if lock else "")
        ),
    )


_GAME_ROW, _LOCKED_GAME_ROW = (_game_row(KEPT, lock=lock) for lock in (False, True))
GAME_ROW_APART, LOCKED_GAME_ROW_APART = (_game_row(SQL("%(kept)s::boolean"), lock=lock) for lock in (False, True))


def _may_see(rule: Callable[..., Composable]) -> Query[bool]:
    return Query(
        bool,
        SQL("""
            SELECT true
            FROM games g
            LEFT JOIN seats s ON s.game_id = %(game)s AND s.player_id = %(player)s
            WHERE g.id = %(game)s AND {seen}
            LIMIT 1
        """).format(seen=rule(SQL("%(player)s"), game=_ONE, invitation=_INVITATION, whole=SQL("true"))),
    )


_MAY_SEE, MAY_SEE_APART = map(_may_see, (seen, seen_by_invitation))
SEEN_BY_TOURNAMENT = Query(
    bool,
    SQL("""
        SELECT true
        FROM tournament_games one
        JOIN tournaments its ON its.id = one.tournament_id
        WHERE one.game_id = %(game)s AND {seen}
    """).format(seen=tournament_seen(SQL("%(viewer)s::uuid"), invitation=_INVITATION, of=SQL("its"))),
)
"""What `seen` says of a game's tournament, by what the coordinator knows."""


class Access(Rows):
    _may_see: ClassVar[Query[bool]] = _MAY_SEE

    def read_caller(
        self, reading: Reading[F], digest: bytes | None, game: UUID, invitation: bytes | None = None, **more: Any
    ) -> F:
        return self.one(reading.beside, digest=digest, game=game, invitation=invitation, **more)

    def caller(
        self, digest: bytes | None, game: UUID, invitation: bytes | None = None
    ) -> GameCaller | TokenFault | None:
        found = self.read_caller(FIND_CALLER, digest, game, invitation)
        return found.fault or found.caller

    def callers(
        self, asked: Sequence[tuple[bytes | None, UUID, bytes | None]], *, again: bool = False
    ) -> Sequence[GameCaller | TokenFault | Unread | None]:
        digests, games, invitations = zip(*asked, strict=True)
        found = self.all(_FIND_CALLERS, digests=list(digests), games=list(games), invitations=list(invitations))
        return [one.fault or one.caller for one in found]

    def game_row(self, game: UUID, *, lock: bool) -> GameRow | None:
        return self.first(_LOCKED_GAME_ROW if lock else _GAME_ROW, game=game)

    def move_context(self, digest: bytes | None, game: UUID, *, lock: bool) -> MoveContext | TokenFault | None:
        """With `lock` in two statements: what is joined to a locked row is not read anew after waiting for it."""
        if lock:
            row = self.game_row(game, lock=True)
            caller = self.caller(digest, game)
            if row is None or caller is None:
                return None
            if isinstance(caller, TokenFault):
                return caller
            return MoveContext(caller=caller, row=row)
        found = self.read_caller(_MOVE_CONTEXT, digest, game)
        if found.fault or found.caller is None or found.row is None:
            return found.fault
        return MoveContext(caller=found.caller, row=found.row)

    def view_context(
        self, digest: bytes | None, game: UUID, invitation: bytes | None = None
    ) -> ViewContext | TokenFault | None:
        found = self.read_caller(_VIEW_CONTEXT, digest, game, invitation)
        if found.fault or found.caller is None or found.snapshot is None:
            return found.fault
        return ViewContext(caller=found.caller, snapshot=found.snapshot)

    def turn_context(
        self, digest: bytes | None, game: UUID, as_seat: Seat | None, invitation: bytes | None = None
    ) -> TurnContext | TokenFault | None:
        found = self.read_caller(_TURN_CONTEXT, digest, game, invitation, as_seat=as_seat)
        if found.fault or found.caller is None or found.snapshot is None:
            return found.fault
        return TurnContext(
            caller=found.caller,
            snapshot=found.snapshot,
            now=found.now,
            last=found.last,
            chosen=found.chosen,
            own=found.own,
        )

    def may_see(self, player: UUID, game: UUID, invitation: bytes | None = None) -> bool:
        return self.first(self._may_see, player=player, game=game, invitation=invitation) is not None
