"""`examples/tafl` in the browser: a package's own screen, in a service that knows nothing of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.running import Running, serving
from tests.soon import soon

from .person import ASKED, Person
from .test_web_table import judge


@pytest.fixture(scope="module")
def tafl(installed_tafl: Path) -> Iterator[Running]:
    with serving(PYTHONPATH=str(installed_tafl)) as running:
        yield running


@pytest.mark.slow
def test_a_whole_game_on_the_board(tafl: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.goto(tafl.url)
    page.locator("[data-play=tafl]").click()
    page.wait_for_selector(ASKED, state="attached")
    expect(page.locator(".choose")).to_contain_text("Choose one of your men, and where it goes.")
    expect(page.locator(".board svg .piece")).to_have_count(24)
    judge(who, "tafl-begins")
    page.locator(".board g.king").hover(force=True)
    expect(page.locator(".explained")).to_contain_text("King Seat ")  # what its picture says of it
    page.keyboard.press("Escape")
    page.locator(".board .target[aria-label^=d1]").click()
    page.locator(".board .target[aria-label^=d2]").click()
    expect(page.locator(".choose")).to_contain_text("Move from d1 to d2.")
    who.plays(random.Random(3))
    page.wait_for_selector(".scores tbody tr")
    expect(page.locator(".result")).to_contain_text("It ended because")
    assert "undefined" not in page.locator("main").inner_text()
    judge(who, "tafl-result")
    assert who.complaints == []
    page.context.close()


FRENCH = "Choisis un de tes pions, et où il va."


@pytest.mark.parametrize(
    ("language", "asked"),
    soon([("fr", FRENCH), ("nl", "Kies een van je stukken, en waar het heen gaat.")], ("fr", FRENCH)),
)
def test_its_screen_speaks_other_languages(tafl: Running, browser: Browser, language: str, asked: str) -> None:
    page = browser.new_context(locale=language).new_page()
    page.goto(tafl.url)
    page.locator("[data-play=tafl]").click()
    expect(page.locator(".choose")).to_contain_text(asked)
    page.context.close()
