"""What is made up for when nothing can be heard: all that a tag is made of, at every request that waits.

Here no connection listens, nobody is notified, and nobody looks by the clock: the tests have the next look taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest import mock
from uuid import UUID

import psycopg
import pytest

from holmgang.app.accounts.tokens import token_digest
from holmgang.app.records.contexts import GameCaller
from holmgang.app.records.play import Waiting
from holmgang.app.records.players import Principal, TokenFault
from holmgang.store import wakeups
from holmgang.store.wakeups import Wakeups

from .calling import Api, Table
from .test_archive import put_away
from .test_play import another_action
from .test_waiting import LONG, tag, until
from .test_waiting import Waiting as Request

OWN = "digest = %(digest)s"
GAME = "id = %(game)s"
SEAT = "game_id = %(game)s AND seat = 0"

CALLER = {
    "principal": f"UPDATE tokens SET expires_at = clock_timestamp() WHERE {OWN}",
    "game": f"DELETE FROM games WHERE {GAME}",
    "ruleset": f"UPDATE games SET ruleset = 'another' WHERE {GAME}",
    "status": f"UPDATE games SET status = 'over' WHERE {GAME}",
    "spectators": f"UPDATE games SET spectators = NOT spectators WHERE {GAME}",
    "version": f"UPDATE games SET version = version + 1 WHERE {GAME}",
    "turn": f"UPDATE games SET turn = turn + 1 WHERE {GAME}",
    "seat": f"UPDATE seats SET seat = 7 WHERE {SEAT}",
    "revision": f"UPDATE seats SET revision = revision + 1 WHERE {SEAT}",
    "seat_count": f"UPDATE games SET seat_count = 6 WHERE {GAME}",
    "practice": f"UPDATE games SET practice = NOT practice WHERE {GAME}",
    "creator": f"UPDATE games SET creator = '{UUID(int=7)}' WHERE {GAME}",
    "absent": f"UPDATE seats SET absent_since = clock_timestamp() WHERE {SEAT}",
}
"""A change of each part of how a caller stands in a game, of which tags of a game are made."""
PRINCIPAL = {
    "player": f"UPDATE tokens SET player_id = (SELECT player_id FROM seats WHERE game_id = %(game)s AND seat = 1)"
    f" WHERE {OWN}",
    "token": f"UPDATE tokens SET id = gen_random_uuid() WHERE {OWN}",
    "scopes": f"UPDATE tokens SET scopes = ARRAY['read'] WHERE {OWN}",
    "game": f"UPDATE tokens SET game_id = gen_random_uuid() WHERE {OWN}",
    "seat": f"UPDATE tokens SET seat = 3 WHERE {OWN}",
}
WAITING = {
    "game": f"DELETE FROM awaited WHERE {SEAT}",
    "ruleset": f"UPDATE games SET ruleset = 'another' WHERE {GAME}",
    "seat": f"UPDATE awaited SET seat = 7 WHERE {SEAT}",
    "turn": f"UPDATE awaited SET turn = turn + 1 WHERE {SEAT}",
    "kind": f"UPDATE awaited SET kind = 'another' WHERE {SEAT}",
    "since": f"UPDATE awaited SET since = since + interval '1 second' WHERE {SEAT}",
    "deadline": f"UPDATE games SET deadline = deadline + interval '1 second' WHERE {GAME}",
}
"""The same of a turn that waits for a player, of which the tags of their waiting turns are made."""


@pytest.fixture(scope="module")
def api(module_database: str) -> Iterator[Api]:
    deaf = (mock.patch.object(Wakeups, "_listen"), mock.patch.object(Wakeups, "announce"))
    with mock.patch.object(wakeups, "CHECK_SECONDS", 3600.0), deaf[0], deaf[1]:
        api = Api(module_database)
        yield api
        api.close()


@pytest.fixture
def rows(module_database: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(module_database, autocommit=True) as connection:
        yield connection


@pytest.fixture
def hands() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def look(api: Api) -> None:
    api.app.extensions["holmgang"].store.wakeups._check()


def test_every_part_is_changed_below() -> None:
    assert set(CALLER) == set(GameCaller.__struct_fields__)
    assert set(PRINCIPAL) == set(Principal.__struct_fields__)
    assert set(WAITING) == set(Waiting.__struct_fields__)


@pytest.mark.parametrize("change", [*CALLER.values(), *PRINCIPAL.values()])
def test_who_waits_at_a_game_is_woken_by_a_change_of_any_part(
    api: Api, rows: psycopg.Connection[Any], change: str
) -> None:
    table = api.table()
    digest = token_digest(table.token(0))
    store = api.app.extensions["holmgang"].store
    with store.watch_game(table.game, digest) as watch:
        with store.reading() as tables:
            watch.seen = tables.caller(digest, table.game)
        look(api)
        assert not watch.wait(0), "nothing has changed"
        rows.execute(change.encode(), {"game": table.game, "digest": digest})
        look(api)
        assert watch.wait(0)


@pytest.mark.parametrize("change", [*WAITING.values(), *PRINCIPAL.values(), CALLER["principal"]])
def test_who_waits_for_turns_is_woken_by_a_change_of_any_part(
    api: Api, rows: psycopg.Connection[Any], change: str
) -> None:
    table = api.table(turn_seconds=3600)
    owner, digest = table.people[0], token_digest(table.token(0))
    store = api.app.extensions["holmgang"].store
    with store.watch_player(owner.id, digest) as watch:
        with store.reading() as tables:
            (watch.seen,) = tables.turns_by_tokens([digest])
        look(api)
        assert not watch.wait(0), "nothing has changed"
        rows.execute(change.encode(), {"game": table.game, "digest": digest})
        look(api)
        assert watch.wait(0)


def test_a_token_for_one_seat_is_not_woken_for_its_player_s_other_games(api: Api) -> None:
    """Whatever else waits for the player, what the token sees is compared with what it has seen."""
    here = api.table()
    owner = here.people[0]
    other = api.call("POST", "/v1/games", token=owner.token, json={"ruleset": "claim", "seats": 2}, status=201)
    friend = api.register()
    api.call("POST", f"/v1/games/{other.get_json()['id']}/seats", token=friend.token, json={}, status=201)
    wanted = {"label": "bot", "scopes": ["read"], "game": here.game}
    bot = api.call("POST", "/v1/me/tokens", token=owner.token, json=wanted, status=201).get_json()["token"]
    store, digest = api.app.extensions["holmgang"].store, token_digest(bot)
    with store.watch_player(owner.id, digest) as watch:
        with store.reading() as tables:
            (watch.seen,) = tables.turns_by_tokens([digest])
            assert [str(turn.game) for turn in watch.seen[1]] == [here.game]
        look(api)
        assert not watch.wait(0)


def test_many_are_asked_as_one_is(api: Api, rows: psycopg.Connection[Any]) -> None:
    """Players, spectators, bad tokens, strangers to a private game and those who show its invitation, all at once."""
    public, private = api.table(), api.table(visibility="private", taken=1)
    invitation = token_digest(api.invite(private)["secret"])
    expired = api.register()
    rows.execute("UPDATE tokens SET expires_at = clock_timestamp() WHERE id = %s", [expired.token_id])
    tokens = [None, "hg_nothing", expired.token, *(each.token for each in (*public.people, *private.people))]
    digests = [None if token is None else token_digest(token) for token in tokens]
    games = (public.game, private.game, public.people[0].id)
    asked = [(digest, game, shown) for digest in digests for game in games for shown in (None, invitation)]
    with api.app.extensions["holmgang"].store.reading() as tables:
        assert tables.callers(asked) == [tables.caller(*one) for one in asked]
        assert {type(one) for one in tables.callers(asked)} == {GameCaller, TokenFault, type(None)}
        known = [digest for digest in digests if digest is not None]
        for digest, found in zip(known, tables.turns_by_tokens(known), strict=True):
            principal = tables.principal(digest)
            assert (found[0] if isinstance(found, tuple) else found) == principal
            if isinstance(found, tuple):
                assert found[1] == tables.waiting(principal.player, principal.game)


# The same over HTTP

PARTS = ("view", "turn", "turn?include=view", "events")


def held(api: Api, hands: ThreadPoolExecutor, path: str, token: str | None, **headers: str) -> Request:
    """A request that waits, with the tag of what there is now."""
    known = tag(api, path, token) if not headers else None
    wait = f"{path}{'&' if '?' in path else '?'}wait={LONG}"
    request = Request(api, hands, wait, token, **({"If_None_Match": known} if known else headers))
    assert request.held()
    return request


@pytest.mark.parametrize("part", PARTS)
def test_ones_own_replaced_choice_is_news(api: Api, hands: ThreadPoolExecutor, part: str) -> None:
    table = api.table()
    first = table.choice(0)
    receipt = table.submit(0, first, status=201).get_json()
    request = held(api, hands, f"{table.path}/{part}", table.token(0))
    body = {"turn": 1, "action": another_action(api, table, 0, first["action"]), "revision": 1}
    api.call("PUT", f"{table.path}/submissions/{receipt['id']}", token=table.token(0), json=body, status=200)
    look(api)
    assert request.status() == 200


@pytest.mark.parametrize("part", PARTS)
def test_anothers_choice_is_news(api: Api, hands: ThreadPoolExecutor, part: str) -> None:
    table = api.table()
    requests = [held(api, hands, f"{table.path}/{part}", token) for token in (table.token(0), None)]
    table.submit(1, status=201)
    look(api)
    assert [request.status() for request in requests] == [200, 200]


def _put_off(table: Table) -> None:
    """The deadline, as after an outage of the workers."""
    store = table.api.app.extensions["holmgang"].store
    with store.pool.connection() as connection:
        connection.execute(
            "INSERT INTO pulse (id, at) VALUES (1, clock_timestamp() - interval '1 minute')"
            " ON CONFLICT (id) DO UPDATE SET at = excluded.at"
        )
    with store.transaction() as tables:
        assert tables.beat(10.0, "deadline_put_off", 1000).outage


@pytest.mark.parametrize("part", [*PARTS, "me"])
def test_a_deadline_that_is_put_off_is_news(
    api: Api, hands: ThreadPoolExecutor, rows: psycopg.Connection[Any], part: str
) -> None:
    table = api.table(turn_seconds=3600)
    rows.execute("UPDATE games SET deadline = deadline - interval '30 minutes' WHERE id = %s", [table.game])
    request = held(api, hands, "/v1/me/turns" if part == "me" else f"{table.path}/{part}", table.token(0))
    _put_off(table)
    look(api)
    assert request.status() == 200


def test_a_turn_that_begins_and_one_that_ends_are_news_to_who_waits_for_turns(
    api: Api, hands: ThreadPoolExecutor
) -> None:
    table = api.table(taken=2)
    request = held(api, hands, "/v1/me/turns", table.token(0))
    api.call("POST", f"{table.path}/seats", token=table.token(2), json={}, status=201)
    look(api)
    assert len(request.answer.result(10).get_json()["items"]) == 1
    request = held(api, hands, "/v1/me/turns", table.token(0))
    table.submit(0, status=201)
    look(api)
    assert request.answer.result(10).get_json()["items"] == []


@pytest.mark.parametrize("part", ["turn", "events"])
def test_the_seat_is_news(api: Api, hands: ThreadPoolExecutor, part: str) -> None:
    table = api.table(taken=2)
    request = held(api, hands, f"{table.path}/{part}", table.token(1))
    api.call("DELETE", f"{table.path}/seats/1", token=table.token(1), status=204)
    look(api)
    assert request.status() == 200


@pytest.mark.parametrize("part", PARTS)
def test_the_end_and_the_archive_are_news(api: Api, hands: ThreadPoolExecutor, part: str) -> None:
    table = api.table(ruleset="claim", seats=2)
    request = held(api, hands, f"{table.path}/{part}", table.token(0))
    api.call("POST", f"{table.path}/resignations", token=table.token(1), json={}, status=201)
    look(api)
    assert request.status() == 200
    table = api.table()
    request = held(api, hands, f"{table.path}/{part}", table.token(0))
    put_away(table)
    look(api)
    assert request.status() == 200


def _revoked(api: Api, table: Table) -> str:
    wanted = {"label": "t", "scopes": ["read", "play"]}
    made = api.call("POST", "/v1/me/tokens", token=table.token(0), json=wanted, status=201).get_json()
    table.receipts.append(made)
    return str(made["token"])


@pytest.mark.parametrize("part", [*PARTS, "me"])
@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_a_token_that_is_no_longer_good_is_told(
    api: Api, hands: ThreadPoolExecutor, rows: psycopg.Connection[Any], part: str, end: str
) -> None:
    table = api.table()
    token = _revoked(api, table)
    ident = table.receipts[-1]["id"]
    request = held(api, hands, "/v1/me/turns" if part == "me" else f"{table.path}/{part}", token)
    if end == "revoked":
        api.call("DELETE", f"/v1/me/tokens/{ident}", token=table.token(0), status=204)
    else:
        rows.execute("UPDATE tokens SET expires_at = clock_timestamp() WHERE id = %s", [ident])
    look(api)
    assert request.status() == 401


@pytest.mark.parametrize("part", ["turn", "events"])
def test_an_invitation_that_is_revoked_is_told(api: Api, hands: ThreadPoolExecutor, part: str) -> None:
    table = api.table(visibility="private", taken=2)
    invitation = api.invite(table)
    shown = {"Holmgang_Invitation": invitation["secret"]}
    known = api.call("GET", f"{table.path}/{part}", status=200, **shown).headers["ETag"]
    request = held(api, hands, f"{table.path}/{part}", None, If_None_Match=known, **shown)
    api.call("DELETE", f"{table.path}/invitations/{invitation['id']}", token=table.token(0), status=204)
    look(api)
    assert request.status() == 404


def test_events_after_a_number_come(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table()
    last = api.get(f"{table.path}/events?limit=200")["items"][-1]["seq"]
    request = Request(api, hands, f"{table.path}/events?after={last}&wait={LONG}", None)
    assert request.held()
    table.submit(1, status=201)
    look(api)
    assert [each["seq"] for each in request.answer.result(10).get_json()["items"]] == [last + 1]


def _stream(api: Api, table: Table, token: str, hands: ThreadPoolExecutor) -> tuple[Iterator[bytes], Callable[[], Any]]:
    """A stream of which all that has happened is read, and what waits for its next chunk."""
    answer = api.app.test_client().get(
        f"{table.path}/events", headers={"Accept": "text/event-stream", "Authorization": f"Bearer {token}"}
    )
    chunks: Iterator[bytes] = iter(answer.response)  # type: ignore[arg-type]
    last = api.get(f"{table.path}/events?limit=200")["items"][-1]["seq"]
    while b"id: %d\n" % last not in next(chunks):
        pass
    before = api.app.extensions["holmgang"].store.wakeups.waiting()
    following = hands.submit(lambda: next(chunks, b"the end"))
    until(lambda: api.app.extensions["holmgang"].store.wakeups.waiting() > before)
    return chunks, lambda: following.result(10)


def test_a_stream_hears_what_happens(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table()
    _, following = _stream(api, table, table.token(0), hands)
    table.submit(1, status=201)
    look(api)
    assert b"choice_sealed" in following()


def test_a_stream_ends_with_its_token(api: Api, hands: ThreadPoolExecutor) -> None:
    table = api.table()
    _, following = _stream(api, table, _revoked(api, table), hands)
    ident = table.receipts[-1]["id"]
    api.call("DELETE", f"/v1/me/tokens/{ident}", token=table.token(0), status=204)
    look(api)
    assert following() == b"the end"
