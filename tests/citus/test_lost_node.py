"""While a node is away its games answer 503, and nothing else does; when it is back they go on, on the connections that
knew it before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import pytest

from holmgang.app.accounts.tokens import token_digest
from holmgang.app.errors import DatabaseUnavailable
from holmgang.app.records.contexts import UNREAD
from holmgang.store.database import PostgresStore
from holmgang.store.distribution import distribute
from holmgang.store.migrate import upgrade
from holmgang.worker.departing import Departing
from tests.api_document import api_document
from tests.integration.api.calling import Api, Table
from tests.waiting import wait_until

from .cluster import Cluster, Node

OF_A_GAME = [
    (path, verb.upper(), operation)
    for path, verbs in api_document()["paths"].items()
    for verb, operation in verbs.items()
    if "{game}" in path
]
WAYS: tuple[dict[str, Any], ...] = ({}, {"Prefer": "wait=1"}, {"Accept": "text/event-stream"})


class Place(NamedTuple):
    """What lies on one node: a game that is played and a private one that waits for players."""

    node: Node
    played: Table
    open: Table
    invitation: str


class Scene(NamedTuple):
    api: Api
    url: str
    lost: Place
    there: Place


def node_of(cluster: Cluster, url: str, game: str) -> Node:
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT nodeport FROM citus_shards WHERE shardid = get_shard_id_for_distribution_column('games', %s::uuid)",
            [game],
        ).fetchone()
    assert found is not None
    return next(node for node in cluster.workers if node.port == found[0])


def on(cluster: Cluster, url: str, node: Node, api: Api, **terms: Any) -> Table:
    """A new game that lies on this node."""
    while True:
        table = api.table(**terms)
        if node_of(cluster, url, table.game) is node:
            return table


@pytest.fixture(scope="module")
def scene(cluster: Cluster) -> Iterator[Scene]:
    url = cluster.create_database("lost")
    upgrade(url)
    distribute(url)
    api = Api(url)
    places = []
    for node in cluster.workers:
        played = on(cluster, url, node, api, seats=2, ruleset="claim", absence="bot:random", turn_seconds=3600)
        played.play(2)
        waits = on(cluster, url, node, api, seats=3, taken=2, visibility="private")
        invitation = api.get(f"{waits.path}/invitations", waits.token(0))["items"][0]["id"]
        places.append(Place(node, played, waits, invitation))
    lost, there = places
    lost.node.stop()
    try:
        yield Scene(api, url, lost, there)
    finally:
        lost.node.start()
        api.close()
        cluster.drop_database("lost")


@contextmanager
def back(node: Node) -> Iterator[None]:
    """The node is there within the block, unless that stops it."""
    node.start()
    try:
        yield
    finally:
        node.stop()


def asked(scene: Scene, place: Place, path: str, verb: str, operation: dict[str, Any]) -> set[tuple[int, str]]:
    """Status and code of an operation about a game, in all ways in which it may be asked."""
    table = place.open if "invitation" in path or operation["operationId"] == "takeSeat" else place.played
    values = {"game": table.game, "invitation": place.invitation, "number": "1", "seat": "0"}
    values["submission"] = place.played.receipts[0]["id"]
    body = None
    if "requestBody" in operation:
        body = next(iter(operation["requestBody"]["content"]["application/json"]["examples"].values()))["value"]
    found = set()
    for headers in WAYS if verb == "GET" else WAYS[:1]:
        answer = scene.api.call(verb, path.format(**values), token=table.token(0), json=body, **headers)
        told = answer.get_json()["code"] if answer.status_code >= 400 else ""
        found.add((answer.status_code, told))
    return found


@pytest.mark.parametrize(("path", "verb", "operation"), OF_A_GAME, ids=[one[2]["operationId"] for one in OF_A_GAME])
def test_every_call_about_a_game_of_a_lost_node_may_be_tried_again(
    scene: Scene, path: str, verb: str, operation: dict[str, Any]
) -> None:
    assert asked(scene, scene.lost, path, verb, operation) == {(503, "database_unavailable")}


def test_others_join_invite_and_leave(scene: Scene) -> None:
    api, table = scene.api, scene.there.open
    secret = api.invite(table, uses=1)["secret"]
    guest = api.register("Guest")
    sat = api.call("POST", f"{table.path}/seats", token=guest.token, json={"invitation": secret}, status=201)
    assert sat.get_json()["seat"] == 2
    api.call("POST", f"{table.path}/resignations", token=guest.token, json={}, status=201)


def test_what_is_about_no_game_goes_on(scene: Scene) -> None:
    api, ragna = scene.api, scene.api.register("Ragna")
    hook = {"url": "https://example.org/hook", "events": ["game.over"]}
    made = api.call("POST", "/v1/webhooks", token=ragna.token, json=hook, status=201).get_json()
    api.call("POST", f"/v1/webhooks/{made['id']}/test", token=ragna.token, json={}, status=202)
    api.call("POST", "/v1/me/tokens", token=ragna.token, json={"label": "t", "scopes": ["read"]}, status=201)
    for path in ("/v1/me", "/v1/me/tokens", "/v1/webhooks", f"/v1/webhooks/{made['id']}/deliveries"):
        assert api.get(path, ragna.token)
    for path in (f"/v1/players/{ragna.id}", "/v1/rulesets", "/v1/leaderboards/claim", "/readyz"):
        api.get(path)


def test_players_meet_who_are_in_no_game(scene: Scene) -> None:
    api, ragna, other = scene.api, scene.api.register("Ragna"), scene.api.register("Sigrun")
    terms = {"ruleset": "claim", "turn_seconds": 600, "seats": 2}
    sought = api.call("POST", "/v1/seeks", token=ragna.token, json={**terms, "seats": [2]}, status=201).get_json()["id"]
    asked = {"ruleset": "claim", "players": [other.id]}
    asked = api.call("POST", "/v1/challenges", token=ragna.token, json=asked, status=201).get_json()["id"]
    cup = {"name": "The cup", "kind": "swiss", "rounds": 1, **terms}
    cup = api.call("POST", "/v1/tournaments", token=other.token, json=cup, status=201).get_json()["id"]
    api.call("POST", f"/v1/tournaments/{cup}/entries", token=ragna.token, json={}, status=201)
    api.call("PUT", f"/v1/me/blocks/{ragna.id}", token=other.token, json={}, status=200)
    api.call("PATCH", "/v1/me", token=ragna.token, json={"name": "Ragna the Patient"}, status=200)
    of_cup = [f"/v1/tournaments/{cup}{what}" for what in ("", "/entries", "/standings", "/crosstable", "/rounds")]
    for path in (f"/v1/seeks/{sought}", f"/v1/challenges/{asked}", "/v1/me/challenges", "/v1/me/tournaments", *of_cup):
        api.get(path, ragna.token)
    for path in ("/v1/players?name=ragna", "/v1/seeks", "/v1/tournaments", "/v1/me/seeks", "/v1/me/blocks"):
        api.get(path, ragna.token)
    for path in (f"against/{other.id}", "ratings/claim/history", "ratings/claim/history.svg"):
        api.problem("GET", f"/v1/players/{ragna.id}/{path}", 503, "database_unavailable")
    api.call("DELETE", "/v1/me", token=ragna.token, json={"name": "Ragna the Patient"}, status=204)
    with pytest.raises(DatabaseUnavailable):  # whether they are in games is not known now
        Departing(api.app.extensions["holmgang"].store)()
    assert [one["name"] for one in api.get(f"/v1/tournaments/{cup}/entries")["items"]] == []


def test_figures_are_told_but_for_games_that_are_over(scene: Scene) -> None:
    figures = scene.api.app.extensions["holmgang"].store.figures()
    assert figures.awaited["player"] > 0
    assert set(figures.games) == {"active", "open"}


def test_who_waits_for_a_lost_game_goes_on_waiting_and_others_are_woken(scene: Scene) -> None:
    store, there = scene.api.app.extensions["holmgang"].store, scene.there.played
    asked = [
        (token_digest(table.token(0)), UUID(table.game), None)
        for table in (scene.lost.played, there, scene.lost.open, scene.there.open)
    ]
    with store.reading() as tables:
        found = tables.callers(asked)
        assert found == [UNREAD, tables.caller(*asked[1]), UNREAD, tables.caller(*asked[3])]
    with store.watch_game(asked[0][1], asked[0][0]) as lost, store.watch_game(asked[1][1], asked[1][0]) as watch:
        lost.seen = watch.seen = found[1]
        there.play(1)
        watch.listen()
        store.wakeups._check()
        assert watch.wait(0)
        assert not lost.wait(0)


def test_games_of_other_nodes_are_played_to_their_end(scene: Scene) -> None:
    table = scene.there.played
    for what in ("turn", "view", "board.svg", "events"):
        scene.api.call("GET", f"{table.path}/{what}", token=table.token(0), status=200)
    table.play()
    assert scene.api.get(table.path)["status"] == "over"


@pytest.mark.parametrize("path", ["/v1/games", "/v1/me/games"])
def test_lists_of_games_need_all_nodes(scene: Scene, path: str) -> None:
    token = scene.there.played.token(0)
    scene.api.problem("GET", path, 503, "database_unavailable", token=token)


def test_new_games_lie_on_nodes_that_are_there(scene: Scene, cluster: Cluster) -> None:
    api, ragna, wanted = scene.api, scene.api.register("Ragna"), {"ruleset": "claim", "seats": 2}
    wait_until(
        lambda: (
            api.call("GET", scene.lost.played.path).status_code == 503
            and api.app.extensions["holmgang"].store._away.anything()
        ),
        "the process has seen that the node is away",
    )
    for _ in range(12):
        made = api.call("POST", "/v1/games", token=ragna.token, json=wanted, status=201).get_json()
        assert node_of(cluster, scene.url, made["id"]) is scene.there.node
    api.call("POST", f"/v1/games/{made['id']}/seats", token=ragna.token, json={"bot": "random"}, status=201)
    assert api.get(f"/v1/games/{made['id']}")["status"] == "active"


# Citus tells of it as of a lost connection, or as an internal error.
@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", "SELECT FROM games WHERE id = %s FOR UPDATE", id="before the first statement"),
        pytest.param(
            "SELECT FROM games WHERE id = %s FOR UPDATE",
            "UPDATE games SET touched_at = touched_at WHERE id = %s",
            id="under a lock",
        ),
        pytest.param("UPDATE games SET touched_at = touched_at WHERE id = %s", "SAVEPOINT a", id="at a savepoint"),
        pytest.param("UPDATE games SET touched_at = touched_at WHERE id = %s", "", id="at the commit"),
        pytest.param(
            "UPDATE games SET touched_at = touched_at WHERE id IS DISTINCT FROM %s", "", id="at the commit on all nodes"
        ),
    ],
)
def test_a_connection_that_lost_a_node_in_the_middle_goes_on(scene: Scene, before: str, after: str) -> None:
    store = PostgresStore(scene.url, pool_size=1)
    game = scene.lost.played.game

    def run(statement: str) -> None:
        if statement:
            rows.execute(statement.encode(), [game] if "%s" in statement else None)

    def look() -> bool:
        with store.reading() as tables:
            return tables.game_row(UUID(game), lock=False) is not None

    def seen() -> bool:
        with suppress(DatabaseUnavailable):  # until the process has seen that the node is back
            return look()
        return False

    def break_off() -> None:
        with store.transaction():
            run(before)
            scene.lost.node.stop()
            run(after)

    with store.pool.connection() as rows:  # the only one
        session = rows.info.backend_pid
    try:
        with back(scene.lost.node):
            wait_until(seen, "its games are answered again")
            with pytest.raises(DatabaseUnavailable):
                break_off()
        with pytest.raises(DatabaseUnavailable):
            look()
        with back(scene.lost.node):
            wait_until(seen, "its games are answered again")
        with store.pool.connection() as rows:
            assert rows.info.backend_pid == session
    finally:
        store.close()


def test_other_internal_errors_are_faults(scene: Scene) -> None:
    raised = "DO $$ BEGIN RAISE 'connection of dots' USING ERRCODE = 'XX000'; END $$"
    store = scene.api.app.extensions["holmgang"].store
    with pytest.raises(psycopg.errors.InternalError_), store.reading(), psycopg.connect(scene.url) as rows:
        rows.execute(raised.encode())


def test_games_go_on_where_they_were_when_it_is_back(scene: Scene) -> None:
    table = scene.lost.played
    figures = scene.api.app.extensions["holmgang"].store.figures
    with back(scene.lost.node):
        wait_until(lambda: scene.api.call("GET", table.path).status_code < 500, "the process has seen that it is back")
        one, other = table.people
        for path in (f"against/{other.id}", "ratings/claim/history", "ratings/claim/history.svg"):
            for token in (None, one.token):
                scene.api.call("GET", f"/v1/players/{one.id}/{path}", token=token, status=200)
        for path, verb, operation in OF_A_GAME:
            if verb == "GET":
                assert all(status < 500 for status, _ in asked(scene, scene.lost, path, verb, operation)), path
        table.play()
        assert scene.api.get(table.path)["status"] == "over"
        assert figures().games["over"] >= 1
