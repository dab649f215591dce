"""Pages of other origins that follow a game: by the browser's own EventSource, and by the two libraries for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.npm import packages
from tests.e2e.running import Running

from .test_web_life import Friend

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGE = b"""<!doctype html><title>Another origin</title>
<script type="importmap">{"imports": {
  "eventsource": "/node_modules/eventsource/dist/index.js",
  "eventsource-parser": "/node_modules/eventsource-parser/dist/index.js",
  "fetch-event-source": "/node_modules/@microsoft/fetch-event-source/lib/esm/index.js"
}}</script>
"""
SENT = {
    "baggage": "userId=alice",
    "cache-control": "no-cache",
    "pragma": "no-cache",
    "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "tracestate": "vendor=value",
    "x-requested-with": "XMLHttpRequest",
    "x-thought-of-later": "yes",
}
"""What pages and the libraries in them add to a request."""


class Files(SimpleHTTPRequestHandler):
    """The packages, with the endings that their imports leave out, and an empty page."""

    def do_GET(self) -> None:
        if self.path == "/":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(PAGE)
            return
        if not Path(self.translate_path(self.path)).suffix:
            self.path += ".js"
        super().do_GET()

    def log_message(self, *_: Any) -> None:
        """Nothing: what fails is told by the page."""


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    folder = packages()
    server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *args: Files(*args, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def page(browser: Browser, origin: str) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    page.goto(origin)
    yield page
    context.close()


@pytest.fixture
def friends(service: Running) -> list[Friend]:
    return [Friend(service, "Dagny"), Friend(service, "Olav")]


def game_of(friends: list[Friend], **more: Any) -> str:
    """A game that both sit at."""
    game: str = friends[0].post("/v1/games", ruleset="claim", seats=2, **more)["id"]
    secret = friends[0].post(f"/v1/games/{game}/invitations")["secret"] if more else None
    friends[1].post(f"/v1/games/{game}/seats", **({"invitation": secret} if secret else {}))
    return game


def end(friends: list[Friend], game: str) -> int:
    """Have it end; the number of its last event."""
    friends[0].post(f"/v1/games/{game}/resignations")
    last: int = friends[0].get(f"/v1/games/{game}/events?limit=200")["items"][-1]["seq"]
    return last


FOLLOW = """
window.heard = []; window.ended = 0; window.stopped = false;
window.follow = (source) => {
  window.source = source;
  source.onmessage = (event) => window.heard.push(Number(event.lastEventId));
  source.addEventListener("end", () => { window.ended += 1; });
  source.onerror = () => { if (source.readyState === 2) window.stopped = true; };
};
null;
"""
"""Playwright would call a function that is the value of what it runs."""


def test_the_browsers_own_event_source_follows_a_public_game_and_stops(
    service: Running, page: Page, friends: list[Friend]
) -> None:
    game = game_of(friends)
    page.evaluate(FOLLOW + f"follow(new EventSource('{service.url}/v1/games/{game}/events'))")
    page.wait_for_function("heard.length > 0")
    last = end(friends, game)
    page.wait_for_function("stopped")
    assert page.evaluate("[heard, ended]") == [list(range(1, last + 1)), 1]


def test_an_event_source_that_begins_at_the_end_stops_too(service: Running, page: Page, friends: list[Friend]) -> None:
    game = game_of(friends)
    last = end(friends, game)
    page.evaluate(FOLLOW + f"follow(new EventSource('{service.url}/v1/games/{game}/events?after={last}'))")
    page.wait_for_function("stopped")
    assert page.evaluate("[heard, ended]") == [[], 1]


def test_the_package_eventsource_follows_a_private_game_and_stops(
    service: Running, page: Page, friends: list[Friend]
) -> None:
    game = game_of(friends, visibility="private")
    headers = {"Authorization": f"Bearer {friends[0].token}", **SENT}
    page.evaluate(FOLLOW)
    page.evaluate(
        """([url, headers]) => import("eventsource").then(({ EventSource }) => follow(new EventSource(url, {
          fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
        })))""",
        [f"{service.url}/v1/games/{game}/events", headers],
    )
    page.wait_for_function("heard.length > 0")
    last = end(friends, game)
    page.wait_for_function("stopped")
    assert page.evaluate("[heard, ended]") == [list(range(1, last + 1)), 1]


def test_the_package_fetch_event_source_follows_a_private_game_from_its_last_event(
    service: Running, page: Page, friends: list[Friend]
) -> None:
    game = game_of(friends, visibility="private")
    headers = {"Authorization": f"Bearer {friends[0].token}", "last-event-id": "2", **SENT}
    page.evaluate(
        """([url, headers]) => {
          window.heard = []; window.ended = 0; window.fault = null;
          import("fetch-event-source").then(({ fetchEventSource }) => fetchEventSource(url, {
            headers, openWhenHidden: true, cache: "no-store",
            onmessage: (event) => {
              if (event.event === "end") window.ended += 1; else if (event.data) window.heard.push(Number(event.id));
            },
            onerror: (fault) => { window.fault = String(fault); throw fault; },
          })).finally(() => { window.over = true; });
        }""",
        [f"{service.url}/v1/games/{game}/events", headers],
    )
    page.wait_for_function("heard.length > 0")
    last = end(friends, game)
    page.wait_for_function("window.over")
    assert page.evaluate("[heard, ended, fault]") == [list(range(3, last + 1)), 1, None]


def test_a_page_may_send_what_it_likes(service: Running, page: Page, friends: list[Friend]) -> None:
    """Reads and writes with everything that clients add, and the headers of the answer that they need."""
    told = page.evaluate(
        """async ([url, token, sent]) => {
          const headers = { ...sent, authorization: `Bearer ${token}`, "content-type": "application/json",
            "idempotency-key": "one", "x-request-id": "here", prefer: "wait=1", "accept-language": "nl" };
          const body = '{"ruleset":"claim","seats":2}';
          const made = await fetch(`${url}/v1/games`, { method: "POST", headers, body });
          const turn = `${url}/v1/games/${(await made.json()).id}/turn`;
          const first = await fetch(turn, { headers });
          const again = await fetch(turn, { headers: { ...headers, "if-none-match": first.headers.get("etag") } });
          const [ident, location] = [again.headers.get("x-request-id"), made.headers.get("location")];
          return [made.status, first.status, again.status, ident, location];
        }""",
        [service.url, friends[0].token, SENT],
    )
    assert told[:4] == [201, 200, 304, "here"]
    assert "/v1/games/" in told[4]
