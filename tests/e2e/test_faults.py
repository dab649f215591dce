"""Faults while many wait and play: the database restarted, processes killed, waits abandoned. No game hangs, no move is
lost or made twice, and whatever a client is told in the meantime says that it may try again."""

from __future__ import annotations

import contextlib
import random
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import psutil
import psycopg
import pytest

from holmgang import Client, any_action
from holmgang.store.database import PostgresStore
from holmgang.store.embedded import EmbeddedPostgres
from tests.e2e.running import Running
from tests.integration.tables import Table
from tests.integration.test_submissions import feed_is_gapless, log_replays
from tests.processes import command, family, is_postgres, send
from tests.waiting import wait_until

RULESET, SEATS = "drakkars", 4


@pytest.fixture
def running(open_folder: Path, free_port: int) -> Iterator[Running]:
    service = Running(open_folder, free_port)
    yield service
    if service.process is not None and service.process.poll() is None:
        service.kill(database=True)


class Player(threading.Thread):
    """Waits for its turns and plays them, until the game is over. What it was told that it should not be is kept.

    `loses_connections`: whether the fault cuts connections, so that a call without an answer is made again.
    """

    def __init__(self, url: str, token: str, game: str, seat: int, *, loses_connections: bool) -> None:
        super().__init__(daemon=True)
        self.url, self.token, self.game, self.seat = url, token, game, seat
        self.loses_connections = loses_connections
        self.receipts: dict[int, tuple[str, Any]] = {}
        self.wrong: list[str] = []
        self.over = threading.Event()
        self.moves = 0

    def run(self) -> None:
        rng = random.Random(f"{self.game} {self.seat}")
        tag: str | None = None
        with httpx.Client(base_url=self.url, headers={"Authorization": f"Bearer {self.token}"}, timeout=40) as http:
            while True:
                headers = {} if tag is None else {"If-None-Match": tag}
                answer = self._call(http, "GET", f"/v1/games/{self.game}/turn?wait=20", headers=headers)
                if answer is None or answer.status_code == 304:
                    continue
                if answer.status_code != 200:
                    self.wrong.append(f"turn: {answer.status_code} {answer.text[:200]}")
                    return
                tag = answer.headers["ETag"]
                turn = answer.json()
                if turn["status"] == "over":
                    self.over.set()
                    return
                if turn["yours"] and not self._move(http, turn, rng):
                    tag = None  # it is still to be made, and nothing new would tell so

    def _move(self, http: httpx.Client, turn: dict[str, Any], rng: random.Random) -> bool:
        legal = turn["legal"]
        action = rng.choice(legal["actions"]) if "actions" in legal else legal["sample"]
        body = {"turn": turn["turn"], "action": action}
        answer = self._call(http, "POST", f"/v1/games/{self.game}/submissions", json=body)
        if answer is None:
            return False
        if answer.status_code not in (200, 201):
            self.wrong.append(f"move: {answer.status_code} {answer.text[:200]}")
            return False
        self.receipts[turn["turn"]] = (answer.json()["id"], action)
        self.moves += 1
        return True

    def _call(self, http: httpx.Client, method: str, path: str, **more: Any) -> httpx.Response | None:
        """The answer; None where the call is to be made again."""
        try:
            answer = http.request(method, path, **more)
        except httpx.TransportError as fault:
            if not self.loses_connections:
                self.wrong.append(repr(fault))
            self.over.wait(0.2)
            return None
        if answer.status_code >= 500:
            if not answer.json().get("retryable") or "Retry-After" not in answer.headers:
                self.wrong.append(f"{answer.status_code} {answer.text[:200]}")
            self.over.wait(float(answer.headers.get("Retry-After", "1")))
            return None
        return answer


def moved(players: list[Player], moves: int) -> bool:
    return sum(player.moves for player in players) >= moves


def seat_games(running: Running, games: int, *, loses_connections: bool) -> list[Player]:
    """Players of new games, a thread and a connection each."""
    players = []
    for _ in range(games):
        clients = [Client.register(running.url, f"player {n}") for n in range(SEATS)]
        game = clients[0].create_game(RULESET, SEATS)["id"]
        for client in clients[1:]:
            client.take_seat(game)
        for seat, client in enumerate(clients):
            token = client.token
            assert token is not None
            client.close()
            players.append(Player(running.url, token, game, seat, loses_connections=loses_connections))
    return players


def play_through(running: Running, players: list[Player], faults: list[Callable[[], None]], seconds: float) -> None:
    """Play all games to their ends, with a fault whenever another share of the moves is made."""
    for player in players:
        player.start()
    games = len(players) // SEATS
    for number, fault in enumerate(faults, start=1):
        wait_until(
            partial(moved, players, number * games * 15),
            "the games get on",
            seconds,
        )
        fault()
    for player in players:
        player.join(seconds)
    assert [w for p in players for w in p.wrong] == [], "\n".join(
        line for line in running.log().splitlines() if "holmgang.access" not in line
    )
    assert all(p.over.is_set() for p in players), f"some games hang: {running.log()[-3000:]}"


def nothing_is_lost_or_doubled(running: Running, players: list[Player]) -> None:
    """Every receipt is kept as it was given, every game replays, every feed is whole."""
    for player in players:
        with httpx.Client(base_url=running.url, headers={"Authorization": f"Bearer {player.token}"}) as http:
            for turn, (receipt, action) in list(player.receipts.items())[::7]:
                kept = http.get(f"/v1/games/{player.game}/submissions/{receipt}").json()
                assert (kept["turn"], kept["seat"], kept["action"]) == (turn, player.seat, action)
    assert running.stop() == 0
    games = {player.game for player in players}
    if running.database is not None:
        games_are_whole(running.database, games)
        return
    with EmbeddedPostgres(running.folder) as postgres:
        games_are_whole(postgres.url, games)


def games_are_whole(url: str, games: Iterable[str]) -> None:
    """Every game in the database at `url` replays, with no choice made twice and no gap in its feed."""
    store = PostgresStore(url, pool_size=2)
    for game in games:
        table = Table(store, UUID(game), [], [])
        log_replays(table)
        feed_is_gapless(table)
        with store.pool.connection() as connection:
            made = connection.execute(
                "SELECT seat, turn, count(*) FROM submissions WHERE game_id = %s GROUP BY seat, turn", [game]
            ).fetchall()
        assert made
        assert all(count == 1 for _, _, count in made)
    store.close()


def processes(running: Running, name: str) -> list[psutil.Process]:
    """The children of the service of a kind: `worker`, `api`, or `server`, the parent of those."""
    assert running.process is not None
    workers = [each for each in family(running.process.pid)[1:] if _is_ours(each)]
    listening = [c for c in workers if _listens(c, running.port)]
    below = [each for parent in listening for each in family(parent.pid)[1:]]
    api = [c for c in listening if c in below]
    if name == "api":
        return api
    return [c for c in listening if c not in api] if name == "server" else [c for c in workers if c not in listening]


def _is_ours(process: psutil.Process) -> bool:
    """Whether it is one that the service has started in Python, and has not ended."""
    return "spawn_main" in " ".join(command(process)) and not is_postgres(process)


def _listens(process: psutil.Process, port: int) -> bool:
    try:
        return any(each.laddr.port == port for each in process.net_connections() if each.laddr)
    except psutil.NoSuchProcess:
        return False


FAST = signal.SIGINT
"""A shutdown of Postgres that cuts every connection."""


def end_postgres(running: Running, how: signal.Signals) -> None:
    """The service starts it again."""
    postmaster = running.postmaster()
    assert postmaster is not None
    with contextlib.suppress(psutil.NoSuchProcess):
        postmaster.send_signal(how)
        postmaster.wait(30)


def check_restarts(running: Running, games: int, restarts: int, seconds: float, how: signal.Signals = FAST) -> None:
    running.start()
    players = seat_games(running, games, loses_connections=False)
    play_through(running, players, [lambda: end_postgres(running, how)] * restarts, seconds)
    nothing_is_lost_or_doubled(running, players)


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_postgres_restarted_while_clients_wait_and_play(running: Running) -> None:
    check_restarts(running, 3, 1, 120)


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_postgres_killed_while_clients_wait_and_play(running: Running) -> None:
    check_restarts(running, 3, 2, 120, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_postgres_restarted_while_two_hundred_wait_and_play(running: Running) -> None:
    check_restarts(running, 50, 3, 900)


def kill_one(running: Running, name: str) -> None:
    found: list[psutil.Process] = []

    def there() -> bool:
        found[:] = processes(running, name)  # looked at once: the next look may come in the middle of a replacement
        return bool(found)

    wait_until(there, f"there is a process of the kind {name}", 30)
    send(signal.SIGKILL, found[0])


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("name", ["api", "server"])
def test_api_process_killed_while_clients_wait_and_play(running: Running, name: str) -> None:
    running.start()
    players = seat_games(running, 3, loses_connections=True)
    play_through(running, players, [lambda: kill_one(running, name)] * 2, 120)
    nothing_is_lost_or_doubled(running, players)


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_worker_killed_while_bots_play(running: Running) -> None:
    """Two people, two bots: the bots' choices are made by the worker, which is killed twice."""
    running.start()
    clients = [Client.register(running.url, f"player {n}") for n in range(2)]
    game = clients[0].create_game(RULESET, SEATS)["id"]
    clients[1].take_seat(game)
    for _ in range(2):
        clients[0].seat_bot(game, "random")
    players = [Player(running.url, str(c.token), game, n, loses_connections=False) for n, c in enumerate(clients)]
    for player in players:
        player.start()
    for moves in (4, 12):
        wait_until(partial(moved, players, moves), "the game gets on", 60)
        kill_one(running, "worker")
    for player in players:
        player.join(120)
    assert [p.wrong for p in players] == [[], []]
    assert all(p.over.is_set() for p in players)
    nothing_is_lost_or_doubled(running, players)


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_worker_killed_while_it_thinks(running: Running) -> None:
    """Its claim runs out, and the worker that is started in its place makes the choice, once."""
    running.start()
    client = Client.register(running.url, "player")
    game = client.create_game("claim", 2)["id"]
    client.seat_bot(game, "search")
    with psycopg.connect(EmbeddedPostgres(running.folder).url, autocommit=True) as rows:

        def thinks_about() -> int | None:
            """The turn for which a worker's claim holds."""
            found = rows.execute(
                "SELECT turn FROM awaited WHERE game_id = %s AND claimed_until > clock_timestamp()", [game]
            ).fetchone()
            return None if found is None else int(found[0])

        asked = None
        for _ in range(10):  # until it is killed before it has chosen
            wait_until(lambda: processes(running, "worker"), "there is a worker", 30)
            worker = processes(running, "worker")[0]
            turn = client.turn(game)
            if turn["yours"]:
                assert turn["legal"] is not None
                client.submit(game, turn["turn"], any_action(turn["legal"], random.Random(1)))
            wait_until(lambda: thinks_about() is not None or client.turn(game)["yours"], "the worker thinks", 30)
            if thinks_about() is None:
                continue
            worker.kill()
            worker.wait(10)
            asked = thinks_about()
            if asked is not None:
                break
        assert asked is not None
        wait_until(lambda: client.turn(game)["yours"], "another makes the choice", 60)
        made = rows.execute("SELECT count(*) FROM submissions WHERE game_id = %s AND turn = %s", [game, asked])
        assert made.fetchone() == (1,)
    client.close()
    assert running.stop() == 0


def check_abandoned(running: Running, waits: int) -> float:
    """Waits that nobody waits for any more end without any news. Gives how many seconds /readyz took at most."""
    running.start()
    clients = [Client.register(running.url, f"player {n}") for n in range(2)]
    game = clients[0].create_game("claim", 2)["id"]
    clients[1].take_seat(game)
    token = f"Bearer {clients[0].token}"
    path = f"/v1/games/{game}/turn"
    first = httpx.get(f"{running.url}{path}", headers={"Authorization": token})
    assert first.status_code == 200
    known = first.headers["ETag"]
    api = processes(running, "api")
    before = sum(p.num_fds() for p in api)
    line = f"GET {path}?wait=50 HTTP/1.1\r\nHost: x\r\nIf-None-Match: {known}\r\n"
    slowest = 0.0
    for batch in range(0, waits, 250):
        lines = []
        for n in range(min(250, waits - batch)):
            who = f"Authorization: {token}\r\n" if n % 2 else ""
            connection = socket.create_connection(("127.0.0.1", running.port))
            connection.sendall((line + who + "\r\n").encode())
            lines.append(connection)
        for connection in lines:
            connection.close()
        started = time.monotonic()
        assert httpx.get(f"{running.url}/readyz", timeout=5).status_code == 200
        slowest = max(slowest, time.monotonic() - started)
    wait_until(lambda: sum(p.num_fds() for p in api) <= before + 40, "all abandoned connections are closed", 30)
    mover = clients[first.json()["awaited"][0]]
    turn = mover.turn(game)
    legal = turn["legal"]
    mover.submit(game, turn["turn"], legal["actions"][0] if "actions" in legal else legal["sample"])
    fresh = httpx.get(
        f"{running.url}{path}?wait=20", headers={"Authorization": token, "If-None-Match": known}, timeout=30
    )
    assert fresh.status_code == 200
    assert running.stop() == 0
    return slowest


@pytest.mark.timeout(120)
def test_sigterm_answers_all_who_wait(running: Running) -> None:
    running.start()
    client = Client.register(running.url, "player")
    game = client.create_game("claim", 2)["id"]
    path = f"/v1/games/{game}/turn"
    known = httpx.get(f"{running.url}{path}").headers["ETag"]
    line = f"GET {path}?wait=50 HTTP/1.1\r\nHost: x\r\nIf-None-Match: {known}\r\n\r\n".encode()
    with contextlib.ExitStack() as kept:
        lines = [kept.enter_context(socket.create_connection(("127.0.0.1", running.port))) for _ in range(20)]
        for connection in lines:
            connection.sendall(line)
        wait_until(lambda: not _unread(running), "all requests are read", 10)
        assert running.process is not None
        running.process.send_signal(signal.SIGTERM)
        for connection in lines:
            connection.settimeout(10)
            assert connection.recv(12) == b"HTTP/1.1 304"
    assert running.process.wait(20) == 0


def _unread(running: Running) -> bool:
    """Whether any request has not been taken in yet, by what the kernel keeps for the server's connections."""
    rows = Path("/proc/net/tcp").read_text().splitlines()[1:]
    here = f":{running.port:04X}"
    return any(row.split()[1].endswith(here) and not row.split()[4].endswith(":00000000") for row in rows)


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_abandoned_waits_leave_nothing_behind(running: Running) -> None:
    check_abandoned(running, 500)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_five_thousand_abandoned_waits_leave_nothing_behind(running: Running) -> None:
    assert check_abandoned(running, 5000) < 1.0
