"""A person's path through a game in the browser, from one click to the final score, and what the page is like on it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.e2e.running import Running

from .person import ASKED, DESKTOP, PHONE, Person
from .seen import secrets, secrets_drawn

GAMES = ["claim", "drakkars", "eketorp"]
EACH_TIME = [GAMES[0], *(pytest.param(game, marks=pytest.mark.slow) for game in GAMES[1:])]
"""The others have tests of their own, in which they are not played to the end."""
"""Whose whole path is walked."""
Screen = tuple[Literal["light", "dark"], str, ViewportSize]
EACH_SCREEN: tuple[Screen, ...] = tuple(
    (scheme, form, size) for scheme in ("light", "dark") for form, size in (("desktop", DESKTOP), ("phone", PHONE))
)
EITHER: tuple[Screen, ...] = (EACH_SCREEN[0], EACH_SCREEN[-1])
"""Both colours and both sizes: a light desktop and a dark telephone. The other two are for the slow tests."""
SCREENS = pytest.mark.parametrize(
    "screens", [pytest.param(EITHER, id="either"), pytest.param(EACH_SCREEN, id="each", marks=pytest.mark.slow)]
)


def judge(who: Person, name: str, screens: Sequence[Screen] = EITHER) -> None:
    """The page as it stands, on every screen."""
    page = who.page
    before = page.viewport_size
    for scheme, form, size in screens:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size(size)
        who.look(f"{name}-{form}-{scheme}")
        assert who.violations() == [], f"{name}, {form}, {scheme}"
        assert who.cut_off() == [], f"{name}, {form}, {scheme}"
        assert who.too_small() == [], f"{name}, {form}, {scheme}"
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    if before is not None:
        page.set_viewport_size(before)


@SCREENS
@pytest.mark.parametrize("ruleset", EACH_TIME)
def test_from_one_click_to_the_final_score(
    service: Running, browser: Browser, ruleset: str, screens: Sequence[Screen]
) -> None:
    who = Person.arrives(browser)
    page, rng = who.page, random.Random(ruleset)
    page.goto(service.url)
    page.wait_for_selector(".pick")
    page.locator(f"[data-play={ruleset}]").click()
    page.wait_for_selector(ASKED, state="attached")
    assert "It is your turn" in page.locator(".status").inner_text()
    judge(who, f"{ruleset}-begins", screens)
    own = page.evaluate("() => JSON.parse(localStorage.getItem('holmgang.me'))")
    who.plays(rng)
    assert page.locator(".scores tbody tr").count() >= 2
    assert page.locator(".scores .own").inner_text().split()[-1].lstrip("-").isdigit()
    judge(who, f"{ruleset}-result", screens)
    page.locator(".result a", has_text="Watch it again").click()
    page.wait_for_selector("input[type=range]")
    page.wait_for_selector(".board svg")
    if ruleset == GAMES[0]:
        earlier = page.locator(".combats button", has_text="Earlier")
        earlier.press("Enter")
        expect(earlier).to_be_focused()  # though the combat is another one
        page.locator(".combats button", has_text="Later").press("Enter")
        expect(earlier).to_be_focused()  # there is no later one
        earlier.click()
        at = page.locator("input[type=range]").input_value()
        page.locator(".combats [data-about=scene]").click()  # the words are of another moment than the board
        expect(page.locator("input[type=range]")).not_to_have_value(at)
    last = page.locator("input[type=range]").get_attribute("max")
    page.locator("input[type=range]").press("Home")
    page.wait_for_function("() => location.hash.endsWith('/replay/0')")
    page.locator("input[type=range]").press("ArrowRight")
    page.wait_for_function("() => location.hash.endsWith('/replay/1')")
    if ruleset == GAMES[0]:  # the page is the same for all
        judge(who, "replay", screens)
    assert int(last or 0) > 10
    assert who.complaints == []
    assert {urlsplit(url).netloc for url in who.requested} == {urlsplit(service.url).netloc}
    bodies = list(who.bodies())
    told = (got for got, body in bodies if isinstance(body, dict) and body.get("status") == "over")
    end = next(got.version for got in told if got.version >= 0)
    over = False
    for got, body in bodies:
        over = over or (isinstance(body, dict) and body.get("status") == "over")
        if "svg" in got.kind:
            # A picture of the end may come before the first answer that says so.
            assert over or got.version >= end or list(secrets_drawn(body, 0)) == [], got.url
        else:
            assert list(secrets(body, 0, over=over)) == [], got.url
            assert own["token"] not in got.text or got.url.endswith("/v1/players")
    assert sum("/turn?" in got.url for got, _ in who.bodies()) > 5
    page.context.close()


def test_the_lobby(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    who.page.goto(service.url)
    who.page.wait_for_selector(".lists .panel")
    judge(who, "lobby", EACH_SCREEN)
    who.page.goto(f"{service.url}/#/new")
    who.page.wait_for_selector("form.form")
    judge(who, "new", EACH_SCREEN)
    assert who.complaints == []
    who.page.context.close()


SHIFTED = """() => new Promise((told) => {
  let sum = 0;
  const add = (list) => { for (const one of list.getEntries()) sum += one.value; };
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => told(sum)));
})"""
"""How far what was seen has moved by itself, as browsers measure it; below 0.1 is good."""


def test_whoever_is_waited_for_sees_it_first(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser, means="touch", viewport={"width": 390, "height": 844})
    page = who.page
    page.goto(service.url)
    page.wait_for_selector(".lists .panel")
    expect(page.locator(".calls")).to_have_count(0)
    page.locator("[data-play=claim]").tap()
    page.wait_for_selector(ASKED, state="attached")
    game = page.url
    page.goto(f"{service.url}/#/")
    page.reload()
    call = page.locator(".calls a")
    expect(call).to_have_text("Your turn in Claim")
    box = call.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["y"] + box["height"] < 400, "it is in the upper half of the first screen"
    assert page.evaluate(SHIFTED) < 0.1
    call.tap()
    expect(page).to_have_url(game)
    page.wait_for_selector(ASKED, state="attached")
    assert who.complaints == []
