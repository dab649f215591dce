"""People at games on a cluster, through the service over HTTP, who keep in mind what they were told and when."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, NamedTuple

import httpx
import psycopg

from holmgang import Client, Patience, Problem
from tests.waiting import wait_until

PATIENCE = Patience(longest=1.0, first_answer=60.0)
WAIT = 20


class Kind(NamedTuple):
    """What is played at a table. Its last person `dawdles`: they never choose, and return when they have been late."""

    ruleset: str
    persons: int
    bots: int = 0
    rated: bool = False
    turn_seconds: int | None = None
    dawdles: bool = False


KINDS = (
    Kind("claim", 2),
    Kind("drakkars", 2, 1, rated=True, turn_seconds=600),
    Kind("eketorp", 2, 1),
    Kind("claim", 2, turn_seconds=2, dawdles=True),
    Kind("drakkars", 3),
    Kind("eketorp", 3),
)


class Answer(NamedTuple):
    """`began` by the clock of the machine, as the log's times are; status 0 where the connection broke."""

    began: float
    took: float
    what: str
    status: int
    told: str = ""


class Recorder(httpx.BaseTransport):
    """Keeps what was answered, all but the waits."""

    def __init__(self, answers: list[Answer]) -> None:
        self._inner = httpx.HTTPTransport(verify=False)
        self._answers = answers

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        what = f"{request.method} {request.url.path}{'?wait' if 'wait' in request.url.params else ''}"
        began, clock = time.time(), time.monotonic()
        try:
            answer = self._inner.handle_request(request)
        except httpx.TransportError:
            self._answers.append(Answer(began, time.monotonic() - clock, what, 0))
            raise
        told = answer.read().decode(errors="replace")[:300] if answer.status_code >= 500 else ""
        self._answers.append(Answer(began, time.monotonic() - clock, what, answer.status_code, told))
        return answer

    def close(self) -> None:
        self._inner.close()


@dataclass
class Played:
    """One game of a table, with the receipts that were given at it: by seat and turn, the receipt and the choice."""

    id: str
    kind: Kind
    receipts: dict[tuple[int, int], tuple[str, Any]] = field(default_factory=dict)


class Table:
    """People who play one game after another, each in a thread, until they are told to stop.

    `rest` is how long they think before each choice, in seconds, at most a quarter of what the clock gives them.
    """

    def __init__(self, url: str, kind: Kind, number: int, rest: float) -> None:
        self.kind, self.number = kind, number
        self.rest = rest if kind.turn_seconds is None else min(rest, kind.turn_seconds / 4)
        self.answers: list[Answer] = []
        self.games: list[Played] = []
        self.wrong: list[str] = []
        self.clients = [person(url, f"{kind.ruleset} {number} {seat}", self.answers) for seat in range(kind.persons)]
        self._ended = threading.Event()
        self._next = threading.Barrier(kind.persons, self._begin)
        self.threads = [
            threading.Thread(target=self._run, args=(seat,), name=f"table {number}, seat {seat}", daemon=True)
            for seat in range(kind.persons)
        ]

    def start(self) -> None:
        """Have them play; returns when their first game is made."""
        for thread in self.threads:
            thread.start()
        wait_until(lambda: self.games or self.wrong, "a game is made", 60)

    def stop(self) -> None:
        """Play no more; threads end when what they wait for is answered."""
        self._ended.set()
        self._next.abort()

    def _begin(self) -> None:
        kind, creator = self.kind, self.clients[0]
        more: dict[str, Any] = {} if kind.turn_seconds is None else {"turn_seconds": kind.turn_seconds}
        if kind.dawdles:
            more["clock"] = "runs"  # it goes on though the others should be late as well
        game = creator.create_game(kind.ruleset, kind.persons + kind.bots, rated=kind.rated, **more)["id"]
        for client in self.clients[1:]:
            client.take_seat(game)
        for _ in range(kind.bots):
            creator.seat_bot(game, "random")
        self.games.append(Played(game, kind))

    def _run(self, seat: int) -> None:
        rng = random.Random(f"{self.number} {seat}")
        try:
            while not self._ended.is_set():
                with contextlib.suppress(threading.BrokenBarrierError):
                    self._next.wait()
                    self._play(self.games[-1], seat, rng)
        except Exception as fault:
            self.wrong.append(f"{self.kind} seat {seat}: {fault!r}")
            self.stop()

    def _play(self, game: Played, seat: int, rng: random.Random) -> None:
        client, returned = self.clients[seat], 1
        while not self._ended.is_set():
            turn = client.turn(game.id, wait=WAIT)
            if turn["status"] == "over":
                return
            if self.kind.dawdles and seat == self.kind.persons - 1:
                if turn["turn"] != returned:  # once for each turn: it gives them the whole time
                    returned = turn["turn"]
                    with _unless_too_late():
                        client.return_to_seat(game.id, seat)
                continue
            if not turn["yours"]:
                continue
            self._ended.wait(self.rest)
            legal = turn["legal"]
            assert legal is not None
            action = rng.choice(legal["actions"]) if "actions" in legal else legal["sample"]
            with _unless_too_late():
                receipt = client.submit(game.id, turn["turn"], action)
                if (seat, turn["turn"]) in game.receipts:
                    self.wrong.append(f"asked twice for turn {turn['turn']}")
                game.receipts[seat, turn["turn"]] = receipt["id"], action


@contextlib.contextmanager
def _unless_too_late() -> Iterator[None]:
    """The turn, or the game, may have ended meanwhile where there are deadlines."""
    try:
        yield
    except Problem as problem:
        if problem.status != HTTPStatus.CONFLICT:
            raise


def person(url: str, name: str, answers: list[Answer]) -> Client:
    token = Client.register(url, name, transport=Recorder([])).token
    return Client(url, token, patience=PATIENCE, transport=Recorder(answers))


class Prober(threading.Thread):
    """Asks the same again and again, with a pause between, and keeps the answers."""

    def __init__(self, name: str, ask: Callable[[httpx.Client], httpx.Response], pause: float = 0.25) -> None:
        super().__init__(name=name, daemon=True)
        self.answers: list[Answer] = []
        self._ask, self._pause = ask, pause
        self._ended = threading.Event()

    def run(self) -> None:
        with httpx.Client(transport=httpx.HTTPTransport(verify=False), timeout=60) as http:
            while not self._ended.wait(self._pause):
                began, clock = time.time(), time.monotonic()
                try:
                    answer = self._ask(http)
                except httpx.TransportError as fault:
                    self.answers.append(Answer(began, time.monotonic() - clock, self.name, 0, repr(fault)))
                    continue
                told = answer.text[:300] if answer.status_code >= 500 else ""
                self.answers.append(Answer(began, time.monotonic() - clock, self.name, answer.status_code, told))

    def stop(self) -> None:
        self._ended.set()


class Place(NamedTuple):
    """Where a game lies: the port of its node, and the number of its shard."""

    port: int
    shard: int


def places_of(database: str, games: Iterable[str]) -> dict[str, Place]:
    with psycopg.connect(database) as connection:
        rows = connection.execute(
            "SELECT game, p.nodeport, p.shardid FROM unnest(%s::text[]) AS game JOIN pg_dist_shard_placement p"
            " ON p.shardid = get_shard_id_for_distribution_column('games', game::uuid)",
            [list(games)],
        ).fetchall()
    return {game: Place(port, shard) for game, port, shard in rows}


def turns_ended(database: str, games: Iterable[str]) -> dict[str, list[float]]:
    """When each turn of each game ended, in seconds of the clock, whoever ended it."""
    with psycopg.connect(database) as connection:
        return {
            game: [at.timestamp() for at in ats]
            for game, ats in connection.execute(
                "SELECT game_id::text, array_agg(at ORDER BY seq) FROM log WHERE game_id = ANY(%s::uuid[]) GROUP BY 1",
                [list(games)],
            )
        }


def silences(ends: Iterable[float], since: float, until: float) -> Iterator[float]:
    """The pauses between turns of a game that overlap this time."""
    last = None
    for end in ends:
        if last is not None and end >= since and last <= until:
            yield end - last
        last = end


def by_status(answers: Iterable[Answer]) -> Counter[int]:
    return Counter(answer.status for answer in answers)
