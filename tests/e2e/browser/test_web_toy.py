"""The toy game of the tests in the browser, with its own screen and with its rules alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests import games
from tests.e2e.running import serving

from .person import ASKED, Person
from .test_web_table import judge


@pytest.mark.parametrize("way", games.WAYS)
def test_a_whole_game(tmp_path: Path, browser: Browser, way: tuple[str, bool]) -> None:
    how, whole = way
    there = games.bring(tmp_path, how, whole=whole)
    with serving(code=there.folder, **there.environ) as running:
        who = Person.arrives(browser)
        page = who.page
        page.goto(running.url)
        page.wait_for_function("() => [...document.querySelectorAll('.pick img')].every((one) => one.naturalWidth)")
        page.locator("[data-play=toy]").click()
        page.wait_for_selector(ASKED, state="attached")
        if whole:
            expect(page.locator(".choose")).to_contain_text("Which card do you play?")
            expect(page.locator(".board svg")).not_to_have_css("max-height", "none")  # its style is there
        else:
            expect(page.locator(".choose .ask")).to_have_text("Choose: play (round 0).")
            expect(page.locator(".inwords")).to_be_visible()  # for its picture is as good as empty
        judge(who, f"toy-{'whole' if whole else 'rules'}-begins")
        who.plays(random.Random(1))
        page.wait_for_selector(".scores tbody tr")
        expect(page.locator(".result")).to_contain_text("It ended because")
        assert "undefined" not in page.locator("main").inner_text()
        assert ("All show their cards" if whole else "Revealed (cards ") in page.locator(".feed").inner_text()
        page.get_by_role("button", name="Rules").click()
        expect(page.get_by_role("dialog")).to_contain_text("T1" if whole else "not told here")
        page.get_by_role("dialog").get_by_role("button", name="Close").click()
        page.locator(".result a", has_text="Watch it again").click()
        page.wait_for_selector("input[type=range]")
        expect(page.locator(".combats h2")).to_have_text("Combat 3")
        assert who.complaints == []
        page.context.close()
