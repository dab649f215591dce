"""Seeks in tests: players who seek through the application, and a worker's chore that brings them together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any
from uuid import UUID

from holmgang.app.accounts.players import register
from holmgang.app.accounts.tokens import authenticate
from holmgang.app.meeting import seeks
from holmgang.app.meeting.matching import Match
from holmgang.app.records.players import Kind, Principal
from holmgang.app.records.seeks import Seek
from holmgang.app.records.terms import Terms
from holmgang.store.database import PostgresStore

if TYPE_CHECKING:
    from collections.abc import Iterator

_turns = count(100)


class Pool:
    """Seeks of one game on terms that no other test has. `live` games have turns of less than a day."""

    def __init__(self, store: PostgresStore, ruleset: str = "claim", *, live: bool = True, **terms: Any) -> None:
        self.store = store
        self.terms = Terms(ruleset=ruleset, turn_seconds=next(_turns) + (0 if live else seeks.DAY), **terms)

    def player(self, name: str = "Ragna", kind: Kind = "person") -> Principal:
        with self.store.transaction() as tables:
            return authenticate(tables, register(tables, name, kind)[2])

    def seek(self, player: Principal | None = None, seats: Sequence[int] = (2,), **wishes: Any) -> Seek:
        """Of a new player unless one is named."""
        settings = {"seconds": 600, "most": 100, **wishes}
        player = self.player() if player is None else player
        with self.store.transaction() as tables:
            return seeks.create(tables, player, settings.pop("terms", self.terms), seats, **settings)

    def now(self, seek: Seek) -> Seek:
        with self.store.reading() as tables:
            found = tables.seek(seek.player, seek.id)
        assert found is not None
        return found

    def find(self) -> list[Match]:
        """The tables that can be filled, of all pools that are worth a look again."""
        with self.store.transaction() as tables:
            return [match for pool in tables.pools(again=True) for match in seeks.find(tables, pool)]

    def change(self, seek: Seek, what: str) -> None:
        """The row as it might be."""
        with self.store.pool.connection() as connection:
            connection.execute(f"UPDATE seeks SET {what} WHERE id = %s".encode(), [seek.id])

    def rate(self, player: UUID, points: int) -> None:
        """Give a player so many points."""
        with self.store.pool.connection() as connection:
            connection.execute(
                "INSERT INTO ratings (player_id, ruleset, mu, sigma, ordinal, games, wins)"
                " VALUES (%s, %s, %s, 0.001, 0, 1, 1)",
                [player, self.terms.ruleset, (points - 1500) / 24 + 0.003],
            )

    def seats_of(self, players: Sequence[UUID]) -> list[UUID]:
        """The games in which they sit, one for each seat."""
        with self.store.pool.connection() as connection:
            rows = connection.execute("SELECT game_id FROM seats WHERE player_id = ANY(%s)", [list(players)]).fetchall()
        return [game for (game,) in rows]


@contextmanager
def store_of(url: str) -> Iterator[PostgresStore]:
    store = PostgresStore(url, pool_size=12)
    try:
        yield store
    finally:
        store.close()
