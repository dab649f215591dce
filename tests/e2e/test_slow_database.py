"""A database that is slow, has no connection left, or cannot be reached: every request has an answer in the time that
clients wait, none is applied twice, and all goes on by itself."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from holmgang import Client
from holmgang.store.database import conninfo
from holmgang.store.functions import BESIDE
from tests.e2e.asking import LONGEST_SECONDS, Refused, call
from tests.e2e.running import Running, serving
from tests.e2e.test_faults import games_are_whole
from tests.integration.test_connections import server_of
from tests.waiting import status, wait_until
from tests.wire import Wire, wire

if TYPE_CHECKING:
    import httpx

SEATS = 3


@dataclass
class Served:
    """A service that reaches its database by a wire, as a user of its own, and a game under way in it."""

    running: Running
    cable: Wire
    admin: psycopg.Connection[Any]
    user: str
    tokens: list[str]
    game: str

    def call(self, seat: int, method: str, path: str, json: object = None, **headers: str) -> httpx.Response:
        return call(self.running.url, self.tokens[seat], method, path, json, **headers)

    def turn(self, seat: int) -> dict[str, Any]:
        found: dict[str, Any] = self.call(seat, "GET", f"/v1/games/{self.game}/turn").json()
        return found

    def choose(self, seat: int, turn: dict[str, Any]) -> str:
        """The receipt of always the same choice."""
        legal = turn["legal"]
        body = {"turn": turn["turn"], "action": legal.get("sample") or legal["actions"][0]}
        return str(self.call(seat, "POST", f"/v1/games/{self.game}/submissions", body).json()["id"])

    def move(self, seat: int) -> bool:
        """Whether something was asked of the seat; that is done then."""
        turn = self.turn(seat)
        return bool(turn["yours"] and self.choose(seat, turn))

    def move_all(self) -> int:
        """How many seats something was asked of."""
        return sum(self.move(seat) for seat in range(SEATS))

    def games(self) -> list[str]:
        """The games of the first player."""
        with Client(self.running.url, self.tokens[0]) as client:
            return [game["id"] for game in client.my_games()]

    def status(self, path: str) -> int:
        return status(f"{self.running.url}{path}", LONGEST_SECONDS)

    def moves_made(self) -> int:
        found = self.admin.execute("SELECT count(*) FROM submissions WHERE game_id = %s", [self.game]).fetchone()
        assert found is not None
        return int(found[0])

    def moves(self) -> bool:
        """Whether all who are asked have made their choices."""
        try:
            return self.move_all() > 0
        except Refused:
            return False

    def allow_connections(self, most: int) -> None:
        """How many the service may have; -1 for as many as there are."""
        statement = sql.SQL("ALTER ROLE {} CONNECTION LIMIT {}")
        self.admin.execute(statement.format(sql.Identifier(self.user), sql.Literal(most)))

    def drop_connections(self) -> None:
        """End what the service has of connections."""
        self.admin.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = %s", [self.user]
        )


@pytest.fixture(scope="module")
def served(module_database: str) -> Iterator[Served]:
    """One process with two connections, whose statements are sent as text each time."""
    user = f"test_{secrets.token_hex(8)}"
    password = secrets.token_hex(16)
    with (
        psycopg.connect(conninfo(module_database), autocommit=True) as admin,
        wire(server_of(module_database)) as cable,
    ):
        name = admin.info.dbname
        for statement in (
            "CREATE ROLE {user} LOGIN PASSWORD {password}",
            "GRANT ALL ON SCHEMA public TO {user}",
            "GRANT ALL ON ALL TABLES IN SCHEMA public TO {user}",
        ):
            admin.execute(sql.SQL(statement).format(user=sql.Identifier(user), password=sql.Literal(password)))
        url = f"postgresql://{user}:{password}@127.0.0.1:{cable.port}/{name}"
        try:
            with serving(url, WORKERS="1", POOL_SIZE="2", PREPARE_THRESHOLD="off") as running:
                yield seated(running, cable, admin, user)
        finally:
            admin.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(user)))
            admin.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(user)))


def seated(running: Running, cable: Wire, admin: psycopg.Connection[Any], user: str) -> Served:
    clients = [Client.register(running.url, f"player {n}") for n in range(SEATS)]
    game = clients[0].create_game("eketorp", SEATS)["id"]
    for client in clients[1:]:
        client.take_seat(game)
    tokens = [str(client.token) for client in clients]
    for client in clients:
        client.close()
    return Served(running, cable, admin, user, tokens, game)


@pytest.fixture(autouse=True)
def whole(served: Served, module_database: str) -> Iterator[None]:
    """After each fault the game goes on, and is whole."""
    yield
    for _ in range(2):
        wait_until(served.moves, "the game goes on by itself", 60)
    games_are_whole(module_database, [served.game])


@contextmanager
def locked(served: Served, module_database: str, table: str) -> Iterator[None]:
    """Nobody else can read or write the table, as if each statement on it took for ever."""
    with psycopg.connect(conninfo(module_database)) as holder:
        holder.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.Identifier(table)))
        yield


def test_a_table_that_is_locked(served: Served, module_database: str) -> None:
    before = served.moves_made()
    with locked(served, module_database, "submissions"), pytest.raises(Refused) as refused:
        served.move_all()
    assert refused.value.code == "busy"
    assert served.moves_made() == before, "what was refused has changed nothing"


@pytest.mark.slow
def test_more_requests_than_connections_while_each_waits_for_a_lock(served: Served, module_database: str) -> None:
    """Nobody waits until all before them have been given up."""
    keys = [str(uuid4()) for _ in range(30)]
    body = {"ruleset": "claim", "seats": 2}

    def create(key: str) -> str:
        return str(served.call(0, "POST", "/v1/games", body, Idempotency_Key=key).json()["id"])

    def refused(key: str) -> Refused:
        with pytest.raises(Refused) as found:
            create(key)
        return found.value

    before = len(served.games())
    with ThreadPoolExecutor(len(keys)) as hands:
        with locked(served, module_database, "games"):
            found = list(hands.map(refused, keys))
        assert {each.code for each in found} <= {"busy", "database_unavailable"}
        assert any("Too many requests wait" in each.detail for each in found)
        assert any("Others were writing" in each.detail for each in found)

        def created(key: str) -> str:
            ids: list[str] = []

            def made() -> bool:
                try:
                    ids.append(create(key))
                except Refused:
                    return False
                return True

            wait_until(made, "it is made in the end", 30)
            return ids[0]

        made = list(hands.map(created, keys))
    assert len(set(made)) == len(keys)
    assert len(served.games()) == before + len(keys)
    assert create(keys[0]) == made[0]


@pytest.mark.slow
def test_a_server_that_takes_no_more_connections(served: Served) -> None:
    """As where max_connections is reached."""
    served.allow_connections(0)
    served.drop_connections()
    try:
        wait_until(lambda: not served.moves(), "there is no connection")
        for _ in range(2):
            with pytest.raises(Refused) as refused:
                served.call(0, "GET", "/v1/me")
            assert refused.value.code == "database_unavailable"
        assert served.status("/healthz") == 200
        assert served.status("/readyz") == 503
    finally:
        served.allow_connections(-1)
    wait_until(lambda: served.status("/readyz") == 200, "it is ready again")


def test_a_database_that_is_far_away(served: Served) -> None:
    served.cable.delay = 0.05
    try:
        before = served.moves_made()
        for _ in range(2):
            wait_until(served.moves, "it gets on slowly", 60)
        assert served.moves_made() > before
    finally:
        served.cable.delay = 0


@pytest.mark.parametrize("kept", [0, 30])
def test_a_connection_that_is_cut_after_a_choice_was_written(served: Served, kept: int) -> None:
    """The service cannot know that it was; who asks again is told."""
    before, cuts = served.moves_made(), served.cable.cuts
    served.cable.cut_answer(BESIDE.move.name.encode(), kept)
    seat = next(seat for seat in range(SEATS) if served.turn(seat)["yours"])
    turn = served.turn(seat)
    with pytest.raises(Refused) as refused:
        served.choose(seat, turn)
    assert (refused.value.code, served.cable.cuts) == ("database_unavailable", cuts + 1)
    receipts = []

    def repeated() -> bool:
        try:
            receipts.append(served.choose(seat, turn))
        except Refused:  # on the other connection of the pool, if that was cut as well
            return False
        return True

    wait_until(repeated, "the same again is answered")
    assert served.choose(seat, turn) == receipts[0]
    assert served.moves_made() == before + 1


def test_a_connection_that_is_cut_at_the_commit(served: Served) -> None:
    """With a key the repeated request gets the first answer, whether it had been committed or not."""
    body, made = {"ruleset": "claim", "seats": 2}, set[str]()
    before, refused = len(served.games()), 0
    while not refused:
        assert len(made) < 50
        served.cable.cut_answer(b"COMMIT", 0)  # perhaps the worker's
        key, before_it = str(uuid4()), len(made)

        def create(key: str = key) -> bool:
            nonlocal refused
            try:
                made.add(served.call(0, "POST", "/v1/games", body, Idempotency_Key=key).json()["id"])
            except Refused:
                refused += 1
                return False
            return True

        wait_until(create, "the same again is answered")
        assert len(made) == before_it + 1
    assert len(served.games()) == before + len(made)


@pytest.mark.slow
def test_all_connections_to_the_database_are_cut(served: Served) -> None:
    for _ in range(3):
        served.cable.cut()
        wait_until(served.moves, "it goes on by itself", 30)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_database_that_falls_silent(served: Served) -> None:
    """Neither side closes anything, and no answer comes: after a while the service stops waiting for it."""
    before = served.moves_made()

    def ask(n: int) -> str:
        try:
            served.move(n % SEATS)
        except Refused as refused:
            return refused.code
        return "answered"

    served.cable.freeze()
    try:
        with ThreadPoolExecutor(12) as hands:
            for _ in range(2):
                told = Counter(hands.map(ask, range(12)))
                assert set(told) <= {"busy", "database_unavailable"}
        assert served.status("/healthz") == 200
        assert served.status("/readyz") == 503
    finally:
        served.cable.thaw()
    assert served.moves_made() == before
