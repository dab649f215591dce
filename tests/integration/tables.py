"""Games for tests: seated and started through the application, played by seeded random seats."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec

from holmgang.app import access
from holmgang.app.accounts.players import register
from holmgang.app.accounts.tokens import authenticate, token_digest
from holmgang.app.games.creation import create_game
from holmgang.app.games.seats import seat_bot, take_seat
from holmgang.app.play import submissions
from holmgang.app.play.position import Position, position
from holmgang.app.ports import Store, Tables
from holmgang.app.reading import queries
from holmgang.app.records.contexts import GameCaller, GameRow
from holmgang.app.records.games import Game
from holmgang.app.records.play import Receipt, Turn
from holmgang.app.records.players import Principal
from holmgang.app.records.terms import Terms
from holmgang.store.rows import Statement

if TYPE_CHECKING:
    from psycopg import Connection


@dataclass
class Table:
    """A started game and the secrets of its seats' tokens."""

    store: Store
    game: UUID
    secrets: list[str]
    callers: list[Principal]
    rng: random.Random = field(default_factory=lambda: random.Random(7))

    def row(self) -> GameRow:
        with self.store.reading() as tables:
            row = tables.game_row(self.game, lock=False)
        assert row is not None
        return row

    def position(self) -> Position[GameRow]:
        with self.store.reading() as tables:
            row = tables.game_row(self.game, lock=False)
            assert row is not None
            return position(tables, row)

    def caller(self, seat: int) -> GameCaller:
        with self.store.reading() as tables:
            found = tables.caller(token_digest(self.secrets[seat]), self.game)
        assert isinstance(found, GameCaller)
        return found

    def spectator(self) -> GameCaller:
        with self.store.reading() as tables:
            found = tables.caller(None, self.game)
        assert isinstance(found, GameCaller)
        return found

    def legal(self, seat: int) -> Any:
        """A random legal action of a seat that is asked, as JSON."""
        place = self.position()
        return msgspec.to_builtins(place.rules.moves(place.without(seat), seat).sample(self.rng))

    def submit(self, seat: int, action: Any = None, turn: int | None = None) -> Receipt:
        action = self.legal(seat) if action is None else action
        turn = self.row().turn if turn is None else turn
        with self.store.reading() as tables:
            receipt, _ = submissions.submit(tables, self.secrets[seat], self.game, turn, action)
        return receipt

    def play(self, turns: int = 1000, until: str | None = None) -> None:
        """Random choices of all who are asked, for so many turns, up to a turn kind, or to the end."""
        for _ in range(turns):
            row = self.row()
            if row.status != "active" or (until is not None and row.kind == until):
                return
            for seat in self.position().awaited():
                self.submit(seat)

    def turn(self, seat: int, **more: Any) -> Turn:
        with self.store.reading() as tables:
            return queries.turn(tables, access.turn_context(tables, self.secrets[seat], self.game), **more)


def new_game(tables: Tables, creator: Principal, *, seats: int, **given: Any) -> Game:
    """What `create_game` makes, its terms given by name."""
    terms = {name: given.pop(name) for name in Terms.__struct_fields__ if name in given}
    return create_game(tables, creator, Terms(**terms), seats, **given)


def seat_players(
    store: Store,
    seats: int = 3,
    options: Mapping[str, Any] | None = None,
    entropies: list[bytes | None] | None = None,
    ruleset: str = "eketorp",
    bots: dict[int, str] | None = None,
    **terms: Any,
) -> Table:
    """A new game, of Eketorp unless another is named, with every seat taken; `bots` by seat, `terms` as of `create`."""
    with store.transaction() as tables:
        secrets = [register(tables, f"player {seat}")[2] for seat in range(seats)]
        callers = [authenticate(tables, secret) for secret in secrets]
        game = new_game(tables, callers[0], ruleset=ruleset, seats=seats, options=options or {}, join=False, **terms).id
        for seat, caller in enumerate(callers):
            if bots and seat in bots:
                seat_bot(tables, callers[0], game, seat, bots[seat])
            else:
                take_seat(tables, caller, game, seat, entropies[seat] if entropies else None)
    return Table(store, game, secrets, callers)


def let_news_be_delivered(store: Store) -> None:
    """What moves tell webhooks of is written down by now: on a cluster the worker does that when it looks for what is
    to be sent."""
    with store.reading() as tables:
        tables.take_deliveries(0, 1.0, [])


def multiply(connection: Connection[Any], table: Table, times: int, **columns: str) -> None:
    """So many rows like the game's, with ids of their own and these columns, expressions over `n`: as a crowd to find
    something in."""
    taken = {"id": "gen_random_uuid()", **columns}
    names = [
        name
        for (name,) in connection.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = 'games'::regclass AND attnum > 0 AND NOT attisdropped"
        )
    ]
    values = ", ".join(taken.get(name, f"g.{name}") for name in names)
    connection.execute(
        f"INSERT INTO games ({', '.join(names)}) SELECT {values} FROM games g, generate_series(1, {times}) n"
        " WHERE g.id = %s".encode(),
        [table.game],
    )
    connection.execute("ANALYZE games")


def scan(connection: Connection[Any], index: str, statement: Statement, **arguments: Any) -> dict[str, Any]:
    """What was done with an index to carry out the statement, as EXPLAIN ANALYZE tells it."""
    explained = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement.text}".encode(), arguments).fetchone()
    assert explained is not None
    (found,) = [node for node in _nodes(explained[0][0]["Plan"]) if node.get("Index Name") == index]
    return found


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from _nodes(part)
