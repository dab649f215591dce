"""Backups: made while games are played, put into an empty database, and the games go on there and verify."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from holmgang.app.fairness.claims import read_record
from holmgang.app.fairness.verify import verify
from holmgang.app.reading import queries
from holmgang.store import backup as module
from holmgang.store.backup import BackupError, backup, restore
from holmgang.store.database import PostgresStore, conninfo
from holmgang.store.migrate import downgrade, upgrade
from holmgang.worker.loop import Worker
from tests.waiting import wait_until

from .tables import Table, seat_players

pytestmark = [pytest.mark.long, pytest.mark.plain_postgres("a cluster is backed up node by node, past the service")]


def rows(url: str, sql: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(conninfo(url)) as connection:
        return connection.execute(sql.encode()).fetchall()


def there(table: Table, store: PostgresStore) -> Table:
    """The same game in another database."""
    return Table(store, table.game, table.secrets, table.callers, table.rng)


def finish(table: Table) -> None:
    table.play()
    with table.store.reading() as tables:
        game, record = tables.game(table.game), queries.record(tables, table.caller(0))
    assert game is not None
    verdict = verify(
        read_record(msgspec.json.encode(record)),
        noted_commitment=game.commitment.hex(),
        noted_head=table.row().head.hex(),
    )
    assert verdict.holds, verdict.difference


def test_games_go_on_after_it(database: str, empty_database: str, tmp_path: Path) -> None:
    """Made while others play: a game is in it with all that a move wrote, or nothing of that."""
    store = PostgresStore(database, pool_size=4)
    sealed, over = seat_players(store), seat_players(store, 2, ruleset="claim")
    over.play()
    sealed.submit(sealed.position().awaited()[0])  # whose choice nobody has seen yet
    busy = [seat_players(store, 2, ruleset=ruleset) for ruleset in ("drakkars", "claim")]
    ending = threading.Event()

    def play() -> None:
        while not ending.is_set():
            for place, table in enumerate(busy):
                table.play(turns=1)
                if table.row().status == "over":
                    busy[place] = seat_players(store, 2, ruleset="claim")

    player = threading.Thread(target=play)
    player.start()
    try:
        moves = rows(database, "SELECT count(*) FROM log")[0][0]
        wait_until(lambda: rows(database, "SELECT count(*) FROM log")[0][0] > moves, "somebody moves")
        size = backup(database, tmp_path / "games")
        after = rows(database, "SELECT count(*) FROM log")[0][0]
    finally:
        ending.set()
        player.join()
    assert (tmp_path / "games").stat().st_size == size > 1000
    assert (tmp_path / "games").stat().st_mode & 0o777 == 0o600

    restore(empty_database, tmp_path / "games")
    again = PostgresStore(empty_database, pool_size=2)
    assert again.ready()
    assert moves < rows(empty_database, "SELECT count(*) FROM log")[0][0] <= after
    torn = "SELECT id FROM games g WHERE entries <> (SELECT count(*) FROM log WHERE game_id = g.id)"
    assert rows(empty_database, torn) == []
    kept = {game for (game,) in rows(empty_database, "SELECT id FROM games")}
    assert {sealed.game, over.game} < kept
    finish(there(over, again))
    assert there(sealed, again).row().pending == sealed.row().pending != "[]"
    finish(there(sealed, again))
    for table in busy:
        if table.game in kept:
            finish(there(table, again))
    store.close()
    again.close()


def test_nobody_loses_a_turn_to_the_time_between(database: str, empty_database: str, tmp_path: Path) -> None:
    store = PostgresStore(database, pool_size=2)
    table = seat_players(store, turn_seconds=60)
    Worker(store).work()
    backup(database, tmp_path / "games")
    store.close()
    restore(empty_database, tmp_path / "games")
    with psycopg.connect(conninfo(empty_database), autocommit=True) as connection:  # a day later
        connection.execute("UPDATE games SET deadline = deadline - interval '1 day'")
        connection.execute("UPDATE pulse SET at = at - interval '1 day'")
    again = PostgresStore(empty_database, pool_size=2)
    Worker(again).work()
    assert there(table, again).row().turn == 1
    left = rows(empty_database, "SELECT extract(epoch FROM deadline - clock_timestamp()) FROM games")
    assert 0 < left[0][0] <= 61
    again.close()


def test_one_of_an_earlier_release_is_brought_up_to_date(database: str, empty_database: str, tmp_path: Path) -> None:
    downgrade(database, "0007")
    backup(database, tmp_path / "games")
    restore(empty_database, tmp_path / "games")
    store = PostgresStore(empty_database, pool_size=1)
    assert not store.ready()
    upgrade(empty_database)
    assert store.ready()
    store.close()


def test_what_is_refused_changes_nothing(database: str, empty_database: str, tmp_path: Path) -> None:
    file = tmp_path / "games"
    backup(database, file)
    with pytest.raises(BackupError, match="exists already"):
        backup(database, file)
    with pytest.raises(BackupError, match="not empty"):
        restore(database, file)
    with pytest.raises(BackupError, match="There is no file"):
        restore(empty_database, tmp_path / "other")
    with pytest.raises(BackupError, match="Cannot write"):
        backup(database, tmp_path / "nowhere" / "games")
    (tmp_path / "torn").write_bytes(file.read_bytes()[:-2000])
    with pytest.raises(BackupError):
        restore(empty_database, tmp_path / "torn")
    (tmp_path / "text").write_text("no backup")
    with pytest.raises(BackupError, match="is no backup of Holmgang"):
        restore(empty_database, tmp_path / "text")
    with pytest.raises(BackupError, match="is no backup of Holmgang: it has other tables"):
        backup(empty_database, tmp_path / "another")
    assert not (tmp_path / "another").exists()
    assert rows(empty_database, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]
    assert not list(tmp_path.glob("*.unfinished"))


def test_the_programs_are_not_older_than_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BackupError, match=r"No pg_dump of Postgres 99 or later"):
        module._program("pg_dump", 99)


def test_a_password_is_in_no_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}

    class Done:
        returncode = 0

    def run(command: list[str], **more: Any) -> Done:
        seen.update(command=command, **more)
        return Done()

    monkeypatch.setattr(subprocess, "run", run)
    module._run("postgresql://me:se%20cret@db.example/games?sslmode=require", "pg_dump")
    assert "cret" not in " ".join(seen["command"])
    assert seen["env"]["PGPASSWORD"] == "se cret"
    assert "sslmode=require" in seen["command"][1]
