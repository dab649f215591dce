"""What it costs to bring players together where many wait, in this process on a database of its own.

`pairing`: an arena in which everybody is free and remembers ten tables. Who meets whom is found in memory; a beat also
reads who is free and writes their tables down, which is one transaction of a worker. Beside it stand seeks.
"""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import psycopg
from uuid_utils.compat import uuid7

from bench import seeks
from holmgang.app.accounts.players import register
from holmgang.app.accounts.tokens import authenticate
from holmgang.app.records.terms import Terms
from holmgang.app.records.tournaments import Plan
from holmgang.app.tournaments import endless, making
from holmgang.store.database import PostgresStore
from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.migrate import upgrade
from holmgang.tournaments.endless import REMEMBERED

WAITING = 10_000
TABLES = ((2, ()), (4, (2, 3)))
"""Seats at a table, and how many may sit there where numbers do not go even."""


def measure(rounds: int) -> dict[str, dict[str, Any]]:
    """Milliseconds, medians of the rounds."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs as another user
        with EmbeddedPostgres(Path(folder)) as postgres:
            upgrade(postgres.url)
            store = PostgresStore(postgres.url, pool_size=2)
            try:
                pairings = {
                    f"pairing, tables of {seats}, {WAITING:,} free": _pairing(postgres.url, store, seats, sizes, rounds)
                    for seats, sizes in TABLES
                }
                return pairings | seeks.measure(postgres.url, store, rounds)
            finally:
                store.close()


def _pairing(url: str, store: PostgresStore, seats: int, sizes: tuple[int, ...], rounds: int) -> dict[str, Any]:
    found, beats = [], []
    for n in range(rounds):
        arena = _arena(url, store, seats, sizes, random.Random(n))
        with store.reading() as tables:
            locked, now = tables.look_at_tournament(arena), tables.now()
            free = tables.free_contenders(arena)
        assert locked is not None
        began = time.perf_counter()
        endless.beat(locked.tournament, free, now)
        found.append(time.perf_counter() - began)
        began = time.perf_counter()
        with store.transaction() as tables:
            held = tables.lock_tournament(arena)
            assert held is not None
            assert endless.go_on(tables, held)
        beats.append(time.perf_counter() - began)
    return {"found_ms": round(1000 * median(found)), "beat_ms": round(1000 * median(beats))}


def _arena(url: str, store: PostgresStore, seats: int, sizes: tuple[int, ...], rng: random.Random) -> UUID:
    """One that is under way, with everybody free."""
    with store.transaction() as tables:
        _, _, secret = register(tables, "Bench")
        plan = Plan(seats=seats, sizes=sizes, seconds=3600)
        terms = Terms(ruleset="claim", turn_seconds=60)
        maker = authenticate(tables, secret)
        arena = making.create(tables, maker, terms, name="Bench", kind="arena", plan=plan)[0].id
        making.begin_by_hand(tables, maker, arena)
    names = [str(uuid7()) for _ in range(WAITING)]
    played: dict[str, list[list[str]]] = {name: [] for name in names}
    for _ in range(REMEMBERED):
        order = rng.sample(names, len(names))
        for at in range(0, len(order) - seats + 1, seats):
            for name in (table := order[at : at + seats]):
                played[name].append(table)
    with psycopg.connect(url) as rows, rows.cursor() as cursor:
        entry = "COPY tournament_entries (tournament_id, id, player_id) FROM STDIN"
        with cursor.copy(entry) as copy:
            for name in names:
                copy.write_row((arena, name, name))
        contender = "COPY tournament_contenders (tournament_id, id, free_since, points, mu, sigma, tables) FROM STDIN"
        with cursor.copy(contender) as copy:
            for name in names:
                points = rng.randrange(40)
                copy.write_row((arena, name, "2026-01-01", points, 25.0, 8.0, json.dumps(played[name])))
    return arena
