"""A caller and their game, read by one statement beside the tokens, or by functions of the game's node: both say the
same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from holmgang.app.accounts.tokens import digest_of, issue
from holmgang.app.games import invitations
from holmgang.app.records.contexts import TurnContext
from holmgang.app.tournaments import making
from holmgang.store import function
from holmgang.store.all_tables import PostgresTables
from holmgang.store.callers import Lately
from holmgang.store.database import PostgresStore
from holmgang.store.distributed import DistributedTables
from holmgang.store.reads import READS
from tests.citus.databases import ports
from tests.integration.tables import Table, seat_players
from tests.integration.tournaments import TERMS, made

pytestmark = pytest.mark.skipif(bool(ports()), reason="A cluster has the functions only.")
READINGS = ("caller", "view_context", "move_context", "turn_context")


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    store = PostgresStore(database, pool_size=2)
    with store.pool.connection() as connection:
        function.make(connection, READS)
    yield store
    store.close()


def read(tables: PostgresTables, reading: str, digest: bytes | None, game: UUID, invitation: bytes | None) -> Any:
    if reading == "caller":
        return tables.caller(digest, game, invitation)
    if reading == "view_context":
        return tables.view_context(digest, game, invitation)
    if reading == "move_context":
        return tables.move_context(digest, game, lock=False)
    found = tables.turn_context(digest, game, None, invitation)
    return replace(found, now=None) if isinstance(found, TurnContext) else found


def test_functions_of_the_node_find_what_one_statement_finds(store: PostgresStore) -> None:
    games = {
        "begun": seat_players(store, 3),
        "private": seat_players(store, 3, turn_seconds=600),
        "over": seat_players(store, 3, ruleset="drakkars"),
    }
    private = games["private"]
    with store.pool.connection() as connection:
        connection.execute("UPDATE games SET visibility = 'private', clock = 'runs' WHERE id = %s", [private.game])
    games["begun"].play(turns=2)
    games["begun"].play(until="placement")  # which asks all who are in the game
    games["begun"].submit(games["begun"].position().awaited()[0])
    private.play(turns=4)
    games["over"].play()
    with store.transaction() as tables:
        limited = {
            seat: issue(tables, private.callers[0].player, "", ["play"], private.game, seat, None)[1]
            for seat in (None, 0)
        }
        elsewhere = issue(tables, private.callers[0].player, "", ["play"], games["begun"].game, None, None)[1]
        let_in = invitations.create(
            tables, private.callers[0], private.game, seat=None, uses=1, expires_in=None, expires_at=None
        )[1]
    found = {
        (name, reading, who, key): both(store, reading, secret, table.game, invitation)
        for name, table in games.items()
        for reading in READINGS
        for who, secret in callers(table, games["begun" if name != "begun" else "over"], limited, elsewhere).items()
        for key, invitation in {"none": None, "good": let_in, "bad": "hgi_bad"}.items()
    }
    assert found["private", "turn_context", "seat 1", "none"] is not None
    assert found["private", "turn_context", "nobody", "none"] is None
    assert found["private", "turn_context", "nobody", "good"] is not None
    assert found["private", "view_context", "elsewhere", "none"] is None


def test_games_of_a_private_tournament_are_found_by_who_may_see_it(store: PostgresStore) -> None:
    """The node does not know tournaments: the coordinator is asked about them."""
    event = made(store, 4, terms={**TERMS, "visibility": "private"})
    event.begin()
    while not event.open_games():
        event.advance()
    one, other = event.open_games()
    with store.transaction() as tables:
        shown = making.renew_invitation(tables, event.maker, event.ident)
        seated = {holder.player for holder in tables.holders(one)}
        entered = next(holder.player for holder in tables.holders(other))
        limited = issue(tables, entered, "", ["read"], other, None, None)[1]
    who = {
        "seated": event.secrets[seated.pop()],
        "entered": event.secrets[entered],
        "maker": event.secrets[event.maker.player],
        "limited": limited,
        "nobody": None,
    }
    keys = {"none": None, "good": shown, "bad": "hgi_bad"}
    for reading, (name, secret), (key, invitation) in product(READINGS, who.items(), keys.items()):
        sees = name in ("seated", "entered", "maker") or (key == "good" and reading != "move_context")
        found = both(store, reading, secret, one, invitation)
        assert (found is not None) == sees, (reading, name, key)
        if found is not None and reading != "caller":
            found = found.caller
        assert found is None or (found.seat is None) == (name != "seated")
    for made_on in (PostgresTables, partial(DistributedTables, away=store._away, lately=Lately())):
        with store.pool.connection() as connection:
            sight = [made_on(connection).may_see(person, one) for person in (entered, event.maker.player, uuid4())]
            by_link = [made_on(connection).may_see(uuid4(), one, digest_of(key)) for key in keys.values()]
        assert (sight, by_link) == ([True, True, False], [False, True, False])


def callers(table: Table, other: Table, limited: dict[int | None, str], elsewhere: str) -> dict[str, str | None]:
    return {
        **{f"seat {seat}": secret for seat, secret in enumerate(table.secrets)},
        "of another game": other.secrets[1],
        "nobody": None,
        "unknown": "hg_unknown",
        **{f"limited to {seat}": secret for seat, secret in limited.items()},
        "elsewhere": elsewhere,
    }


def both(store: PostgresStore, reading: str, secret: str | None, game: UUID, invitation: str | None) -> Any:
    with store.pool.connection() as connection:
        beside, apart = (
            read(tables(connection), reading, digest_of(secret), game, digest_of(invitation))
            for tables in (PostgresTables, partial(DistributedTables, away=store._away, lately=Lately()))
        )
    assert apart == beside
    return beside


def test_a_game_that_is_not_there_is_not_found(store: PostgresStore) -> None:
    assert [both(store, reading, None, uuid4(), None) for reading in READINGS] == [None] * 4
