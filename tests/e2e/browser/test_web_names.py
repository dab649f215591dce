"""Who one is at the web table: a token that is refused is told, and a name with seats is not given away."""

from __future__ import annotations

import json

import httpx
from playwright.sync_api import Browser, expect

from tests.e2e.running import Running

from .person import ASKED, Person
from .test_web_life import Friend


def sits(service: Running, browser: Browser) -> tuple[Person, Friend, str]:
    """Somebody who plays Claim with a friend, and the game."""
    friend = Friend(service, "Dagny")
    game = friend.post("/v1/games", ruleset="claim", seats=2, options={"first_player": 1})["id"]
    who = Person.arrives(browser)
    who.page.goto(f"{service.url}/#/games/{game}")
    who.page.get_by_role("button", name="Sit down").click()
    who.page.wait_for_selector(ASKED, state="attached")
    return who, friend, game


def kept(who: Person) -> dict[str, str]:
    found: dict[str, str] = json.loads(who.page.evaluate("() => localStorage.getItem('holmgang.me')"))
    return found


def test_a_token_that_is_refused_is_told_at_ones_own_game(service: Running, browser: Browser) -> None:
    who, friend, game = sits(service, browser)
    page, shown = who.page, who.page.get_by_role("dialog")
    before = kept(who)
    held = {"Authorization": f"Bearer {before['token']}"}
    token = httpx.get(f"{service.url}/v1/me", headers=held).json()["token"]["id"]
    assert httpx.delete(f"{service.url}/v1/me/tokens/{token}", headers=held).is_success
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")  # the next request comes at once
    expect(page.locator(".status")).to_contain_text(f"A seat here is yours, as {before['name']}")
    expect(shown).to_contain_text("You are not known here any more")
    assert who.violations() == []
    shown.get_by_role("button", name="Close").click()
    assert kept(who) == before  # it may be good again tomorrow
    page.get_by_role("button", name="Try again").click()
    expect(shown).to_contain_text(before["name"])
    shown.get_by_label("Name").fill("Somebody new")
    shown.get_by_role("button", name="Begin anew").click()
    expect(shown).to_have_count(0)
    expect(page.locator(".top .name")).to_have_text("Somebody new")
    expect(page.locator(".status")).to_contain_text("You are watching.")
    expect(page.locator(".status")).not_to_contain_text("A seat here is yours")
    friend.post(f"/v1/games/{game}/resignations")
    expect(page.locator(".table")).to_have_attribute("data-status", "over")
    assert [one for one in who.complaints if "401" not in one] == []


def test_a_name_that_holds_a_seat_is_not_given_away(service: Running, browser: Browser) -> None:
    who, _, game = sits(service, browser)
    page = who.page
    before = kept(who)
    other = page.context.new_page()  # in another window, too, and where the seat was taken meanwhile
    other.goto(service.url)
    other.route("**/v1/me/games?status=*", lambda route: route.fulfill(json={"items": [], "next": None}))
    other.locator(".top .name").click()
    expect(other.get_by_label("Name")).to_be_visible()
    other.unroute("**/v1/me/games?status=*")
    other.get_by_label("Name").fill("Astrid the Second")
    other.get_by_role("button", name="Play under this name").click()
    expect(other.get_by_role("alert").last).to_have_text("You hold a seat in a game that is not over.")
    page.locator(".top .name").click()
    shown = page.get_by_role("dialog")
    expect(shown).to_contain_text("Your seats belong to this name.")
    expect(shown.get_by_role("link", name="Claim")).to_have_attribute("href", f"#/games/{game}")
    expect(shown.get_by_label("Name")).to_have_count(0)
    assert who.violations() == []
    shown.get_by_role("button", name="Close").click()
    assert kept(who) == before
    expect(page.locator(".table")).to_have_attribute("data-yours", "true")
    page.get_by_role("button", name="Give up").click()
    shown.get_by_role("button", name="Give up").click()
    expect(page.locator(".table")).to_have_attribute("data-status", "over")
    page.locator(".top .name").click()
    shown.get_by_label("Name").fill("Astrid the Second")
    shown.get_by_role("button", name="Play under this name").click()
    expect(page.locator(".top .name")).to_have_text("Astrid the Second")
    expect(other.locator(".top .name")).to_have_text("Astrid the Second")
    expect(other.get_by_role("dialog")).to_have_count(0)
    assert who.complaints == []
