"""The table on a telephone: what is pressed is as large as a finger, the board stays in sight, and it is installed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.e2e.running import Running
from tests.soon import soon

from .narrow import out_of_sight
from .person import ASKED, Person
from .test_web_life import Friend

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SMALL = ViewportSize(width=390, height=844)
FINGER = 44
PRESSED = "button, .button, input, select, textarea, summary, nav a, .brand, .pick a, .games a, a.moment, .board .reach"
"""All that is pressed, but links within sentences."""
LAID_OUT = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
GAMES = ["claim", "drakkars", "eketorp"]


def holds(browser: Browser) -> Person:
    """Somebody with a telephone in their hand."""
    return Person.arrives(browser, viewport=SMALL, has_touch=True, is_mobile=True)


def fits(who: Person, where: str) -> None:
    who.page.evaluate(LAID_OUT)
    assert who.too_small(FINGER, PRESSED) == [], where
    assert who.cut_off() == [], where
    assert who.violations() == [], where


def plays(who: Person, service: Running, ruleset: str) -> Page:
    page = who.page
    page.goto(service.url)
    page.locator(f"[data-play={ruleset}]").tap()
    page.wait_for_selector(ASKED, state="attached")
    page.wait_for_selector(".board svg")
    return page


def test_all_pages_are_made_for_fingers(service: Running, browser: Browser) -> None:
    friend = Friend(service, "Dagny")
    game = friend.post("/v1/games", ruleset="claim", seats=2)["id"]
    Friend(service, "Ketil").post(f"/v1/games/{game}/seats", seat=1)
    friend.post(f"/v1/games/{game}/resignations")
    who = holds(browser)
    page = who.page
    page.goto(service.url)
    page.wait_for_selector(".games a")
    fits(who, "the lobby")
    page.locator(".top .name").tap()
    fits(who, "the dialog about one's name")
    page.keyboard.press("Escape")
    page.goto(f"{service.url}/#/new/drakkars")
    page.wait_for_selector("form")
    fits(who, "a new game")
    for name in ("leaderboards", "tournaments", "tournaments/new", "account"):
        page.goto(f"{service.url}/#/{name}")
        page.wait_for_selector("main h1")
        fits(who, name)
    page.goto(f"{service.url}/#/games/{game}")
    page.wait_for_selector(".result")
    fits(who, "a result")
    page.goto(f"{service.url}/#/games/{game}/replay")
    page.wait_for_selector("input[type=range]")
    page.wait_for_selector(".board svg")
    fits(who, "a replay")
    page.get_by_role("button", name="Rules").tap()
    page.get_by_role("dialog").locator("summary").tap()
    fits(who, "the rules")


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_board_stays_in_sight(service: Running, browser: Browser, ruleset: str) -> None:
    who = holds(browser)
    page = plays(who, service, ruleset)
    board, choose = page.locator(".board"), page.locator(".choose")
    fits(who, ruleset)
    tops = page.evaluate("() => ['.board', '.choose', '.status', '.feed'].map((one) =>"
                         " document.querySelector(one).getBoundingClientRect().top)")  # fmt: skip
    assert tops == sorted(tops)
    assert tops[0] < 200  # nothing but a line each for the house and the game, and the offer to learn it, is above it
    page.evaluate("() => window.scrollTo(0, document.documentElement.scrollHeight)")
    box = board.bounding_box()
    assert box is not None
    assert page.evaluate("() => window.scrollY") > 0
    assert box["y"] == 0
    assert 300 < box["height"] < SMALL["height"] * 0.53
    page.evaluate("() => window.scrollTo(0, 0)")
    choose.locator(".errands button:enabled, summary").last.focus()  # what has the focus does not lie below the board
    seen = choose.locator(":focus").bounding_box()
    under = board.bounding_box()
    assert seen is not None
    assert under is not None
    assert under["y"] + under["height"] <= seen["y"] + 1
    assert seen["y"] + seen["height"] <= SMALL["height"]
    assert who.complaints == []


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_game_begins_at_the_top_of_its_page(service: Running, browser: Browser, ruleset: str) -> None:
    """With its title and the offer to learn it above the board, and the question below that."""
    who = holds(browser)
    page = plays(who, service, ruleset)
    page.evaluate(LAID_OUT)
    assert page.evaluate("() => window.scrollY") == 0
    assert page.locator("h1").is_visible()
    assert page.locator(".firstlook").is_visible()
    assert out_of_sight(page) == []
    who.look(f"phone-{ruleset}-first")


def test_a_press_beside_places_is_meant_for_the_nearest(service: Running, browser: Browser) -> None:
    who = holds(browser)
    page = plays(who, service, "claim")
    for place, dx, dy in (("a1", 4, -21), ("i3", -3, -21)):  # above them is the sea
        box = page.locator(f".target[data-place={place}] .hit").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2 + dx, box["y"] + box["height"] / 2 + dy
        assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).getAttribute('class')", [x, y]) == "reach"
        page.touchscreen.tap(x, y)
        expect(page.locator(f".target.on[data-place={place}]")).to_be_visible()
    expect(page.locator(".choose .will")).to_have_text("Place pieces on a1 and i3.")


SHIFTS = """window.shifts = [];
const note = ({ value, sources }) => shifts.push([value, sources.map(({ node }) => node && node.className)]);
new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: 'layout-shift', buffered: true });
"""
GOOD_SHIFT = 0.1
"""All that moves while a page comes, by the measure of Web Vitals."""


@pytest.mark.parametrize("game", soon(GAMES, "claim"))
def test_nothing_jumps_while_a_table_comes(service: Running, browser: Browser, game: str) -> None:
    ident = Friend(service, "Dagny").post("/v1/games", ruleset=game, seats=3)["id"]
    for name in ("Eskil", "Torsten"):
        Friend(service, name).post(f"/v1/games/{ident}/seats")
    page = holds(browser).page
    page.add_init_script(SHIFTS)
    held: list[Route] = []
    page.route("**/board.svg*", lambda route: held.append(route))
    with page.expect_request("**/board.svg*"):
        page.goto(f"{service.url}/games/{ident}")
    page.evaluate(LAID_OUT)
    held[0].continue_()
    expect(page.locator(".board svg")).to_be_visible()
    expect(page.locator(".status")).to_be_visible()
    page.evaluate(LAID_OUT)
    assert sum(value for value, _ in page.evaluate("() => shifts")) < 0.1, page.evaluate(
        "() => shifts"
    )  # good, for Lighthouse


def test_the_table_is_installed(service: Running, browser: Browser) -> None:
    who = holds(browser)
    page = who.page
    page.goto(f"{service.url}/#/new")
    page.wait_for_selector("form")
    devtools = page.context.new_cdp_session(page)
    found = devtools.send("Page.getAppManifest")
    assert found["errors"] == []
    hindered = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {one["errorId"] for one in hindered} <= {"in-incognito"}  # as all are who come here
    manifest = httpx.URL(found["url"])
    told = json.loads(found["data"])
    assert manifest.join(told["start_url"]) == manifest.join(told["scope"]) == httpx.URL(f"{service.url}/")
    for icon in told["icons"]:
        answer = httpx.get(manifest.join(icon["src"]))
        assert answer.headers["content-type"].partition(";")[0] == icon["type"]
        if icon["sizes"] != "any":
            wide, high = (int.from_bytes(answer.content[at : at + 4]) for at in (16, 20))  # of a PNG's IHDR
            assert f"{wide}x{high}" == icon["sizes"]
    assert who.complaints == []
