"""No token, secret or seed is ever logged: every operation, good and bad, with all that anybody logs listened to."""

from __future__ import annotations

import base64
import json
import logging
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import psycopg
import pytest

from holmgang import logs
from holmgang.api.operation.declaration import OPERATIONS
from holmgang.api.resources import examples
from holmgang.app.accounts.tokens import authenticate
from holmgang.store.database import PostgresStore, conninfo
from holmgang.worker.deliveries import Deliverer
from holmgang.worker.loop import Worker
from tests.api_document import api_document
from tests.e2e.seeding import seed

from .calling import Api
from .test_route_walk import BODIES, address

SECRET = re.compile(r"(?:hg_|hgi_|whsec_)[A-Za-z0-9+/=_-]{16,}")
CALLS = [
    (verb.upper(), operation)
    for verbs in api_document()["paths"].values()
    for verb, operation in verbs.items()
    if verb in ("get", "post", "put", "patch", "delete")
]
LAST = (
    "leaveTournament",
    "cancelTournament",
    "unblockPlayer",
    "revokeToken",
    "deleteWebhook",
    "leaveSeat",
    "resign",
    "revokeInvitation",
    "deleteMe",
)
"""What is called after all others, in this order, since these need what goes with it."""


class Ear:
    """All that is logged in both forms, and all that must not be in it."""

    def __init__(self) -> None:
        self.out = StringIO()
        self.secrets: set[str] = set()

    def hear(self, text: str) -> None:
        self.secrets |= set(SECRET.findall(text))


@pytest.fixture
def ear() -> Iterator[Ear]:
    ear = Ear()
    handlers = []
    for form in (logs.JSON, logs.CONSOLE):
        handlers.append(logging.StreamHandler(ear.out))
        handlers[-1].setFormatter(logs.formatter(form))
    root, access = logging.getLogger(), logging.getLogger(logs.ACCESS)
    levels = root.level, access.level
    root.handlers += handlers
    root.setLevel(logging.DEBUG)
    yield ear
    for handler in handlers:
        root.removeHandler(handler)
    root.setLevel(levels[0])
    access.setLevel(levels[1])


def call(ear: Ear, api: Api, verb: str, operation: dict[str, Any], token: str | None, **more: Any) -> int:
    name = operation["operationId"]
    if "json" not in more and "body" not in more and "requestBody" in operation:
        shown = next(iter(operation["requestBody"]["content"]["application/json"]["examples"].values()))["value"]
        more["json"] = {**BODIES, "deleteMe": BODIES["changeMe"]}.get(name, shown)
    ear.hear(json.dumps(more, default=str))
    answer = api.call(verb, address(name), token=token, **more)
    ear.hear(answer.get_data(as_text=True))
    return answer.status_code


def test_nothing_secret_is_logged(database: str, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    store = PostgresStore(database, pool_size=2)
    seed(store)
    api = Api(database, log_level="debug")
    ear.secrets |= {examples.SECRET, examples.INVITATION_SECRET, examples.WEBHOOK_SECRET, "hg_the-second-player"}
    unknown = "hg_" + "A" * 43
    ear.secrets.add(unknown)
    done = set()
    order = {name: place for place, name in enumerate(LAST)}
    for verb, operation in sorted(CALLS, key=lambda one: order.get(one[1]["operationId"], -1)):
        for token in (None, unknown, "not a token " + unknown):
            call(ear, api, verb, operation, token)
        if "requestBody" in operation:
            malformed = b'{"secret": "' + examples.SECRET.encode() + b'", '
            call(ear, api, verb, operation, examples.SECRET, body=malformed, Content_Type="application/json")
            call(ear, api, verb, operation, examples.SECRET, json={examples.SECRET: examples.SECRET})
        for shown in (examples.INVITATION_SECRET, examples.INVITATION_SECRET + "x"):
            if call(ear, api, verb, operation, examples.SECRET, Holmgang_Invitation=shown) < 400:
                done.add(operation["operationId"])
    assert set(OPERATIONS) - done <= {"submit", "takeSeat", "replaceSubmission"}, "the others succeed by their examples"

    table = api.table(visibility="private", rated=True, turn_seconds=1000)
    ear.hear(json.dumps([table.secret, *(person.token for person in table.people)]))
    api.call("POST", f"{table.path}/seats", token=table.token(0), json={"bot": "greedy"})
    table.play(turns=4)
    worker = Worker(store)
    deliverer = Deliverer(store, private=True)
    with store.transaction() as tables:
        me = authenticate(tables, table.token(0))
        tables.add_webhook(me.player, me.player, "http://127.0.0.1:9/", ["game.over"], "whsec_" + "b" * 32)
        tables.add_delivery(me.token, me.player, "webhook.test", "{}")
    with store.reading() as tables:
        (outgoing, *_) = tables.take_deliveries(5, 60.0, [])
    ear.secrets |= {"whsec_" + "b" * 32, *outgoing.secrets}
    deliverer._attempt(outgoing)
    for _ in range(3):
        worker.work()

    # Faults of ours, in whose traces the secrets are local variables, and of the database.
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        with store.reading() as tables:
            patched.setattr(type(tables), "principal", broken)
            patched.setattr(type(tables), "caller", broken)
        assert api.call("GET", "/v1/me", token=table.token(0)).status_code == 500
        assert api.call("GET", f"{table.path}/events", token=table.token(0)).status_code == 500
    with psycopg.connect(conninfo(database)) as connection:
        seeds = [bytes(seed) for (seed,) in connection.execute("SELECT seed FROM games").fetchall()]
        digests = [bytes(digest) for (digest,) in connection.execute("SELECT digest FROM tokens").fetchall()]
    api.app.extensions["holmgang"].store.pool.close()
    assert api.call("GET", "/v1/me", token=table.token(0)).status_code == 503
    api.close()
    store.close()

    text = ear.out.getvalue()
    for value in (*seeds, *digests):
        ear.secrets |= {value.hex(), base64.b64encode(value).decode(), base64.urlsafe_b64encode(value).decode()[:40]}
    assert len(ear.secrets) > 30
    assert [secret for secret in ear.secrets if secret in text] == []
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    assert {line["logger"] for line in lines} >= {"holmgang.access", "holmgang.api"}
    logged = {(line["method"], line["route"]) for line in lines if line["logger"] == logs.ACCESS}
    assert len(logged) >= len(CALLS)
    (internal, again) = (line for line in lines if line["event"] == "internal error")
    assert internal["request_id"]
    assert "ZeroDivisionError" in internal["exception"]
    assert again["game"] == table.game
