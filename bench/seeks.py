"""Seeks: 10,000 who wait in one pool, of ratings and ranges as they come; how long it takes a worker to look at all of
them, and how many games it makes in a second of what it found.
"""

from __future__ import annotations

import json
import random
import time
from collections import deque
from statistics import median
from typing import Any
from uuid import UUID

import psycopg
from uuid_utils.compat import uuid7

from holmgang.app.meeting import seeks
from holmgang.app.meeting.matching import Match
from holmgang.store.database import PostgresStore

WAITING = 10_000
MADE = 200
"""How many games are made of what was found."""
CROWDS = {
    "two, anybody": [2],
    "two, by ranges": [2],
    "two to four, by ranges": [2, 3, 4],
    "three, by ranges": [3],
    "three, of whom none fit": [3],
}
"""The numbers of seats. None fit where people want bots alone, and these want people."""


def measure(url: str, store: PostgresStore, rounds: int) -> dict[str, dict[str, Any]]:
    """By crowd: milliseconds of a look, medians of the rounds; who was matched; and games made in a second."""
    _players(url)
    return {f"{WAITING:,} seek: {crowd}": _looked(url, store, crowd, rounds) for crowd in CROWDS}


def _looked(url: str, store: PostgresStore, crowd: str, rounds: int) -> dict[str, Any]:
    looks, found = [], list[Match]()
    for n in range(rounds):
        _crowd(url, crowd, random.Random(n))
        began = time.perf_counter()
        with store.transaction() as tables:
            (pool,) = tables.pools(again=False)
            found = seeks.find(tables, pool)
        looks.append(time.perf_counter() - began)
    told: dict[str, Any] = {"beat_ms": round(1000 * median(looks)), "matched": sum(match.seats for match in found)}
    if found:
        rng, queue = random.Random(1), deque(found[:MADE])
        began = time.perf_counter()
        while queue:
            with store.transaction() as tables:
                assert seeks.bring_together(tables, queue.popleft(), rng) is not None
        told["games_per_second"] = round(min(MADE, len(found)) / (time.perf_counter() - began))
    return told


def _players(url: str) -> None:
    """With tokens, and ratings as those of people are spread."""
    rng = random.Random(7)
    with psycopg.connect(url) as rows, rows.cursor() as cursor:
        players = [uuid7() for _ in range(WAITING)]
        with cursor.copy("COPY players (id, name, kind) FROM STDIN") as copy:
            for n, player in enumerate(players):
                copy.write_row((player, f"Seeker {n}", "bot" if n % 3 else "person"))
        with cursor.copy("COPY tokens (digest, id, player_id, label, scopes) FROM STDIN") as copy:
            for player in players:
                copy.write_row((player.bytes, player, player, "bench", ["play"]))
        with cursor.copy("COPY ratings (player_id, ruleset, mu, sigma, ordinal, games, wins) FROM STDIN") as copy:
            for player in players:
                copy.write_row((player, "claim", rng.gauss(25, 8), 1.0, 0.0, 20, 10))


def _crowd(url: str, crowd: str, rng: random.Random) -> None:
    sizes = CROWDS[crowd]
    terms = json.dumps({"ruleset": "claim", "turn_seconds": 60})
    columns = (
        "id, player_id, token_id, ruleset, terms, pool, seats, games, wanted,"
        " rating_below, rating_above, rating_widens, live, expires_at"
    )
    with psycopg.connect(url) as rows, rows.cursor() as cursor:
        cursor.execute("DELETE FROM seeks")
        cursor.execute("SELECT id, kind = 'bot' FROM players WHERE name LIKE 'Seeker %' ORDER BY random()")
        players: list[tuple[UUID, bool]] = cursor.fetchall()
        with cursor.copy(f"COPY seeks ({columns}) FROM STDIN".encode()) as copy:
            for player, bot in players:
                reach = None if crowd == "two, anybody" else rng.choice((50, 100, 200, 400))
                wanted = "both" if crowd == "two, anybody" else rng.choice(("people", "both", "both"))
                if crowd == "three, of whom none fit":
                    wanted = "people" if bot else "bots"
                one = (uuid7(), player, player, "claim", terms, "pool", sizes, ["game"] * len(sizes), wanted)
                copy.write_row((*one, reach, reach, 0, True, "2099-01-01"))
        cursor.execute("ANALYZE seeks")
