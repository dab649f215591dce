"""Functions of the database that write a game: each runs where the game's rows are, in one call.

They are made after the migrations. All that one writes has one time, which it reads once it holds the game's row, and
names the game in every statement: on a distributed Postgres the whole call is carried out by the node that has it.
"""

from __future__ import annotations

from typing import NamedTuple

from psycopg.sql import SQL

from . import clocks
from .asking import STAND_IN, Tell, ask, starting, tell_apart, tell_beside
from .function import Function
from .keeping import ARCHIVE, PUT_OFF, chosen, forget
from .noting import noted
from .returning import end_absence, revive, start

_OF_MOVE = {
    "game": "uuid",
    "writes": "bigint",
    "at": "timestamptz",
    "unkept": "timestamptz",
    "late": "boolean",
    "stopped": "boolean",
    "stops": "smallint[]",
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


def _move(tell: Tell, *, noting: bool) -> Function:
    return Function(
        "move",
        _OF_MOVE,
        "text" if noting else "timestamptz",
        _MOVE.format(
            done=noted("now") if noting else SQL("RETURN now;"),
            declared=clocks.DECLARED,
            columns=clocks.COLUMNS,
            starting=starting(SQL("_asked")),
            clocks=_CLOCKS_OF_MOVE,
            stand_in=STAND_IN,
            chosen=chosen(SQL("_game")),
            ask=ask(tell),
            ended=tell("game.over", SQL("s.seat"), SQL("seats s"), SQL("s.player_id"), SQL("s.game_id = _game")),
        ),
    )


_CLOCKS_OF_MOVE = clocks.after(
    stops=SQL("_stops"),
    earns=SQL("_r_seat"),
    here=SQL("_status = 'over' OR number - 1 = ANY(_gone || _absent)"),
    unkept=SQL("_unkept"),
)
_MOVE = SQL("""
DECLARE
    g record;
    now timestamptz;
    till timestamptz;
    empty timestamptz;
    stand_in text;
    {declared}
BEGIN
    SELECT turn, deadline, writes, absence, ruleset, started_at, ended_at, empty_since, tournament, {columns}
    INTO g
    FROM games
    WHERE id = _game
    FOR NO KEY UPDATE;
    IF NOT FOUND OR g.writes <> _writes THEN
        RETURN NULL;
    END IF;
    -- No other write can come in between any more: here the deadline is judged, and all that is written has this time.
    now := coalesce(_at, clock_timestamp());
    IF _unkept IS NULL AND NOT _late AND g.deadline <= now THEN
        RETURN NULL;
    END IF;
    stand_in := {stand_in};
    IF g.clocks IS NOT NULL THEN
        {starting}
        {clocks}
    END IF;

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
            deadline = CASE WHEN g.clocks IS NOT NULL THEN till WHEN NOT _stopped THEN deadline END,
            clocks = ticked
        WHERE id = _game;
        IF _absent <> '{{}}' THEN
            UPDATE awaited SET played_by = stand_in WHERE game_id = _game AND seat = ANY(_absent);
        END IF;
    ELSE
        IF g.clocks IS NULL THEN
            till := g.deadline;
        END IF;
        empty := g.empty_since;
        IF _status = 'over' THEN
            till := NULL;
            empty := CASE WHEN g.tournament IS NULL AND NOT {chosen} THEN now END;
        ELSIF g.clocks IS NULL AND (_entries = 1 OR g.turn <> _turn) THEN
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
            clocks = ticked,
            started_at = CASE WHEN _entries = 1 THEN now ELSE started_at END,
            ended_at = CASE WHEN _status = 'over' THEN now ELSE ended_at END,
            empty_since = empty
        WHERE id = _game;
        INSERT INTO log (game_id, seq, at, entry, state_hash, row_hash)
        VALUES (_game, _entries - 1, now, _entry, _state_hash, _head);
    END IF;
    IF charged IS NOT NULL THEN
        INSERT INTO events (game_id, seq, at, turn, public)
        SELECT _game, _version - _told - cardinality(charged) + e.n, now, _event_turn, e.public
        FROM unnest(charged) WITH ORDINALITY AS e (public, n);
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
    leave: Function

    @classmethod
    def telling(cls, tell: Tell, *, noting: bool) -> Functions:
        """`noting`: what a move has changed is noted in an outbox, and returned."""
        return cls(
            _move(tell, noting=noting),
            revive(tell),
            start(tell),
            end_absence(tell),
            ARCHIVE,
            forget(noting=noting),
            PUT_OFF,
            clocks.LEAVE,
        )


BESIDE = Functions.telling(tell_beside, noting=False)
"""Where webhooks are on the same node."""
APART = Functions.telling(tell_apart, noting=True)
