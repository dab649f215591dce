"""The clocks of a game's seats: what a step of a game's function does to them. Here alone is computed what is spent.

`games.clocks` is NULL in games without banks and leave, whose turns end for all at once. In others it is a list with an
object for each seat, as `SeatClock` tells it. All of it is in whole milliseconds, times too: what two seats spend one
after the other adds up to the time that has passed, so that no sum of events drifts away from the clock.
"""

from __future__ import annotations

from psycopg.sql import SQL, Composable

from .function import Function

DECLARED = SQL("""
    ticked json;
    charged json[];
    starting smallint[];
    ms timestamptz;
""")
"""What a function declares that has `after` in it; `till` besides, a time."""
COLUMNS = SQL("clocks, bank_seconds, increment_seconds, turn_seconds, put_off_at")
"""What it reads of the game into `g`."""

_EVERY = SQL("""
    ROWS FROM (json_to_recordset({clocks}) AS (
        bank_ms bigint, turn_ms bigint, since timestamptz, leave_ms bigint, on_leave_since timestamptz
    )) WITH ORDINALITY AS c (bank_ms, turn_ms, since, leave_ms, on_leave_since, number)
""")
_MS = SQL("interval '1 millisecond'")
_DEADLINE = SQL("since + least(bank_ms, turn_ms) * {ms}").format(ms=_MS)
_WRITTEN = SQL("""
    json_agg(
        json_build_object(
            'bank_ms', bank_ms, 'turn_ms', turn_ms, 'since', since, 'deadline', {deadline},
            'leave_ms', leave_ms, 'on_leave_since', on_leave_since
        )
        ORDER BY number
    )
""").format(deadline=_DEADLINE)
_NOT, _NOBODY = SQL("false"), SQL("'{}'::smallint[]")
_NO_SEAT, _NEVER = SQL("NULL::smallint"), SQL("NULL::timestamptz")


def after(
    *,
    stops: SQL = _NOBODY,
    goes_on: SQL = _NOT,
    earns: SQL = _NO_SEAT,
    back: SQL = _NO_SEAT,
    refilled: SQL = _NOT,
    leaves: SQL = _NO_SEAT,
    here: SQL = _NOT,
    unkept: SQL = _NEVER,
) -> Composable:
    """Statements that make of `g.clocks` at `now` the next ones, `ticked`, the game's deadline `till`, and `charged`:
    events that say what banks have lost and gained.

    The clocks of `stops` stop and are charged; the seat that `earns` gets the increment. Those of the seats in the
    variable `starting` start, unless they run on: with the whole time of the turn, or what is left if it `goes_on`. The
    seat that is `back` from absence has an increment in its bank at least, or all of it if it is to be `refilled`. The
    seat that `leaves` is on leave from now on; those that are `here`, a condition on their `number` from 1, are so no
    more. `unkept` is the last pulse if it is too old for deadlines to hold: since then nobody has spent anything.
    """
    return _AFTER.format(
        every=_EVERY.format(clocks=SQL("g.clocks")),
        written=_WRITTEN,
        deadline=_DEADLINE,
        unit=_MS,
        stops=stops,
        goes_on=goes_on,
        earns=earns,
        back=back,
        refilled=refilled,
        leaves=leaves,
        here=here,
        unkept=unkept,
    )


# From the inside: what is, who stops and whose leave ends; what that comes to; what is then. With an OFFSET a subquery
# stays one: else the planner would write its expressions out wherever they are used, and plan and compute each.
_AFTER = SQL("""
    ms := date_trunc('milliseconds', now);
    SELECT
        {written},
        min({deadline}),
        array_agg(
            format(
                '{{"type":"bank_charged","seat":%s,"spent_ms":%s,"added_ms":%s,"left_ms":%s}}',
                number - 1, spent, added, bank_ms
            )::json
            ORDER BY number
        ) FILTER (WHERE bank_ms IS NOT NULL AND (stops OR added > 0))
    INTO ticked, till, charged
    FROM (
        SELECT
            number, stops, spent, added,
            bank_ms - spent + added AS bank_ms,
            CASE
                WHEN starts AND NOT {goes_on} THEN g.turn_seconds * 1000::bigint
                WHEN starts OR NOT stops THEN turn_ms - spent
            END AS turn_ms,
            CASE
                WHEN starts THEN greatest(ms, away + away_ms * {unit})
                WHEN NOT stops THEN CASE WHEN returns AND since > ms THEN ms ELSE since END
            END AS since,
            away_ms AS leave_ms,
            away AS on_leave_since
        FROM (
            SELECT
                number, since, bank_ms, turn_ms, stops, returns,
                number - 1 = ANY(starting) AND (stops OR since IS NULL) AS starts,
                CASE
                    WHEN NOT stops THEN 0
                    ELSE greatest(0, least(
                        round(extract(epoch FROM least(ms, unkept) - since) * 1000)::bigint,
                        bank_ms,
                        turn_ms
                    ))
                END AS spent,
                CASE
                    WHEN number - 1 = {earns} AND stops THEN coalesce(g.increment_seconds, 0) * 1000::bigint
                    WHEN number - 1 = {back} THEN greatest(
                        0,
                        CASE WHEN {refilled} THEN g.bank_seconds ELSE coalesce(g.increment_seconds, 0) END
                            * 1000::bigint - bank_ms
                    )
                    ELSE 0
                END AS added,
                CASE
                    WHEN number - 1 = {leaves} THEN ms
                    WHEN NOT returns THEN on_leave_since
                END AS away,
                CASE
                    WHEN returns THEN
                        greatest(0, leave_ms - round(extract(epoch FROM ms - on_leave_since) * 1000)::bigint)
                    ELSE leave_ms
                END AS away_ms
            FROM (
                SELECT
                    c.*,
                    since IS NOT NULL AND number - 1 = ANY({stops}) AS stops,
                    on_leave_since IS NOT NULL AND (
                        {here} OR on_leave_since + leave_ms * {unit} <= ms
                    ) AS returns,
                    date_trunc('milliseconds', CASE
                        WHEN {unkept} IS NULL THEN NULL
                        WHEN g.put_off_at > {unkept} AND g.put_off_at < now THEN g.put_off_at
                        ELSE {unkept}
                    END) AS unkept
                FROM {every}
                OFFSET 0
            ) AS is_now
            OFFSET 0
        ) AS becomes
        OFFSET 0
    ) AS next;
""")


def put_off(clocks: SQL, *, begin: SQL, now: SQL, forward: SQL) -> Composable:
    """An expression: `clocks` from which the time between `begin` and `now` is taken away, as an outage. If the clock
    was set back and not `forward`, those that would run in the future run from now on instead. NULL without clocks."""
    return _PUT_OFF.format(
        every=_EVERY.format(clocks=clocks),
        written=_WRITTEN,
        unit=_MS,
        begin=begin,
        now=now,
        forward=forward,
    )


def deadline(clocks: SQL) -> Composable:
    """An expression: when the first of the seats is late."""
    return SQL("(SELECT min((c ->> 'deadline')::timestamptz) FROM json_array_elements({clocks}) AS c)").format(
        clocks=clocks
    )


_PUT_OFF = SQL("""
    (
        SELECT {written}
        FROM (
            SELECT
                number, bank_ms, turn_ms, leave_ms,
                CASE
                    WHEN {forward} THEN since + greatest(interval '0', moment - greatest(since, outage))
                    WHEN since > moment THEN
                        greatest(moment, on_leave_since - greatest(on_leave_since - moment, '0') + leave_ms * {unit})
                    ELSE since
                END AS since,
                CASE WHEN on_leave_since > moment THEN moment ELSE on_leave_since END AS on_leave_since
            FROM
                {every},
                (
                    SELECT date_trunc('milliseconds', {begin}) AS outage, date_trunc('milliseconds', {now}) AS moment
                ) AS times
        ) AS shifted
    )
""")


LEAVE = Function(
    "leave",
    {"game": "uuid", "seat": "smallint", "at": "timestamptz", "begins": "boolean"},
    "bigint",
    SQL("""
DECLARE
    g record;
    now timestamptz := _at;
    till timestamptz;
    told json;
    {declared}
BEGIN
    SELECT version, turn, {columns} INTO g FROM games WHERE id = _game FOR NO KEY UPDATE;
    starting := '{{}}';
    IF _begins THEN
        IF (g.clocks -> _seat::int ->> 'since') IS NOT NULL THEN
            starting := ARRAY[_seat];
        END IF;
        {begun}
        told := format(
            '{{"type":"leave_begun","seat":%s,"left_ms":%s}}', _seat, ticked -> _seat::int ->> 'leave_ms'
        )::json;
    ELSE
        {ended}
        told := format(
            '{{"type":"leave_ended","seat":%s,"left_ms":%s}}', _seat, ticked -> _seat::int ->> 'leave_ms'
        )::json;
    END IF;
    charged := charged || told;
    UPDATE games
    SET deadline = till, clocks = ticked, version = version + cardinality(charged), writes = writes + 1
    WHERE id = _game;
    INSERT INTO events (game_id, seq, at, turn, public)
    SELECT _game, g.version + e.n, now, g.turn, e.public
    FROM unnest(charged) WITH ORDINALITY AS e (public, n);
    RETURN g.version + cardinality(charged);
END
""").format(
        declared=DECLARED,
        columns=COLUMNS,
        begun=after(stops=SQL("ARRAY[_seat]"), goes_on=SQL("true"), leaves=SQL("_seat")),
        ended=after(here=SQL("number - 1 = _seat")),
    ),
)
"""The game's version afterwards. What the seat has spent until its leave begins is charged then."""
