"""Tournaments at the web table: made, entered, followed while they go on, and left."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from tests.e2e.running import Running

from .test_web_life import Friend
from .test_web_people import looks_well
from .test_web_profiles import named


def test_a_tournament_is_made_played_and_followed(service: Running, browser: Browser) -> None:
    who, _ = named(service, browser, "Thorgal")
    page, friend = who.page, Friend(service, "Aaricia")
    page.get_by_role("link", name="Tournaments").click()
    page.get_by_role("link", name="Make a tournament").press("Enter")
    page.get_by_label("Name").fill("Cup of the Fjord")
    page.get_by_label("Game").select_option("claim")
    expect(page.get_by_label("Minutes for which it is open")).to_be_hidden()
    page.get_by_label("Who meets whom").select_option("arena")
    expect(page.get_by_label("Minutes for which it is open")).to_be_visible()
    page.get_by_label("Who meets whom").select_option("round-robin")
    page.get_by_label("With how many players it starts").fill("2")
    looks_well(who, "tournament-new")
    page.get_by_role("button", name="Make the tournament").click()
    state, standings = page.locator(".state"), page.get_by_role("table", name="Standings")
    expect(state).to_contain_text("open: you can enter")
    expect(state).to_contain_text("It starts with 2 players.")
    cup = re.findall(r"[0-9a-f-]{36}", page.url)[0]
    for _ in range(2):
        page.get_by_role("button", name="Enter", exact=True).click()
        expect(state).to_contain_text("You are in it.")
        expect(standings.get_by_role("link", name="Thorgal")).to_be_visible()
        if not _:
            page.get_by_role("button", name="Leave").click()
            expect(state).not_to_contain_text("You are in it.")
    friend.post(f"/v1/tournaments/{cup}/entries")  # what others do is there without a click
    expect(standings.get_by_role("link", name="Aaricia")).to_be_visible()
    expect(state).to_contain_text("being played")
    round_one = page.get_by_role("table", name=re.compile("Round 1"))
    expect(round_one).to_contain_text("Game 1 being played")
    expect(page).to_have_title("Cup of the Fjord · Holmgang")
    looks_well(who, "tournament")
    [playing] = friend.get("/v1/me/games?status=active")["items"]
    expect(round_one.get_by_role("link", name="Game 1")).to_have_attribute("href", f"#/games/{playing['id']}")
    friend.post(f"/v1/games/{playing['id']}/resignations")
    expect(state).to_contain_text("over")
    expect(standings.get_by_role("row").nth(1)).to_have_text(re.compile(r"1\s*Thorgal\s*1"))
    expect(page.get_by_role("link", name="Game 1").first).to_have_attribute("href", f"#/games/{playing['id']}/replay")
    looks_well(who, "tournament-over")
    page.get_by_role("link", name="Tournaments").click()
    page.get_by_label("Which are listed").select_option("over")
    expect(page.locator(".games a", has_text="Cup of the Fjord")).to_contain_text("2 players")
    looks_well(who, "tournaments")
    page.get_by_label("Which are listed").select_option("open")
    expect(page.locator(".games a", has_text="Cup of the Fjord")).to_have_count(0)
    assert who.complaints == []


def test_who_made_a_tournament_starts_it_or_calls_it_off(service: Running, browser: Browser) -> None:
    who, account = named(service, browser, "Jolan")
    page = who.page
    terms = {"ruleset": "claim", "seats": 2, "turn_seconds": 60, "bots": ["random"], "fill_to": 2}
    cups = [account.post("/v1/tournaments", name=name, **terms)["id"] for name in ("First", "Second")]
    page.goto(f"{service.url}/#/tournaments/{cups[0]}")
    page.get_by_role("button", name="Enter", exact=True).click()
    page.get_by_role("button", name="Start it").click()
    expect(page.get_by_role("table", name=re.compile("Round 1"))).to_contain_text("being played")
    page.goto(f"{service.url}/#/tournaments/{cups[1]}")
    page.get_by_role("button", name="Call it off").click()
    page.get_by_role("dialog").get_by_role("button", name="Call it off").click()
    expect(page.locator(".state")).to_contain_text("cancelled")
    expect(page.locator(".state").get_by_role("button")).to_have_count(0)
    assert who.complaints == []
