"""Functions of the database for the worker's chores: each archives, deletes or puts off one game."""

from __future__ import annotations

from psycopg.sql import SQL, Composable, Identifier

from . import clocks
from .function import Function

OF_A_GAME = ("awaited", "submissions", "log", "events", "combats")
"""Tables that games write to and that no foreign key clears: the other rows of a game go with its own."""


def chosen(game: SQL) -> Composable:
    """Whether a person has ever chosen anything in a game. Choices leave receipts, those of bots too; a choice that was
    made for an absent player leaves none."""
    return SQL("""
        EXISTS (
            SELECT
            FROM seats p
            JOIN submissions m ON m.game_id = p.game_id AND m.seat = p.seat
            WHERE p.game_id = {game} AND p.bot IS NULL
        )
    """).format(game=game)


_ARCHIVE = SQL("""
DECLARE
    g record;
    now timestamptz;
    last timestamptz;
BEGIN
    SELECT version, turn, deadline, touched_at
    INTO g
    FROM games
    WHERE id = _game AND status IN ('open', 'active')
    FOR NO KEY UPDATE SKIP LOCKED;
    now := clock_timestamp();
    IF NOT FOUND OR g.touched_at > now - make_interval(days => _days) THEN
        RETURN NULL;
    END IF;
    SELECT at INTO last FROM events WHERE game_id = _game AND seq = g.version;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF g.deadline IS NULL AND last <= now - make_interval(days => _days) THEN
        last := greatest(g.touched_at, last);
        UPDATE games
        SET touched_at = last, status = 'archived', version = version + 1, writes = writes + 1
        WHERE id = _game;
        INSERT INTO events (game_id, seq, at, turn, public) VALUES (_game, g.version + 1, now, g.turn, _event);
        DELETE FROM awaited WHERE game_id = _game;
        RETURN g.version + 1;
    END IF;
    last := greatest(g.touched_at, last, g.deadline, CASE WHEN g.deadline IS NOT NULL THEN now END);
    UPDATE games SET touched_at = last WHERE id = _game;
    RETURN 0;
END
""")
_FORGET = SQL("""
BEGIN
    PERFORM 1
    FROM games
    WHERE id = _game AND status = 'over' AND NOT rated AND tournament IS NULL
    FOR UPDATE SKIP LOCKED;
    IF NOT FOUND OR {chosen} THEN
        RETURN false;
    END IF;
    {deleted}
    DELETE FROM games WHERE id = _game;
    RETURN true;
END
""")

_PUT_OFF = SQL("""
DECLARE
    g record;
    till timestamptz;
    lost_since timestamptz;
    ticked json;
BEGIN
    SELECT deadline, put_off_at, turn_seconds, turn, version, clocks
    INTO g
    FROM games
    WHERE id = _game
    FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    lost_since := CASE
        WHEN _begun AND g.put_off_at > _before AND g.put_off_at < _now THEN g.put_off_at
        ELSE _before
    END;
    IF g.clocks IS NOT NULL THEN
        ticked := {ticked};
        till := {deadline};
    ELSE
        till := g.deadline + greatest(_now - lost_since, interval '0');
        till := least(till, _now + make_interval(secs => g.turn_seconds));
    END IF;
    UPDATE games
    SET deadline = till, clocks = ticked, put_off_at = _now, writes = writes + 1, version = version + 1
    WHERE id = _game;
    INSERT INTO events (game_id, seq, at, turn, public)
    VALUES (_game, g.version + 1, clock_timestamp(), g.turn, _event);
    RETURN g.version + 1;
END
""").format(
    ticked=clocks.put_off(SQL("g.clocks"), begin=SQL("lost_since"), now=SQL("_now"), forward=SQL("_before < _now")),
    deadline=clocks.deadline(SQL("ticked")),
)

ARCHIVE = Function("archive", {"game": "uuid", "days": "int", "event": "json"}, "bigint", _ARCHIVE)
PUT_OFF = Function(
    "put_off",
    {"game": "uuid", "before": "timestamptz", "now": "timestamptz", "begun": "boolean", "event": "json"},
    "bigint",
    _PUT_OFF,
)


def forget(*, noting: bool) -> Function:
    """`noting`: there is an outbox, too."""
    rows = SQL("").join(
        SQL("DELETE FROM {table} WHERE game_id = _game;").format(table=Identifier(table))
        for table in (*OF_A_GAME, *(("outbox",) if noting else ()))
    )
    return Function("forget", {"game": "uuid"}, "boolean", _FORGET.format(chosen=chosen(SQL("_game")), deleted=rows))
