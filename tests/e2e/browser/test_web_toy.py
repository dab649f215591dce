"""The toy game of the tests in the browser, with its own screen and with its rules alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests import games
from tests.e2e.running import serving

from .person import ASKED, Person


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "rules alone"])
def test_a_whole_game(tmp_path: Path, browser: Browser, whole: bool) -> None:
    folder = games.install(tmp_path / "toy", whole=whole)
    with serving(PYTHONPATH=str(folder)) as running:
        who = Person.arrives(browser)
        page = who.page
        page.goto(running.url)
        page.locator("[data-play=toy]").click()
        page.wait_for_selector(ASKED, state="attached")
        if whole:
            expect(page.locator(".choose")).to_contain_text("Which card do you play?")
        who.plays(random.Random(1))
        page.wait_for_selector(".scores tbody tr")
        expect(page.locator(".result")).to_contain_text("It ended because")
        assert "undefined" not in page.locator("main").inner_text()
        assert who.complaints == []
        page.context.close()
