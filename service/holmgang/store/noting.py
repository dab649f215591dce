"""How a game's node notes that the coordinator has to be told of it, and what it is told."""

from __future__ import annotations

from psycopg.sql import SQL, Composable


def noted(at: str) -> Composable:
    """The end of a function that has written a game, `at` a time: a row in the outbox, and the text that is returned
    says what the coordinator is to know."""
    return _NOTED.format(at=SQL(at))


# Each statement is about one table and names the game, so that it is planned for the node's own rows at once.
_NOTED = SQL("""
    DECLARE
        owing json;
        persons record;
        noted json;
    BEGIN
        SELECT json_agg(json_build_object(
            'game_id', game_id, 'seat', seat, 'player_id', player_id, 'turn', turn, 'kind', kind, 'since', since,
            'played_by', played_by
        ))
        INTO owing
        FROM awaited
        WHERE game_id = _game;
        SELECT
            array_agg(DISTINCT player_id) AS players,
            bool_or(absent_since IS NULL AND resigned_at IS NULL) AS there,
            bool_and(resigned_at IS NOT NULL) AS gone
        INTO persons
        FROM seats
        WHERE game_id = _game AND bot IS NULL;
        SELECT json_build_object(
            'id', id, 'writes', writes, 'version', version, 'ruleset', ruleset, 'creator', creator, 'status', status,
            'deadline', deadline, 'turn_seconds', turn_seconds, 'put_off_at', put_off_at,
            'rated', rated, 'ended_at', ended_at, 'empty_since', empty_since, 'rated_at', rated_at,
            'goes_on', CASE
                WHEN persons.players IS NULL THEN tournament IS NOT NULL
                ELSE rated OR clock = 'runs' OR persons.there OR persons.gone
            END,
            'players', coalesce(persons.players, '{{}}'),
            'awaited', coalesce(owing, '[]'),
            'at', clock_timestamp(),
            'written_at', {at}
        )
        INTO noted
        FROM games
        WHERE id = _game;
        INSERT INTO outbox (game_id, writes) VALUES (_game, (noted ->> 'writes')::bigint);
        RETURN noted::text;
    END;
""")
