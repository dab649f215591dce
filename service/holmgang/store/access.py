"""Who calls, and how their game stands: one statement reads all that a poll or a move needs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
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
    ViewContext,
)
from holmgang.app.records.players import TokenFault
from holmgang.engine.turn import Seat

from .accounts import PRINCIPAL
from .invitations import LIVE
from .rows import Query, Rows
from .tasks import KEPT, RUNS


def _seen(player: SQL, *, whole: SQL) -> Composable:
    """Whether `player`, who holds seat `s` in game `g`, may see it, or anybody by the invitation that `asked` has.
    `whole`: whether what they call with speaks for all that they are in this game."""
    return SQL("""
        (
            g.visibility = 'public'
            OR ({whole} AND (g.creator = {player} OR s.seat IS NOT NULL))
            OR EXISTS (
                SELECT FROM invitations i
                WHERE i.game_id = asked.game AND i.digest = asked.invitation AND {live}
            )
        )
    """).format(whole=whole, player=player, live=LIVE)


_GAME = SQL("g.id AS game, g.ruleset, g.status, g.seat_count, g.version, g.turn")
"""What caller, snapshot and row have in common."""

_CALLER = SQL("""
    CASE
        WHEN asked.digest IS NOT NULL AND t.id IS NULL THEN 'unknown'
        WHEN t.expires_at <= clock_timestamp() THEN 'expired'
    END AS fault,
    {principal}, {game},
    g.spectators, g.practice, g.creator,
    s.seat, coalesce(s.revision, 0) AS revision, s.absent_since IS NOT NULL AS absent
""").format(principal=PRINCIPAL, game=_GAME)
_SNAPSHOT = SQL("g.ruleset_version, g.options, g.writes, g.kind, g.state, g.pending, g.entries, g.deadline")
_ROW = SQL("""
    {snapshot}, g.draws, g.seed, g.entropy, coalesce(g.head, '') AS head, g.absence, {runs} AS clock_runs,
    coalesce(g.deadline <= clock_timestamp() AND {kept}, false) AS late
""").format(snapshot=_SNAPSHOT, runs=RUNS, kept=KEPT)

# The token comes first, so that a bad one is told from a game that is not there. A game that the caller may not see is
# not joined, so that all that follows is as without it. A token for one seat tells nothing of other private games.
_JOINS = SQL("""
    LEFT JOIN tokens t ON t.digest = asked.digest
    LEFT JOIN seats s ON s.game_id = asked.game AND s.player_id = t.player_id
    LEFT JOIN games g ON g.id = asked.game AND {seen}
""").format(seen=_seen(SQL("t.player_id"), whole=SQL("(t.game_id IS NULL OR t.game_id = g.id)")))
_WHO = SQL("""
    FROM (SELECT %(digest)s::bytea AS digest, %(game)s::uuid AS game, %(invitation)s::bytea AS invitation) AS asked
    {joins}
""").format(joins=_JOINS)


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


_FIND_CALLER = Query(_Found, SQL("SELECT {caller} {who}").format(caller=_CALLER, who=_WHO))
_FIND_CALLERS = Query(
    _Found,
    SQL("""
        SELECT {caller}
        FROM unnest(%(digests)s::bytea[], %(games)s::uuid[], %(invitations)s::bytea[]) WITH ORDINALITY
            AS asked (digest, game, invitation, number)
        {joins}
        ORDER BY asked.number
    """).format(caller=_CALLER, joins=_JOINS),
)
_OF_GAME = SQL("SELECT {game}, {row} FROM games g WHERE g.id = %(game)s").format(game=_GAME, row=_ROW)
_GAME_ROW = Query(GameRow, _OF_GAME)
_LOCKED_GAME_ROW = Query(GameRow, _OF_GAME + SQL(" FOR UPDATE"))
_MOVE_CONTEXT = Query(_FoundRow, SQL("SELECT {caller}, {row} {who}").format(caller=_CALLER, row=_ROW, who=_WHO))
_VIEW_CONTEXT = Query(
    _FoundView, SQL("SELECT {caller}, {snapshot} {who}").format(caller=_CALLER, snapshot=_SNAPSHOT, who=_WHO)
)
_TURN_CONTEXT = Query(
    _FoundTurn,
    SQL("""
        SELECT
            {caller}, {snapshot}, clock_timestamp() AS now,
            l.seq AS last_seq, l.at AS last_at, l.entry AS last_entry, l.submitted AS last_submitted,
            ARRAY(SELECT m.seat FROM submissions m WHERE m.game_id = g.id AND m.turn = g.turn) AS chosen,
            (
                SELECT m.id
                FROM submissions m
                WHERE m.game_id = g.id AND m.turn = g.turn AND m.seat = coalesce(%(as_seat)s::smallint, s.seat)
                ORDER BY m.revision DESC
                LIMIT 1
            ) AS own
        {who}
        LEFT JOIN LATERAL (
            SELECT
                log.seq, log.at, log.entry,
                ARRAY(
                    SELECT m.seat
                    FROM submissions m
                    WHERE m.game_id = g.id AND m.turn = (log.entry::json ->> 'turn')::int
                ) AS submitted
            FROM log
            WHERE log.game_id = g.id AND (g.status = 'over' OR (log.entry::json ->> 'turn')::int < g.turn)
            ORDER BY log.seq DESC
            LIMIT 1
        ) AS l ON true
    """).format(caller=_CALLER, snapshot=_SNAPSHOT, who=_WHO),
)


_MAY_SEE = Query(
    bool,
    SQL("""
        SELECT true
        FROM (SELECT %(game)s::uuid AS game, %(invitation)s::bytea AS invitation) AS asked
        LEFT JOIN seats s ON s.game_id = asked.game AND s.player_id = %(player)s
        JOIN games g ON g.id = asked.game AND {seen}
        LIMIT 1
    """).format(seen=_seen(SQL("%(player)s"), whole=SQL("true"))),
)


class Access(Rows):
    def caller(
        self, digest: bytes | None, game: UUID, invitation: bytes | None = None
    ) -> GameCaller | TokenFault | None:
        found = self.one(_FIND_CALLER, digest=digest, game=game, invitation=invitation)
        return found.fault or found.caller

    def callers(self, asked: Sequence[tuple[bytes | None, UUID, bytes | None]]) -> list[GameCaller | TokenFault | None]:
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
        found = self.one(_MOVE_CONTEXT, digest=digest, game=game, invitation=None)
        if found.fault or found.caller is None or found.row is None:
            return found.fault
        return MoveContext(caller=found.caller, row=found.row)

    def view_context(
        self, digest: bytes | None, game: UUID, invitation: bytes | None = None
    ) -> ViewContext | TokenFault | None:
        found = self.one(_VIEW_CONTEXT, digest=digest, game=game, invitation=invitation)
        if found.fault or found.caller is None or found.snapshot is None:
            return found.fault
        return ViewContext(caller=found.caller, snapshot=found.snapshot)

    def turn_context(
        self, digest: bytes | None, game: UUID, as_seat: Seat | None, invitation: bytes | None = None
    ) -> TurnContext | TokenFault | None:
        found = self.one(_TURN_CONTEXT, digest=digest, game=game, as_seat=as_seat, invitation=invitation)
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
        return self.first(_MAY_SEE, player=player, game=game, invitation=invitation) is not None
