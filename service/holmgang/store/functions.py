"""Functions of the database that write a game: each runs where the game's rows are, in one call.

They are made after the migrations. All that one writes has one time, which it reads once it holds the game's row, and
names the game in every statement: on a distributed Postgres the whole call is carried out by the node that has it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from psycopg.sql import SQL, Composable

from holmgang.app.records.absence import BOT, DEFAULT

from .deliveries import deliver
from .function import Function
from .keeping import ARCHIVE, PUT_OFF, chosen, forget
from .noting import noted

_STAND_IN = SQL("CASE WHEN starts_with(g.absence, {bot}) THEN substr(g.absence, {after}) ELSE {default} END").format(
    bot=BOT, after=len(BOT) + 1, default=DEFAULT
)
"""Who plays for the absent: a bot, or the rules' default."""


def _deliver(kind: str, seat: SQL, of: SQL, player: SQL, where: SQL) -> Composable:
    """Have webhooks of the players in a game told."""
    insert = deliver(kind, at=SQL("now"), game=SQL("_game"), ruleset=SQL("g.ruleset"), seat=seat, turn=SQL("_turn"))
    return SQL("""
        {insert} FROM {of} JOIN webhooks w ON w.player_id = {player} AND w.active AND {kind} = ANY(w.events)
        WHERE {where};
    """).format(insert=insert, of=of, player=player, kind=kind, where=where)


def _note(kind: str, seat: SQL, of: SQL, player: SQL, where: SQL) -> Composable:
    """Leave a note beside the game, by which the worker has them told: webhooks are on another node."""
    return SQL("""
        INSERT INTO news (game_id, id, kind, at, ruleset, seat, player_id, turn)
        SELECT _game, gen_random_uuid(), {kind}, now, g.ruleset, {seat}, {player}, _turn FROM {of} WHERE {where};
    """).format(kind=kind, seat=seat, player=player, of=of, where=where)


_Tell = Callable[[str, SQL, SQL, SQL, SQL], Composable]


def _ask(tell: _Tell) -> Composable:
    return SQL("""
        INSERT INTO awaited (game_id, seat, player_id, turn, kind, since, played_by)
        SELECT
            s.game_id, s.seat, s.player_id, _turn, _kind, now,
            coalesce(s.bot, CASE WHEN s.absent_since IS NOT NULL OR s.seat = ANY(_absent) THEN stand_in END)
        FROM seats s
        WHERE s.game_id = _game AND s.seat = ANY(_asked)
        ON CONFLICT (game_id, seat) DO UPDATE
        SET
            turn = excluded.turn,
            kind = excluded.kind,
            since = excluded.since,
            played_by = excluded.played_by,
            claimed_until = NULL
        WHERE awaited.turn <> excluded.turn;
        {told}
    """).format(
        told=tell(
            "turn.waiting",
            SQL("a.seat"),
            SQL("awaited a"),
            SQL("a.player_id"),
            SQL("a.game_id = _game AND a.seat = ANY(_asked) AND a.since = now AND a.played_by IS NULL"),
        )
    )


_OF_MOVE = {
    "game": "uuid",
    "writes": "bigint",
    "at": "timestamptz",
    "kept": "boolean",
    "late": "boolean",
    "stopped": "boolean",
    "status": "text",
    "turn": "int",
    "kind": "text",
    "state": "bytea",
    "pending": "text",
    "version": "bigint",
    "entries": "int",
    "draws": "int",
    "head": "bytea",
    "entry": "text",
    "state_hash": "bytea",
    "result": "json",
    "told": "int",
    "event_turn": "int",
    "events": "json",
    "combats": "json",
    "asked": "smallint[]",
    "released": "smallint[]",
    "absent": "smallint[]",
    "noticed_by": "smallint",
    "gone": "smallint[]",
    "r_turn": "int",
    "r_seat": "smallint",
    "r_revision": "int",
    "r_id": "uuid",
    "r_kind": "text",
    "r_action": "json",
}


def _move(tell: _Tell, *, noting: bool) -> Function:
    return Function(
        "move",
        _OF_MOVE,
        "text" if noting else "timestamptz",
        _MOVE.format(
            done=noted("now") if noting else SQL("RETURN now;"),
            stand_in=_STAND_IN,
            chosen=chosen(SQL("_game")),
            ask=_ask(tell),
            ended=tell("game.over", SQL("s.seat"), SQL("seats s"), SQL("s.player_id"), SQL("s.game_id = _game")),
        ),
    )


_MOVE = SQL("""
DECLARE
    g record;
    now timestamptz;
    till timestamptz;
    empty timestamptz;
    stand_in text;
BEGIN
    SELECT turn, turn_seconds, deadline, writes, absence, ruleset, started_at, ended_at, empty_since, tournament
    INTO g
    FROM games
    WHERE id = _game
    FOR NO KEY UPDATE;
    IF NOT FOUND OR g.writes <> _writes THEN
        RETURN NULL;
    END IF;
    -- No other write can come in between any more: here the deadline is judged, and all that is written has this time.
    now := coalesce(_at, clock_timestamp());
    IF _kept AND NOT _late AND g.deadline <= now THEN
        RETURN NULL;
    END IF;
    stand_in := {stand_in};

    IF _r_id IS NOT NULL THEN
        INSERT INTO submissions (game_id, turn, seat, revision, id, kind, action, received_at)
        VALUES (_game, _r_turn, _r_seat, _r_revision, _r_id, _r_kind, _r_action, now);
    END IF;
    IF _entry IS NULL THEN -- a sealed choice touches neither the log nor the snapshot
        UPDATE games
        SET
            pending = _pending,
            version = _version,
            writes = _writes + 1,
            deadline = CASE WHEN NOT _stopped THEN deadline END
        WHERE id = _game;
        IF _absent <> '{{}}' THEN
            UPDATE awaited SET played_by = stand_in WHERE game_id = _game AND seat = ANY(_absent);
        END IF;
    ELSE
        till := g.deadline;
        empty := g.empty_since;
        IF _status = 'over' THEN
            till := NULL;
            empty := CASE WHEN g.tournament IS NULL AND NOT {chosen} THEN now END;
        ELSIF _entries = 1 OR g.turn <> _turn THEN
            till := now + make_interval(secs => g.turn_seconds);
        END IF;
        UPDATE games
        SET
            status = _status,
            turn = _turn,
            kind = _kind,
            state = _state,
            pending = _pending,
            version = _version,
            writes = _writes + 1,
            entries = _entries,
            draws = _draws,
            head = _head,
            result = _result,
            deadline = till,
            started_at = CASE WHEN _entries = 1 THEN now ELSE started_at END,
            ended_at = CASE WHEN _status = 'over' THEN now ELSE ended_at END,
            empty_since = empty
        WHERE id = _game;
        INSERT INTO log (game_id, seq, at, entry, state_hash, row_hash)
        VALUES (_game, _entries - 1, now, _entry, _state_hash, _head);
    END IF;
    IF _told > 0 THEN
        INSERT INTO events (game_id, seq, at, turn, public, private)
        SELECT _game, _version - _told + e.n, now, _event_turn, e.public, e.private
        FROM
            ROWS FROM (json_to_recordset(_events) AS (public json, private json)) WITH ORDINALITY
                AS e (public, private, n);
    END IF;
    IF _released <> '{{}}' THEN
        DELETE FROM awaited WHERE game_id = _game AND seat = ANY(_released);
    END IF;
    IF _combats IS NOT NULL THEN
        INSERT INTO combats (game_id, number, status, turn, opened_at, resolved_at, record)
        SELECT
            _game, c.number, c.status, _event_turn, now, CASE WHEN c.status = 'resolved' THEN now END, c.record
        FROM json_to_recordset(_combats) AS c (number int, status text, record json)
        ON CONFLICT (game_id, number) DO UPDATE
        SET status = excluded.status, record = excluded.record, resolved_at = excluded.resolved_at;
    END IF;
    IF _asked <> '{{}}' THEN
        {ask}
    END IF;
    IF _status = 'over' AND _entry IS NOT NULL THEN
        {ended}
    END IF;
    IF _absent <> '{{}}' THEN
        UPDATE seats SET absent_since = now WHERE game_id = _game AND seat = ANY(_absent);
    END IF;
    IF _noticed_by IS NOT NULL THEN
        UPDATE seats SET revision = revision + 1 WHERE game_id = _game AND seat = _noticed_by;
    END IF;
    IF _gone <> '{{}}' THEN
        UPDATE seats SET resigned_at = now WHERE game_id = _game AND seat = ANY(_gone);
    END IF;
    {done}
END
""")


def _revive(tell: _Tell) -> Function:
    given = {"game": "uuid", "at": "timestamptz", "turn": "int", "kind": "text", "asked": "smallint[]"}
    return Function("revive", given, "void", _REVIVE.format(stand_in=_STAND_IN, ask=_ask(tell)))


_REVIVE = SQL("""
DECLARE
    g record;
    now timestamptz := _at;
    till timestamptz;
    stand_in text;
    _absent smallint[] := '{{}}';
BEGIN
    SELECT turn_seconds, absence, ruleset, started_at INTO g FROM games WHERE id = _game FOR NO KEY UPDATE;
    stand_in := {stand_in};
    IF g.started_at IS NOT NULL THEN
        till := now + make_interval(secs => g.turn_seconds);
    END IF;
    UPDATE games
    SET
        status = CASE WHEN started_at IS NULL THEN 'open' ELSE 'active' END,
        deadline = till,
        writes = writes + 1
    WHERE id = _game;
    {ask}
END
""")


def _start(tell: _Tell) -> Function:
    told = tell("game.started", SQL("s.seat"), SQL("seats s"), SQL("s.player_id"), SQL("s.game_id = _game"))
    return Function("start", {"game": "uuid", "at": "timestamptz"}, "void", _START.format(told=told))


_START = SQL("""
DECLARE
    g record;
    now timestamptz := _at;
    _turn int := 0;
BEGIN
    SELECT ruleset INTO g FROM games WHERE id = _game;
    {told}
END
""")


def _return(tell: _Tell) -> Function:
    given = {"game": "uuid", "seat": "smallint", "at": "timestamptz", "anew": "boolean", "chooses": "boolean"}
    told = tell(
        "turn.waiting",
        SQL("a.seat"),
        SQL("awaited a"),
        SQL("a.player_id"),
        SQL("a.game_id = _game AND a.seat = _seat"),
    )
    return Function("end_absence", given, "void", _RETURN.format(told=told))


_RETURN = SQL("""
DECLARE
    g record;
    now timestamptz := _at;
    _turn int;
BEGIN
    SELECT ruleset, status, turn_seconds INTO g FROM games WHERE id = _game FOR NO KEY UPDATE;
    UPDATE seats SET absent_since = NULL WHERE game_id = _game AND seat = _seat;
    UPDATE awaited SET played_by = NULL, claimed_until = NULL WHERE game_id = _game AND seat = _seat;
    IF NOT _chooses THEN
        SELECT turn INTO _turn FROM awaited WHERE game_id = _game AND seat = _seat;
        {told}
    END IF;
    IF _anew AND g.status = 'active' THEN
        now := now + make_interval(secs => g.turn_seconds);
        UPDATE games SET deadline = now WHERE id = _game;
    END IF;
END
""")


class Functions(NamedTuple):
    """All of them."""

    move: Function
    revive: Function
    start: Function
    end_absence: Function
    archive: Function
    """The version of the game that was archived, 0 if it is not idle after all, NULL if somebody writes it."""
    forget: Function
    """Whether it was deleted."""
    put_off: Function
    """The version of the game whose deadline was put off, NULL if somebody writes it."""

    @classmethod
    def telling(cls, tell: _Tell, *, noting: bool) -> Functions:
        """`noting`: what a move has changed is noted in an outbox, and returned."""
        return cls(
            _move(tell, noting=noting),
            _revive(tell),
            _start(tell),
            _return(tell),
            ARCHIVE,
            forget(noting=noting),
            PUT_OFF,
        )


BESIDE = Functions.telling(_deliver, noting=False)
"""Where webhooks are on the same node."""
APART = Functions.telling(_note, noting=True)
