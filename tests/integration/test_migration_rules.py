"""A deployment needs no pause: migrations lock nobody out for long, and code runs on the schema after its own."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import psycopg
import pytest
from alembic import command
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

from holmgang.cli.database import migrated
from holmgang.store import migrate
from holmgang.store.database import PostgresStore, conninfo
from holmgang.store.distribution import OLDEST_CODE
from holmgang.store.migrate import MIGRATIONS, alembic_config, upgrade
from holmgang.store.schema_version import SCHEMA_VERSION, fits
from holmgang.worker.loop import Worker
from tests.citus.databases import NEVER_BEFORE, ports
from tests.trees import python_path
from tests.waiting import wait_until

from .migration_rules import faults, statements
from .tables import seat_players

pytestmark = pytest.mark.long

REPOSITORY = Path(__file__).parents[2]
BEFORE_THE_RULES = "0008"
"""The last revision from before the first release, when there was no code before it to be kept running."""
LATER = "9000"
SCRIPTS = ScriptDirectory.from_config(alembic_config())
AFTER = [script for script in SCRIPTS.walk_revisions() if script.revision > BEFORE_THE_RULES]
LATEST = 4
"""Of which each run is broken off: what came before has not changed since."""
WITH_SCHEMA_BEFORE = [
    pytest.param(
        script,
        marks=[
            *([NEVER_BEFORE] if script.revision <= OLDEST_CODE else []),
            *([pytest.mark.slow] if script not in AFTER[:LATEST] else []),
        ],
        id=script.revision,
    )
    for script in AFTER
]


def test_every_migration_keeps_the_rules() -> None:
    found = {script.revision: faults(statements(script), str(script.down_revision)) for script in AFTER}
    assert {revision: wrong for revision, wrong in found.items() if wrong} == {}


def test_the_statements_of_a_migration_are_seen() -> None:
    """The judge reads what runs: the migrations from before the rules break some of them."""
    wrong = faults(statements(SCRIPTS.get_revision("0007")), "0006")
    assert len(wrong) == 1
    assert "CREATE INDEX games_touched_at_idx" in wrong[0]
    assert faults(statements(SCRIPTS.get_revision("0008")), "0007") == []
    assert any(
        "DROP COLUMN" in each or "UNIQUE" in each for each in faults(statements(SCRIPTS.get_revision("0002")), "0001")
    )


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("ALTER TABLE games ADD COLUMN x TEXT", False),
        ("ALTER TABLE games ADD COLUMN x TEXT DEFAULT 'a' NOT NULL", False),
        ("ALTER TABLE games ADD COLUMN x TEXT NOT NULL", True),
        ("ALTER TABLE games ADD COLUMN x TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL", True),
        ("ALTER TABLE games DROP COLUMN x", True),
        ("ALTER TABLE games RENAME x TO y", True),
        ("ALTER TABLE games RENAME TO matches", True),
        ("ALTER TABLE games ALTER COLUMN x TYPE BIGINT", True),
        ("ALTER TABLE games ALTER COLUMN x SET NOT NULL", True),
        ("ALTER TABLE games ADD CONSTRAINT c CHECK (x > 0)", True),
        ("ALTER TABLE games ADD CONSTRAINT c CHECK (x > 0) NOT VALID", False),
        ("ALTER TABLE games VALIDATE CONSTRAINT c", False),
        ("ALTER TABLE games ADD CONSTRAINT c UNIQUE (x)", True),
        ("CREATE INDEX i ON games (x)", True),
        ("CREATE UNIQUE INDEX CONCURRENTLY i ON games (x)", False),
        ("DROP INDEX i", True),
        ("DROP TABLE combats", True),
        ("UPDATE games SET x = 1", True),
        ("LOCK TABLE games", True),
        ("TRUNCATE answers", True),
        ("CREATE TABLE t (id INTEGER NOT NULL)", False),
        ("CREATE UNLOGGED TABLE t (id INTEGER NOT NULL)", False),
    ],
)
def test_what_the_rules_say(statement: str, wrong: bool) -> None:
    assert bool(faults([statement], "0008")) is wrong


def test_what_is_new_may_be_made_as_one_likes() -> None:
    made = ["CREATE TABLE t (id INTEGER)", "CREATE INDEX i ON t (id)", "INSERT INTO t (id) VALUES (1)"]
    assert faults(made, "0008") == []
    assert len(faults(made[1:], "0008")) == 2


def test_what_is_committed_before_an_index_can_be_run_again() -> None:
    index = ["DROP INDEX CONCURRENTLY IF EXISTS i", "CREATE INDEX CONCURRENTLY i ON games (x)"]
    assert faults(["ALTER TABLE games ADD COLUMN IF NOT EXISTS x TEXT", *index], "0008") == []
    assert faults([*index, "ALTER TABLE games ADD COLUMN x TEXT"], "0008") == []
    assert len(faults(["ALTER TABLE games ADD COLUMN x TEXT", *index], "0008")) == 1


def test_what_goes_away_raises_the_floor_but_not_above_the_code_that_is_replaced() -> None:
    drop = "ALTER TABLE games DROP COLUMN x"
    assert faults([drop, "UPDATE schema_floor SET oldest = '0008'"], "0008") == []
    assert len(faults([drop, "UPDATE schema_floor SET oldest = '0009'"], "0008")) == 1


@pytest.mark.parametrize(
    ("version", "oldest", "may_run"),
    [
        (SCHEMA_VERSION, SCHEMA_VERSION, True),
        (LATER, SCHEMA_VERSION, True),
        (LATER, LATER, False),
        ("0001", "0001", False),
    ],
)
def test_which_schemas_fit(version: str, oldest: str, may_run: bool) -> None:
    assert fits(version, oldest) is may_run


FUTURE = f'''
import sqlalchemy as sa
from alembic import op

revision, down_revision = "{LATER}", "{SCHEMA_VERSION}"


def upgrade():
    tables = sa.inspect(op.get_bind()).get_table_names()
    for table in sorted(set(tables) - {{"alembic_version"}}):
        op.add_column(table, sa.Column("later", sa.Text()), if_not_exists=True)
        too = sa.Column("later_too", sa.Integer(), nullable=False, server_default="7")
        op.add_column(table, too, if_not_exists=True)
    op.create_table("from_later", sa.Column("game_id", sa.Uuid(), primary_key=True), if_not_exists=True)
    with op.get_context().autocommit_block():
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS games_later_idx")
        op.create_index("games_later_idx", "games", ["later"], postgresql_concurrently=True)
'''


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """Migrations of a release to come, which does to every table what the rules allow."""
    scripts = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions" / "9000_later.py").write_text(FUTURE)
    return scripts


def test_this_code_runs_on_the_schema_of_a_later_release(database: str, later: Path) -> None:
    store = PostgresStore(database, pool_size=2)
    started_before = seat_players(store)
    started_before.play(turns=3)
    upgrade(database, scripts=later)
    assert store.ready()
    upgrade(database)  # as a process of this release does that starts again
    migrated(database)
    with psycopg.connect(conninfo(database)) as rows:
        assert rows.execute("SELECT version_num FROM alembic_version").fetchall() == [(LATER,)]
    for table in (started_before, seat_players(store)):
        table.play()
        assert table.row().status == "over"
    worker = Worker(store)
    wait_until(lambda: not worker.work(), "the worker has done what there is to do")
    store.close()


def test_a_later_release_may_end_this_one(database: str, later: Path) -> None:
    store = PostgresStore(database, pool_size=1)
    upgrade(database, scripts=later)
    with psycopg.connect(conninfo(database), autocommit=True) as rows:
        rows.execute("UPDATE schema_floor SET oldest = %s", [LATER])
    assert not store.ready()
    with pytest.raises(click.ClickException, match=f"is at {LATER} and needs code of {LATER} or later"):
        migrated(database)
    store.close()


@NEVER_BEFORE
def test_this_code_waits_for_its_schema(database: str) -> None:
    store = PostgresStore(database, pool_size=1)
    migrate.downgrade(database, "0007")
    assert not store.ready()
    upgrade(database)
    assert store.ready()
    store.close()


def test_a_migration_that_finds_a_table_in_use_lets_others_pass_and_tries_again(
    database: str, later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "LOCK_MS", 50)
    monkeypatch.setattr(migrate, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(migrate, "TRIES", 10_000)
    tried = threading.Event()
    real = command.upgrade

    def upgrading(*arguments: Any) -> None:
        try:
            real(*arguments)
        except OperationalError:
            tried.set()
            raise

    monkeypatch.setattr(command, "upgrade", upgrading)
    with psycopg.connect(conninfo(database)) as reader, psycopg.connect(conninfo(database), autocommit=True) as other:
        reader.execute("SELECT count(*) FROM games")  # and its transaction stays open
        migrating = threading.Thread(target=upgrade, args=(database,), kwargs={"scripts": later})
        migrating.start()
        for _ in range(3):
            tried.clear()
            assert tried.wait(20)
            other.execute("SET statement_timeout = '5s'")
            other.execute("SELECT count(*) FROM games")
        reader.rollback()
        migrating.join(60)
        assert not migrating.is_alive()
        assert other.execute("SELECT version_num FROM alembic_version").fetchall() == [(LATER,)]


class _BrokenOffError(Exception):
    pass


@pytest.mark.parametrize("script", WITH_SCHEMA_BEFORE)
def test_a_migration_that_was_broken_off_anywhere_goes_on(database: str, script: Script) -> None:
    """By a lock that was not to be had, or by the end of its process: after each statement in turn, and where they are
    one transaction, after some."""
    left = 0

    def break_off(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise _BrokenOffError

    texts = statements(script)
    step = 1 if any("CONCURRENTLY" in each for each in texts) else max(len(texts) // 2, 1)
    broken = 0
    while left <= 0:
        broken += step
        left = broken
        migrate.downgrade(database, str(script.down_revision))
        event.listen(Engine, "after_cursor_execute", break_off)
        try:
            with suppress(_BrokenOffError):
                upgrade(database, script.revision)
        finally:
            event.remove(Engine, "after_cursor_execute", break_off)
        upgrade(database, script.revision)
    assert broken > len(texts)


def test_a_migration_gives_up_in_the_end(database: str, later: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "LOCK_MS", 10)
    monkeypatch.setattr(migrate, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(migrate, "TRIES", 2)
    with psycopg.connect(conninfo(database)) as reader:
        reader.execute("SELECT count(*) FROM games")
        with pytest.raises(OperationalError):
            upgrade(database, scripts=later)
    store = PostgresStore(database, pool_size=1)
    assert store.ready()
    store.close()


def _before() -> str | None:
    """The newest commit whose code is of an earlier schema version, as far as there is history."""
    places = ("service/holmgang/store/schema_version.py", "service/store/schema_version.py")

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(REPOSITORY), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    try:
        for commit in git("log", "--format=%H", "--", *places).split():
            for found in (commit, f"{commit}~"):
                (path,) = git("ls-tree", "-r", "--name-only", found, "--", *places).split()
                if f'SCHEMA_VERSION = "{SCHEMA_VERSION}"' not in git("show", f"{found}:{path}"):
                    return found
    except (OSError, ValueError, subprocess.CalledProcessError):
        pass
    return None


def unpack_code_before(folder: Path) -> Path:
    """A folder in `folder` with the code of the schema version before; skips the test where the history has none."""
    commit = _before()
    if commit is None:
        pytest.skip("the history has no code of an earlier schema version: a shallow clone, or no repository")
    archive, before = folder / "before.tar", folder / "before"
    command = ["git", "-C", str(REPOSITORY), "archive", "--output", str(archive), commit, "service", "migrations"]
    subprocess.run(command, check=True)
    shutil.unpack_archive(archive, before)
    return before


def test_the_code_before_plays_on_the_schema_of_now(database: str, tmp_path: Path) -> None:
    """The real one, from the history. Where that is missing the tests above still hold this code to the same."""
    before = unpack_code_before(tmp_path)
    (its_version,) = re.findall(
        r'SCHEMA_VERSION = "(\d+)"', next(before.rglob("schema_version.py")).read_text(encoding="utf-8")
    )
    if ports() and its_version < OLDEST_CODE:
        pytest.skip("the release before does not play on distributed tables")
    program = Path(__file__).with_name("code_before.py")
    played = subprocess.run(
        [sys.executable, str(program), database],
        cwd=tmp_path,
        env={"PYTHONPATH": python_path(before), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert played.returncode == 0, played.stderr[-3000:]
    version, folder, status, ready = played.stdout.split()
    assert version < SCHEMA_VERSION
    assert Path(folder).is_relative_to(tmp_path)
    assert status == "over"
    with psycopg.connect(conninfo(database)) as rows:
        (oldest,) = rows.execute("SELECT oldest FROM schema_floor").fetchone() or ("",)
    assert ready == "200" or version < oldest
