"""The bots that the web table offers are those that the service says can play the game."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from holmgang.bots.base import NAMES
from tests.e2e.running import Running
from tests.soon import soon

from .person import Person

WORDS = {"random": "At random", "greedy": "What looks best at once", "search": "Thinking ahead"}


def have_play_claim(page: Page, bots: list[str]) -> None:
    """Let the service say that these bots play Claim."""

    def answer(route: Route) -> None:
        told: Any = route.fetch().json()
        for ruleset in told["items"]:
            if ruleset["ruleset"] == "claim":
                ruleset["bots"] = bots
        route.fulfill(json=told)

    page.route("**/v1/rulesets", answer)


@pytest.mark.parametrize(
    ("bots", "usual"),
    soon(
        [(list(NAMES), "greedy"), (["random", "search"], "search"), (["random"], "random")],
        (["random", "search"], "search"),
    ),
)
def test_only_bots_that_can_play_are_offered(service: Running, browser: Browser, bots: list[str], usual: str) -> None:
    who = Person.arrives(browser)
    page = who.page
    have_play_claim(page, bots)
    page.goto(f"{service.url}/#/new/claim")
    offered = page.locator("select[name=bot]")
    expect(offered.locator("option")).to_have_text([WORDS[bot] for bot in bots])
    expect(offered).to_have_value(usual)
    page.locator("select[name=ruleset]").select_option("drakkars")
    expect(offered.locator("option")).to_have_count(len(NAMES))
    page.goto(f"{service.url}/#/")
    for button in ("Play Claim against bots", None):
        with page.expect_request(
            lambda sent: sent.method == "POST" and sent.url.endswith("/seats") and "bot" in (sent.post_data or "")
        ) as seated:
            if button is not None:
                page.get_by_role("button", name=button).click()
            else:
                page.goto(f"{service.url}/#/new/claim")
                page.locator("select[name=bots]").select_option("0")
                page.get_by_role("button", name="Create the game").click()
                page.get_by_role("button", name="Seat a bot").first.click()
        assert (seated.value.post_data_json or {})["bot"] == usual
        answer = seated.value.response()
        assert answer is not None
        assert answer.status == 201
        page.wait_for_selector(".table")  # or it would go there when the next address has been asked for
    assert who.complaints == []
