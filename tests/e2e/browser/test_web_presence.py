"""Whether the others at one's table are there, as the page tells it, and the switch that hides it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import httpx
from playwright.sync_api import Route, expect

from .person import PICTURES, Person

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.e2e.running import Running

UNSEEN = "Object.defineProperty(document, 'hidden', { get: () => window.unseen === true })"


def registered(service: Running, name: str) -> httpx.Client:
    http = httpx.Client(base_url=service.url, timeout=20)
    made = http.post("/v1/players", json={"name": name}).json()
    http.headers["Authorization"] = f"Bearer {made['token']}"
    return http


def seated(service: Running) -> str:
    """A game of three in which two have sat down."""
    first, second = registered(service, "Dagny"), registered(service, "Eskil")
    game: str = first.post("/v1/games", json={"ruleset": "eketorp", "seats": 3}).json()["id"]
    assert second.post(f"/v1/games/{game}/seats", json={}).is_success
    return game


def test_each_sees_who_is_there_once_a_minute(service: Running, browser: Browser) -> None:
    game = seated(service)
    who = Person.arrives(browser)
    page = who.page
    page.add_init_script(UNSEEN)
    now = datetime.now(UTC)
    page.clock.install(time=now)
    since = now - timedelta(minutes=5, seconds=20)
    told: list[dict[str, Any]] = [
        {"seat": 0, "status": "away", "away_since": since.isoformat()},
        {"seat": 1, "status": "hidden", "away_since": None},
        {"seat": 2, "status": "here", "away_since": None},
    ]
    asked = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(json={"game": game, "seats": told})

    page.route("**/presence", answer)
    page.goto(f"{service.url}/#/games/{game}")
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()
    page.clock.run_for(2000)
    assert asked == [], "who only looks on is not told"
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".table")).to_have_attribute("data-status", "active")
    page.clock.run_for(2000)
    seats = page.locator(".seats li")
    expect(seats.nth(0)).to_contain_text("away for 5 minutes")
    expect(seats.nth(1)).to_contain_text("does not show whether they are here")
    expect(seats.nth(2).locator(".presence")).to_have_count(0)
    assert who.violations() == []
    PICTURES.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width, height in ((1280, 900), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=PICTURES / f"presence-{scheme}-{width}.png")
    assert len(asked) == 1
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))  # or a slow machine's time goes on meanwhile
    told[0] = {"seat": 0, "status": "here", "away_since": None}
    page.evaluate("window.unseen = true")
    page.clock.run_for(180_000)
    assert len(asked) == 1, "nobody sees the page"
    page.evaluate("window.unseen = false")
    page.clock.run_for(2000)
    expect(seats.nth(0).locator(".presence")).to_have_text("here")
    assert len(asked) == 2
    page.clock.run_for(50_000)
    assert len(asked) == 2
    with page.expect_request("**/presence"):
        page.clock.run_for(12_000)
    page.clock.run_for(50_000)
    assert len(asked) == 3
    assert who.complaints == []


def test_who_hides_says_so_in_the_account(service: Running, browser: Browser) -> None:
    game = seated(service)
    who = Person.arrives(browser)
    page = who.page
    page.goto(f"{service.url}/#/games/{game}")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".table")).to_have_attribute("data-status", "active")
    page.goto(f"{service.url}/#/account")
    switch = page.get_by_role("checkbox", name="Let the others at my tables see whether I am here")
    expect(switch).to_be_checked()
    switch.uncheck()
    expect(page.locator(".toast")).to_contain_text("Nobody sees any more whether you are here.")
    assert who.violations() == []
    page.reload()
    expect(switch).not_to_be_checked()
    page.goto(f"{service.url}/#/games/{game}")
    own = page.locator(".seats li").nth(2)
    expect(own).to_contain_text("the others do not see whether you are here")
    page.locator(".seats li").nth(2).locator(".presence").hover()
    expect(page.locator(".explained")).to_contain_text("noted by the minute")
    assert who.complaints == []
