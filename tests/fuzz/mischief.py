"""A table at which every rule of the protocol is broken, over HTTP, while the game goes on.

Each way to misbehave is a method of two numbers, which choose seats, actions and keys, so that a machine that shrinks
its examples and a run of a hundred thousand requests use the same ones. Every answer is looked at: no fault of the
service, no secret, and nothing changed by what was refused.
"""

from __future__ import annotations

import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from threading import Barrier
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest import mock

from holmgang.app.fairness.claims import read_record
from holmgang.app.fairness.verify import verify
from holmgang.app.play import archive
from holmgang.store.tasks import KEPT
from holmgang.worker.loop import Worker
from tests.fuzz.ledger import Ledger
from tests.fuzz.mutating import mutated
from tests.integration.api.calling import Api

if TYPE_CHECKING:
    import psycopg
    from werkzeug.test import TestResponse

SECRETS = re.compile(r"hgi?_[A-Za-z0-9_-]{40,}|whsec_[A-Za-z0-9+/=]{20,}")
KINDS = {"claim": (2, 3, 4), "drakkars": (2, 3), "eketorp": (3, 4)}
ABSENCES = ("default", "bot:random", "forfeit")
REFUSED = {
    "already_submitted", "game_archived", "game_not_active", "idempotency_mismatch", "illegal_action",
    "malformed_action", "not_awaited", "not_found", "not_seated", "not_yours", "revision_conflict", "stale_turn",
    "invalid_request", "game_not_over", "token_limited", "spectators_excluded",
}  # fmt: skip
"""What a player at a table may be told; anything else would be a surprise."""


class Mischief:
    """One game of a ruleset, its players, and a stranger. `requests` counts, `told` says how often which outcome."""

    def __init__(self, api: Api, rows: psycopg.Connection[Any], ruleset: str, n: int) -> None:
        self.api, self.rows = api, rows
        self.store = api.app.extensions["holmgang"].store
        self.ruleset = ruleset
        self.requests, self.told = 0, dict[str, int]()
        seats = KINDS[ruleset][n % len(KINDS[ruleset])]
        timed = n % 4 != 3
        terms: dict[str, Any] = {"absence": ABSENCES[n % 3], "turn_seconds": 3600 if timed else None}
        self.clock = "runs" if timed and n % 2 else "waits"
        terms["clock"] = self.clock
        if n % 5 == 0:
            terms["visibility"] = "private"
        with mock.patch("holmgang.app.games.creation.secrets", SimpleNamespace(token_bytes=random.Random(n).randbytes)):
            self.table = api.table(seats, ruleset=ruleset, **terms)
        self.seats, self.path, self.game = seats, self.table.path, self.table.game
        self.tokens = [person.token for person in self.table.people]
        self.stranger = api.register("stranger").token
        body = {"label": "seat", "scopes": ["read", "play"], "game": self.game}
        self.limited = api.call("POST", "/v1/me/tokens", token=self.tokens[0], json=body, status=201).get_json()[
            "token"
        ]
        self.ledger = Ledger(self.store, rows, self.game)
        found = rows.execute("SELECT encode(seed, 'hex') FROM games WHERE id = %s", [self.game]).fetchone()
        assert found is not None
        self.seed: str = found[0]
        self.receipts: dict[int, dict[str, Any]] = {}
        """The last of each seat."""
        self.choices: dict[int, list[Any]] = {}
        """The legal actions that each seat was last told of."""
        self.keyed: dict[tuple[int, int], tuple[Any, Any]] = {}

    # What every request goes through

    def call(self, method: str, path: str, token: str | None, body: Any = None, **headers: str) -> TestResponse:
        late, before = self.late(), self.ledger.digest()
        answer = self.ask(method, path, token, body, **headers)
        if (answer.status_code >= 400 or method == "GET" or "dry_run=true" in path) and not late:
            assert self.ledger.digest() == before, "what is refused or only read changes nothing"
        return answer

    def ask(self, method: str, path: str, token: str | None, body: Any = None, **headers: str) -> TestResponse:
        self.requests += 1
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        more = {} if body is None else {"json": body}
        answer = self.api.app.test_client().open(path, method=method, headers=sent, **more)
        self.judge(answer, token, path)
        return answer

    def judge(self, answer: TestResponse, token: str | None, path: str) -> None:
        text = answer.get_data(as_text=True)
        assert answer.status_code < 500, text
        code = answer.get_json()["code"] if answer.status_code >= 400 else str(answer.status_code)
        self.told[code] = self.told.get(code, 0) + 1
        everything = text + str(answer.headers)
        assert SECRETS.search(everything) is None, "no answer but the first holds a secret"
        if self.status() == "over":
            return
        assert self.seed not in everything
        for seat, receipt in self.receipts.items():
            if token not in (self.tokens[seat], self.limited if seat == 0 else None):
                told = receipt["id"] in everything and receipt["id"] not in path
                assert not told, "a choice is its seat's own until the end"

    def status(self) -> str:
        found = self.rows.execute("SELECT status FROM games WHERE id = %s", [self.game]).fetchone()
        assert found is not None
        return str(found[0])

    def late(self) -> bool:
        """Whether the turn's time is up, by a worker that keeps deadlines, and nothing has come of it yet."""
        statement = f"SELECT deadline <= clock_timestamp() AND {KEPT.as_string()} FROM games WHERE id = %s"
        found = self.rows.execute(statement.encode(), [self.game]).fetchone()
        return bool(found and found[0])

    def submit(self, seat: int, body: Any, **headers: str) -> TestResponse:
        answer = self.call("POST", f"{self.path}/submissions", self.tokens[seat], body, **headers)
        self.noted(seat, answer)
        return answer

    def submit_mangled(self, seat: int, body: Any) -> TestResponse:
        """What may hold an integer beyond 64 bits, which cannot be read."""
        answer = self.call("POST", f"{self.path}/submissions", self.tokens[seat], body)
        if answer.status_code == HTTPStatus.BAD_REQUEST:
            assert answer.get_json()["code"] == "malformed_request"
        else:
            self.noted(seat, answer)
        return answer

    def noted(self, seat: int, answer: TestResponse) -> None:
        if answer.status_code in (200, 201):
            receipt = answer.get_json()
            if seat not in self.receipts or receipt["turn"] >= self.receipts[seat]["turn"]:
                self.receipts[seat] = receipt
        else:
            assert answer.get_json()["code"] in REFUSED, answer.get_json()

    def turn(self, seat: int) -> dict[str, Any]:
        answer = self.call("GET", f"{self.path}/turn", self.tokens[seat])
        assert answer.status_code == 200
        turn: dict[str, Any] = answer.get_json()
        legal = turn.get("legal")
        if legal:
            self.choices[seat] = legal.get("actions") or [legal["sample"]]
        return turn

    def action(self, seat: int, n: int) -> Any:
        """One that the seat was told was legal, now or some time ago."""
        known = self.choices.get(seat) or [{"type": "place", "fields": {}, "sieges": []}]
        return known[n % len(known)]

    # Ways to play, and not to play

    def choose(self, seat: int, n: int) -> None:
        """As one should: it is taken where the seat is asked and in time."""
        seat %= self.seats
        turn, late = self.turn(seat), self.late()
        answer = self.submit(seat, {"turn": turn["turn"], "action": self.action(seat, n)})
        if turn["yours"] and not late:
            assert answer.status_code == 201, answer.get_json()
        if turn["yours"] and late and answer.status_code != 201:
            # The turn is over, and with it perhaps the game.
            assert answer.get_json()["code"] in ("stale_turn", "game_not_active"), answer.get_json()
        elif turn["yours"] and late:
            # On a slow machine the worker may not have been there for too long by now.
            nobody_waits = (
                "SELECT bool_and(absent_since IS NOT NULL OR resigned_at IS NOT NULL OR bot IS NOT NULL)"
                f" AND {self.clock == 'waits'} OR NOT {KEPT.as_string()} FROM seats"
            )
            others = "WHERE game_id = %s AND seat <> %s"  # whoever chooses is back by that
            found = self.rows.execute(f"{nobody_waits} {others}".encode(), [self.game, seat]).fetchone()
            assert found == (True,), "late, and taken all the same, though somebody waited for it or the clock ran"

    def everybody(self, seat: int, n: int) -> None:
        """All who are asked choose, so that the game goes on."""
        for each in range(self.seats):
            if self.turn(each)["yours"]:
                self.choose(each, n + each)

    def stale(self, seat: int, n: int) -> None:
        """A turn that is past, or that is still to come."""
        seat %= self.seats
        number = max(0, self.turn(seat)["turn"] + (n % 9 - 4 or 2**31 - 10**6))
        late = self.late()  # then the turn is ended first, and the next one may be the one that is named
        answer = self.submit(seat, {"turn": number, "action": self.action(seat, n)})
        assert answer.status_code in (200, 409, 422) or late, "nothing new can come of it"

    def again(self, seat: int, n: int) -> None:
        """What was taken already, as after a lost answer: the same receipt, whatever has happened since."""
        seat %= self.seats
        if (receipt := self.receipts.get(seat)) is None:
            return
        late = self.late()
        answer = self.submit(seat, {"turn": receipt["turn"], "action": receipt["action"]})
        if not late and answer.status_code != 409:
            assert answer.status_code == 200
            assert (answer.get_json()["id"], answer.get_json()["revision"]) == (receipt["id"], receipt["revision"])
        elif not late:
            assert answer.get_json()["code"] == "game_archived"

    def mangle(self, seat: int, n: int) -> None:
        """An action with something changed in it."""
        seat %= self.seats
        turn = self.turn(seat)
        action = mutated(self.action(seat, n), random.Random(n))
        try:
            text = json.dumps({"turn": turn["turn"], "action": action})
        except ValueError:
            return
        self.submit_mangled(seat, json.loads(text))

    def try_out(self, seat: int, n: int) -> None:
        """A dry run, which changes nothing, and says what the call itself would have said."""
        seat %= self.seats
        turn = self.turn(seat)
        action = self.action(seat, n) if n % 2 else mutated(self.action(seat, n), random.Random(n))
        body = {"turn": turn["turn"], "action": action}
        tried = self.call("POST", f"{self.path}/submissions?dry_run=true", self.tokens[seat], body)
        if self.late():
            return
        done = self.submit_mangled(seat, body)
        both = f"{body}: {tried.get_data(as_text=True)} {done.get_data(as_text=True)}"
        if done.status_code == 200:
            return  # said again what it had said in this turn, of which it need not be asked any more
        assert (tried.status_code == 200) == (done.status_code == 201), both
        if tried.status_code >= 400:
            assert tried.get_json()["code"] == done.get_json()["code"], both

    def replace(self, seat: int, n: int) -> None:
        """One's last choice, by the right revision or by a wrong one, while it is sealed or after."""
        seat %= self.seats
        if (receipt := self.receipts.get(seat)) is None:
            return
        revision = max(1, receipt["revision"] + (0, 0, 1, -1, 100)[n % 5])
        other = self.action(seat, n // 5)
        late = self.late()
        sealed = not late and self.turn(seat)["turn"] == receipt["turn"] and self.status() == "active"
        body = {"turn": receipt["turn"], "revision": revision, "action": other}
        answer = self.call("PUT", f"{self.path}/submissions/{receipt['id']}", self.tokens[seat], body)
        if answer.status_code == 200:
            assert sealed, "only what is sealed can be replaced"
            new = answer.get_json()
            assert new["id"] == receipt["id"]
            assert new["revision"] in (receipt["revision"], receipt["revision"] + 1)
            assert new["revision"] == receipt["revision"] or revision == receipt["revision"]
        self.noted(seat, answer)

    def meddle(self, seat: int, n: int) -> None:
        """With what is another's: by a stranger, by nobody, by another seat, by a seat's token elsewhere."""
        seat %= self.seats
        other = (seat + 1) % self.seats
        number = self.turn(seat)["turn"]
        body = {"turn": number, "action": self.action(seat, n)}
        if n % 5 == 0 and (receipt := self.receipts.get(other)) is not None:
            target = f"{self.path}/submissions/{receipt['id']}"
            put = self.call("PUT", target, self.tokens[seat], {**body, "revision": receipt["revision"]})
            assert put.get_json()["code"] == "not_found"
            got = self.call("GET", target, self.tokens[seat])
            assert got.status_code == (200 if self.status() == "over" else 403)
        elif n % 5 == 1:
            answer = self.call("POST", f"{self.path}/submissions", self.stranger, body)
            assert answer.get_json()["code"] in ("not_seated", "not_found")
        elif n % 5 == 2:
            assert self.call("POST", f"{self.path}/submissions", None, body).status_code == 401
        elif n % 5 == 3:
            for method, path in (("POST", "/v1/games"), ("POST", f"{self.path}/seats"), ("GET", "/v1/me/tokens")):
                new = {"ruleset": "claim", "seats": 2} if path == "/v1/games" else {} if method == "POST" else None
                assert self.call(method, path, self.limited, new).status_code == 403
        else:
            back = self.call("POST", f"{self.path}/seats/{other}/return", self.tokens[seat], {})
            assert back.get_json()["code"] in ("not_yours", "game_not_active")

    def key(self, seat: int, n: int) -> None:
        """One key for the same call, and for another."""
        seat, name = seat % self.seats, n % 3
        turn = self.turn(seat)
        body = {"turn": turn["turn"], "action": self.action(seat, n)}
        earlier = self.keyed.get((seat, name))
        if earlier is not None and n % 2:
            body = earlier[0]
        answer = self.submit(seat, body, Idempotency_Key=f"key-{name}")
        if earlier is None:
            if answer.status_code < 300:
                self.keyed[seat, name] = body, answer.get_json()
        elif earlier[0] == body:
            assert answer.get_json() == earlier[1], "the first answer again"
        else:
            assert answer.get_json()["code"] == "idempotency_mismatch"

    def resign(self, seat: int, n: int) -> None:
        seat %= self.seats
        if n % 4:
            return  # not so often that no game gets anywhere
        answer = self.call("POST", f"{self.path}/resignations", self.tokens[seat], {})
        assert answer.status_code in (200, 201) or answer.get_json()["code"] in ("game_not_active", "game_archived")
        if answer.status_code == 201:
            again = self.call("POST", f"{self.path}/resignations", self.tokens[seat], {})
            assert again.status_code == 200

    def return_to_seat(self, seat: int, n: int) -> None:
        seat %= self.seats
        answer = self.call("POST", f"{self.path}/seats/{seat}/return", self.tokens[seat], {})
        assert answer.status_code == 200 or answer.get_json()["code"] in ("game_not_active", "not_yours")

    def miss(self, seat: int, n: int) -> None:
        """The clock of the turn runs out, and nobody notices yet."""
        self.rows.execute(
            "UPDATE games SET deadline = clock_timestamp() - interval '1 second'"
            " WHERE id = %s AND deadline IS NOT NULL",
            [self.game],
        )

    def work(self, seat: int, n: int) -> None:
        """The worker looks: at what is late, and at what absent seats and bots owe."""
        worker = Worker(self.store, random.Random(n))
        for _ in range(20):
            if not worker.work():
                return

    def forget(self, seat: int, n: int) -> None:
        """Nobody touches the game for long, where no deadline runs."""
        if n % 3:
            return
        self.rows.execute("UPDATE events SET at = at - interval '31 days' WHERE game_id = %s", [self.game])
        self.rows.execute("UPDATE games SET touched_at = touched_at - interval '31 days' WHERE id = %s", [self.game])
        with self.store.reading() as tables:
            archive.archive(tables, 30, 1000)

    def look(self, seat: int, n: int) -> None:
        """At everything there is to see, as somebody who may or may not."""
        who = [*self.tokens, self.stranger, None][seat % (self.seats + 2)]
        rest = ("", "/view", "/turn?include=view", "/events?limit=200", "/combats", "/board.svg", "/record", "/seats/0")
        for part in (rest[n % len(rest)], rest[n // 8 % len(rest)]):
            answer = self.call("GET", self.path + part, who, **({"If_None_Match": "*"} if n % 2 else {}))
            allowed = {200, 304} | ({404} if who in (self.stranger, None) else set())
            assert answer.status_code in allowed or answer.get_json()["code"] == "game_not_over"

    def together(self, seat: int, n: int) -> None:
        """All seats at once: choices, others in their place, the same again, and one who resigns meanwhile."""
        seats = list(range(self.seats))
        turns = [self.turn(each) for each in seats]
        calls = []
        for each in seats:
            body = {"turn": turns[each]["turn"], "action": self.action(each, n + each)}
            calls.append((each, "POST", f"{self.path}/submissions", body))
            calls.append(
                (each, "POST", f"{self.path}/submissions", body if n % 2 else {**body, "action": self.action(each, n)})
            )
            if (receipt := self.receipts.get(each)) is not None:
                more = {
                    "turn": turns[each]["turn"],
                    "revision": receipt["revision"],
                    "action": self.action(each, n // 3),
                }
                calls.append((each, "PUT", f"{self.path}/submissions/{receipt['id']}", more))
        if n % 8 == 0:
            calls.append((n // 8 % self.seats, "POST", f"{self.path}/resignations", {}))
        barrier = Barrier(len(calls))

        def one(call: tuple[int, str, str, Any]) -> TestResponse:
            each, method, path, body = call
            client = self.api.app.test_client()
            barrier.wait()
            return client.open(path, method=method, json=body, headers={"Authorization": f"Bearer {self.tokens[each]}"})

        with ThreadPoolExecutor(len(calls)) as hands:
            answers = list(hands.map(one, calls))
        self.requests += len(calls)
        new = dict[int, set[str]]()
        for (each, _, path, _), answer in zip(calls, answers, strict=True):
            self.judge(answer, self.tokens[each], path)
            if not path.endswith("/resignations"):
                if answer.status_code == 201:
                    new.setdefault(each, set()).add(answer.get_json()["id"])
                self.noted(each, answer)
        for each, idents in new.items():
            assert len(idents) == 1, f"seat {each} chose once"
            self.receipts[each] = {"id": idents.pop()}
        self.refresh()

    def refresh(self) -> None:
        """What was taken last of each seat, where others than the methods here may have submitted."""
        for seat, turn, ident, revision, action in self.rows.execute(
            "SELECT DISTINCT ON (seat) seat, turn, id::text, revision, action FROM submissions WHERE game_id = %s"
            " ORDER BY seat, turn DESC, revision DESC",
            [self.game],
        ).fetchall():
            self.receipts[seat] = {"turn": turn, "id": ident, "revision": revision, "action": action}

    def check(self) -> None:
        """What must hold after whatever was done; at the end, that the record proves it."""
        self.ledger.check()
        if self.status() == "over":
            record = self.call("GET", f"{self.path}/record", self.tokens[0])
            assert record.status_code == 200
            verdict = verify(read_record(record.get_data()))
            assert verdict.holds, verdict.difference


WAYS = (
    *("choose", "everybody") * 3,
    *("stale", "again", "mangle", "try_out", "replace", "meddle", "key", "resign"),
    *("return_to_seat", "miss", "work", "forget", "look", "together"),
)
"""The methods above, those that move the game on more often."""
