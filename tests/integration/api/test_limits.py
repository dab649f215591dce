"""Rate limits: what a client may ask in ten seconds, and how it is told."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import Mock

import pytest

from holmgang.api.http import counting
from holmgang.config import Settings
from tests.storage import FakeStorage

from .calling import Api, Table, legal_action


@pytest.fixture
def strict(module_database: str) -> Iterator[Api]:
    api = Api(module_database, workers=2, rate_limit=12, rate_limit_polls=40, rate_limit_moves=8)
    yield api
    api.close()


def test_one_request_too_many_is_refused_with_the_time_to_wait(strict: Api) -> None:
    """Half of the budget, since there are two processes."""
    ragna = strict.register()
    left = [strict.call("GET", "/v1/me", token=ragna.token, status=200).headers["RateLimit"] for _ in range(6)]
    assert left[0].startswith('"requests";r=5;t=')
    assert left[5].startswith('"requests";r=0;t=')
    refused = strict.app.test_client().get("/v1/me", headers={"Authorization": f"Bearer {ragna.token}"})
    assert refused.status_code == 429
    assert refused.get_json()["code"] == "too_many_requests"
    assert refused.get_json()["retryable"]
    assert refused.headers["RateLimit-Policy"] == '"requests";q=6;w=10'
    assert 1 <= int(refused.headers["Retry-After"]) <= 10
    other = strict.app.test_client().get("/v1/rulesets")
    assert other.status_code == 200, "another caller has a budget of its own"


def test_retry_after_is_exact(strict: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    ragna = strict.register()
    client = strict.app.test_client()
    headers = {"Authorization": f"Bearer {ragna.token}"}
    while (answer := client.get("/v1/me", headers=headers)).status_code == 200:
        pass
    seconds = int(answer.headers["Retry-After"])
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + seconds - 2)
    assert client.get("/v1/me", headers=headers).status_code == 429
    monkeypatch.setattr(time, "time", lambda: now() + seconds)
    assert client.get("/v1/me", headers=headers).status_code == 200


def play_politely(table: Table, seat: int) -> Counter[tuple[str, int]]:
    """Play a seat to the end by polls that wait and name what they have; what its requests were counted as, and their
    statuses."""
    client, met, tag = table.api.app.test_client(), Counter[tuple[str, int]](), '""'
    headers = {"Authorization": f"Bearer {table.token(seat)}"}
    while True:
        answer = client.get(f"{table.path}/turn?wait=20", headers={**headers, "If-None-Match": tag})
        met[answer.headers["RateLimit-Policy"], answer.status_code] += 1
        if answer.status_code not in (200, 304):
            return met
        tag = answer.headers["ETag"]
        turn = answer.get_json() if answer.status_code == 200 else {"status": "active", "yours": False}
        if turn["status"] == "over":
            return met
        if turn["yours"]:
            move = {"turn": turn["turn"], "action": legal_action(turn)}
            answer = client.post(f"{table.path}/submissions", headers=headers, json=move)
            met[answer.headers["RateLimit-Policy"], answer.status_code] += 1


@pytest.mark.parametrize("ruleset", ["eketorp", "drakkars"])
def test_a_bot_that_waits_meets_no_limit_in_a_whole_game(api: Api, ruleset: str) -> None:
    """With the budgets that a service has unless it is told otherwise, of which the process has its share."""
    share = {name: getattr(Settings(), name) // Settings().workers for name in ("rate_limit_polls", "rate_limit_moves")}
    polls, moves = f'"polls";q={share["rate_limit_polls"]};w=10', f'"moves";q={share["rate_limit_moves"]};w=10'
    table = api.table(3, ruleset=ruleset)
    with ThreadPoolExecutor(3) as hands:
        met = list(hands.map(lambda seat: play_politely(table, seat), range(3)))
    game = api.get(table.path)
    assert game["status"] == "over"
    for each in met:
        assert set(each) <= {(polls, 200), (polls, 304), (moves, 201)}
        assert each[moves, 201] > 10
        assert each.total() <= 2 * game["version"] + 1, "no more than there was to hear"


def test_a_client_that_hammers_is_stopped_until_the_time_it_is_told(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same budgets: the time stands still but for what Retry-After says."""
    table = api.table()
    client = api.app.test_client()
    headers = {"Authorization": f"Bearer {table.token(0)}"}
    at = start = time.time() + 10  # what was asked before does not count any more
    monkeypatch.setattr(time, "time", lambda: at)
    share = Settings().rate_limit // Settings().workers
    statuses = Counter[int]()
    for n in range(share + 50):
        at = start + n / share * 6.5
        answer = client.get(f"{table.path}/turn", headers=headers)
        statuses[answer.status_code] += 1
    assert statuses == {200: share, 429: 50}
    seconds = int(answer.headers["Retry-After"])
    assert answer.get_json()["retryable"]
    polled = client.get(f"{table.path}/turn", headers={**headers, "If-None-Match": "*"})
    assert polled.status_code == 304, "to listen is still allowed"
    stopped = at
    at = stopped + seconds - 1
    assert client.get(f"{table.path}/turn", headers=headers).status_code == 429, "not a whole second earlier"
    at = stopped + seconds
    assert client.get(f"{table.path}/turn", headers=headers).status_code == 200


def test_polls_and_moves_have_budgets_of_their_own(strict: Api, api: Api) -> None:
    table = api.table()
    client = strict.app.test_client()
    headers = {"Authorization": f"Bearer {table.token(0)}"}
    known = api.call("GET", f"{table.path}/turn", token=table.token(0)).headers["ETag"]
    polls = [client.get(f"{table.path}/turn", headers={**headers, "If-None-Match": known}) for _ in range(21)]
    assert [answer.status_code for answer in polls] == [304] * 20 + [429]
    moves = [
        client.post(f"{table.path}/submissions", headers=headers, json={"turn": 9, "action": None}) for _ in range(5)
    ]
    assert [answer.status_code for answer in moves] == [409] * 4 + [429], "refused moves count there as well"
    assert client.get("/v1/me", headers=headers).status_code == 200


NAMING = [{"If-None-Match": '"junk"'}, {"Prefer": "wait=1"}, {"If-None-Match": "*", "Prefer": "wait=1"}]


@pytest.mark.parametrize("headers", [*NAMING, {"Prefer": "x"}])
@pytest.mark.parametrize("part", ["", "/board.svg", "/record", "/seats"])
def test_who_only_reads_has_no_budget_of_polls(strict: Api, part: str, headers: dict[str, str]) -> None:
    """Whatever they name: the larger budget is for what can be waited for, also where nothing is found."""
    path = strict.table().path
    for address in (f"{path}{part}", "/v1/rulesets", "/v1/leaderboards/claim", "/nowhere?wait=1"):
        told = strict.client.get(address, headers=headers).headers["RateLimit-Policy"]
        assert told == '"requests";q=6;w=10', address


@pytest.mark.parametrize("part", ["{game}/view", "{game}/turn", "{game}/turn?include=view", "{game}/events", "turns"])
def test_polls_are_counted_alike_before_the_application_and_in_it(strict: Api, api: Api, part: str) -> None:
    """Those with `Prefer`, or a tag that is not the one, go on to it."""
    table = api.table()
    path = "/v1/me/turns" if part == "turns" else part.format(game=table.path)
    headers = {"Authorization": f"Bearer {table.token(0)}"}
    known = api.call("GET", path, token=table.token(0), status=200).headers["ETag"]
    client, polls = strict.app.test_client(), []
    for more in ({"If-None-Match": known}, {"If-None-Match": '"junk"'}, {"If-None-Match": known, "Prefer": "x"}):
        polls += [client.get(path, headers={**headers, **more}), client.head(path, headers={**headers, **more})]
    assert [answer.status_code for answer in polls] == [304, 304, 200, 200, 304, 304]
    left = [answer.headers["RateLimit"].split(";t=")[0] for answer in polls]
    assert left == [f'"polls";r={n}' for n in range(19, 13, -1)]
    for plain in ({}, {"Prefer": "x"}, {"Prefer": "respond-async"}):
        assert client.get(path, headers={**headers, **plain}).headers["RateLimit"].startswith('"requests";')


def test_all_of_an_address_have_a_budget_together(strict: Api) -> None:
    """Twenty times that of one, so that changing tokens does not help."""
    client = strict.app.test_client()
    statuses = [
        client.get("/v1/me", headers={"Authorization": f"Bearer no-such-token-{n}"}).status_code for n in range(121)
    ]
    assert statuses == [401] * 120 + [429]


def test_who_watches_over_the_service_is_not_limited(strict: Api) -> None:
    client = strict.app.test_client()
    assert {client.get("/healthz").status_code for _ in range(30)} == {200}
    odd = client.get("/", environ_overrides={"PATH_INFO": "//healthz"})  # as some monitors write it
    assert (odd.status_code, "RateLimit" in odd.headers) == (200, False)


def test_proxies_are_believed_only_if_trusted(module_database: str) -> None:
    for trusted, refused in ((0, 1), (1, 0)):
        api = Api(module_database, workers=1, rate_limit=3, trusted_proxies=trusted)
        client = api.app.test_client()
        answers = [client.get("/v1/rulesets", headers={"X-Forwarded-For": f"10.0.0.{n}"}) for n in range(4)]
        assert [answer.status_code for answer in answers].count(429) == refused
        api.close()


def test_an_address_registers_few(module_database: str) -> None:
    """However many tokens it has, and by its network where that has more addresses than anybody can count."""
    api = Api(module_database, workers=2, rate_limit_registrations=8, trusted_proxies=1)
    try:
        client = api.app.test_client()

        def register(address: str, **headers: str) -> tuple[int, str]:
            more = {"X-Forwarded-For": address, **headers}
            answer = client.post("/v1/players", json={"name": "x"}, headers=more)
            return answer.status_code, answer.headers["RateLimit-Policy"]

        token = api.register().token
        policy = '"registrations";q=4;w=600'
        for n in range(4):
            answer = register("192.0.2.1", Authorization=f"Bearer {token}") if n % 2 else register("192.0.2.1")
            assert answer == (201, policy)
        refused = client.post("/v1/players", json={"name": "x"}, headers={"X-Forwarded-For": "192.0.2.1"})
        assert refused.status_code == 429
        assert 590 < int(refused.headers["Retry-After"]) <= 600
        assert register("192.0.2.1", Authorization=f"Bearer {token}")[0] == 429
        assert client.get("/v1/rulesets", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 200
        assert register("::ffff:192.0.2.1")[0] == 429, "the same address"
        networks = [f"2001:db8:0:1:{n:x}::1" for n in range(5)]
        assert [register(one)[0] for one in networks] == [201] * 4 + [429]
        assert register("2001:db8:0:2::1")[0] == 201
        assert register("what a proxy calls it:1")[0] == 201
    finally:
        api.close()


def test_messages_to_a_host_of_ones_choice_are_few(module_database: str) -> None:
    api = Api(module_database, workers=20)
    try:
        ragna, client = api.register(), api.app.test_client()
        headers = {"Authorization": f"Bearer {ragna.token}"}
        hook = client.post("/v1/webhooks", json={"url": "https://example.org/"}, headers=headers).get_json()["id"]
        made = [client.post(f"/v1/webhooks/{hook}/test", json={}, headers=headers) for _ in range(2)]
        replay = f"/v1/webhooks/{hook}/deliveries/{made[0].get_json()['id']}/replay"
        answers = [*made, *(client.post(replay, json={}, headers=headers) for _ in range(2))]
        assert [answer.status_code for answer in answers] == [202, 202, 202, 429]
        assert answers[3].headers["RateLimit-Policy"] == '"messages";q=3;w=60'
        assert "messages to webhooks" in answers[3].get_json()["detail"]
        assert client.get("/v1/me", headers=headers).status_code == 200
    finally:
        api.close()


def test_requests_pass_uncounted_while_their_store_fails(module_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store, opened = FakeStorage(ConnectionError()), Mock()
    monkeypatch.setattr(counting, "storage_from_string", opened)
    opened.return_value = store
    monkeypatch.setattr(counting, "PAUSE_S", 0)
    few: dict[str, Any] = dict.fromkeys(
        ("rate_limit", "rate_limit_polls", "rate_limit_moves", "rate_limit_registrations"), 1
    )
    api = Api(module_database, rate_limit_store="redis://host", **few)
    try:
        opened.assert_called_once_with("redis://host", socket_timeout=0.25, socket_connect_timeout=0.25)
        table = api.table()  # which takes more than one request of each kind
        tag = api.call("GET", f"{table.path}/turn", token=table.token(0), status=200).headers["ETag"]
        for _ in range(2):
            polled = api.call("GET", f"{table.path}/turn", token=table.token(0), If_None_Match=tag, status=304)
            assert "RateLimit" not in polled.headers
        table.submit(0, status=201)
        answers = [api.client.get("/v1/rulesets") for _ in range(2)]
        assert [(answer.status_code, "RateLimit" in answer.headers) for answer in answers] == [(200, False)] * 2
        store.fault = None
        answers = [api.client.get("/v1/rulesets") for _ in range(2)]
        assert [(answer.status_code, "RateLimit" in answer.headers) for answer in answers] == [(200, True), (429, True)]
    finally:
        api.close()
