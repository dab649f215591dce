"""How people find each other at the web table: seeks, challenges, rematches, and what the lists show of terms."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Response, Route, ViewportSize, expect

from tests.e2e.running import Running
from tests.waiting import wait_until

from .person import DESKTOP, Person
from .test_web_life import Friend

PHONE = ViewportSize(width=390, height=844)


def id_of(who: Person) -> str:
    found: str = who.page.evaluate("() => JSON.parse(localStorage.getItem('holmgang.me')).id")
    return found


def sought_by(friend: Friend, player: str) -> list[Any]:
    return [one for one in friend.get("/v1/seeks")["items"] if one["player"]["id"] == player]


def looks_well(who: Person, name: str) -> None:
    """Light and dark, on a desk and on a telephone: nothing serious for axe, nothing cut off or too small."""
    page = who.page
    for colours in ("light", "dark"):
        page.emulate_media(color_scheme=colours)
        who.look(f"{name}-{colours}-1280")
        assert who.violations() == []
        page.set_viewport_size(PHONE)
        who.look(f"{name}-{colours}-390")
        assert (who.cut_off(), who.too_small()) == ([], [])
        page.set_viewport_size(DESKTOP)
    page.emulate_media(color_scheme="light")


def test_one_click_finds_people_and_who_leaves_looks_no_longer(service: Running, browser: Browser) -> None:
    friend, who = Friend(service, "Dagny"), Person.arrives(browser)
    page = who.page
    page.goto(service.url)
    page.locator("[data-seek=claim]").dblclick()
    waiting = page.locator(".seeking")
    expect(waiting).to_contain_text("Looking for people to play Claim with")
    expect(waiting).to_contain_text("5 min a turn · casual")
    looks_well(who, "lobby-seeking")

    me = id_of(who)

    def sought() -> list[Any]:
        return sought_by(friend, me)

    with page.expect_response(lambda answer: answer.request.method == "DELETE" and "/v1/seeks/" in answer.url):
        page.get_by_role("link", name="New game").click()
    assert sought() == []
    page.get_by_label("Time").select_option(label="a minute for a turn")
    page.get_by_label("It counts for the players' ratings").check()
    page.get_by_role("button", name="Find people to play it with").click()
    expect(waiting).to_contain_text("1 min a turn · rated")
    with page.expect_response(lambda answer: answer.request.method == "DELETE" and "/v1/seeks/" in answer.url):
        waiting.get_by_role("button", name="Stop looking").click()
    expect(waiting).to_be_empty()
    assert sought() == []
    page.locator("[data-seek=claim]").click()
    expect(waiting).to_contain_text("Looking for people")
    friend.post("/v1/seeks", ruleset="claim", seats=[2], turn_seconds=300)
    expect(page.locator(".table")).to_have_attribute("data-status", "active")
    page.get_by_role("link", name="Holmgang").click()
    with page.expect_response(lambda answer: answer.request.method == "GET" and "/v1/seeks/" in answer.url):
        page.locator("[data-seek=drakkars]").click()
    expect(waiting).to_contain_text("Drakkars")
    assert len(sought()) == 1
    page.goto("about:blank")  # the whole page is left
    wait_until(lambda: sought() == [], "the seek is withdrawn")
    assert who.complaints == []


@pytest.mark.slow
def test_whom_one_looks_for_is_limited_and_remembered(service: Running, browser: Browser) -> None:
    who = Person.arrives(browser)
    page = who.page
    page.goto(f"{service.url}/#/new/claim")
    fold = page.locator("details")
    expect(fold.get_by_label("Against whom")).to_be_hidden()
    fold.locator("summary").press("Enter")
    fold.get_by_label("How much weaker they may be").select_option("100")
    expect(fold).to_contain_text("Your rating is 1500. Rating at least 1400. The limits widen by 50 points a minute.")
    fold.get_by_label("How much stronger they may be").select_option("200")
    fold.get_by_label("Against whom").select_option("people")
    expect(fold).to_contain_text("Rating 1400 to 1700.")
    looks_well(who, "new-limits")
    posted: list[Any] = []

    def note(route: Route) -> None:
        if route.request.method == "POST":
            posted.append(json.loads(route.request.post_data or ""))
            route.continue_(post_data=json.dumps({**posted[-1], "expires_in": 5}))
        else:
            route.fallback()

    page.route("**/v1/seeks", note)

    def sought(answer: Response) -> bool:
        return answer.request.method == "POST" and answer.url.endswith("/v1/seeks")

    with page.expect_response(sought):
        page.get_by_role("button", name="Find people to play it with").click()
    expect(page.locator(".seeking")).to_contain_text("Rating 1400 to 1700. The limits widen by 50 points a minute.")
    with page.expect_response(sought):
        page.evaluate("() => { const now = Date.now; Date.now = () => now() + 125000; }")
    names = ("wanted", "rating_below", "rating_above", "rating_widens")
    assert [posted[0][name] for name in names] == ["people", 100, 200, 50]
    assert [posted[-1][name] for name in names] == ["people", 200, 300, 50]  # it goes on as wide as it was
    looks_well(who, "lobby-seeking-limits")
    page.goto(f"{service.url}/#/new/drakkars")
    expect(fold.get_by_label("How much weaker they may be")).to_have_value("100")
    fold.get_by_label("How much weaker they may be").select_option("")
    expect(fold).to_contain_text("Rating at most 1700.")
    assert who.complaints == []


def test_the_lobby_is_narrowed_down_by_its_address(service: Running, browser: Browser) -> None:
    friend, who = Friend(service, "Vermund"), Person.arrives(browser)
    page = who.page
    names = {"claim": "Claim", "drakkars": "Drakkars"}
    for ruleset in names:
        friend.post("/v1/games", ruleset=ruleset, seats=2, rated=True, turn_seconds=600)
    page.goto(f"{service.url}/#/?game=claim&rated=true")
    lines = page.locator("section", has=page.get_by_role("heading", name="Open games")).locator("li")
    expect(lines.filter(has_text="Vermund")).to_have_count(1)
    expect(lines.filter(has_text="Vermund")).to_contain_text("1500")  # how strong who waits is
    expect(page.locator(".filters [name=game]")).to_have_value("claim")
    page.locator(".filters [name=game]").select_option("drakkars")
    expect(page).to_have_url(f"{service.url}/#/?game=drakkars&rated=true")
    expect(lines.filter(has_text="Vermund")).to_contain_text("Drakkars")
    page.get_by_role("link", name="New game").click()
    page.get_by_role("link", name="Holmgang").click()
    expect(page).to_have_url(f"{service.url}/#/?game=drakkars&rated=true")  # as it was left
    looks_well(who, "lobby-narrowed-down")
    page.locator(".filters").get_by_role("button", name="Show all").press("Enter")
    expect(page).to_have_url(f"{service.url}/#/")
    expect(lines.filter(has_text="Vermund")).to_have_count(2)
    expect(page.locator(".filters").get_by_role("button", name="Show all")).to_be_hidden()
    assert who.complaints == []


def sooner(route: Route) -> str:
    """What a first seek says, which is short, but that it ends sooner still."""
    asked = json.loads(route.request.post_data or "")
    assert asked["expires_in"] == 10
    return json.dumps({**asked, "expires_in": 5})


def test_a_seek_goes_with_a_page_that_was_left_before_it_knew_of_it(service: Running, browser: Browser) -> None:
    friend, who = Friend(service, "Gudrun"), Person.arrives(browser)
    page = who.page
    page.goto(service.url)

    def answer_late(route: Route) -> None:
        if route.request.method == "POST":
            route.fetch(post_data=sooner(route))  # heard by the service, and not by the page
        else:
            route.continue_()

    page.route("**/v1/seeks", answer_late)
    page.locator("[data-seek=claim]").click()
    expect(page.locator(".seeking")).to_contain_text("Looking for people")
    me = id_of(who)
    wait_until(lambda: len(sought_by(friend, me)) == 1, "the seek is listed")
    page.goto("about:blank")
    wait_until(lambda: sought_by(friend, me) == [], "the seek is gone")


@pytest.mark.slow
def test_a_seek_is_renewed_while_its_page_waits(service: Running, browser: Browser) -> None:
    friend, who = Friend(service, "Hrafn"), Person.arrives(browser)
    page = who.page
    page.goto(service.url)
    page.route(
        "**/v1/seeks",
        lambda route: route.continue_(post_data=sooner(route)) if route.request.method == "POST" else route.fallback(),
        times=1,
    )
    page.locator("[data-seek=claim]").click()
    expect(page.locator(".seeking")).to_contain_text("Looking for people")
    me = id_of(who)

    def renewed() -> bool:
        return any(one["expires_at"] > hence for one in sought_by(friend, me))

    hence = (datetime.now(UTC) + timedelta(seconds=60)).isoformat()
    wait_until(renewed, "another seek took the place of the first", seconds=30)
    assert len(sought_by(friend, me)) == 1
    expect(page.locator(".seeking")).to_contain_text("Looking for people")
    assert who.complaints == []


def test_what_others_seek_is_played_with_a_click_and_lists_are_narrowed_down(
    service: Running, browser: Browser
) -> None:
    friend, who = Friend(service, "Sigrid"), Person.arrives(browser)
    friend.post("/v1/seeks", ruleset="drakkars", seats=[2, 3], bank_seconds=300, increment_seconds=5, rated=True)
    game = friend.post("/v1/games", ruleset="eketorp", seats=3, turn_seconds=86400)["id"]
    page = who.page
    page.goto(service.url)
    line, slow = page.locator(".sought", has_text="Sigrid"), page.locator(f"a[href='#/games/{game}']")
    expect(line).to_contain_text("2, 3 players · 5 min in all, and 5 s for each choice · rated · just now")
    expect(slow).to_contain_text("1 d a turn · casual · just now")
    for name, chosen, seen in (
        ("pace", "over days", (0, 1)),
        ("pace", "any", (1, 1)),
        ("rated", "rated", (1, 0)),
        ("rated", "any", (1, 1)),
        ("game", "Eketorp", (0, 1)),
    ):
        page.locator(f".filters [name={name}]").select_option(label=chosen)
        expect(line).to_have_count(seen[0])
        expect(slow).to_have_count(seen[1])
    page.reload()
    expect(slow).to_have_count(1)
    expect(line).to_have_count(0)
    page.locator(".filters [name=game]").select_option(label="all")
    line.get_by_role("button", name="Play Drakkars with Sigrid").press("Enter")
    expect(page.locator(".table[data-game=drakkars]")).to_have_attribute("data-status", "active")
    assert who.complaints == []


def test_a_challenge_is_answered_and_played_again(service: Running, browser: Browser) -> None:
    friend, who = Friend(service, "Torsten"), Person.arrives(browser)
    page = who.page
    page.goto(service.url)
    page.locator(".top .name").click()
    page.locator("dialog [name=name]").fill("Yrsa the Quick")
    page.get_by_role("button", name="Play under this name").click()
    expect(page.locator(".top .name")).to_have_text("Yrsa the Quick")
    lines = page.locator("section", has=page.get_by_role("heading", name="Challenges")).locator("li")
    for _ in range(2):
        friend.post("/v1/challenges", players=[id_of(who)], ruleset="claim", turn_seconds=600, seat=0)
    page.reload()
    expect(lines).to_have_count(2)
    expect(lines.first).to_contain_text("Torsten")
    expect(lines.first).to_contain_text("10 min a turn · casual · just now")
    looks_well(who, "lobby-challenged")
    lines.first.get_by_role("button", name="Decline").click()
    page.get_by_role("dialog").get_by_role("button", name="Decline").click()
    expect(lines).to_have_count(1)
    lines.first.get_by_role("button", name="Accept").click()
    expect(page.locator(".table")).to_have_attribute("data-status", "active")
    game = re.findall(r"[0-9a-f-]{36}", page.url)[0]
    friend.post(f"/v1/games/{game}/resignations")
    again = page.locator(".rematch")
    again.get_by_role("button", name="Play again").click()
    expect(again).to_contain_text("A rematch: waiting for Torsten.")
    looks_well(who, "rematch")
    again.get_by_role("button", name="No rematch").click()
    again.get_by_role("button", name="Play again").click()
    expect(again).to_contain_text("waiting")
    friend.http.put(f"/v1/games/{game}/rematch", json={}).raise_for_status()
    expect(page).not_to_have_url(re.compile(game))
    expect(page.locator(".table")).to_have_attribute("data-status", "active")
    assert who.complaints == []
