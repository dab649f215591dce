"""A finished game is watched again: by steps and keys, at its own pace, as each seat saw it, and as a bot judges it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.e2e.running import Running

from .person import Person
from .test_web_life import Friend
from .test_web_people import looks_well

MEETS = {"type": "place", "fields": {"A": 1}, "sieges": []}
"""Where all are, so that they fight."""


@dataclass
class Finished:
    """A game that is over, its first player, and its log."""

    friend: Friend
    game: str
    log: list[Any]

    def arrives(self, browser: Browser, *, motion: bool = False) -> Person:
        """The first player, with a browser that may be asked for its clipboard."""
        me = self.friend.get("/v1/me")["player"]
        kept = json.dumps({"id": me["id"], "name": me["name"], "token": self.friend.token})
        who = Person.arrives(browser, motion=motion, permissions=["clipboard-read", "clipboard-write"])
        who.page.add_init_script(f"localStorage.setItem('holmgang.me', {json.dumps(kept)})")
        return who


def finished(service: Running, ruleset: str, seats: int, turns: int) -> Finished:
    """So many turns, each with what is legal, before all but one give up."""
    friends = [Friend(service, f"{name} {ruleset}") for name in ("Dagny", "Erik", "Freya")[:seats]]
    game = friends[0].post("/v1/games", ruleset=ruleset, seats=seats)["id"]
    for friend in friends[1:]:
        friend.post(f"/v1/games/{game}/seats")
    for _ in range(turns):
        for friend in friends:
            turn = friend.get(f"/v1/games/{game}/turn")
            if turn["yours"]:
                legal = turn["legal"]
                listed = legal.get("actions") or [MEETS if ruleset == "eketorp" else legal["sample"]]
                action = listed[-1]
                friend.post(f"/v1/games/{game}/submissions", turn=turn["turn"], action=action)
    for friend in friends[1:]:
        friend.post(f"/v1/games/{game}/resignations")
    return Finished(friends[0], game, friends[0].get(f"/v1/games/{game}/record")["log"])


@pytest.fixture(scope="module")
def claim(service: Running) -> Finished:
    return finished(service, "claim", 2, 12)


@pytest.fixture(scope="module")
def eketorp(service: Running) -> Finished:
    return finished(service, "eketorp", 3, 6)


def test_one_steps_through_a_game_by_keys_and_takes_a_moment_with_one(
    service: Running, browser: Browser, eketorp: Finished
) -> None:
    who = eketorp.arrives(browser)
    page, last = who.page, len(eketorp.log) - 1
    page.goto(f"{service.url}/#/games/{eketorp.game}/replay/0")
    place, board = page.locator(".now"), page.locator(".board svg")
    expect(place).to_contain_text(f"move 0 of {last}")
    page.locator("h1").click()  # nothing has the focus
    page.keyboard.press("ArrowRight")
    expect(place).to_contain_text(f"move 1 of {last}")
    expect(page.locator("#live")).to_contain_text(f"move 1 of {last}")
    page.keyboard.press("End")
    expect(place).to_contain_text(f"move {last} of {last}")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    expect(place).to_contain_text("move 0 of")
    expect(page.get_by_role("button", name="One on")).to_have_attribute("aria-keyshortcuts", "ArrowRight")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".toast.good")).to_contain_text("this moment")
    assert page.evaluate("navigator.clipboard.readText()") == f"{service.url}/#/games/{eketorp.game}/replay/0"
    page.get_by_label("Dagny eketorp", exact=True).click()
    expect(board.locator(".card.hand[data-seat='0'][data-card]").first).to_be_attached()
    page.get_by_role("button", name="everybody").click()
    expect(board.locator(".card.hand[data-card]")).to_have_count(0)
    seen = ["0"]
    while seen[-1] != str(last):
        page.get_by_role("button", name="Next change").click()
        page.wait_for_function("at => !location.hash.endsWith(`/${at}`)", arg=seen[-1])
        seen.append(page.url.rpartition("/")[2])
    chosen = [(row["seq"], row["entry"].get("actions", [])) for row in eketorp.log]
    stood = [seq for seq, actions in chosen if [one["type"] for _, one in actions] == ["stand"]]
    assert stood, "somebody keeps a hand, which moves nothing"
    assert seen[:2] == ["0", "1"], "Vikings set out"
    assert not {int(one) for one in seen[:-1]} & set(stood)
    looks_well(who, "replay")
    assert who.complaints == []


@pytest.mark.slow
def test_it_plays_its_moves_as_fast_as_one_likes(service: Running, browser: Browser, claim: Finished) -> None:
    who = claim.arrives(browser, motion=True)
    page, last = who.page, len(claim.log) - 1
    page.goto(f"{service.url}/#/games/{claim.game}/replay/0")
    expect(page.locator(".board svg")).to_be_visible()
    page.evaluate(
        """() => {
          window.played = 0;
          new MutationObserver((all) => { for (const one of all) for (const node of one.addedNodes)
            if (node.parentNode && node.parentNode.matches?.('g.played')) window.played += 1;
          }).observe(document.querySelector('.board'), { subtree: true, childList: true });
        }"""
    )
    page.get_by_role("button", name="4×").click()
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator(".now")).to_contain_text(f"move {last} of {last}")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert page.evaluate("played") > 10
    expect(page.locator(".board g.played")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("button", name="4×")).to_have_attribute("aria-pressed", "true")
    assert who.complaints == []


def test_what_a_moment_changed_is_marked_where_it_is_also_when_a_link_leads_there(
    service: Running, browser: Browser, claim: Finished
) -> None:
    page = claim.arrives(browser).page
    page.goto(f"{service.url}/#/games/{claim.game}/replay/2")
    marks = page.locator(".over .fresh")
    expect(marks).to_have_count(2)  # the pieces that were placed
    for x, wide in marks.evaluate_all("all => all.map((one) => [one.x.baseVal.value, one.width.baseVal.value])"):
        assert x > 0
        assert wide > 0


def judged(log: list[Any], *, upto: int | None = None) -> dict[str, Any]:
    """An analysis as the service gives it; in every third choice something else would have been better."""
    choices = []
    for row in log[1:upto]:
        for seat, action in row["entry"].get("actions", []):
            agrees = row["seq"] % 3 != 0
            preferred = action if agrees else {"type": "place", "points": ["a1", "b1"]}
            value = 0.6 - row["seq"] / 60
            choices.append(
                {
                    "seq": row["seq"], "turn": row["entry"]["turn"], "seat": seat, "kind": row["entry"]["kind"],
                    "context": {}, "action": action, "preferred": preferred, "agrees": agrees, "forced": False,
                    "value": value,
                    "preferred_value": value if agrees else value + row["seq"] / 50,
                }
            )  # fmt: skip
    share = [0.5 + (row["seq"] % 5 - 2) / 10 for row in log[:upto]]
    positions = [
        {"seq": row["seq"], "turn": row["entry"]["turn"] + 1, "values": [one, 1 - one]}
        for row, one in zip(log, share, strict=False)
    ]
    total = sum(len(row["entry"].get("actions", [])) for row in log)
    return {
        "game": "", "bot": "search", "status": "done" if upto is None else "running", "judged": len(choices),
        "total": total, "asked_at": "2026-11-29T00:00:00Z", "finished_at": None, "positions": positions,
        "choices": choices,
    }  # fmt: skip


def test_an_analysis_shows_its_progress_then_a_curve_and_turning_points(
    service: Running, browser: Browser, claim: Finished
) -> None:
    who = claim.arrives(browser)
    page, asked, held = who.page, [], []

    def answers(route: Route) -> None:
        if route.request.method == "PUT":
            asked.append(route.request.post_data)
            if len(asked) == 1:
                problem = {"code": "limit_reached", "detail": "Three of your games wait already.", "status": 409}
                route.fulfill(status=409, content_type="application/problem+json", json=problem)
            else:
                route.fulfill(status=202, json=judged(claim.log, upto=4), headers={"ETag": 'W/"1"'})
        else:
            held.append(route)

    page.route(re.compile(r"/analysis(\?|$)"), answers)
    page.goto(f"{service.url}/#/games/{claim.game}")
    page.locator(".result a", has_text="Analyse").click()
    panel = page.locator(".analysis")
    expect(panel.get_by_role("alert")).to_have_text("Three of your games wait already.")
    panel.get_by_role("button", name="Try again").click()
    expect(panel.get_by_role("status")).to_have_text(re.compile(r"^3 of \d+ choices are judged\.$"))
    expect(panel.locator("progress")).to_be_visible()
    expect(panel.locator("svg.curve .line")).to_have_count(2)
    held.pop().fulfill(json=judged(claim.log), headers={"ETag": 'W/"2"'})
    expect(panel.locator("h3")).to_have_text("The three turning points")
    mine = [one for one in judged(claim.log)["choices"] if one["seat"] == 0]
    same = sum(one["agrees"] for one in mine)
    expect(panel.locator(".seats li").first).to_contain_text(f"agreed in {same} of {len(mine)} choices, accuracy")
    points = panel.locator(".turns > li")
    expect(points).to_have_count(3)
    expect(points.first).to_contain_text("Place pieces on a1 and b1.")
    expect(points.first).to_contain_text(re.compile(r"Chances of winning: \d+ % instead of \d+ %"))
    points.first.get_by_role("button").click()
    row = int(page.url.rpartition("/")[2])
    assert row % 3 == 0
    expect(panel.locator(".here")).to_contain_text("The bot would have chosen: Place pieces on a1 and b1.")
    curve = panel.get_by_role("slider")
    curve.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("at => location.hash.endsWith(`/${at}`)", arg=row + 1)
    expect(panel.locator(".here")).to_contain_text("The bot would have chosen the same.")
    box = curve.bounding_box()
    assert box is not None
    curve.click(position={"x": 41, "y": box["height"] / 2})
    page.wait_for_function("() => location.hash.endsWith('/replay/0')")
    expect(curve).to_have_attribute("aria-valuetext", re.compile("^Turn 1: Dagny claim 30 %, Erik claim 70 %$"))
    panel.locator("summary", has_text="All choices").click()
    panel.locator("summary", has_text="The curve in numbers").click()
    expect(panel.locator("tbody tr")).to_have_count(len(claim.log))
    points.nth(1).get_by_role("button").click()
    looks_well(who, "analysis")
    assert [one for one in who.complaints if "409" not in one] == []


def test_a_worker_judges_what_the_page_then_shows(service: Running, browser: Browser, claim: Finished) -> None:
    who = claim.arrives(browser)
    page = who.page
    page.goto(f"{service.url}/#/games/{claim.game}/replay/0")
    panel = page.locator(".analysis")
    panel.get_by_role("button", name="Analyse").click()
    expect(panel.locator(".seats li")).to_have_count(2, timeout=60_000)
    found = claim.friend.get(f"/v1/games/{claim.game}/analysis")
    assert (found["status"], found["judged"]) == ("done", found["total"])
    own = [one for one in found["choices"] if one["seat"] == 0 and not one["forced"]]
    same = sum(one["agrees"] for one in own)
    expect(panel.locator(".seats li").first).to_contain_text(f"agreed in {same} of {len(own)} choices, accuracy")
    panel.locator("summary", has_text="All choices").click()
    listed = panel.locator("button.moment")
    expect(listed).to_have_count(len(found["choices"]))
    listed.first.click()
    here = panel.locator(".here")
    expect(here).to_contain_text(re.compile("chose: Place pieces? on .*The bot would have chosen"))
    expect(page.locator(".now")).to_contain_text("move 1 of")
    assert who.complaints == []
