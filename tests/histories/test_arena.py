"""An arena of bots over HTTP: whoever is free is at a table within a second, points add up, and all records verify.

ARENA_SECONDS and ARENA_BOTS make it shorter or longer.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import defaultdict
from typing import Any

import psutil
import psycopg
import pytest
from psycopg.rows import dict_row

from holmgang import AsyncClient, Bot, Client, any_action
from holmgang.tournaments.endless import arena_points
from tests.e2e.running import serving
from tests.histories import counters, meeting
from tests.histories.meeting import Stay
from tests.histories.test_racing import PLENTY

SECONDS = int(os.environ.get("ARENA_SECONDS", "600"))
BOTS = int(os.environ.get("ARENA_BOTS", "48"))
END_SECONDS = 300
"""How long the last games may take."""
WITHIN = 1.0

pytestmark = [pytest.mark.slow, pytest.mark.timeout(SECONDS + END_SECONDS + 300)]


class Thinker(Bot):
    """Takes a moment for a choice, and chooses anything."""

    look_seconds = 5.0

    async def choose(self, view: Any, legal: Any) -> Any:
        await asyncio.sleep(random.uniform(0.1, 0.5))  # it thinks
        return any_action(legal)


async def compete(url: str, arena: str) -> tuple[float, float]:
    """Until it is over. The memory of this process with all bots, in MB, after a third of the time and at the end."""
    clients = [await AsyncClient.register(url, f"Thinker {n}", kind="bot") for n in range(BOTS)]
    tokens = [client.token for client in clients]
    for client in clients:
        await client.close()
    bots = asyncio.gather(*(Thinker().play(url, token, tournament=arena) for token in tokens))
    await asyncio.wait({bots}, timeout=SECONDS / 3)
    warm = psutil.Process().memory_info().rss
    await bots
    return warm / 1e6, psutil.Process().memory_info().rss / 1e6


def stays_of(database: str, arena: str) -> tuple[list[Stay], list[dict[str, Any]]]:
    """When each was free by what was played, in seconds; and the tables in the order of their counting."""
    with psycopg.connect(database, row_factory=dict_row) as rows:
        begun = rows.execute(
            "SELECT extract(epoch FROM started_at)::float8 AS began, extract(epoch FROM ended_at)::float8 AS ended "
            "FROM tournaments WHERE id = %s",
            (arena,),
        ).fetchone()
        joined = rows.execute(
            "SELECT id::text, extract(epoch FROM joined_at)::float8 AS at FROM tournament_entries "
            "WHERE tournament_id = %s",
            (arena,),
        ).fetchall()
        played = rows.execute(
            """
            SELECT t.players::text[] AS players, t.points, t.counted, g.id::text AS game,
                extract(epoch FROM g.started_at)::float8 AS began, extract(epoch FROM g.ended_at)::float8 AS ended
            FROM tournament_tables t
            JOIN tournament_games o USING (tournament_id, round, at)
            JOIN games g ON g.id = o.game_id
            WHERE t.tournament_id = %s
            ORDER BY t.counted
            """,
            (arena,),
        ).fetchall()
    assert begun is not None
    free = {row["id"]: (max(row["at"], begun["began"]), frozenset[str]()) for row in joined}
    stays = []
    for table in sorted(played, key=lambda row: row["began"]):
        for player in table["players"]:
            since, last = free[player]
            stays.append(Stay(player, since, table["began"], last))
            free[player] = table["ended"], frozenset(table["players"])
    ends = begun["began"] + SECONDS
    stays += [Stay(player, since, ends, last, paired=False) for player, (since, last) in free.items() if since < ends]
    return stays, played


def test_in_an_arena_tables_fill_within_a_second(database: str) -> None:
    with serving(database, None, WORKERS="2", **PLENTY) as running, Client.register(running.url, "Host") as host:
        arena = host.create_tournament("Arena", "claim", 2, kind="arena", turn_seconds=60, seconds=SECONDS)["id"]
        host.start_tournament(arena)
        began = time.monotonic()
        memory = asyncio.run(asyncio.wait_for(compete(running.url, arena), SECONDS + END_SECONDS))
        took = time.monotonic() - began
        assert host.tournament(arena)["status"] == "over"
        shown = {line["entry"]: line["points"] for line in host.standings(arena)["items"]}
    print(f"{memory[0]:.0f} MB of all bots after a third of the time, {memory[1]:.0f} MB at the end")
    judge(database, arena, shown, took)


def judge(database: str, arena: str, shown: dict[str, float], took: float) -> None:
    """Tables filled in time, points are those of the rule, and the counters of all tables agree."""
    stays, played = stays_of(database, arena)
    waits = meeting.waits_for_a_table(stays)
    company = {(player, table["began"]): frozenset(table["players"]) for table in played for player in table["players"]}
    p50, p99 = meeting.percentile(waits, 0.5), meeting.percentile(waits, 0.99)
    repeats = sum(stay.paired and company[stay.player, stay.until] == stay.last for stay in stays)
    print(
        f"{len(played)} games of {len(shown)} bots in {took:.0f} s; who was free was at a table after "
        f"p50 {p50:.2f} s, p99 {p99:.2f} s, at most {waits[-1][0]:.2f} s; {repeats // 2} tables met again at once"
    )
    points, streaks = defaultdict[str, float](float), defaultdict[str, int](int)
    for table in played:
        for player, share in zip(table["players"], table["points"], strict=True):
            more, streaks[player] = arena_points(share, streaks[player])
            points[player] += more
    assert shown == {player: points[player] for player in shown}
    with psycopg.connect(database) as rows:
        assert counters.disagreements(rows) == []
    assert len(played) > BOTS
    assert p99 <= WITHIN
