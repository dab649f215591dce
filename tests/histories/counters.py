"""What all tables of a database say of the same things: the counts agree, whatever was raced for or killed."""

from __future__ import annotations

from typing import Any

import psycopg

from holmgang.store.database import PostgresStore
from tests.fuzz.ledger import Ledger
from tests.histories.checking import Kept

COUNTERS = {
    "a game's version is the number of its events, which have no gaps": """
        SELECT g.id, g.version, count(e.seq), max(e.seq) FROM games g LEFT JOIN events e ON e.game_id = g.id
        GROUP BY g.id HAVING g.version <> count(e.seq) OR g.version <> max(e.seq)""",
    "a game's entries are the rows of its log, which have no gaps": """
        SELECT g.id, g.entries, count(l.seq), max(l.seq) FROM games g LEFT JOIN log l ON l.game_id = g.id
        GROUP BY g.id HAVING g.entries <> count(l.seq) OR g.entries <> coalesce(max(l.seq) + 1, 0)""",
    "no event is of another turn than its game has reached": """
        SELECT g.id, g.turn, max(e.turn) FROM games g JOIN events e ON e.game_id = g.id
        GROUP BY g.id HAVING max(e.turn) > g.turn""",
    "who is awaited is asked in the current turn of an active game": """
        SELECT a.game_id, a.seat, a.turn, g.turn, g.status FROM awaited a JOIN games g ON g.id = a.game_id
        WHERE g.status <> 'active' OR a.turn <> g.turn""",
    "whom the service plays for is a bot or absent, and only such": """
        SELECT a.game_id, a.seat, a.played_by, s.absent_since FROM awaited a JOIN seats s USING (game_id, seat)
        WHERE (a.played_by IS NOT NULL) <> (s.bot IS NOT NULL OR s.absent_since IS NOT NULL)""",
    "no person chose anything since they are absent": """
        SELECT m.game_id, m.seat, m.turn FROM submissions m JOIN seats s USING (game_id, seat)
        WHERE s.bot IS NULL AND m.received_at >= s.absent_since""",
    "nobody who has resigned is awaited": """
        SELECT a.game_id, a.seat FROM awaited a JOIN seats s USING (game_id, seat) WHERE s.resigned_at IS NOT NULL""",
    "the clock of an active game runs while anybody is there": """
        SELECT g.id FROM games g WHERE g.status = 'active' AND g.turn_seconds IS NOT NULL AND g.deadline IS NULL
        AND EXISTS (SELECT FROM seats s WHERE s.game_id = g.id AND s.bot IS NULL AND s.absent_since IS NULL
        AND s.resigned_at IS NULL)""",
    "somebody is awaited in every active game": """
        SELECT g.id FROM games g WHERE g.status = 'active'
        AND NOT EXISTS (SELECT FROM awaited a WHERE a.game_id = g.id)""",
    "an active game has all its seats, each with another player or a bot": """
        SELECT g.id, g.seat_count, count(s.seat) FROM games g JOIN seats s ON s.game_id = g.id
        WHERE g.started_at IS NOT NULL GROUP BY g.id
        HAVING count(s.seat) <> g.seat_count OR max(s.seat) <> g.seat_count - 1""",
    "the choices of a seat in a turn have one id and revisions from 1 on": """
        SELECT game_id, turn, seat, count(*) FROM submissions GROUP BY 1, 2, 3
        HAVING count(DISTINCT id) <> 1 OR max(revision) <> count(*) OR min(revision) <> 1""",
    "no two choices have one id": """
        SELECT id FROM submissions GROUP BY id HAVING count(DISTINCT (game_id, turn, seat)) > 1""",
    "combats are numbered without gaps": """
        SELECT game_id, count(*), min(number), max(number) FROM combats GROUP BY 1
        HAVING max(number) - min(number) + 1 <> count(*)""",
    "nobody sits by an invitation that is used up": """
        SELECT i.id, i.uses, count(*) FROM invitations i JOIN seats s ON s.invitation = i.id
        GROUP BY i.id, i.uses HAVING count(*) > i.uses""",
    "a game that is over has a result, and only such a one": """
        SELECT id, status FROM games WHERE (status = 'over') <> (result IS NOT NULL AND ended_at IS NOT NULL)""",
    "every rated game changed the rating of each of its seats once": """
        SELECT r.player_id, r.ruleset, r.games, count(c.game_id) FROM ratings r
        LEFT JOIN rating_changes c ON c.player_id = r.player_id AND c.ruleset = r.ruleset
        GROUP BY 1, 2, 3 HAVING r.games <> count(c.game_id)""",
}


def disagreements(rows: psycopg.Connection[Any]) -> list[str]:
    """Each law of the counters that some rows break, with the first of them."""
    found = []
    rows.execute("SET citus.enable_repartition_joins = on")  # which means nothing to Postgres alone
    for law, statement in COUNTERS.items():
        broken = rows.execute(statement.encode()).fetchall()
        if broken:
            found.append(f"{law}: {len(broken)} do not, as {broken[:3]}")
    return found


def broken_games(url: str, games: list[str]) -> list[str]:
    """Games whose log, feed, receipts and awaited seats do not fit together, with what does not."""
    found = []
    store = PostgresStore(url, pool_size=2)
    with psycopg.connect(url, autocommit=True) as rows:
        for game in games:
            try:
                Ledger(store, rows, game).check()
            except AssertionError as breach:
                found.append(f"{game}: {breach}")
    store.close()
    return found


def kept_choices(rows: psycopg.Connection[Any]) -> list[Kept]:
    """Of persons: bots and stand-ins make theirs without a client."""
    found = rows.execute(
        "SELECT game_id::text, seat, turn, revision, id::text, action FROM submissions ORDER BY 1, 2, 3, 4"
    )
    return [Kept(*row) for row in found.fetchall()]
