"""What one caller may do to others: expensive calls count as what they cost, and callers take turns."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from holmgang.api.http import admission, pacing
from holmgang.api.http import limits as limiting
from holmgang.api.http.admission import UNBOUNDED, Admission
from holmgang.api.http.callers import UNKNOWN
from holmgang.api.http.edge import Edge
from holmgang.api.operation.declaration import OPERATIONS
from holmgang.api.problems.faults import TooManyRequests
from holmgang.app import pauses
from holmgang.app.pauses import with_pauses
from tests.waiting import wait_until

from .calling import Api, Person, Table, legal_action


class Clock:
    """Time that passes only where somebody waits."""

    now = 1_000_000.0

    def __init__(self) -> None:
        self.waits: list[float] = []

    def time(self) -> float:
        return self.now

    monotonic = perf_counter = time

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in (limiting, pacing):
        monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def fresh(module_database: str) -> Iterator[Api]:
    """A process that has counted nothing, with the budgets that there are unless one says otherwise."""
    api = Api(module_database, workers=1)
    yield api
    api.close()


def left(answer: object) -> tuple[str, int]:
    """The budget that a request counted for, and what is left of it."""
    found = re.fullmatch(r'"(\w+)";r=(\d+);t=\d+', answer.headers["RateLimit"])  # type: ignore[attr-defined]
    assert found
    return found[1], int(found[2])


def dear_calls(over: Table) -> dict[str, tuple[str, str]]:
    """Operations that count as more than one, each with a call of it."""
    return {
        "getView": ("GET", f"{over.path}/view?at=80"),
        "getBoardPicture": ("GET", f"{over.path}/board.svg"),
        "getRecord": ("GET", f"{over.path}/record"),
    }


@pytest.mark.parametrize("name", ["getView", "getBoardPicture", "getRecord"])
def test_dear_calls_count_as_what_they_cost(fresh: Api, finished: Table, clock: Clock, name: str) -> None:
    method, path = dear_calls(finished)[name]
    token = finished.token(0)
    fresh.call("GET", "/v1/me", token=token)
    budget, before = left(fresh.call("GET", "/v1/me", token=token))
    answer = fresh.call(method, path, token=token, status=200)
    cost = OPERATIONS[name].cost.of(path.partition("?")[2])
    assert cost > 2
    assert left(answer) == (budget, before - cost)


@pytest.mark.parametrize("disguise", [{}, {"If_None_Match": '"x"'}, {"Prefer": "wait=30"}])
@pytest.mark.parametrize("query", ["at=80", "%61t=80", "at=80&wait=30"])
def test_the_past_is_no_poll_however_it_is_asked_for(
    fresh: Api, finished: Table, clock: Clock, query: str, disguise: dict[str, Any]
) -> None:
    answer = fresh.call("GET", f"{finished.path}/view?{query}", token=finished.token(0), **disguise)
    assert left(answer)[0] == "requests"


@pytest.mark.parametrize("name", ["getView", "getBoardPicture", "getRecord"])
@pytest.mark.parametrize("who", ["token", "nobody", "made-up tokens", "many tokens"])
def test_whoever_asks_for_more_than_his_share_is_refused_with_the_time_to_wait(
    fresh: Api, finished: Table, clock: Clock, name: str, who: str
) -> None:
    """By the clock of the test: it stands still, as if the player asked on a thousand connections at once. They
    get what comes at once and what is due soon, and others notice nothing."""
    method, path = dear_calls(finished)[name]
    player, other = finished.people[0], fresh.register("other")
    tokens = more_tokens(fresh, player, 8) if who == "many tokens" else [player.token]
    if who == "many tokens":
        for token in tokens:
            fresh.call("GET", "/v1/me", token=token, status=200)
    statuses = Counter[int]()
    for n in range(400):
        sent = {"nobody": None, "made-up tokens": "made-up"}.get(who, tokens[n % len(tokens)])
        answer = fresh.client.open(path, method=method, headers={"Authorization": f"Bearer {sent}"} if sent else {})
        statuses[answer.status_code] += 1
    if who == "made-up tokens":  # for which nothing dear is done
        assert set(statuses) == {401}
        return
    cost = OPERATIONS[name].cost.of(path.partition("?")[2])
    share = 2000 // limiting.EXPENSIVE_SHARE
    most = limiting.EXPENSIVE_BURST + share / limiting.WINDOW_S * limiting.LONGEST_DELAY_S
    assert set(statuses) == {200, 429}
    assert most / cost - 1 <= statuses[200] <= most / cost + 1  # one before it is known whose the token is
    assert answer.headers["RateLimit-Policy"] == f'"dear";q={share};w=10'
    seconds = int(answer.headers["Retry-After"])
    assert limiting.LONGEST_DELAY_S < seconds < 10
    assert answer.get_json()["retryable"]
    clock.waits.clear()
    fresh.call(method, path, token=other.token, status=200)
    if who != "nobody":
        fresh.call("GET", "/v1/me", token=player.token, status=200)  # what is not dear is not refused
    assert not clock.waits
    clock.now += seconds
    again = None if who == "nobody" else player.token
    fresh.call(method, path, token=again, status=200)


def more_tokens(api: Api, player: Person, count: int) -> list[str]:
    made = [
        api.call(
            "POST", "/v1/me/tokens", token=player.token, json={"label": "x", "scopes": ["read", "play"]}, status=201
        )
        for _ in range(count)
    ]
    return [answer.get_json()["token"] for answer in made]


def test_more_tokens_give_a_player_no_more_of_anything(fresh: Api, clock: Clock) -> None:
    player = fresh.register()
    tokens = [player.token, *more_tokens(fresh, player, 3)]
    for token in tokens:
        fresh.call("GET", "/v1/me", token=token, status=200)
    found = [left(fresh.call("GET", "/v1/me", token=token))[1] for token in tokens]
    assert found == list(range(found[0], found[0] - 4, -1))


def test_tokens_that_nobody_has_met_yet_have_one_share_together(fresh: Api, clock: Clock) -> None:
    """They may all be one player's, and come all at once, before any has been found good."""
    limiter, statuses = edge(fresh).limiter, Counter[bool]()
    for n in range(200):
        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": "/",
            "QUERY_STRING": "at=80",
            "HTTP_AUTHORIZATION": f"Bearer token-{n}",
            "REMOTE_ADDR": "192.0.2.1",
        }
        try:
            limiter.charge(environ, "games.getView")
            statuses[True] += 1
        except TooManyRequests:
            statuses[False] += 1
    share = 2000 // limiting.EXPENSIVE_SHARE
    most = limiting.EXPENSIVE_BURST + share / limiting.WINDOW_S * limiting.LONGEST_DELAY_S
    assert statuses[True] == most // OPERATIONS["getView"].cost.of("at=80")


@pytest.mark.parametrize("part", ["view", "turn", "events", "record", "submissions", "resignations", "/v1/me/turns"])
def test_a_token_is_known_by_whatever_is_asked_first(fresh: Api, part: str) -> None:
    """Until then it is one of all that may be made up, which stand behind each other."""
    table = fresh.table()
    token = more_tokens(fresh, table.people[0], 1)[0]
    client, path = fresh.app.test_client(), part if part.startswith("/") else f"{table.path}/{part}"
    headers = {"Authorization": f"Bearer {token}"}
    environ = {"HTTP_AUTHORIZATION": headers["Authorization"]}
    assert edge(fresh).limiter.callers.identify(environ).who == UNKNOWN
    if part == "submissions":
        client.post(path, headers=headers, json={"turn": 9, "action": None})
    elif part == "resignations":
        client.post(path, headers=headers, json={})
    else:
        client.get(path, headers=headers)
    assert edge(fresh).limiter.callers.identify(environ).who == table.people[0].id.replace("-", "")


def test_a_request_that_waited_comes_back_as_its_players(fresh: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though their token was not known when they came: they do not wait behind all unknown tokens."""
    table, entered = fresh.table(), list[tuple[str, str]]()
    token = more_tokens(fresh, table.people[0], 1)[0]
    tag = fresh.call("GET", f"{table.path}/turn", token=table.token(0)).headers["ETag"]
    waiting = edge(fresh).admission
    acquire = waiting._acquire

    def enter(key: Any, urgent: bool) -> Any:
        entered.append(key)
        return acquire(key, urgent)

    monkeypatch.setattr(waiting, "_acquire", enter)
    fresh.call("GET", f"{table.path}/turn?wait=1", token=token, If_None_Match=tag, status=304)
    first, *again = (key for key in entered if key != UNBOUNDED)  # often where it is woken by what came before
    assert first == ("127.0.0.1", UNKNOWN)
    assert set(again) == {("127.0.0.1", table.people[0].id.replace("-", ""))}
    assert not waiting._held


@pytest.mark.parametrize("name", ["getView", "getBoardPicture"])
def test_what_turned_out_to_be_cheap_counts_as_one(fresh: Api, finished: Table, clock: Clock, name: str) -> None:
    method, path = dear_calls(finished)[name]
    token = finished.token(0)
    tag = fresh.call(method, path, token=token, status=200).headers["ETag"]
    _, before = left(fresh.call(method, path, token=token, If_None_Match=tag, status=304))
    after = left(fresh.call(method, path, token=token, If_None_Match=tag, status=304))[1]
    assert after == before - 1
    for wrong in (f"{finished.path}/view?at=9999", f"{finished.path}/view?at=x", "/v1/games?limit=x"):
        _, after = left(fresh.client.get(wrong, headers={"Authorization": f"Bearer {token}"}))
        assert (before := before - 1) - 1 == after
    for _ in range(300):
        fresh.call(method, path, token=token, If_None_Match=tag, status=304)
    assert not clock.waits


def test_a_page_counts_as_what_is_on_it(fresh: Api, clock: Clock) -> None:
    player = fresh.register()
    fresh.call("GET", "/v1/me", token=player.token)
    _, before = left(fresh.call("GET", "/v1/me", token=player.token))
    assert left(fresh.call("GET", "/v1/me/games?limit=200", token=player.token))[1] == before - 1


def test_trial_moves_count_among_requests_and_moves_do_not(fresh: Api, clock: Clock) -> None:
    table = fresh.table()
    body = {"turn": 999, "action": {"type": "x"}}
    trial = dict.fromkeys(("?dry_run=true", "?dry%5Frun=true"), "requests")
    for query, budget in {"": "moves", "?dry_run=false": "moves", **trial}.items():
        answer = fresh.call("POST", f"{table.path}/submissions{query}", token=table.token(0), json=body)
        assert left(answer)[0] == budget, query


def test_trial_moves_are_dear_and_moves_are_not(fresh: Api, clock: Clock) -> None:
    table = fresh.table()
    seat = next(n for n in range(3) if fresh.get(f"{table.path}/turn", table.token(n))["yours"])
    turn = fresh.get(f"{table.path}/turn", table.token(seat))
    body = {"turn": turn["turn"], "action": legal_action(turn)}
    path, token = f"{table.path}/submissions", table.token(seat)
    statuses = Counter(
        fresh.call("POST", f"{path}?dry_run=true", token=token, json=body).status_code for _ in range(500)
    )
    assert set(statuses) == {200, 429}
    assert statuses[200] < 400
    fresh.call("POST", path, token=token, json=body, status=201)


def test_polls_that_are_always_answered_in_full_come_slower(fresh: Api, clock: Clock) -> None:
    """A tag that is none makes a poll of what is a view; ever so many would be as dear as views."""
    table = fresh.table()
    full = 20_000 // limiting.FULL_SHARE
    headers = {"Authorization": f"Bearer {table.token(0)}", "If-None-Match": '"junk"'}
    fresh.call("GET", "/v1/me", token=table.token(0), status=200)
    limiter = edge(fresh).limiter
    key = limiter.callers.identify({"HTTP_AUTHORIZATION": headers["Authorization"]}).budget_key
    limiter._full_polls.reserve(key, full, 60)
    assert fresh.client.get(f"{table.path}/view", headers=headers).status_code == 200
    assert fresh.client.get(f"{table.path}/view", headers=headers).status_code == 200
    assert len(clock.waits) == 1
    assert 0 < clock.waits[0] < 1


def edge(api: Api) -> Edge:
    found = api.app.wsgi_app
    assert isinstance(found, Edge)
    return found


def test_a_refusal_needs_no_slot(module_database: str, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """While all slots are taken and others wait for them, a caller over their budget is refused at once."""
    monkeypatch.setattr(admission, "TIMEOUT_SECONDS", 0.05)
    api = Api(module_database, workers=1, rate_limit=3)
    try:
        token = api.register().token
        for _ in range(3):
            api.call("GET", "/v1/me", token=token)
        slots = edge(api).admission
        with slots.slot(), slots.slot(), slots.slot(), slots.slot():
            api.call("GET", "/v1/me", token=token, status=429)
    finally:
        api.close()


def test_a_caller_with_many_requests_does_not_block_others(fresh: Api) -> None:
    """Of two slots a caller gets one: others pass them, though a dozen of their requests wait."""
    edge(fresh).admission = Admission(2)
    many, other = fresh.register("many"), fresh.register("other")
    for person in (many, other):
        fresh.call("GET", "/v1/me", token=person.token, status=200)  # by which they are known
    waiting = edge(fresh).admission
    inside, done = threading.Event(), threading.Event()
    environ = {"HTTP_AUTHORIZATION": f"Bearer {many.token}", "REMOTE_ADDR": "127.0.0.1"}
    key = edge(fresh).limiter.callers.identify(environ).queue_key

    def work() -> None:
        with waiting.slot(key):
            inside.set()
            assert done.wait(20)

    asking = [threading.Thread(target=work)]
    asking[0].start()
    assert inside.wait(10)
    answers: list[int] = []

    def ask() -> None:
        headers = {"Authorization": f"Bearer {many.token}"}
        answers.append(fresh.app.test_client().get("/v1/me", headers=headers).status_code)

    asking += [threading.Thread(target=ask) for _ in range(12)]
    for thread in asking[1:]:
        thread.start()
    wait_until(lambda: waiting.waiting() == 12, "they wait")
    assert fresh.call("GET", "/v1/me", token=other.token).status_code == 200
    assert (waiting.waiting(), answers) == (12, [])
    done.set()
    for thread in asking:
        thread.join(10)
    assert answers == [200] * 12


def test_answers_without_a_slot_have_a_bucket_of_their_own(fresh: Api, clock: Clock) -> None:
    """Refusals, preflights and health: each is cheap, a thousand connections of them are not."""
    for n in range(pacing.BURST + 5):
        assert fresh.client.get("/healthz").status_code == 200, n
    assert len(clock.waits) == 5
    clock.waits.clear()
    for _ in range(pacing.BURST + 5):
        fresh.client.options("/v1/games", headers={"Access-Control-Request-Method": "GET"})
    assert len(clock.waits) == 5
    clock.waits.clear()
    assert fresh.client.get("/v1/rulesets").status_code == 200
    assert not clock.waits, "what has its place in the line is not concerned"


def test_long_work_lets_others_in(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(pauses, "time", clock)
    for _ in with_pauses(range(10)):
        clock.now += pauses.PIECE_SECONDS * 0.51
    assert len(clock.waits) == 4
