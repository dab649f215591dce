"""Tournaments at the web table: made, entered, followed while they go on, and left."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.e2e.running import Running
from tests.waiting import wait_until

from .person import Person
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


def test_friends_meet_in_a_private_tournament_by_a_link(service: Running, browser: Browser) -> None:
    (who, _), (guest, friend) = named(service, browser, "Solveig"), named(service, browser, "Eivor")
    page = who.page
    page.goto(f"{service.url}/#/tournaments/new")
    page.get_by_label("Name").fill("Among friends")
    page.get_by_label("Game").select_option("claim")
    page.get_by_label("Who meets whom").select_option("round-robin")
    page.get_by_label("With how many players it starts").fill("2")
    page.get_by_label("Who may come").select_option("private")
    page.get_by_role("button", name="Make the tournament").click()
    state = page.locator(".state")
    expect(state).to_contain_text("private")
    address = page.url
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(state).to_contain_text("You are in it.")
    page.get_by_role("button", name="Invite by a link").click()
    link = page.get_by_label("Invitation link").input_value()
    looks_well(who, "tournament-invitation")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Invite by a link").press("Enter")
    assert page.get_by_label("Invitation link").input_value() == link  # which another one would end
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    guest.page.goto(address)
    expect(guest.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    guest.page.goto(link)
    expect(guest.page).to_have_url(address)
    expect(guest.page.get_by_role("heading", name="Among friends")).to_be_visible()
    secret = link.partition("invitation=")[2]
    assert secret
    assert not any(secret in url for url in guest.requested)
    guest.page.get_by_role("button", name="Enter", exact=True).click()
    expect(guest.page.get_by_role("link", name="To your game against Solveig")).to_be_visible()
    own = page.get_by_role("link", name="To your game against Eivor")
    expect(own).to_be_visible()
    expect(state).to_contain_text("You: rank 1 of 2, points: 0.")
    expect(state).to_contain_text("Round 1.")
    looks_well(who, "tournament-own-game")
    own.click()
    expect(page.locator(".table")).to_have_attribute("data-status", "active")
    game = re.findall(r"[0-9a-f-]{36}", page.url)[0]
    stranger = Person.arrives(browser)
    stranger.page.goto(f"{link[:-6]}%E0%A4%A")
    expect(stranger.page.locator(".toast")).to_contain_text("The link is damaged")
    stranger.page.goto(link)
    stranger.page.get_by_role("link", name="Game 1").click()
    watched = stranger.page.locator(".table")
    expect(watched).to_have_attribute("data-status", "active")
    looks_well(stranger, "tournament-game-watched")
    friend.post(f"/v1/games/{game}/resignations")
    expect(watched).to_have_attribute("data-status", "over")
    page.goto(address)
    expect(state).to_contain_text("You: rank 1 of 2, points: 1.")
    expect(page.get_by_role("link", name="Game 1")).to_have_attribute("href", f"#/games/{game}/replay")
    stranger.page.goto(link)
    expect(stranger.page.get_by_role("table", name=re.compile("Round 1"))).to_contain_text("Game 1 played")
    stranger.page.get_by_role("link", name="Game 1").click()
    expect(stranger.page.locator(".replay")).to_be_visible()
    assert not any(secret in url for url in stranger.requested)
    stranger.page.reload()
    expect(stranger.page.locator(".replay")).to_be_visible()
    looks_well(stranger, "tournament-game-by-link")
    page.goto(f"{service.url}/#/tournaments")
    expect(page.get_by_role("link", name="Make a tournament")).to_be_visible()
    listed = page.locator(".games a", has_text="Among friends")
    expect(listed).to_have_count(0)
    page.get_by_label("Which are listed").select_option("mine")
    expect(listed).to_be_visible()
    expect(page).to_have_url(f"{service.url}/#/tournaments?which=mine")
    page.reload()
    expect(listed).to_be_visible()
    assert who.complaints == []
    assert [one for one in (*guest.complaints, *stranger.complaints) if "404" not in one] == []


@pytest.mark.slow
def test_the_crosstable_shows_who_did_how_against_whom(service: Running, browser: Browser) -> None:
    who, account = named(service, browser, "Rorik")
    page, friend = who.page, Friend(service, "Signe")
    terms = {
        "ruleset": "claim",
        "seats": 2,
        "turn_seconds": 60,
        "kind": "round-robin",
        "bots": ["random"],
        "fill_to": 6,
    }
    cup = account.post("/v1/tournaments", name="All of us", **terms)["id"]
    account.post(f"/v1/tournaments/{cup}/entries")
    friend.post(f"/v1/tournaments/{cup}/entries")
    page.goto(f"{service.url}/#/tournaments/{cup}")
    fold = page.locator(".crosstable")
    expect(fold).to_have_count(0)
    page.get_by_role("button", name="Start it").click()
    page.get_by_text("Who did how against whom").click()
    expect(fold).to_contain_text("No table has been played to its end yet.")
    whole, one = fold.get_by_role("table", name="Points of each row"), fold.get_by_role("table", name="against each of")

    def over() -> bool:
        for player in (account, friend):
            for game in player.get("/v1/me/games?status=active")["items"]:
                player.http.post(f"/v1/games/{game['id']}/resignations", json={})
        return bool(account.get(f"/v1/tournaments/{cup}")["status"] == "over")

    wait_until(over, "everybody has met everybody", 120)
    expect(page.locator(".state")).to_contain_text("over")
    expect(whole.get_by_role("row")).to_have_count(7)
    cells = {
        (cell["entry"], cell["against"]): cell["won"]
        for cell in account.get(f"/v1/tournaments/{cup}/crosstable")["items"]
    }
    order = [line["entry"] for line in account.get(f"/v1/tournaments/{cup}/standings")["items"]]
    expect(whole.locator("tbody tr")).to_have_count(6)
    for n in range(1, 5):  # bots of a kind are told apart
        expect(whole.locator("tbody").get_by_role("row", name=f"Random bot {n}")).to_have_count(1)
    for n, row in enumerate(order):
        told = ["–" if other == row else f"{cells[row, other]:g}" for other in order]
        expect(whole.locator("tbody tr").nth(n).locator("td")).to_have_text(told)
    looks_well(who, "tournament-crosstable")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(whole).to_be_hidden()
    expect(one).to_have_accessible_name("Rorik against each of the others")
    expect(one.locator("tbody tr")).to_have_count(5)
    fold.get_by_label("Against each of the others").select_option(label="Signe")
    expect(one).to_have_accessible_name("Signe against each of the others")
    points = [float(row.locator("td").last.inner_text()) for row in one.locator("tbody tr").all()]
    signe = account.get(f"/v1/tournaments/{cup}/standings")["items"]
    assert sum(points) == next(line["points"] for line in signe if line["name"] == "Signe")
    assert who.complaints == []


def arena(name: str, *players: Friend) -> str:
    """The id of one that the first of these has made, and all have entered."""
    terms = {"ruleset": "claim", "seats": 2, "turn_seconds": 60, "kind": "arena", "seconds": 3600}
    cup: str = players[0].post("/v1/tournaments", name=name, **terms)["id"]
    for player in players:
        player.post(f"/v1/tournaments/{cup}/entries")
    return cup


@pytest.mark.slow
def test_an_arena_tells_how_long_it_is_open_and_leads_to_ones_games(service: Running, browser: Browser) -> None:
    who, account = named(service, browser, "Hervor")
    page, friend = who.page, Friend(service, "Angantyr")
    cup = arena("Arena of the day", account, friend)
    page.goto(f"{service.url}/#/tournaments/{cup}")
    state, clock = page.locator(".state"), page.locator(".state .clock")
    page.get_by_role("button", name="Start it").click()
    expect(state).to_contain_text("It is open until ")
    expect(clock).to_have_text(re.compile(r"^(1:00:0\d|59:\d\d)$"))
    expect(clock).to_have_text(re.compile(r"^59:\d\d$"))
    own = page.get_by_role("link", name="To your game against Angantyr")
    expect(own).to_be_visible()
    [game] = friend.get("/v1/me/games?status=active")["items"]
    expect(own).to_have_attribute("href", f"#/games/{game['id']}")
    looks_well(who, "arena")
    friend.http.delete(f"/v1/tournaments/{cup}/entries/{friend.get('/v1/me')['player']['id']}")
    friend.post(f"/v1/games/{game['id']}/resignations")
    expect(state).to_contain_text("You meet the next who is free.")
    expect(state).to_contain_text("You: rank 1 of 2, points: 2.")
    expect(own).to_have_count(0)
    assert who.complaints == []


@pytest.mark.slow
def test_earlier_rounds_come_when_asked_for(service: Running, browser: Browser) -> None:
    """An arena has any number: here of 145, of which the service in place of the real one tells as that does."""
    who, account = named(service, browser, "Halfdan")
    page, friend = who.page, Friend(service, "Gorm")
    cup = arena("Long", account, friend)
    account.post(f"/v1/tournaments/{cup}/start")
    path = f"/v1/tournaments/{cup}"
    wait_until(lambda: account.get(f"{path}/rounds")["items"], "they are paired")
    rounds = account.get(f"{path}/rounds")["items"]
    assert account.get(f"{path}/rounds?cursor=0&limit=1")["items"] == rounds[:1]
    assert account.get(f"{path}/rounds?cursor=1")["items"] == []

    def tell(route: Route) -> None:
        query = {name: int(values[0]) for name, values in parse_qs(urlsplit(route.request.url).query).items()}
        numbers = range(query["cursor"] + 1, min(query["cursor"] + query["limit"], 145) + 1)
        items = [{**rounds[0], "round": number} for number in numbers]
        more = f"{path}/rounds?cursor={numbers[-1]}&limit={query['limit']}" if numbers[-1] < 145 else None
        route.fulfill(content_type="application/json", body=json.dumps({"items": items, "next": more}))

    page.route(f"**{path}/rounds?*", tell)
    page.route(f"**{path}", lambda route: route.fulfill(json={**route.fetch().json(), "round": 145}))
    page.goto(f"{service.url}/#/tournaments/{cup}")
    tables, earlier = (
        page.get_by_role("table", name=re.compile("Round ")),
        page.get_by_role("button", name="Show earlier"),
    )
    expect(tables).to_have_count(20)
    expect(tables.first).to_have_accessible_name(re.compile("Round 145, "))
    expect(earlier).to_have_text("Show earlier rounds (125 more)")
    looks_well(who, "tournament-rounds")
    for shown in range(40, 161, 20):
        earlier.press("Enter")
        expect(tables).to_have_count(min(shown, 145))
    expect(tables.last).to_have_accessible_name(re.compile("Round 1, "))
    expect(earlier).to_have_count(0)
    assert who.complaints == []
