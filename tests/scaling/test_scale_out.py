"""The deployment as `compose.yaml` has it, on this machine: PgBouncer between, Caddy before, replicas and workers that
are killed in the middle. All games finish, nothing is lost or happens twice, and every record holds."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from bench.deployment import Deployment, Part, deployed, keeps_statements, missing_programs
from holmgang.store.database import LOCK_TIMEOUT_MS, STATEMENT_TIMEOUT_MS
from tests.scaling.players import Player, Seat, Spectator, person
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing_programs()), reason="needs pgbouncer and caddy: apt-get install pgbouncer caddy"),
]

GAMES = 30
KINDS = (("claim", 2, 0), ("drakkars", 2, 1), ("eketorp", 2, 1))
"""Ruleset, persons and built-in bots of the games, in turns."""
SECONDS = 1200.0
POOL = 20
"""`default_pool_size` of deploy/pgbouncer.ini."""


@pytest.fixture
def deployment() -> Iterator[Deployment]:
    # A server that is not by itself in UTC: what clients get must come from `connect_query`.
    with deployed(parameters={"timezone": "America/New_York"}) as running:
        yield running


@pytest.mark.timeout(1800)
def test_all_games_finish_while_replicas_and_workers_are_killed(deployment: Deployment, tmp_path: Path) -> None:
    people, games = seat_games(deployment)
    spectators = [Spectator(deployment.url, game) for game in games]
    players = [Player(seat) for seat in people]
    for thread in (*spectators, *players):
        thread.start()
    began = time.monotonic()
    one, two = deployment.replicas.values()
    faults: list[Callable[[], object]] = [
        one.kill,
        lambda: one.start().ready(),
        deployment.workers[0].kill,
        deployment.add_worker,
        two.kill,
        lambda: two.start().ready(),
        lambda: restart(deployment.pooler),
    ]
    sessions: Counter[str] = Counter()
    for number, fault in enumerate(faults, start=1):
        get_on(people, number * 200)
        sessions |= sessions_of(deployment)
        fault()
    for thread in (*players, *spectators):
        thread.join(max(1.0, began + SECONDS - time.monotonic()))
    took = time.monotonic() - began

    assert [wrong for seat in people for wrong in seat.wrong] == []
    assert [seat for seat in people if not seat.over] == [], last_lines(deployment)
    ledgers = [*(seat.ledger for seat in people), *(each.ledger for each in spectators)]
    assert [each for ledger in ledgers for each in ledger.unmarked] == []
    statuses = sum((ledger.statuses for ledger in ledgers), Counter[int]())
    assert set(statuses) <= {200, 201, 304, 502, 503}, statuses
    no_errors_of_ours(deployment)
    every_choice_is_there_once(deployment, people)
    every_event_was_heard(deployment, spectators)
    ratings_are_counted(deployment, games)
    sessions_are_as_meant(deployment, sessions)
    every_record_holds(people, tmp_path)
    made = sum(len(seat.receipts) for seat in people)
    lost = sum(ledger.lost for ledger in ledgers)
    print(f"{len(games)} games, {made} choices of persons in {took:.0f} s; answers {dict(statuses)}, {lost} lost")


def restart(part: Part) -> None:
    part.kill()
    part.start()


def seat_games(deployment: Deployment) -> tuple[list[Seat], list[str]]:
    """Persons at new games of all kinds, each made by a request that is sent thrice at once under one key."""
    people, games = [], []
    for number in range(GAMES):
        ruleset, persons, bots = KINDS[number % len(KINDS)]
        clients = [person(deployment.url, f"player {n}") for n in range(persons)]
        creator = clients[0][0]
        assert creator.token is not None
        body = {"ruleset": ruleset, "seats": persons + bots, "rated": True, "turn_seconds": 600}
        game = made_once(deployment.url, creator.token, body)
        for client, _ in clients[1:]:
            client.take_seat(game)
        for _ in range(bots):
            creator.seat_bot(game, "random")
        games.append(game)
        people += [Seat(game, seat, client, ledger) for seat, (client, ledger) in enumerate(clients)]
    return people, games


def made_once(url: str, token: str, body: dict[str, Any]) -> str:
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": str(uuid.uuid4())}

    def ask(_: int) -> str:
        while True:
            answer = httpx.post(f"{url}/v1/games", json=body, headers=headers, timeout=30)
            if answer.status_code == 409:
                assert answer.json()["code"] == "idempotency_in_flight"
                continue
            assert answer.status_code == 201, answer.text
            made: str = answer.json()["id"]
            return made

    with ThreadPoolExecutor(3) as hands:
        (game,) = set(hands.map(ask, range(3)))
    return game


def get_on(people: list[Seat], choices: int) -> None:
    wait_until(
        lambda: sum(len(seat.receipts) for seat in people) >= choices or any(seat.wrong for seat in people),
        f"{choices} choices are made",
        SECONDS,
    )
    assert [wrong for seat in people for wrong in seat.wrong] == []


def sessions_of(deployment: Deployment) -> Counter[str]:
    """Sessions on the database by application, now."""
    with psycopg.connect(deployment.direct) as connection:
        rows = connection.execute(
            "SELECT application_name FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchall()
    return Counter(name for (name,) in rows)


def sessions_are_as_meant(deployment: Deployment, most: Counter[str]) -> None:
    """Never more than the pool and one each for notifications; nothing is left in those of the pool."""
    listening = most.pop("holmgang wake-ups")
    processes = 2 * 2 + len(deployment.workers)
    assert 2 <= listening <= 2 * processes, "sessions of the killed may be seen beside their successors'"
    assert sum(most.values()) <= POOL, most
    with psycopg.connect(deployment.direct, autocommit=True) as connection:
        assert connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone() == (0,)
    with psycopg.connect(deployment.pooled, autocommit=True, prepare_threshold=None) as connection:
        for name, meant in (
            ("timezone", "UTC"),
            ("lock_timeout", f"{LOCK_TIMEOUT_MS // 1000}s"),
            ("statement_timeout", f"{STATEMENT_TIMEOUT_MS // 1000}s"),
        ):
            assert connection.execute(f"SHOW {name}".encode()).fetchone() == (meant,)
        statements = connection.execute("SELECT count(*) FROM pg_prepared_statements").fetchone()
        assert (statements != (0,)) == keeps_statements()
        assert connection.execute("SELECT count(*) FROM pg_listening_channels()").fetchone() == (0,)


def no_errors_of_ours(deployment: Deployment) -> None:
    for name, log in deployment.logs().items():
        if name in ("pgbouncer", "caddy"):
            continue
        lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
        assert lines or name.startswith("worker"), f"{name} logs nothing"
        worst = [line for line in lines if line["level"] in ("error", "critical")]
        assert worst == [], worst[:3]
        assert "Traceback" not in log, log[-3000:]


def every_choice_is_there_once(deployment: Deployment, people: list[Seat]) -> None:
    with psycopg.connect(deployment.direct) as connection:
        kept = connection.execute(
            "SELECT s.game_id::text, s.seat, s.turn, s.id::text, s.action FROM submissions s"
            " JOIN seats ON seats.game_id = s.game_id AND seats.seat = s.seat AND seats.bot IS NULL"
        ).fetchall()
        (games,) = connection.execute("SELECT count(*) FROM games").fetchone() or (0,)
    assert games == GAMES
    told = [(s.game, s.number, turn, *receipt) for s in people for turn, receipt in s.receipts.items()]
    assert len(kept) == len(told)
    assert sorted(map(repr, kept)) == sorted(map(repr, told))


def every_event_was_heard(deployment: Deployment, spectators: list[Spectator]) -> None:
    with psycopg.connect(deployment.direct) as connection:
        rows = connection.execute("SELECT game_id::text, array_agg(seq ORDER BY seq) FROM events GROUP BY 1").fetchall()
    there: dict[str, list[int]] = dict(rows)
    for spectator in spectators:
        assert spectator.ended
        assert spectator.heard == there[spectator.game] == list(range(1, len(spectator.heard) + 1))


def ratings_are_counted(deployment: Deployment, games: list[str]) -> None:
    def left() -> int:
        with psycopg.connect(deployment.direct) as connection:
            (count,) = connection.execute("SELECT count(*) FROM games WHERE rated_at IS NULL").fetchone() or (0,)
        return int(count)

    wait_until(lambda: left() == 0, "all rated games are counted", 60)
    with psycopg.connect(deployment.direct) as connection:
        numbers = connection.execute(
            "SELECT ruleset, array_agg(DISTINCT number ORDER BY number) FROM rating_changes GROUP BY ruleset"
        ).fetchall()
    assert {ruleset: list(range(1, len(games) // len(KINDS) + 1)) for ruleset, _, _ in KINDS} == dict(numbers)


def every_record_holds(people: list[Seat], folder: Path) -> None:
    """By the command that players use, with the commitment and the head that the service shows."""
    for seat in {seat.game: seat for seat in people}.values():
        game = seat.client.game(seat.game)
        file = folder / f"{seat.game}.json"
        file.write_text(json.dumps(seat.client.record(seat.game)))
        noted = ["--commitment", str(game["commitment"]), "--head", str(game["head"])]
        command = [sys.executable, "-m", "holmgang.cli.main", "verify", str(file), *noted]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout.startswith("The record holds")


def last_lines(deployment: Deployment) -> str:
    return "\n".join(f"{name}: {log[-1500:]}" for name, log in deployment.logs().items())


def test_who_would_wait_too_long_for_the_pool_is_told_to_ask_again(deployment: Deployment) -> None:
    """All connections of the pool are taken by strangers' transactions."""
    with ExitStack() as taken:
        for _ in range(POOL):
            connection = taken.enter_context(psycopg.connect(deployment.pooled, prepare_threshold=None))
            connection.execute("SELECT 1")
        port = deployment.replicas["api-1"].port
        answer = httpx.get(f"http://127.0.0.1:{port}/v1/games", timeout=30)
        assert answer.status_code == 503, answer.text
        assert answer.json()["code"] == "database_unavailable"
        assert answer.headers["Retry-After"] == "1"
    address = f"{deployment.url}/v1/games"
    wait_until(lambda: httpx.get(address, timeout=30).status_code == 200, "the service is back", 60)


def test_the_proxy_says_that_one_may_ask_again(deployment: Deployment) -> None:
    for replica in deployment.replicas.values():
        replica.kill()
    address = f"{deployment.url}/v1/rulesets"
    answer = httpx.get(address, timeout=30)
    assert answer.status_code in (502, 503)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Retry-After"] == "1"
    assert answer.json()["retryable"] is True
    assert answer.json()["status"] == answer.status_code
    for replica in deployment.replicas.values():
        replica.start()
    wait_until(lambda: httpx.get(address, timeout=30).status_code == 200, "the service is back", 60)
    assert httpx.get(f"{deployment.url}/v1/games/nonsense").json()["retryable"] is False


def test_the_demonstration_plays_by_way_of_the_proxy(deployment: Deployment) -> None:
    """The proxy keeps `/readyz` back, so that it cannot be asked whether a service is there."""
    command = [sys.executable, "-m", "holmgang.cli.main", "demo", "--url", deployment.url, "--game", "claim"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert told.returncode == 0, told.stderr
    assert "moves over HTTP" in told.stdout
