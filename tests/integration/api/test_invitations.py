"""Invitations: made, shown to look, used by sitting down, given back, used up, expired and revoked."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from holmgang.app.accounts.tokens import token_digest
from tests.integration.tables import let_news_be_delivered

from .calling import Api, Person, Table

HEADER = "Holmgang_Invitation"


@pytest.fixture
def table(api: Api) -> Table:
    """A private game for three with its creator on seat 0."""
    return api.table(visibility="private", taken=1)


def sit(api: Api, table: Table, person: Person, secret: str, status: int, **more: Any) -> Any:
    body = {"invitation": secret, **more}
    return api.call("POST", f"{table.path}/seats", token=person.token, json=body, status=status).get_json()


def all_of(api: Api, table: Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(f"{table.path}/invitations", table.token(0))["items"]
    return found


def used(api: Api, table: Table, made: dict[str, Any]) -> int:
    count: int = api.get(f"{table.path}/invitations/{made['id']}", table.token(0))["used"]
    return count


def gone(api: Api, table: Table, person: Person, secret: str) -> None:
    """The invitation is worth nothing: to look by it and to sit down is as if there were no such game."""
    for token in (None, person.token):
        for part in ("", "/turn", "/events", "/seats/0"):
            more = {HEADER: secret}
            problem = api.problem("GET", table.path + part, 404, "not_found", token=token, **more)
            assert problem["what"] == "game"
    assert sit(api, table, person, secret, 404)["what"] == "game"


def test_the_secret_is_shown_once_and_kept_as_a_hash(api: Api, table: Table, module_database: str) -> None:
    path = f"{table.path}/invitations"
    key: dict[str, Any] = {"Idempotency_Key": "once"}
    answer = api.call("POST", path, token=table.token(0), json={}, status=201, **key)
    made = answer.get_json()
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Location"] == f"{path}/{made['id']}"
    secret, url = made.pop("secret"), made.pop("url")
    assert url == f"http://localhost/games/{table.game}#invitation={secret}"
    assert (made["game"], made["seat"], made["uses"], made["used"]) == (table.game, None, 1, 0)
    assert made["expires_at"] is None
    assert api.get(answer.headers["Location"], table.token(0)) == made
    assert made in all_of(api, table)
    again = api.problem("POST", path, 409, "secret_already_shown", token=table.token(0), json={}, **key)
    assert again["location"] == answer.headers["Location"]
    with psycopg.connect(module_database) as rows:
        kept = rows.execute("SELECT digest FROM invitations WHERE id = %s", [made["id"]]).fetchone()
    assert kept == (token_digest(secret),)


def test_its_link_names_the_public_address(module_database: str) -> None:
    api = Api(module_database, public_url="https://games.example.org")
    person = api.register()
    new = {"ruleset": "claim", "seats": 2, "visibility": "private"}
    path = api.call("POST", "/v1/games", token=person.token, json=new, status=201).headers["Location"]
    path = path.removeprefix("https://games.example.org")
    made = api.call("POST", f"{path}/invitations", token=person.token, json={}, status=201).get_json()
    assert made["url"] == f"https://games.example.org{path.removeprefix('/v1')}#invitation={made['secret']}"
    api.close()


def test_one_looks_before_one_sits(api: Api, table: Table) -> None:
    secret, person = api.invite(table)["secret"], api.register()
    shown = {HEADER: secret}
    for token in (None, person.token):
        assert api.call("GET", table.path, token=token, status=200, **shown).get_json()["id"] == table.game
        assert api.call("GET", f"{table.path}/seats/0", token=token, status=200, **shown).get_json()["seat"] == 0
        turn = api.call("GET", f"{table.path}/turn", token=token, status=200, **shown)
        assert turn.get_json()["seat"] is None
        known = turn.headers["ETag"]
        assert "Holmgang-Invitation" in turn.headers["Vary"]
        api.call("GET", f"{table.path}/turn", token=token, status=304, If_None_Match=known, **shown)
        api.call("GET", f"{table.path}/turn?wait=1", token=token, status=304, If_None_Match=known, **shown)
        api.problem("GET", f"{table.path}/turn", 404, "not_found", token=token, If_None_Match=known)
        feed = api.call("GET", f"{table.path}/events", token=token, status=200, **shown).get_json()
        assert [one["payload"]["type"] for one in feed["items"]] == ["game_created", "seat_taken"]
        api.call("GET", f"{table.path}/combats", token=token, status=200, **shown)
        api.problem("GET", f"{table.path}/record", 409, "game_not_over", token=token, **shown)
        api.problem("GET", f"{table.path}/view", 409, "game_not_active", token=token, **shown)
    assert used(api, table, all_of(api, table)[-1]) == 0
    assert sit(api, table, person, secret, 201)["seat"] == 1


def test_to_look_is_not_to_sit(api: Api, table: Table) -> None:
    """The header opens reading only: what changes a game takes the secret in its body, or a seat."""
    person, shown = api.register(), {HEADER: api.invite(table)["secret"]}
    for method, part, body in (
        ("POST", "/seats", {}),
        ("POST", "/seats", {"bot": "random"}),
        ("DELETE", "/seats/0", None),
        ("POST", "/seats/0/return", {}),
        ("POST", "/resignations", {}),
        ("POST", "/submissions", {"turn": 1, "action": {}}),
        ("POST", "/invitations", {}),
    ):
        api.problem(method, table.path + part, 404, "not_found", token=person.token, json=body, **shown)


@pytest.mark.slow
def test_a_stream_is_followed_by_an_invitation_until_it_is_revoked(api: Api, table: Table) -> None:
    made = api.invite(table, uses=2)
    more = {"Accept": "text/event-stream", HEADER.replace("_", "-"): made["secret"]}
    stream = api.app.test_client().get(f"{table.path}/events", headers=more, buffered=False)
    told = stream.iter_encoded()
    read = b"".join(next(told) for _ in range(3))
    assert b"seat_taken" in read
    api.call("DELETE", f"{table.path}/invitations/{made['id']}", token=table.token(0), status=204)
    api.call("DELETE", f"{table.path}/seats/0", token=table.token(0), status=204)
    assert b"".join(told) == b"", "what comes after the end is not told"
    stream.close()


def test_watching_goes_on_while_an_invitation_is_good(api: Api) -> None:
    table = api.table(visibility="private")
    shown = {HEADER: api.invite(table, uses=5)["secret"]}
    table.play(1)
    assert api.call("GET", f"{table.path}/view", status=200, **shown).get_json()
    assert api.call("GET", f"{table.path}/turn?include=view", status=200, **shown).get_json()["view"]
    api.problem("POST", f"{table.path}/seats", 404, "not_found", token=api.register().token, json={}, **shown)
    problem = sit(api, table, api.register(), shown[HEADER], 409)
    assert problem["code"] == "game_full"


def test_without_spectators_an_invitation_shows_the_summary_only(api: Api) -> None:
    table = api.table(visibility="private", spectators=False, taken=0)
    shown, person = {HEADER: api.invite(table)["secret"]}, api.register()
    assert api.call("GET", table.path, status=200, **shown).get_json()["spectators"] is False
    for part in ("turn", "events", "combats"):
        api.problem("GET", f"{table.path}/{part}", 401, "unauthenticated", **shown)
        api.problem("GET", f"{table.path}/{part}", 403, "spectators_excluded", token=person.token, **shown)
        api.problem("GET", f"{table.path}/{part}", 403, "spectators_excluded", token=table.token(0))
    assert api.get(table.path, table.token(0))["id"] == table.game, "its creator sees it without a seat"


def test_it_is_used_up_by_as_many_as_it_is_for(api: Api, table: Table) -> None:
    one, other, made = api.register(), api.register(), api.invite(table)
    assert sit(api, table, one, made["secret"], 201)["seat"] == 1
    assert used(api, table, made) == 1
    gone(api, table, other, made["secret"])
    assert sit(api, table, one, made["secret"], 200)["seat"] == 1, "a call whose answer was lost may be made again"
    assert used(api, table, made) == 1
    assert api.call("GET", table.path, token=one.token, status=200, **{HEADER: made["secret"]}).get_json()["id"]


def test_who_leaves_gives_the_use_back(api: Api, table: Table) -> None:
    one, other, made = api.register(), api.register(), api.invite(table)
    sit(api, table, one, made["secret"], 201)
    api.call("DELETE", f"{table.path}/seats/1", token=one.token, status=204)
    assert used(api, table, made) == 0
    api.problem("GET", table.path, 404, "not_found", token=one.token)
    assert sit(api, table, one, made["secret"], 201)["seat"] == 1, "they may come back by it"
    api.call("DELETE", f"{table.path}/seats/1", token=one.token, status=204)
    assert sit(api, table, other, made["secret"], 201)["seat"] == 1, "or somebody else in their place"
    gone(api, table, one, made["secret"])
    api.problem("DELETE", f"{table.path}/seats/1", 404, "not_found", token=one.token)


def test_who_sees_the_game_anyway_uses_none(api: Api) -> None:
    table = api.table(visibility="private", taken=0)
    made = api.invite(table)
    assert sit(api, table, table.people[0], made["secret"], 201)["seat"] == 0
    assert used(api, table, made) == 0, "its creator needs none"
    public = api.table(taken=0)
    assert sit(api, public, public.people[1], made["secret"], 201)["seat"] == 0


def test_for_one_seat(api: Api, table: Table) -> None:
    person, made = api.register(), api.invite(table, seat=2)
    wrong = sit(api, table, person, made["secret"], 422, seat=1)
    assert wrong["errors"][0]["pointer"] == "/seat"
    assert sit(api, table, person, made["secret"], 201)["seat"] == 2, "without saying which"
    late = api.invite(table, seat=2)["secret"]
    assert sit(api, table, api.register(), late, 409)["code"] == "seat_taken"


def test_revoked(api: Api, table: Table) -> None:
    person, other, made = api.register(), api.register(), api.invite(table, uses=2)
    sit(api, table, person, made["secret"], 201)
    where = f"{table.path}/invitations/{made['id']}"
    api.call("DELETE", where, token=table.token(0), status=204)
    gone(api, table, other, made["secret"])
    assert api.problem("DELETE", where, 404, "not_found", token=table.token(0))["what"] == "invitation"
    assert api.problem("GET", where, 404, "not_found", token=table.token(0))["what"] == "invitation"
    assert api.get(f"{table.path}/turn", person.token)["seat"] == 1, "who sits stays"
    api.call("DELETE", f"{table.path}/seats/1", token=person.token, status=204)
    gone(api, table, person, made["secret"])


def test_expired_by_the_databases_clock(api: Api, table: Table, module_database: str) -> None:
    """Whatever this process's clock says: what ends there in an hour is good, what ended there is not."""
    person = api.register()
    soon = api.invite(table, expires_in=3600)
    made, ends = (datetime.fromisoformat(soon[name]) for name in ("created_at", "expires_at"))
    assert abs(ends - made - timedelta(hours=1)) < timedelta(seconds=5)
    at = (datetime.now(UTC) + timedelta(days=3)).replace(microsecond=0)
    assert datetime.fromisoformat(api.invite(table, expires_at=at.isoformat())["expires_at"]) == at
    api.call("GET", table.path, status=200, **{HEADER: soon["secret"]})
    with psycopg.connect(module_database, autocommit=True) as rows:
        rows.execute("UPDATE invitations SET expires_at = clock_timestamp() WHERE id = %s", [soon["id"]])
    gone(api, table, person, soon["secret"])
    assert soon["id"] in [one["id"] for one in all_of(api, table)], "its creator still sees that there was one"


def test_one_for_another_game_is_none(api: Api, table: Table) -> None:
    gone(api, table, api.register(), api.invite(api.table(visibility="private", taken=0))["secret"])


@pytest.mark.parametrize("uses", [1, 2])
@pytest.mark.parametrize("round_", range(3))
def test_many_at_once_use_it_no_more_often_than_it_is_good_for(api: Api, uses: int, round_: int) -> None:
    """Also where the last seat starts the game, and where there are seats for more."""
    table = api.table(2 + (round_ + uses) % 3, ruleset="claim", visibility="private", taken=1)
    made, people = api.invite(table, uses=uses), [api.register() for _ in range(8)]
    seats = min(uses, len(table.people) - 1)
    barrier = threading.Barrier(len(people))

    def go(person: Person) -> tuple[int, str]:
        barrier.wait()
        answer = api.app.test_client().post(
            f"{table.path}/seats",
            json={"invitation": made["secret"]},
            headers={"Authorization": f"Bearer {person.token}"},
        )
        return answer.status_code, answer.get_json().get("what", "")

    with ThreadPoolExecutor(len(people)) as pool:
        answers = list(pool.map(go, people))
    refused = (404, "game") if seats == uses else (409, "")
    assert sorted(answers) == sorted([(201, "")] * seats + [refused] * (len(people) - seats))
    assert used(api, table, made) == seats
    held = [one["player"] for one in api.get(table.path, table.token(0))["seats"] if one["player"] is not None]
    assert len(held) == seats + 1


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seat": 3}, "/seat"),
        ({"seat": 1, "uses": 2}, "/uses"),
        ({"expires_at": "2020-01-01T00:00:00Z"}, "/expires_at"),
        ({"expires_in": 60, "expires_at": "2099-01-01T00:00:00Z"}, "/expires_in"),
    ],
)
def test_refused_for_what_makes_no_sense(api: Api, table: Table, body: dict[str, Any], pointer: str) -> None:
    before = all_of(api, table)
    refused = api.problem("POST", f"{table.path}/invitations", 422, "invalid_field", token=table.token(0), json=body)
    assert [error["pointer"] for error in refused["errors"]] == [pointer]
    assert all_of(api, table) == before


@pytest.mark.parametrize(
    "body", [{"seat": -1}, {"uses": 0}, {"uses": 1001}, {"expires_in": 0}, {"expires_in": "1"}, {"colour": "red"}]
)
def test_refused_for_its_shape(api: Api, table: Table, body: dict[str, Any]) -> None:
    api.problem("POST", f"{table.path}/invitations", 422, "invalid_request", token=table.token(0), json=body)


def test_only_who_created_a_private_game_invites(api: Api) -> None:
    table, public = api.table(visibility="private"), api.table()
    made = api.invite(table)
    for method, part, body in (
        ("POST", "", {}),
        ("GET", "", None),
        ("GET", f"/{made['id']}", None),
        ("DELETE", f"/{made['id']}", None),
    ):
        api.problem(method, f"{table.path}/invitations{part}", 403, "not_yours", token=table.token(1), json=body)
    api.problem("POST", f"{public.path}/invitations", 409, "game_not_private", token=public.token(0), json={})
    assert all_of(api, public) == []
    assert used(api, table, made) == 0


def test_no_game_has_invitations_without_end(api: Api, module_database: str) -> None:
    table = api.table(visibility="private", taken=0)
    with psycopg.connect(module_database, autocommit=True) as rows:
        rows.execute(
            "INSERT INTO invitations (game_id, id, digest, uses)"
            " SELECT %s, gen_random_uuid(), sha256(n::text::bytea), 1 FROM generate_series(1, 99) n",
            [table.game],
        )
    refused = api.problem("POST", f"{table.path}/invitations", 409, "limit_reached", token=table.token(0), json={})
    assert (refused["what"], refused["limit"]) == ("invitations", 100)
    assert "revoke" in refused["detail"]
    found: list[str] = []
    path: str | None = f"{table.path}/invitations?limit=40"
    while path:
        page = api.get(path, table.token(0))
        found += [one["id"] for one in page["items"]]
        path = page["next"]
    assert len(found) == len(set(found)) == 100
    api.call("DELETE", f"{table.path}/invitations/{found[0]}", token=table.token(0), status=204)
    api.invite(table)


def test_its_creator_seats_bots_without_inviting_them(api: Api, table: Table) -> None:
    path, body = f"{table.path}/seats", {"bot": "random"}
    refused = api.problem(
        "POST", path, 422, "invalid_field", token=table.token(0), json={**body, "invitation": "hgi_x"}
    )
    assert refused["errors"][0]["pointer"] == "/invitation"
    api.call("POST", path, token=table.token(0), json=body, status=201)
    bot = api.get(f"{path}/1", table.token(0))["player"]
    assert table.game not in [one["id"] for one in api.get(f"/v1/games?player={bot}")["items"]]
    assert api.problem("POST", path, 404, "not_found", token=api.register().token, json=body)["what"] == "game"


def test_webhooks_of_its_players_are_called_as_ever(api: Api, module_database: str) -> None:
    table = api.table(visibility="private", taken=2)
    hook = {"url": "https://hooks.example.org/", "events": ["game.started", "turn.waiting"]}
    made = api.call("POST", "/v1/webhooks", token=table.token(1), json=hook, status=201).get_json()
    sit(api, table, table.people[2], table.secret, 201)
    let_news_be_delivered(api.app.extensions["holmgang"].store)
    sent = api.get(f"/v1/webhooks/{made['id']}/deliveries", table.token(1))["items"]
    assert sorted(one["type"] for one in sent) == ["game.started", "turn.waiting"]
    with psycopg.connect(module_database) as rows:
        bodies = rows.execute("SELECT body FROM deliveries WHERE webhook_id = %s", [made["id"]]).fetchall()
    assert all(table.game in body for (body,) in bodies)
