"""Whatever befalls a request on the way, a game with motion on goes on to its end, and no choice is lost or doubled."""

from __future__ import annotations

import random
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.running import Running

from .faults import BEGINNING, CHANGING, ENDING, LOADING, PLAYING, Fault, Stubborn, faults
from .person import ASKED, Person
from .test_web_life import Friend

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GAMES = ["claim", "drakkars", "eketorp"]


def meets_friends(who: Stubborn, service: Running, ruleset: str) -> None:
    """A game with two friends, who choose when all else has been done."""
    who.friends = [Friend(service, "Dagny"), Friend(service, "Ketil")]
    game = who.friends[0].post("/v1/games", ruleset=ruleset, seats=3)["id"]
    who.friends[1].post(f"/v1/games/{game}/seats", seat=1)
    who.page.goto(f"{service.url}/#/games/{game}")
    who.page.get_by_role("button", name="Sit down").click()


PASSING = {
    "the style": "aborted",
    "the script of games": "503",
    "the game's screen": "aborted",
    "the first picture": "500",
    "the game's facts": "cut",
}


def test_faults_that_pass_leave_no_trace(service: Running, browser: Browser) -> None:
    who = Stubborn.arrives(browser, motion=True)
    page = who.page
    who.begins(service.url, "claim")
    with ExitStack() as stack:
        found = [stack.enter_context(Fault(*one).armed(page)) for one in PASSING.items()]
        page.reload()
        page.wait_for_selector(ASKED, state="attached")
    assert all(one.hit for one in found)
    expect(page.locator(".choose .ask")).to_have_text("Place two of your pieces on free points.")  # its own screen
    expect(page.locator(".board .target").first).to_be_attached()
    expect(page.locator("button").first).to_have_css("border-top-left-radius", "10px")
    with Fault("a choice", "cut").armed(page) as lost:
        who.chooses(random.Random(1))
    assert lost.hit
    who.plays_through(random.Random(1), [], whole=False)
    who.keeps_its_word()


def test_a_page_whose_script_does_not_come_says_so(service: Running, browser: Browser) -> None:
    page = Person.arrives(browser).page
    with Fault("the script of the page", "aborted").armed(page):
        page.goto(service.url)
    said = page.get_by_text("The page has not come whole: load it again.")
    expect(said).to_be_hidden()  # it may come yet
    page.evaluate("() => document.getAnimations().forEach((one) => one.finish())")
    expect(said).to_be_visible()
    page.reload()
    expect(page.locator(".pick").first).to_be_visible()
    expect(said).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", GAMES)
def test_a_game_with_a_fault_at_each_choice(service: Running, browser: Browser, ruleset: str) -> None:
    begin = GAMES.index(ruleset)
    sealed = ruleset == "eketorp"
    queue = [*faults(LOADING, begin), *faults(PLAYING, begin, 2), *(faults(CHANGING, begin, 5) if sealed else [])]
    random.Random(ruleset).shuffle(queue)
    all_of_them, whole = list(queue), True
    while queue:
        who = Stubborn.arrives(browser, motion=True)
        if sealed:
            meets_friends(who, service, ruleset)
        else:
            who.begins(service.url, ruleset)
        who.plays_through(random.Random(ruleset), queue, whole=whole)
        who.keeps_its_word()
        who.page.context.close()
        whole = False
    print(*(f"{one.kind}, {one.way}: {one.hit}" for one in all_of_them), sep="\n")
    assert all(one.hit for one in all_of_them)


@pytest.mark.slow
@pytest.mark.parametrize("fault", faults({**BEGINNING, **ENDING}, 0, 5), ids=lambda one: f"{one.kind}, {one.way}")
def test_a_fault_at_the_beginning_or_the_end(service: Running, browser: Browser, fault: Fault) -> None:
    who = Stubborn.arrives(browser, motion=True)
    with fault.armed(who.page):
        who.begins(service.url, "claim")
        who.chooses(random.Random(1))
        who.plays_through(random.Random(1), [], whole=False)
        who.page.wait_for_selector(".fair", state="attached")
        who.page.unroute_all(behavior="wait")  # it may still be late
    assert fault.hit
    assert len(who.asks("/v1/me/games")["items"]) == 1
    who.keeps_its_word()
