"""The service below a path of its host, behind a proxy that takes the path off: every address that it gives out is
below that path, and leads to something."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import pytest

from holmgang.api.problems.table import PROBLEMS
from holmgang.web.files import digest

from .calling import Api, legal_action

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

HOST, PATH = "https://games.example.org", "/holm/g%C3%A4ng&x"
BASE = HOST + PATH
PLAIN = "/holm/gäng&x".encode().decode("latin-1")
HOOK = "https://bots.example.org/"
OF_EXAMPLES = re.compile("/019a0c[45][0-9a-f]-")
"""Addresses of what is only in the examples of the reference."""
BROWSER = "text/html,*/*;q=0.8"
BESIDE = ("pointer", "accept")
"""Members whose texts may begin with a slash and are no addresses."""


class Proxy:
    """Takes the path off, and has nothing else to offer."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        rest = environ["PATH_INFO"].removeprefix(PLAIN)
        if rest == environ["PATH_INFO"]:
            start("404 Not Found", [("Content-Type", "text/plain")])
            return [b"Nothing of the service is here."]
        found: Iterable[bytes] = self.inner({**environ, "PATH_INFO": rest or "/"}, start)
        return found


class Walker:
    """Calls at whole addresses, and notes all addresses in what is answered."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.found: dict[str, str] = {}
        """Addresses, each with where it was found."""

    def ask(self, method: str, address: str, token: str | None = None, **more: Any) -> TestResponse:
        whole = urlsplit(urljoin(f"{BASE}/", address))
        headers = {**more.pop("headers", {}), **({} if token is None else {"Authorization": f"Bearer {token}"})}
        path = whole.path + (f"?{whole.query}" if whole.query else "")
        answer = self.client.open(path, method=method, base_url=HOST, headers=headers, **more)
        here = f"{HOST}{path}"
        for found in addresses(answer):
            self.found.setdefault(urljoin(here, found).partition("#")[0], f"{method} {here}: {found}")
        return answer

    def made(self, address: str, token: str | None = None, **body: Any) -> Any:
        answer = self.ask("POST", f"{BASE}{address}", token, json=body)
        assert answer.status_code in (201, 202), answer.get_data(as_text=True)
        return answer.get_json()


def addresses(answer: TestResponse) -> Iterator[str]:
    yield from answer.headers.getlist("Location")
    for link in answer.headers.getlist("Link"):
        yield from re.findall("<([^>]*)>", link)
    if answer.mimetype == "text/html":
        page = answer.get_data(as_text=True)
        yield from (unescape(one) for one in re.findall(r'\s(?:href|src)="([^"]*)"', page))
        yield from re.findall(r"curl (?:-X \w+ )?'?(http[^\s'<]+)", unescape(page))
    elif (answer.mimetype or "").endswith("json") and answer.get_data():
        yield from _in(answer.get_json())


def _in(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, member in value.items():
            yield from _in(member, key)
    elif isinstance(value, list):
        for member in value:
            yield from _in(member, name)
    elif isinstance(value, str) and name not in BESIDE and re.match(r"https?://|/[a-z]", value):
        yield value


@pytest.fixture(scope="module")
def walker(module_database: str) -> Iterator[Walker]:
    api = Api(module_database, public_url=BASE)
    api.app.wsgi_app = Proxy(api.app.wsgi_app)  # type: ignore[method-assign, assignment]  # Werkzeug's own type of an application
    yield Walker(api.app.test_client())
    api.close()


def test_every_address_is_below_the_path_and_leads_somewhere(walker: Walker) -> None:
    made = walker.made
    one, two = (made("/v1/players", name=name)["token"] for name in ("Astrid", "Cnut"))
    for _ in range(2):
        game = made("/v1/games", one, ruleset="claim", seats=2, practice=True)["id"]
        private = made("/v1/games", one, ruleset="eketorp", seats=3, visibility="private")["id"]
        secret = made(f"/v1/games/{private}/invitations", one)
        made("/v1/me/tokens", one, label="x", scopes=["read"])
        hook = made("/v1/webhooks", one, url=HOOK, events=["turn.waiting"])["id"]
        made(f"/v1/webhooks/{hook}/test", one)
        made(f"/v1/webhooks/{hook}/test", one)
    assert secret["url"].startswith(f"{BASE}/games/{private}#invitation=")
    made(f"/v1/games/{game}/seats", two)
    turn: dict[str, Any] = {}
    for token in (one, two):
        turn = walker.ask("GET", f"{BASE}/v1/games/{game}/turn", token).get_json()
        if turn["yours"]:
            body = {"turn": turn["turn"], "action": legal_action(turn)}
            made(f"/v1/games/{game}/submissions", token, **body)
            again = walker.ask("POST", f"{BASE}/v1/games/{game}/submissions", token, json=body)
            assert again.status_code in (200, 409)
    sealed = made("/v1/games", one, ruleset="eketorp", seats=3)["id"]
    for _ in range(2):
        made(f"/v1/games/{sealed}/seats", one, bot="greedy")
    turn = walker.ask("GET", f"{BASE}/v1/games/{sealed}/turn", one).get_json()
    choice = {"turn": turn["turn"], "action": {"type": "place", "fields": {"A": 1}, "sieges": []}}
    made(f"/v1/games/{sealed}/submissions", one, **choice)
    choice["action"] = {"type": "place", "fields": {}, "sieges": []}
    refused = walker.ask("POST", f"{BASE}/v1/games/{sealed}/submissions", one, json=choice)
    assert refused.get_json()["code"] == "already_submitted"
    for listed in ("games", "me/games", "me/tokens", "webhooks", f"webhooks/{hook}/deliveries"):
        assert walker.ask("GET", f"{BASE}/v1/{listed}?limit=1", one).get_json()["next"].startswith(f"{BASE}/v1/")
    walker.ask("GET", f"{BASE}/v1/games/{game}/events?limit=1", one)
    for accept in (BROWSER, "application/json"):
        for page in ("", "/", "/docs", "/problems", f"/games/{game}", "/web/index.html"):
            walker.ask("GET", BASE + page, headers={"Accept": accept})
    walker.ask("GET", f"{BASE}/openapi.json")
    walker.ask("GET", f"{BASE}/v1/nowhere")
    walker.ask("GET", f"{BASE}/v1/me?{'x' * 10}=%00")
    asked: set[str] = set()
    while fresh := set(walker.found) - asked:  # what those lead to, and so on
        asked |= fresh
        for address in sorted(fresh):
            if address.startswith((HOOK, f"{BASE}/docs/")):  # whether the site was built is left open: see test_site
                continue
            assert address.startswith(f"{BASE}/") or address == BASE, walker.found[address]
            if OF_EXAMPLES.search(address):
                continue
            answer = walker.ask("GET", address, one)
            assert answer.status_code != 404, walker.found[address]
    assert {f"{BASE}/problems/{code}" for code in PROBLEMS} <= asked
    assert {
        f"{BASE}/docs",
        f"{BASE}/openapi.json",
        f"{BASE}/web/{digest()}/app.js",
        refused.get_json()["receipt"],
    } <= asked


def test_the_document_names_the_address_as_its_server(walker: Walker) -> None:
    assert walker.ask("GET", f"{BASE}/openapi.json").get_json()["servers"] == [{"url": BASE}]
