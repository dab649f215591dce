"""Calls of the API in tests: through Flask's client, with what comes back checked against the contract."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from holmgang import registry
from holmgang.bootstrap import create_app
from holmgang.config import Settings
from tests.api_document import api_document, check, operations, resolved
from tests.languages.checking import check_text

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

PROBLEM_FIELDS = {"type", "title", "status", "detail", "code", "request_id", "retryable"}
UNHURRIED = dict.fromkeys(("rate_limit", "rate_limit_polls", "rate_limit_moves"), 10**9)
"""Settings without limits worth the name, where a refusal for haste would be alike for everything."""
_RULESETS = registry.names()
_CHECKED: set[tuple[str, int, str]] = set()


def _looks(value: Any, depth: int = 3) -> str:
    """The names and types of what an answer holds."""
    if depth and isinstance(value, dict):
        return repr({name: _looks(member, depth - 1) for name, member in value.items()})
    if depth and isinstance(value, list):
        return repr(sorted({_looks(member, depth - 1) for member in value}))
    return type(value).__name__


class Api:
    """The whole application on a database. `documented`: whether the document knows its games."""

    documented = True

    def __init__(self, url: str, **settings: Any) -> None:
        settings = {"rate_limit_registrations": 10**9, **settings}  # tests register more than one address does
        self.app: Flask = create_app(Settings(database_url=url, pool_size=4, **settings))
        self.client = self.app.test_client()

    def close(self) -> None:
        self.app.extensions["holmgang"].store.close()

    def call(
        self,
        method: str,
        path: str,
        *,
        token: str | None = None,
        json: Any = None,
        body: bytes | None = None,
        status: int | None = None,
        **headers: str,
    ) -> TestResponse:
        """One request. Header names come with `_` for `-`; `status` is what is expected."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        more: dict[str, Any] = {"data": body} if body is not None else {} if json is None else {"json": json}
        answer = self.client.open(path, method=method, headers=sent, **more)
        if status is not None:
            assert answer.status_code == status, (answer.status_code, answer.get_data(as_text=True))
        if answer.status_code in (204, 304):
            assert "Content-Type" not in answer.headers
        if answer.status_code < 400 and method != "OPTIONS":
            self.check_headers(method, path, answer)
        packed = "Content-Encoding" in answer.headers
        if answer.status_code >= 400 and method != "HEAD":
            self.check_problem(answer)
        elif self.documented and answer.content_type == "application/json" and method != "HEAD" and not packed:
            self.check_answer(method, path, answer)
        return answer

    def operation(self, method: str, path: str) -> str:
        endpoint, _ = self.app.url_map.bind("localhost").match(path.partition("?")[0], method)
        return str(endpoint.rpartition(".")[2])

    def check_headers(self, method: str, path: str, answer: TestResponse) -> None:
        """It has no headers that the document describes, but not for it. X-Request-ID is said of all in one place."""
        sent = {name for name in api_document()["components"]["headers"] if name in answer.headers} - {"X-Request-ID"}
        if not sent or (name := self.operation(method, path)) not in operations():
            return
        told = resolved(operations()[name]["responses"][str(answer.status_code)])
        if answer.mimetype == "text/html" and answer.mimetype not in told["content"]:
            return  # the page, which browsers get at the address of the index
        assert sent <= set(told.get("headers", {})), (name, answer.status_code)

    def check_answer(self, method: str, path: str, answer: TestResponse) -> None:
        """It is as the document says, and has no fields that the document lacks. Of those that look alike one is
        checked."""
        name = self.operation(method, path)
        if registry.names() != _RULESETS or name not in operations():
            return  # a test has brought a game that the document does not know, or the answer is no operation's
        body = answer.get_json()
        if (looks := (name, answer.status_code, _looks(body))) in _CHECKED:
            return
        schema = operations()[name]["responses"][str(answer.status_code)]["content"]["application/json"]["schema"]
        check(body, schema)
        if (known := resolved(schema).get("properties")) is not None:
            assert set(body) <= set(known), name
        _CHECKED.add(looks)

    def check_problem(self, answer: TestResponse) -> None:
        assert answer.content_type == "application/problem+json"
        body = answer.get_json()
        assert set(body) >= PROBLEM_FIELDS
        assert body["status"] == answer.status_code
        assert body["type"] == f"/problems/{body['code']}"
        assert body["request_id"] == answer.headers["X-Request-ID"]
        if answer.headers["Content-Language"] == "en":
            for detail in (body["detail"], *(error["detail"] for error in body.get("errors", ()))):
                check_text(detail)
        assert ("Retry-After" in answer.headers) == (answer.status_code in (429, 503))
        assert ("WWW-Authenticate" in answer.headers) == (answer.status_code == 401)

    def problem(self, method: str, path: str, status: int, code: str, **more: Any) -> dict[str, Any]:
        """A request that is refused with this status and code; the problem document."""
        body: dict[str, Any] = self.call(method, path, status=status, **more).get_json()
        assert body["code"] == code, body
        return body

    def get(self, path: str, token: str | None = None) -> Any:
        return self.call("GET", path, token=token, status=200).get_json()

    def register(self, name: str = "Ragna") -> Person:
        made = self.call("POST", "/v1/players", json={"name": name}, status=201).get_json()
        return Person(made["player"]["id"], made["token"], made["token_id"])

    def table(self, seats: int = 3, *, taken: int | None = None, **options: Any) -> Table:
        """A new game with `taken` seats filled in order; all of them unless said, so that it has started. Those who
        join a private one are invited: the invitation is used up by as many as there are seats but its creator's."""
        people = [self.register(f"player {seat}") for seat in range(seats)]
        wanted = {"ruleset": "eketorp", "seats": seats, "join": False, **options}
        game = self.call("POST", "/v1/games", token=people[0].token, json=wanted, status=201).get_json()["id"]
        table = Table(self, game, people)
        more = {}
        if options.get("visibility") == "private":
            table.secret = self.invite(table, uses=seats - 1)["secret"]
            more = {"invitation": table.secret}
        for seat in range(seats if taken is None else taken):
            body = {"seat": seat, **more}
            self.call("POST", f"{table.path}/seats", token=people[seat].token, json=body, status=201)
        return table

    def invite(self, table: Table, **terms: Any) -> Any:
        """A new invitation to a private game."""
        path = f"{table.path}/invitations"
        return self.call("POST", path, token=table.token(0), json=terms, status=201).get_json()


@dataclass(frozen=True)
class Person:
    id: str
    token: str
    token_id: str


@dataclass
class Table:
    """A game and its players, in order of seats."""

    api: Api
    game: str
    people: list[Person]
    receipts: list[dict[str, Any]] = field(default_factory=list)
    secret: str = ""
    """Of the invitation by which the players of a private game have sat down."""

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game}"

    def token(self, seat: int) -> str:
        return self.people[seat].token

    def turn(self, seat: int) -> dict[str, Any]:
        turn: dict[str, Any] = self.api.get(f"{self.path}/turn", self.token(seat))
        return turn

    def choice(self, seat: int) -> dict[str, Any]:
        """A body for this seat's legal submission."""
        turn = self.turn(seat)
        return {"turn": turn["turn"], "action": legal_action(turn)}

    def submit(self, seat: int, body: dict[str, Any] | None = None, **more: Any) -> TestResponse:
        body = self.choice(seat) if body is None else body
        return self.api.call("POST", f"{self.path}/submissions", token=self.token(seat), json=body, **more)

    def play(self, turns: int = 2000) -> None:
        """So many turns, or to the end, each with some legal action."""
        for _ in range(turns):
            summary = self.api.get(self.path, self.token(0))
            if summary["status"] == "over":
                return
            for seat in summary["awaited"]:
                self.receipts.append(self.submit(seat, status=201).get_json())


def legal_action(turn: dict[str, Any]) -> Any:
    legal = turn["legal"]
    return legal["actions"][-1] if "actions" in legal else legal["sample"]
