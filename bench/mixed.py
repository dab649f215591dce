"""Mixed play by bots: whole games of all three kinds over HTTP, made, joined, waited in, and moved in, by 48 clients.

Every move is seen by all who wait in its game, and each of them asks anew: a submission brings about as many other
requests as its game has seats. The load is one event loop (`bench.bots`) on the same machine.
"""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.bots import Notes, Player, play_together
from bench.http import POOL_SIZE, PORT, serving
from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.migrate import upgrade

TABLES = (("eketorp", 4), ("drakkars", 3), ("claim", 2), ("claim", 3)) * 4
WARM_MOVES, WARM_SECONDS = 20 * len(TABLES), 60.0


def measure(seconds: float) -> dict[str, Any]:
    """Submissions a second, and the requests that waited for them."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs as another user
        with EmbeddedPostgres(Path(folder)) as postgres:
            upgrade(postgres.url)
            environ = {"DATABASE_URL": postgres.url, "POOL_SIZE": str(POOL_SIZE)}
            with serving("holmgang.bootstrap:create_app", PORT, environ):
                return asyncio.run(_measure(seconds))


async def _measure(seconds: float) -> dict[str, Any]:
    notes, rng = Notes(), random.Random(8)
    tables = []
    for number, (ruleset, seats) in enumerate(TABLES):
        names = (f"bench {number} {seat}" for seat in range(seats))
        tables.append((ruleset, [await Player.register(PORT, notes, name, rng) for name in names]))
    tasks = [asyncio.create_task(_again_and_again(players, ruleset)) for ruleset, players in tables]
    deadline = time.monotonic() + WARM_SECONDS
    while notes.moves < WARM_MOVES and time.monotonic() < deadline and not any(task.done() for task in tasks):
        await asyncio.sleep(0.05)
    moves, polls, started = notes.moves, notes.polls, time.monotonic()
    await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    took = time.monotonic() - started
    for task in tasks:
        if task.done():
            task.result()  # raises what ended it
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    notes.hang_up()
    times = sorted(each for at, each in notes.times["move"] if at >= started)
    return {
        "clients": sum(seats for _, seats in TABLES),
        "per_second": round((notes.moves - moves) / took),
        "waits_per_second": round((notes.polls - polls) / took),
        "p50_ms": round(times[len(times) // 2] * 1000, 2),
        "p99_ms": round(times[int(len(times) * 0.99)] * 1000, 2),
    }


async def _again_and_again(players: list[Player], ruleset: str) -> None:
    while True:
        await play_together(players, ruleset)
