"""What receivers of webhooks ask for by their answers, and what faults of ours lead to (Standard Webhooks)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest

from holmgang import metrics
from holmgang.store.deliveries import Deliveries
from holmgang.worker import deliveries as worker_deliveries
from holmgang.worker.backoff import ATTEMPTS, DELAYS, JITTER
from holmgang.worker.sending import post

from .calling import Api, Person, Table
from .test_webhooks import Receiver, deliveries, make_due, register, send, store

DAY = 86_400.0


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture(autouse=True)
def _nobody_else(inside: Api) -> None:
    with store(inside).pool.connection() as connection:
        connection.execute("DELETE FROM webhooks")


def try_out(api: Api, person: Person, hook: dict[str, Any]) -> None:
    api.call("POST", f"/v1/webhooks/{hook['id']}/test", token=person.token, json={}, status=202)


def shown(api: Api, person: Person, hook: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = api.get(f"/v1/webhooks/{hook['id']}", person.token)
    return found


def seconds(moment: str) -> float:
    """From now."""
    return (datetime.fromisoformat(moment) - datetime.now(UTC)).total_seconds()


def dated(days: float, form: str = "%a, %d %b %Y %H:%M:%S GMT") -> str:
    return (datetime.now(UTC) + timedelta(days=days)).strftime(form)


FORMS: list[tuple[str | Callable[[], str], float, float]] = [
    ("120", 120, 120),
    ("  90 ", 90, 90),
    ("3600", 3600, 3600),
    ("1", 5, 5),
    ("0", 5, 5),
    ("99999999", DAY, DAY),
    ("9" * 5000, DAY, DAY),
    (lambda: dated(0.5), DAY / 2 - 2, DAY / 2),
    (lambda: dated(0.5, "%A, %d-%b-%y %H:%M:%S GMT"), DAY / 2 - 2, DAY / 2),
    (lambda: dated(0.5, "%a %b %d %H:%M:%S %Y"), DAY / 2 - 2, DAY / 2),
    (lambda: format_datetime(datetime.now(UTC) + timedelta(days=3)), DAY, DAY),
    (lambda: dated(-1), 5, 5),
    ("-7", 5, 5),
    ("1.5", 5, 5),
    ("soon", 5, 5),
    ("", 5, 5),
    ("Mon, 01 Jan 2026 00:00:00 +99999999999999999999", 5, 5),
    ("Mon, 01 Jan 99999 00:00:00 GMT", 5, 5),
]
"""What is said, and the seconds that the next attempt is off by at least and at most, but for what chance adds."""


@pytest.mark.parametrize(
    ("status", "form"),
    [(status, form) for status in (429, 503) for form in FORMS]
    + [(status, FORMS[0]) for status in (302, 400, 404, 500, 502, 504)],
)
def test_nothing_comes_back_sooner_than_retry_after_says(
    inside: Api, receiver: Receiver, status: int, form: tuple[str | Callable[[], str], float, float]
) -> None:
    written, least, most = form
    person = inside.register()
    hook = register(inside, person, receiver.url)
    try_out(inside, person, hook)
    receiver.answers = [(status, written if isinstance(written, str) else written())]
    before = datetime.now(UTC)
    assert send(inside) == 1
    took = (datetime.now(UTC) - before).total_seconds()
    (told,) = deliveries(inside, person, hook)
    assert (told["state"], told["last_status"], told["attempts"]) == ("pending", status, 1)
    assert least - took - 1 <= seconds(told["next_at"]) <= most + DELAYS[0] * JITTER + 1
    assert send(inside) == 0
    make_due(inside)
    assert send(inside) == 1
    assert deliveries(inside, person, hook)[0]["state"] == "delivered"


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_success_is_success_whatever_it_says_of_later(inside: Api, receiver: Receiver, status: int) -> None:
    person = inside.register()
    hook = register(inside, person, receiver.url)
    try_out(inside, person, hook)
    receiver.answers = [(status, "3600")]
    send(inside)
    assert deliveries(inside, person, hook)[0]["state"] == "delivered"
    assert shown(inside, person, hook)["held_until"] is None


def start(api: Api, table: Table) -> None:
    """The game starts, which its players' webhooks are told of."""
    api.call("POST", f"{table.path}/seats", token=table.token(2), json={"seat": 2}, status=201)


@pytest.mark.parametrize("status", [429, 502, 503, 504])
@pytest.mark.parametrize(("after", "least", "most"), [("3600", 3590, 3600), ("", 1, 6), ("99999999", DAY - 10, DAY)])
def test_a_receiver_with_too_much_to_do_gets_nothing_else_meanwhile(
    inside: Api, receiver: Receiver, status: int, after: str, least: float, most: float
) -> None:
    table = inside.table(taken=2)
    person = table.people[0]
    hook = register(inside, person, receiver.url, "game.started", "game.over")
    other = register(inside, table.people[1], receiver.url, "game.over")
    receiver.answers = [(status, after)]
    start(inside, table)
    assert send(inside) == 1
    until = shown(inside, person, hook)["held_until"]
    assert least <= seconds(until) <= most
    for seat in (1, 2):
        inside.call("POST", f"{table.path}/resignations", token=table.token(seat), json={}, status=201)
    assert send(inside) == 1, "the other webhook's"
    assert deliveries(inside, table.people[1], other)[0]["state"] == "delivered"
    made = deliveries(inside, person, hook)
    assert sorted(one["type"] for one in made) == ["game.over", "game.started"]
    assert all(seconds(one["next_at"]) > seconds(until) - 1 for one in made)
    try_out(inside, person, hook)
    assert send(inside) == 1, "what its owner tries out goes at once"
    make_due(inside)
    assert send(inside) == 2


def test_what_waits_already_waits_as_long_as_what_was_refused(inside: Api, receiver: Receiver) -> None:
    table = inside.table(taken=2)
    person = table.people[0]
    hook = register(inside, person, receiver.url)
    start(inside, table)
    receiver.answers = [(429, "3600"), 500]
    assert send(inside) == 1, "the second waits for what the first said"
    (first, second) = sorted(deliveries(inside, person, hook), key=lambda one: one["attempts"], reverse=True)
    assert (first["attempts"], second["attempts"], second["state"]) == (1, 0, "pending")
    make_due(inside)
    assert send(inside) == 2
    failed = next(one for one in deliveries(inside, person, hook) if one["state"] == "pending")
    assert seconds(failed["next_at"]) > 3500, "a failure does not shorten it"


def test_another_address_is_not_held_for_what_the_one_before_said(inside: Api, receiver: Receiver) -> None:
    person = inside.register()
    hook = register(inside, person, receiver.url)
    receiver.answers = [(429, "3600")]
    try_out(inside, person, hook)
    send(inside)
    assert shown(inside, person, hook)["held_until"] is not None
    path = f"/v1/webhooks/{hook['id']}"
    body: dict[str, Any] = {"events": ["game.over"]}
    told = inside.call("PATCH", path, token=person.token, json=body, status=200).get_json()
    assert told["held_until"] is not None
    body = {"url": f"{receiver.url}/other"}
    assert seconds(deliveries(inside, person, hook)[0]["next_at"]) > 3500
    told = inside.call("PATCH", path, token=person.token, json=body, status=200).get_json()
    assert told["held_until"] is None
    assert 50 < seconds(deliveries(inside, person, hook)[0]["next_at"]) <= 60


def test_a_receiver_that_is_gone_is_sent_nothing_until_its_owner_says_so(inside: Api, receiver: Receiver) -> None:
    table = inside.table(taken=2)
    person = table.people[0]
    hook = register(inside, person, receiver.url)
    path = f"/v1/webhooks/{hook['id']}"
    receiver.answers = [(410, "60")]
    start(inside, table)
    assert send(inside) == 1, "nothing is sent after 410, though two messages were due"
    made = deliveries(inside, person, hook)
    assert {(one["state"], one["last_error"]) for one in made} == {
        ("dead", "The receiver wants no more messages (410 Gone).")
    }
    assert sorted(str(one["last_status"]) for one in made) == ["410", "None"]
    told = shown(inside, person, hook)
    assert told["active"] is False
    assert -60 < seconds(told["gone_at"]) <= 1
    inside.call("POST", f"{table.path}/resignations", token=table.token(1), json={}, status=201)
    make_due(inside)
    assert send(inside) == 0
    assert len(deliveries(inside, person, hook)) == 2
    for body, gone in (({"events": ["game.over"]}, False), ({"active": False}, False), ({"active": True}, True)):
        told = inside.call("PATCH", path, token=person.token, json=body, status=200).get_json()
        assert (told["gone_at"] is None, told["active"]) == (gone, gone)
    inside.call("POST", f"{table.path}/resignations", token=table.token(2), json={}, status=201)
    assert send(inside) == 1
    assert receiver.types()[-1] == "game.over"
    inside.call("POST", f"{path}/deliveries/{made[0]['id']}/replay", token=person.token, json={}, status=202)
    assert send(inside) == 1


@pytest.mark.parametrize("answer", [410, (429, "3600"), (503, "3600")])
def test_answers_that_come_together_do_not_lock_each_other_out(
    inside: Api,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    answer: int | tuple[int, str],
) -> None:
    """Each is about the webhook, whose other messages are under way too. Whoever can note an outcome waits here until
    the others have noted theirs, or for a moment if they cannot."""
    real, together = Deliveries.note_delivery, Barrier(worker_deliveries.AT_ONCE_EACH)

    def noted(*arguments: Any, **more: Any) -> bool:
        found: bool = real(*arguments, **more)
        with suppress(BrokenBarrierError):
            together.wait(0.5)
        return found

    monkeypatch.setattr(Deliveries, "note_delivery", noted)
    person = inside.register()
    hook = register(inside, person, receiver.url, "game.started")
    receiver.answers = [answer] * worker_deliveries.AT_ONCE_EACH
    receiver.answering.clear()
    deliverer = worker_deliveries.Deliverer(store(inside), private=True)
    with ThreadPoolExecutor(worker_deliveries.AT_ONCE_EACH) as hands:
        begun = []
        for _ in range(worker_deliveries.AT_ONCE_EACH):
            try_out(inside, person, hook)
            with store(inside).pool.connection() as connection:
                connection.execute("UPDATE deliveries SET type = 'game.started'")
            begun += deliverer.begin_due(hands)
        assert len(begun) == worker_deliveries.AT_ONCE_EACH
        receiver.answering.set()
    assert [record.getMessage() for record in caplog.records if "could not be noted" in record.getMessage()] == []
    made = deliveries(inside, person, hook)
    if isinstance(answer, int):
        assert {one["state"] for one in made} == {"dead"}
    else:
        assert {one["last_status"] for one in made} == {answer[0]}
        assert all(seconds(one["next_at"]) > 3500 for one in made)


def test_an_answer_to_what_was_sent_elsewhere_switches_nothing_off(
    inside: Api, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner gives another address while an attempt at the old one is under way."""
    person = inside.register()
    hook = register(inside, person, receiver.url)
    real = post

    def moved_meanwhile(*arguments: Any, **more: Any) -> Any:
        body = {"url": f"{receiver.url}/{len(receiver.got)}"}
        inside.call("PATCH", f"/v1/webhooks/{hook['id']}", token=person.token, json=body, status=200)
        return real(*arguments, **more)

    monkeypatch.setattr(worker_deliveries, "post", moved_meanwhile)
    for answer in (410, (429, "3600")):
        receiver.answers = [answer]
        try_out(inside, person, hook)
        send(inside)
        told = shown(inside, person, hook)
        assert (told["active"], told["gone_at"], told["held_until"]) == (True, None, None)


@pytest.mark.parametrize("broken", ["sending", "signing", "secret"])
def test_what_always_fails_by_a_fault_of_ours_ends_after_as_many_attempts(
    inside: Api, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise ZeroDivisionError("ours")

    person = inside.register()
    hook = register(inside, person, receiver.url)
    if broken == "secret":
        with store(inside).pool.connection() as connection:
            connection.execute("UPDATE webhooks SET secret = 'whsec_*' WHERE id = %s", [hook["id"]])
    else:
        monkeypatch.setattr(worker_deliveries, {"sending": "post", "signing": "signed_headers"}[broken], failing)
    try_out(inside, person, hook)
    before = metrics.WORKER_FAULTS._value.get()
    for attempt in range(1, ATTEMPTS + 1):
        assert send(inside) == 1
        (told,) = deliveries(inside, person, hook)
        assert (told["attempts"], told["last_status"]) == (attempt, None)
        assert told["last_error"] == "A fault of the service kept it from being sent."
        assert told["state"] == ("dead" if attempt == ATTEMPTS else "pending")
        assert told["state"] == "dead" or DELAYS[attempt - 1] - 5 < seconds(told["next_at"])
        make_due(inside)
    assert send(inside) == 0
    assert metrics.WORKER_FAULTS._value.get() - before == ATTEMPTS
    assert receiver.got == []


def test_what_kills_its_worker_each_time_ends_after_as_many_attempts(inside: Api, receiver: Receiver) -> None:
    person = inside.register()
    hook = register(inside, person, receiver.url)
    try_out(inside, person, hook)
    for _ in range(ATTEMPTS):
        with store(inside).reading() as tables:
            assert len(tables.take_deliveries(5, 3600, [])) == 1  # and nothing comes of it
        make_due(inside)
    before = metrics.WORKER_FAULTS._value.get()
    assert send(inside) == 0
    (told,) = deliveries(inside, person, hook)
    assert (told["state"], told["attempts"]) == ("dead", ATTEMPTS)
    assert told["last_error"] == "The service began all attempts and finished none of them."
    assert metrics.WORKER_FAULTS._value.get() - before == 1
    path = f"/v1/webhooks/{hook['id']}/deliveries/{told['id']}/replay"
    inside.call("POST", path, token=person.token, json={}, status=202)
    assert send(inside) == 1
    assert receiver.types() == ["webhook.test"]
