"""An Idempotency-Key opens nothing: who may not call an operation is told so as without a key, whatever is kept by it.

Every operation that takes keys has a row in CASES. A key is the player's, so what is tried are that player's own other
tokens, and the player after losing sight of what the first call was about.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
import pytest

from holmgang.api.operation.declaration import OPERATIONS
from holmgang.api.operation.gate import Access
from holmgang.api.operation.terms import Keyed

from .calling import Api, Person, Table
from .test_archive import put_away

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

KEYED = {name for name, row in OPERATIONS.items() if row.keyed in (Keyed.KEPT, Keyed.SECRET)}
HOOK = {"url": "https://example.org/hook", "events": ["game.over"]}


class Case(NamedTuple):
    """A call that `owner` may make, another body for it, and how the owner loses what makes it possible, if that can
    be lost."""

    owner: Person
    path: str
    body: Any
    other: Any
    lose: Callable[[], object] | None = None


def _private_seat(api: Api) -> tuple[Table, Person, str, str]:
    """An open private game, somebody who may sit down there, and the invitation: its secret and its id."""
    table = api.table(3, taken=1, visibility="private")
    invitation = api.invite(table, uses=1)
    return table, api.register("Guest"), invitation["secret"], invitation["id"]


def _turn_out(api: Api, table: Table, guest: Person, invitation: str) -> None:
    mine = next(s["seat"] for s in api.get(table.path, guest.token)["seats"] if s["player"] == guest.id)
    api.call("DELETE", f"{table.path}/seats/{mine}", token=guest.token, status=204)
    api.call("DELETE", f"{table.path}/invitations/{invitation}", token=table.token(0), status=204)


def _take_seat(api: Api) -> Case:
    table, guest, secret, ident = _private_seat(api)
    body = {"invitation": secret}
    return Case(
        guest,
        f"{table.path}/seats",
        body,
        {**body, "entropy": "00" * 16},
        lambda: _turn_out(api, table, guest, ident),
    )


def _return(api: Api) -> Case:
    table, guest, secret, ident = _private_seat(api)
    sat = api.call("POST", f"{table.path}/seats", token=guest.token, json={"invitation": secret}, status=201).get_json()
    put_away(table)
    return Case(
        guest,
        f"{table.path}/seats/{sat['seat']}/return",
        {},
        {},
        lambda: _turn_out(api, table, guest, ident),
    )


def _return_to_a_seat_that_is_gone(api: Api) -> Case:
    table = put_away(api.table(taken=2))
    path = f"{table.path}/seats/1"
    return Case(
        table.people[1],
        f"{path}/return",
        {},
        {},
        lambda: api.call("DELETE", path, token=table.token(1), status=204),
    )


def _return_to_anothers_seat(api: Api) -> Case:
    case = _return_to_a_seat_that_is_gone(api)
    seats, lose = case.path.removesuffix("/1/return"), case.lose
    assert lose is not None
    newcomer = api.register("Newcomer")
    return case._replace(
        lose=lambda: (lose(), api.call("POST", seats, token=newcomer.token, json={"seat": 1}, status=201))
    )


def _leave(api: Api) -> Case:
    table = api.table(visibility="private", turn_seconds=86_400, leave_days=3)
    return Case(table.people[0], f"{table.path}/seats/0/leave", {}, {})


def _submit(api: Api) -> Case:
    table = api.table(visibility="private")
    body = table.choice(0)
    return Case(table.people[0], f"{table.path}/submissions", body, {**body, "turn": 7})


def _resign(api: Api) -> Case:
    table = api.table(visibility="private")
    return Case(table.people[0], f"{table.path}/resignations", {}, {})


def _invite(api: Api) -> Case:
    table = api.table(visibility="private", taken=2)
    return Case(table.people[0], f"{table.path}/invitations", {"uses": 1}, {"uses": 2})


def _token(api: Api) -> Case:
    table, guest, secret, ident = _private_seat(api)
    api.call("POST", f"{table.path}/seats", token=guest.token, json={"invitation": secret}, status=201)
    body = {"label": "bot", "scopes": ["read"], "game": table.game}
    return Case(
        guest,
        "/v1/me/tokens",
        body,
        {**body, "label": "another"},
        lambda: _turn_out(api, table, guest, ident),
    )


def _game(api: Api) -> Case:
    body = {"ruleset": "eketorp", "seats": 3, "visibility": "private"}
    return Case(api.register(), "/v1/games", body, {**body, "seats": 4})


def _seek(api: Api) -> Case:
    body = {"ruleset": "claim", "seats": [2], "turn_seconds": 60}
    return Case(api.register(), "/v1/seeks", body, {**body, "rated": True})


def _challenge(api: Api) -> Case:
    body = {"ruleset": "claim", "players": [api.register().id]}
    return Case(api.register(), "/v1/challenges", body, {**body, "seat": 1})


CUP = {"name": "The cup", "ruleset": "claim", "seats": 2, "turn_seconds": 600, "kind": "swiss"}


def _tournament(api: Api) -> Case:
    return Case(api.register(), "/v1/tournaments", CUP, {**CUP, "name": "Another"})


def _of_tournament(below: str) -> Callable[[Api], Case]:
    def case(api: Api) -> Case:
        maker = api.register()
        body = {**CUP, "visibility": "private"}
        made = api.call("POST", "/v1/tournaments", token=maker.token, json=body, status=201)
        path = f"/v1/tournaments/{made.get_json()['id']}"

        def invite() -> str:
            made = api.call("POST", f"{path}/invitation", token=maker.token, json={}, status=200)
            return str(made.get_json()["secret"])

        def enter(person: Person, invitation: str) -> str:
            made = api.call("POST", f"{path}/entries", token=person.token, json={"invitation": invitation})
            return str(made.get_json()["id"])

        secret, guest = invite(), api.register()
        if below == "entries":

            def leave() -> None:
                mine = enter(guest, secret)
                api.call("DELETE", f"{path}/entries/{mine}", token=guest.token, status=204)
                invite()

            return Case(guest, f"{path}/entries", {"invitation": secret}, {"invitation": secret, "bot": None}, leave)
        for person in (maker, guest):
            enter(person, secret)
        return Case(maker, f"{path}/{below}", {}, {})

    return case


def _webhook(api: Api) -> Case:
    return Case(api.register(), "/v1/webhooks", HOOK, {**HOOK, "events": ["turn.waiting"]})


def _of_webhook(below: str, delivery: bool = False) -> Callable[[Api], Case]:
    def case(api: Api) -> Case:
        owner = api.register()
        made = api.call("POST", "/v1/webhooks", token=owner.token, json=HOOK, status=201).get_json()
        path = f"/v1/webhooks/{made['id']}"
        sent = api.call("POST", f"{path}/test", token=owner.token, json={}, status=202).get_json()["id"]
        ending = f"deliveries/{sent}/replay" if delivery else below
        lose = lambda: api.call("DELETE", path, token=owner.token, status=204)  # noqa: E731
        return Case(owner, f"{path}/{ending}", {}, {}, lose)

    return case


CASES: list[tuple[str, Callable[[Api], Case]]] = [
    ("createGame", _game),
    ("createSeek", _seek),
    ("createChallenge", _challenge),
    ("createTournament", _tournament),
    ("enterTournament", _of_tournament("entries")),
    ("startTournament", _of_tournament("start")),
    ("inviteToTournament", _of_tournament("invitation")),
    ("takeSeat", _take_seat),
    ("returnToSeat", _return),
    ("returnToSeat", _return_to_a_seat_that_is_gone),
    ("returnToSeat", _return_to_anothers_seat),
    ("goOnLeave", _leave),
    ("submit", _submit),
    ("resign", _resign),
    ("createInvitation", _invite),
    ("createToken", _token),
    ("createWebhook", _webhook),
    ("rotateWebhookSecret", _of_webhook("rotate")),
    ("testWebhook", _of_webhook("test")),
    ("replayDelivery", _of_webhook("replay", delivery=True)),
]


def test_every_operation_that_takes_keys_has_a_case() -> None:
    assert {name for name, _ in CASES} == KEYED


def told(answer: TestResponse) -> tuple[int, Any, str | None, str | None]:
    """All that an answer says, but for what tells requests apart."""
    body = answer.get_json()
    body.pop("request_id", None)
    return answer.status_code, body, answer.headers.get("Location"), answer.headers.get("WWW-Authenticate")


def refused_alike(api: Api, case: Case, token: str | None) -> None:
    for body in (case.body, case.other):
        plain = api.call("POST", case.path, token=token, json=body)
        assert plain.status_code in (401, 403, 404), plain.get_data(as_text=True)
        keyed = api.call("POST", case.path, token=token, json=body, Idempotency_Key="k")
        assert told(keyed) == told(plain)


def refused_alike_in_flight(api: Api, case: Case, token: str | None, name: str) -> None:
    """Nor is it told that the owner's own call is being served just now."""
    with api.app.extensions["holmgang"].store.transaction() as tables:
        assert tables.claim_key(case.owner.id, name)
        refused_alike(api, case, token)


def other_tokens(api: Api, owner: Person, needed: str, rows: psycopg.Connection[Any]) -> dict[str, str | None]:
    """Tokens of the same player that are each not good enough, and those of nobody and somebody else."""

    def made(scopes: list[str], **more: Any) -> Any:
        wanted = {"label": "t", "scopes": scopes, **more}
        return api.call("POST", "/v1/me/tokens", token=owner.token, json=wanted, status=201).get_json()

    elsewhere = api.call("POST", "/v1/games", token=owner.token, json={"ruleset": "claim", "seats": 2}, status=201)
    expired = made(["read", "play", "manage"], expires_at=(datetime.now(UTC) + timedelta(hours=1)).isoformat())
    rows.execute("UPDATE tokens SET expires_at = clock_timestamp() WHERE id = %s", [expired["id"]])
    revoked = made(["read", "play", "manage"])
    api.call("DELETE", f"/v1/me/tokens/{revoked['id']}", token=owner.token, status=204)
    tokens = {
        "nobody's": None,
        "unknown": "hg_nothing",
        "expired": expired["token"],
        "revoked": revoked["token"],
        "of a seat elsewhere": made(["read", "play"], game=elsewhere.get_json()["id"])["token"],
    }
    scopes = {"read", "play", "manage"} - {needed}
    return tokens | {f"without {needed}": made(sorted(scopes))["token"]}


@pytest.mark.parametrize(("name", "made"), CASES)
def test_a_key_opens_nothing(api: Api, module_database: str, name: str, made: Callable[[Api], Case]) -> None:
    case = made(api)
    with psycopg.connect(module_database, autocommit=True) as rows:
        row = OPERATIONS[name]
        needed = row.scope or ("play" if row.access is Access.SEAT else "")
        tokens = other_tokens(api, case.owner, needed, rows)
        first = api.call("POST", case.path, token=case.owner.token, json=case.body, Idempotency_Key="k")
        assert first.status_code < 300, first.get_data(as_text=True)
        found = rows.execute("SELECT key FROM answers WHERE player_id = %s", [case.owner.id]).fetchone()
        assert found is not None
        kept = api.call("POST", case.path, token=case.owner.token, json=case.body, Idempotency_Key="k")
        assert kept.status_code == (409 if row.keyed is Keyed.SECRET else first.status_code)
        for token in tokens.values():
            refused_alike(api, case, token)
            refused_alike_in_flight(api, case, token, found[0])
        if case.lose is not None:
            case.lose()
            refused_alike(api, case, case.owner.token)
            refused_alike_in_flight(api, case, case.owner.token, found[0])


def test_a_token_that_could_not_make_another_is_told_of_none(api: Api) -> None:
    owner = api.register()
    wanted = {"label": "manager", "scopes": ["manage"]}
    manager = api.call("POST", "/v1/me/tokens", token=owner.token, json=wanted, status=201).get_json()["token"]
    body = {"label": "bot", "scopes": ["read", "play"]}
    case = Case(owner, "/v1/me/tokens", body, {**body, "scopes": ["play"]})
    api.call("POST", case.path, token=owner.token, json=body, status=201, Idempotency_Key="k")
    refused_alike(api, case, manager)


def test_a_token_for_a_seat_is_answered_by_a_key_at_that_seat(api: Api) -> None:
    case = _submit(api)
    game = case.path.split("/")[3]
    wanted = {"label": "bot", "scopes": ["read", "play"], "game": game}
    bot = api.call("POST", "/v1/me/tokens", token=case.owner.token, json=wanted, status=201).get_json()["token"]
    first = api.call("POST", case.path, token=case.owner.token, json=case.body, status=201, Idempotency_Key="k")
    again = api.call("POST", case.path, token=bot, json=case.body, status=201, Idempotency_Key="k")
    assert again.get_data() == first.get_data()


def test_a_bad_token_comes_before_a_key_that_is_not_taken(api: Api) -> None:
    body = {"name": "Ragna"}
    api.problem("POST", "/v1/players", 401, "invalid_token", token="hg_nothing", json=body, Idempotency_Key="k")
