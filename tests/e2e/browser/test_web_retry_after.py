"""What the web table makes of a service that asks it to come later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.running import Running

from .person import ARRIVED, Person

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FORMS: list[tuple[str | None, float, float]] = [
    ("7", 7, 7),
    (" 90 ", 90, 90),
    ("0", 0, 0),
    ("99999999", 600, 600),  # a timer of more than 24 days would ring at once
    ("9" * 400, 600, 600),
    ("Infinity", 0, 0),
    ("1e9", 0, 600),
    ("-7", 0, 0),
    ("soon", 0, 0),
    ("", 0, 0),
    (None, 0, 0),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 0, 0),
    ("Fri, 01 Jan 2100 00:00:00 GMT", 600, 600),
]


@pytest.fixture(scope="module")
def who(service: Running, browser: Browser) -> Person:
    who = Person.arrives(browser)
    ARRIVED.remove(who)  # all tests of the module are this person's
    who.page.goto(service.url)
    return who


@pytest.mark.parametrize(("written", "least", "most"), FORMS)
def test_it_waits_as_long_as_it_is_asked_to_up_to_ten_minutes(
    who: Person, written: str | None, least: float, most: float
) -> None:
    found = who.page.evaluate(
        "async (written) => (await import(document.scripts[0].src.replace('app.js', 'api.js'))).asked(written)", written
    )
    assert least <= found <= most


def test_it_waits_for_half_a_minute_if_a_date_says_so(who: Person) -> None:
    date = who.page.evaluate("() => new Date(Date.now() + 31000).toUTCString()")
    found = who.page.evaluate(
        "async (written) => (await import(document.scripts[0].src.replace('app.js', 'api.js'))).asked(written)", date
    )
    assert 25 < found <= 31
