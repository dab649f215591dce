"""All pages, and the questions of whole games, on a usual and on a small telephone, in each language: nothing leaves
its box or the page, what is to be pressed is large enough and lies under nothing, and the question is in sight."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.e2e.running import Running
from tests.soon import soon

from .narrow import covered, out_of_sight, spills
from .person import ASKED, ASKED_OR_OVER, Person
from .test_web_life import Friend
from .test_web_phone import FINGER, GAMES, LAID_OUT, PRESSED

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES = {"usual": ViewportSize(width=390, height=844), "small": ViewportSize(width=320, height=568)}
SOME, ALL = 4, 500
"""Questions of a game: enough for each run, and more than a whole one has."""
OFTEN = 12
"""So often a question is judged whose kind has been judged already."""


def holds(browser: Browser, size: str, locale: str) -> Person:
    return Person.arrives(browser, means="touch", viewport=SIZES[size], locale=locale)


def judge(who: Person, where: str) -> None:
    who.page.evaluate(LAID_OUT)
    beside = PRESSED.replace(", .board .reach", "")  # places of the board may lie over each other: the nearest is meant
    found = [*who.too_small(FINGER, PRESSED), *who.cut_off(), *spills(who.page), *covered(who.page, beside)]
    assert found == [], where


@pytest.mark.parametrize(
    ("size", "locale"),
    soon([("usual", "nl"), ("usual", "fr"), ("small", "fr"), ("small", "nl"), ("small", "en")], ("usual", "nl")),
)
def test_all_pages_fit(service: Running, browser: Browser, size: str, locale: str) -> None:
    friend = Friend(service, "Dagny of the very long fjord beyond the")
    game = friend.post("/v1/games", ruleset="claim", seats=2)["id"]
    Friend(service, "Ketilbjornssonarsteinsfjordhelgasonsens").post(f"/v1/games/{game}/seats", seat=1)
    friend.post(f"/v1/games/{game}/resignations")
    me = friend.get("/v1/me")["player"]
    who = holds(browser, size, locale)
    page = who.page
    page.goto(service.url)
    page.wait_for_selector(".games a")
    judge(who, "the lobby")
    for game_of in GAMES:
        page.goto(f"{service.url}/#/learn/{game_of}")
        page.wait_for_selector(".coach p")
        page.wait_for_selector(".board svg")
        judge(who, f"the first game of {game_of}")
        page.goto(f"{service.url}/#/new/{game_of}")
        page.wait_for_selector("form")
        judge(who, f"a new game of {game_of}")
    pages = [f"players/{me}", "leaderboards", "tournaments", "tournaments/new", "account", f"games/{game}"]
    for name in [
        *pages,
        f"games/{game}/replay",
        f"games/{friend.post('/v1/games', ruleset='drakkars', seats=2)['id']}",
    ]:
        page.goto(f"{service.url}/#/{name}")
        page.wait_for_selector("main h1")
        page.wait_for_function("() => !document.querySelector('.table') || document.querySelector('.board svg')")
        judge(who, name)
    assert who.complaints == []


def test_scores_in_lists_are_not_broken_into_lines(service: Running, browser: Browser) -> None:
    """Where lists stand side by side and are narrow."""
    friend = Friend(service, "Ketil Flatnose")
    game = friend.post("/v1/games", ruleset="claim", seats=2)["id"]
    Friend(service, "Dagny Elfgrim").post(f"/v1/games/{game}/seats", seat=1)
    friend.post(f"/v1/games/{game}/resignations")
    page = Person.arrives(browser, viewport=ViewportSize(width=890, height=800)).page
    page.goto(service.url)
    page.wait_for_selector(".sitting b")
    page.eval_on_selector_all(".sitting b", "scores => scores.forEach((one) => { one.textContent = '49'; })")
    assert spills(page) == []


@pytest.mark.parametrize(
    ("size", "locale", "most"),
    [
        ("usual", "fr", SOME),
        *(
            pytest.param(*each, ALL, marks=[pytest.mark.slow, pytest.mark.timeout(1200)])
            for each in (("usual", "fr"), ("small", "nl"), ("small", "en"))
        ),
    ],
)
@pytest.mark.parametrize("ruleset", soon(GAMES, "eketorp"))
def test_all_questions_of_a_game_fit(
    service: Running, browser: Browser, ruleset: str, size: str, locale: str, most: int
) -> None:
    who, rng = holds(browser, size, locale), random.Random(f"{ruleset} {size}")
    page = who.page
    page.goto(service.url)
    page.locator(f"[data-play={ruleset}]").tap()
    page.wait_for_selector(ASKED, state="attached")
    page.wait_for_selector(".board svg")
    judged: set[str] = set()
    for n in range(most):
        page.wait_for_selector(ASKED_OR_OVER, state="attached")
        if page.locator(".result").count():
            break
        asked = page.locator(".choose .ask").first.text_content() or ""
        kind, where = re.sub(r"\d+|\b\w*[A-Z]\w*\b", "", asked), f"question {n}: {asked}"
        page.evaluate(LAID_OUT)
        if size == "usual":  # there all has room
            assert out_of_sight(page) == [], where
        fresh = kind not in judged or n % OFTEN == 0
        judged.add(kind)
        if fresh:
            judge(who, where)
        steps = page.locator(
            ".choose .options:not(.small) button:enabled, .choose .errands button:enabled, .board .target:not(.on)"
        )
        steps.nth(rng.randrange(steps.count())).tap()
        page.evaluate(LAID_OUT)
        if page.locator(ASKED).count():
            assert [one for one in out_of_sight(page) if "Undo" in one] == [], where
            if fresh:
                judge(who, f"{where}, a step further")
        who.chooses(rng)
    if most == ALL:
        judge(who, "the end")
        assert page.locator(".result").count() == 1
    assert who.complaints == []


@pytest.mark.parametrize("size", soon(SIZES, "usual"))
def test_the_menu_leads_everywhere(service: Running, browser: Browser, size: str) -> None:
    who = holds(browser, size, "en")
    page = who.page
    page.goto(service.url)
    page.locator("[data-play=claim]").tap()
    page.wait_for_selector(ASKED, state="attached")
    menu, links = page.get_by_role("button", name="Menu"), page.locator("#links a")
    menu.tap()
    expect(menu).to_have_attribute("aria-expanded", "true")
    page.evaluate(LAID_OUT)
    assert (who.too_small(FINGER, "#links a, .menu"), who.cut_off(), who.violations()) == ([], [], [])
    assert covered(page, "#links a") == []
    told = [one.text_content() for one in links.all()]
    assert told == ["To the lobby", "New game", "Tournaments", "Leaderboards", "Your profile", "Your account"]
    page.keyboard.press("Escape")
    expect(links.first).to_be_hidden()
    expect(menu).to_be_focused()
    pages = (("Leaderboards", "leaderboards"), ("Your account", "account"), ("Tournaments", "tournaments"))
    for name, address in pages:
        menu.tap()
        page.locator("#links").get_by_role("link", name=name).tap()
        expect(page).to_have_url(f"{service.url}/#/{address}")
        page.wait_for_selector("main h1")
        expect(links.first).to_be_hidden()
    menu.tap()
    page.go_back()
    expect(page).to_have_url(f"{service.url}/#/account")
    expect(links.first).to_be_hidden()
    page.wait_for_selector("main h1")
    menu.tap()
    page.touchscreen.tap(SIZES[size]["width"] - 4, SIZES[size]["height"] - 4)  # beside it
    expect(links.first).to_be_hidden()
    assert who.complaints == []


@pytest.mark.parametrize("size", SIZES)
def test_a_long_choice_is_read_whole_and_the_board_leads_to_all_of_it(
    service: Running, browser: Browser, size: str
) -> None:
    who = holds(browser, size, "en")
    page = who.page
    page.goto(service.url)
    page.locator("[data-play=eketorp]").tap()
    page.wait_for_selector(ASKED, state="attached")
    turn = "one => getComputedStyle(one, '::before').content"
    assert page.locator(".choose").evaluate(turn) == '"It is your turn."'
    further = page.get_by_role("button", name="More of the board")
    below = """() => document.querySelector(".board .target[data-place='3:ram']").getBoundingClientRect().bottom
      > document.querySelector(".board").getBoundingClientRect().bottom"""
    assert page.evaluate(below)
    for _ in range(9):
        if page.evaluate(below):
            further.tap()
    assert not page.evaluate(below)
    expect(further).to_be_hidden()
    for place in ("3:ram", "3:boat", "3:catapult"):
        page.locator(f".board .target[data-place='{place}']").tap()
    will = page.locator(".choose .will")
    expect(will).to_contain_text("1 to the ram at the village of")
    assert will.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    judge(who, "a long choice")
    page.get_by_role("button", name="Confirm").tap()
    expect(page.locator(".choose[data-turn='It is your turn.'] .ask")).not_to_contain_text("errands")
