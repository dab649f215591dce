"""Everybody seeks, challenges, withdraws and is killed, and the history is clean.

MEETING_SECONDS and MEETING_CLIENTS make the long run shorter or longer; where a law is broken the history is kept.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from holmgang import Client
from holmgang.store.embedded import EmbeddedPostgres
from tests.e2e.running import Running
from tests.e2e.test_faults import kill_one
from tests.histories import counters, meeting
from tests.histories.meeters import Company, Meeter
from tests.histories.meeting import Kept, Wait, Wish
from tests.histories.test_racing import PLENTY, SETTLE_SECONDS
from tests.waiting import STARTED_S, wait_until

SECONDS = float(os.environ.get("MEETING_SECONDS", "300"))
CLIENTS = int(os.environ.get("MEETING_CLIENTS", "200"))
FAULT_EVERY = 20.0
SETTINGS = {**PLENTY, "SEEKS_PER_PLAYER": "10", "CHALLENGES_PER_PLAYER": "1000"}
EXPECTED = {
    "busy", "challenge_over", "database_unavailable", "game_not_active", "idempotency_in_flight", "limit_reached",
    "not_found", "not_yours", "seek_matched", "too_many_requests",
}  # fmt: skip
"""What a race explains. Anything else is a fault of the service or of the clients."""
ENDS = {"withdraw", "recall", "decline"}

Fault = Callable[[], None]


@pytest.fixture
def running(open_folder: Path, free_port: int) -> Iterator[Running]:
    service = Running(open_folder, free_port, settings=SETTINGS)
    yield service
    if service.process is not None and service.process.poll() is None:
        service.kill(database=True)


async def rush(running: Running, clients: int, seconds: float, pause: float, faults: Sequence[Fault]) -> Company:
    """So many clients for so long, each of which pauses for so long at most, while one fault follows another."""
    company = Company(running.url, pause)
    lives = [asyncio.create_task(Meeter(company, random.Random(n)).live()) for n in range(clients)]
    ends = time.monotonic() + seconds
    for fault in itertools.cycle(faults or [lambda: None]):
        left = ends - time.monotonic()
        if left <= 0:
            break
        await asyncio.wait(lives, timeout=min(FAULT_EVERY, left), return_when=asyncio.FIRST_EXCEPTION)
        if any(life.done() for life in lives):
            break
        if faults and time.monotonic() < ends:
            began = time.time()
            await asyncio.to_thread(_disturb, running, fault)
            company.history.faults.append((began, time.time() + SETTLE_SECONDS))
    company.stop.set()
    await asyncio.gather(*lives)
    return company


def _disturb(running: Running, fault: Fault) -> None:
    """Until the service answers again, and brings two together who seek what nobody else does: a worker that was killed
    takes a while to come back."""
    fault()
    wait_until(running.ready, "the service answers again", STARTED_S)
    pair = [Client.register(running.url, f"probe {uuid.uuid4().hex[:12]}", patience=120) for _ in range(2)]
    seeks = [client.create_seek("drakkars", 2, turn_seconds=600)["id"] for client in pair]
    for client, seek in zip(pair, seeks, strict=True):
        wait_until(lambda c=client, s=seek: c.seek(s)["game"], "two who fit each other meet", 120)  # type: ignore[misc]
        client.close()


def read(rows: psycopg.Connection[Any], company: Company) -> tuple[list[Kept], dict[str, list[str]], list[Wait]]:
    """What is kept of seeks and challenges, who sits in which game, and which seeks waited for how long."""
    with rows.cursor(row_factory=dict_row) as cursor:
        sought = cursor.execute("""
            SELECT id::text, player_id::text AS player, status, game_id::text AS game,
                extract(epoch FROM created_at)::float8 AS created, extract(epoch FROM ended_at)::float8 AS ended
            FROM seeks
        """).fetchall()
        challenged = cursor.execute("""
            SELECT c.id::text, c.status, c.game_id::text AS game, extract(epoch FROM c.created_at)::float8 AS created,
                extract(epoch FROM c.ended_at)::float8 AS ended,
                array_agg(p.player_id::text) || c.challenger_id::text AS players
            FROM challenges c
            JOIN challenged p ON p.challenge_id = c.id
            GROUP BY c.id
        """).fetchall()
        seated = cursor.execute("SELECT game_id::text AS game, player_id::text AS player FROM seats").fetchall()
    seats: dict[str, list[str]] = {}
    for row in seated:
        seats.setdefault(row["game"], []).append(row["player"])
    kept = [Kept(players=(row.pop("player"),), **row) for row in map(dict, sought)]
    waits = [
        Wait(row.id, _wish(company, row), row.created, row.ended or time.time())
        for row in kept
        if row.id in company.wishes
    ]
    return [*kept, *(Kept(players=tuple(row.pop("players")), **row) for row in map(dict, challenged))], seats, waits


def _wish(company: Company, row: Kept) -> Wish:
    asked = company.wishes[row.id]
    reach = asked["rating_below"]
    return Wish(
        player=asked["player"],
        terms=f"{asked['ruleset']} {asked['turn_seconds']}",
        seats=frozenset(asked["seats"]),
        bot=company.kinds[asked["player"]] == "bot",
        people=asked["wanted"] != "bots",
        bots=asked["wanted"] != "people",
        **({} if reach is None else {"lowest": 1500 - reach, "highest": 1500 + reach}),
    )


def judge(company: Company, database: str, folder: Path) -> None:
    """Every law holds of what was answered and of what is in the database; else the history is left in `folder`."""
    history = company.history
    with psycopg.connect(database) as rows:
        kept, seats, waits = read(rows, company)
        disagreements = counters.disagreements(rows)
    apart = {frozenset((who, whom)) for who, whom, _ in company.blocks}
    laws = {
        "one_game_by_one": meeting.one_game_by_one(history, kept, seats),
        "an_end_is_an_end": meeting.an_end_is_an_end(history, kept, ENDS),
        "all_are_kept": meeting.all_are_kept(history, kept, {"seek", "challenge"}),
        "blocks_hold": meeting.blocks_hold(company.blocks, kept, seats),
        "nobody_waits": meeting.nobody_waits_beside_company(waits, history.faults, apart=apart),
        "only_expected": (
            f"an unexpected refusal: {call}"
            for call in history.calls
            if call.status >= 400 and (code := call.facts.get("code")) not in EXPECTED
            if (call.what, code) != ("challenge", "invalid_field")  # somebody whom one blocks oneself
        ),
    }
    breaches = {law: found for law, breach in laws.items() if (found := list(breach))}
    statuses, ends = Counter(call.status for call in history.calls), Counter(row.status for row in kept)
    print(
        f"{len(history.calls)} calls {dict(statuses)}, {company.kills} clients killed, {len(history.faults)} faults, "
        f"{len(company.blocks)} blocks; seeks and challenges {dict(ends)}; waited {_told(waits, kept)}"
    )
    if breaches or disagreements:
        history.write(Path(os.environ.get("MEETING_HISTORY", str(folder / "history.jsonl"))))
    assert {law: (len(found), found[:3]) for law, found in breaches.items()} == {}
    assert disagreements == []
    assert ends["matched"] > 10, "too few met"
    assert ends["accepted"] > 0


def _told(waits: Sequence[Wait], kept: Sequence[Kept]) -> str:
    matched = {row.id for row in kept if row.status == "matched"}
    times = sorted(wait.until - wait.since for wait in waits if wait.seek in matched)
    if not times:
        return "nothing"
    return f"p50 {times[len(times) // 2]:.2f} s, p99 {times[int(0.99 * len(times))]:.2f} s where matched"


def meet(
    running: Running, folder: Path, clients: int, seconds: float, pause: float, faults: Sequence[Fault] = ()
) -> None:
    running.start()
    company = asyncio.run(rush(running, clients, seconds, pause, faults))
    assert running.stop() == 0
    with EmbeddedPostgres(running.folder) as postgres:
        judge(company, postgres.url, folder)


@pytest.mark.long
@pytest.mark.timeout(180)
def test_a_short_rush_leaves_nobody_alone_beside_company(running: Running, tmp_path: Path) -> None:
    meet(running, tmp_path, 24, 10, 0.1)


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 600)
def test_a_long_rush_while_processes_are_killed(running: Running, tmp_path: Path) -> None:
    meet(
        running,
        tmp_path,
        CLIENTS,
        SECONDS,
        4.0,
        [lambda: kill_one(running, "worker"), lambda: kill_one(running, "api")],
    )
