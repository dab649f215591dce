"""What is answered before the application, beside what the application itself answers to the same request: the same
status, headers and bytes, whatever the request holds."""

from __future__ import annotations

import gzip
import itertools
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from .calling import Api, Table

PLENTY = {"rate_limit": 10**6, "rate_limit_polls": 10**6, "rate_limit_moves": 10**6}
APART = ("X-Request-ID", "RateLimit")
"""Headers that are other ones each time."""
EACH_TIME = re.compile(rb'"(?:request_id|server_time)":"[^"]*"')
METHODS = ("GET", "GET", "GET", "HEAD", "HEAD", "POST", "OPTIONS")
PARTS = (  # noqa: SIM905 # one a line would be a page
    "view turn turn?include=view view? view?at=1 turn?as_seat=1 turn?wait=0 turn?%69nclude=view turn/ %76iew View"
    " turn?include=view&include=view turn?include=view& view?%EF%BB%BF=1"
).split()
TOKENS = (*["Bearer {}"] * 6, None, "bearer  {} ", "Bearer", "", "Basic {}", "Bearer {0}, Bearer {0}", "Token {}")
WANTED = (
    *(*["{}"] * 4, None, None, "*", " * ", "*, {}", '"a", {}', '{}, "b"', "{}-gzip", "{};gzip"),
    *('"*"', '"a"', "", "W/{}"),
)
HEADERS = {
    "Accept": ("text/html", "text/event-stream", "application/problem+json", ""),
    "Accept-Encoding": ("gzip", "identity", "gzip;q=0", "*", "x-gzip", "gzip;q=0.1, identity", ""),
    "Accept-Language": ("fr", "nl", "*", "fr;q=0", "x" * 300),
    "Prefer": ("wait=0", "return=minimal", "wait", ""),
    "Idempotency-Key": ("\x7f", ""),
    "X-HTTP-Method-Override": ("DELETE", "POST"),
    "Origin": ("https://elsewhere.example", "null"),
    "Access-Control-Request-Method": ("GET", "POST"),
    "If-Match": ("*", '"a"'),
    "If-Modified-Since": ("Wed, 21 Oct 2099 07:28:00 GMT",),
    "Range": ("bytes=0-3",),
    "Host": ("", "a b", "elsewhere.example:99"),
    "X-Forwarded-Prefix": ("/elsewhere",),
}


@pytest.fixture(scope="module")
def fast(module_database: str) -> Iterator[Api]:
    api = Api(module_database, **PLENTY)
    yield api
    api.close()


@pytest.fixture(scope="module")
def slow(module_database: str) -> Iterator[Api]:
    """The service without what answers before the application."""
    api = Api(module_database, **PLENTY)
    edge: Any = api.app.wsgi_app
    edge.inner = edge.inner.inner.inner
    yield api
    api.close()


@pytest.fixture(scope="module")
def tables(fast: Api) -> list[Table]:
    """Games in which seats, spectators and strangers see different things."""
    over = fast.table()
    over.play()
    begun = fast.table(practice=True)
    begun.submit(0)
    return [begun, over, fast.table(taken=2), fast.table(visibility="private"), fast.table(spectators=False)]


def told(answer: Any) -> tuple[int, list[tuple[str, str]], bytes]:
    content = answer.get_data()
    headers = [(name, value) for name, value in answer.headers.items() if name not in APART]
    if "Content-Encoding" in answer.headers:
        content = content and gzip.decompress(content)  # a time in it changes its length
        headers = [(name, value) for name, value in headers if name != "Content-Length"]
    return answer.status_code, sorted(headers), EACH_TIME.sub(b"", content)


def test_what_is_read_is_the_same(fast: Api, slow: Api, tables: list[Table]) -> None:
    rng = random.Random(5)
    stranger = fast.register().token
    statuses = set()
    for _ in range(400):
        table = rng.choice(tables)
        token = rng.choice([*(person.token for person in table.people), stranger, "hg_madeUp"])
        place = f"{table.path}/{rng.choice(PARTS)}" if rng.random() < 0.9 else "/v1/me/turns"
        shown = slow.client.get(place, headers=rng.choice([{"Authorization": f"Bearer {token}"}, {}]))
        tag = shown.headers.get("ETag", '"none"')
        sent = {name: rng.choice(values) for name, values in HEADERS.items() if rng.random() < 0.15}
        if rng.random() < 0.5:
            sent["Accept-Encoding"] = "gzip"
        if table.secret and rng.random() < 0.7:
            sent["Holmgang-Invitation"] = table.secret
        for name, forms, filled in (("Authorization", TOKENS, token), ("If-None-Match", WANTED, tag)):
            if (form := rng.choice(forms)) is not None:
                sent[name] = form.format(filled)
        method = rng.choice(METHODS)
        one, other = (told(api.client.open(place, method=method, headers=sent)) for api in (fast, slow))
        assert one == other, (method, place, sent)
        statuses.add(one[0])
    assert statuses >= {200, 204, 304, 400, 401, 403, 404, 405, 409, 422}


@pytest.mark.parametrize("name", HEADERS)
def test_each_header_changes_both_alike(fast: Api, slow: Api, tables: list[Table], name: str) -> None:
    table = tables[0]
    for value, part, token in itertools.product(HEADERS[name], ("view", "turn?include=view"), (None, table.token(0))):
        sent = {"Accept-Encoding": "gzip", **({} if token is None else {"Authorization": f"Bearer {token}"})}
        tag = slow.client.get(f"{table.path}/{part}", headers=sent).headers["ETag"]
        for wanted in ({}, {"If-None-Match": tag}, {"If-None-Match": '"a"'}):
            headers = {**sent, **wanted, name: value}
            one, other = (told(api.client.get(f"{table.path}/{part}", headers=headers)) for api in (fast, slow))
            assert one == other, (part, headers)


def test_what_is_done_again_is_the_same(fast: Api, slow: Api) -> None:
    """A move that was made gives its receipt again on both, so that the whole answer can be compared."""
    table = fast.table()
    body = table.choice(0)
    table.submit(0, body)
    headers: list[dict[str, str]] = [{}, {"Accept": "text/html"}, {"Accept-Encoding": "gzip"}, {"Prefer": "wait=1"}]
    paths = [table.path, f"/v1/games/{table.game.upper()}", table.path.replace("games", "%67ames")]
    for path, more in itertools.product(paths, headers):
        sent = {"Authorization": f"Bearer {table.token(0)}", **more}
        one, other = (told(api.client.post(f"{path}/submissions", json=body, headers=sent)) for api in (fast, slow))
        assert one == other, (path, more)
        assert one[0] == 200
