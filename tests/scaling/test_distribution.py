"""The statements of docs/pages/how-to/scale.md that distribute the tables, run on partitions in the place of shards:
Citus is in none of the package archives that this project installs from."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from holmgang.store.database import PostgresStore, conninfo
from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.tables import metadata
from holmgang.worker.loop import Worker
from tests.e2e.fenced import REPOSITORY, blocks_of
from tests.integration.tables import seat_players
from tests.integration.test_submissions import feed_is_gapless, log_replays

DOCUMENT = REPOSITORY / "docs/pages/how-to/scale.md"
STAND_IN = (Path(__file__).parent / "citus_stand_in.sql").read_text(encoding="utf-8")
(DISTRIBUTE,) = (
    block.text
    for block in blocks_of("docs/pages/how-to/scale.md", DOCUMENT.read_text(encoding="utf-8"))
    if block.language == "sql"
)
SUITES = (
    *(f"tests/integration/test_{name}.py" for name in ("absence", "archive", "ratings", "submissions")),
    *(f"tests/integration/api/test_{name}.py" for name in ("games", "play", "waiting", "idempotency", "webhooks")),
)
PLANS_OF_ONE_TABLE = (
    "tests/integration/test_absence.py::test_late_games_are_found_by_an_index",
    "tests/integration/test_archive.py::test_it_is_found_by_an_index_among_a_hundred_thousand",
    "tests/integration/test_ratings.py::test_the_worker_finds_what_to_count_by_an_index",
)
"""They name the index that Postgres is to take, where there is one for each part now."""
CROSSING = (
    "SELECT a.game_id, g.ruleset, a.seat, a.turn, a.kind, a.since, g.deadline FROM awaited a",
    "SELECT count(*) FROM games WHERE creator =",
    "SELECT g.id FROM games g WHERE g.empty_since <",
    "DELETE FROM answers WHERE (player_id, key) IN",
    "SELECT g.id, g.ruleset, g.ruleset_version, g.status,",
    "SELECT s.game_id, a.seat IS NOT NULL,",
    "SELECT game_id, seat, player_id, side, rank,",
    "SELECT id FROM games WHERE deadline <=",
    "SELECT r.ruleset, g.id FROM unnest(",
    "SELECT coalesce(extract(epoch FROM clock_timestamp() - min(deadline)), 0) FROM games",
    "SELECT status, count(*) FROM games",
    "SELECT played_by, count(*) FROM awaited",
    "SELECT here.n, t.id,",
    "SELECT t.digest, t.id,",
    "SELECT DISTINCT player_id FROM seats WHERE game_id = ANY",
    "UPDATE awaited SET claimed_until = clock_timestamp() + make_interval(secs => %s) WHERE (game_id, seat) IN",
    "WITH held AS (SELECT at, putting_off_since",
    "WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at",
)
"""Beginnings of the statements that the document says to cross shards."""


@pytest.fixture
def distributed(database: str) -> str:
    with psycopg.connect(conninfo(database), autocommit=True) as connection:
        connection.execute(STAND_IN.encode())
        connection.execute(DISTRIBUTE.encode())
    return database


@pytest.fixture
def store(distributed: str) -> Iterator[PostgresStore]:
    store = PostgresStore(distributed, pool_size=4)
    yield store
    store.close()


@pytest.mark.parametrize("ruleset", ["eketorp", "drakkars", "claim"])
def test_games_are_played_on_the_distributed_tables(store: PostgresStore, ruleset: str, distributed: str) -> None:
    table = seat_players(store, 4, ruleset=ruleset, bots={3: "random"})
    worker = Worker(store)
    while table.row().status == "active":
        if not worker.work():
            table.play(turns=1)
    log_replays(table)
    feed_is_gapless(table)
    with psycopg.connect(conninfo(distributed)) as connection:
        parts = connection.execute("SELECT DISTINCT tableoid::regclass::text FROM log").fetchall()
    assert len(parts) == 1
    assert re.fullmatch(r"log_\d", parts[0][0])


def test_every_table_has_its_place() -> None:
    """What the document says of each is what its statements do, for all tables of the newest schema."""
    text = DOCUMENT.read_text(encoding="utf-8")
    done = dict.fromkeys(re.findall(r"create_distributed_table\('(\w+)'", DISTRIBUTE), "distributed")
    done |= dict.fromkeys(re.findall(r"create_reference_table\('(\w+)'", DISTRIBUTE), "reference")
    told: dict[str, str] = {}
    for row in re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (distributed|reference|local)\b", text, re.MULTILINE):
        told |= dict.fromkeys(re.findall(r"\w+", row[0]), row[1])
    assert set(told) == {*metadata.tables, "alembic_version"}
    assert {name: place for name, place in told.items() if place != "local"} == done


@pytest.mark.parametrize(
    ("statement", "refusal"),
    [
        ("SELECT create_distributed_table('games', 'creator')", "must hold the distribution column creator"),
        ("SELECT create_distributed_table('seats', 'game_id')", "refers"),
        ("SELECT create_distributed_table('games', 'id')", "refers to a distributed table from one that is none"),
        ("SELECT create_reference_table('tokens')", "one on the coordinator"),
    ],
)
def test_what_does_not_fit_is_refused(database: str, statement: str, refusal: str) -> None:
    with psycopg.connect(conninfo(database), autocommit=True) as connection:
        connection.execute(STAND_IN.encode())
        with pytest.raises(psycopg.errors.RaiseException, match=refusal):
            connection.execute(statement.encode())


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_suites_pass_and_only_known_statements_cross_shards(open_folder: Path) -> None:
    schema = open_folder / "schema.sql"
    schema.write_text(STAND_IN + DISTRIBUTE)
    explaining: dict[str, str | int] = {
        "session_preload_libraries": "auto_explain",
        "auto_explain.log_min_duration": 0,
        "auto_explain.log_analyze": "on",
        "auto_explain.log_timing": "off",
        "auto_explain.log_format": "json",
        "log_line_prefix": "%a: ",
        "fsync": "off",
        "max_connections": 200,
    }
    with EmbeddedPostgres(open_folder / "database", explaining) as server:
        environ = {
            **os.environ,
            "TEST_DATABASE_URL": server.url,
            "TEST_SCHEMA_SQL": str(schema),
            # For connections of the tests alone, since the service's have options of their own.
            "PGOPTIONS": "-c auto_explain.log_min_duration=-1",
        }
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SUITES]
        command += [f"--deselect={name}" for name in PLANS_OF_ONE_TABLE]
        done = subprocess.run(
            command, cwd=REPOSITORY, env=environ, capture_output=True, text=True, check=False, timeout=3000
        )
        crossing = _crossing(server.log)
    assert done.returncode == 0, done.stdout[-6000:]
    assert crossing, "the log was read"
    of_tests = _texts_of_tests()
    assert [text for text in crossing if not text.startswith(CROSSING) and text[:60] not in of_tests] == []


def _texts_of_tests() -> str:
    """Their sources, with statements in one piece: some are sent by the service's own connections."""
    sources = "".join(file.read_text(encoding="utf-8") for file in (REPOSITORY / "tests/integration").rglob("*.py"))
    return re.sub(r'"\s+f?"', "", sources)


def _crossing(log: Path) -> set[str]:
    """Statements of the service that looked into several shards."""
    crossing = set()
    for plan in _plans(log):
        if len({name[-1] for name in _touched(plan["Plan"])}) > 1:
            crossing.add(re.sub(r"\$\d+", "%s", " ".join(plan["Query Text"].split())))
    return crossing


def _plans(log: Path) -> Iterator[dict[str, Any]]:
    """What connections of the service had carried out; those of tests have no name."""
    lines: list[str] | None = None
    with log.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if lines is not None and line.startswith("\t"):
                lines.append(line)
                continue
            if lines:
                yield json.loads("".join(lines))
            lines = [] if line.startswith("holmgang: ") and line.rstrip().endswith("plan:") else None


def _touched(node: dict[str, Any]) -> Iterator[str]:
    """The partitions that were read or written below."""
    name = node.get("Relation Name", "")
    if re.fullmatch(r"\w+_\d", name) and node.get("Actual Loops"):
        yield name
    for below in node.get("Plans", ()):
        yield from _touched(below)
