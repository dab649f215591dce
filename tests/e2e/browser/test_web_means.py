"""Games to their end by mouse, by touch and by keyboard alone, on a desktop and on a telephone."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import ViewportSize

from tests.e2e.running import Running
from tests.soon import soon

from .person import ASKED, ASKED_OR_OVER, DESKTOP, Means, Person

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES = {"desktop": DESKTOP, "telephone": ViewportSize(width=390, height=844)}
FIRST = 2
"""So many choices are made each time that the tests run; whole games are for the slow ones."""
SEEN = ".combats:not([hidden]) .fight"


def sits_down(service: Running, browser: Browser, ruleset: str, means: Means, form: str) -> Person:
    who = Person.arrives(browser, means=means, viewport=SIZES[form])
    who.page.goto(service.url)
    who.page.wait_for_selector(".lists .panel")
    who.presses(who.page.locator(f"[data-play={ruleset}]"))
    who.page.wait_for_selector(ASKED, state="attached")
    return who


def looks(who: Person, name: str) -> None:
    who.look(name)
    assert who.violations() == [], name
    assert who.cut_off() == [], name


BY_TOUCH = ("drakkars", "touch", "telephone")


@pytest.mark.parametrize(
    ("ruleset", "means", "form"),
    soon([BY_TOUCH, ("eketorp", "keyboard", "desktop")], BY_TOUCH),
)
def test_choices_are_made_by_any_means(
    service: Running, browser: Browser, ruleset: str, means: Means, form: str
) -> None:
    who, rng = sits_down(service, browser, ruleset, means, form), random.Random(ruleset)
    for _ in range(FIRST):
        who.page.wait_for_selector(ASKED_OR_OVER, state="attached")
        who.chooses(rng)
    assert who.complaints == []


@pytest.mark.slow
@pytest.mark.parametrize("form", SIZES)
@pytest.mark.parametrize("means", ["mouse", "touch", "keyboard"])
@pytest.mark.parametrize("ruleset", ["claim", "drakkars", "eketorp"])
def test_a_game_comes_to_its_end(service: Running, browser: Browser, ruleset: str, means: Means, form: str) -> None:
    """Looked at when it begins, at the first fight, if there is one, and when it is over."""
    who, rng = sits_down(service, browser, ruleset, means, form), random.Random(f"{ruleset} {means} {form}")
    page, fought = who.page, False
    looks(who, f"{ruleset}-{form}-{means}-first")
    while page.locator(".result").count() == 0:
        who.chooses(rng)
        page.wait_for_selector(ASKED_OR_OVER, state="attached")
        if not fought and page.locator(SEEN).count():
            fought = True
            looks(who, f"{ruleset}-{form}-{means}-fight")
    looks(who, f"{ruleset}-{form}-{means}-end")
    assert page.locator(".scores tbody tr").count() >= 2
    assert who.complaints == []
