"""Figures for Prometheus: what they count, what they cost the database, and who may read them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families

from holmgang.api.http import metrics as api_figures
from holmgang.app.accounts.tokens import authenticate
from holmgang.store import figures
from holmgang.store.database import PostgresStore, conninfo
from holmgang.worker.deliveries import Deliverer
from holmgang.worker.loop import Worker
from tests.integration.tournaments import made
from tests.waiting import wait_until

from .calling import Api, legal_action

Labels = frozenset[tuple[str, str]]


@pytest.fixture
def own(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    monkeypatch.setattr(api_figures, "KEPT_SECONDS", 0.0)
    api = Api(database)
    yield api
    api.close()


def scrape(api: Api) -> dict[tuple[str, Labels], float]:
    text = api.call("GET", "/metrics", status=200).get_data(as_text=True)
    families = list(text_string_to_metric_families(text))
    assert len({family.name for family in families}) == len(families)
    return {(s.name, frozenset(s.labels.items())): s.value for family in families for s in family.samples}


def at(found: dict[tuple[str, Labels], float], name: str, **labels: str) -> float:
    return found.get((name, frozenset(labels.items())), 0.0)


def test_requests_are_counted_by_route_method_and_status(own: Api) -> None:
    table = own.table()
    tag = own.call("GET", f"{table.path}/turn", token=table.token(0)).headers["ETag"]
    before = scrape(own)
    for _ in range(3):
        own.call("GET", f"{table.path}/turn", token=table.token(0), If_None_Match=tag, status=304)
    own.call("GET", "/v1/nowhere", status=404)
    own.call("BREW", "/v1/games", status=405)
    own.call("BOIL", "/v1/games", status=405)
    after = scrape(own)

    def grown(route: str, method: str, status: str) -> float:
        labels = {"route": route, "method": method, "status": status, "held": "no"}
        name = "holmgang_request_seconds_count"
        return at(after, name, **labels) - at(before, name, **labels)

    assert grown("/v1/games/<uuid:game>/turn", "GET", "3xx") == 3
    assert grown("none", "GET", "4xx") == 1
    assert grown("none", "other", "4xx") == 2
    assert grown("/metrics", "GET", "2xx") == 1
    assert not any("BREW" in str(labels) for _, labels in after)


def test_those_who_wait_and_how_soon_they_wake(own: Api) -> None:
    table = own.table()
    tag = own.call("GET", f"{table.path}/turn", token=table.token(0)).headers["ETag"]
    before = scrape(own)
    with ThreadPoolExecutor(1) as hands:
        client = own.app.test_client()
        headers = {"Authorization": f"Bearer {table.token(0)}", "If-None-Match": tag}
        waiting = hands.submit(client.get, f"{table.path}/turn?wait=30", headers=headers)
        store = own.app.extensions["holmgang"].store
        wait_until(lambda: store.wakeups.waiting() == 1, "it waits")
        assert at(scrape(own), "holmgang_requests_waiting") == 1
        table.submit(1, status=201)
        assert waiting.result(20).status_code == 200
    after = scrape(own)
    assert at(after, "holmgang_requests_waiting") == 0
    assert at(after, "holmgang_wakeup_seconds_count") - at(before, "holmgang_wakeup_seconds_count") == 1
    assert 0 < at(after, "holmgang_wakeup_seconds_sum") - at(before, "holmgang_wakeup_seconds_sum") < 20
    held = {"route": "/v1/games/<uuid:game>/turn", "method": "GET", "status": "2xx", "held": "yes"}
    name = "holmgang_request_seconds_count"
    assert at(after, name, **held) - at(before, name, **held) == 1


def test_what_the_database_counts(own: Api, database: str) -> None:
    own.table(taken=1)
    table = own.table(turn_seconds=1000)
    own.call("POST", "/v1/games", token=table.token(0), json={"ruleset": "claim", "seats": 2})
    made(own.app.extensions["holmgang"].store, 0)
    with psycopg.connect(conninfo(database), autocommit=True) as rows:
        found = scrape(own)
        assert at(found, "holmgang_database_up") == 1
        assert at(found, "holmgang_games", status="open") == 2
        assert at(found, "holmgang_games", status="active") == 1
        assert at(found, "holmgang_tournaments", status="open") == 1
        assert at(found, "holmgang_turns_awaited", of="player") == 3
        assert at(found, "holmgang_turns_awaited", of="service") == 0
        assert at(found, "holmgang_deadlines_behind_seconds") == 0
        assert ("holmgang_worker_pulse_seconds", frozenset()) not in found
        rows.execute("UPDATE games SET deadline = clock_timestamp() - interval '5 s' WHERE deadline IS NOT NULL")
        assert 5 <= at(scrape(own), "holmgang_deadlines_behind_seconds") < 60
    store = PostgresStore(database, pool_size=1)
    Worker(store).work()
    after = scrape(own)
    assert at(after, "holmgang_deadlines_behind_seconds") == 0
    assert at(after, "holmgang_deadlines_ended_total") - at(found, "holmgang_deadlines_ended_total") == 1
    assert 0 <= at(after, "holmgang_worker_pulse_seconds") < 60
    store.close()


def test_large_tables_are_not_counted_but_estimated(own: Api, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = own.table()
    with own.app.extensions["holmgang"].store.reading() as tables:
        awaited = tables._source.awaited.as_string()  # on a cluster, the coordinator's
    with psycopg.connect(conninfo(database), autocommit=True) as rows:
        rows.execute(
            "INSERT INTO games (id, ruleset, ruleset_version, status, visibility, spectators, seat_count, options,"
            " creator, commitment, seed, version) SELECT gen_random_uuid(), 'claim', '1',"
            " CASE WHEN n % 4 = 0 THEN 'archived' ELSE 'over' END, 'public', true, 2, '{}', gen_random_uuid(), '', '',"
            " 1 FROM generate_series(1, 8000) AS n"
        )
        rows.execute(
            f"INSERT INTO {awaited} (game_id, seat, player_id, turn, kind, since, played_by) SELECT gen_random_uuid(),"
            " 0, gen_random_uuid(), 1, 'x', now(), CASE WHEN n % 2 = 0 THEN 'greedy' END"
            " FROM generate_series(1, 8000) AS n"
        )
        monkeypatch.setattr(figures, "COUNTED_BYTES", 0)
        rows.execute(f"ANALYZE games, {awaited}".encode())
        rows.execute("DELETE FROM games WHERE id <> %s", [table.game])
        found = scrape(own)
    assert at(found, "holmgang_games", status="over") == pytest.approx(6000, rel=0.02)
    assert at(found, "holmgang_games", status="archived") == pytest.approx(2000, rel=0.02)
    assert at(found, "holmgang_turns_awaited", of="player") == pytest.approx(4000, rel=0.02)
    assert at(found, "holmgang_turns_awaited", of="service") == pytest.approx(4000, rel=0.02)


def test_the_database_is_asked_once_in_a_while(database: str) -> None:
    api = Api(database)
    api.table()
    first = scrape(api)
    api.table()
    again = scrape(api)
    assert at(again, "holmgang_games", status="active") == at(first, "holmgang_games", status="active") == 1
    api.close()


def test_without_its_database_it_still_tells_what_it_knows(own: Api) -> None:
    own.app.extensions["holmgang"].store.pool.close()
    found = scrape(own)
    assert at(found, "holmgang_database_up") == 0
    assert not any(name == "holmgang_games" for name, _ in found)


def test_bots_and_webhooks_are_counted(own: Api, database: str) -> None:
    me = own.register()
    game = own.call("POST", "/v1/games", token=me.token, json={"ruleset": "claim", "seats": 2}, status=201).get_json()
    own.call("POST", f"/v1/games/{game['id']}/seats", token=me.token, json={"bot": "greedy"}, status=201)
    store = PostgresStore(database, pool_size=2)
    before = scrape(own)
    with store.transaction() as tables:
        player = authenticate(tables, me.token)
        hook = player.player
        tables.add_webhook(hook, player.player, "http://127.0.0.1:9/", ["game.over"], "whsec_" + "b" * 32)
        tables.add_delivery(player.token, hook, "webhook.test", "{}")
    assert at(scrape(own), "holmgang_webhooks", state="pending") == 1
    with ThreadPoolExecutor(1) as hands:
        for attempt in Deliverer(store, private=True).begin_due(hands):
            attempt.result(20)
    turn = own.get(f"/v1/games/{game['id']}/turn", me.token)
    if turn["yours"]:
        body = {"turn": turn["turn"], "action": legal_action(turn)}
        own.call("POST", f"/v1/games/{game['id']}/submissions", token=me.token, json=body, status=201)
    worker = Worker(store)
    wait_until(lambda: not worker.work(), "the bot has nothing to choose")
    after = scrape(own)
    name = "holmgang_bot_choice_seconds_count"
    assert at(after, name, bot="greedy", ruleset="claim") > at(before, name, bot="greedy", ruleset="claim")
    failed = "holmgang_webhook_attempts_total"
    assert at(after, failed, outcome="failed") - at(before, failed, outcome="failed") == 1
    store.close()


def test_nobody_is_named(own: Api) -> None:
    table = own.table()
    table.play(turns=2)
    text = own.call("GET", "/metrics", status=200).get_data(as_text=True)
    for person in table.people:
        assert person.id not in text
        assert person.token not in text
    assert table.game not in text


@pytest.mark.parametrize(
    ("who", "address", "headers", "status"),
    [
        ("loopback", "127.0.0.1", {}, 200),
        ("loopback", "::1", {}, 200),
        ("loopback", "10.0.0.7", {}, 404),
        ("loopback", "", {}, 404),
        ("loopback", "127.0.0.1", {"X-Forwarded-For": "10.0.0.7"}, 404),
        ("loopback", "127.0.0.1", {"Forwarded": "for=10.0.0.7"}, 404),
        ("loopback", "10.0.0.7", {"X-Forwarded-For": "127.0.0.1"}, 404),
        ("on", "10.0.0.7", {"X-Forwarded-For": "10.0.0.8"}, 200),
        ("off", "127.0.0.1", {}, 404),
    ],
)
def test_who_may_read_them(module_database: str, who: str, address: str, headers: dict[str, str], status: int) -> None:
    api = Api(module_database, metrics=who, trusted_proxies=1 if headers else 0)
    there: dict[str, Any] = {"REMOTE_ADDR": address}
    answer = api.client.get("/metrics", headers=headers, environ_base=there)
    assert answer.status_code == status
    if status == 404:
        assert answer.get_json()["detail"] == api.client.get("/v1/nowhere").get_json()["detail"]
    api.close()
