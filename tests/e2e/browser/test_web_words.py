"""What people read at the web table is words: nothing that only programs say, in a whole game of each kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from babel.messages.pofile import read_po
from playwright.sync_api import Browser, Page, expect

import holmgang
from tests.e2e.running import Running
from tests.soon import soon

from .person import Person

TEXTS = """() => {
  const leaves = [...document.querySelectorAll('#main *')].filter((one) => one.children.length === 0
    && !one.closest('.person, .who, dialog, code, title, script'));
  const called = [...document.querySelectorAll('#main [aria-label]')].map((one) => one.getAttribute('aria-label'));
  const board = document.querySelector('.inwords').textContent.split('\\n');
  return [...new Set([...leaves.map((one) => one.textContent), ...called, ...board])];
}"""
BARE = re.compile(r"^\d+:|\b\d:[a-zé]{3,}\b|\bstation \d|\b(?:joueur|place) \d\b")
"""Lists whose lines begin with a number, addresses of places, and seats without the name of whoever sits there."""


def named(schema: Any) -> Iterator[str]:
    """The identifiers in a JSON Schema: fields, and what they may be."""
    if isinstance(schema, dict):
        for name, one in schema.items():
            if name == "properties":
                yield from one
            values = one if name == "enum" else [one] if name == "const" else []
            yield from (value for value in values if isinstance(value, str))
            yield from named(one)
    elif isinstance(schema, list):
        for one in schema:
            yield from named(one)


def french() -> set[str]:
    """All words that translators wrote."""
    root = Path(holmgang.__file__).parent
    found: set[str] = set()
    for path in root.rglob("locale/fr/LC_MESSAGES/*.po"):
        with path.open("rb") as file:
            for message in read_po(file):
                texts = message.string if isinstance(message.string, tuple) else (message.string,)
                for text in texts:
                    found |= set(re.findall(r"[^\W\d_]+", re.sub(r"\{\w+\}", "", str(text)).lower()))
    return found


def insiders(schemas: Any) -> set[str]:
    words = {name for name in named(schemas) if len(name) > 2}
    return {word for word in words if "_" in word or (word.isalpha() and word.lower() not in french())}


@pytest.mark.parametrize("ruleset", soon(["claim", "drakkars", "eketorp"], "claim"))
def test_a_whole_game_in_french_says_nothing_that_only_programs_say(
    service: Running, browser: Browser, ruleset: str
) -> None:
    who = Person.arrives(browser, locale="fr-FR")
    page = who.page
    page.goto(service.url)
    page.locator(f"[data-play={ruleset}]").click()
    expect(page.locator(".table")).to_have_attribute("data-status", "active")
    token = page.evaluate("() => JSON.parse(localStorage.getItem('holmgang.me')).token")
    game = page.url.rsplit("/", 1)[1]
    with httpx.Client(base_url=service.url, headers={"Authorization": f"Bearer {token}"}, timeout=60) as http:
        words = insiders(http.get(f"/v1/rulesets/{ruleset}").json())
        assert len(words) > 20, "there are identifiers to look for"
        read = plays(http, page, game)
    page.goto(f"{service.url}/#/games/{game}/replay")
    expect(page.locator(".happened li").first).to_be_visible()
    if page.locator(".happened .quiet").is_visible():  # else all of what has happened is there
        page.locator(".happened .quiet").click()
    read |= set(page.evaluate(TEXTS))
    earlier = page.locator(".combats [data-about=earlier]")
    for _ in range(30):
        if not earlier.count() or not earlier.is_enabled():
            break
        earlier.click()
        read |= set(page.evaluate(TEXTS))
    assert len(read) > 100
    told = [text for text in read if set(re.findall(r"[A-Za-z]+(?:_[a-z]+)*", text)) & words or BARE.search(text)]
    assert "\n".join(told) == ""
    assert who.complaints == []


def plays(http: httpx.Client, page: Page, game: str) -> set[str]:
    """To the end, with whatever is legal; what the page said when each kind of choice was asked for the first time."""
    kinds: set[str] = set()
    read: set[str] = set()
    while True:
        turn = http.get(f"/v1/games/{game}/turn", params={"wait": 20}).json()
        if turn["status"] == "over":
            break
        if not turn["yours"]:
            http.get(f"/v1/games/{game}/turn", params={"wait": 20}, headers={"If-None-Match": f'W/"{turn["version"]}"'})
            continue
        if turn["kind"] not in kinds:
            kinds.add(turn["kind"])
            page.wait_for_selector(
                f".table[data-turn='{turn['turn']}'][data-yours=true] .choose button", state="attached"
            )
            read |= set(page.evaluate(TEXTS))
        action = turn["legal"].get("sample") or turn["legal"]["actions"][-1]
        http.post(f"/v1/games/{game}/submissions", json={"turn": turn["turn"], "action": action})
    page.wait_for_selector(".result")
    return read | set(page.evaluate(TEXTS))
