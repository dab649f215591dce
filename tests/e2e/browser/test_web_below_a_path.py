"""The web table below a path of its host, behind a proxy that takes the path off."""

from __future__ import annotations

import random
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.test_below_a_path import BELOW, Place, below_a_path

from .person import ASKED, Person


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with below_a_path() as place:
        yield place


@pytest.mark.slow
@pytest.mark.parametrize("end", ["/", ""])
def test_a_game_is_played_to_its_end(place: Place, browser: Browser, end: str) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.goto(place.url + end)
    page.locator("[data-play=claim]").click()
    page.wait_for_selector(ASKED, state="attached")
    page.wait_for_function("() => document.querySelector('.top img').naturalWidth > 0")
    who.plays(random.Random(end))
    page.locator(".result a", has_text="Watch it again").click()
    page.wait_for_selector("input[type=range]")
    page.wait_for_selector(".board svg")
    assert who.complaints == []
    assert [url for url in who.requested if not url.startswith(f"{place.url}/") and url != place.url] == []


def test_an_invitation_made_at_the_table_opens_it_for_somebody_else(place: Place, browser: Browser) -> None:
    host, guest = Person.arrives(browser), Person.arrives(browser)
    host.page.goto(f"{place.url}/#/new/claim")
    host.page.locator("select[name=visibility]").select_option("private")
    host.page.get_by_role("button", name="Create the game").click()
    host.page.get_by_role("button", name="Invite").click()
    link = host.page.get_by_label("Invitation link").input_value()
    assert link.startswith(f"{place.url}/games/")
    guest.page.goto(link)
    expect(guest.page.locator(".seats")).to_be_visible()
    assert guest.page.url == f"{place.url}/#/games/{link.partition('#')[0].rpartition('/')[2]}"
    guest.page.get_by_role("button", name="Sit down").click()
    expect(host.page.locator(".table")).to_have_attribute("data-status", "active")
    assert host.complaints + guest.complaints == []


def test_what_is_kept_is_not_shown_to_another_service_of_the_host(place: Place, browser: Browser) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.goto(f"{place.url}/")
    expect(page.locator(".lists .panel").first).to_be_visible()
    page.evaluate(
        "() => localStorage.setItem('holmgang.me', JSON.stringify({id: 'x', name: 'Gone', token: 'hg_gone'}))"
    )
    page.reload()
    page.locator("[data-play=claim]").click()
    page.wait_for_selector(ASKED, state="attached")
    kept = page.evaluate("() => Object.fromEntries(Object.entries(localStorage))")
    assert "hg_gone" in kept.pop("holmgang.me")
    assert f"holmgang.me {BELOW}/" in kept
    assert [key for key in kept if not key.endswith(f" {BELOW}/")] == []


def test_the_reference_leads_to_pages_of_problems(place: Place, browser: Browser) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.goto(f"{place.url}/docs")
    page.get_by_role("link", name="Problems", exact=True).click()
    page.locator("a", has_text="not_found").first.click()
    expect(page.get_by_role("heading", name="What to do")).to_be_visible()
    assert page.url == f"{place.url}/problems/not_found"
    served = httpx.get(f"{place.url}/openapi.json").json()["servers"][0]["url"]
    assert httpx.get(f"{served}/v1/rulesets").status_code == 200
