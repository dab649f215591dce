"""Functions of the database that read a game on its own node, for one caller.

The coordinator passes a call on as it is, while it plans a join anew each time, and so does the node. In a function
each statement on one table is planned once for a session. All are STABLE: they see the game at one moment. Whether they
show it is the rule of `sight`; who may see its tournament, which they do not know, is `admitted`.
"""

from __future__ import annotations

from psycopg.sql import SQL, Composable

from .function import Function
from .invitations import live
from .sources import RUNS

_CALLER = {
    "game": ("g.id", "uuid"),
    "ruleset": ("g.ruleset", "text"),
    "status": ("g.status", "text"),
    "seat_count": ("g.seat_count", "smallint"),
    "version": ("g.version", "bigint"),
    "turn": ("g.turn", "int"),
    "spectators": ("g.spectators", "boolean"),
    "practice": ("g.practice", "boolean"),
    "creator": ("g.creator", "uuid"),
    "seat": ("s.seat", "smallint"),
    "revision": ("coalesce(s.revision, 0)", "int"),
    "absent": ("s.absent_since IS NOT NULL", "boolean"),
}
_SNAPSHOT = {
    "ruleset_version": ("g.ruleset_version", "text"),
    "options": ("g.options", "json"),
    "writes": ("g.writes", "bigint"),
    "kind": ("g.kind", "text"),
    "state": ("g.state", "bytea"),
    "pending": ("g.pending", "text"),
    "entries": ("g.entries", "int"),
    "deadline": ("g.deadline", "timestamptz"),
    "clocks": ("g.clocks", "json"),
}
_ROW = {
    "draws": ("g.draws", "int"),
    "seed": ("g.seed", "bytea"),
    "entropy": ("g.entropy", "bytea"),
    "head": ("coalesce(g.head, '')", "bytea"),
    "absence": ("g.absence", "text"),
    "clock_runs": (RUNS.as_string(), "boolean"),
    "of_tournament": ("(g.tournament IS NOT NULL)", "boolean"),
    "late": ("coalesce(g.deadline <= clock_timestamp() AND _kept, false)", "boolean"),
    "increment_seconds": ("g.increment_seconds", "int"),
}
_TURN = {
    "now": ("clock_timestamp()", "timestamptz"),
    "last_seq": ("l.seq", "int"),
    "last_at": ("l.at", "timestamptz"),
    "last_entry": ("l.entry", "text"),
    "last_submitted": ("coalesce(submitted, '{}')", "smallint[]"),
    "chosen": ("coalesce(sealed, '{}')", "smallint[]"),
    "own": ("mine", "uuid"),
}
_GAMES_SEEN = "id ruleset status seat_count version turn spectators practice creator visibility"
_GAMES_SHOWN = f"{_GAMES_SEEN} ruleset_version options writes kind state pending entries deadline clocks"
_GAMES_WRITTEN = f"{_GAMES_SHOWN} draws seed entropy head absence rated clock tournament increment_seconds"
"""Columns of games, the first of them for whoever asks."""

_PARAMETERS = {
    "game": "uuid",
    "invitation": "bytea",
    "player": "uuid",
    "sits": "uuid",
    "limited": "uuid",
    "admitted": "boolean",
}
_BODY = SQL("""
#variable_conflict use_column
DECLARE
    g record;
    s record;
    l record;
    submitted smallint[];
    sealed smallint[];
    mine uuid;
BEGIN
    SELECT {columns} INTO g FROM games WHERE id = _game;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT seat, revision, absent_since INTO s FROM seats WHERE game_id = _game AND player_id = _sits;
    IF (
        g.visibility = 'public'
        OR _admitted
        OR ((_limited IS NULL OR _limited = _game) AND (g.creator = _player OR s.seat IS NOT NULL))
    ) IS NOT TRUE
    THEN
        IF _invitation IS NULL THEN
            RETURN;
        END IF;
        PERFORM FROM invitations i WHERE i.game_id = _game AND i.digest = _invitation AND {live};
        IF NOT FOUND THEN
            RETURN;
        END IF;
    END IF;
    {more}
    RETURN QUERY SELECT {values};
END
""")
_LAST = SQL("""
    SELECT seq, at, entry
    INTO l
    FROM log
    WHERE game_id = _game AND (g.status = 'over' OR (entry::json ->> 'turn')::int < g.turn)
    ORDER BY seq DESC
    LIMIT 1;
    IF FOUND THEN
        SELECT array_agg(seat)
        INTO submitted
        FROM submissions
        WHERE game_id = _game AND turn = (l.entry::json ->> 'turn')::int;
    END IF;
    SELECT array_agg(seat) INTO sealed FROM submissions WHERE game_id = _game AND turn = g.turn;
    SELECT id
    INTO mine
    FROM submissions
    WHERE game_id = _game AND turn = g.turn AND seat = coalesce(_as_seat, s.seat)
    ORDER BY revision DESC
    LIMIT 1;
""")


def _read(
    name: str, games: str, *columns: dict[str, tuple[str, str]], more: Composable | None = None, **parameters: str
) -> Function:
    every = {column: told for each in columns for column, told in each.items()}
    return Function(
        name,
        {**_PARAMETERS, **parameters},
        f"TABLE ({', '.join(f'{column} {kind}' for column, (_, kind) in every.items())}) STABLE",
        _BODY.format(
            columns=SQL(", ".join(games.split())),
            live=live(SQL("_game")),
            more=more or SQL(""),
            values=SQL(", ".join(value for value, _ in every.values())),
        ),
    )


FIND_CALLER = _read("find_caller", _GAMES_SEEN, _CALLER)
VIEW_CONTEXT = _read("view_context", _GAMES_SHOWN, _CALLER, _SNAPSHOT)
MOVE_CONTEXT = _read("move_context", _GAMES_WRITTEN, _CALLER, _SNAPSHOT, _ROW, kept="boolean")
TURN_CONTEXT = _read("turn_context", _GAMES_SHOWN, _CALLER, _SNAPSHOT, _TURN, more=_LAST, as_seat="smallint")
READS = (FIND_CALLER, VIEW_CONTEXT, MOVE_CONTEXT, TURN_CONTEXT)
