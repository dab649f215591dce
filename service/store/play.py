"""The hot path: one statement reads all that a move or a poll needs, one writes all that a move does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from uuid import UUID

from msgspec import to_builtins
from psycopg.types.json import Json

from service.app.records.changes import Change
from service.app.records.contexts import GameCaller, GameRow, GameSnapshot, MoveContext, TurnContext, ViewContext
from service.app.records.players import Principal, TokenFault
from service.engine.turn import Seat

from .accounts import principal_of
from .clearing import CHOSEN
from .invitations import SEEN
from .rows import Row, Rows, events_json, seats_array
from .tasks import KEPT
from .webhooks import DELIVER

_SCENE = (
    "g.id, g.ruleset, g.ruleset_version, g.status, g.seat_count, g.options, g.version, g.writes, g.turn, g.kind,"
    " g.state, g.pending, g.entries, g.deadline"
)
_DESK = (
    f"{_SCENE}, g.draws, g.seed, g.entropy, coalesce(g.head, ''), g.absence, g.rated,"
    f" coalesce(g.deadline <= clock_timestamp() AND {KEPT}, false)"
)

_CALLER = (
    "t.id, t.player_id, t.scopes, t.game_id, t.seat, coalesce(t.expires_at <= clock_timestamp(), false),"
    " g.id, g.status, g.spectators, g.version, g.turn, s.seat, s.revision,"
    " g.seat_count, g.practice, g.creator, s.absent_since IS NOT NULL, g.ruleset"
)
# The token comes first, so that a bad one is told from a game that is not there. A game that is not the caller's to see
# is not joined, so that all that follows is as without it. A token for one seat tells nothing of other private games.
_STANDING = (
    " FROM (SELECT 1) AS here LEFT JOIN tokens t ON t.digest = %(digest)s"
    " LEFT JOIN seats s ON s.game_id = %(game)s AND s.player_id = t.player_id LEFT JOIN games g ON g.id = %(game)s AND "
    + SEEN.format(whole="(t.game_id IS NULL OR t.game_id = g.id)", player="t.player_id")
)
SELECT_CALLER = f"SELECT {_CALLER}{_STANDING}"
SELECT_CALLERS = (
    f"SELECT here.n, {_CALLER}{_STANDING}".replace(
        "(SELECT 1) AS here",
        "unnest(%(digests)s::bytea[], %(games)s::uuid[], %(invitations)s::bytea[]) WITH ORDINALITY"
        " AS here (digest, game, invitation, n)",
    )
    .replace("%(digest)s", "here.digest")
    .replace("%(game)s", "here.game")
    .replace("%(invitation)s", "here.invitation")
    + " ORDER BY here.n"
)
SELECT_DESK = f"SELECT {_DESK} FROM games g WHERE g.id = %(game)s"  # nosec B608 # constants
SELECT_DESK_LOCKED = SELECT_DESK + " FOR UPDATE"
SELECT_APPROACH = f"SELECT {_CALLER}, {_DESK}{_STANDING}"
SELECT_SIGHT = f"SELECT {_CALLER}, {_SCENE}{_STANDING}"
SELECT_TURN_SIGHT = (
    f"SELECT {_CALLER}, {_SCENE}, clock_timestamp(), l.seq, l.at, l.entry, l.submitted,"  # nosec B608 # constants
    " ARRAY(SELECT m.seat FROM submissions m WHERE m.game_id = g.id AND m.turn = g.turn),"
    " (SELECT m.id FROM submissions m WHERE m.game_id = g.id AND m.turn = g.turn"
    " AND m.seat = coalesce(%(as_seat)s::smallint, s.seat) ORDER BY m.revision DESC LIMIT 1)"
    f"{_STANDING}"
    " LEFT JOIN LATERAL (SELECT log.seq, log.at, log.entry, ARRAY(SELECT m.seat FROM submissions m"
    " WHERE m.game_id = g.id AND m.turn = (log.entry::json ->> 'turn')::int) AS submitted FROM log"
    " WHERE log.game_id = g.id AND (g.status = 'over' OR (log.entry::json ->> 'turn')::int < g.turn)"
    " ORDER BY log.seq DESC LIMIT 1) AS l ON true"
)
_GAME_AT, _MORE_AT = 18, 18 + len(GameSnapshot.__struct_fields__)
"""Where in a row the game begins, and what follows its snapshot."""

# The time of all that a statement writes, and by which it judges the deadline: read once, since the clock goes on
# between one part of a statement and the next. It is read before the row is locked, but who had to wait for somebody
# that wrote to it finds other `writes`, and comes again with the row locked: so no event is older than the one before.
_CLOCK = "clock AS MATERIALIZED (SELECT coalesce(%(at)s::timestamptz, clock_timestamp()) AS at)"

# The deadline is judged here, where nobody else can write in between.
_IN_TIME = (
    f"id = %(game)s AND writes = %(writes)s AND (%(late)s OR deadline IS NULL OR deadline > clock.at OR NOT {KEPT})"
)

# Who plays for the absent: a bot, or the rules' default.
_STAND_IN = "CASE WHEN moved.absence LIKE 'bot:%%' THEN substr(moved.absence, 5) ELSE 'default' END"

_TOLD = DELIVER.format(
    type="{type}", at="moved.at", game="moved.id", ruleset="moved.ruleset", seat="{seat}", turn="%(turn)s::int"
)
_TOLD_TURN = _TOLD.format(type="'turn.waiting'", seat="asked.seat")
_TOLD_END = _TOLD.format(type="'game.over'", seat="s.seat")

# No row may be touched twice in one statement: seats that stay awaited are updated, never deleted and inserted.
ASKED = (
    "asked AS (INSERT INTO awaited (game_id, seat, player_id, turn, kind, since, played_by)"
    " SELECT s.game_id, s.seat, s.player_id, %(turn)s, %(kind)s, moved.at, coalesce(s.bot, CASE"
    f" WHEN s.absent_since IS NOT NULL OR s.seat = ANY(%(absent)s::smallint[]) THEN {_STAND_IN} END)"
    " FROM moved JOIN seats s ON s.game_id = moved.id AND s.seat = ANY(%(asked)s::smallint[])"
    " ON CONFLICT (game_id, seat) DO UPDATE SET turn = excluded.turn, kind = excluded.kind, since = excluded.since,"
    " played_by = excluded.played_by, claimed_until = NULL WHERE awaited.turn <> excluded.turn"
    " RETURNING seat, player_id, played_by)"  # nosec B608 # constants
    f", hooked AS ({_TOLD_TURN} FROM moved, asked JOIN webhooks w"
    " ON w.player_id = asked.player_id AND asked.played_by IS NULL AND w.active AND 'turn.waiting' = ANY(w.events))"
)
"""Parts of a statement that have seats awaited in the game `moved`, and their webhooks told."""

_SEALED = (
    "moved AS (UPDATE games SET pending = %(pending)s, version = %(version)s, writes = writes + 1,"
    " deadline = CASE WHEN NOT %(stopped)s THEN deadline END FROM clock"  # nosec B608 # constants
    f" WHERE {_IN_TIME} RETURNING id, clock.at, absence)"
)
"""A sealed choice touches neither the log nor the snapshot."""
_SETTLED = (
    "moved AS (UPDATE games SET status = %(status)s, turn = %(turn)s, kind = %(kind)s, state = %(state)s,"
    " pending = %(pending)s, version = %(version)s, writes = writes + 1, entries = %(entries)s, draws = %(draws)s,"
    " head = %(head)s, result = %(result)s, {more} FROM clock"  # nosec B608 # constants
    f" WHERE {_IN_TIME} RETURNING id, clock.at, absence, ruleset), "
    "logged AS (INSERT INTO log (game_id, seq, at, entry, state_hash, row_hash)"
    " SELECT moved.id, %(entries)s - 1, moved.at, %(entry)s, %(state_hash)s, %(head)s FROM moved)"
)
_GOES_ON = _SETTLED.format(
    more="deadline = CASE WHEN turn <> %(turn)s THEN clock.at + make_interval(secs => turn_seconds) ELSE deadline END"
)
_BEGINS = _SETTLED.format(more="started_at = clock.at, deadline = clock.at + make_interval(secs => turn_seconds)")
_ENDS = _SETTLED.format(
    more="deadline = NULL, ended_at = clock.at, empty_since = CASE WHEN NOT"  # nosec B608 # constants
    f" ({CHOSEN.format(game='games.id')} OR EXISTS (SELECT FROM seats p WHERE p.game_id = games.id AND p.bot IS NULL"
    " AND p.seat = %(r_seat)s)) THEN clock.at END"
)
"""The choice that ends a game has its receipt written by the same statement, which does not see it."""
_EVENTS = (
    "told AS (INSERT INTO events (game_id, seq, at, turn, public, private)"
    " SELECT moved.id, %(version)s - %(told)s + e.n, moved.at, %(event_turn)s, e.public, e.private FROM moved,"
    " ROWS FROM (json_to_recordset(%(events)s::json) AS (public json, private json)) WITH ORDINALITY"
    " AS e (public, private, n))"
)
_RECEIPT = (
    "receipt AS (INSERT INTO submissions (game_id, turn, seat, revision, id, kind, action, received_at)"
    " SELECT moved.id, %(r_turn)s, %(r_seat)s, %(r_revision)s, %(r_id)s, %(r_kind)s, %(r_action)s::json, moved.at"
    " FROM moved)"
)
_COMBATS = (
    "fought AS (INSERT INTO combats (game_id, number, status, turn, opened_at, resolved_at, record)"
    " SELECT moved.id, c.number, c.status, %(event_turn)s, moved.at,"  # nosec B608 # constants
    " CASE WHEN c.status = 'resolved' THEN moved.at END, c.record"
    " FROM moved, json_to_recordset(%(combats)s::json) AS c (number int, status text, record json)"
    " ON CONFLICT (game_id, number) DO UPDATE SET status = excluded.status, record = excluded.record,"
    " resolved_at = excluded.resolved_at)"
)
_RELEASED = (
    "released AS (DELETE FROM awaited USING moved"
    " WHERE awaited.game_id = moved.id AND awaited.seat = ANY(%(released)s::smallint[]))"
)
_ENDED = (
    f"ended AS ({_TOLD_END} FROM moved JOIN seats s ON s.game_id = moved.id"
    " JOIN webhooks w ON w.player_id = s.player_id AND w.active AND 'game.over' = ANY(w.events))"
)
_HANDED = (
    f"handed AS (UPDATE awaited SET played_by = {_STAND_IN} FROM moved"  # nosec B608 # constants
    " WHERE awaited.game_id = moved.id AND awaited.seat = ANY(%(absent)s::smallint[]))"
)
_ABSENTED = (
    "absented AS (UPDATE seats SET absent_since = moved.at FROM moved"
    " WHERE seats.game_id = moved.id AND seats.seat = ANY(%(absent)s::smallint[]))"
)
_NOTICED = (
    "noticed AS (UPDATE seats SET revision = seats.revision + 1 FROM moved"
    " WHERE seats.game_id = moved.id AND seats.seat = %(noticed_by)s)"
)
_RESIGNED = (
    "resigned AS (UPDATE seats SET resigned_at = moved.at FROM moved"
    " WHERE seats.game_id = moved.id AND seats.seat = ANY(%(gone)s::smallint[]))"
)


@cache
def _writing(*parts: str | None) -> str:
    """One statement of the parts that a change needs: even a part that finds nothing to do takes its time."""
    return f"WITH {', '.join(filter(None, (_CLOCK, *parts)))} SELECT at FROM moved"  # nosec B608 # constants


def _caller_of(row: Row, digest: bytes | None) -> GameCaller | TokenFault | None:
    principal = None
    if digest is not None:
        found = principal_of(row[:6])
        if not isinstance(found, Principal):
            return found
        principal = found
    game, status, spectators, version, turn, seat, revision, *about = row[6:_GAME_AT]
    seat_count, practice, creator, absent, ruleset = about
    if game is None:
        return None
    return GameCaller(
        principal=principal,
        game=game,
        status=status,
        spectators=spectators,
        version=version,
        turn=turn,
        seat=seat,
        revision=revision or 0,
        seat_count=seat_count,
        practice=practice,
        creator=creator,
        absent=absent,
        ruleset=ruleset,
    )


def _combats_json(combats: Sequence[tuple[int, str, str]]) -> str:
    rows = (f'{{"number":{number},"status":"{status}","record":{record}}}' for number, status, record in combats)
    return f"[{','.join(rows)}]"


class Play(Rows):
    def caller(
        self, digest: bytes | None, game: UUID, invitation: bytes | None = None
    ) -> GameCaller | TokenFault | None:
        row = self.one(SELECT_CALLER, digest=digest, game=game, invitation=invitation)
        assert row is not None
        return _caller_of(row, digest)

    def callers(self, asked: Sequence[tuple[bytes | None, UUID, bytes | None]]) -> list[GameCaller | TokenFault | None]:
        digests, games, invitations = zip(*asked, strict=True)
        rows = self.all(SELECT_CALLERS, digests=list(digests), games=list(games), invitations=list(invitations))
        return [_caller_of(row[1:], digest) for row, digest in zip(rows, digests, strict=True)]

    def awaits(self, game: UUID, seat: Seat | None) -> bool:
        sql = "SELECT 1 FROM awaited WHERE game_id = %(game)s AND seat = %(seat)s"
        return seat is not None and self.one(sql, game=game, seat=seat) is not None

    def played_by(self, game: UUID, seat: Seat) -> str | None:
        sql = "SELECT played_by FROM awaited WHERE game_id = %(game)s AND seat = %(seat)s"
        row = self.one(sql, game=game, seat=seat)
        return None if row is None else row[0]

    def game_row(self, game: UUID, *, lock: bool) -> GameRow | None:
        row = self.one(SELECT_DESK_LOCKED if lock else SELECT_DESK, game=game)
        return None if row is None else GameRow(*row)

    def move_context(self, digest: bytes | None, game: UUID, *, lock: bool) -> MoveContext | TokenFault | None:
        """With `lock` in two statements: what is joined to a locked row is not read anew after waiting for it."""
        if lock:
            game_row = self.game_row(game, lock=True)
            found = self.caller(digest, game)
            return (
                None
                if game_row is None
                else MoveContext(caller=found, row=game_row)
                if isinstance(found, GameCaller)
                else found
            )
        row = self.one(SELECT_APPROACH, digest=digest, game=game, invitation=None)
        assert row is not None
        caller = _caller_of(row, digest)
        return MoveContext(caller=caller, row=GameRow(*row[_GAME_AT:])) if isinstance(caller, GameCaller) else caller

    def view_context(
        self, digest: bytes | None, game: UUID, invitation: bytes | None = None
    ) -> ViewContext | TokenFault | None:
        row = self.one(SELECT_SIGHT, digest=digest, game=game, invitation=invitation)
        assert row is not None
        caller = _caller_of(row, digest)
        return (
            ViewContext(caller=caller, snapshot=GameSnapshot(*row[_GAME_AT:]))
            if isinstance(caller, GameCaller)
            else caller
        )

    def turn_context(
        self, digest: bytes | None, game: UUID, as_seat: Seat | None, invitation: bytes | None = None
    ) -> TurnContext | TokenFault | None:
        row = self.one(SELECT_TURN_SIGHT, digest=digest, game=game, as_seat=as_seat, invitation=invitation)
        assert row is not None
        caller = _caller_of(row, digest)
        if not isinstance(caller, GameCaller):
            return caller
        now, seq, at, entry, submitted, chosen, own = row[_MORE_AT:]
        return TurnContext(
            caller=caller,
            snapshot=GameSnapshot(*row[_GAME_AT:_MORE_AT]),
            now=now,
            last=None if seq is None else (seq, at, entry, frozenset(submitted)),
            chosen=frozenset(chosen),
            own=own,
        )

    def write(self, change: Change) -> datetime | None:
        new = change.submission
        settles = change.entry is not None
        over = change.status == "over"
        moved = _ENDS if over else _BEGINS if change.entries == 1 else _GOES_ON
        sql = _writing(
            moved if settles else _SEALED,
            _EVENTS if change.events else None,
            _RECEIPT if new else None,
            _RELEASED if change.released else None,
            _COMBATS if change.combats else None,
            ASKED if change.asked else None,
            _ENDED if over else None,
            _HANDED if change.absent and not settles else None,
            _ABSENTED if change.absent else None,
            _NOTICED if change.noticed_by is not None else None,
            _RESIGNED if change.gone else None,
        )
        row = self.one(
            sql,
            at=change.at,
            game=change.game,
            writes=change.writes,
            late=change.late,
            stopped=change.stopped,
            status=change.status,
            turn=change.turn,
            kind=change.kind,
            state=change.state,
            pending=change.pending,
            version=change.version,
            entries=change.entries,
            draws=change.draws,
            head=change.head,
            entry=change.entry,
            state_hash=change.state_hash,
            result=None if change.result is None else Json(to_builtins(change.result)),
            told=len(change.events),
            event_turn=change.events[0].turn if change.events else change.turn,
            events=events_json(change.events),
            combats=_combats_json(change.combats),
            asked=seats_array(change.asked),
            released=seats_array(change.released),
            absent=seats_array(change.absent),
            noticed_by=change.noticed_by,
            gone=seats_array(change.gone),
            r_turn=new and new.turn,
            r_seat=new and new.seat,
            r_revision=new and new.revision,
            r_id=new and new.id,
            r_kind=new and new.kind,
            r_action=new and new.action,
        )
        if row is None:
            return None
        self.changed[change.game] = change.version
        moved_at: datetime = row[0]
        return moved_at
