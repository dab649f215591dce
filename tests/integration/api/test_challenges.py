"""Challenges over HTTP: made, answered, withdrawn, expired; who may know of them, and who hears of what."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest

from holmgang.app.meeting import challenges as use_cases
from holmgang.store.database import PostgresStore
from holmgang.worker.loop import Worker

from .calling import Api, Person

CLAIM: dict[str, Any] = {"ruleset": "claim", "turn_seconds": 600}


def store(api: Api) -> PostgresStore:
    found: PostgresStore = api.app.extensions["holmgang"].store
    return found


def ask(api: Api, by: Person, *to: Person, **more: Any) -> Any:
    body = {**CLAIM, "players": [one.id for one in to], **more}
    return api.call("POST", "/v1/challenges", token=by.token, json=body, status=201).get_json()


def read(api: Api, who: Person, challenge: Any) -> Any:
    return api.get(f"/v1/challenges/{challenge['id']}", who.token)


def answer(api: Api, who: Person, challenge: Any, *, accepts: bool = True, status: int = 200, **more: Any) -> Any:
    path = f"/v1/challenges/{challenge['id']}/answer"
    body = {"accepts": accepts, **more}
    return api.call("PUT", path, token=who.token, json=body, status=status).get_json()


def block(api: Api, who: Person, other: Person) -> None:
    api.call("PUT", f"/v1/me/blocks/{other.id}", token=who.token, json={}, status=200)


def mine(api: Api, who: Person, query: str = "") -> list[str]:
    return [one["id"] for one in api.get(f"/v1/me/challenges{query}", who.token)["items"]]


def revision(api: Api, ident: str) -> int:
    with store(api).reading() as tables:
        return tables.revision(UUID(ident))


def let_it_end(api: Api, challenge: Any) -> None:
    with store(api).pool.connection() as connection:
        connection.execute("UPDATE challenges SET expires_at = clock_timestamp() WHERE id = %s", [challenge["id"]])
    with store(api).transaction() as tables:
        use_cases.expire(tables)


def test_a_challenge_that_is_accepted_is_a_game(api: Api) -> None:
    me, other = api.register("Ragna"), api.register("Sigrid")
    made = ask(api, me, other, seat=1)
    assert (made["status"], made["game"], made["challenger"], made["name"]) == ("pending", None, me.id, "Ragna")
    assert made["terms"]["clock"] == "waits"
    assert made["terms"]["options"], "all of them, as the game has them"
    assert made == read(api, other, made)
    accepted = answer(api, other, made)
    game = api.get(f"/v1/games/{accepted['game']}", me.token)
    assert (accepted["status"], game["status"]) == ("accepted", "active")
    assert [seat["player"] for seat in game["seats"]] == [other.id, me.id]
    assert (game["turn_seconds"], game["options"]) == (600, made["terms"]["options"])
    assert answer(api, other, made) == accepted == read(api, me, made), "again is the same"
    assert any(turn["game"] == game["id"] for turn in api.get("/v1/me/turns", awaited(game, me, other))["items"])


def awaited(game: Any, *people: Person) -> str:
    """The token of one who is."""
    asked = {game["seats"][seat]["player"] for seat in game["awaited"]}
    return next(person.token for person in people if person.id in asked)


def test_all_have_to_accept_and_one_declines_for_all(api: Api) -> None:
    me, one, two = (api.register() for _ in range(3))
    made = ask(api, me, one, two)
    half = answer(api, one, made)
    assert half["status"] == "pending"
    assert [each["answer"] for each in half["players"]] == ["accepted", None]
    assert answer(api, two, made)["status"] == "accepted"
    other = ask(api, me, one, two)
    answer(api, one, other)
    ended = answer(api, two, other, accepts=False, reason="too_fast")
    assert ended["status"] == "declined"
    assert [(each["answer"], each["reason"]) for each in ended["players"]] == [
        ("accepted", None),
        ("declined", "too_fast"),
    ]
    assert ended["ended_at"] is not None
    told = api.problem(
        "PUT", f"/v1/challenges/{other['id']}/answer", 409, "challenge_over", token=one.token, json={"accepts": False}
    )
    assert (told["challenge_status"], told["game"]) == ("declined", None)


def test_an_acceptance_is_taken_back_or_declined_while_others_wait(api: Api) -> None:
    me, one, two = (api.register() for _ in range(3))
    made = ask(api, me, one, two)
    path = f"/v1/challenges/{made['id']}/answer"
    answer(api, one, made)
    for _ in range(2):
        api.call("DELETE", path, token=one.token, status=204)
    assert [each["answer"] for each in read(api, me, made)["players"]] == [None, None]
    answer(api, two, made)
    assert answer(api, two, made, accepts=False)["status"] == "declined"
    api.problem("DELETE", path, 409, "challenge_over", token=two.token)


def test_a_challenge_is_withdrawn_by_who_made_it(api: Api) -> None:
    me, other, stranger = (api.register() for _ in range(3))
    made = ask(api, me, other)
    path = f"/v1/challenges/{made['id']}"
    api.problem("DELETE", path, 403, "not_yours", token=other.token)
    api.problem("DELETE", path, 404, "not_found", token=stranger.token)
    for _ in range(2):
        api.call("DELETE", path, token=me.token, status=204)
    assert read(api, other, made)["status"] == "withdrawn"
    told = api.problem("PUT", f"{path}/answer", 409, "challenge_over", token=other.token, json={"accepts": True})
    assert told["challenge_status"] == "withdrawn"
    game = answer(api, other, again := ask(api, me, other))["game"]
    told = api.problem("DELETE", f"/v1/challenges/{again['id']}", 409, "challenge_over", token=me.token)
    assert told["game"] == game


def test_a_challenge_ends_with_its_time(api: Api) -> None:
    me, other = api.register(), api.register()
    made = ask(api, me, other)
    with store(api).pool.connection() as connection:
        connection.execute("UPDATE challenges SET expires_at = clock_timestamp() WHERE id = %s", [made["id"]])
    path = f"/v1/challenges/{made['id']}/answer"
    told = api.problem("PUT", path, 409, "challenge_over", token=other.token, json={"accepts": True})
    assert told["challenge_status"] == "expired", "also before the worker has seen to it"
    before = revision(api, made["id"])
    Worker(store(api)).work()
    assert revision(api, made["id"]) > before
    assert read(api, me, made)["status"] == read(api, other, made)["status"] == "expired"
    with store(api).pool.connection() as connection:
        connection.execute(
            "UPDATE challenges SET ended_at = clock_timestamp() - interval '31 days' WHERE id = %s", [made["id"]]
        )
    Worker(store(api)).work()
    api.problem("GET", f"/v1/challenges/{made['id']}", 404, "not_found", token=me.token)


def test_two_who_challenge_each_other_at_once_do_not_wait_for_each_other(api: Api) -> None:
    one, other = api.register(), api.register()
    together = Barrier(4)

    def challenge(me: Person, you: Person) -> list[int]:
        together.wait(20)
        body, headers = {**CLAIM, "players": [you.id]}, {"Authorization": f"Bearer {me.token}"}
        call = partial(api.app.test_client().post, "/v1/challenges", headers=headers, json=body)
        return [call().status_code for _ in range(5)]

    with ThreadPoolExecutor(4) as hands:
        made = list(hands.map(challenge, (one, other, one, other), (other, one, other, one)))
    assert made == [[201] * 5] * 4


def test_only_those_concerned_know_of_it(api: Api) -> None:
    me, other, stranger = (api.register() for _ in range(3))
    path = f"/v1/challenges/{ask(api, me, other)['id']}"
    nowhere = api.problem("GET", f"/v1/challenges/{uuid4()}", 404, "not_found", token=stranger.token)
    calls: tuple[tuple[str, str, Any], ...] = (
        ("GET", path, None),
        ("GET", f"{path}?wait=1", None),
        ("DELETE", path, None),
        ("PUT", f"{path}/answer", {"accepts": True}),
        ("DELETE", f"{path}/answer", None),
    )
    for method, address, body in calls:
        told = api.problem(method, address, 404, "not_found", token=stranger.token, json=body, If_None_Match='W/"1"')
        assert set(told) == set(nowhere)
    api.problem("PUT", f"{path}/answer", 403, "not_yours", token=me.token, json={"accepts": True})
    assert mine(api, stranger) == []


def test_what_makes_no_sense_is_refused(api: Api) -> None:
    me, other = api.register(), api.register()

    def refused(pointer: str, **more: Any) -> None:
        body = {**CLAIM, "players": [other.id], **more}
        told = api.problem("POST", "/v1/challenges", 422, "invalid_field", token=me.token, json=body)
        assert [error["pointer"] for error in told["errors"]] == [pointer]

    refused("/players/1", players=[other.id, me.id])
    refused("/players/1", players=[other.id, other.id])
    refused("/players/0", players=[str(uuid4())])
    refused("/players", players=[other.id] + [str(uuid4()) for _ in range(20)])
    refused("/seat", seat=2)
    refused("/ruleset", ruleset="chess")
    refused("/turn_seconds", rated=True, turn_seconds=None)
    block(api, me, other)
    refused("/players/0")
    api.call("DELETE", f"/v1/me/blocks/{other.id}", token=me.token, status=204)
    made = ask(api, me, other)
    path = f"/v1/challenges/{made['id']}/answer"
    body = {"accepts": True, "reason": "later"}
    told = api.problem("PUT", path, 422, "invalid_field", token=other.token, json=body)
    assert told["errors"][0]["pointer"] == "/reason"


def test_players_are_named_by_id_or_by_a_name_that_only_they_have(api: Api) -> None:
    me, other = api.register(), api.register("Þórdís")
    body = {**CLAIM, "players": ["þórdís"]}
    made = api.call("POST", "/v1/challenges", token=me.token, json=body, status=201).get_json()
    assert [one["player"] for one in made["players"]] == [other.id]
    same = api.register("Þórdís")
    told = api.problem("POST", "/v1/challenges", 409, "ambiguous_name", token=me.token, json=body)
    assert (told["players"], told["name"]) == ([other.id, same.id], "þórdís")
    api.register("þórdís")
    made = api.call("POST", "/v1/challenges", token=me.token, json=body, status=201).get_json()
    assert made["players"][0]["name"] == "þórdís", "who has just this one comes first"
    told = api.problem(
        "POST", "/v1/challenges", 422, "invalid_field", token=me.token, json={**body, "players": ["Þór"]}
    )
    assert told["errors"][0]["pointer"] == "/players/0"


def test_built_in_bots_accept_at_once(api: Api) -> None:
    me, other = api.register(), api.register()
    with store(api).transaction() as tables:
        bot = Person(str(tables.bot_player("greedy", uuid4())), "", "")
    alone = ask(api, me, bot, bot, seat=2)
    game = api.get(f"/v1/games/{alone['game']}", me.token)
    assert [seat["bot"] for seat in game["seats"]] == ["greedy", "greedy", None]
    pending = ask(api, me, bot, other)
    assert [one["answer"] for one in pending["players"]] == ["accepted", None]
    assert answer(api, other, pending)["status"] == "accepted"
    with store(api).transaction() as tables:
        alike = Person(str(tables.bot_player("simple", uuid4())), "", "")
    body = {**CLAIM, "players": [alike.id]}
    told = api.problem("POST", "/v1/challenges", 422, "invalid_field", token=me.token, json=body)
    assert told["errors"][0]["pointer"] == "/players/0"


def test_seats_are_drawn_unless_one_is_named(api: Api) -> None:
    me, other = api.register(), api.register()
    first = set()
    for _ in range(30):  # the same thirty times: once in a thousand million
        made = ask(api, me, other)
        game = api.get(f"/v1/games/{answer(api, other, made)['game']}", me.token)
        first.add(game["seats"][0]["player"])
        if len(first) == 2:
            break
    assert first == {me.id, other.id}


def test_lists_are_by_direction_and_status_in_pages(api: Api) -> None:
    me, other = api.register(), api.register()
    one, two, three = ask(api, me, other), ask(api, other, me), ask(api, me, other)
    answer(api, other, three, accepts=False)
    ids = [each["id"] for each in (three, two, one)]
    assert mine(api, me) == mine(api, other) == ids
    assert mine(api, me, "?direction=outgoing") == mine(api, other, "?direction=incoming") == [three["id"], one["id"]]
    assert mine(api, me, "?direction=incoming") == [two["id"]]
    assert mine(api, me, "?status=pending") == ids[1:]
    page = api.get("/v1/me/challenges?limit=2", me.token)
    assert [each["id"] for each in page["items"]] == ids[:2]
    assert mine(api, me, page["next"].partition("challenges")[2]) == ids[2:]


def test_a_player_has_so_many_pending_at_a_time(module_database: str) -> None:
    api = Api(module_database, challenges_per_player=2)
    try:
        me, other = api.register(), api.register()
        first, _ = ask(api, me, other), ask(api, me, other)
        body = {**CLAIM, "players": [other.id]}
        told = api.problem("POST", "/v1/challenges", 409, "limit_reached", token=me.token, json=body)
        assert (told["what"], told["limit"]) == ("challenges", 2)
        ask(api, other, me)
        answer(api, other, first)
        ask(api, me, other)
    finally:
        api.close()


def test_games_against_bots_count_for_who_asked_for_them(module_database: str) -> None:
    """By a challenge and by a rematch, wherever the bot sits."""
    api = Api(module_database, games_per_player=2, empty_games_per_player=3)
    try:
        me = api.register()
        with store(api).transaction() as tables:
            bot = Person(str(tables.bot_player("greedy", uuid4())), "", "")
        first, second = (ask(api, me, bot, seat=seat)["game"] for seat in (0, 1))
        body = {**CLAIM, "players": [bot.id]}
        told = api.problem("POST", "/v1/challenges", 409, "limit_reached", token=me.token, json=body)
        assert (told["what"], told["limit"]) == ("games", 2)

        def play_again(game: str) -> str:
            api.call("POST", f"/v1/games/{game}/resignations", token=me.token, json={}, status=201)
            path = f"/v1/games/{game}/rematch"
            return str(api.call("PUT", path, token=me.token, json={}, status=200).get_json()["next"])

        third = play_again(play_again(first))
        for game in (second, third):
            api.call("POST", f"/v1/games/{game}/resignations", token=me.token, json={}, status=201)
        told = api.problem("PUT", f"/v1/games/{third}/rematch", 409, "limit_reached", token=me.token, json={})
        assert (told["what"], told["limit"]) == ("empty_games", 3)
    finally:
        api.close()


def test_a_challenge_outlives_its_token(api: Api) -> None:
    me, other = api.register(), api.register()
    token = api.call(
        "POST", "/v1/me/tokens", token=me.token, json={"label": "bot", "scopes": ["play"]}, status=201
    ).get_json()
    made = ask(api, Person(me.id, token["token"], token["id"]), other)
    api.call("DELETE", f"/v1/me/tokens/{token['id']}", token=me.token, status=204)
    assert answer(api, other, made)["status"] == "accepted"


def test_who_leaves_withdraws_and_declines(api: Api) -> None:
    me, other, third = (api.register() for _ in range(3))
    asked, was_asked, ended = ask(api, me, other), ask(api, third, me), ask(api, me, other)
    block(api, me, other)
    kept = ask(api, other, me)
    with store(api).transaction() as tables:
        use_cases.leave(tables, UUID(me.id))
    assert read(api, other, asked)["status"] == read(api, other, ended)["status"] == "withdrawn"
    assert read(api, third, was_asked)["status"] == read(api, other, kept)["status"] == "declined"


BETWEEN = re.compile("SELECT$|LISTEN|SELECT pg_notify")
"""Statements by which connections are tried and news spread, now and then, for all that has happened."""


class Watching:
    """What a challenger can notice of a challenge: all answers, but for ids and times."""

    def __init__(self, api: Api, me: Person, other: Person) -> None:
        self.api, self.me, self.other = api, me, other
        self.names = {me.id: "me", other.id: "other"}
        self.challenge: Any = None
        self.seen: list[Any] = []
        self.asked: list[str] = []
        """The statements to the database, which take the time of answers."""

    def note(self, answer: Any) -> Any:
        body = answer.get_json()
        headers = {
            name: self.hidden(value)
            for name, value in answer.headers.items()
            if name not in ("X-Request-ID", "RateLimit", "ETag", "Content-Length", "Date")
        }
        self.seen.append((answer.status_code, headers, self.hidden(body), tuple(self.asked)))
        return body

    def hidden(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {
                name: "at" if name.endswith("_at") and member else self.hidden(member)
                for name, member in value.items()
                if name != "request_id"
            }
        if isinstance(value, list):
            return [self.hidden(member) for member in value]
        if isinstance(value, str):
            for ident, name in {**self.names, (self.challenge or {}).get("id", "-"): "it"}.items():
                value = value.replace(ident, name)
        return value

    def send(self, method: str, path: str, **more: Any) -> Any:
        self.asked.clear()
        return self.api.call(method, path, token=self.me.token, **more)

    def call(self, method: str, path: str, **more: Any) -> Any:
        return self.note(self.send(method, path, **more))

    def changes(self) -> tuple[int, ...]:
        """How often what is waited for has changed since the last time: the tags of answers tell it."""
        now = [revision(self.api, ident) for ident in (self.challenge["id"], self.me.id)]
        before, self.before = getattr(self, "before", now), now
        return tuple(a - b for a, b in zip(now, before, strict=True))

    def ask(self) -> None:
        self.challenge = {}
        body = {**CLAIM, "players": [self.other.id]}
        answer = self.send("POST", "/v1/challenges", json=body)
        self.challenge = answer.get_json()
        self.note(answer)
        self.look()

    def look(self) -> None:
        path = f"/v1/challenges/{self.challenge['id']}"
        for address in (path, "/v1/me/challenges", "/v1/me/challenges?direction=outgoing&status=pending"):
            first = self.send("GET", address)
            self.note(first)
            self.call("GET", address, If_None_Match=first.headers["ETag"])
            self.call("GET", f"{address}{'&' if '?' in address else '?'}wait=1", If_None_Match='W/"0"')
        self.call("PUT", f"{path}/answer", json={"accepts": True})
        self.call("GET", f"/v1/players/{self.other.id}")
        self.seen.append(self.changes())


@pytest.mark.parametrize("ending", ["expires", "is withdrawn"])
@pytest.mark.parametrize("blocked", ["before", "meanwhile"])
def test_nobody_can_tell_that_they_are_blocked(
    api: Api, ending: str, blocked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two challenge somebody who does not answer: one of them is blocked. Both see the same, down to what they would
    hear of while they wait, and to the statements that it takes to answer them."""
    other = api.register("Torsten")
    one, two = (Watching(api, api.register("Ragna"), other) for _ in range(2))
    asked, execute = list[str](), psycopg.Cursor.execute

    def noted(cursor: Any, query: Any, *arguments: Any, **more: Any) -> Any:
        if not BETWEEN.match(text := str(query)):
            asked.append(text)
        return execute(cursor, query, *arguments, **more)

    monkeypatch.setattr(psycopg.Cursor, "execute", noted)
    one.asked = two.asked = asked
    if blocked == "before":
        block(api, other, two.me)
    one.ask()
    two.ask()
    if blocked == "meanwhile":
        block(api, other, two.me)
    one.look()
    two.look()
    assert mine(api, other) == [one.challenge["id"]]
    api.problem("GET", f"/v1/challenges/{two.challenge['id']}", 404, "not_found", token=other.token)
    told = api.problem(
        "PUT",
        f"/v1/challenges/{two.challenge['id']}/answer",
        404,
        "not_found",
        token=other.token,
        json={"accepts": True},
    )
    assert told["detail"] == f"There is no challenge '{two.challenge['id']}'."
    for each in (one, two):
        if ending == "expires":
            let_it_end(api, each.challenge)
        else:
            each.call("DELETE", f"/v1/challenges/{each.challenge['id']}", status=204)
        each.look()
        assert read(api, each.me, each.challenge)["status"] == ("expired" if ending == "expires" else "withdrawn")
    assert one.seen == two.seen
    assert len(one.seen) > 30


def test_who_blocks_hears_nothing_of_it(api: Api) -> None:
    me, other = api.register(), api.register()
    block(api, other, me)
    before = revision(api, other.id)
    made = ask(api, me, other)
    let_it_end(api, made)
    assert revision(api, other.id) == before
    api.call("DELETE", f"/v1/me/blocks/{me.id}", token=other.token, status=204)
    assert mine(api, other) == [], "what was kept from them stays so"
    assert mine(api, other, "?direction=incoming") == []


def test_a_block_withdraws_and_takes_back(api: Api) -> None:
    me, other, third = (api.register() for _ in range(3))
    by_me, by_other = ask(api, me, other), ask(api, other, me, third)
    answer(api, me, by_other)
    assert [one["answer"] for one in read(api, other, by_other)["players"]] == ["accepted", None]
    before = revision(api, by_other["id"])
    block(api, me, other)
    assert read(api, other, by_me)["status"] == "withdrawn"
    assert [one["answer"] for one in read(api, other, by_other)["players"]] == [None, None]
    assert revision(api, by_other["id"]) > before, "as when an acceptance is taken back"
    assert answer(api, third, by_other)["status"] == "pending"


def test_webhooks_tell_who_is_challenged(inside: Api) -> None:
    me, other, third = (inside.register() for _ in range(3))
    hooks = {}
    for person in (me, other, third):
        body = {"url": "http://127.0.0.1:9/hook", "events": ["challenge.received"]}
        hooks[person.id] = inside.call("POST", "/v1/webhooks", token=person.token, json=body, status=201).get_json()[
            "id"
        ]
    block(inside, third, me)
    made = ask(inside, me, other, third)
    with store(inside).pool.connection() as connection:
        found = connection.execute(
            "SELECT webhook_id::text, body FROM deliveries WHERE type = 'challenge.received'"
        ).fetchall()
    ((hook, body),) = found
    told = msgspec.json.decode(body)
    assert (hook, told["data"]) == (hooks[other.id], {"challenge": made["id"]})
    assert told["timestamp"][:19] == made["created_at"][:19]
