"""Tags that a proxy which compresses has changed: known everywhere, so that nobody asks in a circle."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from holmgang import Client
from tests.api_document import api_document

from .calling import Api, Table
from .test_revised import PATHS as REVISED
from .test_waiting import LONG, Waiting, hands, own, tag  # noqa: F401 # fixtures

CHANGES: dict[str, Callable[[str], str]] = {
    "Apache": lambda ours: f'{ours[:-1]}-gzip"',
    "Apache, brotli": lambda ours: f'{ours[:-1]}-br"',
    "Apache 2.2": lambda ours: f"{ours}-gzip",
    "Jetty": lambda ours: f'{ours[:-1]}--gzip"',
    "Caddy": lambda ours: f'{ours[:-1]}-zstd"',
    "LiteSpeed": lambda ours: f'{ours[:-1]};gz"',
    "LiteSpeed, as it is": lambda ours: f'{ours[:-1]};;;"',
    "another": lambda ours: f"{ours};gzip",
    "nginx": lambda ours: f"W/{ours.removeprefix('W/')}",
    "two in a row": lambda ours: f'W/{ours.removeprefix("W/")[:-1]}-gzip-br"',
    "strong": lambda ours: ours.removeprefix("W/"),
    "among others": lambda ours: f'"other", {ours[:-1]}-gzip", W/"more-gzip"',
}
"""What proxies are known to make of a tag, one way each."""
PATHS = {
    "getView": ("{game}/view", "{over}/view?at=1"),
    "getTurn": ("{game}/turn", "{game}/turn?include=view"),
    "getBoardPicture": ("{game}/board.svg", "{game}/board.svg?theme=dark"),
    "listEvents": ("{game}/events", "{game}/events?after=2&limit=5"),
    "listWaitingTurns": ("/v1/me/turns",),
    "getRuleset": ("/v1/rulesets/claim",),
    "getOpenAPI": ("/openapi.json",),
    "getLeaderboard": ("/v1/leaderboards/claim",),
    "getRatingHistoryPicture": ("/v1/players/{player}/ratings/claim/history.svg",),
}
"""By operation that answers 304, addresses that are asked. What is counted by revisions is in test_revised.py."""
OTHERS = (
    "/docs",
    "/problems",
    "/problems/not_found",
    "/web/index.html",
    "/web/play.js",
    "/web/games/claim/sign.svg",
    "/web/messages/fr.js",
)


def test_every_conditional_operation_is_tried() -> None:
    conditional = {
        operation["operationId"]
        for verbs in api_document()["paths"].values()
        for operation in verbs.values()
        if "304" in operation["responses"]
    }
    assert set(PATHS) | set(REVISED) == conditional


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_tag_is_ours(api: Api, finished: Table, change: str) -> None:
    table = api.table()
    for path in [path for paths in PATHS.values() for path in paths] + list(OTHERS):
        path = path.format(game=table.path, over=finished.path, player=table.people[0].id)
        token = None if path in OTHERS else table.token(0)
        first = api.call("GET", path, token=token, status=200)
        known = CHANGES[change](first.headers["ETag"])
        for method in ("GET", "HEAD"):
            same = api.call(method, path, token=token, status=304, If_None_Match=known)
            assert same.headers["ETag"] == first.headers["ETag"]
            assert set(first.vary) == set(same.vary)
        foreign = first.headers["ETag"][:-1] + '-other"'
        api.call("GET", path, token=token, status=200, If_None_Match=foreign)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("part", ["view", "turn", "turn?include=view", "events", "/v1/me/turns"])
def test_who_waits_with_a_changed_tag_waits(api: Api, hands: ThreadPoolExecutor, part: str, change: str) -> None:  # noqa: F811
    table = api.table()
    path = part if part.startswith("/") else f"{table.path}/{part}"
    wait = f"{path}{'&' if '?' in path else '?'}wait={LONG}"
    waiting = Waiting(api, hands, wait, table.token(0), If_None_Match=CHANGES[change](tag(api, path, table.token(0))))
    assert waiting.held()
    table.submit(0, status=201)
    assert waiting.status() == 200


class Proxy(httpx.BaseTransport):
    """Makes a tag of its own of every answer's, by which nobody knows it again, and counts."""

    def __init__(self, api: Api) -> None:
        self.inner = httpx.WSGITransport(app=api.app)
        self.asked = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        answer = self.inner.handle_request(request)
        if "ETag" in answer.headers:
            answer.headers["ETag"] = f'"proxied {answer.headers["ETag"][3:-1]}"'
        return answer


def test_a_client_behind_a_proxy_that_nobody_knows_does_not_ask_in_a_circle(api: Api) -> None:
    table = api.table()
    proxy, pauses = Proxy(api), list[float]()
    with Client("http://proxy", table.token(1), transport=proxy, sleep=pauses.append) as client:
        for _ in range(10):
            client.turn(table.game, include="view", wait=25)
        assert proxy.asked == 10
        assert pauses == [1.0] * 9, "one a second at most"
        table.submit(0, status=201)
        before = len(pauses)
        assert client.turn(table.game, include="view", wait=25)["submitted"] == [0]
        assert len(pauses) == before, "news are told at once"
