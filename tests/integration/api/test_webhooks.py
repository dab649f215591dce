"""Webhooks: registered, changed, rotated; messages made with the moves, sent, tried again, dead and replayed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import msgspec
import pytest

from holmgang import Unverified, logs, metrics, verify_webhook
from holmgang.app.errors import DatabaseUnavailable
from holmgang.app.webhooks.webhooks import KEPT_DAYS
from holmgang.engine.messages import say
from holmgang.worker import deliveries as worker_deliveries
from holmgang.worker.deliveries import AT_ONCE_EACH, Deliverer
from holmgang.worker.loop import Worker
from tests.integration.tables import let_news_be_delivered

from .calling import Api, Person

LONG = 20
"""Seconds that no test lets pass."""


class Receiver:
    """A server on the loopback that keeps what it gets and answers what it is told to."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int | tuple[int, str]] = []
        """Statuses, some of them with a Retry-After."""
        self.answering = Event()
        self.answering.set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                outer.answering.wait(LONG)
                answer = outer.answers.pop(0) if outer.answers else 204
                status, after = answer if isinstance(answer, tuple) else (answer, None)
                self.send_response(status)
                if after is not None:
                    self.send_header("Retry-After", after)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        self.thread = Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def types(self) -> list[str]:
        return [msgspec.json.decode(body)["type"] for _, body in self.got]

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


def store(api: Api) -> Any:
    return api.app.extensions["holmgang"].store


def send(api: Api, *, private: bool = True) -> int:
    """All that is due is sent; how many messages that were."""
    deliverer = Deliverer(store(api), private=private, chance=random.Random(1))
    sent = 0
    with ThreadPoolExecutor(2) as hands:
        while begun := deliverer.begin_due(hands):
            for attempt in begun:
                attempt.result()
            sent += len(begun)
    return sent


def make_due(api: Api) -> None:
    with store(api).pool.connection() as connection:
        connection.execute("UPDATE deliveries SET next_at = clock_timestamp() WHERE state = 'pending'")


def register(api: Api, person: Person, url: str, *events: str) -> dict[str, Any]:
    body = {"url": url, **({"events": list(events)} if events else {})}
    made: dict[str, Any] = api.call("POST", "/v1/webhooks", token=person.token, json=body, status=201).get_json()
    return made


def deliveries(api: Api, person: Person, hook: dict[str, Any], query: str = "") -> list[dict[str, Any]]:
    let_news_be_delivered(store(api))
    found: list[dict[str, Any]] = api.get(f"/v1/webhooks/{hook['id']}/deliveries{query}", person.token)["items"]
    return found


def test_a_game_is_told_of_without_saying_what(inside: Api, receiver: Receiver) -> None:
    table = inside.table(taken=2)
    hooks = [register(inside, person, receiver.url) for person in table.people[:2]]
    inside.call("POST", f"{table.path}/seats", token=table.token(2), json={"seat": 2}, status=201)
    send(inside)
    assert sorted(receiver.types()) == ["game.started"] * 2 + ["turn.waiting"] * 2
    for headers, body in receiver.got:
        secret = next(h["secret"] for h in hooks if _verifies(h["secret"], headers, body))
        assert secret
        told = msgspec.json.decode(body)
        assert set(told) == {"type", "timestamp", "data"}
        assert told["data"]["game"] == table.game
        assert set(told["data"]) == {"game", "ruleset", "seat", "turn"}
    receiver.got.clear()
    inside.call("POST", f"{table.path}/resignations", token=table.token(2), json={}, status=201)
    inside.call("POST", f"{table.path}/resignations", token=table.token(1), json={}, status=201)
    send(inside)
    assert receiver.types().count("game.over") == 2


def _verifies(secret: str, headers: dict[str, str], body: bytes) -> bool:
    try:
        verify_webhook(secret, headers, body)
    except Unverified:
        return False
    return True


def test_a_turn_is_told_once_however_often_one_looks(inside: Api, receiver: Receiver) -> None:
    table = inside.table()
    register(inside, table.people[0], receiver.url, "turn.waiting")
    for seat in (1, 2):
        table.submit(seat, status=201)
    send(inside)
    assert receiver.types() == [], "the turn had begun before the webhook was there, and goes on"
    table.submit(0, status=201)
    while 0 not in inside.get(table.path)["awaited"]:
        for seat in inside.get(table.path)["awaited"]:
            table.submit(seat, status=201)
    send(inside)
    assert receiver.types() == ["turn.waiting"]


def test_who_is_played_for_is_not_called_to_his_turns(inside: Api, receiver: Receiver) -> None:
    table = inside.table(turn_seconds=60)
    register(inside, table.people[0], receiver.url)
    for seat in (1, 2):
        table.submit(seat, status=201)
    with store(inside).pool.connection() as connection:
        connection.execute("UPDATE games SET deadline = clock_timestamp() WHERE id = %s", [table.game])
    worker = Worker(store(inside))
    asked: set[int] = set()
    while 0 not in asked:
        worker.work()
        game = inside.get(table.path)
        assert game["seats"][0]["absent_since"] is not None
        asked.update(game["awaited"])
        for seat in game["awaited"]:
            if seat:
                table.submit(seat, status=201)
    send(inside)
    assert receiver.types() == []


def test_failures_are_tried_again_until_the_message_is_dead_and_replayed(inside: Api, receiver: Receiver) -> None:
    person = inside.register()
    hook = register(inside, person, receiver.url)
    path = f"/v1/webhooks/{hook['id']}"
    made = inside.call("POST", f"{path}/test", token=person.token, json={}, status=202).get_json()
    assert (made["type"], made["state"], made["attempts"]) == ("webhook.test", "pending", 0)
    receiver.answers = [500] * 8
    for attempt in range(1, 9):
        assert send(inside) == 1
        (told,) = deliveries(inside, person, hook)
        assert (told["attempts"], told["last_status"]) == (attempt, 500)
        assert told["state"] == ("dead" if attempt == 8 else "pending")
        make_due(inside)
    assert send(inside) == 0, "dead is dead"
    assert deliveries(inside, person, hook, "?state=dead")[0]["id"] == made["id"]
    assert deliveries(inside, person, hook, "?state=delivered") == []
    inside.call("POST", f"{path}/deliveries/{made['id']}/replay", token=person.token, json={}, status=202)
    assert send(inside) == 1
    assert deliveries(inside, person, hook)[0]["state"] == "delivered"
    assert {headers["webhook-id"] for headers, _ in receiver.got} == {made["id"]}, "the same in every attempt"


def test_messages_that_are_delivered_or_dead_are_forgotten_after_thirty_days(inside: Api, receiver: Receiver) -> None:
    person = inside.register()
    hook = register(inside, person, receiver.url)
    receiver.answers = [410]
    made = []
    for _ in range(3):
        answer = inside.call("POST", f"/v1/webhooks/{hook['id']}/test", token=person.token, json={}, status=202)
        made.append(answer.get_json()["id"])
        if len(made) < 3:
            send(inside)
    assert [one["state"] for one in deliveries(inside, person, hook)] == ["pending", "delivered", "dead"]
    worker = Worker(store(inside))
    ages = f"UPDATE deliveries SET next_at = next_at - interval '{KEPT_DAYS} days'"
    with store(inside).pool.connection() as connection:
        connection.execute(f"{ages} + interval '1 hour' WHERE webhook_id = %s", [hook["id"]])
    worker.work()
    assert len(deliveries(inside, person, hook)) == 3
    with store(inside).pool.connection() as connection:
        connection.execute(f"{ages} WHERE webhook_id = %s", [hook["id"]])
    Worker(store(inside)).work()
    assert [one["id"] for one in deliveries(inside, person, hook)] == [made[2]], "what is still to be sent stays"
    assert send(inside) == 1
    with store(inside).pool.connection() as connection:
        connection.execute("UPDATE deliveries SET created_at = created_at - interval '1 year'")
    Worker(store(inside)).work()
    assert len(deliveries(inside, person, hook)) == 1, "it has only just been delivered"


def test_a_receiver_that_lets_calls_hang_keeps_nobody_else_waiting(inside: Api, receiver: Receiver) -> None:
    slow, other = inside.register(), inside.register()
    tarpit = Receiver()
    tarpit.answering.clear()
    hook = register(inside, slow, tarpit.url)
    for _ in range(3 * AT_ONCE_EACH):
        inside.call("POST", f"/v1/webhooks/{hook['id']}/test", token=slow.token, json={}, status=202)
    theirs = register(inside, other, receiver.url)
    deliverer = Deliverer(store(inside), private=True, chance=random.Random(1))
    with ThreadPoolExecutor(AT_ONCE_EACH + 1) as hands:
        hanging = []
        while begun := deliverer.begin_due(hands):
            hanging += begun
        assert len(hanging) == AT_ONCE_EACH
        inside.call("POST", f"/v1/webhooks/{theirs['id']}/test", token=other.token, json={}, status=202)
        (attempt,) = deliverer.begin_due(hands)
        attempt.result(LONG)
        assert not any(one.done() for one in hanging)
        tarpit.answering.set()
    assert len(receiver.got) == 1
    assert send(inside) == 2 * AT_ONCE_EACH
    tarpit.close()


@pytest.mark.parametrize(
    ("fault", "level", "counted"),
    [(ZeroDivisionError("ours"), "error", 1), (DatabaseUnavailable(say("It is away.")), "warning", 0)],
)
def test_a_delivery_that_fails_by_no_fault_of_its_receiver_is_told_of_and_made_again(
    inside: Api,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: Exception,
    level: str,
    counted: int,
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise fault

    person = inside.register()
    hook = register(inside, person, receiver.url)
    inside.call("POST", f"/v1/webhooks/{hook['id']}/test", token=person.token, json={}, status=202)
    before = metrics.WORKER_FAULTS._value.get()
    with monkeypatch.context() as patched:
        patched.setattr(worker_deliveries, "post", failing)
        assert send(inside) == 1
    assert metrics.WORKER_FAULTS._value.get() - before == counted
    (record,) = [record for record in caplog.records if record.name == "holmgang.webhooks"]
    line = json.loads(logs.formatter(logs.JSON).format(record))
    (made,) = deliveries(inside, person, hook)
    assert (line["level"], line["message"]) == (level, made["id"])
    assert ("ZeroDivisionError" in line.get("exception", "")) is bool(counted)
    assert send(inside) == 0, "it is claimed"
    make_due(inside)
    assert send(inside) == 1
    assert receiver.types() == ["webhook.test"]


def test_a_receiver_that_is_gone_is_not_asked_again(inside: Api, receiver: Receiver) -> None:
    person = inside.register()
    hook = register(inside, person, receiver.url)
    inside.call("POST", f"/v1/webhooks/{hook['id']}/test", token=person.token, json={}, status=202)
    receiver.answers = [410]
    send(inside)
    assert deliveries(inside, person, hook)[0]["state"] == "dead"


def test_rotating_signs_with_both_secrets_for_a_day(inside: Api, receiver: Receiver) -> None:
    person = inside.register()
    hook = register(inside, person, receiver.url)
    path = f"/v1/webhooks/{hook['id']}"
    rotated = inside.call("POST", f"{path}/rotate", token=person.token, json={}, status=200).get_json()
    assert rotated["secret"] != hook["secret"]
    assert rotated["old_until"] is not None
    inside.call("POST", f"{path}/test", token=person.token, json={}, status=202)
    send(inside)
    headers, body = receiver.got[0]
    assert _verifies(hook["secret"], headers, body)
    assert _verifies(rotated["secret"], headers, body)
    with store(inside).pool.connection() as connection:
        connection.execute("UPDATE webhooks SET old_until = clock_timestamp()")
    inside.call("POST", f"{path}/test", token=person.token, json={}, status=202)
    send(inside)
    headers, body = receiver.got[1]
    assert not _verifies(hook["secret"], headers, body)
    assert _verifies(rotated["secret"], headers, body)


def test_secrets_are_shown_once(inside: Api, receiver: Receiver) -> None:
    person = inside.register()
    hook = register(inside, person, receiver.url)
    assert "secret" not in inside.get(f"/v1/webhooks/{hook['id']}", person.token)
    assert all("secret" not in item for item in inside.get("/v1/webhooks", person.token)["items"])
    body = {"url": receiver.url}
    inside.call("POST", "/v1/webhooks", token=person.token, json=body, status=201, Idempotency_Key="once")
    inside.problem(
        "POST", "/v1/webhooks", 409, "secret_already_shown", token=person.token, json=body, Idempotency_Key="once"
    )
    rotate = f"/v1/webhooks/{hook['id']}/rotate"
    inside.call("POST", rotate, token=person.token, json={}, status=200, Idempotency_Key="twice")
    inside.problem("POST", rotate, 409, "secret_already_shown", token=person.token, json={}, Idempotency_Key="twice")


def test_what_is_changed_holds_for_messages_to_come(inside: Api, receiver: Receiver) -> None:
    table = inside.table(taken=2)
    person = table.people[0]
    hook = register(inside, person, receiver.url)
    path = f"/v1/webhooks/{hook['id']}"
    changed = inside.call("PATCH", path, token=person.token, json={"active": False}, status=200).get_json()
    assert (changed["active"], changed["url"], changed["events"]) == (False, hook["url"], hook["events"])
    inside.call("POST", f"{table.path}/seats", token=table.token(2), json={"seat": 2}, status=201)
    send(inside)
    assert receiver.types() == []
    inside.call("PATCH", path, token=person.token, json={"active": True, "events": ["game.over"]}, status=200)
    inside.call("DELETE", path, token=person.token, status=204)
    inside.problem("GET", path, 404, "not_found", token=person.token)


def test_nothing_more_is_sent_to_a_webhook_that_is_switched_off(inside: Api, receiver: Receiver) -> None:
    person = inside.register()
    hook = register(inside, person, receiver.url)
    receiver.answers = [500]
    inside.call("POST", f"/v1/webhooks/{hook['id']}/test", token=person.token, json={}, status=202)
    assert send(inside) == 1
    inside.call("PATCH", f"/v1/webhooks/{hook['id']}", token=person.token, json={"active": False}, status=200)
    make_due(inside)
    assert send(inside) == 0
    (message,) = deliveries(inside, person, hook)
    assert (message["state"], message["last_error"]) == ("dead", "The webhook was switched off.")


def test_a_killed_worker_s_messages_are_sent_by_another(inside: Api, receiver: Receiver) -> None:
    person = inside.register()
    hook = register(inside, person, receiver.url)
    inside.call("POST", f"/v1/webhooks/{hook['id']}/test", token=person.token, json={}, status=202)
    with store(inside).reading() as tables:
        (taken,) = tables.take_deliveries(5, 3600, [])
    assert send(inside) == 0
    make_due(inside)
    assert send(inside) == 1
    with store(inside).transaction() as tables:
        tables.note_delivery(taken.message, taken.attempts, "dead", None, "too late", 0.0)
    assert deliveries(inside, person, hook)[0]["state"] == "delivered", "what comes late changes nothing"


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://169.254.169.254/latest",
        "https://user@example.org/",
        "ftp://example.org/",
        "https://0x7f000001/",
    ],
)
def test_hosts_inside_the_network_are_refused(api: Api, url: str) -> None:
    person = api.register()
    problem = api.problem("POST", "/v1/webhooks", 422, "invalid_field", token=person.token, json={"url": url})
    assert problem["errors"][0]["pointer"] == "/url"
    made = register(api, person, "https://example.org/hook")
    api.problem("PATCH", f"/v1/webhooks/{made['id']}", 422, "invalid_field", token=person.token, json={"url": url})


def test_a_host_that_is_inside_when_it_is_called_is_not_called(inside: Api, receiver: Receiver) -> None:
    """As after DNS rebinding: registered while it was allowed, judged again at connect time."""
    person = inside.register()
    hook = register(inside, person, receiver.url)
    inside.call("POST", f"/v1/webhooks/{hook['id']}/test", token=person.token, json={}, status=202)
    send(inside, private=False)
    assert receiver.got == []
    (told,) = deliveries(inside, person, hook)
    assert told["last_status"] is None
    assert told["last_error"]


def test_redirects_are_failures(inside: Api, receiver: Receiver) -> None:
    person = inside.register()
    hook = register(inside, person, receiver.url)
    inside.call("POST", f"/v1/webhooks/{hook['id']}/test", token=person.token, json={}, status=202)
    receiver.answers = [302]
    send(inside)
    assert len(receiver.got) == 1
    assert deliveries(inside, person, hook)[0]["state"] == "pending"


def test_webhooks_are_ones_own(api: Api) -> None:
    ragna, sigrid = api.register(), api.register()
    hook = register(api, ragna, "https://example.org/hook")
    path = f"/v1/webhooks/{hook['id']}"
    api.problem("GET", path, 404, "not_found", token=sigrid.token)
    api.problem("DELETE", path, 404, "not_found", token=sigrid.token)
    api.problem("POST", f"{path}/rotate", 404, "not_found", token=sigrid.token, json={})
    api.problem("GET", f"{path}/deliveries", 404, "not_found", token=sigrid.token)
    api.problem("GET", path, 401, "unauthenticated")
    limited = api.call(
        "POST", "/v1/me/tokens", token=ragna.token, json={"label": "bot", "scopes": ["read", "play"]}, status=201
    ).get_json()["token"]
    assert api.problem("GET", path, 403, "missing_scope", token=limited)["scope"] == "manage"


def test_there_is_a_most(api: Api) -> None:
    person = api.register()
    for n in range(20):
        register(api, person, f"https://example.org/{n}")
    body = {"url": "https://example.org/"}
    refused = api.problem("POST", "/v1/webhooks", 409, "limit_reached", token=person.token, json=body)
    assert (refused["what"], refused["limit"]) == ("webhooks", 20)
    page = api.get("/v1/webhooks?limit=15", person.token)
    rest = api.get(page["next"], person.token)
    assert (len(page["items"]), len(rest["items"]), rest["next"]) == (15, 5, None)
