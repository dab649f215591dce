"""Faults of a cluster while people play on it, and what they noticed.

`python -m tests.citus.faults` prints a row for each.
"""

from __future__ import annotations

import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psycopg

from holmgang import Client
from holmgang.store.distribution import distribute
from holmgang.store.migrate import upgrade
from tests.e2e.running import Running, serving
from tests.e2e.test_faults import games_are_whole
from tests.processes import send
from tests.waiting import wait_until

from .cluster import Cluster, Node, running_cluster
from .playing import KINDS, Answer, Place, Played, Prober, Table, by_status, places_of, silences, turns_ended

if TYPE_CHECKING:
    import psutil

SECONDS = 60.0
UNLIMITED = {"RATE_LIMIT_REGISTRATIONS": "1000000", "RATE_LIMIT": "1000000", "RATE_LIMIT_POLLS": "10000000"}


@dataclass
class Town:
    """Tables at a service on a cluster, and strangers who register and look at what waits for them."""

    cluster: Cluster
    database: str
    service: Running
    tables: list[Table]
    probers: dict[str, Prober] = field(default_factory=dict)

    def start(self) -> None:
        """One table after another: two hundred who all make games at once are a fault of another kind."""
        for table in self.tables:
            table.start()
        for prober in self.probers.values():
            prober.start()

    def games(self) -> list[Played]:
        return [game for table in self.tables for game in table.games]

    def choices(self, games: list[Played] | None = None) -> int:
        return sum(len(game.receipts) for game in (self.games() if games is None else games))

    def wrong(self) -> list[str]:
        return [wrong for table in self.tables for wrong in table.wrong]

    def get_on(self, choices: int, what: str) -> None:
        """Return when so many more choices were made."""
        before = self.choices()
        wait_until(lambda: self.wrong() or self.choices() >= before + choices, what, SECONDS)
        self.nothing_is_wrong()

    def nothing_is_wrong(self) -> None:
        log = [line for line in self.service.log().splitlines() if '"level":"info"' not in line]
        assert self.wrong() == [], "\n".join((*self.wrong()[:5], *log[-5:]))

    def finish(self) -> None:
        for table in self.tables:
            table.stop()
        for prober in self.probers.values():
            prober.stop()
        for thread in (*(t for table in self.tables for t in table.threads), *self.probers.values()):
            thread.join(SECONDS)
            assert not thread.is_alive(), f"{thread.name} hangs"
        self.nothing_is_wrong()
        assert self.service.stop() == 0  # bots would choose on while receipts are counted

    def answers(self) -> list[Answer]:
        return [answer for table in self.tables for answer in table.answers]


@contextmanager
def town(cluster: Cluster, name: str, tables: int = 12, rest: float = 0.2, **settings: str) -> Iterator[Town]:
    database = cluster.create_database(name)
    upgrade(database)
    distribute(database)
    with serving(database, None, **{"WORKERS": "2", **UNLIMITED, **settings}) as service:
        seated = [Table(service.url, KINDS[n % len(KINDS)], n, rest) for n in range(tables)]
        yield Town(cluster, database, service, seated, _probers(service.url, seated[0].clients[0]))
    cluster.drop_database(name)


def _probers(url: str, player: Client) -> dict[str, Prober]:
    names = iter(range(1_000_000))
    headers = {"Authorization": f"Bearer {player.token}"}
    return {
        "registering": Prober(
            "registering", lambda http: http.post(f"{url}/v1/players", json={"name": f"stranger {next(names)}"})
        ),
        "inbox": Prober("inbox", lambda http: http.get(f"{url}/v1/me/turns", headers=headers)),
    }


@dataclass
class Report:
    """What was noticed of a fault that began and ended at these times of the clock.

    `silences` are the longest pauses between turns, before the fault and during it, by kind of game; `answers` what
    was told meanwhile, by status; `slowest` the longest answer.
    """

    began: float
    ended: float
    recovered: float = 0.0
    silences: dict[str, tuple[float, float]] = field(default_factory=dict)
    answers: dict[str, Counter[int]] = field(default_factory=dict)
    slowest: dict[str, float] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    lost: int = 0
    doubled: int = 0
    receipts: int = 0

    def lines(self) -> Iterator[str]:
        yield f"fault for {self.ended - self.began:.1f} s, recovered after {self.recovered:.1f} s"
        for what, (before, during) in sorted(self.silences.items()):
            yield f"  silence of {what}: {before:.2f} s before, {during:.2f} s during"
        for what, counted in sorted(self.answers.items()):
            yield f"  answers to {what}: {dict(counted)}, slowest {self.slowest[what]:.2f} s"
        yield f"  {self.receipts} receipts, {self.lost} lost, {self.doubled} doubled"
        yield from (f"  told: {each}" for each in sorted(self.told)[:5])


Hit = Callable[[Place], bool]
"""Whether a fault befalls the games that lie there."""


def everywhere(_: Place) -> bool:
    return True


def strike(
    town: Town, begin: Callable[[], None], end: Callable[[], None], hit: Hit, choices: int, meanwhile: int | None = None
) -> Report:
    """Play, let the fault begin, play on until the games that are not `hit` (or all, where all are) have made so many
    choices, or `meanwhile`, let it end, and wait until there is a new turn at each table."""
    town.start()
    town.get_on(choices, "the games get on before")
    calm = time.time()
    town.get_on(choices, "the games get on in calm")
    lying = places_of(town.database, [game.id for game in town.games()])
    begun = time.time()
    begin()
    others = [game for game in town.games() if hit is everywhere or game.id not in lying or not hit(lying[game.id])]
    before, known = town.choices(others), {game.id for game in town.games()}

    def got_on() -> bool:
        new = [game for game in town.games() if game.id not in known]
        needed = choices if meanwhile is None else meanwhile
        return bool(town.wrong()) or town.choices(others + new) >= before + needed

    wait_until(got_on, "others get on meanwhile", SECONDS)
    ended = time.time()
    end()
    back = time.time()

    def all_got_on() -> bool:
        live = [table.games[-1].id for table in town.tables]
        ends = turns_ended(town.database, live)
        return bool(town.wrong()) or all(ends.get(game, [0.0])[-1] > back for game in live)

    wait_until(all_got_on, "there is a new turn at each table", SECONDS)
    report = Report(begun, ended, time.time() - back)
    town.finish()
    measure(town, report, calm, hit)
    return report


def measure(town: Town, report: Report, calm: float, hit: Hit) -> None:
    games = {game.id: game for game in town.games()}
    lying, ends = places_of(town.database, games), turns_ended(town.database, games)
    where = {ident: "games hit" if hit(lying[ident]) else "other games" for ident in games}
    for ident, game in games.items():
        who = "deadlines" if game.kind.dawdles else "bots" if game.kind.bots else "people"
        turns = ends.get(ident, [])
        before = max(silences([end for end in turns if end <= report.began], calm, report.began), default=0.0)
        during = max(silences(turns, report.began, report.ended), default=0.0)
        old = report.silences.get(f"{where[ident]}, {who}", (0.0, 0.0))
        report.silences[f"{where[ident]}, {who}"] = max(before, old[0]), max(during, old[1])
    answered: dict[str, list[Answer]] = {name: prober.answers for name, prober in town.probers.items()}
    for answer in town.answers():
        parts = answer.what.split("/")
        ident = parts[3].partition("?")[0] if len(parts) > 3 else ""
        what = where.get(ident, "new games" if answer.what == "POST /v1/games" else "another")
        answered.setdefault(what, []).append(answer)
        if answer.status >= 500:
            report.told.add(f"{what}: {answer.what.replace(ident, '')} {answer.status} {answer.told[50:90]}")
    for what, answers in answered.items():
        until = report.ended + report.recovered
        meanwhile = [each for each in answers if report.began <= each.began + each.took and each.began <= until]
        report.answers[what] = by_status(meanwhile)
        report.slowest[what] = max((each.took for each in meanwhile if "wait" not in each.what), default=0.0)
    count_receipts(town, report)


def count_receipts(town: Town, report: Report) -> None:
    """Each receipt is kept as it was given, each game is whole, and no seat has two choices for a turn."""
    with psycopg.connect(town.database) as connection:
        for game in town.games():
            kept: dict[tuple[int, int], list[str]] = {}
            for seat, turn, ident in connection.execute(
                "SELECT seat, turn, id::text FROM submissions WHERE game_id = %s", [game.id]
            ):
                kept.setdefault((seat, turn), []).append(ident)
            report.receipts += len(game.receipts)
            report.lost += sum(ident not in kept.get(where, ()) for where, (ident, _) in game.receipts.items())
            report.doubled += sum(len(found) > 1 for found in kept.values())
    games_are_whole(town.database, [game.id for game in town.games() if game.receipts])


def on(node: Node) -> Hit:
    return lambda place: place.port == node.port


def kill(cluster: Cluster, name: str, choices: int = 100) -> Report:
    """A worker killed by -9 and started again."""
    with town(cluster, name) as place:
        victim = cluster.workers[0]
        return strike(place, victim.kill, victim.start, on(victim), choices)


def kill_coordinator(cluster: Cluster, name: str, choices: int = 100) -> Report:
    """The coordinator killed by -9 and started again at once."""
    with town(cluster, name) as place:

        def again() -> None:
            cluster.coordinator.kill()
            cluster.coordinator.start()

        return strike(place, again, lambda: None, everywhere, choices)


def suspend(cluster: Cluster, name: str, choices: int = 100) -> Report:
    """A worker that says nothing for a while: all of its processes are stopped."""
    with town(cluster, name) as place:
        victim = cluster.workers[0]
        stopped: list[psutil.Process] = []

        def stop() -> None:
            stopped.extend(victim.processes())
            send(signal.SIGSTOP, *stopped)

        def go_on() -> None:
            send(signal.SIGCONT, *stopped)

        try:
            return strike(place, stop, go_on, on(victim), choices)
        finally:
            go_on()


def lock(cluster: Cluster, name: str, choices: int = 100) -> Report:
    """Somebody holds all games of one shard."""
    with town(cluster, name) as place, psycopg.connect(cluster.workers[0].url(name)) as somebody:
        found = somebody.execute(
            "SELECT shardid, shard_name FROM citus_shards WHERE table_name = 'games'::regclass AND nodeport = %s",
            [cluster.workers[0].port],
        ).fetchall()
        lying = places_of(place.database, [])
        shard, table = found[0]

        def hold() -> None:
            nonlocal shard, table
            lying.update(places_of(place.database, [each.games[-1].id for each in place.tables]))
            shard, table = next(row for row in found if any(at.shard == row[0] for at in lying.values()))
            somebody.execute("SET citus.enable_manual_changes_to_shards = on")
            somebody.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())

        return strike(place, hold, somebody.rollback, lambda at: at.shard == shard, choices)


def rebalance(cluster: Cluster, name: str, choices: int = 400) -> Report:
    """A third worker joins, and shards are moved to it while two hundred play."""
    with town(cluster, name, tables=80, rest=3.0) as place:
        cluster.join(cluster.add_worker(), name)

        def move() -> None:
            with psycopg.connect(place.database, autocommit=True) as connection:
                connection.execute("SELECT citus_rebalance_start()")
                connection.execute("SELECT citus_rebalance_wait()")

        report = strike(place, move, lambda: None, everywhere, choices, meanwhile=0)
        moved = places_of(place.database, [game.id for game in place.games()]).values()
        assert {at.port for at in moved} == {worker.port for worker in cluster.workers}
        return report


FAULTS = {
    "kill": kill,
    "kill_coordinator": kill_coordinator,
    "suspend": suspend,
    "lock": lock,
    "rebalance": rebalance,
}


def main(names: list[str]) -> None:
    with running_cluster() as nodes:
        for name in names or FAULTS:
            print(name)
            for line in FAULTS[name](nodes, f"fault_{name}").lines():
                print(line, flush=True)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
