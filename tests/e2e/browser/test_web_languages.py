"""The web table speaks the browser's language, or the one that is chosen on it."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from holmgang.languages.catalogue import translation
from tests.e2e.running import Running
from tests.soon import soon

from .person import Person

PHONE = ViewportSize(width=380, height=760)


def speaker(browser: Browser, locale: str) -> Person:
    """Somebody whose browser asks for a language."""
    page = browser.new_context(viewport=PHONE, reduced_motion="reduce", locale=locale).new_page()
    page.set_default_timeout(20_000)
    who = Person(page)
    page.on("console", lambda told: who._complain(told.type, told.text))
    page.on("pageerror", lambda fault: who.complaints.append(f"error: {fault}"))
    return who


@pytest.mark.parametrize(
    ("title", "language"),
    soon([("Claim", "nl"), ("Drakkars", "fr"), ("Eketorp", "nl")], ("Drakkars", "fr")),
)
def test_the_table_speaks_the_browsers_language(service: Running, browser: Browser, title: str, language: str) -> None:
    def said(message: str, **values: str) -> str:
        return translation(message, language, "web").format_map(values)

    who = speaker(browser, f"{language}-BE")
    page, rng = who.page, random.Random(3)
    page.goto(service.url)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("#skip")).to_have_text(said("Skip to the content"))
    assert who.cut_off() == []
    page.get_by_role("button", name=said("Play {title} against bots", title=title)).click()
    expect(page.locator(".table")).to_have_attribute("data-status", "active")
    expect(page.locator(".board svg")).to_have_attribute("lang", language)
    expect(page.locator(".inwords")).to_have_attribute("lang", language)
    name = page.locator(".top .name").inner_text()
    expect(page.locator(".inwords")).to_contain_text(name)
    expect(page.locator(".inwords")).not_to_contain_text({"fr": "place 1", "nl": "plaats 1"}[language])
    for _ in range(2):
        page.wait_for_selector(".table[data-yours='true'] .choose")
        assert who.cut_off() == []
        who.chooses(rng)
    page.get_by_role("button", name=said("Rules"), exact=True).first.click()
    expect(page.get_by_role("dialog")).to_contain_text({"fr": "a gagné", "nl": "gewonnen"}[language])
    rules = page.locator("dialog .rules").inner_html()  # with its few marks of Markdown made into elements
    assert "<em>" in rules
    assert "<code>" in rules
    assert not set("*`") & set(re.sub("<code>.*?</code>", "", rules))
    who.look(f"{title.lower()}-{language}")
    assert who.violations() == []
    assert who.complaints == []


def test_another_language_is_chosen_on_the_page_and_kept(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.goto(service.url)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_label("Language").select_option("nl")
    expect(page.locator("html")).to_have_attribute("lang", "nl")
    page.goto(f"{service.url}/#/games/0192f0c1-0000-7000-8000-000000000000")
    expect(page.get_by_role("heading", name="Hier is niets")).to_be_visible()
    expect(page.locator("#main")).to_contain_text("Er is geen spel '0192f0c1-0000-7000-8000-000000000000'.")
    page.get_by_label("Taal").select_option("en")
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
