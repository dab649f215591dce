"""The documentation site in a browser, as the service serves it: search works, and nothing comes from elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Literal

import pytest
from flask import Flask
from playwright.sync_api import Browser, ViewportSize, expect
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.serving import make_server

from holmgang.web import docs
from tests.site import site

from .person import DESKTOP, PHONE, Person

BELOW = "/holm/gang"
SCROLLED = "scrollable-region-focusable"
"""Wide tables on a telephone. Browsers let the keyboard scroll them by themselves; the theme gives them no focus."""
SCREENS: tuple[tuple[Literal["light", "dark"], str, ViewportSize], ...] = (
    ("light", "desktop", DESKTOP),
    ("dark", "phone", PHONE),
)
PAGES = ("", "reference/settings/", "explanation/design/", "how-to/scale/", "how-to/operate/")
ALL_PAGES = (*PAGES, "reference/sdk/")
"""With the longest one, which takes as long as three others."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the site is served, at the root of a host and below a path of it."""
    folder = site()
    app = Flask(__name__)
    app.register_blueprint(docs.docs)
    app.wsgi_app = DispatcherMiddleware(app.wsgi_app, {BELOW: app.wsgi_app})  # type: ignore[method-assign]
    server = make_server("127.0.0.1", 0, app, threaded=True)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(docs, "BUILT", (folder,))
        for kept in (docs.names, docs._folder, docs._file):
            kept.cache_clear()
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
    for kept in (docs.names, docs._folder, docs._file):
        kept.cache_clear()


@pytest.mark.parametrize("below", ["", BELOW])
def test_search_leads_to_a_page(address: str, browser: Browser, below: str) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.goto(f"{address}{below}/docs/")
    field = page.locator("input[aria-label=Search]")
    expect(field).to_be_attached()  # once the index is there; until then the button does nothing
    page.locator(".md-search__button").click()
    expect(field).to_be_focused()
    found = page.locator("a", has_text="sealed")
    expect(found).to_have_count(0)
    page.keyboard.type("sealed choice")
    expect(found.first).to_be_visible()
    found.first.click()
    page.wait_for_url(lambda url: url.rstrip("/") != f"{address}{below}/docs")
    assert page.url.startswith(f"{address}{below}/docs/")
    expect(page.locator("article h1")).to_be_visible()
    assert who.complaints == []
    assert [url for url in who.requested if not url.startswith((f"{address}{below}/docs/", "data:"))] == []


@pytest.mark.parametrize(
    ("pages", "at_once"),
    [(PAGES, 1), pytest.param(ALL_PAGES, len(SCREENS), marks=pytest.mark.slow)],
    ids=["some", "all"],
)
def test_pages_are_whole_on_every_screen(address: str, browser: Browser, pages: tuple[str, ...], at_once: int) -> None:
    """Each page on one screen, in turns; in the slow tests each on all."""
    who = Person.arrives(browser)
    page = who.page
    for number, path in enumerate(pages):
        page.goto(f"{address}/docs/{path}")
        for scheme, form, size in (*SCREENS, *SCREENS)[number % len(SCREENS) :][:at_once]:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.set_viewport_size(size)
            who.look(f"docs-{path.strip('/').replace('/', '-') or 'start'}-{form}-{scheme}")
            found = [fault for fault in who.violations() if not fault.startswith(SCROLLED)]
            assert found == [], (path, scheme, form)
            assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth"), path
    assert who.complaints == []
    assert {url for url in who.requested if not url.startswith((f"{address}/docs/", "data:"))} == set()
