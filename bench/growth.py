"""Whether polls and moves cost more among a million games than among a thousand, and late in a game than early.

A thousand games are whole and active, and all that is polled and played happens in them; the others have a snapshot and
ten rows of the log each. Both measurements stand beside the bare endpoints of the same minutes: `growth` is by how much
the ratio to them has got worse.
"""

from __future__ import annotations

import json
import random
import statistics
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import psycopg

from bench.http import (
    BARE_PORT,
    CONNECTIONS,
    POOL_SIZE,
    PORT,
    Table,
    bare_move_script,
    bare_rows,
    poll_script,
    serving,
    set_tables,
    view_script,
)
from bench.load import Script, drive, request
from holmgang.app.play import submissions
from holmgang.store.database import PostgresStore
from holmgang.store.embedded import EmbeddedPostgres
from holmgang.store.migrate import upgrade

ACTIVE = 1000
ROWS = 10
CHUNK = 50_000
EARLY, LATE, MOVES = 10, 500, 24
"""Turns at which moves are measured, and how many in each game."""
LONG_GAMES = 16

_GAMES = "INSERT INTO games ({names}) SELECT {values} FROM games g, generate_series({first}, {last}) n WHERE g.id = %s"
_LOG = (
    "INSERT INTO log (game_id, seq, at, entry, state_hash, row_hash)"
    " SELECT {ident}, l.seq, l.at, l.entry, l.state_hash, l.row_hash"
    " FROM generate_series({first}, {last}) n, log l WHERE l.game_id = %s AND l.seq < {rows}"
)
_IDENT = "('019a0c52-3f00-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid"
"""Ids in the order of creation, as those of real games are."""


@dataclass
class _Played:
    """A table and how far its moves have been made."""

    table: Table
    next: int = 0


def measure(seconds: float, rounds: int, crowd: int) -> dict[str, dict[str, Any]]:
    """Growth among `crowd` games and from turn 10 to turn 500; each measurement lasts so many seconds."""
    with _database() as url:
        among = _among(url, seconds, rounds, crowd)
    with _database() as url:
        return among | _within(url)


@contextmanager
def _database() -> Iterator[str]:
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs as another user
        with EmbeddedPostgres(Path(folder)) as postgres:
            upgrade(postgres.url)
            yield postgres.url


def _among(url: str, seconds: float, rounds: int, crowd: int) -> dict[str, dict[str, Any]]:
    store = PostgresStore(url, pool_size=2)
    tables = [_Played(table) for table in set_tables(store, ACTIVE, random.Random(4))]
    rows = bare_rows(url, CONNECTIONS)
    with ExitStack() as servers:
        pool = {"POOL_SIZE": str(POOL_SIZE)}
        servers.enter_context(serving("bench.bare:create_app", BARE_PORT, {"BARE_DATABASE_URL": url, **pool}))
        servers.enter_context(serving("holmgang.bootstrap:create_app", PORT, {"DATABASE_URL": url, **pool}))
        few = _costs(tables, rows, seconds, rounds)
        for _ in range(2 * ROWS):  # a turn of the log has as many moves as seats at most, and half of that often
            _move(store, tables[0])
        _crowd(url, tables[0].table.game, crowd - ACTIVE)
        many = _costs(tables, rows, seconds, rounds)
    store.close()
    return {
        f"{kind} among {crowd:,} games": {**many[kind], "growth": round(few[kind]["ratio"] / many[kind]["ratio"], 3)}
        for kind in few
    }


def _costs(tables: list[_Played], rows: list[UUID], seconds: float, rounds: int) -> dict[str, dict[str, Any]]:
    rates: dict[str, list[float]] = {"bare poll": [], "poll": [], "bare move": [], "move": []}
    lines = [tables[i::CONNECTIONS] for i in range(CONNECTIONS)]
    bare_polls = [f"/poll/{row}" for row in rows]
    for _ in range(rounds):
        rates["bare poll"].append(
            drive(BARE_PORT, [poll_script(BARE_PORT, path, None) for path in bare_polls], seconds).per_second
        )
        rates["poll"].append(drive(PORT, [_polls(line) for line in lines], seconds).per_second)
        moves = tables[0].table.moves
        rates["bare move"].append(drive(BARE_PORT, [bare_move_script(row, moves) for row in rows], seconds).per_second)
        rates["move"].append(drive(PORT, [_moves(line) for line in lines], seconds).per_second)
    found = {}
    for kind in ("poll", "move"):
        mine, least = (statistics.median(rates[name]) for name in (kind, f"bare {kind}"))
        found[kind] = {
            "per_second": round(mine),
            "bare_per_second": round(least),
            "ratio": round(mine / least, 3),
        }
    return found


def _polls(line: list[_Played]) -> Script:
    """Conditional polls of one game after the other; their tags are fetched now."""
    scripts = [poll_script(PORT, f"/v1/games/{p.table.game}/turn", p.table.tokens[0]) for p in line]
    return _in_turns([next(script) for script in scripts])


def _in_turns(polls: list[bytes]) -> Script:
    while True:
        for poll in polls:
            status = yield poll
            if status != 304:
                raise AssertionError(f"a conditional poll was answered {status}")


def _moves(line: list[_Played]) -> Script:
    """One move in one game after the other. A move whose answer was not waited for is sent again, and answered 200."""
    while True:
        for played in line:
            seat, turn, action = played.table.moves[played.next]
            status = yield request(
                "POST",
                f"/v1/games/{played.table.game}/submissions",
                body=json.dumps({"turn": turn, "action": action}).encode(),
                Authorization=f"Bearer {played.table.tokens[seat]}",
            )
            if status not in (200, 201):
                raise AssertionError(f"a legal move was answered {status}")
            played.next += 1


def _crowd(url: str, model: UUID, count: int) -> None:
    """So many games like that one, with its snapshot and the first rows of its log."""
    with psycopg.connect(url, autocommit=True) as connection:
        names = [
            name
            for (name,) in connection.execute(
                "SELECT attname FROM pg_attribute"
                " WHERE attrelid = 'games'::regclass AND attnum > 0 AND NOT attisdropped"
            )
        ]
        values = ", ".join(_IDENT if name == "id" else f"g.{name}" for name in names)
        for first in range(1, count + 1, CHUNK):
            part = {"first": first, "last": min(first + CHUNK - 1, count)}
            games = _GAMES.format(names=", ".join(names), values=values, **part)
            connection.execute(games.encode(), [model])
            connection.execute(_LOG.format(ident=_IDENT, rows=ROWS, **part).encode(), [model])
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")


def _within(url: str) -> dict[str, dict[str, Any]]:
    """Moves, polls and views in games of Claim that stand at an early and at a late turn, in turns."""
    store = PostgresStore(url, pool_size=2)
    games = {
        name: [_Played(table) for table in set_tables(store, LONG_GAMES, random.Random(seed), "claim", LATE + MOVES)]
        for name, seed in (("early", 5), ("late", 6))
    }
    for name, turn in (("early", EARLY), ("late", LATE)):
        for played in games[name]:
            while played.table.moves[played.next][1] < turn:
                _move(store, played)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    rates: dict[tuple[str, str], list[float]] = defaultdict(list)
    with serving("holmgang.bootstrap:create_app", PORT, {"DATABASE_URL": url, "POOL_SIZE": str(POOL_SIZE)}):
        for _ in range(MOVES // 4):
            for name, tables in games.items():
                looks = [(f"/v1/games/{p.table.game}", p.table.tokens[0]) for p in tables]
                for kind, scripts, seconds in (
                    ("move", [_some(played, 4) for played in tables], 60.0),
                    ("poll", [poll_script(PORT, f"{path}/turn", token) for path, token in looks], 1.0),
                    ("view", [view_script(f"{path}/view", token) for path, token in looks], 1.0),
                ):
                    rates[kind, name].append(drive(PORT, scripts, seconds).per_second)
    store.close()
    found = {}
    for kind in ("move", "poll", "view"):
        first, last = (statistics.median(rates[kind, name]) for name in games)
        found[f"{kind} at turn {LATE}"] = {
            "per_second": round(last),
            "per_second_early": round(first),
            "growth": round(first / last, 3),
        }
    return found


def _some(played: _Played, count: int) -> Script:
    moves = _moves([played])
    status = None
    for _ in range(count):
        status = yield moves.send(status)  # type: ignore[arg-type]
    if status is not None:
        played.next += 1


def _move(store: PostgresStore, played: _Played) -> None:
    seat, turn, action = played.table.moves[played.next]
    with store.reading() as tables:
        submissions.submit(tables, played.table.tokens[seat], played.table.game, turn, action)
    played.next += 1
