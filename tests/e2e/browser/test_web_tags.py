"""The web table behind a proxy that makes tags of its own: it looks when the service says, and no more often."""

from __future__ import annotations

import itertools

from playwright.sync_api import Browser, Route, expect

from tests.e2e.running import Running

from .person import Person
from .test_web_life import Friend


def test_a_table_behind_a_proxy_that_changes_tags_does_not_ask_in_a_circle(service: Running, browser: Browser) -> None:
    friends = [Friend(service, "Dagny"), Friend(service, "Olav")]
    game = friends[0].post("/v1/games", ruleset="claim", seats=2)["id"]
    friends[1].post(f"/v1/games/{game}/seats")
    who = Person.arrives(browser)
    page, number = who.page, itertools.count(1)
    asked: list[str] = []

    def change(route: Route) -> None:
        """Another tag each time, and what comes back with it means nothing to the service."""
        asked.append(route.request.url)
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, "etag": f'"proxied {next(number)}"'})

    page.route("**/turn?include=view*", change)
    page.clock.install(time=0)
    page.clock.pause_at(1)  # or a slow machine's time goes on meanwhile
    with page.expect_response("**/turn?include=view&wait=*"):
        page.goto(f"{service.url}/#/games/{game}")
    expect(page.locator(".seats")).to_contain_text("Olav")

    def moments() -> None:
        """In which a page that asks in a circle asks many times."""
        for _ in range(20):
            page.evaluate("fetch('/healthz').then((answer) => answer.text())")

    moments()
    assert len(asked) == 2, "what the turn is, and whether there is news"
    for looks in (3, 4):
        with page.expect_response("**/turn?include=view&wait=*"):
            page.clock.run_for(1100)
        moments()
        assert len(asked) == looks
    assert who.complaints == []
