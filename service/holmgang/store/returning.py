"""Functions of the database for the start of a game, and for players who return to one."""

from __future__ import annotations

from psycopg.sql import SQL

from . import clocks
from .asking import STAND_IN, Tell, ask, starting
from .function import Function


def revive(tell: Tell) -> Function:
    given = {"game": "uuid", "at": "timestamptz", "turn": "int", "kind": "text", "asked": "smallint[]"}
    body = _REVIVE.format(
        declared=clocks.DECLARED,
        columns=clocks.COLUMNS,
        starting=starting(SQL("_asked")),
        clocks=clocks.after(),
        stand_in=STAND_IN,
        ask=ask(tell),
    )
    return Function("revive", given, "void", body)


_REVIVE = SQL("""
DECLARE
    g record;
    now timestamptz := _at;
    till timestamptz;
    stand_in text;
    _absent smallint[] := '{{}}';
    {declared}
BEGIN
    SELECT absence, ruleset, started_at, {columns} INTO g FROM games WHERE id = _game FOR NO KEY UPDATE;
    stand_in := {stand_in};
    IF g.clocks IS NOT NULL THEN
        {starting}
        {clocks}
    ELSIF g.started_at IS NOT NULL THEN
        till := now + make_interval(secs => g.turn_seconds);
    END IF;
    UPDATE games
    SET
        status = CASE WHEN started_at IS NULL THEN 'open' ELSE 'active' END,
        deadline = till,
        clocks = ticked,
        writes = writes + 1
    WHERE id = _game;
    {ask}
END
""")


def start(tell: Tell) -> Function:
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


def end_absence(tell: Tell) -> Function:
    given = {
        "game": "uuid",
        "seat": "smallint",
        "at": "timestamptz",
        "anew": "boolean",
        "stood": "boolean",
        "chooses": "boolean",
    }
    told = tell(
        "turn.waiting",
        SQL("a.seat"),
        SQL("awaited a"),
        SQL("a.player_id"),
        SQL("a.game_id = _game AND a.seat = _seat"),
    )
    body = _RETURN.format(
        declared=clocks.DECLARED,
        columns=clocks.COLUMNS,
        starting=starting(SQL("ARRAY(SELECT seat FROM awaited WHERE game_id = _game AND seat = _seat)")),
        clocks=clocks.after(back=SQL("_seat"), refilled=SQL("_stood")),
        told=told,
    )
    return Function("end_absence", given, "void", body)


_RETURN = SQL("""
DECLARE
    g record;
    now timestamptz := _at;
    till timestamptz;
    _turn int;
    _absent smallint[] := '{{}}';
    {declared}
BEGIN
    SELECT ruleset, status, version, turn, {columns} INTO g FROM games WHERE id = _game FOR NO KEY UPDATE;
    UPDATE seats SET absent_since = NULL WHERE game_id = _game AND seat = _seat;
    UPDATE awaited SET played_by = NULL, claimed_until = NULL WHERE game_id = _game AND seat = _seat;
    IF NOT _chooses THEN
        SELECT turn INTO _turn FROM awaited WHERE game_id = _game AND seat = _seat;
        {told}
    END IF;
    IF g.clocks IS NOT NULL THEN
        {starting}
        {clocks}
        UPDATE games
        SET deadline = till, clocks = ticked, version = version + coalesce(cardinality(charged), 0)
        WHERE id = _game;
        INSERT INTO events (game_id, seq, at, turn, public)
        SELECT _game, g.version + e.n, now, g.turn, e.public
        FROM unnest(charged) WITH ORDINALITY AS e (public, n);
    ELSIF _anew AND g.status = 'active' THEN
        now := now + make_interval(secs => g.turn_seconds);
        UPDATE games SET deadline = now WHERE id = _game;
    END IF;
END
""")
